"""Convert docstrings of murmurate to reStructuredText: lists in two columns, literal text, `names`,
and the fields of a model's classes."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from sphinx.application import Sphinx
from typeset import typeset

from murmurate.model.value import Value
from murmurate.schema import bounds, describe, is_quantity

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from numpydoc_text import entries, sections

OPTION = re.compile(r"(?P<names>[\w.*]+(?:, [\w.*]+)*)  +(?P<text>\S.*)")
Option = tuple[str, list[str]]
LONG = re.compile(r"(?P<names>\w+) (?P<text>\S.*)")
SPECIAL = re.compile(r"([*|\\])|(?<=\w)_(?=\W|$)")


def convert(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Replace the lines of a docstring by reStructuredText."""
    text = "\n".join(lines)
    if text.lstrip().startswith((".. ", ":")):
        return
    lines[:] = [line for part in sections(text) for line in _section(*part, _parameters(thing))]
    if inspect.isclass(thing) and issubclass(thing, Value):
        lines += _fields(thing)
        lines += _formula(thing)


def _section(title: str, text: str, parameters: set[str]) -> Iterator[str]:
    """Return a section of a numpydoc docstring: text, parameters, or a list of definitions."""
    if title in ("", "Notes"):
        yield from _parts(text, parameters)
        return
    yield from ((f"**{title}**", "") if title not in ("Parameters", "Attributes") else ())
    for head, body in entries(text):
        name, _, kind = head.partition(" : ")
        describe = " ".join(filter(None, (f"({_prose(kind)})" if kind else "", _prose(body))))
        text, *items = re.split(r"^- ", describe, flags=re.MULTILINE)
        joined = " ".join(text.split())
        if title in ("Parameters", "Attributes"):
            yield from (f":param {_prose(each)}: {joined}" for each in name.split(", "))
        else:
            yield from (f"``{name}``", f"    {joined}")
        yield from ("", *(f"    - {' '.join(item.split())}" for item in items), "") if items else ()
    yield ""


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
            continue
        for options, prose in _runs(lines, parameters):
            yield from _list(options, parameters)
            yield from (*_prose("\n".join(prose)).split("\n"), "")


def _runs(lines: list[str], parameters: set[str]) -> Iterator[tuple[list[Option], list[str]]]:
    """Yield options, each with its names, and the text that follows them, alternately."""
    options: list[Option] = []
    prose: list[str] = []
    for line in lines:
        option = _option(line, parameters if options else set())
        if option and prose:
            yield options, prose
            options, prose = [], []
        if option:
            options.append((option["names"], [option["text"]]))
        elif options and not prose and line.startswith("  "):
            options[-1][1].append(line.strip())
        else:
            prose.append(line.strip())
    yield options, prose


def _option(line: str, parameters: set[str]) -> re.Match[str] | None:
    """Match a line of a list in two columns; a long parameter name can fill the first column."""
    if option := OPTION.fullmatch(line):
        return option
    long = LONG.fullmatch(line)
    return long if long and long["names"] in parameters else None


def _list(items: list[Option], parameters: set[str]) -> Iterator[str]:
    """Yield items as parameters if all are parameters, else as definitions."""
    all_parameters = all(set(names.split(", ")) <= parameters for names, _ in items)
    for names, lines in items:
        text = _prose(" ".join(lines))
        if all_parameters:
            yield from (f":param {name}: {text}" for name in names.split(", "))
        else:
            yield from (f"``{names}``", f"    {text}")
    if items:
        yield ""


def _prose(text: str) -> str:
    """Return text with `code` marked and special characters escaped."""
    parts = re.split(r"`([^`]+)`(?=(\w?))", text)
    escaped = ""
    for plain, code, joined in zip(parts[::3], [*parts[1::3], ""], [*parts[2::3], ""], strict=True):
        escaped += SPECIAL.sub(lambda match: "\\" + match[0], plain)
        escaped += f"``{code}``" if code else ""
        escaped += "\\ " if joined else ""
    return escaped


def _fields(cls: type[Value]) -> Iterator[str]:
    """Yield the descriptions of the fields that a class defines."""
    own = inspect.get_annotations(cls)
    yield ""
    for name in cls.model_fields:
        if name not in own:
            continue
        text, unit = describe(cls, name)
        extra = cls.model_fields[name].json_schema_extra
        allowed = bounds(extra) if is_quantity(cls, name) else ""
        notes = "; ".join(filter(None, (unit, allowed)))
        if text or notes:
            yield f":param {name}: {_prose(text)}{f' ({_prose(notes)})' if notes else ''}"


def _formula(cls: type[Value]) -> Iterator[str]:
    """Yield the formula of a rule or a motion, and its source."""
    formula = re.sub(r"[{}]", "", getattr(cls, "formula", ""))
    if formula:
        yield from ("", ".. raw:: html", "", f'   <div class="displayed">{typeset(formula)}</div>')
    if source := getattr(cls, "source", "") if formula else "":
        yield from ("", f"Source: {_prose(source)}")


def _every(cls: type[Value]) -> Iterator[type[Value]]:
    yield cls
    for below in cls.__subclasses__():
        yield from _every(below)


def without_fields(
    app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any
) -> bool | None:
    """Skip fields of models, which are listed with the class, and members of pydantic."""
    field = any(name in cls.model_fields for cls in _every(Value))
    own = callable(thing) or isinstance(thing, property)
    return True if (field and not own) or name in dir(BaseModel) else None


def signature(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, arguments: str, returned: str
) -> tuple[str, str] | None:
    """Shorten the signature of a model's class, whose fields are listed below it."""
    made_of_fields = inspect.isclass(thing) and issubclass(thing, Value)
    return ("(**fields)", "") if made_of_fields else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", convert)
    app.connect("autodoc-skip-member", without_fields)
    app.connect("autodoc-process-signature", signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
