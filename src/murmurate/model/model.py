"""Model: a flock model as a frozen value, the same as its TOML file."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    FiniteFloat,
    SerializeAsAny,
    ValidationError,
    field_validator,
    model_validator,
)

from murmurate.errors import ModelError
from murmurate.model.check import cross_checks
from murmurate.model.error_text import complaints
from murmurate.model.figure import Panel, SomeSeeds, unmeasured
from murmurate.model.flock import Flock
from murmurate.model.kinds import parse_kinds
from murmurate.model.obstacles import Obstacle
from murmurate.model.paths import with_changes
from murmurate.model.rule import Rule, flocks_moved
from murmurate.model.space import Space
from murmurate.model.value import FrozenDict, Value, plain
from murmurate.model.view import View


class Source(Value):
    """Where a model comes from."""

    reference: str = ""
    """Authors, year, title."""
    doi: str = ""
    """Its digital object identifier, without the resolver's address."""
    url: str = ""
    """Where it can be read."""
    reading: str = ""
    """What the source leaves open, and how it was read here."""


class Expectation(Value):
    """A result the model must give: the mean over its seeds lies within bounds."""

    measure: str
    """The measure's name, such as 'polarization'."""
    flock: str = "boids"
    """The flock that is measured; 'all' for the boids of all flocks together."""
    set: dict[str, Any] = Field(default={})
    """What is changed in the model first: dotted path -> value."""
    step: Annotated[int, Field(ge=0)]
    """When it is measured."""
    since: Annotated[int, Field(ge=0)] | None = None
    """It is averaged over the steps from here to `step`; measured at `step` alone unless given."""
    every: Annotated[int, Field(ge=1)] = 1
    """Steps from one value of the average to the next."""
    relative: bool = False
    """Whether the value is divided by what it was at step 0."""
    seeds: SomeSeeds = (1,)
    """Seeds of the runs."""
    value: FiniteFloat | None = None
    """The value expected; low and high stand in its place where bounds are what is known."""
    tolerance: Annotated[FiniteFloat, Field(ge=0)] | None = None
    """How far from the value still agrees."""
    low: FiniteFloat | None = None
    """The lowest value that agrees."""
    high: FiniteFloat | None = None
    """The highest value that agrees."""
    tier: Literal["quick", "full"] = "quick"
    """quick: seconds; full: verified only when asked for."""
    origin: Literal["published", "claimed", "exact", "checked"] = "checked"
    """published: the paper gives the number; claimed: the paper says so in words, and the bounds
    are ours; exact: a closed form gives it, and how near to it is ours; checked: a program written
    for that alone, or this one, gave the number."""
    why: str = ""
    """What the result says."""

    @model_validator(mode="after")
    def _bounded(self) -> Expectation:
        by_value = self.value is not None and self.tolerance is not None
        by_bounds = self.low is not None or self.high is not None
        if by_value == by_bounds or (self.value is None) != (self.tolerance is None):
            raise ValueError("give value and tolerance, or low and high, or one of these two")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(
                f"low is {self.low:g} and high is {self.high:g}: no value is between them; low "
                "must be <= high"
            )
        if self.since is not None and (wrong := unmeasured(self.since, self.step, self.every)):
            raise ValueError(wrong)
        return self

    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value that agree."""
        if self.value is not None and self.tolerance is not None:
            return self.value - self.tolerance, self.value + self.tolerance
        low = -math.inf if self.low is None else self.low
        return low, math.inf if self.high is None else self.high


class Model(Value):
    """A flock model: space, flocks, rules, obstacles, and how they are put together.

    Raises ModelError, with every wrong value at once, when it is made of parts that do not fit.
    """

    name: str = "model"
    """A short name, as used in file names."""
    title: str = ""
    """One line: what it is."""
    about: str = ""
    """A few lines: what happens in it."""
    tries: tuple[str, ...] = ()
    """Things worth trying: settings as given to --set, and what they do."""
    source: Source = Source()
    """Where it comes from."""
    dt: Annotated[FiniteFloat, Field(gt=0)] = 1.0
    """Time of one step. Unit: time."""
    order: Literal["synchronous", "one-by-one", "shuffled"] = "synchronous"
    """Order of update. synchronous: all read the old state; one-by-one: each boid in id order sees
    what those before it did; shuffled: the same in a new random order each step."""
    positions: Literal["in-turn", "at-end"] = "in-turn"
    """one-by-one and shuffled only: each boid moves in its turn, or all move when every velocity
    of the step is known."""
    integrator: Literal["euler", "verlet", "rk4"] = "euler"
    """How forces move boids through a step. euler: their sum where they are gives the next
    velocity, which moves them; verlet and rk4 evaluate the forces two and four times a step, and
    err by its second and fourth power. For the order 'synchronous', one stage, and the motion
    add."""
    space: Space
    """The box it lives in."""
    flocks: dict[str, Flock]
    """The flocks, by name. In one-by-one order, those that stand first move first."""
    rules: dict[str, SerializeAsAny[Rule]] = Field(default={})
    """The rules, by name."""
    obstacles: dict[str, Obstacle] = Field(default={})
    """The obstacles, by name."""
    view: View = View()
    """How it likes to be shown."""
    expect: tuple[Expectation, ...] = ()
    """Results it must give."""
    figure: tuple[Panel, ...] = ()
    """Its figure, a panel each."""

    @field_validator("order", mode="before")
    @classmethod
    def _renamed(cls, value: object) -> object:
        """Files written by 0.1.0 say 'together'."""
        return "synchronous" if value == "together" else value

    def __init__(self, **data: Any) -> None:
        data, problems = parse_kinds(data)
        try:
            super().__init__(**data)
        except ValidationError as error:
            problems = [*problems, *complaints(error, Model, data)]
        if not problems:
            for name in ("flocks", "rules", "obstacles"):
                object.__setattr__(self, name, FrozenDict(getattr(self, name)))
            problems = cross_checks(self)
        if problems:
            raise ModelError("\n".join(problems))

    def __hash__(self) -> int:
        return int(self.fingerprint()[:15], 16)

    def fingerprint(self) -> str:
        """A hash of the content, the same in every process: 64 hexadecimal digits."""
        return hashlib.sha256(repr(self.to_dict()).encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Plain tables, lists, numbers and words, without what equals its default."""
        table: dict[str, Any] = plain(self)
        return table

    def set(self, changes: Mapping[str, Any]) -> Model:
        """The model with numbers changed, by dotted path: {"rules.cohesion.weight": 0.05}.

        Raises ModelError for a path that leads nowhere or a value that is not allowed.
        """
        data, problems = with_changes(self.to_dict(), changes)
        try:
            model = Model(**data)
        except ModelError as error:
            problems = [*problems, *str(error).splitlines()]
        if problems:
            raise ModelError("\n".join(problems))
        return model

    def moved_by(self, flock: str) -> dict[str, Rule]:
        """The rules that move a flock, in order: name -> rule."""
        return {name: rule for name, rule in self.rules.items() if flock in self.movers(rule)}

    def movers(self, rule: Rule) -> tuple[str, ...]:
        """The flocks that a rule moves."""
        return flocks_moved(rule, self.flocks)

    def sensed(self, rule: Any, flock: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a rule that moves `flock` senses: (flocks, obstacles), by name."""
        words = rule.senses or flock
        words = (words,) if isinstance(words, str) else words
        obstacles = [name for name in self.obstacles if name in words or "obstacles" in words]
        return tuple(word for word in words if word in self.flocks), tuple(obstacles)
