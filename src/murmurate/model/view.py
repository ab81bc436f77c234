"""View and Look: settings of pictures, which never change the simulation."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from murmurate.model.messages import did_you_mean, format_value
from murmurate.model.number import Number, Whole
from murmurate.model.space import Space
from murmurate.model.value import Value

Positive = Annotated[Number, Field(gt=0)]
Pixels = Annotated[Whole, Field(ge=64, le=8192)]
Style = Literal["dark", "light", "dusk"]
Shape = Literal["dart", "bird", "fish", "sheep", "dog", "arrow", "disc"]
Scenery = Literal["none", "land", "water"]
Shown = bool | Literal["auto"]
ColourMap = Literal["sequential", "cyclic"]
MAX_NAME = 200  # characters of the name of a number


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError(f"got {format_value(text)}; expected one line of printable characters")
    return text.strip()


def _boid_number(text: str) -> str:
    """Return the quantity that colours show, which the model checks."""
    if not re.fullmatch(r"[A-Za-z][\w-]*(\.[\w-]+)*", text, re.ASCII) or len(text) > MAX_NAME:
        raise ValueError(
            f"got {format_value(text)}; expected flock, heading, speed or the name of a number of "
            "boids, such as weight or rules.cohesion.weight"
        )
    return text


def _range(ends: tuple[float, ...]) -> tuple[float, ...]:
    if ends and not (len(ends) == 2 and ends[0] < ends[1]):
        raise ValueError(
            f"got {format_value(list(ends))}; expected two numbers, the lower one first, or none "
            "for the range of the flock"
        )
    return ends


MeasureName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Words = Annotated[str, Field(max_length=200), AfterValidator(_one_line)]


def colour_rgb(text: str) -> tuple[int, int, int]:
    """Return red, green and blue, 0 to 255, of '#e63946', '#e63' or a CSS name, or raise
    ValueError.
    """
    word = text.strip().lower()
    if re.fullmatch(r"#([0-9a-f]{3}|[0-9a-f]{6})", word):
        digits = word[1:] if len(word) == 7 else "".join(2 * digit for digit in word[1:])
        red, green, blue = bytes.fromhex(digits)
        return red, green, blue
    from PIL.ImageColor import colormap, getrgb

    if word not in colormap:
        raise ValueError(
            f"got {format_value(text)}; expected #rrggbb or a CSS colour name such as "
            f"steelblue{did_you_mean(word, colormap)}"
        )
    red, green, blue = getrgb(word)[:3]
    return red, green, blue


def _colour(text: str) -> str:
    if text:
        colour_rgb(text)
    return text


Colour = Annotated[str, AfterValidator(_colour)]


class Look(Value):
    """Colour, shape and size of the boids of a flock in pictures."""

    colour: Colour = ""
    """A CSS colour name or #rrggbb. Empty: the colour of the style, or red with a scale above 1."""
    shape: Literal["auto", Shape] = "auto"
    """The shape of its boids. dart: an arrowhead; bird: beats its wings and banks in curves; fish:
    beats its tail; sheep, dog: walk on their legs; arrow: a shaft with a head; disc: round, without
    a heading; auto: a bird in the style dusk and in scenes of 3-D flocks, else a dart."""
    scale: Annotated[Number, Field(gt=0, le=50)] = 1.0
    """Size of its boids relative to the other flocks. Boids with a scale above 1, such as predators
    and leaders, are drawn on top, and keep their colour when others show heading or speed."""


class Camera(Value):
    """The camera of a 3-D picture. In 2-D only `follow` and `zoom` matter."""

    azimuth: Number = 35.0
    """Angle around the vertical axis, in degrees."""
    elevation: Annotated[Number, Field(ge=-89, le=89)] = 20.0
    """Angle above the horizon, in degrees."""
    turn: Number = 0.0
    """Rotation of the camera around the flock, in degrees per second of film."""
    zoom: Positive = 1.0
    """Magnification; above 1 the camera is nearer."""
    follow: Literal["auto", "space", "flock"] = "auto"
    """space: show the whole space. flock: keep the flock in the centre, filling the picture. auto:
    flock if an axis is open, since the flock may leave the space, else space."""

    def decided(self, space: Space) -> Camera:
        """Return the camera for a space, without `auto`."""
        if self.follow != "auto":
            return self
        return self.model_copy(
            update={"follow": "flock" if "open" in space.boundaries else "space"}
        )


class View(Value):
    """Settings of films and pictures.

    The command line has options for most of them, and `--set view.NAME=VALUE` for all.
    """

    _path: ClassVar[str] = "view."
    steps: Annotated[Whole, Field(ge=1)] = 480
    """Steps of a film."""
    every: Annotated[Whole, Field(ge=1)] = 1
    """Steps from one picture to the next."""
    warm_up: Annotated[Whole, Field(ge=0)] = 0
    """Steps that are simulated before the first picture, so that a film does not begin with a
    random start. Films of recordings begin with the first frame unless the call says otherwise."""
    frames_per_second: Annotated[Number, Field(ge=0.01, le=240)] = 24.0
    """Pictures per second of film."""
    size: tuple[Pixels, Pixels] = (1280, 720)
    """Width and height in pixels. Films in mp4 and webm round odd numbers up to even ones."""
    style: Style = "dark"
    """The colours of the picture, apart from flocks with a colour."""
    colour_by: Annotated[str, AfterValidator(_boid_number)] = "flock"
    """What the colour of a boid shows: flock, heading, speed, or a number that differs between
    boids: a number of a rule or motion that has a distribution, or per-boid state, by its path
    (rules.cohesion.weight) or the last part of it (weight). Boids without the number keep the
    colour of their flock."""
    colour_range: Annotated[tuple[Number, ...], AfterValidator(_range)] = ()
    """Numbers with the first and the last colour, for speeds and numbers of boids. Empty: the
    range of the flock; for cyclic colours 0 to 2 pi."""
    colour_map: ColourMap = "sequential"
    """Colours of speeds and numbers of boids. sequential: dark to bright or bright to dark, away
    from the background; cyclic: a circle, for phases and angles. Headings are always cyclic."""
    shading: Literal["auto", "darts", "density"] = "auto"
    """darts: draw each boid; density: show the number of boids as brightness; auto: choose by their
    number. Boids with a scale above 1 are drawn individually up to a large number."""
    boid_size: Annotated[Number, Field(ge=0)] = 0.0
    """Length of a boid in length units; 0: chosen for the picture and the number of boids."""
    trails: Annotated[Whole, Field(ge=0, le=10000)] = 0
    """Number of past frames in the trail behind each boid. Density shading has no trails."""
    motion_blur: Annotated[Number, Field(ge=0, le=360)] = 0.0
    """Angle of the shutter in degrees: 360 is open from one picture to the next, 180 for half that
    time, as usual in films, and 0 is sharp. Density shading has no motion blur."""
    scenery: Scenery = "none"
    """What is behind the flock. none: the plain sky of the style. land: in 3-D hills on the horizon
    and the ground at the floor of the space, in 2-D a meadow from above. water: in 3-D the blue of
    the sea under its surface, in 2-D water from above."""
    box: Shown = "auto"
    """Draw the outline of the space, except of open axes, and a grid in 3-D and around a followed
    flock. auto: without scenery, and not in transparent pictures."""
    text: Shown = "auto"
    """Write time, number of boids and polarization in the corner, and what colours mean. auto: as
    `box`; with scenery what colours mean."""
    caption: Words = ""
    """Text below the flock, broken into lines."""
    watermark: Words = ""
    """Small text in the lower right corner, such as the author."""
    transparent: bool = False
    """Leave out background, scenery, box and text, for editing: in stills, numbered pictures, .webm
    and .mov films. Box and text are drawn if they are true, not auto."""
    charts: tuple[MeasureName, ...] = ()
    """Measures that live views and pages chart, from the top, such as milling: each is one number
    of a frame. Empty: polarization, milling, nearest neighbour and speed."""
    language: Annotated[str, Field(pattern="^([a-z]{2,3})?$")] = ""
    """Language of live views and pages, such as es. Empty: the reader's, or English."""
    camera: Camera = Camera()

    def decided(self, space: Space) -> View:
        """Return the view for a space, without `auto` in its camera, box and text."""
        plot = self.scenery == "none" and not self.transparent
        update = {
            "camera": self.camera.decided(space),
            "box": plot if self.box == "auto" else self.box,
            "text": plot if self.text == "auto" else self.text,
        }
        return self.model_copy(update=update)
