"""The compiler's target: numba's pipeline for generated functions, without any optimisation for the
processor at hand, so that LLVM can make WebAssembly of what comes out.

numba is told of one more target, by its own way of adding one. It is the processor's in all but
this: a function's code is left as it was lowered, and nothing of numba's run time is linked in.
What is compiled for it never meets what is compiled for the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import isfunction
from types import FunctionType
from typing import Any

from llvmlite import binding
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

NAME = "wasm"


class PlainLibrary(codegen.AOTCodeLibrary):
    """Code as it was lowered."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def _optimize_final_module(self) -> None:
        pass


class PlainCodegen(codegen.AOTCPUCodegen):
    _library_class = PlainLibrary


class WasmContext(cpu.CPUContext):
    """How functions are lowered: as for the processor."""

    def init(self) -> None:
        self.is32bit = False
        self._internal_codegen = PlainCodegen("murmurate.engines.wasm")

    def load_additional_registries(self) -> None:
        # the run time is one for all targets, and belongs to the processor
        rtsys.initialize(registry.cpu_target.target_context)
        super().load_additional_registries()

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> object:
        """What a function is known by here, where nothing of it runs."""
        return object()

    def create_cpython_wrapper(self, *args: Any, **options: Any) -> None:
        """Python does not call it."""

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
    """What is implemented for processors holds for it too."""


class WasmDispatcher(Dispatcher):
    targetdescr = WasmTarget(NAME)

    def add_overload(self, result: Any) -> None:
        """Keeps a result for other functions to use; Python does not call it."""
        self.overloads[tuple(result.signature.args)] = result


target_registry[NAME] = WebAssembly
dispatcher_registry[target_registry[NAME]] = WasmDispatcher


def wasm_jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """numba's decorator `njit`, for this target. Nothing is kept on disk."""
    pipeline = options.pop("pipeline_class", None)
    options.pop("cache", None)
    more = {} if pipeline is None else {"pipeline_class": pipeline}

    def decorated(function: Callable[..., Any]) -> Any:
        return WasmDispatcher(function, targetoptions={"nopython": True, **options}, **more)

    return decorated


jit_registry[target_registry[NAME]] = lambda *args, **options: (
    wasm_jit(**options)(*args) if args else wasm_jit(**options)
)


def plain_decorated(names: Mapping[str, Any]) -> dict[str, Any]:
    """Names, in which plain functions that call each other are decorated. Their sums keep their
    order, so that their bits are the same everywhere."""
    found: dict[str, Any] = dict(names)
    for name, value in names.items():
        if isfunction(value):
            alike = FunctionType(value.__code__, {**value.__globals__}, name)
            found[name] = wasm_jit(fastmath=False, error_model="numpy", boundscheck=False)(alike)
    for function in found.values():
        if isinstance(function, WasmDispatcher):
            function.py_func.__globals__.update(
                {name: f for name, f in found.items() if isinstance(f, WasmDispatcher)}
            )
    return found


@dataclass(frozen=True)
class Function:
    """A function as it was lowered: its name, what it takes and gives, the code (LLVM's text) of it
    and of all that it calls, and the context that knows how it is called."""

    name: str
    signature: Any
    text: str
    context: Any


def lowered(function: WasmDispatcher, arguments: tuple[Any, ...]) -> Function:
    """A decorated function, lowered for these types of arguments. Raises numba's errors for what it
    cannot compile."""
    with target_override(NAME), global_compiler_lock:
        function.compile(arguments)
        result: Any = function.overloads[arguments]
        text = str(binding.parse_bitcode(result.library.emit_bitcode()))
    return Function(
        result.fndesc.llvm_func_name,
        result.signature,
        text,
        WasmDispatcher.targetdescr.target_context,
    )
