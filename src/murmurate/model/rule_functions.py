"""Functions of a rule as text: a small language of formulas, without loops.

The text has the syntax of Python:

    def pair(self, me, other):
        q = 1 / other.r2
        return -q * other.dx, -q * other.dy, -q * other.dz

A function consists of assignments, `if`, and `return`; an expression of numbers, arithmetic,
comparisons, `a if test else b`, the numbers of its arguments, functions of `math`, and helper
functions of the same text. The text comes from model files and pages, so it is never run: each
piece is recognised and printed again, and only the printed functions are compiled. They end,
because they have no loops, and reach nothing but numbers. Whether an argument has a number is
checked when the functions are read as typed trees: murmurate.language.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import linecache
import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any, ClassVar, Literal, NoReturn, get_args

from murmurate.syntax import MAX_NESTING, syntax_tree

Method = Literal["pair", "finish", "alone"]
METHODS: tuple[Method, ...] = get_args(Method)
HOME = "murmurate.edited"
"""The module of functions and classes that are made here."""
EDITED_FORMULA = "{weight} * (its functions as edited)"
MAX_LETTERS = 6000
MAX_PIECES = 3000
MAX_POWER = 64
CALLS = ("abs", "min", "max", "int", "float", "round", "pow", "bool")
OWNERS = ("self", "me", "other", "random", "herd", "state")
RESERVED = {*CALLS, "math"}
UNARY: dict[type[ast.AST], str] = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not "}
BINARY: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**",
}  # fmt: skip
COMPARE: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
REMEDY = "Functions have assignments, if, return and arithmetic"
INDENT = "    "


class RuleTextError(ValueError):
    """Functions of a rule cannot be read; the message names line and column."""


def fail(line: int, column: int, got: str, remedy: str = REMEDY) -> NoReturn:
    """Raise the error for a place in the text; lines and columns begin with 1."""
    raise RuleTextError(f"line {line}, column {column}: got {got}. {remedy}")


@lru_cache(maxsize=256)
def printed_functions(text: str) -> dict[str, str]:
    """Return the printed functions of a text, on their lines, by name. Raises RuleTextError."""
    if len(text) > MAX_LETTERS:
        fail(1, 1, f"{len(text):,} letters", f"At most {MAX_LETTERS:,} are allowed")
    try:
        tree = syntax_tree(text, MAX_NESTING)
    except SyntaxError as error:
        got = f"{error.msg!r}" if error.msg else "text that cannot be read"
        fail(error.lineno or 1, error.offset or 1, got)
    except ValueError:
        fail(1, 1, "text that cannot be read", "Leave out special letters")
    if sum(1 for _ in ast.walk(tree)) > MAX_PIECES:
        fail(1, 1, "a very long formula", "Make it shorter")
    functions: dict[str, str] = {}
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            fail(
                node.lineno,
                node.col_offset + 1,
                _quoted(node),
                "Write functions: def pair(self, me, other):",
            )
        if node.name in functions:
            fail(node.lineno, 1, f"two functions {node.name}", "Give one of them another name")
        functions[node.name] = _Printer(names).function(node)
    if not set(METHODS) & functions.keys():
        fail(1, 1, "no function of a rule", f"Define {', '.join(METHODS[:-1])} or {METHODS[-1]}")
    return functions


def _quoted(node: ast.AST) -> str:
    text = ast.unparse(node).split("\n")[0]
    return f"'{text[:40]}{'...' * (len(text) > 40)}'"


Line = tuple[int, str]
"""A line and its number in the text that was read; 0 for the next one."""


def _placed(lines: Sequence[Line]) -> str:
    """Return lines as a text in which each has its number, so that errors name the user's lines."""
    placed: list[str] = []
    for number, line in lines:
        placed += [""] * (number - 1 - len(placed))
        placed.append(line)
    return "\n".join(placed)


class _Printer:
    """Print one function; everything that is not of the language is an error."""

    def __init__(self, functions: Sequence[str]) -> None:
        self.functions = functions
        self.owners: Sequence[str] = OWNERS

    def refuse(self, node: Any, remedy: str = REMEDY, got: str = "") -> NoReturn:
        fail(node.lineno, node.col_offset + 1, got or _quoted(node), remedy)

    def name(self, node: ast.AST, name: str, more: Sequence[str] = ()) -> str:
        """Return a name that may be given to a variable, an argument or a function."""
        reserved = (RESERVED | set(self.owners)) - set(more)
        if name != "_" and (not NAME.fullmatch(name) or "__" in name or name in reserved):
            self.refuse(
                node,
                "Names have letters, digits and single '_', and are no word of the language",
                f"the name {name!r}",
            )
        return name

    def function(self, node: ast.FunctionDef) -> str:
        more = node.args
        if (
            node.decorator_list
            or more.defaults
            or more.vararg
            or more.kwarg
            or more.kwonlyargs
            or more.posonlyargs
        ):
            self.refuse(node, "Functions take plain arguments: def pair(self, me, other):")
        self.name(node, node.name)
        arguments = [self.name(argument, argument.arg, OWNERS) for argument in more.args]
        if "arc" in arguments:
            self.owners = (*OWNERS, "arc")
        lines = [(node.lineno, f"def {node.name}({', '.join(arguments)}):")]
        body = self.block(node.body, INDENT)
        return _placed([*lines, *(body or [(node.lineno + 1, f"{INDENT}return 0.0")])])

    # --- statements

    def block(self, body: Sequence[ast.stmt], indent: str) -> list[Line]:
        return [line for node in body for line in self.statement(node, indent)]

    def statement(self, node: ast.stmt, indent: str) -> list[Line]:
        match node:
            case ast.Return(value=ast.expr() as value):
                text = f"return {self.expression(value)}"
            case ast.Assign(targets=[target], value=value):
                text = f"{self.target(target)} = {self.expression(value)}"
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if type(op) in BINARY:
                text = f"{self.name(node, name)} {BINARY[type(op)]}= {self.expression(value)}"
            case ast.If():
                return self.branch(node, indent, "if")
            case ast.Expr(value=ast.Constant(value=str())):
                return []  # a docstring
            case ast.For() | ast.While():
                self.refuse(
                    node, "Loops are not allowed; write the terms out, or use a rule file: --rules"
                )
            case _:
                self.refuse(node)
        return [(node.lineno, f"{indent}{text}")]

    def branch(self, node: ast.If, indent: str, word: str) -> list[Line]:
        """Return the lines of an `if`, or of an `elif` that follows another."""
        lines = [(node.lineno, f"{indent}{word} {self.expression(node.test)}:")]
        inside = indent + INDENT
        lines += self.block(node.body, inside) or [(0, f"{inside}pass")]
        match node.orelse:
            case [ast.If() as other]:
                return [*lines, *self.branch(other, indent, "elif")]
            case [_, *_]:
                orelse = self.block(node.orelse, inside) or [(0, f"{inside}pass")]
                lines += [(0, f"{indent}else:"), *orelse]
        return lines

    def target(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Tuple(elts=elements) if elements:
                return ", ".join(self.target(element) for element in elements) + "," * (
                    len(elements) == 1
                )
        self.refuse(node, "Assign to variables: x = 1, or x, y = 1, 2")

    # --- expressions

    def expression(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=value):
                return self.constant(node, value)
            case ast.Name(id=name):
                if name != "_" and not NAME.fullmatch(name):
                    self.refuse(node)
                return name
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript(value=value, slice=ast.Constant(value=int() as index)):
                return f"{self.expression(value)}[{int(index)}]"
            case ast.Tuple(elts=elements) if elements:
                return f"({', '.join(map(self.expression, elements))}{',' * (len(elements) == 1)})"
            case ast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
                return f"({UNARY[type(op)]}{self.expression(operand)})"
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)):
                if abs(power) > MAX_POWER:
                    self.refuse(node, f"Whole powers are at most {MAX_POWER}")
                return f"({self.expression(left)} ** {int(power)})"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
                return f"({self.expression(left)} {BINARY[type(op)]} {self.expression(right)})"
            case ast.BoolOp(op=op, values=values):
                word = " and " if isinstance(op, ast.And) else " or "
                return f"({word.join(map(self.expression, values))})"
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.compare(node, [left, *others], ops)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                sides = (self.expression(side) for side in (body, test, orelse))
                return "({} if {} else {})".format(*sides)
            case ast.Call():
                return self.call(node)
        self.refuse(node)

    def constant(self, node: ast.expr, value: object) -> str:
        """Print a number as a real one: whole numbers of Python grow without end."""
        if isinstance(value, bool):
            return repr(value)
        if isinstance(value, int | float):
            number = float(value) if abs(value) < 1e300 else math.inf
            if math.isfinite(number):
                return repr(number)
        self.refuse(node, "Numbers are real and below 1e300")

    def attribute(self, node: ast.Attribute) -> str:
        if NAME.fullmatch(node.attr) and "__" not in node.attr:
            match node.value:
                case ast.Name(id=owner) if owner in self.owners:
                    return f"{owner}.{node.attr}"
                case ast.Attribute(value=ast.Name(id="me" | "other" as owner), attr="state"):
                    return f"{owner}.state.{node.attr}"
                case ast.Name(id="math") if isinstance(getattr(math, node.attr, None), float):
                    return f"math.{node.attr}"
        self.refuse(node, "A dot follows self, me, other, random, herd, state and math: me.speed")

    def compare(self, node: ast.expr, sides: Sequence[ast.expr], ops: Sequence[ast.cmpop]) -> str:
        if not all(type(op) in COMPARE for op in ops):
            self.refuse(node, "Compare with <, <=, >, >=, == or !=")
        texts = [self.word(side) or self.expression(side) for side in sides]
        more = (f"{COMPARE[type(op)]} {side}" for op, side in zip(ops, texts[1:], strict=True))
        return f"({' '.join([texts[0], *more])})"

    def word(self, node: ast.expr) -> str:
        """Return a word of a rule, such as 'unit' in self.law == 'unit'; '' for anything else."""
        match node:
            case ast.Constant(value=str() as word) if re.fullmatch(r"[\w-]{1,64}", word):
                return repr(word)
        return ""

    def call(self, node: ast.Call) -> str:
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            self.refuse(node, "Call functions with plain numbers: max(a, b)")
        match node.func:
            case ast.Name(id=name) if name in CALLS or name in self.functions:
                called = name
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if NAME.fullmatch(
                name
            ) and callable(getattr(math, name, None)):
                called = f"math.{name}"
            case _:
                self.refuse(
                    node.func,
                    f"Functions are {', '.join(CALLS)}, those of math, and those of this text",
                )
        return f"{called}({', '.join(map(self.expression, node.args))})"


@lru_cache(maxsize=256)
def compiled_functions(text: str) -> dict[str, FunctionType]:
    """Return the functions of a text by name. Raises RuleTextError."""
    printed = printed_functions(text)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    module: dict[str, Any] = {
        "math": math,
        "__name__": HOME,
        "__builtins__": {name: getattr(builtins, name) for name in CALLS},
    }
    functions = {}
    for name, source in printed.items():
        file = f"<{name} of an edited rule {digest}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        code = compile(source, file, "exec", dont_inherit=True).co_consts[0]
        functions[name] = FunctionType(code, module, name)
    module.update({name: each for name, each in functions.items() if name not in METHODS})
    return functions


@lru_cache(maxsize=512)
def edited_class(cls: Any, text: str) -> Any:
    """Return the class of a rule whose functions are those of a text. Raises RuleTextError.

    Functions that the text does not define stay those of `cls`.
    """
    functions = compiled_functions(text)
    methods: dict[str, Any] = {name: functions[name] for name in METHODS if name in functions}
    namespace = {
        "__module__": HOME,
        "__qualname__": cls.__qualname__,
        "__doc__": cls.__doc__,
        "__annotations__": {"affine": ClassVar[tuple[str, ...]], "formula": ClassVar[str]},
        "__reduce__": lambda self: (_restored, (cls, text, self.__getstate__())),
        "formula": EDITED_FORMULA,
        "formula_as_set": property(lambda self: EDITED_FORMULA),
        "affine": (),
        **methods,
    }
    return type(cls)(cls.__name__, (cls,), namespace)


def is_edited(thing: type | Callable[..., Any]) -> bool:
    """Return whether a class was made by `edited_class`, or is a function of one."""
    return thing.__module__ == HOME


def is_of_user(thing: type | Callable[..., Any]) -> bool:
    """Return whether a function or class is a user's, as those of edited rules are."""
    return is_edited(thing) or not thing.__module__.startswith("murmurate.")


def is_of_kernels(function: Callable[..., Any]) -> bool:
    """Return whether a function is one of the kernels, which may use more of Python."""
    return function.__module__.startswith(("murmurate.codegen.", "murmurate.model.shapes."))


def kind_class(cls: Any) -> Any:
    """Return the class whose functions were edited; any other class as it is."""
    return cls.__bases__[0] if is_edited(cls) else cls


def _restored(cls: Any, text: str, state: Any) -> Any:
    rule = edited_class(cls, text).__new__(edited_class(cls, text))
    rule.__setstate__(state)
    return rule
