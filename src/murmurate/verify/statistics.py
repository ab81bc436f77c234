"""Statistics that expectations and figures may name: measures, and a few that only they need."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from murmurate.errors import MeasureError, ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures import MEASURES
from murmurate.measures.arrays import of_arrays
from murmurate.measures.clusters import largest_cluster
from murmurate.measures.correlation import Of, correlation_length, group_susceptibility
from murmurate.measures.curve import Curve
from murmurate.measures.flock_data import unit_vectors
from murmurate.measures.neighbour_directions import anisotropy
from murmurate.measures.neighbour_distances import minimum_distance
from murmurate.measures.order import milling
from murmurate.measures.over_frames import Accumulator
from murmurate.measures.shape import extent, shape
from murmurate.measures.traits import centre_trait_correlation, front_trait_correlation
from murmurate.measures.waves import Turning
from murmurate.model.messages import format_unknown
from murmurate.verify.population_statistics import POPULATION_STATISTICS

Statistic = Callable[[FlockFrame], float]

CORRELATION_BINS = 20  # wide: neighbours that repel each other must not be alone in the first
ARRIVAL_RADIUS = 10.0
"""Length units. A flock has arrived if its centre is closer to the origin."""


# --- one number per frame


def relative_milling(flock: FlockFrame) -> float:
    """Return the milling of velocities relative to the mean velocity of the flock, 0 to 1.

    As Wang et al. 2025 define it, doi:10.1098/rsos.240885: a group that moves and rotates counts as
    a mill, and a school that does not rotate has a value near 0 wherever its centre is.
    """
    velocities = flock.velocities - flock.velocities.mean(axis=0)
    return milling(of_arrays(flock.positions, velocities))


def velocity_spread(flock: FlockFrame) -> float:
    """Return the largest difference of two velocities, max_ij |v_i - v_j|.

    Unit: speed. 0 for equal velocities; nan for an empty flock. Cost: O(N^2).
    """
    if len(flock) == 0:
        return math.nan
    velocities = np.asarray(flock.velocities, dtype=np.float64)
    return float(max(np.linalg.norm(velocities - v, axis=1).max() for v in velocities))


def heading_along_x(flock: FlockFrame) -> float:
    """Return the cosine of the angle between the mean velocity and the x axis, -1 to 1.

    nan for a mean velocity of zero.
    """
    mean = np.asarray(flock.velocities, dtype=np.float64).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return float(mean[0]) / length if length > 0.0 else math.nan


def velocity_along_x(flock: FlockFrame) -> float:
    """Return the mean component of the velocities along the x axis, of either sign.

    Unit: speed. nan for an empty flock.
    """
    return float(np.mean(flock.velocities[:, 0], dtype=np.float64)) if len(flock) else math.nan


def speed_along_heading(flock: FlockFrame) -> float:
    """Return the mean component of velocities along the headings that `active-brownian` keeps.

    Unit: speed. The speed of self-propulsion, less what boids in the way take from it: v(density)
    of Fily and Marchetti 2012, doi:10.1103/PhysRevLett.108.235702. nan for an empty flock and for
    another motion.
    """
    if len(flock) == 0 or "motion.heading_x" not in flock.state_names:
        return math.nan
    velocities = np.asarray(flock.velocities, dtype=np.float64)
    headings = [flock.per_boid(f"motion.heading_{axis}") for axis in "xyz"[: velocities.shape[1]]]
    return float((velocities * np.stack(headings, axis=1)).sum(axis=1).mean())


def outside(flock: FlockFrame) -> float:
    """Return the share of boids outside the space, 0 to 1; nan for an empty flock."""
    if len(flock) == 0:
        return math.nan
    x, space = np.asarray(flock.positions), flock.space
    return float(((x < space.lower) | (x > space.upper)).any(axis=1).mean())


def in_right_half(flock: FlockFrame) -> float:
    """Return the share of boids in the upper half of the x axis; nan for an empty flock."""
    if len(flock) == 0:
        return math.nan
    x, space = np.asarray(flock.positions), flock.space
    return float((x[:, 0] > (space.lower[0] + space.upper[0]) / 2).mean())


def correlation_length_by_extent(flock: FlockFrame, of: Of = "velocity") -> float:
    """Return `correlation_length` divided by `extent` (no unit).

    Equal in flocks of all sizes if correlations are scale-free. nan if there is no correlation
    length. Source: Cavagna et al. 2010, doi:10.1073/pnas.1005766107.
    """
    length = extent(flock)
    if not length > 0.0:
        return math.nan
    return correlation_length(flock, of=of, bins=CORRELATION_BINS) / length


def middle_aspect_ratio(flock: FlockFrame) -> float:
    """Return the middle axis of a 3-D flock divided by its shortest, 1 or more (no unit).

    sqrt(e_2 / e_3), of the eigenvalues of the gyration tensor. nan in 2-D and for an empty flock.
    """
    ratios = shape(flock).ratios
    return float(ratios[1]) if len(ratios) == 2 else math.nan


def thin_along_z(flock: FlockFrame) -> float:
    """Return | a . z |, with a the shortest axis of the flock and z the last axis of space.

    0 to 1 (no unit): 1 for a horizontal flock. Starlings fly in flocks that are thin along
    gravity: Ballerini et al. 2008, doi:10.1016/j.anbehav.2008.02.004.
    """
    return float(abs(shape(flock).axes[-1, -1]))


def steepness(flock: FlockFrame) -> float:
    """Return | V . z |, with V the direction of the mean velocity and z the last axis of space.

    0 to 1 (no unit): 0 for level flight; nan for a mean velocity of zero.
    """
    mean = np.asarray(flock.velocities, dtype=np.float64).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return float(abs(mean[-1])) / length if length > 0.0 else math.nan


# --- one number per run


class Arrival:
    """Minimum distance of a flock's centre from the origin."""

    def __init__(self) -> None:
        self._distance = math.inf

    def add(self, flock: FlockFrame, time: float) -> None:
        """Add the flock at one moment."""
        if len(flock):
            centre = np.asarray(flock.positions, dtype=np.float64).mean(axis=0)
            self._distance = min(self._distance, float(np.linalg.norm(centre)))

    def arrived(self) -> float:
        """Return 1 if the centre came within `ARRIVAL_RADIUS`, else 0."""
        return 1.0 if self._distance < ARRIVAL_RADIUS else 0.0


class ClosestApproach:
    """Minimum distance of two boids in all frames."""

    def __init__(self) -> None:
        self._distance = math.inf

    def add(self, flock: FlockFrame, time: float) -> None:
        """Add the flock at one moment."""
        self._distance = min(self._distance, minimum_distance(flock))

    def distance(self) -> float:
        """Return the distance in length units; inf if no frame has two boids."""
        return self._distance


class MeanHeadingRotation:
    """Rotation of a flock's mean heading in the xy plane."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._angles: list[float] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        u, v = unit_vectors(flock.velocities)[:2].sum(axis=1)
        self._times.append(time)
        self._angles.append(math.atan2(v, u))

    def rate(self) -> float:
        """Return the angular velocity without its sign, in radians per time unit.

        From the first frame to the last. The heading must turn by less than pi between frames.
        """
        if len(self._times) < 2:
            return math.nan
        angles = np.unwrap(self._angles)
        return float(abs(angles[-1] - angles[0]) / (self._times[-1] - self._times[0]))


class CurveMean:
    """Mean of a curve over frames; frames without a curve do not count."""

    def __init__(self, curve: Callable[[FlockFrame], Curve]) -> None:
        self._curve = curve
        self._rows: list[np.ndarray] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        """Add the flock at one moment.

        Raises MeasureError for a curve with another number of bins than those before.
        """
        curve = self._curve(flock)
        if not len(curve):
            return
        if self._rows and len(curve) != len(self._rows[0]):
            raise MeasureError(
                f"{self._curve.__name__}: got curves of {len(self._rows[0])} and {len(curve)} bins "
                "in one run; expected equal bins to average. Its bins follow the number of boids, "
                "which changes: use another measure, or a flock that stays the same"
            )
        self._rows.append(curve.y)

    def mean(self) -> np.ndarray:
        """Return the mean per bin, (B,); nan in bins without a value in a frame.

        (0,) if no frame has a curve.
        """
        return np.mean(self._rows, axis=0) if self._rows else np.zeros(0)


# name -> accumulator of the frames from `since` to `step`, and the function for its result
RUN_STATISTICS: dict[str, tuple[type[Accumulator], Callable[[Any], float]]] = {
    "turn_speed": (Turning, lambda turning: float(turning.speed())),
    "turn_exponent": (Turning, lambda turning: float(turning.exponent())),
    "turned": (Turning, lambda turning: float(turning.responders())),
    "mean_heading_rotation": (MeanHeadingRotation, MeanHeadingRotation.rate),
    "arrived": (Arrival, Arrival.arrived),
    "closest_approach": (ClosestApproach, ClosestApproach.distance),
    **POPULATION_STATISTICS,
}
PLAIN = (
    velocity_spread, heading_along_x, velocity_along_x, speed_along_heading, outside, in_right_half,
    correlation_length_by_extent, middle_aspect_ratio, thin_along_z, steepness, relative_milling,
)  # fmt: skip
FRAME_STATISTICS: dict[str, Statistic] = {
    **{function.__name__: function for function in PLAIN},
    # measures with options
    "speed_correlation_length_by_extent": partial(correlation_length_by_extent, of="speed"),
    "speed_susceptibility": partial(group_susceptibility, of="speed", bins=60),
    "largest_touching_cluster": partial(largest_cluster, link=1.0),
    "nearest_anisotropy": partial(anisotropy, k=1, inner=True),
    "seventh_anisotropy": partial(anisotropy, k=7, inner=True),
    "speed_front_correlation": partial(front_trait_correlation, trait="motion.speed"),
    "speed_edge_correlation": partial(centre_trait_correlation, trait="motion.speed"),
}
# why an expectation cannot name a measure of a kind other than 'number'
REASONS = {
    "curve": "is a curve",
    "word": "is a word",
    "frames": "is taken over many frames at once",
    "per animal": "is one number per animal",
    "hunt": "is of a hunt, and needs to know who the predators are",
}


def frame_statistic(name: str) -> Statistic:
    """Return the function of a statistic that is one number per frame.

    Raises ModelError for an unknown name, and for a measure that is something else or needs an
    option.
    """
    if name in FRAME_STATISTICS:
        return FRAME_STATISTICS[name]
    numbers = {
        key: m.function for key, m in MEASURES.items() if m.kind == "number" and not m.required
    }
    if name in numbers:
        return numbers[name]
    if name not in MEASURES:
        raise ModelError(
            format_unknown("measure", name, {*numbers, *FRAME_STATISTICS, *RUN_STATISTICS})
        )
    measure = MEASURES[name]
    options = ", ".join(measure.required)
    reason = REASONS.get(measure.kind, f"needs an option ({options}), which cannot be given here")
    raise ModelError(
        f"{name} {reason}: it must be a measure that is one number a frame, such as 'polarization'"
    )


def is_run_statistic(name: str) -> bool:
    """Return True for a statistic that is one number per run."""
    return name in RUN_STATISTICS


def run_statistic(name: str) -> tuple[Accumulator, Callable[[], float | np.ndarray]] | None:
    """Return an accumulator of frames, and the function for its result after the last frame.

    The result is the number of a run, or the mean of a curve. None for a statistic that is one
    number per frame.
    """
    if name in RUN_STATISTICS:
        accumulator, result = RUN_STATISTICS[name]
        frames: Any = accumulator()
        return frames, lambda: result(frames)
    if name in curve_measures():
        curve = CurveMean(curve_measures()[name])
        return curve, curve.mean
    return None


def curve_measures() -> dict[str, Callable[[FlockFrame], Curve]]:
    """Return name -> function of the measures that are a curve and need no option."""
    return {key: m.function for key, m in MEASURES.items() if m.kind == "curve" and not m.required}


def check_curve(name: str) -> None:
    """Raise ModelError unless a profile can show the measure of that name."""
    if name not in curve_measures():
        expected = ", ".join(sorted(curve_measures()))
        raise ModelError(f"{name} is none of the measures that a profile shows: {expected}")


def check_statistic(name: str) -> None:
    """Raise ModelError for an unknown statistic, and for one that cannot be expected."""
    if not is_run_statistic(name):
        frame_statistic(name)


def select_flock(frame: Frame, flock: str) -> FlockFrame:
    """Return a flock by name, or the boids of 'all' flocks as one. Raises ModelError."""
    if flock in frame.flocks:
        return frame[flock]
    if flock != "all":
        raise ModelError(format_unknown("flock", flock, [*frame.flocks, "all"]))
    flocks = list(frame.flocks.values())
    names = (
        [name for name in flocks[0].traits if all(name in f.traits for f in flocks)]
        if flocks
        else []
    )
    return FlockFrame(
        name="all",
        ids=np.concatenate([f.ids for f in flocks]),
        positions=np.concatenate([f.positions for f in flocks]),
        velocities=np.concatenate([f.velocities for f in flocks]),
        perch_timers=np.concatenate([f.perch_timers for f in flocks]),
        space=frame.space,
        traits={name: np.concatenate([f.traits[name] for f in flocks]) for name in names},
        births=np.concatenate([f.births for f in flocks]),
        n_ever=sum(f.n_ever for f in flocks),
    )
