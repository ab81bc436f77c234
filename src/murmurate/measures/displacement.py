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
from murmurate.measures.unwrapping import Seen, Unwrapping, common_rows, some_rows
from murmurate.measures.valid_rows import valid_rows

DIFFUSION = "10.1098/rspb.2012.2484"


class Unrolled:
    """Unwrapped positions: they continue where a boid leaves a torus at one side and enters at the
    other."""

    def __init__(self) -> None:
        self.unwrapping = Unwrapping()
        self.last: Seen | None = None
        self.path = np.empty((0, 2))  # of the boids of `last`
        self.parts = np.empty(0, dtype=np.int64)  # the same: how often a path has begun anew
        self.before = 0.0

    def follow(self, flock: FlockFrame, time: float) -> tuple[np.ndarray, np.ndarray]:
        """(N,) and (N, D): paths' ids and points, of boids that are all seen.

        A boid continues from where it was last seen. Where it may have gone round the torus unseen,
        its path begins anew, with another id. `check` raises where frames are too far apart.
        """
        new = Seen.of(flock, time)
        path, parts = new.positions.copy(), np.zeros(len(flock), dtype=np.int64)
        if self.last is None:
            self.last, self.path, self.parts = new, path, parts
        else:
            old, a, b = self.last, *common_rows(self.last.ids, flock.ids)
            steps, sure = self.unwrapping.steps(old.only(a), some_rows(flock, b), time, self.before)
            path[b] = np.where(sure[:, None], self.path[a] + steps, path[b])
            parts[b] = self.parts[a] + ~sure
            self.last, self.path, self.parts = _joined(old, new, self.path, path, self.parts, parts)
        self.before = time
        return flock.ids + (parts << PART), path

    def check(self) -> None:
        """Raises CoarseFramesError; see `Unwrapping`."""
        self.unwrapping.check()


PART = 40  # bits of an id below the number of a path's part


def _joined(
    old: Seen, new: Seen, old_path: np.ndarray, path: np.ndarray, old_parts: np.ndarray,
    parts: np.ndarray,
) -> tuple[Seen, np.ndarray, np.ndarray]:  # fmt: skip
    """Those that are seen now, and those that were seen before, in order of their ids."""
    gone = ~np.isin(old.ids, new.ids)
    if not gone.any():
        return new, path, parts
    order = np.argsort(ids := np.concatenate([new.ids, old.ids[gone]]))

    def both(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.concatenate([one, other[gone]])[order]

    images = None
    if new.images is not None and old.images is not None:
        images = both(new.images, old.images)
    seen = Seen(ids[order], both(new.times, old.times), both(new.positions, old.positions),
                both(new.velocities, old.velocities), images)  # fmt: skip
    return seen, both(path, old_path), both(parts, old_parts)


class Displacement(TimeLagged):
    """Squared displacements by time lag."""

    def __init__(self, origins: int = 16, about: str = "space") -> None:
        super().__init__(origins)
        if about not in ("space", "flock"):
            raise MeasureError(f"about is {about!r}: it must be 'space' or 'flock'")
        self.about = about
        self.unrolled = Unrolled()

    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        return self.unrolled.follow(valid_rows(flock, "positions"), self.times[-1])

    def result(self) -> Curve:
        self.unrolled.check()
        return super().result()

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
    dimensions. On periodic axes paths are unrolled. A boid is taken to have gone the shorter way
    from one frame to the next where no boid can go half a side in between, at the speed of the
    fastest of both frames. Where that is not certain, velocities must show that all fly straight
    on; else frames are too far apart. A boid that was not seen for so long that it may have gone
    half a side counts as another one. Images that a file counts are taken as they are.

    frames   at equal times, of one flock; of `Frame`s, the largest flock is taken
    origins  moments s that are kept, equally spaced; the memory is this many flocks
    about    'space', or 'flock': less the mean displacement of all boids (how they mix)
    flock    the name of another flock

    Returns a Curve over time lags from 0 (frames, where they carry no time), with standard errors
    that take boids as independent of each other, which boids that fly together are not. Without
    points where no boid is seen. Cost: O(N origins) a frame.
    Raises MeasureError where frames are not at equal times, and CoarseFramesError, a MeasureError,
    where boids may have gone round the torus unseen; `measure` then says which `every` would work.

    Source: for flocks, Cavagna et al. 2013, doi:10.1098/rspb.2012.2484.
    """
    return collect(Displacement(origins, about), frames, flock)
