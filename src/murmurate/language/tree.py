"""The typed tree of a function: all that a back end needs to print it.

An expression has an operation, a type and parts; a statement has a value, targets and blocks. In a
tree, constants of a rule are numbers, and branches that they exclude are left out. reader.py makes
trees; numba_printer.py is a back end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

# --- types

MAX_NUMBERS = 1000  # of a tuple, with those of the tuples in it


class TypeTooLarge(Exception):
    """A tuple has more than MAX_NUMBERS numbers."""


@dataclass(frozen=True)
class Plain:
    """Type of a single value: one of those below."""

    name: str


REAL, INT, BOOL = Plain("real"), Plain("int"), Plain("bool")
WORD = Plain("word")
"""A string: the reader compares it, and no tree holds it."""
NOTHING = Plain("nothing")
"""Result of a function that returns None."""
UNKNOWN = Plain("unknown")
"""A variable that a loop reads before the line that assigns it."""
ANY = Plain("any")
"""Unknown type in the kernels' own functions, which take arrays. Rules never have it."""


@dataclass(frozen=True)
class Tuple:
    """Type of a tuple. Raises TypeTooLarge for more than MAX_NUMBERS numbers."""

    items: tuple[Type, ...]
    count: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        count = sum(item.count if isinstance(item, Tuple) else 1 for item in self.items)
        if count > MAX_NUMBERS:
            raise TypeTooLarge
        object.__setattr__(self, "count", count)


@dataclass(frozen=True)
class Record:
    """Type of a named tuple, such as `me`.

    name    name of the argument that has it, such as 'me' or 'self'
    fields  names and types of its numbers
    """

    name: str
    fields: tuple[tuple[str, Type], ...]

    def __getitem__(self, name: str) -> Type:
        return dict(self.fields)[name]

    def __contains__(self, name: object) -> bool:
        return any(name == field for field, _ in self.fields)


@dataclass(frozen=True)
class StateRecord(Record):
    """Type of `me.state` and `other.state`: per-boid state by name. The model says which names
    there are, so the reader accepts all."""

    fields: tuple[tuple[str, Type], ...] = ()

    def __getitem__(self, name: str) -> Type:
        return REAL

    def __contains__(self, name: object) -> bool:
        return True


OWNERS_OF_STATE = ("me", "other")
"""Arguments of rules that have a `state`."""
NEAREST = {"rank": "nearest.rank", "flock": "nearest.flock"}
"""Attributes of `other` that only rules of the k nearest have -> their names in `other.state`: how
many are nearer, and the index of its flock among those that the rule senses."""


@dataclass(frozen=True)
class Table:
    """Type of a table of numbers of a rule. In the kernels' own functions, of an array of numbers,
    or with a row for each obstacle.

    row    type of a row
    count  number of rows; 0 if it varies, as in kernels
    """

    row: Type
    count: int = 0


@dataclass(frozen=True)
class List:
    """Type of a list of real numbers: a variable whose items a function may change."""

    count: int


Type = Plain | Tuple | Record | Table | List
SEVERAL = (Tuple, Record, Table, List)
"""Types of several values, with which nothing can be computed at once."""
NUMBERS = (BOOL, INT, REAL)
"""Types of numbers; each can hold the values of those before it."""


class TypeConflict(Exception):
    """Two types that one variable cannot have."""


def joined(first: Type, second: Type) -> Type:
    """Return the common type of two values. Raises TypeConflict if they have none."""
    if first == second:
        return first
    if ANY in (first, second):
        return ANY
    if UNKNOWN in (first, second):
        return second if first == UNKNOWN else first
    if first in NUMBERS and second in NUMBERS:
        return max(first, second, key=NUMBERS.index)
    match first, second:
        case Tuple(left), Tuple(right) if len(left) == len(right):
            return Tuple(tuple(map(joined, left, right)))
    raise TypeConflict(f"{described(first)} and sometimes {described(second)}")


def described(type_: Type) -> str:
    """Return the description of a type for messages: 'a number', 'a tuple of 2'."""
    match type_:
        case Tuple(items):
            return f"a tuple of {len(items)}"
        case Record(name, _):
            return f"the numbers of {name}"
        case Table(_, count) | List(count):
            return f"a {type(type_).__name__.lower()} of {count}"
        case Plain("word"):
            return "a string"
        case Plain("nothing"):
            return "None"
    return "a number"


# --- expressions

Making = Literal[
    "number",  # word: its value. A real is rounded to the precision of the text
    "constant",  # word: the value of a rule's constant or of a default, which is not rounded
    "name",  # word: the variable, see `variable`
    "field",  # parts: a record; word: the field
    "item",  # parts: a tuple, and the index; an array of kernels and its indices
    "slice",  # parts: those of first, last, step in the text; word: which are in the text
    "unary",  # word: '-', '+', '~', 'not'
    "binary",  # word: '+', '-', '*', '/', '//', '%', '**', '&', '|', '^', '<<', '>>'
    "logic",  # word: 'and', 'or'
    "compare",  # word: the operators between its parts
    "choose",  # parts: test, value if it holds, value otherwise
    "call",  # word: a Call
    "maths",  # word: the name of a function in maths.TABLE
    "builtin",  # word: abs, min, max, len, range, int, float, bool, round, pow
    "numpy",  # word: a name of numpy, called with the parts; without parts, a constant of it
    "tuple",
    "list",  # parts: a number that fills it, or a tuple of its numbers
]


@dataclass(frozen=True)
class Expression:
    """An expression.

    how    operation: see Making
    parts  operands, in the order of the text
    word   operator, name or value that belongs to the operation
    line   line in the file, or 0
    """

    how: Making
    type: Type
    parts: tuple[Expression, ...] = ()
    word: Any = ""
    line: int = 0


@dataclass(frozen=True)
class Call:
    """The function that a call calls.

    function   Python's function
    callee     its tree for the types of the arguments; None in the kernels' own functions
    n_written  number of arguments in the text; the rest are defaults
    """

    function: Callable[..., Any]
    callee: Function | None
    n_written: int


def range_ends(loop: Expression) -> tuple[Expression, Expression, Expression]:
    """Return first, end and step of a `range`."""
    zero, unit = Expression("number", INT, (), 0), Expression("number", INT, (), 1)
    match loop.parts:
        case [end]:
            return zero, end, unit
        case [first, end]:
            return first, end, unit
    first, end, step = loop.parts
    return first, end, step


def decided(value: Expression) -> bool:
    """Return whether the reader knows a value: a constant of the rule, or a whole number. Reals are
    rounded later, so they are unknown."""
    return value.how == "constant" or (value.how == "number" and value.type != REAL)


# --- statements


@dataclass(frozen=True)
class Statement:
    """A statement.

    value    the value that is assigned, returned or tested, or the range of a loop
    targets  targets of the assignment: names, items, or tuples of them
    augment  the operator of `x += y`, whose value is y
    orelse   block for a test that fails, or for a loop that ends without a `break`
    """

    how: Literal["let", "if", "for", "while", "break", "continue", "return", "do"]
    value: Expression | None = None
    targets: tuple[Expression, ...] = ()
    augment: str = ""
    body: Block = ()
    orelse: Block = ()
    line: int = 0


Block = tuple[Statement, ...]


@dataclass(eq=False)
class Function:
    """The tree of a function for arguments of these types.

    function   Python's function
    arguments  name -> type
    locals     variable -> type; a name whose values differ in kind is several variables: see
               `variable`
    defaults   values of the last arguments
    result     type of the result
    size       number of its expressions, and of those of each function that it calls
    """

    function: Callable[..., Any]
    arguments: Mapping[str, Type]
    locals: dict[str, Type] = field(default_factory=dict)
    defaults: Sequence[Any] = ()
    body: Block = ()
    result: Type = NOTHING
    size: int = 0

    def type_of(self, variable: str) -> Type:
        """Return the type of an argument or a variable."""
        return self.locals[variable] if variable in self.locals else self.arguments[variable]


def variable(name: str, number: int) -> str:
    """Return the variable of a name after its `number`-th change of kind: x, x'1, x'2."""
    return f"{name}'{number}" if number else name


def name_of(variable: str) -> str:
    """Return the name of a variable in the function's text."""
    return variable.partition("'")[0]


def statements(body: Block) -> Iterator[Statement]:
    """Yield all statements of a block, in the order of the text."""
    for statement in body:
        yield statement
        yield from statements(statement.body)
        yield from statements(statement.orelse)


def expressions(body: Block) -> Iterator[Expression]:
    """Yield all expressions of a block, each before its parts."""
    for statement in statements(body):
        for top in (*statement.targets, statement.value):
            if top is not None:
                yield from _inside(top)


def _inside(expression: Expression) -> Iterator[Expression]:
    yield expression
    for part in expression.parts:
        yield from _inside(part)


def always_returns(body: Block) -> bool:
    """Return whether every path through a block ends with a return."""
    last = body[-1] if body else None
    if last is None:
        return False
    if last.how == "if":
        return always_returns(last.body) and always_returns(last.orelse)
    if last.how == "while" and last.value is not None and decided(last.value):
        return bool(last.value.word) and not any(s.how == "break" for s in statements(last.body))
    return last.how == "return"


class Unbounded(float):
    """A real number that may be infinite, unlike the numbers of rules."""


def finite(value: float) -> float:
    """Return a real number of a rule: LARGE stands for infinity."""
    if isinstance(value, Unbounded):
        return float(value)
    return math.copysign(LARGE, value) if math.isinf(value) else float(value)


LARGE = 1e15
"""Infinity in rules: its square fits in float32. Kernels are compiled for finite numbers only."""
