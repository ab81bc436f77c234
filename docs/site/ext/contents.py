"""The table of contents: the order of pages and their captions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

# Caption -> pages relative to docs/; a pattern stands for all matching pages.
PARTS: dict[str, tuple[str, ...]] = {
    "Start": (
        "first-flight", "choose-a-model", "lessons/index", "lessons/*", "coming-from/*",
        "why-no-flock", "questions",
    ),
    "Watch": ("live", "live-page", "tasks", "page", "notebook", "films-and-stills"),
    "Models": ("model-files", "population", "writing-rules", "reference", "models"),
    "Measure and compare": (
        "python", "measures", "real-tracks", "sweeps", "cluster", "recordings", "file-formats",
        "fly-a-flock", "recording-format", "verdicts", "guarantees", "stability",
    ),
    "Python and commands": ("api/index",),
    "Development": (
        "how-it-works", "engines", "../ARCHITECTURE", "../CONTRIBUTING", "benchmarks",
        "scaling",
        "../benchmarks/README",
        "../benchmarks/results/README", "../CHANGELOG",
    ),
}  # fmt: skip
# A page -> the pages below it.
BELOW = {"docs/models": "models/*", "docs/measures": "measures/*", "docs/api/index": "*"}
NAMED = re.compile(r"\[([\w./-]+\.md)\](\([\w./#-]*\))")
TREE = "\n\n```{toctree}\n:hidden:\n"


def add_contents(app: Sphinx, docname: str, source: list[str]) -> None:
    """Append hidden tables of contents to pages with subpages."""
    if docname == app.config.root_doc:
        source[0] += "".join(
            f"{TREE}:caption: {caption}\n\n{chr(10).join(pages)}\n```\n"
            for caption, pages in parts(app.srcdir / "docs").items()
        )
    elif docname.endswith("api/index"):
        source[0] += "\n\n.. toctree::\n   :hidden:\n   :glob:\n\n   *\n"
    elif docname in BELOW:
        source[0] += f"{TREE}:glob:\n\n{BELOW[docname]}\n```\n"


def name_by_title(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace the text of a link that is a file name, [page.md](page.md), by the page's title."""
    source[0] = NAMED.sub(r"[]\2", source[0])


def parts(docs: Path) -> dict[str, list[str]]:
    """Return caption -> existing pages, each once; unlisted pages come last."""
    placed: dict[str, list[str]] = {}
    listed = {"index"}
    for caption, patterns in PARTS.items():
        pages = [page for pattern in patterns for page in matching_pages(docs, pattern)]
        placed[caption] = [page for page in dict.fromkeys(pages) if page not in listed]
        listed.update(placed[caption])
    more = [path.stem for path in sorted(docs.glob("*.md")) if path.stem not in listed]
    return {caption: pages for caption, pages in {**placed, "More": more}.items() if pages}


def matching_pages(docs: Path, pattern: str) -> list[str]:
    """Return the pages that match a pattern, sorted by name."""
    files = {
        path.relative_to(docs).with_suffix("").as_posix() if pattern[:2] != ".." else pattern
        for ending in (".md", ".ipynb", ".rst")
        for path in docs.glob(pattern + ending)
    }
    return sorted(files)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", name_by_title)
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
