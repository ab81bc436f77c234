"""Print typed trees as WGSL, the shading language of WebGPU: functions and statements.

wgsl_expressions.py prints expressions, and wgsl_types.py types, names and numbers.

The text computes in f32 and i32. It differs from Python's in these ways:

- Users' identifiers end with an underscore, so that no word of WGSL captures one.
- Tuples whose items have one type are arrays, all other tuples are structs.
- WGSL has no infinities and no NaN in constants: functions of the text return them.
- Operators of users' functions are functions where an operand may not be finite: see OPERATORS.
- A table of obstacles is the position of its first number in `numbers`, and that of arcs of a view
  is the number of the boid.
- Arguments cannot be assigned, so an assigned argument is copied into a variable.
- Values that Python computes only if needed, as in `a and b`, may be computed anyway: expressions
  have no effects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from murmurate.language.tree import (
    INT,
    NOTHING,
    REAL,
    Block,
    Expression,
    List,
    Statement,
    Tuple,
    Type,
    always_returns,
    range_ends,
    statements,
)
from murmurate.language.wgsl_expressions import Temporaries, WgslExpressions, unbracketed
from murmurate.language.wgsl_types import identifier, items_of

INDENT = "  "


class WgslPrinter(WgslExpressions):
    """Print one function: see WgslExpressions, whose arguments it takes."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._flags: list[str] = []  # of the loops around a statement: see `loop_text`

    def text(self, name: str) -> str:
        """Return the text of the function under a name."""
        function = self.function
        assigned = {
            part.word
            for statement in statements(function.body)
            for target in statement.targets
            for part in _names(target)
        }
        parameters, lines = [], []
        for argument, type_ in function.arguments.items():
            text = identifier(argument)
            if argument in assigned:
                parameters.append(f"{text}in: {self.types.text(type_)}")
                wider = function.locals.get(argument, type_)
                value = self.convert(f"{text}in", type_, wider)
                lines.append(f"{INDENT}var {text}: {self.types.text(wider)} = {value};")
            else:
                parameters.append(f"{text}: {self.types.text(type_)}")
        for variable, type_ in function.locals.items():
            if variable not in function.arguments:
                lines.append(f"{INDENT}var {identifier(variable)}: {self.types.text(type_)};")
        lines += self.block(function.body, INDENT)
        head = f"fn {name}({', '.join(parameters)})"
        if function.result != NOTHING:
            result = self.types.text(function.result)
            head = f"{head} -> {result}"
            if not always_returns(function.body):
                lines.append(f"{INDENT}return {result}();")
        return "\n".join([f"{head} {{", *lines, "}"])

    def block(self, body: Block, indent: str) -> list[str]:
        return [line for statement in body for line in self.statement(statement, indent)]

    def statement(self, statement: Statement, indent: str) -> list[str]:
        self._line = statement.line
        before: Temporaries = []
        match statement.how:
            case "let":
                lines = self.let(statement, before)
            case "return":
                assert statement.value is not None
                value = self.value(statement.value, before, self.function.result)
                lines = [f"return {unbracketed(value)};"]
            case "do":
                assert statement.value is not None
                text = self.value(statement.value, before)
                lines = [f"{text};" if statement.value.type == NOTHING else f"_ = {text};"]
            case "if":
                return self.branch(statement, indent)
            case "for" | "while":
                return self.loop_text(statement, indent)
            case "break" if self._flags[-1]:
                lines = [f"{self._flags[-1]} = false;", "break;"]
            case how:
                lines = [f"{how};"]
        return [f"{indent}{line}" for line in (*before, *lines)]

    def let(self, statement: Statement, before: Temporaries) -> list[str]:
        assert statement.value is not None
        value, lines = statement.value, []
        (first, *others) = statement.targets
        if value.how == first.how == "tuple" and not others:
            parts = [(self.keep(self.expression(p, before), before), p.type) for p in value.parts]
            for target, (text, kind) in zip(first.parts, parts, strict=True):
                lines += self.assign(target, text, kind)
            return lines
        if statement.augment:
            (target,) = statement.targets
            present = target if target.how == "item" else self.read(target)
            both = Expression(
                "binary", target.type, (present, value), statement.augment, value.line
            )
            return self.assign(target, self.value(both, before), both.type)
        text = self.value(value, before)
        if len(statement.targets) > 1 or statement.targets[0].how == "tuple":
            text = self.keep(text, before)
        for target in statement.targets:
            lines += self.assign(target, text, value.type)
        return lines

    def read(self, target: Expression) -> Expression:
        """Return the variable of a target, with the type that it is stored in."""
        return Expression("name", self.function.type_of(target.word), (), target.word, target.line)

    def assign(self, target: Expression, text: str, type_: Type) -> list[str]:
        """Return the lines that assign a value to a variable, or to those of a tuple."""
        if target.how == "tuple":
            parts = self.parts(text, type_)
            return [
                line
                for part, (item, kind) in zip(target.parts, parts, strict=True)
                for line in self.assign(part, item, kind)
            ]
        if target.how == "item":
            before: Temporaries = []
            if isinstance(target.parts[0].type, List):
                entry, at, test = self.located(target, before)
                text = self.convert(text, type_, REAL)
                text = f"select(undefined(), {text}, {test})" if test else unbracketed(text)
                return [*before, f"{entry}[{at}] = {text};"]
            entry = self.item(target, before)
            return [*before, f"{entry} = {unbracketed(self.convert(text, type_, target.type))};"]
        own = self.function.type_of(target.word)
        return [f"{self.variable(target.word)} = {unbracketed(self.convert(text, type_, own))};"]

    def branch(self, statement: Statement, indent: str) -> list[str]:
        before: Temporaries = []
        assert statement.value is not None
        lines = [f"if ({unbracketed(self.truth(statement.value, before))}) {{"]
        lines = [f"{indent}{line}" for line in (*before, *lines)]
        lines += self.block(statement.body, indent + INDENT)
        if statement.orelse:
            lines.append(f"{indent}}} else {{")
            lines += self.block(statement.orelse, indent + INDENT)
        return [*lines, f"{indent}}}"]

    def loop_text(self, statement: Statement, indent: str) -> list[str]:
        """Return a loop. A loop with `else` notes whether a `break` ended it."""
        assert statement.value is not None
        inner = indent + INDENT
        before: Temporaries = []
        ended = self.new_name() if statement.orelse else ""
        if ended:
            before.append(f"var {ended} = true;")
        self._flags.append(ended)
        body = self.block(statement.body, inner)
        self._flags.pop()
        head: Temporaries = []
        if statement.how == "while":
            test = self.truth(statement.value, head)
            head.append(f"if (!({test})) {{ break; }}")
            continuing: list[str] = []
        else:
            head, continuing = self.walk(statement, before)
        lines = [f"{indent}{line}" for line in before]
        lines.append(f"{indent}loop {{")
        lines += [f"{inner}{line}" for line in head]
        lines += body
        lines += [f"{inner}continuing {{ {line} }}" for line in continuing]
        lines.append(f"{indent}}}")
        if ended:
            lines.append(f"{indent}if ({ended}) {{")
            lines += [*self.block(statement.orelse, inner), f"{indent}}}"]
        return lines

    def walk(self, statement: Statement, before: Temporaries) -> tuple[list[str], list[str]]:
        """Return the first lines of a `for`, and the line that advances it."""
        (target,), walked = statement.targets, statement.value
        assert walked is not None
        at = self.new_name()
        if walked.how == "builtin" and walked.word == "range":
            first, end, step = (self.value(part, before, INT) for part in range_ends(walked))
            end, step = self.keep(end, before), self.keep(step, before)
            before.append(f"var {at}: i32 = {first};")
            over = f"select({at} <= {end}, {at} >= {end}, {step} > 0i)"
            head = [f"if ({over}) {{ break; }}", *self.assign(target, at, INT)]
            return head, [f"{at} = {at} + {step};"]
        items = items_of(walked.type)
        array = self.new_name()
        texts = [text for text, _ in self.parts(self.value(walked, before), walked.type)]
        kind = self.types.text(Tuple(tuple(items)))
        before.append(f"var {array} = {kind}({', '.join(texts)});")
        before.append(f"var {at}: i32 = 0i;")
        head = [f"if ({at} >= {len(items)}i) {{ break; }}"]
        head += self.assign(target, f"{array}[{at}]", items[0])
        return head, [f"{at} = {at} + 1i;"]


def _names(target: Expression) -> Iterator[Expression]:
    """Yield the variables of a target."""
    if target.how == "name":
        yield target
    for part in target.parts if target.how == "tuple" else ():
        yield from _names(part)
