"""Read the pictures of a video by index."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from murmurate.disk import regular
from murmurate.errors import OutputError, ShowError
from murmurate.show.projection import Array

_FAILURES = (OSError, av.FFmpegError, ValueError, IndexError)


class VideoFrames:
    """Pictures of a video, rotated as players show them.

    Forward access is fast; backward access decodes from the start again.

    size  width and height, pixels
    rate  pictures per second
    count  number of pictures. They are counted, because headers may be wrong.
    raises OutputError  the file is not a video
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
            raise OutputError(
                f"{self.path}: got {_reason(error)}; expected a video that can be decoded, such as "
                ".mp4, .avi or .mov"
            ) from None
        if self._latest is None:
            raise OutputError(f"{self.path}: got a video without a picture; expected at least 1")
        height, width = self._latest.shape[:2]
        self.size = (width, height)

    def __getitem__(self, number: int) -> Array:
        """Return picture `number` from 0 as (H, W, 3) uint8, read-only.

        Raises ShowError if the video ends before it or cannot be decoded.
        """
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
            frame = next(self._frames, None)
        except _FAILURES as error:
            raise ShowError(
                f"{self.path}: got {_reason(error)} at frame {self._next}; expected frame "
                f"{number}. "
                "The file is damaged: convert it with ffmpeg, and give that"
            ) from None
        if frame is None:
            raise ShowError(
                f"{self.path}: ends after {self._next} frames; expected frame {number}. Give "
                "--offset, or fewer --steps"
            )
        return frame

    def _decoded(self) -> Iterator[Any]:
        with av.open(os.fspath(self.path)) as file:
            yield from file.decode(self._stream(file))

    def _stream(self, file: Any) -> Any:
        if not file.streams.video:
            raise ValueError("a file without a video")
        return file.streams.video[0]


def _upright(frame: Any) -> Array:
    """Return a decoded frame as (H, W, 3) uint8, read-only, rotated as its metadata requests."""
    quarters = round((getattr(frame, "rotation", 0) or 0) / 90)
    picture = np.ascontiguousarray(np.rot90(frame.to_ndarray(format="rgb24"), quarters))
    picture.flags.writeable = False
    return picture


def _reason(error: BaseException) -> str:
    """Return a short text of the error of a library."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:120]
