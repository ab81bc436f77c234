"""Force maps: how boids accelerate and turn, depending on where their neighbours are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.curve import Curve, binned_curve, empty_curve, ratio
from murmurate.measures.flock_data import pairs_within, unit_vectors, valid_rows
from murmurate.measures.limits import check_count, check_integer, check_positive
from murmurate.measures.neighbour_distances import nearest_neighbour_distance
from murmurate.measures.over_frames import accumulate_all, time_step
from murmurate.measures.registry import measure_over_frames
from murmurate.neighbours.periodic import displacements

REACH = 5.0  # default reach, in mean nearest-neighbour distances
MAX_BINS = 1000  # along each axis


@dataclass(frozen=True, eq=False)
class ForceMap:
    """Mean acceleration of a boid by the position of a neighbour.

    Attributes
    ----------
    front : ndarray of shape (B + 1,)
        Bin edges of the distance ahead, from -reach (behind) to reach.
    side : ndarray of shape (C + 1,)
        Bin edges of the distance to the left, from -reach (right) to reach. In 3-D, which has no
        left, of the distance to the side, from 0 to reach.
    speeding : ndarray of shape (B, C)
        Mean acceleration along the heading; nan in a bin without neighbours.
    turning : ndarray of shape (B, C)
        Mean acceleration to the left; in 3-D towards the neighbour's side.
    count : ndarray of shape (B, C)
        Number of pairs of a boid and a neighbour.
    """

    front: np.ndarray
    side: np.ndarray
    speeding: np.ndarray
    turning: np.ndarray
    count: np.ndarray


class Forces:
    """Sums accelerations by the positions of neighbours.

    The acceleration in a frame needs the frames before and after it, so each frame is stored until
    the next one arrives.
    """

    def __init__(self, reach: float | None = None, bins: int = 20) -> None:
        self.reach = reach if reach is None else check_positive(reach, "reach")
        self.bins = check_integer(bins, "bins", 2)
        check_count(self.bins, MAX_BINS, "bins", "", "Give fewer.")
        self.before: FlockFrame | None = None
        self.current: FlockFrame | None = None
        self.times: list[float] = []
        self.dims = 2
        self.sums = np.zeros((5, 1, 1))  # pairs; sums of speeding and turning; of their squares

    def add(self, flock: FlockFrame, time: float) -> None:
        flock = valid_rows(flock)
        self.times.append(time)
        if self.reach is None and len(flock) > 1:
            self.reach = REACH * nearest_neighbour_distance(flock) or None
        if self.before is not None and self.current is not None and self.reach is not None:
            self._add_pairs(self.before, self.current, flock)
        self.before, self.current = self.current, flock

    def edges(self, signed: bool = True) -> np.ndarray:
        """Return bin edges, from -reach (0 unless `signed`) to reach."""
        assert self.reach is not None
        return np.linspace(-self.reach if signed else 0.0, self.reach, self.bins + 1)

    def _add_pairs(self, before: FlockFrame, current: FlockFrame, after: FlockFrame) -> None:
        assert self.reach is not None
        self.dims = current.space.dims
        vectors, heading, force = _pairs(before, current, after, self.reach)
        front = np.einsum("dp,dp->p", vectors, heading)
        speeding = np.einsum("dp,dp->p", force, heading)
        if self.dims == 2:
            left = np.stack([-heading[1], heading[0]])
        else:
            left = unit_vectors((vectors - front * heading).T)
        side = np.einsum("dp,dp->p", vectors, left)
        turning = np.einsum("dp,dp->p", force, left)
        edges = [self.edges(), self.edges(self.dims == 2)]
        weights = [np.ones(len(front)), speeding, turning, speeding**2, turning**2]
        sums = [np.histogram2d(front, side, edges, weights=w)[0] for w in weights]
        self.sums = self.sums + np.array(sums)

    def map(self) -> ForceMap:
        """Return the force map; an empty one for fewer than three frames."""
        if self.sums.shape[1] != self.bins or self.reach is None:
            none = np.empty((0, 0))
            return ForceMap(np.empty(0), np.empty(0), none, none, none)
        step = 2 * time_step(self.times)
        count, speeding, turning, _, _ = self.sums
        return ForceMap(
            self.edges(),
            self.edges(self.dims == 2),
            ratio(speeding, count) / step,
            ratio(turning, count) / step,
            count,
        )

    def curve(self, which: int, axis: int) -> Curve:
        """Return the mean of speeding (1) or turning (2) along one axis (0 front, 1 side)."""
        if self.sums.shape[1] != self.bins or not self.sums[0].any():
            return empty_curve()
        step = 2 * time_step(self.times)
        sums, edges = self.sums, self.edges(axis == 0 or self.dims == 2)
        if axis == 1 and self.dims == 2:  # left and right are mirror images
            half = self.bins // 2
            signs = np.array([1.0, 1, -1, 1, 1])[:, None, None]
            sums = sums[:, :, self.bins - half :] + signs * sums[:, :, :half][:, :, ::-1]
            edges = edges[self.bins - half :]
        sums = sums.sum(axis=2 - axis)
        count, mean = sums[0], ratio(sums[which], sums[0])
        variance = np.maximum(ratio(sums[which + 2], count) - mean**2, 0.0)
        curve = binned_curve(edges, mean / step, count)
        error = np.sqrt(ratio(variance, count - 1)) / step
        return Curve(curve.x, curve.y, curve.count, curve.edges, error)


class SpeedingForce(Forces):
    """Return the acceleration along the heading, by the distance of a neighbour ahead.

    The mean of `force_map` over left and right. A negative distance is behind.

    reach: Largest distance ahead and to the side, as for `force_map`.
    bins: Number of bins of each distance, as for `force_map`.
    value: Above 0 ahead and below 0 behind if boids are attracted to each other, the reverse if
        they keep apart. Standard errors treat pairs as independent, which those of successive
        frames are not.
    """

    def result(self) -> Curve:
        return self.curve(1, 0)


class TurningForce(Forces):
    """Return the acceleration towards a neighbour's side, by its distance to the side.

    The mean of `force_map` over front and behind, and over left and right, which are treated as
    mirror images: in 2-D the curve has half as many bins (rounded down).

    reach: Largest distance ahead and to the side, as for `force_map`.
    bins: Number of bins of each distance, as for `force_map`.
    value: Above 0 towards the neighbour, below 0 away from it. Errors as for `speeding_force`.
    """

    def result(self) -> Curve:
        return self.curve(2, 1)


def force_map(
    frames: Iterable[Frame | FlockFrame],
    *,
    reach: float | None = None,
    bins: int = 20,
    flock: str | None = None,
) -> ForceMap:
    """Return the mean acceleration of a boid by the position of a neighbour.

    The acceleration has two components: speeding, along the heading, and turning, across it. The
    neighbour is ahead or behind, and to the left or right.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        At equal intervals of time.
    reach : float, optional
        Largest distance, ahead and to the side, in length units. The default is five mean
        nearest-neighbour distances of the first frame.
    bins : int, default 20
        Number of bins along each axis, from 2 to 1,000.
    flock : str, optional
        Name of the flock. The default is the largest one of the first frame.

    Returns
    -------
    ForceMap
        Empty for fewer than three frames. Boids that are not seen in all three frames, or are at
        rest, do not contribute.

    Raises
    ------
    MeasureError
        For frames at unequal intervals, above 30 million pairs, and for invalid options.

    Notes
    -----
    The acceleration in a frame is (v of the next frame - v of the previous frame) / (2 dt). Each
    pair of a boid and a neighbour within the reach counts once for either of them. The effect of
    other neighbours averages out only if they are distributed alike on all sides. Distances are to
    the nearest image on periodic axes. Cost: O(N log N + pairs within 1.4 reach) per frame.

    Source: Katz et al. 2011, doi:10.1073/pnas.1107583108.
    """
    return accumulate_all(Forces(reach, bins), frames, flock).map()


FORCE: dict[str, Any] = {
    "unit": "length/time^2", "bounds": "any", "source": "Katz et al. 2011", "slow": True,
    "equal_steps": True, "min_boids": 2,
    "missing": "no boid has a neighbour in three frames in a row",
}  # fmt: skip
"""Fields that both measures share."""
speeding_force = measure_over_frames(
    SpeedingForce,
    across="distance ahead, length",
    definition="mean of a_i . u_i over neighbours at a distance ahead of i, a_i the acceleration",
    **FORCE,
)


turning_force = measure_over_frames(
    TurningForce,
    across="distance to the side, length",
    definition="mean acceleration across the heading, towards the side of a neighbour",
    **FORCE,
)


def _pairs(
    before: FlockFrame, current: FlockFrame, after: FlockFrame, reach: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (D, P) arrays of pairs of a boid and a neighbour.

    The vector from the boid to the neighbour, the boid's heading, and the change of its velocity
    over two time steps.
    """
    ids = np.intersect1d(np.intersect1d(before.ids, current.ids), after.ids)
    change = np.full(current.positions.shape, np.nan)
    rows = [np.searchsorted(flock.ids, ids) for flock in (before, current, after)]
    change[rows[1]] = np.asarray(after.velocities, np.float64)[rows[2]]
    change[rows[1]] -= np.asarray(before.velocities, np.float64)[rows[0]]
    heading = unit_vectors(current.velocities)
    if len(current) < 2:
        return (np.empty((current.space.dims, 0)),) * 3
    pairs = pairs_within(current, np.sqrt(2.0) * reach, "force_map")
    i, j = np.concatenate([pairs, pairs[:, ::-1]]).T
    has_force = np.isfinite(change[:, 0]) & (heading != 0).any(axis=0)
    used = has_force[i]
    i, j = i[used], j[used]
    vectors = displacements(current.positions[j], current.positions[i], current.space)
    return vectors.T, heading[:, i], change[i].T
