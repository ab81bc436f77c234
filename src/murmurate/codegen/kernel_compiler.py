"""Compile kernels with numba into functions with a C interface, with fewer passes.

A kernel takes one pointer, so numba's wrapper for arguments from Python is not compiled. Kernels
have no closures, comprehensions, `with` blocks, array expressions or literal loops, so the passes
that search for them are left out. All other passes stay, including those that a later numba adds.
"""

from __future__ import annotations

import gc
import inspect
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.ccallback import CFunc
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering

from murmurate.codegen.kernel_object import FAILED, KernelCode

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
"""LLVM's attribute for loops with the widest vectors of the processor. By default LLVM uses half of
that width on most processors."""


class _KernelLower(Lower):
    """Lower a function as numba does, with a C wrapper that returns FAILED after an error.

    numba's own wrapper prints the error, returns 0, and needs numba's run time.
    """

    def create_cfunc_wrapper(self) -> None:
        context, described = self.context, self.fndesc
        module = context.create_module("kernel_entry")
        arguments, result = described.argtypes, described.restype
        calls = context.call_conv
        inner = ir.Function(
            module, calls.get_function_type(result, arguments), described.llvm_func_name
        )
        word = ir.IntType(64)
        outer = ir.Function(
            module, ir.FunctionType(word, [word]), described.llvm_cfunc_wrapper_name
        )
        builder = ir.IRBuilder(outer.append_basic_block("entry"))
        status, value = calls.call_function(
            builder, inner, result, arguments, outer.args, attrs=("noinline",)
        )
        builder.ret(builder.select(status.is_error, ir.Constant(word, FAILED), value))
        self.library.add_ir_module(module)


class _WideLower(_KernelLower):
    """Lower a function with the attribute WIDEST."""

    def setup_function(self, fndesc: Any) -> None:
        super().setup_function(fndesc)
        # its own `add` rejects attributes with values
        set.add(self.function.attributes, WIDEST)


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(BaseNativeLowering):
    _name: Any = "kernel_native_lowering"

    @property
    def lowering_class(self) -> type:
        return _KernelLower


@register_pass(mutates_CFG=True, analysis_only=False)
class _WideLowering(BaseNativeLowering):
    _name: Any = "wide_native_lowering"

    @property
    def lowering_class(self) -> type:
        return _WideLower


class KernelCompiler(CompilerBase):
    """numba's default pipeline without the unused passes, for inner functions."""

    lowering: type = NativeLowering

    def define_pipelines(self) -> list[PassManager]:
        default = DefaultPassBuilder.define_nopython_pipeline(self.state)
        lean = PassManager("kernel")
        for compiler_pass, description in default.passes:
            cls = compiler_pass if isinstance(compiler_pass, type) else type(compiler_pass)
            if cls is NativeLowering:
                lean.add_pass(self.lowering, description)
            elif cls.__name__ not in UNUSED:
                lean.add_pass(compiler_pass, description)
        lean.finalize()
        return [lean]


class EntryCompiler(KernelCompiler):
    """The pipeline for kernels."""

    lowering = _KernelLowering


class WideEntryCompiler(KernelCompiler):
    """The pipeline for kernels with the widest vectors: faster for all pairs of boids, slower for
    the few around a cell."""

    lowering = _WideLowering


@dataclass(frozen=True)
class KernelSource:
    """A generated function that takes the address of a table of arguments and returns a number.

    compiler  subclass of numba's compiler
    options   options of numba
    """

    function: Callable[[int], int]
    compiler: Any
    options: dict[str, Any]

    def lower(self) -> KernelCode:
        """Return LLVM's code. Raises numba's errors for code that it cannot compile."""
        word = types.int64
        source: Any = CFunc(
            self.function, ((word,), word), locals={}, options=self.options,
            pipeline_class=self.compiler,
        )  # fmt: skip
        with global_compiler_lock:
            lowered = source._compile_uncached()
            module, symbol = lowered.library._final_module, lowered.fndesc.llvm_cfunc_wrapper_name
            for library in dict.fromkeys(lowered.library._linking_libraries):
                module.link_in(library._get_module_for_linking(), preserve=True)
            return KernelCode.of(module, symbol)


def kernel_with(
    pipeline_class: type[CompilerBase] = EntryCompiler, **options: Any
) -> Callable[[Callable[[int], int]], KernelSource]:
    """Return a decorator for kernels with these options of numba."""
    return lambda function: KernelSource(function, pipeline_class, options)


NAME = "get_call_type"
PARAMETERS = ("self", "context", "args", "kws")  # of numba's BaseFunction.get_call_type

_log = logging.getLogger("murmurate")
_lock = threading.Lock()
_active = 0  # number of threads that compile
_undo: list[Callable[[], None]] = []  # the last thread to finish calls these


@contextmanager
def faster_compilation() -> Iterator[None]:
    """Compile kernels faster within the block: no garbage collection, and cached types."""
    global _active
    with _lock:
        if _active == 0:
            _undo.extend((_pause_collector(), _cache_types()))
        _active += 1
    try:
        yield
    finally:
        with _lock:
            _active -= 1
            while _active == 0 and _undo:
                _undo.pop()()


def _pause_collector() -> Callable[[], None]:
    if not gc.isenabled():
        return lambda: None
    gc.disable()
    return gc.enable


def _cache_types() -> Callable[[], None]:
    """Cache the result types of numba's functions; return a function that ends it.

    BaseFunction.get_call_type is not public. If its signature has changed, numba stays as it is,
    and compilation takes its usual time.
    """
    try:
        from numba.core import types
        from numba.core.types.functions import BaseFunction

        ask = vars(BaseFunction)[NAME]  # its own method, not an inherited abstract one
        cacheable = (types.Number, types.Boolean, types.Array, types.BaseTuple, types.Literal)
        parameters = tuple(inspect.signature(ask).parameters)
    except (ImportError, AttributeError, KeyError, TypeError, ValueError) as error:
        _log.debug("types are not cached while compiling: numba has changed: %r", error)
        return lambda: None
    if parameters != PARAMETERS:
        _log.debug(
            "types are not cached while compiling: numba has changed: get_call_type%s, not %s",
            parameters, PARAMETERS,
        )  # fmt: skip
        return lambda: None
    results: dict[Any, tuple[Any, Any]] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(a, cacheable) for a in args):
            return ask(self, context, args, kws)
        key = (id(self), id(context), args)
        if key not in results:
            # holds the function too, so that its id is not reused
            results[key] = (self, ask(self, context, args, kws))
        return results[key][1]

    def end() -> None:
        setattr(BaseFunction, NAME, ask)

    setattr(BaseFunction, NAME, get_call_type)
    return end
