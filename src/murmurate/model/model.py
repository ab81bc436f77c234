"""Model: a flock model as a frozen value, the same as its TOML file."""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, SerializeAsAny, ValidationError, field_validator

from murmurate.errors import ModelError
from murmurate.model.check import cross_checks
from murmurate.model.flock import Flock
from murmurate.model.messages import complaints, cut, unknown
from murmurate.model.names import wrong_name
from murmurate.model.obstacles import Obstacle
from murmurate.model.quantity import Number
from murmurate.model.registry import parse_kinds
from murmurate.model.results import Expectation, Panel
from murmurate.model.rule import Rule, flocks_moved
from murmurate.model.space import Space
from murmurate.model.text_reader import DEEPEST
from murmurate.model.value import FrozenDict, Value, plain
from murmurate.model.view import View

# In these tables the names are the user's: a path must name one that is there.
NAMED = ("flocks", "rules", "obstacles")


def with_changes(
    data: dict[str, Any], changes: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The plain tables of a model with values put at dotted paths, and what is wrong with paths
    into tables that are not there; whether the last key and the value are allowed is for the model
    to say. None at the path of a flock, rule or obstacle takes it out.
    """
    data = copy.deepcopy(data)
    problems = []
    for path, value in changes.items():
        try:
            _put(data, path.split("."), plain(value), path)
        except ModelError as error:
            problems.append(f"{cut(path)}: {error}")
    return data, problems


def _put(data: dict[str, Any], keys: list[str], value: Any, path: str) -> None:
    if len(keys) > DEEPEST:
        raise ModelError(f"has {len(keys):,} parts: a path may have {DEEPEST}")
    if keys[0] in NAMED:
        table = data.get(keys[0], {})
        if len(keys) == 2 and value is None:
            if keys[1] not in table:
                raise ModelError(unknown(keys[0].removesuffix("s"), keys[1], table))
            del table[keys[1]]
            return
        if len(keys) < 3 and not isinstance(value, dict):
            raise ModelError(f"is a whole table; name a number in it, such as {path}.NAME")
        if len(keys) > 1 and keys[1] not in table and len(keys) > 2:
            raise ModelError(unknown(keys[0].removesuffix("s"), keys[1], table))
    here: Any = data
    for key in keys[:-1]:
        here = here[_index(here, key)] if isinstance(here, list) else here.setdefault(key, {})
        if not isinstance(here, dict | list):
            raise ModelError(f"{key} is a number, not a table")
    if isinstance(here, list):
        here[_index(here, keys[-1])] = value
    else:
        here[keys[-1]] = value


def _index(items: list[Any], key: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", key) or int(key) >= len(items):
        raise ModelError(f"{cut(key)} is not one of the places 0 to {len(items) - 1}")
    return int(key)


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


class Model(Value):
    """A flock model: space, flocks, rules, obstacles, and how they are put together.

    Raises ModelError, with every wrong value at once, when it is made of parts that do not fit.
    """

    name: str = "model"
    """A short name, after which files are named: at most 64 letters, digits, spaces and any of
    -_.,+(), from a letter or digit on, and no dot or space at the end."""
    title: str = ""
    """One line: what it is."""
    about: str = ""
    """A few lines: what happens in it."""
    tries: tuple[str, ...] = ()
    """Things worth trying: settings as given to --set, and what they do."""
    source: Source = Source()
    """Where it comes from."""
    dt: Annotated[Number, Field(gt=0)] = 1.0
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

    @field_validator("name")
    @classmethod
    def _named(cls, name: str) -> str:
        if wrong := wrong_name(name):
            raise ValueError(wrong)
        return name

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
        """The model with numbers changed, by dotted path: {"rules.cohesion.weight": 0.05}. A whole
        table adds a flock, rule or obstacle, and None takes it out: {"rules.cohesion": None}.

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

    def memory_of(self, flock: str) -> tuple[str, ...]:
        """The names of the numbers that are kept of each boid of a flock from step to step: those
        of its motion, such as 'motion.spin_x', then those of the rules that move it, such as
        'rules.flee.tiredness'."""
        owners: dict[str, Any] = {"motion": self.flocks[flock].motion}
        owners |= {f"rules.{name}": rule for name, rule in self.moved_by(flock).items()}
        return tuple(f"{owner}.{name}" for owner, part in owners.items() for name in part.keeps)

    def movers(self, rule: Rule) -> tuple[str, ...]:
        """The flocks that a rule moves."""
        return flocks_moved(rule, self.flocks)

    def sensed(self, rule: Any, flock: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a rule that moves `flock` senses: (flocks, obstacles), by name."""
        words = rule.senses or flock
        words = (words,) if isinstance(words, str) else words
        obstacles = [name for name in self.obstacles if name in words or "obstacles" in words]
        return tuple(word for word in words if word in self.flocks), tuple(obstacles)
