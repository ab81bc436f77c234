"""Compiled code that comes with the package, so that published flocks start at once.

WebAssembly is the same on all machines, so pages of published flocks compile nothing. The kernels
of SHIPPED come as LLVM's code, which only LLVM has to translate for the processor: a tenth of the
work. `viewer/make_objects.py` compiles both. The name of a file is a digest of its sources: if the
text of a kernel or this package changes, it has another name, and is compiled and stored in the
user's cache.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path

from murmurate.codegen.cache_folder import read_cached, write_cached

FOLDER = Path(__file__).with_name("objects")
"""Of the kernels; those of pages are in engines/wasm/objects."""
SHIPPED = ("starlings",)
"""Published flocks whose kernels come with the package."""
ENDING = ".zlib"


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
