"""Output files: written whole, and never over one that is there unless forced."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from murmurate.disk import write_file
from murmurate.errors import OutputRefused
from murmurate.show.output import check_replaceable


def target(path: str | os.PathLike[str], endings: Iterable[str], force: bool) -> Path:
    """The path, if it may be written. Raises OutputRefused."""
    path, endings = Path(path), list(endings)
    if path.suffix.lower() not in endings:
        raise OutputRefused(f"{path}: it must end in {', '.join(endings[:-1])} or {endings[-1]}")
    check_replaceable(path)
    if path.exists() and not force:
        raise OutputRefused(f"{path} is there already: --force replaces it, or give another name")
    if not path.parent.is_dir():
        raise OutputRefused(f"{path}: there is no folder {path.parent}")
    return path


def write_text(
    path: str | os.PathLike[str], texts: Mapping[str, Callable[[], str]], *, force: bool
) -> Path:
    """Writes the text that belongs to the path's ending."""
    path = target(path, texts, force)
    write_file(path, texts[path.suffix.lower()]())
    return path
