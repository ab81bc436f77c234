"""Server: the pages of a session, over HTTP and a websocket.

    GET /                the page; the token is in its address
    GET /viewer.js       the viewer, /start.js what starts it
    GET /made/KEY/NAME   a film or page that was made
        /ws              the websocket; with flight=NAME that of another flight, see flights.py

It listens on this machine only unless asked otherwise, and answers nobody without the token.
Requests that are not sent to their end are dropped; see connections.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import threading
from importlib import resources

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from murmurate.errors import AddressError, MurmurateError
from murmurate.live_view import guard
from murmurate.live_view.client import Client
from murmurate.live_view.connections import BoundedProtocol
from murmurate.live_view.flights import WATCHED, Flights
from murmurate.live_view.live_page import PAGE, START
from murmurate.live_view.messages import text
from murmurate.live_view.session import Session

FIRST_PORT, LAST_PORT = 8600, 8699
MOST_BYTES = 1 << 20  # of a websocket message; a larger one ends the connection
FAREWELL = 2.0  # seconds at most for pages to hear that it is over: a busy one reads late
THREAD = "murmurate-server"
logger = logging.getLogger(__name__)


class _ClientFaults(logging.Filter):
    """Whoever connects may break off or send nonsense at any time; of that the libraries' loggers
    warn, once each time, on stderr. Here it is for those who look for it (level debug)."""

    def filter(self, record: logging.LogRecord) -> bool:
        theirs = record.exc_info and isinstance(record.exc_info[1], OSError | UnicodeError)
        if record.threadName != THREAD or (record.levelno > logging.WARNING and not theirs):
            return True
        logger.debug("a client: %s", record.getMessage())
        return False


_CLIENT_FAULTS = _ClientFaults()


class Server:
    """Serves a session, in a thread of its own.

    host   127.0.0.1 unless other machines are to be let in
    port   the first free one from 8600 on unless given
    url    the address to open, with the token in it

    Raises AddressError.
    """

    def __init__(self, session: Session, host: str = "127.0.0.1", port: int | None = None) -> None:
        self.session, self.flights = session, Flights(session)
        self.token = secrets.token_urlsafe(18)
        session.jobs.token = self.token
        self._socket = listening(host, port)
        self.port: int = self._socket.getsockname()[1]
        shown = host if host not in ("0.0.0.0", "::") else socket.gethostname()
        self.url = (
            f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}/?token={self.token}"
        )
        self.names: tuple[str, ...] = guard.LOOPBACK
        if host not in guard.LOOPBACK:
            self.names = (*guard.LOOPBACK, host.lower(), socket.gethostname().lower(), "*")
        self._pages, self._no_pages = 0, threading.Event()
        self._no_pages.set()
        config = uvicorn.Config(
            self.app(),
            log_config=None,
            access_log=False,
            http=BoundedProtocol,
            ws="websockets-sansio",
            ws_max_size=MOST_BYTES,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=60.0,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name=THREAD, daemon=True)

    def start(self) -> Server:
        for name in ("asyncio", "uvicorn.error"):
            logging.getLogger(name).addFilter(_CLIENT_FAULTS)
        self._thread.start()
        return self

    def close(self, patience: float = 0.7) -> None:
        """Stops listening, once pages have been sent what waits for them: they should have been
        dismissed before, by closing the session."""
        self.flights.close(self.session.over)
        if self._thread.is_alive():
            self._no_pages.wait(FAREWELL)
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(patience)
        self._socket.close()

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))

    def app(self) -> ASGIApp:
        """What answers requests."""
        inner = Starlette(
            routes=[
                Route("/", self._page),
                Route("/start.js", self._start),
                Route("/viewer.js", self._viewer),
                Route("/made/{key}/{name}", self._made),
                WebSocketRoute("/ws", self._websocket),
            ]
        )
        return guard.Guarded(inner, self.names)

    # --- over HTTP

    async def _page(self, request: Request) -> Response:
        if refused := self._without_token(request):
            return refused
        return Response(PAGE, media_type="text/html")

    async def _start(self, request: Request) -> Response:
        return Response(START, media_type="text/javascript")

    async def _viewer(self, request: Request) -> Response:
        file = resources.files("murmurate.show") / "viewer" / "viewer.js"
        try:
            text = file.read_bytes()
        except OSError:
            return PlainTextResponse(
                "the viewer is not there: in a checkout, build it with 'npm ci && npm run build' "
                "in the folder viewer",
                404,
            )
        return Response(text, media_type="text/javascript")

    async def _made(self, request: Request) -> Response:
        if refused := self._without_token(request):
            return refused
        path = self.session.jobs.find(request.path_params["key"], request.path_params["name"])
        if path is None or not path.is_file():
            return PlainTextResponse("there is no such film or page; it may have been removed", 404)
        return FileResponse(path, filename=path.name, content_disposition_type="attachment")

    def _without_token(self, connection: HTTPConnection) -> Response | None:
        given = connection.query_params.get("token", "")
        if guard.same_token(given, self.token):
            return None
        return PlainTextResponse(
            "this address lacks the right token: open the address that murmurate printed", 403
        )

    # --- over the websocket

    async def _websocket(self, socket: WebSocket) -> None:
        refused = self._without_token(socket)
        if problem := guard.origin_problem(
            socket.headers.get("origin"), socket.headers.get("host", "")
        ):
            refused = PlainTextResponse(problem, 403)
        if refused is not None:
            await socket.send_denial_response(refused)
            return
        await socket.accept()
        loop, something = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is there
                loop.call_soon_threadsafe(something.set)

        name = socket.query_params.get("flight", WATCHED)
        try:
            session = await asyncio.to_thread(self.flights.enter, name)
        except MurmurateError as error:
            await socket.send_text(text({"type": "bye", "reason": str(error)}))
            await socket.close(1008)
            return
        client = Client(session, wake)
        self._pages += 1
        self._no_pages.clear()
        reading = asyncio.create_task(self._read(socket, client))
        try:
            while not reading.done():
                waiting = asyncio.create_task(something.wait())
                await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                something.clear()
                over = client.over  # before taking, so that its goodbye is taken too
                for data in client.outgoing():
                    if isinstance(data, str):
                        await socket.send_text(data)
                    else:
                        await socket.send_bytes(data)  # type: ignore[arg-type]
                if over:
                    await socket.close(1001 if session.over else 1008, over[:100])
                    break
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # it is gone
        finally:
            reading.cancel()
            client.leave()
            await asyncio.to_thread(self.flights.leave, name)
            self._pages -= 1
            if not self._pages:
                self._no_pages.set()

    async def _read(self, socket: WebSocket, client: Client) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await socket.receive()
                if message["type"] != "websocket.receive":
                    return
                text = message.get("text")
                client.receive(text if text is not None else message.get("bytes") or b"")


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens at the address, or at the first free port from 8600 on. Raises
    AddressError."""
    if not host.strip():
        raise AddressError(
            "the host is empty: give an address of this machine, such as 127.0.0.1; 0.0.0.0 "
            "listens on all of them"
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = range(FIRST_PORT, LAST_PORT + 1) if port is None else (port,)
    problem: OSError | None = None
    for number in ports:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, number))
            made.listen(64)
            return made
        except (OSError, OverflowError) as error:
            made.close()
            problem = error if isinstance(error, OSError) else OSError(str(error))
            if isinstance(error, OSError) and error.errno is not None and error.errno < 0:
                break  # the host's name is not known
    which = f"port {port}" if port is not None else f"ports {FIRST_PORT} to {LAST_PORT}"
    reason = (problem.strerror or str(problem)) if problem else "none"
    raise AddressError(
        f"{host}, {which}: cannot be listened on: {reason}. Give another --port, or leave it out; "
        "--host must be an address of this machine"
    )
