"""Cuts: which layers of the grid each worker holds, and of whom it gets those beside them.

A layer is all cells of one z, in 2-D of one x: a stretch of memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.codegen.candidates.grid import even_edges

UNEVEN = 1.3
"""Slabs are cut anew where one holds so many times its share of the boids."""


@dataclass(frozen=True)
class Piece:
    """Layers that a worker looks at and does not hold.

    owner        the worker that holds them
    first, last  their numbers in the grid: first ... last - 1
    turns        how many times round the torus they lie: their places are shifted by so many sides
    """

    owner: int
    first: int
    last: int
    turns: int


@dataclass(frozen=True)
class Cuts:
    """Where slabs begin: worker w holds the layers edges[w] ... edges[w + 1] - 1 of a grid."""

    edges: tuple[int, ...]

    @property
    def layers(self) -> int:
        return self.edges[-1]

    def owners(self, first: int, last: int) -> list[int]:
        """The workers that hold any of the layers first ... last - 1."""
        pairs = zip(self.edges, self.edges[1:], strict=False)
        return [w for w, (a, b) in enumerate(pairs) if max(a, first) < min(b, last)]

    def beside(self, worker: int, width: int, periodic: bool) -> tuple[list[Piece], list[Piece]]:
        """The layers up to `width` before and behind a worker's own, in order."""
        first, last = self.edges[worker], self.edges[worker + 1]
        if first == last:
            return [], []
        return (
            self._pieces(first - width, first, periodic),
            self._pieces(last, last + width, periodic),
        )

    def _pieces(self, first: int, last: int, periodic: bool) -> list[Piece]:
        n = self.layers
        if not periodic:
            first, last = max(first, 0), min(last, n)
        found = []
        while first < last:
            turns = first // n
            here, end = first - turns * n, min(last - turns * n, n)
            for owner in self.owners(here, end):
                a, b = max(here, self.edges[owner]), min(end, self.edges[owner + 1])
                found.append(Piece(owner, a, b, turns))
            first = end + turns * n
        return found


def even_cuts(counts: np.ndarray, workers: int) -> Cuts:
    """Slabs of about as many boids each.

    counts  (layers,) boids in each layer
    """
    return Cuts(tuple(even_edges(np.concatenate([[0], np.cumsum(counts)]), workers)))


def kept_cuts(places: np.ndarray, corner: float, size: float, counts: np.ndarray) -> Cuts:
    """The cuts at some places, as near as layers allow; even ones where they have become uneven,
    or are not known yet.

    places        (workers - 1,) coordinates where slabs end
    corner, size  where the first layer begins, and how thick one is
    """
    workers, layers = len(places) + 1, len(counts)
    if not np.isfinite(places).all():
        return even_cuts(counts, workers)
    inner = np.clip(np.rint((places - corner) / size), 0, layers).astype(int).tolist()
    kept = Cuts((0, *inner, layers))
    before = np.concatenate([[0], np.cumsum(counts)])
    held = np.diff(before[list(kept.edges)])
    return even_cuts(counts, workers) if held.max() * workers > UNEVEN * before[-1] else kept


def places_of(cuts: Cuts, corner: float, size: float) -> np.ndarray:
    """The coordinates where slabs end."""
    return corner + size * np.array(cuts.edges[1:-1], float)
