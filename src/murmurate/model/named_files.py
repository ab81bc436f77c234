"""Files that a user or a model file names: which may be read, and up to which size.

A model file may come from somebody else, so the files that it names must be in its own folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from murmurate.disk import open_regular
from murmurate.errors import ModelError
from murmurate.model.messages import format_value, shorten


def file_in(folder: Path, key: str, name: Any, what: str) -> Path:
    """Return the path of a file in a folder. Raises ModelError.

    key   the key of the model file that names it
    what  the kind of file, such as 'a CSV file'
    """
    if not isinstance(name, str) or not name:
        raise ModelError(f"{key}: got {format_value(name)}; expected the name of {what}")
    file = folder / name
    try:
        inside = file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:
        raise ModelError(f"{key}: got {shorten(name)}, which cannot be read: {error}") from None
    if not inside:
        raise ModelError(
            f"{key}: got {shorten(name)}; expected a file in the folder of the model file. Copy it "
            "there"
        )
    return file


def read_file(
    file: Path, max_bytes: int, too_large: str, *, name: str = "", missing: str = ""
) -> bytes:
    """Return the bytes of a file.

    file  path of a regular file
    max_bytes  largest size, a multiple of 1 MiB
    too_large  the remedy for a larger file
    name  name of the file in messages. The default is its path.
    missing  the end of the message if there is no such file. The default is that of the system.
    raises ModelError  for a file that cannot be read or is larger
    """
    name = name or str(file)
    try:
        with open_regular(file) as stream:
            data: bytes = stream.read(max_bytes + 1)
    except OSError as error:
        reason = missing if isinstance(error, FileNotFoundError) else ""
        reason = reason or error.strerror or str(error)
        raise ModelError(f"{name}: cannot be read: {reason}") from None
    if len(data) > max_bytes:
        raise ModelError(
            f"{name}: got a file of more than {max_bytes >> 20} MiB; expected less. {too_large}"
        )
    return data
