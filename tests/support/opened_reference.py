"""Edited functions compiled by LLVM, operation by operation: a page's own compiler must give the
same bits. Reals are float32 and whole numbers int64; nothing is regrouped."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import wasmtime

from murmurate.codegen.intrinsics import get_opened, put_opened
from murmurate.codegen.opened_rules import MAX_SUMS, OpenedRules
from murmurate.engines.wasm.module_compiler import OPENED
from murmurate.engines.wasm.module_file import link_module, read_object
from murmurate.engines.wasm.object_code import shared_dispatchers, wasm_object
from murmurate.engines.wasm.target import wasm_jit
from murmurate.language import maths
from murmurate.language.methods import part_of, read_method
from murmurate.language.reader import Readings
from murmurate.language.tree import (
    BOOL,
    INT,
    REAL,
    Expression,
    Function,
    Record,
    Statement,
    Tuple,
    Type,
    finite,
    joined,
)
from murmurate.model.rule_functions import METHODS

HEAD = """\
import math
import numpy as np
real = np.float32
"""
CASTS = {REAL: "real({})", INT: "np.int64({})", BOOL: "({} != 0)"}


class Printer:
    """Print the functions of one rule, with the type of each value written out."""

    def __init__(self, opened: OpenedRules, rule: str, texts: dict[str, str]) -> None:
        self.opened, self.rule, self.texts = opened, rule, texts
        self.states = opened.rules[rule].rule.states
        self.numbers = opened.numbers(rule)
        self.names: dict[int, str] = {}

    def function(self, tree: Function) -> str:
        """Print a function; return its name."""
        if id(tree) not in self.names:
            name = self.names[id(tree)] = f"{tree.function.__name__}_{self.rule}_{len(self.texts)}"
            self.texts[name] = ""
            arguments = [a for a, kind in tree.arguments.items() if not isinstance(kind, Record)]
            lines = [f"def {name}({', '.join(arguments)}):"]
            for variable, kind in tree.arguments.items():
                if variable in tree.locals and tree.locals[variable] != kind:
                    lines.append(f"    {variable} = {self.cast(variable, tree.locals[variable])}")
            lines += self.block(tree.body, tree, "    ")
            self.texts[name] = "\n".join(lines)
        return self.names[id(tree)]

    def block(self, body: Any, tree: Function, indent: str) -> list[str]:
        return [line for s in body for line in self.statement(s, tree, indent)] or [f"{indent}pass"]

    def statement(self, s: Statement, tree: Function, indent: str) -> Iterator[str]:
        assert s.value is not None
        if s.how == "return":
            yield f"{indent}return {self.at(s.value, tree.result)}"
        elif s.how == "if":
            yield f"{indent}if {self.truth(s.value)}:"
            yield from self.block(s.body, tree, indent + "    ")
            yield f"{indent}else:"
            yield from self.block(s.orelse, tree, indent + "    ")
        else:
            (target,) = s.targets
            value = s.value
            if s.augment:
                value = Expression("binary", target.type, (target, value), s.augment)
            yield f"{indent}{self.target(target)} = {self.at(value, self.type_of(target, tree))}"

    def target(self, target: Expression) -> str:
        if target.how == "tuple":
            return f"({', '.join(map(self.target, target.parts))},)"
        return self.variable(target.word)

    def variable(self, word: str) -> str:
        return word.replace("'", "_version_")

    def type_of(self, target: Expression, tree: Function) -> Type:
        if target.how == "tuple":
            return Tuple(tuple(self.type_of(part, tree) for part in target.parts))
        return tree.type_of(target.word)

    # --- values

    def at(self, node: Expression, kind: Type) -> str:
        """Print a value as one of a type."""
        if isinstance(kind, Tuple) and node.how == "tuple":
            return f"({', '.join(map(self.at, node.parts, kind.items))},)"
        text = self.value(node)
        if isinstance(kind, Tuple):
            assert node.type == kind or all(item == REAL for item in kind.items), node
            return text
        return text if node.type == kind or isinstance(kind, Record) else self.cast(text, kind)

    def cast(self, text: str, kind: Type) -> str:
        return CASTS[kind].format(text)  # type: ignore[index]

    def truth(self, node: Expression) -> str:
        return self.value(node) if node.type == BOOL else f"({self.value(node)} != 0)"

    def place(self, record: Record, field: str) -> Any:
        match record.name:
            case "self":
                return self.numbers[field]
            case "state":
                return self.opened.positions["state"][str(self.states.index(field))]
        return self.opened.positions[record.name][field]

    def field(self, place: Any, kind: Type) -> str:
        if isinstance(kind, Tuple):
            return f"({', '.join(map(self.field, place, kind.items))},)"
        text = f"get_opened({place})"
        return f"np.int64({text})" if kind == INT else text

    def value(self, node: Expression) -> str:
        parts = node.parts
        match node.how, node.word:
            case (("number" | "constant"), word):
                return f"real({finite(word)!r})" if node.type == REAL else repr(word)
            case "name", word:
                return self.variable(word) if not isinstance(node.type, Record) else "None"
            case "field", word:
                record = parts[0].type
                assert isinstance(record, Record)
                return self.field(self.place(record, word), node.type)
            case "item", _:
                record = parts[0].type
                if isinstance(record, Record):
                    name, kind = record.fields[int(parts[1].word)]
                    return self.field(self.place(record, name), kind)
                return f"{self.value(parts[0])}[{int(parts[1].word)}]"
            case "unary", "not":
                return f"(not {self.truth(parts[0])})"
            case "unary", sign:
                return f"({sign}{self.at(parts[0], node.type)})"
            case "binary", sign:
                return self.binary(sign, *parts, node.type)
            case "logic", word:
                return f"({f' {word} '.join(self.at(part, node.type) for part in parts)})"
            case "compare", signs:
                tests = []
                for (a, b), sign in zip(pairwise(parts), signs, strict=True):
                    kind = joined(joined(a.type, b.type), INT)
                    tests.append(f"({self.at(a, kind)} {sign} {self.at(b, kind)})")
                return f"({' and '.join(tests)})"
            case "choose", _:
                test, body, orelse = parts
                sides = self.at(body, node.type), self.truth(test), self.at(orelse, node.type)
                return "({} if {} else {})".format(*sides)
            case "tuple", _:
                return f"({', '.join(map(self.value, parts))},)"
            case "maths", name:
                given = ", ".join(self.at(part, REAL) for part in parts)
                return f"{maths.TABLE[name].own or f'math.{name}'}({given})"
            case "builtin", name:
                return self.builtin(name, parts, node.type)
            case "call", call:
                given = [self.value(p) for p in parts if not isinstance(p.type, Record)]
                return f"{self.function(call.callee)}({', '.join(given)})"
        raise AssertionError(node)

    def binary(self, sign: str, left: Expression, right: Expression, kind: Type) -> str:
        if isinstance(kind, Tuple):
            return f"({self.value(left)} + {self.value(right)})"
        if sign != "**":
            return f"({self.at(left, kind)} {sign} {self.at(right, kind)})"
        match right:
            case Expression("number", _, _, int() | float() as power) if (2 * power) % 1 == 0:
                return f"{self.power(float(power))}({self.at(left, REAL)})"
        return f"pow_real({self.at(left, REAL)}, {self.at(right, REAL)})"

    def power(self, power: float) -> str:
        name = f"power_{power}".replace(".", "_").replace("-", "minus_")
        lines = [f"def {name}(x):", "    r = real(1.0)"]
        left = int(abs(power))
        if abs(power) % 1:
            lines.append("    r = math.sqrt(x)")
        while left:
            lines += ["    r = r * x"] * (left % 2) + ["    x = x * x"]
            left //= 2
        lines.append(f"    return {'real(1.0) / r' if power < 0 else 'r'}")
        self.texts[name] = "\n".join(lines)
        return name

    def builtin(self, name: str, parts: tuple[Expression, ...], kind: Type) -> str:
        match name:
            case "float" | "int":
                return self.at(parts[0], kind)
            case "bool":
                return self.truth(parts[0])
            case "round" if parts[0].type != REAL:
                return self.at(parts[0], INT)
            case "pow":
                return f"pow_real({self.at(parts[0], REAL)}, {self.at(parts[1], REAL)})"
        given = (self.at(part, REAL if name == "round" else kind) for part in parts)
        return f"{name}({', '.join(given)})"

    # --- what the table holds

    def wrapper(self, method: str, name: str, tree: Function | None) -> None:
        """Print the function of the table."""
        out = self.opened.positions["out"]["0"]
        count = MAX_SUMS if method == "pair" else 3
        lines, n = [f"def {name}(table):"], 0
        if tree is not None:
            assert isinstance(tree.result, Tuple)
            n = len(tree.result.items)
            sums = tree.arguments.get("sums")
            k_sums = range(len(sums.items)) if isinstance(sums, Tuple) else ()
            given = "".join(f"get_opened({self.opened.positions['sums'][str(k)]})," for k in k_sums)
            lines.append(f"    r = {self.function(tree)}({f'({given})' if given else ''})")
            lines += [f"    put_opened({out + k}, real(r[{k}]))" for k in range(n)]
        lines += [f"    put_opened({out + k}, real(0.0))" for k in range(n, count)]
        if method != "pair" and n <= 3:
            kept = [self.opened.positions["state"][str(k)] for k in range(len(self.states))]
            lines += [f"    put_opened({out + 3 + k}, get_opened({p}))" for k, p in enumerate(kept)]
        self.texts[name] = "\n".join([*lines, "    return 0"])


class Reference:
    """The functions of rules in a module of their own, with its own numbers.

    edited  the model whose rules have the functions
    """

    def __init__(self, opened: OpenedRules, edited: Any) -> None:
        self.opened = opened
        texts: dict[str, str] = {}
        slots: dict[int, str] = {}
        for rule in opened.names:
            numbers = opened.rules[rule].numbers
            cls = type(edited.rules[rule])
            part = part_of(cls, numbers.fields, numbers.constants)
            readings, printer = Readings(), Printer(opened, rule, texts)
            for method in METHODS:
                if hasattr(type(opened.rules[rule].rule), method):
                    tree = read_method(part, method, readings) if hasattr(cls, method) else None
                    slot = opened.function(rule, method)
                    slots[slot] = f"slot_{slot}"
                    printer.wrapper(method, slots[slot], tree)
        functions = _compiled(HEAD + "\n\n".join(texts.values()), texts)
        data = wasm_object({name: functions[name] for name in slots.values()}, data=[OPENED])
        compiled = read_object(data)
        code = link_module(compiled, 8, 8 * 65536, list(slots.values()))
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, code)
        self.exports: Any = wasmtime.Instance(self.store, module, []).exports(self.store)
        begin = compiled.data[OPENED]
        memory = np.frombuffer(self.exports["memory"].get_buffer_ptr(self.store), np.float32)
        self.numbers = memory[begin // 4 : begin // 4 + 1024]
        self.slots = slots

    def call(self, slot: int) -> None:
        """Call a function of the table, on `numbers`."""
        self.exports[self.slots[slot]](self.store, 0)


def _compiled(source: str, names: Any) -> dict[str, Any]:
    file = f"<reference {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"get_opened": get_opened, "put_opened": put_opened}
    scope |= shared_dispatchers("float32")
    exec(compile(source, file, "exec"), scope)
    jit = wasm_jit(fastmath=False, error_model="numpy", boundscheck=False)
    for name in names:
        scope[name] = jit(scope[name])
    return scope


def attach(instance: Any, address: int, reference: Reference) -> None:
    """Let an instance of a module with opened rules call the functions of a reference."""
    table, store = instance.exports["functions"], instance.store
    numbers = instance.memory[address : address + 4096].view(np.float32)

    def caller(slot: int) -> Any:
        def call() -> None:
            reference.numbers[:] = numbers
            reference.call(slot)
            numbers[:] = reference.numbers

        return call

    for slot in reference.slots:
        plain = wasmtime.FuncType([], [])
        table.set(store, slot, wasmtime.Func(store, plain, caller(slot)))
