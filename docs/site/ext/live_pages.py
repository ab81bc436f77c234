"""The site's folder live: for each flock, and each that does not flock, the page in which it flies,
and a still picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flocks import flocks
from sphinx.application import Sphinx
from symptom_pages import symptoms


def write_live_pages(app: Sphinx) -> None:
    """Writes what has changed. Where kernels are in the cache already, a page takes a moment."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "live"
    folder.mkdir(parents=True, exist_ok=True)
    made = {f"{name}.html": flock.page.encode() for name, flock in flocks().items()}
    made |= {f"{name}.png": flock.picture.read_bytes() for name, flock in flocks().items()}
    for name, symptom in symptoms().items():
        made[f"symptom-{name}.html"] = symptom.page.encode()
        made[f"symptom-{name}.png"] = symptom.picture
    for path in folder.iterdir():
        if path.name not in made:
            path.unlink()
    for name, data in made.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", write_live_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
