"""The susceptibility of a finite group: how much of it fluctuates together."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.correlation import PAIRS, centres, velocity_correlation
from murmurate.measures.limits import whole
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows

MIDGES = "10.1371/journal.pcbi.1003697"


@measure(
    "number",
    unit="1",
    bounds="0 up",
    definition="max_r 1/N sum_ij dv_i . dv_j / <dv^2> over pairs nearer than r",
    source=MIDGES,
    slow=True,
)
def group_susceptibility(
    flock: FlockFrame, *, bins: int = 200, pairs: int = PAIRS, seed: int = 0
) -> float:
    """chi = max_r Q(r), Q(r) = 1/N sum over i and j nearer to each other than r of dv_i . dv_j /
    <dv_k^2>, dv_i = v_i - 1/N sum_j v_j: the connected correlation, integrated up to its first zero
    (no unit). About the number of neighbours with which a boid fluctuates together.

    Unlike `susceptibility` it is of one frame, and in place of the variance over time it takes the
    correlation in space, of which the sum over all pairs is 0 in a group. A pair counts from both
    sides. The mean velocity is taken off, not the rotation and dilation of the group.

    bins         distances at which Q is taken, up to twice the largest distance from the centre,
                 or half the shortest periodic side: r is as fine as that
    pairs, seed  as for `velocity_correlation`

    0 where neighbours are not alike at any distance; nan below 2 boids, and where all fly alike.
    Raises MeasureError for numbers that are not allowed.

    Source: Attanasi et al. 2014, doi:10.1371/journal.pcbi.1003697.
    """
    curve = velocity_correlation(flock, bins=bins, pairs=pairs, seed=seed)
    if not len(curve):
        return float("nan")
    some = centres(len(valid_rows(flock)), whole(pairs, "pairs"))
    together = np.cumsum(np.nan_to_num(curve.y) * curve.count) / some
    return max(float(together.max()), 0.0)
