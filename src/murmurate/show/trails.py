"""Draw trails: the past path of each boid as a line that fades with age, also across seams."""

from __future__ import annotations

from collections import deque

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.show.canvas import Canvas, DepthTest, draw_lines
from murmurate.show.projection import Array, Perspective, Projection
from murmurate.show.shutter import find_ids

_BATCH = 200_000  # positions of boids per batch


class Trails:
    """The last displacements of one flock. Boids are identified by id, so their set may change."""

    def __init__(self, length: int) -> None:
        self._steps: deque[tuple[Array, Array]] = deque(maxlen=length)
        self._last: tuple[Array, Array] | None = None
        self._length = length

    def append(self, flock: FlockFrame) -> None:
        """Add the positions of the next frame."""
        positions = np.array(flock.positions.T, np.float64)
        if self._last is not None:
            ids, before = self._last
            moved = positions - _rows_of_ids(before, ids, flock.ids)
            moved = flock.space.minimum_image(moved.T).T
            self._steps.append((flock.ids, moved.astype(np.float32)))
        self._last = (flock.ids, positions)

    def draw(
        self,
        canvas: Canvas,
        projection: Projection,
        rows: Array,
        ids: Array,
        strength: Array,
        colour: Array,
        width: float,
        hidden: DepthTest | None = None,
    ) -> None:
        """Draw the trails of N boids.

        rows  (D, N) present offsets of the boids from the centre of the view, length units
        ids  (N,)
        strength  (N,) from 0 to 1
        colour  (N,)
        width  pixels
        hidden  hides the parts behind obstacles
        """
        steps = list(self._steps)[::-1]
        batch = max(1, _BATCH // max(1, rows.shape[1]))
        for first in range(0, len(steps), batch):
            back = np.stack(
                [_rows_of_ids(m, own, ids) for own, m in steps[first : first + batch]], 1
            )
            path = np.concatenate([rows[:, None], rows[:, None] - np.cumsum(back, axis=1)], axis=1)
            age = np.arange(first, first + path.shape[1]) / self._length
            fade = (0.9 * np.clip(1.0 - age, 0.0, 1.0) ** 1.2)[:, None] * strength
            self._draw_path(canvas, projection, path, fade, colour, width, hidden)
            rows = path[:, -1]

    def _draw_path(
        self,
        canvas: Canvas,
        projection: Projection,
        path: Array,
        fade: Array,
        colour: Array,
        width: float,
        hidden: DepthTest | None,
    ) -> None:
        """Draw a path of offsets (D, T + 1, N), newest first, with strengths `fade` (T + 1, N)."""
        begin, end = path[:, :-1], path[:, 1:]
        side = np.array(projection.wrap, np.float32)[:, None, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            tile = np.where(side > 0, np.round(path / side), 0.0) * side
        begin_tile, end_tile = tile[:, :-1], tile[:, 1:]
        fade0, fade1 = fade[:-1], fade[1:]
        colours = np.broadcast_to(colour, fade0.shape)
        inside = (begin_tile == end_tile).all(axis=0)
        pieces = [(begin - begin_tile, end - begin_tile, inside)]
        if not inside.all():
            # Split a line across a seam: one piece up to it, and one from the opposite face.
            run = end - begin
            with np.errstate(divide="ignore", invalid="ignore"):
                leave = (begin_tile + np.copysign(0.5 * side, run) - begin) / run
                enter = (end_tile - np.copysign(0.5 * side, run) - begin) / run
            crosses = begin_tile != end_tile
            leave = np.where(crosses, leave, 1.0).min(axis=0).clip(0.0, 1.0)
            enter = np.where(crosses, enter, 0.0).max(axis=0).clip(0.0, 1.0)
            pieces.append((begin - begin_tile, begin + leave * run - begin_tile, ~inside))
            pieces.append((begin + enter * run - end_tile, end - end_tile, ~inside))
        for a, b, chosen in pieces:
            start, stop = projection.project(a[:, chosen]), projection.project(b[:, chosen])
            near = None
            if isinstance(projection, Perspective) and hidden is not None:
                assert start.depth is not None and stop.depth is not None
                near = (1.0 / start.depth, 1.0 / stop.depth)
            draw_lines(
                canvas, (start.x, start.y), (stop.x, stop.y), (fade0[chosen], fade1[chosen]),
                colours[chosen], width, hidden if near is not None else None, near,
            )  # fmt: skip


def _rows_of_ids(rows: Array, ids: Array, new_ids: Array) -> Array:
    """Return (D, M) rows of ids (M,) in the order of new ids (N,), with nan for unknown ids."""
    if ids is new_ids or np.array_equal(ids, new_ids):
        return rows
    out = np.full((len(rows), len(new_ids)), np.nan, rows.dtype)
    present, columns = find_ids(ids, new_ids)
    out[:, present] = rows[:, columns]
    return out
