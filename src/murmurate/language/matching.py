"""Read a `match` as the tests that it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from murmurate.language.statements import StatementReader
from murmurate.language.tree import BOOL, WORD, Expression, Statement, decided


class MatchReader(StatementReader):
    """Reads the statements of one function, and its `match`es."""

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
