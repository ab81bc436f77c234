"""The published flocks as the site shows them: what kind each is, what to try, its live page."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import murmurate as mm

DOCS = Path(__file__).resolve().parents[2]
SETTING = re.compile(r"\b((?:rules|flocks|space|obstacles)\.[\w.-]+)=(\[[^\]]*\]|[^\s:,)]+)")
ALSO = re.compile(rf"\s*\((?:and|with) {SETTING.pattern}\)|\b(?:and|with) {SETTING.pattern}[:,]?")
HUNTS = {"flee", "hunt", "herd"}


@dataclass(frozen=True)
class Try:
    """One thing to try: settings by their paths, what comes of it, and its link."""

    words: str
    values: dict[str, Any]
    flies: bool  # a page can do it: it changes numbers only

    @property
    def settings(self) -> str:
        """'rules.cohesion.weight=0.05'."""
        return ", ".join(f"{path}={json.dumps(value)}" for path, value in self.values.items())

    @property
    def link(self) -> str:
        """What stands behind # in the address of a live page that is set so."""
        text = json.dumps({"version": 1, "values": self.values}, separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@dataclass(frozen=True)
class Flock:
    """A published flock."""

    model: mm.Model
    page: str
    verdicts: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def boids(self) -> int:
        return sum(flock.count for flock in self.model.flocks.values())

    @property
    def origin(self) -> str:
        """Where it comes from: murmurate, a publication, or a lesson on the web."""
        if self.model.source.reference.startswith("murmurate"):
            return "own"
        source = self.model.source
        return "paper" if source.doi or not source.url else "lesson"

    @property
    def filters(self) -> list[str]:
        """The words that the gallery chooses by."""
        kinds = {rule.kind for rule in self.model.rules.values()}
        hunted = ["predators"] if kinds & HUNTS else []
        return [f"{self.model.space.dims}-d", *hunted, self.origin]

    @property
    def source(self) -> str:
        """'Couzin et al. 2002': who and when, of the reference."""
        reference = self.model.source.reference.partition(";")[0]
        found = re.match(r"(?P<names>.+?) (?P<year>\d{4})\b", reference)
        if found is None or self.origin == "own":
            return reference.partition(",")[0]
        names = re.split(r", | and ", found["names"])
        who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        return f"{who} {found['year']}"

    @property
    def picture(self) -> Path:
        return DOCS / "stills" / f"{self.name}.png"

    @property
    def tries(self) -> list[Try]:
        scene = packed_head(self.page)["scene"]
        return [_try(line, scene) for line in self.model.tries]


def _try(line: str, scene: dict[str, Any]) -> Try:
    """'a.b=1: and a.c=2: more' sets both."""
    first, _, words = line.partition(": ")
    said = f"{first}: {words}"
    values = {path: _value(text) for path, text in SETTING.findall(said)}
    words = ALSO.sub("", words).strip()
    flies = line in scene["tries"] and all(_free(path, scene) for path in list(values)[1:])
    return Try(words[:1].upper() + words[1:], values, flies)


def _value(text: str) -> Any:
    """A number, a switch, or a word: infinity too is one in JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _free(path: str, scene: dict[str, Any]) -> bool:
    owner, _, key = path.rpartition(".")
    about = scene["schemas"].get(owner, {}).get("properties", {}).get(key)
    return about is not None and "fixed" not in about


def packed_head(page: str) -> dict[str, Any]:
    """What a live page holds of its model (murmurate.runs.flight_pages.flight_head)."""
    text = re.search(r'id="murmurate-flight">([^<]*)<', page)
    assert text is not None
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text[1])))
    return found


@cache
def flocks() -> dict[str, Flock]:
    """Name -> flock, of the whole zoo."""
    verdicts: dict[str, list[str]] = {}
    known = json.loads((DOCS / "models" / "verdicts.json").read_text(encoding="utf-8"))
    for one in known.values():
        verdicts.setdefault(one["model"], []).append(one["verdict"])
    return {
        name: Flock(mm.load(name), mm.to_html(name, live=True), tuple(verdicts.get(name, ())))
        for name in mm.zoo()
    }
