"""Projector: what a pilot is to a flight, for a recording. Nothing is flown, and of all that pages
may change only one thing is left: which step is shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.live.controller import News
from murmurate.live.flight_thread import Flight
from murmurate.model.model import Model
from murmurate.runs.playback import FLOWN, Ended, Playback

STEP = "step"  # the path of the one number that pages may set
TOLD = 0.1  # seconds between two tellings of where it is, at least


class Projector:
    """Goes through a recording at the pace of a flight, with a pilot's face to a session.

    news  called as a pilot does
    """

    busy = False

    def __init__(
        self, playback: Playback, *, published: Callable[[Frame], object], news: News
    ) -> None:
        self.playback, self._news, self._published = playback, news, published
        self.loaded = self.wanted = playback.model
        self.seed = playback.seed
        self.off: dict[str, Any] = {}
        self.fell = False
        self._told = 0.0
        view = playback.model.view
        self.flight: Flight = Flight(
            playback,
            view.frames_per_second * view.every,
            published=self._shown,
            failed=self._stopped,
        )

    @property
    def flying(self) -> Model:
        return self.playback.model

    def begin(self) -> None:
        self.flight.ready = True
        self.flight.keep_pace()

    # --- what pages ask for

    def set(self, changes: Mapping[str, Any]) -> None:
        """Goes to the step that is asked for. Raises ModelError for anything else."""
        for path in changes:
            if path != STEP:
                raise self.refusal(path)
        step = changes[STEP]
        if isinstance(step, bool) or not isinstance(step, int | float):
            raise ModelError(f"step {step!r}: it must be a number")
        back = step < self.playback.frame.step
        self.playback.seek(min(max(round(step), self.playback.first), self.playback.last))
        self._moved(back)

    def step(self, steps: int) -> None:
        """Goes on by so many recorded frames, and rests."""
        every = self.playback.recording.every
        past = (self.playback.frame.step - self.playback.first) % every
        self.flight.fly(steps * every - past)

    def play(self) -> None:
        """Plays on; from the beginning, where it has come to its end."""
        if self.playback.frame.step >= self.playback.last:
            self.playback.seek(self.playback.first)
            self._moved(back=True)
        self.flight.play()

    def restart(self, seed: int | None = None) -> None:
        """From the first frame again. Raises ModelError for another seed than the recording's."""
        if seed not in (None, self.seed):
            raise self.refusal(f"seed {seed}")
        self.playback.seek(self.playback.first)
        self.flight.ready = True
        self.fell = False
        self._moved(back=True)
        self._news("fine", None)

    def reset(self) -> None:
        self.restart()

    def switch(self, rule: str, on: bool) -> None:
        raise self.refusal(f"rules.{rule}")

    def open(self, model: Model) -> None:
        raise self.refusal(model.name)

    def reload(self, model: Model) -> None:
        raise self.refusal(model.name)

    def refusal(self, what: str) -> ModelError:
        """Why a recording is not changed."""
        return ModelError(f"{what}: {self.playback.recording.path.name} {FLOWN}")

    # --- what is told

    def place(self) -> dict[str, Any]:
        """The values that a scene has: where it is."""
        return {STEP: self.playback.frame.step}

    def schemas(self) -> dict[str, Any]:
        """The one slider that there is."""
        step = {
            "type": "integer",
            "minimum": self.playback.first,
            "maximum": max(self.playback.last, self.playback.first + 1),
            "description": "The step of the recording that is shown.",
        }
        return {"": {"type": "object", "title": "Recording", "properties": {STEP: step}}}

    def about(self) -> str:
        """What a page says of it, before what the model says."""
        rec = self.playback.recording
        between = (
            f" Between the recorded frames, every {rec.every} steps, boids are interpolated."
            if rec.every > 1
            else ""
        )
        return (
            f"A recording, {rec.path.name}: steps {self.playback.first} to {self.playback.last}, "
            f"seed {rec.seed}. It was flown already, so there are no sliders for its numbers: "
            f"murmurate branch flies on from any of its frames with others.{between}"
        )

    # --- in the flight's thread

    def _shown(self, frame: Frame) -> None:
        self._published(frame)
        now = time.perf_counter()
        if now - self._told >= TOLD or not self.flight.playing:
            self._told = now
            self._news("place", self.place())

    def _moved(self, back: bool) -> None:
        self.flight.keep_pace()
        self.flight.touch()
        self._news("moved", back)

    def _stopped(self, error: Exception) -> None:
        if not isinstance(error, Ended):
            self.fell = True
            self._news("failed", error)
