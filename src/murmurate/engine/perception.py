"""Perception for all boids at once: delayed positions, sensing errors, herds, Voronoi neighbours.

It is worked out once a step, from arrays in id order.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from murmurate.codegen.plan import Plan, purpose
from murmurate.engine import rng
from murmurate.model.schedule import number_at
from murmurate.model.space import Space
from murmurate.neighbours.voronoi import voronoi_neighbours


def depth_of(plan: Plan) -> int:
    """How many past steps are remembered of every boid."""
    model = plan.model
    depths = [f.sensing.depth(model.dt) for f in model.flocks.values() if f.sensing]
    return max(depths, default=0)


class FlockPerception:
    """The past of one flight, and what flocks that sense late or with errors know of it.

    past  (depth, 2 dims, boids): the state at step t stands in row t modulo depth
    """

    def __init__(self, plan: Plan, state: np.ndarray, seed: int) -> None:
        self.plan, self.seed = plan, seed
        self.depth = depth_of(plan)
        self.past = np.repeat(state[None], self.depth, axis=0)

    def restore(
        self, step: int, memory: Mapping[str, np.ndarray], columns: Mapping[str, int]
    ) -> None:
        """Restores the past from what boids carry: after `columns` other numbers, their states one
        step ago, two steps ago, ..."""
        first, rows = 0, self.past.shape[1]
        for name, size in self.plan.counts.items():
            own = memory.get(name)
            if own is not None and own.shape[1] >= columns[name] + self.depth * rows:
                for k in range(self.depth):
                    begin = columns[name] + k * rows
                    row = (step - 1 - k) % self.depth
                    self.past[row, :, first : first + size] = own[:, begin : begin + rows].T
            first += size

    def past_by_boid(self, step: int) -> np.ndarray:
        """(boids, depth * 2 dims): the past as boids carry it, one step ago first."""
        rows = [(step - 1 - k) % self.depth for k in range(self.depth)]
        depth, width, boids = self.past.shape
        return self.past[rows].transpose(2, 0, 1).reshape(boids, depth * width)

    def perceive(self, step: int, state: np.ndarray, out: np.ndarray) -> None:
        """What each flock that senses late or with errors knows at a step: out[k], (2 dims, boids)
        of flock k of plan.lookers; then the present becomes past. Called once a step."""
        for k, name in enumerate(self.plan.lookers):
            self._known(name, step, state, out[k, :, : state.shape[1]])
        if self.depth:
            self.past[step % self.depth] = state

    def _known(self, looker: str, step: int, state: np.ndarray, out: np.ndarray) -> None:
        model = self.plan.model
        sensing, space = model.flocks[looker].sensing, model.space
        assert sensing is not None
        then = sensing.known(step, model.dt)
        out[:] = state if then >= step else self.past[then % self.depth]
        first = 0
        for seen, size in self.plan.counts.items():
            part = slice(first, first + size)
            for k, (word, error) in enumerate(
                (("place", sensing.position_error), ("velocity", sensing.velocity_error))
            ):
                spread = number_at(error, step * model.dt)
                if spread > 0.0:
                    number = purpose(looker, f"sensing/{seen}/{word}")
                    errors = rng.normals(self.seed, then, number, size)[:, : space.dims].T
                    out[k * space.dims : (k + 1) * space.dims, part] += spread * errors
            first += size
        for axis in np.flatnonzero(space.periodic):
            row, lower, side = out[axis], space.lower[axis], space.size[axis]
            row -= np.floor((row - lower) / side) * side

    def herds(self, state: np.ndarray, perceived: np.ndarray) -> dict[int, np.ndarray]:
        """First slot -> the eight numbers of each herd: see herd_numbers."""
        dims, found = self.plan.model.space.dims, {}
        starts = np.concatenate([[0], np.cumsum(list(self.plan.counts.values()))])
        names = list(self.plan.counts)
        for (looker, flocks), slot in self.plan.herds.items():
            known = perceived[self.plan.lookers.index(looker)] if looker else state
            parts = [
                known[:dims, starts[names.index(f)] : starts[names.index(f) + 1]] for f in flocks
            ]
            positions = np.concatenate(parts, axis=1).T.astype(float)
            found[slot] = herd_numbers(positions, self.plan.model.space)
        return found

    def tessellate(self, state: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """The Voronoi neighbours of every boid in each tessellation, by id: (offsets, links)."""
        space, out = self.plan.model.space, []
        first, starts = 0, {}
        for name, size in self.plan.counts.items():
            starts[name], first = (first, size), first + size
        for flocks in self.plan.tessellations:
            ids = np.concatenate([np.arange(a, a + n) for a, n in (starts[f] for f in flocks)])
            offsets, links = voronoi_neighbours(state[: space.dims, ids].T.astype(float), space)
            counts = np.zeros(state.shape[1], np.int64)
            counts[ids] = np.diff(offsets)
            out.append((np.concatenate([[0], np.cumsum(counts)]), ids[links]))
        return out


def in_slots(
    tessellations: list[tuple[np.ndarray, np.ndarray]], ids: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours by id -> by slot, where slot k holds boid ids[k]: (tessellations, slots + 1)
    offsets into one array of links. Within a boid's, links stay in the order of ids."""
    count = len(ids)
    slot_of = np.empty(count, np.int64)
    slot_of[ids] = np.arange(count)
    offsets = np.zeros((len(tessellations), count + 1), np.int64)
    links, before = [np.zeros(0, np.int64)], 0
    for k, (begins, found) in enumerate(tessellations):
        sizes = np.diff(begins)[ids]
        ends = np.cumsum(sizes)
        offsets[k] = before + np.concatenate([[0], ends])
        places = np.repeat(begins[:-1][ids] - (ends - sizes), sizes) + np.arange(sizes.sum())
        links.append(slot_of[found[places]])
        before += len(found)
    return offsets, np.concatenate(links)


def herd_numbers(positions: np.ndarray, space: Space) -> np.ndarray:
    """What rules are given of a herd, (8,): its middle (3), its farthest stray (3), how far that is
    from the middle, how many there are. On periodic axes places count by their nearest images to
    the first one. Of strays equally far, the first counts."""
    out = np.zeros(8)
    if len(positions) == 0:
        return out
    sides = np.array(space.size)
    ways = positions - positions[0]
    ways -= np.where(space.periodic, sides * np.floor(ways / sides + 0.5), 0.0)
    middle = ways.mean(axis=0)
    gaps = np.sqrt(((ways - middle) ** 2).sum(axis=1))
    stray = int(np.argmax(gaps))
    out[: space.dims] = positions[0] + middle
    out[3 : 3 + space.dims] = positions[0] + ways[stray]
    out[6], out[7] = gaps[stray], len(positions)
    return out
