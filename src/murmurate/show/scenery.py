"""Draw the background of a picture: scenery, box, grid, obstacles and paths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from murmurate.frame import Frame
from murmurate.model.space import Space
from murmurate.model.view import View
from murmurate.show.canvas import Canvas, DepthTest, blend, draw_lines
from murmurate.show.landscape import Landscape
from murmurate.show.obstacles import draw_obstacles_2d, draw_obstacles_3d, edges_between
from murmurate.show.projection import Array, Orthographic, Perspective
from murmurate.show.scene import Line, WireLine
from murmurate.show.styles import STYLES

CELLS = 8  # of the ground grid along the longest side
GRID = {2: 0.12, 3: 0.2}  # strength of its lines
POLE, CABLE = 4.0, 1.6  # widths of poles and wires, pixels at 720 lines
DASHES = 45  # along the longest side of the space, with gaps of equal length


class Scenery:
    """Draw the background of each picture, cached while camera and obstacles do not move."""

    def __init__(
        self,
        view: View,
        space: Space,
        unit: float,
        paths: Sequence[Line] = (),
    ) -> None:
        self._style, self._box, self._unit = STYLES[view.style], view.box, unit
        self._followed = view.camera.follow == "flock"
        self._paths = [line for line in paths if not isinstance(line, WireLine)]
        self._wires = [np.array(line, float) for line in paths if isinstance(line, WireLine)]
        self._line = self._style.line if view.scenery == "none" else self._style.text
        self._landscape = Landscape(view, space)
        self._canvas = Canvas(*view.size, 1)
        self._key: object = None
        self._cached: tuple[Array, DepthTest | None] | None = None

    def draw(
        self, frame: Frame, projection: Orthographic | Perspective
    ) -> tuple[Array, DepthTest | None]:
        """Return a new (H, W, 3 or 4) uint8 picture, and the test for hidden pixels.

        The test is None in 2-D, and in 3-D without obstacles that hide anything.
        """
        key = (projection, frame.space, tuple(frame.obstacles.values()))
        if self._cached is not None and key == self._key:
            return self._cached[0].copy("K"), self._cached[1]
        picture, hidden = self._landscape.draw(projection), None
        if isinstance(projection, Perspective):
            hidden = self._draw_3d(picture, frame, projection)
        else:
            self._draw_2d(picture, frame, projection)
        # Cache it from its second use on, because a moving camera needs no copies.
        self._cached = (picture.copy("K"), hidden) if key == self._key else None
        self._key = key
        return picture, hidden

    def _draw_2d(self, picture: Array, frame: Frame, projection: Orthographic) -> None:
        draw_obstacles_2d(
            picture, projection, frame.obstacles.values(), self._style, 1.5 * self._unit
        )
        self._draw_paths(frame, projection, None)
        self._draw_box(frame, projection, None)
        self._composite(picture)

    def _draw_3d(self, picture: Array, frame: Frame, projection: Perspective) -> DepthTest | None:
        drawn = [(shape, shape.drawn(frame.space)) for shape in frame.obstacles.values()]
        sheets = [outline.lines for shape, outline in drawn if shape.unbounded]
        for lines in sheets:
            self._fill(picture, projection, lines[:, 0])
        solid = [outline for shape, outline in drawn if not (shape.unbounded or shape.encloses)]
        depth = draw_obstacles_3d(picture, projection, solid, self._style, self._followed)
        hidden = None if depth is None else DepthTest(depth)
        edges = [outline.lines for shape, outline in drawn if not shape.unbounded]
        for group, strength in ((sheets, 0.9), (edges, 0.5)):
            for lines in group:
                self._draw_lines(projection, lines, np.full((len(lines), 2), strength), hidden)
        self._draw_paths(frame, projection, hidden)
        self._draw_box(frame, projection, hidden)
        self._composite(picture)
        return hidden

    def _draw_paths(
        self,
        frame: Frame,
        projection: Orthographic | Perspective,
        hidden: DepthTest | None,
    ) -> None:
        """Draw paths as dashed lines, and wires with their poles."""
        ends = nearest_images(split_dashes(self._paths, max(frame.space.size)), projection)
        self._draw_lines(projection, ends, np.ones((len(ends), 2)), hidden)
        for line in self._wires:
            ends = nearest_images(np.stack([line[:-1], line[1:]], axis=1), projection)
            for part, width in ((ends[[0, -1]], POLE), (ends[1:-1], CABLE)):
                self._draw_lines(projection, part, np.ones((len(part), 2)), hidden, width, 1)

    def _composite(self, picture: Array) -> None:
        """Composite all lines at once, because this scans the whole raster."""
        self._canvas.composite(picture, np.array([self._line, self._style.flocks[0]]))

    def _draw_box(
        self, frame: Frame, projection: Orthographic | Perspective, hidden: DepthTest | None
    ) -> None:
        """Draw the edges of the space, and a grid on its floor.

        Around a followed flock, edges of open axes are left out, because it crosses them, and all
        edges of a periodic space, because the box would jump.
        """
        if not self._box:
            return
        space, centred = frame.space, self._centred(frame, projection)
        if space.dims == 3 or not centred:
            self._draw_ground(space, projection, hidden, centred)
        if any(projection.wrap) and not centred:
            return
        closed = np.array([boundary != "open" for boundary in space.boundaries])
        edges = np.array(edges_between(space.lower, space.upper))
        edges = edges[((edges[:, 0] == edges[:, 1]) & (closed | centred)).any(axis=1)]
        strength = np.full((len(edges), 2), 0.55)
        if isinstance(projection, Perspective) and len(edges):
            rows = projection.offsets(edges.reshape(-1, 3))
            depth = projection.axes()[2] @ rows + projection.distance
            strength = 0.22 + 0.55 * projection.nearness(depth).reshape(-1, 2)
        self._draw_lines(projection, edges, strength, hidden)

    def _draw_ground(
        self, space: Space, projection: Orthographic | Perspective, hidden: DepthTest | None,
        centred: bool,
    ) -> None:  # fmt: skip
        """Draw a grid on the floor of the space. Around a followed flock it extends and fades."""
        step = max(space.size[:2]) / CELLS
        lower, upper = np.array(space.lower[:2]), np.array(space.upper[:2])
        if not centred:
            reach = max(1.5 * _radius(projection), 2.0 * step)
            step *= 2.0 ** np.floor(np.log2(max(1.0, reach / (8 * step))))
            middle = np.array(projection.centre[:2])
            lower = np.floor((middle - reach - lower) / step) * step + lower
            upper = lower + np.ceil(2 * reach / step) * step
        ticks = [np.arange(a, b + 0.01 * step, step) for a, b in zip(lower, upper, strict=True)]
        pieces = []
        for axis in (0, 1):
            other = 1 - axis
            tick, begin = (grid.ravel() for grid in np.meshgrid(ticks[axis], ticks[other][:-1]))
            ends = np.full((len(tick), 2, space.dims), space.lower[-1])
            ends[:, :, axis] = tick[:, None]
            ends[:, 0, other], ends[:, 1, other] = begin, begin + step
            pieces.append(ends)
        ends = np.concatenate(pieces)
        if not len(ends):  # rounding merges the lines very far from the origin
            return
        distance = np.linalg.norm(ends[..., :2] - projection.centre[:2], axis=-1)
        strength = np.full(distance.shape, GRID[space.dims])
        if not centred:
            strength *= np.clip(1.0 - distance / reach, 0.0, 1.0)
        self._draw_lines(projection, ends, strength, hidden)

    def _centred(self, frame: Frame, projection: Orthographic | Perspective) -> bool:
        """Return whether the view is centred on the space."""
        middle = 0.5 * (np.array(frame.space.lower) + frame.space.upper)
        return bool(np.allclose(middle, projection.centre))

    def _draw_lines(
        self,
        projection: Orthographic | Perspective,
        lines: list | Array,
        strength: Array,
        hidden: DepthTest | None,
        width: float = 1.0,
        colour: int = 0,
    ) -> None:
        """Draw lines, pairs of points (n, 2, D), with strengths (n, 2) at their ends.

        Colours are 0 for those of the style and 1 for wires, which are as dark as birds.
        """
        if not len(lines):
            return
        ends = np.asarray(lines)
        start = projection.project(projection.offsets(ends[:, 0]))
        stop = projection.project(projection.offsets(ends[:, 1]))
        near = None
        if hidden is not None and start.depth is not None and stop.depth is not None:
            near = (1.0 / start.depth, 1.0 / stop.depth)
        draw_lines(
            self._canvas, (start.x, start.y), (stop.x, stop.y), (strength[:, 0], strength[:, 1]),
            colour, width * self._unit, hidden if near is not None else None, near,
        )  # fmt: skip

    def _fill(self, picture: Array, projection: Perspective, corners: Array) -> None:
        """Fill a translucent convex polygon, unless part of it is behind the camera."""
        if not len(corners):
            return
        screen = projection.project(projection.offsets(corners))
        if np.isnan(screen.x).any():
            return
        area = np.sum(screen.x * np.roll(screen.y, -1) - screen.y * np.roll(screen.x, -1))
        x = (np.arange(projection.width) + 0.5)[None, :]
        y = (np.arange(projection.height) + 0.5)[:, None]
        cover = np.ones((projection.height, projection.width))
        for i in range(len(corners)):
            ax, ay = screen.x[i - 1], screen.y[i - 1]
            dx, dy = screen.x[i] - ax, screen.y[i] - ay
            side = np.copysign(1.0, area) * (dx * (y - ay) - dy * (x - ax))
            cover = np.minimum(cover, np.clip(0.5 + side / max(np.hypot(dx, dy), 1e-9), 0, 1))
        blend(picture, 0, 0, (0.16 * cover).astype(np.float32), self._style.body)


def _radius(projection: Orthographic | Perspective) -> float:
    """Return the extent of the surroundings of the view's centre, length units."""
    if isinstance(projection, Perspective):
        return projection.radius
    return 0.5 * max(projection.width, projection.height) / projection.zoom


def split_dashes(lines: Sequence[Line], longest: float) -> Array:
    """Split polylines into dashes, and return their ends (n, 2, D)."""
    dashes = []
    for line in lines:
        for start, end in zip(np.array(line[:-1], float), np.array(line[1:], float), strict=True):
            number = max(1, round(float(np.linalg.norm(end - start)) * DASHES / longest))
            begin = (np.arange(number)[:, None] + 0.25) / number
            parts = np.stack([begin, begin + 0.5 / number], axis=1)
            dashes.append(start + parts * (end - start))
    return np.concatenate(dashes) if dashes else np.empty((0, 2, 2))


def nearest_images(ends: Array, projection: Orthographic | Perspective) -> Array:
    """Return dashes (n, 2, D) at the periodic images nearest to the centre of the view."""
    if not any(projection.wrap) or not len(ends):
        return ends
    sides = np.array(projection.wrap, float)
    offsets = ends.mean(axis=1) - np.array(projection.centre)
    images = np.round(np.divide(offsets, sides, out=np.zeros_like(offsets), where=sides > 0))
    return ends - (images * sides)[:, None, :]
