"""Signatures of several lines: Sphinx sets the lines as the definitions of a list without terms,
which is no list to a screen reader, so it is said to be there for its looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LINES = re.compile(r"<dl>(?=\s*<dd>)")


def presented(body: str) -> str:
    """A page's HTML with these lists marked; those that begin with a term stay as they are."""
    return LINES.sub('<dl role="presentation">', body)


def mark_signatures(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    if "body" in context:
        context["body"] = presented(context["body"])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", mark_signatures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
