"""VideoFrames: the pictures of a video, one after the other, by their numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from murmurate.disk import regular
from murmurate.show.errors import OutputRefused, ShowError
from murmurate.show.projection import Array

_FAILURES = (OSError, av.FFmpegError, ValueError, IndexError)


class VideoFrames:
    """A video as pictures, upright as players show it.

    path    of the file
    size    (width, height), pixels
    rate    pictures a second
    count   how many pictures it has: they are counted, since what files say of it may be wrong

    Picture 0 is the first. Going on is fast; going back begins at the start again.
    Raises OutputRefused for a file that is none, and ShowError for one that cannot be decoded.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            with av.open(os.fspath(regular(self.path))) as file:
                stream = self._stream(file)
                self.rate = Fraction(stream.average_rate or stream.guessed_rate or 25)
                self.count = sum(1 for packet in file.demux(stream) if packet.size)
            self._frames, self._next = self._decoded(), 0
            first = next(self._frames, None)
            self._latest = None if first is None else _upright(first)
        except _FAILURES as error:
            raise OutputRefused(
                f"{self.path}: got {_said(error)}; expected a video that can be decoded, such as "
                ".mp4, .avi or .mov"
            ) from None
        if self._latest is None:
            raise OutputRefused(f"{self.path}: got a video without a picture; expected at least 1")
        height, width = self._latest.shape[:2]
        self.size = (width, height)

    def __getitem__(self, number: int) -> Array:
        """(H, W, 3) uint8, read only. Raises ShowError where the video ends before it."""
        frame = None
        if number < self._next:
            self._frames, self._next = self._decoded(), 0
            frame = self._step(number)  # picture 0
        while self._next < number:
            self._next += 1
            frame = self._step(number)
        if frame is not None:
            self._latest = _upright(frame)
        assert self._latest is not None
        return self._latest

    def _step(self, number: int) -> Any:
        try:
            found = next(self._frames, None)
        except _FAILURES as error:
            raise ShowError(
                f"{self.path}: got {_said(error)} at frame {self._next}; expected frame {number}. "
                "The file is damaged: convert it with ffmpeg, and give that"
            ) from None
        if found is None:
            raise ShowError(
                f"{self.path}: ends after {self._next} frames; expected frame {number}. Give "
                "--offset, or fewer --steps"
            )
        return found

    def _decoded(self) -> Iterator[Any]:
        with av.open(os.fspath(self.path)) as file:
            yield from file.decode(self._stream(file))

    def _stream(self, file: Any) -> Any:
        if not file.streams.video:
            raise ValueError("a file without a video")
        return file.streams.video[0]


def _upright(frame: Any) -> Array:
    """(H, W, 3) uint8, read only: a decoded frame, turned as its file says (telephones do)."""
    turns = round((getattr(frame, "rotation", 0) or 0) / 90)
    picture = np.ascontiguousarray(np.rot90(frame.to_ndarray(format="rgb24"), turns))
    picture.flags.writeable = False
    return picture


def _said(error: BaseException) -> str:
    """What a library says, in a few words."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:120]
