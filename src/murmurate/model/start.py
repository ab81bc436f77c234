"""Starts: where boids are, and how they fly, at step 0."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from murmurate.model.quantity import Number
from murmurate.model.value import Value

Point = tuple[Number, ...]
Positive = Annotated[Number, Field(gt=0)]
NotNegative = Annotated[Number, Field(ge=0)]


# --- velocities


class Still(Value):
    """At rest."""

    kind: Literal["still"] = "still"


class Directions(Value):
    """Random directions, all equally likely, at a speed drawn uniformly between two."""

    kind: Literal["directions"] = "directions"
    speed: NotNegative = 1.0
    """The lowest speed. Unit: speed."""
    up_to: NotNegative | None = None
    """The highest; the same as the lowest unless given. Unit: speed."""


class Cube(Value):
    """Each component uniform between two corners, then brought to the length `speed`, if given."""

    kind: Literal["cube"] = "cube"
    lower: Point
    """The lowest components. Unit: speed."""
    upper: Point
    """The highest components. Unit: speed."""
    speed: Positive | None = None
    """The speed of each; its own length unless given. Unit: speed."""


class Heading(Value):
    """All the same velocity, plus a normally distributed difference each."""

    kind: Literal["heading"] = "heading"
    velocity: Point
    """The velocity they share. Unit: speed."""
    spread: NotNegative = 0.0
    """Standard deviation of each component. Unit: speed."""


Velocities = Annotated[Still | Directions | Cube | Heading, Field(discriminator="kind")]


# --- positions


class InBox(Value):
    """Anywhere in a box, uniformly."""

    kind: Literal["box"] = "box"
    lower: Point = ()
    """Its lower corner; the space's unless given. Unit: length."""
    upper: Point = ()
    """Its upper corner; the space's unless given. Unit: length."""
    velocity: Velocities = Still()
    """How they fly at the start."""


class InBall(Value):
    """Anywhere in a ball (a disc in 2-D), uniformly."""

    kind: Literal["ball"] = "ball"
    centre: Point = ()
    """Its middle; the space's unless given. Unit: length."""
    radius: Positive
    """Unit: length."""
    velocity: Velocities = Still()
    """How they fly at the start."""


class OnRing(Value):
    """Evenly spaced on a ring about the vertical axis, flying along it."""

    kind: Literal["ring"] = "ring"
    centre: Point = ()
    """Its middle; the space's unless given. Unit: length."""
    radius: Positive
    """Unit: length."""
    speed: Number = 1.0
    """Along the ring, counterclockwise if positive. Unit: speed."""


class OnLattice(Value):
    """On a square (cubic) lattice around a middle."""

    kind: Literal["lattice"] = "lattice"
    centre: Point = ()
    """Its middle; the space's unless given. Unit: length."""
    spacing: Positive
    """Unit: length."""
    velocity: Velocities = Still()
    """How they fly at the start."""


class OffScreen(Value):
    """Outside the space, up to `distance` from it."""

    kind: Literal["off-screen"] = "off-screen"
    distance: Positive
    """Unit: length."""
    velocity: Velocities = Still()
    """How they fly at the start."""


class Given(Value):
    """Positions and velocities spelled out, one row a boid."""

    kind: Literal["given"] = "given"
    positions: tuple[Point, ...]
    """Unit: length."""
    velocities: tuple[Point, ...] = ()
    """Zeros unless given. Unit: speed."""


Start = Annotated[
    InBox | InBall | OnRing | OnLattice | OffScreen | Given, Field(discriminator="kind")
]
