"""Products of accelerations and the functions they depend on, summed over blocks of frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from murmurate.interactions.basis import Basis
from murmurate.interactions.followed import Group
from murmurate.interactions.local_fits import CLASSES, local_fits, weak_weights
from murmurate.model.space import Space

WITHIN = np.array([1.0, 2.0, 3.0, 2.0, 1.0]) / 9
"""A second difference over three frames is the mean of the accelerations around it with these
weights."""
STRIDE = 7  # rows from one of a sample to the next


@dataclass(frozen=True)
class Products:
    """Sums over a block, of which regressions are made.

    products  (K, K) of functions and their instruments
    responses  (K,) of functions and accelerations
    squares, count  sum of squared accelerations, and their number
    visits  (3, SECTORS, knots + 3) of `Basis.visits`
    sample  (S, 2 K + 1) some of the functions, their instruments and accelerations
    """

    products: np.ndarray
    responses: np.ndarray
    squares: float
    count: float
    visits: np.ndarray
    sample: np.ndarray

    def __add__(self, other: Products) -> Products:
        return Products(
            self.products + other.products,
            self.responses + other.responses,
            self.squares + other.squares,
            self.count + other.count,
            self.visits + other.visits,
            np.concatenate([self.sample, other.sample]),
        )

    @property
    def gram(self) -> np.ndarray:
        """(K, K) products of the functions."""
        return self.products

    def solve(self, ridge: np.ndarray) -> np.ndarray:
        """Return the coefficients."""
        return np.linalg.solve(self.products + ridge, self.responses)

    def largest(self, coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return sizes of predictions, predictions and accelerations in their direction.

        Sizes are those of the instruments, whose errors are independent of the others'.
        """
        size = len(coefficients)
        aims = self.sample[:, size : 2 * size] @ coefficients
        predicted = self.sample[:, :size] @ coefficients
        signs = np.sign(aims)
        return np.abs(aims), signs * predicted, signs * self.sample[:, -1]

    def error_of(self, coefficients: np.ndarray) -> float:
        """Return the squared differences of predicted and measured accelerations."""
        c = coefficients
        return float(self.squares - 2 * c @ self.responses + c @ self.products @ c)


def block_products(group: Group, basis: Basis, half: int, frames: int) -> Iterator[Products]:
    """Yield the sums of blocks of `frames` frames."""
    positions = group.positions
    margin = CLASSES * (half // CLASSES + 1) + half
    for begin in range(margin, len(positions) - margin, frames):
        end = min(begin + frames, len(positions) - margin)
        if end - begin < frames // 2 and begin > margin:
            break  # the rest is too short for a block
        part = positions[begin - margin : end + margin]
        sums = _products(part, group.space, group.interval, basis, half)
        if sums.count:
            yield sums


def _products(
    positions: np.ndarray, space: Space, interval: float, basis: Basis, half: int
) -> Products:
    paths = local_fits(positions, half)
    moves = [np.gradient(path, interval, axis=0) for path in paths]
    fields = [basis.fields(*both, space) for both in zip(paths, moves, strict=True)]
    weights = weak_weights(half // CLASSES)
    reach = CLASSES * (len(weights) // 2 + 1)
    size = basis.size
    pairs, _ = basis.pairs(paths[0], moves[0], space)
    visits = basis.visits(pairs, paths[0], moves[0])
    none = np.zeros((0, 2 * size + 1), np.float32)
    total = Products(np.zeros((size, size)), np.zeros(size), 0.0, 0, visits, none)
    first, last = reach + half, len(positions) - reach - half
    for number in range(CLASSES):
        centres = np.arange(first + (number - first) % CLASSES, last, CLASSES)
        if not len(centres):
            continue
        responses = _accelerations(paths[number], centres, weights, interval)
        functions, instruments = (
            _averaged(fields[k], centres, weights) for k in range(CLASSES) if k != number
        )
        complete = np.isfinite(functions[..., 0]) & np.isfinite(instruments[..., 0])
        complete &= np.isfinite(responses)
        functions, instruments = functions[complete], instruments[complete]
        responses = responses[complete]
        products = functions.T @ instruments
        total = total + Products(
            (products + products.T) / 2,
            (functions + instruments).T @ responses / 2,
            float(responses @ responses),
            len(responses),
            np.zeros_like(total.visits),
            np.column_stack([functions, instruments, responses])[::STRIDE].astype(np.float32),
        )
    return total


def _accelerations(
    positions: np.ndarray, centres: np.ndarray, weights: np.ndarray, interval: float
) -> np.ndarray:
    """Return weighted means of accelerations from frames of one class, (C, N, D)."""
    total = np.zeros((len(centres), *positions.shape[1:]))
    half = len(weights) // 2
    for k, weight in zip(range(-half, half + 1), weights, strict=True):
        at = centres + CLASSES * k
        second = positions[at + CLASSES] - 2 * positions[at] + positions[at - CLASSES]
        total += weight * second / (CLASSES * interval) ** 2
    return total


def _averaged(fields: np.ndarray, centres: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean of fields with the weights of accelerations, (C, N, D, K)."""
    total = np.zeros((len(centres), *fields.shape[1:]))
    half = len(weights) // 2
    spread = np.zeros(2 * (CLASSES * half + len(WITHIN) // 2) + 1)
    middle = len(spread) // 2
    for k, weight in zip(range(-half, half + 1), weights, strict=True):
        at = middle + CLASSES * k
        spread[at - 2 : at + 3] += weight * WITHIN
    for offset, weight in enumerate(spread, -middle):
        if weight:
            total += weight * fields[centres + offset]
    return total
