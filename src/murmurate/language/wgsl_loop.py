"""Print a function and those that it calls as one loop over blocks of statements.

Compilers of graphics cards copy a called function into every call, so the code of functions that
call each other doubles with each level. Here every long function stands once:

    while (block < 90u) {
      switch block {
        case 0u: { ...; block = 7u; }
        ...

A call assigns the arguments and the block to return to, and begins the function's first block.
Variables are those of the loop. Short functions, and statements without calls of long ones, are
printed as usual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from murmurate.language.tree import (
    INT,
    Block,
    Call,
    Expression,
    Function,
    Statement,
    Type,
    always_returns,
    expressions,
    range_ends,
    statements,
)
from murmurate.language.wgsl_expressions import Temporaries, unbracketed
from murmurate.language.wgsl_printer import INDENT, WgslPrinter
from murmurate.language.wgsl_types import WgslTypes, identifier

MIN_LONG = 1500
"""Expressions of a long function, with those of each function that it calls."""


class WgslLoop:
    """Print one function as a loop: see WgslPrinter, whose arguments it takes.

    mathematics  names in `math` that the printed text calls and that WGSL does not have
    """

    def __init__(
        self, tree: Function, name_of_call: Callable[[Call], str], types: WgslTypes
    ) -> None:
        self.tree, self.name_of_call, self.types = tree, name_of_call, types
        self.mathematics: set[str] = set()
        self.blocks: list[list[str]] = []
        self.lines: list[str] = []  # of the present block
        self.variables: list[str] = []
        self.parts: dict[Function, LoopPart] = {}

    def text(self, name: str) -> str:
        """Return the text of the function under a name."""
        part = self.part(self.tree)
        parameters, starts = [], []
        for argument, type_ in self.tree.arguments.items():
            text = f"{identifier(argument)}in"
            parameters.append(f"{text}: {self.types.text(type_)}")
            value = part.convert(text, type_, part.function.type_of(argument))
            starts.append(f"{part.variable(argument)} = {value};")
        done = list(self.parts.values())
        for other in done:  # grows meanwhile
            other.write()
            done += [new for new in self.parts.values() if new not in done]
            self.mathematics |= other.mathematics
        result = self.types.text(self.tree.result)
        cases = []
        for k, block in enumerate(self.blocks):
            cases += [f"    case {k}u: {{", *(f"      {line}" for line in block), "    }"]
        lines = [*self.variables, "var block = 0u;", *starts]
        return "\n".join([
            f"fn {name}({', '.join(parameters)}) -> {result} {{",
            *(f"{INDENT}{line}" for line in lines),
            f"  while (block < {len(self.blocks)}u) {{",
            "    switch block {",
            *(f"  {case}" for case in cases),
            "      default: { }",
            "    }",
            "  }",
            f"  return {part.result};",
            "}",
        ])  # fmt: skip

    def part(self, tree: Function) -> LoopPart:
        """Return a function's part of the loop."""
        if tree not in self.parts:
            self.parts[tree] = LoopPart(self, tree, len(self.parts))
        return self.parts[tree]

    def new_block(self) -> int:
        """Return the number of a new block."""
        self.blocks.append([])
        return len(self.blocks) - 1

    def declare(self, name: str, type_: Type) -> None:
        """Add a variable."""
        self.variables.append(f"var {name}: {self.types.text(type_)};")


class LoopPart(WgslPrinter):
    """Print a function's blocks of a loop.

    first   its first block
    result  the variable of its result
    back    the variable of the block to return to
    """

    def __init__(self, loop: WgslLoop, tree: Function, index: int) -> None:
        function = replace(tree, locals=dict(tree.locals))
        super().__init__(function, loop.name_of_call, loop.types)
        self.loop, self.index = loop, index
        self.first = loop.new_block()
        self.result, self.back = f"result{index}", f"back{index}"
        for name in {**function.arguments, **function.locals}:
            loop.declare(self.variable(name), function.type_of(name))
        loop.declare(self.result, tree.result)
        loop.variables.append(f"var {self.back} = {0xFFFF}u;")
        self._ends: list[tuple[int, int]] = []  # blocks after the loops around, and their heads
        self._printed_loops = 0  # loops that are printed as such, around a statement

    def variable(self, name: str) -> str:
        return f"{identifier(name)}{self.index}"

    def write(self) -> None:
        """Write the blocks."""
        self.begin(self.first)
        self.lower(self.function.body)
        if not always_returns(self.function.body):
            self.emit(f"block = {self.back};")

    # --- blocks

    def begin(self, block: int) -> None:
        self.lines = self.loop.blocks[block]

    def emit(self, *lines: str) -> None:
        self.lines += lines

    def go(self, block: int) -> None:
        """End the present block by the next one, unless it has left already."""
        if not self.lines or self.lines[-1] != "continue;":
            self.emit(f"block = {block}u;")

    def statement(self, statement: Statement, indent: str) -> list[str]:
        """Return the lines of a statement without calls of long functions."""
        if self._printed_loops == 0 and statement.how in ("return", "break", "continue"):
            before: Temporaries = []
            if statement.how == "return":
                assert statement.value is not None
                value = self.value(statement.value, before, self.function.result)
                before += [f"{self.result} = {unbracketed(value)};", f"block = {self.back};"]
            else:
                before.append(f"block = {self._ends[-1][statement.how == 'continue']}u;")
            return [f"{indent}{line}" for line in (*before, "continue;")]
        return super().statement(statement, indent)

    def loop_text(self, statement: Statement, indent: str) -> list[str]:
        self._printed_loops += 1
        lines = super().loop_text(statement, indent)
        self._printed_loops -= 1
        return lines

    # --- statements

    def lower(self, body: Block) -> None:
        """Write statements into blocks."""
        for statement in body:
            self._line = statement.line
            if not self.is_divided(statement):
                self.emit(*self.statement(statement, ""))
            elif statement.how == "if":
                self.lower_branch(statement)
            elif statement.how in ("for", "while"):
                self.lower_loop(statement)
            else:
                assert statement.value is not None
                simple = replace(statement, value=self.called_before(statement.value))
                self.emit(*self.statement(simple, ""))

    def is_divided(self, statement: Statement) -> bool:
        """Return whether a statement has several blocks."""
        inside = list(statements((statement,)))
        loops = [s for s in inside if s.how in ("for", "while")]
        returns = any(s.how == "return" for loop in loops for s in statements(loop.body))
        return returns or any(map(self.calls_long, expressions((statement,))))

    def lower_branch(self, statement: Statement) -> None:
        assert statement.value is not None
        first, other, after = (self.loop.new_block() for _ in range(3))
        self.test(statement.value, first, other)
        for block, body in ((first, statement.body), (other, statement.orelse)):
            self.begin(block)
            self.lower(body)
            self.go(after)
        self.begin(after)

    def lower_loop(self, statement: Statement) -> None:
        assert statement.value is not None and not statement.orelse
        head, body, after = (self.loop.new_block() for _ in range(3))
        before: Temporaries = []
        if statement.how == "while":
            self.go(head)
            self.begin(head)
            self.test(statement.value, body, after)
        else:
            first, end, step = (self.value(p, before, INT) for p in range_ends(statement.value))
            at, last, by = (f"{self.new_name()}_{self.index}" for _ in range(3))
            for name in (at, last, by):
                self.loop.declare(name, INT)
            self.emit(*before, f"{at} = {first};", f"{last} = {end};", f"{by} = {step};")
            self.go(head)
            self.begin(head)
            over = f"select({at} <= {last}, {at} >= {last}, {by} > 0i)"
            self.emit(f"if ({over}) {{ block = {after}u; continue; }}")
            self.emit(*self.assign(statement.targets[0], at, INT), f"{at} = {at} + {by};")
            self.go(body)
        self._ends.append((after, head))
        self.begin(body)
        self.lower(statement.body)
        self.go(head)
        self._ends.pop()
        self.begin(after)

    def test(self, value: Expression, yes: int, no: int) -> None:
        """Go to one of two blocks. A long function is called only if its value counts."""
        if value.how == "logic" and any(map(self.calls_long, value.parts[1:])):
            *others, last = value.parts
            for part in others:
                further = self.loop.new_block()
                self.test(part, *((further, no) if value.word == "and" else (yes, further)))
                self.begin(further)
            self.test(last, yes, no)
        elif value.how == "unary" and value.word == "not":
            self.test(value.parts[0], no, yes)
        else:
            before: Temporaries = []
            truth = self.truth(self.called_before(value), before)
            self.emit(*before, f"block = select({no}u, {yes}u, {unbracketed(truth)});")

    # --- calls

    def is_long(self, call: Call) -> bool:
        return call.callee is not None and call.callee.size >= MIN_LONG

    def calls_long(self, expression: Expression) -> bool:
        own = expression.how == "call" and self.is_long(expression.word)
        return own or any(map(self.calls_long, expression.parts))

    def called_before(self, expression: Expression) -> Expression:
        """Call the long functions of an expression; return it with variables in their place."""
        if not self.calls_long(expression):
            return expression
        parts = tuple(map(self.called_before, expression.parts))
        expression = replace(expression, parts=parts)
        if expression.how != "call" or not self.is_long(expression.word):
            return expression
        callee = self.loop.part(expression.word.callee)
        before: Temporaries = []
        types = callee.function.arguments.items()
        texts = [
            self.convert(self.value(part, before, type_), type_, callee.function.type_of(name))
            for part, (name, type_) in zip(parts, types, strict=True)
        ]
        names = [callee.variable(name) for name, _ in types]
        after = self.loop.new_block()
        self.emit(*before)
        self.emit(*(f"{name} = {text};" for name, text in zip(names, texts, strict=True)))
        self.emit(f"{callee.back} = {after}u;")
        self.go(callee.first)
        self.begin(after)
        name = f"called'{after}"
        self.function.locals[name] = expression.type
        self.loop.declare(self.variable(name), expression.type)
        self.emit(f"{self.variable(name)} = {callee.result};")
        return Expression("name", expression.type, (), name, expression.line)
