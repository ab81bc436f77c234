"""Syntax trees of text, by any thread."""

from __future__ import annotations

import ast
import threading

_PARSING = threading.Lock()  # Python 3.11 cannot make two trees at once


def syntax_tree(text: str) -> ast.Module:
    """Return the syntax tree of a text. Raises SyntaxError."""
    with _PARSING:
        return ast.parse(text)
