"""Names of models, and of files that are named after them.

Names come with other people's files. So a name must not be a path, the name of a hidden file or of
a device, or begin like a command-line option.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

MAX_LENGTH = 64  # characters
MAX_BYTES = 200  # in UTF-8; file names have up to 255, with endings such as that of a draft
MARKS = " -_.,+()"
RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])\s*(\..*)?", re.IGNORECASE)
ALLOWED = (
    f"at most {MAX_LENGTH} letters, digits, spaces and any of {MARKS.strip()}, from a letter or "
    "digit on, without a dot or space at the end"
)


def name_error(name: str) -> str:
    """Return the fault of a model's name, or ''."""
    if name == usable_name(name):
        return ""
    short = name if len(name) <= MAX_LENGTH else name[: MAX_LENGTH // 2] + "..."
    if RESERVED.fullmatch(name):
        return f"got {short!r}, the name of a device on Windows; expected another name"
    return f"got {short!r}; expected {ALLOWED}. Files are named after it"


def usable_name(name: str) -> str:
    """Return a name without forbidden characters."""
    name = "".join(letter if _is_allowed(letter) else "-" for letter in name)
    name = name.lstrip(" -.,+").rstrip(" .")[:MAX_LENGTH]
    name = name.encode()[:MAX_BYTES].decode(errors="ignore").rstrip(" .")
    return f"_{name}" if RESERVED.fullmatch(name) else name or "model"


def file_name(name: str, ending: str) -> str:
    """Return the name, never a path, of a file that is named after a model or measure."""
    return f"{usable_name(name)}{ending}"


def with_ending(path: Path, ending: str) -> Path:
    """Return a path with another ending, to suggest in messages."""
    return path.parent / f"{path.stem.strip('.') or 'NAME'}{ending}"


def _is_allowed(letter: str) -> bool:
    return letter in MARKS or unicodedata.category(letter)[0] in "LMN"
