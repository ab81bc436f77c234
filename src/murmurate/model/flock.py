"""Flock: a named group of boids with a start, a motion, sensing and perching."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, SerializeAsAny, field_validator, model_validator

from murmurate.model.number import Number, Whole
from murmurate.model.quantity import Part, Scalar, quantity
from murmurate.model.registry import MOTIONS
from murmurate.model.rule import Motion
from murmurate.model.start import InBox, Start
from murmurate.model.value import Value
from murmurate.model.view import Look

Count = Annotated[Whole, Field(ge=0, le=2_000_000_000)]


class Sensing(Part):
    """How a flock's boids perceive others: with a delay, at intervals and with errors.

    It models drones that broadcast their state by radio. Boids know their own state and obstacles
    exactly. The sensing distance is the radius of their rules. Errors belong to the boid that is
    perceived: all boids that perceive it at the same time perceive the same.
    """

    delay: Annotated[Number, Field(ge=0)] = 0.0
    """Others are perceived as they were this time ago, rounded to whole steps. Up to this time
    after the start they are perceived as at the start. Unit: time."""
    refresh: Annotated[Number, Field(ge=0)] = 0.0
    """The interval between updates of what is perceived; 0: every step. Unit: time."""
    position_error: Scalar = quantity(0.0, ge=0, unit="length")
    """Standard deviation of each component of a perceived position, drawn at each update."""
    velocity_error: Scalar = quantity(0.0, ge=0, unit="speed")
    """Standard deviation of each component of a perceived velocity, drawn at each update."""

    def steps(self, dt: float) -> tuple[int, int]:
        """Return delay and refresh in steps; refresh is at least 1."""
        return round(self.delay / dt), max(1, round(self.refresh / dt))

    def sensed_step(self, step: int, dt: float) -> int:
        """Return the step whose state is perceived at a step; at least 0, the start."""
        delay, refresh = self.steps(dt)
        return max(0, (step - delay) // refresh * refresh)

    def depth(self, dt: float) -> int:
        """Return how many past steps must be stored."""
        delay, refresh = self.steps(dt)
        return delay + refresh - 1


class Perching(Part):
    """Boids that land on the ground stay there for a random number of steps.

    A boid that moves below the ground is put on it. It stays there, whatever its rules, and then
    goes on with the velocity that it had. Rules of kind `perch` add wires on which boids land.
    """

    ground: Scalar = quantity(0.0, unit="length")
    """Ground level on the vertical axis, which is the last one."""
    shortest: Annotated[Whole, Field(ge=1)] = 10
    """The smallest number of steps on the ground."""
    longest: Annotated[Whole, Field(ge=1)] = 50
    """The largest number of steps; all numbers between the two are equally likely."""

    @model_validator(mode="after")
    def _check_order(self) -> Perching:
        if self.longest < self.shortest:
            raise ValueError(
                f"longest: got {self.longest}; expected at least shortest, {self.shortest}"
            )
        return self


class Flock(Value):
    """A named group of boids."""

    _path: ClassVar[str] = "flocks.NAME."
    count: Count
    """Number of boids at the start."""
    max_boids: Annotated[Whole, Field(ge=1, le=2_000_000_000)] | None = None
    """The largest number of boids, for a flock that boids may join (see [population]); 10,000
    unless given. A run ends with an error before there are more."""
    start: Start = InBox()
    """Positions and velocities at step 0."""
    motion: SerializeAsAny[Motion] = Field(default_factory=lambda: MOTIONS.find("add")())
    """How the steering vector changes the velocity."""
    combine: Literal["sum", "priority", "levels"] = "sum"
    """How the vectors of rules are combined. sum: they are added. priority: in the order of the
    model, each rule takes up to what is left of max_force (Reynolds 1987). levels: the rules of the
    highest level whose sum is not zero, and those of level 0 (Couzin et al. 2002)."""
    sensing: Sensing | None = None
    """Delays and errors with which its boids perceive others; none unless given."""
    perching: Perching | None = None
    """Perching on the ground; none unless given."""
    diameter: Annotated[Number, Field(gt=0)] | None = None
    """Diameter of its boids as discs that hide what is behind them. Only rules with `neighbours`
    'visible' and rules that sense the view need it. Unit: length."""
    look: Look = Look()
    """Colour, shape and size in pictures."""

    @field_validator("motion", mode="before")
    @classmethod
    def _parse_motion(cls, value: Any) -> Any:
        if isinstance(value, dict):
            kind = value.get("kind", "add")
            return MOTIONS.find(kind).model_validate({**value, "kind": kind})
        return value
