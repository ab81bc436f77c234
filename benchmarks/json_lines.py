"""Stored results as JSON lines: one line for each run, so that a change of one run is one line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file, one per line. Raises ValueError for other text."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write_lines(path: Path, objects: Iterable[Mapping[str, Any]]) -> None:
    """Write objects to a file, one per line."""
    text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in objects)
    path.write_text(text, encoding="utf-8", newline="\n")


def read_nested(path: Path, outer: str, inner: str) -> dict[str, dict[str, Any]]:
    """Return the lines of a file as outer key -> inner key -> the rest; {} without a file."""
    tables: dict[str, dict[str, Any]] = {}
    for entry in read_lines(path) if path.exists() else []:
        tables.setdefault(entry.pop(outer), {})[entry.pop(inner)] = entry
    return tables


def write_nested(
    path: Path, tables: Mapping[str, Mapping[str, Mapping[str, Any]]], outer: str, inner: str
) -> None:
    """Write outer key -> inner key -> table, one line for each inner key."""
    write_lines(
        path,
        (
            {outer: name, inner: key, **entry}
            for name, table in tables.items()
            for key, entry in table.items()
        ),
    )
