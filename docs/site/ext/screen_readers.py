"""What pages say to screen readers, put right where Sphinx and its extensions get it wrong.

- Signatures of several lines: the lines are set as the definitions of a list without terms, which
  is no list, so it is said to be there for its looks.
- Folded cells: their button shows what is in them ("The answer"), and is named something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

CHANGES = (
    (re.compile(r"<dl>(?=\s*<dd>)"), '<dl role="presentation">'),
    (re.compile(r'<summary aria-label="Toggle hidden content">'), "<summary>"),
)


def put_right(body: str) -> str:
    """A page's HTML as it is meant; lists that begin with a term stay as they are."""
    for pattern, instead in CHANGES:
        body = pattern.sub(instead, body)
    return body


def change_body(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    if "body" in context:
        context["body"] = put_right(context["body"])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", change_body)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
