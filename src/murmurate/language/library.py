"""Collect the functions of a module's text: methods of rules and all helpers that they call.

Each function is printed once. The text of a kernel holds all functions that it runs, so its hash
identifies it: a kernel in the cache is never older than the rules that it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from murmurate.language.expressions import INTRINSICS
from murmurate.language.maths import TABLE
from murmurate.language.names import Names
from murmurate.language.numba_printer import NumbaPrinter
from murmurate.language.reader import read_kernels
from murmurate.language.tree import Call, Expression, Function, expressions

OUTSIDE_COST = 16
"""Cost in square roots of a call of what is outside of the text."""


@dataclass
class Library:
    """The functions of a text, by their name in it.

    shared   (function, whether sums keep their order) -> name in another module; such functions
             are not printed again
    names    issues the names of the text
    texts    name -> printed function
    trees    name -> typed tree of the printed function
    reached  names in the functions that are not their own: functions, constants, modules
    states   per-boid state that functions read, such as 'other.state.phase' -> its index in `state`
    """

    shared: Mapping[tuple[Callable[..., Any], bool], str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    texts: dict[str, str] = field(default_factory=dict)
    trees: dict[str, Function] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set)
    states: dict[str, int] = field(default_factory=dict)
    _printed: dict[tuple[Any, ...], str] = field(default_factory=dict)
    _twins: dict[str, str] = field(default_factory=dict)

    def add(
        self, tree: Function, role: str, owner: str, words: object = (), how: str = "rule"
    ) -> str:
        """Add a function and all helpers that it calls; return its name in the text.

        role   kind of function, such as 'pair' or 'helper': see Names.of
        owner  the rule or function that it belongs to
        words  constants of the part: functions that differ in them are printed separately
        how    decorator that compiles it
        """
        shared = self.shared.get((tree.function, how == "exact"))
        if shared is not None:
            return shared
        key = (tree.function, how, words)
        if key not in self._printed:
            self._printed[key] = self.names.of(role, owner, key=key)
            self._printed[key] = self._print(tree, self._printed[key], how)
        return self._printed[key]

    def add_text(self, name: str, text: str) -> None:
        """Add a function that is not a tree: it calls functions outside of the text."""
        self.texts[name] = text
        self.reached |= set(re.findall(r"\b(?:real|\w+_opened)\b", text))

    def add_kernels(
        self,
        function: Callable[..., Any],
        name: str,
        how: str,
        real: str = "real",
        constants: Mapping[str, float] | None = None,
    ) -> None:
        """Add one of the kernels' own functions under a name, even if it is shared.

        real       name of the function that rounds its numbers
        constants  constant of its module -> the number that replaces it
        """
        self._print(read_kernels(function, constants), name, how, real)

    def _print(self, tree: Function, name: str, how: str, real: str = "real") -> str:
        """Print a function under a name; return the name of the first function of the same text."""
        self.texts[name] = ""  # its position: before the helpers that it calls

        def called(call: Call) -> str:
            if call.callee is None:
                if call.function.__module__ == INTRINSICS:
                    return call.function.__name__
                return self.shared[call.function, how == "exact"]
            return self.add(call.callee, "helper", call.function.__name__, (), how)

        printer = NumbaPrinter(tree, called, real, self.states)
        text = f"@{how}\n{printer.text(name)}"
        # functions of the same text are printed and compiled once
        twin = self._twins.setdefault(text.replace(f"def {name}(", "def (", 1), name)
        if twin != name:
            del self.texts[name]
            return twin
        self.texts[name], self.trees[name] = text, tree
        self.reached |= printer.reached
        return name

    def roots(self, name: str) -> int:
        """Return the cost of a function in square roots and quotients.

        Functions that it calls count too, unless they are shared. What is outside is costly.
        """
        if name not in self.trees:
            return OUTSIDE_COST
        return self._roots(self.trees[name])

    def _roots(self, tree: Function) -> int:
        return sum(self._cost(expression) for expression in expressions(tree.body))

    def _cost(self, expression: Expression) -> int:
        match expression.how, expression.word:
            case "binary", "/":
                return 1
            case "maths", str() as name:
                return TABLE[name].costs
            case "call", Call(function, Function() as callee):
                alone = all((function, exact) not in self.shared for exact in (False, True))
                return self._roots(callee) if alone else 0
        return 0

    def mathematics(self) -> Iterator[tuple[Function, Expression]]:
        """Yield (tree, expression) for each call of mathematics in the printed functions."""
        for tree in self.trees.values():
            for expression in expressions(tree.body):
                if expression.how == "maths":
                    yield tree, expression

    def text(self) -> str:
        """Return the text of all functions; numba accepts them in any order."""
        return "\n\n\n".join(self.texts.values())
