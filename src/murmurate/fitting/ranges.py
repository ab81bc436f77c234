"""The range of settings that were tried and fit as well as the best one.

Such a range depends on what the search happened to try. It is not a confidence interval: settings
that were not tried may fit as well, and the objective is not an exact chi-squared. A range is
therefore given only if enough settings support it, and numbers that the measures cannot
distinguish are named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

AS_GOOD = 1.0
"""A setting is as good as the best one if its objective is at most this much larger."""
MIN_SETTINGS, PER_NUMBER = 12, 10
"""A range needs 12 settings, or 10 per varied number, whichever is more. Spread evenly over an
ellipsoid, they span on average 85% of its width with one number, 83% with 2, 78% with 4 and 70%
with 8; half as many span 73, 71, 67 and 61%."""
NOT_DETERMINED = 0.75
"""A number is not determined if equally good settings span at least this fraction of its bounds.
The search tries settings over 9/10 of the bounds (`probe`)."""
NEAR_BOUND = 0.05
"""An end of the bounds is no limit if settings within this fraction of them from it are as good."""
MIN_CORRELATION, MIN_WIDTH = 0.85, 0.1
"""A number is determined only together with others if these predict its ranks with a correlation
of at least 0.85, and its range is at least a tenth of its bounds."""
PARTNER = 0.5  # partial correlation from which two numbers count as determined together


def min_settings(numbers: int) -> int:
    """Return the number of settings that a range needs if `numbers` numbers are varied."""
    return max(MIN_SETTINGS, PER_NUMBER * numbers)


@dataclass(frozen=True)
class Varied:
    """A number that was varied.

    Attributes
    ----------
    path : str
        Path of the number in the model.
    best : float
        Best value.
    low, high : float
        Bounds of the search.
    from_, to : float
        Smallest and largest value among the settings that were tried and are as good as the best
        one: their objective is at most 1 larger. This is not a confidence interval: the range of
        all such settings, tried or not, is at least as wide. nan if fewer than `needed` settings
        support it, or if all of them have one value.
    supporting : int
        Number of settings that are as good, counting similar ones once.
    needed : int
        Number of settings that a range needs: 12, or 10 per varied number.
    undetermined : bool
        True if settings that are as good span 3/4 of the bounds or more.
    no_limit : tuple of {'lower', 'upper'}
        Bounds up to which settings are as good.
    together : tuple of str
        Paths of the numbers that are determined only in combination with this one.
    """

    path: str
    best: float
    low: float
    high: float
    from_: float = math.nan
    to: float = math.nan
    supporting: int = 0
    needed: int = MIN_SETTINGS
    undetermined: bool = False
    no_limit: tuple[str, ...] = ()
    together: tuple[str, ...] = ()

    @property
    def at_bound(self) -> bool:
        """True if the best value is within 1% of a bound: the optimum may lie beyond it."""
        return min(self.best - self.low, self.high - self.best) <= 0.01 * (self.high - self.low)

    @property
    def has_range(self) -> bool:
        """True if enough settings support a range."""
        return math.isfinite(self.from_)

    @property
    def as_good(self) -> str:
        """The range as text, such as 'at least 12.3 to 18.9', or '-' if there is none."""
        return f"at least {self.from_:.4g} to {self.to:.4g}" if self.has_range else "-"


def ranges(
    vary: Mapping[str, tuple[Any, Any]],
    tried: Sequence[tuple[Mapping[str, Any], float]],
    best: Mapping[str, Any],
    smallest: float,
    around: Sequence[tuple[Mapping[str, Any], float]] = (),
) -> list[Varied]:
    """Return the range of each number.

    Parameters
    ----------
    vary : mapping
        Path -> bounds.
    tried : sequence of (mapping, float)
        Every setting with its objective.
    best : mapping
        The chosen setting.
    smallest : float
        Its objective in the search.
    around : sequence of (mapping, float)
        A setting, and others that differ from it in one number each (`probe`).
    """
    paths, enough = list(vary), min_settings(len(vary))
    good = [values for values, value in tried if value <= smallest + AS_GOOD]
    table = np.array([[float(values[path]) for path in paths] for values in [*good, best]])
    low, high = np.array(list(vary.values()), dtype=float).T
    first, last = table.min(axis=0), table.max(axis=0)
    width = (last - first) / (high - low)
    distinct = table[_dissimilar_rows(table, last - first, 0.5 / enough)]
    together = _find_groups(distinct, width) if len(distinct) >= enough else [()] * len(paths)
    span = np.maximum(width, [_without_effect(path, around) for path in paths] / (high - low))
    # a range whose ends are printed alike is a single point
    apart = [f"{a:.4g}" != f"{b:.4g}" for a, b in zip(first, last, strict=True)]
    return [
        Varied(
            path, best[path], *vary[path],
            from_=float(first[k]) if len(distinct) >= enough and apart[k] else math.nan,
            to=float(last[k]) if len(distinct) >= enough and apart[k] else math.nan,
            supporting=len(distinct), needed=enough, undetermined=bool(span[k] >= NOT_DETERMINED),
            no_limit=_no_limit(first[k], last[k], low[k], high[k]),
            together=tuple(paths[other] for other in together[k]),
        )
        for k, path in enumerate(paths)
    ]  # fmt: skip


def remarks(varied: Sequence[Varied]) -> list[str]:
    """Return remarks on the ranges, one line each."""
    lines = []
    if varied and varied[0].supporting < varied[0].needed:
        lines.append(
            f"not enough settings tried to give a range: {varied[0].supporting} of "
            f"{varied[0].needed} needed; use more evaluations"
        )
    else:
        lines += [
            f"{number.path}: all {number.supporting} settings that are as good have about "
            f"{number.best:.4g}"
            for number in varied if not number.has_range
        ]  # fmt: skip
        lines.append(
            f"as good: what {varied[0].supporting} tried settings span whose objective is at most "
            f"{AS_GOOD:g} above the best; no confidence interval"
        )
    lines += [
        f"{number.path} is not determined by these measures: values over "
        f"{NOT_DETERMINED:.0%} of its bounds or more are as good"
        for number in varied if number.undetermined
    ]  # fmt: skip
    lines += [
        f"{number.path} has no {number.no_limit[0]} limit by these measures: values up to its "
        f"{number.no_limit[0]} bound are as good"
        for number in varied if len(number.no_limit) == 1 and not number.undetermined
    ]  # fmt: skip
    lines += [
        f"{', '.join(group)} are not determined one by one: only a combination of them is"
        for group in groups(varied)
    ]
    return lines


def groups(varied: Sequence[Varied]) -> list[tuple[str, ...]]:
    """Return the groups of paths that are determined only together."""
    joint: list[set[str]] = []
    for number in varied:
        if number.together:
            group = {number.path, *number.together}
            overlapping = [other for other in joint if other & group]
            joint = [other for other in joint if not other & group]
            joint.append(group.union(*overlapping))
    return [tuple(n.path for n in varied if n.path in group) for group in joint]


def _without_effect(path: str, around: Sequence[tuple[Mapping[str, Any], float]]) -> float:
    """Return how far a number alone can change while the objective changes by at most AS_GOOD."""
    if not around:
        return 0.0
    (start, value), *probes = around
    values = [float(start[path])]
    for values_of, other in probes:
        alone = all(values_of[key] == start[key] for key in start if key != path)
        if alone and abs(other - value) <= AS_GOOD:
            values.append(float(values_of[path]))
    return max(values) - min(values)


def _no_limit(first: float, last: float, low: float, high: float) -> tuple[str, ...]:
    """Return the bounds that are within NEAR_BOUND of an end of the range."""
    near = (NEAR_BOUND + 1e-9) * (high - low)
    ends = {"lower": first - low <= near, "upper": high - last <= near}
    return tuple(end for end, reached in ends.items() if reached)


def _dissimilar_rows(table: np.ndarray, span: np.ndarray, apart: float) -> list[int]:
    """Return rows of which no two are similar.

    Similar rows are closer than `apart` times the span in every number. A search that converges
    tries many similar settings.
    """
    scaled = table / np.where(span > 0.0, span, 1.0)
    kept: list[int] = []
    for row in range(len(table)):
        if not kept or (np.abs(scaled[kept] - scaled[row]).max(axis=1) > apart).all():
            kept.append(row)
    return kept


def _find_groups(table: np.ndarray, width: np.ndarray) -> list[tuple[int, ...]]:
    """Return for each column of (n, D) settings the columns that it is determined together with.

    The ranks of these columns predict its ranks by least squares, and its range is wide.
    """
    from scipy.stats import rankdata

    n, numbers = table.shape
    free = np.flatnonzero(width >= MIN_WIDTH)
    out: list[tuple[int, ...]] = [()] * numbers
    if len(free) < 2:
        return out
    ranks = rankdata(table[:, free], axis=0)
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
