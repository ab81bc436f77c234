"""A model -> its compiled object: the text that the processor's engine flies, and whole steps with
it, as one WebAssembly object, kept in the cache folder by content."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

from murmurate.codegen.layout import Layout
from murmurate.codegen.module_text import (
    functions_module,
    functions_text,
    kernel_text,
    shared_functions,
)
from murmurate.engines.wasm import bits
from murmurate.engines.wasm.flight_text import flight_text, module_text
from murmurate.engines.wasm.object_cache import cached_object
from murmurate.engines.wasm.object_code import wasm_object
from murmurate.engines.wasm.target import WasmDispatcher, plain_decorated
from murmurate.errors import ModelError, RuleError
from murmurate.language import maths
from murmurate.language.library import Library
from murmurate.language.source import fault
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule

FLY = "run_steps"
"""The function that modules export."""


def flight_object(layout: Layout, dtype: str) -> bytes:
    """The object of a layout, compiled now if it is not in the cache.

    Raises RuleError for a rule that does not compile, or that calls mathematics which modules do
    not have.
    """
    text, flight = module_text(layout, dtype), flight_text(layout, dtype)
    try:
        return cached_object(
            "flight",
            (text, flight),
            bits,
            make=lambda: _compiled(layout, text, flight, dtype),
        )
    except (OSError, MemoryError, RuleError):
        raise
    except Exception as error:  # numba and LLVM have errors of many kinds
        from murmurate.engines.cpu.model_kernels import explain_compile_error

        raise explain_compile_error(layout, text, error) from None


def check_model(model: Model) -> None:
    """Raises ModelError for a model that modules do not fly."""
    voronoi = [
        f"rules.{name}.neighbours"
        for name, rule in model.rules.items()
        if isinstance(rule, NeighbourRule) and rule.neighbours == "voronoi"
    ]
    if voronoi:
        raise ModelError(
            f"{', '.join(voronoi)}: 'voronoi' is for the engines 'cpu' and 'reference'; the engine "
            "'wasm' and pages that fly have no Voronoi cells. Choose neighbours = 'all', with "
            "`nearest` if need be; or another engine, and a replay, which is a page without live"
        )


def check_mathematics(layout: Layout) -> None:
    """Raises RuleError for a function that calls mathematics which modules do not have."""
    library = Library(shared_functions())
    kernel_text(layout.plan, "float64", layout, library)
    for tree, call in library.mathematics():
        if maths.TABLE[call.word].page is None:
            raise fault(
                tree.function, call.line,
                f"calls math.{call.word}, which the engine 'wasm' and pages that fly have "
                f"not: they have {', '.join(sorted(maths.IN_PAGES))}. Write the "
                "rule with these; or fly it with the engine 'cpu', and send a replay, which is "
                "a page without live",
            )  # fmt: skip


def _compiled(layout: Layout, text: str, flight: str, dtype: str) -> bytes:
    check_mathematics(layout)
    shared = _shared_functions(dtype)
    kernels = _loaded("kernels", text)
    trap = plain_decorated({"trap": bits.trap})
    names = {**_functions(shared), **trap, **_functions(kernels)}
    return wasm_object({FLY: _loaded("flight", flight, names).run_steps})


def _functions(module: ModuleType) -> dict[str, Any]:
    return {name: f for name, f in vars(module).items() if isinstance(f, WasmDispatcher)}


@lru_cache(maxsize=2)
def _shared_functions(dtype: str) -> ModuleType:
    """The functions that all kernels share, where their text finds them."""
    module = _loaded("functions", functions_text(dtype, "wasm"))
    sys.modules[functions_module(dtype, "wasm")] = module
    return module


def _loaded(name: str, text: str, names: Mapping[str, Any] | None = None) -> ModuleType:
    """A module of this text, whose functions are compiled for WebAssembly.

    names  what it finds in its own names
    """
    module = ModuleType(f"murmurate_wasm_{name}")
    vars(module).update(names or {})
    file = f"<{module.__name__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), vars(module))
    return module
