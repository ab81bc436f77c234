"""Waves: how fast a turn, or an escape, spreads through a flock."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.errorbars import fit_inverse_slope
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import common_rows, valid_rows
from murmurate.measures.limits import check_positive, format_value
from murmurate.measures.over_frames import collect
from murmurate.measures.registry import measure
from murmurate.neighbours.periodic import displacements

ATTANASI, HERBERT_READ = "10.1038/nphys3035", "10.1098/rsos.140355"
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
    result = Wave.speed


class TurnExponent(Turning):
    result = Wave.exponent


class Turned(Turning):
    result = Wave.responders


class EscapeSpeed(Escaping):
    result = Wave.speed


class Escaped(Escaping):
    result = Wave.responders


@measure(
    "frames",
    unit="length/time",
    bounds="above 0",
    definition="1 / slope of the time at which a boid turns over its distance from the first",
    source=ATTANASI,
    event=True,
    collector=TurnSpeed,
    min_boids=3,
    missing="distant boids do not turn later than near ones",
)
def turn_speed(
    frames: Iterable[Frame | FlockFrame], *, angle: float = 0.05, flock: str | None = None
) -> Estimate:
    """Return the speed at which a turn spreads through the flock.

    One over the slope of the least-squares line through the times at which boids begin to turn,
    over their distances in the first frame from the boid that turns first.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        Starting with the frame before the turn.
    angle : float, default 0.05
        A boid begins to turn when its heading differs by more than this from the first frame.
        Radians, above 0 and below pi.
    flock : str, optional
        Name of the flock. The default is the largest one of the first frame.

    Returns
    -------
    Estimate
        In units of speed, with the error of the slope. nan for fewer than three boids, or if more
        distant boids do not turn later: if the slope is not above three of its standard errors.

    Raises
    ------
    MeasureError
        For an invalid angle.

    Notes
    -----
    Distances are to the nearest image on periodic axes. Those below two nearest-neighbour distances
    of the first boid are left out.

    Source: turns ranked by their time in Attanasi et al. 2014, doi:10.1038/nphys3035.
    """
    return collect(TurnSpeed(angle), frames, flock)


@measure(
    "frames",
    unit="1",
    bounds="above 0",
    definition="a in: distance covered by a turn ~ time^a",
    source=ATTANASI,
    event=True,
    collector=TurnExponent,
    min_boids=3,
    missing="distant boids do not turn later than near ones",
)
def turn_exponent(
    frames: Iterable[Frame | FlockFrame], *, angle: float = 0.05, flock: str | None = None
) -> Estimate:
    """Return the power of time with which the distance covered by a turn grows.

    The exponent a of distance ~ time^a, by a straight line through the logarithms.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        Starting with the frame before the turn.
    angle, flock
        As for `turn_speed`.

    Returns
    -------
    Estimate
        1 for a wave, 1/2 for diffusion (no unit). nan as for `turn_speed`.

    Raises
    ------
    MeasureError
        For an invalid angle.

    Notes
    -----
    Source: Attanasi et al. 2014, doi:10.1038/nphys3035.
    """
    return collect(TurnExponent(angle), frames, flock)


@measure(
    "frames",
    unit="1",
    bounds="0 to 1",
    definition="share of the boids that have turned by more than an angle",
    source=ATTANASI,
    event=True,
    collector=Turned,
)
def turned(
    frames: Iterable[Frame | FlockFrame], *, angle: float = 0.05, flock: str | None = None
) -> Estimate:
    """Return the fraction of the boids that turn.

    A boid of the first frame turns if its heading differs, in any frame, by more than an angle from
    its heading in the first frame.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        Starting with the frame before the turn.
    angle, flock
        As for `turn_speed`.

    Returns
    -------
    Estimate
        0 to 1 (no unit); nan if no boid is seen.

    Raises
    ------
    MeasureError
        For an invalid angle.

    Notes
    -----
    Source: turns are tracked as in doi:10.1038/nphys3035.
    """
    return collect(Turned(angle), frames, flock)


@measure(
    "frames",
    unit="length/time",
    bounds="above 0",
    definition="1 / slope of the time at which a boid startles over its distance from the first",
    source=HERBERT_READ,
    event=True,
    collector=EscapeSpeed,
    min_boids=3,
    missing="distant boids do not turn later than near ones",
)
def escape_speed(
    frames: Iterable[Frame | FlockFrame], *, gain: float = 1.5, flock: str | None = None
) -> Estimate:
    """Return the speed at which an escape wave spreads through the flock.

    As `turn_speed`, for boids that accelerate.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        Starting with the frame before the escape.
    gain : float, default 1.5
        A boid startles when its speed exceeds that in the first frame by this factor, above 1.
    flock : str, optional
        Name of the flock. The default is the largest one of the first frame.

    Returns
    -------
    Estimate
        In units of speed. nan as for `turn_speed`.

    Raises
    ------
    MeasureError
        Unless `gain` is above 1.

    Notes
    -----
    Source: of escape waves, Herbert-Read et al. 2015, doi:10.1098/rsos.140355. The threshold is
    specific to this function.
    """
    return collect(EscapeSpeed(gain), frames, flock)


@measure(
    "frames",
    unit="1",
    bounds="0 to 1",
    definition="share of the boids that became faster than in the first frame by a factor",
    source=HERBERT_READ,
    event=True,
    collector=Escaped,
)
def escaped(
    frames: Iterable[Frame | FlockFrame], *, gain: float = 1.5, flock: str | None = None
) -> Estimate:
    """Return the fraction of the boids that startle.

    A boid of the first frame startles if, in any frame, its speed exceeds that in the first frame
    by the factor `gain`.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        Starting with the frame before the escape.
    gain, flock
        As for `escape_speed`.

    Returns
    -------
    Estimate
        0 to 1 (no unit); nan if no boid is seen.

    Raises
    ------
    MeasureError
        Unless `gain` is above 1.

    Notes
    -----
    Source: see doi:10.1098/rsos.140355.
    """
    return collect(Escaped(gain), frames, flock)
