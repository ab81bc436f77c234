"""The files of a film and of its passes: threads convert, encode and write the pictures.

One thread deals out the pictures that belong together, and for each file one converts and another
compresses. So a picture is in all the files or in none, whenever Ctrl-C comes.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import av

from murmurate.disk import draft_path, remove_stale_drafts
from murmurate.model.view import View
from murmurate.show.encoders import Encoder, Gif, ImageSequence, Video
from murmurate.show.errors import WriteFailed
from murmurate.show.output import is_numbered
from murmurate.show.pipeline import PipelineStage
from murmurate.show.projection import Array

_FAILURES = (OSError, av.FFmpegError)


class Picture(NamedTuple):
    """One file's next picture; the comment is kept in the file."""

    path: Path
    pixels: Array
    comment: str


class FilmFiles:
    """Files that get their pictures together."""

    def __init__(self, view: View, rate: Fraction) -> None:
        self._view, self._rate = view, rate
        self._files: dict[Path, _FilmFile] = {}
        self._written = 0
        self._dealing: PipelineStage[Sequence[Picture]] = PipelineStage(self._deal, ahead=1)

    def put(self, pictures: Sequence[Picture]) -> None:
        """Hand over the next picture of every file; raises WriteFailed when writing failed."""
        self._dealing.put(pictures)

    def _deal(self, pictures: Sequence[Picture]) -> None:
        for path, pixels, comment in pictures:
            if path not in self._files:
                self._files[path] = _FilmFile(path, self._view, self._rate, comment)
            self._files[path].put(pixels)
        self._written += 1

    def finish(self) -> int:
        """Complete the files and give them their names; returns how many pictures each has.

        A file that fails leaves none, nor do those after it. A Ctrl-C in these last moments is let
        pass, since the film is nearly there; a second one gives it up.
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
                    self._dealing.abort()
                    for file in list(self._files.values()):
                        file.stop()
        if errors:
            self.abort()
            raise KeyboardInterrupt if pressed > 1 else errors[0]
        return self._written

    def _complete(self, errors: list[BaseException], over: threading.Event) -> None:
        try:
            self._dealing.finish()
            for path in list(self._files):
                self._files[path].complete()
                del self._files[path]
        except BaseException as error:
            errors.append(error)
        finally:
            over.set()

    def abort(self) -> None:
        """Stop, and leave no unfinished file."""
        self._dealing.abort()
        self._dealing.join()
        for file in self._files.values():
            file.abort()


class _FilmFile:
    """One file: one thread converts, another compresses."""

    def __init__(self, path: Path, view: View, rate: Fraction, comment: str) -> None:
        self._path = path
        self._draft = path if is_numbered(path) else draft_path(path)
        remove_stale_drafts(path.parent, None if is_numbered(path) else path.name)
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

    def complete(self) -> None:
        try:
            self._convert.finish()
            self._compress.finish()
            self._encoder.close()
            if self._draft != self._path:
                os.replace(self._draft, self._path)
        except _FAILURES as error:
            raise _failed(self._path, error) from error

    def stop(self) -> None:
        """Drop what waits."""
        self._convert.abort()
        self._compress.abort()

    def abort(self) -> None:
        """Stop, and leave no unfinished file."""
        self.stop()
        self._convert.join()
        self._compress.join()
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
