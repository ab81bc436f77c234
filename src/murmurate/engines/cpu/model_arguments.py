"""Arguments of kernels that follow from a model: sizes of arrays, constants, and its numbers.

A step evaluates the forces once or several times, depending on the integrator. An evaluation is a
triple (part, bend, weight). With h = part * dt, it takes the forces at the positions and velocities

    x + h * (v' + bend' * h * a'),    v + h * a'

where x and v are those at the begin of the step, and v', a' and bend' are velocity, acceleration
and bend of the previous evaluation. The step then moves by the weighted means of all v' and a'.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from murmurate.codegen.candidates.search import PAD, Memory
from murmurate.codegen.candidates.searches import constants_of_searches, sides_of_searches
from murmurate.codegen.layout import Layout
from murmurate.codegen.mesh_data import address_words
from murmurate.codegen.phases import phases_of
from murmurate.codegen.plan import FAR, Plan
from murmurate.engines.bounds import MAX_DISTANCE_FACTOR
from murmurate.engines.individual_numbers import trait_sources
from murmurate.engines.state import past_depth
from murmurate.errors import RunError
from murmurate.model.obstacles import SHAPES, Wall, check_normals
from murmurate.model.quantity import is_scheduled, number_at
from murmurate.model.rng_streams import SENSING, rng_stream_id
from murmurate.model.value import to_plain

if TYPE_CHECKING:
    from murmurate.engines.manifest_types import NumberSources

EVALUATIONS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "euler": ((0.0, 0.0, 1.0),),
    # Second order. It conserves the energy of forces that depend on positions alone. Forces that
    # depend on velocities are evaluated at v + dt a, which keeps the order: Swope, Andersen, Berens
    # and Wilson 1982, doi:10.1063/1.442716.
    "verlet": ((0.0, 0.5, 0.5), (1.0, 0.0, 0.5)),
    # Fourth order: Kutta 1901, Beitrag zur naherungsweisen Integration totaler
    # Differentialgleichungen.
    "rk4": ((0.0, 0.0, 1 / 6), (0.5, 0.0, 1 / 3), (0.5, 0.0, 1 / 3), (1.0, 0.0, 1 / 6)),
}
"""Evaluations of the forces in a step, by integrator."""

ONE_THREAD = Memory()


def array_sizes(layout: Layout, memory: Memory = ONE_THREAD) -> dict[str, int]:
    """Return the sizes of arrays, by the words in their shapes, without "columns"."""
    evaluations = count_evaluations(layout.plan)
    return {
        **sizes_by_count(layout, memory),
        "evaluations": evaluations, "phases": len(phases_of(layout, evaluations)),
    }  # fmt: skip


def sizes_by_count(layout: Layout, memory: Memory = ONE_THREAD) -> dict[str, int]:
    """Return the sizes of arrays that may depend on the numbers of boids, see array_sizes."""
    plan = layout.plan
    boids, dims = sum(plan.counts.values()), plan.model.space.dims
    needs_ids = bool(plan.sensor_flocks or plan.herds)
    return {
        "axes": dims, "2 axes": 2 * dims, "flocks": len(plan.counts),
        "memory rows": plan.memory_rows,
        "boids": boids, "numbers": plan.count_numbers,
        "individual columns": plan.individual_columns,
        "obstacles": len(plan.model.obstacles), "rules": len(plan.model.rules),
        "sensors": len(plan.sensor_flocks), "depth": past_depth(plan.model),
        "messages": plan.message_rows,
        "received": boids + PAD if any(map(plan.loses, plan.sensor_flocks)) else 0,
        "herds": len(plan.herds), "2 + flocks": 2 + len(plan.counts), "worlds": 0,
        "by index": boids if plan.model.changes_numbers else 0,
        "by id": boids if needs_ids or plan.integrates else 0,
        "integrated": boids if plan.integrates else 0,
        **sides_of_searches(layout, memory),
    }  # fmt: skip


def count_evaluations(plan: Plan) -> int:
    """Return the number of evaluations of the forces in a step."""
    return len(EVALUATIONS[plan.model.integrator])


def model_constants(layout: Layout, memory: Memory = ONE_THREAD) -> dict[str, list[float]]:
    """Return arguments that stay the same in a simulation: name -> values, row by row."""
    plan, space = layout.plan, layout.plan.model.space
    return {
        "lower": list(space.lower),
        "upper": list(space.upper),
        "centre": [a + s / 2 for a, s in zip(space.lower, space.size, strict=True)],
        "max_distance": [MAX_DISTANCE_FACTOR * max(space.size)],
        "stages": [plan.stages],
        "sequential": [plan.model.order != "synchronous"],
        "moves_at_end": [plan.model.positions == "at-end"],
        "n_boids": [layout.n_boids],
        "phases": [n for row in phases_of(layout, count_evaluations(plan)) for n in row],
        "probe": [-1],
        "lost": [-1],
        "evaluations": [x for row in EVALUATIONS[plan.model.integrator] for x in row],
        **perception_constants(plan),
        **constants_of_searches(layout, memory),
    }


def perception_constants(plan: Plan) -> dict[str, list[float]]:
    """Return constants of delayed, noisy or lossy sensing, and of herds."""
    dt, flocks = plan.model.dt, list(plan.counts)
    sensing: list[float] = []
    streams: list[float] = []
    ranges: list[float] = []
    herds: list[float] = []
    for name, settings in plan.sensings.items():
        sensing += [*settings.steps(dt), settings.clock_steps(dt)]
        sensing += [plan.first_messages[name], settings.ages]
        chances = settings.keep, settings.bad_share, settings.loss, settings.bad_loss
        sensing += [math.ceil(chance * 2**24) for chance in chances]
        ranges.append(FAR if settings.range is None else settings.range)
        streams += [
            rng_stream_id(name, f"sensing/{flock}/{word}") for flock in flocks for word in SENSING
        ]
    for (sensor_flock, members), slots in plan.herds.items():
        herds += [plan.first_messages[sensor_flock] if sensor_flock else -1, slots.first]
        herds += [flocks.index(name) for name in members] + [-1] * (len(flocks) - len(members))
    return {
        "sensing": sensing, "sensing_streams": streams, "max_ranges": ranges, "herds": herds
    }  # fmt: skip


def count_valid_steps(plan: Plan, step: int, steps: int) -> int:
    """Return the number of steps, up to `steps` and starting with `step`, with valid obstacles.

    raises RunError  the first step has an invalid obstacle: the normal of a wall is zero
    """
    if not plan.scheduled:
        return steps
    walls = {
        name: shape
        for name, shape in plan.model.obstacles.items()
        if isinstance(shape, Wall) and any(map(is_scheduled, shape.normal))
    }
    parts = {*(part for part, _, _ in EVALUATIONS[plan.model.integrator]), 1.0}
    for k in range(steps if walls else 0):
        try:
            for part in sorted(parts):
                check_normals(walls, (step + k + part) * plan.model.dt, step + k + 1)
        except RunError:
            if k == 0:
                raise
            return k
    return steps


def evaluation_times(plan: Plan, step: int, steps: int) -> list[float]:
    """Return the times at which some steps evaluate the forces.

    If no number changes in time, the result has only the first of them.

    raises RunError  the first step has an invalid obstacle, see count_valid_steps
    """
    count_valid_steps(plan, step, steps)
    parts = [part for part, _, _ in EVALUATIONS[plan.model.integrator]]
    if not plan.scheduled:
        return [(step + parts[0]) * plan.model.dt]
    return [(step + k + part) * plan.model.dt for k in range(steps) for part in parts]


def numbers_at_times(
    plan: Plan, times: Sequence[float], meshes: Mapping[str, int] | None = None
) -> dict[str, np.ndarray]:
    """Return the model's numbers at some times: argument -> float64 array, a row for each time.

    meshes  see Plan.obstacle_table
    """
    dt = plan.model.dt
    errors = [
        [number_at(e, time) for name in plan.sensor_flocks for e in plan.errors_of(name)]
        for time in times
    ]
    return {
        "numbers_by_step": np.array([plan.numbers(t) for t in times]),
        "obstacles_by_step": np.array([plan.obstacle_table(t, meshes) for t in times]),
        "next_obstacles_by_step": np.array([plan.obstacle_table(t + dt, meshes) for t in times]),
        "errors_by_step": np.array(errors).reshape(len(times), len(plan.sensor_flocks), 2),
    }


def sources_of_numbers(plan: Plan, meshes: Mapping[str, int]) -> NumberSources:
    """Return where the numbers of a plan come from, as JSON represents it.

    A page evaluates its numbers with it: see murmurate.engines.wasm.module_memory.

    meshes  see Plan.obstacle_table
    """
    return {
        "flocks": list(plan.counts),
        "dims": plan.model.space.dims,
        "parts": [part for part, _, _ in EVALUATIONS[plan.model.integrator]],
        "numbers": [
            {"kind": slot.kind, "path": slot.path, "value": to_plain(slot.value)}
            for slot in plan.slots
        ],
        "tables": [to_plain(table) for table in plan.tables_of(plan.model)],
        "rules": list(plan.model.rules),
        "obstacles": list(plan.model.obstacles),
        "shapes": {kind: shape.row_table() for kind, shape in SHAPES.items()},
        "meshes": {name: address_words(at) for name, at in meshes.items()},
        "errors": [list(map(to_plain, plan.errors_of(name))) for name in plan.sensor_flocks],
        "memory_rows": plan.memory_rows,
        "traits": trait_sources(plan),
    }
