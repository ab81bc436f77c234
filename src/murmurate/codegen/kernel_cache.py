"""Cache compiled kernels on disk, in modules named by the hash of their code.

Compiled kernels are object files, and load without numba. A file named by the text that it was
compiled from is never stale and is written only once. The text itself is not stored: it is made
again in each process, so no file of the cache is run as Python.
"""

from __future__ import annotations

import hashlib
import linecache
import re
import sys
import threading
from collections.abc import Callable, Mapping
from ctypes import CFUNCTYPE, c_int64
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from murmurate.codegen.cache_folder import cache_folder, read_cached, write_cached
from murmurate.codegen.code_digest import code_digest, file_digest
from murmurate.codegen.kernel_object import (
    FAILED,
    KernelCode,
    KernelObject,
    UnknownSymbol,
    machine,
)
from murmurate.codegen.module_text import (
    ARGUMENT_TYPES,
    functions_module,
    functions_text,
    worlds_text,
)
from murmurate.codegen.shipped_objects import shipped_object
from murmurate.disk import read_bytes
from murmurate.errors import KernelError

LOADING = threading.Lock()  # a module that another thread is loading is not complete
_KERNEL = re.compile(r"^@(?:wide_)?kernel\ndef (\w+)\(", re.MULTILINE)
_SHARED = re.compile(r"^from murmurate_functions_([a-z0-9]+)_", re.MULTILINE)
_MAKERS = [
    Path(__file__).with_name(f"{name}.py")
    for name in ("intrinsics", "kernel_compiler", "kernel_object")
]
"""Files of this package that determine object code, besides its source."""


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
        data = read_cached(self.module.object_path(self.name))
        try:
            address = KernelObject.from_bytes(data).load() if data is not None else 0
        except UnknownSymbol:
            return 0
        self.cached = data is not None
        return address

    def _compiled(self) -> int:
        compiled = self._translated() or self.lower().compile()
        write_cached(self.module.object_path(self.name), compiled.to_bytes())
        self.cached = False
        return compiled.load()

    def _translated(self) -> KernelObject | None:
        """Translate the code that comes with the package; None if this machine cannot use it."""
        data = shipped_object(self.shipped_name)
        try:
            compiled = None if data is None else KernelCode.from_bytes(data).compile()
        except RuntimeError:  # code of a newer LLVM
            return None
        return compiled if compiled and compiled.can_load else None

    @property
    def shipped_name(self) -> str:
        """Return the name of its code among that which comes with the package."""
        return f"{self.module.shipped_name}.{self.name}.bc"

    def lower(self) -> KernelCode:
        """Compile the kernel to LLVM's code. Raises numba's errors."""
        from murmurate.codegen.kernel_compiler import faster_compilation

        with faster_compilation():
            code: KernelCode = getattr(self.module.imported(), self.name).lower()
        return code

    def __call__(self, table: int) -> int:
        assert self._call is not None, f"kernel {self.name} is not compiled"
        result = self._call(table)
        if result == FAILED:
            raise KernelError(f"kernel {self.name} of {self.module.name} failed")
        return result


class KernelModule:
    """A generated module: its text, and its kernels, which the cache folder stores.

    prefix  prefix of its name
    """

    def __init__(self, prefix: str, text: str) -> None:
        self.text = text
        self.name = f"{prefix}_{code_digest([text], *versions())[:24]}"
        self.shipped_name = f"{prefix}_{code_digest([text], _makers_digest())[:24]}"
        self.kernels = {name: Kernel(self, name) for name in _KERNEL.findall(text)}

    def object_path(self, kernel: str) -> Path:
        """Return the path of a kernel's object file."""
        return cache_folder() / f"{self.name}.{kernel}.{_machine_digest()}.o"

    @property
    def is_compiled(self) -> bool:
        """Whether some of its kernels are in the cache; otherwise its first call takes seconds."""
        return any(self.object_path(name).exists() for name in self.kernels)

    def imported(self) -> ModuleType:
        """Execute the text, unless a module of the same code was, and return the module."""
        if imports := _SHARED.search(self.text):
            shared = shared_module(imports[1])
            sys.modules[functions_module(imports[1])] = shared.imported()
        with LOADING:
            if self.name not in sys.modules:
                sys.modules[self.name] = executed(self.name, self.text)
            return sys.modules[self.name]


@lru_cache(maxsize=256)
def kernel_module(text: str) -> KernelModule:
    """Return the module with this text."""
    return KernelModule("murmurate_kernel", text)


@lru_cache(maxsize=4)
def shared_module(dtype: str) -> KernelModule:
    """Return the module of functions that all kernels share, for float32 or float64."""
    return KernelModule(functions_module(dtype), functions_text(dtype))


@lru_cache(maxsize=2)
def worlds_module(dtype: str) -> KernelModule:
    """Return the module of the loop over worlds, for float32 or float64."""
    return KernelModule(f"murmurate_worlds_{dtype}", worlds_text(dtype))


@lru_cache(maxsize=4)
def versions(argument_types: tuple[type, ...] = ARGUMENT_TYPES) -> tuple[str, ...]:
    """Return the inputs of compiled code besides its text.

    argument_types  named tuples that functions take: numba's cache stores them by module, name and
                    fields of the class, and cannot load a class that has moved
    """
    libraries = (version(name) for name in ("numba", "llvmlite", "numpy"))
    classes = (
        f"{cls.__module__}.{cls.__qualname__}({', '.join(getattr(cls, '_fields', ()))})"
        for cls in argument_types
    )
    return (sys.version, *libraries, *classes, file_digest(*_MAKERS))


@lru_cache(maxsize=1)
def _makers_digest() -> str:
    """Return a digest of what makes LLVM's code, the same in all versions of Python."""
    files = [*_MAKERS[:2], Path(str(sys.modules[ARGUMENT_TYPES[0].__module__].__file__))]
    return hashlib.sha256(b"".join(map(read_bytes, files))).hexdigest()


@lru_cache(maxsize=1)
def _machine_digest() -> str:
    return hashlib.sha256("\0".join(machine()).encode()).hexdigest()[:12]


def executed(name: str, text: str, names: Mapping[str, Any] | None = None) -> ModuleType:
    """Execute a text as a module; tracebacks and the compiler find its lines.

    names  predefined names of the module
    """
    module = ModuleType(name)
    module.__file__ = f"<{name}>"
    vars(module).update(names or {})
    linecache.cache[module.__file__] = (
        len(text), None, text.splitlines(keepends=True), module.__file__
    )  # fmt: skip
    exec(compile(text, module.__file__, "exec"), vars(module))
    return module
