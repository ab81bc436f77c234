"""A numba target that lowers functions without optimisation for the processor at hand.

LLVM then compiles the result to WebAssembly. The target equals numba's CPU target, with two
exceptions: code stays as it was lowered, and nothing of numba's run time is linked in. Functions
of this target never mix with functions of the CPU target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import isfunction
from types import FunctionType
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import codegen, cpu, registry, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import fastmathpass
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import rtsys
from numba.core.target_extension import (
    CPU,
    dispatcher_registry,
    jit_registry,
    target_override,
    target_registry,
)
from numba.extending import intrinsic

NAME = "wasm"


class PlainLibrary(codegen.AOTCodeLibrary):
    """Code without optimisation."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def _optimize_final_module(self) -> None:
        pass


class PlainCodegen(codegen.AOTCPUCodegen):
    _library_class = PlainLibrary


class WasmContext(cpu.CPUContext):
    """Lowers functions as for the processor."""

    def init(self) -> None:
        self.is32bit = False
        self._internal_codegen = PlainCodegen("murmurate.engines.wasm")

    def load_additional_registries(self) -> None:
        # all targets share one run time, which belongs to the CPU target
        rtsys.initialize(registry.cpu_target.target_context)
        super().load_additional_registries()

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> object:
        """Return a placeholder: functions never run in this process."""
        return object()

    def create_cpython_wrapper(self, *args: Any, **options: Any) -> None:
        """Do nothing: Python never calls the function."""

    create_cfunc_wrapper = create_cpython_wrapper

    def post_lowering(self, mod: Any, library: Any) -> None:
        if self.fastmath:
            fastmathpass.rewrite_module(mod, self.fastmath)


class WasmTarget(registry.CPUTarget):
    @cached_property
    def _toplevel_target_context(self) -> WasmContext:
        return WasmContext(self.typing_context, self._target_name)

    @cached_property
    def _toplevel_typing_context(self) -> Any:
        return typing.Context()


class WebAssembly(CPU):
    """Inherits all implementations of the CPU target."""


class WasmDispatcher(Dispatcher):
    targetdescr = WasmTarget(NAME)

    def add_overload(self, result: Any) -> None:
        """Store a compiled function for its callers."""
        self.overloads[tuple(result.signature.args)] = result


target_registry[NAME] = WebAssembly
dispatcher_registry[target_registry[NAME]] = WasmDispatcher


def wasm_jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a function as numba's `njit` does, for this target and without a disk cache."""
    pipeline = options.pop("pipeline_class", None)
    options.pop("cache", None)
    more = {} if pipeline is None else {"pipeline_class": pipeline}

    def decorate(function: Callable[..., Any]) -> Any:
        return WasmDispatcher(function, targetoptions={"nopython": True, **options}, **more)

    return decorate


jit_registry[target_registry[NAME]] = lambda *args, **options: (
    wasm_jit(**options)(*args) if args else wasm_jit(**options)
)


def decorate_functions(names: Mapping[str, Any]) -> dict[str, Any]:
    """Return `names` with all plain functions decorated; decorated functions call each other.

    Sums keep their order, so their bits are the same on every machine.
    """
    decorated: dict[str, Any] = dict(names)
    for name, value in names.items():
        if isfunction(value):
            copy = FunctionType(value.__code__, {**value.__globals__}, name)
            decorated[name] = wasm_jit(fastmath=False, error_model="numpy", boundscheck=False)(copy)
    dispatchers = {name: f for name, f in decorated.items() if isinstance(f, WasmDispatcher)}
    for function in dispatchers.values():
        function.py_func.__globals__.update(dispatchers)
    return decorated


def forget(functions: Iterable[WasmDispatcher]) -> None:
    """Remove stored parts of functions that no other function will call.

    numba does so when a function is deleted; but the target refers to its globals, and so to it.
    """
    context = WasmDispatcher.targetdescr.target_context
    for function in functions:
        results: Any = function.overloads.values()
        for result in results:
            context.remove_user_function(result.entry_point)
        function.overloads.clear()


@dataclass(frozen=True)
class Lowered:
    """A lowered function.

    text     LLVM assembly of the function and of all functions that it calls
    context  knows its calling convention
    """

    name: str
    signature: Any
    text: str
    context: Any


def lower(function: WasmDispatcher, arguments: tuple[Any, ...]) -> Lowered:
    """Lower a decorated function for these argument types. Raises numba's errors."""
    with target_override(NAME), global_compiler_lock:
        function.compile(arguments)
        result: Any = function.overloads[arguments]
        text = str(binding.parse_bitcode(result.library.emit_bitcode()))
    return Lowered(
        result.fndesc.llvm_func_name,
        result.signature,
        text,
        WasmDispatcher.targetdescr.target_context,
    )


# --- intrinsics


def _bits_of(typingctx: Any, x: Any) -> Any:
    """Return the 64 bits of a float64 as an int64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), generate


def _from_bits(typingctx: Any, bits: Any) -> Any:
    """Return the float64 with the 64 bits of an int64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), generate


def _trap(typingctx: Any) -> Any:
    """Stop the module at once, after an internal error."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        void = ir.FunctionType(ir.VoidType(), [])
        builder.call(builder.module.declare_intrinsic("llvm.trap", fnty=void), [])
        return context.get_dummy_value()

    return types.void(), generate


bits_of: Any = intrinsic(_bits_of)
from_bits: Any = intrinsic(_from_bits)
trap: Any = intrinsic(_trap)
