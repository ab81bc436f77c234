"""Refuse functions of rules and motions that read one random number twice.

Two results that depend on one number depend on each other, such as the length of a kick on its
direction. On each path through the functions of a rule, a number may be read once. A function that
means to use one number for two results gives it a name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from murmurate.language.source import arguments, definition, fault
from murmurate.model.rule_arguments import Random

Numbers = frozenset[str]


def check_random(cls: Any, methods: Iterable[str]) -> None:
    """Raise RuleError if a path through the methods of a class reads a random number twice."""
    before: Numbers = frozenset()
    for method in methods:
        function = getattr(cls, method, None)
        if function is not None and "random" in arguments(function):
            before = numbers_read(function, "random", before)


@lru_cache(maxsize=512)
def numbers_read(function: Callable[..., Any], name: str, before: Numbers = frozenset()) -> Numbers:
    """Return the random numbers that a function, and those that it calls, may have read at its end.

    name  its argument that has the random numbers
    raises RuleError  a path reads a number twice
    """
    paths = _Paths(function, name)
    end = paths.block(definition(function).body, before)
    return frozenset().union(*paths.ends, end or before)


class _Paths:
    """The paths through a function. `ends` has the numbers read by those that have returned."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.function, self.name = function, name
        self.ends: list[Numbers] = []

    def block(self, body: Iterable[ast.stmt], read: Numbers | None) -> Numbers | None:
        """Return the numbers read at the end of a block; None if it always returns."""
        for statement in body:
            if read is None:
                break
            read = self.statement(statement, read)
        return read

    def statement(self, node: ast.stmt, read: Numbers) -> Numbers | None:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                read = self.expression(test, read)
                return _either(self.block(body, read), self.block(orelse, read))
            case ast.For(iter=items):
                read = self.expression(items, read)
                self.loop(lambda before: self.block(node.body, before), read)
                return self.block(node.orelse, read)
            case ast.While(test=test):
                self.loop(lambda before: self.block(node.body, self.expression(test, before)), read)
                return self.block(node.orelse, self.expression(test, read))
            case ast.Match(subject=subject, cases=cases):
                read = self.expression(subject, read)
                ends = [self.block(case.body, read) for case in cases]
                return _either(read, *ends)
            case ast.Return():
                self.ends.append(self.expression(node, read))
                return None
        return self.expression(node, read)

    def loop(self, once: Callable[[Numbers], Numbers | None], read: Numbers) -> None:
        """Follow a round of a loop, and the next one if it reads numbers of the first again.

        A next round always raises RuleError, so nested loops are followed once.
        """
        end = once(read)
        if end is not None and end != read:
            once(end)

    def expression(self, node: ast.AST, read: Numbers) -> Numbers:
        match node:
            case ast.IfExp(test=test, body=body, orelse=orelse):
                read = self.expression(test, read)
                return self.expression(body, read) | self.expression(orelse, read)
            case ast.Attribute(value=ast.Name(id=self.name), attr=number):
                return self._add(node, {number}, read)
            case ast.Call(func=ast.Name(id=callee), args=values):
                for position, value in enumerate(values):
                    if isinstance(value, ast.Name) and value.id == self.name:
                        helper = self.function.__globals__.get(callee)
                        names = arguments(helper) if callable(helper) else ()
                        inner = numbers_read(helper, names[position]) if names else Random._fields
                        read = self._add(node, inner, read)
                    else:
                        read = self.expression(value, read)
                return read
            case _:
                for child in ast.iter_child_nodes(node):
                    read = self.expression(child, read)
        return read

    def _add(self, node: ast.expr, numbers: Iterable[str], read: Numbers) -> Numbers:
        for number in sorted(read.intersection(numbers)):
            raise fault(
                self.function,
                node.lineno,
                f"reads {self.name}.{number} a second time, so that two results depend on one "
                f"number: use another one of {', '.join(Random._fields)}. If one number is meant, "
                f"read it once, {number} = {self.name}.{number}",
            )
        return read.union(numbers)


def _either(*ends: Numbers | None) -> Numbers | None:
    """Return the numbers read by any of some paths; None if all have returned."""
    going = [end for end in ends if end is not None]
    return frozenset().union(*going) if going else None
