"""The functions that a module's text is made of: rules' methods, with every helper they reach, each
printed once.

The text of a kernel holds all functions it runs, so its hash says all there is to know, and a
kernel in the cache can never be older than the rules it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from murmurate.language.expressions import INTRINSICS
from murmurate.language.maths import TABLE
from murmurate.language.names import Names
from murmurate.language.numba_printer import NumbaPrinter
from murmurate.language.reader import read_kernels
from murmurate.language.tree import Call, Expression, Function, expressions


@dataclass
class Library:
    """The functions of a text, by the name they have in it.

    shared   functions of another module, and the names that they have there: they are not printed
             again. A function of `shared` is known by (function, whether sums keep their order)
    names    issues the names of the text
    trees    name -> what is printed under it
    reached  what the functions name that is not their own: functions, constants, modules
    """

    shared: Mapping[tuple[Callable[..., Any], bool], str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    texts: dict[str, str] = field(default_factory=dict)
    trees: dict[str, Function] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set)
    _printed: dict[tuple[Any, ...], str] = field(default_factory=dict)
    _twins: dict[str, str] = field(default_factory=dict)

    def add(
        self, tree: Function, role: str, owner: str, words: object = (), how: str = "rule"
    ) -> str:
        """Put a function in, and all it reaches; return its name in the text.

        role   what it is, such as 'pair' or 'helper'; and whose: see Names.of
        words  what tells apart functions that are printed differently: the part's words
        how    the decorator that compiles it
        """
        shared = self.shared.get((tree.function, how == "exact"))
        if shared is not None:
            return shared
        key = (tree.function, how, words)
        if key not in self._printed:
            self._printed[key] = self.names.of(role, owner, key=key)
            self._printed[key] = self._print(tree, self._printed[key], how)
        return self._printed[key]

    def add_kernels(
        self, function: Callable[..., Any], name: str, how: str, real: str = "real"
    ) -> None:
        """Put one of kernels' own functions in under its name, whether it is shared or not.

        real  what rounds its numbers
        """
        self._print(read_kernels(function), name, how, real)

    def _print(self, tree: Function, name: str, how: str, real: str = "real") -> str:
        """Print a function under a name; return its name, which is that of another one of the same
        text where there is one."""
        self.texts[name] = ""  # here it stands, before the helpers that it reaches

        def called(call: Call) -> str:
            if call.callee is None:
                if call.function.__module__ == INTRINSICS:
                    return call.function.__name__
                return self.shared[call.function, how == "exact"]
            return self.add(call.callee, "helper", call.function.__name__, (), how)

        printer = NumbaPrinter(tree, called, real)
        text = f"@{how}\n{printer.text(name)}"
        # what comes out the same for two rules is there once, and compiled once
        twin = self._twins.setdefault(text.replace(f"def {name}(", "def (", 1), name)
        if twin != name:
            del self.texts[name]
            return twin
        self.texts[name], self.trees[name] = text, tree
        self.reached |= printer.reached
        return name

    def roots(self, name: str) -> int:
        """Return how many roots and quotients a function takes, with those of the functions that it
        calls and that are not shared: what takes many times as long as a product. What takes as
        long as many of them counts as such."""
        return self._roots(self.trees[name])

    def _roots(self, tree: Function) -> int:
        return sum(self._cost(one) for one in expressions(tree.body))

    def _cost(self, one: Expression) -> int:
        match one.how, one.word:
            case "binary", "/":
                return 1
            case "maths", str() as name:
                return TABLE[name].costs
            case "call", Call(function, Function() as callee):
                alone = all((function, exact) not in self.shared for exact in (False, True))
                return self._roots(callee) if alone else 0
        return 0

    def mathematics(self) -> Iterator[tuple[Function, Expression]]:
        """Yield the calls of mathematics of all functions that are printed."""
        for tree in self.trees.values():
            for one in expressions(tree.body):
                if one.how == "maths":
                    yield tree, one

    def text(self) -> str:
        """Return all functions; which stands before which does not matter to numba."""
        return "\n\n\n".join(self.texts.values())
