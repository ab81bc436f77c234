"""Docstrings of murmurate as reStructuredText: lists of options in two columns, text kept in place,
`names`; and what the fields of a model's classes are."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from fields import bounds, described, is_quantity
from pydantic import BaseModel
from sphinx.application import Sphinx

from murmurate.model.value import Value

OPTION = re.compile(r"(?P<names>[\w.]+(?:, [\w.]+)*)  +(?P<text>\S.*)")
SPECIAL = re.compile(r"([*|\\])|(?<=\w)_(?=\W|$)")


def written(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Replaces the lines of a docstring by reStructuredText."""
    text = "\n".join(lines)
    if text.lstrip().startswith((".. ", ":")):
        return
    lines[:] = list(_parts(text, _parameters(thing)))
    if inspect.isclass(thing) and issubclass(thing, Value):
        lines += _fields(thing)


def _parameters(thing: Any) -> set[str]:
    try:
        return set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return set()


def _parts(text: str, parameters: set[str]) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        lines = paragraph.split("\n")
        if all(line.startswith("    ") for line in lines):
            yield from (".. code-block:: text", "", *(f"    {line}" for line in lines), "")
        elif items := _items(lines):
            yield from _list(items, parameters)
        else:
            yield from (_prose(line) for line in lines)
            yield ""


def _items(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Options with their texts, where a paragraph is a list of them in two columns."""
    items: list[tuple[str, list[str]]] = []
    for line in lines:
        if option := OPTION.fullmatch(line):
            items.append((option["names"], [option["text"]]))
        elif items and line.startswith("  "):
            items[-1][1].append(line.strip())
        else:
            return []
    return items


def _list(items: list[tuple[str, list[str]]], parameters: set[str]) -> Iterator[str]:
    for names, lines in items:
        text = _prose(" ".join(lines))
        if set(names.split(", ")) <= parameters:
            yield f":param {names.replace(', ', ' , ') if ',' in names else names}: {text}"
        else:
            yield from (f"``{names}``", f"    {text}")
    yield ""


def _prose(line: str) -> str:
    """A line of text: code in `marks` as such, and no letter with another meaning."""
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(
        f"`{part}`" if part.startswith("`") else SPECIAL.sub(lambda m: "\\" + m[0], part)
        for part in parts
    )


def _fields(cls: type[Value]) -> Iterator[str]:
    """What a class of a model says of its own fields."""
    own = inspect.get_annotations(cls)
    yield ""
    for name in cls.model_fields:
        if name not in own:
            continue
        text, unit = described(cls, name)
        extra = cls.model_fields[name].json_schema_extra
        allowed = bounds(extra) if is_quantity(cls, name) else ""
        notes = "; ".join(filter(None, (unit, allowed)))
        if text or notes:
            yield f":param {name}: {_prose(text)}{f' ({_prose(notes)})' if notes else ''}"


def without_fields(
    app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any
) -> bool | None:
    """Fields of a model's class are listed with its text, and pydantic's own members nowhere."""
    return True if name in dir(BaseModel) or name.startswith("model_") else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", written)
    app.connect("autodoc-skip-member", without_fields)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
