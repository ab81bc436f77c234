"""Docstrings in the numpydoc format as Markdown."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)


def sections(doc: str) -> list[tuple[str, str]]:
    """Split a docstring into (title, text); the first title is ''."""
    parts = SECTION.split(doc)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return [("", parts[0].strip()), *((title, text.strip("\n")) for title, text in pairs)]


def entries(text: str) -> list[tuple[str, str]]:
    """Split a list of parameters, results or errors into (name and type, description)."""
    entry = re.compile(r"^(\S.*)\n((?:(?:[ ]+.*)?(?:\n|$))*)", re.MULTILINE)
    return [(head, textwrap.dedent(body).strip()) for head, body in entry.findall(text + "\n")]


def markdown(function: Callable[..., Any], level: int = 2) -> str:
    """Return the docstring of a function as Markdown, with headings of a level."""
    return "\n\n".join(_blocks(inspect.getdoc(function) or "", level)) + "\n"


def _blocks(doc: str, level: int) -> Iterator[str]:
    for title, text in sections(doc):
        if title:
            yield f"{'#' * level} {title}"
        if title in ("", "Notes"):
            yield escape(text)
        else:
            yield "\n".join(_item(head, body) for head, body in entries(text))


def _item(head: str, body: str) -> str:
    name, colon, kind = head.partition(" : ")
    text = f"- `{name}`{f' ({escape(kind)})' if colon else ''}"
    return f"{text}: {textwrap.indent(escape(body), '  ').lstrip()}" if body else text


def escape(text: str) -> str:
    """Escape characters with a meaning in Markdown, outside of code."""
    parts = re.split(r"(`[^`]*`)", text)
    plain = [re.sub(r"([|*<\\])|(?<!\w)_|_(?!\w)", lambda m: "\\" + m[0], p) for p in parts[::2]]
    return "".join(part + code for part, code in zip(plain, [*parts[1::2], ""], strict=True))
