"""Find published flocks by animal, author or a keyword of their `tags`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from murmurate.model.text_reader import read_toml

WORD = re.compile(r"[^\W\d_][\w' -]*")
"""What may be a tag. Other names are those of files and folders."""


def find_published(word: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the published flocks that a word can mean, alphabetically.

    If the name of just one begins with the word, such as `vicsek`, it is the only result. Otherwise
    the results are those whose name begins with the word, and those that have it among their tags.
    Case, accents, apostrophes and a plural's s make no difference.

    word  a name, an animal, an author or a keyword
    texts  name -> TOML text, as `zoo` returns them
    returns  empty if no flock fits
    """
    if not WORD.fullmatch(word):
        return ()
    key = plain(word)
    named = [name for name in texts if f"{name}-".startswith(f"{key}-") or plain(name) == key]
    if len(named) == 1:
        return tuple(named)
    tagged = [n for n, text in texts.items() if key in map(plain, published_facts(text)["tags"])]
    return tuple(sorted({*named, *tagged}))


def plain(word: str) -> str:
    """Return a word in the form in which words are compared: 'olfati-saber' of 'Olfati Saber'."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    letters = "".join(c for c in letters if c != "'" and not unicodedata.combining(c))
    joined = re.sub(r"[\s_]+", "-", letters.strip())
    return joined[:-1] if len(joined) > 3 and joined.endswith("s") else joined


@cache
def published_facts(text: str) -> dict[str, Any]:
    """Return 'title' and 'tags' of a model's text."""
    tables = read_toml(text)
    return {"title": tables.get("title", ""), "tags": tuple(tables.get("tags", ()))}


def list_published(names: tuple[str, ...], texts: Mapping[str, str]) -> str:
    """Return a line for each flock: its name and its title, indented as a part of a message."""
    width = max(map(len, names), default=0)
    lines = (f"  {name:{width}}  {published_facts(texts[name])['title']}" for name in names)
    return "\n".join(lines)
