"""Live pages of docs/why-no-flock.md: each flock with a symptom beside the fixed one."""

from __future__ import annotations

import html
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import flocks
from sphinx.application import Sphinx
from stored import stored

import murmurate as mm

DOCS = Path(__file__).resolve().parents[2]
PAGE = "docs/why-no-flock"
LIVE = re.compile(
    r"<!-- live: (?P<file>symptoms/[\w-]+\.toml)(?: beside (?P<fixed>\S+\.toml))? -->"
)
SIZE, STEP = (960, 540), 150


class Symptom(NamedTuple):
    """A live page, and a still picture of it."""

    title: str
    page: str
    picture: bytes


@cache
def symptoms() -> dict[str, Symptom]:
    """Return name -> symptom, in the order of the page."""
    text = (DOCS / "why-no-flock.md").read_text(encoding="utf-8")
    return {Path(mark["file"]).stem: _symptom(mark) for mark in LIVE.finditer(text)}


def _symptom(mark: re.Match[str]) -> Symptom:
    model = mm.load(DOCS / mark["file"])
    fixed = mark["fixed"] and DOCS / mark["fixed"]
    name = Path(mark["file"]).stem
    if flocks.few:
        return Symptom(model.title, flocks.EMPTY, (DOCS / "stills" / "p5.png").read_bytes())
    picture = stored(f"{name}.png", _still, model)
    page = stored(name, _live, model, fixed)
    return Symptom(model.title, page.decode(), picture)


def _live(model: mm.Model, fixed: Path | None) -> bytes:
    return mm.live_page(model, beside=fixed).html.encode()


def _still(model: mm.Model) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "still.png"
        return mm.still(model, path, at=STEP, view=mm.View(size=SIZE, text=False)).read_bytes()


def add_flights(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace each mark in the page by its flock."""
    if docname == PAGE:
        source[0] = LIVE.sub(_flock, source[0])


def _flock(mark: re.Match[str]) -> str:
    name = Path(mark["file"]).stem
    title = html.escape(symptoms()[name].title, quote=True)
    live = f"../live/symptom-{name}"
    return "\n".join(
        [
            "```{raw} html",
            f'<div class="flock large" data-live="{live}.html" data-fly="seen">',
            f'<img src="{live}.png" alt="{title}, a still picture">',
            f'<button type="button" class="fly" aria-label="Run: {title}">Run</button></div>',
            f'<p class="flock-facts"><a href="{live}.html">Alone on a page</a></p>',
            "```",
        ]
    )


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", add_flights)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
