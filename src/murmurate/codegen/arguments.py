"""The table of kernel arguments: signatures, arrays and calls are all made from this one list.

A compiled kernel takes one number, the address of a table of 64-bit words. The table holds numbers
as they are (floats by their bits); an array stands in it as its address and its sides. So Python, a
page and a worker call a kernel alike. Each thread has a table for its own arguments, with the
address of the table that all threads share; the table of the first thread is both.
"""

from __future__ import annotations

from murmurate.codegen.candidates.search import Argument
from murmurate.codegen.candidates.searches import CELLS, NEAREST, TOTALS, VISIBLE, VORONOI

_N, _A = "columns", "axes"

ARGUMENTS = (
    Argument("shared", "int64", (), "address of the table that threads share", thread=True),
    # the step
    Argument("step", "int64", (), "index of the step"),
    Argument("time", "float64", (), "step * dt"),
    Argument("dt", "float64", (), "time step"),
    Argument("key0", "uint64", (), "lower half of the seed"),
    Argument("key1", "uint64", (), "upper half of the seed"),
    # a row for each evaluation of the forces; the last row holds for all later ones
    Argument("parameter_row", "int64", (), "the row in use"),
    Argument(
        "numbers_by_step",
        "real",
        ("rows", "numbers"),
        "numbers of the model, a row for each evaluation",
    ),
    Argument("obstacles_by_step", "real", ("rows", "obstacles", "7"), "obstacles, one a row"),
    Argument(
        "next_obstacles_by_step", "real", ("rows", "obstacles", "7"), "obstacles a time step later"
    ),
    Argument(
        "errors_by_step",
        "float64",
        ("rows", "sensors", "2"),
        "errors of sensed positions and velocities",
    ),
    # boids, a column each: x y (z) u v (w)
    Argument("state", "real", ("2 axes", _N), "positions and velocities"),
    Argument("next_state", "real", ("2 axes", _N), "those after a stage"),
    Argument("timers", "int32", (_N,), "steps left on the ground"),
    Argument("next_timers", "int32", (_N,), "those after a stage"),
    Argument("memory", "real", ("memory rows", _N), "per-boid state of motions and rules"),
    Argument("next_memory", "real", ("memory rows", _N), "that after a stage"),
    Argument("ids", "int32", (_N,), "id of a boid, counted through all flocks"),
    Argument("flock_index", "int32", (_N,), "index of its flock"),
    Argument(
        "flocks",
        "int64",
        ("flocks", "4"),
        "first column and number of columns to compare with, first id, size",
    ),
    *TOTALS.arguments,
    *VORONOI.arguments,
    # what boids perceive: a column a boid, in the order of ids
    Argument("sensing", "int64", ("sensors", "9"), "how a flock senses: see perceive.py.j2"),
    Argument("sensing_streams", "int64", ("sensors", "flocks", "4"), "rng streams: see SENSING"),
    Argument("max_ranges", "float64", ("sensors",), "how far messages to a flock reach"),
    Argument("sent_steps", "int64", ("sensors", "by id"), "when boids sent their last messages"),
    Argument(
        "perceived_by_id",
        "real",
        ("messages", "2 axes", "by id"),
        "what a flock perceives of all boids: a row for the last message, the one before, ...",
    ),
    Argument("perceived", "real", ("messages", "2 axes", _N), "the same by column, as `state`"),
    Argument("received", "real", ("2 axes", "received"), "what one boid perceives", thread=True),
    Argument("state_by_id", "real", ("2 axes", "by id"), "positions and velocities"),
    Argument(
        "history", "real", ("depth", "2 axes", "by id"), "state of step t in row t modulo depth"
    ),
    Argument(
        "herds", "int64", ("herds", "2 + flocks"), "row of messages or -1, slot, flocks or -1"
    ),
    Argument("herd_positions", "float64", ("axes", "by id"), "positions of a herd"),
    Argument("herd_numbers", "float64", ("8",), "numbers that rules take of a herd"),
    # a step that evaluates the forces several times: a column a boid, in the order of ids
    Argument(
        "evaluations", "float64", ("evaluations", "3"), "see murmurate.engines.cpu.model_arguments"
    ),
    Argument("evaluation", "int64", (), "index of the evaluation"),
    Argument("initial_state", "real", ("2 axes", "integrated"), "state before the step"),
    Argument("initial_timers", "int32", ("integrated",), "timers before the step"),
    Argument("slopes", "real", ("evaluations", "2 axes", "integrated"), "forces and velocities"),
    Argument("mean_slopes", "real", ("2 axes", _N), "mean acceleration, and velocity to move with"),
    # the space
    Argument("lower", "real", (_A,), "lower corner"),
    Argument("upper", "real", (_A,), "upper corner"),
    Argument("centre", "float64", (_A,), "centre of the space"),
    Argument("max_distance", "float64", (), "a boid farther than this from the centre is lost"),
    # a run of many steps: threads take chunks of phases
    Argument("max_threads", "int64", (), "number of threads that may take part"),
    Argument(
        "control",
        "int64",
        ("48",),
        "the open phase and what is left of it: see many_steps.py.j2",
    ),
    Argument("phases", "int64", ("phases", "2"), "phases of a step: number and index"),
    Argument("phase_row", "int64", (), "row of the open phase"),
    Argument("phase", "int64", (), "number of the open phase"),
    Argument("phase_index", "int64", (), "stage or evaluation of the open phase"),
    Argument("opens_phase", "int64", (), "whether the thread opens the next phase", thread=True),
    Argument("chunk", "int64", (), "chunk in hand, or -1", thread=True),
    Argument("unreported", "int64", (), "chunks taken and not yet reported done", thread=True),
    Argument(
        "budget", "int64", (), "chunks that the thread may take before it returns", thread=True
    ),
    Argument("yield_function", "int64", (), "address of the function that lets other programs run"),
    Argument("range_results", "float64", ("ranges", "2"), "results for ranges of columns"),
    Argument("n_boids", "int64", (), "number of boids"),
    Argument("parts", "int64", ("parts + 1",), "first columns of parts"),
    Argument("stages", "int64", (), "number of stages of a step"),
    Argument("stage_kernels", "int64", ("kernels",), "addresses of the kernels of stages"),
    Argument("has_totals", "int64", (), "whether rules need totals"),
    Argument("cell_kernels", "int64", ("kernels",), "addresses of the kernels of flocks in cells"),
    Argument(
        "step_kernels", "int64", ("step parts",), "addresses of parts that only some steps have"
    ),
    Argument("settle_kernel", "int64", (), "address of the end of an integrated step"),
    Argument("steps", "int64", (), "number of steps to make"),
    Argument("steps_done", "int64", (), "number of steps made"),
    Argument("step_index", "int64", (), "number of steps made before this one"),
    Argument("sequential", "int64", (), "whether boids update one by one"),
    Argument(
        "update_order", "int64", ("order rows", "boids"), "order of updates in shuffled steps"
    ),
    Argument("first_update", "int64", (), "number of updates made, through all stages"),
    Argument(
        "all_updated", "int64", (), "whether all updates were made: else boids are sorted again"
    ),
    Argument("column_of", "int32", (_N,), "column of a boid, by its id"),
    # threads that share the updates of a step: each updates the boids of one slab or more
    Argument("n_slabs", "int64", (), "number of slabs; 0 or 1: one thread updates all boids"),
    Argument("slab_index", "int64", (), "slab in hand", thread=True),
    Argument(
        "max_polls",
        "int64",
        (),
        "how often a thread checks for the update before its own",
        thread=True,
    ),
    Argument("moves_at_end", "int64", (), "whether boids move after the last update"),
    Argument(
        "retry_after_steps",
        "int64",
        (),
        "steps until threads share updates again, after they could not",
    ),
    Argument("retry_at_step", "int64", (), "step from which threads share updates again"),
    Argument("min_slab_radii", "int64", (), "least thickness of a slab, in radii"),
    Argument(
        "slab_updates",
        "int32",
        ("slabs", "shared updates"),
        "indices of a slab's updates, then the number of all updates",
    ),
    Argument(
        "slab_edge_updates",
        "int32",
        ("slabs", "shared updates"),
        "from each of them on, the first update of a boid at an edge",
    ),
    Argument(
        "slab_table",
        "int64",
        ("slabs", "16"),
        "of each slab: inner columns, layers and neighbours (2 each), layers in a radius, first "
        "column, updates, updates made, end, thread",
    ),
    Argument(
        "slab_progress",
        "int64",
        ("16 slabs",),
        "of each slab: next update at an edge, next ungridded update",
    ),
    Argument("saved_state", "real", ("2 axes", "shared columns"), "state before the step"),
    Argument("saved_timers", "int32", ("shared columns",), "timers before the step"),
    Argument(
        "saved_memory", "real", ("memory rows", "shared columns"), "per-boid state before the step"
    ),
    Argument("lost", "int64", (), "column of a lost boid, or -1", out=True),
    Argument("probe", "int64", (), "id of the boid whose vectors are recorded, or -1"),
    Argument("vectors", "real", ("rules", "3"), "weighted vector of each rule for that boid"),
    *CELLS.arguments,
    *NEAREST.arguments,
    # scratch of a thread
    *CELLS.scratch,
    *NEAREST.scratch,
    *VISIBLE.scratch,
    Argument(
        "individual_numbers",
        "real",
        ("boids", "individual columns"),
        "numbers of boids, by their id",
    ),
    # models in which boids join and leave
    Argument("boid_index", "int32", ("by index",), "index of a boid within its flock, by its id"),
    # many worlds in one call: see worlds.py.j2
    Argument("worlds", "int64", (), "address of the table of all worlds", thread=True),
    Argument("world", "int64", (), "world in hand, or -1", thread=True),
    Argument("run_kernel", "int64", (), "address of run_steps"),
    Argument("world_tables", "int64", ("worlds",), "addresses of the tables of worlds"),
    Argument("world_steps", "int64", ("worlds",), "index of the next step of each world"),
    Argument("failed_worlds", "int64", ("worlds",), "1 for worlds that lost a boid"),
    Argument("loads_memory", "int64", (), "whether worlds begin with per-boid state in new_memory"),
    Argument("new_memory", "real", ("worlds", "boids", "memory rows"), "per-boid state by id"),
    Argument("world_positions", "real", ("worlds", "boids", "axes"), "positions by id"),
    Argument("world_velocities", "real", ("worlds", "boids", "axes"), "velocities by id"),
    Argument("world_timers", "int32", ("worlds", "boids"), "steps left on the ground, by id"),
    Argument("world_memory", "real", ("worlds", "boids", "memory rows"), "per-boid state by id"),
)

SCRATCH = tuple(a.name for a in ARGUMENTS if a.thread and a.shape)
"""Arrays of a thread."""
STAGED = tuple(a.name for a in ARGUMENTS if "room" in a.shape)
"""Arrays of a thread's candidates: they grow where there is too little room."""
BY_NAME = {argument.name: argument for argument in ARGUMENTS}


def _offsets() -> dict[str, int]:
    """Return argument -> index of its first word in the table."""
    offsets, word = {}, 0
    for argument in ARGUMENTS:
        offsets[argument.name] = word
        word += argument.words
    return offsets


OFFSETS = _offsets()
WORDS = sum(argument.words for argument in ARGUMENTS)
