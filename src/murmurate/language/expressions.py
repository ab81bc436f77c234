"""Read expressions: convert Python's syntax tree to typed expressions."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from murmurate.language import maths
from murmurate.language.scope import (
    BUILTINS,
    FIXED,
    ONLY_NUMBERS,
    OTHER_NAME,
    SAME_KIND,
    Scope,
    refusal,
)
from murmurate.language.tree import (
    ANY,
    BOOL,
    INT,
    MAX_NUMBERS,
    NEAREST,
    NOTHING,
    NUMBERS,
    OWNERS_OF_STATE,
    REAL,
    SEVERAL,
    UNKNOWN,
    WORD,
    Call,
    Expression,
    Function,
    List,
    Record,
    StateRecord,
    Table,
    Tuple,
    Type,
    TypeConflict,
    decided,
    described,
    finite,
    joined,
    variable,
)

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


INTRINSICS = "murmurate.codegen.intrinsic_names"
"""Module from which functions of kernels import the names of intrinsics."""


class ExpressionReader(Scope):
    """Read the expressions of one function."""

    def value(self, node: ast.AST) -> Expression:
        """Read an expression that must be a number or a tuple of numbers."""
        value = self.expression(node)
        self.check_value(node, value)
        return value

    def check_value(self, node: ast.AST, value: Expression) -> None:
        if value.type == WORD:
            self.refuse_word(node, value.word)
        if value.type == NOTHING and not (self.kernels or self.of_kernels):
            self.refuse(node, "has None: only numbers can be computed with")

    def expression(self, node: ast.AST) -> Expression:
        """Read an expression, or a string to compare with."""
        match node:
            case ast.Constant(value=value):
                return self.constant(node, value)
            case ast.Name():
                return self.name(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Tuple(elts=elements):
                items = [self.value(element) for element in elements]
                if any(isinstance(item.type, List) for item in items):
                    self.refuse(node, OTHER_NAME)
                return self.make(node, "tuple", Tuple(tuple(x.type for x in items)), *items)
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(node, UNARY[type(op)], operand)
            case ast.BinOp(left=ast.List(elts=[item]), op=ast.Mult(), right=count):
                return self.list_of(node, item, count)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
                return self.binary(node, left, BINARY[type(op)], right)
            case ast.BoolOp(op=op, values=values):
                word = "and" if isinstance(op, ast.And) else "or"
                if self.of_kernels:
                    first = self.value(values[0])
                    if decided(first) and bool(first.word) is (word == "or"):
                        return first
                    if decided(first):
                        rest = values[1:]
                        return self.expression(rest[0] if len(rest) == 1 else ast.BoolOp(op, rest))
                sides = [self.value(value) for value in values]
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
        """Return a constant of the rule, or a default, as an expression that is not rounded."""
        types: dict[type, Type] = {bool: BOOL, int: INT, float: REAL, str: WORD}
        if isinstance(value, tuple):
            items = [self.word(node, item) for item in value]
            return self.make(node, "tuple", Tuple(tuple(item.type for item in items)), *items)
        kind = next(kind for kind in types if isinstance(value, kind))
        return self.make(node, "constant", types[kind], word=value)

    def name(self, node: ast.Name) -> Expression:
        name = node.id
        if name in self.mixed:
            at, conflict = self.mixed[name]
            self.refuse(at, f"{conflict}: {SAME_KIND}")
        if name in self.variables:
            self.check_assigned(node)
            version = variable(name, self.versions.get(name, 0))
            type_ = self.locals.get(version) or self.arguments.get(version)
            if type_ is None:
                self.unknown = node
                type_ = ANY if self.kernels else UNKNOWN
            return self.make(node, "name", type_, word=version)
        value = self.outside.get(name)
        if isinstance(value, bool | int | float):
            return self.constant(node, value)
        if self.called_function(name) or name in BUILTINS:
            self.refuse(node, f"uses the function {name!r} as a number: call it, {name}(...)")
        self.refuse_name(node, name)

    # --- fields

    def attribute(self, node: ast.Attribute) -> Expression:
        match node.value:
            case ast.Name(id=owner) if owner not in self.variables:
                return self.of_module(node, owner)
            case ast.Name(id="self") if node.attr in self.words:
                return self.word(node, self.words[node.attr])
        record = self.expression(node.value)
        name = node.attr
        match record.type:
            case Record(name=owner) if owner in OWNERS_OF_STATE and name == "state":
                return self.make(node, "field", StateRecord(f"{owner}.state"), record, word=name)
            case Record(name="other") if name in NEAREST:
                state = self.make(node, "field", StateRecord("other.state"), record, word="state")
                number = self.make(node, "field", REAL, state, word=NEAREST[name])
                return self.make(node, "builtin", INT, number, word="int")
            case Record():
                if name not in record.type:
                    self.refuse_field(node, record.type)
                return self.make(node, "field", record.type[name], record, word=name)
            case Table() if name == "shape":
                return self.make(node, "field", Tuple((INT,)), record, word=name)
            case plain if plain in (ANY, UNKNOWN):
                return self.make(node, "field", plain, record, word=name)
        self.refuse(node, f"asks for {ast.unparse(node)}, {ONLY_NUMBERS}")

    def of_module(self, node: ast.Attribute, owner: str) -> Expression:
        """Read a constant of `math`, or of `np` in functions of kernels."""
        module = self.outside.get(owner)
        if module is math:
            value = getattr(math, node.attr, None)
            if isinstance(value, float):
                return self.constant(node, value)
            self.refuse_maths(node, node.attr)
        if self.kernels and getattr(module, "__name__", "") == "numpy":
            return self.make(node, "numpy", REAL, word=node.attr)
        self.refuse_name(node, owner)

    # --- items

    def item(self, node: ast.Subscript) -> Expression:
        if isinstance(node.value, ast.Name) and not self.kernels:
            self.expression(node.value)  # a table of the file is refused by its name
        sequence = self.value(node.value)
        if sequence.type in (ANY, UNKNOWN):
            index = self.index(node.slice)
            return self.make(node, "item", sequence.type, sequence, index)
        if isinstance(sequence.type, Table) and not sequence.type.count:
            return self.make(node, "item", sequence.type.row, sequence, self.index(node.slice))
        if isinstance(sequence.type, Table | List):
            return self.row(node, sequence, sequence.type.count)
        items = self.items(node, sequence.type)
        if isinstance(node.slice, ast.Slice):
            index = self.index(node.slice)
            cut = Tuple(tuple(items[self.cut(node.slice)]))
            return self.make(node, "item", cut, sequence, index)
        index, number = self.whole_index(node, len(items), sequence.type)
        if number is None:
            if len(set(items)) != 1:
                self.refuse(
                    node, f"asks for {ast.unparse(node)}: an index that varies is for tuples whose "
                    "items are all of one kind, such as (1.0, 2.0)"
                )  # fmt: skip
            return self.make(node, "item", items[0], sequence, index)
        return self.make(node, "item", items[number], sequence, index)

    def whole_index(
        self, node: ast.Subscript, count: int, of: Type
    ) -> tuple[Expression, int | None]:
        """Read an index: its expression, and its value if it is written out."""
        index = self.value(node.slice)
        if index.type not in (INT, BOOL, UNKNOWN):
            self.refuse(node, f"asks for {ast.unparse(node)}: an index is a whole number")
        number = whole_number(index)
        if number is not None and not -count <= number < count:
            what = described(of)
            self.refuse(node, f"asks for {ast.unparse(node)}, and there is no such item of {what}")
        return index, number

    def row(self, node: ast.Subscript, sequence: Expression, count: int) -> Expression:
        """Read a number of a table or a list."""
        if isinstance(node.slice, ast.Slice):
            self.refuse(node, f"takes a slice of {described(sequence.type)}: only single numbers")
        return self.make(node, "item", REAL, sequence,
                         self.whole_index(node, count, sequence.type)[0])  # fmt: skip

    def list_of(self, node: ast.AST, item: ast.AST, count: ast.AST) -> Expression:
        """Read a list of one number, [0.0] * 8."""
        number, times = self.value(item), whole_number(self.value(count))
        self.check_number(node, "a list", number)
        if times is None or not 1 <= times <= MAX_NUMBERS:
            self.refuse(node, f"makes a list of another length; {FIXED}, from 1 to {MAX_NUMBERS:,}")
        return self.make(node, "list", List(times), number)

    def items(self, node: ast.AST, type_: Type) -> tuple[Type, ...]:
        """Return the types of the items of a tuple."""
        match type_:
            case Tuple(items):
                return items
            case Record(_, fields) if fields:
                return tuple(kind for _, kind in fields)
        self.refuse(node, f"takes {described(type_)} for a tuple")

    def cut(self, node: ast.Slice) -> slice:
        """Return the slice of a tuple; its ends must be whole numbers in the text."""
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
        """Read the text between the brackets of an item."""
        if not isinstance(node, ast.Slice):
            return self.value(node)
        ends = (node.lower, node.upper, node.step)
        parts = [self.value(end) for end in ends if end is not None]
        present = tuple(end is not None for end in ends)
        return self.make(node, "slice", NOTHING, *parts, word=present)

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
        first, second = self.value(left), self.value(right)
        type_ = self.arithmetic(node, sign, first, second)
        if sign == "**" and not _is_product(left, right):
            return self.make(
                node, "maths", ANY if type_ == ANY else REAL, first, second, word="pow"
            )
        return self.make(node, "binary", type_, first, second, word=sign)

    def arithmetic(self, node: ast.AST, sign: str, first: Expression, second: Expression) -> Type:
        """Return the type of the result of an operator on two numbers."""
        match first.type, second.type:
            case Tuple(mine), Tuple(yours) if sign == "+" and first is not second:
                return Tuple(mine + yours)
        for side in (first, second):
            if isinstance(side.type, SEVERAL):
                self.refuse(node, f"computes with {described(side.type)}, {ONLY_NUMBERS}")
        if ANY in (first.type, second.type):
            return ANY
        types = [side.type if side.type in NUMBERS else BOOL for side in (first, second)]
        both = joined(*types)
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
            if isinstance(side.type, Table | List) and not self.kernels:
                self.refuse(node, f"compares {described(side.type)}, {ONLY_NUMBERS}")
        return self.make(node, "compare", BOOL, *sides, word=tuple(signs))

    def choose(self, node: ast.AST, test: ast.AST, body: ast.AST, orelse: ast.AST) -> Expression:
        condition = self.expression(test)
        if decided(condition):
            return self.expression(body if condition.word else orelse)
        self.check_value(test, condition)
        first, second = self.value(body), self.value(orelse)
        return self.make(node, "choose", self.join(node, [first, second]), condition, first, second)

    def join(self, node: ast.AST, values: Sequence[Expression]) -> Type:
        """Return the common type of alternative values."""
        type_: Type = UNKNOWN
        for value in values:
            try:
                type_ = joined(type_, value.type)
            except TypeConflict as error:
                self.refuse(node, f"is sometimes {error}: both must be of one kind")
        return type_

    # --- calls

    def call(self, node: ast.Call) -> Expression:
        match node.func:
            case ast.Name(id=name) if name in self.variables:
                pass
            case ast.Name(id=name):
                outside = self.outside.get(name)
                if isinstance(outside, Function | Record) and self.of_kernels:
                    return self.call_of_program(node, outside)
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
                if module is np and name in ("float64", "int64") and self.of_kernels:
                    (part,) = self.positional(node, f"np.{name}")
                    word, kind = ("float", REAL) if name == "float64" else ("int", INT)
                    return self.make(node, "builtin", kind, part, word=word)
                if module is np and name == "floor" and self.of_kernels:
                    parts = self.positional(node, "np.floor")
                    return self.make(node, "maths", REAL, *parts, word=name)
            case ast.Attribute(value=owner):
                value = self.expression(owner)
                if value.type in NUMBERS:
                    self.refuse(
                        node, f"calls {ast.unparse(node.func)}, which kernels do not have, "
                        f"{ONLY_NUMBERS}"
                    )  # fmt: skip
        self.expression(node.func)
        self.refuse(node, f"calls {ast.unparse(node.func)}, which is a number and not callable")

    def call_of_program(self, node: ast.Call, called: Function | Record) -> Expression:
        """Read a call in the program of a flock: of a function that is a tree, or of the class of a
        record."""
        parts = [self.value(argument) for argument in node.args]
        if isinstance(called, Record):
            return self.make(node, "tuple", called, *parts)
        self.size += called.size
        call = Call(called.function, called, len(parts))
        return self.make(node, "call", called.result, *parts, word=call)

    def positional(self, node: ast.Call, name: str) -> list[Expression]:
        """Read the arguments of a call that allows no keywords."""
        if node.keywords:
            self.refuse(node, f"calls {name} with a keyword: write the numbers in their order")
        return [self.value(argument) for argument in node.args]

    def call_maths(self, node: ast.Call, name: str) -> Expression:
        if name not in maths.RULES:
            self.refuse_maths(node, name)
        parts, maths_entry = self.positional(node, f"math.{name}"), maths.TABLE[name]
        if len(parts) != maths_entry.takes:
            self.refuse(
                node, f"calls math.{name} with {len(parts)} numbers: it takes {maths_entry.takes}"
            )
        for part in parts:
            self.check_number(node, f"math.{name}", part)
        return self.make(node, "maths", maths_entry.result, *parts, word=name)

    def check_number(self, node: ast.AST, name: str, part: Expression) -> None:
        if isinstance(part.type, SEVERAL):
            self.refuse(node, f"calls {name} with {described(part.type)}: it takes numbers")

    def call_builtin(self, node: ast.Call, name: str) -> Expression:
        if name == "range":
            self.refuse(node, "uses 'range' outside of a 'for', which a rule's function cannot")
        parts, (min_count, max_count) = self.positional(node, name), BUILTINS[name]
        if not min_count <= len(parts) <= max_count:
            expected = f"{min_count}" if min_count == max_count else f"{min_count} or more"
            self.refuse(node, f"calls {name} with {len(parts)} numbers: it takes {expected}")
        types = [part.type for part in parts]
        if name in ("list", "tuple"):
            return self.convert(node, name, parts[0])
        if name == "len":
            match types[0]:
                case Table(_, count) | List(count) if count:
                    return self.make(node, "number", INT, word=count)
            if types[0] not in (ANY, UNKNOWN):
                count = len(self.items(node, types[0]))
                if isinstance(types[0], Record):  # kernels may give it more fields
                    return self.make(node, "number", INT, word=count)
            return self.make(node, "builtin", INT, *parts, word=name)
        for part in parts:
            self.check_number(node, name, part)
        type_: Type = {"int": INT, "float": REAL, "bool": BOOL}.get(name, UNKNOWN)
        if name in ("abs", "min", "max", "pow"):
            type_ = self.join(node, parts)
        if name == "round":
            type_ = INT if len(parts) == 1 else REAL
        return self.make(node, "builtin", type_, *parts, word=name)

    def convert(self, node: ast.Call, name: str, part: Expression) -> Expression:
        """Read list(tuple) or tuple(list)."""
        match name, part.type:
            case "tuple", List(count):
                return self.make(node, "builtin", Tuple((REAL,) * count), part, word="tuple")
            case "list", Tuple(items) if items and set(items) <= {*NUMBERS, UNKNOWN}:
                return self.make(node, "list", List(len(items)), part)
        takes = "a list" if name == "tuple" else "a tuple of numbers"
        self.refuse(node, f"calls {name} with {described(part.type)}: it takes {takes}")

    def call_function(self, node: ast.Call, function: Callable[..., Any]) -> Expression:
        """Read the call of a helper function, and the helper for the types of its arguments."""
        if self.kernels:
            parts = self.positional(node, function.__name__)
            return self.make(node, "call", ANY, *parts, word=Call(function, None, len(parts)))
        if function.__module__ == INTRINSICS:
            return self.call_intrinsic(node, function)
        parameters = self.parameters(node, function)
        written = [self.value(argument) for argument in node.args]
        named = {k.arg: self.value(k.value) for k in node.keywords if k.arg is not None}
        if len(named) != len(node.keywords):
            self.refuse(node, "takes a dict apart with '**', which a rule's function cannot")
        try:
            bound = inspect.signature(function).bind(*written, **named)
        except TypeError as error:
            self.refuse(node, f"calls {function.__name__}() wrongly: {_missing(error)}")
        parts, n_written = [], 0
        for k, (name, parameter) in enumerate(parameters.items()):
            if name in bound.arguments:
                parts.append(bound.arguments[name])
                n_written = k + 1
            else:
                parts.append(self.word(node, parameter.default))
        if any(p.kind is p.KEYWORD_ONLY for p in parameters.values()):
            n_written = len(parts)
        callee = self.helper(function, [part.type for part in parts])
        self.size += callee.size
        return self.make(
            node, "call", callee.result, *parts, word=Call(function, callee, n_written)
        )

    def call_intrinsic(self, node: ast.Call, function: Callable[..., Any]) -> Expression:
        """Read the call of an intrinsic, whose types its annotations state."""
        if not self.of_kernels:
            self.refuse_name(node, function.__name__)
        parts = self.positional(node, function.__name__)
        *takes, (_, result) = (
            (name, INT if annotation == "int" else REAL)
            for name, annotation in function.__annotations__.items()
        )
        callee = Function(function, dict(takes), result=result)
        return self.make(node, "call", result, *parts, word=Call(function, callee, len(parts)))

    def parameters(
        self, node: ast.AST, function: Callable[..., Any]
    ) -> Mapping[str, inspect.Parameter]:
        parameters = inspect.signature(function).parameters
        if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters.values()):
            self.refuse(
                node, f"calls {function.__name__}, which takes any number of arguments: let it "
                "take a few, each with a name"
            )  # fmt: skip
        return parameters


def whole_number(value: Expression) -> int | None:
    """Return the whole number that an expression writes out, or None."""
    match value:
        case Expression("number" | "constant", type_, _, int() as word) if type_ in (INT, BOOL):
            return int(word)
        case Expression("unary", _, (part,), "-"):
            number = whole_number(part)
            return None if number is None else -number
    return None


def _is_product(base: ast.AST, power: ast.AST) -> bool:
    """Return whether a power is computed with products and roots, or may be an integer power.

    The base or the exponent must be a number in the text: constants of the rule do not count.
    """
    match base, power:
        case ast.Constant(value=int()), _:
            return True
        case _, ast.Constant(value=int() | float() as number):
            return (2.0 * number).is_integer()
    return False


def _missing(error: TypeError) -> str:
    """Return the error of a call in the words of Python's own message."""
    text = str(error)
    return text.replace("missing a required argument:", "missing 1 required positional argument:")
