"""Read expressions of a function: Python's syntax tree -> typed expressions."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from murmurate.language import maths
from murmurate.language.refusals import INSIDE, LISTS, ONLY_NUMBERS, REMEMBER, refusal
from murmurate.language.source import fault
from murmurate.language.tree import (
    ANY,
    BOOL,
    INT,
    NOTHING,
    NUMBERS,
    REAL,
    UNKNOWN,
    WORD,
    Call,
    Expression,
    Function,
    Making,
    Record,
    Tuple,
    Type,
    TypeConflict,
    decided,
    described,
    finite,
    joined,
    variable,
)
from murmurate.model.registry import unknown

BUILTINS: dict[str, tuple[int, int]] = {
    "abs": (1, 1), "bool": (1, 1), "float": (1, 1), "int": (1, 1), "len": (1, 1), "max": (2, 99),
    "min": (2, 99), "pow": (2, 2), "range": (1, 3), "round": (1, 2),
}  # fmt: skip
"""Functions of Python that rules may call, and how few and how many arguments they take."""
INTRINSICS = "murmurate.codegen.intrinsic_names"
"""Where kernels' functions take the names of intrinsics from."""
UNARY: dict[type[ast.AST], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}
BINARY: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>",
}  # fmt: skip
COMPARE: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A rule or motion, as its methods see it.

    cls      its class
    numbers  the type of `self`
    words    (field, value) of what is constant: a form, a law, a whole number
    """

    cls: Any
    numbers: Record
    words: tuple[tuple[str, Any], ...] = ()


class ExpressionReader:
    """Reads the expressions of one function.

    helper     reads a function that is called, for the types of its arguments
    part       whose method it is; None for a helper
    kernels    whether it is one of kernels' own functions, which take arrays and numbers of any
               type; what is not known of them has the type ANY
    variables  the names of its arguments and variables
    """

    def __init__(
        self,
        helper: Callable[[Callable[..., Any], Sequence[Type]], Function],
        function: Callable[..., Any],
        arguments: Mapping[str, Type],
        part: Part | None,
        kernels: bool,
    ) -> None:
        self.helper, self.function, self.part, self.kernels = helper, function, part, kernels
        self.words = dict(part.words) if part else {}
        closure = inspect.getclosurevars(inspect.unwrap(function))
        self.outside = {**closure.globals, **closure.nonlocals}
        self.variables = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
        self.arguments = dict(arguments)
        self.locals: dict[str, Type] = {}
        self.versions: dict[str, int] = {}
        self.unknown: ast.Name | None = None

    # --- refusals

    def refuse(self, node: ast.AST | None, text: str) -> NoReturn:
        raise fault(self.function, getattr(node, "lineno", None), text)

    def of_kind(self, node: ast.AST) -> NoReturn:
        """Refuse a part of the text of a kind that no kernel has."""
        self.refuse(node, refusal(node))

    def refuse_name(self, node: ast.AST, name: str) -> NoReturn:
        self.refuse(
            node,
            f"uses {name!r}: a rule's function may use its arguments, numbers, `math`, plain "
            f"helper functions and {', '.join(sorted(BUILTINS))}",
        )

    def refuse_word(self, node: ast.AST, word: object) -> NoReturn:
        self.refuse(
            node,
            f"has the string {word!r}: strings may only be compared with a word of the "
            "rule, such as `self.law == 'unit'`",
        )

    # --- values

    def make(self, node: ast.AST, how: Making, type_: Type, *parts: Expression,
             word: Any = "") -> Expression:  # fmt: skip
        return Expression(how, type_, parts, word, getattr(node, "lineno", 0))

    def value(self, node: ast.AST) -> Expression:
        """Read an expression that must be a number, or a tuple of numbers."""
        found = self.expression(node)
        self.check_value(node, found)
        return found

    def check_value(self, node: ast.AST, found: Expression) -> None:
        if found.type == WORD:
            self.refuse_word(node, found.word)
        if found.type == NOTHING and not self.kernels:
            self.refuse(node, "has None: only numbers can be computed with")

    def expression(self, node: ast.AST) -> Expression:
        """Read an expression, or a string that is to be compared."""
        match node:
            case ast.Constant(value=value):
                return self.constant(node, value)
            case ast.Name():
                return self.name(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Tuple(elts=elements):
                items = [self.value(element) for element in elements]
                return self.make(node, "tuple", Tuple(tuple(x.type for x in items)), *items)
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(node, UNARY[type(op)], operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
                return self.binary(node, left, BINARY[type(op)], right)
            case ast.BoolOp(op=op, values=values):
                sides = [self.value(value) for value in values]
                word = "and" if isinstance(op, ast.And) else "or"
                return self.make(node, "logic", self.join(node, sides), *sides, word=word)
            case ast.Compare():
                return self.compare(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.choose(node, test, body, orelse)
            case ast.Subscript():
                return self.item(node)
            case ast.Call():
                return self.call(node)
        self.of_kind(node)

    def constant(self, node: ast.AST, value: object) -> Expression:
        match value:
            case bool():
                return self.make(node, "number", BOOL, word=value)
            case int():
                return self.make(node, "number", INT, word=value)
            case float():
                return self.make(node, "number", REAL, word=finite(value))
            case str() | bytes():
                return self.make(node, "constant", WORD, word=value)
            case None:
                return self.make(node, "constant", NOTHING, word=None)
            case complex():
                self.refuse(node, f"has the complex number {value}: only real numbers")
        self.refuse(node, f"has {value!r}: only numbers")

    def word(self, node: ast.AST, value: Any) -> Expression:
        """Return the value of a rule's word, or of a default: it is not rounded."""
        types: dict[type, Type] = {bool: BOOL, int: INT, float: REAL, str: WORD}
        kind = next(kind for kind in types if isinstance(value, kind))
        return self.make(node, "constant", types[kind], word=value)

    def name(self, node: ast.Name) -> Expression:
        name = node.id
        if name in self.variables:
            one = variable(name, self.versions.get(name, 0))
            type_ = self.locals.get(one) or self.arguments.get(one)
            if type_ is None:
                self.unknown = node
                type_ = ANY if self.kernels else UNKNOWN
            return self.make(node, "name", type_, word=one)
        value = self.outside.get(name)
        if isinstance(value, bool | int | float):
            return self.constant(node, value)
        if self.called_function(name) or name in BUILTINS:
            self.refuse(node, f"uses the function {name!r} as a number: call it, {name}(...)")
        self.refuse_name(node, name)

    def called_function(self, name: str) -> Callable[..., Any] | None:
        """Return the function outside that a name means, if it means one."""
        value = self.outside.get(name)
        if name in self.variables or value is None:
            return None
        plain = inspect.isfunction(value)
        of_math = inspect.isbuiltin(value) and hasattr(math, value.__name__)
        return value if plain or of_math else None

    # --- fields

    def attribute(self, node: ast.Attribute) -> Expression:
        match node.value:
            case ast.Name(id=owner) if owner not in self.variables:
                return self.of_module(node, owner)
            case ast.Name(id="self") if node.attr in self.words:
                return self.word(node, self.words[node.attr])
        whole = self.expression(node.value)
        name = node.attr
        match whole.type:
            case Record():
                if name not in whole.type:
                    self.refuse_field(node, whole.type)
                return self.make(node, "field", whole.type[name], whole, word=name)
            case plain if plain in (ANY, UNKNOWN):
                return self.make(node, "field", plain, whole, word=name)
        self.refuse(node, f"asks for {ast.unparse(node)}, {ONLY_NUMBERS}")

    def of_module(self, node: ast.Attribute, owner: str) -> Expression:
        """Read a constant of a module: of `math`; kernels' functions use `np` too."""
        module = self.outside.get(owner)
        if module is math:
            value = getattr(math, node.attr, None)
            if isinstance(value, float):
                return self.constant(node, value)
            self.refuse_maths(node, node.attr)
        if self.kernels and getattr(module, "__name__", "") == "numpy":
            return self.make(node, "numpy", REAL, word=node.attr)
        self.refuse_name(node, owner)

    def refuse_maths(self, node: ast.AST, name: str) -> NoReturn:
        if name in maths.RULES:
            self.refuse(node, f"uses the function math.{name} as a number: call it")
        known = ", ".join(maths.RULES)
        self.refuse(node, f"uses math.{name}: of math there are {known}, and numbers")

    def refuse_field(self, node: ast.Attribute, record: Record) -> NoReturn:
        """Refuse a field that is not there: a parameter or a number that is misspelt."""
        name = node.attr
        if record.name != "self" or self.part is None:
            known = [field for field, _ in record.fields]
            what = "parameter" if record.name == "self" else f"number of {record.name}"
            self.refuse(node, f"asks for {ast.unparse(node)}: {unknown(what, name, known)}")
        cls = self.part.cls
        if name in cls.model_fields:
            self.refuse(
                node, f"asks for self.{name}, which is no number here: it has the value "
                "None, or is a list. Give it a number in the model, or leave it out"
            )  # fmt: skip
        if callable(getattr(cls, name, None)):
            self.refuse(node, f"calls self.{name}: {INSIDE}, and call it without 'self.'")
        if hasattr(cls, name):
            self.refuse(
                node,
                f"asks for self.{name}, which is no parameter: put the number outside of the "
                f"class, or make it one, such as {name}: mm.Scalar = mm.quantity(1.0)",
            )
        self.refuse(node, f"asks for self.{name}: {unknown('parameter', name, cls.model_fields)}")

    # --- items

    def item(self, node: ast.Subscript) -> Expression:
        if isinstance(node.value, ast.Name) and not self.kernels:
            self.expression(node.value)  # a table of the file is refused by its name
        whole = self.value(node.value)
        if whole.type in (ANY, UNKNOWN):
            index = self.index(node.slice)
            return self.make(node, "item", whole.type, whole, index)
        items = self.items(node, whole.type)
        if isinstance(node.slice, ast.Slice):
            index = self.index(node.slice)
            cut = Tuple(tuple(items[self.cut(node.slice)]))
            return self.make(node, "item", cut, whole, index)
        index = self.value(node.slice)
        if index.type not in (INT, BOOL, UNKNOWN):
            self.refuse(node, f"asks for {ast.unparse(node)}: an index is a whole number")
        number = whole_number(index)
        if number is None:
            if len(set(items)) != 1:
                self.refuse(
                    node, f"asks for {ast.unparse(node)}: an index that varies is for tuples whose "
                    "items are all of one kind, such as (1.0, 2.0)"
                )  # fmt: skip
            return self.make(node, "item", items[0], whole, index)
        if not -len(items) <= number < len(items):
            what = described(whole.type)
            self.refuse(node, f"asks for {ast.unparse(node)}, and there is no such item of {what}")
        return self.make(node, "item", items[number], whole, index)

    def items(self, node: ast.AST, type_: Type) -> tuple[Type, ...]:
        """Return the types of the items of a tuple."""
        match type_:
            case Tuple(items):
                return items
            case Record(_, fields):
                return tuple(kind for _, kind in fields)
        self.refuse(node, f"takes {described(type_)} for a tuple")

    def cut(self, node: ast.Slice) -> slice:
        """Return the slice of a tuple, whose ends must be written out."""
        ends: list[int | None] = []
        for end in (node.lower, node.upper, node.step):
            number = None if end is None else whole_number(self.value(end))
            if end is not None and number is None:
                self.refuse(
                    node, "takes a slice of a tuple whose ends vary: write whole numbers, such as "
                    "sums[1:3]"
                )  # fmt: skip
            ends.append(number)
        return slice(*ends)

    def index(self, node: ast.AST) -> Expression:
        """Read what stands between brackets."""
        if not isinstance(node, ast.Slice):
            return self.value(node)
        ends = (node.lower, node.upper, node.step)
        parts = [self.value(end) for end in ends if end is not None]
        there = tuple(end is not None for end in ends)
        return self.make(node, "slice", NOTHING, *parts, word=there)

    # --- operators

    def unary(self, node: ast.AST, sign: str, operand: ast.AST) -> Expression:
        part = self.expression(operand)
        if sign == "not":
            if decided(part):
                return self.constant(node, not part.word)
            return self.make(node, "unary", BOOL, part, word=sign)
        self.check_value(operand, part)
        type_ = self.arithmetic(node, sign, part, part)
        return self.make(node, "unary", type_, part, word=sign)

    def binary(self, node: ast.AST, left: ast.AST, sign: str, right: ast.AST) -> Expression:
        one, other = self.value(left), self.value(right)
        type_ = self.arithmetic(node, sign, one, other)
        if sign == "**" and not _is_product(left, right):
            return self.make(node, "maths", ANY if type_ == ANY else REAL, one, other, word="pow")
        return self.make(node, "binary", type_, one, other, word=sign)

    def arithmetic(self, node: ast.AST, sign: str, one: Expression, other: Expression) -> Type:
        """Return the type of a sum, a product, ... of two numbers."""
        match one.type, other.type:
            case Tuple(mine), Tuple(yours) if sign == "+" and one is not other:
                return Tuple(mine + yours)
        for side in (one, other):
            if isinstance(side.type, Tuple | Record):
                self.refuse(node, f"computes with {described(side.type)}, {ONLY_NUMBERS}")
        if ANY in (one.type, other.type):
            return ANY
        known = [side.type if side.type in NUMBERS else BOOL for side in (one, other)]
        both = joined(*known)
        if sign in ("&", "|", "^", "<<", ">>", "~"):
            if both == REAL:
                self.refuse(node, f"has the operator {sign!r}, which is for whole numbers")
            return BOOL if both == BOOL and sign in "&|^" else INT
        return REAL if sign == "/" else joined(both, INT)

    def compare(self, node: ast.Compare) -> Expression:
        sides = [self.expression(side) for side in (node.left, *node.comparators)]
        signs = []
        for op in node.ops:
            if type(op) not in COMPARE:
                self.refuse(node, refusal(op))
            signs.append(COMPARE[type(op)])
        if len(sides) == 2 and all(map(decided, sides)) and signs[0] in ("==", "!="):
            return self.constant(node, (sides[0].word == sides[1].word) == (signs[0] == "=="))
        for part, side in zip((node.left, *node.comparators), sides, strict=True):
            self.check_value(part, side)
        return self.make(node, "compare", BOOL, *sides, word=tuple(signs))

    def choose(self, node: ast.AST, test: ast.AST, body: ast.AST, orelse: ast.AST) -> Expression:
        condition = self.expression(test)
        if decided(condition):
            return self.expression(body if condition.word else orelse)
        self.check_value(test, condition)
        one, other = self.value(body), self.value(orelse)
        return self.make(node, "choose", self.join(node, [one, other]), condition, one, other)

    def join(self, node: ast.AST, values: Sequence[Expression]) -> Type:
        """Return the type of what is one of some values."""
        found: Type = UNKNOWN
        for value in values:
            try:
                found = joined(found, value.type)
            except TypeConflict as error:
                self.refuse(node, f"is sometimes {error}: both must be of one kind")
        return found

    # --- calls

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

    # --- what is assigned to

    def refuse_store(self, node: ast.AST) -> NoReturn:
        """Refuse to assign to what is no variable."""
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                cls = self.part.cls if self.part else None
                name = attribute if not hasattr(cls, attribute) else "memory"
                name = "memory" if name in getattr(cls, "model_fields", {}) else name
                self.refuse(node, f"assigns to self.{attribute}: {REMEMBER.format(name=name)}")
            case ast.Attribute(value=owner):
                kept = isinstance(owner, ast.Name) and owner.id == "kept"
                what = "return it behind the vector" if kept else "use a variable"
                self.refuse(node, f"assigns to {ast.unparse(node)}, which can only be read: {what}")
            case ast.Subscript():
                self.refuse(node, f"assigns to {ast.unparse(node)}: {LISTS}")
        self.of_kind(node)


def whole_number(value: Expression) -> int | None:
    """Return the whole number that is written out, or None."""
    match value:
        case Expression("number" | "constant", type_, _, int() as word) if type_ in (INT, BOOL):
            return int(word)
        case Expression("unary", _, (part,), "-"):
            number = whole_number(part)
            return None if number is None else -number
    return None


def _is_product(base: ast.AST, power: ast.AST) -> bool:
    """Return whether a power is one of whole numbers, perhaps, to count with; or else a root, or a
    few products. A word of the rule is no number that is written out."""
    match base, power:
        case ast.Constant(value=int()), _:
            return True
        case _, ast.Constant(value=int() | float() as number):
            return (2.0 * number).is_integer()
    return False


def _missing(error: TypeError) -> str:
    """Return what is wrong with a call, as Python says it of calls."""
    text = str(error)
    return text.replace("missing a required argument:", "missing 1 required positional argument:")
