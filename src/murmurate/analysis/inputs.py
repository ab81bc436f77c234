"""Inputs of a measurement: the frames of a simulated model, a recording, tracks, or a list."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as np

from murmurate.analysis.units import MODEL_UNITS, Units
from murmurate.engine.options import run_options
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import MeasureError, shown, whole
from murmurate.measures.over_frames import no_frames
from murmurate.measures.unwrapping import CoarseFramesError
from murmurate.model.files import load
from murmurate.model.model import Model
from murmurate.runs.simulation import Simulation
from murmurate.tracks import Tracks, open_tracks
from murmurate.tracks.formats import ENDINGS, may_be_tracks

if TYPE_CHECKING:
    from murmurate.record import Recording

    What: TypeAlias = Model | Simulation | Recording | Tracks | str | os.PathLike[str]

STEPS, SHARE = 1000, 5  # steps to fly, and the part of them that is left out, unless given

Progress = Callable[[int, int], object]  # (frames measured, frames in all; 0 where nobody knows)


@dataclass(frozen=True)
class FrameChoice:
    """Which frames are measured; `measure` says what None stands for.

    options  the given options of a run: engine, dtype, threads, seed, and deprecated ones
    """

    steps: int | None = None
    first: int | None = None
    last: int | None = None
    every: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    frames_per_second: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("steps", 1), ("first", 0), ("last", 0), ("every", 1)):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, whole(value, name, least))
        if None not in (self.first, self.last) and self.last < self.first:  # type: ignore[operator]
            raise MeasureError(f"last is {self.last}, before first, which is {self.first}")

    def refuse(self, kind: str, *names: str) -> None:
        """Raises MeasureError where one of them was given, though it says nothing here."""
        kinds = {"steps": "steps to fly", "last": "the last step of what was recorded",
                "frames_per_second": "frames a second of tracks"}  # fmt: skip
        for name in names:
            if getattr(self, name) is not None:
                raise MeasureError(f"{name} is for {kinds[name]}, and {kind} has none to choose")

    def refuse_options(self, kind: str) -> None:
        """Raises MeasureError where run options were given, though no model is flown."""
        for name in self.options:
            raise MeasureError(f"{name} is for flying a model, and {kind} has none to choose")


@dataclass(frozen=True)
class MeasureInput:
    """Frames to measure.

    name    of the model or the file
    kind    model, recording, tracks or frames
    total   how many frames, 0 where nobody knows
    moments which frames they are, in words
    frames  the frames, to be gone through once
    units   what lengths and times count
    every   steps of a model, or recorded frames, from one of the frames to the next
    finer   says what to do where every=1 is too coarse
    names   of the animals of tracks, by id; empty for boids, which have none
    """

    name: str
    kind: str
    total: int
    moments: str
    frames: Iterator[Frame | FlockFrame]
    units: Units = MODEL_UNITS
    every: int = 1
    finer: Callable[[CoarseFramesError], str] | None = None
    names: tuple[str, ...] = ()

    def remedy(self, error: CoarseFramesError) -> str:
        """What to do where frames are too far apart in time for a measure."""
        if (most := error.largest_every(self.every)) > 0:
            return f"Give every={most} or less"
        if self.finer is not None:
            return self.finer(error)
        return f"Take frames at less than {error.ratio:.3g} of their time apart"


def input_of(what: Any, choice: FrameChoice) -> MeasureInput:
    """Opens what is to be measured; see `measure`. Raises ModelError, RecordError, MeasureError."""
    if isinstance(what, str | os.PathLike):
        what = opened(what, choice.frames_per_second)
    elif not isinstance(what, Tracks):
        choice.refuse("what is measured", "frames_per_second")
    if isinstance(what, Model):
        return _flown(Simulation.from_options(what, run_options(**choice.options)), choice)
    choice.refuse_options(_kind(what))
    if isinstance(what, Simulation):
        return _flown(what, choice)
    if _is_recording(what):
        return _recorded(what, choice)
    if isinstance(what, Tracks):
        rate = choice.frames_per_second
        if rate is not None and rate != what.frames_per_second:
            what = what.at_rate(rate)
        return _tracked(what, choice)
    if isinstance(what, FlockFrame | Frame):
        what = [what]
    choice.refuse("what is measured", "steps", "last")
    if isinstance(what, np.ndarray):
        raise no_frames(what)
    if not isinstance(what, Iterable):
        raise MeasureError(f"{shown(what)} cannot be measured: it must be a model, a recording, "
                           "tracks, frames, or the name of one of the first three")  # fmt: skip
    return MeasureInput(
        "frames", "frames", 0, "", islice(what, choice.first or 0, None, choice.every),
        every=choice.every or 1,
    )  # fmt: skip


def _is_recording(what: Any) -> TypeGuard[Recording]:
    """Whether it is a Recording. Its module needs zarr, which models and tracks are measured
    without; where nobody has imported it, there is no Recording."""
    module = sys.modules.get("murmurate.record.recording")
    return module is not None and isinstance(what, module.Recording)


def _kind(what: Any) -> str:
    """What frames come from, where no model is flown from its start."""
    if isinstance(what, Simulation):
        return "a simulation that is there already"
    if _is_recording(what):
        return "a recording"
    return "a file of tracks" if isinstance(what, Tracks) else "what is measured"


def opened(name: str | os.PathLike[str], frames_per_second: float | None = None) -> Any:
    """A model, recording or tracks, by a name or path."""
    path = Path(name)
    if may_be_tracks(path):
        return open_tracks(path, frames_per_second)
    if frames_per_second is not None:
        raise MeasureError(f"frames_per_second is for tracks ({', '.join(ENDINGS)}), and {name} "
                           "has none to choose")  # fmt: skip
    if path.suffix.lower() == ".zarr" or path.is_dir():
        from murmurate.record import Recording

        return Recording(path)
    return load(os.fspath(name))


def _flown(simulation: Simulation, choice: FrameChoice) -> MeasureInput:
    choice.refuse("a model", "last")
    steps = STEPS if choice.steps is None else choice.steps
    first = steps // SHARE if choice.first is None else choice.first
    every = 10 if choice.every is None else choice.every
    if first > steps:
        raise MeasureError(f"first is {first} and steps {steps}: nothing is left to measure")

    def frames() -> Iterator[Frame]:
        yield simulation.step(first).frame
        for _ in range((steps - first) // every):
            yield simulation.step(every).frame

    moments = f"steps {first} to {steps}, every {every}, seed {simulation.seed}"
    return MeasureInput(
        simulation.model.name, "model", 1 + (steps - first) // every, moments, frames(),
        every=every, finer=lambda error: f"Give the model a dt of less than "
        f"{every * error.ratio * simulation.model.dt:.3g}",
    )  # fmt: skip


def _recorded(recording: Recording, choice: FrameChoice) -> MeasureInput:
    choice.refuse("a recording", "steps")
    steps = list(recording.steps)
    chosen = _chosen([int(step) for step in steps], choice, str(recording.path))
    moments = f"steps {steps[chosen[0]]} to {steps[chosen[-1]]}"
    whole = chosen == list(range(len(recording)))
    frames = iter(recording) if whole else (recording[k] for k in chosen)
    every = choice.every or 1

    def finer(error: CoarseFramesError) -> str:
        """Of a recording whose frames are too far apart themselves."""
        if (most := error.largest_every(every * recording.every)) > 0:
            return f"Record a frame every {most} {'step' if most == 1 else 'steps'} or less"
        return "Record every step of a model with a smaller dt"

    return MeasureInput(recording.path.name, "recording", len(chosen), moments, frames,
                        every=every, finer=finer)  # fmt: skip


def _tracked(tracks: Tracks, choice: FrameChoice) -> MeasureInput:
    choice.refuse("a file of tracks", "steps")
    path = Path(tracks.path)
    chosen = _chosen(list(range(len(tracks))), choice, str(path))
    rate = f"{tracks.rate:g} a second" if tracks.timed else "time counts frames"
    which = f"frames {chosen[0]} to {chosen[-1]}" if chosen[1:] else f"frame {chosen[0]}"
    moments = f"{which}, {rate}" + (f", lengths in {tracks.unit}" if tracks.unit else "")
    frames = (tracks[k] for k in chosen)
    units = Units(tracks.unit, "s" if tracks.timed else "frames")
    every = choice.every or 1

    def finer(error: CoarseFramesError) -> str:
        """Of tracks whose frames are too far apart themselves."""
        if not tracks.timed:
            return "Take tracks with frames closer in time"
        return (
            f"Take tracks with more than {tracks.rate / (every * error.ratio):.3g} frames a second"
        )

    names = tuple(tracks.names or ())
    return MeasureInput(
        path.name, "tracks", len(chosen), moments, frames, units, every, finer, names
    )


def _chosen(steps: list[int], choice: FrameChoice, path: str) -> list[int]:
    """Which of the frames are from first to last, every so many of them."""
    last = steps[-1] if choice.last is None and steps else choice.last
    inside = [k for k, step in enumerate(steps) if (choice.first or 0) <= step <= (last or 0)]
    if not inside:
        reach = f"steps {steps[0]} to {steps[-1]}" if steps else "none"
        raise MeasureError(f"{path}: no frame is left to measure: it has {reach}")
    return inside[:: choice.every or 1]
