"""Groups of boids by a trait, and any other measure of each group."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, empty_curve
from murmurate.measures.limits import check_count, check_integer, format_value
from murmurate.measures.registry import measure, plain_measure
from murmurate.measures.traits import QUANTITIES, trait_of

MAX_GROUPS = 1_000


@measure(
    "curve",
    unit="unit of the measure",
    bounds="those of the measure",
    across="trait, unit of the trait",
    definition="another measure of the boids whose trait is in a bin; bins hold equal numbers",
    source="Herbert-Read et al. 2013",
    population=True,
)
def measure_by_trait(
    flock: FlockFrame,
    *,
    trait: str,
    of: str = "speed",
    groups: int = 4,
    edges: np.ndarray | None = None,
) -> Curve:
    """Return another measure of the boids of a flock, by groups of their trait.

    of: A measure of one frame that is a number and needs no option; or 'front', the mean distance
        ahead of the centre of the whole flock, or 'centre', the mean distance to it.
    groups: Number of groups, divided at quantiles of the trait. A trait with at most that many
        values has one group per value.
    edges: Limits between groups, in place of quantiles. Boids beyond the first and the last belong
        to the first and the last group.
    value: x is in the middle between two limits, `count` the number of boids. Over frames the
        limits of the first one are used, so a group is the same boids as long as their traits stay.
    source: There: speeds of groups by the speed of their members.

    Each group is measured as if it were alone: a `nearest_neighbour_distance` is to boids of the
    same group.
    """
    function = _group_function(of)
    groups = check_integer(groups, "groups")
    check_count(groups, MAX_GROUPS, "groups", "", "Give fewer.")
    flock, values = trait_of(flock, trait)
    if not len(flock):
        return empty_curve()
    edges = trait_edges(values, groups) if edges is None else _check_limits(edges)
    group_of = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    rows = [np.flatnonzero(group_of == k) for k in range(len(edges) - 1)]
    y = np.array([function(flock, group) for group in rows])
    count = np.array([len(group) for group in rows], np.float64)
    return Curve((edges[1:] + edges[:-1]) / 2, y, count, edges)


def trait_edges(values: np.ndarray, groups: int) -> np.ndarray:
    """Return the limits of groups: quantiles, or halfway between few values."""
    unique = np.unique(values)
    if len(unique) > groups:
        return np.unique(np.quantile(values, np.linspace(0.0, 1.0, groups + 1)))
    inner = (unique[1:] + unique[:-1]) / 2
    width = float(np.diff(unique).min()) if len(unique) > 1 else 1.0
    return np.concatenate([[unique[0] - width / 2], inner, [unique[-1] + width / 2]])


def _check_limits(edges: np.ndarray) -> np.ndarray:
    """Return limits between groups as float64. Raises MeasureError unless they increase."""
    try:
        edges = np.asarray(edges, dtype=np.float64)
    except (TypeError, ValueError):
        edges = np.empty(0)
    if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
        raise MeasureError(
            f"edges: got an array of shape {edges.shape}; expected two or more increasing numbers"
        )
    return edges


def _group_function(of: str) -> Callable[[FlockFrame, np.ndarray], float]:
    """Return a function that maps a flock and rows of it to a number."""
    if isinstance(of, str) and of in ("front", "centre"):
        quantity = QUANTITIES[of]
        return lambda flock, rows: float(quantity(flock)[rows].mean()) if len(rows) else math.nan
    other = plain_measure(of, "number")
    if other is None:
        raise MeasureError(
            f"of: got {format_value(of)}; expected 'front', 'centre', or a measure that is a "
            "number of one frame and needs no option, such as 'speed'"
        )
    function = other.function
    return lambda flock, rows: float(function(flock.take(rows)))
