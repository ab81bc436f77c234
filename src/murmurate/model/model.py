"""Model: a flock model as a frozen value, and its TOML file as plain tables.

Each number of a model has a dotted path, the same in TOML, `--set` and Python.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, SerializeAsAny, ValidationError, field_validator

from murmurate.display import render
from murmurate.errors import ModelError
from murmurate.model.check import cross_checks
from murmurate.model.distribution import Distribution
from murmurate.model.flock import Flock
from murmurate.model.messages import (
    closest,
    format_errors,
    format_unknown,
    format_value,
    list_names,
    shorten,
)
from murmurate.model.names import name_error
from murmurate.model.number import Number
from murmurate.model.number_changes import with_numbers
from murmurate.model.obstacles import Obstacle
from murmurate.model.population import (
    MAX_BOIDS,
    PopulationEntry,
    joined_flock,
    stored_names,
)
from murmurate.model.quantity import individual_fields
from murmurate.model.registry import parse_kinds
from murmurate.model.results import Expectation, Panel
from murmurate.model.rule import Rule, flocks_moved
from murmurate.model.space import Space
from murmurate.model.text_reader import MAX_DEPTH
from murmurate.model.value import FrozenDict, Value, put_plain, to_plain
from murmurate.model.view import View

NAMED_TABLES = ("flocks", "rules", "obstacles", "population")
"""Tables whose keys are the user's names: a path must have a name that exists."""
TEXTS = ("title", "about", "tags", "tries", "source", "expect", "figure")
"""Parts that describe a model or its results, and change no simulation and no picture."""
MAX_MEANT = 3  # paths that a message suggests


def apply_changes(model: Model, changes: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a model's plain tables with changed values, and error messages.

    changes  dotted path -> value. None removes a flock, rule, obstacle or entry of the population.

    Only paths through missing tables are errors here. The model checks the last key and the value.
    """
    if not isinstance(changes, Mapping) or not all(isinstance(path, str) for path in changes):
        raise ModelError(
            f"changes: got {shorten(repr(changes))}; expected a table of paths and values, such as "
            '{"rules.cohesion.weight": 0.05}'
        )
    data = copy.deepcopy(model.to_dict())
    problems = []
    for path, value in changes.items():
        try:
            plain = to_plain(value)
            _check_path(model, path, plain)
            _apply_change(data, path.split("."), plain, path)
        except ModelError as error:
            problems.append(f"{shorten(path)}: {error}")
    return data, problems


def _check_path(model: Model, path: str, value: Any) -> None:
    """Raise ModelError, with the paths that a wrong one may mean, if its table does not exist."""
    keys = path.split(".")
    table = getattr(model, keys[0]) if keys[0] in NAMED_TABLES else {}
    is_entry = len(keys) != 2 or keys[1] in table or value is None or isinstance(value, Mapping)
    if len(keys) > MAX_DEPTH or (keys[0] in type(model).model_fields and (not table or is_entry)):
        return
    paths = list(_paths(model))
    tails = {".".join(name.split(".")[-len(keys) :]): name for name in paths}
    inside = [name for name in paths if _is_within(keys, name)]
    inside.sort(key=lambda name: not name.endswith(".weight"))
    meant = [name for name in inside if name.split(".")[-1] == keys[-1]] or inside[:1]
    if not meant and (close := closest(path, tails)):
        meant = [tails[close]]
    if not meant:
        raise ModelError(f"no such path (known: {list_names(sorted(type(model).model_fields))})")
    *others, last = map(repr, meant[:MAX_MEANT])
    words = f"{', '.join(others)} or {last}" if others else last
    raise ModelError(f"no such path: did you mean {words}?")


def _is_within(keys: list[str], path: str) -> bool:
    """Return whether a path has some keys in their order."""
    parts = iter(path.split("."))
    return all(key in parts for key in keys)


def _paths(part: Any, prefix: str = "") -> Iterator[str]:
    """Yield the paths of the numbers and words of a part of a model."""
    for name in part if isinstance(part, Mapping) else type(part).model_fields:
        value = part[name] if isinstance(part, Mapping) else getattr(part, name)
        if isinstance(value, Mapping | Value):
            yield from _paths(value, f"{prefix}{name}.")
        elif name not in TEXTS:
            yield f"{prefix}{name}"


def _apply_change(data: dict[str, Any], keys: list[str], value: Any, path: str) -> None:
    if len(keys) > MAX_DEPTH:
        raise ModelError(f"got a path of {len(keys):,} parts; expected at most {MAX_DEPTH}")
    if keys[0] in NAMED_TABLES:
        table = data.get(keys[0], {})
        if len(keys) == 2 and value is None:
            if keys[1] not in table:
                raise ModelError(format_unknown(_entry_of(keys[0]), keys[1], table))
            del table[keys[1]]
            return
        if len(keys) < 3 and not isinstance(value, dict):
            raise ModelError(
                f"got {format_value(value)} for a whole table; expected a number in it. Use a path "
                f"such as {path}.NAME"
            )
        if len(keys) > 2 and keys[1] not in table:
            raise ModelError(format_unknown(_entry_of(keys[0]), keys[1], table))
    put_plain(data, keys, value)


def _entry_of(table: str) -> str:
    """Return the singular of a table's name: 'rule' for 'rules'."""
    return "entry of the population" if table == "population" else table.removesuffix("s")


def _digest(table: dict[str, Any]) -> str:
    """Return the SHA-256 of plain tables, 64 hexadecimal digits."""
    return hashlib.sha256(repr(table).encode()).hexdigest()


class Source(Value):
    """The publication of a model."""

    reference: str = ""
    """Authors, year, title."""
    doi: str = ""
    """Its digital object identifier, without the address of the resolver."""
    url: str = ""
    """Its web address."""
    reading: str = ""
    """What the source leaves open, and how the model interprets it."""


class Model(Value):
    """A flock model: a space, flocks, rules and obstacles.

    A model is immutable, comparable and hashable by its content. `load` reads one from a file.

    Raises
    ------
    ModelError
        For parts that are wrong or do not fit together; the message lists all of them.
    """

    _path: ClassVar[str] = ""
    name: str = "model"
    """A short name, after which files are named: at most 64 letters, digits, spaces and any of
    -_.,+(), from a letter or digit on, without a dot or space at the end."""
    title: str = ""
    """A description in one line."""
    about: str = ""
    """A description in a few lines."""
    tags: tuple[str, ...] = ()
    """Words by which the model is found: animals, subjects, authors."""
    tries: tuple[str, ...] = ()
    """Changes worth trying: settings as for --set, with their effect."""
    source: Source = Source()
    """The publication of the model."""
    dt: Annotated[Number, Field(gt=0)] = 1.0
    """Duration of a step. Unit: time."""
    order: Literal["synchronous", "one-by-one", "shuffled"] = "synchronous"
    """Order of update. synchronous: all boids perceive the state before the step; one-by-one:
    sequential update in the order of ids, where each boid perceives the changes of those before
    it; shuffled: sequential update in a new random order in each step."""
    positions: Literal["in-turn", "at-end"] = "in-turn"
    """When boids move in a sequential update. in-turn: each moves as soon as it has its new
    velocity; at-end: all move after the last velocity is known."""
    integrator: Literal["euler", "verlet", "rk4"] = "euler"
    """Numerical integration. euler: the forces at the start of the step change the velocity, which
    then moves the boid; verlet and rk4: two and four evaluations of the forces in each step, of
    second and fourth order. These two need order 'synchronous', rules of one stage and the motion
    add."""
    space: Space
    """The box, and the boundary conditions of its axes."""
    flocks: dict[str, Flock]
    """The flocks by name. In one-by-one order, the first flock moves first."""
    rules: dict[str, SerializeAsAny[Rule]] = Field(default={})
    """The rules by name."""
    obstacles: dict[str, Obstacle] = Field(default={})
    """The obstacles by name."""
    population: dict[str, PopulationEntry] = Field(default={})
    """How boids join flocks and leave them, by name, in the order in which it happens at the end of
    each step."""
    view: View = View()
    """Settings of films and pictures."""
    expect: tuple[Expectation, ...] = ()
    """Results that the model must give."""
    figure: tuple[Panel, ...] = ()
    """The panels of its figure."""

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        if problem := name_error(name):
            raise ValueError(problem)
        return name

    @field_validator("order", mode="before")
    @classmethod
    def _rename_order(cls, value: object) -> object:
        """Read 'together', the name of 'synchronous' in files of 0.1.0."""
        return "synchronous" if value == "together" else value

    def __init__(self, **data: Any) -> None:
        data, problems = parse_kinds(data)
        try:
            super().__init__(**data)
        except ValidationError as error:
            problems = [*problems, *format_errors(error, Model, data)]
        if not problems:
            for name in NAMED_TABLES:
                object.__setattr__(self, name, FrozenDict(getattr(self, name)))
            problems = cross_checks(self)
        if problems:
            raise ModelError("\n".join(problems))

    def __hash__(self) -> int:
        return int(_digest(self.to_dict())[:15], 16)

    def __repr__(self) -> str:
        parts = [f"{flock.count} {name}" for name, flock in self.flocks.items()]
        rules = list_names(list(self.rules)) or "none"
        return f"<Model {self.name!r}: {', '.join(parts)}, {self.space.dims}-D, rules {rules}>"

    __str__ = __repr__

    def _repr_html_(self) -> str | None:
        """Return a card for notebooks: source, flocks, rules as formulas. Simulates nothing."""
        html: str | None = render(self)
        return html

    def fingerprint(self) -> str:
        """Return a hash of the simulated and shown parts, without those in TEXTS.

        It has 64 hexadecimal digits and is the same in every process.
        """
        content = {name: part for name, part in self.to_dict().items() if name not in TEXTS}
        return _digest(content)

    def to_dict(self) -> dict[str, Any]:
        """Return plain tables, lists, numbers and words, without fields at their default."""
        table: dict[str, Any] = to_plain(self)
        return table

    def set(self, changes: Mapping[str, Any]) -> Model:
        """Return a changed copy of the model.

        Parameters
        ----------
        changes : mapping of str to value
            Dotted path -> value: {"rules.cohesion.weight": 0.05}. A flock, rule, obstacle or entry
            of the population, or its table, adds or replaces one, and None removes one:
            {"rules.cohesion": None}.

        Returns
        -------
        Model

        Raises
        ------
        ModelError
            For unknown paths and wrong values; the message lists all of them.
        """
        if isinstance(changes, Mapping) and all(isinstance(path, str) for path in changes):
            changed: Model | None = with_numbers(self, changes)
            if changed is not None:
                return changed
        data, problems = apply_changes(self, changes)
        try:
            model = Model(**data)
        except ModelError as error:
            problems = [*problems, *str(error).splitlines()]
        if problems:
            raise ModelError("\n".join(problems))
        return model

    def moved_by(self, flock: str) -> dict[str, Rule]:
        """Return the rules that move a flock, in order: name -> rule."""
        return {name: rule for name, rule in self.rules.items() if flock in self.movers(rule)}

    def memory_of(self, flock: str) -> tuple[str, ...]:
        """Return the names of the per-boid state of a flock.

        Those of its motion come first, such as 'motion.spin_x', then those of the rules that move
        it, such as 'rules.flee.tiredness', and those of the population, such as
        'population.hunt.handling'.
        """
        owners: dict[str, Any] = {"motion": self.flocks[flock].motion}
        owners |= {f"rules.{name}": rule for name, rule in self.moved_by(flock).items()}
        names = tuple(f"{owner}.{name}" for owner, part in owners.items() for name in part.states)
        return names + stored_names(self.population, flock)

    @property
    def changes_numbers(self) -> bool:
        """Whether boids may join flocks or leave them."""
        return bool(self.population)

    def grows(self, flock: str) -> bool:
        """Return whether boids may join a flock: by a source, or by births."""
        entries = self.population.values()
        return any(joined_flock(entry, self.flocks) == flock for entry in entries)

    def max_boids(self, flock: str) -> int:
        """Return the largest number of boids of a flock: its count if it cannot grow."""
        if not self.grows(flock):
            return self.flocks[flock].count
        limit = self.flocks[flock].max_boids
        return MAX_BOIDS if limit is None else limit

    @property
    def max_counts(self) -> dict[str, int]:
        """The largest number of boids of each flock."""
        return {name: self.max_boids(name) for name in self.flocks}

    def individuals_of(self, flock: str) -> dict[str, Distribution]:
        """Return the numbers that differ between the boids of a flock: name -> distribution.

        Those of its motion come first, such as 'motion.max_speed', then those of the rules that
        move it, such as 'rules.cohesion.weight', or 'rules.wind.velocity.x' for a component.
        """
        owners: dict[str, Any] = {"motion": self.flocks[flock].motion}
        owners |= {f"rules.{name}": rule for name, rule in self.moved_by(flock).items()}
        return {
            f"{owner}.{name}": value
            for owner, part in owners.items()
            for name, value in individual_fields(part).items()
        }

    def traits_of(self, flock: str) -> tuple[str, ...]:
        """Return the names of the numbers that differ between the boids of a flock."""
        return tuple(self.individuals_of(flock))

    def movers(self, rule: Rule) -> tuple[str, ...]:
        """Return the names of the flocks that a rule moves."""
        return flocks_moved(rule, self.flocks)

    def sensed(self, rule: Any, flock: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the flocks, and of the obstacles, that a rule of a flock senses."""
        words = rule.senses or flock
        words = (words,) if isinstance(words, str) else words
        obstacles = [name for name in self.obstacles if name in words or "obstacles" in words]
        return tuple(word for word in words if word in self.flocks), tuple(obstacles)
