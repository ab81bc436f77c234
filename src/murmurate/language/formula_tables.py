"""Tables of this package as JSON, by which pages read functions of rules as text.

The page has readers of its own (viewer/src/formulas), with the names and numbers from here.
"""

from __future__ import annotations

import math
from functools import lru_cache

from typing_extensions import TypedDict

from murmurate.language import maths
from murmurate.language.methods import ARGUMENTS, argument_types
from murmurate.language.scope import BUILTINS
from murmurate.language.tree import Plain, Tuple, Type
from murmurate.language.wgsl_expressions import name_in_wgsl
from murmurate.model.rule_functions import (
    CALLS,
    MAX_LETTERS,
    MAX_PIECES,
    MAX_POWER,
    OWNERS,
)


class MethodArguments(TypedDict):
    """Of each method: the arguments that it takes, and those that may follow."""

    pair: tuple[tuple[str, ...], tuple[str, ...]]
    finish: tuple[tuple[str, ...], tuple[str, ...]]
    alone: tuple[tuple[str, ...], tuple[str, ...]]


class MathsFunction(TypedDict):
    """A mathematical function."""

    takes: int
    result: str
    page: str | None
    """Its implementation in pages; null if there is none."""
    wgsl: str
    """Its name in WGSL."""


class FormulaTables(TypedDict):
    """The language of formulas."""

    methods: MethodArguments
    calls: list[str]
    owners: list[str]
    builtins: dict[str, tuple[int, int]]
    """Function -> smallest and largest number of arguments."""
    maths: dict[str, MathsFunction]
    in_pages: list[str]
    of_math: list[str]
    """All functions of Python's `math`."""
    constants: dict[str, float | str]
    fields: dict[str, dict[str, str]]
    """Argument -> field -> its type."""
    max_letters: int
    max_pieces: int
    max_power: int


@lru_cache(maxsize=1)
def formula_tables() -> FormulaTables:
    """Return the tables of the language of formulas, which JSON can represent."""
    return {
        "methods": {
            "pair": ARGUMENTS["pair"],
            "finish": ARGUMENTS["finish"],
            "alone": ARGUMENTS["alone"],
        },
        "calls": list(CALLS),
        "owners": list(OWNERS),
        "builtins": dict(sorted(BUILTINS.items())),
        "maths": {
            name: {
                "takes": maths.TABLE[name].takes,
                "result": _name(maths.TABLE[name].result),
                "page": "plain" if maths.TABLE[name].own else maths.TABLE[name].page,
                "wgsl": name_in_wgsl(name),
            }
            for name in maths.RULES
        },
        "in_pages": sorted(maths.IN_PAGES),
        "of_math": [name for name in dir(math) if callable(getattr(math, name))],
        "constants": {
            name: value if math.isfinite(value) else str(value)
            for name, value in vars(math).items()
            if isinstance(value, float)
        },
        "fields": {
            name: {field: _name(kind) for field, kind in record.fields}
            for name, record in argument_types().items()
        },
        "max_letters": MAX_LETTERS,
        "max_pieces": MAX_PIECES,
        "max_power": MAX_POWER,
    }


def _name(type_: Type) -> str:
    return type_.name if isinstance(type_, Plain) else "tuple" * isinstance(type_, Tuple)
