"""Open files of tracks, compressed or not, and limit how much is read from them.

A file may ask for far more memory than it has bytes: gaps in a table and unwritten HDF5 chunks
occupy no space on disk, and compressed data can expand without bound. Every limit here follows from
the size of the file.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast
from xml.etree import ElementTree
from xml.parsers import expat

from murmurate.disk import open_regular, regular
from murmurate.errors import TracksError
from murmurate.number_text import parse_number

OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
COMPRESSED = (*OPENERS, ".zip")
"""Endings of compressed files."""
MAX_EXPANSION = 200  # decompressed bytes per compressed byte, beyond FREE_EXPANSION
FREE_EXPANSION = 64 << 20  # bytes that any compressed file may expand to

MAX_NUMBERS = 1_000_000_000  # of one file: 8 GB of float64
FREE_NUMBERS = 8_000_000  # that any file may hold
NUMBERS_PER_BYTE = 20  # beyond FREE_NUMBERS; tracks cannot be packed more densely

LIBRARY_BYTES = 1 << 30  # address space that libraries reserve for any file
BYTES_PER_CORE = 256 << 20  # address space of the libraries' threads
COPIES = 8  # of the numbers of a file that exist while it is read


def plain_path(path: Path) -> Path:
    """Return a path without the ending of its compression: a.csv for a.csv.gz."""
    return path.with_suffix("") if path.suffix.lower() in COMPRESSED else path


def file_ending(path: Path) -> str:
    """Return the ending of a file in lower case, without that of its compression."""
    if path.suffix.lower() == ".zip" and not plain_path(path).suffix and path.is_file():
        return Path(_only_member(path)).suffix.lower()
    return plain_path(path).suffix.lower()


def open_binary(path: Path) -> IO[bytes]:
    """Open a file for reading and decompress it while it is read.

    Raises OSError, and TracksError for a .zip without exactly one member and for data that
    expand to more than MAX_EXPANSION times the size of the file.
    """
    ending = path.suffix.lower()
    if ending == ".zip":
        file: Any = zipfile.ZipFile(regular(path)).open(_only_member(path))  # noqa: SIM115
    elif ending in OPENERS:
        file = OPENERS[ending](regular(path), "rb")
    else:
        return cast("IO[bytes]", open_regular(path))
    return cast("IO[bytes]", io.BufferedReader(_LimitedReader(file, path)))


class _LimitedReader(io.RawIOBase):
    """A decompressed stream that raises TracksError once it exceeds its limit."""

    def __init__(self, file: Any, path: Path) -> None:
        self._file, self._path = file, path
        self._bytes_left = FREE_EXPANSION + MAX_EXPANSION * path.stat().st_size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except (EOFError, zipfile.BadZipFile, lzma.LZMAError, ValueError) as error:
            raise TracksError(f"{self._path}: cannot be decompressed: {error}") from None
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise TracksError(
                f"{self._path}: got more than {MAX_EXPANSION} times its own size; expected a "
                "table. Decompress it and open the file inside"
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def _only_member(path: Path) -> str:
    """Return the name of the only file in a .zip, or raise TracksError."""
    try:
        with zipfile.ZipFile(regular(path)) as archive:
            names = [member.filename for member in archive.infolist() if not member.is_dir()]
    except zipfile.BadZipFile:
        raise TracksError(f"{path}: cannot be read: it is not a .zip file") from None
    names = [name for name in names if not name.startswith("__MACOSX/")]
    if len(names) != 1:
        raise TracksError(
            f"{path}: got a .zip of {len(names)} files; expected one table. Unpack it and open "
            "the table, or the folder if it has one table per animal"
        )
    return names[0]


def max_numbers(path: Path) -> int:
    """Return how many numbers tracks from this file may have."""
    return min(MAX_NUMBERS, FREE_NUMBERS + NUMBERS_PER_BYTE * total_size(path))


def total_size(path: Path) -> int:
    """Return the bytes of a file, of the files in a folder, or of those that match a pattern."""
    files = [path] if path.is_file() else path.rglob("*")
    if not path.exists():
        files = path.parent.glob(path.name)
    return sum(file.stat().st_size for file in files if file.is_file())


def check_numbers(count: int, what: str, path: Path) -> None:
    """Raise TracksError if `what` has more numbers than a file of this size may hold."""
    if count > (limit := max_numbers(path)):
        raise TracksError(
            f"{path}: got {count:,} numbers in {what}; expected at most {limit:,} in a file of "
            f"{total_size(path):,} bytes. Split the file"
        )


@contextmanager
def limit_memory(path: Path) -> Iterator[None]:
    """Limit the address space of the process to the needs of a file of this size.

    This backs up the checks of sizes: libraries allocate whatever a damaged file asks for. An
    allocation beyond the limit raises MemoryError, or the library's own error. The limit applies on
    Linux only, and only if no other thread runs that could reach it.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        yield
        return
    import resource

    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    extra = LIBRARY_BYTES + BYTES_PER_CORE * (os.cpu_count() or 1)
    extra += COPIES * 8 * max_numbers(path)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [used + extra, *(x for x in (soft, hard) if x != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def xml_root(path: Path) -> str:
    """Return the outermost element of an XML file, without its namespace.

    Raises TracksError for a document type, which may define entities that expand without bound.
    """

    def refuse(*_: object) -> None:
        raise TracksError(f"{path}: got a document type (DOCTYPE); expected none. Remove that line")

    def stop(name: str, _: object) -> None:
        raise StopIteration(name)

    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartDoctypeDeclHandler, parser.StartElementHandler = refuse, stop
    try:
        with open_regular(path) as file:
            parser.ParseFile(file)
    except StopIteration as found:
        return str(found.value).rpartition("}")[2]
    except expat.ExpatError as error:
        raise TracksError(f"{path}: cannot be read: it is damaged XML: {error}") from None
    return ""


def iterate_xml(path: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield ('start' or 'end', tag without its namespace, element) while an XML file is parsed."""
    xml_root(path)
    try:
        for event, element in ElementTree.iterparse(regular(path), ("start", "end")):
            yield event, str(element.tag).rpartition("}")[2], element
    except ElementTree.ParseError as error:
        raise TracksError(f"{path}: cannot be read: it is damaged XML: {error}") from None


def xml_number(element: Any, name: str, path: Path) -> float:
    """Return an attribute as a number; a missing z is 0. Raises TracksError."""
    text = element.get(name, "0" if name in ("z", "POSITION_Z") else "nothing")
    try:
        return parse_number(text)
    except ValueError:
        tag = str(element.tag).rpartition("}")[2]
        raise TracksError(
            f"{path}: {name}: got {text[:40]!r} in a <{tag}>; expected a number"
        ) from None
