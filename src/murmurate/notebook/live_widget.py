"""The live view as a notebook widget: viewer in the cell's output, simulation in the kernel.

What a page of the live view gets over a websocket goes over the notebook's own channel here: texts
as they are, frames as binary buffers. The page says how many frames it can take, so a slow one, or
a kernel that is busy with a cell, gets fewer and no queue.
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

from murmurate.live_view.client import Client
from murmurate.live_view.session import Session
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
        self._client: Client | None = None
        self._views = 0
        self._sender = _Sender(self)
        self.on_msg(FlockWidget._receive)
        session.start()
        atexit.register(_end, weakref.ref(self))

    def close(self) -> None:
        """Ends the session and removes the widget."""
        self._sender.close()
        self.session.close("the widget was closed")
        self._leave()
        super().close()

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
        flight = self.session.flight
        end = time.monotonic() + COMPILING
        while not flight.ready and self.session.failure is None and time.monotonic() < end:
            time.sleep(0.05)
        if not flight.ready:
            return None
        twin: Any = flight.submit(lambda: flight.simulation.copy()).result()
        html: str | None = twin._repr_html_()
        return html

    # --- from the page

    def _receive(self, content: Any, _: list[memoryview]) -> None:
        kind = content.get("type") if isinstance(content, dict) else None
        if kind == "hello":
            self._views += 1
            self._enter()
        elif kind == "goodbye":
            self._views = max(0, self._views - 1)
            if not self._views:
                self._leave()
        elif self._client is not None:
            self._client.receive(json.dumps(content))

    def _enter(self) -> None:
        """A view has opened: it is sent everything, as a page that connects is."""
        if self._client is not None:
            self._client.leave()
        self._client = Client(self.session, self._sender.wake)

    def _leave(self) -> None:
        """No output shows it any more."""
        if self._client is not None:
            self._client.leave()
            self._client = None


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
            client = widget._client
            for item in client.outgoing() if client is not None else ():
                if isinstance(item, str):
                    widget.send(_for_notebooks(item))
                else:
                    widget.send({"type": "frame"}, [bytes(item)])
            del widget, client
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
        living.session.close("the kernel was shut down")
