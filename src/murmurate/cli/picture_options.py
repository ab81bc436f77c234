"""Options of pictures: size, style and camera."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from murmurate.cli.options import PICTURE
from murmurate.errors import CommandError
from murmurate.number_text import parse_number
from murmurate.show.presets import parse_size, preset_settings

PresetName = Literal["film", "reel", "square", "4k", "gif", "talk"]

Changes = dict[str, tuple[str, Any]]  # path in the model -> (the option as it was given, its value)


@Parameter(name="*", group=PICTURE)
@dataclass(frozen=True, kw_only=True)
class CameraOptions:
    """The camera. An absent option is that of the model's view.

    Parameters
    ----------
    camera
        AZIMUTH,ELEVATION in degrees, from where a 3-D flock is seen, such as 30,15.
    zoom
        Above 1 comes nearer.
    follow
        space: frame the whole space; flock: keep the flock in the picture; auto: the flock where it
        may leave the space.
    """

    camera: str | None = None
    zoom: float | None = None
    follow: Literal["auto", "space", "flock"] | None = None

    def changes(self) -> Changes:
        """Return the settings that were passed."""
        changes = _passed("view.camera", zoom=self.zoom, follow=self.follow)
        if self.camera is not None:
            for name, angle in zip(("azimuth", "elevation"), _angles(self.camera), strict=True):
                changes[f"view.camera.{name}"] = (f"--camera {self.camera}", angle)
        return changes


Style = Annotated[str | None, Parameter(help="dark, light or dusk.", group=PICTURE)]
ColourBy = Annotated[
    str | None,
    Parameter(
        name=("--colour-by", "--color-by"),
        help="What a boid's colour shows: flock, heading, speed, or a number that differs between "
        "boids, such as weight.",
        group=PICTURE,
    ),
]


@Parameter(name="*", group=PICTURE)
@dataclass(frozen=True, kw_only=True)
class Picture:
    """How a flock is drawn. An absent option is that of the model's view.

    Parameters
    ----------
    size
        Width and height in pixels, such as 1920x1080; or 720p, 1080p, 4k.
    colour_range
        LOW,HIGH: the numbers with the first and the last colour; unless given, the range of the
        flock.
    colour_map
        sequential: from one end to the other; cyclic: a circle, for phases and angles.
    preset
        Settings for where it is shown: film (1080p), reel (1080x1920), square, 4k and gif show the
        flock alone; talk is for slides. Other options come after it.
    no_text
        No line of time, number of boids and polarization.
    caption
        What is written below the flock.
    watermark
        What is written small in the lower right corner.
    transparent
        No background: .png, numbered pictures, .webm (VP9) or .mov (ProRes).
    """

    size: str | None = None
    style: Style = None
    colour_by: ColourBy = None
    colour_range: Annotated[str | None, Parameter(name=("--colour-range", "--color-range"))] = None
    colour_map: Annotated[
        Literal["sequential", "cyclic"] | None, Parameter(name=("--colour-map", "--color-map"))
    ] = None

    preset: PresetName | None = None
    no_text: bool = False
    caption: str | None = None
    watermark: str | None = None
    transparent: bool = False

    def changes(self) -> Changes:
        """Return the settings that were passed. They replace those of a preset."""
        changes: Changes = {}
        for name, value in preset_settings(self.preset).items():
            plain = list(value) if isinstance(value, tuple) else value
            changes[f"view.{name}"] = (f"--preset {self.preset}", plain)
        changes |= _passed(
            caption=self.caption, watermark=self.watermark, style=self.style,
            colour_by=self.colour_by, colour_map=self.colour_map,
        )  # fmt: skip
        if self.transparent:
            changes["view.transparent"] = ("--transparent", True)
        if self.size is not None:
            changes["view.size"] = (f"--size {self.size}", list(parse_size(self.size)))
        if self.colour_range is not None:
            option = f"--colour-range {self.colour_range}"
            changes["view.colour_range"] = (option, _range(self.colour_range))
        if self.no_text:
            changes["view.text"] = ("--no-text", False)
        return changes


def picture_changes(picture: Picture | None, camera: CameraOptions | None) -> Changes:
    """Return the changes of both."""
    return (picture or Picture()).changes() | (camera or CameraOptions()).changes()


def pacing(
    steps: int | None = None,
    every: int | None = None,
    fps: float | None = None,
    trails: int | None = None,
    warm_up: int | None = None,
    motion_blur: float | None = None,
) -> Changes:
    """Return the changes of length, begin and pace of a film."""
    changes = _passed(
        steps=steps, every=every, trails=trails, warm_up=warm_up, motion_blur=motion_blur
    )
    if fps is not None:
        changes["view.frames_per_second"] = (f"--fps {fps}", fps)
    return changes


def _passed(part: str = "view", **values: Any) -> Changes:
    """Return the changes of a part by options that are called as its numbers and words."""
    return {
        f"{part}.{name}": (f"--{name.replace('_', '-')} {value}", value)
        for name, value in values.items()
        if value is not None
    }


Charts = Annotated[
    tuple[str, ...],
    Parameter(
        name="--chart",
        help="A measure to chart, such as milling, in place of the default ones; repeat it for "
        "others.",
        group=PICTURE,
    ),
]


def chart_setting(names: Sequence[str]) -> Changes:
    """Return the change of a model for the charts that --chart names."""
    return {"view.charts": (" ".join(f"--chart {n}" for n in names), list(names))} if names else {}


def _range(text: str) -> list[float]:
    try:
        low, high = map(parse_number, text.split(","))
    except ValueError:
        raise CommandError(
            f"--colour-range: got {text}; expected LOW,HIGH, such as --colour-range 0,2"
        ) from None
    return [low, high]


def _angles(text: str) -> tuple[float, float]:
    number = r"\s*([+-]?\d{1,9}(?:\.\d{0,9})?)\s*"
    match = re.fullmatch(f"{number},{number}", text, re.ASCII)
    if not match:
        raise CommandError(
            f"--camera: got {text}; expected AZIMUTH,ELEVATION in degrees, such as 30,15"
        )
    return float(match[1]), float(match[2])


Language = Annotated[
    str | None,
    Parameter(
        help="Language of the page: en, es, fr or pt; unless given, that of the reader's browser.",
        group=PICTURE,
    ),
]


def language_setting(language: str | None) -> Changes:
    """Return the change of a model for --language."""
    return _passed(language=language)
