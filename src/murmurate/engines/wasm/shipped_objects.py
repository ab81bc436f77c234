"""Compiled objects that come with the package: those of the pages of published flocks.

WebAssembly is the same on all machines, so the page of a published flock compiles nothing.
`viewer/make_objects.py` compiles the objects into FOLDER. The name of an object is a digest of its
sources: if the text of a kernel or this package changes, the object has another name, and is
compiled and stored in the user's cache.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path

from murmurate.codegen.cache_folder import read_cached, write_cached

FOLDER = Path(__file__).with_name("objects")
ENDING = ".wasm.o.zlib"


def shipped_object(name: str, folder: Path = FOLDER) -> bytes | None:
    """Return the object of a name; None if it is missing or damaged."""
    data = read_cached(folder / f"{name}{ENDING}")
    return None if data is None else zlib.decompress(data)


def write_objects(objects: Mapping[str, bytes], folder: Path = FOLDER) -> None:
    """Write objects, by their names, in place of those in a folder."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob(f"*{ENDING}"):
        if old.name.removesuffix(ENDING) not in objects:
            old.unlink()
    for name, data in objects.items():
        write_cached(folder / f"{name}{ENDING}", zlib.compress(data, 9))
