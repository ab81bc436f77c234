"""Compiled objects, kept in the cache folder by content."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

from murmurate.codegen.cache_folder import cached_file
from murmurate.codegen.code_digest import code_digest, file_digest
from murmurate.codegen.compile_jobs import compile_in_thread
from murmurate.codegen.kernel_cache import versions
from murmurate.engines.wasm import object_code, plain_angles, plain_powers, target


def cached_object(
    kind: str, texts: Iterable[str], *modules: ModuleType, make: Callable[[], bytes]
) -> bytes:
    """The object that is made of these texts: made now, in a thread of its own, if it is not in the
    cache. Raises what `make` raises.

    modules  of this package, that it is made of beside them
    """
    makers = (target, object_code, plain_angles, plain_powers, *modules)
    made_by = file_digest(*(Path(str(module.__file__)) for module in makers))
    digest = code_digest(texts, *versions(), made_by)[:24]
    return cached_file(f"murmurate_{kind}_{digest}.wasm.o", lambda: _made_apart(make))


def _made_apart(make: Callable[[], bytes]) -> bytes:
    made: list[bytes] = []

    def compile() -> None:
        from murmurate.codegen.kernel_compiler import faster_compilation

        with faster_compilation():
            made.append(make())

    compile_in_thread(compile)
    return made[0]
