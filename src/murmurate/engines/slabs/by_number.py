"""Boids by their numbers: from the workers that hold them to those that put stretches of numbers
together, such as the blocks of a recording."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np

Arrays = Mapping[str, np.ndarray]
COLUMNS = ("ids", "state", "timers", "memory")


def parts_by_number(
    array: Callable[[str], np.ndarray], columns: slice, cuts: Sequence[int]
) -> list[Arrays]:
    """What is known of boids whose numbers lie between two cuts: a part each, in rising order.

    array    name of an array of columns -> the array
    columns  of all boids that are here
    """
    ids = array("ids")[columns]
    order = np.argsort(ids, kind="stable")
    edges = np.searchsorted(ids[order], cuts)
    places = order + columns.start
    return [
        {name: array(name)[..., places[first:last]] for name in COLUMNS}
        for first, last in itertools.pairwise(edges)
    ]


def stretch_of(parts: Sequence[Arrays], first: int, last: int) -> Arrays:
    """Boids first, ..., last - 1, which are in some parts, as recordings keep them: 'position' and
    'velocity' (boids, dims), 'perch_timer' (boids,), 'memory' (boids, numbers)."""
    rows = [part["ids"] - first for part in parts]
    found = {}
    for name in COLUMNS[1:]:
        some = parts[0][name]
        out = np.empty((last - first, *some.shape[:-1]), some.dtype)
        for part, to in zip(parts, rows, strict=True):
            out[to] = part[name].T
        found[name] = out
    dims = found["state"].shape[1] // 2
    return {
        "position": found["state"][:, :dims],
        "velocity": found["state"][:, dims:],
        "perch_timer": found["timers"],
        "memory": found["memory"],
    }
