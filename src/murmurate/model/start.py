"""Starts: the positions and velocities of a flock at step 0."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from murmurate.model.number import Number
from murmurate.model.value import Value

Point = tuple[Number, ...]
Positive = Annotated[Number, Field(gt=0)]
NotNegative = Annotated[Number, Field(ge=0)]


# --- velocities


class Stationary(Value):
    """All boids are at rest."""

    kind: Literal["stationary"] = "stationary"


class Directions(Value):
    """Random directions, all equally likely, at speeds drawn uniformly between two."""

    kind: Literal["directions"] = "directions"
    speed: NotNegative = 1.0
    """The lowest speed. Unit: speed."""
    up_to: NotNegative | None = None
    """The highest speed; the lowest unless given. Unit: speed."""


class Cube(Value):
    """Components drawn uniformly between two corners; `speed` may then set the length."""

    kind: Literal["cube"] = "cube"
    lower: Point
    """The lowest components. Unit: speed."""
    upper: Point
    """The highest components. Unit: speed."""
    speed: Positive | None = None
    """The speed of each boid; the length of its drawn vector unless given. Unit: speed."""


class Heading(Value):
    """A common velocity, plus normally distributed differences."""

    kind: Literal["heading"] = "heading"
    velocity: Point
    """The common velocity. Unit: speed."""
    spread: NotNegative = 0.0
    """Standard deviation of each component. Unit: speed."""


Velocities = Annotated[Stationary | Directions | Cube | Heading, Field(discriminator="kind")]


# --- positions


class InBox(Value):
    """Uniformly distributed in a box."""

    kind: Literal["box"] = "box"
    lower: Point = ()
    """Its lower corner; that of the space unless given. Unit: length."""
    upper: Point = ()
    """Its upper corner; that of the space unless given. Unit: length."""
    velocity: Velocities = Stationary()
    """The velocities."""


class InBall(Value):
    """Uniformly distributed in a ball (a disc in 2-D)."""

    kind: Literal["ball"] = "ball"
    centre: Point = ()
    """Its centre; that of the space unless given. Unit: length."""
    radius: Positive
    """Its radius. Unit: length."""
    velocity: Velocities = Stationary()
    """The velocities."""


class OnRing(Value):
    """Evenly spaced on a ring about the vertical axis, moving along it."""

    kind: Literal["ring"] = "ring"
    centre: Point = ()
    """Its centre; that of the space unless given. Unit: length."""
    radius: Positive
    """Its radius. Unit: length."""
    speed: Number = 1.0
    """Speed along the ring, counterclockwise if positive. Unit: speed."""


class OnLattice(Value):
    """On a square (cubic) lattice around a centre."""

    kind: Literal["lattice"] = "lattice"
    centre: Point = ()
    """Its centre; that of the space unless given. Unit: length."""
    spacing: Positive
    """The lattice constant. Unit: length."""
    velocity: Velocities = Stationary()
    """The velocities."""


class OffScreen(Value):
    """Outside the space, up to `distance` from it."""

    kind: Literal["off-screen"] = "off-screen"
    distance: Positive
    """The largest distance from the space. Unit: length."""
    velocity: Velocities = Stationary()
    """The velocities."""


class Given(Value):
    """Explicit positions and velocities, one row for each boid."""

    kind: Literal["given"] = "given"
    positions: tuple[Point, ...]
    """The positions. Unit: length."""
    velocities: tuple[Point, ...] = ()
    """The velocities; zeros unless given. Unit: speed."""


Start = Annotated[
    InBox | InBall | OnRing | OnLattice | OffScreen | Given, Field(discriminator="kind")
]
