"""Measures over time lags: mean squared displacement, neighbour overlap, heading autocorrelation.

Each compares frames with earlier ones, the origins, and averages by time lag.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, empty_curve, ratio
from murmurate.measures.flock_data import (
    common_rows,
    headings_by_id,
    nearest_neighbours,
    valid_rows,
)
from murmurate.measures.limits import check_integer
from murmurate.measures.over_frames import time_step
from murmurate.measures.registry import measure_over_frames
from murmurate.measures.unwrapping import LastSeen, Unwrapping

SEGMENT_BITS = 40  # bits of an id below the number of a path's segment


class TimeLagged(ABC):
    """Compares each frame with earlier ones, the origins, and averages by time lag.

    Subclasses define what is stored of an origin, and how two frames compare.

    origins  largest number of origins. They are equally spaced: when there are too many, every
        second one is dropped, so memory is bounded for runs of any length.
    """

    def __init__(self, origins: int = 16) -> None:
        self.max_origins = check_integer(origins, "origins")
        self.spacing = 1
        self.origins: list[tuple[int, np.ndarray, Any]] = []  # index of the frame, ids, snapshot
        self.times: list[float] = []
        # By lag: boids, sum of their values, squares about the origin's mean, origins.
        self.sums: list[np.ndarray] = []

    @abstractmethod
    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        """Return (n,) ids of the boids that take part, and their stored values."""

    @abstractmethod
    def compare(self, old: Any, new: Any, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return (n,) one number per boid. Rows a of `old` are the boids of rows b of `new`."""

    def add(self, flock: FlockFrame, time: float) -> None:
        """Compare the next frame with all origins."""
        index = len(self.times)
        self.times.append(time)
        ids, snapshot = self.snapshot(flock)
        self.sums.append(np.zeros(4))
        if index % self.spacing == 0:
            self.origins.append((index, ids, snapshot))
        while len(self.origins) > self.max_origins:
            self.spacing *= 2
            self.origins = [origin for origin in self.origins if origin[0] % self.spacing == 0]
        for origin, old_ids, old in self.origins:
            values = self.compare(old, snapshot, *common_rows(old_ids, ids))
            values = values[np.isfinite(values)]
            if len(values):
                squares = ((values - values.mean()) ** 2).sum()
                self.sums[index - origin] += [len(values), values.sum(), squares, 1.0]

    def result(self) -> Curve:
        """Return a Curve over time lags, starting at 0.

        Each boid counts once at each origin, so origins with many boids have more weight. The error
        takes the variance between boids from all origins together.
        """
        sums = np.array(self.sums)
        if not len(sums) or not sums[:, 0].any():
            return empty_curve()
        boids, total, squares, origins = sums.T
        lags = np.arange(len(sums))
        some = boids > 0
        y = np.full(len(sums), np.nan)
        error = y.copy()
        y[some] = total[some] / boids[some]
        # Overlapping stretches of a run are not independent.
        stretches = np.maximum((len(sums) - 1) / np.maximum(lags[some], 1), 1)
        independent = np.minimum(origins[some], stretches)
        variance = ratio(squares[some], boids[some] - origins[some])
        error[some] = np.sqrt(variance * origins[some] / boids[some] / independent)
        return Curve(x=lags * time_step(self.times), y=y, count=boids, error=error)


class UnwrappedPaths:
    """Unwraps positions: a path continues where a boid leaves a torus and enters opposite."""

    def __init__(self) -> None:
        self.unwrapping = Unwrapping()
        self.last: LastSeen | None = None
        self.path = np.empty((0, 2))  # unwrapped positions of the boids of `last`
        self.segments = np.empty(0, dtype=np.int64)  # how often the path of each has restarted
        self.previous_time = 0.0

    def follow(self, flock: FlockFrame, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return (N,) path ids and (N, D) points for the boids of a frame, all of them seen.

        A path continues from where the boid was last seen. If the boid may have travelled around
        the torus unseen, its path restarts under another id. `check` raises if frames are too far
        apart.
        """
        new = LastSeen.of(flock, time)
        path, segments = new.positions.copy(), np.zeros(len(flock), dtype=np.int64)
        if self.last is None:
            self.last, self.path, self.segments = new, path, segments
        else:
            old, a, b = self.last, *common_rows(self.last.ids, flock.ids)
            steps, certain = self.unwrapping.steps(
                old.take(a), flock.take(b), time, self.previous_time
            )
            path[b] = np.where(certain[:, None], self.path[a] + steps, path[b])
            segments[b] = self.segments[a] + ~certain
            self.last, self.path, self.segments = _merge_unseen(
                old, new, self.path, path, self.segments, segments
            )
        self.previous_time = time
        return flock.ids + (segments << SEGMENT_BITS), path

    def check(self) -> None:
        """Raise CoarseFramesError if a displacement was ambiguous; see `Unwrapping`."""
        self.unwrapping.check()


def _merge_unseen(
    old: LastSeen, new: LastSeen, old_path: np.ndarray, path: np.ndarray,
    old_segments: np.ndarray, segments: np.ndarray,
) -> tuple[LastSeen, np.ndarray, np.ndarray]:  # fmt: skip
    """Return the boids of a frame and those last seen before it, in order of their ids."""
    unseen = ~np.isin(old.ids, new.ids)
    if not unseen.any():
        return new, path, segments
    order = np.argsort(ids := np.concatenate([new.ids, old.ids[unseen]]))

    def merge(of_new: np.ndarray, of_old: np.ndarray) -> np.ndarray:
        return np.concatenate([of_new, of_old[unseen]])[order]

    images = None
    if new.images is not None and old.images is not None:
        images = merge(new.images, old.images)
    last = LastSeen(
        ids[order], merge(new.times, old.times), merge(new.positions, old.positions),
        merge(new.velocities, old.velocities), images,
    )  # fmt: skip
    return last, merge(path, old_path), merge(segments, old_segments)


class MeanSquaredDisplacement(TimeLagged):
    """Return the mean squared displacement over time lags.

    about: 'space', or 'flock', which subtracts the mean displacement of all boids and shows how
        they mix.
    value: Time lags begin at 0 (in frames, if they carry no time). Standard errors treat boids as
        independent, which flockmates are not.
    raises: CoarseFramesError, a MeasureError, if boids may have travelled around the torus unseen.
        `measure` then says which `every` would work.

    (v t)^2 for straight motion at speed v, 2 D d t for a random walk of diffusion constant d in D
    dimensions.

    On periodic axes paths are unwrapped. A boid takes the shorter way from one frame to the next if
    no boid can travel half a side in between, at the speed of the fastest boid of both frames.
    Otherwise velocities must show that all boids move straight on; if they do not, frames are too
    far apart. A boid that is unseen for so long that it may have travelled half a side counts as a
    new one. Image counts from a file are taken as they are.

    Cost: O(N origins) per frame.
    """

    def __init__(self, origins: int = 16, about: str = "space") -> None:
        super().__init__(origins)
        if about not in ("space", "flock"):
            raise MeasureError(f"about: got {about!r}; expected 'space' or 'flock'")
        self.about = about
        self.paths = UnwrappedPaths()

    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        return self.paths.follow(valid_rows(flock, "positions"), self.times[-1])

    def result(self) -> Curve:
        self.paths.check()
        return super().result()

    def compare(self, old: Any, new: Any, a: Any, b: Any) -> np.ndarray:
        moved = new[b] - old[a]
        if self.about == "flock" and len(moved):
            moved -= moved.mean(axis=0)
        return np.einsum("ij,ij->i", moved, moved)


mean_squared_displacement = measure_over_frames(
    MeanSquaredDisplacement,
    unit="length^2",
    across="time lag, time",
    definition="mean over boids and times s of |x_i(s + t) - x_i(s)|^2",
    source="Cavagna et al. 2013",
    equal_steps=True,
    missing="no boid is seen in two frames",
)


class NeighbourOverlap(TimeLagged):
    """Return the fraction of neighbours that stay the same over a time lag.

    The mean is over boids and times s. Only boids that are seen at both times count.

    value: 1 at t = 0, and k / (N - 1) once the flock is mixed.

    Cost: O(N k (log N + origins k)) per frame.
    """

    def __init__(self, origins: int = 16, k: int = 7) -> None:
        super().__init__(origins)
        self.k = check_integer(k, "k")

    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        flock = valid_rows(flock, "positions")
        return flock.ids, (flock, self._nearest(flock))

    def _nearest(self, flock: FlockFrame) -> np.ndarray:
        """Return (N, k) ids of the k nearest of each boid; (0, k) for k boids or fewer."""
        if len(flock) <= self.k:
            return np.empty((0, self.k), dtype=np.int64)
        return flock.ids[nearest_neighbours(flock, self.k)[1]]

    def compare(self, old: Any, new: Any, a: Any, b: Any) -> np.ndarray:
        before, after = (
            nearest if len(rows) == len(flock) else self._nearest(flock.take(rows))
            for (flock, nearest), rows in ((old, a), (new, b))
        )
        common = np.zeros(len(before))
        for column in after.T:
            common += (before == column[:, None]).any(axis=1)
        return common / self.k


neighbour_overlap = measure_over_frames(
    NeighbourOverlap,
    bounds="0 to 1",
    across="time lag, time",
    definition="share of a boid's k nearest at time s that are among its k nearest at s + t",
    source="Cavagna et al. 2013",
    equal_steps=True,
    min_boids="k",
)


class HeadingAutocorrelation(TimeLagged):
    """Return the autocorrelation of headings over time lags.

    value: 1 at t = 0 and for straight motion, exp(-d t) in 2-D for rotational diffusion of constant
        d. A boid is left out while it is at rest. Without points also if no boid moves.

    Cost: O(N origins) per frame.
    """

    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        return headings_by_id(flock)

    def compare(self, old: Any, new: Any, a: Any, b: Any) -> np.ndarray:
        return np.einsum("ij,ij->i", old[a], new[b])


heading_autocorrelation = measure_over_frames(
    HeadingAutocorrelation,
    bounds="-1 to 1",
    across="time lag, time",
    definition="mean over boids and times s of u_i(s) . u_i(s + t), u_i the heading",
    equal_steps=True,
    missing="no boid is seen in two frames",
)
