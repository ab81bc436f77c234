"""Compile kernels with numba: generated functions that C could call, by a lean pipeline.

A kernel takes one pointer, so numba's code that takes arguments from Python is not compiled.
Kernels hold no closures, comprehensions, `with` blocks, array expressions or literal loops, so the
passes that look for them are left out. Passes that are not named here, those of a later numba too,
stay.
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
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering

from murmurate.codegen.kernel_object import FAILED, KernelObject

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


class _KernelLower(Lower):
    """numba's lowering of a function. The function in front of it that C can call returns FAILED
    for an error; numba's own one prints the error, returns 0, and needs numba's run time."""

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
    """The same, of a function that has the attribute WIDEST."""

    def setup_function(self, fndesc: Any) -> None:
        super().setup_function(fndesc)
        # its own `add` knows no attributes that have values
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
    """numba's default pipeline without the unused passes, for kernels and inner functions."""

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
    """The same, for kernels."""

    lowering = _KernelLowering


class WideEntryCompiler(KernelCompiler):
    """The same, for the widest vectors: they pay where all boids are swept, and not for the few
    around a cell."""

    lowering = _WideLowering


@dataclass(frozen=True)
class KernelSource:
    """A generated function of one number, the address of a table of arguments, that returns a
    number.

    compiler  the subclass of numba's compiler
    options   of numba's
    """

    function: Callable[[int], int]
    compiler: Any
    options: dict[str, Any]

    def compile(self) -> KernelObject:
        """Return its object code. Raises numba's errors for what it cannot compile."""
        word = types.int64
        compiled: Any = CFunc(
            self.function, ((word,), word), locals={}, options=self.options,
            pipeline_class=self.compiler,
        )  # fmt: skip
        compiled.compile()
        library = compiled._library
        module = library._final_module
        outside = [value.name for value in (*module.functions, *module.global_variables)
                   if value.is_declaration and not value.name.startswith("llvm.")]  # fmt: skip
        return KernelObject(
            compiled.native_name, tuple(sorted(outside)), library._get_compiled_object()
        )


def kernel_with(
    pipeline_class: type[CompilerBase] = EntryCompiler, **options: Any
) -> Callable[[Callable[[int], int]], KernelSource]:
    """The decorator of kernels that are compiled with these options of numba's."""
    return lambda function: KernelSource(function, pipeline_class, options)


NAME = "get_call_type"
PARAMETERS = ("self", "context", "args", "kws")  # of numba's BaseFunction.get_call_type

_log = logging.getLogger("murmurate")
_lock = threading.Lock()
_active = 0  # threads that compile now
_undo: list[Callable[[], None]] = []  # called by the last one that leaves


@contextmanager
def faster_compilation() -> Iterator[None]:
    """Kernels called for the first time in here are compiled faster."""
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
    """numba's answer to 'what does this function make of these types' is kept for the next time
    that it is asked. BaseFunction.get_call_type is no public part of numba: where it is not as it
    was when this was written, nothing is changed, and compiling takes its usual time."""
    try:
        from numba.core import types
        from numba.core.types.functions import BaseFunction

        ask = vars(BaseFunction)[NAME]  # its own, not an abstract one that it inherits
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
            # the function is held too, so that nobody else gets its id
            results[key] = (self, ask(self, context, args, kws))
        return results[key][1]

    def end() -> None:
        setattr(BaseFunction, NAME, ask)

    setattr(BaseFunction, NAME, get_call_type)
    return end
