"""Check the arguments of methods of rules and motions before compilation, and read the methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_type_hints

from murmurate.errors import RuleError
from murmurate.language.random_reads import check_random
from murmurate.language.reader import Readings
from murmurate.language.scope import Part
from murmurate.language.source import arguments, fault
from murmurate.language.tree import BOOL, INT, REAL, Function, Record, Tuple, Type
from murmurate.model.rule import Motion, NeighbourRule, Rule
from murmurate.model.rule_arguments import Arc, Herd, Me, Other, Random

# method -> its arguments, and those that may follow, in this order
ARGUMENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pair": (("self", "me", "other"), ()),
    "finish": (("self", "sums", "me"), ("random", "herd", "kept")),
    "alone": (("self", "me"), ("random", "kept")),
    "perch": (("self", "me", "x", "y", "z"), ()),
    "turn": (("self", "me", "x", "y", "z"), ("random", "kept")),
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
        if "kept" in names and not cls.keeps:
            raise fault(
                function,
                None,
                f"takes kept, and {cls.__name__} keeps nothing: say in the class what, such as "
                "keeps = ('tiredness',)",
            )
        takes = takes or "kept" in names
    check_random(cls, methods)
    if cls.keeps and not takes:
        ways = " or ".join(
            method for method in methods if hasattr(cls, method) and method not in ("pair", "perch")
        )
        raise RuleError(
            f"{name} keeps {', '.join(cls.keeps)}, and nothing changes it: let {ways} take kept as "
            "its last argument"
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

    fields  its numbers: any object for a single number, tuples for vectors and points
    words   its constants
    """
    numbers = Record("self", tuple((name, _type_of(field)) for name, field in fields.items()))
    return Part(cls, numbers, tuple(sorted(words.items())))


def _type_of(field: Any) -> Type:
    return Tuple(tuple(map(_type_of, field))) if isinstance(field, tuple) else REAL


def read_method(part: Part, method: str, readings: Readings) -> Function:
    """Return the typed tree of a method of a rule or motion. Raises RuleError."""
    function = getattr(part.cls, method)
    names = arguments(function)
    types: dict[str, Type] = {
        **argument_types(),
        "self": part.numbers,
        "kept": Record("kept", tuple((name, REAL) for name in part.cls.keeps)),
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
