"""Force maps: how boids speed up and turn, by where their neighbours are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.curve import Curve, binned, no_curve, ratio
from murmurate.measures.headings import unit
from murmurate.measures.limits import at_most, counted, positive, whole
from murmurate.measures.nearest import nearest_neighbour_distance
from murmurate.measures.neighbours import pairs_within
from murmurate.measures.over_frames import collect, shown_all, time_step
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import displacements

KATZ = "10.1073/pnas.1107583108"
REACH = 5.0  # nearest-neighbour distances, unless a reach is given


@dataclass(frozen=True, eq=False)
class ForceMap:
    """The mean acceleration of a boid by where a neighbour is.

    front     (B + 1,) edges of the distance ahead, from -reach (behind) to reach
    side      (C + 1,) edges of the distance to the left, from -reach (right) to reach; in 3-D,
              which has no left, of the distance to the side, from 0 to reach
    speeding  (B, C) mean acceleration along the heading; nan where no neighbour was
    turning   (B, C) to the left; in 3-D towards the side on which the neighbour is
    count     (B, C) how many pairs of a boid and a neighbour there were
    """

    front: np.ndarray
    side: np.ndarray
    speeding: np.ndarray
    turning: np.ndarray
    count: np.ndarray


class Forces:
    """Adds up accelerations by where neighbours are. An acceleration is that from the frame before
    to the frame after, so the frame in between is kept until the next one comes."""

    def __init__(self, reach: float | None = None, bins: int = 20) -> None:
        self.reach = reach if reach is None else positive(reach, "reach")
        self.bins = whole(bins, "bins", 2)
        at_most(self.bins, 1000, f"{counted(bins)} bins", "Give fewer.")
        self.before: FlockFrame | None = None
        self.now: FlockFrame | None = None
        self.times: list[float] = []
        self.dims = 2
        self.sums = np.zeros((5, 1, 1))  # pairs; speeding and turning, and the squares of them

    def add(self, flock: FlockFrame, time: float) -> None:
        flock = valid_rows(flock)
        self.times.append(time)
        if self.reach is None and len(flock) > 1:
            self.reach = REACH * nearest_neighbour_distance(flock) or None
        if self.before is not None and self.now is not None and self.reach is not None:
            self._count(self.before, self.now, flock)
        self.before, self.now = self.now, flock

    def edges(self, signed: bool = True) -> np.ndarray:
        assert self.reach is not None
        return np.linspace(-self.reach if signed else 0.0, self.reach, self.bins + 1)

    def _count(self, before: FlockFrame, now: FlockFrame, after: FlockFrame) -> None:
        assert self.reach is not None
        self.dims = now.space.dims
        away, heading, force = _pairs(before, now, after, self.reach)
        ahead = np.einsum("dp,dp->p", away, heading)
        speeding = np.einsum("dp,dp->p", force, heading)
        if self.dims == 2:
            left = np.stack([-heading[1], heading[0]])
        else:
            left = unit((away - ahead * heading).T)
        sideways = np.einsum("dp,dp->p", away, left)
        turning = np.einsum("dp,dp->p", force, left)
        edges = [self.edges(), self.edges(self.dims == 2)]
        weights = [np.ones(len(ahead)), speeding, turning, speeding**2, turning**2]
        sums = [np.histogram2d(ahead, sideways, edges, weights=w)[0] for w in weights]
        self.sums = self.sums + np.array(sums)

    def map(self) -> ForceMap:
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
        """The mean of speeding (1) or turning (2), over one axis (0 front, 1 side) of the map."""
        if self.sums.shape[1] != self.bins or not self.sums[0].any():
            return no_curve()
        step = 2 * time_step(self.times)
        sums, edges = self.sums, self.edges(axis == 0 or self.dims == 2)
        if axis == 1 and self.dims == 2:  # left and right are mirror images
            half = self.bins // 2
            signs = np.array([1.0, 1, -1, 1, 1])[:, None, None]
            sums = sums[:, :, self.bins - half :] + signs * sums[:, :, :half][:, :, ::-1]
            edges = edges[self.bins - half :]
        sums = sums.sum(axis=2 - axis)
        count, mean = sums[0], ratio(sums[which], sums[0])
        spread = np.maximum(ratio(sums[which + 2], count) - mean**2, 0.0)
        one = binned(edges, mean / step, count)
        error = np.sqrt(ratio(spread, count - 1)) / step
        return Curve(one.x, one.y, one.count, one.edges, error)


class Speeding(Forces):
    def result(self) -> Curve:
        return self.curve(1, 0)


class Turning(Forces):
    def result(self) -> Curve:
        return self.curve(2, 1)


def force_map(
    frames: Iterable[Frame | FlockFrame],
    *,
    reach: float | None = None,
    bins: int = 20,
    flock: str | None = None,
) -> ForceMap:
    """The mean acceleration of a boid, taken apart into speeding (along its heading) and turning
    (across it), by where a neighbour is, ahead or behind and to the left or right.

    The acceleration at a frame is (v of the next frame - v of the frame before) / (2 dt). Each pair
    of a boid and a neighbour within the reach counts once for either of them; what other neighbours
    do to it at the same time averages out only where they stand on all sides alike.

    frames  at equal times, of one flock; of `Frame`s, the largest flock is taken
    reach   the largest distance, ahead and to the side, in length units; five mean
            nearest-neighbour distances of the first frame unless given
    bins    how many along each axis, 2 or more
    flock   the name of another flock

    Returns a ForceMap; an empty one for fewer than three frames. Distances are to the nearest image
    on periodic axes. Boids that are not seen in all three frames, or stand still, have no force.
    Cost: O(N log N + pairs within 1.4 reach) a frame. Raises MeasureError where frames are not at
    equal times, above 30 million pairs, and for options that are not allowed.

    Source: Katz et al. 2011, doi:10.1073/pnas.1107583108.
    """
    return shown_all(Forces(reach, bins), frames, flock).map()


@measure(
    "frames",
    unit="length/time^2",
    across="distance ahead, length",
    bounds="any",
    definition="mean of a_i . u_i over neighbours at a distance ahead of i, a_i the acceleration",
    source=KATZ,
    slow=True,
    collector=Speeding,
)
def speeding_force(
    frames: Iterable[Frame | FlockFrame],
    *,
    reach: float | None = None,
    bins: int = 20,
    flock: str | None = None,
) -> Curve:
    """How much a boid speeds up, by how far ahead of it a neighbour is (below 0: behind): the mean
    of `force_map` over left and right. Above 0 ahead and below 0 behind where boids are drawn to
    each other, the other way round where they keep apart.

    Returns a Curve with standard errors that take pairs as independent, which those of neighbouring
    frames are not; without points for fewer than three frames, or where no two are near. Options,
    cost and errors raised are those of `force_map`.

    Source: Katz et al. 2011, doi:10.1073/pnas.1107583108.
    """
    return collect(Speeding(reach, bins), frames, flock)


@measure(
    "frames",
    unit="length/time^2",
    across="distance to the side, length",
    bounds="any",
    definition="mean acceleration across the heading, to the side where a neighbour is",
    source=KATZ,
    slow=True,
    collector=Turning,
)
def turning_force(
    frames: Iterable[Frame | FlockFrame],
    *,
    reach: float | None = None,
    bins: int = 20,
    flock: str | None = None,
) -> Curve:
    """How much a boid turns towards a neighbour, by how far that is to the side: above 0 towards
    it, below 0 away. The mean of `force_map` over front and behind, and over left and right, which
    are taken as mirror images: in 2-D there are half as many bins (rounded down).

    Returns a Curve; options and all else as for `speeding_force`.

    Source: Katz et al. 2011, doi:10.1073/pnas.1107583108.
    """
    return collect(Turning(reach, bins), frames, flock)


def _pairs(
    before: FlockFrame, now: FlockFrame, after: FlockFrame, reach: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(D, P) each of: the way from a boid to its neighbour, the boid's heading, and the change of
    its velocity over two steps of time."""
    ids = np.intersect1d(np.intersect1d(before.ids, now.ids), after.ids)
    change = np.full(now.positions.shape, np.nan)
    rows = [np.searchsorted(one.ids, ids) for one in (before, now, after)]
    change[rows[1]] = np.asarray(after.velocities, np.float64)[rows[2]]
    change[rows[1]] -= np.asarray(before.velocities, np.float64)[rows[0]]
    heading = unit(now.velocities)
    near = pairs_within(now, np.sqrt(2.0) * reach, "force map") if len(now) > 1 else None
    if near is None:
        return (np.empty((now.space.dims, 0)),) * 3
    i, j = np.concatenate([near, near[:, ::-1]]).T
    known = np.isfinite(change[:, 0]) & (heading != 0).any(axis=0)
    kept = known[i]
    i, j = i[kept], j[kept]
    away = displacements(now.positions[j], now.positions[i], now.space)
    return away.T, heading[:, i], change[i].T
