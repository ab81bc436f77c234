"""Files in the cache folder, made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from murmurate.codegen.cache_folder import CHOICE, cache_folder
from murmurate.disk import read_bytes, write_file


def cached_file(name: str, make: Callable[[], bytes], part: str = "kernels") -> bytes:
    """What is in the file of that name, which is made now if it is not there. The name says all
    that the content depends on.

    part  of the cache: see cache_folder
    Raises what `make` raises, OSError for a folder that cannot be written.
    """
    path = cache_folder(part) / name
    with suppress(FileNotFoundError):
        return read_bytes(path)
    made = make()
    try:
        write_file(path, made)
    except OSError as error:
        raise OSError(
            error.errno,
            f"nothing can be kept in {path.parent}: {error.strerror or error}; set {CHOICE} to a "
            "folder that can be written",
        ) from None
    return made
