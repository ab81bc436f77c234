"""References of a model and of murmurate, as plain text and as BibTeX."""

from __future__ import annotations

import re
import unicodedata

from murmurate.errors import ModelError
from murmurate.model.messages import format_value
from murmurate.model.model import Source
from murmurate.model.text_reader import TextError, read_toml
from murmurate.version import __version__

REFERENCE = re.compile(r"(?:.*\bafter )?(.+?)[,\s(]+((?:19|20)\d\d)\b[,)\s]*(.*)", re.DOTALL)
ARTICLE = re.compile(r"(?:(.+), )?([A-Z][A-Za-z ]+?) (\d+), ([\w-]+)(?:, (arXiv:\S+))?", re.DOTALL)
LATEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_"},
    "\\": r"\textbackslash ", "{": r"\textbraceleft ", "}": r"\textbraceright ",
    "~": r"\textasciitilde ", "^": r"\textasciicircum ",
}  # fmt: skip


def source_in(text: str, where: str) -> Source:
    """Return the source of a model file, which may have unknown rules, or raise ModelError."""
    try:
        table = read_toml(text).get("source", {})
    except TextError as error:
        raise ModelError(f"{where}: not a TOML file: {error}") from None
    if not isinstance(table, dict):
        raise ModelError(f"{where}: source: got {format_value(table)}; expected a table, [source]")
    return Source(**table)


def citations(source: Source, version: str = __version__) -> list[str]:
    """Return references as plain text: those of a model, if any, and that of murmurate."""
    parts = [source.reference, source.doi and f"https://doi.org/{source.doi}", source.url]
    own = ", ".join(part for part in parts if part)
    program = f"murmurate {version}: the flocking simulator (the murmurate authors), MIT"
    return [*([own] if own else []), program]


def bibtex(source: Source, version: str = __version__) -> str:
    """Return BibTeX: an entry for each publication in the reference, and one for murmurate.

    A reference such as 'Couzin and Krause 2003, Self-organization, Advances 32, 1-75' becomes an
    @article with author, year, title, journal, volume and pages. Without journal and volume it
    becomes a @misc. Semicolons separate publications. The first one gets the DOI and the address.
    A part without a year becomes a note on the publication before it.
    """
    entries: list[tuple[str, dict[str, str]]] = []
    for part in filter(
        None, (part.strip() for part in " ".join(source.reference.split()).split(";"))
    ):
        if match := REFERENCE.fullmatch(part):
            entries.append(_entry(*match.groups()))
        elif entries:
            entries[-1][1]["note"] = part
        elif source.doi or source.url:
            entries.append(("misc", {"title": part}))
    if not entries and (source.doi or source.url):
        entries.append(("misc", {}))
    if entries:
        entries[0][1].update({"doi": source.doi, "url": source.url})
    program = {"author": "the murmurate authors", "title": "murmurate: the flocking simulator",
               "version": version, "note": "MIT licence"}  # fmt: skip
    entries.append(("misc", program))
    keys = _keys([fields for _, fields in entries])
    return "\n\n".join(
        _format_entry(kind, key, fields) for (kind, fields), key in zip(entries, keys, strict=True)
    )


def _entry(authors: str, year: str, rest: str) -> tuple[str, dict[str, str]]:
    names = re.split(r",\s+|\s+and\s+", authors.replace(" et al.", " and others"))
    fields = {"author": " and ".join(names), "year": year}
    if match := ARTICLE.fullmatch(rest):
        words = ("title", "journal", "volume", "pages", "note")
        return "article", fields | dict(
            zip(words, (part or "" for part in match.groups()), strict=True)
        )
    return "misc", fields | {"title": rest}


def _keys(entries: list[dict[str, str]]) -> list[str]:
    """Return a key for each entry, such as couzin2002; letters distinguish equal ones."""
    out: list[str] = []
    for fields in entries:
        first = (fields.get("author") or fields.get("title") or "source").split(" and ")[0]
        plain = unicodedata.normalize("NFKD", first).lower()
        key = re.sub(r"[^a-z]", "", plain)[:32] + fields.get("year", "")
        key = "murmurate" if key == "themurmurateauthors" else key or "source"
        number = sum(re.fullmatch(rf"{key}[b-z]?", other) is not None for other in out)
        out.append(key + ("" if not number else "abcdefghijklmnopqrstuvwxyz"[min(number, 25)]))
    return out


def _format_entry(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = [f"@{kind}{{{key},"]
    for name, value in fields.items():
        if value:
            plain = value if name in ("doi", "url") else _latex(value)
            plain = f"{{{plain}}}" if name == "author" and key == "murmurate" else plain
            lines.append(f"  {name} = {{{plain}}},")
    return "\n".join([*lines, "}"])


def _latex(text: str) -> str:
    return "".join(LATEX.get(letter, letter) for letter in text)
