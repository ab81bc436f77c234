"""Whether a rule's methods are what kernels can call, said before anything is compiled."""

from __future__ import annotations

from murmurate.codegen.function_text import arguments, place
from murmurate.errors import RuleError
from murmurate.model.rule import NeighbourRule, Rule

WANTED: dict[str, list[tuple[str, ...]]] = {
    "pair": [("self", "me", "other")],
    "finish": [
        ("self", "sums", "me"),
        ("self", "sums", "me", "random"),
        ("self", "sums", "me", "herd"),
        ("self", "sums", "me", "random", "herd"),
    ],
    "alone": [("self", "me"), ("self", "me", "random")],
}


def check_methods(cls: type[Rule]) -> None:
    """Raises RuleError for a method that is missing or takes the wrong arguments."""
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
    for method, wanted in WANTED.items():
        function = getattr(cls, method, None)
        if function is None:
            continue
        found = arguments(function)
        if found not in wanted:
            allowed = " or ".join(f"{method}({', '.join(names)})" for names in wanted)
            raise RuleError(
                f"{place(function)}: {function.__qualname__}({', '.join(found)}) must be {allowed}"
            )
