"""Mean squared displacement: how far boids get in a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.curve import Curve
from murmurate.measures.limits import MeasureError
from murmurate.measures.over_frames import collect
from murmurate.measures.registry import measure
from murmurate.measures.time_lags import TimeLagged
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import displacements

DIFFUSION = "10.1098/rspb.2012.2484"


class Unrolled:
    """Unwrapped positions: they continue where a boid leaves a torus at one side and enters at the
    other."""

    def __init__(self) -> None:
        self.ids = np.empty(0, dtype=np.int64)
        self.last = self.path = np.empty((0, 2))

    def follow(self, flock: FlockFrame) -> np.ndarray:
        """(N, D) for boids that are all seen. A boid continues from where it was last seen."""
        new = np.array(flock.positions, dtype=np.float64)
        if not len(self.ids):
            self.ids, self.last, self.path = flock.ids, new, new.copy()
            return new.copy()
        if not np.array_equal(self.ids, flock.ids):
            everyone = np.union1d(self.ids, flock.ids)
            last = np.full((len(everyone), new.shape[1]), np.nan)
            path = last.copy()
            at = np.searchsorted(everyone, self.ids)
            last[at], path[at] = self.last, self.path
            self.ids, self.last, self.path = everyone, last, path
        rows = np.searchsorted(self.ids, flock.ids)
        gone = displacements(new, self.last[rows], flock.space)
        first = np.isnan(gone[:, 0])
        path = np.where(first[:, None], new, self.path[rows] + gone)
        self.last[rows], self.path[rows] = new, path
        return path


class Displacement(TimeLagged):
    """Squared displacements by time lag."""

    def __init__(self, origins: int = 16, about: str = "space") -> None:
        super().__init__(origins)
        if about not in ("space", "flock"):
            raise MeasureError(f"about is {about!r}: it must be 'space' or 'flock'")
        self.about = about
        self.unrolled = Unrolled()

    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        flock = valid_rows(flock, "positions")
        return flock.ids, self.unrolled.follow(flock)

    def compare(self, old: Any, new: Any, a: Any, b: Any) -> np.ndarray:
        gone = new[b] - old[a]
        if self.about == "flock" and len(gone):
            gone -= gone.mean(axis=0)
        return np.einsum("ij,ij->i", gone, gone)


@measure(
    "frames",
    unit="length^2",
    across="time lag, time",
    bounds="0 up",
    definition="mean over boids and moments s of |x_i(s + t) - x_i(s)|^2",
    source=DIFFUSION,
    collector=Displacement,
)
def mean_squared_displacement(
    frames: Iterable[Frame | FlockFrame],
    *,
    origins: int = 16,
    about: str = "space",
    flock: str | None = None,
) -> Curve:
    """MSD(t) = < |x_i(s + t) - x_i(s)|^2 > over boids i and moments s, in length units squared.

    (v t)^2 for straight flight at speed v, 2 D d t for a random walk of diffusion constant d in D
    dimensions. On periodic axes paths are unrolled: a boid is taken to have gone the shorter way
    from one frame to the next, so it must not go half the box in between, nor in a gap in which it
    is not seen.

    frames   at equal times, of one flock; of `Frame`s, the largest flock is taken
    origins  moments s that are kept, equally spaced; the memory is this many flocks
    about    'space', or 'flock': less the mean displacement of all boids (how they mix)
    flock    the name of another flock

    Returns a Curve over time lags from 0 (frames, where they carry no time), with standard errors
    that take boids as independent of each other, which boids that fly together are not. Without
    points where no boid is seen. Cost: O(N origins) a frame.
    Raises MeasureError where frames are not at equal times.

    Source: for flocks, Cavagna et al. 2013, doi:10.1098/rspb.2012.2484.
    """
    return collect(Displacement(origins, about), frames, flock)
