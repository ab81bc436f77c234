"""Cache compiled kernels on disk, in modules named by the hash of their code.

The text of a module is a Python file. Compiled kernels are object files next to it, and load
without an import of the module or of numba. numba has its own disk cache, by file and time stamp,
for the functions that all modules share. A file named by its contents is never stale and is written
only once.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from ctypes import CFUNCTYPE, c_int64
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

from murmurate.codegen.cache_folder import CHOICE, cache_folder
from murmurate.codegen.code_digest import code_digest, code_of, file_digest
from murmurate.codegen.kernel_object import (
    FAILED,
    DamagedObject,
    KernelObject,
    UnknownSymbol,
    machine,
)
from murmurate.codegen.module_text import ARGUMENT_TYPES, functions_module, functions_text
from murmurate.disk import read_bytes, read_text, write_file
from murmurate.errors import KernelError

LOADING = threading.Lock()  # a module that another thread is loading is not complete
_KERNEL = re.compile(r"^@(?:wide_)?kernel\ndef (\w+)\(", re.MULTILINE)
_SHARED = re.compile(r"^from murmurate_functions_([a-z0-9]+)_", re.MULTILINE)
_MAKERS = ("intrinsics", "kernel_compiler", "kernel_object")
"""Modules of this package that determine object code, besides its source."""


class Kernel:
    """A compiled function that takes the address of a table of arguments and returns a number.

    `compile` loads or compiles it. Calls release Python's global lock.

    module  module of its text
    cached  whether it was loaded from the cache; None before `compile`
    """

    def __init__(self, module: KernelModule, name: str) -> None:
        self.module, self.name = module, name
        self.cached: bool | None = None
        self.address = 0
        self._lock = threading.Lock()
        self._call: Callable[[int], int] | None = None

    @property
    def is_compiled(self) -> bool:
        """Whether the kernel can be called."""
        return self._call is not None

    @property
    def in_cache(self) -> bool:
        """Whether the kernel can be called, or loaded without compilation."""
        return self.is_compiled or self.module.object_path(self.name).exists()

    def compile(self) -> None:
        """Load the kernel from the cache, or compile it.

        Raises numba's errors for code that it cannot compile, and OSError if the folder cannot be
        written.
        """
        with self._lock:
            if self._call is not None:
                return
            self.address = self._loaded() or self._compiled()
            self._call = CFUNCTYPE(c_int64, c_int64)(self.address)

    def _loaded(self) -> int:
        """Load the kernel from the cache; return its address, or 0 if the cache lacks it."""
        with suppress(FileNotFoundError, DamagedObject, UnknownSymbol):
            address = KernelObject.from_bytes(read_bytes(self.module.object_path(self.name))).load()
            self.cached = True
            return address
        return 0

    def _compiled(self) -> int:
        from murmurate.codegen.kernel_compiler import faster_compilation

        with faster_compilation():
            compiled: KernelObject = getattr(self.module.imported(), self.name).compile()
        _write(self.module.object_path(self.name), compiled.to_bytes())
        self.cached = False
        return compiled.load()

    def __call__(self, table: int) -> int:
        assert self._call is not None, f"kernel {self.name} is not compiled"
        result = self._call(table)
        if result == FAILED:
            raise KernelError(f"kernel {self.name} of {self.module.path} failed")
        return result


class KernelModule:
    """A generated module: its text in the cache folder, and its kernels.

    prefix  prefix of its name
    """

    def __init__(self, prefix: str, text: str) -> None:
        self.text = text
        self.name = f"{prefix}_{code_digest([text], *versions())[:24]}"
        self.kernels = {name: Kernel(self, name) for name in _KERNEL.findall(text)}

    @cached_property
    def path(self) -> Path:
        """Path of the file with this code; it is written if it is missing.

        A file that differs only in comments stays: numba would compile its functions again.
        """
        path = cache_folder() / f"{self.name}.py"
        with suppress(FileNotFoundError):
            if code_of(read_text(path)) == code_of(self.text):
                return path
        _write(path, self.text)
        return path

    def object_path(self, kernel: str) -> Path:
        """Return the path of a kernel's object file."""
        return cache_folder() / f"{self.name}.{kernel}.{_machine_digest()}.o"

    @property
    def is_compiled(self) -> bool:
        """Whether some of its kernels are in the cache; otherwise its first call takes seconds."""
        return any(self.object_path(name).exists() for name in self.kernels)

    def imported(self) -> ModuleType:
        """Import the module and return it."""
        if imports := _SHARED.search(self.text):
            shared = shared_module(imports[1])
            sys.modules[functions_module(imports[1])] = shared.imported()
        with LOADING:
            if self.name not in sys.modules:
                _execute(self.name, self.path)
            return sys.modules[self.name]


@lru_cache(maxsize=256)
def kernel_module(text: str) -> KernelModule:
    """Return the module with this text."""
    return KernelModule("murmurate_kernel", text)


@lru_cache(maxsize=4)
def shared_module(dtype: str) -> KernelModule:
    """Return the module of functions that all kernels share, for float32 or float64."""
    return KernelModule(functions_module(dtype), functions_text(dtype))


@lru_cache(maxsize=4)
def versions(argument_types: tuple[type, ...] = ARGUMENT_TYPES) -> tuple[str, ...]:
    """Return the inputs of compiled code besides its text.

    argument_types  named tuples that functions take: numba's cache stores them by module, name and
                    fields of the class, and cannot load a class that has moved
    """
    libraries = (version(name) for name in ("numba", "llvmlite", "numpy"))
    makers = [Path(__file__).with_name(f"{name}.py") for name in _MAKERS]
    classes = (
        f"{cls.__module__}.{cls.__qualname__}({', '.join(getattr(cls, '_fields', ()))})"
        for cls in argument_types
    )
    return (sys.version, *libraries, *classes, file_digest(*makers))


@lru_cache(maxsize=1)
def _machine_digest() -> str:
    return hashlib.sha256("\0".join(machine()).encode()).hexdigest()[:12]


def _execute(name: str, path: Path) -> None:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise


def _write(path: Path, data: str | bytes) -> None:
    try:
        write_file(path, data)
    except OSError as error:
        raise OSError(
            error.errno,
            f"compiled kernels cannot be stored in {path.parent}: {error.strerror or error}; set "
            f"{CHOICE} to a folder that can be written",
        ) from None
