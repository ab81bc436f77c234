"""Read statements: blocks, branches, loops and assignments."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from murmurate.language.expressions import BINARY, ExpressionReader
from murmurate.language.scope import OTHER_NAME
from murmurate.language.tree import (
    ANY,
    BOOL,
    INT,
    UNKNOWN,
    WORD,
    Block,
    Expression,
    List,
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
GIVEN = ("self", "state", "me", "other", "random", "herd")
"""Arguments of methods of rules and motions that are not single numbers."""


class StatementReader(ExpressionReader):
    """Read the statements of one function.

    changed    whether the type of a variable has changed during this reading
    kinds      name -> number of assignments of a value of a new kind
    conflicts  name -> the last such assignment, and its message
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.changed = False
        self.kinds: dict[str, int] = {}
        self.conflicts: dict[str, tuple[ast.AST, str]] = {}

    @abstractmethod
    def returned(self, node: ast.Return, value: ast.expr | None) -> Expression | None:
        """Read the value of a return."""

    # --- blocks

    def block(self, body: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        """Read statements up to the first return."""
        statements: list[Statement] = []
        for node in body:
            statements += self.statement(node)
            if statements and statements[-1].how == "return":
                break
        return tuple(statements)

    def either(self, first: Callable[[], Block], second: Callable[[], Block]) -> Branches:
        """Read two branches, one of which runs. A variable whose kind then depends on the branch
        cannot be read after them."""
        before = self.versions.copy(), self.mixed.copy(), self.assigned.copy()
        body = first()
        after = self.versions, self.mixed, self.assigned
        self.versions, self.mixed, self.assigned = before
        orelse = second()
        if always_returns(orelse):
            self.versions, self.mixed, self.assigned = after
        elif not always_returns(body):
            self.mix(*after[:2])
            self.assigned &= after[2]
        return body, orelse

    def repeated(
        self, head: Callable[[], Expression], body: Sequence[ast.stmt]
    ) -> tuple[Expression, Block]:
        """Read the head and the body of a loop, which may run several times or never. A variable
        whose kind changes in the loop cannot be read after it without a new value."""
        before = self.versions.copy(), self.mixed.copy()
        loop = head(), self.block(body)
        self.mix(*before)
        if self.mixed.keys() != before[1].keys():
            loop = head(), self.block(body)
            self.mix(*before)
        return loop

    def mix(self, versions: dict[str, int], mixed: dict[str, tuple[ast.AST, str]]) -> None:
        """Merge the current state with that of another branch: variables that differ are mixed."""
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
                return self.unroll(name, self.outside[terms], body)
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

    def unroll(
        self, name: str, terms: Sequence[float], body: Sequence[ast.stmt]
    ) -> list[Statement]:
        """Unroll a loop over constants of the module."""
        statements: list[Statement] = []
        self.variables.discard(name)
        for self.outside[name] in terms:
            statements += self.block(body)
        return statements

    # --- variables

    def let(self, node: ast.stmt, value: Expression, targets: Sequence[ast.expr]) -> Statement:
        if isinstance(value.type, List) and (value.how != "list" or len(targets) > 1):
            self.refuse(node, OTHER_NAME)
        match targets:
            case [ast.Subscript() as target] if self.is_list(target):
                return Statement("let", value, (self.item(target),), line=node.lineno)
        bound = tuple(self.bind(target, value.type) for target in targets)
        return Statement("let", value, bound, line=node.lineno)

    def augment(self, node: ast.stmt, target: ast.expr, sign: str, value: ast.expr) -> Statement:
        if isinstance(target, ast.Name):
            before = self.expression(target)
        elif isinstance(target, ast.Subscript) and (self.kernels or self.is_list(target)):
            before = self.item(target)
        else:
            self.refuse_store(target)
        added = self.value(value)
        type_ = self.arithmetic(node, sign, before, added)
        bound = before if isinstance(target, ast.Subscript) else self.bind(target, type_)
        return Statement("let", added, (bound,), sign, line=node.lineno)

    def bind(self, target: ast.expr, type_: Type) -> Expression:
        """Read the target of an assignment: a variable, or a tuple of variables."""
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
                parts = [
                    self.bind(element, kind) for element, kind in zip(targets, items, strict=True)
                ]
                return self.make(target, "tuple", type_, *parts)
            case ast.Subscript() if self.kernels or self.of_kernels:
                return self.item(target)
        self.refuse_store(target)

    def is_list(self, target: ast.Subscript) -> bool:
        """Return whether an item is one of a list that this function has made."""
        name = target.value.id if isinstance(target.value, ast.Name) else ""
        if name in self.arguments or name not in self.variables:
            return False
        return isinstance(self.name(target.value).type, List)  # type: ignore[arg-type]

    def variable(self, node: ast.AST, name: str, type_: Type) -> str:
        """Assign a type to a variable; return the variable. If its value had another kind before,
        the name becomes a new variable."""
        self.assigned.add(name)
        self.stored.add(name)
        if self.part is not None and (name in GIVEN or name == "arc" in self.arguments):
            self.refuse(node, f"assigns to its argument {name!r}: give the variable another name")
        if name in self.mixed:
            return self.another(node, name, type_, self.mixed.pop(name)[1])
        version = variable(name, self.versions.get(name, 0))
        earlier = self.locals.get(version) or self.arguments.get(version)
        if earlier is None:
            self.locals[version] = type_
            return version
        try:
            both = joined(earlier, type_)
        except TypeConflict as error:
            return self.another(node, name, type_, f"gives {name!r} sometimes {error}")
        if both != earlier:
            self.locals[version] = both
            self.changed = True
        return version

    def another(self, node: ast.AST, name: str, type_: Type, conflict: str) -> str:
        """Start a new variable of the same name, for a value of another kind."""
        self.conflicts[name] = node, conflict
        self.kinds[name] = self.versions[name] = self.kinds.get(name, 0) + 1
        return self.variable(node, name, type_)

    # --- match

    def match(self, node: ast.Match) -> list[Statement]:
        """Read a `match` as a chain of tests."""
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
        captures: list[Statement] = []
        test = self.pattern(case.pattern, subject, captures)
        if case.guard is not None and not (decided(test) and not test.word):
            guard = self.value(case.guard)
            both = self.make(case.guard, "logic", BOOL, test, guard, word="and")
            test = guard if decided(test) else both
        if decided(test):
            chosen = self.block(case.body) if test.word else self.cases(rest, subject)
            return [*captures, *chosen]
        blocks = self.either(
            lambda: self.block(case.body), lambda: tuple(self.cases(rest, subject))
        )
        return [*captures, Statement("if", test, (), "", *blocks, case.pattern.lineno)]

    def pattern(
        self, node: ast.pattern, subject: Expression, captures: list[Statement]
    ) -> Expression:
        """Return the test of a pattern; append the assignments of its captures to `captures`."""
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
                    captures,
                )
            case ast.MatchOr(patterns=patterns):
                tests = [self.pattern(option, subject, captures) for option in patterns]
                if any(decided(test) and test.word for test in tests):
                    return self.constant(node, True)
                open_ = [test for test in tests if not decided(test)]
                if len(open_) < 2:
                    return open_[0] if open_ else self.constant(node, False)
                return self.make(node, "logic", BOOL, *open_, word="or")
            case ast.MatchAs(pattern=pattern, name=name):
                test = self.constant(node, True)
                if pattern is not None:
                    test = self.pattern(pattern, subject, captures)
                if name is not None:
                    self.check_value(node, subject)
                    target = ast.copy_location(ast.Name(name, ast.Store()), node)
                    bound = self.bind(target, subject.type)
                    captures.append(Statement("let", subject, (bound,), line=node.lineno))
                return test
        self.of_kind(node)
