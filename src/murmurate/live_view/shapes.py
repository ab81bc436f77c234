"""Shapes: what pages may draw, in numbers only; their names, and rules that go with them,
are given by drawing.py."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

Point = Annotated[tuple[FiniteFloat, ...], Field(min_length=2, max_length=3)]
Positive = Annotated[FiniteFloat, Field(gt=0)]
MOST_POINTS = 64  # of a path


class Drawn(BaseModel):
    """What all shapes share. Points have as many numbers as the space has dimensions."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Sphere(Drawn):
    kind: Literal["sphere"]
    centre: Point
    radius: Positive


class Box(Drawn):
    kind: Literal["box"]
    centre: Point
    size: Annotated[tuple[Positive, ...], Field(min_length=2, max_length=3)]


class Wall(Drawn):
    """A wall that goes through two points, upright in 3-D; the flock is in front of it."""

    kind: Literal["wall"]
    through: tuple[Point, Point]


class Path(Drawn):
    kind: Literal["path"]
    points: Annotated[tuple[Point, ...], Field(min_length=2, max_length=MOST_POINTS)]
    closed: bool = False


class Goal(Drawn):
    kind: Literal["goal"]
    place: Point


Shape = Annotated[Sphere | Box | Wall | Path | Goal, Field(discriminator="kind")]
