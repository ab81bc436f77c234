"""Painter: renders frames to pictures with numpy and a font; no screen and no OpenGL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.model.view import Look, View
from murmurate.show.annotations import Annotations, NamePainter, boid_colours
from murmurate.show.camera import Camera
from murmurate.show.canvas import Canvas
from murmurate.show.caption import Caption
from murmurate.show.channels import separated, with_channels
from murmurate.show.density import Density
from murmurate.show.depth_test import DepthTest
from murmurate.show.flock_painter import FlockPainter, PlacedBoids
from murmurate.show.palette import Palette
from murmurate.show.passes import PassPainter, check_passes
from murmurate.show.paths import Line
from murmurate.show.projection import Array, Orthographic, Perspective, ScreenPoints
from murmurate.show.scenery import Scenery
from murmurate.show.shutter import Exposure, Moment, Shutter, exposed
from murmurate.show.sprites import BORDER
from murmurate.show.styles import STYLES
from murmurate.show.titles import Titles
from murmurate.show.trails import Trails
from murmurate.show.veil import draw_veil

MANY = 150_000  # boids in a layer from which 'auto' shades by density
BLACK = (0, 0, 0)
RIM = 4.0  # pixels that the rim around a boid is wider than it, at 720 lines
SOME = 6_000  # boids of a flock from which on a veil shows how many lie behind each other


class Painter:
    """Draws the pictures of one film, in order.

    It keeps what belongs to the film: the camera's motion, trails, exposure and the range of
    speeds. For a picture of its own, make a new painter.

    space  the space of the frames to come
    view   size, style, camera, ...
    looks  flock name -> Look; a flock that is not named gets the style's own
    paths  lines that boids are led along, as path_lines gives them
    passes names of passes to draw beside each picture, see show/passes.py
    annotations  colours and names of single boids, a picture behind them

    Of the latest picture, `painter.projection` turns model coordinates to pixels, and
    `painter.passes` has its passes; `painter.notes` says what their numbers mean.
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
        self.view = view
        self.projection: Orthographic | Perspective | None = None
        width, height = view.size
        self._unit = max(0.6, min(width, height) / 720.0)  # of sizes in pixels
        self._style = STYLES[view.style]
        self._looks = dict(looks or {})
        self._caption = Caption(self._style, width, height)
        self.writing_above = self._caption.height if view.text else 0.0  # pixels
        self._titles = Titles(self._style, view)
        self._camera = Camera(space, view, self.writing_above, self._titles.height)
        self._scenery = Scenery(
            self._style, width, height, view.box, self._unit, paths, view.transparent
        )
        self._canvas = Canvas(width, height, BORDER)
        self._shutter = Shutter(view.motion_blur, view.frames_per_second)
        self._flocks: dict[str, FlockPainter] = {}
        self._pass_painter = PassPainter(passes) if passes else None
        self.passes: Mapping[str, Array] = {}
        self._annotations = annotations or Annotations()
        self._palette = Palette(self._style, view.colour_by, self._looks)
        self._names: NamePainter | None = None
        self._density: dict[str, Density] = {}
        self._trails: dict[str, Trails] = {}
        self._length: float | None = None

    def draw(self, frame: Frame) -> Array:
        """The next picture: a new (H, W, 3) uint8 array, of a transparent one (H, W, 4) with how
        much of each pixel is covered. Boids that are not finite are left out."""
        with np.errstate(all="ignore"):
            picture = self._draw(frame)
        return separated(picture) if self.view.transparent else picture

    @property
    def notes(self) -> Mapping[str, str]:
        return self._pass_painter.notes if self._pass_painter else {}

    def next_projection(self, frame: Frame) -> Orthographic | Perspective:
        """Moves the camera on to the next picture, which need not be drawn."""
        self.projection = self._annotations.projection or self._camera.next_projection(frame)
        return self.projection

    def remember(self, frame: Frame) -> None:
        """Take the positions of a frame before the next picture, for its trails; draw nothing."""
        for flock in frame:
            self._trails_of(flock).append(flock)

    def _behind(
        self, frame: Frame, projection: Orthographic | Perspective
    ) -> tuple[Array, DepthTest | None]:
        """The picture before boids are drawn, and the test for hidden pixels."""
        if self._annotations.backdrop is None:
            return self._scenery.draw(frame, projection)
        width, height = self.view.size
        picture = self._annotations.backdrop(frame)
        more = ((0, height - picture.shape[0]), (0, width - picture.shape[1]), (0, 0))
        return np.pad(picture, more, mode="edge"), None

    def _draw(self, frame: Frame) -> Array:
        if self._annotations.colours and self._palette.table is None:
            vivid = self._annotations.backdrop is not None
            own = boid_colours(len(frame), self._style, vivid)
            self._palette = Palette(self._style, self.view.colour_by, self._looks, own)
        projection = self.next_projection(frame)
        picture, hidden = self._behind(frame, projection)
        self._palette.update(frame)
        exposure = self._shutter.expose(frame, projection)
        for scale in sorted({self._palette.look(name).scale for name in frame.flocks}):
            layer = [f for f in frame if self._palette.look(f.name).scale == scale]
            many = sum(map(len, layer)) > MANY
            dense = self.view.shading == "density" and scale <= 1.0
            dense = dense or (many and self.view.shading != "darts")
            if not dense or self._pass_painter:
                for flock in layer:
                    self._painter_of(flock).update(flock)
            if not dense:
                picture = self._draw_layer(picture, layer, exposure, hidden)
                continue
            for flock in layer:
                self._draw_density(picture, projection, flock, hidden)
        if self._pass_painter:
            placed = [(self._painter_of(f), self._place(f, exposure.now, hidden)) for f in frame]
            solid = None if hidden is None else hidden.depth
            self.passes = self._pass_painter.draw(exposure.now, self._shutter, placed, solid)
        if self.view.text:
            self._caption.draw(picture, frame, self._palette)
        self._titles.draw(picture)
        return picture

    def _draw_layer(
        self, picture: Array, layer: list[FlockFrame], exposure: Exposure, hidden: DepthTest | None
    ) -> Array:
        """The picture with the boids of flocks of one scale, one by one."""
        colours = self._palette.colours(self._palette.look(layer[0].name).scale)
        placed = [self._place(flock, exposure.now, hidden) for flock in layer]
        for boids in placed:
            self._draw_behind(picture, boids, hidden)
        if len(exposure.moments) == 1:
            self._draw_boids(picture, placed, colours)
            for boids in placed:
                self._draw_names(picture, boids)
            return picture
        self._canvas.composite(picture, colours)  # trails are sharp

        def draw(onto: Array, moment: Moment) -> None:
            flocks = [moment.frame[boids.flock.name] for boids in placed]
            self._draw_boids(onto, [self._place(f, moment, hidden) for f in flocks], colours)

        picture = exposed(picture, exposure.moments, draw)
        for boids in placed:
            self._draw_names(picture, boids)
        return picture

    def _draw_boids(self, picture: Array, placed: list[PlacedBoids], colours: Array) -> None:
        if self._annotations.backdrop is not None:
            self._canvas.composite(picture, colours)  # trails
            self._draw_rims(picture, placed)
        for boids in placed:
            self._painter_of(boids.flock).draw(self._canvas, boids)
        self._canvas.composite(picture, colours)

    def _draw_rims(self, picture: Array, placed: list[PlacedBoids]) -> None:
        """A dark rim behind each boid, which is seen on any picture."""
        for boids in placed:
            wider = boids._replace(length=boids.length + np.float32(RIM * self._unit))
            self._painter_of(boids.flock).draw(self._canvas, wider)
        self._canvas.composite(picture, np.zeros((256, 3)))

    def _draw_names(self, picture: Array, boids: PlacedBoids) -> None:
        """The names of boids, where they are asked for."""
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
            self._flocks[flock.name] = FlockPainter(
                shape, self.view.frames_per_second, self._style.relief
            )
        return self._flocks[flock.name]

    def _place(self, flock: FlockFrame, moment: Moment, hidden: DepthTest | None) -> PlacedBoids:
        """Where and how large its boids are, and how strong their colour."""
        projection, scale = moment.projection, self._palette.look(flock.name).scale
        rows = projection.nearest_offsets(flock.positions)
        screen = projection.project(rows)
        length = self._length_of(projection, screen, len(moment.frame), scale)
        length = np.broadcast_to(np.asarray(length, np.float32), screen.x.shape)
        if hidden is not None and screen.depth is not None:
            length = np.where(_is_hidden(hidden, screen), np.float32(np.nan), length)
        strength = self._strength(projection, screen)
        if scale > 1.0:
            strength = 0.5 + 0.5 * strength  # what stands out fades less
        colour = self._palette.numbers(flock)
        return PlacedBoids(
            flock, projection, rows, screen, length, strength, colour, moment.seconds
        )

    def _draw_behind(self, picture: Array, boids: PlacedBoids, hidden: DepthTest | None) -> None:
        """What is drawn before the boids of a flock: its veil and its trails."""
        flock, projection, screen = boids.flock, boids.projection, boids.screen
        deep = isinstance(projection, Perspective)
        if deep and len(flock) >= SOME and self._palette.table is None:
            thick = with_channels(self._palette.thick(flock.name), picture.shape[2])
            draw_veil(picture, screen.x, screen.y, boids.length, thick, self._unit)
        if self.view.trails:
            trails = self._trails_of(flock)
            trails.append(flock)
            width = self._unit * min(2.0, max(1.3, self._palette.look(flock.name).scale))
            if self._annotations.backdrop is not None:  # dark first: a rim on any picture
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

    def _trails_of(self, flock: FlockFrame) -> Trails:
        return self._trails.setdefault(flock.name, Trails(self.view.trails))

    def _length_of(
        self,
        projection: Orthographic | Perspective,
        screen: ScreenPoints,
        total: int,
        scale: float,
    ) -> Array | float:
        """Pixels. Chosen once for a film, so that darts do not jump when boids come and go."""
        if self.view.boid_size > 0:
            return self.view.boid_size * scale * np.asarray(screen.scale)
        if self._length is None:
            self._length = float(np.clip(15.0 * (400 / max(total, 1)) ** 0.21, 3, 24))
        # Among very many, what stands out must not shrink with the others.
        own = self._length if scale <= 1.0 else max(self._length, 7.0)
        length = own * scale * self._unit
        if isinstance(projection, Perspective):
            return np.asarray(screen.scale) * np.float32(
                length * projection.distance / projection.focal
            )
        return length

    def _strength(self, projection: Orthographic | Perspective, screen: ScreenPoints) -> Array:
        if not isinstance(projection, Perspective) or screen.depth is None:
            return np.ones(screen.x.shape, np.float32)
        near = projection.nearness(screen.depth)
        faded: Array = np.float32(self._style.far) + np.float32(1.0 - self._style.far) * near
        return faded

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
            self._density[flock.name] = self._palette.density(flock.name)
        self._density[flock.name].draw(
            picture, screen.x, screen.y, strength, self._palette.hue(flock),
            self.view.colour_by == "heading",
        )  # fmt: skip


def _is_hidden(hidden: DepthTest, screen: ScreenPoints) -> Array:
    assert screen.depth is not None
    x, y = (np.nan_to_num(a).clip(-1, 1e6).astype(np.intp) for a in (screen.x, screen.y))
    return hidden(x, y, 1.0 / screen.depth)
