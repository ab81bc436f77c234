"""Colour tables, interpolated in OKLab so that equal steps look equal.

OKLab is B. Ottosson's perceptual colour space (2020, public domain).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RGB = tuple[int, int, int]

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def to_lab(rgb: Sequence[RGB] | np.ndarray) -> np.ndarray:
    """(..., 3) sRGB of 0 to 255 -> (..., 3) OKLab."""
    srgb = np.asarray(rgb, dtype=np.float64) / 255.0
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    lab: np.ndarray = np.cbrt(linear @ _TO_LMS.T) @ _TO_LAB.T
    return lab


def from_lab(lab: np.ndarray) -> np.ndarray:
    """(..., 3) OKLab -> (..., 3) float sRGB of 0 to 255, clipped to what a screen can show."""
    lms = np.linalg.solve(_TO_LAB, np.asarray(lab)[..., None])[..., 0] ** 3
    linear = np.clip(np.linalg.solve(_TO_LMS, lms[..., None])[..., 0], 0.0, 1.0)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return 255.0 * srgb


def ramp(stops: Sequence[RGB], count: int, at: Sequence[float] | None = None) -> np.ndarray:
    """(count, 3) float sRGB along straight OKLab lines through the stops (evenly, or `at` 0..1)."""
    where = np.linspace(0.0, 1.0, len(stops)) if at is None else np.asarray(at)
    lab, t = to_lab(stops), np.linspace(0.0, 1.0, count)
    return from_lab(np.stack([np.interp(t, where, lab[:, k]) for k in range(3)], axis=-1))


def wheel(lightness: float, chroma: float, count: int) -> np.ndarray:
    """(count, 3) float sRGB: a closed circle of hues of one lightness, for angles."""
    angle = 2.0 * np.pi * np.arange(count) / count
    lab = np.stack(
        [np.full(count, lightness), chroma * np.cos(angle), chroma * np.sin(angle)], axis=-1
    )
    return from_lab(lab)
