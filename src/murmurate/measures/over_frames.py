"""Collectors: measures over several frames, which receive the frames one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame, Frame

Result = TypeVar("Result", covariant=True)
AnyAccumulator = TypeVar("AnyAccumulator", bound="Accumulator")


class Accumulator(Protocol):
    """Receives frames one at a time and stores parts of them.

    An accumulator whose attribute `needs_steps` is True is called with the step of the frame too:
    `add(flock, time, step)`.
    """

    @property
    def add(self) -> Callable[..., None]: ...


class Collector(Accumulator, Protocol[Result]):
    """An accumulator that returns a result at the end."""

    def result(self) -> Result: ...


def timed_flocks(
    frames: Iterable[Frame | FlockFrame], flock: str | None = None
) -> Iterator[tuple[float, FlockFrame]]:
    """Yield (time, flock) for each frame; see `stepped_flocks`."""
    for _, time, one_flock in stepped_flocks(frames, flock):
        yield time, one_flock


def stepped_flocks(
    frames: Iterable[Frame | FlockFrame], flock: str | None = None
) -> Iterator[tuple[int, float, FlockFrame]]:
    """Yield (step, time, flock) for each frame.

    frames  FlockFrames carry no time, and get steps and times 0, 1, 2, ..
    flock  name of the flock. The default is the largest flock of the first frame.
    raises MeasureError  for a frame without that flock, and for an item that is not a frame
    """
    for index, frame in enumerate(check_frames(frames)):
        if isinstance(frame, FlockFrame):
            yield index, float(index), frame
            continue
        if not isinstance(frame, Frame):
            raise not_frames(frame)
        if flock is None:
            if frame.main is None:
                raise MeasureError("frames: got frames without a flock; expected at least one")
            flock = frame.main.name
        yield frame.step, frame.time, flock_named(frame, flock)


def check_frames(frames: Iterable[Frame | FlockFrame]) -> Iterable[Frame | FlockFrame]:
    """Return `frames`. Raise MeasureError if it is not iterable, or is a single frame.

    Iterating over a single frame would yield its flocks.
    """
    if not isinstance(frames, Iterable) or isinstance(frames, Frame | FlockFrame | str):
        raise not_frames(frames)
    return frames


def not_frames(value: Any) -> MeasureError:
    """Return the error for a value that is not an iterable of frames."""
    return MeasureError(
        f"frames: got {type(value).__name__}; expected an iterable of frames. "
        "mm.measures.of_tracks(positions, dt) makes frames of an array of shape (T, N, D), "
        "mm.measures.of_arrays(positions, velocities) makes one flock."
    )


def flock_named(frame: Frame, flock: str) -> FlockFrame:
    """Return the flock with that name. Raise MeasureError if the frame has none."""
    if flock not in frame.flocks:
        names = ", ".join(frame.flocks)
        raise MeasureError(f"flock: got {flock!r}; expected a flock of frame {frame.step}: {names}")
    return frame[flock]


class OverFrames(Protocol[Result]):
    """A measure of frames: a function with the options of its collector."""

    def __call__(
        self, frames: Iterable[Any], *, flock: str | None = None, **options: Any
    ) -> Result: ...


def accumulate_all(
    accumulator: AnyAccumulator, frames: Iterable[Frame | FlockFrame], flock: str | None = None
) -> AnyAccumulator:
    """Add all frames to `accumulator`, and return it."""
    for step, time, one_flock in stepped_flocks(frames, flock):
        add_flock(accumulator, one_flock, time, step)
    return accumulator


def accumulate_hunt(
    accumulator: AnyAccumulator, frames: Iterable[Frame], flock: str, predators: str
) -> AnyAccumulator:
    """Add the prey and the predators of all frames to `accumulator`, and return it."""
    for frame in frames:
        accumulator.add(flock_named(frame, flock), flock_named(frame, predators), frame.time)
    return accumulator


def add_flock(accumulator: Accumulator, flock: FlockFrame, time: float, step: int) -> None:
    """Add the flock of a frame to `accumulator`, with its step if it needs it."""
    if getattr(accumulator, "needs_steps", False):
        accumulator.add(flock, time, step)
    else:
        accumulator.add(flock, time)


def collect(
    collector: Collector[Result], frames: Iterable[Frame | FlockFrame], flock: str | None = None
) -> Result:
    """Add all frames to `collector`, and return its result."""
    return accumulate_all(collector, frames, flock).result()


def time_step(times: list[float]) -> float:
    """Return the time from one frame to the next; 1 for a single frame.

    Raises MeasureError unless frames are equally spaced in time.
    """
    steps = np.diff(times)
    if not len(steps):
        return 1.0
    if not steps[0] > 0 or np.ptp(steps) > 1e-6 * steps[0]:
        raise MeasureError(
            f"frames: got times {steps.min():g} to {steps.max():g} apart; expected equal steps of "
            "time above 0. Take frames at equal intervals."
        )
    return float((times[-1] - times[0]) / len(steps))
