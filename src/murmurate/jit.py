"""Compile functions that draw, search and measure, when they are first called.

numba is imported then, and stores what it compiles, so only the first use on a machine compiles.
Functions that fill arrays are `stored` as kernels are: no later call imports numba, and some come
with the package.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from ctypes import addressof, c_char
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from murmurate.activity import doing
from murmurate.codegen.code_digest import code_of
from murmurate.codegen.kernel_cache import Kernel, KernelModule

TEXT = "Compiling functions that draw and measure (stored for next time)"
KERNEL = """\
import numpy as np

from murmurate.codegen.intrinsics import array1, array2, array3, float_of, number
from murmurate.codegen.kernel_compiler import kernel_with
from {module} import {name} as compiled

SOURCES = "{sources}"
{examples}
function = compiled.dispatcher
kernel = kernel_with(error_model="numpy")


@kernel
def {name}(table):
    function({arguments})
    return 0
"""


FUNCTIONS: list[StoredFunction] = []
"""All stored functions of the modules that are imported."""


class Compiled:
    """A function that numba compiles with these options, and with the functions that it calls."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func, self._options = function, options

    @cached_property
    def dispatcher(self) -> Any:
        """Return numba's function, which other functions of numba may call."""
        from numba import njit

        _teach_numba()
        return njit(**self._options)(self.py_func)

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)


class StoredFunction(Compiled):
    """A function of contiguous arrays, numbers and tuples of them that returns nothing."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(
            function, {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        )
        self.kernels: dict[tuple[Any, ...], Kernel] = {}

    def __call__(self, *arguments: Any) -> None:
        words: list[int] = []
        kinds = tuple([_unpack(value, words) for value in arguments])
        table = np.array(words, np.int64)
        (self.kernels.get(kinds) or self._kernel(kinds))(table.ctypes.data)

    def _kernel(self, kinds: tuple[Any, ...]) -> Kernel:
        position = iter(range(10_000))
        module, name = self.py_func.__module__, self.py_func.__name__
        sources = hashlib.sha256("\0".join(_sources(self, {})).encode()).hexdigest()
        arguments = ", ".join(_reader(kind, position) for kind in kinds)
        types = sorted(set(re.findall(r"(\w+)_example", arguments)))
        examples = "\n".join(f"{each}_example = np.dtype('{each}').type(0)" for each in types)
        text = KERNEL.format(
            module=module, name=name, sources=sources, arguments=arguments, examples=examples
        )
        kernel = KernelModule("murmurate_stored", text).kernels[name]
        with nullcontext() if kernel.in_cache else doing(TEXT):
            kernel.compile()
        return self.kernels.setdefault(kinds, kernel)


def njit(**options: Any) -> Callable[[Callable[..., Any]], Compiled]:
    """Return a decorator as numba's, for functions that it compiles when they are called."""
    return lambda function: Compiled(function, options)


def stored(**options: Any) -> Callable[[Callable[..., Any]], StoredFunction]:
    """Return a decorator for functions that are stored as kernels are, with options of numba."""

    def decorate(function: Callable[..., Any]) -> StoredFunction:
        FUNCTIONS.append(StoredFunction(function, options))
        return FUNCTIONS[-1]

    return decorate


# --- arguments: an array is its address and sides, a number is one word


def _unpack(value: Any, words: list[int]) -> Any:
    """Add a value to the words of a table, and return its kind."""
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous
        words.append(_address(value))
        words.extend(value.shape)
        return value.dtype.char, value.ndim  # its name takes long
    if isinstance(value, tuple):
        return tuple([_unpack(each, words) for each in value])
    if isinstance(value, (float, np.floating)):
        words.append(struct.unpack("q", struct.pack("d", value))[0])
        return np.float32 if isinstance(value, np.float32) else float
    words.append(int(value))
    return int


def _address(array: np.ndarray) -> int:
    try:
        return addressof(
            c_char.from_buffer(array.data)
        )  # takes a fifth of the time of `ctypes.data`
    except (TypeError, ValueError):  # it is read-only, or empty
        return array.ctypes.data


def _reader(kind: Any, position: Iterator[int]) -> str:
    """Return the code that reads a value of a kind from the next positions of a table."""
    if kind is int:
        return f"number(table, {next(position)})"
    if kind is float:
        return f"float_of(table, {next(position)})"
    if kind is np.float32:
        return f"np.float32(float_of(table, {next(position)}))"
    if not isinstance(kind[0], str):
        return f"({', '.join(_reader(each, position) for each in kind)},)"
    name, dims = np.dtype(kind[0]).name, kind[1]
    first, *_ = [next(position) for _ in range(dims + 1)]
    return f"array{dims}(table, {first}, {name}_example)"


def _sources(function: Compiled, visited: dict[Compiled, None]) -> Iterator[str]:
    """Yield the code and the constants of a function and of those that it calls."""
    if function in visited:
        return
    visited[function] = None
    yield code_of(inspect.getsource(function.py_func))
    names, code = vars(inspect.getmodule(function.py_func)), function.py_func.__code__
    for name in sorted({*code.co_names} & {*names}):
        value = names[name]
        if isinstance(value, Compiled):
            yield from _sources(value, visited)
        elif isinstance(value, np.ndarray):
            yield f"{name} = {value.tolist()} {value.dtype}"
        elif isinstance(value, (int, float, tuple, np.generic)):
            yield f"{name} = {value.item() if isinstance(value, np.generic) else value}"


# --- numba


@lru_cache(maxsize=1)
def _teach_numba() -> None:
    """Let numba's functions call those of this module, and let it report what it compiles."""
    from numba.core import event
    from numba.extending import typeof_impl

    typeof_impl.register(Compiled)(lambda value, context: typeof_impl(value.dispatcher, context))

    class Listener(event.Listener):
        on_start, on_end = staticmethod(_on_start), staticmethod(_on_end)  # type: ignore[assignment]

    event.register("numba:compile", Listener())


_work = threading.local()


def _contexts() -> list[ExitStack]:
    if not hasattr(_work, "contexts"):
        _work.contexts = []
    contexts: list[ExitStack] = _work.contexts
    return contexts


def _on_start(event: Any) -> None:
    """Report the compilation of a function of this package, and make it faster."""
    from murmurate.codegen.kernel_compiler import faster_compilation

    contexts = _contexts()
    contexts.append(ExitStack())
    if str(event.data["dispatcher"].py_func.__module__).startswith("murmurate."):
        contexts[-1].enter_context(doing(TEXT))
        contexts[-1].enter_context(faster_compilation())


def _on_end(event: Any) -> None:
    if contexts := _contexts():
        contexts.pop().close()
