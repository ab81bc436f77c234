"""Session: a flock in flight, and the pages that watch it.

Several guests share one flight. What one changes, all see; what a page loses, it finds again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Literal

from murmurate.errors import ModelError, MurmurateError
from murmurate.frame import Frame
from murmurate.live import messages, scene
from murmurate.live.batch import Batch
from murmurate.live.client import Guest
from murmurate.live.controller import Pilot
from murmurate.live.file_watcher import Following
from murmurate.live.handlers import answer
from murmurate.live.jobs import Making
from murmurate.live.observer import Observer
from murmurate.live.playback_controller import Projector
from murmurate.live.shoo import shoo
from murmurate.model.model import Model
from murmurate.runs.playback import Playback
from murmurate.show import wire_format

MOST_GUESTS = 24


class Session:
    """A model in flight for pages to watch and to change.

    model    what flies first; or a Playback, which is shown
    seed, dtype, threads   as for a Simulation
    playing  whether it flies at once
    file     the model's file, where it is to be read again when it is saved
    reread   reads it, raising ModelError or RuleError; needed with `file`

    Raises what a Simulation raises. To be started, and closed at the end.
    """

    def __init__(
        self,
        model: Model | Playback,
        seed: int = 0,
        *,
        dtype: Literal["float32", "float64"] = "float32",
        threads: int | None = None,
        playing: bool = True,
        file: Path | None = None,
        reread: Callable[[], Model] | None = None,
    ) -> None:
        self.scene_number = 1
        self.busy = ""
        self.failure: Exception | None = None
        self.home = model.model if isinstance(model, Playback) else model
        self.over = False
        self._playing = playing
        self._guests: list[Guest] = []
        self._sticky: dict[str, str] = {}
        self._lock = threading.RLock()
        self._encoding = threading.Lock()
        self._encoded: dict[bool, tuple[int, bytearray]] = {}
        self._serial = 0
        self._batch: Batch | None = None
        self.pilot: Pilot | Projector
        if isinstance(model, Playback):
            self.pilot = Projector(model, published=self._published, news=self._news)
        else:
            self.pilot = Pilot(
                model, seed, dtype=dtype, threads=threads,
                published=self._published, between=self._between, news=self._news,
            )  # fmt: skip
        self.flight = self.pilot.flight
        self._moving = scene.moves(self.home)
        self.frame: Frame = self.flight.simulation.frame
        self._published(self.frame)
        self.observer = Observer(self)
        self.making = Making(self)
        self.following = Following(self, file, reread) if file and reread else None

    def start(self) -> Session:
        """Begins: compiles, then flies."""
        wire_format.encode(self.frame)
        self.flight.start()
        self.flight.do(self.pilot.begin)
        if self._playing and isinstance(self.pilot, Pilot):
            self._playing = False
            self.flight.do(self.flight.play)
        self.observer.start()
        if self.following:
            self.following.start()
        return self

    def close(self, reason: str = "murmurate was closed") -> bool:
        """Tells the pages, and ends; whether the flight could be ended in time. Within a long step
        it cannot: it then ends after that step."""
        self.over = True
        for guest in self.guests:
            guest.dismiss(reason)
        if self.following:
            self.following.close()
        self.observer.close()
        self.making.close()
        return self.flight.close()

    def __enter__(self) -> Session:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- guests

    @property
    def guests(self) -> list[Guest]:
        with self._lock:
            return list(self._guests)

    def join(self, guest: Guest) -> None:
        """A page came: it is told all there is to know."""
        with self._lock:
            if len(self._guests) >= MOST_GUESTS:
                guest.dismiss(f"{MOST_GUESTS} pages watch this flock already: close one of them")
                return
            self._guests.append(guest)
            guest.tell(self.scene())
            guest.tell(self.observer.status())
            guest.tell(self.observer.history())
            for text in self._sticky.values():
                guest.post("notice", text)
        self.flight.watched = True
        self.flight.do(self.flight.touch)
        if self._playing:  # a recording, which would be over before anybody sees it
            self._playing = False
            self.flight.do(self.flight.play)

    def part(self, guest: Guest) -> None:
        with self._lock:
            if guest in self._guests:
                self._guests.remove(guest)
            self.flight.watched = bool(self._guests)

    def tell(self, message: dict[str, Any]) -> None:
        """Tells all pages."""
        kind, text = str(message["type"]), messages.text(message)
        for guest in self.guests:
            guest.post(kind, text)

    def notice(self, text: str, about: str, level: str = "error", sticky: bool = True) -> None:
        """A line for all pages to show; a sticky one also for those that come later, until it is
        cleared."""
        message = {"type": "notice", "level": level, "text": text, "about": about, "sticky": sticky}
        if sticky:
            with self._lock:
                self._sticky[about] = messages.text(message)
        self.tell(message)

    def clear(self, about: str) -> None:
        """What a sticky notice was about is mended."""
        with self._lock:
            known = self._sticky.pop(about, None)
        if known is not None:
            self.tell(
                {"type": "notice", "level": "clear", "text": "", "about": about, "sticky": False}
            )

    def ask(self, guest: Guest, message: messages.Message) -> Future[dict[str, Any]]:
        """Has done what a page asks for; the reply comes when it is done."""
        if not isinstance(message, messages.Set):
            self._batch = None
            return self.flight.do(lambda: answer(self, guest, message))
        reply: Future[dict[str, Any]] = Future()
        with self._lock:
            batch = self._batch
            if batch is not None and batch.add(message, reply):
                return reply
            self._batch = batch = Batch(self.pilot, message, reply)
        if self.flight.do(batch.apply).cancelled():
            reply.cancel()
        return reply

    # --- what pages are told

    def scene(self) -> dict[str, Any]:
        """The scene message, of the model that is wanted and the number of the one that flies."""
        pilot = self.pilot
        if isinstance(pilot, Projector):
            return scene.recorded(pilot, self.scene_number, self.frame.time) | {
                "zoo": [scene.described(self.home.name, self.home)],
                "off": [],
                "can": {
                    "film": True,
                    "page": self.making.can_page(),
                    "toml": True,
                    "open": False,
                    "change": False,
                },
            }
        menu = [item for item in scene.published() if item["name"] != self.home.name]
        return scene.scene(pilot.wanted, pilot.loaded, self.scene_number, self.frame.time) | {
            "zoo": [scene.described(self.home.name, self.home), *menu],
            "off": list(pilot.off),
            "can": {"film": True, "page": self.making.can_page(), "open": True, "toml": True},
        }

    def model_named(self, name: str) -> Model:
        """A model that pages may open: a published one, or the one that was begun with. Raises
        ModelError for any other name; nothing is looked up on disk."""
        from murmurate.model.files import load, zoo
        from murmurate.model.registry import unknown

        if name == self.home.name:
            return self.home
        flocks = zoo()
        if name not in flocks:
            raise ModelError(unknown("published flock", name, flocks))
        return load(name)

    def reloaded(self, model: Model) -> Future[None]:
        """The model's file was saved."""

        def take() -> None:
            self.pilot.reload(model)
            self.tell(self.scene())

        return self.flight.do(take)

    def encoded(self, seen: int, neighbours: bool) -> tuple[int, bytearray | None]:
        """The newest frame's serial number and bytes, if it is newer than the one seen. Pages share
        the bytes."""
        if self._serial == seen:
            return seen, None
        with self._encoding:
            serial, frame = self._serial, self.frame
            known = self._encoded.get(neighbours)
            if known is None or known[0] != serial:
                counts = self.observer.neighbours(frame) if neighbours else None
                rate = self.flight.steps_per_second
                data = wire_format.encode(frame, self.scene_number, rate, counts)
                known = self._encoded[neighbours] = (serial, data)
            return known

    def refresh(self) -> None:
        """The same frame is to be shown anew: its neighbours have been counted."""
        with self._encoding:
            self._serial += 1
        for guest in self.guests:
            guest.wake()

    # --- news of the flight, in its thread

    def _published(self, frame: Frame) -> None:
        self.frame = frame
        with self._encoding:
            self._serial += 1
        if self._moving:
            self._tell_obstacles()
        for guest in self.guests:
            guest.wake()

    def _between(self, dt: float) -> None:
        """Before a batch of steps: boids that are shooed turn away."""
        scared = [guest.shoo for guest in self.guests if guest.shoo is not None]
        if scared:
            shoo(self.flight.simulation, scared, dt)

    def _news(self, what: str, about: Any) -> None:
        if what == "busy":
            self.busy = about
            self.tell(self.observer.status())
        elif what == "values":
            self._tell_values(about)
        elif what == "scene":
            self.scene_number += 1
            self._moving = scene.moves(self.pilot.flying)
            self.failure = None
            self.clear("model")
            if about:
                self.observer.forget()
            self.frame = self.flight.simulation.frame
            self.tell(self.scene())
        elif what == "place":
            self.tell({"type": "values", "values": about, "off": []})
        elif what == "moved":
            self.frame = self.flight.simulation.frame
            self.observer.begin_at(self.flight.simulation)
        elif what == "fine":
            self.failure = None
            self.clear("run")
        elif what == "failed":
            if self.pilot.fell or not self.flight.ready:
                self.failure = about
            text = str(about) if isinstance(about, MurmurateError) else repr(about)
            self.notice(text, "run" if self.pilot.fell else "model")

    def _tell_values(self, before: Model) -> None:
        wanted = self.pilot.wanted
        values = scene.changed(before, wanted)
        self.tell({"type": "values", "values": values, "off": list(self.pilot.off)})
        self._moving = scene.moves(self.pilot.flying)
        if any(path.startswith(("obstacles.", "rules.")) for path in values):
            self._tell_obstacles()

    def _tell_obstacles(self) -> None:
        model, time = self.pilot.flying, self.frame.time
        self.tell(
            {
                "type": "obstacles",
                "obstacles": scene.obstacles(model, time),
                "handles": scene.handles(model, time),
            }
        )
