"""Identifiability: which numbers the data determine, up to which bound, and which only together.

All of it follows from draws of the posterior, as quantiles of the prior: without data these are
uniform between 0 and 1, and independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

PROBABILITY = 0.9  # of intervals
FILLS = 0.8  # of the prior's standard deviation: the number is not determined
EDGE = 0.05  # part of the prior next to a bound
CUT = 0.8  # of the draws that the prior has there: with more, the bound cuts the posterior off
MIN_CORRELATION = 0.85  # multiple correlation from which numbers are determined only together
MIN_WIDTH = 0.1  # of the prior's standard deviation: narrower ones are determined by themselves
PARTNER = 0.5  # partial correlation from which two numbers belong together
MAX_R_HAT = 1.05  # above it the chains disagree
MIN_ESS = 200.0  # draws that an interval needs


@dataclass(frozen=True)
class Marginal:
    """The posterior of one number.

    bounds  bounds of its prior
    best  its value in the draw with the largest likelihood
    mean, sd, median  mean, standard deviation and median
    interval  the central 90% interval
    hdi  the shortest 90% interval
    share  standard deviation in quantiles of the prior, relative to that of the prior: 1 if the
        data say nothing, near 0 if they determine the number
    cut  bounds that cut the posterior off: next to them it has about as many draws as the prior
    together  paths of the numbers that are determined only in combination with this one
    ess, r_hat  effective number of draws, and the ratio of spreads over and within chains, which is
        1 if they agree (Vehtari et al. 2021, doi:10.1214/20-BA1221)
    """

    path: str
    bounds: tuple[float, float]
    best: float
    mean: float
    sd: float
    median: float
    interval: tuple[float, float]
    hdi: tuple[float, float]
    share: float
    cut: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    ess: float = math.nan
    r_hat: float = math.nan

    @property
    def undetermined(self) -> bool:
        """True if the posterior fills its prior."""
        return self.share >= FILLS

    @property
    def at_bound(self) -> bool:
        """True if a bound cuts the posterior off: the number may lie beyond it."""
        return bool(self.cut)


def share_of_prior(quantiles: np.ndarray) -> float:
    """Return the standard deviation of draws relative to that of the prior."""
    return float(np.std(quantiles) * math.sqrt(12.0))


def cut_bounds(quantiles: np.ndarray) -> tuple[str, ...]:
    """Return the bounds with at least about as many draws next to them as the prior has."""
    ends = {"lower": quantiles <= EDGE, "upper": quantiles >= 1.0 - EDGE}
    return tuple(end for end, near in ends.items() if float(near.mean()) >= CUT * EDGE)


def joint_columns(quantiles: np.ndarray) -> list[tuple[int, ...]]:
    """Return for each column of (n, D) draws the columns that it is determined together with.

    The ranks of these columns predict its ranks by least squares, and it is wide by itself.
    """
    from scipy.stats import rankdata

    n, numbers = quantiles.shape
    width = quantiles.std(axis=0) * math.sqrt(12.0)
    free = np.flatnonzero(width >= MIN_WIDTH)
    out: list[tuple[int, ...]] = [()] * numbers
    if len(free) < 2:
        return out
    ranks = rankdata(quantiles[:, free], axis=0)
    alike = np.corrcoef(ranks.T) + 1e-9 * np.eye(len(free))
    inverse = np.linalg.inv(alike)
    scale = np.sqrt(np.diag(inverse))
    partial = np.abs(inverse / np.outer(scale, scale))
    left = 1.0 / np.diag(inverse) * (n - 1) / max(n - len(free), 1)  # 1 - R^2, adjusted
    for k, column in enumerate(free):
        if left[k] <= 1.0 - MIN_CORRELATION**2:
            others = np.flatnonzero((partial[k] >= PARTNER) & (np.arange(len(free)) != k))
            out[column] = tuple(int(free[other]) for other in others)
    return out


def groups(marginals: Sequence[Marginal]) -> list[tuple[str, ...]]:
    """Return the groups of paths that are determined only together."""
    joint: list[set[str]] = []
    for number in marginals:
        if number.together:
            group = {number.path, *number.together}
            overlapping = [other for other in joint if other & group]
            joint = [other for other in joint if not other & group]
            joint.append(group.union(*overlapping))
    return [tuple(n.path for n in marginals if n.path in group) for group in joint]


def combination(quantiles: np.ndarray) -> np.ndarray:
    """Return the direction in which (n, D) draws spread least, of length 1, the first positive."""
    direction: np.ndarray = np.linalg.eigh(np.cov(quantiles.T))[1][:, 0]
    return direction * np.copysign(1.0, direction[np.flatnonzero(np.abs(direction) > 1e-9)[0]])


def remarks(marginals: Sequence[Marginal], paths: Sequence[str], draws: np.ndarray) -> list[str]:
    """Return remarks on a posterior, one line each.

    marginals  summary of each number
    paths  paths of the columns of `draws`
    draws  (n, D) quantiles of the prior
    """
    lines = [
        f"{m.path} is not determined by these measures: the posterior fills its prior, "
        f"{m.share:.0%} of its width"
        for m in marginals if m.undetermined
    ]  # fmt: skip
    for m in marginals:
        if m.cut and not m.undetermined:
            ends = " and ".join(m.cut)
            bounds = "bounds" if len(m.cut) > 1 else "bound"
            lines.append(
                f"{m.path}: its {ends} {bounds} cut{'' if len(m.cut) > 1 else 's'} the posterior "
                "off. Widen the bounds, unless they are known"
            )
    for group in groups(marginals):
        columns = [list(paths).index(path) for path in group]
        terms = " ".join(
            f"{weight:+.2f} {path}"
            for weight, path in zip(combination(draws[:, columns]), group, strict=True)
        )
        lines.append(
            f"{', '.join(group)} are not determined one by one, only together: about {terms}, in "
            "quantiles of their priors"
        )
    lines += [
        f"{m.path}: the chains disagree (R-hat {m.r_hat:.2f}, {m.ess:.0f} effective draws). Use "
        "more runs"
        for m in marginals if m.r_hat > MAX_R_HAT or m.ess < MIN_ESS
    ]  # fmt: skip
    return lines
