"""Waves: how fast a turn, or an escape, spreads through a flock."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.errorbars import fit_inverse_slope
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import common_rows, valid_rows
from murmurate.measures.limits import check_positive, format_value
from murmurate.measures.registry import measure_over_frames
from murmurate.neighbours.periodic import displacements

MIN_DISTANCE = 2.0  # nearest-neighbour distances from the first responder; nearer, there is no wave


class Wave(ABC):
    """Stores when each boid of the first frame responds, and how strongly.

    If several boids respond first in the same frame, the one that responds most is the origin.
    """

    def __init__(self) -> None:
        self.first: FlockFrame | None = None
        self.times = np.empty(0)
        self.strength = np.empty(0)

    @abstractmethod
    def strengths(
        self, first: FlockFrame, old: np.ndarray, flock: FlockFrame, new: np.ndarray
    ) -> np.ndarray:
        """Return (n,) responses, above 0 for boids that respond.

        They are in rows `new` of a frame, `old` of the first one.
        """

    def add(self, flock: FlockFrame, time: float) -> None:
        """Process a frame. The first one in which boids are seen is the one before the wave."""
        flock = valid_rows(flock)
        if self.first is None:
            if len(flock):
                self.first = flock
                self.times, self.strength = np.full((2, len(flock)), np.nan)
            return
        old, new = common_rows(self.first.ids, flock.ids)
        strength = self.strengths(self.first, old, flock, new)
        starts = (strength > 0.0) & np.isnan(self.times[old])
        self.times[old[starts]], self.strength[old[starts]] = time, strength[starts]

    def arrivals(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (n,) distances from the origin and (n,) times since the first response.

        Boids that have not responded, and those next to the origin, are left out.
        """
        if self.first is None or not np.isfinite(self.times).any():
            return np.empty(0), np.empty(0)
        earliest = self.times == np.nanmin(self.times)
        origin = int(np.argmax(np.where(earliest, self.strength, -np.inf)))
        x = self.first.positions
        distances = np.linalg.norm(displacements(x, x[origin], self.first.space), axis=1)
        nearest = np.partition(distances, 1)[1] if len(distances) > 1 else 0.0
        times = self.times - self.times[origin]
        used = np.isfinite(times) & (distances >= MIN_DISTANCE * nearest)
        used &= (times > 0.0) & (distances > 0.0)
        return distances[used], times[used]

    def speed(self) -> Estimate:
        """Return the speed of the wave: one over the slope of times over distances."""
        return fit_inverse_slope(*self.arrivals())

    def exponent(self) -> Estimate:
        """Return the power of time with which the wave's distance grows."""
        distances, times = self.arrivals()
        return fit_inverse_slope(np.log(distances), np.log(times))

    def responders(self) -> Estimate:
        """Return the fraction of the first frame's boids that responded, with a binomial error."""
        n = len(self.times)
        share = float(np.isfinite(self.times).mean()) if n else math.nan
        error = math.sqrt(share * (1 - share) / n) if n else math.nan
        return Estimate(share, error, float(n), "share", short=not n)


class VelocityWave(Wave):
    """Boids respond by a change of their velocities."""

    @abstractmethod
    def response(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Return (n,) responses, above 0 for boids that respond.

        before, after : (n, D) velocities in the first and in the current frame
        """

    def strengths(
        self, first: FlockFrame, old: np.ndarray, flock: FlockFrame, new: np.ndarray
    ) -> np.ndarray:
        return self.response(
            np.asarray(first.velocities, np.float64)[old],
            np.asarray(flock.velocities, np.float64)[new],
        )


class Turning(VelocityWave):
    """A boid responds when its heading differs by more than an angle from its first one."""

    def __init__(self, angle: float = 0.05) -> None:
        super().__init__()
        if check_positive(angle, "angle") >= math.pi:
            raise MeasureError(f"angle: got {format_value(angle)}; expected less than pi (radians)")
        self.angle = angle

    def response(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        cosines = np.ones(len(after))  # a boid at rest has not turned
        np.divide(np.einsum("nd,nd->n", before, after), lengths, out=cosines, where=lengths > 0)
        return math.cos(self.angle) - cosines


class Escaping(VelocityWave):
    """A boid responds when it is faster by a factor than in the first frame."""

    def __init__(self, gain: float = 1.5) -> None:
        super().__init__()
        if check_positive(gain, "gain") <= 1.0:
            raise MeasureError(f"gain: got {format_value(gain)}; expected a number above 1")
        self.gain = gain

    def response(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        return np.linalg.norm(after, axis=1) - self.gain * np.linalg.norm(before, axis=1)


class TurnSpeed(Turning):
    """Return the speed at which a turn spreads through the flock.

    The slope is that of the least-squares line through the times at which boids begin to turn, over
    their distances in the first frame from the boid that turns first.

    angle: A boid begins to turn when its heading differs by more than this from the first frame.
        Radians, above 0 and below pi.
    value: With the error of the slope. Distant boids turn later if the slope is above three of its
        standard errors.
    source: There: turns ranked by their time.

    Distances are to the nearest image on periodic axes. Those below two nearest-neighbour distances
    of the first boid are left out.
    """

    result = Wave.speed


class TurnExponent(Turning):
    """Return the power of time with which the distance covered by a turn grows.

    The exponent is that of a straight line through the logarithms.

    angle: Change of heading in radians, as for `turn_speed`.
    value: 1 for a wave, 1/2 for diffusion.
    """

    result = Wave.exponent


class Turned(Turning):
    """Return the fraction of the boids that turn.

    A boid of the first frame turns if its heading differs, in any frame, by more than an angle from
    its heading in the first frame.

    angle: Change of heading in radians, as for `turn_speed`.
    """

    result = Wave.responders


class EscapeSpeed(Escaping):
    """Return the speed at which an escape wave spreads through the flock.

    As `turn_speed`, for boids that accelerate.

    gain: A boid startles when its speed exceeds that in the first frame by this factor, above 1.
    source: There: escape waves. The threshold is specific to this function.
    """

    result = Wave.speed


class Escaped(Escaping):
    """Return the fraction of the boids that startle.

    A boid of the first frame startles if, in any frame, its speed exceeds that in the first frame
    by the factor `gain`.

    gain: Factor of the speed, above 1, as for `escape_speed`.
    """

    result = Wave.responders


TURN: dict[str, Any] = {"source": "Attanasi et al. 2014a", "event": True}
ESCAPE: dict[str, Any] = {"source": "Herbert-Read et al. 2015", "event": True}
ARRIVAL: dict[str, Any] = {
    "min_boids": 3, "missing": "distant boids do not turn later than near ones",
}  # fmt: skip
"""Fields that measures share."""
turn_speed = measure_over_frames(
    TurnSpeed,
    unit="length/time",
    bounds="above 0",
    definition="1 / slope of the time at which a boid turns over its distance from the first",
    **TURN,
    **ARRIVAL,
)


turn_exponent = measure_over_frames(
    TurnExponent,
    bounds="above 0",
    definition="a in: distance covered by a turn ~ time^a",
    **TURN,
    **ARRIVAL,
)


turned = measure_over_frames(
    Turned,
    bounds="0 to 1",
    definition="share of the boids that have turned by more than an angle",
    **TURN,
)


escape_speed = measure_over_frames(
    EscapeSpeed,
    unit="length/time",
    bounds="above 0",
    definition="1 / slope of the time at which a boid startles over its distance from the first",
    **ESCAPE,
    **ARRIVAL,
)


escaped = measure_over_frames(
    Escaped,
    bounds="0 to 1",
    definition="share of the boids that became faster than in the first frame by a factor",
    **ESCAPE,
)
