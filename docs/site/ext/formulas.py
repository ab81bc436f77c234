"""Typeset the formulas of measures, rules and models, which are plain text in their pages."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from typeset import typeset


def set_formulas(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Typeset definitions of measures, literal blocks of the reference, and formulas of models."""
    if app.builder.format != "html":
        return
    if docname.startswith("docs/measures/"):
        _replace(next(iter(doctree.findall(_is_text)), None))
    elif docname == "docs/reference":
        for block in list(doctree.findall(_is_text)):
            _replace(block)
    elif docname.startswith("docs/models/"):
        for literal in list(doctree.findall(nodes.literal)):
            if literal.astext().startswith("v <- "):
                _replace(literal)
        for row in list(doctree.findall(nodes.row)):
            cells = list(row.findall(nodes.entry))
            if len(cells) == 3:
                for literal in list(cells[1].findall(nodes.literal)):
                    _replace(literal)


def _is_text(node: nodes.Node) -> bool:
    return isinstance(node, nodes.literal_block) and node.get("language", "none") in (
        "none",
        "default",
    )


def _replace(node: nodes.Element | None) -> None:
    if node is None:
        return
    markup = typeset(node.astext().strip())
    if isinstance(node, nodes.literal_block):
        markup = f'<div class="displayed">{markup}</div>'
    node.replace_self(nodes.raw("", markup, format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-resolved", set_formulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
