"""Types, names and numbers of a WGSL text: see wgsl_printer.py."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from murmurate.language.tree import (
    ANY,
    BOOL,
    INT,
    REAL,
    UNKNOWN,
    List,
    Plain,
    Record,
    Table,
    Tuple,
    Type,
)

MAX_FLOAT = "3.4028234e38f"
PLAIN = {BOOL: "bool", INT: "i32", REAL: "f32", ANY: "f32", UNKNOWN: "f32"}
VECTORS = ((REAL,) * 3, (REAL,) * 4)


class WgslTypes:
    """The types of one text: names of structs, and their declarations.

    records  name of an argument -> stem of the name of its struct
    states   'me' or 'other' -> names of the per-boid state that functions read of it. Its struct
             has a member for each
    compact  for long functions, which some drivers compile slowly: tuples of three or four real
             numbers are vectors, and items at varying indices are selected
    """

    def __init__(
        self,
        records: Mapping[str, str] | None = None,
        states: Mapping[str, Sequence[str]] | None = None,
        compact: bool = False,
    ) -> None:
        self._records, self.compact = dict(records or {}), compact
        self.states = dict(states or {})
        self._names: dict[Type, str] = {}
        self._texts: list[str] = []

    def text(self, type_: Type) -> str:
        """Return the text of a type."""
        match type_:
            case Plain():
                return PLAIN[type_]
            case Tuple(items) if self.compact and items in VECTORS:
                return f"vec{len(items)}f"
            case Tuple(items) if is_array(type_):
                return f"array<{self.text(items[0])}, {len(items)}>"
            case List(count):
                return f"array<f32, {count}>"
            case Table():
                return "u32"
        if type_ not in self._names:
            self._names[type_] = self._declare(type_)
        return self._names[type_]

    def _declare(self, type_: Type) -> str:
        """Add the declaration of a struct; return its name."""
        fields = [f"{name}: {self.text(kind)}" for name, kind in members(type_)]
        if isinstance(type_, Record):
            fields += [f"{state_member(name)}: f32" for name in self.states.get(type_.name, ())]
        stem = self._records.get(type_.name, type_.name) if isinstance(type_, Record) else "Tuple"
        name = f"{stem.capitalize()}{len(self._names) + 1}"
        self._texts.append(f"struct {name} {{ {', '.join(fields) or 'nothing: f32'} }}")
        return name

    def declarations(self) -> str:
        """Return the declarations of all structs in use."""
        return "\n".join(self._texts)


def is_array(type_: Type) -> bool:
    """Return whether a type is printed as an array: a list, or a tuple whose items have one
    type."""
    if isinstance(type_, List):
        return True
    return isinstance(type_, Tuple) and len(type_.items) > 0 and len(set(type_.items)) == 1


def members(type_: Type) -> list[tuple[str, Type]]:
    """Return names and types of a struct's members."""
    match type_:
        case Record(_, fields):
            return [(identifier(name), kind) for name, kind in fields]
        case Tuple(items):
            return [(f"item{k}", kind) for k, kind in enumerate(items)]
    raise AssertionError(f"no struct: {type_}")


def state_member(name: str) -> str:
    """Return the member of `me` and `other` that holds per-boid state."""
    return f"state_{identifier(name)}"


def identifier(name: str) -> str:
    """Return a user's identifier in the text: x_, x_1_ for the variable x'1."""
    plain = re.sub(r"[^0-9A-Za-z_]", lambda m: f"u{ord(m[0]):x}", name.replace("'", "_"))
    return f"v{plain}_" if plain.startswith("_") else f"{plain}_"


def float_text(value: float) -> str:
    """Return a number as an expression of type f32."""
    if not math.isfinite(value):
        return "undefined()" if math.isnan(value) else "-infinity()" if value < 0 else "infinity()"
    if abs(value) > float(np.finfo(np.float32).max):
        return f"-{MAX_FLOAT}" if value < 0 else MAX_FLOAT
    text = repr(float(np.float32(value)))
    return f"{text}f"


def items_of(type_: Type) -> Sequence[Type]:
    """Return the types of the items of a tuple, or of the fields of a record."""
    match type_:
        case Tuple(items):
            return items
        case Record(_, fields):
            return [kind for _, kind in fields]
        case List(count):
            return [REAL] * count
    raise AssertionError(f"no tuple: {type_}")
