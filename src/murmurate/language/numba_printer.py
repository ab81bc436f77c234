"""Print typed trees as the Python that numba compiles.

The text differs from the user's in three ways. Real numbers are rounded to the precision of the
text, `real(0.5)`, so that float32 stays float32. Helpers, and mathematics that kernels implement
themselves, have the names of the text. Variables whose names have another meaning in the text are
renamed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from murmurate.language.maths import TABLE
from murmurate.language.names import is_local_name, local_name
from murmurate.language.tree import (
    Block,
    Call,
    Expression,
    Function,
    List,
    Statement,
    StateRecord,
    Table,
    Tuple,
    Type,
    name_of,
)
from murmurate.model.rule_functions import is_of_user

CONSTANT = "REAL_"
"""Prefix of the names of numeric constants: see codegen/module_text.with_constants."""
INDENT = "    "
(LOOSEST, TEST, OR, AND, NOT, COMPARISON, BAR, CARET, AMPERSAND, SHIFT, SUM, PRODUCT, SIGN, POWER,
 ATOM) = range(15)  # fmt: skip
"""Precedence of operators, as in Python's grammar."""
BINDING = {
    "or": OR, "and": AND, "|": BAR, "^": CARET, "&": AMPERSAND, "<<": SHIFT, ">>": SHIFT, "+": SUM,
    "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT, "**": POWER,
}  # fmt: skip


class NumbaPrinter:
    """Print one function.

    name_of_call  returns the name of a called function
    real          name of the function that rounds a number
    states        index in `state` of per-boid state, such as 'other.state.phase'
    reached       names in the printed text that are not the function's own
    """

    def __init__(
        self,
        function: Function,
        name_of_call: Callable[[Call], str],
        real: str = "real",
        states: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.function, self.name_of_call, self.real = function, name_of_call, real
        self.states = states
        self.reached: set[str] = set()
        self.renamed: dict[str, str] = {}

    def text(self, name: str) -> str:
        """Return the text of the function under a name."""
        body = self.block(self.function.body, INDENT)
        own = {*self.function.arguments, *map(name_of, self.function.locals)}
        self.renamed = {
            word: local_name(word)
            for word in own
            if word in self.reached or word.startswith(CONSTANT) or is_local_name(word)
        }
        if self.renamed:
            body = self.block(self.function.body, INDENT)
        return "\n".join([f"def {name}({self.parameters()}):", *body])

    def parameters(self) -> str:
        names = [self.variable(name) for name in self.function.arguments]
        first = len(names) - len(self.function.defaults)
        for k, value in enumerate(self.function.defaults):
            names[first + k] += f"={_written(value)}"
        return ", ".join(names)

    def variable(self, name: str) -> str:
        return self.renamed.get(name_of(name), name_of(name))

    def named(self, name: str) -> str:
        """Record a name that is not the function's own, and return it."""
        self.reached.add(name.partition(".")[0])
        return name

    # --- statements

    def block(self, body: Block, indent: str) -> list[str]:
        lines = [line for statement in body for line in self.statement(statement, indent)]
        return lines or [f"{indent}pass"]

    def statement(self, statement: Statement, indent: str) -> list[str]:
        value = "" if statement.value is None else self.unbracketed(statement.value)
        match statement.how, statement.targets:
            case "let", (Expression("item", _, (Expression(type=List()), _)) as item,):
                return [f"{indent}{self.put(item, statement.augment, value)}"]
        match statement.how:
            case "let" if statement.augment:
                return [f"{indent}{self.target(statement)} {statement.augment}= {value}"]
            case "let":
                return [f"{indent}{self.target(statement)} = {value}"]
            case "return":
                return [f"{indent}return {value}".rstrip()]
            case "do":
                return [f"{indent}{value}"]
            case "if" | "while" | "for":
                head = f"{statement.how} {value}"
                if statement.how == "for":
                    head = f"for {self.target(statement)} in {value}"
                return self.blocks(statement, head, indent)
        return [f"{indent}{statement.how}"]

    def blocks(self, statement: Statement, head: str, indent: str) -> list[str]:
        lines = [f"{indent}{head}:", *self.block(statement.body, indent + INDENT)]
        match statement.how, statement.orelse:
            case _, ():
                return lines
            case "if", (Statement("if") as other,):
                rest = self.statement(other, indent)
                return [*lines, f"{indent}el{rest[0].lstrip()}", *rest[1:]]
        return [*lines, f"{indent}else:", *self.block(statement.orelse, indent + INDENT)]

    def put(self, item: Expression, augment: str, value: str) -> str:
        """Return the statement that changes an item of a list."""
        sequence, index = item.parts
        if augment:
            value = f"{self.unbracketed(item)} {augment} ({value})"
        name = "put_within" if is_of_user(self.function.function) else "put_item"
        listed = self.listed(sequence, index)
        return f"{self.named(name)}({listed}, {self.named(self.real)}({value}))"

    def target(self, statement: Statement) -> str:
        return " = ".join(map(self.assigned, statement.targets))

    def assigned(self, target: Expression) -> str:
        if target.how != "tuple":
            return self.unbracketed(target)
        parts = [
            f"({self.assigned(part)})" if part.how == "tuple" else self.assigned(part)
            for part in target.parts
        ]
        return ", ".join(parts) + "," * (len(parts) == 1)

    # --- expressions

    def unbracketed(self, node: Expression) -> str:
        """Return the text of an expression, without brackets around it."""
        return self.expression(node)[0]

    def at(self, node: Expression, binding: int) -> str:
        """Return the text of an expression, in brackets if its precedence is below `binding`."""
        text, mine = self.expression(node)
        return f"({text})" if mine < binding else text

    def listed(self, *parts: Expression) -> str:
        return ", ".join(self.at(part, TEST) for part in parts)

    def expression(self, node: Expression) -> tuple[str, int]:
        """Return the text of an expression and its precedence."""
        parts = node.parts
        match node.how:
            case "number" | "constant":
                return self.number(node)
            case "name":
                return self.variable(node.word), ATOM
            case "field":
                if isinstance(parts[0].type, StateRecord) and self.states:
                    index = self.states[f"{parts[0].type.name}.{node.word}"]
                    return f"{self.at(parts[0], ATOM)}[{index}]", ATOM
                return f"{self.at(parts[0], ATOM)}.{node.word}", ATOM
            case "item" if _has_items(parts[0].type):
                name = "item_within" if is_of_user(self.function.function) else "item_of"
                return f"{self.named(name)}({self.listed(*parts)})", ATOM
            case "item":
                return f"{self.at(parts[0], ATOM)}[{self.index(parts[1])}]", ATOM
            case "list" if isinstance(node.type, List):
                number = self.unbracketed(parts[0])
                if not isinstance(parts[0].type, Tuple):
                    number = f"{self.named(self.real)}({number})"
                return f"{self.named('list_of')}({number}, {node.type.count})", ATOM
            case "unary":
                return self.unary(node.word, parts[0])
            case "binary" | "logic":
                return self.between(node)
            case "compare":
                sides = [self.at(part, COMPARISON + 1) for part in parts]
                more = (f"{sign} {side}" for sign, side in zip(node.word, sides[1:], strict=True))
                return " ".join([sides[0], *more]), COMPARISON
            case "choose":
                test, body, orelse = parts
                test_text = self.at(test, OR)
                return f"{self.at(body, OR)} if {test_text} else {self.at(orelse, TEST)}", TEST
            case "tuple":
                return f"({self.listed(*parts)}{',' * (len(parts) == 1)})", ATOM
        return self.called(node), ATOM

    def number(self, node: Expression) -> tuple[str, int]:
        if node.how == "number" and isinstance(node.word, float):
            value = repr(node.word)
            if not math.isfinite(node.word):
                value = f"{self.named('np')}.{value}"
            return f"{self.named(self.real)}({value})", ATOM
        text = _written(node.word)
        return text, SIGN if text.startswith("-") else ATOM

    def index(self, node: Expression) -> str:
        """Return the text between the brackets of an item."""
        match node.how:
            case "slice":
                parts = iter(node.parts)
                first, last, step = (
                    self.unbracketed(next(parts)) if present else "" for present in node.word
                )
                return f"{first}:{last}" + f":{step}" * bool(step)
            case "tuple" if node.parts:
                return self.unbracketed(node)[1:-1]
        return self.unbracketed(node)

    def unary(self, sign: str, part: Expression) -> tuple[str, int]:
        if sign == "not":
            return f"not {self.at(part, NOT)}", NOT
        return f"{sign}{self.at(part, SIGN)}", SIGN

    def between(self, node: Expression) -> tuple[str, int]:
        mine = BINDING[node.word]
        if node.how == "logic":  # brackets around later sides, as `ast.unparse` writes them
            sides = (self.at(part, min(mine + 1 + k, ATOM)) for k, part in enumerate(node.parts))
            return f" {node.word} ".join(sides), mine
        left, right = (mine + 1, mine) if node.word == "**" else (mine, mine + 1)
        first, last = node.parts
        return f"{self.at(first, left)} {node.word} {self.at(last, right)}", mine

    def called(self, node: Expression) -> str:
        """Return the text of a call, or of a constant of numpy."""
        match node.how, node.word:
            case "maths", str() as word:
                maths = TABLE[word]
                if not maths.own:
                    return f"{self.named('math.' + word)}({self.listed(*node.parts)})"
                name = self.named(maths.own)
                parts = (f"{self.named('real')}({self.unbracketed(part)})" for part in node.parts)
                return f"{name}({', '.join(parts)})"
            case "builtin", "tuple":
                count = node.parts[0].type.count  # type: ignore[union-attr]
                return f"{self.named('tuple_of')}({self.listed(*node.parts)}, {count})"
            case "builtin", str() as word:
                name = self.named(self.real if word == "float" else word)
                return f"{name}({self.listed(*node.parts)})"
            case "numpy", str() as word:
                name = self.named(f"np.{word}")
                return f"{name}({self.listed(*node.parts)})" if node.parts else name
            case "call", Call() as call:
                name = self.named(self.name_of_call(call))
                return f"{name}({self.listed(*node.parts[: call.n_written])})"
        raise AssertionError(f"an expression of the kind {node.how}")


def _has_items(type_: Type) -> bool:
    """Return whether numbers of a type are read by functions of their own: tables and lists."""
    return isinstance(type_, List) or (isinstance(type_, Table) and type_.count > 0)


def _written(value: Any) -> str:
    """Return a number, or a tuple of numbers, as Python source."""
    if isinstance(value, tuple):
        return f"({''.join(f'{_written(item)}, ' for item in value)})"
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else repr(value).replace("inf", "1e309")
    return repr(value)
