"""The published models as the site shows them: filters, changes to try, live pages."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from progress import say
from stored import stored

import murmurate as mm
from murmurate.show.html_file import inflate_text

DOCS = Path(__file__).resolve().parents[2]
SETTING = re.compile(
    r"\b((?:rules|flocks|space|obstacles|population)\.[\w.-]+)=(\[[^\]]*\]|[^\s:,)]+)"
)
ALSO = re.compile(rf"\s*\((?:and|with) {SETTING.pattern}\)|\b(?:and|with) {SETTING.pattern}[:,]?")
HUNTS = {"flee", "hunt", "herd"}
FILTER_WORDS = {"predators": "predators hunt flee", "own": "murmurate's own"}
FEW = ("active-brownian", "couzin-2002", "p5", "parker-wind", "starlings", "vicsek-1995")
"""Flocks that have a live page on a site made with --quick."""
EMPTY = "<!doctype html><title>Left out by --quick</title>"
few = False
"""Whether the other flocks have none: set by conf.py."""


@dataclass(frozen=True)
class Try:
    """A change to try: settings by path, a description, and a link."""

    words: str
    values: dict[str, Any]
    works_in_page: bool  # it only changes numbers that a page can change

    @property
    def settings(self) -> str:
        """'rules.cohesion.weight=0.05'."""
        return ", ".join(f"{path}={json.dumps(value)}" for path, value in self.values.items())

    @property
    def link(self) -> str:
        """The fragment (after #) in the address of a live page with these settings."""
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
    def live(self) -> bool:
        """Whether the site has its live page."""
        return self.page != EMPTY

    @property
    def boids(self) -> int:
        return sum(flock.count for flock in self.model.flocks.values())

    @property
    def origin(self) -> str:
        """The origin: murmurate, a publication, or a lesson on the web."""
        if self.model.source.reference.startswith("murmurate"):
            return "own"
        source = self.model.source
        return "paper" if source.doi or not source.url else "lesson"

    @property
    def filters(self) -> list[str]:
        """The filters of the gallery that select it."""
        kinds = {rule.kind for rule in self.model.rules.values()}
        hunted = ["predators"] if kinds & HUNTS else []
        return [f"{self.model.space.dims}-d", *hunted, self.origin]

    @property
    def text(self) -> str:
        """What a search of the gallery finds it by: names, authors, animals, rules, its words."""
        model = self.model
        rules = [f"{name} {rule.kind} {rule.source}" for name, rule in model.rules.items()]
        looks = [f"{name} {flock.look.shape}" for name, flock in model.flocks.items()]
        words = [model.name, model.title, model.source.reference, model.about, *model.tags]
        words += [*rules, *looks]
        words += [FILTER_WORDS.get(word, word) for word in self.filters]
        words += ["torus periodic"] if all(model.space.periodic) else []
        words += [f"obstacles {name}" for name in model.obstacles]
        return " ".join(" ".join(words).lower().split())

    @property
    def source(self) -> str:
        """Authors and year of the reference: 'Couzin et al. 2002'."""
        reference = self.model.source.reference.partition(";")[0]
        match = re.match(r"(?P<names>.+?) (?P<year>\d{4})\b", reference)
        if match is None or self.origin == "own":
            return reference.partition(",")[0]
        names = re.split(r", | and ", match["names"])
        authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        return f"{authors} {match['year']}"

    @property
    def picture(self) -> Path:
        return DOCS / "stills" / f"{self.name}.png"

    @property
    def tries(self) -> list[Try]:
        if not self.live:
            return []
        scene = packed_head(self.page)["scene"]
        return [_try(line, scene) for line in self.model.tries]


def _try(line: str, scene: dict[str, Any]) -> Try:
    """Parse a change to try; 'a.b=1: and a.c=2: more' sets both."""
    first, _, words = line.partition(": ")
    text = f"{first}: {words}"
    values = {path: _value(value) for path, value in SETTING.findall(text)}
    words = ALSO.sub("", words).strip()
    works_in_page = line in scene["tries"] and all(_free(path, scene) for path in list(values)[1:])
    return Try(words[:1].upper() + words[1:], values, works_in_page)


def _value(text: str) -> Any:
    """Return a number, a switch or a word; infinity is a word in JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _free(path: str, scene: dict[str, Any]) -> bool:
    owner, _, key = path.rpartition(".")
    about = scene["schemas"].get(owner, {}).get("properties", {}).get(key)
    return about is not None and "fixed" not in about


def packed_head(page: str) -> dict[str, Any]:
    """Return the description of the model in a live page."""
    text = re.search(r'id="murmurate-flight">([^<]*)<', page)
    assert text is not None
    head: dict[str, Any] = json.loads(inflate_text(text[1]))
    return head


@cache
def flocks() -> dict[str, Flock]:
    """Return name -> flock for the whole zoo."""
    verdicts: dict[str, list[str]] = {}
    for line in (DOCS / "models" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        verdicts.setdefault(row["model"], []).append(row["verdict"])
    result, names = dict[str, Flock](), list(mm.zoo())
    for k, name in enumerate(names):
        if k % 10 == 0:
            say(f"  {k} of {len(names)} flocks")
        result[name] = Flock(mm.load(name), _page(name), tuple(verdicts.get(name, ())))
    return result


def _page(name: str) -> str:
    """Return the live page of a model. With --quick most pages are empty."""
    if few and name not in FEW:
        return EMPTY
    return stored(name, _live, mm.load(name)).decode()


def _live(model: mm.Model) -> bytes:
    return mm.live_page(model).html.encode()
