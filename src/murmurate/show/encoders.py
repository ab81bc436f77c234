"""Encoders: mp4, webm, mov, gif and numbered PNG files, one class each.

`prepare` turns a picture into what `write` takes; the two run in threads of their own, one ahead
of the other. `close` comes when both are done.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol, cast

import av
import numpy as np
from av.video.reformatter import Colorspace, VideoReformatter
from PIL import Image

from murmurate.disk import atomic_write
from murmurate.model.view import View
from murmurate.show.output import numbered_path
from murmurate.show.png_file import png

Array = np.ndarray

_PALETTE_PICTURES = 12  # pictures that a GIF's palette is made from

# Settings for drawings: sharp edges, plain ground. x264's macroblock tree is off, since with it two
# runs make different files. Its fastest preset searches little, which drawings bear, but leaves out
# too what makes files small and edges clean for little time: that is put back. It takes 0.6 of the
# time of 'superfast', for files a tenth larger.
_CODECS = {
    ".mp4": (
        "mp4",
        "libx264",
        {
            "preset": "ultrafast",
            "crf": "23",
            "x264-params": "mbtree=0:cabac=1:8x8dct=1:no-deblock=0:deblock=0,0:aq-mode=1:bframes=3:"
            "analyse=i4x4,i8x8",
        },
        {"movflags": "+faststart"},
    ),
    ".webm": (
        "webm",
        "libvpx-vp9",
        {"deadline": "realtime", "cpu-used": "7", "row-mt": "1", "crf": "28", "b": "0"},
        {},
    ),
    ".mov": ("mov", "prores_ks", {"profile": "4444"}, {}),
}
# Pixels of opaque and of transparent films.
_PIXELS = {
    ".mp4": ("yuv420p", ""),
    ".webm": ("yuv420p", "yuva420p"),
    ".mov": ("yuv444p10le", "yuva444p10le"),
}


class Encoder(Protocol):
    def prepare(self, picture: Array) -> list[Any]:
        """(H, W, 3 or 4) uint8, or a pass -> what there is to write by now."""

    def write(self, prepared: Any) -> None: ...

    def close(self) -> None:
        """Write what is still held back, and the end of the file."""


class Video:
    """mp4 (H.264), webm (VP9) or mov (ProRes 4444), BT.709 colours."""

    def __init__(self, path: Path, suffix: str, view: View, rate: Fraction, comment: str) -> None:
        kind, codec, options, container_options = _CODECS[suffix]
        # 'bitexact' leaves out random numbers, so that the same film is the same file.
        container_options = {"fflags": "+bitexact", **container_options}
        self._container = av.open(str(path), "w", format=kind, container_options=container_options)
        if comment:
            self._container.metadata["comment"] = comment
        # PyAV's types leave open which kind of stream it is.
        self._stream = cast(Any, self._container.add_stream(codec, rate=rate, options=options))
        self._stream.width, self._stream.height = view.size
        self._taken = "rgba" if view.transparent else "rgb24"
        self._kept = _PIXELS[suffix][view.transparent]
        self._stream.pix_fmt = self._kept
        context = cast(Any, self._stream.codec_context)
        context.color_range, context.colorspace = 1, 1  # the narrow range, BT.709
        context.color_primaries, context.color_trc = 1, 1
        self._reformatter = VideoReformatter()  # one for all: it keeps what it needs
        self._count = 0

    def prepare(self, picture: Array) -> list[av.VideoFrame]:
        # the frame looks at the picture's own memory, which nobody writes to any more
        frame = av.VideoFrame.from_numpy_buffer(np.ascontiguousarray(picture), format=self._taken)
        frame = self._reformatter.reformat(
            frame, format=self._kept, dst_colorspace=Colorspace.ITU709
        )
        frame.pts = self._count
        self._count += 1
        return [frame]

    def write(self, prepared: av.VideoFrame) -> None:
        self._container.mux(self._stream.encode(prepared))

    def close(self) -> None:
        try:
            if self._count:
                self._container.mux(self._stream.encode(None))
        finally:
            self._container.close()


class Gif:
    """An animated GIF with one palette for the whole film, learnt from the first pictures.

    GIF counts in 1/100 s and players slow down films of more than 50 pictures a second, so of
    faster films some pictures are left out; the speed of the film stays right.
    """

    def __init__(self, path: Path, size: tuple[int, int], rate: Fraction) -> None:
        self._rate = rate
        last = {"final_delay": str(max(2, round(100 / rate)))}
        self._container = av.open(str(path), "w", format="gif", container_options=last)
        self._stream = cast(Any, self._container.add_stream("gif", rate=100))
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "pal8"
        self._stream.codec_context.time_base = Fraction(1, 100)
        self._first_pictures: list[Array] = []
        self._palette: Array | None = None
        self._nearest: Array | None = None
        self._count = 0
        self._last = -2

    def prepare(self, picture: Array) -> list[av.VideoFrame]:
        if self._palette is not None:
            return self._frames([picture])
        self._first_pictures.append(picture)
        return self._make_palette() if len(self._first_pictures) == _PALETTE_PICTURES else []

    def write(self, prepared: av.VideoFrame) -> None:
        self._container.mux(self._stream.encode(prepared))

    def close(self) -> None:
        try:
            if self._first_pictures:
                for frame in self._make_palette():
                    self.write(frame)
            if self._count:
                self._container.mux(self._stream.encode(None))
        finally:
            self._container.close()

    def _make_palette(self) -> list[av.VideoFrame]:
        from scipy.spatial import cKDTree

        pixels = np.concatenate([picture.reshape(-1, 3) for picture in self._first_pictures])
        counts = np.bincount(_to_rgb15(pixels), minlength=1 << 15)
        colours = np.flatnonzero(counts)
        # Rare colours count for more than their share: a falcon is few pixels in a large sky.
        weight = np.ceil(16.0 * np.sqrt(counts[colours] / counts.max())).astype(int)
        few = Image.fromarray(_from_rgb15(np.repeat(colours, weight))[None].astype(np.uint8))
        palette = few.quantize(255, Image.Quantize.MEDIANCUT, kmeans=2).getpalette()
        rgb = np.array(palette, np.uint8).reshape(-1, 3)[:255]
        self._palette = np.zeros((256, 4), np.uint8)
        self._palette[:, 0] = 255
        self._palette[: len(rgb), 1:] = rgb
        everything = _from_rgb15(np.arange(1 << 15)).astype(np.float64)
        self._nearest = cKDTree(rgb.astype(np.float64)).query(everything)[1].astype(np.uint8)
        early, self._first_pictures = self._first_pictures, []
        return self._frames(early)

    def _frames(self, pictures: list[Array]) -> list[av.VideoFrame]:
        assert self._nearest is not None
        frames = []
        for picture in pictures:
            when = round(100 * self._count / self._rate)
            self._count += 1
            if when < self._last + 2:
                continue
            self._last = when
            both: Any = (self._nearest[_to_rgb15(picture)], self._palette)
            frame = av.VideoFrame.from_ndarray(both, format="pal8")
            frame.pts, frame.time_base = when, Fraction(1, 100)
            frames.append(frame)
        return frames


class ImageSequence:
    """Numbered PNG files, from 1 on. Each is complete as soon as it has its name."""

    def __init__(self, path: Path, comment: str) -> None:
        self._path, self._comment, self._count = path, comment, 0
        path.parent.mkdir(parents=True, exist_ok=True)

    def prepare(self, picture: Array) -> list[bytes]:
        return [png(picture, self._comment, 1)]

    def write(self, prepared: bytes) -> None:
        self._count += 1
        write_bytes(prepared, numbered_path(self._path, self._count), tidy=False)

    def close(self) -> None:
        """Pictures of a longer film that was here before would look like the rest of this one."""
        for number in itertools.count(self._count + 1):
            leftover = numbered_path(self._path, number)
            if not leftover.exists():
                break
            leftover.unlink()


def write_bytes(data: bytes, path: Path, tidy: bool = True) -> None:
    """Write a file, replacing what is there only when it is complete."""
    with atomic_write(path, tidy) as draft, open(draft, "xb") as file:
        file.write(data)


def _to_rgb15(rgb: Array) -> Array:
    """(..., 3) uint8 -> (...) uint16: five bits a colour."""
    red, green, blue = (rgb[..., k].astype(np.uint16) >> 3 for k in range(3))
    return (red << 10) | (green << 5) | blue


def _from_rgb15(code: Array) -> Array:
    """The colours in the middle of what each code stands for."""
    return np.stack([((code >> shift) & 31) * 8 + 4 for shift in (10, 5, 0)], axis=-1)
