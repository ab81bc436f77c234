"""Slab flight: the steps of one flock that several workers hold.

A worker holds some layers of the grid. In each step boids go to the workers that now hold their
layers, and before each stage every worker is given the layers beside its own, by the workers that
hold them. The grid, the order of boids in cells and the order of all sums are those of the engine
'cpu', so that the two leave the same bits, whatever the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.codegen.candidates.cell_functions import sampled_every
from murmurate.codegen.candidates.grid import Grid, Grids
from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import Lost
from murmurate.engines.initial_state import Start
from murmurate.engines.options import RunOptions
from murmurate.engines.protocol import FlightState
from murmurate.engines.slabs.boid_columns import Boids
from murmurate.engines.slabs.by_number import Arrays
from murmurate.engines.slabs.crew import Crew
from murmurate.engines.slabs.cuts import Cuts, kept_cuts, places_of
from murmurate.engines.slabs.flight_parts import Moment, boids_of
from murmurate.engines.slabs.outsiders import Outsiders, outside, sees_all
from murmurate.engines.slabs.slab_worker import SlabWorker

NARROWS = 32
"""After so many steps workers look at one layer less of those that somebody's nearest were in."""


@dataclass(frozen=True, eq=False)
class Kept:
    """A copy of all boids, to go on from.

    step       when it was made
    places     where slabs ended
    start      the state of the flight's start, in place of copies
    boids      promises of what each worker held
    outsiders  the boids that are in no cell
    """

    step: int
    places: np.ndarray
    start: Start | None = None
    boids: Sequence[Any] = ()
    outsiders: Any = None


class SlabFlight:
    """Some workers, and how they fly.

    layout, text  of the model, as `prepared` gives them
    options       of the flight; dtype, threads and seed count for a worker
    workers       how many; None: as many as the crew has machines
    crew          how workers are called
    """

    def __init__(
        self, layout: Layout, text: str, options: RunOptions, workers: int | None, crew: Crew
    ) -> None:
        self.layout, self.crew, plan = layout, crew, layout.plan
        options, workers = crew.shared(options, workers)
        self.axis = 2 if plan.model.space.dims == 3 else 0  # that layers are counted on
        self._periodic = bool(plan.model.space.periodic[self.axis])
        self._dtype = np.dtype(options.dtype)
        self._count = sum(plan.counts.values())
        self._grids = Grids(layout, sum(plan.counts[name] for name in layout.gridded))
        self._places = np.full(workers - 1, np.nan)
        self._wider = [0] * workers  # layers that a worker looks at, more than radii reach
        asked = (layout, text, options)
        self.workers = [crew.make(SlabWorker, *asked) for _ in range(workers)]
        self.outsiders = crew.make(Outsiders, *asked, beside=True) if outside(layout) else None
        try:
            self._prepare()
        except BaseException:
            self.end()
            raise

    @property
    def _everyone(self) -> list[Any]:
        return [*self.workers, *([] if self.outsiders is None else [self.outsiders])]

    def _prepare(self) -> None:
        """Kernels are compiled by one worker of each machine; the others find them."""
        first: dict[str, Any] = {}
        for worker in self._everyone:
            first.setdefault(self.crew.machine(worker), worker)
        self.crew.fetch([self.crew.call(worker, "prepare") for worker in first.values()])

    def end(self) -> None:
        """Workers are no longer needed."""
        self.crew.end(self._everyone)

    # --- the state

    def begin(self, state: FlightState) -> None:
        """Boids are as in a state. A start is drawn where its boids are."""
        crew, of = self.crew, len(self.workers)
        if isinstance(state, Start):
            promises = [crew.call(w, "start", state, k, of) for k, w in enumerate(self.workers)]
            promises += [crew.call(self.outsiders, "start", state)] if self.outsiders else []
        else:
            name = self._dtype.name
            promises = [  # one after the other: a recorded state is not held here as a whole
                crew.call(
                    w, "put", boids_of(self.layout, state, name, gridded=True, share=k, of=of)
                )
                for k, w in enumerate(self.workers)
            ]
            if self.outsiders:
                rest = boids_of(self.layout, state, name, gridded=False)
                promises.append(crew.call(self.outsiders, "put", rest))
        crew.fetch(promises)

    def kept(self, step: int) -> Kept:
        """A copy of all boids as they are now, which each worker's neighbour holds too."""
        crew = self.crew
        boids = [crew.call(worker, "boids") for worker in self.workers]
        others = [*self.workers[1:], self.workers[0]]
        held = [crew.call(o, "hold", b) for o, b in zip(others, boids, strict=True)]
        rest = crew.call(self.outsiders, "boids") if self.outsiders else None
        if self.outsiders:
            held.append(crew.call(self.workers[0], "hold", rest))
        crew.fetch(held)
        return Kept(step, self._places, None, boids, rest)

    def restore(self, kept: Kept) -> None:
        """Boids are as in a copy, which as many workers made or others."""
        if kept.start is not None:
            self.begin(kept.start)
            return
        crew, of = self.crew, len(self.workers)
        if len(kept.places) == of - 1:
            self._places = kept.places
        promises = [
            crew.call(worker, "put", *_share(kept.boids, k, of))
            for k, worker in enumerate(self.workers)
        ]
        if self.outsiders:
            promises.append(crew.call(self.outsiders, "put", kept.outsiders))
        crew.fetch(promises)

    def boids(self) -> Iterator[Boids]:
        """All boids as they are now, those of one worker after the other's."""
        for worker in self._everyone:
            yield from self.crew.fetch([self.crew.call(worker, "boids")])

    def apply(self, function: Any) -> list[Any]:
        """What a function gives of the boids of each worker."""
        return self.crew.fetch([self.crew.call(w, "apply", function) for w in self._everyone])

    def by_number(
        self, bounds: Sequence[int], function: Callable[[int, Arrays], Any]
    ) -> Iterator[Any]:
        """What a function gives of the boids bounds[k], ..., bounds[k + 1] - 1, one k after the
        other; workers put them together, each of them about as many."""
        crew, of = self.crew, len(self.workers)
        edges = [(len(bounds) - 1) * k // of for k in range(of + 1)]
        cuts = [bounds[edge] for edge in edges]
        parts = [crew.call_many(w, "split", of, cuts) for w in self._everyone]
        promises: list[Any] = []
        for k, (worker, first, last) in enumerate(
            zip(self.workers, edges, edges[1:], strict=False)
        ):
            if first < last:
                mine = bounds[first : last + 1]
                promises += crew.call_many(
                    worker, "joined", last - first, mine, first, function, *(p[k] for p in parts)
                )
        del parts  # what was fetched is given up
        promises.reverse()
        while promises:
            yield crew.fetch([promises.pop()])[0]

    def set(self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None) -> None:
        """Moves the boids of a flock, or gives them other velocities."""
        counts, first = self.layout.plan.counts, 0
        for name, size in counts.items():
            if name == flock:
                break
            first += size
        those = self.workers if flock in self.layout.gridded else [self.outsiders]
        self.crew.fetch(
            [self.crew.call(w, "set", first, counts[flock], positions, velocities) for w in those]
        )

    def replace_layout(self, layout: Layout) -> None:
        """Goes on with other numbers: a layout of the same structure."""
        self.layout = self._grids.layout = layout
        calls = [self.crew.call(w, "replace_layout", layout) for w in self._everyone]
        self.crew.fetch(calls)

    # --- steps

    def step(self, step: int) -> None:
        """Flies a step. Raises Lost, and Died."""
        crew = self.crew
        reach = float(self._dtype.type(self.layout.reach(step * self.layout.plan.model.dt)))
        grid = self._grids.next(reach, self._samples())
        cuts, squares = self._move_home(grid)
        width = 1 if self.axis == 2 else int(grid.shape[3])  # layers that radii reach
        for stage in range(self.layout.plan.stages):
            strays = self._stage(Moment(step, stage), cuts, width)
        if reach == 0:
            self._grids.adapt(sum(crew.fetch(squares)) / self._grids.count, grid)
        if step % NARROWS == 0:
            self._wider = [max(0, wider - 1) for wider in self._wider]
        for found in crew.fetch(strays):
            if found is not None:
                raise Lost(step + 1, *self._named(*found))

    def _samples(self) -> np.ndarray | None:
        """Places of some boids, by which a grid in open space is made."""
        if not self._grids.follows:
            return None
        every = sampled_every(self._count)
        calls = [self.crew.call(worker, "samples", every) for worker in self.workers]
        return np.concatenate(self.crew.fetch(calls), axis=1)

    def _move_home(self, grid: Grid) -> tuple[Cuts, list[Any]]:
        """Boids go to the workers that now hold their layers, which sort them into cells. Returns
        the cuts, and promises of the sums of squared occupancies."""
        crew, workers = self.crew, self.workers
        tallies = crew.fetch([crew.call(worker, "tally", grid) for worker in workers])
        corner, size = float(grid.corner[self.axis]), float(grid.size[self.axis])
        cuts = kept_cuts(self._places, corner, size, sum(counts for counts, _, _ in tallies))
        self._places = places_of(cuts, corner, size)
        coming: list[list[Any]] = [[] for _ in workers]
        for k, (worker, (_, first, last)) in enumerate(zip(workers, tallies, strict=True)):
            owners = [w for w in cuts.owners(first, last) if w != k]
            sent = crew.call_many(worker, "leaving", len(owners), cuts, k, owners)
            for owner, boids in zip(owners, sent, strict=True):
                coming[owner].append(boids)
        return cuts, [crew.call(w, "settle", *coming[k]) for k, w in enumerate(workers)]

    def _stage(self, moment: Moment, cuts: Cuts, width: int) -> list[Any]:
        """All boids at once look at what the stage before left. Returns promises of the first boid
        of each worker that is lost."""
        crew, workers = self.crew, self.workers
        totals = self._totals() if self.layout.plan.has_totals else None
        others = crew.call(self.outsiders, "outside") if self.outsiders else None
        if self.outsiders:
            crew.call(self.outsiders, "look", moment, totals, *self._all_boids(cuts, moment))
        looking, again = list(range(len(workers))), False
        while looking:
            # all are asked what others look at before the first of them looks, which takes long
            around = [self._beside(cuts, k, width + self._wider[k], moment, again) for k in looking]
            promises = [
                crew.call(workers[k], "look", moment, widths, others, totals, *beside)
                for k, (widths, beside) in zip(looking, around, strict=True)
            ]
            lacking = dict(zip(looking, crew.fetch(promises), strict=True))
            looking, again = [k for k in looking if lacking[k]], True
            for k in looking:
                self._wider[k] = max(self._wider[k] + 1, lacking[k] - width)
        return [crew.call(worker, "advance") for worker in self._everyone]

    def _beside(
        self, cuts: Cuts, worker: int, width: int, moment: Moment, again: bool
    ) -> tuple[tuple[int, int], list[Any]]:
        """How many layers lie before and behind a worker's own, and promises of their boids."""
        sides = cuts.beside(worker, width, self._periodic)
        anew = again or moment.stage == 0
        promises = [
            self.crew.call(self.workers[p.owner], "neighbours", p.first, p.last, p.turns, anew)
            for side in sides
            for p in side
        ]
        before, behind = (sum(p.last - p.first for p in side) for side in sides)
        return (before, behind), promises

    def _all_boids(self, cuts: Cuts, moment: Moment) -> list[Any]:
        """Promises of all boids in cells, where some that are in no cell look at all of them."""
        if not sees_all(self.layout):
            return []
        held = zip(self.workers, cuts.edges, cuts.edges[1:], strict=False)
        return [
            self.crew.call(worker, "neighbours", first, last, 0, moment.stage == 0)
            for worker, first, last in held
            if first < last
        ]

    def _totals(self) -> np.ndarray:
        """(flocks, 2 dims) float64: sums of places and velocities, in the order of layers."""
        calls = [self.crew.call(worker, "sums") for worker in self._everyone]
        totals = np.zeros((len(self.layout.plan.counts), 2 * self.layout.plan.model.space.dims))
        for layers in self.crew.fetch(calls):
            for layer in layers:
                totals += layer
        return totals

    def _named(self, boid: int, place: np.ndarray) -> tuple[str, int, np.ndarray]:
        """(flock, number in it, place) of a boid."""
        for name, size in self.layout.plan.counts.items():
            if boid < size:
                return name, boid, place
            boid -= size
        raise AssertionError(boid)


def _share(parts: Sequence[Any], share: int, of: int) -> Sequence[Any]:
    """A share of some parts; all are in one of the shares."""
    return parts[len(parts) * share // of : len(parts) * (share + 1) // of]
