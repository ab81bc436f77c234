"""A link on the page of each lesson to download its notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = "docs/lessons/"


def offer_notebook(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add a link to the notebook file below the introduction of a lesson."""
    path = Path(app.env.doc2path(docname))
    if docname.startswith(FOLDER) and path.suffix == ".ipynb":
        source[0] = with_download(source[0], path.name)


def with_download(notebook: str, name: str) -> str:
    """Return the notebook with a link to its file at the end of the first cell."""
    content = json.loads(notebook)
    first = content["cells"][0]["source"]
    text = first if isinstance(first, str) else "".join(first)
    link = f"{{download}}`Download this notebook <{name}>` to [write in it](index.md)."
    content["cells"][0]["source"] = f"{text}\n\n{link}"
    return json.dumps(content)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", offer_notebook)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
