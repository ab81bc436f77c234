"""Flock: a named group of boids that share a start, a motion, sensing and perching."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SerializeAsAny, field_validator, model_validator

from murmurate.model.motion import MOTIONS, Motion
from murmurate.model.number import Whole
from murmurate.model.quantity import Part, Scalar, quantity
from murmurate.model.sensing import Sensing
from murmurate.model.start import InBox, Start
from murmurate.model.value import Value
from murmurate.model.view import Look

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
