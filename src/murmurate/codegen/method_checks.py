"""Whether the methods of rules and motions are what kernels can call, said before anything is
compiled."""

from __future__ import annotations

from typing import Any

from murmurate.codegen.function_text import arguments, fault
from murmurate.errors import RuleError
from murmurate.model.motion import Motion
from murmurate.model.rule import NeighbourRule, Rule

# method -> the arguments that it takes, and those that may follow them, in this order
WANTED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pair": (("self", "me", "other"), ()),
    "finish": (("self", "sums", "me"), ("random", "herd", "kept")),
    "alone": (("self", "me"), ("random", "kept")),
    "turn": (("self", "me", "x", "y", "z"), ("random", "kept")),
}


def check_methods(cls: type[Rule]) -> None:
    """Raises RuleError for a rule's method that is missing or takes the wrong arguments."""
    has_pair = hasattr(cls, "pair")
    if not has_pair and not hasattr(cls, "alone"):
        raise RuleError(
            f"rule {cls.__name__} has neither pair(self, me, other) nor alone(self, me): it needs "
            "one of them to do anything"
        )
    if has_pair and not issubclass(cls, NeighbourRule):
        raise RuleError(
            f"rule {cls.__name__} has a pair function, so it must be a NeighbourRule, not a Rule"
        )
    if has_pair and not hasattr(cls, "finish"):
        raise RuleError(
            f"rule {cls.__name__} has a pair function, so it needs finish(self, sums, me) too"
        )
    _check(cls, f"rule {cls.__name__}", ("pair", "finish", "alone"))


def check_turn(cls: type[Motion]) -> None:
    """Raises RuleError where a motion's turn is missing or takes the wrong arguments."""
    if not hasattr(cls, "turn"):
        raise RuleError(f"motion {cls.__name__} has no turn(self, me, x, y, z): it needs one")
    _check(cls, f"motion {cls.__name__}", ("turn",))


def _check(cls: Any, name: str, methods: tuple[str, ...]) -> None:
    takes = False
    for method in methods:
        function = getattr(cls, method, None)
        if function is None:
            continue
        found = arguments(function)
        first, more = WANTED[method]
        rest = found[len(first) :]
        if found[: len(first)] != first or rest != tuple(word for word in more if word in rest):
            allowed = f"; {_listed(more)} may follow, in this order" if more else ""
            raise fault(
                function,
                None,
                f"takes ({', '.join(found)}): it must be {method}({', '.join(first)}){allowed}",
            )
        if "kept" in found and not cls.keeps:
            raise fault(
                function,
                None,
                f"takes kept, and {cls.__name__} keeps nothing: say in the class what, such as "
                "keeps = ('tiredness',)",
            )
        takes = takes or "kept" in found
    if cls.keeps and not takes:
        ways = " or ".join(
            method for method in methods if hasattr(cls, method) and method != "pair"
        )
        raise RuleError(
            f"{name} keeps {', '.join(cls.keeps)}, and nothing changes it: let {ways} take kept as "
            "its last argument"
        )


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"
