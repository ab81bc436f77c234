"""The directive `commands`: what each command of murmurate says of itself, a section each."""

from __future__ import annotations

import contextlib
import io
import os
from typing import Any
from unittest.mock import patch

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from murmurate.cli import main
from murmurate.cli.app import COMMANDS

WIDTH = "80"


def help_of(*words: str) -> str:
    """Return what `murmurate WORDS --help-all` prints."""
    out = io.StringIO()
    with patch.dict(os.environ, {"COLUMNS": WIDTH}), contextlib.redirect_stdout(out):
        code = main([*words, "--help-all"])
    assert code == 0, f"murmurate {' '.join(words)} --help-all: {code}"
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n")


class Commands(SphinxDirective):
    """Takes nothing."""

    def run(self) -> list[nodes.Node]:
        return [nodes.literal_block("", help_of(), language="text")] + [
            self._section(name) for name in COMMANDS
        ]

    def _section(self, name: str) -> nodes.section:
        section = nodes.section("", nodes.title("", name), ids=[name], names=[name])
        section += nodes.literal_block("", help_of(name), language="text")
        self.state.document.note_explicit_target(section)
        return section


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
