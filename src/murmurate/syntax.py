"""Syntax trees of text, by any thread."""

from __future__ import annotations

import ast
import threading
from math import inf

_PARSING = threading.Lock()  # Python 3.11 cannot make two trees at once


MAX_NESTING = 120
"""Levels of a user's text: blocks, brackets, terms of a sum. Functions that read trees call
themselves a few times per level, and Python allows a thousand such calls."""


def syntax_tree(text: str, max_nesting: float = inf) -> ast.Module:
    """Return the syntax tree of a text. Raises SyntaxError, also for too many levels."""
    too_deep = f"more than {MAX_NESTING} nested brackets, blocks or terms of a sum"
    with _PARSING:
        try:
            tree = ast.parse(text)
        except (RecursionError, MemoryError):
            raise SyntaxError(too_deep) from None
    level: list[ast.AST] = [tree] if max_nesting < inf else []
    while level:
        level = [node for above in level for node in ast.iter_child_nodes(above)]
        max_nesting -= 1
        if max_nesting < 0:
            raise SyntaxError(too_deep)
    return tree
