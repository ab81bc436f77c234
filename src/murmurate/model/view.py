"""View and Look: how a model is drawn. They change pictures, never the simulation."""

from __future__ import annotations

import difflib
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from murmurate.errors import ModelError
from murmurate.model.quantity import Number, Whole
from murmurate.model.space import Space
from murmurate.model.value import Value

Positive = Annotated[Number, Field(gt=0)]
Pixels = Annotated[Whole, Field(ge=64, le=8192)]
Style = Literal["dark", "light", "dusk"]
Shape = Literal["dart", "bird", "fish", "arrow", "disc"]


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must be one line of letters that can be printed")
    return text.strip()


Words = Annotated[str, Field(max_length=200), AfterValidator(_one_line)]


def colour_rgb(text: str) -> tuple[int, int, int]:
    """A colour's red, green and blue, 0 to 255 each: '#e63946', '#e63' or a CSS name."""
    word = text.strip().lower()
    if re.fullmatch(r"#([0-9a-f]{3}|[0-9a-f]{6})", word):
        digits = word[1:] if len(word) == 7 else "".join(2 * digit for digit in word[1:])
        red, green, blue = bytes.fromhex(digits)
        return red, green, blue
    from PIL.ImageColor import colormap, getrgb

    if word not in colormap:
        close = difflib.get_close_matches(word, colormap, n=3)
        hint = f" (did you mean {' or '.join(close)}?)" if close else ""
        raise ValueError(
            f"is {text!r}: it must be #rrggbb or a CSS colour name such as steelblue{hint}"
        )
    red, green, blue = getrgb(word)[:3]
    return red, green, blue


def _colour(text: str) -> str:
    if text:
        colour_rgb(text)
    return text


Colour = Annotated[str, AfterValidator(_colour)]


class Look(Value):
    """How one flock is drawn."""

    colour: Colour = ""
    """A CSS colour name or #rrggbb. Empty: chosen by the style, red for a scale above 1."""
    shape: Literal["auto", Shape] = "auto"
    """What its boids are drawn as. dart: an arrowhead; bird: it beats its wings and banks in turns;
    fish: it beats its tail; arrow: a shaft with a head; disc: round, its heading not shown; auto: a
    dart, in the style dusk and in scenes of 3-D flocks a bird."""
    scale: Annotated[Number, Field(gt=0, le=50)] = 1.0
    """Size of its boids relative to the others. Above 1 they are drawn on top and keep their own
    colour when the others are coloured by heading or speed: predators, leaders."""


class Camera(Value):
    """Where a 3-D flock is seen from. In 2-D only `follow` and `zoom` matter."""

    azimuth: Number = 35.0
    """Degrees around the vertical axis."""
    elevation: Annotated[Number, Field(ge=-89, le=89)] = 20.0
    """Degrees above the horizon."""
    turn: Number = 0.0
    """Degrees the camera turns around the flock each second of film."""
    zoom: Positive = 1.0
    """Above 1 comes nearer."""
    follow: Literal["auto", "space", "flock"] = "auto"
    """Frame the whole space, or keep the flock in the middle and fill the picture; auto: the space
    where all its faces are closed or periodic, else the flock, which may leave it."""

    def decided(self, space: Space) -> Camera:
        """The camera for a space, with `auto` decided."""
        if self.follow != "auto":
            return self
        return self.model_copy(
            update={"follow": "flock" if "open" in space.boundaries else "space"}
        )


class View(Value):
    """Film and picture settings; the command line has options for most, --set view... for all."""

    steps: Annotated[Whole, Field(ge=1)] = 480
    """Steps of a film unless said otherwise."""
    every: Annotated[Whole, Field(ge=1)] = 1
    """Steps from one picture to the next."""
    warm_up: Annotated[Whole, Field(ge=0)] = 0
    """Steps flown before the first picture of a film, so that it need not begin with a start that
    was drawn at random; of a recording none unless asked for."""
    frames_per_second: Annotated[Number, Field(ge=0.01, le=240)] = 24.0
    """Pictures a second of the film."""
    size: tuple[Pixels, Pixels] = (1280, 720)
    """Width and height in pixels; odd numbers are rounded up to even ones in mp4 and webm films."""
    style: Style = "dark"
    """The colours of the picture."""
    colour_by: Literal["flock", "heading", "speed"] = "flock"
    """What a boid's colour shows."""
    shading: Literal["auto", "darts", "density"] = "auto"
    """darts: each boid is drawn; density: brightness by how many are there; auto: by number. Boids
    with a scale above 1 are drawn each unless there are very many."""
    boid_size: Annotated[Number, Field(ge=0)] = 0.0
    """Length of a boid in the model's length unit; 0 chooses it from the picture and the number."""
    trails: Annotated[Whole, Field(ge=0, le=10000)] = 0
    """Frames of past positions drawn behind each boid (not with density shading)."""
    motion_blur: Annotated[Number, Field(ge=0, le=360)] = 0.0
    """Angle of the shutter in degrees. A whole turn is the time from one picture to the next, and
    boids are blurred by what they move in that part of it: 180 is usual in films, 0 is sharp (not
    with density shading)."""
    box: bool = True
    """Draw the outline of the space."""
    text: bool = True
    """Write time, number of boids and polarization in the corner."""
    caption: Words = ""
    """What is written below the flock, in as many lines as it takes."""
    watermark: Words = ""
    """What is written small in the lower right corner: who made it."""
    transparent: bool = False
    """No background, for editing: in stills, numbered pictures, .webm and .mov films."""
    camera: Camera = Camera()

    def decided(self, space: Space) -> View:
        """The view of a space, with what is `auto` in its camera decided."""
        return self.model_copy(update={"camera": self.camera.decided(space)})


def frame_rate(frames_per_second: float | None, fps: float | None) -> float | None:
    """Return the frame rate, of which `fps` is the short name. Raises ModelError for two."""
    if fps is None or frames_per_second is None:
        return frames_per_second if fps is None else fps
    raise ModelError(
        f"fps: got {fps!r} beside frames_per_second={frames_per_second!r}; expected one of them, "
        "since both mean the same"
    )
