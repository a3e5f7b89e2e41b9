"""The page that greets whoever opens the club's address."""

from fastapi.responses import HTMLResponse


async def welcome_page() -> HTMLResponse:
    """Greet."""
    return HTMLResponse("<h1>Qlub</h1>")
