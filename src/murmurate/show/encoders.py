"""Encode pictures as mp4, webm, mov, gif and PNG files.

Each encoder has three methods: `prepare` converts a picture, `write` compresses and writes it, and
`close` completes the file. `prepare` and `write` run in two threads; `close` is called when both
have finished.
"""

from __future__ import annotations

import io
import itertools
import struct
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol, cast

import av
import numpy as np
from av.video.reformatter import Colorspace, VideoReformatter
from PIL import Image, PngImagePlugin

from murmurate.disk import atomic_write
from murmurate.jit import stored
from murmurate.model.view import View
from murmurate.show.canvas import planes_of
from murmurate.show.output import numbered_path

Array = np.ndarray


_PALETTE_PICTURES = 12  # number of pictures from which the palette of a GIF is computed

# Settings for drawings: sharp edges on a plain ground. x264's macroblock tree is off, because two
# runs with it write different files. The preset 'ultrafast' searches little, which suits drawings.
# It also disables cheap features that reduce the size and clean edges. They are enabled again.
# Encoding takes 0.6 of the time of 'superfast', and files are 10 % larger.
_CODECS = {
    ".mp4": (
        "mp4",
        "libx264",
        {
            "preset": "ultrafast",
            "crf": "23",
            "x264-params": "mbtree=0:cabac=1:8x8dct=1:no-deblock=0:deblock=0,0:aq-mode=1:bframes=5:"
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
# Pixel formats of opaque and of transparent films.
_PIXELS = {
    ".mp4": ("yuv420p", ""),
    ".webm": ("yuv420p", "yuva420p"),
    ".mov": ("yuv444p10le", "yuva444p10le"),
}


class Encoder(Protocol):
    def prepare(self, picture: Array) -> list[Any]:
        """Convert a picture (H, W, 3 or 4) uint8, or a pass, to items for `write`."""

    def write(self, prepared: Any) -> None:
        """Compress and write one item."""

    def close(self) -> None:
        """Flush the encoder and complete the file."""


class Video:
    """Encode mp4 (H.264), webm (VP9) or mov (ProRes 4444) in BT.709 colours."""

    def __init__(self, path: Path, suffix: str, view: View, rate: Fraction, comment: str) -> None:
        kind, codec, options, container_options = _CODECS[suffix]
        # 'bitexact' omits random identifiers, so that equal films are equal files.
        container_options = {"fflags": "+bitexact", **container_options}
        self._container = av.open(str(path), "w", format=kind, container_options=container_options)
        if comment:
            self._container.metadata["comment"] = comment
        # The types of PyAV do not tell which kind of stream this is.
        self._stream = cast(Any, self._container.add_stream(codec, rate=rate, options=options))
        self._stream.width, self._stream.height = view.size
        self._input_format = "rgba" if view.transparent else "rgb24"
        self._pixel_format = _PIXELS[suffix][view.transparent]
        self._stream.pix_fmt = self._pixel_format
        context = cast(Any, self._stream.codec_context)
        # Their number changes the file, so it must not be that of the machine.
        context.thread_count, context.thread_type = 4, "FRAME"
        context.color_range, context.colorspace = 1, 1  # limited range, BT.709
        context.color_primaries, context.color_trc = 1, 1
        self._reformatter = VideoReformatter()  # shared, because it caches its buffers
        self._count = 0

    def prepare(self, picture: Array) -> list[av.VideoFrame]:
        if self._pixel_format == "yuv420p":
            high, wide = picture.shape[:2]
            planes = np.empty((3 * high // 2, wide), np.uint8)
            chroma = planes[high:].reshape(2, high // 2, wide // 2)
            _fill_planes(planes_of(picture), planes[:high], chroma)
            frame = av.VideoFrame.from_numpy_buffer(planes, format="yuv420p")
        else:
            frame = self._reformat(picture)
        frame.pts = self._count
        self._count += 1
        return [frame]

    def _reformat(self, picture: Array) -> av.VideoFrame:
        # The frame shares the memory of the picture, which is not written to any more.
        frame = av.VideoFrame.from_numpy_buffer(
            np.ascontiguousarray(picture), format=self._input_format
        )
        return self._reformatter.reformat(
            frame, format=self._pixel_format, dst_colorspace=Colorspace.ITU709
        )

    def write(self, prepared: av.VideoFrame) -> None:
        self._container.mux(self._stream.encode(prepared))

    def close(self) -> None:
        try:
            if self._count:
                self._container.mux(self._stream.encode(None))
        finally:
            self._container.close()


# BT.709 with limited range, times 2^16: of red, green and blue.
_LUMA, _BLUE, _RED = (11966, 40254, 4064), (-6596, -22188, 28784), (28784, -26145, -2639)


@stored(boundscheck=False)
def _fill_planes(picture, luma, chroma):  # type: ignore[no-untyped-def]
    """Convert a picture (3, H, W) to luma (H, W) and the chroma (2, H / 2, W / 2) of four pixels.

    FFmpeg takes longer for the same.
    """
    half = np.int32(16 << 16 | 1 << 15)
    for v in range(luma.shape[0]):
        for u in range(luma.shape[1]):
            y = half
            for k in range(3):
                y += np.int32(_LUMA[k]) * np.int32(picture[k, v, u])
            luma[v, u] = np.uint8(y >> np.int32(16))
    middle = np.int32(128 << 18 | 1 << 17)
    for v in range(chroma.shape[1]):
        for u in range(chroma.shape[2]):
            blue, red = middle, middle
            for k in range(3):
                four = np.int32(picture[k, 2 * v, 2 * u]) + np.int32(picture[k, 2 * v, 2 * u + 1])
                four += np.int32(picture[k, 2 * v + 1, 2 * u])
                four += np.int32(picture[k, 2 * v + 1, 2 * u + 1])
                blue += np.int32(_BLUE[k]) * four
                red += np.int32(_RED[k]) * four
            chroma[0, v, u] = np.uint8(blue >> np.int32(18))
            chroma[1, v, u] = np.uint8(red >> np.int32(18))


class Gif:
    """Encode an animated GIF with one palette, computed from the first pictures.

    GIF counts time in 1/100 s, and players slow down films of more than 50 pictures per second.
    Faster films therefore lose some pictures; their speed stays right.
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
        # Give rare colours more than their share: a falcon is a few pixels in a large sky.
        weight = np.ceil(16.0 * np.sqrt(counts[colours] / counts.max())).astype(int)
        sample = Image.fromarray(_from_rgb15(np.repeat(colours, weight))[None].astype(np.uint8))
        palette = sample.quantize(255, Image.Quantize.MEDIANCUT, kmeans=2).getpalette()
        rgb = np.array(palette, np.uint8).reshape(-1, 3)[:255]
        self._palette = np.zeros((256, 4), np.uint8)
        self._palette[:, 0] = 255
        self._palette[: len(rgb), 1:] = rgb
        all_colours = _from_rgb15(np.arange(1 << 15)).astype(np.float64)
        self._nearest = cKDTree(rgb.astype(np.float64)).query(all_colours)[1].astype(np.uint8)
        pictures, self._first_pictures = self._first_pictures, []
        return self._frames(pictures)

    def _frames(self, pictures: list[Array]) -> list[av.VideoFrame]:
        assert self._nearest is not None
        frames = []
        for picture in pictures:
            time = round(100 * self._count / self._rate)
            self._count += 1
            if time < self._last + 2:
                continue
            self._last = time
            indexed: Any = (self._nearest[_to_rgb15(picture)], self._palette)
            frame = av.VideoFrame.from_ndarray(indexed, format="pal8")
            frame.pts, frame.time_base = time, Fraction(1, 100)
            frames.append(frame)
        return frames


class ImageSequence:
    """Write numbered PNG files, from 1 on. Each is complete as soon as it has its name."""

    def __init__(self, path: Path, comment: str) -> None:
        self._path, self._comment, self._count = path, comment, 0
        path.parent.mkdir(parents=True, exist_ok=True)

    def prepare(self, picture: Array) -> list[bytes]:
        return [encode_png(picture, self._comment, 1)]

    def write(self, prepared: bytes) -> None:
        self._count += 1
        write_bytes(prepared, numbered_path(self._path, self._count), tidy=False)

    def close(self) -> None:
        """Remove the later pictures of a longer film that was here before."""
        for number in itertools.count(self._count + 1):
            leftover = numbered_path(self._path, number)
            if not leftover.exists():
                break
            leftover.unlink()


def write_bytes(data: bytes, path: Path, tidy: bool = True) -> None:
    """Write a file. An existing file is replaced when the new one is complete."""
    with atomic_write(path, tidy) as draft, open(draft, "xb") as file:
        file.write(data)


def _to_rgb15(rgb: Array) -> Array:
    """Convert (..., 3) uint8 colours to (...) uint16 codes of five bits per channel."""
    red, green, blue = (rgb[..., k].astype(np.uint16) >> 3 for k in range(3))
    return (red << 10) | (green << 5) | blue


def _from_rgb15(code: Array) -> Array:
    """Return the colour in the middle of the range that each code represents."""
    return np.stack([((code >> shift) & 31) * 8 + 4 for shift in (10, 5, 0)], axis=-1)


# --- PNG

_HEAD = 8 + 25  # bytes of the signature and the header chunk; a comment may follow


def encode_png(picture: Array, comment: str = "", compress: int = 6) -> bytes:
    """Return a picture as the bytes of a PNG file.

    picture  (H, W, 3 or 4)
    comment  comment stored in the file
    compress  compression level from 0 to 9, for pictures of 8 bits
    """
    if picture.dtype == np.uint16:
        return _insert_comment(_encode_png16(picture), comment)
    info = PngImagePlugin.PngInfo()
    if comment:
        info.add_itxt("Comment", comment)
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", compress_level=compress, pnginfo=info)
    return file.getvalue()


def _encode_png16(picture: Array) -> bytes:
    """Encode 16-bit channels with PyAV, because Pillow cannot."""
    kind = "gray16be" if picture.ndim == 2 else {3: "rgb48be", 4: "rgba64be"}[picture.shape[2]]
    codec = cast(Any, av.CodecContext.create("png", "w"))
    codec.height, codec.width = picture.shape[:2]
    codec.pix_fmt, codec.framerate = kind, 1
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format=kind)
    return b"".join(bytes(packet) for packet in [*codec.encode(frame), *codec.encode(None)])


def _insert_comment(file: bytes, comment: str) -> bytes:
    """Insert a comment as an iTXt chunk (ISO/IEC 15948, 11.3.4.5)."""
    if not comment:
        return file
    body = b"iTXt" + b"Comment\0\0\0\0\0" + comment.encode()
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return file[:_HEAD] + chunk + file[_HEAD:]
