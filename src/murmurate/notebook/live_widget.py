"""The live view as a notebook widget: viewer in the cell's output, simulation in the kernel.

What a page of the live view gets over a websocket goes over the notebook's own channel here: texts
as they are, frames as binary buffers. The page says how many frames it can take, so a slow one, or
a kernel that is busy with a cell, gets fewer and no queue.

A view may ask for a second flight, to compare it with: its messages have its name as `flight`, both
ways. A widget flies one comparison at a time.
"""

from __future__ import annotations

import atexit
import json
import threading
import time
import weakref
from typing import Any

import anywidget
import traitlets

from murmurate.errors import MurmurateError, OutputError, ShowError
from murmurate.live_view.client import Client
from murmurate.live_view.comparison_sessions import WATCHED, ComparisonSessions
from murmurate.live_view.session import Session
from murmurate.runs.simulation import Simulation
from murmurate.show.html_file import viewer_text

COMPILING = 60.0  # seconds that compiling may take before the widget goes without its replay
PACE = 1 / 40  # seconds between frames, at least: a notebook's channel is not for more

# Beside the widget stands a replay, for when the notebook is opened again and nothing runs. One of
# the two is to be seen: the widget while it lives, the replay when it is gone.
_EITHER = """\
<style>
.jp-OutputArea-child:has(.murmurate-live) + .jp-OutputArea-child:has(.murmurate-saved),
.jp-OutputArea-child:not(:has(.murmurate-live)):has(+ .jp-OutputArea-child .murmurate-saved),
.murmurate-untrusted { display: none }
</style>
<div class="murmurate-saved">
<p class="murmurate-untrusted">A flock in flight stands here, once the notebook is trusted.</p>
%s
</div>
"""


class FlockWidget(anywidget.AnyWidget):
    """A flock that runs, in a cell's output; while no output shows it, it rests.

    session  not started and shared with nobody; ends with `close()`, and with the kernel
    height   of the view, in pixels
    """

    _esm = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(560).tag(sync=True)

    def __init__(self, session: Session, height: int = 560) -> None:
        super().__init__(_esm=viewer_text(), height=height)
        self.session = session
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
        """Ends the session and removes the widget."""
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
        """The replay of the next moments, once the kernels are compiled."""
        runner = self.session.runner
        end = time.monotonic() + COMPILING
        while not runner.ready and self.session.failure is None and time.monotonic() < end:
            time.sleep(0.05)
        if not runner.ready:
            return None
        twin: Any = runner.submit(lambda: runner.simulation.copy()).result()
        try:
            replay = twin.preview() if isinstance(twin, Simulation) else twin
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
        """A view has opened: it is sent everything, as a page that connects is."""
        for other in [one for one in self._clients if one == name or WATCHED not in (one, name)]:
            self._leave(other, "another comparison has begun")
        try:
            session = self._sessions.enter(name)
        except MurmurateError as error:
            self._say_bye(name, str(error))
            return
        self._clients[name] = Client(session, self._sender.wake)

    def _leave(self, name: str, reason: str = "") -> None:
        """No output shows a flight any more."""
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
        """Sends a text or a frame of a flight to the page."""
        of_flight = {} if name == WATCHED else {"flight": name}
        if not isinstance(item, str):
            self.send({"type": "frame", **of_flight}, [bytes(item)])
        elif of_flight:
            self.send({"text": _for_notebooks(item), **of_flight})
        else:
            self.send(_for_notebooks(item))


class _Sender:
    """Sends to the page what waits for it, in a thread of its own. It does not keep the widget
    alive."""

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
            time.sleep(PACE)


def _for_notebooks(text: str) -> str:
    """A message as it is; but films and pages cannot be fetched from a kernel, so a scene offers
    none. There are mm.film and mm.to_html for that."""
    if not text.startswith('{"type":"scene"'):
        return text
    scene = json.loads(text)
    scene["can"] = {**scene.get("can", {}), "film": False, "page": False}
    return json.dumps(scene)


def _end(widget: weakref.ref[FlockWidget]) -> None:
    """Ends the session when the kernel ends."""
    living = widget()
    if living is not None:
        living._sender.close()
        living._end("the kernel was shut down")
