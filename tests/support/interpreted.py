"""Engine cpu with kernels that Python interprets: no kernel is compiled.

Python executes the same text that numba compiles, with plain versions of the intrinsics. A step of
a few boids takes some milliseconds, where compilation takes 5 to 15 s. So it compares the text of
any model with the engine `reference`. Code of numba and LLVM, vectors and threads are not tested.
"""

from __future__ import annotations

import ast
import ctypes
import math
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from hashlib import sha256
from types import ModuleType
from typing import Any

import numpy as np

from murmurate.codegen import intrinsic_names
from murmurate.codegen.kernel_cache import executed
from murmurate.codegen.layout import Layout
from murmurate.codegen.module_text import functions_text
from murmurate.engines.cpu.cpu_engine import CpuEngine

Table = int
KernelFunction = Callable[[Table], int]
KERNEL_TYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
_kernels: dict[int, KernelFunction] = {}  # by address, as `call` needs them
_keep: list[Any] = []  # C functions of kernels, which must outlive their addresses


# --- intrinsics, as in codegen/intrinsics.py


class NoRows(np.ndarray):
    """An array without rows, each of which is empty: kernels may name a row, but never read it."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int | np.integer):
            return np.empty((0, *self.shape[2:]), self.dtype)
        return super().__getitem__(index)


def view(dims: int, table: Table, index: int, example: Any) -> np.ndarray:
    address, *sides = (ctypes.c_int64 * (dims + 1)).from_address(table + 8 * int(index))
    dtype = np.asarray(example).dtype
    size = math.prod(sides) * dtype.itemsize
    if not size:
        return np.empty(sides, dtype).view(NoRows if dims > 1 else np.ndarray)
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(sides)


array1, array2, array3 = (partial(view, dims) for dims in (1, 2, 3))


def unsigned(table: Table, index: int) -> np.uint64:
    return np.uint64(ctypes.c_uint64.from_address(table + 8 * int(index)).value)


def float_of(table: Table, index: int) -> np.float64:
    return np.float64(intrinsic_names.float_of(table, int(index)))


def set_number(table: Table, index: int, value: int) -> None:
    ctypes.c_int64.from_address(table + 8 * int(index)).value = int(value)


def set_float(table: Table, index: int, value: float) -> None:
    ctypes.c_double.from_address(table + 8 * int(index)).value = float(value)


def exchange(table: Table, i: int, k: int) -> None:
    first = ctypes.c_int64.from_address(table + 8 * int(i))
    second = ctypes.c_int64.from_address(table + 8 * int(k))
    first.value, second.value = second.value, first.value


def call(address: int, table: Table) -> int:
    function = _kernels.get(int(address)) or KERNEL_TYPE(int(address))  # else one of the system
    return function(int(table))


def add_shared(numbers: np.ndarray, i: int, n: int) -> int:
    numbers[i] += n
    return numbers[i]


def replace_shared(numbers: np.ndarray, i: int, old: int, new: int) -> bool:
    if numbers[i] != old:
        return False
    numbers[i] = new
    return True


def get_shared(numbers: np.ndarray, i: int) -> int:
    return numbers[i]


def set_shared(numbers: np.ndarray, i: int, value: int) -> None:
    numbers[i] = value


def copy8(to: np.ndarray, m: int, source: np.ndarray, i: int, shift: Any) -> None:
    to[m : m + 8] = source[i : i + 8] + shift


def fetch(array: np.ndarray, i: int) -> None:
    """Nothing: Python has no caches to fill."""


fetch_near = fetch


def natural(number: int) -> int:
    assert number >= 0, f"{number} is marked as not negative"
    return number


def masked(value: Any, mask: bool) -> Any:
    return value if mask else type(value)(0)


def collect8(indices: np.ndarray, n: int, values: np.ndarray, i: int, bound: Any) -> int:
    near = np.flatnonzero(values[i : i + 8] <= bound)
    indices[n : n + len(near)] = i + near
    return len(near)


def window(array: np.ndarray, i: int) -> np.ndarray:
    return array[i:]


def table_of(numbers: np.ndarray, first: int, count: int) -> np.ndarray:
    return numbers[first : first + count]


def list_of(numbers: Any, count: int) -> np.ndarray:
    dtype = type(numbers[0] if isinstance(numbers, tuple) else numbers)
    return np.full(count, numbers, dtype)


def tuple_of(numbers: np.ndarray, count: int) -> tuple[Any, ...]:
    assert len(numbers) == count
    return tuple(numbers)


def item_of(numbers: np.ndarray, i: int) -> Any:
    assert 0 <= i < len(numbers), f"{i} is not checked"
    return numbers[i]


def item_within(numbers: np.ndarray, i: int) -> Any:
    return numbers[i] if -len(numbers) <= i < len(numbers) else numbers.dtype.type(np.nan)


def put_item(numbers: np.ndarray, i: int, number: Any) -> None:
    assert 0 <= i < len(numbers), f"{i} is not checked"
    numbers[i] = number


def put_within(numbers: np.ndarray, i: int, number: Any) -> None:
    if -len(numbers) <= i < len(numbers):
        numbers[i] = number
    else:
        numbers[:] = np.nan


def two_to(n: Any) -> Any:
    return type(n)(np.ldexp(type(n)(1.0), int(n)))


def exponent_of(x: Any) -> Any:
    return type(x)(np.frexp(x)[1] - 1)


def mantissa_of(x: Any) -> Any:
    return type(x)(2 * np.frexp(x)[0])


number, ranks8 = intrinsic_names.number, intrinsic_names.ranks8


# --- modules of kernels


def decorate_plainly(function: Any = None, **options: Any) -> Any:
    """Return the function, with and without options: what replaces njit and kernel_with."""
    return function if function is not None else lambda function: function


@cache
def shared_functions(dtype: str) -> ModuleType:
    """Return the module of functions that all kernels share."""
    return interpreted(f"interpreted functions {dtype}", functions_text(dtype), {})


@lru_cache(maxsize=64)
def kernels_of(source: str, dtype: str) -> ModuleType:
    return interpreted("interpreted kernels", source, vars(shared_functions(dtype)))


def interpreted(name: str, text: str, shared: Mapping[str, Any]) -> ModuleType:
    """Execute a text of kernels. Names that it imports of the compiler, of the intrinsics and of
    the functions that kernels share have plain values; their import is blank."""
    lines = text.splitlines(keepends=True)
    names: dict[str, Any] = {}
    for node in ast.parse(text).body:
        match node:
            case ast.ImportFrom("murmurate.codegen.intrinsics"):
                values: Mapping[str, Any] = globals()
            case ast.ImportFrom("numba" | "murmurate.codegen.kernel_compiler"):
                values = {alias.name: decorate_plainly for alias in node.names}
            case ast.ImportFrom(str(module)) if module.startswith("murmurate_functions_"):
                values = shared
            case _:
                continue
        names |= {alias.name: values[alias.name] for alias in node.names}
        lines[node.lineno - 1 : node.end_lineno] = ["\n"] * (node.end_lineno - node.lineno + 1)
    return executed(name, "".join(lines), names)


class InterpretedKernel:
    """A kernel with the attributes that engine cpu uses: see codegen.kernel_cache.Kernel."""

    is_compiled = in_cache = cached = True

    def __init__(self, name: str, function: KernelFunction) -> None:
        self.name, self.function = name, function
        entry = KERNEL_TYPE(function)
        self.address = ctypes.cast(entry, ctypes.c_void_p).value or 0
        _kernels[self.address] = function
        _keep.append(entry)

    def __call__(self, table: Table) -> int:
        with np.errstate(all="ignore"):  # as compiled code
            return self.function(table)


@cache
def kernel_of(module: ModuleType, name: str) -> InterpretedKernel:
    return InterpretedKernel(name, getattr(module, name))


class InterpretedKernels:
    """What engine cpu needs of ModelKernels."""

    compiled = True

    def __init__(self, layout: Layout, source: str, dtype: str, parts: Any = ()) -> None:
        self.layout, self.source = layout, source
        self.module = f"interpreted {sha256(source.encode()).hexdigest()}"
        self._modules = (kernels_of(source, dtype), shared_functions(dtype))
        self._used: dict[str, InterpretedKernel] = {}

    @property
    def used(self) -> Mapping[str, InterpretedKernel]:
        return self._used

    def kernel(self, name: str) -> InterpretedKernel:
        module = next(module for module in self._modules if hasattr(module, name))
        return self._used.setdefault(name, kernel_of(module, name))


class InterpretedEngine(CpuEngine):
    """Engine cpu of tests with the fixture `interpreted`: see conftest.py."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"make_kernels": InterpretedKernels} | options)
