"""`qlub serve`: the club house, for a household or for hundreds."""

import argparse
import contextlib
import dataclasses
import errno
import os
import signal
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from typing import TYPE_CHECKING

from qlub.club.settings import BadSetting, Settings

if TYPE_CHECKING:
    import uvicorn


def configure(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each setting."""
    parser.description = (
        "Open the club house: people, programs and bots meet at its tables, over HTTP and a socket. Every "
        "flag can also be given as a variable, such as QLUB_PORT. docs/hosting.md tells more."
    )
    for one in dataclasses.fields(Settings):
        default = one.default if one.default != "" else "none"
        flag = "--" + one.name.replace("_", "-")
        about = f"{one.metadata['about']} (default: {default})".replace("%", "%%")
        parser.add_argument(flag, metavar=one.name.upper(), help=about)
    parser.add_argument("--open", action="store_true", help="open the browser")


def run(options: argparse.Namespace) -> int:
    """Serve until somebody ends it."""
    given = {one.name: getattr(options, one.name) for one in dataclasses.fields(Settings)}
    settings = Settings.read({name: text for name, text in given.items() if text is not None})
    return serve(settings, opens_browser=options.open)


def open_house() -> int:
    """Open the club house on this machine and the browser; if it is open already, go there."""
    from qlub.club.store.database import AlreadyServed

    settings = Settings.read({})
    try:
        return serve(settings, opens_browser=True, any_port=True)
    except AlreadyServed as error:
        if not error.address:
            raise
        print(f"Qlub is open already at {error.address}", file=sys.stderr)
        webbrowser.open(error.address)
        return 0


def serve(settings: Settings, opens_browser: bool = False, any_port: bool = False) -> int:
    """Bring the database up to date, listen, and serve; `any_port` takes another if it must."""
    from uvicorn import Config

    from qlub.club.doorstep import Requests, Sockets
    from qlub.club.store.database import (
        Claim,
        migrate,
        open_engine,
        plain_errors,
        read_url,
    )

    url = read_url(settings.database_url)
    if settings.workers > 1 and url.get_backend_name() == "sqlite":
        raise BadSetting("SQLite has one worker; several need --database postgresql://…")
    with listen(settings.host, settings.port, any_port) as listener:
        port = listener.getsockname()[1]
        address = settings.url or f"http://{_shown_host(settings.host)}:{port}"
        claim = Claim(url, address)
        engine = open_engine(url)
        with plain_errors("the database"):
            migrate(engine)
        engine.dispose()
        print(f"Qlub is open at {address}  (Ctrl-C closes it)", file=sys.stderr)
        if opens_browser:
            webbrowser.open(address)
        os.environ.update(
            dataclasses.replace(settings, database=settings.database_url).environment()
        )
        config = Config(
            "qlub.club.app:create",
            factory=True,
            workers=settings.workers,
            http=Requests,
            ws=Sockets,
            ws_max_size=1 << 15,
            ws_per_message_deflate=False,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=settings.proxies or None,
            server_header=False,
            access_log=False,
            log_config=None,
            timeout_graceful_shutdown=10,
            h11_max_incomplete_event_size=1 << 15,
        )
        with _shared_counts(settings.workers):
            _run(config, listener)
        del claim
    return 0


def _run(config: "uvicorn.Config", listener: socket.socket) -> None:
    from uvicorn import Server
    from uvicorn.supervisors import Multiprocess

    signal.signal(signal.SIGTERM, _stop)  # uvicorn raises it once more when all is done
    with contextlib.suppress(KeyboardInterrupt):
        if config.workers > 1:
            Multiprocess(config, sockets=[listener]).run()
        else:
            Server(config).run(sockets=[listener])


def _stop(number: int, frame: object) -> None:
    """End as one should who was asked to."""


def listen(host: str, port: int, any_port: bool) -> socket.socket:
    """Return a socket that listens at an address, or say why it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            listener.bind((host, port))
        except OSError:
            if not any_port:
                raise
            listener.bind((host, 0))
    except OSError as error:
        listener.close()
        is_port = error.errno in (errno.EADDRINUSE, errno.EACCES)
        advice = "; try --port 0" if is_port else ""
        raise BadSetting(
            f"cannot listen on {host}:{port}: {error.strerror or error}{advice}"
        ) from None
    listener.listen(2048)
    return listener


@contextlib.contextmanager
def _shared_counts(workers: int) -> Iterator[None]:
    """Give several workers a folder in which they put their counts together."""
    if workers == 1:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="qlub-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


def _shown_host(host: str) -> str:
    if host in ("0.0.0.0", "::"):  # noqa: S104 - everywhere, here too
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
