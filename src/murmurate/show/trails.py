"""Trails: past positions of each boid as lines that fade with age, also across periodic edges."""

from __future__ import annotations

from collections import deque

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.show.canvas import Canvas
from murmurate.show.depth_test import DepthTest
from murmurate.show.id_lookup import find_ids
from murmurate.show.lines import draw_lines
from murmurate.show.projection import Array, Perspective, Projection

_AT_ONCE = 200_000  # boid positions handled at a time


class Trails:
    """The last steps of one flock. Boids are known by their ids, so they may come and go."""

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
            for axis in np.flatnonzero(flock.space.periodic):
                side = flock.space.size[axis]
                moved[axis] -= side * np.round(moved[axis] / side)
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
        """Draw behind boids that are now at `rows` (D, N) offsets, each in its own colour."""
        steps = list(self._steps)[::-1]
        some = max(1, _AT_ONCE // max(1, rows.shape[1]))
        for first in range(0, len(steps), some):
            back = np.stack(
                [_rows_of_ids(m, own, ids) for own, m in steps[first : first + some]], 1
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
        """path: (D, T + 1, N) offsets, newest first; fade: (T + 1, N)."""
        begin, end = path[:, :-1], path[:, 1:]
        side = np.array(projection.wrap, np.float32)[:, None, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            tile = np.where(side > 0, np.round(path / side), 0.0) * side
        home, away = tile[:, :-1], tile[:, 1:]
        fade0, fade1 = fade[:-1], fade[1:]
        colours = np.broadcast_to(colour, fade0.shape)
        inside = (home == away).all(axis=0)
        pieces = [(begin - home, end - home, inside)]
        if not inside.all():
            # A line over the edge: one piece up to the edge, one on from the opposite edge.
            run = end - begin
            with np.errstate(divide="ignore", invalid="ignore"):
                leave = (home + np.copysign(0.5 * side, run) - begin) / run
                enter = (away - np.copysign(0.5 * side, run) - begin) / run
            crosses = home != away
            leave = np.where(crosses, leave, 1.0).min(axis=0).clip(0.0, 1.0)
            enter = np.where(crosses, enter, 0.0).max(axis=0).clip(0.0, 1.0)
            pieces.append((begin - home, begin + leave * run - home, ~inside))
            pieces.append((begin + enter * run - away, end - away, ~inside))
        for a, b, chosen in pieces:
            here, there = projection.project(a[:, chosen]), projection.project(b[:, chosen])
            near = None
            if isinstance(projection, Perspective) and hidden is not None:
                assert here.depth is not None and there.depth is not None
                near = (1.0 / here.depth, 1.0 / there.depth)
            draw_lines(
                canvas, (here.x, here.y), (there.x, there.y), (fade0[chosen], fade1[chosen]),
                colours[chosen], width, hidden if near is not None else None, near,
            )  # fmt: skip


def _rows_of_ids(rows: Array, ids: Array, wanted: Array) -> Array:
    """Columns of (D, M) rows that belong to the wanted ids (N,); nan where there was none."""
    if ids is wanted or np.array_equal(ids, wanted):
        return rows
    out = np.full((len(rows), len(wanted)), np.nan, rows.dtype)
    known, places = find_ids(ids, wanted)
    out[:, known] = rows[:, places]
    return out
