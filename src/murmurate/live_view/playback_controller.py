"""PlaybackController: controls a played recording instead of a simulation. Pages may change which
step of it is shown, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

from murmurate.errors import EndOfRecordingError, ModelError
from murmurate.frame import Frame
from murmurate.live_view.controller import Listener
from murmurate.live_view.edits import Edit
from murmurate.live_view.flight_thread import FlightThread
from murmurate.model.model import Model
from murmurate.runs.playback import FLOWN, Playback
from murmurate.runs.sources import text_of
from murmurate.show import scene

STEP = "step"  # the path of the one number that pages may set
REPORTED = 0.1  # seconds between two reports of the step that is shown, at least


class PlaybackController:
    """Plays a recording; to a session it looks like a Controller.

    on_event  called with what happened: "position" (the step that is shown), "seek" (whether
              backwards), "failed" (the error), "recovered"
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
        self._reported = 0.0
        view = playback.model.view
        self.flight: FlightThread = FlightThread(
            playback,
            view.frames_per_second * view.every,
            on_frame=self._shown,
            on_error=self._stopped,
        )

    @property
    def running(self) -> Model:
        return self.playback.model

    def prepare(self) -> None:
        """Nothing is to be compiled."""
        self.flight.ready = True
        self.flight.reset_clock()

    # --- what pages ask for

    def set(self, changes: Mapping[str, Any], off: Collection[str] | None = None) -> None:
        """Goes to the step that is asked for. Raises ModelError for anything else."""
        for path in (*changes, *(["rules"] if off is not None else [])):
            if path != STEP:
                self.check_editable(path)
        step = changes[STEP]
        if isinstance(step, bool) or not isinstance(step, int | float):
            raise ModelError(f"step {step!r}: it must be a number")
        back = step < self.playback.frame.step
        self.playback.seek(min(max(round(step), self.playback.first), self.playback.last))
        self._moved(back)

    def step(self, steps: int) -> None:
        """Plays so many recorded frames, then pauses."""
        every = self.playback.recording.every
        past = (self.playback.frame.step - self.playback.first) % every
        self.flight.run_steps(steps * every - past)

    def play(self) -> None:
        """Plays on; from the beginning, where it has come to its end."""
        if self.playback.frame.step >= self.playback.last:
            self.playback.seek(self.playback.first)
            self._moved(back=True)
        self.flight.play()

    def restart(self, seed: int | None = None) -> None:
        """From the first frame again. Raises ModelError for another seed than the recording's."""
        if seed not in (None, self.seed):
            self.check_editable(f"seed {seed}")
        self.playback.seek(self.playback.first)
        self.flight.ready = True
        self.failed = False
        self._moved(back=True)
        self._on_event("recovered", None)

    def reset(self) -> None:
        self.restart()

    def switch(self, rule: str, on: bool) -> None:
        self.check_editable(f"rules.{rule}")

    def open(self, model: Model) -> None:
        self.check_editable(model.name)

    def reload(self, model: Model) -> None:
        self.check_editable(model.name)

    def edit(self, model: Model, edit: Edit) -> None:
        self.check_editable("drawing")

    def check_editable(self, what: str) -> None:
        """Raises ModelError: a recording is not changed."""
        raise ModelError(f"{what}: {self.playback.recording.path.name} {FLOWN}")

    # --- what pages are sent

    def scene(self, number: int, time: float) -> dict[str, Any]:
        """The scene message of its model, with a slider for the step, and none for the model's
        numbers."""
        message = scene.scene(self.running, self.loaded, number, time)
        title = message["title"] or message["name"]
        return message | {
            "title": f"{title}, recorded",
            "about": f"{self._about()}\n\n{message['about'].strip()}".strip(),
            "tries": [],
            "values": self._position(),
            "defaults": {STEP: self.playback.first},
            "schemas": self._schemas(),
            "handles": [],
        }

    def toml(self) -> str:
        """The model's text as it was recorded."""
        return text_of(self.playback)

    def recorded_points(self, step: int, most: int) -> list[dict[str, Any]] | None:
        """What was recorded for the charts up to a step: `most` points of it."""
        playback, rec = self.playback, self.playback.recording
        numbers = range((step - playback.first) // rec.every + 1)
        measured = rec.header["measure_every"]
        numbers = numbers[:: measured * max(1, -(-len(numbers) // (measured * most)))]
        columns = {name: rec.column(name)[list(numbers)] for name in rec.header["measures"]}
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
        """The schema of the one slider."""
        step = {
            "type": "integer",
            "minimum": self.playback.first,
            "maximum": max(self.playback.last, self.playback.first + 1),
            "description": "The step of the recording that is shown.",
        }
        return {"": {"type": "object", "title": "Recording", "properties": {STEP: step}}}

    def _about(self) -> str:
        """The text before the model's own."""
        rec = self.playback.recording
        between = (
            f" Between the recorded frames, every {rec.every} steps, boids are interpolated."
            if rec.every > 1
            else ""
        )
        return (
            f"A recording, {rec.path.name}: steps {self.playback.first} to {self.playback.last}, "
            f"seed {rec.seed}. It ran already, so there are no sliders for its numbers: "
            f"murmurate branch continues from any of its frames with others.{between}"
        )

    # --- in the playback's thread

    def _shown(self, frame: Frame) -> None:
        self._on_frame(frame)
        now = time.perf_counter()
        if now - self._reported >= REPORTED or not self.flight.playing:
            self._reported = now
            self._on_event("position", self._position())

    def _moved(self, back: bool) -> None:
        self.flight.reset_clock()
        self.flight.touch()
        self._on_event("seek", back)

    def _stopped(self, error: Exception) -> None:
        if not isinstance(error, EndOfRecordingError):
            self.failed = True
            self._on_event("failed", error)
