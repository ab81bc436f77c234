"""Session: one simulation or recording, and the pages that watch and change it.

All pages share one simulation: changes are broadcast, and a reloaded page receives the current
state. Transport of messages is in client.py; the handling of each message is in handlers.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError, MurmurateError
from murmurate.frame import Frame
from murmurate.language.function_text import function_texts
from murmurate.live_view.broadcast import Broadcast, FrameFeed, PointerForce, Subscriber
from murmurate.live_view.controller import Controller, Event
from murmurate.live_view.file_watcher import FileWatcher
from murmurate.live_view.jobs import Jobs
from murmurate.live_view.messages import Set
from murmurate.live_view.observer import Observer
from murmurate.live_view.playback_controller import PlaybackController
from murmurate.live_view.server_messages import ReplyFields, StatusMessage
from murmurate.model.model import Model
from murmurate.model.registry import restore_on_error
from murmurate.model.warnings import model_warnings
from murmurate.runs.playback import Playback
from murmurate.runs.recorder import SeriesRecorder
from murmurate.runs.simulation import Simulation
from murmurate.show import scene, wire_format
from murmurate.show.languages import check_language
from murmurate.show.scene_types import SceneMessage

POINTER_GAIN = 6.0  # mean speeds that a boid at the pointer gains per second of film

Reply = ReplyFields


class Session:
    """A model that runs for pages to watch and to change.

    model        the first model; or a Playback to show
    options      of the simulation
    playing      whether it starts playing; it pauses while no page shows it
    file         the model's file, which is loaded again when it is saved
    rules        the files of the model's rules, likewise
    reload       loads the model and its rules; raises ModelError or RuleError; needed with `file`
                 or `rules`
    on_compiled  called in the compiling thread when a model is compiled, before it runs
    recorder     records the simulation; closed with the session

    Raises the errors of Simulation. Call `start` first and `close` last.
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
        on_compiled: Callable[[], object] = lambda: None,
        recorder: SeriesRecorder | None = None,
    ) -> None:
        self._recorder = recorder
        self._options = options or RunOptions()
        self.busy = ""
        self.failure: Exception | None = None
        self.home = model.model if isinstance(model, Playback) else model
        self.over = ""
        self.pages = Broadcast()
        scene.check_charts(self.home)  # before anything is compiled
        check_language(self.home.view.language)
        self._at_home = True  # whether the first model, or that of its file, is on screen
        self._lock = threading.Lock()
        self._batch: _Batch | None = None
        self.controller: Controller | PlaybackController
        if isinstance(model, Playback):
            self.controller = PlaybackController(
                model, on_frame=self._publish, on_event=self._on_event
            )
        else:
            self.controller = Controller(
                model, self._options,
                on_frame=self._publish, on_event=self._on_event,
                before_steps=self._before_steps, on_compiled=on_compiled,
                before_model=recorder.prepare if recorder else lambda _: None,
            )  # fmt: skip
        self.runner = self.controller.runner
        self.runner.playing = playing
        self.runner.wants_frame = self.pages.wants_frame
        self._moving = scene.has_moving_obstacles(self.home)
        self._warnings: list[str] = []
        self.feed = FrameFeed(self.runner, self.pages.wake)
        self.observer = Observer(self.controller, self.feed, self.pages, self.status)
        self.jobs = Jobs(self.controller, self.pages.send)
        self._reload = reload
        files = [*([file] if file else []), *rules]
        self.file_watcher = (
            FileWatcher(files, self._load, on_load=self._on_load, on_failure=self._on_load_failure)
            if files and reload
            else None
        )

    @property
    def frame(self) -> Frame:
        """The newest frame."""
        return self.feed.frame

    def clone(self) -> Session:
        """Return another session of the requested model, with the same seed, at step 0 and paused.
        It is not started. Raises CancelledError if this session is over."""
        controller = self.controller
        model, seed, off = self.runner.submit(
            lambda: (controller.requested, controller.seed, dict(controller.off))
        ).result()
        clone = Session(model, replace(self._options, seed=seed), playing=False)
        clone.controller.off = off
        return clone

    def start(self) -> Session:
        """Start the threads: kernels are compiled, and the flock moves while a page shows it."""
        wire_format.encode(self.frame)
        self.runner.start()
        self.runner.submit_nowait(self.controller.prepare)
        self.observer.start()
        if self.file_watcher:
            self.file_watcher.start()
        return self

    def close(self, reason: str = "murmurate was closed", timeout: float = 0.5) -> bool:
        """Notify the pages, and end. Return whether the simulation ended within `timeout` seconds;
        a longer step delays its end."""
        self.over = reason
        self.pages.dismiss(reason)
        if self.file_watcher:
            self.file_watcher.close()
        self.observer.close()
        self.jobs.close()
        ended = self.runner.close(timeout)
        if ended and self._recorder:
            self._recorder.close()
        return ended

    def __enter__(self) -> Session:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- pages

    def join(self, page: Subscriber) -> None:
        """Connect a page, and send it the scene, the status and the charts. Dismiss it if the
        session is over."""
        first = (self.scene, self.status, self.observer.history)
        if not self.pages.add(page, first):
            return
        if self.over:
            return page.dismiss(self.over)
        self.runner.watched = True
        self.runner.submit_nowait(self.runner.request_frame)

    def leave(self, page: Subscriber) -> None:
        """Disconnect a page."""
        self.pages.remove(page)
        self.runner.watched = len(self.pages) > 0

    # --- requests of pages; see handlers.py

    def submit(self, work: Callable[[], Reply]) -> Future[Reply]:
        """Call a function between two steps. Values that are set later are set after it."""
        self._batch = None
        return self.runner.submit(work)

    def set_values(self, message: Set) -> Future[Reply]:
        """Set values between two steps, together with other messages that arrive before."""
        reply: Future[Reply] = Future()
        with self._lock:
            batch = self._batch
            if batch is not None and batch.add(message, reply):
                return reply
            self._batch = batch = _Batch(self.controller, message, reply)
        if self.runner.submit(batch.apply).cancelled():
            reply.cancel()
        return reply

    def restart(self, seed: int | None) -> None:
        """Restart the flock and the charts."""
        self.controller.restart(seed)
        self.feed.frame = self.runner.simulation.frame
        self.observer.clear()

    def open(self, name: str) -> None:
        """Open a model of the menu. Raises ModelError for any other name."""
        model = scene.open_menu_entry(name, self.home)
        self.controller.open(model)
        self._at_home = model is self.home
        if not self._at_home:
            self.pages.clear("file")

    # --- messages to pages

    def scene(self) -> SceneMessage:
        """Return the scene message, of the requested model with the number of the running one."""
        editable, model = self.controller.editable, self.controller.requested
        message = self.controller.scene(self.feed.scene, self.frame.time)
        message["flocks"] = scene.flocks(self.controller.running)  # as in the frames
        return {
            **message,
            "zoo": scene.menu(self.home, others=editable),
            "wire": wire_format.description(),
            "off": list(self.controller.off),
            "functions": function_texts(model.rules, model.space) if editable else {},
            "can": {
                "film": True,
                "page": True,
                "toml": True,
                "open": editable,
                "change": editable,
                "draw": editable,
                "functions": editable,
            },
        }

    def status(self) -> StatusMessage:
        """Return the status message: activity and speed."""
        runner, frame = self.runner, self.frame
        return {
            "type": "status",
            "playing": runner.playing,
            "rate": runner.rate,
            "steps_per_second": runner.steps_per_second,
            "boid_steps_per_second": runner.steps_per_second * frame.n_boids,
            "step": frame.step,
            "time": frame.time,
            "clients": len(self.pages),
            "busy": self.busy,
        }

    # --- watched files, in the watcher's thread

    def _load(self) -> Model:
        """Load the model of the files between two steps, so that no page changes a model while its
        rules are replaced. The previous rules stay registered if a new one is invalid."""
        reload = self._reload
        assert reload is not None

        def load() -> Model:
            with restore_on_error():
                model = reload()
                self.runner.simulation.is_compatible(model)  # raises RuleError for invalid rules
                return model

        return self.runner.submit(load).result()

    def _on_load(self, model: Model) -> None:
        self.home = model
        if not self._at_home:
            return
        for about in ("file", "model"):
            self.pages.clear(about)

        def reload() -> None:
            try:
                self.controller.reload(model)
            except MurmurateError as error:
                self._on_load_failure(str(error))
                return
            self.pages.send(self.scene())

        self.runner.submit_nowait(reload)

    def _on_load_failure(self, text: str) -> None:
        if self._at_home:
            self.pages.notice(text, "file")

    # --- events of the simulation, in the runner's thread

    def _publish(self, frame: Frame) -> None:
        if self._moving:
            self._send_obstacles(frame.time)
        self.feed.publish(frame)

    def _before_steps(self, dt: float) -> None:
        if self._recorder:
            self._recorder.follow(self.runner.simulation)
        forces = [page.pointer_force for page in self.pages if page.pointer_force is not None]
        if forces:
            apply_pointer_forces(self.runner.simulation, forces, dt)

    def _on_event(self, event: Event, data: Any) -> None:
        if event == "busy":
            self.busy = data
            self.pages.send(self.status())
        elif event == "values":
            self._send_values(data)
        elif event == "scene":
            self._enter_scene(fresh=data)
        elif event == "position":
            self.pages.send({"type": "values", "values": data, "off": []})
        elif event == "seek":
            self.feed.frame = self.runner.simulation.frame
            self.observer.resume_at(self.frame.step)
        elif event == "recovered":
            self.failure = None
            self.pages.clear("run")
        elif event == "failed":
            if self.controller.failed or not self.runner.ready:
                self.failure = data
            text = str(data) if isinstance(data, MurmurateError) else repr(data)
            self.pages.notice(text, "run" if self.controller.failed else "model")

    def _enter_scene(self, fresh: bool) -> None:
        self.feed.scene += 1
        self._moving = scene.has_moving_obstacles(self.controller.running)
        self.failure = None
        self.pages.clear("model")
        self._update_warnings()
        self.feed.frame = self.runner.simulation.frame
        if fresh:
            self.observer.clear()
        self.pages.send(self.scene())
        if not fresh:
            self.pages.send(self.observer.history())  # the charts of new flocks are empty

    def _update_warnings(self) -> None:
        """Show the warnings about the running model, and withdraw old ones."""
        warnings = model_warnings(self.controller.running, self.runner.simulation.options.dtype)
        if warnings != self._warnings:
            self._warnings = warnings
            self.pages.clear("warnings")
            if warnings:
                self.pages.notice("; ".join(warnings), "warnings", level="warning")

    def _send_values(self, before: Model) -> None:
        self._update_warnings()
        values = scene.changed_values(before, self.controller.requested)
        self.pages.send({"type": "values", "values": values, "off": list(self.controller.off)})
        self._moving = scene.has_moving_obstacles(self.controller.running)
        if any(path.startswith(("obstacles.", "rules.")) for path in values):
            self._send_obstacles(self.frame.time)

    def _send_obstacles(self, time: float) -> None:
        self.pages.send(scene.obstacles_message(self.controller.running, time))


class _Batch:
    """Messages that set values, for example of a dragged slider, applied together between two
    steps. Each has its own reply."""

    def __init__(
        self, controller: Controller | PlaybackController, message: Set, reply: Future[Reply]
    ) -> None:
        self._controller = controller
        self._messages = [(message, reply)]
        self._lock = threading.Lock()
        self._applied = False

    def add(self, message: Set, reply: Future[Reply]) -> bool:
        """Add a message. Returns False if the batch has already been applied."""
        with self._lock:
            if not self._applied:
                self._messages.append((message, reply))
            return not self._applied

    def apply(self) -> None:
        """Set the values, in the runner's thread: all at once, or one message at a time if that
        fails, so that an invalid value affects its own message only."""
        with self._lock:
            self._applied = True
        values: dict[str, Any] = {}
        for message, _ in self._messages:
            for path, value in message.values.items():
                values.pop(path, None)
                values[path] = value
        try:
            self._controller.set(values)
        except Exception as error:
            if len(self._messages) == 1 or not isinstance(error, ModelError):
                for _, reply in self._messages:
                    reply.set_exception(error)
                return
        else:
            for _, reply in self._messages:
                reply.set_result({"compiling": self._controller.busy})
            return
        for message, reply in self._messages:
            try:
                self._controller.set(message.values)
            except Exception as error:
                reply.set_exception(error)
            else:
                reply.set_result({"compiling": self._controller.busy})


def apply_pointer_forces(simulation: Simulation, forces: Iterable[PointerForce], dt: float) -> None:
    """Change the velocities of boids near held pointers. A force decreases linearly to zero at its
    radius; perching boids are not affected.

    dt  time until the next call
    """
    model, frame = simulation.model, simulation.frame
    view = model.view
    film_second = model.dt * view.every * view.frames_per_second
    for flock in frame.values():
        if not len(flock):
            continue
        velocities = np.array(flock.velocities)
        speeds = np.linalg.norm(velocities, axis=1)
        if not np.isfinite(speeds).all():
            continue
        max_gain = POINTER_GAIN * min(1.0, dt / film_second) * float(speeds.mean())
        changed = False
        for force in forces:
            away = model.space.minimum_image(flock.positions - np.array(force.position))
            distance = np.linalg.norm(away, axis=1)
            near = np.flatnonzero((distance < force.radius) & (distance > 0) & ~flock.perching)
            if len(near):
                gain = force.sign * max_gain * (1.0 - distance[near] / force.radius)
                velocities[near] += (gain / distance[near])[:, None] * away[near]
                changed = True
        if changed:
            simulation.set_state(flock.name, velocities=velocities)
