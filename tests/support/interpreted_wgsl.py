"""WGSL that Python interprets: programs of engine gpu without a device.

Each function of WGSL becomes a function of Python that computes all threads at once: a number is an
array with an entry for each thread, a vector has its components as rows, and statements apply where
the mask `m` is true. So all threads execute each statement together. This tests neither drivers and
their compilers nor races of threads. Reads beyond an array return its last entry, as WGSL allows.
"""

from __future__ import annotations

import itertools
import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

DTYPES = {"f32": np.float32, "i32": np.int32, "u32": np.uint32, "bool": np.bool_}
SHORT = {"f": "f32", "i": "i32", "u": "u32"}
TOKEN = re.compile(
    r"0x[0-9a-fA-F]+[iu]?|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[fiu]?|[A-Za-z_]\w*"
    r"|->|&&|\|\||<<|>>|\+\+|--|[-+*/%&|^<>=!]=|\S"
)
LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="),
          ("<<", ">>"), ("+", "-"), ("*", "/", "%"))  # fmt: skip
"""Binary operators, those that bind least first."""
CALLED = {"||": "either", "&&": "both", "<<": "shift_left", ">>": "shift_right", "/": "divide",
          "%": "remainder"}  # fmt: skip
BUILTINS = {
    "max": np.maximum, "min": np.minimum, "abs": np.abs, "floor": np.floor, "sqrt": np.sqrt,
    "ceil": np.ceil, "trunc": np.trunc, "exp": np.exp, "log": np.log, "sign": np.sign,
    "clamp": lambda x, low, high: np.minimum(np.maximum(x, low), high), "pow": np.power,
    "cos": np.cos, "sin": np.sin, "round": np.round, "fract": lambda x: x - np.floor(x),
    "dot": lambda a, b: (a * b).sum(axis=0), "length": lambda a: np.sqrt((a * a).sum(axis=0)),
    "any": lambda a: np.any(a, axis=0), "all": lambda a: np.all(a, axis=0),
    "cross": lambda a, b: np.cross(*np.broadcast_arrays(a, b), axis=0),
    "select": lambda no, yes, which: merged(which, yes, no), "workgroupBarrier": lambda: None,
    "storageBarrier": lambda: None, "workgroupUniformLoad": lambda x: x,
}  # fmt: skip


# --- values: numbers, vectors (components, threads), tuples for arrays, and structures


class Structure:
    """A value with named parts, of which none ever changes."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = dict(parts)


def typed(dtype: str, x: Any) -> Any:
    """Convert a number or vector as WGSL does: a float that is too large becomes the largest."""
    x = np.asarray(x)
    if dtype != "bool" and dtype != "f32" and x.dtype.kind == "f":
        limits = np.iinfo(DTYPES[dtype])
        x = np.clip(np.nan_to_num(x.astype(np.float64)), limits.min, limits.max)
    return x.astype(DTYPES[dtype])


def concrete(x: Any) -> Any:
    """Return a value with the type that WGSL gives a literal without one."""
    return np.int32(x) if type(x) is int else np.float32(x) if type(x) is float else x


def bitcast(dtype: str, x: Any) -> Any:
    return np.ascontiguousarray(concrete(x)).view(DTYPES[dtype]).reshape(np.shape(x))


def vector(size: int, dtype: str, *parts: Any) -> Any:
    rows = [row for part in parts for row in (part if np.ndim(part) == 2 else [part])]
    rows = [np.atleast_1d(typed(dtype, row)) for row in rows or [0]]
    return np.stack(np.broadcast_arrays(*(rows * size if len(rows) == 1 else rows)))


def merged(where: Any, new: Any, old: Any) -> Any:
    """Return `new` where a mask is true, else `old`: values of the same type."""
    if old is None or where is True:
        return new
    if isinstance(old, tuple):
        return tuple(merged(where, a, b) for a, b in zip(new, old, strict=True))
    if isinstance(old, Structure):
        return Structure({k: merged(where, new.parts[k], v) for k, v in old.parts.items()})
    if isinstance(old, int | float):
        old = typed_as(new, old)
    new = typed_as(old, new)
    assert np.result_type(new) == np.result_type(old), (np.result_type(new), np.result_type(old))
    return new if np.all(where) else np.where(where, new, old)


def typed_as(x: Any, literal: Any) -> Any:
    """Return a literal without a type with that of a value."""
    if not isinstance(literal, int | float) or isinstance(x, int | float):
        return concrete(literal)
    return np.result_type(x).type(literal)


def uniform(i: Any) -> int | None:
    """Return an index that all threads share; None if they differ."""
    values = np.ravel(i)
    return int(values[0]) if (values == values[0]).all() else None


def item(m: Any, x: Any, i: Any) -> Any:
    if isinstance(x, Storage):
        return x.read(i, m)
    if (k := uniform(i)) is not None:
        return x[min(max(k, 0), len(x) - 1)]
    result = x[-1]
    for k in range(len(x) - 1):
        result = merged(i == k, x[k], result)
    return result


def with_item(m: Any, x: Any, i: Any, new: Any) -> Any:
    rows = [merged(m & (i == k), new, row) for k, row in enumerate(x)]
    return tuple(rows) if isinstance(x, tuple) else np.stack(np.broadcast_arrays(*rows))


def member(x: Any, name: str) -> Any:
    if isinstance(x, Structure):
        return x.parts[name]
    rows = ["xyzw".index(letter) for letter in name]
    return x[rows[0]] if len(rows) == 1 else x[rows]


def with_member(m: Any, x: Any, name: str, new: Any) -> Any:
    if isinstance(x, Structure):
        return Structure(x.parts | {name: merged(m, new, x.parts[name])})
    return with_item(m, x, "xyzw".index(name), new)


def both(m: Any, a: Any, b: Callable[[Any], Any]) -> Any:
    return np.logical_and(a, b(m & a)) if np.any(m & a) else a & False


def either(m: Any, a: Any, b: Callable[[Any], Any]) -> Any:
    rest = m & np.logical_not(a)
    return np.logical_or(a, b(rest)) if np.any(rest) else a | True


def shift_left(a: Any, b: Any) -> Any:
    return a << np.asarray(b).astype(np.result_type(concrete(a)))


def shift_right(a: Any, b: Any) -> Any:
    return a >> np.asarray(b).astype(np.result_type(concrete(a)))


def divide(a: Any, b: Any) -> Any:
    if np.result_type(a, b).kind == "f":
        return a / b
    return (a - remainder(a, b)) // np.where(np.asarray(b) == 0, typed_as(a, 1), b)


def remainder(a: Any, b: Any) -> Any:
    return np.fmod(a, b)


class Storage:
    """A buffer, or an array that the threads of each workgroup share.

    traffic  notes which entries are read and written, if it is a mapping
    """

    def __init__(self, data: np.ndarray, groups: Any = None, traffic: Any = None) -> None:
        self.data, self.groups, self.traffic = data, groups, traffic

    def note(self, entries: Any, *ways: str) -> None:
        """Note that entries are used: "read", "written"."""
        for way in ways if self.traffic is not None else ():
            used = self.traffic.setdefault(way, np.zeros(len(self.data), bool))
            used[entries[0]] = True

    def at(self, i: Any, m: Any = True) -> Any:
        """Return the index of an entry, for the threads of a mask."""
        size = self.data.shape[0 if self.groups is None else 1]
        i = np.clip(np.asarray(i).astype(np.int64), 0, size - 1)
        if m is not True:
            i = np.broadcast_to(i, m.shape)[m]
        if self.groups is None:
            return (i,)
        return (self.groups if m is True else self.groups[m], i)

    def read(self, i: Any, m: Any) -> Any:
        if self.traffic is not None:
            self.note(self.at(i, m), "read")
        return self.data[self.at(np.atleast_1d(i))].T if self.is_vector else self.data[self.at(i)]

    @property
    def is_vector(self) -> bool:
        return self.data.ndim == (2 if self.groups is None else 3)

    def store(self, m: Any, i: Any, new: Any, component: Any = None) -> None:
        """Write entries, or a component of vectors: threads in their order."""
        if isinstance(new, int | float):
            new = self.data.dtype.type(new)
        assert np.result_type(new) == self.data.dtype, (np.result_type(new), self.data.dtype)
        self.note(self.at(i, m), "written")
        if component is not None:
            at = uniform(component)
            self.data[(*self.at(i, m), at)] = np.broadcast_to(new, m.shape)[m]
        elif self.is_vector:
            self.data[self.at(i, m)] = np.broadcast_to(new, (len(new), *m.shape))[:, m].T
        else:
            self.data[self.at(i, m)] = np.broadcast_to(new, m.shape)[m]

    def atomic(self, m: Any, operation: str, i: Any, new: Any = 0) -> Any:
        """Return the entries before an operation of one thread after another."""
        old = np.zeros(m.shape, self.data.dtype)
        new = np.broadcast_to(typed_as(self.data, new), m.shape)
        if operation == "Load":
            return self.read(i, m)
        self.note(self.at(i, m), *(["written"] if operation == "Store" else ["read", "written"]))
        for thread, k in zip(np.flatnonzero(m), self.at(i, m)[0], strict=True):
            before, own = self.data[k], new[thread]
            old[thread] = before
            self.data[k] = {
                "Store": own, "Exchange": own, "Add": before + own, "Max": max(before, own),
                "Min": min(before, own),
            }[operation]  # fmt: skip
        return old


# --- from WGSL to Python


class Translator:
    """The text of a module as text of Python."""

    def __init__(self, text: str) -> None:
        self.tokens = [*TOKEN.findall(re.sub(r"//.*", "", text)), ""]
        self.at = 0
        self.lines: list[str] = []
        self.depth = 0
        self.numbers = itertools.count()
        self.scopes: list[dict[str, str]] = [{}]
        self.structures: dict[str, dict[str, Any]] = {}
        self.globals: dict[str, tuple[str, Any, int]] = {}  # name -> kind, type, binding
        self.entries: dict[str, tuple[int, list[str]]] = {}  # name -> threads, builtins
        while self.now:
            self.declaration()

    # tokens

    @property
    def now(self) -> str:
        return self.tokens[self.at]

    def take(self, *expected: str) -> str:
        token = self.now
        if expected and expected[0] == ">" and token in (">>", ">=", ">>="):
            self.tokens[self.at : self.at + 1] = [">", token[1:]]
            token = ">"
        assert not expected or token in expected, (expected, self.tokens[self.at - 9 : self.at + 5])
        self.at += 1
        return token

    def ends(self, token: str) -> bool:
        """Take a token if it is the next one."""
        if self.now != token:
            return False
        self.at += 1
        return True

    def listed(self, end: str, part: Callable[[], Any]) -> list[Any]:
        """Return the parts up to a token, with commas between them."""
        parts = []
        while not self.ends(end):
            parts.append(part())
            if not self.ends(","):
                self.take(end)
                break
        return parts

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def declare(self, name: str) -> str:
        own = f"{name}_{next(self.numbers)}"
        self.scopes[-1][name] = own
        return own

    def name(self, name: str) -> str:
        return next((scope[name] for scope in self.scopes[::-1] if name in scope), name)

    # types

    def type(self) -> Any:
        name = self.take()
        if short := re.fullmatch("vec([234])([fiu])", name):
            return ("vector", int(short[1]), SHORT[short[2]])
        if name == "atomic":
            self.take("<")
            inner = self.type()
            self.take(">")
            return inner
        if vec := re.fullmatch("vec([234])", name):
            self.take("<")
            inner = self.take()
            self.take(">")
            return ("vector", int(vec[1]), inner)
        if name == "array":
            self.take("<")
            inner, size = self.type(), "0"
            if self.ends(","):
                size = self.expression(LEVELS.index(("+", "-")))[0]
            self.take(">")
            return ("array", inner, size)
        return name if name in DTYPES else ("structure", name)

    def zero(self, kind: Any) -> str:
        match kind:
            case str():
                return f"typed({kind!r}, 0)"
            case ("vector", size, dtype):
                return f"vector({size}, {dtype!r}, 0)"
            case ("array", inner, size):
                return f"({self.zero(inner)},) * int({size})"
            case (_, name):
                parts = self.structures[name].items()
                return f"Structure({{{', '.join(f'{k!r}: {self.zero(t)}' for k, t in parts)}}})"
        raise AssertionError(kind)

    @staticmethod
    def converted(kind: Any, text: str) -> str:
        """Return the text of a literal, or another value, of a declared type."""
        return f"literal({kind!r}, {text})" if isinstance(kind, str) else text

    # expressions: each is its text, and the place that it names

    def expression(self, level: int = 0) -> tuple[str, Any]:
        if level == len(LEVELS):
            return self.unary()
        left, place = self.expression(level + 1)
        while self.now in LEVELS[level]:
            operator, place = self.take(), None
            right, _ = self.expression(level + 1)
            if operator in ("||", "&&"):
                left = f"{CALLED[operator]}(m, {left}, lambda m: {right})"
            elif operator in CALLED:
                left = f"{CALLED[operator]}({left}, {right})"
            else:
                left = f"({left} {operator} {right})"
        return left, place

    def unary(self) -> tuple[str, Any]:
        if self.now in ("-", "!", "~", "&"):
            operator = self.take()
            text, place = self.unary()
            if operator == "&":
                return text, place
            return (f"np.logical_not({text})" if operator == "!" else f"({operator}{text})"), None
        return self.postfix()

    def postfix(self) -> tuple[str, Any]:
        token = self.now
        if self.ends("("):
            text, place = self.expression()
            self.take(")")
        elif token[0].isdigit() or token[0] == ".":
            text, place = self.literal(self.take()), None
        elif token in ("true", "false"):
            text, place = f"np.bool_({self.take() == 'true'})", None
        elif token in ("array", "bitcast", *DTYPES) or re.fullmatch("vec[234][fiu]?", token):
            text, place = self.conversion(), None
        else:
            assert not keyword.iskeyword(self.take()), f"{token} has no meaning in WGSL"
            text, place = self.name(token), ("name", token)
            if self.now == "(":
                text, place = self.call(token), None
        while self.now in (".", "["):
            if self.ends("."):
                key, kind = repr(self.take()), "member"
            else:
                self.take("[")
                key, kind = self.expression()[0], "item"
                self.take("]")
            place = place and (kind, place, text, key)
            text = f"{kind}({'m, ' * (kind == 'item')}{text}, {key})"
        return text, place

    @staticmethod
    def literal(token: str) -> str:
        if token.startswith("0x"):
            return f"np.{'int32' if token[-1] == 'i' else 'uint32'}({token.rstrip('iu')})"
        if token[-1] in SHORT:
            return f"np.{DTYPES[SHORT[token[-1]]].__name__}({token[:-1]})"
        return token

    def arguments(self) -> list[tuple[str, Any]]:
        self.take("(")
        return self.listed(")", self.expression)

    def conversion(self) -> str:
        if self.ends("bitcast"):
            self.take("<")
            kind = self.type()
            self.take(">")
            dtype = kind if isinstance(kind, str) else kind[2]
            return f"bitcast({dtype!r}, {self.arguments()[0][0]})"
        kind = self.type()
        texts = [text for text, _ in self.arguments()]
        match kind:
            case str():
                return f"typed({kind!r}, {', '.join(texts) or 0})"
            case ("vector", size, dtype):
                return f"vector({size}, {dtype!r}, {', '.join(texts)})"
            case ("array", inner, _):
                parts = "".join(f"{self.converted(inner, text)}, " for text in texts)
                return f"({parts})" if texts else self.zero(kind)
        raise AssertionError(kind)

    def call(self, name: str) -> str:
        arguments = self.arguments()
        texts = [text for text, _ in arguments]
        if name.startswith("atomic"):
            (_, place), *rest = arguments
            _, (_, storage), _, index = place
            texts = ["m", repr(name[6:]), index, *(text for text, _ in rest)]
            return f"{storage}.atomic({', '.join(texts)})"
        if name in self.structures and not texts:
            return self.zero(("structure", name))
        if name in self.structures:
            parts = zip(self.structures[name].items(), texts, strict=True)
            texts = [f"{k!r}: {self.converted(kind, text)}" for (k, kind), text in parts]
            return f"Structure({{{', '.join(texts)}}})"
        if name in BUILTINS:
            return f"{name}_({', '.join(texts)})"
        return f"{name}({', '.join(['m', *texts])})"

    # declarations

    def declaration(self) -> None:
        attributes = dict(self.attributes())
        kind = self.take("const", "var", "struct", "fn", ";")
        if kind == "struct":
            name = self.take()
            self.take("{")
            self.structures[name] = dict(self.listed("}", self.part))
            self.ends(";")
        elif kind == "fn":
            self.function(attributes)
        elif kind == "const":
            name = self.take()
            declared = self.type() if self.ends(":") else None
            self.take("=")
            text = self.expression()[0]
            self.write(f"m = True\n{name} = {self.converted(declared, text)}")
            self.take(";")
        elif kind == "var":
            words = []
            if self.ends("<"):
                words = self.listed(">", self.take)
            name = self.take()
            self.take(":")
            self.globals[name] = (" ".join(words), self.type(), int(attributes.get("binding", -1)))
            if words == ["private"]:
                text = self.expression()[0] if self.ends("=") else self.zero(self.globals[name][1])
                self.write(f"{name} = {text}")
            self.take(";")

    def attributes(self) -> Iterator[tuple[str, str]]:
        while self.ends("@"):
            name, value = self.take(), ""
            if self.ends("("):
                value = self.take()
                self.take(")")
            yield name, value

    def part(self) -> tuple[str, Any]:
        name = self.take()
        self.take(":")
        return name, self.type()

    def parameter(self) -> tuple[str, Any, str]:
        builtin = dict(self.attributes()).get("builtin", "")
        return (*self.part(), builtin)

    def function(self, attributes: Mapping[str, str]) -> None:
        name = self.function_name = self.take()
        self.take("(")
        parameters = self.listed(")", self.parameter)
        if self.ends("->"):
            self.type()
        if "compute" in attributes:
            size = int(attributes["workgroup_size"])
            self.entries[name] = size, [builtin for _, _, builtin in parameters]
        self.scopes.append({})
        names = [self.declare(parameter) for parameter, _, _ in parameters]
        self.write(f"def {name}({', '.join(['m', *names])}):")
        self.depth += 1
        for own, (_, kind, _) in zip(names, parameters, strict=True):
            if isinstance(kind, str):
                self.write(f"{own} = literal({kind!r}, {own})")
        self.write("result = None")
        self.loops: list[tuple[str, str]] = []
        self.block()
        self.write("return result")
        self.depth -= 1
        self.scopes.pop()

    # statements: `m` are the threads that execute the next one

    def block(self) -> None:
        self.take("{")
        self.scopes.append({})
        while not self.ends("}"):
            self.statement()
        self.scopes.pop()

    def nested(self) -> None:
        """Write a block that some threads execute, if there are any."""
        self.write("if m.any():")
        self.depth += 1
        self.write("pass")
        self.block()
        self.depth -= 1

    def statement(self) -> None:
        simple = {"if": self.branch, "for": self.loop, "while": self.loop, "loop": self.loop,
                  "switch": self.switch, "{": self.block}  # fmt: skip
        if self.now in simple:
            simple[self.now]()
            return
        if self.ends("continuing"):
            again = self.loops[-1][1]
            self.write(f"m, {again} = m | {again}, m & False")
            self.block()
            return
        if self.ends("return"):
            if self.now != ";":
                self.write(f"result = merged(m, concrete({self.expression()[0]}), result)")
            self.write("m = m & False")
        elif self.now in ("break", "continue"):
            name = self.loops[-1][self.take() == "continue"]
            self.write(f"{name} = {name} | m")
            self.write("m = m & False")
        else:
            self.simple()
        self.take(";")

    def simple(self) -> None:
        """Write a declaration, an assignment or a call."""
        if self.now in ("let", "var", "const"):
            self.take()
            name = self.take()
            kind = self.type() if self.ends(":") else None
            text = self.expression()[0] if self.ends("=") else self.zero(kind)
            text = self.converted(kind, text) if kind else f"concrete({text})"
            self.write(f"{self.declare(name)} = {text}")
            return
        text, place = self.expression()
        if self.now in (";", ")", "{"):
            self.write(text)
            return
        operator = self.take()
        if operator in ("++", "--"):
            new = f"({text} {operator[0]} 1)"
        else:
            new = self.expression()[0]
            if operator != "=":
                own = operator[0]
                new = f"{CALLED[own]}({text}, {new})" if own in CALLED else f"({text} {own} {new})"
        self.assign(place, new)

    def assign(self, place: Any, new: str) -> None:
        root = place
        while root[0] != "name":
            root = root[1]
        if root[1] in self.globals:
            component = []
            if place[1][0] != "name":
                key = place[3] if place[0] == "item" else str("xyzw".index(place[3].strip("'")))
                component, place = [key], place[1]
            self.write(f"{root[1]}.store({', '.join(['m', place[3], new, *component])})")
        elif place[0] == "name":
            own = self.name(place[1])
            self.write(f"{own} = merged(m, {new}, {own})")
        else:
            while place[0] != "name":
                kind, outer, text, key = place
                new, place = f"with_{kind}(m, {text}, {key}, {new})", outer
            self.write(f"{self.name(place[1])} = {new}")

    def branch(self) -> None:
        self.take("if")
        n = next(self.numbers)
        self.write(f"yes{n} = {self.expression()[0]}")
        self.write(f"no{n} = m & np.logical_not(yes{n})")
        self.write(f"m = m & yes{n}")
        self.nested()
        if self.ends("else"):
            self.write(f"m, yes{n} = no{n}, m")
            if self.now == "if":
                self.branch()
            else:
                self.nested()
            self.write(f"m = m | yes{n}")
        else:
            self.write(f"m = m | no{n}")

    def loop(self) -> None:
        n = next(self.numbers)
        kind, condition, update = self.take(), "True", []
        self.scopes.append({})
        variable = self.tokens[self.at + 2] if kind == "for" else ""
        if kind == "for":
            self.take("(")
            if self.now != ";":
                self.simple()
            self.take(";")
            condition = self.expression()[0] if self.now != ";" else "True"
            self.take(";")
            before, self.lines = self.lines, []
            if self.now != ")":
                self.simple()
            self.take(")")
            update, self.lines = [line.strip() for line in self.lines], before
        elif kind == "while":
            condition = self.expression()[0]
        self.write(f"left{n} = m & False")
        self.write("while True:")
        self.depth += 1
        self.write(f"go{n} = m & {condition}")
        self.write(f"left{n} = left{n} | (m & ~go{n})")
        self.write(f"m, again{n} = go{n}, m & False")
        self.write("if not m.any():")
        self.write("    break")
        if kind != "loop":
            self.write(f"turns[{variable or self.function_name!r}] += m.astype(int)")
        self.loops.append((f"left{n}", f"again{n}"))
        self.block()
        self.loops.pop()
        self.write(f"m = m | again{n}")
        for line in update:
            self.write(line)
        self.depth -= 1
        self.write(f"m = left{n}")
        self.scopes.pop()

    def switch(self) -> None:
        self.take("switch")
        n = next(self.numbers)
        self.write(f"value{n} = {self.expression()[0]}")
        self.write(f"rest{n}, done{n} = m, m & False")
        self.loops.append((f"done{n}", self.loops[-1][1] if self.loops else ""))
        self.take("{")
        while not self.ends("}"):
            if self.ends("default"):
                self.write(f"m = rest{n}")
                self.ends(":")
            else:
                self.take("case")
                cases = []
                while self.now not in (":", "{"):
                    cases.append(f"(value{n} == {self.expression()[0]})")
                    self.ends(",")
                self.ends(":")
                self.write(f"m = rest{n} & ({' | '.join(cases)})")
            self.write(f"rest{n} = rest{n} & ~m")
            self.nested()
            self.write(f"done{n} = done{n} | m")
        self.write(f"m = done{n} | rest{n}")
        self.loops.pop()


def literal(dtype: str, x: Any) -> Any:
    """Return a value of a declared type, which only a literal without a type may lack."""
    if isinstance(x, int | float):
        return DTYPES[dtype](x)
    assert np.result_type(x) == DTYPES[dtype], (np.result_type(x), dtype)
    return x


# --- memory


def layout(kind: Any, structures: Mapping[str, Any]) -> tuple[int, int]:
    """Return the alignment and the size of a type in a uniform."""
    match kind:
        case str():
            return 4, 4
        case ("vector", size, _):
            return (8 if size == 2 else 16), 4 * size
        case ("array", inner, size):
            align, one = layout(inner, structures)
            return align, int(eval(size)) * -(-one // align) * align
        case (_, name):
            end, widest = 0, 4
            for part in structures[name].values():
                align, size = layout(part, structures)
                end, widest = -(-end // align) * align + size, max(widest, align)
            return widest, -(-end // widest) * widest
    raise AssertionError(kind)


def unpacked(kind: Any, structures: Mapping[str, Any], data: bytes) -> Any:
    """Return the value of a type that bytes of a uniform hold."""
    match kind:
        case str():
            return np.frombuffer(data, DTYPES[kind], 1)[0]
        case ("vector", size, dtype):
            return np.frombuffer(data, DTYPES[dtype], size)[:, None]
        case ("array", inner, size):
            stride = layout(kind, structures)[1] // int(eval(size))
            parts = range(int(eval(size)))
            return tuple(unpacked(inner, structures, data[stride * k :]) for k in parts)
        case (_, name):
            end, values = 0, {}
            for part, inner in structures[name].items():
                align, size = layout(inner, structures)
                end = -(-end // align) * align
                values[part] = unpacked(inner, structures, data[end:])
                end += size
            return Structure(values)
    raise AssertionError(kind)


class Module:
    """A module of WGSL whose passes can be executed."""

    def __init__(self, text: str) -> None:
        self.translated = Translator(text)
        self.turns: Counter[str] = Counter()  # type: ignore[type-var]  # arrays, added up
        """Variable of a `for` loop, or function with a `while` loop -> turns of each thread."""
        self.names: dict[str, Any] = {**globals(), **{f"{k}_": f for k, f in BUILTINS.items()}}
        self.names["turns"] = self.turns
        exec(compile("\n".join(self.translated.lines), "WGSL", "exec"), self.names)

    def bindings(self) -> dict[int, str]:
        """Return the kinds of the buffers that the module declares, by their bindings."""
        kinds = {"uniform": "uniform", "storage read": "read-only-storage"}
        return {
            number: kinds.get(words, "storage")
            for words, _, number in self.translated.globals.values()
            if number >= 0
        }

    def run(
        self, entry: str, buffers: Mapping[int, np.ndarray], groups: Sequence[int],
        traffic: Counter[tuple[str, str]] | None = None,
    ) -> None:  # fmt: skip
        """Execute a pass: buffers are arrays of bytes by their bindings.

        traffic  (pass, buffer) -> bytes that it reads and writes, each once
        """
        self.turns.clear()
        used: dict[str, dict[str, np.ndarray]] = {}
        size, builtins = self.translated.entries[entry]
        columns, rows = groups
        n = columns * rows * size
        group, local = np.divmod(np.arange(n, dtype=np.uint32), np.uint32(size))
        given = {
            "workgroup_id": np.stack([group % columns, group // columns, 0 * group]),
            "num_workgroups": np.array([[columns], [rows], [1]], np.uint32),
            "local_invocation_index": local,
        }
        for name, (words, kind, number) in self.translated.globals.items():
            if words != "private":  # which are never assigned
                data = buffers.get(number)
                self.names[name] = self.value(words, kind, data, group, columns * rows)
                if traffic is not None and words.startswith("storage"):
                    self.names[name].traffic = used.setdefault(name, {})
        with np.errstate(all="ignore"):
            self.names[entry](np.ones(n, bool), *(given[builtin] for builtin in builtins))
        for name, ways in used.items():
            entries = sum(np.count_nonzero(flags) for flags in ways.values())
            traffic[entry, name] += entries * self.names[name].data[:1].nbytes  # type: ignore[index]

    def value(self, words: str, kind: Any, data: Any, group: Any, groups: int) -> Any:
        """Return what a variable of the module is in a pass."""
        if words == "uniform":
            return unpacked(kind, self.translated.structures, data.tobytes())
        _, inner, size = kind
        dtype, shape = (inner, ()) if isinstance(inner, str) else (inner[2], (inner[1],))
        if words == "workgroup":
            count = int(eval(size, self.names))
            return Storage(np.zeros((groups, count, *shape), DTYPES[dtype]), group.astype(np.int64))
        return Storage(data.view(DTYPES[dtype]).reshape(-1, *shape))


module_of = lru_cache(maxsize=64)(Module)


class InterpretedProcess:
    """A process of a device (engines/gpu/device.py) that is in this one, and interprets passes.

    traffic  see Module.run
    """

    alive = True

    def __init__(self, traffic: Counter[tuple[str, str]] | None = None) -> None:
        self.traffic = traffic
        self.buffers: dict[str, np.ndarray] = {}
        self.pipelines: list[tuple[Module, str]] = []
        self.groups: list[tuple[Mapping[int, str], Mapping[int, str]]] = []

    def post(self, operation: str, *arguments: Any, data: bytes = b"") -> None:
        getattr(self, operation)(*arguments, *([data] if data else []))

    def ask(self, operation: str, *arguments: Any, adapter: str) -> tuple[Any, bytearray]:
        result = getattr(self, operation)(*arguments)
        return (None, bytearray(result)) if isinstance(result, bytes) else (result, bytearray())

    def open(self, adapter: object) -> None:
        """Begin without buffers."""

    def allocate(self, name: str, size: int) -> None:
        self.buffers[name] = np.zeros(size, np.uint8)

    def put(self, name: str, uniform: bool, data: bytes) -> None:
        self.buffers[name] = np.frombuffer(data, np.uint8).copy()

    def write(self, name: str, first: int, data: bytes) -> None:
        assert first + len(data) <= len(self.buffers[name]), (name, first, len(data))
        self.buffers[name][first : first + len(data)] = np.frombuffer(data, np.uint8)

    def read(self, name: str, size: int) -> bytes:
        assert size <= len(self.buffers[name])
        return self.buffers[name][:size].tobytes()

    def pipeline(self, text: str, entry: str, bindings: Mapping[int, str]) -> int:
        module = module_of(text)
        assert dict(bindings) == module.bindings()
        self.pipelines.append((module, entry))
        return len(self.pipelines) - 1

    def bind(self, bindings: Mapping[int, str], names: Mapping[int, str]) -> None:
        self.groups.append((bindings, names))

    def run(self, steps: Sequence[Sequence[Any]], count: int, end: Sequence[Any]) -> None:
        passes = [p for k in range(count) for p in steps[k % len(steps)]]
        for pipeline, group, groups in [*passes, *end]:
            module, entry = self.pipelines[pipeline]
            assert self.groups[group][0] == module.bindings()
            buffers = {k: self.buffers[name] for k, name in self.groups[group][1].items()}
            module.run(entry, buffers, groups, self.traffic)
