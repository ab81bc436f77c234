"""The texts of all pages in one script, from which the search page takes its excerpts.

Pages that are opened from disk cannot fetch other pages, so Sphinx's own summaries do not work.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

SCRIPT = "_static/searchtexts.js"
SILENT = {"script", "style", "nav", "button", "svg", "iframe", "textarea"}
BLOCKS = {"p", "li", "td", "th", "dt", "dd", "pre", "div", "h1", "h2", "h3", "h4", "tr", "summary"}


class Article(HTMLParser):
    """The text of a page's article, without its scripts, buttons and links to headings."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._parts: list[str] = []
        self._inside = self._silent = 0
        self._heading_link = False
        self.feed(page)

    @property
    def text(self) -> str:
        """The words, with single spaces."""
        return " ".join("".join(self._parts).split())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "article":
            self._inside += 1
        elif tag in SILENT:
            self._silent += 1
        elif tag == "a" and "headerlink" in (dict(attributes).get("class") or ""):
            self._heading_link = True
        elif tag in BLOCKS:
            self._parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "article":
            self._inside -= 1
        elif tag in SILENT:
            self._silent -= 1
        elif tag == "a":
            self._heading_link = False
        elif tag in BLOCKS:
            self._parts.append(" ")

    def handle_data(self, data: str) -> None:
        if self._inside and not self._silent and not self._heading_link:
            self._parts.append(data)


def write_texts(app: Sphinx, exception: Exception | None) -> None:
    """Write the script, once all pages are written."""
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    texts = {
        name: Article((folder / f"{name}.html").read_text(encoding="utf-8")).text
        for name in sorted(app.env.all_docs)
        if (folder / f"{name}.html").exists()
    }
    data = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    (folder / SCRIPT).write_text(f"window.searchTexts = {data};\n", encoding="utf-8")


def add_scripts(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Load the texts on the search page alone."""
    if pagename == "search":
        app.add_js_file("searchtexts.js", loading_method="defer")
        app.add_js_file("excerpts.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write_texts)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
