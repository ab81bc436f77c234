"""Print typed trees as the Python that numba compiles.

The text is what the user wrote, but for this: real numbers are rounded to the precision of the
text, `real(0.5)`, so that float32 stays float32; helpers, and mathematics that kernels have
themselves, have the names of the text; and so have variables whose names mean something else there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from murmurate.language.maths import TABLE
from murmurate.language.names import is_local_name, local_name
from murmurate.language.tree import Block, Call, Expression, Function, Statement, name_of

CONSTANT = "REAL_"
"""How the names of written-out numbers begin: see codegen/module_text.with_constants."""
INDENT = "    "
(LOOSEST, TEST, OR, AND, NOT, COMPARISON, BAR, CARET, AMPERSAND, SHIFT, SUM, PRODUCT, SIGN, POWER,
 ATOM) = range(15)  # fmt: skip
"""How closely operators bind, as in Python's grammar."""
BINDING = {
    "or": OR, "and": AND, "|": BAR, "^": CARET, "&": AMPERSAND, "<<": SHIFT, ">>": SHIFT, "+": SUM,
    "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT, "**": POWER,
}  # fmt: skip


class NumbaPrinter:
    """Prints one function.

    name_of_call  gives the name of a function that is called
    real          what rounds a number
    reached       what the text names that is not its own, after it was printed
    """

    def __init__(
        self, function: Function, name_of_call: Callable[[Call], str], real: str = "real"
    ) -> None:
        self.function, self.name_of_call, self.real = function, name_of_call, real
        self.reached: set[str] = set()
        self.renamed: dict[str, str] = {}

    def text(self, name: str) -> str:
        """Return the text of the function, under a name."""
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
        """Return a name that is not the function's own."""
        self.reached.add(name.partition(".")[0])
        return name

    # --- statements

    def block(self, body: Block, indent: str) -> list[str]:
        lines = [line for statement in body for line in self.statement(statement, indent)]
        return lines or [f"{indent}pass"]

    def statement(self, statement: Statement, indent: str) -> list[str]:
        value = "" if statement.value is None else self.whole(statement.value)
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

    def target(self, statement: Statement) -> str:
        return " = ".join(map(self.assigned, statement.targets))

    def assigned(self, target: Expression) -> str:
        if target.how != "tuple":
            return self.whole(target)
        parts = [
            f"({self.assigned(part)})" if part.how == "tuple" else self.assigned(part)
            for part in target.parts
        ]
        return ", ".join(parts) + "," * (len(parts) == 1)

    # --- expressions

    def whole(self, expression: Expression) -> str:
        """Return an expression that stands for itself."""
        return self.expression(expression)[0]

    def at(self, expression: Expression, binding: int) -> str:
        """Return an expression, in brackets where it binds less closely."""
        text, mine = self.expression(expression)
        return f"({text})" if mine < binding else text

    def listed(self, *parts: Expression) -> str:
        return ", ".join(self.at(part, TEST) for part in parts)

    def expression(self, one: Expression) -> tuple[str, int]:
        """Return an expression, and how closely it binds."""
        parts = one.parts
        match one.how:
            case "number" | "constant":
                return self.number(one)
            case "name":
                return self.variable(one.word), ATOM
            case "field":
                return f"{self.at(parts[0], ATOM)}.{one.word}", ATOM
            case "item":
                return f"{self.at(parts[0], ATOM)}[{self.index(parts[1])}]", ATOM
            case "unary":
                return self.unary(one.word, parts[0])
            case "binary" | "logic":
                return self.between(one)
            case "compare":
                sides = [self.at(part, COMPARISON + 1) for part in parts]
                more = (f"{sign} {side}" for sign, side in zip(one.word, sides[1:], strict=True))
                return " ".join([sides[0], *more]), COMPARISON
            case "choose":
                test, body, orelse = parts
                test_text = self.at(test, OR)
                return f"{self.at(body, OR)} if {test_text} else {self.at(orelse, TEST)}", TEST
            case "tuple":
                return f"({self.listed(*parts)}{',' * (len(parts) == 1)})", ATOM
        return self.called(one), ATOM

    def number(self, one: Expression) -> tuple[str, int]:
        if one.how == "number" and isinstance(one.word, float):
            value = repr(one.word)
            if not math.isfinite(one.word):
                value = f"{self.named('np')}.{value}"
            return f"{self.named(self.real)}({value})", ATOM
        text = _written(one.word)
        return text, SIGN if text.startswith("-") else ATOM

    def index(self, one: Expression) -> str:
        """Return what stands between brackets."""
        match one.how:
            case "slice":
                parts = iter(one.parts)
                first, last, step = (self.whole(next(parts)) if there else "" for there in one.word)
                return f"{first}:{last}" + f":{step}" * bool(step)
            case "tuple" if one.parts:
                return self.whole(one)[1:-1]
        return self.whole(one)

    def unary(self, sign: str, part: Expression) -> tuple[str, int]:
        if sign == "not":
            return f"not {self.at(part, NOT)}", NOT
        return f"{sign}{self.at(part, SIGN)}", SIGN

    def between(self, one: Expression) -> tuple[str, int]:
        mine = BINDING[one.word]
        if one.how == "logic":  # later sides more in brackets, as `ast.unparse` writes them
            sides = (self.at(part, min(mine + 1 + k, ATOM)) for k, part in enumerate(one.parts))
            return f" {one.word} ".join(sides), mine
        left, right = (mine + 1, mine) if one.word == "**" else (mine, mine + 1)
        first, last = one.parts
        return f"{self.at(first, left)} {one.word} {self.at(last, right)}", mine

    def called(self, one: Expression) -> str:
        """Return a call, and a constant of numpy."""
        match one.how, one.word:
            case "maths", str() as word:
                maths = TABLE[word]
                if not maths.own:
                    return f"{self.named('math.' + word)}({self.listed(*one.parts)})"
                name = self.named(maths.own)
                parts = (f"{self.named('real')}({self.whole(part)})" for part in one.parts)
                return f"{name}({', '.join(parts)})"
            case "builtin", str() as word:
                name = self.named(self.real if word == "float" else word)
                return f"{name}({self.listed(*one.parts)})"
            case "numpy", str() as word:
                name = self.named(f"np.{word}")
                return f"{name}({self.listed(*one.parts)})" if one.parts else name
            case "call", Call(given=given) as call:
                return f"{self.named(self.name_of_call(call))}({self.listed(*one.parts[:given])})"
        raise AssertionError(f"an expression of the kind {one.how}")


def _written(value: Any) -> str:
    """Return a number, or a tuple of numbers, as it is written in Python."""
    if isinstance(value, tuple):
        return f"({''.join(f'{_written(item)}, ' for item in value)})"
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else repr(value).replace("inf", "1e309")
    return repr(value)
