"""Function library: rule functions as text, rewritten for kernels, with every helper they reach.

The text of a kernel holds all functions it runs, so its hash says all there is to know, and a
kernel in the cache can never be older than the rules it was made from.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.codegen.function_checks import check_kind, check_plain
from murmurate.codegen.function_text import definition, fault, is_own
from murmurate.codegen.names import Names, is_local_name, local_name

VECTORED = {name: f"{name}_real" for name in ("exp", "log", "pow", "sin", "cos")}
"""Functions of `math` that kernels have themselves, and their names there: mathematics.py.j2."""
ROOTS = {
    "math.sqrt": 1,
    **dict.fromkeys(VECTORED.values(), 8),
    **dict.fromkeys(("math.acos", "math.asin", "math.atan", "math.atan2"), 8),
}
"""What takes as long as a root, or as so many."""
ALLOWED_BUILTINS = {"abs", "min", "max", "range", "len", "int", "float", "bool", "round", "pow"}
INTRINSICS = "murmurate.codegen.intrinsic_names"
CONSTANT = "REAL_"
"""How the names of written-out numbers begin: see module_header.with_constants."""


@dataclass
class Library:
    """The functions that a module's text is made of, by the name they have in it.

    shared     functions of another module, and the names that they have there: they are not written
               again. A function of `shared` is known by (function, whether sums keep their order)
    names      issues the names of the text
    functions  (function, decorator, words) -> its name
    renamed    the name of a function -> its arguments that have another name in the text
    reached    what the functions name that is not their own: functions, constants, modules
    """

    shared: Mapping[tuple[Callable[..., Any], bool], str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    texts: dict[str, str] = field(default_factory=dict)
    functions: dict[tuple[Any, ...], str] = field(default_factory=dict)
    twins: dict[str, str] = field(default_factory=dict)
    trees: dict[str, ast.AST] = field(default_factory=dict)
    renamed: dict[str, dict[str, str]] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set)

    def add(
        self,
        function: Callable[..., Any],
        role: str,
        owner: str,
        words: Mapping[str, Any],
        how: str = "rule",
        cls: type | None = None,
    ) -> str:
        """Puts a function in, and all it reaches; returns its name there.

        role   what it is, such as 'pair' or 'helper'; and whose: see Names.of
        words  what attributes of `self` stand for constants (a rule's form, law, path, ...)
        how    the decorator that compiles it
        cls    the class of the rule or motion whose method it is
        """
        shared = self.shared.get((function, how == "exact"))
        if shared is not None:
            return shared
        key = (function, how, tuple(sorted(words.items())))
        if key in self.functions:
            if self.texts[self.functions[key]] == "":
                # numba would compile it, but crash when it is loaded from the cache
                raise fault(
                    function, None, "calls itself, which a rule's functions cannot do: write a loop"
                )
            return self.functions[key]
        return self.define(function, self.names.of(role, owner, key=key), words, how, cls)

    def define(
        self,
        function: Callable[..., Any],
        name: str,
        words: Mapping[str, Any],
        how: str = "rule",
        cls: type | None = None,
    ) -> str:
        """Writes a function in under a name, whether it is shared or not; returns its name, which
        is that of another one of the same text where there is one."""
        key = (function, how, tuple(sorted(words.items())))
        self.functions[key] = name
        self.texts[name] = ""  # until its text is known
        rewriter = _Rewriter(self, function, words, how)
        tree = rewriter.whole(definition(function))
        tree.name = name
        if is_own(function):
            check_plain(function, tree, cls)
        text = f"@{how}\n{ast.unparse(tree)}"
        # what comes out the same for two rules is there once, and compiled once
        twin = self.twins.setdefault(text.replace(f"def {name}(", "def (", 1), name)
        if twin != name:
            del self.texts[name]
            self.functions[key] = twin
            return twin
        self.texts[name], self.trees[name] = text, tree
        self.renamed[name] = rewriter.renamed
        self.reached |= rewriter.reached
        return name

    def roots(self, name: str) -> int:
        """How many roots and quotients a function takes, with those of the functions it calls: what
        takes many times as long as a product. What takes as long as many of them counts as such."""
        count = 0
        for node in ast.walk(self.trees[name]):
            match node:
                case ast.BinOp(op=ast.Div()):
                    count += 1
                case ast.Call(func=ast.Name(id=called)) if called in self.trees:
                    count += self.roots(called) if called != name else 0
                case ast.Call(func=called):
                    count += ROOTS.get(ast.unparse(called), 0)
        return count

    def text(self) -> str:
        """All functions; which stands before which does not matter to numba."""
        return "\n\n\n".join(self.texts.values())


def returned(function: Callable[..., Any], words: Mapping[str, Any]) -> int:
    """How many numbers a function returns. Raises RuleError unless every return is a tuple written
    out, of the same length."""
    tree = _Rewriter(Library(), function, words).whole(definition(function))
    lengths = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Return):
            if not isinstance(node.value, ast.Tuple):
                raise fault(
                    function,
                    node.lineno,
                    "must return its sums as a tuple written out, such as "
                    "'return 1.0, other.dx, other.dy, other.dz'",
                )
            lengths.add(len(node.value.elts))
    if len(lengths) != 1:
        found = " and ".join(map(str, sorted(lengths))) or "nothing"
        raise fault(
            function,
            None,
            f"returns {found} numbers: every return must have the same count, at least one",
        )
    return lengths.pop()


class _Rewriter(ast.NodeTransformer):
    """Constants for words, `real(...)` round every float so that float32 stays float32, dead
    branches out, helpers in.

    mine     nodes that name the function's own arguments and variables
    reached  the names of all else that it names
    renamed  arguments and variables that would hide some of that -> their names in the text
    """

    def __init__(
        self,
        library: Library,
        function: Callable[..., Any],
        words: Mapping[str, Any],
        how: str = "rule",
    ) -> None:
        self.library, self.function, self.words, self.how = library, function, words, how
        closure = inspect.getclosurevars(inspect.unwrap(function))
        self.globals = {**closure.globals, **closure.nonlocals}
        self.locals = set(function.__code__.co_varnames)
        self.self_name = function.__code__.co_varnames[0] if words else None
        self.mine: set[ast.AST] = set()
        self.reached: set[str] = set()
        self.renamed: dict[str, str] = {}

    def visit(self, node: ast.AST) -> Any:
        if is_own(self.function):
            check_kind(self.function, node)
        return super().visit(node)

    def whole(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """The function, rewritten."""
        node.decorator_list, node.returns = [], None
        self._give_defaults(node.args)
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        if ast.get_docstring(node):
            node.body = node.body[1:]
        node.body = self._block(node.body)
        self._rename(node)
        return node

    def _give_defaults(self, arguments: ast.arguments) -> None:
        """Write out defaults that are no plain numbers, such as the name of one: they are what they
        were when the function was defined."""
        keywords = self.function.__kwdefaults__ or {}
        values = [keywords.get(argument.arg) for argument in arguments.kwonlyargs]
        arguments.defaults = self._written(arguments.defaults, self.function.__defaults__ or ())
        arguments.kw_defaults = self._written(arguments.kw_defaults, values)

    def _written(self, defaults: Sequence[Any], values: Sequence[Any]) -> list[Any]:
        found = []
        for default, value in zip(defaults, values, strict=True):
            named = default is not None and any(isinstance(n, ast.Name) for n in ast.walk(default))
            if named and not isinstance(value, bool | int | float):
                text = f"has the default {ast.unparse(default)}: only numbers can be defaults"
                raise fault(self.function, default.lineno, text)
            found.append(ast.Constant(value) if named else default)
        return found

    def _rename(self, node: ast.FunctionDef) -> None:
        """Give other names to the function's own variables that would hide what it names of the
        module: the words `real` and `math`, functions, constants."""
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        self.reached = {part.id for part in names if part not in self.mine}
        self.renamed = {
            name: local_name(name)
            for name in self.locals
            if name in self.reached or name.startswith(CONSTANT) or is_local_name(name)
        }
        if not self.renamed:
            return
        for part in ast.walk(node):
            match part:
                case ast.Name(id=name) if part in self.mine:
                    part.id = self.renamed.get(name, name)
                case ast.arg(arg=name):
                    part.arg = self.renamed.get(name, name)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    part.name = self.renamed.get(name, name)

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in body:
            visited = self.visit(statement)
            for item in visited if isinstance(visited, list) else [visited]:
                if item is not None:
                    out.append(item)
            if out and isinstance(out[-1], ast.Return):
                break
        return out or [ast.Pass()]

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            chosen = node.body if test.value else node.orelse
            block = self._block(chosen) if chosen else []
            return [s for s in block if not isinstance(s, ast.Pass)]
        node.test, node.body = test, self._block(node.body)
        node.orelse = self._block(node.orelse) if node.orelse else []
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter, node.target = self.visit(node.iter), self.visit(node.target)
        node.body = self._block(node.body)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test, node.body = self.visit(node.test), self._block(node.body)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            chosen: ast.AST = self.visit(node.body if test.value else node.orelse)
            return chosen
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        words = [s.value for s in sides if isinstance(s, ast.Constant)]
        if len(words) == len(sides) == 2:
            if isinstance(node.ops[0], ast.Eq):
                return ast.Constant(words[0] == words[1])
            if isinstance(node.ops[0], ast.NotEq):
                return ast.Constant(words[0] != words[1])
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name):
            owner, attribute = node.value.id, node.attr
            if owner == self.self_name and attribute in self.words:
                return ast.Constant(self.words[attribute])
            if self.globals.get(owner) is math and owner not in self.locals:
                value = getattr(math, attribute, None)
                node.value.id = "math"
                return _real(value) if isinstance(value, float) else node
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func not in self.mine:
            renamed = self.library.renamed.get(node.func.id, {})
            for keyword in node.keywords:
                keyword.arg = renamed.get(keyword.arg or "", keyword.arg)
            node.func.id = "real" if node.func.id == "float" else node.func.id
        match node.func:
            case ast.Attribute(value=ast.Name(id="math") as owner, attr=name) if (
                name in VECTORED and owner not in self.mine
            ):
                node.func = ast.Name(VECTORED[name], ast.Load())
                node.args = [_as_real(argument) for argument in node.args]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        match node:
            case ast.BinOp(left=ast.Constant(value=int())):
                plain = True  # perhaps a whole number, to count with
            case ast.BinOp(right=ast.Constant(value=int() | float() as power)):
                plain = (2.0 * power).is_integer()  # a root, or a few products
            case _:
                plain = False
        self.generic_visit(node)
        if plain or not isinstance(node.op, ast.Pow):
            return node
        arguments = [_as_real(node.left), _as_real(node.right)]
        return ast.Call(ast.Name(VECTORED["pow"], ast.Load()), arguments, [])

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return _real(node.value) if isinstance(node.value, float) else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = node.id
        if name in self.locals or not isinstance(node.ctx, ast.Load):
            self.mine.add(node)
            return node
        value = self.globals.get(name)
        ours = not is_own(self.function)
        if value is math or (value is np and ours):
            node.id = "math" if value is math else "np"
            return node
        if value is not None and inspect.isbuiltin(value) and hasattr(math, value.__name__):
            return ast.Attribute(ast.Name("math", ast.Load()), value.__name__, ast.Load())
        if ours and getattr(value, "__module__", "") == INTRINSICS:  # the text's module imports it
            return node
        if inspect.isfunction(value):
            node.id = self.library.add(value, "helper", value.__name__, {}, self.how)
            return node
        if isinstance(value, bool | int):
            return ast.Constant(value)
        if isinstance(value, float):
            return _real(value)
        if name in ALLOWED_BUILTINS and name not in self.globals and hasattr(builtins, name):
            return node
        raise fault(
            self.function,
            node.lineno,
            f"uses {name!r}: a rule's function may use its arguments, numbers, `math`, plain "
            f"helper functions and {', '.join(sorted(ALLOWED_BUILTINS))}",
        )


def _as_real(value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("real", ast.Load()), [value], [])


def _real(value: float) -> ast.AST:
    """The float in the kernel's precision; infinity as the kernels' large number."""
    if math.isinf(value):
        value = math.copysign(1e15, value)
    return ast.Call(ast.Name("real", ast.Load()), [ast.Constant(value)], [])
