"""A video of dots with known paths, and their tracks."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np

WIDTH, HEIGHT, RATE, FRAMES, ANIMALS, RADIUS = 240, 180, 10, 24, 4, 8.0
GROUND = (205, 200, 190)
DOTS = np.array([(30, 60, 130), (120, 30, 40), (30, 100, 50), (90, 60, 120)])
HIDDEN = (2, slice(6, 12))  # the animal that is not seen for a while, and when


def paths(frames: int = FRAMES) -> np.ndarray:
    """Return (T, N, 2) columns and rows of the centres of the dots; integers are pixel centres."""
    time, phase = np.arange(frames)[:, None], np.arange(ANIMALS) * np.pi / 2
    x = 120 + 60 * np.cos(phase + 0.09 * time) + 0.3
    y = 90 + 50 * np.sin(phase + 0.09 * time)
    return np.stack([x, y], axis=2)


def pictures(frames: int = FRAMES) -> np.ndarray:
    """Return the pictures (T, H, W, 3) uint8 of the video before compression."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    out = np.empty((frames, HEIGHT, WIDTH, 3))
    out[:] = GROUND
    for picture, positions in zip(out, paths(frames), strict=True):
        for (x, y), colour in zip(positions, DOTS, strict=True):
            cover = np.clip(RADIUS + 0.5 - np.hypot(columns - x, rows - y), 0, 1)[..., None]
            picture[:] = picture + cover * (colour - picture)
    return np.round(out).astype(np.uint8)


def write_video(path: Path, frames: int = FRAMES) -> Path:
    """Write the pictures with lossless compression."""
    with av.open(str(path), "w") as file:
        stream = file.add_stream("ffv1", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "bgr0"
        for picture in pictures(frames):
            file.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        file.mux(stream.encode())
    return path


def seen() -> np.ndarray:
    """Return the paths (T, N, 2), with nan for unobserved animals."""
    out = paths()
    out[HIDDEN[1], HIDDEN[0]] = np.nan
    return out


def write_tracks(path: Path, start: int = 0) -> Path:
    """Write a table with a row per detection. `start` is the number of the first frame."""
    rows = [
        f"{start + frame},fish{animal},{x:.4f},{y:.4f}"
        for frame, positions in enumerate(seen())
        for animal, (x, y) in enumerate(positions)
        if np.isfinite(x)
    ]
    path.write_text("\n".join(["frame,id,x,y", *rows]) + "\n", encoding="utf-8")
    return path
