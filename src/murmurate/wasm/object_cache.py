"""Compiled objects, kept in the cache folder by content."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache

from murmurate.codegen.cached_file import cached_file
from murmurate.codegen.compile_thread import compile_apart
from murmurate.codegen.fast_compile import compiling
from murmurate.wasm import object_code, plain_angles, plain_powers, target


def cached_object(kind: str, texts: Iterable[str], make: Callable[[], bytes]) -> bytes:
    """The object that is made of these texts: made now, in a thread of its own, if it is not in the
    cache. Raises what `make` raises."""
    return cached_file(f"murmurate_{kind}_{_digest(*texts)}.wasm.o", lambda: _made_apart(make))


def _made_apart(make: Callable[[], bytes]) -> bytes:
    made: list[bytes] = []

    def compile() -> None:
        with compiling():
            made.append(make())

    compile_apart(compile)
    return made[0]


def _digest(*texts: str) -> str:
    import llvmlite
    import numba

    versions = f"{sys.version}|{numba.__version__}|{llvmlite.__version__}"
    said = "|".join([versions, _sources(), *texts])
    return hashlib.sha256(said.encode()).hexdigest()[:24]


@lru_cache(maxsize=1)
def _sources() -> str:
    """The text of all that makes modules, and of the mathematics in them."""
    return "".join(map(inspect.getsource, (target, object_code, plain_angles, plain_powers)))
