"""PlaybackController: plays a recording instead of a simulation. Pages can choose the step, and
change nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

from murmurate.errors import EndOfRecordingError, ModelError
from murmurate.frame import Frame
from murmurate.live_view.controller import Listener
from murmurate.live_view.edits import ModelEdit
from murmurate.live_view.runner import Runner
from murmurate.live_view.server_messages import MeasurePoint
from murmurate.measures.defaults import NAMES
from murmurate.model.model import Model
from murmurate.runs.playback import READ_ONLY, Playback
from murmurate.show import scene
from murmurate.show.scene_types import ModelScene

STEP = "step"  # the path of the only number that pages may set
MIN_REPORT_SECONDS = 0.1  # between two reports of the current step


class PlaybackController:
    """Plays a recording, with the interface of a Controller.

    on_event  called with an event and its data: "position" (the current step), "seek" (whether
              backwards), "failed" (the error), "recovered" (None)
    """

    busy = False
    editable = False  # whether pages may change the model

    def __init__(
        self, playback: Playback, *, on_frame: Callable[[Frame], object], on_event: Listener
    ) -> None:
        self.playback, self._on_event, self._on_frame = playback, on_event, on_frame
        self.loaded = self.requested = playback.model
        self.seed = playback.seed
        self.off: dict[str, Any] = {}
        self.failed = False
        self._last_report = 0.0
        view = playback.model.view
        self.runner = Runner(
            playback,
            view.frames_per_second * view.every,
            on_frame=self._report,
            on_error=self._fail,
        )

    @property
    def running(self) -> Model:
        """The recording's model."""
        return self.playback.model

    def prepare(self) -> None:
        """Play: a recording needs no compiler."""
        self.runner.ready = True
        self.runner.reset_clock()

    # --- requests of pages

    def set(self, changes: Mapping[str, Any], off: Collection[str] | None = None) -> None:
        """Show another step. Raises ModelError for any other path."""
        for path in (*changes, *(["rules"] if off is not None else [])):
            if path != STEP:
                self.check_editable(path)
        step = changes[STEP]
        if isinstance(step, bool) or not isinstance(step, int | float):
            raise ModelError(f"step: got {step!r}; expected a number")
        backwards = step < self.playback.frame.step
        self.playback.seek(min(max(round(step), self.playback.first), self.playback.last))
        self._report_seek(backwards)

    def step(self, steps: int) -> None:
        """Play a number of recorded frames, then pause."""
        every = self.playback.recording.every
        steps_after_frame = (self.playback.frame.step - self.playback.first) % every
        self.runner.run_steps(steps * every - steps_after_frame)

    def play(self) -> None:
        """Play until paused; from the first frame if the recording is at its end."""
        if self.playback.frame.step >= self.playback.last:
            self.playback.seek(self.playback.first)
            self._report_seek(backwards=True)
        self.runner.play()

    def restart(self, seed: int | None = None) -> None:
        """Return to the first frame. Raises ModelError for a seed other than the recording's."""
        if seed not in (None, self.seed):
            self.check_editable(f"seed {seed}")
        self.playback.seek(self.playback.first)
        self.runner.ready = True
        self.failed = False
        self._report_seek(backwards=True)
        self._on_event("recovered", None)

    def reset(self) -> None:
        self.restart()

    def switch(self, rule: str, on: bool) -> None:
        self.check_editable(f"rules.{rule}")

    def open(self, model: Model) -> None:
        self.check_editable(model.name)

    def reload(self, model: Model) -> None:
        self.check_editable(model.name)

    def compile_ahead(self, model: Model) -> None:
        self.check_editable("drawing")

    def edit(self, model: Model, edit: ModelEdit) -> None:
        self.check_editable("drawing")

    def check_editable(self, subject: str) -> None:
        """Raise ModelError: a recording cannot be changed."""
        raise ModelError(f"{subject}: {self.playback.recording.path.name} {READ_ONLY}")

    # --- messages to pages

    def scene(self, number: int, time: float) -> ModelScene:
        """Return the scene message of the model, with a slider for the step only."""
        message = scene.scene(self.running, self.loaded, number, time)
        title = message["title"] or message["name"]
        message["title"] = f"{title}, recorded"
        message["about"] = f"{self._about()}\n\n{message['about'].strip()}".strip()
        message["tries"], message["handles"] = [], []
        message["values"], message["defaults"] = self._position(), {STEP: self.playback.first}
        message["schemas"] = self._schemas()
        return message

    def toml(self) -> str:
        """Return the recorded text of the model."""
        return self.playback.toml

    def recorded_points(
        self, step: int, max_points: int, names: Collection[str] = ()
    ) -> list[MeasurePoint] | None:
        """Return the recorded points of the charts up to a step, thinned to `max_points`.

        None if a chart is neither recorded nor a default one: then frames that play are measured.
        """
        playback, rec = self.playback, self.playback.recording
        if not set(names) <= {*rec.header["measures"], *NAMES}:
            return None
        numbers = range((step - playback.first) // rec.every + 1)
        every = rec.header["measure_every"]
        numbers = numbers[:: every * max(1, -(-len(numbers) // (every * max_points)))]
        columns = {name: rec.column(name)[list(numbers)] for name in rec.header["measures"]}
        if rec.changes_numbers:
            columns["boids"] = rec.column("n_boids")[list(numbers)]
        return [
            {
                "step": rec.steps[number],
                "time": float(rec.steps[number] * rec.header["dt"]),
                "flocks": {
                    flock: {name: float(column[row, k]) for name, column in columns.items()}
                    for k, flock in enumerate(rec.header["counts"])
                },
            }
            for row, number in enumerate(numbers)
        ]

    def _position(self) -> dict[str, Any]:
        return {STEP: self.playback.frame.step}

    def _schemas(self) -> dict[str, Any]:
        """Return the schema of the slider for the step."""
        step = {
            "type": "integer",
            "minimum": self.playback.first,
            "maximum": max(self.playback.last, self.playback.first + 1),
            "description": "The step of the recording on screen.",
        }
        return {"": {"type": "object", "title": "Recording", "properties": {STEP: step}}}

    def _about(self) -> str:
        """Return the text that precedes the model's description."""
        rec = self.playback.recording
        between = (
            f" Every {rec.every} steps were recorded; boids are interpolated between them."
            if rec.every > 1
            else ""
        )
        return (
            f"A recording, {rec.path.name}: steps {self.playback.first} to {self.playback.last}, "
            f"seed {rec.seed}. Its numbers cannot be changed. To continue from one of its frames "
            f"with other numbers, use murmurate resume -o.{between}"
        )

    # --- in the runner's thread

    def _report(self, frame: Frame) -> None:
        self._on_frame(frame)
        seconds = time.perf_counter()
        if seconds - self._last_report >= MIN_REPORT_SECONDS or not self.runner.playing:
            self._last_report = seconds
            self._on_event("position", self._position())

    def _report_seek(self, backwards: bool) -> None:
        self.runner.reset_clock()
        self.runner.request_frame()
        self._on_event("seek", backwards)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, EndOfRecordingError):
            self.failed = True
            self._on_event("failed", error)
