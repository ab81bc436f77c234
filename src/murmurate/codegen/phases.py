"""Phases: the list of what a step does. Each phase is divided into chunks for threads.

The compiled loop walks through rows (number of a phase, index); templates/many_steps.py.j2 has a
few lines for each phase.
"""

from __future__ import annotations

from murmurate.codegen.candidates.searches import SEARCHES, phases_of_searches
from murmurate.codegen.layout import Layout

NAMES = (
    "BEGIN_STEP", "PERCEIVE",
    "MEASURE_FLOCK", "COUNT_CELLS", "ORDER", "GATHER", "END_SORTING",
    "CALL_PYTHON", "ARRANGE", "SUM_LAYERS", "ADD_SUMS", "SWEEP_CELLS", "SWEEP_ALL_PAIRS",
    "STAGE_DONE",
    "BEGIN_EVALUATION", "MOVE_TO_EVALUATION", "PUT_EVALUATION", "END_EVALUATION", "AVERAGE_SLOPES",
    "SETTLE", "SAVE_BOIDS", "ASSIGN_UPDATES", "UPDATE", "END_SHARED_UPDATES", "END_UPDATES",
    "FIND_LOST", "END_STEP",
)  # fmt: skip
"""All phases.

BEGIN_STEP, PERCEIVE                       the numbers of this step; what boids perceive
MEASURE_FLOCK, COUNT_CELLS, ORDER, GATHER, END_SORTING    boids sorted into cells
CALL_PYTHON                                Python does something before the step goes on
ARRANGE                                    what boids perceive, by column
SUM_LAYERS, ADD_SUMS                       totals over flocks
SWEEP_CELLS, SWEEP_ALL_PAIRS, STAGE_DONE   a stage
BEGIN_EVALUATION, MOVE_TO_EVALUATION, PUT_EVALUATION, END_EVALUATION, AVERAGE_SLOPES, SETTLE
                                           integrators that evaluate forces several times
SAVE_BOIDS, ASSIGN_UPDATES, UPDATE, END_SHARED_UPDATES, END_UPDATES
                                           sequential and shuffled update
FIND_LOST, END_STEP                        lost boids; the next step
"""
PHASES = {name: number for number, name in enumerate(NAMES)}

CONTROL = {
    "TICKET": 0, "COUNT": 1, "DONE": 16, "INSIDE": 17, "STATE": 32, "STOP": 33,
    "REDONE": 34, "SHARED_SLABS": 35, "RESORTS": 36,
    "BITS": 24, "MASK": 2**24 - 1,
}  # fmt: skip
"""Indices in the array `control`, and the parts of a ticket: see templates/many_steps.py.j2."""

Rows = list[tuple[int, int]]
Named = list[tuple[str, int]]


def phases_of(layout: Layout, evaluations: int, threads: int = 1) -> Rows:
    """Return the phases of a step of a layout: rows (number of a phase, index).

    evaluations  of the forces in a step
    """
    plan, names = layout.plan, Named()
    sort: Named = [(name, 0) for name in phases_of_searches(layout)]
    names.append(("BEGIN_STEP", 0))
    if plan.perceives:
        names.append(("PERCEIVE", 0))
    if plan.model.order != "synchronous":
        names += _updates(layout, sort, threads, len(names))
    elif plan.integrates:
        for e in range(evaluations):
            move = ("BEGIN_EVALUATION", "MOVE_TO_EVALUATION", "PUT_EVALUATION")
            names += [(name, e) for name in move] + sort + _stages(layout)
            names.append(("END_EVALUATION", e))
        names += [("AVERAGE_SLOPES", 0), ("SETTLE", 0), ("STAGE_DONE", 0)]
    else:
        names += sort + _stages(layout)
    names += [("FIND_LOST", 0), ("END_STEP", 0)]
    return [(PHASES[name], which) for name, which in names]


def _stages(layout: Layout) -> Named:
    plan, rows = layout.plan, Named()
    if plan.sensor_flocks:
        rows.append(("ARRANGE", 0))
    for stage in range(plan.stages):
        flocks = [flock for flock in plan.flocks if flock.stage == stage]
        swept = [s for s in SEARCHES if any(s.sweeps(layout, flock) for flock in flocks)]
        names = [
            *(("SUM_LAYERS", "ADD_SUMS") if plan.has_totals else ()),
            *(f"SWEEP_{search.kernel.upper()}" for search in swept),
            "STAGE_DONE",
        ]
        rows += [(name, stage) for name in names]
    return rows


def _updates(layout: Layout, sort: Named, threads: int, before: int) -> Named:
    """Return the phases of a sequential or shuffled update.

    before  number of phases before them
    """
    rows = [("ARRANGE", 0)] if layout.plan.sensor_flocks else []
    sorting = before + len(rows)  # to sort boids again, if many leave the skin
    rows += sort
    sharing = before + len(rows)  # where threads begin to share the updates
    if layout.step_parts(threads)["share_updates"]:
        rows += [
            ("SAVE_BOIDS", 0),
            ("ASSIGN_UPDATES", 0),
            ("UPDATE", 0),
            ("END_SHARED_UPDATES", sharing),
        ]
    else:
        rows.append(("UPDATE", 0))
    return [*rows, ("END_UPDATES", sorting)]
