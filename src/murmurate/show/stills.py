"""Stills: one frame as a PNG file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from murmurate.frame import Frame
from murmurate.model.view import Look, View
from murmurate.show.encoders import png, write_bytes
from murmurate.show.errors import WriteFailed
from murmurate.show.output import check_output
from murmurate.show.painter import Painter


def write_still(
    frame: Frame,
    path: str | os.PathLike[str],
    view: View | None = None,
    looks: Mapping[str, Look] | None = None,
    *,
    force: bool = False,
    comment: str = "",
) -> Path:
    """Draw one frame and write it as a PNG; returns its path. Trails need a film's history."""
    whole = check_output(path, force, "still")
    picture = Painter(frame.space, view or View(), looks).draw(frame)
    try:
        write_bytes(png(picture, comment), whole)
    except OSError as error:
        raise WriteFailed(
            f"{whole}: writing the picture failed: {error.strerror or error}. Free some space or "
            "give another path, and run again"
        ) from error
    return whole
