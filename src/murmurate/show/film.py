"""Write a film: draw frames, and convert and encode the pictures in threads of their own."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

from murmurate.frame import Frame
from murmurate.model.view import Look, View
from murmurate.show.encoders import Encoder, Gif, ImageSequence, Video
from murmurate.show.errors import ShowError, WriteFailed
from murmurate.show.output import (
    check_output,
    check_passes_output,
    check_view,
    draft_path,
    is_numbered,
    numbered_path,
)
from murmurate.show.painter import Painter
from murmurate.show.paths import Line
from murmurate.show.pipeline import PipelineStage
from murmurate.show.projection import Array

_FAILURES = (OSError, av.FFmpegError)


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
) -> FilmReport:
    """Draw every frame and write the film.

    path      .mp4, .webm, .mov, .gif, 'shots/%05d.png' or a folder
    view      size, style, frames per second, ...; flock name -> Look in `looks`
    progress  called with (pictures done, total) after each picture
    force     replace a file that exists
    comment   kept in the file: which model made it, ...
    paths     lines that boids are led along: path_lines(model)
    passes    'depth', 'motion': numbered pictures of 16 bits beside the film, see show/passes.py

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
    writers: dict[Path, _FilmWriter] = {}
    interrupted, failure, done = False, None, 0
    try:
        for frame in frames:
            painter = painter or Painter(frame.space, view, looks, paths, passes)
            pictures = {whole: painter.draw(frame)}
            notes = {beside[name]: painter.notes[name] for name in passes}
            pictures |= {beside[name]: painter.passes[name] for name in passes}
            for output, picture in pictures.items():
                if output not in writers:
                    said = "; ".join(filter(None, [comment, notes.get(output)]))
                    writers[output] = _FilmWriter(output, view, rate, said)
                writers[output].put(picture)
            done += 1
            if progress is not None:
                progress(done, total)
    except KeyboardInterrupt:
        interrupted = True
    except WriteFailed:
        for writer in writers.values():
            writer.abort()
        raise
    except Exception as error:
        failure = error
    _finish(list(writers.values()))
    if failure is not None:
        raise failure
    if not done and not interrupted:
        raise ShowError(f"{whole}: there was no frame to draw, so no film was written")
    seconds, size = float(done / rate), _size(whole, done)
    return FilmReport(whole, done, seconds, size, interrupted, tuple(beside.values()))


def _finish(writers: list[_FilmWriter]) -> None:
    """Completes their files; those after one that fails are given up."""
    try:
        while writers:
            writers.pop(0).finish()
    finally:
        for writer in writers:
            writer.abort()


class _FilmWriter:
    """Pictures to a file: one thread converts, another compresses."""

    def __init__(self, path: Path, view: View, rate: Fraction, comment: str) -> None:
        self._path = path
        self._draft = path if is_numbered(path) else draft_path(path)
        try:
            self._encoder = _encoder(self._draft, path, view, rate, comment)
        except _FAILURES as error:
            raise _failed(path, error) from error
        self._compress: PipelineStage[Any] = PipelineStage(self._encoder.write)
        self._convert: PipelineStage[Array] = PipelineStage(self._prepare)

    def _prepare(self, picture: Array) -> None:
        for prepared in self._encoder.prepare(picture):
            self._compress.put(prepared)

    def put(self, picture: Array) -> None:
        try:
            self._convert.put(picture)
        except _FAILURES as error:
            raise _failed(self._path, error) from error

    def finish(self) -> None:
        """Complete the file and give it its name; on any failure leave none.

        A Ctrl-C in these last moments is let pass, since the film is nearly there; a second one
        gives it up.
        """
        errors: list[BaseException] = []
        over = threading.Event()  # Thread.join forgets a running thread when it is interrupted
        threading.Thread(target=self._complete, args=(errors, over), daemon=True).start()
        pressed = 0
        while True:
            try:
                while not over.wait(0.1):
                    pass
                break
            except KeyboardInterrupt:
                pressed += 1
                if pressed > 1:
                    self._convert.abort()
                    self._compress.abort()
        if errors:
            self.abort()
            if pressed > 1:
                raise KeyboardInterrupt
            if isinstance(errors[0], _FAILURES):
                raise _failed(self._path, errors[0]) from errors[0]
            raise errors[0]

    def _complete(self, errors: list[BaseException], over: threading.Event) -> None:
        try:
            self._convert.finish()
            self._compress.finish()
            self._encoder.close()
            if self._draft != self._path:
                os.replace(self._draft, self._path)
        except BaseException as error:
            errors.append(error)
        finally:
            over.set()

    def abort(self) -> None:
        """Stop, and leave no unfinished file."""
        for stage in (self._convert, self._compress):
            stage.abort()
        for stage in (self._convert, self._compress):
            stage.join()
        # The file is thrown away: what closing it runs into does not matter.
        with contextlib.suppress(*_FAILURES):
            if self._draft != self._path:
                self._encoder.close()
        if self._draft != self._path:
            self._draft.unlink(missing_ok=True)


def _encoder(draft: Path, whole: Path, view: View, rate: Fraction, comment: str) -> Encoder:
    if is_numbered(whole):
        return ImageSequence(whole, comment)
    if whole.suffix.lower() == ".gif":
        return Gif(draft, view.size, rate)
    return Video(draft, whole.suffix.lower(), view, rate, comment)


def _failed(path: Path, error: BaseException) -> WriteFailed:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return WriteFailed(
        f"{path}: writing the film failed: {reason}. No file was left; free some space or give "
        "another path, and run again"
    )


def _size(path: Path, done: int) -> int:
    if not done:
        return 0
    if is_numbered(path):
        return sum(numbered_path(path, number).stat().st_size for number in range(1, done + 1))
    return path.stat().st_size
