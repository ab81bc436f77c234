"""Fit the functions of a response, with bands, and find what the data cannot tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from scipy.stats import ncx2, norm
from scipy.stats import t as student

from murmurate.interactions.basis import Basis
from murmurate.interactions.products import Products
from murmurate.interactions.steps import StepProducts

SMOOTHNESS = 10.0 ** np.arange(-8, 3)
"""Weights of the penalty of bent splines that are tried, in mean squares of the functions."""
TINY = 1e-10  # of the mean square of the functions: the least weight of the size of coefficients
FOLDS = 5
ROUGHER = 0.1
"""Of the weight that predicts best: at that one a bias is as large as a band is wide, so that bands
are those of this weight, and wider by the difference of both."""

MIN_RATIO = 0.9  # of slopes of large responses and others, of responses that add up
FAR = 10.0
"""Standard deviations from which on a bias adds as much to the width of a band."""


@dataclass(frozen=True)
class Regression:
    """Coefficients of a basis.

    coefficients  (K,)
    draws  (B, K), less smooth, of blocks that were drawn with replacement
    covariance  (K, K), up to a factor: of independent errors of the accelerations
    skill  part of the squared accelerations in blocks that were left out that is predicted
    folds  (F,) that part in each of the folds of blocks
    blocks  number of blocks
    biases  (2, K) what less smoothness, and a wider window, change in the coefficients: bands are
        wider by that (bias-aware intervals: Armstrong and Kolesar 2018, doi:10.3982/ECTA14434)
    saturation  slope of large responses over that of small ones, and its standard error
    """

    coefficients: np.ndarray
    draws: np.ndarray
    covariance: np.ndarray
    skill: float
    folds: np.ndarray
    blocks: int
    biases: np.ndarray
    basis: Basis
    saturation: tuple[float, float] = (1.0, 0.0)

    @property
    def is_additive(self) -> bool:
        """Whether responses that are predicted to be large are as large as the others suggest."""
        ratio, error = self.saturation
        return ratio + 2 * error > MIN_RATIO

    @property
    def error(self) -> float:
        """The standard error of the skill."""
        return float(self.folds.std(ddof=1) / np.sqrt(len(self.folds)))

    def estimate(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return values and half widths of 95% bands of linear functions (P, K) of coefficients."""
        return rows @ self.coefficients, self.half_width(self.draws @ rows.T, self.biases @ rows.T)

    def half_width(self, drawn: np.ndarray, biases: np.ndarray) -> np.ndarray:
        """Return half widths of 95% bands of values that were drawn, (B, P), and biased, (2, P).

        Where biases are as large as b standard deviations s, it is c s, so that 95% of normal
        numbers of mean b are within -c to c.
        """
        few = student.ppf(0.975, self.blocks - 1) / norm.ppf(0.975)
        s = np.maximum(few * drawn.std(axis=0, ddof=1), np.finfo(float).tiny)
        b = np.abs(biases).sum(axis=0) / s
        within: np.ndarray = np.sqrt(ncx2.ppf(0.95, 1, np.clip(b, 1e-6, FAR) ** 2))
        return s * (within + np.maximum(b - FAR, 0.0))

    def inflation(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return by how much the other columns increase the variance of functions of some.

        rows  (P, K), zero except in `columns`
        returns  (P,) 1 where they do not; large where they can replace the function
        """
        part = rows[:, columns]
        alone = np.linalg.inv(np.linalg.inv(self.covariance)[np.ix_(columns, columns)])
        own = np.einsum("pk,kl,pl->p", part, alone, part)
        all_free = np.einsum("pk,kl,pl->p", rows, self.covariance, rows)
        return all_free / np.maximum(own, np.finfo(float).tiny)


def penalty(basis: Basis) -> np.ndarray:
    """Return the squared second differences of each term's coefficients, (K, K).

    P-splines: Eilers and Marx 1996, doi:10.1214/ss/1038425655.
    """
    matrix = np.zeros((basis.size, basis.size))
    for term in basis.terms:
        columns = basis.columns(term)
        second = np.diff(np.eye(basis.width(term)), 2, axis=0)
        matrix[columns, columns] = second.T @ second
    return matrix


Sums = Products | StepProducts


def add_up(sums: Sequence[Sums]) -> Sums:
    """Return the sum of the sums of blocks."""
    return reduce(lambda total, block: total + block, sums)  # type: ignore[operator]


def regress(basis: Basis, blocks: Sequence[Sums], draws: int, seed: int) -> Regression:
    """Fit coefficients to blocks, with the smoothness that predicts left-out blocks best."""
    total = add_up(blocks)
    scale = np.trace(total.gram) / basis.size
    shape = penalty(basis)

    def ridge(smoothness: float) -> np.ndarray:
        return scale * (smoothness * shape + TINY * np.eye(basis.size))

    folds = [add_up(blocks[k::FOLDS]) for k in range(min(FOLDS, len(blocks)))]
    others = [add_up(folds[:k] + folds[k + 1 :]) for k in range(len(folds))]
    scores = np.array(
        [
            [f.error_of(o.solve(ridge(s))) for f, o in zip(folds, others, strict=True)]
            for s in SMOOTHNESS
        ]
    )
    best = int(scores.sum(axis=1).argmin())
    coefficients, matrix = total.solve(ridge(SMOOTHNESS[best])), ridge(ROUGHER * SMOOTHNESS[best])
    bias = coefficients - total.solve(matrix)
    squares = np.array([fold.squares for fold in folds])
    skills = 1 - scores[best] / squares
    drawn = [some.solve(matrix) for some in _drawn(total, blocks, draws, seed)]
    return Regression(
        coefficients,
        np.array(drawn),
        np.linalg.inv(total.gram + matrix),
        float(1 - scores[best].sum() / squares.sum()),
        skills,
        len(blocks),
        np.array([bias, np.zeros(basis.size)]),
        basis,
        saturation(blocks, coefficients) if draws else (1.0, 0.0),
    )


def saturation(blocks: Sequence[Sums], coefficients: np.ndarray) -> tuple[float, float]:
    """Return the slope of responses that are predicted to be large, over that of the others.

    A slope is that of responses by their predictions. The large ones are as many as have half of
    the sum of squares. If responses of neighbours do not add up, as where turns have a limit, it is
    less than 1. The standard error is of a jackknife over blocks.
    """
    parts = [block.largest(coefficients) for block in blocks]
    sizes = np.sort(np.concatenate([part[0] for part in parts]))
    squares = np.cumsum(sizes**2)
    limit = sizes[np.searchsorted(squares, squares[-1] / 2)]
    sums = np.array(
        [
            [[weights @ predicted, weights @ observed] for weights in (large, sizes - large)]
            for sizes, predicted, observed in parts
            for large in [np.where(sizes >= limit, sizes, 0.0)]
        ]
    )
    total = sums.sum(axis=0)
    rest = np.concatenate([total[None], total - sums])  # all blocks, and all but one
    if not (rest > 0).all():
        return 1.0, np.inf  # too few responses to tell
    ratios = rest[:, 0, 1] * rest[:, 1, 0] / (rest[:, 0, 0] * rest[:, 1, 1])
    return float(ratios[0]), float(np.sqrt(len(blocks) - 1) * ratios[1:].std())


def _drawn(total: Sums, blocks: Sequence[Sums], draws: int, seed: int) -> Iterator[Sums]:
    """Yield sums of blocks that are drawn with replacement."""
    rng, count = np.random.default_rng(seed), len(blocks)
    name = "responses" if isinstance(total, Products) else "alignment"
    matrices = np.array([block.products for block in blocks])
    vectors = np.array([getattr(block, name) for block in blocks])
    for _ in range(draws):
        times = np.bincount(rng.integers(count, size=count), minlength=count).astype(float)
        products = np.tensordot(times, matrices, 1)
        yield replace(total, products=products, **{name: times @ vectors})  # type: ignore[arg-type]
