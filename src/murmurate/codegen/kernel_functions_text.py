"""Text of the module of functions that all kernels share, compiled once an installation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from murmurate.codegen import (
    kernel_functions,
    obstacle_contact,
    obstacle_exit,
    obstacle_movement,
    obstacle_shapes,
    perception_functions,
)
from murmurate.codegen.cached_file import cached_file
from murmurate.codegen.candidates import cell_functions, nearest_search
from murmurate.codegen.code_digest import code_digest, package_digest
from murmurate.codegen.layout import STEP_PARTS
from murmurate.codegen.module_header import header, with_constants
from murmurate.codegen.templates import filled
from murmurate.codegen.unpacking import intrinsics_import, places, unpacked
from murmurate.language import mathematics
from murmurate.language.library import Library
from murmurate.rules import vectors

_INLINE = {"lesser", "greater", "held"}
_INLINE |= {"clear", "out_of_reach", "beyond", "beside", "nearest_image"}  # a call costs more
_INLINE |= {"dot", "along", "scaled", "manhattan", "with_axis", "relative", "skin_of"}
_INLINE |= {"period", "periods", "is_across"}
_PLAIN = (
    kernel_functions,
    obstacle_shapes,
    obstacle_contact,
    obstacle_exit,
    obstacle_movement,
)
_STRICT = (cell_functions, perception_functions)


_PRIMITIVES = {
    (primitive, False): {"floor": "np.floor", "double": "np.float64"}.get(name, name)
    for name, primitive in mathematics.PRIMITIVES.items()
}
"""The names in the module of what its mathematics is made of."""


class AnyFlight:
    """What there may be to do in a step of any model: see many_steps.py.j2."""

    calls = "calls_by_address"
    cells = perceives = integrates = totals = in_turn = together = shares_turns = True
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


@lru_cache(maxsize=4)
def functions_text(dtype: str, target: str = "cpu") -> str:
    """The module, for float32 or float64, to be compiled for 'cpu' or 'wasm'.

    To make it takes a fifth of a second, so it is kept in the cache until a source file changes.
    """
    name = f"murmurate_functions_{dtype}_{target}_{package_digest()[:24]}.text"
    return cached_file(name, lambda: _functions_text(dtype, target).encode()).decode()


def _functions_text(dtype: str, target: str) -> str:
    code, names = _functions_code(dtype)
    head = [
        header("Functions that the kernels of all models share", dtype, target, cache=True),
        intrinsics_import(names),
        *places(names),
        "",
    ]
    return with_constants("\n".join(head), code)


@lru_cache(maxsize=2)
def _functions_code(dtype: str) -> tuple[str, frozenset[str]]:
    """The functions, and what they name of the module."""
    own = mathematics.functions_of(dtype)
    names = {(function, False): name for name, function in own.items()}
    library = Library({**shared_functions(), **_PRIMITIVES, **names})
    for (function, exact), name in shared_functions().items():
        inline = function.__module__ == vectors.__name__ or function.__name__ in _INLINE
        how = "exact" if exact else "rule" if inline else "plain"
        strict = function.__module__ in {module.__name__ for module in _STRICT}
        library.add_kernels(function, name, "strict" if strict else how)
    for name, function in own.items():
        wide = name.endswith("_float64")
        library.add_kernels(function, name, "mathematics", "np.float64" if wide else "real")
    loop = f"{filled('chunks')}\n\n\n{filled('many_steps', flight=AnyFlight())}"
    code = unpacked(loop, module=library.texts)
    return f"{library.text()}\n\n\n{code.text}", code.names | library.reached


@lru_cache(maxsize=4)
def functions_module(dtype: str, target: str = "cpu") -> str:
    """The name of the module: it says what is in it, so whoever imports it can never be stale."""
    digest = code_digest([functions_text(dtype, target)])[:12]
    return f"murmurate_functions_{dtype}_{digest}"
