"""The live view as a notebook widget: viewer in the cell's output, simulation in the kernel.

The messages of the live view's websocket use the notebook's channel: texts as they are, frames as
binary buffers. The page grants credit for frames, so a slow page or a busy kernel gets fewer
frames, and no queue grows.

A view may request a second flock for a comparison. Messages about it, in both directions, have its
name as `flight`. A widget runs one comparison at a time.
"""

from __future__ import annotations

import atexit
import json
import threading
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from murmurate.errors import MurmurateError, OutputError, ShowError
from murmurate.live_view.client import Client
from murmurate.live_view.comparison_sessions import WATCHED, ComparisonSessions
from murmurate.live_view.session import Session
from murmurate.runs.simulation import Simulation
from murmurate.show.html_file import packed_words, viewer_text

if TYPE_CHECKING:
    from murmurate.show import Page

MAX_COMPILE_SECONDS = 60.0  # if compiling takes longer, the widget has no replay
MIN_FRAME_SECONDS = 1 / 40  # between frames: a notebook's channel is slow

# A replay follows the widget, for a notebook that is opened without a kernel. CSS displays one of
# the two: the widget while it exists, else the replay.
_EITHER = """\
<style>
.jp-OutputArea-child:has(.murmurate-live) + .jp-OutputArea-child:has(.murmurate-saved),
.jp-OutputArea-child:not(:has(.murmurate-live)):has(+ .jp-OutputArea-child .murmurate-saved),
.murmurate-untrusted { display: none }
</style>
<div class="murmurate-saved">
<p class="murmurate-untrusted">Trust the notebook to see a moving flock here.</p>
%s
</div>
"""


class FlockWidget(anywidget.AnyWidget):
    """A moving flock in a cell's output. It pauses while no output displays it.

    session  a session that is not started. It ends with `close()` or with the kernel.
    height  height of the view, pixels
    preview  returns the replay of a simulation that follows the widget
    """

    _esm = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(560).tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        session: Session,
        height: int = 560,
        preview: Callable[[Simulation], Page] = Simulation.preview,
    ) -> None:
        words = packed_words(None, session.home.view.language)
        super().__init__(_esm=viewer_text(), height=height, words=words)
        self.session = session
        self._preview = preview
        self.layout.height = f"{height}px"
        self.add_class("murmurate-live")
        self._sessions = ComparisonSessions(session)
        self._clients: dict[str, Client] = {}  # by the name of their flight
        self._views = 0
        self._sender = _Sender(self)
        self.on_msg(FlockWidget._receive)
        session.start()
        atexit.register(_end, weakref.ref(self))

    def close(self) -> None:
        """End the session and remove the widget."""
        self._sender.close()
        self._end("the widget was closed")
        super().close()

    def _end(self, reason: str) -> None:
        self.session.close(reason)
        for name in list(self._clients):
            self._leave(name)
        self._sessions.close(reason)

    def _ipython_display_(self, **options: Any) -> None:
        from IPython.display import HTML, display

        data = super()._repr_mimebundle_(**options)
        bundle, about = data if isinstance(data, tuple) else (data or {}, {})
        display(bundle, metadata=about, raw=True)
        saved = self._saved()
        if saved is not None:
            display(HTML(_EITHER % saved))

    def _saved(self) -> str | None:
        """Return the replay of the next steps, when the kernels are compiled; None without one."""
        runner = self.session.runner
        end = time.monotonic() + MAX_COMPILE_SECONDS
        while not runner.ready and self.session.failure is None and time.monotonic() < end:
            time.sleep(0.05)
        if not runner.ready:
            return None
        twin: Any = runner.submit(lambda: runner.simulation.copy()).result()
        try:
            replay = self._preview(twin) if isinstance(twin, Simulation) else twin
        except (OutputError, ShowError):
            return None
        html: str | None = replay._repr_html_()
        return html

    # --- from the page

    def _receive(self, content: Any, _: list[memoryview]) -> None:
        if not isinstance(content, dict):
            return
        kind, name = content.get("type"), str(content.pop("flight", WATCHED))
        if kind == "hello":
            self._views += name == WATCHED
            self._enter(name)
        elif kind == "goodbye":
            self._views = max(0, self._views - (name == WATCHED))
            if name != WATCHED or not self._views:
                self._leave(name)
        elif name in self._clients:
            self._clients[name].receive(json.dumps(content))

    def _enter(self, name: str) -> None:
        """Send everything to a view that has opened, as to a page that connects."""
        for other in [key for key in self._clients if key == name or WATCHED not in (key, name)]:
            self._leave(other, "another comparison has begun")
        try:
            session = self._sessions.enter(name)
        except MurmurateError as error:
            self._say_bye(name, str(error))
            return
        self._clients[name] = Client(session, self._sender.wake)

    def _leave(self, name: str, reason: str = "") -> None:
        """End the client of a flock that no output displays."""
        client = self._clients.pop(name, None)
        if client is None:
            return
        client.leave()
        self._sessions.leave(name)
        if reason and name != WATCHED:
            self._say_bye(name, reason)

    def _say_bye(self, name: str, reason: str) -> None:
        self.send_item(name, json.dumps({"type": "bye", "reason": reason}))

    def send_item(self, name: str, item: str | bytes | bytearray) -> None:
        """Send a text or a frame of a flock to the page."""
        of_flight = {} if name == WATCHED else {"flight": name}
        if not isinstance(item, str):
            self.send({"type": "frame", **of_flight}, [bytes(item)])
        elif of_flight:
            self.send({"text": _for_notebooks(item), **of_flight})
        else:
            self.send(_for_notebooks(item))


class _Sender:
    """Sends texts and frames to the page, in a thread. It holds only a weak reference to the
    widget."""

    def __init__(self, widget: FlockWidget) -> None:
        self._widget = weakref.ref(widget)
        self._wake = threading.Event()
        self._over = False
        threading.Thread(target=self._run, name="murmurate-widget", daemon=True).start()

    def wake(self) -> None:
        self._wake.set()

    def close(self) -> None:
        self._over = True
        self._wake.set()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            widget = self._widget()
            if self._over or widget is None:
                return
            for name, client in list(widget._clients.items()):
                for item in client.outgoing():
                    widget.send_item(name, item)
            del widget
            time.sleep(MIN_FRAME_SECONDS)


def _for_notebooks(text: str) -> str:
    """Return a message without the offer of films and pages, which a kernel cannot send.

    In a notebook mm.film and mm.replay_page make them.
    """
    if not text.startswith('{"type":"scene"'):
        return text
    scene = json.loads(text)
    scene["can"] = {**scene.get("can", {}), "film": False, "page": False}
    return json.dumps(scene)


def _end(widget: weakref.ref[FlockWidget]) -> None:
    """End the session when the kernel ends."""
    living = widget()
    if living is not None:
        living._sender.close()
        living._end("the kernel was shut down")
