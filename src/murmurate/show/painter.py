"""Render frames to pictures with numpy and compiled code, without a screen and without OpenGL."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.model.view import Look, Shape, View
from murmurate.show.annotations import Annotations, NamePainter, boid_colours
from murmurate.show.camera import Camera
from murmurate.show.canvas import Canvas, DepthTest, new_picture, unpremultiply, with_channels
from murmurate.show.density import Density, draw_haze
from murmurate.show.flock_painter import FlockPainter, PlacedBoids
from murmurate.show.palette import Palette
from murmurate.show.passes import PassPainter, check_passes
from murmurate.show.projection import Array, Orthographic, Perspective, ScreenPoints
from murmurate.show.scene import Line
from murmurate.show.scenery import Scenery
from murmurate.show.shutter import Exposure, Shutter, Snapshot, average
from murmurate.show.sprites import BORDER
from murmurate.show.styles import STYLES
from murmurate.show.text import StatusLine, Titles
from murmurate.show.trails import Trails

DENSITY_BOIDS = 150_000  # number of boids in a layer above which 'auto' shades by density
HAZE_BOIDS = 3_000  # number of boids in a flock from which a haze shows their density in 3-D
SHADOW = 0.3  # strength of the shadows of boids on the scenery of a 2-D view
SHADOW_WAY: dict[Shape, float] = {"bird": 0.8, "fish": 0.5}  # from a boid to its shadow, in lengths
SHADOW_NEAR = 0.16  # of shapes on the ground
LARGE_RELIEF = 0.24  # least relief of boids with a scale above 1, whose faces are well visible
RIM_WIDTH = 4.0  # pixels by which the rim of a boid is longer than the boid, at 720 lines
RESIZE = 2.0  # time constant of the size of boids when their number changes, seconds of film
STAY_DENSE = 0.5  # part of DENSITY_BOIDS down to which a layer keeps density shading
HAZE_FADE = 0.06  # change of a haze per picture when it begins or ends
BLACK = (0, 0, 0)


class Stage(NamedTuple):
    """A picture without boids, and the test for hidden pixels. `Painter.paint` changes it."""

    frame: Frame
    projection: Orthographic | Perspective
    picture: Array
    hidden: DepthTest | None


class Painter:
    """Draw the pictures of one film, in order.

    The painter holds the state of the film: the camera's motion, trails, exposure and the range of
    speeds. Use a new painter for an independent picture. `draw` is `set_stage` and then `paint`,
    which two threads may do for different pictures.

    Parameters
    ----------
    space : Space
        Space of the frames.
    view : View
        Size, style, camera and more.
    looks : mapping of flock name to Look, optional
        Flocks without a look get that of the style.
    paths : sequence of polylines, optional
        Paths that boids follow, as `path_lines` returns them.
    passes : sequence of {'depth', 'motion', 'labels'}, optional
        Passes to draw with each picture; see show/passes.py.
    annotations : Annotations, optional
        Colours and names of single boids, and a backdrop.

    Attributes
    ----------
    projection : Orthographic, Perspective or None
        Projection from model coordinates to pixels of the latest picture.
    passes : mapping of name to uint16 array, or Labels
        Passes of the latest picture.
    notes : mapping of name to str
        Meaning of the values of each pass.
    writing_above : float
        Height in pixels of the text at the upper edge.
    boid_length : float or None
        Length of a boid in pixels at 720 lines; None before the first one.

    Raises
    ------
    ModelError
        For a pass that does not exist, or depth in 2-D.
    """

    def __init__(
        self,
        space: Space,
        view: View,
        looks: Mapping[str, Look] | None = None,
        paths: Sequence[Line] = (),
        passes: Sequence[str] = (),
        annotations: Annotations | None = None,
    ) -> None:
        check_passes(passes, space.dims)
        has_legend = bool(view.text) and view.colour_by != "flock" and not view.transparent
        self.view = view = view.decided(space)
        self._has_text = bool(view.text) or has_legend
        self.projection: Orthographic | Perspective | None = None
        width, height = view.size
        self._unit = max(0.6, min(width, height) / 720.0)  # scale of sizes in pixels
        self._style = STYLES[view.style]
        self._looks = dict(looks or {})
        self._status = StatusLine(self._style, width, height)
        self.writing_above = self._status.height if self._has_text else 0.0
        self._titles = Titles(self._style, view)
        goals = np.array([point for line in paths for point in line], float).reshape(-1, space.dims)
        self._camera = Camera(space, view, self.writing_above, self._titles.height, goals)
        self._scenery = Scenery(view, space, self._unit, paths)
        self._canvas = Canvas(width, height, BORDER)
        self._shutter = Shutter(view.motion_blur, view.frames_per_second)
        self._flocks: dict[str, FlockPainter] = {}
        self._pass_painter = PassPainter(passes) if passes else None
        self.passes: Mapping[str, Any] = {}
        self._annotations = annotations or Annotations()
        self._palette = Palette(view, self._looks)
        self._names: NamePainter | None = None
        self._density: dict[str, Density] = {}
        self._dense: set[float] = set()  # scales of the layers that are shaded by density
        self._haze: dict[str, float] = {}  # flock -> opacity of its haze, relative to the full one
        self._trails: dict[str, Trails] = {}
        self.boid_length: float | None = None
        self._size_part = 1.0 - math.exp(-1.0 / (RESIZE * view.frames_per_second))

    def draw(self, frame: Frame) -> Array:
        """Draw the next picture.

        Boids whose position is not finite are left out.

        Returns
        -------
        (H, W, 3) uint8, or (H, W, 4) with an alpha channel if the view is transparent
            A new array.
        """
        return np.ascontiguousarray(self.paint(self.set_stage(frame)))

    def set_stage(self, frame: Frame) -> Stage:
        """Move the camera to the next picture, and draw the background of the boids."""
        with np.errstate(all="ignore"):
            projection = self.next_projection(frame)
            return Stage(frame, projection, *self._background(frame, projection))

    def paint(self, stage: Stage) -> Array:
        """Draw boids and text of the next picture as `draw` does; channels are planes in memory."""
        with np.errstate(all="ignore"):
            picture = self._paint(*stage)
        return unpremultiply(picture) if self.view.transparent else picture

    @property
    def notes(self) -> Mapping[str, str]:
        """Return the meaning of the values of each pass."""
        return self._pass_painter.notes if self._pass_painter else {}

    def next_projection(self, frame: Frame) -> Orthographic | Perspective:
        """Move the camera to the next picture without drawing it."""
        return self._annotations.projection or self._camera.next_projection(frame)

    def remember(self, frame: Frame) -> None:
        """Add an earlier frame to the trails of the next picture without drawing it."""
        for flock in frame.values():
            self._trails_of(flock).append(flock)

    def _background(
        self, frame: Frame, projection: Orthographic | Perspective
    ) -> tuple[Array, DepthTest | None]:
        """Return the picture before boids are drawn, and the test for hidden pixels."""
        if self._annotations.backdrop is None:
            return self._scenery.draw(frame, projection)
        width, height = self.view.size
        backdrop, picture = self._annotations.backdrop(frame), new_picture(height, width)
        padding = ((0, height - backdrop.shape[0]), (0, width - backdrop.shape[1]), (0, 0))
        picture[:] = np.pad(backdrop, padding, mode="edge")
        return picture, None

    def _paint(
        self,
        frame: Frame,
        projection: Orthographic | Perspective,
        picture: Array,
        hidden: DepthTest | None,
    ) -> Array:
        self._update_palette(frame)
        self._update_length(frame.n_boids)
        self.projection = projection
        exposure = self._shutter.expose(frame, projection)
        for scale in sorted({self._palette.look(name).scale for name in frame.flocks}):
            layer = [f for f in frame.values() if self._palette.look(f.name).scale == scale]
            by_density = self._shades_density(layer, scale)
            if not by_density or self._pass_painter:
                for flock in layer:
                    self._painter_of(flock).update(flock)
            if not by_density:
                picture = self._draw_layer(picture, layer, exposure, hidden)
                continue
            for flock in layer:
                self._draw_density(picture, projection, flock, hidden)
        if self._pass_painter:
            closing = exposure.closing
            placed = [
                (self._painter_of(f), self._locate(f, closing, hidden)) for f in frame.values()
            ]
            solid = None if hidden is None else hidden.depth
            self.passes = self._pass_painter.draw(closing, self._shutter, placed, solid)
        if self._has_text:
            self._status.draw(picture, frame, self._palette, projection, bool(self.view.text))
        self._titles.draw(picture)
        return picture

    def _update_palette(self, frame: Frame) -> None:
        if self._annotations.colours and self._palette.table is None:
            vivid = self._annotations.backdrop is not None
            table = boid_colours(frame.n_boids, self._style, vivid)
            self._palette = Palette(self.view, self._looks, table)
        self._palette.update(frame)

    def _shades_density(self, layer: list[FlockFrame], scale: float) -> bool:
        """Return whether the flocks of one scale are shaded by density."""
        if self.view.shading == "density" and scale <= 1.0:
            return True
        if self.view.shading == "darts":
            return False
        # A number of boids around the limit must not make films go back and forth.
        limit = DENSITY_BOIDS * (STAY_DENSE if scale in self._dense else 1.0)
        if sum(map(len, layer)) <= limit:
            self._dense.discard(scale)
            return False
        self._dense.add(scale)
        return True

    def _draw_layer(
        self, picture: Array, layer: list[FlockFrame], exposure: Exposure, hidden: DepthTest | None
    ) -> Array:
        """Return the picture with the boids of the flocks of one scale, drawn singly."""
        colours = self._palette.colours(self._palette.look(layer[0].name).scale)
        placed = [self._locate(flock, exposure.closing, hidden) for flock in layer]
        for boids in placed:
            self._draw_behind(picture, boids, hidden)
        if len(exposure.samples) == 1:
            self._draw_boids(picture, placed, colours)
        else:
            self._canvas.composite(picture, colours)  # trails are not blurred

            def draw(copy: Array, snapshot: Snapshot) -> None:
                flocks = [snapshot.frame[boids.flock.name] for boids in placed]
                self._draw_boids(copy, [self._locate(f, snapshot, hidden) for f in flocks], colours)

            picture = average(picture, exposure.samples, draw)
        for boids in placed:
            self._draw_names(picture, boids)
        return picture

    def _draw_boids(self, picture: Array, placed: list[PlacedBoids], colours: Array) -> None:
        if self._annotations.backdrop is not None:
            self._canvas.composite(picture, colours)  # trails
            self._draw_rims(picture, placed)
        elif self.view.scenery != "none" and picture.shape[2] == 3:
            self._draw_shadows(picture, placed)
        for boids in placed:
            self._painter_of(boids.flock).draw(self._canvas, boids)
        self._canvas.composite(picture, colours)

    def _draw_shadows(self, picture: Array, placed: list[PlacedBoids]) -> None:
        """Draw the shadows of boids on the scenery of a 2-D view."""
        for boids in placed:
            if not isinstance(boids.projection, Orthographic):
                return
            painter = self._painter_of(boids.flock)
            way = SHADOW_WAY.get(painter.shape, SHADOW_NEAR) * boids.length
            shift = np.stack([0.6 * way, -0.8 * way]).astype(np.float32)  # right and down
            screen = boids.screen._replace(x=boids.screen.x + shift[0], y=boids.screen.y - shift[1])
            rows = boids.rows + shift / np.float32(boids.projection.zoom)
            dim = SHADOW * boids.strength
            painter.draw(self._canvas, boids._replace(rows=rows, screen=screen, strength=dim))
        self._canvas.composite(picture, np.zeros((256, 3)))

    def _draw_rims(self, picture: Array, placed: list[PlacedBoids]) -> None:
        """Draw a dark rim behind each boid, which is visible on any backdrop."""
        for boids in placed:
            wider = boids._replace(length=boids.length + np.float32(RIM_WIDTH * self._unit))
            self._painter_of(boids.flock).draw(self._canvas, wider)
        self._canvas.composite(picture, np.zeros((256, 3)))

    def _draw_names(self, picture: Array, boids: PlacedBoids) -> None:
        if not self._annotations.names:
            return
        if self._names is None:
            rim = None if self._annotations.backdrop is None else BLACK
            self._names = NamePainter(self._style, *self.view.size, self._annotations.names, rim)
        scale = self._palette.look(boids.flock.name).scale
        colours = self._palette.colours(scale)[boids.colour]
        self._names.draw(picture, boids.flock, boids.screen, boids.length, colours)

    def _painter_of(self, flock: FlockFrame) -> FlockPainter:
        if flock.name not in self._flocks:
            shape = self._palette.look(flock.name).shape
            shape = self._style.shape if shape == "auto" else shape
            large = self._palette.look(flock.name).scale > 1.0
            relief = max(self._style.relief, LARGE_RELIEF if large else 0.0)
            self._flocks[flock.name] = FlockPainter(shape, self.view.frames_per_second, relief)
        return self._flocks[flock.name]

    def _locate(
        self, flock: FlockFrame, snapshot: Snapshot, hidden: DepthTest | None
    ) -> PlacedBoids:
        """Return the positions, lengths, strengths and colours of its boids in the picture."""
        projection, scale = snapshot.projection, self._palette.look(flock.name).scale
        rows = projection.nearest_offsets(flock.positions)
        screen = projection.project(rows)
        length = self._length_of(projection, screen, scale)
        length = np.broadcast_to(np.asarray(length, np.float32), screen.x.shape)
        if hidden is not None and screen.depth is not None:
            length = np.where(_is_hidden(hidden, screen), np.float32(np.nan), length)
        strength = self._strength(projection, screen)
        if scale > 1.0:
            strength = 0.5 + 0.5 * strength  # large boids fade less
        colour = self._palette.numbers(flock)
        return PlacedBoids(
            flock, projection, rows, screen, length, strength, colour, snapshot.seconds
        )

    def _draw_behind(self, picture: Array, boids: PlacedBoids, hidden: DepthTest | None) -> None:
        """Draw haze and trails behind the boids of a flock."""
        flock, projection, screen = boids.flock, boids.projection, boids.screen
        in_perspective = isinstance(projection, Perspective)
        haze = self._haze_of(flock) if in_perspective else 0.0
        if haze and self._palette.hue(flock) is None:
            colour = with_channels(self._palette.haze_colour(flock.name), picture.shape[2])
            draw_haze(picture, screen.x, screen.y, boids.length, colour, self._unit, haze)
        if self.view.trails:
            trails = self._trails_of(flock)
            trails.append(flock)
            width = self._unit * min(2.0, max(1.3, self._palette.look(flock.name).scale))
            if self._annotations.backdrop is not None:  # a dark rim, visible on any backdrop
                width = max(2.0, 1.5 * width)
                trails.draw(
                    self._canvas, projection, boids.rows, flock.ids, 0.7 * boids.strength,
                    boids.colour, 1.9 * width,
                )  # fmt: skip
                self._canvas.composite(picture, np.zeros((256, 3)))
            trails.draw(
                self._canvas, projection, boids.rows, flock.ids, boids.strength, boids.colour,
                width, hidden,
            )  # fmt: skip

    def _haze_of(self, flock: FlockFrame) -> float:
        """Return the opacity of its haze in this picture, which changes slowly with its number."""
        full = float(len(flock) >= HAZE_BOIDS)
        before = self._haze.get(flock.name, full)
        self._haze[flock.name] = before + min(max(full - before, -HAZE_FADE), HAZE_FADE)
        return self._haze[flock.name]

    def _trails_of(self, flock: FlockFrame) -> Trails:
        return self._trails.setdefault(flock.name, Trails(self.view.trails))

    def _update_length(self, boids: int) -> None:
        """Follow the number of boids slowly, so that their size does not jump with it."""
        if not boids:
            return
        length = float(np.clip(15.0 * (400 / boids) ** 0.21, 3, 24))
        if self.boid_length is None:
            self.boid_length = length
        self.boid_length *= (length / self.boid_length) ** self._size_part

    def _length_of(
        self, projection: Orthographic | Perspective, screen: ScreenPoints, scale: float
    ) -> Array | float:
        """Return the length of boids in pixels."""
        if self.view.boid_size > 0:
            return self.view.boid_size * scale * np.asarray(screen.scale)
        assert self.boid_length is not None or not screen.x.size
        base = self.boid_length or 0.0
        # Large boids must not shrink in very large flocks.
        base = base if scale <= 1.0 else max(base, 7.0)
        length = base * scale * self._unit
        if isinstance(projection, Perspective):
            return np.asarray(screen.scale) * np.float32(
                length * projection.distance / projection.focal
            )
        return length

    def _strength(self, projection: Orthographic | Perspective, screen: ScreenPoints) -> Array:
        """Return the strength (N,) of boids, which fades with depth in 3-D."""
        if not isinstance(projection, Perspective) or screen.depth is None:
            return np.ones(screen.x.shape, np.float32)
        near = projection.nearness(screen.depth)
        return np.float32(self._style.far) + np.float32(1.0 - self._style.far) * near

    def _draw_density(
        self,
        picture: Array,
        projection: Orthographic | Perspective,
        flock: FlockFrame,
        hidden: DepthTest | None,
    ) -> None:
        screen = projection.project(projection.nearest_offsets(flock.positions))
        strength = (
            self._strength(projection, screen) if isinstance(projection, Perspective) else 1.0
        )
        if hidden is not None and screen.depth is not None:
            strength = np.where(_is_hidden(hidden, screen), np.float32(0.0), strength)
        if flock.name not in self._density:
            self._density[flock.name] = Density(
                self._palette.colour(flock.name), self._palette.haze_colour(flock.name),
                self._style.thin,
            )  # fmt: skip
        self._density[flock.name].draw(
            picture, screen.x, screen.y, strength, self._palette.hue(flock)
        )


def _is_hidden(hidden: DepthTest, screen: ScreenPoints) -> Array:
    assert screen.depth is not None
    x, y = (np.nan_to_num(a).clip(-1, 1e6).astype(np.intp) for a in (screen.x, screen.y))
    return hidden(x, y, 1.0 / screen.depth)
