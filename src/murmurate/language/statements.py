"""Read statements: blocks, branches, loops, and what variables are given."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from murmurate.language.expressions import BINARY, ExpressionReader
from murmurate.language.tree import (
    ANY,
    BOOL,
    INT,
    UNKNOWN,
    WORD,
    Block,
    Expression,
    Statement,
    Type,
    TypeConflict,
    always_returns,
    decided,
    described,
    joined,
    variable,
)

Branches = tuple[Block, Block]
GIVEN = ("self", "kept", "me", "other", "random", "herd")
"""Arguments of rules' and motions' functions that are more than a number."""


class StatementReader(ExpressionReader):
    """Reads the statements of one function.

    changed    whether the type of a variable has changed since reading began
    kinds      name -> how often it was given a value of another kind than before
    conflicts  name -> where it was last given a value of another kind than before, and of which
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.changed = False
        self.kinds: dict[str, int] = {}
        self.conflicts: dict[str, tuple[ast.AST, str]] = {}

    @abstractmethod
    def returned(self, node: ast.Return, value: ast.expr | None) -> Expression | None:
        """Read what is returned."""

    # --- blocks

    def block(self, body: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        """Read statements; what stands behind a return is left out."""
        found: list[Statement] = []
        for node in body:
            found += self.statement(node)
            if found and found[-1].how == "return":
                break
        return tuple(found)

    def either(self, first: Callable[[], Block], second: Callable[[], Block]) -> Branches:
        """Read two branches, one of which runs. A variable that they leave with values of different
        kinds cannot be read behind them."""
        before = self.versions.copy(), self.mixed.copy()
        body = first()
        after = self.versions, self.mixed
        self.versions, self.mixed = before
        orelse = second()
        if always_returns(orelse):
            self.versions, self.mixed = after
        elif not always_returns(body):
            self.mix(*after)
        return body, orelse

    def repeated(
        self, head: Callable[[], Expression], body: Sequence[ast.stmt]
    ) -> tuple[Expression, Block]:
        """Read the head and the body of a loop, which may run several times, or never. What they
        leave with a value of another kind than before cannot be read before it has a new one."""
        before = self.versions.copy(), self.mixed.copy()
        found = head(), self.block(body)
        self.mix(*before)
        if self.mixed.keys() != before[1].keys():
            found = head(), self.block(body)
            self.mix(*before)
        return found

    def mix(self, versions: dict[str, int], mixed: dict[str, tuple[ast.AST, str]]) -> None:
        """Go on from here or from another place: variables that differ are mixed."""
        self.mixed = {**mixed, **self.mixed}
        for name in {*versions, *self.versions}:
            if versions.get(name) != self.versions.get(name):
                self.mixed[name] = self.conflicts[name]

    def statement(self, node: ast.stmt) -> list[Statement]:
        line = node.lineno
        match node:
            case ast.Return(value=value):
                return [Statement("return", self.returned(node, value), line=line)]
            case ast.Assign(targets=targets, value=value):
                return [self.let(node, self.value(value), targets)]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return [self.let(node, self.value(value), [target])]
            case ast.AugAssign(target=target, op=op, value=value) if type(op) in BINARY:
                return [self.augment(node, target, BINARY[type(op)], value)]
            case ast.If(test=test, body=body, orelse=orelse):
                condition = self.expression(test)
                if decided(condition):
                    return list(self.block(body if condition.word else orelse))
                self.check_value(test, condition)
                blocks = self.either(lambda: self.block(body), lambda: self.block(orelse))
                return [Statement("if", condition, (), "", *blocks, line)]
            case ast.For(
                target=ast.Name(id=name), iter=ast.Name(id=terms), body=body, orelse=[]
            ) if self.kernels and isinstance(self.outside.get(terms), tuple):
                return self.written_out(name, self.outside[terms], body)
            case ast.For():
                return [self.loop(node)]
            case ast.While(test=test, body=body, orelse=orelse):
                head, again = self.repeated(lambda: self.value(test), body)
                return [Statement("while", head, (), "", again, self.block(orelse), line)]
            case ast.Break():
                return [Statement("break", line=line)]
            case ast.Continue():
                return [Statement("continue", line=line)]
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return []
            case ast.Expr(value=value):
                return [Statement("do", self.value(value), line=line)]
            case ast.Match():
                return self.match(node)
        self.of_kind(node)

    def loop(self, node: ast.For) -> Statement:
        match node.iter:
            case ast.Call(func=ast.Name(id="range")) if "range" not in self.variables | {
                *self.outside
            }:
                ends = self.positional(node.iter, "range")
                if not 1 <= len(ends) <= 3:
                    self.refuse(node, f"calls range with {len(ends)} numbers: it takes 1 to 3")
                for end in ends:
                    if end.type not in (INT, BOOL, ANY, UNKNOWN):
                        self.refuse(node, "calls range with a number that is not whole: int(...)")
                walked = self.make(node.iter, "builtin", INT, *ends, word="range")
                item: Type = INT
            case _:
                walked = self.value(node.iter)
                item = ANY
                if walked.type not in (ANY, UNKNOWN):
                    items = self.items(node, walked.type)
                    if len(set(items)) != 1 and not self.kernels:
                        self.refuse(node, "walks through a tuple of unequal things: a loop needs "
                                    "items of one kind, such as (1.0, 2.0)")  # fmt: skip
                    item = items[0]
        target, body = self.repeated(lambda: self.bind(node.target, item), node.body)
        orelse = self.block(node.orelse)
        return Statement("for", walked, (target,), "", body, orelse, node.lineno)

    def written_out(
        self, name: str, terms: Sequence[float], body: Sequence[ast.stmt]
    ) -> list[Statement]:
        """Read a loop over constants of the module as its steps, one after the other."""
        found: list[Statement] = []
        self.variables.discard(name)
        for self.outside[name] in terms:
            found += self.block(body)
        return found

    # --- variables

    def let(self, node: ast.stmt, value: Expression, targets: Sequence[ast.expr]) -> Statement:
        found = tuple(self.bind(target, value.type) for target in targets)
        return Statement("let", value, found, line=node.lineno)

    def augment(self, node: ast.stmt, target: ast.expr, sign: str, value: ast.expr) -> Statement:
        if isinstance(target, ast.Name):
            before = self.expression(target)
        elif self.kernels and isinstance(target, ast.Subscript):
            before = self.item(target)
        else:
            self.refuse_store(target)
        added = self.value(value)
        type_ = self.arithmetic(node, sign, before, added)
        return Statement("let", added, (self.bind(target, type_),), sign, line=node.lineno)

    def bind(self, target: ast.expr, type_: Type) -> Expression:
        """Read what is assigned to: a variable, or a tuple of them."""
        match target:
            case ast.Name(id=name):
                return self.make(target, "name", type_, word=self.variable(target, name, type_))
            case ast.Tuple(elts=targets):
                if type_ in (ANY, UNKNOWN):
                    items: Sequence[Type] = [type_] * len(targets)
                else:
                    items = self.items(target, type_)
                if len(items) != len(targets):
                    self.refuse(
                        target, f"takes {described(type_)} apart into {len(targets)} variables"
                    )
                parts = [self.bind(one, kind) for one, kind in zip(targets, items, strict=True)]
                return self.make(target, "tuple", type_, *parts)
            case ast.Subscript() if self.kernels:
                return self.item(target)
        self.refuse_store(target)

    def variable(self, node: ast.AST, name: str, type_: Type) -> str:
        """Give a variable a value of a type; return which variable it is. What has a value of
        another kind before, on the way through the function, is another variable from here on."""
        if self.part is not None and name in GIVEN:
            self.refuse(node, f"assigns to its argument {name!r}: give the variable another name")
        if name in self.mixed:
            return self.another(node, name, type_, self.mixed.pop(name)[1])
        one = variable(name, self.versions.get(name, 0))
        known = self.locals.get(one) or self.arguments.get(one)
        if known is None:
            self.locals[one] = type_
            return one
        try:
            both = joined(known, type_)
        except TypeConflict as error:
            return self.another(node, name, type_, f"gives {name!r} sometimes {error}")
        if both != known:
            self.locals[one] = both
            self.changed = True
        return one

    def another(self, node: ast.AST, name: str, type_: Type, conflict: str) -> str:
        """Make another variable of a name, for a value of another kind."""
        self.conflicts[name] = node, conflict
        self.kinds[name] = self.versions[name] = self.kinds.get(name, 0) + 1
        return self.variable(node, name, type_)

    # --- match

    def match(self, node: ast.Match) -> list[Statement]:
        """Read a `match` as the tests that it is."""
        subject, before = self.expression(node.subject), []
        if subject.type != WORD and subject.how not in ("name", "number", "constant"):
            name = "matched"
            while name in self.variables or name in self.outside:
                name += "_"
            self.variables.add(name)
            target = ast.copy_location(ast.Name(name, ast.Store()), node.subject)
            before = [self.let(node, subject, [target])]
            subject = self.expression(ast.copy_location(ast.Name(name, ast.Load()), target))
        return [*before, *self.cases(node.cases, subject)]

    def cases(self, cases: Sequence[ast.match_case], subject: Expression) -> list[Statement]:
        if not cases:
            return []
        case, rest = cases[0], cases[1:]
        found: list[Statement] = []
        test = self.pattern(case.pattern, subject, found)
        if case.guard is not None and not (decided(test) and not test.word):
            guard = self.value(case.guard)
            both = self.make(case.guard, "logic", BOOL, test, guard, word="and")
            test = guard if decided(test) else both
        if decided(test):
            chosen = self.block(case.body) if test.word else self.cases(rest, subject)
            return [*found, *chosen]
        blocks = self.either(
            lambda: self.block(case.body), lambda: tuple(self.cases(rest, subject))
        )
        return [*found, Statement("if", test, (), "", *blocks, case.pattern.lineno)]

    def pattern(self, node: ast.pattern, subject: Expression, found: list[Statement]) -> Expression:
        """Return the test whether the subject fits; what it captures is put into `found`."""
        match node:
            case ast.MatchValue(value=value):
                side = self.expression(value)
                if decided(subject) and decided(side):
                    return self.constant(node, subject.word == side.word)
                for part in (subject, side):
                    self.check_value(value, part)
                return self.make(node, "compare", BOOL, subject, side, word=("==",))
            case ast.MatchSingleton(value=bool() as value):
                return self.pattern(
                    ast.copy_location(
                        ast.MatchValue(ast.copy_location(ast.Constant(value), node)), node
                    ),
                    subject,
                    found,
                )
            case ast.MatchOr(patterns=patterns):
                tests = [self.pattern(one, subject, found) for one in patterns]
                if any(decided(test) and test.word for test in tests):
                    return self.constant(node, True)
                open_ = [test for test in tests if not decided(test)]
                if len(open_) < 2:
                    return open_[0] if open_ else self.constant(node, False)
                return self.make(node, "logic", BOOL, *open_, word="or")
            case ast.MatchAs(pattern=pattern, name=name):
                test = self.constant(node, True)
                if pattern is not None:
                    test = self.pattern(pattern, subject, found)
                if name is not None:
                    self.check_value(node, subject)
                    target = ast.copy_location(ast.Name(name, ast.Store()), node)
                    bound = self.bind(target, subject.type)
                    found.append(Statement("let", subject, (bound,), line=node.lineno))
                return test
        self.of_kind(node)
