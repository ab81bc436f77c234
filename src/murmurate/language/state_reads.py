"""Per-boid state that rules read: `me.state.phase` and `other.state.phase`.

A rule names a number, and the model has one rule or motion that stores it for each boid of a flock.
The names are resolved before anything is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import Any

from murmurate.errors import ModelError
from murmurate.language.methods import read_method
from murmurate.language.reader import Readings
from murmurate.language.scope import Part
from murmurate.language.tree import NEAREST, Call, Function, StateRecord, expressions
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule

METHODS = ("pair", "finish", "alone", "turn")
STATE_NAMES = {"state", *NEAREST}
"""Attributes of arguments whose values differ between boids, and are passed if functions read
them."""


@dataclass(frozen=True)
class StateReads:
    """The names that the functions of a rule or motion read, in alphabetical order.

    own     read as me.state.NAME
    others  read as other.state.NAME
    """

    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def texts(self) -> list[str]:
        """All of them, as functions write them."""
        return [*(f"other.state.{n}" for n in self.stored), *(f"me.state.{n}" for n in self.own)]

    @property
    def stored(self) -> tuple[str, ...]:
        """Those of neighbours that rules and motions store: without those in NEAREST."""
        return tuple(name for name in self.others if name not in NEAREST.values())


@dataclass(frozen=True)
class SensedStates:
    """The per-boid state that functions of a model read, through all of its rules.

    own     names that functions read of the boid that they move
    others  names that they read of neighbours
    rows    (flock, name) -> row of the number in the memory of the flock's boids
    """

    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    rows: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def shared_rows(self) -> tuple[int, ...]:
        """Rows of the memory of all boids that neighbours read."""
        rows = {row for (_, name), row in self.rows.items() if name in self.others}
        return tuple(sorted(rows))


@lru_cache(maxsize=256)
def mentions_state(cls: Any) -> bool:
    """Return whether functions of a class, or helpers that they name, have an attribute in
    STATE_NAMES.

    A class that mentions none reads none. The test takes microseconds, and reads no text.
    """
    functions = [getattr(cls, method) for method in METHODS if hasattr(cls, method)]
    visited = set(functions)
    while functions:
        function = functions.pop()
        code = function.__code__
        if not STATE_NAMES.isdisjoint(code.co_names):
            return True
        cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
        for helper in (*map(function.__globals__.get, code.co_names), *cells):
            if isinstance(helper, FunctionType) and helper not in visited:
                visited.add(helper)
                functions.append(helper)
    return False


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def reads_of(part: Part, readings: Readings) -> StateReads:
    """Return the names that the functions of a rule or motion read. Raises RuleError."""
    if not mentions_state(part.cls):
        return StateReads()
    names: dict[str, set[str]] = {"me.state": set(), "other.state": set()}
    for method in METHODS:
        if hasattr(part.cls, method):
            for owner, name in _reads(read_method(part, method, readings), set()):
                names[owner].add(name)
    return StateReads(tuple(sorted(names["me.state"])), tuple(sorted(names["other.state"])))


def _reads(tree: Function, seen: set[int]) -> Iterator[tuple[str, str]]:
    """Yield ('me.state' or 'other.state', name) that a function and its helpers read."""
    seen.add(id(tree))
    for expression in expressions(tree.body):
        match expression.how, expression.word:
            case "field", str() as name if isinstance(expression.parts[0].type, StateRecord):
                yield expression.parts[0].type.name, name
            case "call", Call(_, Function() as callee) if id(callee) not in seen:
                yield from _reads(callee, seen)


def resolve_states(model: Model, reads: Mapping[str, StateReads]) -> SensedStates:
    """Return the rows of all names that rules and motions read.

    reads  'rules.NAME' or 'flocks.NAME.motion' -> the names that it reads

    Raises ModelError, with all problems: a flock that does not store a name, or stores it twice; a
    rule that cannot read neighbours' state.
    """
    problems: list[str] = []
    rows: dict[tuple[str, str], int] = {}
    own: set[str] = set()
    others: set[str] = set()
    for owner, names in reads.items():
        rule = model.rules.get(owner.removeprefix("rules."))
        movers = model.movers(rule) if rule else (owner.split(".")[1],)
        own.update(names.own)
        others.update(names.others)
        for flock in movers:
            names_read = [(flock, name, f"me.state.{name}") for name in names.own]
            if names.others and isinstance(rule, NeighbourRule):
                sensed, obstacles = model.sensed(rule, flock)
                problems += _unreadable(model, owner, rule, names, flock, obstacles)
                names_read += [(f, n, f"other.state.{n}") for f in sensed for n in names.stored]
            for keeper, name, text in names_read:
                row = _row(model, keeper, name, f"{owner}: got {text}", problems)
                rows[keeper, name] = row
    if problems:
        raise ModelError("\n".join(dict.fromkeys(problems)))
    return SensedStates(tuple(sorted(own)), tuple(sorted(others)), rows)


def _row(model: Model, flock: str, name: str, got: str, problems: list[str]) -> int:
    """Return the row of a name in the memory of a flock's boids; report it if it has none."""
    stored = model.memory_of(flock)
    rows = [row for row, key in enumerate(stored) if key.rpartition(".")[2] == name]
    if len(rows) == 1:
        return rows[0]
    if rows:
        problems.append(
            f"{got}; expected one rule or motion of flock {flock!r} that stores it, and there are "
            f"{len(rows)}: {', '.join(stored[row] for row in rows)}. Let one of them have another "
            "name in its `states`, or leave it out"
        )
        return -1
    names = list(dict.fromkeys(key.rpartition(".")[2] for key in stored))
    have = format_unknown("per-boid state", name, names) if names else "it stores nothing"
    problems.append(
        f"{got}; expected a number that flock {flock!r} stores of each boid: {have}. Add a rule "
        f"with states = ({name!r},) that moves {flock!r}, or sense another flock"
    )
    return -1


def _unreadable(
    model: Model,
    owner: str,
    rule: NeighbourRule,
    names: StateReads,
    flock: str,
    obstacles: tuple[str, ...],
) -> Iterator[str]:
    """Yield why a rule of a flock cannot read the state of its neighbours."""
    ranks = [attribute for attribute, name in NEAREST.items() if name in names.others]
    got = f"other.state.{names.stored[0]}" if names.stored else f"other.{ranks[0]}"
    if ranks and (not rule.nearest or rule.neighbours != "all" or rule.include_self):
        yield (
            f"{owner}.nearest: got {rule.nearest} for a rule that reads other.{ranks[0]}; expected "
            "a number of nearest neighbours, 'all' for neighbours, and include_self = false. Give "
            "them"
        )
    if obstacles:
        yield (
            f"{owner}.senses: got {', '.join(obstacles)} for a rule that reads {got}; expected "
            "flocks only, since obstacles have no state. Sense obstacles with another rule"
        )
    if model.flocks[flock].sensing and names.stored:
        yield (
            f"flocks.{flock}.sensing: got a value for a flock whose {owner} reads {got}; expected "
            "none, since past states of others are not stored. Leave out `sensing`, or the rule"
        )
    if rule.affine:
        yield (
            f"{owner}: got {got} in rule {type(rule).__name__} with affine = {rule.affine!r}; "
            "expected a rule that is not affine, since sums over all boids have no state of each. "
            "Remove `affine` from the class"
        )
