"""Stills: one frame as a PNG file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from murmurate.frame import Frame
from murmurate.model.view import Look, View
from murmurate.show.annotations import Annotations
from murmurate.show.encoders import write_bytes
from murmurate.show.errors import WriteFailed
from murmurate.show.output import check_output, check_view
from murmurate.show.painter import Painter
from murmurate.show.paths import Line
from murmurate.show.png_file import png


def write_still(
    frame: Frame,
    path: str | os.PathLike[str],
    view: View | None = None,
    looks: Mapping[str, Look] | None = None,
    *,
    force: bool = False,
    comment: str = "",
    paths: Sequence[Line] = (),
    annotations: Annotations | None = None,
    before: Iterable[Frame] = (),
) -> Path:
    """Draw one frame and write it as a PNG; returns its path.

    paths   lines that boids are led along: path_lines(model)
    annotations  colours and names of single boids, a picture behind them
    before  the frames before it, for trails, which need a history
    """
    view = view or View()
    whole = check_output(path, force, "still")
    check_view(whole, view)
    painter = Painter(frame.space, view, looks, paths, annotations=annotations)
    for one in before:
        painter.remember(one)
    picture = painter.draw(frame)
    try:
        write_bytes(png(picture, comment), whole)
    except OSError as error:
        raise WriteFailed(
            f"{whole}: writing the picture failed: {error.strerror or error}. Free some space or "
            "give another path, and run again"
        ) from error
    return whole
