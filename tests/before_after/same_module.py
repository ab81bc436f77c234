"""Whether two texts of kernels are the same module up to names: then LLVM is given the same code,
and neither bits nor speed can change. Nothing is compiled.

    python tests/before_after/same_module.py OLD NEW [--only TEXT ...]

compares the texts that two checkouts make: of all published flocks and of the structures of tests/,
in cells and swept whole, in both precisions, for processors and for pages; and the functions that
kernels share. It prints the first difference of each text, and exits with 1 if there is any.

Names may differ where they are names of the text: variables, functions, constants, fields of tuples
and what is imported under a name of its own. Everything else must be equal: operators, numbers, the
order of arguments, what is imported. A constant `NAME = real(0.5)` is its number, however it is
called and written. What has no effect is left out first: comments, docstrings,
definitions that nothing uses, and lines that take from the table of arguments what is never read.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

BUILTINS = frozenset(vars(builtins))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
TAKES = {"array1", "array2", "array3", "number", "float_of", "unsigned"}
"""What takes arguments from the table: without effects."""


class Difference(Exception):
    """Where and how two texts differ."""


def difference(one: str, other: str) -> str | None:
    """Return the first difference of two texts, or None where they are the same up to names."""
    comparison = _Comparison(one, other)
    try:
        comparison.module()
    except Difference as found:
        return str(found)
    return None


class _Text:
    """One text: its statements that have an effect, and what its names mean.

    imported   name -> what it is elsewhere: such names must mean the same in both texts
    constants  name -> the number that it stands for, rounded to the precision of the text
    defined    the names that the module defines
    """

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | FUNCTIONS):
                if ast.get_docstring(node, clean=False) is not None:
                    node.body = node.body[1:]
                node.body = [s for s in node.body if not _is_text(s)]
        for function in tree.body:
            if isinstance(function, ast.FunctionDef):
                _drop_dead_takes(function)
        self.imported: dict[str, str] = {}
        rest = []
        for statement in tree.body:
            match statement:
                case ast.Import(names=names):
                    self.imported |= {n.asname or n.name: n.name for n in names}
                case ast.ImportFrom(module=module, names=names):
                    home = re.sub(r"_[0-9a-f]{12}$", "", module or "")
                    self.imported |= {n.asname or n.name: f"{home}.{n.name}" for n in names}
                case _:
                    rest.append(statement)
        constants = {id(s): found for s in rest if (found := _constant(s, _precisions(rest)))}
        self.constants = dict(constants.values())
        self.statements = [s for s in _used(rest) if id(s) not in constants]
        self.defined = {name for statement in self.statements for name in _defines(statement)}

    def at(self, node: ast.AST) -> str:
        line = getattr(node, "lineno", 0)
        shown = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
        return f"line {line} `{shown}`"


def _precisions(statements: list[ast.stmt]) -> set[str]:
    """Return the names that round numbers, such as `real` of `real = np.float32`."""
    found = set()
    for statement in statements:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Attribute(value=ast.Name("np"), attr="float32" | "float64"),
            ):
                found.add(name)
    return found


def _constant(statement: ast.stmt, precisions: set[str]) -> tuple[str, float] | None:
    """Return name and number of a statement `NAME = real(0.5)`; None for any other."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=by), args=[number])
        ) if by in precisions:
            return name, float(ast.literal_eval(number))
    return None


@lru_cache(maxsize=32)  # one text is compared with many
def _read(text: str) -> _Text:
    return _Text(text)


def _is_text(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _defines(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
    return []


def _is_kernel(statement: ast.stmt) -> bool:
    """Return whether a function is called from outside."""
    return isinstance(statement, FUNCTIONS) and any(
        ast.unparse(how).split("(")[0] in ("kernel", "wide_kernel", "kernel_with")
        for how in statement.decorator_list
    )


def _used(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Return the definitions that kernels reach; all functions where there is no kernel."""
    functions = [s for s in statements if isinstance(s, FUNCTIONS)]
    known: dict[str, list[ast.stmt]] = {}
    for statement in statements:
        for name in _defines(statement):
            known.setdefault(name, []).append(statement)
    todo: list[ast.stmt] = [f for f in functions if _is_kernel(f)] or list(functions)
    todo += [s for s in statements if not _defines(s)]
    needed: set[int] = set()
    while todo:
        statement = todo.pop()
        if id(statement) not in needed:
            needed.add(id(statement))
            names = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
            todo += [found for name in names for found in known.get(name, ())]
    return [s for s in statements if id(s) in needed]


def _drop_dead_takes(function: ast.FunctionDef) -> None:
    """Take out lines that take an argument, or a part of one, that is never read."""
    names = lru_cache(maxsize=None)(_names)
    for k, statement in reversed(list(enumerate(function.body))):
        if _is_take(statement):
            (name,) = _defines(statement)
            if name not in _first_reads(function.body[k + 1 :], names):
                del function.body[k]


def _is_take(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(
            targets=[ast.Name()],
            value=ast.Call(func=ast.Name(id=how), args=[ast.Name("table"), *_]),
        ):
            return how in TAKES
        case ast.Assign(targets=[ast.Name()], value=value):  # a part: a row, a side
            plain = (
                ast.Name, ast.Subscript, ast.Constant, ast.BinOp, ast.Tuple, ast.expr_context,
                ast.operator,
            )  # fmt: skip
            return all(
                isinstance(n, plain) or (isinstance(n, ast.Call) and ast.unparse(n.func) == "real")
                for n in ast.walk(value)
            )
    return False


def _names(node: ast.AST | None, how: type) -> frozenset[str]:
    """Return the names that a part of a text reads, or that it gives values."""
    found = ast.walk(node) if node is not None else ()
    return frozenset(n.id for n in found if isinstance(n, ast.Name) and isinstance(n.ctx, how))


def _first_reads(
    body: Iterable[ast.stmt], names: Callable[[ast.AST | None, type], frozenset[str]]
) -> set[str]:
    """Return the names that statements may read before they give them a value."""
    reads: set[str] = set()

    def block(body: Iterable[ast.stmt], bound: set[str]) -> set[str] | None:
        """Return what has a value after it; None where nothing comes after."""
        for s in body:
            if isinstance(s, ast.If):
                reads.update(names(s.test, ast.Load) - bound)
                ends = [
                    e
                    for e in (block(s.body, set(bound)), block(s.orelse, set(bound)))
                    if e is not None
                ]
                if not ends:
                    return None
                bound = set.intersection(*ends)
            elif isinstance(s, ast.For | ast.While):
                head = s.iter if isinstance(s, ast.For) else s.test
                reads.update(names(head, ast.Load) - bound)
                target = s.target if isinstance(s, ast.For) else None
                reads.update(names(target, ast.Load) - bound)
                block(s.body, bound | names(target, ast.Store))
                block(s.orelse, set(bound))
            elif isinstance(s, ast.AugAssign):
                reads.update((names(s, ast.Load) | names(s.target, ast.Store)) - bound)
            elif isinstance(s, FUNCTIONS | ast.With | ast.Try | ast.Match):
                reads.update(names(s, ast.Load))
            else:
                reads.update(names(s, ast.Load) - bound)
                bound = bound | names(s, ast.Store)
                if isinstance(s, ast.Return | ast.Break | ast.Continue):
                    return None
        return bound

    block(body, set())
    return reads


class _Scope:
    """Which names of one text are which of the other: one to one."""

    def __init__(self, mine: set[str], other: set[str]) -> None:
        self.mine, self.other = mine, other
        self.to: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def agree(self, x: str, y: str) -> bool:
        return self.to.setdefault(x, y) == y and self.back.setdefault(y, x) == x


class _Comparison:
    def __init__(self, one: str, other: str) -> None:
        self.one, self.other = _read(one), _read(other)
        self.globals = _Scope(self.one.defined, self.other.defined)
        self.locals: _Scope | None = None
        self.here: tuple[ast.AST, ast.AST] = ast.Pass(), ast.Pass()
        self.fields: set[tuple[str, str]] = set()
        self.keywords: set[tuple[str, str]] = set()

    def differ(self, a: ast.AST, b: ast.AST, text: str) -> Difference:
        if not (hasattr(a, "lineno") and hasattr(b, "lineno")):  # an operator: that of its parent
            a, b = self.here
        return Difference(f"{text}: {self.one.at(a)}, {self.other.at(b)}")

    def module(self) -> None:
        first, second = self.one.statements, self.other.statements
        for a, b in zip(first, second, strict=False):  # what keywords and attributes may be
            if isinstance(a, ast.FunctionDef) and isinstance(b, ast.FunctionDef):
                names = [
                    [n.arg for n in ast.walk(f.args) if isinstance(n, ast.arg)] for f in (a, b)
                ]
                self.keywords |= set(zip(*names, strict=False))
            fields = _namedtuple_fields(a), _namedtuple_fields(b)
            if fields[0] is not None and fields[1] is not None:
                self.fields |= set(zip(*fields, strict=False))
        for a, b in zip(first, second, strict=False):
            self.same(a, b)
        if len(first) != len(second):
            more, text = (first, self.one) if len(first) > len(second) else (second, self.other)
            extra = more[min(len(first), len(second))]
            raise Difference(f"{len(first)} definitions, {len(second)}: {text.at(extra)}")

    def same(self, a: Any, b: Any) -> None:
        """Raise Difference unless two nodes are the same."""
        if hasattr(a, "lineno") and hasattr(b, "lineno"):
            self.here = a, b
        if type(a) is not type(b):
            raise self.differ(a, b, f"{type(a).__name__} and {type(b).__name__}")
        match a:
            case ast.FunctionDef():
                self.function(a, b)
            case ast.Name():
                self.name(a, b)
            case ast.Constant():
                if type(a.value) is not type(b.value) or repr(a.value) != repr(b.value):
                    raise self.differ(a, b, f"{a.value!r} and {b.value!r}")
            case ast.Attribute():
                self.same(a.value, b.value)
                own = isinstance(a.value, ast.Name) and a.value.id in ("self", "kept")
                if (a.attr, b.attr) not in self.fields and (own or a.attr != b.attr):
                    raise self.differ(a, b, f".{a.attr} and .{b.attr}")
            case ast.keyword():
                if a.arg != b.arg and (a.arg, b.arg) not in self.keywords:
                    raise self.differ(a.value, b.value, f"{a.arg}= and {b.arg}=")
                self.same(a.value, b.value)
            case ast.Assign(value=ast.Call()) if _namedtuple_fields(a) is not None:
                self.named_tuple(a, b)
            case _:
                self.parts(a, b)

    def parts(self, a: ast.AST, b: ast.AST) -> None:
        for field in a._fields:
            x, y = getattr(a, field, None), getattr(b, field, None)
            if isinstance(x, list) and isinstance(y, list):
                if len(x) != len(y):
                    raise self.differ(a, b, f"{len(x)} and {len(y)} parts ({field})")
                for p, q in zip(x, y, strict=True):
                    self.same(p, q) if isinstance(p, ast.AST) else self.equal(a, b, p, q)
            elif isinstance(x, ast.AST) or isinstance(y, ast.AST):
                self.same(x, y)
            else:
                self.equal(a, b, x, y)

    def equal(self, a: ast.AST, b: ast.AST, x: object, y: object) -> None:
        if x != y:
            raise self.differ(a, b, f"{x!r} and {y!r}")

    def function(self, a: ast.FunctionDef, b: ast.FunctionDef) -> None:
        if not self.globals.agree(a.name, b.name):
            raise self.differ(a, b, f"functions {a.name} and {b.name}")
        for how, its in zip(a.decorator_list, b.decorator_list, strict=False):
            self.same(how, its)
        if len(a.decorator_list) != len(b.decorator_list):
            raise self.differ(a, b, "decorators")
        for defaults in ("defaults", "kw_defaults"):
            x, y = getattr(a.args, defaults), getattr(b.args, defaults)
            if len(x) != len(y):
                raise self.differ(a, b, "defaults")
            for p, q in zip(x, y, strict=True):
                self.same(p, q)
        self.locals = _Scope(_bound(a), _bound(b))
        names = [[n.arg for n in ast.walk(f.args) if isinstance(n, ast.arg)] for f in (a, b)]
        if len(names[0]) != len(names[1]):
            raise self.differ(a, b, f"{len(names[0])} and {len(names[1])} arguments")
        for x, y in zip(*names, strict=True):
            if not self.locals.agree(x, y):
                raise self.differ(a, b, f"arguments {x} and {y}")
        if len(a.body) != len(b.body):
            for p, q in zip(a.body, b.body, strict=False):
                self.same(p, q)
            raise self.differ(a, b, f"{len(a.body)} and {len(b.body)} statements")
        for p, q in zip(a.body, b.body, strict=True):
            self.same(p, q)
        self.locals = None

    def name(self, a: ast.Name, b: ast.Name) -> None:
        self.equal(a, b, type(a.ctx), type(b.ctx))
        meant = [self.meant(a.id, first=True), self.meant(b.id, first=False)]
        if meant[0][0] != meant[1][0]:
            raise self.differ(a, b, f"{a.id}, {meant[0][0]}, and {b.id}, {meant[1][0]}")
        if meant[0][0] == "local" and self.locals is not None:
            agree = self.locals.agree(a.id, b.id)
        elif meant[0][0] == "of the module":
            agree = self.globals.agree(a.id, b.id)
        else:
            agree = meant[0][1] == meant[1][1]
        if not agree:
            raise self.differ(a, b, f"names {a.id} and {b.id}")

    def meant(self, name: str, first: bool) -> tuple[str, str]:
        text = self.one if first else self.other
        bound = set() if self.locals is None else self.locals.mine if first else self.locals.other
        if name in bound:
            return "local", ""
        if name in text.constants:
            return "a number", repr(text.constants[name])
        if name in text.defined:
            return "of the module", ""
        if name in text.imported:
            return "imported", text.imported[name]
        return ("built in" if name in BUILTINS else "undefined"), name

    def named_tuple(self, a: Any, b: Any) -> None:
        fields = _namedtuple_fields(a), _namedtuple_fields(b)
        if fields[1] is None or len(fields[0] or ()) != len(fields[1]):
            raise self.differ(a, b, "fields of tuples")
        self.same(a.targets[0], b.targets[0])


def _bound(function: ast.FunctionDef) -> set[str]:
    """Return the names of a function's arguments and variables."""
    found = {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
    return found


def _namedtuple_fields(statement: ast.AST) -> list[str] | None:
    match statement:
        case ast.Assign(
            value=ast.Call(
                func=ast.Name("namedtuple"), args=[ast.Constant(), ast.Tuple(elts=fields)]
            )
        ):
            return [field.value for field in fields if isinstance(field, ast.Constant)]
    return None


def main() -> int:
    from checkouts import texts_of

    asked = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    asked.add_argument("old", help="a checkout")
    asked.add_argument("new", help="another")
    asked.add_argument("--only", nargs="*", default=[], help="texts whose name holds one of these")
    given = asked.parse_args()
    old, new = (texts_of(checkout, given.only) for checkout in (given.old, given.new))
    wrong = 0
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            found: str | None = f"only in {'new' if name in new else 'old'}"
        else:
            found = difference(old[name], new[name])
        wrong += found is not None
        print(f"{name}: {found or 'the same module up to names'}", flush=True)
    print(f"{wrong} of {len(old.keys() | new.keys())} differ")
    return 1 if wrong or not old else 0


if __name__ == "__main__":
    sys.exit(main())
