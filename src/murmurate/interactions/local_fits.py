"""Smoothed positions of tracked animals, from every third frame.

Errors of a tracker bias a regression: they blur the distances and velocities on which a response
depends, and the same errors are in the accelerations. So the frames are divided into three
classes, 0, 1, 2, 0, 1, 2, ... Accelerations come from one class and what they depend on from the
two others, one of which is the instrument of the other. Errors of different frames are independent,
so their products vanish in the mean, whatever the size of the errors.

    frame       0  1  2  3  4  5  6  7  8  9 10 11 12
    class 0     a        a        a        a        a      accelerations
    class 1        x        x        x        x            what they depend on
    class 2           z        z        z        z         the same, the instrument

Instrumental variables against errors of measurement: Fuller 1987, Measurement Error Models,
doi:10.1002/9780470316665, section 1.4.
"""

from __future__ import annotations

import numpy as np

CLASSES = 3
TERMS = 4
"""Of a polynomial: cubic."""


def local_fits(positions: np.ndarray, half: int) -> list[np.ndarray]:
    """Fit cubic polynomials to the frames of each class near each frame.

    positions  (T, N, D) without jumps at periodic sides, nan where an animal is not seen
    half  frames on either side of a frame that its fit uses
    returns  for each class the smoothed positions, (T, N, D); nan where too few frames are near.
        Velocities and accelerations are their differences: a response that is linear in both is
        not changed by smoothing then
    """
    return [_fit_class(positions, number, half) for number in range(CLASSES)]


def _fit_class(positions: np.ndarray, number: int, half: int) -> np.ndarray:
    frames = np.arange(len(positions)) % CLASSES == number
    is_known = np.isfinite(positions).all(axis=2) & frames[:, None]
    values = np.where(is_known[:, :, None], positions, 0.0)
    margin = ((half, half), (0, 0))
    is_known, values = np.pad(is_known, margin), np.pad(values, (*margin, (0, 0)))
    length = len(positions)
    powers = np.zeros((2 * TERMS - 1, *positions.shape[:2]))
    sums = np.zeros((TERMS, *positions.shape))
    sides = np.zeros((2, *positions.shape[:2]), bool)
    for offset in range(-half, half + 1):
        part = slice(half + offset, half + offset + length)
        is_used = is_known[part]
        for k in range(len(powers)):
            powers[k] += is_used * (offset / half) ** k
        for k in range(TERMS):
            sums[k] += values[part] * (offset / half) ** k
        if offset:
            sides[int(offset > 0)] |= is_used
    enough = (powers[0] >= TERMS) & sides.all(axis=0)
    terms = np.arange(TERMS)
    matrices = np.moveaxis(powers[np.add.outer(terms, terms)], (0, 1), (-2, -1))
    matrices = np.where(enough[..., None, None], matrices, np.eye(TERMS))
    fits = np.linalg.solve(matrices, np.moveaxis(sums, 0, -2))
    return np.where(enough[..., None], fits[..., 0, :], np.nan)


def weak_weights(half: int) -> np.ndarray:
    """Return the weights of frames of one class by which accelerations are averaged.

    A product of an acceleration and weights that vanish at the ends needs no derivative of the
    weights' neighbours, so errors of positions add up to less (the weak form of Messenger and Bortz
    2021, doi:10.1016/j.jcp.2021.110525).
    """
    steps = np.arange(-half, half + 1) / (half + 1)
    weights = (1 - steps**2) ** 2
    return weights / weights.sum()
