"""Inputs of `measure`: frames of a simulated model, a recording, tracks, or an iterable."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from murmurate.engines.options import RunOptions
from murmurate.engines.run_spec import RunSpec, spec_of
from murmurate.errors import CoarseFramesError, MeasureError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import check_integer, format_value
from murmurate.measures.over_frames import not_frames
from murmurate.measures.summary import MODEL_UNITS, Units
from murmurate.model.model import Model
from murmurate.runs.frame_source import FrameSource
from murmurate.runs.simulation import Simulation
from murmurate.runs.sources import is_open_recording, open_named
from murmurate.tracks import Tracks

if TYPE_CHECKING:
    from murmurate.record import Recording

    What: TypeAlias = Model | FrameSource | Recording | Tracks | str | os.PathLike[str]

DEFAULT_STEPS = 1000  # of a model
WARM_UP_PART = 5  # one in this many of the steps is left out by default
DEFAULT_EVERY = 10  # steps of a model between frames

Progress = Callable[[int, int], object]  # (frames measured, all frames; 0 if unknown)


@dataclass(frozen=True)
class FrameChoice:
    """Which frames are measured, and how a model is simulated.

    Attributes
    ----------
    steps, warm_up, every : int, optional
        Steps of a model, steps before the first measured frame, and steps between measured frames.
        A frame of tracks is a step, and so is one of other frames.
    last : int, optional
        Last step of recordings and tracks.
    options : RunOptions, optional
        Of a model: how it is simulated.
    is_range : bool
        True for a range of steps, which only recordings, tracks and frames have.
    """

    steps: int | None = None
    warm_up: int | None = None
    last: int | None = None
    every: int | None = None
    options: RunOptions | None = None
    is_range: bool = False

    @classmethod
    def of(cls, run: RunSpec | None, frames: slice | None) -> FrameChoice:
        """Return the choice of the arguments `run` and `frames` of `measure`."""
        if frames is not None and run is not None:
            raise MeasureError("run, frames: got both; expected one. Leave one out")
        if frames is not None:
            if not isinstance(frames, slice):
                raise MeasureError(f"frames: got {frames!r}; expected a slice, as slice(200, None)")
            stop = None if frames.stop is None else check_integer(frames.stop, "frames", 1)
            last = None if stop is None else stop - 1
            return cls(warm_up=frames.start or 0, last=last, every=frames.step, is_range=True)
        if run is None:
            return cls()
        run = spec_of(run, MeasureError)
        for name in ("runs", "seeds", "workers"):
            if (value := getattr(run, name)) is not None:
                raise MeasureError(
                    f"{name}: got {value!r}; expected None, because one run is measured"
                )
        how = (run.engine, run.dtype, run.seed)
        changed = how != (RunSpec.engine, RunSpec.dtype, RunSpec.seed)
        options = RunOptions(run.engine, run.dtype, seed=run.seed) if changed else None
        return cls(run.steps, run.warm_up, None, run.every, options=options)

    def __post_init__(self) -> None:
        for name, minimum in (("steps", 1), ("warm_up", 0), ("last", 0), ("every", 1)):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, check_integer(value, name, minimum))
        if None not in (self.warm_up, self.last) and self.last < self.warm_up:  # type: ignore[operator]
            raise MeasureError(f"last: got {self.last}; expected at least warm_up, {self.warm_up}")

    def check_unused(self, kind: str, *names: str) -> None:
        """Raise MeasureError if one of these fields was passed, which `kind` does not use."""
        inputs = {"steps": "a model", "last": "recordings and tracks"}
        for name in names:
            if (value := getattr(self, name)) is not None:
                raise MeasureError(
                    f"{name}: got {value} for {kind}; expected it for {inputs[name]} only. Leave "
                    "it out."
                )

    def check_unused_options(self, kind: str) -> None:
        """Raise MeasureError if options of a run were passed, though no model is simulated."""
        if self.options is not None:
            options, default = self.options, RunOptions()
            names = ("engine", "dtype", "threads", "seed", "engine_options")
            changed = (n for n in names if getattr(options, n) != getattr(default, n))
            name = next(changed, "seed")
            raise MeasureError(
                f"{name}: got {getattr(options, name)} for {kind}; expected it for a model only. "
                "Leave it out."
            )


@dataclass(frozen=True)
class MeasureInput:
    """Frames to measure.

    kind  where the frames come from
    total  number of frames; 0 if unknown
    frame_range  description of the frames, such as 'steps 200 to 1000, every 10, seed 1'
    frames  the frames, which can be read once
    units  units of lengths and times
    every  steps from one frame to the next
    interval  steps between the frames that exist, of which `every` is a multiple
    finer  maps a CoarseFramesError to a remedy if `interval` is too coarse
    names  names of the animals of tracks, by id; empty for boids
    """

    name: str
    kind: str
    total: int
    frame_range: str
    frames: Iterator[Frame | FlockFrame]
    units: Units = MODEL_UNITS
    every: int = 1
    finer: Callable[[CoarseFramesError], str] | None = None
    names: tuple[str, ...] = ()
    interval: int = 1

    def remedy(self, error: CoarseFramesError) -> str:
        """Return a sentence on how to get frames that are close enough in time."""
        largest = error.largest_every(self.every)
        if largest >= self.interval:
            return f"Give every={largest - largest % self.interval} or less"
        if self.finer is not None:
            return self.finer(error)
        return f"Take frames less than {error.ratio:.3g} times as far apart in time"


def make_input(what: Any, choice: FrameChoice) -> MeasureInput:
    """Open the source of frames; see `measure`. Raises ModelError, RecordError or MeasureError."""
    if isinstance(what, str | os.PathLike):
        what = open_named(what)
    if isinstance(what, FlockFrame | Frame):
        what = [what]
    kind, read = _reader(what)
    if choice.is_range and read is _simulate:
        raise MeasureError(
            f"frames: got them for {kind}; expected run, such as RunSpec(steps=2000, warm_up=500)"
        )
    if isinstance(what, Model):
        what = Simulation(what, **(choice.options or RunOptions()).arguments)
    else:
        choice.check_unused_options(kind)
    return read(what, choice)


def _reader(what: Any) -> tuple[str, Callable[[Any, FrameChoice], MeasureInput]]:
    """Return the kind of a source of frames, in words, and the function that reads it."""
    if isinstance(what, Model):
        return "a model", _simulate
    if isinstance(what, Simulation):
        return "a simulation that has already started", _simulate
    if isinstance(what, FrameSource):
        return f"a {type(what).__name__}", _simulate
    if is_open_recording(what):
        return "a recording", _read_recording
    return ("tracks", _read_tracks) if isinstance(what, Tracks) else ("frames", _read_frames)


def _read_frames(what: Any, choice: FrameChoice) -> MeasureInput:
    choice.check_unused("frames", "steps", "last")
    if isinstance(what, np.ndarray):
        raise not_frames(what)
    if not isinstance(what, Iterable):
        raise MeasureError(
            f"what: got {format_value(what)}; expected a model, a recording, tracks, their name or "
            "path, or frames"
        )
    return MeasureInput(
        "frames", "frames", 0, "", islice(what, choice.warm_up or 0, None, choice.every),
        every=choice.every or 1,
    )  # fmt: skip


def _simulate(source: FrameSource, choice: FrameChoice) -> MeasureInput:
    choice.check_unused("a model", "last")
    steps = DEFAULT_STEPS if choice.steps is None else choice.steps
    warm_up = steps // WARM_UP_PART if choice.warm_up is None else choice.warm_up
    every = DEFAULT_EVERY if choice.every is None else choice.every
    if warm_up > steps:
        raise MeasureError(f"warm_up: got {warm_up}; expected at most steps, {steps}")

    def frames() -> Iterator[Frame]:
        for number in range(1 + (steps - warm_up) // every):
            source.step(every if number else warm_up)
            yield source.frame

    seed = "" if source.seed is None else f", seed {source.seed}"
    return MeasureInput(
        source.model.name, "model", 1 + (steps - warm_up) // every,
        f"steps {warm_up} to {steps}, every {every}{seed}", frames(),
        every=every, finer=lambda error: f"Give the model a dt of less than "
        f"{every * error.ratio * source.model.dt:.3g}",
    )  # fmt: skip


def _read_recording(recording: Recording, choice: FrameChoice) -> MeasureInput:
    choice.check_unused("a recording", "steps")
    steps = list(recording.steps)
    interval = recording.every
    chosen = _choose_frames([int(step) for step in steps], choice, str(recording.path), interval)
    frame_range = f"steps {steps[chosen[0]]} to {steps[chosen[-1]]}"
    all_frames = chosen == list(range(len(recording)))
    frames = iter(recording) if all_frames else (recording[k] for k in chosen)
    every = choice.every or interval

    def finer(error: CoarseFramesError) -> str:
        """Return a remedy for a recording whose own frames are too far apart."""
        if (largest := error.largest_every(every)) > 0:
            return f"Record a frame every {largest} {'step' if largest == 1 else 'steps'} or less"
        return "Record every step of a model with a smaller dt"

    return MeasureInput(recording.path.name, "recording", len(chosen), frame_range, frames,
                        every=every, finer=finer, interval=interval)  # fmt: skip


def _read_tracks(tracks: Tracks, choice: FrameChoice) -> MeasureInput:
    choice.check_unused("a file of tracks", "steps")
    path = Path(tracks.path)
    chosen = _choose_frames(list(range(len(tracks))), choice, str(path), 1)
    rate = f"{tracks.rate:g} a second" if tracks.timed else "time counts frames"
    which = f"frames {chosen[0]} to {chosen[-1]}" if chosen[1:] else f"frame {chosen[0]}"
    frame_range = f"{which}, {rate}" + (f", lengths in {tracks.unit}" if tracks.unit else "")
    frames = (tracks[k] for k in chosen)
    units = Units(tracks.unit, "s" if tracks.timed else "frames")
    every = choice.every or 1

    def finer(error: CoarseFramesError) -> str:
        """Return a remedy for tracks whose own frames are too far apart."""
        if not tracks.timed:
            return "Take tracks with frames closer in time"
        return (
            f"Take tracks with more than {tracks.rate / (every * error.ratio):.3g} frames a second"
        )

    names = tuple(tracks.names or ())
    return MeasureInput(
        path.name, "tracks", len(chosen), frame_range, frames, units, every, finer, names
    )


def _choose_frames(steps: list[int], choice: FrameChoice, path: str, interval: int) -> list[int]:
    """Return the indices of the frames from warm_up to last, `choice.every` steps apart."""
    every = choice.every or interval
    if every % interval:
        raise MeasureError(
            f"every: got {every}; expected a multiple of {interval}, the steps between frames of "
            f"{path}"
        )
    last = steps[-1] if choice.last is None and steps else choice.last
    inside = [k for k, step in enumerate(steps) if (choice.warm_up or 0) <= step <= (last or 0)]
    if not inside:
        available = f"steps {steps[0]} to {steps[-1]}" if steps else "no frames"
        raise MeasureError(f"{path}: got no frame to measure; expected a part of its {available}")
    return inside[:: every // interval]
