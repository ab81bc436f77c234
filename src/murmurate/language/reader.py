"""Read a function: convert Python's syntax tree to a typed tree, or raise an error that explains.

The type of a variable covers all its values: of whole and real numbers, real. The reader repeats
until no type changes; without loops it reads once. A test on constants of the rule leaves only the
branch that runs. Helpers are read for the types of the call's arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from murmurate.language.scope import Part
from murmurate.language.source import definition, fault
from murmurate.language.statements import StatementReader
from murmurate.language.tree import (
    ANY,
    MAX_NUMBERS,
    NOTHING,
    NUMBERS,
    UNKNOWN,
    Expression,
    Function,
    List,
    Statement,
    Tuple,
    Type,
    TypeConflict,
    TypeTooLarge,
    always_returns,
    described,
    joined,
)
from murmurate.model.rule_functions import is_of_user

PASSES = 50
"""Maximum number of readings of a function: two or three are enough for usual loops."""
MAX_SIZE = 20_000
"""Maximum number of expressions of a user's function, with those of each function that it calls:
helpers that call each other twice double it each time, and compilers copy them into each call."""


MAX_BUILT_IN = 2000
_BUILT_IN: dict[tuple[Any, ...], Function] = {}
"""The trees of murmurate's own functions, which do not change, for all models of this process."""


class Readings:
    """Cache of typed trees, by function and types of its arguments.

    constants  constant of a module -> the number that replaces it
    """

    def __init__(self, constants: Mapping[str, float] | None = None) -> None:
        self.constants = dict(constants or {})
        self._functions: dict[tuple[Any, ...], Function | None] = {}

    def read(
        self, function: Callable[..., Any], types: Sequence[Type], part: Part | None = None
    ) -> Function:
        """Return the typed tree of a function. Raises RuleError.

        part  the rule or motion whose method it is; None for a helper
        """
        key = (function, tuple(types), part)
        if key not in self._functions and not self.constants and key in _BUILT_IN:
            return _BUILT_IN[key]
        if key not in self._functions:
            self._functions[key] = None
            try:
                self._functions[key] = Reader(self, function, types, part).read()
            finally:
                if self._functions[key] is None:
                    del self._functions[key]
        tree = self._functions[key]
        if tree is None:  # a recursive call: this function is still being read
            # numba would compile it, but crash when it loads it from the cache
            raise fault(
                function, None, "calls itself, which a rule's functions cannot do: write a loop"
            )
        if not (self.constants or is_of_user(function) or (part and is_of_user(part.cls))):
            if len(_BUILT_IN) >= MAX_BUILT_IN:
                _BUILT_IN.clear()
            _BUILT_IN[key] = tree
        return tree


def read_kernels(
    function: Callable[..., Any], constants: Mapping[str, float] | None = None
) -> Function:
    """Return the tree of one of the kernels' own functions, without types.

    constants  constant of its module -> the number that replaces it
    """
    count = function.__code__.co_argcount
    return Reader(Readings(constants), function, [ANY] * count, kernels=True).read()


class Reader(StatementReader):
    """Read one complete function.

    defaults  values of its last arguments
    result    type of the result
    counts    the lengths of its returned tuples
    """

    def __init__(
        self,
        readings: Readings,
        function: Callable[..., Any],
        types: Sequence[Type],
        part: Part | None = None,
        kernels: bool = False,
    ) -> None:
        self.tree = definition(function)
        names = [a.arg for a in (*self.tree.args.posonlyargs, *self.tree.args.args,
                                 *self.tree.args.kwonlyargs)]  # fmt: skip
        arguments = dict(zip(names, types, strict=True))
        super().__init__(readings.read, function, arguments, part, kernels)
        self.outside |= {k: readings.constants[k] for k in self.outside if k in readings.constants}
        self.defaults = self._defaults()
        self.result: Type = UNKNOWN
        self.counts: set[int] = set()

    def read(self) -> Function:
        """Read the function until no type changes."""
        body = self.tree.body[1:] if ast.get_docstring(self.tree) else self.tree.body
        for _ in range(PASSES):
            before = dict(self.locals)
            self.versions, self.mixed, self.kinds = {}, {}, {}
            self.unknown, self.changed = None, False
            self.assigned, self.stored, self.size = set(self.arguments), set(), 0
            try:
                read = self.block(body)
            except TypeTooLarge:
                self.refuse(None, f"has a tuple of more than {MAX_NUMBERS} numbers: use fewer")
            if self.size > MAX_SIZE and is_of_user(self.function):
                self.refuse(
                    None, f"takes {self.size:,} operations, with those of the functions that it "
                    f"calls; expected at most {MAX_SIZE:,}: call them fewer times"
                )  # fmt: skip
            if self.unknown is None and not self.changed:
                break
            if self.unknown is not None and before == self.locals and not self.kernels:
                name = self.unknown.id
                self.refuse(self.unknown, f"reads {name!r} before it gives it a value")
            if self.kernels:
                break
        self._check_end(read)
        result = NOTHING if self.result == UNKNOWN else self.result
        return Function(
            self.function, self.arguments, self.locals, self.defaults, read, result, self.size
        )

    def _defaults(self) -> Sequence[Any]:
        """Return the defaults of the last arguments, evaluated when the function was defined."""
        arguments = self.tree.args
        values = self.function.__kwdefaults__ or {}
        last = self.function.__defaults__ or ()
        pairs = [*zip(arguments.defaults, last, strict=True)]
        pairs += [
            (node, values[argument.arg])
            for argument, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if node is not None
        ]
        for node, value in pairs:
            items = value if isinstance(value, tuple) else (value,)
            if not all(isinstance(item, bool | int | float) for item in items):
                text = f"has the default {ast.unparse(node)}: only numbers can be defaults"
                self.refuse(node, text)
        return () if arguments.kwonlyargs else last

    def _check_end(self, read: tuple[Statement, ...]) -> None:
        if self.kernels or (self.of_kernels and self.result == UNKNOWN):  # it returns nothing
            return
        if not always_returns(read):
            self.refuse(None, "may end without a return, which gives None: end it with a return")
        if self.is_pair and (len(self.counts) != 1 or 0 in self.counts):
            counts = " and ".join(map(str, sorted(self.counts))) or "nothing"
            self.refuse(
                None,
                f"returns {counts} numbers: every return must have the same count, at least one",
            )

    @property
    def is_pair(self) -> bool:
        return self.part is not None and self.function.__name__ == "pair"

    # --- returns

    def returned(self, node: ast.Return, value: ast.expr | None) -> Expression | None:
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            if self.kernels:
                return None
            self.refuse(node, "returns None: return numbers in every case, such as 0.0, 0.0, 0.0")
        result = self.value(value)
        if self.kernels:
            return result
        if isinstance(result.type, List):
            self.refuse(node, "returns a list: return its numbers, tuple(...)")
        if self.is_pair:
            if result.how != "tuple" and (result.how, result.word) != ("builtin", "tuple"):
                self.refuse(
                    node,
                    "must return its sums as a tuple written out, such as "
                    "'return 1.0, other.dx, other.dy, other.dz', or as tuple(sums) of a list",
                )
            self.counts.add(len(result.type.items))  # type: ignore[union-attr]
        elif self.part is not None and result.type != UNKNOWN:
            self.check_vector(node, result.type)
        if self.part is not None:
            for item in getattr(result.type, "items", ()):
                if item not in (*NUMBERS, UNKNOWN):
                    self.refuse(node, f"returns {described(item)} where a number must be")
        try:
            both = joined(self.result, result.type)
        except TypeConflict as error:
            if self.is_pair:  # _check_end reports it, with all counts
                return result
            self.refuse(
                node, f"returns sometimes {error}: every return must give the same kind of thing, "
                "a number or a tuple of as many numbers"
            )  # fmt: skip
        if both != self.result and self.result != UNKNOWN:
            self.changed = True
        self.result = both
        return result

    def check_vector(self, node: ast.Return, type_: Type) -> None:
        """Refuse a vector unless it has three numbers, and one for each per-boid state."""
        count = len(type_.items) if isinstance(type_, Tuple) else 1
        states = self.part.cls.states if self.part and "state" in self.variables else ()
        if self.function.__name__ == "perch" and count == 7:  # position, velocity, whether it lands
            return
        if count == 3 + len(states):
            return
        first = "u, v, w" if self.function.__name__ == "turn" else "x, y, z"
        expected = f"three, {first[:-3]} and {first[-1]}, such as 'return {first[:-1]}0.0'"
        if states:
            expected = f"{3 + len(states)}: 'return {first}, {', '.join(states)}'"
        number = "1 number" if count == 1 else f"{count} numbers"
        self.refuse(node, f"returns {number}: it must return {expected}")
