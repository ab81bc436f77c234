"""Ranges: how far the settings that were tried and fit as well as the best one reach.

Such a range is what the search happened to try, within a threshold. It is no confidence interval:
nothing is known of settings that were not tried, and the objective is no exact chi-squared. So it
is given only where enough settings support it, and numbers that the measures do not tell apart are
named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

AS_GOOD = 1.0
"""A setting is as good as the best where its objective is at most this much above it."""
FEWEST, PER_NUMBER = 12, 10
"""Settings that a range needs: 12, or 10 for each number that is varied, whichever is more. That
many, spread evenly over an ellipsoid, span on average 85% of its width with one number, 83% with 2,
78% with 4 and 70% with 8; half as many 73, 71, 67 and 61%."""
NOT_DETERMINED = 0.75
"""A number is not determined where settings that are as good span this part of its bounds or more.
The search tries some over 9/10 of them (`probe`)."""
NEAR_BOUND = 0.05
"""Of the bounds: where settings so near to a bound are as good, there is no limit on that side."""
TOGETHER, WIDE = 0.85, 0.1
"""Numbers are determined only together where the others tell one with a correlation of ranks of at
least 0.85, and its range is at least a tenth of its bounds."""
PARTNER = 0.5  # of a partial correlation: these numbers are determined together with that one


def needed(numbers: int) -> int:
    """How many settings a range needs where so many numbers are varied."""
    return max(FEWEST, PER_NUMBER * numbers)


@dataclass(frozen=True)
class Varied:
    """A number that was varied.

    best        its best value
    low, high   the bounds it was sought in
    from_, to   the least and largest value among settings that were tried and are as good as the
                best one: whose objective in the search was at most 1 above it. It is no confidence
                interval: the range of all such settings, tried or not, is at least as wide. nan
                where fewer than `needed` settings support it, or all of them have one value
    supporting  settings that are as good, of those that are alike only one
    needed      how many a range needs: 12, or 10 for each varied number
    undetermined  whether settings that span 3/4 of the bounds, or more, are as good
    no_limit    'lower', 'upper': the bounds to which settings are as good
    together    paths of numbers that only a combination with this one is determined of
    """

    path: str
    best: float
    low: float
    high: float
    from_: float = math.nan
    to: float = math.nan
    supporting: int = 0
    needed: int = FEWEST
    undetermined: bool = False
    no_limit: tuple[str, ...] = ()
    together: tuple[str, ...] = ()

    @property
    def at_bound(self) -> bool:
        """Whether the best lies within a hundredth of a bound: what is sought may lie beyond."""
        return min(self.best - self.low, self.high - self.best) <= 0.01 * (self.high - self.low)

    @property
    def has_range(self) -> bool:
        """Whether enough settings support a range."""
        return math.isfinite(self.from_)

    @property
    def as_good(self) -> str:
        """'at least 12.3 to 18.9', '-' where there is no range."""
        return f"at least {self.from_:.4g} to {self.to:.4g}" if self.has_range else "-"


def ranges(
    vary: Mapping[str, tuple[Any, Any]],
    tried: Sequence[tuple[Mapping[str, Any], float]],
    best: Mapping[str, Any],
    least: float,
    around: Sequence[tuple[Mapping[str, Any], float]] = (),
) -> list[Varied]:
    """What the settings that were tried say of each number.

    vary   path -> bounds
    tried  (setting, its objective) of all
    best   the chosen setting; least is its objective in the search
    around a setting, and others that differ from it in one number each (`probe`)
    """
    paths, enough = list(vary), needed(len(vary))
    good = [values for values, found in tried if found <= least + AS_GOOD]
    table = np.array([[float(values[path]) for path in paths] for values in [*good, best]])
    low, high = np.array(list(vary.values()), dtype=float).T
    first, last = table.min(axis=0), table.max(axis=0)
    wide = (last - first) / (high - low)
    kept = table[_unlike(table, last - first, 0.5 / enough)]
    together = _together(kept, wide) if len(kept) >= enough else [()] * len(paths)
    span = np.maximum(wide, [_without_effect(path, around) for path in paths] / (high - low))
    # equal to as many digits as are printed: a single point is no range
    apart = [f"{a:.4g}" != f"{b:.4g}" for a, b in zip(first, last, strict=True)]
    return [
        Varied(
            path, best[path], *vary[path],
            from_=float(first[k]) if len(kept) >= enough and apart[k] else math.nan,
            to=float(last[k]) if len(kept) >= enough and apart[k] else math.nan,
            supporting=len(kept), needed=enough, undetermined=bool(span[k] >= NOT_DETERMINED),
            no_limit=_no_limit(first[k], last[k], low[k], high[k]),
            together=tuple(paths[other] for other in together[k]),
        )
        for k, path in enumerate(paths)
    ]  # fmt: skip


def remarks(varied: Sequence[Varied]) -> list[str]:
    """What is to be said of the ranges, a line each."""
    lines = []
    if varied and varied[0].supporting < varied[0].needed:
        lines.append(
            f"not enough settings tried to give a range: {varied[0].supporting} of "
            f"{varied[0].needed} needed; use more evaluations"
        )
    else:
        lines += [
            f"{one.path}: all {one.supporting} settings that are as good have about {one.best:.4g}"
            for one in varied if not one.has_range
        ]  # fmt: skip
        lines.append(
            f"as good: what {varied[0].supporting} tried settings span whose objective is at most "
            f"{AS_GOOD:g} above the best; no confidence interval"
        )
    lines += [
        f"{one.path} is not determined by these measures: values over "
        f"{NOT_DETERMINED:.0%} of its bounds or more are as good"
        for one in varied if one.undetermined
    ]  # fmt: skip
    lines += [
        f"{one.path} has no {one.no_limit[0]} limit by these measures: values up to its "
        f"{one.no_limit[0]} bound are as good"
        for one in varied if len(one.no_limit) == 1 and not one.undetermined
    ]  # fmt: skip
    lines += [
        f"{', '.join(group)} are not determined one by one: only a combination of them is"
        for group in groups(varied)
    ]
    return lines


def groups(varied: Sequence[Varied]) -> list[tuple[str, ...]]:
    """The paths that are determined only together, each group once."""
    found: list[set[str]] = []
    for one in varied:
        if one.together:
            group = {one.path, *one.together}
            joined = [other for other in found if other & group]
            found = [other for other in found if not other & group]
            found.append(group.union(*joined))
    return [tuple(one.path for one in varied if one.path in group) for group in found]


def _without_effect(path: str, around: Sequence[tuple[Mapping[str, Any], float]]) -> float:
    """How far a number was changed alone without a change of the objective by more than AS_GOOD."""
    if not around:
        return 0.0
    (start, found), *probes = around
    values = [float(start[path])]
    for values_of, other in probes:
        alone = all(values_of[key] == start[key] for key in start if key != path)
        if alone and abs(other - found) <= AS_GOOD:
            values.append(float(values_of[path]))
    return max(values) - min(values)


def _no_limit(first: float, last: float, low: float, high: float) -> tuple[str, ...]:
    """Which bounds are no farther from the ends of a range than NEAR_BOUND."""
    near = (NEAR_BOUND + 1e-9) * (high - low)
    ends = {"lower": first - low <= near, "upper": high - last <= near}
    return tuple(end for end, reached in ends.items() if reached)


def _unlike(table: np.ndarray, span: np.ndarray, apart: float) -> list[int]:
    """Rows of which no two are alike: less than the part `apart` of the span from each other in
    every number. A search that ends at the best tries many that are."""
    scaled = table / np.where(span > 0.0, span, 1.0)
    kept: list[int] = []
    for row in range(len(table)):
        if not kept or (np.abs(scaled[kept] - scaled[row]).max(axis=1) > apart).all():
            kept.append(row)
    return kept


def _together(table: np.ndarray, wide: np.ndarray) -> list[tuple[int, ...]]:
    """For each column of (n, D) settings those that determine it: where the ranks of the others
    tell its ranks, by least squares, and it is wide, as a part of its bounds."""
    from scipy.stats import rankdata

    n, numbers = table.shape
    free = np.flatnonzero(wide >= WIDE)
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
        if left[k] <= 1.0 - TOGETHER**2:
            others = np.flatnonzero((partial[k] >= PARTNER) & (np.arange(len(free)) != k))
            out[column] = tuple(int(free[other]) for other in others)
    return out
