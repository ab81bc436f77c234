"""XML files: their elements one after the other, and the numbers in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from murmurate.disk import regular
from murmurate.record.errors import RecordingRefused


def elements(path: Path) -> Iterator[tuple[str, str, Any]]:
    """(start or end, its name without namespace, element). Raises RecordingRefused for what is no
    XML."""
    try:
        for event, element in ElementTree.iterparse(regular(path), ("start", "end")):
            yield event, str(element.tag).rpartition("}")[2], element
    except ElementTree.ParseError as error:
        raise RecordingRefused(f"{path}: cannot be read: it is damaged XML: {error}") from None


def number_of(element: Any, name: str, path: Path) -> float:
    said = element.get(name, "0" if name in ("z", "POSITION_Z") else "nothing")
    try:
        return float(said)
    except ValueError:
        tag = str(element.tag).rpartition("}")[2]
        raise RecordingRefused(
            f"{path}: a <{tag}> has {said[:40]!r} for {name}; it must be a number"
        ) from None
