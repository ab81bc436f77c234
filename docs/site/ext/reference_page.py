"""Build the reference of model files from the program, and put the schema beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import make_reference
from sphinx.application import Sphinx

from murmurate.schema import schema_text

PAGE = "docs/reference"


def build_reference(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace the short page of the repository by the full one."""
    if docname == PAGE:
        source[0] = make_reference.page()


def write_schema(app: Sphinx, exception: Exception | None) -> None:
    """Write docs/model.schema.json into the site."""
    if exception is None and app.builder.format == "html":
        path = Path(app.outdir) / "docs" / "model.schema.json"
        path.write_text(schema_text(), encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", build_reference)
    app.connect("build-finished", write_schema)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
