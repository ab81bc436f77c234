"""Read a function once: Python's syntax tree -> a typed tree, or the error that says why not.

A variable has the type of all that it is given: of whole and real numbers, real. Types are found
by reading until none changes any more, which is once but for loops. A test that the rule's words
decide leaves one of its branches. Helpers are read for the types that they are called with.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from murmurate.language.expressions import BINARY, ExpressionReader, Part
from murmurate.language.refusals import SAME_KIND
from murmurate.language.source import definition, fault
from murmurate.language.tree import (
    ANY,
    BOOL,
    INT,
    NOTHING,
    NUMBERS,
    UNKNOWN,
    WORD,
    Expression,
    Function,
    Statement,
    Tuple,
    Type,
    TypeConflict,
    always_returns,
    decided,
    described,
    joined,
    variable,
)

GIVEN = ("self", "kept", "me", "other", "random", "herd")
"""Arguments of rules' and motions' functions that are more than a number."""
PASSES = 50
"""How often a function is read at most: two or three times are enough for all but odd loops."""


class Readings:
    """The functions that were read, each once for the types of its arguments."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Function | None] = {}

    def read(
        self, function: Callable[..., Any], types: Sequence[Type], part: Part | None = None
    ) -> Function:
        """Return the typed tree of a function. Raises RuleError.

        part  whose method it is, if it is one
        """
        key = (function, tuple(types), part)
        if key not in self._known:
            self._known[key] = None
            try:
                self._known[key] = Reader(self, function, types, part).read()
            finally:
                if self._known[key] is None:
                    del self._known[key]
        found = self._known[key]
        if found is None:  # it is being read
            # numba would compile it, but crash when it is loaded from the cache
            raise fault(
                function, None, "calls itself, which a rule's functions cannot do: write a loop"
            )
        return found


def read_kernels(function: Callable[..., Any]) -> Function:
    """Return the tree of one of kernels' own functions, whose types nobody knows."""
    count = function.__code__.co_argcount
    return Reader(Readings(), function, [ANY] * count, kernels=True).read()


class Reader(ExpressionReader):
    """Reads one function.

    depth  how many branches and loops are around what is read
    """

    def __init__(
        self,
        readings: Readings,
        function: Callable[..., Any],
        types: Sequence[Type],
        part: Part | None = None,
        kernels: bool = False,
    ) -> None:
        self.tree = definition(function)
        names = [a.arg for a in (*self.tree.args.posonlyargs, *self.tree.args.args,
                                 *self.tree.args.kwonlyargs)]  # fmt: skip
        arguments = dict(zip(names, types, strict=True))
        super().__init__(readings.read, function, arguments, part, kernels)
        self.defaults = self._defaults()
        self.result: Type = UNKNOWN
        self.depth, self.changed = 0, False
        self.counts: set[int] = set()

    def read(self) -> Function:
        """Read until no type changes any more."""
        body = self.tree.body[1:] if ast.get_docstring(self.tree) else self.tree.body
        for _ in range(PASSES):
            before = dict(self.locals)
            self.versions, self.unknown, self.changed = {}, None, False
            read = self.block(body)
            if self.unknown is None and not self.changed:
                break
            if self.unknown is not None and before == self.locals and not self.kernels:
                name = self.unknown.id
                self.refuse(self.unknown, f"reads {name!r} before it gives it a value")
            if self.kernels:
                break
        self._check_end(read)
        result = NOTHING if self.result == UNKNOWN else self.result
        return Function(self.function, self.arguments, self.locals, self.defaults, read, result)

    def _defaults(self) -> Sequence[Any]:
        """Return the values of the last arguments, as they were when the function was defined."""
        arguments = self.tree.args
        values = self.function.__kwdefaults__ or {}
        last = self.function.__defaults__ or ()
        pairs = [*zip(arguments.defaults, last, strict=True)]
        pairs += [
            (node, values[argument.arg])
            for argument, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if node is not None
        ]
        for node, value in pairs:
            if not isinstance(value, bool | int | float):
                text = f"has the default {ast.unparse(node)}: only numbers can be defaults"
                self.refuse(node, text)
        return () if arguments.kwonlyargs else last

    def _check_end(self, read: tuple[Statement, ...]) -> None:
        if self.kernels:
            return
        if not always_returns(read):
            self.refuse(None, "may end without a return, which gives None: end it with a return")
        if self.is_pair and (len(self.counts) != 1 or 0 in self.counts):
            found = " and ".join(map(str, sorted(self.counts))) or "nothing"
            self.refuse(
                None,
                f"returns {found} numbers: every return must have the same count, at least one",
            )

    @property
    def is_pair(self) -> bool:
        return self.part is not None and self.function.__name__ == "pair"

    # --- blocks

    def block(self, body: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        """Read statements; what stands behind a return is left out."""
        found: list[Statement] = []
        for node in body:
            found += self.statement(node)
            if found and found[-1].how == "return":
                break
        return tuple(found)

    def branch(self, body: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        """Read statements that may not run, or run several times."""
        self.depth += 1
        found = self.block(body)
        self.depth -= 1
        return found

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
                return [
                    Statement("if", condition, (), "", self.branch(body), self.branch(orelse), line)
                ]
            case ast.For(
                target=ast.Name(id=name), iter=ast.Name(id=terms), body=body, orelse=[]
            ) if self.kernels and isinstance(self.outside.get(terms), tuple):
                return self.written_out(name, self.outside[terms], body)
            case ast.For():
                return [self.loop(node)]
            case ast.While(test=test, body=body, orelse=orelse):
                condition = self.value(test)
                return [
                    Statement(
                        "while", condition, (), "", self.branch(body), self.branch(orelse), line
                    )
                ]
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
        self.depth += 1
        target = self.bind(node.target, item)
        self.depth -= 1
        body, orelse = self.branch(node.body), self.branch(node.orelse)
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
        one = variable(name, self.versions.get(name, 0))
        known = self.locals.get(one) or self.arguments.get(one)
        if known is None:
            self.locals[one] = type_
            return one
        try:
            both = joined(known, type_)
        except TypeConflict as error:
            if self.depth:
                self.refuse(node, f"gives {name!r} sometimes {error}: {SAME_KIND}")
            self.versions[name] = self.versions.get(name, 0) + 1
            return self.variable(node, name, type_)
        if both != known:
            self.locals[one] = both
            self.changed = True
        return one

    # --- returns

    def returned(self, node: ast.Return, value: ast.expr | None) -> Expression | None:
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            if self.kernels:
                return None
            self.refuse(node, "returns None: return numbers in every case, such as 0.0, 0.0, 0.0")
        found = self.value(value)
        if self.kernels:
            return found
        if self.is_pair:
            if found.how != "tuple":
                self.refuse(
                    node,
                    "must return its sums as a tuple written out, such as "
                    "'return 1.0, other.dx, other.dy, other.dz'",
                )
            self.counts.add(len(found.parts))
        elif self.part is not None and found.type != UNKNOWN:
            self.check_vector(node, found.type)
        if self.part is not None:
            for item in getattr(found.type, "items", ()):
                if item not in (*NUMBERS, UNKNOWN):
                    self.refuse(node, f"returns {described(item)} where a number must be")
        try:
            both = joined(self.result, found.type)
        except TypeConflict as error:
            if self.is_pair:  # said at the end, with all counts
                return found
            self.refuse(
                node, f"returns sometimes {error}: every return must give the same kind of thing, "
                "a number or a tuple of as many numbers"
            )  # fmt: skip
        if both != self.result and self.result != UNKNOWN:
            self.changed = True
        self.result = both
        return found

    def check_vector(self, node: ast.Return, type_: Type) -> None:
        """Refuse a vector that has not three numbers, and one for each that is kept."""
        found = len(type_.items) if isinstance(type_, Tuple) else 1
        keeps = self.part.cls.keeps if self.part and "kept" in self.variables else ()
        if found == 3 + len(keeps):
            return
        first = "u, v, w" if self.function.__name__ == "turn" else "x, y, z"
        wanted = f"three, {first[:-3]} and {first[-1]}, such as 'return {first[:-1]}0.0'"
        if keeps:
            wanted = f"{3 + len(keeps)}: 'return {first}, {', '.join(keeps)}'"
        number = "1 number" if found == 1 else f"{found} numbers"
        self.refuse(node, f"returns {number}: it must return {wanted}")

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
        self.depth += 1
        body, orelse = self.block(case.body), tuple(self.cases(rest, subject))
        self.depth -= 1
        line = case.pattern.lineno
        return [*found, Statement("if", test, (), "", body, orelse, line)]

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
