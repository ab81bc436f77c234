"""Print the functions of a rule as text that can be edited: murmurate.model.rule_functions.

The text is that of the rule as it is set: its words, such as a `form` or a `law`, have selected the
branches that run, and helper functions are printed below those that call them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from murmurate.language.methods import part_of, read_method
from murmurate.language.reader import Readings
from murmurate.language.tree import (
    NEAREST,
    Block,
    Call,
    Expression,
    Function,
    Statement,
    Tuple,
    name_of,
)
from murmurate.model.number_table import table_fields
from murmurate.model.quantity import fill_from_space, numbers_and_words
from murmurate.model.rule import Rule
from murmurate.model.rule_functions import CALLS, METHODS, kind_class
from murmurate.model.space import Space

INDENT = "    "
# precedences, as in Python
TEST, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER, ATOM = range(10)
BINDING = {
    "or": OR, "and": AND, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT,
    "%": PRODUCT, "**": POWER,
}  # fmt: skip


class NoText(Exception):
    """Functions use something outside of the language of formulas, which the message names."""


def function_text(rule: Rule, space: Space) -> str:
    """Return the functions of a rule as text: those of its kind, also where they are edited.

    raises NoText  for functions with loops, slices or tables, which the language of formulas does
        not have
    """
    fields, words = numbers_and_words(fill_from_space(rule, space), lambda keys, value: 0)
    if table_fields(type(rule)):
        raise NoText("its functions have tables")
    return _printed(kind_class(type(rule)), tuple(fields.items()), tuple(words.items()))


@lru_cache(maxsize=256)
def _printed(cls: Any, fields: tuple[Any, ...], words: tuple[Any, ...]) -> str:
    part = part_of(cls, dict(fields), dict(words))
    readings, printer = Readings(), _Printer()
    for method in METHODS:
        if hasattr(cls, method):
            printer.add(read_method(part, method, readings), method)
    return "\n\n".join(printer.texts.values()) + "\n"


class _Printer:
    """Print typed trees; `texts` has the functions by name, each before its helpers."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._names: dict[int, str] = {}

    def add(self, tree: Function, name: str) -> str:
        """Print a function under a name, or the nearest free one; return that name."""
        if id(tree) in self._names:
            return self._names[id(tree)]
        free, number = name.lstrip("_"), 1
        while free in self.texts or free in CALLS:
            number += 1
            free = f"{name}_{number}"
        self._names[id(tree)], self.texts[free] = free, ""
        head = f"def {free}({', '.join(tree.arguments)}):"
        self.texts[free] = "\n".join([head, *self.block(tree.body, INDENT)])
        return free

    def block(self, body: Block, indent: str) -> list[str]:
        return [line for statement in body for line in self.statement(statement, indent)]

    def statement(self, statement: Statement, indent: str) -> list[str]:
        if statement.how not in ("let", "if", "return") or statement.value is None:
            raise NoText(f"its functions have '{statement.how}'")
        value = self.bare(statement.value)
        if statement.how == "return":
            return [f"{indent}return {value}"]
        if statement.how == "let":
            return [f"{indent}{self.targets(statement)} {statement.augment}= {value}"]
        lines = [f"{indent}if {value}:", *self.block(statement.body, indent + INDENT)]
        match statement.orelse:
            case ():
                return lines
            case (Statement("if") as other,):
                first, *rest = self.statement(other, indent)
                return [*lines, f"{indent}el{first.lstrip()}", *rest]
        return [*lines, f"{indent}else:", *self.block(statement.orelse, indent + INDENT)]

    def targets(self, statement: Statement) -> str:
        (target,) = statement.targets
        names = target.parts if target.how == "tuple" else (target,)
        if not all(name.how == "name" for name in names):
            raise NoText("its functions take a tuple within a tuple apart")
        return ", ".join(self.variable(name.word) for name in names)

    def variable(self, word: str) -> str:
        return name_of(word) + word[len(name_of(word)) :].replace("'", "_")

    def bare(self, node: Expression) -> str:
        """Return the text of an expression; a tuple without its brackets."""
        text = self.expression(node)[0]
        return text[1:-1] if node.how == "tuple" and len(node.parts) > 1 else text

    def at(self, node: Expression, binding: int) -> str:
        """Return the text of an expression, in brackets if its precedence is below `binding`."""
        text, mine = self.expression(node)
        return f"({text})" if mine < binding else text

    def expression(self, node: Expression) -> tuple[str, int]:
        """Return the text of an expression and its precedence."""
        parts = node.parts
        match node.how:
            case "number" | "constant":
                return _number(node.word)
            case "name":
                return self.variable(node.word), ATOM
            case "field" if node.word in NEAREST.values():
                raise NoText("its functions read the rank or the flock of a neighbour")
            case "field":
                return f"{self.at(parts[0], ATOM)}.{node.word}", ATOM
            case "item" if parts[1].how in ("number", "constant"):
                return f"{self.at(parts[0], ATOM)}[{int(parts[1].word)}]", ATOM
            case "unary" if node.word in ("-", "+", "not"):
                mine = NOT if node.word == "not" else SIGN
                return f"{node.word}{' ' * (mine == NOT)}{self.at(parts[0], mine)}", mine
            case "binary" | "logic" if node.word in BINDING:
                mine = BINDING[node.word]
                left, right = (mine + 1, mine) if node.word == "**" else (mine, mine + 1)
                first, *rest = parts
                sides = [self.at(first, left), *(self.at(part, right) for part in rest)]
                return f" {node.word} ".join(sides), mine
            case "compare":
                sides = [self.at(part, COMPARISON + 1) for part in parts]
                more = (f"{sign} {side}" for sign, side in zip(node.word, sides[1:], strict=True))
                return " ".join([sides[0], *more]), COMPARISON
            case "choose":
                test, body, orelse = parts
                texts = self.at(body, OR), self.at(test, OR), self.at(orelse, TEST)
                return "{} if {} else {}".format(*texts), TEST
            case "tuple" if isinstance(node.type, Tuple) and parts:
                listed = ", ".join(self.at(part, TEST) for part in parts)
                return f"({listed}{',' * (len(parts) == 1)})", ATOM
            case "maths" | "builtin" | "call":
                return self.called(node), ATOM
        raise NoText(f"its functions have what cannot be edited here: {node.how}")

    def called(self, node: Expression) -> str:
        """Return the text of a call, with all arguments."""
        match node.how, node.word:
            case "maths", str() as word:
                name = f"math.{word}"
            case "builtin", str() as word if word in CALLS:
                name = word
            case "call", Call(callee=Function() as callee, function=function):
                name = self.add(callee, function.__name__)
            case _:
                raise NoText(f"its functions call {node.word}")
        return f"{name}({', '.join(self.at(part, TEST) for part in node.parts)})"


def _number(value: Any) -> tuple[str, int]:
    if isinstance(value, str) or not math.isfinite(value):
        raise NoText(f"its functions have the value {value!r}")
    text = repr(value)
    return text, SIGN if text.startswith("-") else ATOM


def function_texts(rules: Mapping[str, Rule], space: Space) -> dict[str, str]:
    """Return the functions of rules as text, by the path of the rule, where they have a text."""
    texts = {}
    for name, rule in rules.items():
        try:
            texts[f"rules.{name}"] = function_text(rule, space)
        except NoText:
            continue
    return texts
