"""Playback: a recording with the interface of a simulation, for everything that reads frames.

`step` moves on in the recording; nothing is simulated. `frame` is the recorded one; between two of
them it is interpolated (see record/interpolation.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.display import render
from murmurate.errors import EndOfRecordingError, ModelError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at
from murmurate.runs.frame_source import FrameSource

if TYPE_CHECKING:
    from murmurate.record import Recording

READ_ONLY = "is a recording: only numbers of the view can be changed"


class Playback(FrameSource):
    """A recording that is played as a simulation is run.

    model  its model with other settings of the view; the recorded one by default
    raises ModelError  the recording has no frame
    raises DamagedRecordingError  a frame cannot be read
    """

    compiled = True
    simulated = False

    def __init__(self, recording: Recording) -> None:
        if not len(recording):
            raise ModelError(f"{recording.path}: has no frame to show")
        self.recording = self.stored = recording
        self.files = (Path(recording.path),)
        self.seed: int = recording.seed
        self.every = recording.every
        self._near: dict[int, Frame] = {}  # recorded frames around the present step, by number
        self.frame = self._at(self.first)
        self._changes: dict[str, Any] = {}
        self.show({})

    @property
    def first(self) -> int:
        """The first recorded step."""
        return self.recording.steps[0]

    @property
    def last(self) -> int:
        """The last recorded step."""
        return self.recording.steps[-1]

    @property
    def time(self) -> float:
        """The time of the present frame."""
        return self.frame.time

    @property
    def toml(self) -> str:
        """The recorded text of the model."""
        return str(self.recording.header["model"])

    def show(self, changes: Mapping[str, Any]) -> Model:
        """Change numbers of the view; return the model, which has the steps from this frame on."""
        changed = {**self._changes, **changes}
        self.model = self._model_with(changed)
        self._changes = changed
        return self.model

    def _model_with(self, changes: Mapping[str, Any]) -> Model:
        return recorded_model(self.recording, changes, self.frame.step)

    def sample(self, count: int) -> Iterator[Frame]:
        """Yield at most `count` recorded frames, from the first to the last."""
        recording = self.recording
        count = min(len(recording), count)
        for k in range(count):
            yield recording[k * (len(recording) - 1) // max(1, count - 1)]

    def go_to(self, step: int) -> Frame:
        """Go to the recorded frame nearest to a step."""
        return self.seek(self.nearest(step)).frame

    def step(self, steps: int = 1) -> Playback:
        """Move on by some steps, at most to the last one, and return self.

        raises EndOfRecordingError  the present step is the last
        raises DamagedRecordingError  a frame cannot be read; the present frame stays
        """
        if steps and self.frame.step >= self.last:
            raise EndOfRecordingError(
                f"{self.recording.path}: ends with step {self.last}", step=self.last
            )
        return self.seek(min(self.frame.step + steps, self.last))

    def seek(self, step: int) -> Playback:
        """Go to a step and return self. Raises ModelError if it is not in the recording."""
        self._check(step)
        self.frame = self._at(step)
        return self

    def nearest(self, step: int) -> int:
        """Return the recorded step nearest to a step; the first one for step 0. Raises
        ModelError."""
        if step == 0:
            return self.first
        self._check(step)
        every = self.recording.every
        return self.first + round((step - self.first) / every) * every

    def set(self, changes: Mapping[str, Any]) -> None:
        """Change numbers of the view. Raises ModelError."""
        self.model = _with_view_changes(self.model, changes, self.recording.path)
        left = self.last - self.frame.step
        if left < self.model.view.every:
            raise ModelError(f"{self.recording.path} ends here: go back first")
        if self.model.view.steps > left:
            self.model = self.model.set({"view.steps": left})

    def live(self) -> Model | FrameSource:
        """Return self."""
        return self

    def copy(self, *, threads: int | None = None) -> Playback:
        """Return another playback at the same step, which shares nothing."""
        from murmurate.record import Recording

        twin = Playback(Recording(self.recording.path))
        twin.model, twin._changes = self.model, self._changes
        return twin.seek(self.frame.step)

    def _repr_html_(self) -> str | None:
        """Return a replay of the recording for a notebook."""
        return render(self)

    def _check(self, step: int) -> None:
        if not self.first <= step <= self.last:
            raise ModelError(
                f"step {step}: {self.recording.path} has steps {self.first} to {self.last}"
            )

    def _at(self, step: int) -> Frame:
        number, past = divmod(step - self.first, self.recording.every)
        numbers = (number, number + 1) if past else (number,)
        self._near = {k: self._near.get(k) or self.recording[k] for k in numbers}
        if not past:
            return self._near[number]
        from murmurate.record.interpolation import interpolate

        time = step * self.recording.header["dt"]
        shapes = self.recording.scene.obstacles
        obstacles = {name: shape_at(shape, time) for name, shape in shapes.items()}
        return interpolate(self._near[number], self._near[number + 1], step, time, obstacles)


def recorded_model(recording: Recording, changes: Mapping[str, Any], first: int) -> Model:
    """Return the model of a recording, with the recorded steps after step `first` in its view.

    Rules that are not known here are left out.

    changes  dotted path -> value, of the view
    raises ModelError  a path is not of the view, or there are fewer steps
    """
    try:
        model = recording.model
    except ModelError:
        model = recording.scene
    steps = recording.steps[-1] - first
    model = _with_view_changes(
        model.set({"view.steps": max(1, steps), "view.warm_up": 0}), changes, recording.path
    )
    warm_up = model.view.warm_up
    if warm_up and "view.steps" not in changes:
        model = model.set({"view.steps": max(1, steps - warm_up)})
    if warm_up + model.view.steps > max(1, steps):
        got = f"{model.view.steps} after a warm-up of {warm_up}" if warm_up else model.view.steps
        raise ModelError(
            f"view.steps: got {got}; expected at most the {steps} steps of {recording.path}. Give "
            "fewer, or simulate more with murmurate resume"
        )
    return model


def _with_view_changes(model: Model, changes: Mapping[str, Any], path: object) -> Model:
    """Return a recording's model with changes of its view. Raises ModelError for other paths."""
    for name in changes:
        if name.partition(".")[0] != "view":
            raise ModelError(
                f"{name}: {path} {READ_ONLY}. murmurate resume -o continues one of its frames with "
                "other numbers"
            )
    return model.set(changes) if changes else model
