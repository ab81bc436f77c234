"""Voronoi neighbours of all boids: worked out once a step, for kernels by column."""

from __future__ import annotations

import numpy as np

from murmurate.codegen.plan import Plan
from murmurate.neighbours.voronoi import voronoi_neighbours


def tessellate(plan: Plan, state: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The Voronoi neighbours of every boid in each tessellation, by id: (offsets, links).

    state  (2 dims, boids), in id order
    """
    space, out = plan.model.space, []
    first, starts = 0, {}
    for name, size in plan.counts.items():
        starts[name], first = (first, size), first + size
    for flocks in plan.tessellations:
        ids = np.concatenate([np.arange(a, a + n) for a, n in (starts[f] for f in flocks)])
        offsets, links = voronoi_neighbours(state[: space.dims, ids].T.astype(float), space)
        counts = np.zeros(state.shape[1], np.int64)
        counts[ids] = np.diff(offsets)
        out.append((np.concatenate([[0], np.cumsum(counts)]), ids[links]))
    return out


def by_column(
    tessellations: list[tuple[np.ndarray, np.ndarray]], ids: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours by id -> by column, where column k holds boid ids[k]: (tessellations, columns + 1)
    offsets into one array of links. Within a boid's, links stay in the order of ids."""
    count = len(ids)
    column_of = np.empty(count, np.int64)
    column_of[ids] = np.arange(count)
    offsets = np.zeros((len(tessellations), count + 1), np.int64)
    links, before = [np.zeros(0, np.int64)], 0
    for k, (begins, found) in enumerate(tessellations):
        sizes = np.diff(begins)[ids]
        ends = np.cumsum(sizes)
        offsets[k] = before + np.concatenate([[0], ends])
        places = np.repeat(begins[:-1][ids] - (ends - sizes), sizes) + np.arange(sizes.sum())
        links.append(column_of[found[places]])
        before += len(found)
    return offsets, np.concatenate(links)
