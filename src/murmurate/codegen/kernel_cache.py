"""Compiled kernels on disk, by content: a module named by the hash of its code.

numba keys its disk cache by a file and its time stamp. A file that is named by what is in it can
never be stale, and never needs to be written twice.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import threading
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from murmurate.codegen.cache_folder import cache_folder
from murmurate.codegen.code_digest import code_digest, code_of, source_digest
from murmurate.codegen.kernel_functions_text import functions_module, functions_text
from murmurate.disk import read_text, write_file

LOADING = threading.Lock()  # a module that another thread has begun to load is not there yet


def kernel_module(text: str) -> ModuleType:
    """The module with this text, compiled kernels and all where they are in the cache already; and
    the module of shared functions that it imports."""
    if imported := re.search(r"(?m)^from murmurate_functions_([a-z0-9]+)_", text):
        shared_module(imported[1])
    return _module("murmurate_kernel", text)


def shared_module(dtype: str) -> ModuleType:
    """The module of functions that the kernels of all models share."""
    return _module(functions_module(dtype), functions_text(dtype))


def _module(prefix: str, text: str) -> ModuleType:
    """A module by its text. It is also known by a prefix that says what is in it."""
    name = f"{prefix}_{code_digest([text], *versions())[:24]}"
    with LOADING:
        if name not in sys.modules:
            _loaded(name, text)
        if prefix != "murmurate_kernel":
            sys.modules[prefix] = sys.modules[name]
        return sys.modules[name]


@lru_cache(maxsize=1)
def versions() -> tuple[str, ...]:
    """What the compiled code of a text depends on beside it."""
    import llvmlite
    import numba
    import numpy

    from murmurate.codegen import intrinsics, kernel_compiler

    return (
        sys.version, numba.__version__, llvmlite.__version__, numpy.__version__,
        source_digest(intrinsics, kernel_compiler),
    )  # fmt: skip


def _loaded(name: str, text: str) -> ModuleType:
    path = _written(name, text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def is_compiled(module: ModuleType) -> bool:
    """Whether kernels of this module are in the cache, or their first call will take seconds."""
    path = Path(str(module.__file__))
    return any(path.parent.glob(f"__pycache__/{path.stem}.*.nbi"))


def _written(name: str, text: str) -> Path:
    """The file with this code in the cache folder. One with other comments stays as it is, for
    numba compiles a file anew that was written anew."""
    folder = cache_folder()
    path = folder / f"{name}.py"
    try:
        if not path.exists() or code_of(read_text(path)) != code_of(text):
            write_file(path, text)
    except OSError as error:
        raise OSError(
            error.errno,
            f"compiled kernels cannot be kept in {folder}: {error.strerror or error}; set "
            "MURMURATE_CACHE to a folder that can be written",
        ) from None
    return path
