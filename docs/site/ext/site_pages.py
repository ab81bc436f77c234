"""Pages that are not documents: the first page, the gallery, and the comparison."""

from __future__ import annotations

from typing import Any

from flocks import Try, flocks
from sphinx.application import Sphinx

import murmurate as mm
from murmurate.model import citations
from murmurate.model.model import Source

PAGES = {"index": "home.html", "gallery": "gallery.html", "compare": "compare.html"}
FILTERS = {
    "2-d": "2-D", "3-d": "3-D", "predators": "Predators", "paper": "Papers", "lesson": "Lessons",
    "own": "murmurate's own",
}  # fmt: skip
HERO = Try("Fewer starlings, for a page that loads on a phone", {"flocks.boids.count": 1200}, True)
WAYS = (
    (
        "gallery",
        "sort-sol-near",
        "Watch",
        "Every published model, live in the browser, with all its sliders.",
    ),
    (
        "docs/lessons/index",
        "p5",
        "Teach",
        "Lessons with live flocks, and pages to send to a class.",
    ),
    (
        "docs/models",
        "couzin-2002",
        "Study",
        "Published figures reproduced, measures with error bars, sweeps, fits.",
    ),
    (
        "docs/films-and-stills",
        "starlings",
        "Film",
        "One command, no screen, no graphics card: mp4, webm, GIF, PNG.",
    ),
    (
        "docs/writing-rules",
        "parker-gate",
        "Build",
        "Your own rules, as fast as the built-in ones, and how it works.",
    ),
)
"""Page, picture, title and text of each link on the first page."""
EXAMPLE = "vicsek-1995"


def example() -> str:
    """Return the part of a model file that affects the simulation."""
    text = mm.zoo()[EXAMPLE]
    return text[text.index("[space]") : text.index("[view]")].strip()


def add_pages(app: Sphinx, config: Any) -> None:
    config.html_additional_pages = dict(PAGES)


def add_context(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add the variables of the templates."""
    lessons = [name for name in app.env.all_docs if name.startswith("docs/lessons/")]
    context["lessons"] = min(
        lessons, key=lambda name: (not name.endswith("/index"), name), default=""
    )
    context["bibtex"] = citations.bibtex(Source()).strip()
    if pagename in PAGES:
        context["flocks"] = list(flocks().values())
        context["filters"] = FILTERS
        context["hero"] = HERO
        context["example"] = example()
        teach = context["lessons"] or "docs/live-page"
        context["ways"] = [(page or teach, *rest) for page, *rest in WAYS]
        context["tries"] = {
            name: [{"words": t.words, "link": t.link} for t in flock.tries if t.works_in_page]
            for name, flock in flocks().items()
            if flock.live
        }


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("config-inited", add_pages)
    app.connect("html-page-context", add_context)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
