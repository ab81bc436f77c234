"""Whether kernels can be made of a user's function: said with the file, the line and what to do
instead, before anything is compiled."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from murmurate.codegen.function_text import fault
from murmurate.model.registry import unknown
from murmurate.model.rule_arguments import Herd, Me, Other, Random

MATH = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "copysign", "cos", "cosh",
    "degrees", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "floor", "frexp", "gamma", "gcd",
    "hypot", "isfinite", "isinf", "isnan", "ldexp", "lgamma", "log", "log10", "log1p", "log2",
    "nextafter", "pow", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)  # fmt: skip
"""The functions of `math` that compile."""
FIELDS: dict[str, Any] = {"me": Me, "other": Other, "random": Random, "herd": Herd}
GIVEN = ("self", "kept", *FIELDS)
LISTS = "only numbers: write them as variables of their own, or as a tuple, (a, b, c)"
INSIDE = "write it as a function of its own, outside of the class and beside it"
FAILING = "a rule cannot fail: return a vector in every case, such as 0.0, 0.0, 0.0"
REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.List: ("makes a list", LISTS),
    ast.Dict: ("makes a dict", LISTS),
    ast.Set: ("makes a set", LISTS),
    ast.ListComp: ("makes a list", f"{LISTS}; add up in a 'for' over a range"),
    ast.SetComp: ("makes a set", f"{LISTS}; add up in a 'for' over a range"),
    ast.DictComp: ("makes a dict", f"{LISTS}; add up in a 'for' over a range"),
    ast.GeneratorExp: ("makes a generator", "add up in a 'for' over a range"),
    ast.JoinedStr: ("makes a string", "only numbers; to look at one, print it in the reference "
                    "engine: --engine reference"),
    ast.Lambda: ("makes a function", INSIDE),
    ast.FunctionDef: ("makes a function", INSIDE),
    ast.AsyncFunctionDef: ("makes a function", INSIDE),
    ast.ClassDef: ("makes a class", "only numbers"),
    ast.Import: ("imports", "import at the top of the file"),
    ast.ImportFrom: ("imports", "import at the top of the file"),
    ast.Global: ("changes a global variable", "it may read numbers of the file only: return what "
                 "changes"),
    ast.Nonlocal: ("changes a variable outside", "return what changes"),
    ast.Delete: ("deletes a variable", "leave it out"),
    ast.Try: ("has a 'try'", FAILING),
    ast.Raise: ("raises an error", FAILING),
    ast.Assert: ("has an 'assert'", f"{FAILING}; or test it with an 'if'"),
    ast.With: ("has a 'with'", "leave it out: only numbers"),
    ast.Yield: ("yields", "return the numbers"),
    ast.YieldFrom: ("yields", "return the numbers"),
    ast.Await: ("waits", "return the numbers"),
    ast.NamedExpr: ("assigns within an expression", "assign on a line of its own"),
    ast.Starred: ("takes a tuple apart with '*'", "write the numbers out"),
}  # fmt: skip
REMEMBER = (
    "what `self` holds stays as it is while a boid is steered. A rule that keeps a number of each "
    "boid from step to step names it in its class, keeps = ({name!r},), takes kept as the last "
    "argument, reads kept.{name}, and returns it behind the vector: return x, y, z, {name}"
)


def check_kind(function: Callable[..., Any], node: ast.AST) -> None:
    """Raises RuleError for a part of a function's text that is of a kind no kernel has."""
    if type(node) in REFUSED:
        found, instead = REFUSED[type(node)]
        line = getattr(node, "lineno", None)
        raise fault(function, line, f"{found}, which a rule's function cannot: {instead}")


def check_plain(function: Callable[..., Any], tree: ast.AST, cls: Any = None) -> None:
    """Raises RuleError for what a function may not do.

    tree  the function as it goes into the kernel: words decided, dead branches left out
    cls   the class of the rule or motion whose method it is; None for a helper
    """
    _Checker(function, cls).visit_body(tree)


class _Checker(ast.NodeVisitor):
    def __init__(self, function: Callable[..., Any], cls: Any) -> None:
        self.function, self.cls = function, cls
        self.line = function.__code__.co_firstlineno

    def refuse(self, text: str) -> None:
        raise fault(self.function, self.line, text)

    def visit_body(self, tree: Any) -> None:
        for statement in tree.body:
            self.visit(statement)
        if not _always_returns(tree.body):
            self.line = self.function.__code__.co_firstlineno
            self.refuse("may end without a return, which gives None: end it with a return")

    def visit(self, node: ast.AST) -> None:
        self.line = getattr(node, "lineno", self.line)  # what was put in has none
        super().visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str | bytes):
            self.refuse(
                f"has the string {node.value!r}: strings may only be compared with a word of the "
                "rule, such as `self.law == 'unit'`"
            )
        if isinstance(node.value, complex):
            self.refuse(f"has the complex number {node.value}: only real numbers")

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a text between quotes is a comment
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if self.cls is not None and isinstance(node.ctx, ast.Store) and node.id in GIVEN:
            self.refuse(f"assigns to its argument {node.id!r}: give the variable another name")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if isinstance(node.ctx, ast.Store):
            if owner == "self":
                name = node.attr if not hasattr(self.cls, node.attr) else "memory"
                name = "memory" if name in getattr(self.cls, "model_fields", {}) else name
                self.refuse(f"assigns to self.{node.attr}: {REMEMBER.format(name=name)}")
            what = "return it behind the vector" if owner == "kept" else "use a variable"
            self.refuse(f"assigns to {ast.unparse(node)}, which can only be read: {what}")
        if self.cls is not None and owner in GIVEN:
            self._check_attribute(owner, node.attr)
        if owner == "math" and node.attr not in MATH:
            self.refuse(f"uses math.{node.attr}: of math there are {', '.join(MATH)}, and numbers")
        self.generic_visit(node)

    def _check_attribute(self, owner: str, name: str) -> None:
        if owner != "self":
            known = self.cls.keeps if owner == "kept" else FIELDS[owner]._fields
            if name not in known:
                self.refuse(
                    f"asks for {owner}.{name}: {unknown(f'number of {owner}', name, known)}"
                )
        elif name not in self.cls.model_fields:
            if callable(getattr(self.cls, name, None)):
                self.refuse(f"calls self.{name}: {INSIDE}, and call it without 'self.'")
            if hasattr(self.cls, name):
                self.refuse(
                    f"asks for self.{name}, which is no parameter: put the number outside of the "
                    f"class, or make it one, such as {name}: mm.Scalar = mm.quantity(1.0)"
                )
            fields = self.cls.model_fields
            self.refuse(f"asks for self.{name}: {unknown('parameter', name, fields)}")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Store):
            self.refuse(f"assigns to {ast.unparse(node)}: {LISTS}")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        value = node.value
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            self.refuse("returns None: return numbers in every case, such as 0.0, 0.0, 0.0")
        elif self.cls is not None and self.function.__name__ != "pair":
            self._check_count(value)
        self.generic_visit(node)

    def _check_count(self, value: ast.AST) -> None:
        """How many numbers a rule's vector has, where that can be seen."""
        plain = ast.BinOp | ast.UnaryOp | ast.Compare | ast.BoolOp | ast.Constant
        if isinstance(value, ast.Tuple):
            found = len(value.elts)
        elif isinstance(value, plain):
            found = 1
        else:
            return
        keeps = self.cls.keeps if "kept" in self.function.__code__.co_varnames else ()
        if found == 3 + len(keeps):
            return
        first = "u, v, w" if self.function.__name__ == "turn" else "x, y, z"
        wanted = f"three, {first[:-3]} and {first[-1]}, such as 'return {first[:-1]}0.0'"
        if keeps:
            wanted = f"{3 + len(keeps)}: 'return {first}, {', '.join(keeps)}'"
        number = "1 number" if found == 1 else f"{found} numbers"
        self.refuse(f"returns {number}: it must return {wanted}")


def _always_returns(body: list[ast.stmt]) -> bool:
    """Whether the end of some statements cannot be reached."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _always_returns(last.body) and _always_returns(last.orelse)
    if isinstance(last, ast.Match):
        ends = [_always_returns(case.body) for case in last.cases]
        rest = last.cases[-1]
        return all(ends) and isinstance(rest.pattern, ast.MatchAs) and rest.guard is None
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant):
        return bool(last.test.value) and not any(isinstance(n, ast.Break) for n in ast.walk(last))
    return isinstance(last, ast.Return)
