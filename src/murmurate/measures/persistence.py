"""Persistence: how long boids keep their neighbours and their headings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.curve import Curve
from murmurate.measures.displacement import DIFFUSION
from murmurate.measures.headings import headings_by_id
from murmurate.measures.limits import whole
from murmurate.measures.neighbours import nearest
from murmurate.measures.over_frames import collect
from murmurate.measures.registry import measure
from murmurate.measures.time_lags import TimeLagged
from murmurate.measures.valid_rows import valid_rows


class NeighbourOverlap(TimeLagged):
    """The share of neighbours kept, by time lag."""

    def __init__(self, origins: int = 16, k: int = 7) -> None:
        super().__init__(origins)
        self.k = whole(k, "k")

    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        flock = valid_rows(flock, "positions")
        if len(flock) <= self.k:
            return flock.ids[:0], np.empty((0, self.k), dtype=np.int64)
        return flock.ids, flock.ids[nearest(flock, self.k)[1]]

    def compare(self, old: Any, new: Any, a: Any, b: Any) -> np.ndarray:
        before, now = old[a], new[b]
        kept = np.zeros(len(before))
        for column in now.T:
            kept += (before == column[:, None]).any(axis=1)
        return kept / self.k


class HeadingAutocorrelation(TimeLagged):
    """Agreement with one's own earlier heading, by time lag."""

    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        return headings_by_id(flock)

    def compare(self, old: Any, new: Any, a: Any, b: Any) -> np.ndarray:
        return np.einsum("ij,ij->i", old[a], new[b])


@measure(
    "frames",
    unit="1",
    across="time lag, time",
    bounds="0 to 1",
    definition="share of a boid's k nearest at time s that are among its k nearest at s + t",
    source=DIFFUSION,
    collector=NeighbourOverlap,
)
def neighbour_overlap(
    frames: Iterable[Frame | FlockFrame],
    *,
    origins: int = 16,
    k: int = 7,
    flock: str | None = None,
) -> Curve:
    """Q_k(t): the share of a boid's k nearest neighbours at time s that are among its k nearest at
    s + t, averaged over boids and moments s (no unit). 1 at t = 0; k/(N - 1) when all is mixed.

    frames, origins, flock  as for `mean_squared_displacement`
    k                       how many neighbours

    Returns a Curve over time lags; without points where no frame has more than k boids. Neighbours
    that are not seen count as lost. Cost: O(N k (log N + origins k)) a frame.

    Source: Cavagna et al. 2013, doi:10.1098/rspb.2012.2484.
    """
    return collect(NeighbourOverlap(origins, k), frames, flock)


@measure(
    "frames",
    unit="1",
    across="time lag, time",
    bounds="-1 to 1",
    definition="mean over boids and moments s of u_i(s) . u_i(s + t), u_i the heading",
    collector=HeadingAutocorrelation,
)
def heading_autocorrelation(
    frames: Iterable[Frame | FlockFrame], *, origins: int = 16, flock: str | None = None
) -> Curve:
    """< u_i(s) . u_i(s + t) > over boids and moments s, u_i the heading (no unit): 1 at t = 0, and
    for straight flight. A boid that turns at random in 2-D with rotational diffusion d has exp(-d
    t).

    frames, origins, flock  as for `mean_squared_displacement`

    Returns a Curve over time lags; without points where no boid flies. A boid that stands still is
    left out while it does. Cost: O(N origins) a frame.
    """
    return collect(HeadingAutocorrelation(origins), frames, flock)
