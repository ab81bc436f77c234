"""Session: one simulation or recording, and the pages that watch and change it.

Several pages share one flock. What one changes, all see; a page that reloads finds everything as
it was. A session knows nothing of how messages travel (client.py) or what each asks for
(handlers.py): those call it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from murmurate.engines.options import RunOptions
from murmurate.errors import MurmurateError
from murmurate.frame import Frame
from murmurate.live_view.batch import Batch
from murmurate.live_view.broadcast import Broadcast, Subscriber
from murmurate.live_view.controller import Controller, Event
from murmurate.live_view.file_watcher import FileWatcher
from murmurate.live_view.frame_feed import FrameFeed
from murmurate.live_view.jobs import Jobs
from murmurate.live_view.messages import Set
from murmurate.live_view.observer import Observer
from murmurate.live_view.playback_controller import PlaybackController
from murmurate.live_view.shoo import shoo
from murmurate.model.model import Model
from murmurate.model.registry import kinds_restored
from murmurate.model.warnings import doubts_of
from murmurate.runs.playback import Playback
from murmurate.show import scene, wire_format

Reply = dict[str, Any]


class Session:
    """A model that runs for pages to watch and to change.

    model    the first model; or a Playback, which is shown
    options  how it is simulated
    playing  whether it runs as soon as a page shows it; while none does, it rests
    file     the model's file, where it is to be loaded again when it is saved
    rules    the files of its rules, where they are
    reload   loads it, its rules too, raising ModelError or RuleError; needed with these

    Raises what a Simulation raises. To be started, and closed at the end.
    """

    def __init__(
        self,
        model: Model | Playback,
        options: RunOptions | None = None,
        *,
        playing: bool = True,
        file: Path | None = None,
        rules: Sequence[Path] = (),
        reload: Callable[[], Model] | None = None,
    ) -> None:
        self._options = options or RunOptions()
        self.busy = ""
        self.failure: Exception | None = None
        self.home = model.model if isinstance(model, Playback) else model
        self.over = ""
        self.clients = Broadcast()
        self._at_home = True  # whether the first model, or its file's, is the one that is shown
        self._lock = threading.Lock()
        self._batch: Batch | None = None
        self.controller: Controller | PlaybackController
        if isinstance(model, Playback):
            self.controller = PlaybackController(
                model, on_frame=self._publish, on_event=self._on_event
            )
        else:
            self.controller = Controller(
                model, self._options,
                on_frame=self._publish, on_event=self._on_event, before_steps=self._scare,
            )  # fmt: skip
        self.flight = self.controller.flight
        self.flight.playing = playing
        self._moving = scene.has_moving_obstacles(self.home)
        self._warnings: list[str] = []
        self.feed = FrameFeed(self.flight, self.clients.wake)
        self.observer = Observer(self.controller, self.feed, self.clients, self.status)
        self.jobs = Jobs(self.controller, self.clients.tell)
        self._reload = reload
        files = [*([file] if file else []), *rules]
        self.file_watcher = (
            FileWatcher(files, self._load, loaded=self._file_loaded, failed=self._file_failed)
            if files and reload
            else None
        )

    @property
    def frame(self) -> Frame:
        """The newest frame."""
        return self.feed.frame

    def twin(self) -> Session:
        """Another session of its model as it is now, from its seed, at step 0 and at rest; not
        started. Raises CancelledError where this one is over."""
        controller = self.controller
        model, seed, off = self.flight.submit(
            lambda: (controller.requested, controller.seed, dict(controller.off))
        ).result()
        twin = Session(model, replace(self._options, seed=seed), playing=False)
        twin.controller.off = off
        return twin

    def start(self) -> Session:
        """Starts its threads: kernels are compiled; the flock moves while a page shows it."""
        wire_format.encode(self.frame)
        self.flight.start()
        self.flight.post(self.controller.prepare)
        self.observer.start()
        if self.file_watcher:
            self.file_watcher.start()
        return self

    def close(self, reason: str = "murmurate was closed") -> bool:
        """Notifies the pages, and ends; whether the simulation ended in time. Within a long step it
        cannot: it then ends after that step."""
        self.over = reason
        self.clients.dismiss(reason)
        if self.file_watcher:
            self.file_watcher.close()
        self.observer.close()
        self.jobs.close()
        return self.flight.close()

    def __enter__(self) -> Session:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- pages

    def join(self, client: Subscriber) -> None:
        """Connects a page: it is sent all there is to know; of a session that is over, why."""
        first = (self.scene, self.status, self.observer.history)
        if not self.clients.add(client, first):
            return
        if self.over:
            return client.dismiss(self.over)
        self.flight.watched = True
        self.flight.post(self.flight.touch)

    def leave(self, client: Subscriber) -> None:
        """Disconnects a page."""
        self.clients.remove(client)
        self.flight.watched = len(self.clients) > 0

    # --- what pages ask for; see handlers.py

    def do(self, work: Callable[[], Reply]) -> Future[Reply]:
        """Has something done between two steps; what is set after it is not set before it."""
        self._batch = None
        return self.flight.submit(work)

    def set_values(self, message: Set) -> Future[Reply]:
        """Sets values between two steps, together with those that come until then."""
        reply: Future[Reply] = Future()
        with self._lock:
            batch = self._batch
            if batch is not None and batch.add(message, reply):
                return reply
            self._batch = batch = Batch(self.controller, message, reply)
        if self.flight.submit(batch.apply).cancelled():
            reply.cancel()
        return reply

    def restart(self, seed: int | None) -> None:
        """From the start again, the charts too."""
        self.controller.restart(seed)
        self.feed.frame = self.flight.simulation.frame
        self.observer.forget()

    def open(self, name: str) -> None:
        """Opens a model of the menu. Raises ModelError for any other name."""
        model = scene.open_menu_entry(name, self.home)
        self.controller.open(model)
        self._at_home = model is self.home
        if not self._at_home:
            self.clients.clear("file")

    # --- what pages are sent

    def scene(self) -> dict[str, Any]:
        """The scene message, of the model that is requested and the number of the one that runs."""
        editable = self.controller.editable
        return self.controller.scene(self.feed.scene, self.frame.time) | {
            "zoo": scene.menu(self.home, others=editable),
            "off": list(self.controller.off),
            "flocks": scene.flocks(self.controller.running),  # as in the frames
            "can": {
                "film": True,
                "page": True,
                "toml": True,
                "open": editable,
                "change": editable,
                "draw": editable,
            },
        }

    def status(self) -> dict[str, Any]:
        """The status message: what runs, and how fast."""
        flight, frame = self.flight, self.frame
        return {
            "type": "status",
            "playing": flight.playing,
            "rate": flight.rate,
            "steps_per_second": flight.steps_per_second,
            "boid_steps_per_second": flight.steps_per_second * frame.n_boids,
            "step": frame.step,
            "time": frame.time,
            "clients": len(self.clients),
            "busy": self.busy,
        }

    # --- the files that are watched, in their thread

    def _load(self) -> Model:
        """The model of the files; between two steps, so that no page changes a model while its
        rules are replaced. Where a rule cannot be flown, the rules are known as they were."""
        load = self._reload
        assert load is not None

        def loaded() -> Model:
            with kinds_restored():
                model = load()
                self.flight.simulation.is_compatible(model)  # RuleError where it never can be
                return model

        return self.flight.submit(loaded).result()

    def _file_loaded(self, model: Model) -> None:
        self.home = model
        if not self._at_home:
            return

        for about in ("file", "model"):
            self.clients.clear(about)

        def reload() -> None:
            try:
                self.controller.reload(model)
            except MurmurateError as error:
                self._file_failed(str(error))
                return
            self.clients.tell(self.scene())

        self.flight.post(reload)

    def _file_failed(self, text: str) -> None:
        if self._at_home:
            self.clients.notice(text, "file")

    # --- events of the simulation, in its thread

    def _publish(self, frame: Frame) -> None:
        if self._moving:
            self._tell_obstacles(frame.time)
        self.feed.publish(frame)

    def _scare(self, dt: float) -> None:
        """Before a batch of steps: boids turn away from where they are shooed, or come."""
        pushes = [client.shoo for client in self.clients if client.shoo is not None]
        if pushes:
            shoo(self.flight.simulation, pushes, dt)

    def _on_event(self, event: Event, about: Any) -> None:
        if event == "busy":
            self.busy = about
            self.clients.tell(self.status())
        elif event == "values":
            self._tell_values(about)
        elif event == "scene":
            self._enter_scene(fresh=about)
        elif event == "position":
            self.clients.tell({"type": "values", "values": about, "off": []})
        elif event == "seek":
            self.feed.frame = self.flight.simulation.frame
            self.observer.resume_at(self.frame.step)
        elif event == "recovered":
            self.failure = None
            self.clients.clear("run")
        elif event == "failed":
            if self.controller.failed or not self.flight.ready:
                self.failure = about
            text = str(about) if isinstance(about, MurmurateError) else repr(about)
            self.clients.notice(text, "run" if self.controller.failed else "model")

    def _enter_scene(self, fresh: bool) -> None:
        self.feed.scene += 1
        self._moving = scene.has_moving_obstacles(self.controller.running)
        self.failure = None
        self.clients.clear("model")
        self._warn()
        self.feed.frame = self.flight.simulation.frame
        if fresh:
            self.observer.forget()
        self.clients.tell(self.scene())
        if not fresh:
            self.clients.tell(self.observer.history())  # charts of other flocks begin empty

    def _warn(self) -> None:
        """Show the warnings about the model as it is now, or take them away."""
        warnings = doubts_of(self.controller.running, self.flight.simulation.options.dtype)
        if warnings != self._warnings:
            self._warnings = warnings
            self.clients.clear("doubts")
            if warnings:
                self.clients.notice("; ".join(warnings), "doubts", level="warning")

    def _tell_values(self, before: Model) -> None:
        self._warn()
        values = scene.changed_values(before, self.controller.requested)
        self.clients.tell({"type": "values", "values": values, "off": list(self.controller.off)})
        self._moving = scene.has_moving_obstacles(self.controller.running)
        if any(path.startswith(("obstacles.", "rules.")) for path in values):
            self._tell_obstacles(self.frame.time)

    def _tell_obstacles(self, time: float) -> None:
        self.clients.tell(scene.obstacles_message(self.controller.running, time))
