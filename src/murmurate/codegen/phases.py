"""Phases: what a step of a model does, one after the other, each cut into chunks for threads.

The compiled loop goes through the rows of a list of (number of a phase, which), made here: see
templates/many_steps.py.j2, which has a few lines for each phase.
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
"""Places in the array `control`, and how a ticket is made: see templates/many_steps.py.j2."""

Rows = list[tuple[int, int]]
Named = list[tuple[str, int]]


def phases_of(layout: Layout, evaluations: int, threads: int = 1) -> Rows:
    """Return the phases of a step of a layout: (number of a phase, which).

    evaluations  of the forces in a step
    """
    plan, names = layout.plan, Named()
    sort: Named = [(name, 0) for name in phases_of_searches(layout)]
    names.append(("BEGIN_STEP", 0))
    if plan.perceives:
        names.append(("PERCEIVE", 0))
    if plan.model.order != "synchronous":
        names += _turns(layout, sort, threads, len(names))
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
    plan, found = layout.plan, Named()
    if plan.sensor_flocks:
        found.append(("ARRANGE", 0))
    for stage in range(plan.stages):
        flocks = [flock for flock in plan.flocks if flock.stage == stage]
        swept = [s for s in SEARCHES if any(s.sweeps(layout, flock) for flock in flocks)]
        names = [
            *(("SUM_LAYERS", "ADD_SUMS") if plan.has_totals else ()),
            *(f"SWEEP_{search.kernel.upper()}" for search in swept),
            "STAGE_DONE",
        ]
        found += [(name, stage) for name in names]
    return found


def _turns(layout: Layout, sort: Named, threads: int, before: int) -> Named:
    """Return the phases of turns.

    before  how many phases come before
    """
    found = [("ARRANGE", 0)] if layout.plan.sensor_flocks else []
    again = before + len(found)  # where boids are sorted, if some get too far
    found += sort
    deal = before + len(found)  # where threads give up sharing
    if layout.step_parts(threads)["share_updates"]:
        found += [
            ("SAVE_BOIDS", 0),
            ("ASSIGN_UPDATES", 0),
            ("UPDATE", 0),
            ("END_SHARED_UPDATES", deal),
        ]
    else:
        found.append(("UPDATE", 0))
    return [*found, ("END_UPDATES", again)]
