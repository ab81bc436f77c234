"""The notebook of each lesson, to download from its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = "docs/lessons/"


def offer_notebook(app: Sphinx, docname: str, source: list[str]) -> None:
    """Puts a link to the file as it lies in the repository below the beginning of a lesson."""
    path = Path(app.env.doc2path(docname))
    if docname.startswith(FOLDER) and path.suffix == ".ipynb":
        source[0] = with_download(source[0], path.name)


def with_download(notebook: str, name: str) -> str:
    """The text of a notebook, whose first cell ends with a link to the file of that name."""
    found = json.loads(notebook)
    first = found["cells"][0]["source"]
    text = first if isinstance(first, str) else "".join(first)
    link = f"{{download}}`Download this notebook <{name}>` to [write in it](index.md)."
    found["cells"][0]["source"] = f"{text}\n\n{link}"
    return json.dumps(found)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", offer_notebook)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
