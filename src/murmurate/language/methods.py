"""Check the arguments of methods of rules and motions before compilation, and read the methods."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, get_type_hints

from murmurate.errors import RuleError
from murmurate.language.reader import Readings
from murmurate.language.scope import Part
from murmurate.language.source import arguments, definition, fault
from murmurate.language.tree import BOOL, INT, REAL, Function, Record, Table, Tuple, Type
from murmurate.model.quantity import TableRows
from murmurate.model.rule import Motion, NeighbourRule, Rule
from murmurate.model.rule_arguments import Arc, Herd, Me, Other, Random

# method -> its arguments, and those that may follow, in this order
ARGUMENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pair": (("self", "me", "other"), ()),
    "finish": (("self", "sums", "me"), ("random", "herd", "state")),
    "alone": (("self", "me"), ("random", "state")),
    "perch": (("self", "me", "x", "y", "z"), ()),
    "turn": (("self", "me", "x", "y", "z"), ("random", "state")),
}
PAIR_WITH_ARC = ("self", "me", "arc")
"""The arguments of a pair function that takes arcs of the view in place of neighbours."""


def check_methods(cls: type[Rule]) -> None:
    """Raise RuleError if a method of a rule is missing or takes the wrong arguments."""
    has_pair = hasattr(cls, "pair")
    if not has_pair and not hasattr(cls, "alone"):
        raise RuleError(
            f"rule {cls.__name__} has neither pair(self, me, other) nor alone(self, me): "
            "define at least one of them"
        )
    if has_pair and not issubclass(cls, NeighbourRule):
        raise RuleError(
            f"rule {cls.__name__} has a pair function, so it must be a NeighbourRule, not a Rule"
        )
    if has_pair and not hasattr(cls, "finish"):
        raise RuleError(
            f"rule {cls.__name__} has a pair function, so it needs "
            "finish(self, sums, me) too, which gets the sums of what pair returns and returns "
            "three numbers"
        )
    _check(cls, f"rule {cls.__name__}", ("pair", "finish", "alone", "perch"))


def check_turn(cls: type[Motion]) -> None:
    """Raise RuleError if the method `turn` of a motion is missing or takes the wrong arguments."""
    if not hasattr(cls, "turn"):
        raise RuleError(f"motion {cls.__name__} has no turn(self, me, x, y, z): it needs one")
    _check(cls, f"motion {cls.__name__}", ("turn",))


def _check(cls: Any, name: str, methods: tuple[str, ...]) -> None:
    takes = False
    for method in methods:
        function = getattr(cls, method, None)
        if function is None:
            continue
        names = arguments(function)
        first, more = ARGUMENTS[method]
        if method == "pair" and "arc" in names:
            first = PAIR_WITH_ARC
        rest = names[len(first) :]
        if names[: len(first)] != first or rest != tuple(word for word in more if word in rest):
            allowed = f"; {_listed(more)} may follow, in this order" if more else ""
            raise fault(
                function,
                None,
                f"takes ({', '.join(names)}): it must be {method}({', '.join(first)}){allowed}",
            )
        if "state" in names and not cls.states:
            raise fault(
                function,
                None,
                f"takes state, and {cls.__name__} has no states: name them in the class, such as "
                "states = ('tiredness',)",
            )
        takes = takes or "state" in names
    check_random(cls, methods)
    if cls.states and not takes:
        ways = " or ".join(
            method for method in methods if hasattr(cls, method) and method not in ("pair", "perch")
        )
        raise RuleError(
            f"{name} has the states {', '.join(cls.states)}, and nothing changes them: let {ways} "
            "take state as its last argument"
        )


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


# --- reading


@lru_cache(maxsize=1)
def argument_types() -> dict[str, Record]:
    """Return the types of the arguments me, other, arc, random and herd."""
    types: dict[type, Type] = {float: REAL, int: INT, bool: BOOL}
    classes = {"me": Me, "other": Other, "arc": Arc, "random": Random, "herd": Herd}
    return {
        name: Record(name, tuple((k, types[hint]) for k, hint in get_type_hints(cls).items()))
        for name, cls in classes.items()
    }


def part_of(cls: Any, fields: Mapping[str, Any], words: Mapping[str, Any]) -> Part:
    """Return the part that the methods of a rule or motion read.

    fields  its numbers: any object for a single number, tuples for vectors and points, TableRows
            for tables
    words   its constants
    """
    numbers = Record("self", tuple((name, _type_of(field)) for name, field in fields.items()))
    return Part(cls, numbers, tuple(sorted(words.items())))


def _type_of(field: Any) -> Type:
    if isinstance(field, TableRows):
        return Table(REAL, field.count)
    return Tuple(tuple(map(_type_of, field))) if isinstance(field, tuple) else REAL


def read_method(part: Part, method: str, readings: Readings) -> Function:
    """Return the typed tree of a method of a rule or motion. Raises RuleError."""
    function = getattr(part.cls, method)
    names = arguments(function)
    types: dict[str, Type] = {
        **argument_types(),
        "self": part.numbers,
        "state": Record("state", tuple((name, REAL) for name in part.cls.states)),
    }
    if "sums" in names:
        types["sums"] = Tuple((REAL,) * sums_of(part, readings))
    return readings.read(function, [types.get(name, REAL) for name in names], part)


def sums_of(part: Part, readings: Readings) -> int:
    """Return the number of sums that a rule's pair function returns.

    Raises RuleError unless every return writes out a tuple of the same length.
    """
    result = read_method(part, "pair", readings).result
    assert isinstance(result, Tuple)
    return len(result.items)


# --- random numbers
#
# Refuse functions of rules and motions that read one random number twice.
#
# Two results that depend on one number depend on each other, such as the length of a kick on its
# direction. On each path through the functions of a rule, a number may be read once. A function
# that means to use one number for two results gives it a name.


Numbers = frozenset[str]


def check_random(cls: Any, methods: Iterable[str]) -> None:
    """Raise RuleError if a path through the methods of a class reads a random number twice."""
    before: Numbers = frozenset()
    for method in methods:
        function = getattr(cls, method, None)
        if function is not None and "random" in arguments(function):
            before = numbers_read(function, "random", before)


@lru_cache(maxsize=512)
def numbers_read(function: Callable[..., Any], name: str, before: Numbers = frozenset()) -> Numbers:
    """Return the random numbers that a function, and those that it calls, may have read at its end.

    name  its argument that has the random numbers
    raises RuleError  a path reads a number twice
    """
    paths = _Paths(function, name)
    end = paths.block(definition(function).body, before)
    return frozenset().union(*paths.ends, end or before)


class _Paths:
    """The paths through a function. `ends` has the numbers read by those that have returned."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.function, self.name = function, name
        self.ends: list[Numbers] = []

    def block(self, body: Iterable[ast.stmt], read: Numbers | None) -> Numbers | None:
        """Return the numbers read at the end of a block; None if it always returns."""
        for statement in body:
            if read is None:
                break
            read = self.statement(statement, read)
        return read

    def statement(self, node: ast.stmt, read: Numbers) -> Numbers | None:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                read = self.expression(test, read)
                return _either(self.block(body, read), self.block(orelse, read))
            case ast.For(iter=items):
                read = self.expression(items, read)
                self.loop(lambda before: self.block(node.body, before), read)
                return self.block(node.orelse, read)
            case ast.While(test=test):
                self.loop(lambda before: self.block(node.body, self.expression(test, before)), read)
                return self.block(node.orelse, self.expression(test, read))
            case ast.Match(subject=subject, cases=cases):
                read = self.expression(subject, read)
                ends = [self.block(case.body, read) for case in cases]
                return _either(read, *ends)
            case ast.Return():
                self.ends.append(self.expression(node, read))
                return None
        return self.expression(node, read)

    def loop(self, once: Callable[[Numbers], Numbers | None], read: Numbers) -> None:
        """Follow a round of a loop, and the next one if it reads numbers of the first again.

        A next round always raises RuleError, so nested loops are followed once.
        """
        end = once(read)
        if end is not None and end != read:
            once(end)

    def expression(self, node: ast.AST, read: Numbers) -> Numbers:
        match node:
            case ast.IfExp(test=test, body=body, orelse=orelse):
                read = self.expression(test, read)
                return self.expression(body, read) | self.expression(orelse, read)
            case ast.Attribute(value=ast.Name(id=self.name), attr=number):
                return self._add(node, {number}, read)
            case ast.Call(func=ast.Name(id=callee), args=values):
                for position, value in enumerate(values):
                    if isinstance(value, ast.Name) and value.id == self.name:
                        helper = self.function.__globals__.get(callee)
                        names = arguments(helper) if callable(helper) else ()
                        inner = numbers_read(helper, names[position]) if names else Random._fields
                        read = self._add(node, inner, read)
                    else:
                        read = self.expression(value, read)
                return read
            case _:
                for child in ast.iter_child_nodes(node):
                    read = self.expression(child, read)
        return read

    def _add(self, node: ast.expr, numbers: Iterable[str], read: Numbers) -> Numbers:
        for number in sorted(read.intersection(numbers)):
            raise fault(
                self.function,
                node.lineno,
                f"reads {self.name}.{number} a second time, so that two results depend on one "
                f"number: use another one of {', '.join(Random._fields)}. If one number is meant, "
                f"read it once, {number} = {self.name}.{number}",
            )
        return read.union(numbers)


def _either(*ends: Numbers | None) -> Numbers | None:
    """Return the numbers read by any of some paths; None if all have returned."""
    going = [end for end in ends if end is not None]
    return frozenset().union(*going) if going else None
