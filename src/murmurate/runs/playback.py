"""Playback: a recording with the interface of a simulation, for all that reads frames.

step  moves on in the recording; nothing is simulated
frame is the recorded one; between two of them it is interpolated (see record/interpolation.py)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from murmurate.display import html_of
from murmurate.errors import EndOfRecordingError, ModelError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at

if TYPE_CHECKING:
    from murmurate.record import Recording

READ_ONLY = "is a recording: only numbers of the view can be changed"


class Playback:
    """A recording that is gone through as a simulation is flown.

    model  how it is shown: the recording's own unless given
    Raises ModelError for a recording without a frame, and DamagedRecordingError for frames that
    cannot be read.
    """

    compiled = True

    def __init__(self, recording: Recording, model: Model | None = None) -> None:
        if not len(recording):
            raise ModelError(f"{recording.path}: has no frame to show")
        self.recording = recording
        self.seed = recording.seed
        self.model = shown(recording) if model is None else model
        self._near: dict[int, Frame] = {}  # recorded frames about the place, by their number
        self.frame = self._at(self.first)

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
        return self.frame.time

    def step(self, steps: int = 1) -> Playback:
        """Advance by `steps` steps, at most to the last one.

        Raises EndOfRecordingError at the last one, and DamagedRecordingError for a damaged frame;
        the current frame then stays.
        """
        if steps and self.frame.step >= self.last:
            raise EndOfRecordingError(
                f"{self.recording.path}: ends with step {self.last}", step=self.last
            )
        return self.seek(min(self.frame.step + steps, self.last))

    def seek(self, step: int) -> Playback:
        """Goes to a step. Raises ModelError for one that is not in the recording."""
        self._check(step)
        self.frame = self._at(step)
        return self

    def nearest(self, step: int) -> int:
        """The recorded step nearest to a step; the first one for step 0, which is any flight's
        start. Raises ModelError for one that is beyond."""
        if step == 0:
            return self.first
        self._check(step)
        every = self.recording.every
        return self.first + round((step - self.first) / every) * every

    def set(self, changes: Mapping[str, Any]) -> None:
        """Changes numbers of the view. Raises ModelError for others, and where so many steps are
        not there."""
        self.model = viewed(self.model, changes, self.recording.path)
        left = self.last - self.frame.step
        if left < self.model.view.every:
            raise ModelError(f"{self.recording.path} ends here: go back first")
        if self.model.view.steps > left:
            self.model = self.model.set({"view.steps": left})

    def copy(self, *, threads: int | None = None) -> Playback:
        """Another one at the same place; neither changes the other."""
        from murmurate.record import Recording

        twin = Playback(Recording(self.recording.path), self.model)
        return twin.seek(self.frame.step)

    def _repr_html_(self) -> str | None:
        """What a notebook shows: a replay of the recording."""
        return html_of(self)

    def _check(self, step: int) -> None:
        if not self.first <= step <= self.last:
            raise ModelError(
                f"step {step}: {self.recording.path} has steps {self.first} to {self.last}"
            )

    def _at(self, step: int) -> Frame:
        number, past = divmod(step - self.first, self.recording.every)
        wanted = (number, number + 1) if past else (number,)
        self._near = {k: self._near.get(k) or self.recording[k] for k in wanted}
        if not past:
            return self._near[number]
        from murmurate.record.interpolation import interpolate

        time = step * self.recording.header["dt"]
        shapes = self.recording.scene.obstacles
        now = {name: shape_at(shape, time) for name, shape in shapes.items()}
        return interpolate(self._near[number], self._near[number + 1], step, time, now)


def shown(recording: Recording, changes: Mapping[str, Any] | None = None) -> Model:
    """The recording's model as it is shown: its view's steps are those that were recorded. Where
    its rules are not known here, they are left out.

    changes  dotted path -> value, of the view
    Raises ModelError for other paths, and for more steps than were recorded.
    """
    try:
        model = recording.model
    except ModelError:
        model = recording.scene
    steps = recording.steps[-1] - recording.steps[0] if len(recording) else 0
    changes = changes or {}
    model = viewed(
        model.set({"view.steps": max(1, steps), "view.warm_up": 0}), changes, recording.path
    )
    warm_up = model.view.warm_up
    if warm_up and "view.steps" not in changes:
        model = model.set({"view.steps": max(1, steps - warm_up)})
    if warm_up + model.view.steps > max(1, steps):
        wanted = f"{model.view.steps} after a warm-up of {warm_up}" if warm_up else model.view.steps
        raise ModelError(
            f"view.steps: {wanted} is asked for, and {recording.path} has {steps}: "
            "give fewer, or fly on with murmurate resume"
        )
    return model


def viewed(model: Model, changes: Mapping[str, Any], path: object) -> Model:
    """A recording's model with numbers of its view changed. Raises ModelError for others."""
    for name in changes:
        if name.partition(".")[0] != "view":
            raise ModelError(
                f"{name}: {path} {READ_ONLY}. To continue from one of its frames with other "
                "numbers, use murmurate branch"
            )
    return model.set(changes) if changes else model
