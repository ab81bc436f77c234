"""Write a film: draw frames, and hand the pictures to the threads that write the files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from murmurate.frame import Frame
from murmurate.model.view import Look, View
from murmurate.show.annotations import Annotations
from murmurate.show.errors import ShowError, WriteFailed
from murmurate.show.film_files import FilmFiles, Picture
from murmurate.show.output import (
    check_output,
    check_passes_output,
    check_view,
    is_numbered,
    numbered_path,
)
from murmurate.show.painter import Painter
from murmurate.show.paths import Line


@dataclass(frozen=True)
class FilmReport:
    """A film that was written.

    path         the file; for numbered pictures their pattern
    frames       pictures in it
    seconds      its length when played
    bytes        its size
    interrupted  whether Ctrl-C ended it early; there is no file if no picture was drawn before
    passes       the patterns of its passes' numbered pictures
    """

    path: Path
    frames: int
    seconds: float
    bytes: int
    interrupted: bool
    passes: tuple[Path, ...] = ()


def write_film(
    frames: Iterable[Frame],
    path: str | os.PathLike[str],
    view: View | None = None,
    looks: Mapping[str, Look] | None = None,
    *,
    total: int | None = None,
    progress: Callable[[int, int | None], object] | None = None,
    force: bool = False,
    comment: str = "",
    paths: Sequence[Line] = (),
    passes: Sequence[str] = (),
    annotations: Annotations | None = None,
) -> FilmReport:
    """Draw every frame and write the film.

    path      .mp4, .webm, .mov, .gif, 'shots/%05d.png' or a folder
    view      size, style, frames per second, ...; flock name -> Look in `looks`
    progress  called with (pictures done, total) after each picture
    force     replace a file that exists
    comment   kept in the file: which model made it, ...
    paths     lines that boids are led along: path_lines(model)
    passes    'depth', 'motion': numbered pictures of 16 bits beside the film, see show/passes.py
    annotations  colours and names of single boids, a picture behind them

    The file appears under its name when it is complete. Ctrl-C while frames are made or drawn ends
    the film there: the file plays, and the report says interrupted. If making frames fails, the
    film so far is kept the same way and the error is raised. If writing fails, no file is left
    (numbered pictures keep those that are complete), and WriteFailed is raised.
    """
    view = view or View()
    whole = check_output(path, force)
    check_view(whole, view)
    beside = check_passes_output(whole, passes, force)
    if not is_numbered(whole) and whole.suffix.lower() != ".gif":
        view = view.model_copy(update={"size": tuple(n + n % 2 for n in view.size)})
    rate = Fraction(view.frames_per_second).limit_denominator(1001)
    painter: Painter | None = None
    files = FilmFiles(view, rate)
    interrupted, failure, drawn = False, None, 0
    try:
        for frame in frames:
            painter = painter or Painter(frame.space, view, looks, paths, passes, annotations)
            pictures = [Picture(whole, painter.draw(frame), comment)]
            for name in passes:
                said = "; ".join(filter(None, [comment, painter.notes[name]]))
                pictures.append(Picture(beside[name], painter.passes[name], said))
            files.put(pictures)
            drawn += 1
            if progress is not None:
                progress(drawn, total)
    except KeyboardInterrupt:
        interrupted = True
    except WriteFailed:
        files.abort()
        raise
    except Exception as error:
        failure = error
    done = files.finish()
    if failure is not None:
        raise failure
    if not done and not interrupted:
        raise ShowError(f"{whole}: there was no frame to draw, so no film was written")
    seconds, size = float(done / rate), _size(whole, done)
    return FilmReport(whole, done, seconds, size, interrupted, tuple(beside.values()))


def _size(path: Path, done: int) -> int:
    if not done:
        return 0
    if is_numbered(path):
        return sum(numbered_path(path, number).stat().st_size for number in range(1, done + 1))
    return path.stat().st_size
