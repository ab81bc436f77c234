"""Passes: pictures beside a film's that say how far away, and how fast, what they show is.

They are for compositing programs, which add fog, focus and motion blur by them. Edges are hard: a
pixel belongs to the nearest boid at its middle. Numbers have 16 bits.

depth   one number: distance along the camera's axis, in a unit that is the same in the whole film;
        65535 where nothing is, and beyond
motion  red and green: pixels to the right and up that the boid moved since the picture before,
        32768 + 64 a pixel; blue 65535 where a boid is, else 0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numba import njit

from murmurate.errors import ModelError
from murmurate.show.flock_painter import FlockPainter, PlacedBoids
from murmurate.show.projection import Array, Perspective
from murmurate.show.shutter import Moment, Shutter, movement, place_before

PASSES = ("depth", "motion")
WHOLE = 65535
REST, PER_PIXEL = 32768, 64  # of motion
FAR = 4.0  # times the distance of the first picture's camera: where depth ends


def check_passes(passes: Sequence[str], dims: int) -> None:
    """Raises ModelError for a pass that there is not, or not of a space of so many dimensions."""
    if isinstance(passes, str):
        raise ModelError(f"passes: {passes!r} is text; give a list, such as ['depth', 'motion']")
    for name in passes:
        if name not in PASSES:
            raise ModelError(f"passes: {name!r} is none; there are {', '.join(PASSES)}")
        if passes.count(name) > 1:
            raise ModelError(f"passes: {name} is given twice")
        if name == "depth" and dims == 2:
            raise ModelError("passes: a flat flock has no depth; motion can be had of it")


class PassPainter:
    """Draws the passes of a film's pictures.

    notes  pass -> what its numbers mean, once a picture was drawn
    """

    def __init__(self, passes: Sequence[str]) -> None:
        self._passes = passes
        self._unit: float | None = None
        self.notes: dict[str, str] = {}

    def draw(
        self, now: Moment, shutter: Shutter, placed: Iterable[tuple[FlockPainter, PlacedBoids]],
        solid: Array | None,
    ) -> Mapping[str, Array]:  # fmt: skip
        """Pass -> its uint16 picture, (H, W) or (H, W, 3).

        solid  (H, W) how far away obstacles are
        """
        projection = now.projection
        size = projection.height, projection.width
        depth = np.full(size, np.inf, np.float32) if solid is None else solid.astype(np.float32)
        shift = np.zeros((*size, 2), np.float32)
        mask = np.zeros(size, np.bool_)
        for painter, boids in placed:
            away = boids.screen.depth
            away = np.zeros(len(boids.flock), np.float32) if away is None else away
            moved = self._moved(now, shutter, boids) if "motion" in self._passes else None
            moved = np.zeros((len(boids.flock), 2), np.float32) if moved is None else moved
            for some, x, y in painter.triangles(boids):
                here = boids.screen.x[some], boids.screen.y[some]
                x, y = x.astype(np.float32), y.astype(np.float32)
                _cover(x, y, *here, away[some], moved[some], depth, shift, mask)
        found = {}
        if "depth" in self._passes:
            assert isinstance(projection, Perspective)
            if self._unit is None:
                self._unit = FAR * projection.distance / WHOLE
                self.notes["depth"] = f"one unit of depth is {self._unit:.9g} length units"
            found["depth"] = np.clip(np.rint(depth / self._unit), 0, WHOLE).astype(np.uint16)
        if "motion" in self._passes:
            self.notes["motion"] = f"motion is {REST} + {PER_PIXEL} a pixel, right and up"
            both = np.clip(np.rint(REST + PER_PIXEL * shift), 0, WHOLE).astype(np.uint16)
            there = np.where(mask, WHOLE, 0).astype(np.uint16)
            found["motion"] = np.dstack([both, there])
        return {name: found[name] for name in self._passes}

    def _moved(self, now: Moment, shutter: Shutter, boids: PlacedBoids) -> Array | None:
        """(N, 2) pixels right and up since the picture before; None in the first one."""
        if shutter.before is None:
            return None
        frame, projection = shutter.before
        moved, _ = movement(frame.flocks.get(boids.flock.name), boids.flock)
        there = place_before(boids.rows, moved, projection, now.projection)
        shift = np.stack([boids.screen.x - there.x, there.y - boids.screen.y], axis=1)
        return np.nan_to_num(shift).astype(np.float32)


@njit(cache=True, nogil=True, error_model="numpy")
def _cover(x, y, middle_x, middle_y, away, moved, depth, shift, mask):  # type: ignore[no-untyped-def]
    """Writes boids to the planes where they are nearest: triangles x, y (K, T, 3), and the pixel of
    the boid itself, which may be smaller than one."""
    height, width = depth.shape
    for i in range(len(x)):
        if not (abs(middle_x[i]) < 1e9 and abs(middle_y[i]) < 1e9):
            continue
        u, v = int(np.floor(middle_x[i])), int(np.floor(middle_y[i]))
        if 0 <= u < width and 0 <= v < height:
            _put(i, u, v, away, moved, depth, shift, mask)
        for t in range(x.shape[1]):
            low, high = min(y[i, t]), max(y[i, t])
            if not (abs(low) < 1e9 and abs(high) < 1e9):
                continue
            for v in range(max(0, int(np.ceil(low - 0.5))), min(height, int(high + 0.5) + 1)):
                begin, end = np.inf, -np.inf
                for k in range(3):
                    j = (k + 1) % 3
                    if (y[i, t, k] <= v + 0.5) != (y[i, t, j] <= v + 0.5):
                        part = (v + 0.5 - y[i, t, k]) / (y[i, t, j] - y[i, t, k])
                        crossing = x[i, t, k] + part * (x[i, t, j] - x[i, t, k])
                        begin, end = min(begin, crossing), max(end, crossing)
                if not begin < end:
                    continue
                first = max(0, int(np.ceil(max(begin, -1.0) - 0.5)))
                for u in range(first, min(width, int(np.ceil(min(end, width + 1.0) - 0.5)))):
                    _put(i, u, v, away, moved, depth, shift, mask)


@njit(cache=True, nogil=True)
def _put(i, u, v, away, moved, depth, shift, mask):  # type: ignore[no-untyped-def]
    if away[i] <= depth[v, u]:
        depth[v, u] = away[i]
        shift[v, u, 0], shift[v, u, 1] = moved[i, 0], moved[i, 1]
        mask[v, u] = True
