"""PNG files: pictures of 8 bits, and passes of 16."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any, cast

import av
import numpy as np
from PIL import Image, PngImagePlugin

Array = np.ndarray

_HEAD = 8 + 25  # bytes of the signature and the header, behind which a note may stand


def png(picture: Array, comment: str = "", compress: int = 6) -> bytes:
    """The bytes of a PNG file: of an (H, W, 3 or 4) uint8 picture, or an (H, W) or (H, W, 3) uint16
    one."""
    if picture.dtype == np.uint16:
        return _with_note(_deep(picture), comment)
    notes = PngImagePlugin.PngInfo()
    if comment:
        notes.add_itxt("Comment", comment)
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", compress_level=compress, pnginfo=notes)
    return file.getvalue()


def _deep(picture: Array) -> bytes:
    """By PyAV: Pillow writes no colours of 16 bits."""
    kind = "gray16be" if picture.ndim == 2 else "rgb48be"
    codec = cast(Any, av.CodecContext.create("png", "w"))
    codec.height, codec.width = picture.shape[:2]
    codec.pix_fmt, codec.framerate = kind, 1
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format=kind)
    return b"".join(bytes(packet) for packet in [*codec.encode(frame), *codec.encode(None)])


def _with_note(file: bytes, comment: str) -> bytes:
    """The file with a comment, an iTXt chunk (ISO/IEC 15948, 11.3.4.5)."""
    if not comment:
        return file
    body = b"iTXt" + b"Comment\0\0\0\0\0" + comment.encode()
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return file[:_HEAD] + chunk + file[_HEAD:]
