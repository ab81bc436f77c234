"""Leadership: who follows whom, by the delay with which a boid takes up another one's heading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.curve import Curve, no_curve, ratio
from murmurate.measures.headings import headings_by_id
from murmurate.measures.limits import MeasureError, at_most, is_number, positive, shown
from murmurate.measures.over_frames import collect, shown_all, time_step
from murmurate.measures.registry import measure

NAGY = "10.1038/nature08891"
MOST = 2_000  # boids of which all pairs are compared
CLEARLY = 1e-9  # by so much a correlation must be higher to be at another delay


@dataclass(frozen=True, eq=False)
class Delays:
    """Who follows whom.

    ids           (N,) the boids that were seen to fly
    delays        (N, N) tau_ij in units of time: above 0 where j follows i; 0 on the diagonal, nan
                  where a pair is too little alike
    correlations  (N, N) C_ij(tau_ij), -1 to 1; nan where two were never seen at the same lag
    """

    ids: np.ndarray
    delays: np.ndarray
    correlations: np.ndarray

    @property
    def lead(self) -> np.ndarray:
        """(N,) the mean delay of a boid to the others, above 0 for leaders; nan for one that is
        like no other."""
        others = np.isfinite(self.delays) & ~np.eye(len(self.ids), dtype=bool)
        return ratio(np.where(others, self.delays, 0.0).sum(axis=1), others.sum(axis=1))


class DirectionalDelays:
    """Keeps the headings of all frames, and compares them at the end."""

    def __init__(self, reach: float | None = None, least: float = 0.5) -> None:
        self.reach = reach if reach is None else positive(reach, "reach")
        if not is_number(least) or not -1 <= least <= 1:
            raise MeasureError(f"least is {shown(least)}: it must be a number from -1 to 1")
        self.least = least
        self.times: list[float] = []
        self.seen: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        at_most(len(flock), MOST, f"delays of {len(flock):,} boids", "Take a part of them.")
        self.times.append(time)
        self.seen.append(headings_by_id(flock))

    def delays(self) -> Delays:
        ids = np.unique(np.concatenate([ids for ids, _ in self.seen] or [np.empty(0, np.int64)]))
        n, frames = len(ids), len(self.seen)
        best = np.full((n, n), -np.inf)
        at = np.zeros((n, n))
        if not n:
            return Delays(ids, at, best)
        dims = max(u.shape[1] for _, u in self.seen)
        u, known = np.zeros((frames, n, dims)), np.zeros((frames, n))
        for frame, (some, headings) in enumerate(self.seen):
            rows = np.searchsorted(ids, some)
            u[frame, rows], known[frame, rows] = headings, 1.0
        dt = time_step(self.times)
        last = frames // 4 if self.reach is None else int(self.reach / dt + 1e-9)
        for lag in range(min(last, frames - 1) + 1):
            c = _correlations(u, known, lag)
            back = c.T
            higher = np.maximum(c, back)
            better = higher > best + CLEARLY  # so of equally good delays it is the shortest
            ahead, behind = better & (c > back + CLEARLY), better & (back > c + CLEARLY)
            at[better] = 0.0  # where neither is ahead
            at[ahead], at[behind] = lag * dt, -lag * dt
            best[better] = higher[better]
        best[best == -np.inf] = np.nan
        return Delays(ids, np.where(best >= self.least, at, np.nan), best)

    def result(self) -> Curve:
        found = self.delays()
        lead = np.sort(found.lead[np.isfinite(found.lead)])[::-1]
        if not len(lead):
            return no_curve()
        pairs = np.isfinite(found.delays).sum(axis=1) - 1.0
        order = np.argsort(-np.where(np.isfinite(found.lead), found.lead, -np.inf), kind="stable")
        return Curve(np.arange(1.0, len(lead) + 1), lead, pairs[order][: len(lead)])


def directional_delays(
    frames: Iterable[Frame | FlockFrame],
    *,
    reach: float | None = None,
    least: float = 0.5,
    flock: str | None = None,
) -> Delays:
    """The directional correlation delay tau_ij of each pair: the time lag t at which
    C_ij(t) = < u_i(s) . u_j(s + t) >_s is largest, u_i the heading of boid i. Above 0: j takes up
    the heading of i, and so follows it; tau_ji = -tau_ij.

    frames  at equal times, of one flock; of `Frame`s, the largest flock is taken
    reach   the largest lag, in units of time; a quarter of the frames unless given
    least   a pair counts where its largest correlation is at least this; 0.5 unless given
    flock   the name of another flock

    Returns Delays, whose `lead` is the hierarchy: each boid's mean delay. Of lags that are equally
    good, as of boids that fly straight, the shortest is taken. The lags are as fine as the frames
    are close. Cost: O(N^2) a frame and lag. Raises MeasureError where frames are not at equal
    times, for more than 2,000 boids, and for options that are not allowed.

    Source: Nagy et al. 2010, doi:10.1038/nature08891.
    """
    return shown_all(DirectionalDelays(reach, least), frames, flock).delays()


@measure(
    "frames",
    unit="time",
    across="rank, leaders first",
    bounds="any",
    definition="a boid's mean over others of the lag at which u_i(s) . u_j(s + t) is largest",
    source=NAGY,
    slow=True,
    collector=DirectionalDelays,
)
def leadership(
    frames: Iterable[Frame | FlockFrame],
    *,
    reach: float | None = None,
    least: float = 0.5,
    flock: str | None = None,
) -> Curve:
    """The hierarchy of a flock: the mean directional correlation delay of each boid to the others,
    in units of time, from the foremost leader (largest) to the last follower; all 0 where nobody
    leads.

    Returns a Curve over ranks; `count` is the number of others that a boid is compared with.
    Without points where no two boids are enough alike. `directional_delays` says which boid is
    which, and has the delay of each pair; options, cost and errors are as there.

    Source: Nagy et al. 2010, doi:10.1038/nature08891.
    """
    return collect(DirectionalDelays(reach, least), frames, flock)


def _correlations(u: np.ndarray, known: np.ndarray, lag: int) -> np.ndarray:
    """(N, N) mean over frames s of u_i(s) . u_j(s + lag); -inf where there are none."""
    frames, n, dims = u.shape
    now, later = u[: frames - lag], u[lag:]
    sums = np.zeros((n, n))
    for axis in range(dims):
        sums += now[:, :, axis].T @ later[:, :, axis]
    pairs = known[: frames - lag].T @ known[lag:]
    found = np.full((n, n), -np.inf)
    np.divide(sums, pairs, out=found, where=pairs > 0)
    return found
