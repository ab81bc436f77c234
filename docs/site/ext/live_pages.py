"""The site's folder `live`: a live page and a still picture of each model and each symptom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flocks import flocks
from sphinx.application import Sphinx
from symptom_pages import symptoms


def write_live_pages(app: Sphinx) -> None:
    """Write the files that have changed."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "live"
    folder.mkdir(parents=True, exist_ok=True)
    files = {f"{name}.html": flock.page.encode() for name, flock in flocks().items()}
    files |= {f"{name}.png": flock.picture.read_bytes() for name, flock in flocks().items()}
    for name, symptom in symptoms().items():
        files[f"symptom-{name}.html"] = symptom.page.encode()
        files[f"symptom-{name}.png"] = symptom.picture
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", write_live_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
