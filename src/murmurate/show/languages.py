"""Catalogues of messages in other languages, for pages: the gettext files in the folder languages.

A catalogue has the texts of the viewer and, in the context 'model', those of models: names of
rules, formulas, descriptions. viewer/messages.py brings them up to date.
"""

from __future__ import annotations

import ast
import base64
import gettext
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from murmurate.errors import OutputError

CONTEXT = "model"
MODEL = f"{CONTEXT}\u0004"
"""Begins the key of a message of models."""
NUMBERS = 200  # of which the plural form is stored; it repeats after 100 in all languages
WITHOUT_CONTROL = {
    "kind", "moves", "senses", "name", "flock", "flocks", "predators", "prey", "state",
    "cannibalism", "count", "combine",
}  # fmt: skip
Catalogue = Mapping[str, list[str]]


def languages() -> list[str]:
    """Return the languages of the catalogues."""
    folder = resources.files("murmurate.show") / "languages"
    return sorted(file.name[:-3] for file in folder.iterdir() if file.name.endswith(".po"))


def check_language(language: str) -> None:
    """Raise OutputError for a language without a catalogue; "" is the reader's."""
    names = ["en", *languages()]
    if language and language not in names:
        raise OutputError(f"language: got {language!r}; expected {', '.join(names)}, or none")


@lru_cache
def catalogue(language: str) -> Catalogue:
    """Return the translations of a catalogue by message, one for each plural form.

    The empty message has the header. Translations that are marked fuzzy are left out.
    """
    file = resources.files("murmurate.show") / "languages" / f"{language}.po"
    result: dict[str, list[str]] = {}
    for block in re.split(r"\n\s*\n", file.read_text(encoding="utf-8")):
        entry: dict[str, str] = {}
        key = ""
        for line in block.splitlines():
            if match := re.fullmatch(r'\s*((?:msg\w+(?:\[\d\])? )?)(".*")\s*', line):
                key = match[1].strip() or key
                entry[key] = entry.get(key, "") + ast.literal_eval(match[2])
        if "msgid" in entry and not re.search(r"^#,.*\bfuzzy\b", block, re.M):
            context = f"{entry['msgctxt']}\u0004" if "msgctxt" in entry else ""
            texts = [text for name, text in entry.items() if name.startswith("msgstr")]
            result[context + entry["msgid"]] = texts
    return result


def plural_forms(language: str) -> str:
    """Return the plural form of the numbers below 200, a digit each, by the catalogue's header."""
    match = re.search(r"plural=([^;\n]+)", catalogue(language)[""][0])
    form = gettext.c2py(match[1] if match else "n != 1")  # type: ignore[attr-defined]
    return "".join(str(form(n)) for n in range(NUMBERS))


def words(
    scenes: Iterable[Mapping[str, Any]] | None = None,
    language: str = "",
    omitted: Callable[[str], bool] = lambda text: False,
) -> str:
    """Return the messages that a page needs, as JSON: see viewer/src/words.ts.

    scenes  those of the page; None: texts of all models
    language  of the page; empty: all, of which the page shows the reader's
    omitted  says of a message of the viewer whether the page does without it
    raises OutputError  there is no such language
    """
    check_language(language)
    chosen = languages() if not language else [language] if language != "en" else []
    texts = None if scenes is None else {text for each in scenes for text in texts_of(each)}

    def is_used(text: str) -> bool:
        if texts is None or text.removeprefix(MODEL) in texts:
            return True
        return not text.startswith(MODEL) and not omitted(text)

    messages = catalogue(chosen[0]) if chosen else {}
    used = [text for text in messages if text and is_used(text)]
    table = {
        "language": language,
        "plurals": {each: plural_forms(each) for each in chosen},
        "keys": base64.b64encode(b"".join(map(key_of, used))).decode(),
        "texts": "\n".join(
            "\t".join(catalogue(each).get(text, [""])) for text in used for each in chosen
        ),
    }
    return json.dumps(table, ensure_ascii=False, separators=(",", ":"))


def translated(text: str, language: str) -> str:
    """Return a text of Python in a language, and as it is without a translation."""
    texts = catalogue(language).get(text, [""]) if language in languages() else [""]
    return texts[0] or text


def key_of(message: str) -> bytes:
    """Return the key of a message, FNV-1a of its UTF-16 units: 3 bytes."""
    value = 0x811C9DC5
    units = message.encode("utf-16-le")
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = ((value ^ (low | high << 8)) * 0x01000193) & 0xFFFFFFFF
    return ((value ^ value >> 24) & 0xFFFFFF).to_bytes(3, "big")


def texts_of(scene: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a scene message that pages translate, as messages of catalogues."""
    yield from map(message_of, _texts_of(scene))


def message_of(text: str) -> str:
    """Return the message of a text: its lines as one."""
    return " ".join(text.split())


def _texts_of(scene: Mapping[str, Any]) -> Iterator[str]:
    yield from (scene["title"], scene["about"])
    yield from (line.partition(": ")[2] for line in scene.get("tries", ()))
    yield from (entry["title"] for entry in scene.get("zoo", ()))
    yield from scene.get("formulas", {}).values()
    for chart in scene["charts"]:
        yield from (chart["label"], chart["unit"], chart["about"])
    words = [flock["name"] for flock in scene["flocks"]]
    words += [word for each in scene.get("per_boid", ()) for word in each["name"].split(".")[1:]]
    for path, schema in scene.get("schemas", {}).items():
        yield schema.get("description", "")
        words += [*path.split(".")[1:], str(scene["values"].get(f"{path}.kind", ""))]
        for name, about in schema["properties"].items():
            if _has_control(name, about):
                words += [name, *map(str, about.get("enum", ()))]
                yield from (about.get(key, "") for key in ("description", "unit", "fixed"))
    yield from (word.replace("_", " ") for word in words)


def _has_control(name: str, schema: Mapping[str, Any]) -> bool:
    """Return whether a page shows a value of a part, as in viewer/src/controls/specs.ts."""
    kinds = (schema, *schema.get("anyOf", ()))
    return name not in WITHOUT_CONTROL and any(
        "unit" in kind or "enum" in kind or kind.get("type") in ("integer", "number", "boolean")
        for kind in kinds
    )
