"""Plane waves: those that fit a periodic box, and their mean over all directions in open space."""

from __future__ import annotations

import itertools
import math

import numpy as np

from murmurate.measures.limits import at_most, counted
from murmurate.model.space import Space

MOST = 2_000_000  # waves of a box that are gone through at most
AT_ONCE = 4_000_000  # numbers that are held at a time


def box_waves(space: Space, reach: float) -> np.ndarray:
    """(W, D) whole numbers n, those of one of each pair n and -n, of the waves with wave vector
    2 pi n / L of a length above 0 up to `reach`, in a box that is periodic along all axes.

    Raises MeasureError above 2 million of them.
    """
    most = [int(min(reach * side / (2 * math.pi) + 1e-9, 1e308)) for side in space.size]
    cube = math.prod(2 * one + 1 for one in most)
    at_most(cube, MOST, f"{counted(cube)} plane waves", "Give a smaller reach.")
    axes = [np.arange(-one, one + 1) for one in most[:-1]] + [np.arange(most[-1] + 1)]
    n = np.stack([one.ravel() for one in np.meshgrid(*axes, indexing="ij")], axis=1)
    k = np.linalg.norm(wave_vectors(n, space), axis=1)
    half = np.ones(len(n), dtype=bool)  # of the waves with 0 along the last axis, one of each pair
    for axis in range(space.dims):
        rest = (n[:, axis + 1 :] == 0).all(axis=1)
        half &= ~(rest & (n[:, axis] < 0))
    return n[half & (k > 0) & (k <= reach * (1 + 1e-9))]


def wave_vectors(n: np.ndarray, space: Space) -> np.ndarray:
    """(W, D) wave vectors of (W, D) whole numbers."""
    return 2 * math.pi * n / np.array(space.size)


def sums(n: np.ndarray, x: np.ndarray, weights: np.ndarray, space: Space) -> np.ndarray:
    """(W, A) complex: sum over boids i of weights_i exp(-i k . x_i), for each of W waves.

    n        (W, D) whole numbers of the waves
    x        (N, D) positions
    weights  (N, A)
    """
    found = np.zeros((len(n), weights.shape[1]), dtype=complex)
    held = sum(2 * int(np.abs(n[:, axis]).max(initial=0)) + 1 for axis in range(space.dims))
    for some in np.array_split(np.arange(len(x)), held * len(x) // AT_ONCE + 1):
        _add_sums(found, n, x[some], weights[some], space)
    return found


def _add_sums(
    found: np.ndarray, n: np.ndarray, x: np.ndarray, weights: np.ndarray, space: Space
) -> None:
    """Adds the sums over some of the boids."""
    phases = 2j * math.pi * x / np.array(space.size)
    # exp(-i n p) for each axis and n once: a wave is a product of as many of them as there are axes
    turns = [
        {int(m): np.exp(-int(m) * phases[:, axis]) for m in np.unique(n[:, axis])}
        for axis in range(space.dims)
    ]
    rows = np.arange(len(n))
    keys = [tuple(one) for one in n[:, :-1].tolist()]
    for key, group in itertools.groupby(rows, key=lambda row: keys[row]):
        some = np.array(list(group))
        ahead = np.ones(len(x), dtype=complex)
        for axis, m in enumerate(key):
            ahead = ahead * turns[axis][m]
        last = np.array([turns[-1][int(m)] for m in n[some, -1]])
        found[some] += last @ (ahead[:, None] * weights)


def isotropic(kr: np.ndarray, dims: int) -> np.ndarray:
    """The mean of exp(i k . r) over all directions of r: J_0(kr) in 2-D, sin(kr) / kr in 3-D."""
    if dims == 3:
        sinc: np.ndarray = np.sinc(kr / math.pi)
        return sinc
    from scipy.special import j0

    bessel: np.ndarray = j0(kr)
    return bessel


def directions(phase: float, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """(M, D) unit vectors and (M,) weights, whose sum is 1, for means over all directions n of
    exp(i n . y) that are exact to rounding for |y| up to `phase`: evenly round the circle, in 3-D
    on circles at the heights of Gauss and Legendre.

    Raises MeasureError above 100,000 directions.
    """
    around = int(min(phase, 1e9)) + 30
    circles = 1 if dims == 2 else around // 2
    at_most(around * circles, 100_000, f"{around * circles:,} directions", "Give a smaller k.")
    a = 2 * math.pi * np.arange(around) / around
    ring = np.stack([np.cos(a), np.sin(a)], axis=1)
    if dims == 2:
        return ring, np.full(around, 1 / around)
    heights, weights = np.polynomial.legendre.leggauss(circles)
    flat = np.sqrt(1 - heights**2)[:, None, None] * ring
    up = np.broadcast_to(heights[:, None, None], (circles, around, 1))
    ways = np.concatenate([flat, up], axis=2).reshape(-1, 3)
    return ways, np.repeat(weights / 2, around) / around
