"""Regressions for animals that choose a new heading in every frame.

The next heading e' is that of m = e + sum of c_k X_k, turned by an error without a preferred side.
So the cross product m x e' vanishes in the mean, also times any vector that is known before the
step. Times X_l x e it gives as many equations as functions, which are linear in c:

    E[(X_l x e) . (m x e')] = 0,  (a x b) . (c x d) = (a.c) (b.d) - (a.d) (b.c) in any dimension

Errors of a tracker are in e, e' and X. To correct for them, errors of the same and twice the
variance are added to the tracks, and the means are extrapolated to errors of no variance:
simulation and extrapolation, Cook and Stefanski 1994, doi:10.1080/01621459.1994.10476871. Here the
means are extrapolated, not c, which has a pole where errors make the weight of e vanish.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal, NamedTuple

import numpy as np

from murmurate.interactions.basis import Basis
from murmurate.interactions.followed import Group, step_lengths
from murmurate.interactions.kicks import turned
from murmurate.model.space import Space
from murmurate.rules.motions import BurstAndCoast

Advance = Literal["new", "old"]
ADVANCES: tuple[Advance, ...] = ("new", "old")
LEVELS = ((0.0, 3.0), (1.0, -3.0), (2.0, 1.0))
"""Variances that are added, and the factors of means in their parabola's value at -1."""
REPEATS = 1  # of errors that are added, each with both signs
SAMPLE = 6_000_000  # numbers of the steps by which predictions are judged
CHUNK = 2_000_000  # pairs of animals in memory at once


class Stepping(NamedTuple):
    """How animals step that choose a heading in every frame.

    advance  'new': they sense where they are after the last step; 'old': where they were before it
    error  standard deviation of errors of positions, for which functions are corrected
    noise  standard deviation of their headings, in radians, without these errors
    kicks  how animals kick that choose a heading only then
    """

    advance: Advance
    error: float
    noise: float
    kicks: BurstAndCoast | None = None


class Steps(NamedTuple):
    """R steps: heading before and after, (R, D), and the functions' vectors, (R, D, K)."""

    headings: np.ndarray
    following: np.ndarray
    vectors: np.ndarray


@dataclass(frozen=True)
class StepProducts:
    """Sums over a block, of which regressions are made.

    products  (K, K + 1) of the functions and, last, the own heading
    alignment  (K + 1,) of these and the next heading
    gram  (K, K) of the functions' parts across the heading
    count  number of steps
    visits  (3, SECTORS, knots + 3) of `Basis.visits`
    steps  those by which predictions are judged
    """

    products: np.ndarray
    alignment: np.ndarray
    gram: np.ndarray
    count: float
    visits: np.ndarray
    steps: Steps

    def __add__(self, other: StepProducts) -> StepProducts:
        return StepProducts(
            self.products + other.products,
            self.alignment + other.alignment,
            self.gram + other.gram,
            self.count + other.count,
            self.visits + other.visits,
            Steps(*map(np.concatenate, zip(self.steps, other.steps, strict=True))),
        )

    def times(self, factor: float) -> StepProducts:
        """Return the sums with a weight, without steps."""
        return StepProducts(
            factor * self.products,
            factor * self.alignment,
            factor * self.gram,
            factor * self.count,
            factor * self.visits,
            Steps(*(part[:0] for part in self.steps)),
        )

    def solve(self, ridge: np.ndarray) -> np.ndarray:
        """Return the coefficients, relative to the own heading's."""
        scale = np.abs(self.products).max() / np.abs(self.alignment).max()
        matrix = np.vstack([self.products, scale * self.alignment])
        matrix[:-1, :-1] += ridge
        right = np.zeros(len(matrix))
        right[-1] = scale * self.alignment[-1]
        solution = np.linalg.solve(matrix, right)
        return np.asarray(solution[:-1] / solution[-1])

    @property
    def squares(self) -> float:
        """The squared changes of heading."""
        return self._distance(self.steps.headings)

    def error_of(self, coefficients: np.ndarray) -> float:
        """Return the squared differences of predicted and next headings."""
        vectors = self.steps.vectors @ coefficients.astype(np.float32)
        return self._distance(self.steps.headings + vectors)

    def largest(self, coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return sizes of predicted turns, as sines, these again, and turns in their direction."""
        headings, following = _units(self.steps.headings), _units(self.steps.following)
        aims = _units(headings + self.steps.vectors @ coefficients.astype(np.float32))
        across = aims - (aims * headings).sum(axis=1)[:, None] * headings
        sizes = np.linalg.norm(across, axis=1)
        return sizes, sizes, (following * across).sum(axis=1) / np.maximum(sizes, 1e-30)

    def _distance(self, aims: np.ndarray) -> float:
        return float(np.square(_units(aims) - _units(self.steps.following)).sum())


def heading_noise(blocks: Sequence[Steps], c: np.ndarray, part: float) -> float:
    """Return the standard deviation of angles from predicted to next headings, without errors.

    part  standard deviation of errors of positions, over the length of a step
    """
    cosines, persistence, count = 0.0, 0.0, 0
    for steps in blocks:
        aims = steps.headings + steps.vectors @ c
        cosines += float((_units(aims) * _units(steps.following)).sum())
        persistence += float(np.minimum(1 / np.linalg.norm(aims, axis=1), 1).sum())
        count += len(aims)
    a = persistence / count  # an error of a position turns one heading and, by a, the next back
    variance = -2 * np.log(max(cosines / count, 1e-3)) - part**2 * (1 + (1 + a) ** 2 + a**2)
    return float(np.sqrt(max(variance, 0.0)))


def _units(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-300))


def step_blocks(
    groups: list[Group], basis: Basis, advance: Advance, frames: int, noise: float, seed: int
) -> list[StepProducts]:
    """Return the sums of blocks of `frames` frames, corrected for errors of the tracker.

    advance  whether boids sense where they are after the last step, or before it
    noise  standard deviation of errors of positions
    """
    rng = np.random.default_rng(seed)
    steps = sum(np.isfinite(group.positions[..., 0]).sum() for group in groups)
    size = basis.size * groups[0].positions.shape[2]
    stride = max(1, int(steps) * size // SAMPLE)
    out = []
    for tracked in groups:
        group = tracked
        if basis.motion == "steps":
            group = tracked._replace(lengths=step_lengths(tracked.positions, noise))
        sums = list(_blocks(group, basis, advance, frames, stride))
        if noise:
            corrected = [block.times(LEVELS[0][1]) for block in sums]
            for added in _with_errors(group, noise, rng):
                for factor, noisy in added:
                    more = _blocks(noisy, basis, advance, frames, stride)
                    corrected = [c + m.times(factor) for c, m in zip(corrected, more, strict=True)]
            sums = [
                replace(c, count=s.count, visits=s.visits, gram=s.gram, steps=s.steps)
                for c, s in zip(corrected, sums, strict=True)
            ]
        out += [block for block in sums if block.count]
    return out


def _with_errors(
    group: Group, noise: float, rng: np.random.Generator
) -> Iterator[list[tuple[float, Group]]]:
    """Yield groups with more errors, and their factors."""
    for _ in range(REPEATS):
        for variance, factor in LEVELS[1:]:
            errors = np.sqrt(variance) * noise * rng.standard_normal(group.positions.shape)
            yield [
                (factor / 2 / REPEATS, group._replace(positions=group.positions + sign * errors))
                for sign in (-1, 1)
            ]


def _blocks(
    group: Group, basis: Basis, advance: Advance, frames: int, stride: int
) -> Iterator[StepProducts]:
    length, animals = group.positions.shape[:2]
    chunk = max(1, CHUNK // animals**2)
    for begin in range(1, length - 1, frames):
        end = min(begin + frames, length - 1)
        if end - begin < frames // 2 and begin > 1:
            break  # the rest is too short for a block
        parts = (
            _products(group, basis, advance, slice(k, min(k + chunk, end)), stride)
            for k in range(begin, end, chunk)
        )
        yield reduce(StepProducts.__add__, parts)


def _products(
    group: Group, basis: Basis, advance: Advance, frames: slice, stride: int
) -> StepProducts:
    """Return the sums of steps that begin in these frames."""
    around = group.positions[frames.start - 1 : frames.stop + 1]
    is_kick = basis.motion == "kicks"
    moves = group.headings[frames.start - 1 : frames.stop] if is_kick else np.diff(around, axis=0)
    before = moves[:-1] * (basis.speed if is_kick else 1 / group.interval)
    lag = int(advance == "old")
    at = around[1 - lag : len(around) - 1 - lag]
    pairs, counts = basis.pairs(at, before, group.space)
    vectors = basis.sums(pairs, counts, at, before)
    lengths = (
        group.lengths[frames.start - 1 : frames.stop] if not is_kick else np.ones(moves.shape[:2])
    )
    headings, following = (
        (moves[part] / lengths[part][..., None]).reshape(-1, at.shape[2])
        for part in (slice(0, -1), slice(1, None))
    )
    unseen = group.unseen(frames, lag)
    complete = np.isfinite(vectors[:, 0, 0]) & np.isfinite(following[:, 0])
    if is_kick:
        complete &= group.kicks[frames].reshape(-1)
        unknown = np.where(np.isfinite(before), np.nan, at)
        unseen = np.concatenate([unseen, unknown], axis=1)
        following = turned(headings, following)
    complete &= ~_is_near(at, unseen, basis.radius, group.space).reshape(-1)
    weights = np.full(len(counts), 1.0) if basis.mean else 1.0 / (1.0 + counts) ** 2
    steps = Steps(headings[complete], following[complete], vectors[complete])
    return _sums(steps, weights[complete], basis.visits(pairs, at, before), stride)


def _sums(steps: Steps, weights: np.ndarray, visits: np.ndarray, stride: int) -> StepProducts:
    headings, following, vectors = steps
    both = np.concatenate([vectors, headings[:, :, None]], axis=2)
    forward = np.einsum("rdk,rd->rk", both, following)
    along = np.einsum("rdk,rd->rk", both, headings)
    cosines = forward[:, -1]
    flat = both.reshape(-1, both.shape[2])
    factors = np.repeat(weights * cosines, both.shape[1])
    products = (flat * factors[:, None]).T @ flat - (forward * weights[:, None]).T @ along
    across = flat - (headings[:, :, None] * along[:, None, :]).reshape(flat.shape)
    gram = (across * np.repeat(weights, both.shape[1])[:, None]).T @ across
    return StepProducts(
        products[:-1],
        weights @ forward,
        gram[:-1, :-1],
        len(weights),
        visits,
        Steps(*(part[::stride].astype(np.float32) for part in steps)),
    )


def _is_near(at: np.ndarray, others: np.ndarray, radius: float, space: Space) -> np.ndarray:
    """Return which positions, (T, N, D), are within a radius of some of `others`, (T, M, D)."""
    out = np.zeros(at.shape[:2], bool)
    for frame, animal in np.argwhere(np.isfinite(others[..., 0])):
        gaps = space.minimum_image(at[frame] - others[frame, animal])
        is_other = (gaps != 0).any(axis=1)
        out[frame] |= is_other & (np.square(gaps).sum(axis=1) < radius**2)
    return out
