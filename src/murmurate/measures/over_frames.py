"""Collectors: measures over many frames, which are passed on one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import MeasureError

Found = TypeVar("Found", covariant=True)
Each = TypeVar("Each", bound="Taker")


class Taker(Protocol):
    """Takes frames one at a time, and keeps what it needs."""

    def add(self, flock: FlockFrame, time: float) -> None: ...


class Collector(Taker, Protocol[Found]):
    """One that has a result at the end."""

    def result(self) -> Found: ...


def timed(
    frames: Iterable[Frame | FlockFrame], flock: str | None = None
) -> Iterator[tuple[float, FlockFrame]]:
    """(time, flock) of each frame: the flock of that name, or the one that is largest in the first
    frame. FlockFrames carry no time, and count 0, 1, 2 and so on.

    Raises MeasureError for a frame without that flock, and for what is no frame.
    """
    for position, frame in enumerate(several(frames)):
        if isinstance(frame, FlockFrame):
            yield float(position), frame
            continue
        if not isinstance(frame, Frame):
            raise no_frames(frame)
        if flock is None:
            if frame.main is None:
                raise MeasureError("the frames have no flock to measure")
            flock = frame.main.name
        yield frame.time, named(frame, flock)


def several(frames: Iterable[Frame | FlockFrame]) -> Iterable[Frame | FlockFrame]:
    """The frames themselves. Raises MeasureError for what cannot be gone through, and for a single
    frame, which would be gone through by its flocks."""
    if not isinstance(frames, Iterable) or isinstance(frames, Frame | FlockFrame | str):
        raise no_frames(frames)
    return frames


def no_frames(found: Any) -> MeasureError:
    """The error for what is given instead of frames."""
    return MeasureError(
        f"{type(found).__name__} cannot be measured: it must be frames, one after the other; "
        "mm.measures.of_tracks(positions, dt) makes frames of a (T, N, D) array, and "
        "mm.measures.of_arrays(positions, velocities) makes one flock"
    )


def named(frame: Frame, flock: str) -> FlockFrame:
    """The flock of that name. Raises MeasureError where there is none."""
    if flock not in frame.flocks:
        raise MeasureError(
            f"no flock named {flock!r} in frame {frame.step}: it has {', '.join(frame.flocks)}"
        )
    return frame[flock]


def shown_all(taker: Each, frames: Iterable[Frame | FlockFrame], flock: str | None = None) -> Each:
    """The taker itself, after it has been shown all frames."""
    for time, one in timed(frames, flock):
        taker.add(one, time)
    return taker


def collect(
    collector: Collector[Found], frames: Iterable[Frame | FlockFrame], flock: str | None = None
) -> Found:
    """The result of a collector that has been shown all frames."""
    return shown_all(collector, frames, flock).result()


def time_step(times: list[float]) -> float:
    """The time from one frame to the next; 1 where there is only one frame.

    Raises MeasureError unless frames are equally far apart.
    """
    steps = np.diff(times)
    if not len(steps):
        return 1.0
    if not steps[0] > 0 or np.ptp(steps) > 1e-6 * steps[0]:
        raise MeasureError(
            f"frames are {steps.min():g} to {steps.max():g} apart in time: this measure needs "
            "equal steps of time above 0"
        )
    return float((times[-1] - times[0]) / len(steps))
