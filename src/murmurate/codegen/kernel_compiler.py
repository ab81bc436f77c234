"""Kernels: generated functions that C could call, and the lean pipeline that compiles them.

A kernel takes one pointer, so numba's way of taking arguments from Python is not compiled either.
Kernels hold no closures, comprehensions, `with` blocks, array expressions or literal loops, so the
passes that look for them walk through thousands of statements to find nothing. Passes that are not
named here, those of a later numba too, stay as they are.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from numba import cfunc, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering

UNUSED = {
    "WithLifting",
    "InlineClosureLikes",
    "RewriteSemanticConstants",
    "DeadBranchPrune",
    "RewriteDynamicRaises",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "InlineOverloads",
    "NopythonRewrites",
}


WIDEST = '"prefer-vector-width"="512"'
"""LLVM's attribute of functions whose loops run in the widest vectors that the processor has. It
chooses half of that for most processors, for the sake of programs that have few such loops."""


class _WideLower(Lower):
    """numba's lowering of a function, which then has the attribute."""

    def setup_function(self, fndesc: Any) -> None:
        super().setup_function(fndesc)
        # its own `add` knows no attributes that have values
        set.add(self.function.attributes, WIDEST)


@register_pass(mutates_CFG=True, analysis_only=False)
class _WideLowering(BaseNativeLowering):
    _name: Any = "wide_native_lowering"

    @property
    def lowering_class(self) -> type:
        return _WideLower


class KernelCompiler(CompilerBase):
    """Compiles one generated function by numba's default pipeline without the unused passes."""

    lowering: type = NativeLowering

    def define_pipelines(self) -> list[PassManager]:
        default = DefaultPassBuilder.define_nopython_pipeline(self.state)
        lean = PassManager("kernel")
        for found, description in default.passes:
            cls = found if isinstance(found, type) else type(found)
            if cls is NativeLowering:
                lean.add_pass(self.lowering, description)
            elif cls.__name__ not in UNUSED:
                lean.add_pass(found, description)
        lean.finalize()
        return [lean]


class WideKernelCompiler(KernelCompiler):
    """The same, for the widest vectors: they pay where all boids are swept, and not for the few
    around a cell."""

    lowering = _WideLowering


class Kernel:
    """A generated function of one number, the address of a table of arguments, that gives a number
    back. It is compiled, or loaded from the cache, when that is first asked for; calling it
    releases Python's lock.

    cached  whether it was loaded from the cache; None before it was compiled
    """

    def __init__(self, function: Callable[[int], int], options: dict[str, Any]) -> None:
        self.function, self._options = function, options
        self._lock = threading.Lock()
        self._compiled: Any = None
        self._call: Callable[[int], int] | None = None
        self.cached: bool | None = None

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def is_compiled(self) -> bool:
        return self._call is not None

    def compile(self) -> None:
        """Compiles it. Raises numba's errors for what it cannot compile."""
        with self._lock:
            if self._call is None:
                signature = types.int64(types.int64)
                options = {"pipeline_class": KernelCompiler, **self._options}
                self._compiled = cfunc(signature, cache=True, **options)(self.function)
                self.cached = self._compiled.cache_hits > 0
                self._call = self._compiled.ctypes

    @property
    def address(self) -> int:
        """Where other kernels find it."""
        return int(self._compiled.address)

    def __call__(self, table: int) -> int:
        assert self._call is not None, f"kernel {self.name} is not compiled"
        return self._call(table)


def kernel_with(**options: Any) -> Callable[[Callable[[int], int]], Kernel]:
    """The decorator of kernels that are compiled with these options of numba's."""
    return lambda function: Kernel(function, options)
