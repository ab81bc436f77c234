"""Read calls: of mathematics, of Python's own functions, and of helpers, which are read for the
types of their arguments."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

from murmurate.language import maths
from murmurate.language.expressions import ExpressionReader
from murmurate.language.refusals import BUILTINS, ONLY_NUMBERS
from murmurate.language.tree import (
    ANY,
    BOOL,
    INT,
    NUMBERS,
    REAL,
    UNKNOWN,
    Call,
    Expression,
    Record,
    Tuple,
    Type,
    described,
)

INTRINSICS = "murmurate.codegen.intrinsic_names"
"""Where kernels' functions take the names of intrinsics from."""


class CallReader(ExpressionReader):
    """Reads the expressions of one function, and the calls in them."""

    def call(self, node: ast.Call) -> Expression:
        match node.func:
            case ast.Name(id=name) if name in self.variables:
                pass
            case ast.Name(id=name):
                function = self.called_function(name)
                if function is not None and inspect.isbuiltin(function):
                    return self.call_maths(node, function.__name__)
                if function is not None:
                    return self.call_function(node, function)
                if name in BUILTINS and name not in self.outside and hasattr(builtins, name):
                    return self.call_builtin(node, name)
                self.refuse_name(node.func, name)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner not in self.variables:
                module = self.outside.get(owner)
                if module is math and callable(getattr(math, name, None)):
                    return self.call_maths(node, name)
                if self.kernels and getattr(module, "__name__", "") == "numpy":
                    parts = self.positional(node, f"np.{name}")
                    return self.make(node, "numpy", ANY, *parts, word=name)
            case ast.Attribute(value=owner):
                whole = self.expression(owner)
                if whole.type in NUMBERS:
                    self.refuse(
                        node, f"calls {ast.unparse(node.func)}, which kernels do not have, "
                        f"{ONLY_NUMBERS}"
                    )  # fmt: skip
        self.expression(node.func)
        self.refuse(node, f"calls {ast.unparse(node.func)}, which is a number and not callable")

    def positional(self, node: ast.Call, name: str) -> list[Expression]:
        """Read the arguments of what takes them by their order only."""
        if node.keywords:
            self.refuse(node, f"calls {name} with a keyword: write the numbers in their order")
        return [self.value(argument) for argument in node.args]

    def call_maths(self, node: ast.Call, name: str) -> Expression:
        if name not in maths.RULES:
            self.refuse_maths(node, name)
        parts, one = self.positional(node, f"math.{name}"), maths.TABLE[name]
        if len(parts) != one.takes:
            self.refuse(node, f"calls math.{name} with {len(parts)} numbers: it takes {one.takes}")
        for part in parts:
            self.check_number(node, f"math.{name}", part)
        return self.make(node, "maths", one.result, *parts, word=name)

    def check_number(self, node: ast.AST, name: str, part: Expression) -> None:
        if isinstance(part.type, Tuple | Record):
            self.refuse(node, f"calls {name} with {described(part.type)}: it takes numbers")

    def call_builtin(self, node: ast.Call, name: str) -> Expression:
        if name == "range":
            self.refuse(node, "uses 'range' outside of a 'for', which a rule's function cannot")
        parts, (few, many) = self.positional(node, name), BUILTINS[name]
        if not few <= len(parts) <= many:
            wanted = f"{few}" if few == many else f"{few} or more"
            self.refuse(node, f"calls {name} with {len(parts)} numbers: it takes {wanted}")
        types = [part.type for part in parts]
        if name == "len":
            if types[0] not in (ANY, UNKNOWN):
                self.items(node, types[0])
            return self.make(node, "builtin", INT, *parts, word=name)
        for part in parts:
            self.check_number(node, name, part)
        type_: Type = {"int": INT, "float": REAL, "bool": BOOL}.get(name, UNKNOWN)
        if name in ("abs", "min", "max", "pow"):
            type_ = self.join(node, parts)
        if name == "round":
            type_ = INT if len(parts) == 1 else REAL
        return self.make(node, "builtin", type_, *parts, word=name)

    def call_function(self, node: ast.Call, function: Callable[..., Any]) -> Expression:
        """Read the call of a helper function, and the helper for the types that it is given."""
        if self.kernels:
            parts = self.positional(node, function.__name__)
            return self.make(node, "call", ANY, *parts, word=Call(function, None, len(parts)))
        if function.__module__ == INTRINSICS:
            self.refuse_name(node, function.__name__)
        parameters = self.parameters(node, function)
        written = [self.value(argument) for argument in node.args]
        named = {k.arg: self.value(k.value) for k in node.keywords if k.arg is not None}
        if len(named) != len(node.keywords):
            self.refuse(node, "takes a dict apart with '**', which a rule's function cannot")
        try:
            bound = inspect.signature(function).bind(*written, **named)
        except TypeError as error:
            self.refuse(node, f"calls {function.__name__}() wrongly: {_missing(error)}")
        parts, given = [], 0
        for k, (name, parameter) in enumerate(parameters.items()):
            if name in bound.arguments:
                parts.append(bound.arguments[name])
                given = k + 1
            else:
                parts.append(self.word(node, parameter.default))
        if any(p.kind is p.KEYWORD_ONLY for p in parameters.values()):
            given = len(parts)
        callee = self.helper(function, [part.type for part in parts])
        return self.make(node, "call", callee.result, *parts, word=Call(function, callee, given))

    def parameters(
        self, node: ast.AST, function: Callable[..., Any]
    ) -> Mapping[str, inspect.Parameter]:
        found = inspect.signature(function).parameters
        if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in found.values()):
            self.refuse(
                node, f"calls {function.__name__}, which takes any number of arguments: let it "
                "take a few, each with a name"
            )  # fmt: skip
        return found


def _missing(error: TypeError) -> str:
    """Return what is wrong with a call, as Python says it of calls."""
    text = str(error)
    return text.replace("missing a required argument:", "missing 1 required positional argument:")
