"""Smoothing of tracks: local polynomials by Savitzky and Golay, which stop at gaps."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from murmurate.errors import TracksError
from murmurate.number_text import parse_number

EXAMPLES = "such as 9, or 0.3s"


def parse_smoothing(text: str) -> tuple[int | str, int]:
    """Return the window and the order of '9', '0.3s' or '9,2'. Raises TracksError."""
    window, comma, order = (word.strip() for word in text.partition(","))
    try:
        return window if window.endswith("s") else int(window), int(order) if comma else 3
    except ValueError:
        raise TracksError(
            f"smooth: got {text!r}; expected an odd number of frames or a number of seconds, "
            f"{EXAMPLES}. Of another order than 3: 9,2"
        ) from None


def smooth_positions(positions: np.ndarray, frames: int, order: int) -> tuple[np.ndarray, int]:
    """Return smoothed (T, N, D) positions, and how many are in stretches too short for the order.

    frames  the window, an odd number above the order
    """
    smooth, unchanged = positions.copy(), 0
    for animal, first, end in _stretches(positions):
        if end - first > order:
            smooth[first:end, animal] = _smooth_stretch(positions[first:end, animal], frames, order)
        else:
            unchanged += end - first
    return smooth, unchanged


def window_frames(window: int | str, order: int, rate: float | None) -> int:
    """Return a window of frames or seconds in frames, which are odd and above the order.

    rate  frames per second; None if unknown
    raises TracksError  for another window
    """
    if isinstance(order, bool) or not isinstance(order, int) or order < 0:
        raise TracksError(f"order: got {order!r}; expected a whole number from 0 on, such as 3")
    expected = f"expected an odd number of frames above the order, {order}, or seconds: {EXAMPLES}"
    if not isinstance(window, str):
        is_whole = isinstance(window, int | np.integer) and not isinstance(window, bool)
        if not is_whole or window <= order or window % 2 == 0:
            raise TracksError(f"smooth: got {window!r}; {expected}")
        return int(window)
    try:
        seconds = parse_number(window.removesuffix("s"))
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf or not window.endswith("s"):
        raise TracksError(f"smooth: got {window!r}; {expected}")
    if rate is None:
        raise TracksError(
            f"smooth: got {window} for tracks whose frame rate is unknown; expected frames, such "
            "as 9. Or give the frame rate (--fps)"
        )
    frames = 2 * math.floor(min(seconds * rate, 1e9) / 2) + 1  # the nearest odd number
    if frames <= order:
        raise TracksError(
            f"smooth: got {window}, {frames} {'frame' if frames == 1 else 'frames'} at "
            f"{rate:.6g} a second; {expected}"
        )
    return frames


def unwrap_stretches(positions: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return (T, N, D) positions without jumps at periodic sides, from (T - 1, N, D) steps."""
    unwrapped = np.full_like(positions, np.nan)
    for animal, first, end in _stretches(positions):
        path = np.cumsum(steps[first : end - 1, animal], axis=0)
        unwrapped[first, animal] = positions[first, animal]
        unwrapped[first + 1 : end, animal] = positions[first, animal] + path
    return unwrapped


def _stretches(positions: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Yield (animal, first frame, end) of each stretch of frames in which an animal is seen."""
    seen = np.isfinite(positions).all(axis=2)
    edges = np.diff(np.pad(seen, ((1, 1), (0, 0))).astype(np.int8), axis=0)
    for animal in range(seen.shape[1]):
        begins, ends = (np.flatnonzero(edges[:, animal] == sign) for sign in (1, -1))
        for first, end in zip(begins.tolist(), ends.tolist(), strict=True):
            yield animal, first, end


def _smooth_stretch(positions: np.ndarray, frames: int, order: int) -> np.ndarray:
    """Return (L, D) smoothed positions, L > order, about their own mean, which rounds less."""
    from scipy.signal import savgol_filter

    middle = positions.mean(axis=0)
    length = len(positions)
    frames = min(frames, length if length % 2 or length - 1 <= order else length - 1)
    if frames % 2 == 0:  # order + 1 positions: the polynomial passes through all of them
        return positions
    smooth: np.ndarray = savgol_filter(positions - middle, frames, order, axis=0) + middle
    return smooth
