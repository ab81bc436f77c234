"""Arguments of kernels that follow from a model: sizes of arrays, constants, and its numbers at
each evaluation of the forces.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from murmurate.codegen.candidates.search import Memory
from murmurate.codegen.candidates.searches import constants_of_searches, sides_of_searches
from murmurate.codegen.layout import Layout
from murmurate.codegen.phases import phases_of
from murmurate.codegen.plan import Plan, purpose
from murmurate.engines.bounds import AWAY
from murmurate.engines.cpu.state_arrays import depth_of
from murmurate.errors import RunError
from murmurate.model.obstacles import Wall, check_normals
from murmurate.model.quantity import is_scheduled, number_at

EVALUATIONS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "euler": ((0.0, 0.0, 1.0),),
    # Second order, and it keeps the energy of forces that depend on positions alone. Forces that
    # depend on velocities are evaluated at v + dt a, which keeps the order: Swope, Andersen, Berens
    # and Wilson 1982, doi:10.1063/1.442716.
    "verlet": ((0.0, 0.5, 0.5), (1.0, 0.0, 0.5)),
    # Fourth order: Kutta 1901, Beitrag zur naherungsweisen Integration totaler
    # Differentialgleichungen.
    "rk4": ((0.0, 0.0, 1 / 6), (0.5, 0.0, 1 / 3), (0.5, 0.0, 1 / 3), (1.0, 0.0, 1 / 6)),
}


ONE_THREAD = Memory()


def sides_of(layout: Layout, memory: Memory = ONE_THREAD) -> dict[str, int]:
    """The sides of arrays, by the words of their shapes, but for those of columns."""
    plan = layout.plan
    boids, dims = sum(plan.counts.values()), plan.model.space.dims
    looks_back = bool(plan.lookers or plan.herds)
    return {
        "axes": dims, "2 axes": 2 * dims, "flocks": len(plan.counts), "kept": plan.kept,
        "boids": boids, "slots": len(plan.slots), "obstacles": len(plan.model.obstacles),
        "rules": len(plan.model.rules),
        "lookers": len(plan.lookers), "depth": depth_of(plan),
        "herds": len(plan.herds), "2 + flocks": 2 + len(plan.counts),
        "by id": boids if looks_back or plan.integrates else 0,
        "integrated": boids if plan.integrates else 0,
        "evaluations": evaluations_of(plan), "phases": len(phases_of(layout, evaluations_of(plan))),
        **sides_of_searches(layout, memory),
    }  # fmt: skip


def evaluations_of(plan: Plan) -> int:
    """How many times forces are evaluated in a step."""
    return len(EVALUATIONS[plan.model.integrator])


def constants_of(layout: Layout, memory: Memory = ONE_THREAD) -> dict[str, list[float]]:
    """What holds throughout a flight: argument -> its numbers, row after row."""
    plan, space = layout.plan, layout.plan.model.space
    return {
        "lower": list(space.lower),
        "upper": list(space.upper),
        "centre": [a + s / 2 for a, s in zip(space.lower, space.size, strict=True)],
        "max_distance": [AWAY * max(space.size)],
        "stages": [plan.stages],
        "sequential": [plan.model.order != "synchronous"],
        "moves_at_end": [plan.model.positions == "at-end"],
        "n_boids": [layout.boids],
        "phases": [n for row in phases_of(layout, evaluations_of(plan)) for n in row],
        "probe": [-1],
        "lost": [-1],
        "evaluations": [x for one in EVALUATIONS[plan.model.integrator] for x in one],
        **_perception(plan),
        **constants_of_searches(layout, memory),
    }


def _perception(plan: Plan) -> dict[str, list[float]]:
    model, flocks = plan.model, list(plan.counts)
    sensing: list[float] = []
    purposes: list[float] = []
    herds: list[float] = []
    for name in plan.lookers:
        how = model.flocks[name].sensing
        assert how is not None
        sensing += how.steps(model.dt)
        purposes += [
            purpose(name, f"sensing/{seen}/{word}")
            for seen in flocks
            for word in ("place", "velocity")
        ]
    for (looker, of), slot in plan.herds.items():
        herds += [plan.lookers.index(looker) if looker else -1, slot]
        herds += [flocks.index(name) for name in of] + [-1] * (len(flocks) - len(of))
    return {"sensing": sensing, "error_streams": purposes, "herds": herds}


def sound_steps(plan: Plan, step: int, steps: int) -> int:
    """Return how many of some steps, from `step` on, have obstacles that are sound.

    Raises
    ------
    RunError
        The first of them has none: the normal of a wall is zero.
    """
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


def times_of(plan: Plan, step: int, steps: int) -> list[float]:
    """When the forces of so many steps are evaluated; where no number changes in time, the first of
    these moments stands for all. Raises RunError as sound_steps does."""
    sound_steps(plan, step, steps)
    parts = [part for part, _, _ in EVALUATIONS[plan.model.integrator]]
    asked = range(steps) if changes(plan) else range(1)
    times = [(step + k + part) * plan.model.dt for k in asked for part in parts]
    return times if changes(plan) else times[:1]


def rows_of(plan: Plan, times: Sequence[float]) -> dict[str, np.ndarray]:
    """The model's numbers at some times: argument -> its rows, float64."""
    dt = plan.model.dt
    errors = [
        [number_at(e, time) for name in plan.lookers for e in _errors(plan, name)] for time in times
    ]
    return {
        "numbers_by_step": np.array([plan.numbers(t) for t in times]),
        "obstacles_by_step": np.array([plan.obstacle_table(t) for t in times]),
        "next_obstacles_by_step": np.array([plan.obstacle_table(t + dt) for t in times]),
        "errors_by_step": np.array(errors).reshape(len(times), len(plan.lookers), 2),
    }


def changes(plan: Plan) -> bool:
    """Whether numbers differ from step to step."""
    errors = [e for name in plan.lookers for e in _errors(plan, name)]
    return plan.scheduled or any(map(is_scheduled, errors))


def _errors(plan: Plan, name: str) -> tuple[object, object]:
    sensing = plan.model.flocks[name].sensing
    assert sensing is not None
    return sensing.position_error, sensing.velocity_error
