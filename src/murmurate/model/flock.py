"""Flock: a named group of boids with a start, a motion, sensing and perching."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SerializeAsAny, field_validator, model_validator

from murmurate.model.quantity import Number, Part, Scalar, Whole, quantity
from murmurate.model.registry import MOTIONS
from murmurate.model.rule import Motion
from murmurate.model.start import InBox, Start
from murmurate.model.value import Value
from murmurate.model.view import Look


class Sensing(Part):
    """How a flock's boids come to know of others: late, now and then, and with errors, as drones
    do by radio. Of themselves and of obstacles they know all. How far they sense is their rules'
    radius.

    Errors are of what is known of a boid: all that sense it in one moment perceive the same.
    """

    delay: Annotated[Number, Field(ge=0)] = 0.0
    """Others are known where they were so long ago, rounded to whole steps (before the start: as
    they were then). Unit: time."""
    refresh: Annotated[Number, Field(ge=0)] = 0.0
    """What is known of them is renewed so often, and stays as it is in between; 0: every step.
    Unit: time."""
    position_error: Scalar = quantity(0.0, ge=0, unit="length")
    """Standard deviation of each component of a known place; new each time it is renewed."""
    velocity_error: Scalar = quantity(0.0, ge=0, unit="speed")
    """Standard deviation of each component of a known velocity."""

    def steps(self, dt: float) -> tuple[int, int]:
        """(delay, refresh) in steps, refresh at least 1."""
        return round(self.delay / dt), max(1, round(self.refresh / dt))

    def known(self, step: int, dt: float) -> int:
        """The step whose state is known of at a step; the start's where there was none."""
        delay, refresh = self.steps(dt)
        return max(0, (step - delay) // refresh * refresh)

    def depth(self, dt: float) -> int:
        """How many steps before the present one must be remembered."""
        delay, refresh = self.steps(dt)
        return delay + refresh - 1


Count = Annotated[Whole, Field(ge=0, le=2_000_000_000)]


class Perching(Part):
    """Boids that come down to the ground stay there for a random number of steps.

    A boid that a step takes below the ground level is put on the ground and holds still,
    rules or not, until its time is up; it then flies on with the velocity it came with.
    """

    ground: Scalar = quantity(0.0, unit="length")
    """Ground level on the vertical axis, the last one."""
    shortest: Annotated[Whole, Field(ge=1)] = 10
    """The fewest steps on the ground."""
    longest: Annotated[Whole, Field(ge=1)] = 50
    """The most; every number between is equally likely."""

    @model_validator(mode="after")
    def _ordered(self) -> Perching:
        if self.longest < self.shortest:
            raise ValueError(f"longest is {self.longest}: it must be >= shortest ({self.shortest})")
        return self


class Flock(Value):
    """A named group of boids."""

    count: Count
    """Number of boids."""
    start: Start = InBox()
    """Where they are and how they fly at step 0."""
    motion: SerializeAsAny[Motion] = Field(default_factory=lambda: MOTIONS.find("add")())
    """How steering becomes velocity."""
    combine: Literal["sum", "priority", "levels"] = "sum"
    """How steering vectors are put together. sum: they are added. priority: in the order the rules
    stand in the model, each takes what is left of max_force (Reynolds 1987). levels: those of the
    highest level whose sum is not zero, and of level 0 (Couzin et al. 2002)."""
    sensing: Sensing | None = None
    """What its boids know of others, where that is late or has errors."""
    perching: Perching | None = None
    """Perching, where boids may land."""
    look: Look = Look()
    """Colour, shape and size in pictures."""

    @field_validator("motion", mode="before")
    @classmethod
    def _of_its_kind(cls, value: Any) -> Any:
        if isinstance(value, dict):
            kind = value.get("kind", "add")
            return MOTIONS.find(kind).model_validate({**value, "kind": kind})
        return value
