"""Resolve the names in a function, and refuse code that kernels cannot run."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from murmurate.language import maths
from murmurate.language.source import fault
from murmurate.language.tree import Expression, Function, Making, Record, Type
from murmurate.model.messages import closest, format_unknown
from murmurate.model.rule_functions import is_edited, is_of_kernels

BUILTINS: dict[str, tuple[int, int]] = {
    "abs": (1, 1), "bool": (1, 1), "float": (1, 1), "int": (1, 1), "len": (1, 1), "max": (2, 99),
    "list": (1, 1), "min": (2, 99), "pow": (2, 2), "range": (1, 3), "round": (1, 2),
    "tuple": (1, 1),
}  # fmt: skip
"""Functions of Python that rules may call: minimum and maximum number of arguments."""
LISTS = "only numbers: write them as variables of their own, or as a tuple, (a, b, c)"
FIXED = "a list has one number as often as a constant of the rule says, [0.0] * 8"
OTHER_NAME = (
    "gives a list another name, so that a change of one would change the other: make another list "
    "of its numbers, list(tuple(...))"
)
INSIDE = "write it as a function of its own, outside of the class and beside it"
CONSTANTS = tuple(name for name, value in vars(math).items() if isinstance(value, float))
"""Numbers of `math`."""
FAILING = "a rule cannot fail: return a vector in every case, such as 0.0, 0.0, 0.0"
SAME_KIND = (
    "a variable must hold the same kind of thing, a number or a tuple of as many numbers, in all "
    "branches"
)
ONLY_NUMBERS = "though it runs as plain Python: only numbers can be computed with"
SIMPLE = "which a rule's function cannot"
REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.List: ("makes a list", f"{LISTS}; {FIXED}"),
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
ELSE = {
    ast.Slice: "a slice of a tuple",
    ast.MatMult: "the operator '@'",
    ast.Is: "'is': compare with '=='",
    ast.IsNot: "'is not': compare with '!='",
    ast.TryStar: "a 'try'",
    ast.AsyncFor: "an 'async for'",
    ast.AsyncWith: "an 'async with'",
    ast.MatchSequence: "a 'match' of a tuple: compare its numbers with an 'if'",
    ast.MatchStar: "a 'match' of a tuple: compare its numbers with an 'if'",
    ast.MatchMapping: "a 'match' of a dict: compare numbers with an 'if'",
    ast.MatchClass: "a 'match' of a class: compare numbers with an 'if'",
}
"""Code without an equivalent in kernels."""
REMEMBER = (
    "what `self` holds stays as it is while a boid is steered. A rule that stores a number of each "
    "boid from step to step names it in its class, states = ({name!r},), takes state as the last "
    "argument, reads state.{name}, and returns it behind the vector: return x, y, z, {name}"
)


def refusal(node: ast.AST) -> str:
    """Return the message for a construct that kernels do not support."""
    if type(node) in REFUSED:
        problem, instead = REFUSED[type(node)]
        return f"{problem}, {SIMPLE}: {instead}"
    return f"has {ELSE.get(type(node), f'a {type(node).__name__}')}, {SIMPLE}"


@dataclass(frozen=True)
class Part:
    """A rule or motion whose methods are read.

    cls      its class
    numbers  type of `self`
    words    (field, value) of each constant: a form, a law, a whole number
    """

    cls: Any
    numbers: Record
    words: tuple[tuple[str, Any], ...] = ()


class Scope:
    """The names of one function, and the numbers and functions outside that it may use.

    helper     reads a called function for the types of its arguments
    part       the rule or motion whose method it is; None for a helper
    kernels    whether it is one of the kernels' own functions, which take arrays and numbers of any
               type: unknown types are ANY
    own        whether it is one of the kernels' own functions, with types or without
    edited     whether it was made from a text, which has no loops
    assigned   names that have a value at the current line in every case, if it is edited
    stored     names that have a value there in some cases
    size       number of expressions up to here, with those of called functions
    variables  names of its arguments and variables
    versions   name -> number of the variable at the current line: see tree.variable
    mixed      name whose values differ in kind between branches -> node that assigned the last
               value, and the message
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
        self.of_kernels = is_of_kernels(function)
        self.edited = is_edited(function)
        self.words = dict(part.words) if part else {}
        closure = inspect.getclosurevars(inspect.unwrap(function))
        self.outside = {**closure.globals, **closure.nonlocals}
        self.variables = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
        self.arguments = dict(arguments)
        self.locals: dict[str, Type] = {}
        self.versions: dict[str, int] = {}
        self.mixed: dict[str, tuple[ast.AST, str]] = {}
        self.unknown: ast.Name | None = None
        self.assigned: set[str] = set()
        self.stored: set[str] = set()
        self.size = 0

    def make(self, node: ast.AST, how: Making, type_: Type, *parts: Expression,
             word: Any = "") -> Expression:  # fmt: skip
        """Return an expression at the line of a node."""
        self.size += 1
        return Expression(how, type_, parts, word, getattr(node, "lineno", 0))

    def called_function(self, name: str) -> Callable[..., Any] | None:
        """Return the function outside that a name refers to, or None."""
        value = self.outside.get(name)
        if name in self.variables or value is None:
            return None
        plain = inspect.isfunction(value)
        of_math = inspect.isbuiltin(value) and hasattr(math, value.__name__)
        return value if plain or of_math else None

    # --- refusals

    def refuse(self, node: ast.AST | None, text: str) -> NoReturn:
        raise fault(self.function, getattr(node, "lineno", None), text)

    def of_kind(self, node: ast.AST) -> NoReturn:
        """Refuse a construct that kernels do not support."""
        self.refuse(node, refusal(node))

    def check_assigned(self, node: ast.Name) -> None:
        """Refuse to read a variable that has no value, or only in some branches."""
        if not self.edited or node.id in self.assigned:
            return
        problem = f"reads {node.id!r} before it gives it a value"
        if node.id in self.stored:
            problem = (
                f"reads {node.id!r}, which has no value in some branches: give it one before the "
                "'if'"
            )
        self.refuse(node, problem)

    def refuse_name(self, node: ast.AST, name: str) -> NoReturn:
        own = {*self.variables, *BUILTINS}
        close = closest(name, own | set(maths.RULES))
        remedy = (
            f"a rule's function may use its arguments, numbers, `math`, plain helper functions and "
            f"{', '.join(sorted(BUILTINS))}"
        )
        if name == "random":
            remedy = "random numbers are those of the argument `random`, such as random.a"
        elif close:
            remedy = f"did you mean {close if close in own else f'math.{close}'}?"
        self.refuse(node, f"uses {name!r}: {remedy}")

    def refuse_word(self, node: ast.AST, word: object) -> NoReturn:
        self.refuse(
            node,
            f"has the string {word!r}: strings may only be compared with a word of the "
            "rule, such as `self.law == 'unit'`",
        )

    def refuse_maths(self, node: ast.AST, name: str) -> NoReturn:
        if name in maths.RULES:
            self.refuse(node, f"uses the function math.{name} as a number: call it")
        names = ", ".join(maths.RULES)
        close = closest(name, [*maths.RULES, *CONSTANTS])
        hint = f"did you mean math.{close}?" if close else f"of math there are {names}, and numbers"
        self.refuse(node, f"uses math.{name}: {hint}")

    def refuse_field(self, node: ast.Attribute, record: Record) -> NoReturn:
        """Refuse an unknown field, such as a misspelt parameter."""
        name = node.attr
        if record.name != "self" or self.part is None:
            names = [field for field, _ in record.fields]
            what = "parameter" if record.name == "self" else f"number of {record.name}"
            self.refuse(node, f"asks for {ast.unparse(node)}: {format_unknown(what, name, names)}")
        cls = self.part.cls
        if name in cls.model_fields:
            self.refuse(
                node, f"asks for self.{name}, which is not a number: its value is "
                "None or a list. Give it a number in the model, or leave it out"
            )  # fmt: skip
        if callable(getattr(cls, name, None)):
            self.refuse(node, f"calls self.{name}: {INSIDE}, and call it without 'self.'")
        if hasattr(cls, name):
            self.refuse(
                node,
                f"asks for self.{name}, which is not a parameter: put the number outside of the "
                f"class, or make it one, such as {name}: mm.Scalar = mm.quantity(1.0)",
            )
        self.refuse(
            node, f"asks for self.{name}: {format_unknown('parameter', name, cls.model_fields)}"
        )

    def refuse_store(self, node: ast.AST) -> NoReturn:
        """Refuse to assign to anything but a variable."""
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                cls = self.part.cls if self.part else None
                name = attribute if not hasattr(cls, attribute) else "memory"
                name = "memory" if name in getattr(cls, "model_fields", {}) else name
                self.refuse(node, f"assigns to self.{attribute}: {REMEMBER.format(name=name)}")
            case ast.Attribute(value=owner):
                kept = isinstance(owner, ast.Name) and owner.id == "state"
                what = "return it behind the vector" if kept else "use a variable"
                if isinstance(owner, ast.Attribute) and owner.attr == "state":
                    what = "the rule that keeps it returns it behind the vector"
                self.refuse(node, f"assigns to {ast.unparse(node)}, which can only be read: {what}")
            case ast.Subscript():
                self.refuse(
                    node, f"assigns to {ast.unparse(node)}: only numbers of a list that this "
                    "function has made, such as [0.0] * 8, can change, each on a line of its own"
                )  # fmt: skip
        self.of_kind(node)
