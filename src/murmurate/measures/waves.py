"""Waves: how fast a turn, or an escape, spreads through a flock."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.estimate import Estimate
from murmurate.measures.limits import MeasureError, positive, shown
from murmurate.measures.line_fit import inverse_slope
from murmurate.measures.over_frames import collect
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import displacements

TURNS, ESCAPES = "10.1038/nphys3035", "10.1098/rsos.140355"
# Nearest-neighbour distances: so near to the boid that is first, a wave has no shape yet.
NEAR = 2.0


class Wave(ABC):
    """When each boid of the first frame responds, and how far it was then from the one that is
    first; of several in one frame, the one that responds most."""

    def __init__(self) -> None:
        self.first: FlockFrame | None = None
        self.times = np.empty(0)
        self.strength = np.empty(0)

    @abstractmethod
    def response(self, before: np.ndarray, now: np.ndarray) -> np.ndarray:
        """(n,) of (n, D) velocities in the first frame and now: above 0 for boids that respond."""

    def add(self, flock: FlockFrame, time: float) -> None:
        """A frame: the first one in which boids are seen is the flock before the wave."""
        flock = valid_rows(flock)
        if self.first is None:
            if len(flock):
                self.first = flock
                self.times, self.strength = np.full((2, len(flock)), np.nan)
            return
        old = new = np.arange(len(flock))
        if not np.array_equal(self.first.ids, flock.ids):
            _, old, new = np.intersect1d(self.first.ids, flock.ids, return_indices=True)
        strength = self.response(
            np.asarray(self.first.velocities, np.float64)[old],
            np.asarray(flock.velocities, np.float64)[new],
        )
        fresh = (strength > 0.0) & np.isnan(self.times[old])
        self.times[old[fresh]], self.strength[old[fresh]] = time, strength[fresh]

    def arrivals(self) -> tuple[np.ndarray, np.ndarray]:
        """(distances, times since the first responded) of the boids that the wave has reached,
        those beside the first one left out."""
        if self.first is None or not np.isfinite(self.times).any():
            return np.empty(0), np.empty(0)
        earliest = self.times == np.nanmin(self.times)
        first = int(np.argmax(np.where(earliest, self.strength, -np.inf)))
        x = self.first.positions
        gaps = np.linalg.norm(displacements(x, x[first], self.first.space), axis=1)
        near = np.partition(gaps, 1)[1] if len(gaps) > 1 else 0.0
        times = self.times - self.times[first]
        far = np.isfinite(times) & (gaps >= NEAR * near) & (times > 0.0) & (gaps > 0.0)
        return gaps[far], times[far]

    def speed(self) -> Estimate:
        """How fast the wave goes: one over the slope of times over distances."""
        return inverse_slope(*self.arrivals())

    def exponent(self) -> Estimate:
        """The power of time with which its distance grows."""
        gaps, times = self.arrivals()
        return inverse_slope(np.log(gaps), np.log(times))

    def reached(self) -> Estimate:
        """The share of the first frame's boids that responded; its error as of so many draws."""
        n = len(self.times)
        share = float(np.isfinite(self.times).mean()) if n else math.nan
        error = math.sqrt(share * (1 - share) / n) if n else math.nan
        return Estimate(share, error, float(n), "share", short=not n)


class Turning(Wave):
    """A boid responds when its heading is more than an angle from what it was at first."""

    def __init__(self, angle: float = 0.05) -> None:
        super().__init__()
        if positive(angle, "angle") >= math.pi:
            raise MeasureError(f"angle is {shown(angle)}: it must be below pi")
        self.angle = angle

    def response(self, before: np.ndarray, now: np.ndarray) -> np.ndarray:
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(now, axis=1)
        cosines = np.ones(len(now))  # a boid that stands still has not turned
        np.divide(np.einsum("nd,nd->n", before, now), lengths, out=cosines, where=lengths > 0)
        return math.cos(self.angle) - cosines


class Escaping(Wave):
    """A boid responds when it is so many times as fast as at first."""

    def __init__(self, gain: float = 1.5) -> None:
        super().__init__()
        if positive(gain, "gain") <= 1.0:
            raise MeasureError(f"gain is {shown(gain)}: it must be above 1")
        self.gain = gain

    def response(self, before: np.ndarray, now: np.ndarray) -> np.ndarray:
        return np.linalg.norm(now, axis=1) - self.gain * np.linalg.norm(before, axis=1)


class TurnSpeed(Turning):
    result = Wave.speed


class TurnExponent(Turning):
    result = Wave.exponent


class Turned(Turning):
    result = Wave.reached


class EscapeSpeed(Escaping):
    result = Wave.speed


class Escaped(Escaping):
    result = Wave.reached


@measure(
    "frames",
    unit="length/time",
    bounds="above 0",
    definition="1 / slope of the time at which a boid turns over its distance from the first",
    source=TURNS,
    event=True,
    collector=TurnSpeed,
)
def turn_speed(
    frames: Iterable[Frame | FlockFrame], *, angle: float = 0.05, flock: str | None = None
) -> Estimate:
    """How fast a turn spreads through the flock, in units of speed: one over the slope of the
    straight line of least squares through the times at which boids begin to turn, over their
    distances in the first frame from the one that turns first. The error is that of the slope.

    A boid begins to turn when its heading is more than an angle from what it was in the first
    frame, so begin with the frame before the turn. Distances are to the nearest image on periodic
    axes; those below two nearest-neighbour distances of the first one are left out. nan where
    fewer than three boids are left, or where those farther away do not turn later: where the slope
    is not above three of its standard errors.

    frames  of one flock; of `Frame`s, the largest flock is taken
    angle   radians, 0.05 unless given
    flock   the name of another flock

    Raises MeasureError unless angle is above 0 and below pi.
    Source: turns ranked by their time in Attanasi et al. 2014, doi:10.1038/nphys3035.
    """
    return collect(TurnSpeed(angle), frames, flock)


@measure(
    "frames",
    unit="1",
    bounds="above 0",
    definition="a of: distance that a turn has gone ~ time^a",
    source=TURNS,
    event=True,
    collector=TurnExponent,
)
def turn_exponent(
    frames: Iterable[Frame | FlockFrame], *, angle: float = 0.05, flock: str | None = None
) -> Estimate:
    """The power of time with which the distance that a turn has gone grows (no unit): 1 for a wave,
    1/2 for diffusion. By a straight line through logarithms; see `turn_speed` for all else.

    Source: Attanasi et al. 2014, doi:10.1038/nphys3035.
    """
    return collect(TurnExponent(angle), frames, flock)


@measure(
    "frames",
    unit="1",
    bounds="0 to 1",
    definition="share of the boids that have turned by more than an angle",
    source=TURNS,
    event=True,
    collector=Turned,
)
def turned(
    frames: Iterable[Frame | FlockFrame], *, angle: float = 0.05, flock: str | None = None
) -> Estimate:
    """The share of the first frame's boids whose heading was, in any frame, more than an angle from
    what it was in the first (no unit). nan where none is seen. Options as for `turn_speed`.

    Source: as doi:10.1038/nphys3035 follows turns.
    """
    return collect(Turned(angle), frames, flock)


@measure(
    "frames",
    unit="length/time",
    bounds="above 0",
    definition="1 / slope of the time at which a boid startles over its distance from the first",
    source=ESCAPES,
    event=True,
    collector=EscapeSpeed,
)
def escape_speed(
    frames: Iterable[Frame | FlockFrame], *, gain: float = 1.5, flock: str | None = None
) -> Estimate:
    """How fast an escape wave spreads through the flock, in units of speed: as `turn_speed`, of
    boids that become faster.

    gain  a boid startles when it is so many times as fast as in the first frame; 1.5 unless given

    Raises MeasureError unless gain is above 1.
    Source: of escape waves, Herbert-Read et al. 2015, doi:10.1098/rsos.140355; the threshold is our
    choice.
    """
    return collect(EscapeSpeed(gain), frames, flock)


@measure(
    "frames",
    unit="1",
    bounds="0 to 1",
    definition="share of the boids that have become faster than at first by a factor",
    source=ESCAPES,
    event=True,
    collector=Escaped,
)
def escaped(
    frames: Iterable[Frame | FlockFrame], *, gain: float = 1.5, flock: str | None = None
) -> Estimate:
    """The share of the first frame's boids that were, in any frame, `gain` times as fast as in the
    first (no unit). nan where none is seen. Options as for `escape_speed`.

    Source: see doi:10.1098/rsos.140355.
    """
    return collect(Escaped(gain), frames, flock)
