"""The functions that sort boids into cells, compiled for Python, for the steps that threads share;
and those that deal turns to threads.

To import numba takes 0.2 s, so the functions are compiled, and numba is imported, at the first use
of one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from murmurate.codegen import cell_functions

PLAIN = (
    "count_cells", "count_layers", "place_cells", "order_cells", "gather_cells", "plan_runs",
    "sum_flocks", "farthest_known", "fastest", "find_stray", "sample",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in PLAIN:
        return _compiled(getattr(cell_functions, name))
    if name in ("put_columns", "deal_turns"):
        return _compiled(globals()[f"_{name}"])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _compiled(function: Callable[..., Any]) -> Any:
    from numba import njit

    return njit(nogil=True, cache=True, error_model="numpy", boundscheck=False)(function)


def _put_columns(ids, first, last, column_of):
    """Notes in which of the columns first..last boids stand, by their numbers."""
    for i in range(first, last):
        column_of[ids[i]] = i


def _deal_turns(boids, column_of, count, gridded, first, last, inner, outer, turns, edges):
    """Writes the turns of boids in columns first..last, and of those in no cell, and after them the
    number of all turns; and from each of them on, the first of a boid at an edge, which are those
    that are not in inner..outer. Returns how many they are.

    boids  whose turn it is, turn by turn; empty: boid after boid
    """
    n = 0
    for turn in range(count):
        i = column_of[boids[turn] if len(boids) > 0 else turn]
        turns[n] = turn
        n += (i >= first and i < last) or i >= gridded
    turns[n] = edges[n] = edge = count
    for k in range(n - 1, -1, -1):
        turn = turns[k]
        i = column_of[boids[turn] if len(boids) > 0 else turn]
        edge = turn if i < inner or i >= outer else edge
        edges[k] = edge
    return n
