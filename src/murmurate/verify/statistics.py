"""Statistics: the measures that expectations may name, and a few that only they need."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures import MEASURES
from murmurate.measures.curve import Curve
from murmurate.measures.over_frames import Accumulator
from murmurate.measures.waves import Turning
from murmurate.model.messages import format_unknown
from murmurate.verify.field_statistics import (
    correlation_length_by_extent,
    middle_aspect_ratio,
    nearest_anisotropy,
    seventh_anisotropy,
    speed_correlation_length_by_extent,
    steepness,
    thin_along_z,
)
from murmurate.verify.histories import Approaching, Arriving, CurveMean

Statistic = Callable[[FlockFrame], float]


def velocity_spread(flock: FlockFrame) -> float:
    """max_ij |v_i - v_j|, in units of speed: 0 where all fly alike. Quadratic in the number of
    boids; nan for an empty flock."""
    if len(flock) == 0:
        return math.nan
    v = np.asarray(flock.velocities, dtype=np.float64)
    return float(max(np.linalg.norm(v - one, axis=1).max() for one in v))


def heading_along_x(flock: FlockFrame) -> float:
    """Cosine of the angle between the flock's mean velocity and the x axis, -1 to 1; nan where
    the mean is zero."""
    mean = np.asarray(flock.velocities, dtype=np.float64).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return float(mean[0]) / length if length > 0.0 else math.nan


def outside(flock: FlockFrame) -> float:
    """The part of the boids that are outside the space, 0 to 1; nan for an empty flock."""
    if len(flock) == 0:
        return math.nan
    x, space = np.asarray(flock.positions), flock.space
    return float(((x < space.lower) | (x > space.upper)).any(axis=1).mean())


def in_right_half(flock: FlockFrame) -> float:
    """The part of the boids whose x is above the middle of the space, 0 to 1; nan for an empty
    flock."""
    if len(flock) == 0:
        return math.nan
    x, space = np.asarray(flock.positions), flock.space
    return float((x[:, 0] > (space.lower[0] + space.upper[0]) / 2).mean())


# statistics of all frames from `since` to `step`: name -> its collector, and the method for it
HISTORIES: dict[str, tuple[type[Accumulator], Callable[[Any], float]]] = {
    "turn_speed": (Turning, lambda turning: float(turning.speed())),
    "turn_exponent": (Turning, lambda turning: float(turning.exponent())),
    "turned": (Turning, lambda turning: float(turning.responders())),
    "arrived": (Arriving, Arriving.arrived),
    "closest_approach": (Approaching, Approaching.closest),
}
OWN: dict[str, Statistic] = {
    "velocity_spread": velocity_spread,
    "heading_along_x": heading_along_x,
    "outside": outside,
    "in_right_half": in_right_half,
    "correlation_length_by_extent": correlation_length_by_extent,
    "speed_correlation_length_by_extent": speed_correlation_length_by_extent,
    "middle_aspect_ratio": middle_aspect_ratio,
    "thin_along_z": thin_along_z,
    "steepness": steepness,
    "nearest_anisotropy": nearest_anisotropy,
    "seventh_anisotropy": seventh_anisotropy,
}


# why measures of a kind that is not 'number' cannot be expected
REASONS = {
    "curve": "is a curve",
    "word": "is a word",
    "frames": "is taken over many frames at once",
    "per animal": "is one number per animal",
    "hunt": "is of a hunt, and needs to know who the predators are",
}


def find(name: str) -> Statistic:
    """The statistic of that name. Raises ModelError if there is none, or it is not one number a
    frame, or needs an option."""
    if name in OWN:
        return OWN[name]
    numbers = {
        key: m.function for key, m in MEASURES.items() if m.kind == "number" and not m.required
    }
    if name in numbers:
        return numbers[name]
    if name not in MEASURES:
        raise ModelError(format_unknown("measure", name, {*numbers, *OWN, *HISTORIES}))
    found = MEASURES[name]
    options = ", ".join(found.required)
    reason = REASONS.get(found.kind, f"needs an option ({options}), which cannot be given here")
    raise ModelError(
        f"{name} {reason}: it must be a measure that is one number a frame, such as 'polarization'"
    )


def is_history(name: str) -> bool:
    """Whether a statistic is one number a run, not one a frame."""
    return name in HISTORIES


def collector(name: str) -> tuple[Accumulator, Callable[[], float | np.ndarray]] | None:
    """What collects the frames of a run for a statistic of all of them, and what is then asked: the
    number of a history, the mean of a curve; None for a statistic that is one number a frame."""
    if name in HISTORIES:
        kind, ask = HISTORIES[name]
        history: Any = kind()
        return history, lambda: ask(history)
    if name in curves():
        mean = CurveMean(curves()[name])
        return mean, mean.mean
    return None


def curves() -> dict[str, Callable[[FlockFrame], Curve]]:
    """The measures that are a curve and need no option."""
    return {key: m.function for key, m in MEASURES.items() if m.kind == "curve" and not m.required}


def check_curve(name: str) -> None:
    """Raises ModelError if there is no curve of that name that needs no option."""
    if name not in curves():
        raise ModelError(
            f"{name} is none of the measures that a profile shows: {', '.join(sorted(curves()))}"
        )


def check(name: str) -> None:
    """Raises ModelError if there is no statistic of that name."""
    if not is_history(name):
        find(name)


def picked(frame: Frame, flock: str) -> FlockFrame:
    """A flock by name, or the boids of 'all' flocks in one. Raises ModelError for no such flock."""
    if flock in frame.flocks:
        return frame[flock]
    if flock != "all":
        raise ModelError(format_unknown("flock", flock, [*frame.flocks, "all"]))
    flocks = list(frame.flocks.values())
    return FlockFrame(
        name="all",
        ids=np.concatenate([f.ids for f in flocks]),
        positions=np.concatenate([f.positions for f in flocks]),
        velocities=np.concatenate([f.velocities for f in flocks]),
        perch_timers=np.concatenate([f.perch_timers for f in flocks]),
        space=frame.space,
    )
