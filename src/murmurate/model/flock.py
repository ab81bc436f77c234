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
    """How a flock's boids perceive others: with a delay, at intervals, with errors and losses.

    It models drones that broadcast their state by radio. Boids know their own state and obstacles
    exactly. The sensing distance is the radius of their rules. Errors belong to the boid that is
    perceived: all boids that perceive it at the same time perceive the same. Losses belong to a
    message and its receiver. A link is good or bad (Gilbert 1960,
    doi:10.1002/j.1538-7305.1960.tb03959.x; Elliott 1963, doi:10.1002/j.1538-7305.1963.tb00955.x).
    """

    delay: Annotated[Number, Field(ge=0)] = 0.0
    """Others are perceived as they were this time ago, rounded to whole steps. Up to this time
    after the start they are perceived as at the start. Unit: time."""
    refresh: Annotated[Number, Field(ge=0)] = 0.0
    """The interval between updates of what is perceived, which are the messages of each boid,
    rounded to whole steps; 0: every step. Unit: time."""
    position_error: Scalar = quantity(0.0, ge=0, unit="length")
    """Standard deviation of each component of a perceived position, drawn at each update."""
    velocity_error: Scalar = quantity(0.0, ge=0, unit="speed")
    """Standard deviation of each component of a perceived velocity, drawn at each update."""
    clock_spread: Annotated[Number, Field(ge=0)] = 0.0
    """Each boid sends its messages later than others by a time of its own, which is uniform from 0
    up to this, in whole steps; at most `refresh`. Unit: time."""
    range: Annotated[Number, Field(gt=0)] | None = None
    """A message reaches boids within this distance when it is sent; any distance unless given.
    Unit: length."""
    loss: Annotated[Number, Field(ge=0, le=1)] = 0.0
    """Probability that a message is lost on a good link."""
    bad_loss: Annotated[Number, Field(ge=0, le=1)] = 1.0
    """Probability that a message is lost on a bad link."""
    bad_share: Annotated[Number, Field(ge=0, lt=1)] = 0.0
    """Share of the time in which a link is bad."""
    bad_length: Annotated[Number, Field(ge=1, le=1000)] | None = None
    """How many messages a link remains bad for, on average; at least 1 / (1 - bad_share), which
    makes the messages independent and is the default."""
    max_lost: Annotated[Whole, Field(ge=0, le=1000)] = 0
    """How many messages in sequence a boid may lose from another and still perceive it, as the last
    message that arrived described it."""

    @model_validator(mode="after")
    def _check_length(self) -> Sensing:
        shortest = 1.0 / (1.0 - self.bad_share)
        if self.bad_length is not None and self.bad_length < shortest * (1 - 1e-9):
            raise ValueError(
                f"bad_length: got {self.bad_length:g}; expected at least {shortest:g}, "
                "1 / (1 - bad_share). Lengthen it, or reduce bad_share"
            )
        if self.clock_spread > self.refresh:
            raise ValueError(
                f"clock_spread: got {self.clock_spread:g}; expected at most refresh, "
                f"{self.refresh:g}, since messages are sent at this interval. Reduce it"
            )
        return self

    @property
    def loses(self) -> bool:
        """Whether messages may get lost, or are out of range."""
        return self.range is not None or self.loss > 0 or self.bad_share * self.bad_loss > 0

    @property
    def ages(self) -> int:
        """The number of messages of a boid that others may perceive at a time."""
        return self.max_lost + 1 if self.loses else 1

    @property
    def keep(self) -> float:
        """Probability that a link's state is that of the message before, and not drawn again.

        A link gets bad with probability g and good with probability b = 1 / bad_length. The law of
        its next state is 1 - g - b times the present state, plus g + b times the stationary law.
        """
        if self.bad_length is None or self.bad_share == 0.0:
            return 0.0
        return max(0.0, 1.0 - 1.0 / (self.bad_length * (1.0 - self.bad_share)))

    def steps(self, dt: float) -> tuple[int, int]:
        """Return delay and refresh in steps; refresh is at least 1."""
        return round(self.delay / dt), max(1, round(self.refresh / dt))

    def clock_steps(self, dt: float) -> int:
        """Return the number of clocks, each a step later than the one before."""
        return min(max(1, round(self.clock_spread / dt)), self.steps(dt)[1])

    def depth(self, dt: float) -> int:
        """Return how many past steps must be stored; with a range, also the present one."""
        delay, refresh = self.steps(dt)
        return delay + refresh * self.ages - (self.range is None)


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
