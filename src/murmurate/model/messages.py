"""Error text: pydantic's errors as one line a wrong value, each with its dotted path."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

SHOWN = 80  # characters of what was given


def complaints(
    error: ValidationError, cls: type[BaseModel], data: Any, prefix: str = ""
) -> Iterator[str]:
    """One line a wrong value: 'rules.cohesion.radius: -3 is out of bounds: it must be > 0'."""
    errors = error.errors(include_url=False)
    for item in errors:
        n = len(item["loc"])
        if item["type"] == "too_short" and any(
            e["loc"][:n] == item["loc"] for e in errors if e is not item
        ):
            continue  # it is only short of the items that are wrong themselves
        path, owner = _place(item["loc"], cls, data)
        full = cut(".".join(filter(None, [prefix, path])) or "the model")
        text = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            text = "no such key" + _meant(str(item["loc"][-1]), list(owner.model_fields))
        elif item["type"] == "missing":
            text = "is missing"
        elif item["type"] == "union_tag_invalid":
            found = dict(item.get("ctx", {})).get("tag", "")
            known = str(dict(item.get("ctx", {})).get("expected_tags", "")).replace("'", "")
            text = f"no kind {found!r}" + _meant(str(found), known.split(", "))
        elif item["type"] in ("too_short", "too_long"):
            side, limit = ("least", "min") if item["type"] == "too_short" else ("most", "max")
            context = item["ctx"]
            text = (
                f"has {context['actual_length']} items: it must have at {side} "
                f"{context[f'{limit}_length']}"
            )
        elif item["type"] != "value_error":
            text = f"{text.replace('Input should', 'must')}, not {said(item['input'])}"
        yield from (f"{full}: {line}" for line in text.splitlines() or [""])


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """'no rule named 'cohesoin': did you mean 'cohesion'? (known: ...)'"""
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f": did you mean {close[0]!r}?" if close else ""
    return f"no {what} named {name!r}{hint} (known: {', '.join(known)})"


def first_complaint(error: ValidationError) -> str:
    """The first wrong value of a table that is no part of a model: 'vary.dt.0: ...'."""
    item = error.errors(include_url=False)[0]
    where = cut(".".join(map(str, item["loc"])))
    return f"{where}: {item['msg'].replace('Input should', 'must')}, not {said(item['input'])}"


def said(value: Any) -> str:
    """A value that was given, cut where it is long."""
    return cut(repr(value))


def cut(text: str) -> str:
    """A text, or its beginning and how long it is."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text):,} characters)"


def _meant(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    hint = f": did you mean {close[0]!r}?" if close else ""
    return f"{hint} (known: {', '.join(sorted(known))})"


def _place(
    loc: tuple[int | str, ...], cls: type[BaseModel], data: Any
) -> tuple[str, type[BaseModel]]:
    """The dotted path of an error's place, without pydantic's words for the branches of unions, and
    the class that the last key belongs to."""
    parts: list[str] = []
    owner: type[BaseModel] = cls
    choices: list[type[BaseModel]] = []
    here = data
    for position, key in enumerate(loc):
        branch = next((c for c in choices if _kind(c) == key), None)
        if isinstance(here, BaseModel):
            here = here.__dict__
        inside = isinstance(here, dict) and key in here
        if branch is not None and not inside:
            owner = branch
            continue
        if not inside and isinstance(key, str) and position < len(loc) - 1 and choices:
            continue
        if not inside and key == "number":
            continue
        if len(choices) == 1:
            owner = choices[0]
        if isinstance(key, str) and key in owner.model_fields:
            choices = list(_classes(owner.model_fields[key].annotation))
        parts.append(str(key))
        if inside or (isinstance(here, list | tuple) and isinstance(key, int) and key < len(here)):
            here = here[key]
    return ".".join(parts), owner


def _kind(cls: type[BaseModel]) -> Any:
    field = cls.model_fields.get("kind")
    return field.default if field else None


def _classes(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _classes(inner)
