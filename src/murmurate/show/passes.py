"""Draw passes: additional pictures with the depth and the motion of each pixel.

Compositing programs use them to add fog, focus and motion blur. Edges are hard: a pixel belongs to
the nearest boid at its centre. Values have 16 bits.

depth
    One channel: distance along the axis of the camera, in a unit that is constant in the film;
    65535 for the background and beyond.
motion
    Red and green: pixels to the right and up that the boid moved since the previous picture, as
    32768 + 64 per pixel. Blue: 65535 for boids, 0 elsewhere.
labels
    No picture, but a zip file with boxes and visibility of boids; see show/labels.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.jit import njit
from murmurate.show.flock_painter import FlockPainter, PlacedBoids
from murmurate.show.labels import Labels, label_boids
from murmurate.show.projection import Array, Perspective
from murmurate.show.shutter import Shutter, Snapshot, movement, project_before

PASSES = ("depth", "motion", "labels")
MAX_VALUE = 65535
REST, PER_PIXEL = 32768, 64  # motion: value of no motion, and values per pixel
MAX_DEPTH = 4.0  # relative to the distance of the camera in the first picture


def check_passes(passes: Sequence[str], dims: int) -> None:
    """Raise ModelError for an unknown pass, or one that a space of `dims` dimensions has not."""
    if isinstance(passes, str):
        raise ModelError(
            f"passes: got the text {passes!r}; expected a list such as ['depth', 'motion']"
        )
    for name in passes:
        if name not in PASSES:
            raise ModelError(f"passes: got {name!r}; expected depth, motion or labels")
        if passes.count(name) > 1:
            raise ModelError(f"passes: got {name} twice; expected each pass once")
        if name == "depth" and dims == 2:
            raise ModelError("passes: got depth; a 2-D flock has no depth. Use motion")


class PassPainter:
    """Draw the passes of the pictures of a film.

    notes  meaning of the values of each pass; complete after the first picture
    """

    def __init__(self, passes: Sequence[str]) -> None:
        self._passes = passes
        self._unit: float | None = None
        self.notes: dict[str, str] = {}

    def draw(
        self, closing: Snapshot, shutter: Shutter,
        placed: Iterable[tuple[FlockPainter, PlacedBoids]], solid: Array | None,
    ) -> Mapping[str, Any]:  # fmt: skip
        """Return the passes by name: uint16 pictures, (H, W) or (H, W, 3), or Labels.

        closing  the frame and projection of the picture
        shutter  knows the previous picture
        solid  (H, W) depth of obstacles, length units; inf in pixels without obstacles
        """
        projection = closing.projection
        size = projection.height, projection.width
        depth = np.full(size, np.inf, np.float32) if solid is None else solid.astype(np.float32)
        shift = np.zeros((*size, 2), np.float32)
        mask = np.zeros(size, np.bool_)
        placed = list(placed)
        count = sum(len(boids.flock) for _, boids in placed)
        owner, latest = (np.full(size, -1, np.int32) for _ in range(2))
        covered, boxes = np.zeros(count, np.int64), np.zeros((count, 4))
        first = 0
        for painter, boids in placed:
            z = boids.screen.depth
            z = np.zeros(len(boids.flock), np.float32) if z is None else z
            moved = self._moved(closing, shutter, boids) if "motion" in self._passes else None
            moved = np.zeros((len(boids.flock), 2), np.float32) if moved is None else moved
            for rows, x, y in painter.triangles(boids):
                centres = boids.screen.x[rows], boids.screen.y[rows]
                x, y = x.astype(np.float32), y.astype(np.float32)
                ends = [corners.min(axis=(1, 2)) for corners in (x, y, -x, -y)]
                boxes[first + rows] = np.stack(ends, axis=1) * [1, 1, -1, -1]
                _cover(
                    x, y, *centres, z[rows], moved[rows], depth, shift, mask,
                    first + rows, owner, latest, covered,
                )  # fmt: skip
            first += len(boids.flock)
        pictures: dict[str, Any] = {}
        if "depth" in self._passes:
            assert isinstance(projection, Perspective)
            if self._unit is None:
                self._unit = MAX_DEPTH * projection.distance / MAX_VALUE
                self.notes["depth"] = f"one unit of depth is {self._unit:.9g} length units"
            pictures["depth"] = _to_uint16(depth / self._unit)
        if "motion" in self._passes:
            self.notes["motion"] = f"motion is {REST} + {PER_PIXEL} a pixel, right and up"
            occupied = np.where(mask, MAX_VALUE, 0).astype(np.uint16)
            pictures["motion"] = np.dstack([_to_uint16(REST + PER_PIXEL * shift), occupied])
        if "labels" in self._passes:
            visible = np.bincount(owner[owner >= 0], minlength=count)
            boxes = np.clip(boxes, 0, [projection.width, projection.height] * 2)
            pixels = np.stack([covered, visible], axis=1)
            rows, frame = label_boids([boids for _, boids in placed], boxes, pixels), closing.frame
            pictures["labels"] = Labels(frame.step, frame.time, list(frame.flocks), rows)
            self.notes["labels"] = ""
        return {name: pictures[name] for name in self._passes}

    def _moved(self, closing: Snapshot, shutter: Shutter, boids: PlacedBoids) -> Array | None:
        """Return (N, 2) pixels right and up since the previous picture; None in the first one."""
        if shutter.before is None:
            return None
        frame, projection = shutter.before
        displacement, _ = movement(frame.flocks.get(boids.flock.name), boids.flock)
        old = project_before(boids.rows, displacement, projection, closing.projection)
        shift = np.stack([boids.screen.x - old.x, old.y - boids.screen.y], axis=1)
        return np.nan_to_num(shift).astype(np.float32)


def _to_uint16(values: Array) -> Array:
    return np.clip(np.rint(values), 0, MAX_VALUE).astype(np.uint16)


@njit(cache=True, nogil=True, error_model="numpy")
def _cover(  # type: ignore[no-untyped-def]
    x, y, centre_x, centre_y, z, moved, depth, shift, mask, numbers, owner, latest, covered
):
    """Write boids to the planes in the pixels where they are nearest, and count their pixels.

    They cover triangles x, y (K, T, 3), and the pixel of their centre, because boids may be smaller
    than a pixel.
    """
    height, width = depth.shape
    for i in range(len(x)):
        if not (abs(centre_x[i]) < 1e9 and abs(centre_y[i]) < 1e9):
            continue
        u, v = int(np.floor(centre_x[i])), int(np.floor(centre_y[i]))
        if 0 <= u < width and 0 <= v < height:
            _put(i, u, v, z, moved, depth, shift, mask, numbers, owner, latest, covered)
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
                    _put(i, u, v, z, moved, depth, shift, mask, numbers, owner, latest, covered)


@njit(cache=True, nogil=True)
def _put(  # type: ignore[no-untyped-def]
    i, u, v, z, moved, depth, shift, mask, numbers, owner, latest, covered
):
    number = numbers[i]
    if latest[v, u] != number:
        latest[v, u] = number
        covered[number] += 1
    if z[i] <= depth[v, u]:
        depth[v, u], owner[v, u] = z[i], number
        shift[v, u, 0], shift[v, u, 1] = moved[i, 0], moved[i, 1]
        mask[v, u] = True
