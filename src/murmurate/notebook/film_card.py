"""Films and pictures in a notebook: they play in the cell, also in a file that is exported."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

from murmurate.disk import read_bytes
from murmurate.number_text import size_text
from murmurate.show.film import FilmReport
from murmurate.show.output import MAX_SHOWN_BYTES, is_numbered, numbered_path

VIDEO_TYPES = {".mp4": "video/mp4", ".webm": "video/webm"}
PICTURE_TYPES = {".gif": "image/gif", ".png": "image/png"}


def film_card(report: FilmReport) -> str:
    """Return a film as HTML that plays in a cell, with its contents, for a notebook.

    Browsers play .mp4 and .webm, and show .gif. Of numbered pictures the last one is shown. Other
    files, and those above 24 MiB, are described in a line. Nothing is simulated or drawn.
    """
    path = _shown_file(report)
    name = escape(str(report.path))
    pictures = "1 picture" if report.frames == 1 else f"{report.frames:,} pictures"
    facts = f"{pictures}, {report.seconds:.3g} s, {size_text(report.bytes)}"
    caption = f"<p><code>{name}</code>: {facts}</p>"
    if report.interrupted:
        caption += "<p>Ctrl-C ended it early.</p>"
    if path is None:
        return caption
    data = base64.b64encode(read_bytes(path)).decode("ascii")
    style = "max-width: 100%; height: auto"
    suffix = path.suffix.lower()
    if suffix in VIDEO_TYPES:
        source = f"data:{VIDEO_TYPES[suffix]};base64,{data}"
        return (
            f'<video controls loop playsinline preload="metadata" style="{style}" src="{source}">'
            f"</video>{caption}"
        )
    source = f"data:{PICTURE_TYPES[suffix]};base64,{data}"
    return f'<img alt="{name}" style="{style}" src="{source}">{caption}'


def _shown_file(report: FilmReport) -> Path | None:
    """Return the file to show: the film, or the last of its numbered pictures; None for none."""
    path = Path(report.path)
    if is_numbered(path) and report.frames:
        path = numbered_path(path, report.frames)
    suffixes = {**VIDEO_TYPES, **PICTURE_TYPES}
    try:
        fits = path.suffix.lower() in suffixes and path.stat().st_size <= MAX_SHOWN_BYTES
    except OSError:
        return None
    return path if fits else None
