"""Server: the pages of a session, over HTTP and a websocket; LiveView: a session and its server.

    GET /                the page; its address contains the token
    GET /viewer.js       the viewer; /start.js starts it
    GET /made/KEY/NAME   a film or page that a job made
        /ws              the websocket; with flight=NAME of another session, see
                         comparison_sessions.py; with wire=VERSION that the client reads; with
                         rgb=1 for frames with colours

The server listens on this machine only, unless another host is given, and refuses requests without
the token. Incomplete requests are dropped; see guard.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import threading
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from murmurate.engines.options import RunOptions
from murmurate.errors import AddressError, MurmurateError
from murmurate.live_view import guard
from murmurate.live_view.client import Client
from murmurate.live_view.comparison_sessions import WATCHED, ComparisonSessions
from murmurate.live_view.messages import encode
from murmurate.live_view.osc import Osc
from murmurate.live_view.session import Session
from murmurate.model.model import Model
from murmurate.runs.playback import Playback
from murmurate.runs.recorder import SeriesRecorder
from murmurate.show import wire_format
from murmurate.show.html_file import packed_words
from murmurate.version import __version__

FIRST_PORT, LAST_PORT = 8600, 8699
MAX_WEBSOCKET_BYTES = 1 << 20  # of a message; a larger one ends the connection
SESSION_TIMEOUT = 0.5  # seconds that closing waits for the simulation
SHUTDOWN_TIMEOUT = 2.0  # seconds that closing waits for pages to receive the reason
THREAD_NAME = "murmurate-server"

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>murmurate</title>
<style>html,body{margin:0;height:100%}#murmurate{height:100%}noscript p{margin:2em}</style>
</head>
<body>
<noscript><p>This page shows a live simulation of a flock. It needs JavaScript.</p></noscript>
<div id="murmurate"></div>
<script type="module" src="/start.js"></script>
</body>
</html>
"""
START = """\
const root = document.getElementById("murmurate");
const url = (location.protocol === "https:" ? "wss://" : "ws://") + location.host
  + "/ws" + location.search;
try {
  const viewer = await import("/viewer.js");
  await viewer.speak("WORDS");
  await viewer.mountLive(root, {url});
} catch (error) {
  root.textContent = "The flock cannot be shown: " + error;
}
"""

logger = logging.getLogger(__name__)


class LiveView:
    """A session and its server. Close it at the end, or use it as a context manager."""

    def __init__(self, session: Session, server: Server) -> None:
        self.session, self.server = session, server
        self._osc: list[Osc] = []
        self._closed = threading.Event()

    @property
    def url(self) -> str:
        """The address of the page, with the token."""
        return self.server.url

    def open_osc(self, send_to: Sequence[str] = (), receive_on: str = "", **options: Any) -> Osc:
        """Send frames by OSC to each 'HOST:PORT', and receive on 'PORT' or 'HOST:PORT'.

        Returns the Osc, which has the `port` on which it receives; `rate` and `report` are its
        options. Raises AddressError.
        """
        self._osc.append(Osc(self.session, send_to, receive_on, **options))
        return self._osc[-1]

    def wait(self) -> None:
        """Wait until the view is closed. Ctrl-C raises KeyboardInterrupt."""
        while not self._closed.wait(0.2):
            pass

    def close(self, timeout: float | None = None) -> bool:
        """Notify the pages, and end.

        timeout  seconds to wait for the simulation, and for the pages; SESSION_TIMEOUT and
                 SHUTDOWN_TIMEOUT by default

        Returns whether the simulation ended in time; see Session.close.
        """
        if self._closed.is_set():
            return True
        self._closed.set()
        for osc in self._osc:
            osc.close()
        ended = self.session.close(timeout=SESSION_TIMEOUT if timeout is None else timeout)
        self.server.close(SHUTDOWN_TIMEOUT if timeout is None else timeout)
        return ended

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<LiveView {self.session.home.name!r} at {self.url}>"


def start(
    model: Model | Playback,
    options: RunOptions | None = None,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    playing: bool = True,
    file: Path | None = None,
    rules: Sequence[Path] = (),
    reload: Callable[[], Model] | None = None,
    origins: Sequence[str] = (),
    recorder: SeriesRecorder | None = None,
) -> LiveView:
    """Start a session and its server. See Session and Server for the arguments and errors."""
    session = Session(
        model, options, playing=playing, file=file, rules=rules, reload=reload, recorder=recorder
    )
    server = Server(session, host, port, origins)
    session.start()
    server.start()
    return LiveView(session, server)


class _ClientErrorFilter(logging.Filter):
    """Log errors of clients at DEBUG instead of WARNING. Clients may disconnect or send invalid
    data at any time, and the libraries' loggers print a warning for each."""

    def filter(self, record: logging.LogRecord) -> bool:
        by_client = record.getMessage().startswith("ASGI callable returned") or (
            record.exc_info and isinstance(record.exc_info[1], OSError | UnicodeError)
        )  # the first is said of each handshake that is refused
        if record.threadName != THREAD_NAME or (record.levelno > logging.WARNING and not by_client):
            return True
        logger.debug("a client: %s", record.getMessage())
        return False


_CLIENT_ERROR_FILTER = _ClientErrorFilter()


class Server:
    """Serves a session, in its own thread.

    host      address to listen on; 127.0.0.1, the default, admits this machine only
    port      the first free one from 8600 by default
    origins   such as http://localhost:5173, of other pages that may connect with the token
    url       the address to open, with the token
    sessions  the session, and those to compare it with

    Raises AddressError.
    """

    def __init__(
        self,
        session: Session,
        host: str = "127.0.0.1",
        port: int | None = None,
        origins: Sequence[str] = (),
    ) -> None:
        self.session, self.sessions = session, ComparisonSessions(session)
        self._origins = [origin.lower().rstrip("/") for origin in origins]
        self.token = secrets.token_urlsafe(18)
        session.jobs.token = self.token
        self._socket = listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        name = host if host not in ("0.0.0.0", "::") else socket.gethostname()
        name = f"[{name}]" if ":" in name else name
        self.url = f"http://{name}:{self.port}/?token={self.token}"
        self.names: tuple[str, ...] = guard.LOOPBACK
        if host not in guard.LOOPBACK:
            self.names = (*guard.LOOPBACK, host.lower(), socket.gethostname().lower(), "*")
        self._pages, self._no_pages = 0, threading.Event()
        self._no_pages.set()
        config = uvicorn.Config(
            self.app(),
            log_config=None,
            access_log=False,
            http=guard.BoundedProtocol,
            ws="websockets-sansio",
            ws_max_size=MAX_WEBSOCKET_BYTES,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=60.0,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name=THREAD_NAME, daemon=True)

    def start(self) -> Server:
        """Start the thread."""
        for name in ("asyncio", "uvicorn.error"):
            logging.getLogger(name).addFilter(_CLIENT_ERROR_FILTER)
        self._thread.start()
        return self

    def close(self, page_timeout: float = SHUTDOWN_TIMEOUT, thread_timeout: float = 0.7) -> None:
        """Stop listening when the pages have received their messages. Close the session first,
        which dismisses the pages."""
        self.sessions.close(self.session.over)
        if self._thread.is_alive():
            self._no_pages.wait(page_timeout)
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(thread_timeout)
        self._socket.close()

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))

    def app(self) -> ASGIApp:
        """Return the application that responds to requests."""
        routes = [
            Route("/", self._get_page),
            Route("/start.js", self._get_start),
            Route("/viewer.js", self._get_viewer),
            Route("/made/{key}/{name}", self._get_made),
            WebSocketRoute("/ws", self._open_websocket),
        ]
        return guard.SecurityMiddleware(Starlette(routes=routes), self.names)

    # --- over HTTP

    async def _get_page(self, request: Request) -> Response:
        if refusal := self._check_token(request):
            return refusal
        return Response(PAGE, media_type="text/html")

    async def _get_start(self, request: Request) -> Response:
        language = self.session.home.view.language
        text = START.replace("WORDS", packed_words(None, language))
        return Response(text, media_type="text/javascript")

    async def _get_viewer(self, request: Request) -> Response:
        file = resources.files("murmurate.show") / "viewer" / "viewer.js"
        try:
            text = file.read_bytes()
        except OSError:
            return PlainTextResponse(
                "viewer.js is missing: in a checkout, build it with 'npm ci && npm run build' in "
                "the folder viewer",
                404,
            )
        return Response(text, media_type="text/javascript")

    async def _get_made(self, request: Request) -> Response:
        if refusal := self._check_token(request):
            return refusal
        path = self.session.jobs.find(request.path_params["key"], request.path_params["name"])
        if path is None or not path.is_file():
            return PlainTextResponse("this film or page does not exist; it may be deleted", 404)
        return FileResponse(path, filename=path.name, content_disposition_type="attachment")

    def _check_token(self, connection: HTTPConnection) -> Response | None:
        """Return a refusal if the token is wrong."""
        if guard.tokens_match(connection.query_params.get("token", ""), self.token):
            return None
        return PlainTextResponse(
            "this address lacks the correct token: open the address that murmurate printed", 403
        )

    # --- over the websocket

    async def _open_websocket(self, socket: WebSocket) -> None:
        refusal = self._check_token(socket)
        if problem := guard.origin_problem(
            socket.headers.get("origin"), socket.headers.get("host", ""), self._origins
        ):
            refusal = PlainTextResponse(problem, 403)
        if refusal is not None:
            await socket.send_denial_response(refusal)
            return
        await socket.accept()
        name = socket.query_params.get("flight", WATCHED)
        try:
            check_version(socket.query_params.get("wire"))
            session = await asyncio.to_thread(self.sessions.enter, name)
        except MurmurateError as error:
            await socket.send_text(encode({"type": "bye", "reason": str(error)}))
            await socket.close(1008)
            return
        self._pages += 1
        self._no_pages.clear()
        try:
            await self._serve_page(socket, session)
        finally:
            await asyncio.to_thread(self.sessions.leave, name)
            self._pages -= 1
            if not self._pages:
                self._no_pages.set()

    async def _serve_page(self, socket: WebSocket, session: Session) -> None:
        """Pass messages between a page and its session, until one of them leaves."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(news.set)

        client = Client(session, wake, rgb=socket.query_params.get("rgb") == "1")
        receiving = asyncio.create_task(self._receive(socket, client))
        try:
            while not receiving.done():
                waiting = asyncio.create_task(news.wait())
                await asyncio.wait({receiving, waiting}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                news.clear()
                over = client.over  # read before `outgoing`, which then has the farewell
                for data in client.outgoing():
                    if isinstance(data, str):
                        await socket.send_text(data)
                    else:
                        await socket.send_bytes(data)  # type: ignore[arg-type]
                if over:
                    await socket.close(1001 if session.over else 1008, over[:100])
                    break
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # the page is disconnected
        finally:
            receiving.cancel()
            client.leave()

    async def _receive(self, socket: WebSocket, client: Client) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await socket.receive()
                if message["type"] != "websocket.receive":
                    return
                text = message.get("text")
                client.receive(text if text is not None else message.get("bytes") or b"")


def check_version(version: str | None) -> None:
    """Raise AddressError if a client reads another version of the wire; None is the page."""
    if version is not None and version.partition(".")[0] != str(wire_format.VERSION):
        raise AddressError(
            f"wire: got {version[:20]!r}; expected {wire_format.description()['version']}, which "
            f"murmurate {__version__} sends. Use a client for this version"
        )


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens on the address; on the first free port from 8600 if none is
    given. Raises AddressError."""
    if not host.strip():
        raise AddressError(
            "host: got an empty name; expected an address of this machine, such as 127.0.0.1. "
            "0.0.0.0 listens on all of them"
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = range(FIRST_PORT, LAST_PORT + 1) if port is None else (port,)
    problem: OSError | None = None
    for number in ports:
        candidate = socket.socket(family, socket.SOCK_STREAM)
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((host, number))
            candidate.listen(64)
            return candidate
        except (OSError, OverflowError) as error:
            candidate.close()
            problem = error if isinstance(error, OSError) else OSError(str(error))
            if isinstance(error, OSError) and error.errno is not None and error.errno < 0:
                break  # the host name is unknown
    label = f"port {port}" if port is not None else f"ports {FIRST_PORT} to {LAST_PORT}"
    reason = (problem.strerror or str(problem)) if problem else "none"
    raise AddressError(
        f"{host}, {label}: cannot listen: {reason}. Choose another --port, or omit it; --host must "
        "be an address of this machine"
    )
