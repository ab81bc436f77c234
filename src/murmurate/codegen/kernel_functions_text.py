"""Text of the module of functions that all kernels share, compiled once an installation."""

from __future__ import annotations

import hashlib
import inspect
import math
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from murmurate.codegen import (
    arguments,
    cell_functions,
    function_library,
    intrinsics,
    kernel_functions,
    module_header,
    nearest_search,
    obstacle_functions,
    perception_functions,
    templates,
)
from murmurate.codegen.argument_text import intrinsics_import, places, unpacked
from murmurate.codegen.function_library import Library
from murmurate.codegen.layout import STEP_PARTS
from murmurate.codegen.module_header import header, with_constants
from murmurate.codegen.templates import filled
from murmurate.rules import vectors

_INLINE = {"lesser", "greater", "held"}
_INLINE |= {"clear", "out_of_reach", "beyond", "beside", "nearest_image"}  # a call costs more
_INLINE |= {"dot", "along", "scaled", "manhattan", "with_axis", "relative", "skin_of"}
_INLINE |= {"period", "periods", "is_across"}
_PLAIN = (kernel_functions, obstacle_functions)
_STRICT = (cell_functions, perception_functions)
_TEMPLATES = (
    "mathematics", "many_steps", "sort_cells", "by_id", "perceive", "integrate",
    "calls_by_address",
)  # fmt: skip


class AnyFlight:
    """What there may be to do in a step of any model: see many_steps.py.j2."""

    calls = "calls_by_address"
    cells = perceives = integrates = totals = in_turn = together = True
    parts = STEP_PARTS


def _functions(module: Any) -> list[Callable[..., Any]]:
    return [
        value
        for value in vars(module).values()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]


@lru_cache(maxsize=1)
def shared_functions() -> dict[tuple[Callable[..., Any], bool], str]:
    """(function, whether sums keep their order) -> its name in the module."""
    found = {(f, False): f.__name__ for m in (*_PLAIN, vectors) for f in _functions(m)}
    found |= {(f, True): f.__name__ for f in _functions(nearest_search)}
    found |= {(f, False): f.__name__ for m in _STRICT for f in _functions(m)}
    for function in (kernel_functions.lesser, kernel_functions.greater):
        found[function, True] = f"{function.__name__}_exact"
    return found


@lru_cache(maxsize=2)
def functions_text(dtype: str) -> str:
    """The module, for float32 or float64."""
    library = Library(shared_functions())
    for (function, exact), name in shared_functions().items():
        inline = function.__module__ == vectors.__name__ or function.__name__ in _INLINE
        how = "exact" if exact else "rule" if inline else "plain"
        strict = function.__module__ in {module.__name__ for module in _STRICT}
        library.define(function, name, {}, "strict" if strict else how)
    factorials = [math.factorial(k) for k in range(20)]
    mathematics = filled("mathematics", dtype=dtype, factorials=factorials)
    steps = unpacked(filled("many_steps", flight=AnyFlight()), [])
    code = f"{library.text()}\n\n\n{mathematics}\n\n\n{steps}"
    head = [
        header("Functions that the kernels of all models share", dtype, cache=True),
        intrinsics_import(code),
        *places(code),
        "",
    ]
    return with_constants("\n".join(head), code)


def functions_module(dtype: str) -> str:
    """The name of the module: it says what is in it, so whoever imports it can never be stale."""
    return f"murmurate_functions_{dtype}_{_digest()}"


@lru_cache(maxsize=1)
def _digest() -> str:
    """A digest of the functions as they were loaded, and of what makes text of them: quicker to
    have than the text."""
    functions = [function for function, _ in shared_functions()]
    functions += [f for m in (function_library, module_header) for f in _functions(m)]
    functions += vars(function_library._Rewriter).values()
    codes = [f.__code__ for f in functions if inspect.isfunction(f)]
    modules = (*_PLAIN, *_STRICT)
    constants = {k: v for m in modules for k, v in vars(m).items() if k.isupper()}
    texts = [module_header.HEADER, inspect.getsource(arguments), inspect.getsource(intrinsics)]
    folder = Path(templates.__file__).parent
    texts += [(folder / f"{name}.py.j2").read_text(encoding="utf-8") for name in _TEMPLATES]
    said = repr(
        (sorted(constants.items()), sorted(_INLINE), texts, [_said(code) for code in codes])
    )
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def _said(code: CodeType) -> tuple[object, ...]:
    """What a function does, in plain values that are the same in every process."""
    constants = [
        _said(c) if isinstance(c, CodeType) else sorted(map(repr, c)) if isinstance(c, frozenset)
        else repr(c)
        for c in code.co_consts
    ]  # fmt: skip
    return code.co_name, code.co_code, code.co_names, code.co_varnames, constants
