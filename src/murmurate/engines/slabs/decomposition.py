"""Domain decomposition: the layers of the grid that each worker holds, and the halo that it needs.

A layer is all cells of one z, or in 2-D of one x: adjacent memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.codegen.candidates.grid import even_edges

MAX_IMBALANCE = 1.3
"""Slabs are rebalanced if one holds more than this multiple of the mean number of boids."""


@dataclass(frozen=True)
class LayerRange:
    """Layers of a halo, which another worker holds.

    owner        the worker that holds them
    first, last  the layers of the grid: `first` to `last` - 1
    image        their periodic image: positions are shifted by `image` sides of the space
    """

    owner: int
    first: int
    last: int
    image: int


@dataclass(frozen=True)
class DomainDecomposition:
    """The slabs of all workers: worker w holds the layers edges[w] to edges[w + 1] - 1."""

    edges: tuple[int, ...]

    @property
    def layers(self) -> int:
        """The number of layers of the grid."""
        return self.edges[-1]

    def owners(self, first: int, last: int) -> list[int]:
        """Return the workers that hold any of the layers `first` to `last` - 1."""
        pairs = zip(self.edges, self.edges[1:], strict=False)
        return [w for w, (a, b) in enumerate(pairs) if max(a, first) < min(b, last)]

    def halo(
        self, worker: int, width: int, periodic: bool
    ) -> tuple[list[LayerRange], list[LayerRange]]:
        """Return the `width` layers before and the `width` layers after a worker's slab."""
        first, last = self.edges[worker], self.edges[worker + 1]
        if first == last:
            return [], []
        return (
            self._ranges(first - width, first, periodic),
            self._ranges(last, last + width, periodic),
        )

    def boundaries(self, corner: float, size: float) -> np.ndarray:
        """Return the (workers - 1,) coordinates between slabs, of layers of thickness `size`."""
        return corner + size * np.array(self.edges[1:-1], float)

    def _ranges(self, first: int, last: int, periodic: bool) -> list[LayerRange]:
        n = self.layers
        if not periodic:
            first, last = max(first, 0), min(last, n)
        ranges = []
        while first < last:
            image = first // n
            begin, end = first - image * n, min(last - image * n, n)
            for owner in self.owners(begin, end):
                a, b = max(begin, self.edges[owner]), min(end, self.edges[owner + 1])
                ranges.append(LayerRange(owner, a, b, image))
            first = end + image * n
        return ranges


def balance(counts: np.ndarray, workers: int) -> DomainDecomposition:
    """Return slabs of about equal numbers of boids, from the number of boids in each layer."""
    cumulative = np.concatenate([[0], np.cumsum(counts)])
    return DomainDecomposition(tuple(even_edges(cumulative, workers)))


def rebalance(
    boundaries: np.ndarray, corner: float, size: float, counts: np.ndarray
) -> DomainDecomposition:
    """Return the slabs between given boundaries, rounded to layers; new ones if they are uneven.

    boundaries    (workers - 1,) coordinates between slabs; nan if unknown, for new slabs
    corner, size  the coordinate where the first layer begins, and the thickness of a layer
    counts        (layers,) number of boids in each layer
    """
    workers, layers = len(boundaries) + 1, len(counts)
    if not np.isfinite(boundaries).all():
        return balance(counts, workers)
    inner = np.clip(np.rint((boundaries - corner) / size), 0, layers).astype(int).tolist()
    rounded = DomainDecomposition((0, *inner, layers))
    cumulative = np.concatenate([[0], np.cumsum(counts)])
    loads = np.diff(cumulative[list(rounded.edges)])
    if loads.max() * workers > MAX_IMBALANCE * cumulative[-1]:
        return balance(counts, workers)
    return rounded
