"""Cell search: boids of the cells around a boid are its candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from murmurate.codegen.candidates.cell_functions import MAX_CELLS_PER_AXIS, MIN_SAMPLES, max_cells
from murmurate.codegen.candidates.search import PAD, Argument, Memory, Search
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import FlockPlan, RulePlan
from murmurate.codegen.template_values import KernelText, NumbaSensing

CHUNKS_PER_THREAD = 24  # enough that all threads end at about the same time
MAX_SKIN_VIOLATIONS = (
    64  # boids that may get far from their cells in a step, before all are sorted again
)
SPARE = 64  # sides of arrays beyond what is needed: one cache line or more

ARGUMENTS = (
    Argument("gridded", "int64", (), "number of boids in cells: the first columns"),
    Argument("radii", "int64", ("radii",), "slots of the radii that boids sense through cells"),
    Argument(
        "skin_factor",
        "float64",
        (),
        "skin, in largest displacements per step: see Layout.skin_factor",
    ),
    Argument("perceived_row", "int64", (), "row of `perceived` that cells hold, or -1"),
    Argument("boids_per_cell", "float64", (), "boids in a cell where rules sense only the nearest"),
    Argument("sums_follow_cells", "int64", (), "whether sums run in the order of cells"),
    Argument("several_flocks", "int64", (), "whether cells hold several flocks"),
    Argument("can_perch", "int64", (), "whether boids perch"),
    Argument("periodic", "int64", ("3",), "1 of periodic axes, 0 of others"),
    Argument("faces", "float64", ("2", "axes"), "lower and upper corner of the space"),
    Argument("next_ids", "int32", ("columns",), "ids after sorting"),
    Argument("next_flock_index", "int32", ("columns",), "indices of flocks after sorting"),
    Argument("cell", "int32", ("columns",), "cell of a boid"),
    Argument("column_order", "uint32", ("columns",), "columns in the order of cells"),
    Argument("cell_slots", "int64", ("threads", "cells"), "slot of the next boid of a cell"),
    Argument("samples", "float64", ("axes", "samples"), "coordinates of some boids, or NaN"),
    Argument("outermost", "float64", ("2", "32"), "the smallest and the largest samples"),
    Argument("sum_of_squares", "float64", (), "sum of the squared numbers of boids in cells"),
    Argument("extent", "float64", ("3",), "sides of the grid"),
    Argument("sides", "float64", ("3",), "sides of a cell"),
    Argument("cell_side", "float64", (), "side of a cell where rules sense only the nearest"),
    Argument("reach", "float64", (), "longest radius that cells serve; 0: only the nearest"),
    Argument("target_chunks", "float64", (), "least number of chunks of work"),
    Argument("max_chunks", "int64", (), "room for chunks"),
    Argument("max_parts", "int64", (), "room for parts"),
    # cells
    Argument("start", "int64", ("cells + 1",), "first column of a cell"),
    # a layer is the cells of one z, in 2-D of one x: contiguous in memory
    Argument(
        "grid",
        "int64",
        ("7",),
        "numbers of cells along x, y, z, and what the indices in cell_functions say",
    ),
    Argument("corner", "real", ("3",), "lower corner of the grid"),
    Argument("cell_size", "real", ("3",), "sides of a cell"),
    Argument("inverse", "real", ("3",), "cells per length"),
    Argument("skin", "float64", (), "distance that boids may be outside of their cells"),
    Argument(
        "skin_violations",
        "int64",
        ("64", "4"),
        "boids outside of the skin: column, cell along x, y, z",
    ),
    Argument("runs", "int64", ("runs", "3"), "runs of cells: row, first x, last x"),
    Argument("chunks", "int64", ("chunks + 1",), "first run of a chunk"),
)
SCRATCH = (
    Argument(
        "missing_halo_layers",
        "int64",
        (),
        "distance, in layers, of missing layers that may hold nearer boids",
        thread=True,
        out=True,
    ),
    Argument(
        "stage", "real", ("staged rows", "room"), "staged positions and velocities", thread=True
    ),
    Argument("stage_ids", "int32", ("room",), "staged ids", thread=True),
    Argument("stage_flock_index", "int32", ("room",), "staged indices of flocks", thread=True),
    Argument("candidate_d2", "real", ("room",), "squared distances of candidates", thread=True),
    Argument("shortlist", "uint32", ("room",), "candidates that a search may find", thread=True),
    Argument("near_candidates", "uint32", ("room",), "candidates within a radius", thread=True),
    Argument("distances", "real", ("64",), "squared distances of near candidates", thread=True),
    Argument("slab_starts", "int64", ("width",), "where staged slabs begin", thread=True),
    Argument(
        "own_starts",
        "int64",
        ("width",),
        "where the boids of a cell begin among the staged ones",
        thread=True,
    ),
)

SORT = ("MEASURE_FLOCK", "COUNT_CELLS", "ORDER", "GATHER", "END_SORTING")
SORT_ARRAYS = (
    "cell", "column_order", "cell_slots", "start", "runs", "chunks", "samples", "outermost",
    "extent", "sides", "grid", "corner", "cell_size", "inverse",
)  # fmt: skip
SEQUENTIAL = (
    "skin_violations", "column_of", "slab_progress", "slab_updates", "slab_edge_updates",
    "slab_table", "saved_state", "saved_timers", "saved_memory",
)  # fmt: skip


class Cells(Search):
    """Cells are as large as the longest radius, or hold about as many boids as a rule senses."""

    template = "cells"
    kernel = "cells"
    addresses = "cell_kernels"
    boids_are = "in cells"
    arguments = ARGUMENTS
    scratch = SCRATCH

    def sweeps(self, layout: Layout, flock: FlockPlan) -> bool:
        return flock.flock in layout.gridded

    def phases(self, layout: Layout) -> tuple[str, ...]:
        if not layout.gridded:
            return ()
        return SORT if layout.grid_follows else SORT[1:]  # a fixed grid needs no measurement

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        boids, threads, fixed = layout.n_gridded, memory.threads, memory.fixed
        cells = max_cells(boids) if layout.gridded else 0
        slabs = threads if layout.step_parts(threads)["share_updates"] else 0
        shared = layout.n_boids if slabs else 0
        return {
            "radii": len(layout.radii), "threads": threads, "cells": cells, "cells + 1": cells + 1,
            "runs": boids + SPARE if fixed else cells + SPARE * threads,
            "chunks + 1": (CHUNKS_PER_THREAD + 4) * threads + 2 + (0 if fixed else boids // 512),
            "samples": min(layout.n_boids, 2 * MIN_SAMPLES) + 1, "width": min(cells,
            MAX_CELLS_PER_AXIS) + SPARE, "room": self._room(layout, memory),
            "staged rows": 2 * layout.plan.model.space.dims + len(layout.plan.states.shared_rows),
            "slabs": slabs, "16 slabs": 16 * slabs, "shared columns": shared,
            "shared updates": 0 if fixed else shared + 1,
        }  # fmt: skip

    def _room(self, layout: Layout, memory: Memory) -> int:
        """Return the number of boids that a thread can stage.

        Arrays that cannot grow hold each boid once, and three times for each periodic axis: with
        one or two cells, a boid is seen from both sides. Unused room costs nothing.
        """
        boids, model = layout.n_gridded, layout.plan.model
        if memory.fixed:
            return 3 ** sum(model.space.periodic) * boids + 2 * SPARE if boids else 0
        in_turn = layout.gridded and model.order != "synchronous"
        return boids + MAX_SKIN_VIOLATIONS + 2 * PAD if in_turn else memory.initial_room

    def constants(self, layout: Layout, memory: Memory) -> Mapping[str, list[float]]:
        plan, space = layout.plan, layout.plan.model.space
        return {
            "gridded": [layout.n_gridded],
            "radii": list(layout.radii),
            "skin_factor": [layout.skin_factor],
            "perceived_row": [-1 if layout.perceived_row is None else layout.perceived_row],
            "boids_per_cell": [layout.boids_per_cell],
            "sums_follow_cells": [layout.sums_follow_cells],
            "several_flocks": [layout.several_flocks],
            "can_perch": [any(flock.can_perch for flock in plan.flocks)],
            "periodic": [*map(float, space.periodic)],
            "faces": [*space.lower, *space.upper],
            "target_chunks": [float(CHUNKS_PER_THREAD * memory.threads)],
            "max_chunks": [self.sides(layout, memory)["chunks + 1"] - 1],
            "retry_after_steps": [memory.retry_after_steps],
            "min_slab_radii": [memory.min_slab_radii],
        }

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        if not layout.gridded:
            return ("start", "grid")
        return SORT_ARRAYS if layout.plan.model.order == "synchronous" else SORT_ARRAYS + SEQUENTIAL

    def seen_rows(self, text: KernelText) -> list[str]:
        """Return the rows of the state that boids in cells perceive."""
        return (
            text.rows if text.layout.perceived_row is None else [f"seen_{row}" for row in text.rows]
        )

    def conditions(
        self, sensing: NumbaSensing, pairs: list[tuple[RulePlan, str]], condition: str
    ) -> list[tuple[RulePlan, str]]:
        """Return (rule, sensed flock) -> (rule, condition for a staged boid)."""
        text = sensing.text
        several = text.layout.several_flocks
        kinds = {
            s: f"(staged_flock[j] == {text.flock_index(s)})" if several else "" for _, s in pairs
        }
        return [(rule, sensing.both(condition, kinds[sensed])) for rule, sensed in pairs]

    def states(self, sensing: NumbaSensing, sensed: Sequence[str] = ()) -> list[str]:
        """Return the values of the state that rules read of a staged boid.

        sensed  see KernelText.states_of
        """
        text = sensing.text
        if text.layout.several_flocks:
            return text.states_of("bM{row}[j]", flock_index="staged_flock[j]", sensed=sensed)
        return text.states_of("bM{row}[j]", text.layout.gridded[0])

    def costly(
        self, sensing: NumbaSensing, pairs: list[tuple[RulePlan, str]]
    ) -> list[tuple[RulePlan, str]]:
        """Return the rules with costly pair functions: they are called only for boids within the
        radius, and not for all boids of the cells around."""
        text = sensing.text
        costly = text.layout.costly
        return [(r, s) for r, s in pairs if text.library.roots(sensing.pair(r)) >= costly]
