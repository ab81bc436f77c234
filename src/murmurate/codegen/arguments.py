"""The table of kernel arguments: the one list from which signature, allocation and call are made.

A compiled kernel takes one number, the address of a table of 64-bit words. Numbers stand in the
table as they are (floats by their bits); an array stands there as its address and its sides. So the
same kernel is called alike from Python, from a page, from a worker, and by any thread. A thread has
a table of its own for what is its own, with the address of the table that all threads share; the
table of the first thread is both.
"""

from __future__ import annotations

from murmurate.codegen.candidates.search import Argument
from murmurate.codegen.candidates.searches import CELLS, NEAREST, TOTALS, VORONOI

_N, _A = "columns", "axes"

ARGUMENTS = (
    Argument("shared", "int64", (), "address of the table that threads share", thread=True),
    # the step
    Argument("step", "int64", (), "number of the step"),
    Argument("time", "float64", (), "step * dt"),
    Argument("dt", "float64", (), "time step"),
    Argument("key0", "uint64", (), "lower half of the seed"),
    Argument("key1", "uint64", (), "upper half of the seed"),
    # one row an evaluation of the forces; the last row holds for all that would follow it
    Argument("parameter_row", "int64", (), "the row that holds"),
    Argument("numbers_by_step", "real", ("rows", "slots"), "every number of the model"),
    Argument("obstacles_by_step", "real", ("rows", "obstacles", "7"), "obstacles, one a row"),
    Argument("next_obstacles_by_step", "real", ("rows", "obstacles", "7"), "a time step later"),
    Argument("errors_by_step", "float64", ("rows", "sensors", "2"), "errors of places, velocities"),
    # the boids, a column each: x y (z) u v (w)
    Argument("state", "real", ("2 axes", _N), "places and velocities"),
    Argument("next_state", "real", ("2 axes", _N), "what they become"),
    Argument("timers", "int32", (_N,), "steps left on the ground"),
    Argument("next_timers", "int32", (_N,), "what they become"),
    Argument("memory", "real", ("memory rows", _N), "what motions and rules keep of a boid"),
    Argument("next_memory", "real", ("memory rows", _N), "what it becomes"),
    Argument("ids", "int32", (_N,), "number of a boid, through all flocks"),
    Argument("flock_index", "int32", (_N,), "number of its flock"),
    Argument("flocks", "int64", ("flocks", "4"), "begin and sweep in columns, first id, size"),
    *TOTALS.arguments,
    *VORONOI.arguments,
    # what boids know of others beside the state: a column a boid, in id order
    Argument("sensing", "int64", ("sensors", "2"), "steps that a flock senses late, and between"),
    Argument("error_streams", "int64", ("sensors", "flocks", "2"), "sources of its errors"),
    Argument(
        "perceived_by_id", "real", ("sensors", "2 axes", "by id"), "what a flock knows of all boids"
    ),
    Argument("perceived", "real", ("sensors", "2 axes", _N), "the same, a column a boid as `now`"),
    Argument("state_by_id", "real", ("2 axes", "by id"), "places and velocities"),
    Argument(
        "history", "real", ("depth", "2 axes", "by id"), "those of step t in row t modulo depth"
    ),
    Argument("herds", "int64", ("herds", "2 + flocks"), "looker or -1, slot, flocks or -1"),
    Argument("herd_positions", "float64", ("axes", "by id"), "places of a herd"),
    Argument("herd_numbers", "float64", ("8",), "what rules are given of a herd"),
    # a step that evaluates the forces several times: a column a boid, in id order
    Argument(
        "evaluations", "float64", ("evaluations", "3"), "see murmurate.engines.cpu.model_arguments"
    ),
    Argument("evaluation", "int64", (), "the one that is being flown"),
    Argument("initial_state", "real", ("2 axes", "integrated"), "state before the step"),
    Argument("initial_timers", "int32", ("integrated",), "timers before the step"),
    Argument("slopes", "real", ("evaluations", "2 axes", "integrated"), "forces, velocities"),
    Argument("mean_slopes", "real", ("2 axes", _N), "mean acceleration, and velocity to move with"),
    # the space
    Argument("lower", "real", (_A,), "lower corner"),
    Argument("upper", "real", (_A,), "upper corner"),
    Argument("centre", "float64", (_A,), "middle"),
    Argument("max_distance", "float64", (), "how far from the middle a boid is lost"),
    # a run of many steps: phases, whose chunks threads take
    Argument("max_threads", "int64", (), "how many threads there may be"),
    Argument(
        "control",
        "int64",
        ("48",),
        "which phase is open and what is left of it: see many_steps.py.j2",
    ),
    Argument("phases", "int64", ("phases", "2"), "what a step does: number of a phase, and which"),
    Argument("phase_row", "int64", (), "the one of them that is open"),
    Argument("phase", "int64", (), "its number"),
    Argument("phase_index", "int64", (), "the stage or evaluation that it belongs to"),
    Argument(
        "opens_phase", "int64", (), "whether the thread is to open the next phase", thread=True
    ),
    Argument("chunk", "int64", (), "the chunk that the thread has taken, or -1", thread=True),
    Argument(
        "unreported", "int64", (), "chunks it has taken and not yet reported done", thread=True
    ),
    Argument("budget", "int64", (), "how many it may take before it returns", thread=True),
    Argument("yield_function", "int64", (), "address of what lets other programs run"),
    Argument("range_results", "float64", ("ranges", "2"), "what was found in stretches of columns"),
    Argument("n_boids", "int64", (), "how many boids there are"),
    Argument("parts", "int64", ("parts + 1",), "where stretches of columns begin"),
    Argument("stages", "int64", (), "how many stages a step has"),
    Argument("stage_kernels", "int64", ("kernels",), "addresses of the kernels of the stages"),
    Argument("has_totals", "int64", (), "whether totals are needed"),
    Argument("cell_kernels", "int64", ("kernels",), "addresses of those of flocks in cells"),
    Argument(
        "step_kernels", "int64", ("step parts",), "addresses of parts that not all steps have"
    ),
    Argument("settle_kernel", "int64", (), "address of the end of a step that integrates"),
    Argument("steps", "int64", (), "how many steps to make"),
    Argument("steps_done", "int64", (), "how many of them were made already"),
    Argument("step_index", "int64", (), "how many of them were made before this one"),
    Argument("sequential", "int64", (), "whether boids fly one after the other"),
    Argument("update_order", "int64", ("order rows", "boids"), "order of turns of shuffled steps"),
    Argument("first_update", "int64", (), "how many turns were taken, through all stages"),
    Argument("all_updated", "int64", (), "whether they were: else boids are sorted again"),
    Argument("column_of", "int32", (_N,), "where a boid stands, by its number"),
    # threads that share the turns of a step: each takes those of the boids of a slab, or several
    Argument("n_slabs", "int64", (), "how many slabs there are; 0 or 1: there is one"),
    Argument("slab_index", "int64", (), "which slab the thread has in hand", thread=True),
    Argument("max_polls", "int64", (), "how often it looks whether a turn has come", thread=True),
    Argument("moves_at_end", "int64", (), "whether boids move when the last has had its turn"),
    Argument(
        "retry_after_steps", "int64", (), "steps before threads share turns that they could not"
    ),
    Argument("retry_at_step", "int64", (), "the step from which on threads share turns again"),
    Argument("min_slab_radii", "int64", (), "how many times as thick as its boids see a slab is"),
    Argument(
        "slab_updates",
        "int32",
        ("slabs", "shared updates"),
        "the turns of a slab, and the number of all",
    ),
    Argument(
        "slab_edge_updates",
        "int32",
        ("slabs", "shared updates"),
        "from each of its turns on, the first of a boid at an edge",
    ),
    Argument(
        "slab_table",
        "int64",
        ("slabs", "16"),
        "columns between which nobody is at an edge; its layers, from and up to; the slabs before "
        "and after; how many layers boids see; its first column; how many turns it has, how many "
        "were taken, whether all were; the thread that has it in hand",
    ),
    Argument(
        "slab_progress",
        "int64",
        ("16 slabs",),
        "of each: the turn at an edge that it comes to, and that of a boid in no cell",
    ),
    Argument("saved_state", "real", ("2 axes", "shared columns"), "boids before the step"),
    Argument("saved_timers", "int32", ("shared columns",), "their timers"),
    Argument("saved_memory", "real", ("memory rows", "shared columns"), "what was kept of them"),
    Argument("lost", "int64", (), "column of a boid that got lost, or -1", out=True),
    Argument("probe", "int64", (), "number of the boid whose vectors are wanted, or -1"),
    Argument("vectors", "real", ("rules", "3"), "what each rule wants of that boid"),
    *CELLS.arguments,
    *NEAREST.arguments,
    # scratch of a thread
    *CELLS.scratch,
    *NEAREST.scratch,
)

SCRATCH = tuple(a.name for a in ARGUMENTS if a.thread and a.shape)
"""The arrays of a thread."""
STAGED = tuple(a.name for a in ARGUMENTS if "room" in a.shape)
"""Those that a thread puts candidates into: there may be too little room for them."""
BY_NAME = {argument.name: argument for argument in ARGUMENTS}


def _offsets() -> dict[str, int]:
    """Argument -> its first word in the table."""
    found, word = {}, 0
    for argument in ARGUMENTS:
        found[argument.name] = word
        word += argument.words
    return found


OFFSETS = _offsets()
WORDS = sum(argument.words for argument in ARGUMENTS)
