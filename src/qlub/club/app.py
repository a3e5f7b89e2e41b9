"""The application: puts the door, the HTTP interface, the socket and the house together."""

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from qlub import __version__
from qlub.club import answers, metrics, pages
from qlub.club.errors import NotFound, NotSaved, status_of, told
from qlub.club.guard import Guard, address_of
from qlub.club.house import House
from qlub.club.limits import Addresses
from qlub.club.logs import set_up
from qlub.club.problems import explain_faults
from qlub.club.routes import router
from qlub.club.settings import Settings
from qlub.club.sockets import Connection
from qlub.club.store.database import open_engine, read_url
from qlub.club.store.store import Store
from qlub.club.tokens import COOKIE, Tokens
from qlub.core.errors import BadRequest, QlubError

SOCKET = "/api/socket"
TRIES = 10
"""How many times, a second apart, a worker that starts asks for the database."""

log = structlog.get_logger("qlub")


def create() -> ASGIApp:
    """Make the application of one worker; its settings are in the environment."""
    settings = Settings.read({}, os.environ)
    set_up(settings.log)
    addresses = Addresses(settings.rate, settings.connections)
    app = FastAPI(
        title="Qlub",
        version=__version__,
        summary="A club house for table games. docs/api.md has the messages of the socket.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load scripts from somewhere else
        redoc_url=None,
        lifespan=lambda app: _lifespan(app, settings),
    )
    app.include_router(router)
    app.state.addresses = addresses
    app.add_api_route("/healthz", _health, response_model=answers.Health)
    app.add_api_route("/metrics", _metrics, include_in_schema=False)
    app.include_router(pages.router)
    app.add_exception_handler(QlubError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_shape)
    app.add_exception_handler(HTTPException, _refuse_plainly)
    app.add_exception_handler(Exception, _admit_fault)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]

    async def entrance(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"] == SOCKET:
            await _serve_socket(app, scope, receive, send)
        elif scope["type"] == "websocket":
            raise NotFound("there is no socket here")
        else:
            await app(scope, receive, send)

    return Guard(entrance, settings, addresses)


@asynccontextmanager
async def _lifespan(app: FastAPI, settings: Settings) -> AsyncIterator[None]:
    url = read_url(settings.database_url)
    store = Store(open_engine(url))
    bell = None
    if store.is_shared:
        from qlub.club.bell import Bell

        bell = Bell(url)
    try:
        house = House(settings, store, Tokens(await _read_key(store)), bell)
        app.state.house = house
        gc.freeze()  # what is there now stays; looking at it again and again would cost pauses
        gc.set_threshold(20_000, 20, 100)
        async with house.open():
            log.info("open", database=url.render_as_string(hide_password=True))
            yield
    finally:
        store.close()
        log.info("closed")


async def _read_key(store: Store) -> bytes:
    """Return what this club signs with; whoever starts while the database is away waits for it."""
    for _ in range(TRIES):
        try:
            await store.key("rating")
            return await store.key("signing")
        except NotSaved:
            log.warning("the database does not answer")
            await asyncio.sleep(1)
    os._exit(1)  # at once: told that a start has failed, uvicorn would end the other workers too


async def _serve_socket(app: FastAPI, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve the socket, past the layers that only requests need: every frame would go through."""
    house: House = app.state.house
    addresses: Addresses = app.state.addresses
    await receive()  # the wish to connect
    with addresses.socket(address_of(scope)), metrics.SOCKETS.track_inprogress():
        guest = house.tokens.read_cookie(HTTPConnection(scope).cookies.get(COOKIE))
        await Connection(house, guest, receive, send).serve()


async def _health(request: Request) -> answers.Health:
    """Whether the club can reach its database."""
    house: House = request.app.state.house
    await house.store.check()
    return answers.Health(ok=True)


async def _metrics() -> Response:
    content, kind = metrics.exposition()
    return Response(content, media_type=kind)


async def _refuse(request: Request, error: Exception) -> Response:
    refusal = error if isinstance(error, QlubError) else BadRequest("refused")
    metrics.REFUSED.labels(refusal.word).inc()
    headers = {"retry-after": "1"} if isinstance(refusal, NotSaved) else None
    return JSONResponse(told(refusal), status_of(refusal), headers)


async def _refuse_shape(request: Request, error: Exception) -> Response:
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    return await _refuse(request, explain_faults(faults) if faults else BadRequest("refused"))


async def _refuse_plainly(request: Request, error: Exception) -> Response:
    if isinstance(error.__cause__, QlubError):  # FastAPI hides what happened while it read a body
        return await _refuse(request, error.__cause__)
    status = error.status_code if isinstance(error, HTTPException) else 400
    headers = dict(getattr(error, "headers", None) or {})
    if status == 404:
        page = pages.missing_page(request)
        return page or JSONResponse(told(NotFound("there is nothing here")), status, headers)
    if status == 405:
        headers |= _allowed(request.url.path)
        return JSONResponse(told(BadRequest("this address takes another method")), status, headers)
    return JSONResponse(
        told(BadRequest(str(getattr(error, "detail", error))[:200])), status, headers
    )


def _allowed(path: str) -> dict[str, str]:
    """Return the header with all methods of an address; the router tells those of one route only."""
    routes = [route for route in router.routes if isinstance(route, APIRoute)]
    here = next((route.path for route in routes if route.path_regex.match(path)), None)
    methods = {one for route in routes if route.path == here for one in route.methods or ()}
    return {"Allow": ", ".join(sorted(methods))} if methods else {}


async def _admit_fault(request: Request, error: Exception) -> Response:
    """Answer in our own form when the fault is ours; the log has the rest."""
    message = "a fault of the club; its log says more"
    return JSONResponse({"error": "fault", "message": message}, 500)


def _openapi(app: FastAPI) -> dict[str, Any]:
    """Describe the interface; a wrong shape is answered with 400 here, not with FastAPI's 422."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, summary=app.summary, routes=app.routes
        )
        for methods in schema["paths"].values():
            for operation in methods.values():
                operation["responses"].pop("422", None)
        app.openapi_schema = schema
    return app.openapi_schema
