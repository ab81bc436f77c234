"""Leadership: which boids follow others, from delays between their headings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.curve import Curve, empty_curve, ratio
from murmurate.measures.flock_data import headings_by_id
from murmurate.measures.limits import check_count, check_positive, format_value, is_number
from murmurate.measures.over_frames import accumulate_all, time_step
from murmurate.measures.registry import measure_over_frames

MAX_BOIDS = 2_000  # all pairs of which are compared
MIN_GAIN = 1e-9  # a correlation must be higher by this much to change the delay


@dataclass(frozen=True, eq=False)
class Delays:
    """Directional correlation delays of all pairs of boids.

    Attributes
    ----------
    ids : ndarray of shape (N,)
        Boids that were seen to move.
    delays : ndarray of shape (N, N)
        tau_ij in units of time: above 0 if j follows i; 0 on the diagonal, nan for a pair that is
        too weakly correlated.
    correlations : ndarray of shape (N, N)
        C_ij(tau_ij), -1 to 1; nan for a pair that was never seen at the same lag.
    """

    ids: np.ndarray
    delays: np.ndarray
    correlations: np.ndarray

    @property
    def lead(self) -> np.ndarray:
        """(N,) mean delay of each boid to the others, above 0 for leaders.

        nan for a boid that is correlated with no other.
        """
        others = np.isfinite(self.delays) & ~np.eye(len(self.ids), dtype=bool)
        return ratio(np.where(others, self.delays, 0.0).sum(axis=1), others.sum(axis=1))


def check_correlation(value: float, name: str) -> float:
    """Return `value`. Raise MeasureError unless it is a number from -1 to 1."""
    if not is_number(value) or not -1 <= value <= 1:
        raise MeasureError(f"{name}: got {format_value(value)}; expected a number from -1 to 1")
    return value


class Leadership:
    """Return the leadership hierarchy: the mean directional correlation delay of each boid.

    Boids are ranked from the strongest leader (largest delay) to the last follower. All delays are
    0 in a flock without leaders.

    reach: Largest delay, in units of time, as for `directional_delays`.
    min_correlation: Smallest correlation at which a pair counts, as for `directional_delays`.
    value: `count` is the number of boids that a boid is compared with. Without points also if no
        two boids are sufficiently correlated. `directional_delays` has the delay of each pair and
        the boid of each rank.

    Cost: O(N^2) per frame and lag.
    """

    def __init__(self, reach: float | None = None, min_correlation: float = 0.5) -> None:
        self.reach = reach if reach is None else check_positive(reach, "reach")
        self.min_correlation = check_correlation(min_correlation, "min_correlation")
        self.times: list[float] = []
        self.headings: list[tuple[np.ndarray, np.ndarray]] = []
        self.ids = np.empty(0, np.int64)  # all boids that were seen to move

    def add(self, flock: FlockFrame, time: float) -> None:
        check_count(len(flock), MAX_BOIDS, "leadership", "boids", "Take a part of them.")
        ids, headings = headings_by_id(flock)
        self.ids = np.union1d(self.ids, ids)
        advice = "Take fewer frames, or a part of the boids."
        check_count(len(self.ids), MAX_BOIDS, "leadership", "boids in all frames", advice)
        self.times.append(time)
        self.headings.append((ids, headings))

    def delays(self) -> Delays:
        """Return the delays of all pairs."""
        ids = self.ids
        n, frames = len(ids), len(self.headings)
        best = np.full((n, n), -np.inf)
        delays = np.zeros((n, n))
        if not n:
            return Delays(ids, delays, best)
        dims = max(u.shape[1] for _, u in self.headings)
        u, seen = np.zeros((frames, n, dims)), np.zeros((frames, n))
        for frame, (some_ids, headings) in enumerate(self.headings):
            rows = np.searchsorted(ids, some_ids)
            u[frame, rows], seen[frame, rows] = headings, 1.0
        dt = time_step(self.times)
        last = frames // 4 if self.reach is None else int(self.reach / dt + 1e-9)
        for lag in range(min(last, frames - 1) + 1):
            c = _correlations(u, seen, lag)
            transposed = c.T
            higher = np.maximum(c, transposed)
            better = higher > best + MIN_GAIN  # of equally good delays the shortest counts
            leads = better & (c > transposed + MIN_GAIN)
            follows = better & (transposed > c + MIN_GAIN)
            delays[better] = 0.0  # where neither leads
            delays[leads], delays[follows] = lag * dt, -lag * dt
            best[better] = higher[better]
        best[best == -np.inf] = np.nan
        return Delays(ids, np.where(best >= self.min_correlation, delays, np.nan), best)

    def result(self) -> Curve:
        delays = self.delays()
        finite = np.isfinite(delays.lead)
        lead, pairs = delays.lead[finite], np.isfinite(delays.delays).sum(axis=1)[finite] - 1.0
        if not len(lead):
            return empty_curve()
        # Of equal leads, but for rounding, the one with more pairs comes first, whatever its id.
        rounded = np.round(lead / max(np.abs(lead).max(), 1e-300), 12)
        order = np.lexsort((-pairs, -rounded))
        return Curve(np.arange(1.0, len(lead) + 1), lead[order], pairs[order])


def directional_delays(
    frames: Iterable[Frame | FlockFrame],
    *,
    reach: float | None = None,
    min_correlation: float = 0.5,
    flock: str | None = None,
) -> Delays:
    """Return the directional correlation delay of each pair of boids.

    tau_ij is the time lag t at which C_ij(t) = < u_i(s) . u_j(s + t) >_s is largest, with u_i the
    heading of boid i. Above 0: j takes up the heading of i later, and so follows it.
    tau_ji = -tau_ij.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        At equal intervals of time.
    reach : float, optional
        Largest lag, in units of time. The default is a quarter of the frames.
    min_correlation : float, default 0.5
        Smallest value of the largest correlation at which a pair counts, -1 to 1.
    flock : str, optional
        Name of the flock. The default is the largest one of the first frame.

    Returns
    -------
    Delays
        Its `lead`, the mean delay of each boid, is the hierarchy.

    Raises
    ------
    MeasureError
        For frames at unequal intervals, more than 2,000 boids in all frames, and invalid options.

    Notes
    -----
    Of equally good lags, as of boids that fly straight, the shortest counts. Lags are multiples of
    the time between frames. Cost: O(N^2) per frame and lag.

    Source: Nagy et al. 2010, doi:10.1038/nature08891.
    """
    return accumulate_all(Leadership(reach, min_correlation), frames, flock).delays()


leadership = measure_over_frames(
    Leadership,
    unit="time",
    bounds="any",
    across="rank, leaders first",
    definition="a boid's mean over others of the lag at which u_i(s) . u_j(s + t) is largest",
    source="Nagy et al. 2010",
    slow=True,
    equal_steps=True,
    min_boids=2,
    missing="no two boids are seen at the same lag",
)


def _correlations(u: np.ndarray, seen: np.ndarray, lag: int) -> np.ndarray:
    """Return (N, N) the mean over frames s of u_i(s) . u_j(s + lag); -inf without frames.

    u : (frames, N, D) headings
    seen : (frames, N) 1 for a boid that is seen, else 0
    """
    frames, n, dims = u.shape
    earlier, later = u[: frames - lag], u[lag:]
    sums = np.zeros((n, n))
    for axis in range(dims):
        sums += earlier[:, :, axis].T @ later[:, :, axis]
    pairs = seen[: frames - lag].T @ seen[lag:]
    means = np.full((n, n), -np.inf)
    np.divide(sums, pairs, out=means, where=pairs > 0)
    return means
