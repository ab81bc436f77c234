"""Names of models: which are allowed, and files that are named after them.

A name comes with a file of somebody else's, so it must not lead out of a folder, hide a file, be
taken for an option, or be what a system reserves.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

LONGEST = 64  # characters
MOST_BYTES = 200  # of a name in UTF-8: a file's may have 255, its ending and a draft's with it
MARKS = " -_.,+()"
RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])\s*(\..*)?", re.IGNORECASE)
ALLOWED = (
    f"at most {LONGEST} letters, digits, spaces and any of {MARKS.strip()}, from a letter or digit "
    "on, and no dot or space at the end: files are named after it"
)


def wrong_name(name: str) -> str:
    """What is wrong with a model's name, and what is allowed; empty if nothing is."""
    if name == usable_name(name):
        return ""
    shown = name if len(name) <= LONGEST else name[: LONGEST // 2] + "..."
    if RESERVED.fullmatch(name):
        return f"{shown!r} is the name of a device on Windows; choose another"
    return f"{shown!r} is no name: it must be {ALLOWED}"


def usable_name(name: str) -> str:
    """The allowed name that is nearest to this one: itself if it is allowed."""
    name = "".join(letter if _is_allowed(letter) else "-" for letter in name)
    name = name.lstrip(" -.,+").rstrip(" .")[:LONGEST]
    name = name.encode()[:MOST_BYTES].decode(errors="ignore").rstrip(" .")
    return f"_{name}" if RESERVED.fullmatch(name) else name or "model"


def file_name(name: str, ending: str) -> str:
    """The name of a file that is named after a model or measure: never a path.

    ending  such as ".mp4"
    """
    return f"{usable_name(name)}{ending}"


def with_ending(path: Path, ending: str) -> Path:
    """A path to propose in place of one that has another ending, or none."""
    return path.parent / f"{path.stem.strip('.') or 'NAME'}{ending}"


def _is_allowed(letter: str) -> bool:
    return letter in MARKS or unicodedata.category(letter)[0] in "LMN"
