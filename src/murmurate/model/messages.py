"""Error messages of models: one line for each wrong value, with its dotted path.

Each line has the form `rules.cohesion.radius: got -3; expected a number > 0`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

MAX_SHOWN = 80  # characters of a value in a message
MAX_LISTED = 300  # characters of a list of names in a message
MIN_PREFIX = 4  # letters of a name that can stand for it


def format_errors(
    error: ValidationError, cls: type[BaseModel], data: Any, prefix: str = ""
) -> Iterator[str]:
    """Yield one line for each wrong value of pydantic's error.

    error, cls, data  the error, and the class and table that it is about
    prefix            the dotted path of the table
    """
    errors = error.errors(include_url=False)
    for item in errors:
        n = len(item["loc"])
        if item["type"] == "too_short" and any(
            e["loc"][:n] == item["loc"] for e in errors if e is not item
        ):
            continue  # the tuple is too short only because pydantic dropped its wrong items
        path, owner = _locate(item["loc"], cls, data)
        path = shorten(".".join(filter(None, [prefix, path])) or "the model")
        yield from (f"{path}: {line}" for line in _explain(item, owner).splitlines() or [""])


def _explain(item: ErrorDetails, owner: type[BaseModel]) -> str:
    """Return the faults of a value, in one line or more."""
    context = item.get("ctx", {})
    match item["type"]:
        case "extra_forbidden":
            name = str(item["loc"][-1])
            inner = [f"{field}.{name}" for field in owner.model_fields if _has(owner, field, name)]
            hint = f": did you mean {inner[0]!r}?" if inner else _suggest(name, owner.model_fields)
            return f"no such key{hint}"
        case "missing":
            return "is missing" + _describe_field(owner, str(item["loc"][-1]))
        case "union_tag_invalid":
            tag = context.get("tag", "")
            tags = str(context.get("expected_tags", "")).replace("'", "")
            return f"no kind {tag!r}" + _suggest(str(tag), tags.split(", "))
        case "too_short" | "too_long" as kind:
            side, limit = ("least", "min") if kind == "too_short" else ("most", "max")
            return (
                f"got {context['actual_length']} items; expected at {side} "
                f"{context[f'{limit}_length']}"
            )
        case "value_error":
            return item["msg"].removeprefix("Value error, ")
    return _got_and_expected(item)


def _got_and_expected(item: ErrorDetails) -> str:
    """Return 'got -3; expected a number greater than 0'."""
    text = item["msg"].removeprefix("Input should be ")
    if text.startswith(("greater", "less")):
        text = f"a number {text}"
    return f"got {format_value(item['input'])}; expected {text}"


def format_first_error(error: ValidationError) -> str:
    """Return the first wrong value of a table outside of models: 'vary.dt.0: got ...'."""
    item = error.errors(include_url=False)[0]
    return f"{shorten('.'.join(map(str, item['loc'])))}: {_got_and_expected(item)}"


def format_unknown(what: str, name: str, names: Iterable[str]) -> str:
    """Return "no rule named 'cohesoin': did you mean 'cohesion'?"; '(known: ...)' if none is close.

    what   the kind of thing that has the name, such as 'rule'
    names  the names that exist
    """
    return f"no {what} named {name!r}{_suggest(name, names)}"


def _describe_field(owner: type[BaseModel], name: str) -> str:
    """Return the text and the unit of a field in brackets; '' for a field without a text."""
    texts: dict[str, str] = getattr(owner, "field_texts", dict)()
    text = " ".join(texts.get(name, "").split())
    extra = getattr(owner.model_fields.get(name), "json_schema_extra", None)
    unit = extra.get("unit") if isinstance(extra, dict) else ""
    if text and unit and "Unit: " not in text:
        text += f" Unit: {unit}."
    return f" ({text.removesuffix('.')})" if text else ""


def _suggest(word: str, names: Iterable[str]) -> str:
    names = sorted(names)
    close = closest(word, names)
    return f": did you mean {close!r}?" if close else f" (known: {list_names(names)})"


def list_names(names: Sequence[str]) -> str:
    """Return names with commas between them; of a long list the beginning, and their number."""
    text = ", ".join(names)
    if len(text) <= MAX_LISTED:
        return text
    first = text[:MAX_LISTED].rpartition(", ")[0]
    return f"{first} and {len(names) - first.count(', ') - 1} more"


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return " (did you mean dark?)" for the name that is close to a word; '' if none is."""
    close = closest(word, names)
    return f" (did you mean {close}?)" if close else ""


def closest(word: str, names: Iterable[str]) -> str:
    """Return the name that a mistyped word most likely means; '' if none is close.

    A name is close if one edit makes it of a word of up to 4 letters, two of up to 8, three of a
    longer one; or if it is the only one that begins with the word.
    """
    names, key, near = list(names), _folded(word), []
    for name in names:
        size = min(len(key), len(name))
        limit = min(1 + (size > 4) + (size > 8), size - 1)
        if abs(len(key) - len(name)) <= limit:
            near += [(edits, name)] if (edits := count_edits(key, _folded(name))) <= limit else []
    if near:
        return min(near)[1]
    longer = [name for name in names if len(key) >= MIN_PREFIX and _folded(name).startswith(key)]
    return longer[0] if len(longer) == 1 else ""


def _folded(word: str) -> str:
    return word.casefold().replace("-", "_")


def count_edits(a: str, b: str) -> int:
    """Return how many letters to insert, delete, replace or swap with the next one.

    The distance of Damerau (1964), doi:10.1145/363958.363994, where no letter is edited twice.
    """
    rows = [list(range(len(b) + 1))]
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            costs = [rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != other)]
            if i > 1 and j > 1 and letter == b[j - 2] and other == a[i - 2]:
                costs.append(rows[-2][j - 2] + 1)
            row.append(min(costs))
        rows.append(row)
    return rows[-1][-1]


def format_value(value: Any) -> str:
    """Return a value as Python writes it, shortened."""
    return shorten(repr(value))


def shorten(text: str) -> str:
    """Return a text of up to 80 characters, or the beginning of a longer one with its length."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}... ({len(text):,} characters)"


def _locate(
    loc: tuple[int | str, ...], cls: type[BaseModel], data: Any
) -> tuple[str, type[BaseModel]]:
    """Return the dotted path of a wrong value, and the class that its last key belongs to.

    Pydantic's location also has a word for each branch of a union, which the path leaves out.
    """
    parts: list[str] = []
    owner: type[BaseModel] = cls
    choices: list[type[BaseModel]] = []
    value = data
    for position, key in enumerate(loc):
        branch = next((c for c in choices if _kind(c) == key), None)
        if isinstance(value, BaseModel):
            value = value.__dict__
        inside = isinstance(value, dict) and key in value
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
        if inside or (
            isinstance(value, list | tuple) and isinstance(key, int) and key < len(value)
        ):
            value = value[key]
    return ".".join(parts), owner


def _has(owner: type[BaseModel], field: str, name: str) -> bool:
    """Return whether a field of a class is a table that has a key."""
    part = owner.model_fields[field].annotation
    return isinstance(part, type) and name in getattr(part, "model_fields", ())


def _kind(cls: type[BaseModel]) -> Any:
    field = cls.model_fields.get("kind")
    return field.default if field else None


def _classes(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _classes(inner)
