"""The typed tree of a function: all that a back end needs to print it.

An expression says how it is made, its type and its parts; a statement its value, its targets and
its blocks. A tree holds what runs: words of a rule are numbers in it, and branches that a word
excludes are left out. Reading is in reader.py; numba_printer.py is a back end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

# --- types


@dataclass(frozen=True)
class Plain:
    """The type of a single value: one of those below."""

    name: str


REAL, INT, BOOL = Plain("real"), Plain("int"), Plain("bool")
WORD = Plain("word")
"""A string, which may only be compared while a function is read."""
NOTHING = Plain("nothing")
"""What a function gives that gives nothing."""
UNKNOWN = Plain("unknown")
"""What is not known yet of a variable whose value stands farther down, in a loop."""
ANY = Plain("any")
"""What is not known of kernels' own functions, which take arrays. Rules have none of it."""


@dataclass(frozen=True)
class Tuple:
    """The type of a tuple."""

    items: tuple[Type, ...]


@dataclass(frozen=True)
class Record:
    """The type of a named tuple, such as `me`.

    name    what a function's argument is called that has it, such as 'me' or 'self'
    fields  the names and types of its numbers
    """

    name: str
    fields: tuple[tuple[str, Type], ...]

    def __getitem__(self, name: str) -> Type:
        return dict(self.fields)[name]

    def __contains__(self, name: object) -> bool:
        return any(name == field for field, _ in self.fields)


Type = Plain | Tuple | Record
NUMBERS = (BOOL, INT, REAL)
"""Types of numbers, each of which can hold those before it."""


class TypeConflict(Exception):
    """Two types that one variable cannot have."""


def joined(one: Type, other: Type) -> Type:
    """Return the type of what is sometimes of one type and sometimes of the other. Raises
    TypeConflict."""
    if one == other:
        return one
    if ANY in (one, other):
        return ANY
    if UNKNOWN in (one, other):
        return other if one == UNKNOWN else one
    if one in NUMBERS and other in NUMBERS:
        return max(one, other, key=NUMBERS.index)
    match one, other:
        case Tuple(mine), Tuple(yours) if len(mine) == len(yours):
            return Tuple(tuple(map(joined, mine, yours)))
    raise TypeConflict(f"{described(one)} and sometimes {described(other)}")


def described(type_: Type) -> str:
    """Return what a value of a type is, for messages: 'a number', 'a tuple of 2'."""
    match type_:
        case Tuple(items):
            return f"a tuple of {len(items)}"
        case Record(name, _):
            return f"the numbers of {name}"
        case Plain("word"):
            return "a string"
        case Plain("nothing"):
            return "None"
    return "a number"


# --- expressions

Making = Literal[
    "number",  # word: its value. A real is rounded to the precision of the text
    "constant",  # word: the value of a rule's word or of a default, which is not rounded
    "name",  # word: the variable, see `variable`
    "field",  # parts: a record; word: the field
    "item",  # parts: a tuple, and the index; an array of kernels and its indices
    "slice",  # parts: first, last, step, as far as they are there; word: which of them are
    "unary",  # word: '-', '+', '~', 'not'
    "binary",  # word: '+', '-', '*', '/', '//', '%', '**', '&', '|', '^', '<<', '>>'
    "logic",  # word: 'and', 'or'
    "compare",  # word: the operators between its parts
    "choose",  # parts: test, what it is if so, what else
    "call",  # word: a Call
    "maths",  # word: the name of a function in maths.TABLE
    "builtin",  # word: abs, min, max, len, range, int, float, bool, round, pow
    "numpy",  # word: a name of numpy, called with the parts; without parts, a constant of it
    "tuple",
]


@dataclass(frozen=True)
class Expression:
    """An expression.

    how    how it is made: see Making
    parts  the expressions that it is made of, in the order of the text
    word   what else it is made of: an operator, a name, a value
    line   the line in the file that it is read from, 0 where it is in none
    """

    how: Making
    type: Type
    parts: tuple[Expression, ...] = ()
    word: Any = ""
    line: int = 0


@dataclass(frozen=True)
class Call:
    """Which function a call calls.

    function  Python's
    callee    as it is read for these types; None where it was not read, in kernels' functions
    given     how many of the arguments are written; the rest are defaults
    """

    function: Callable[..., Any]
    callee: Function | None
    given: int


def range_ends(loop: Expression) -> tuple[Expression, Expression, Expression]:
    """Return first, end and step of a `range`."""
    zero, one = Expression("number", INT, (), 0), Expression("number", INT, (), 1)
    match loop.parts:
        case [end]:
            return zero, end, one
        case [first, end]:
            return first, end, one
    first, end, step = loop.parts
    return first, end, step


def decided(value: Expression) -> bool:
    """Return whether a value is known while a function is read: a word, or a whole number. A real
    is not: it is rounded first."""
    return value.how == "constant" or (value.how == "number" and value.type != REAL)


# --- statements


@dataclass(frozen=True)
class Statement:
    """A statement.

    value    what is assigned, returned, tested or walked through
    targets  what is assigned to: names, items, or tuples of them
    augment  the operator of `x += y`, whose value is y
    orelse   what follows where a test fails; where a loop ends without a `break`
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
    """A function as it was read for arguments of these types.

    function   Python's
    arguments  name -> type
    locals     variable -> type; a name that holds things of different types in turn is several
               variables: see `variable`
    defaults   the values of the last arguments
    result     the type of what it returns
    """

    function: Callable[..., Any]
    arguments: Mapping[str, Type]
    locals: dict[str, Type] = field(default_factory=dict)
    defaults: Sequence[Any] = ()
    body: Block = ()
    result: Type = NOTHING

    def type_of(self, variable: str) -> Type:
        """Return the type of an argument or a variable."""
        return self.locals[variable] if variable in self.locals else self.arguments[variable]


def variable(name: str, number: int) -> str:
    """Return the variable that a name is from its `number`-th change of type on: x, x'1, x'2."""
    return f"{name}'{number}" if number else name


def name_of(variable: str) -> str:
    """Return the name that a variable has in the function's text."""
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
    """Return whether the end of a block cannot be reached."""
    last = body[-1] if body else None
    if last is None:
        return False
    if last.how == "if":
        return always_returns(last.body) and always_returns(last.orelse)
    if last.how == "while" and last.value is not None and decided(last.value):
        return bool(last.value.word) and not any(s.how == "break" for s in statements(last.body))
    return last.how == "return"


class Unbounded(float):
    """A real number that may be infinite, as mathematics has it."""


def finite(value: float) -> float:
    """Return a real number as rules have it: infinity is the large number of kernels."""
    if isinstance(value, Unbounded):
        return float(value)
    return math.copysign(LARGE, value) if math.isinf(value) else float(value)


LARGE = 1e15
"""What infinity is in rules: its square fits in float32, and kernels are compiled as if infinity
did not exist."""
