"""Tables that are compressed: .csv.gz, .csv.zip and the like."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, cast

from murmurate.disk import open_regular, regular
from murmurate.record.errors import RecordingRefused

MOST_TIMES = 200  # a compressed file may hold this many times its own size, and SMALL bytes more
SMALL = 64 << 20
OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
ENDINGS = (*OPENERS, ".zip")


def plain_path(path: Path) -> Path:
    """The name of a file without the ending of its compression: a.csv of a.csv.gz."""
    return path.with_suffix("") if path.suffix.lower() in ENDINGS else path


def ending_of(path: Path) -> str:
    """The ending of a file, in lower case, without that of its compression; a .zip has that of the
    one file in it."""
    if path.suffix.lower() == ".zip" and not plain_path(path).suffix and path.is_file():
        return Path(_only_member(path)).suffix.lower()
    return plain_path(path).suffix.lower()


def open_binary(path: Path) -> IO[bytes]:
    """Open a file, and decompress it while it is read. Raises OSError, and RecordingRefused for a
    .zip that holds no single file, and for what is far larger than its file."""
    ending = path.suffix.lower()
    if ending == ".zip":
        file: Any = zipfile.ZipFile(regular(path)).open(_only_member(path))  # noqa: SIM115
    elif ending in OPENERS:
        file = OPENERS[ending](regular(path), "rb")
    else:
        return cast("IO[bytes]", open_regular(path))
    return cast("IO[bytes]", io.BufferedReader(_Limited(file, path)))


class _Limited(io.RawIOBase):
    """A decompressed file that is refused when it is many times as large as its file."""

    def __init__(self, file: Any, path: Path) -> None:
        self._file, self._path = file, path
        self._left = SMALL + MOST_TIMES * path.stat().st_size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except (EOFError, zipfile.BadZipFile, lzma.LZMAError, ValueError) as error:
            raise RecordingRefused(f"{self._path}: cannot be decompressed: {error}") from None
        self._left -= len(data)
        if self._left < 0:
            raise RecordingRefused(
                f"{self._path}: got more than {MOST_TIMES} times its own size; expected a table. "
                "Decompress it and give the file in it"
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def _only_member(path: Path) -> str:
    """The one file in a .zip. Raises RecordingRefused for another number."""
    try:
        with zipfile.ZipFile(regular(path)) as archive:
            names = [one.filename for one in archive.infolist() if not one.is_dir()]
    except zipfile.BadZipFile:
        raise RecordingRefused(f"{path}: cannot be read: it is no .zip") from None
    names = [name for name in names if not name.startswith("__MACOSX/")]
    if len(names) != 1:
        raise RecordingRefused(
            f"{path}: got a .zip of {len(names)} files; expected one table. Unpack it, and give "
            "the table, or the folder if there is a table per animal"
        )
    return names[0]
