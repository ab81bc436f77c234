"""A rule or motion that gives nan or infinity ends the run: rule, boid and step are named."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import MurmurateError
from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3

CASES = 16
PAIR, FINISH, ALONE, TURN = range(4)
NAMES = ("pair", "finish", "alone", "turn")


def undefined(case: float, zero: float) -> float:
    """Return a number that is not finite for a case from 0 on, if `zero` is 0; else 0."""
    if case == 0.0:
        return 1.0 / zero
    if case == 1.0:
        return zero / zero
    if case == 2.0:
        return math.sqrt(zero - 1.0)
    if case == 3.0:
        return math.log(zero)
    if case == 4.0:
        return math.log(zero - 2.0)
    if case == 5.0:
        return math.exp(1e4 + zero)
    if case == 6.0:
        return math.acos(zero + 2.0)
    if case == 7.0:
        return (1e30 + zero) ** 12
    if case == 8.0:
        return 0.0 * (1.0 / zero)
    if case == 9.0:
        return 1.0 / zero - 1.0 / zero
    if case == 10.0:
        return math.pow(zero - 2.0, 0.5)
    if case == 11.0:
        return 1.0 / (zero * zero)
    if case == 12.0:
        return math.tan(-2.0 / zero)
    if case == 13.0:
        return math.asin(zero - 3.0)
    if case == 14.0:
        return math.cosh(1e4 + zero)
    if case == 15.0:
        return 5.0 % zero
    return 0.0


def used(how: float, x: float) -> float:
    """Return an expression with x, which is not finite if x is not."""
    if how == 1.0:
        return 1.0 + x
    if how == 2.0:
        return -0.5 * x
    if how == 3.0:
        return abs(x) * 2.0 - 1.0
    return x


class Undefined(mm.NeighbourRule):
    """Gives a number that is not finite in one of its functions."""

    case: Scalar = quantity(-1.0)
    """Which number, see `undefined`."""
    where: Scalar = quantity(0.0)
    """PAIR, FINISH or ALONE."""
    how: Scalar = quantity(0.0)
    """See `used`."""
    folds: Scalar = quantity(0.0)
    """1: zero is x - x; 0: the speed, of a boid at rest."""

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        zero = other.dx - other.dx if self.folds == 1.0 else me.speed
        case = self.case if self.where == 0.0 else -1.0
        return other.dx, other.dy + used(self.how, undefined(case, zero)), 0.0

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        zero = me.x - me.x if self.folds == 1.0 else me.speed
        case = self.case if self.where == 1.0 else -1.0
        return used(self.how, undefined(case, zero)), 0.1 * sums[0], 0.1 * sums[1]

    def alone(self: Parameters, me: Me) -> Vector3:
        zero = me.y - me.y if self.folds == 1.0 else me.speed
        case = self.case if self.where == 2.0 else -1.0
        return 0.1, used(self.how, undefined(case, zero)), 0.0


class UndefinedTurn(mm.Motion):
    """A motion that gives a number that is not finite."""

    case: Scalar = quantity(-1.0)
    """Which number, see `undefined`."""
    how: Scalar = quantity(0.0)
    """See `used`."""
    folds: Scalar = quantity(0.0)
    """1: zero is x - x; 0: the speed, of a boid at rest."""
    mass: Scalar = quantity(1.0)
    """Mass."""
    formula: ClassVar = "v_i + dt * steering"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float) -> Vector3:
        zero = me.x - me.x if self.folds == 1.0 else me.speed
        return me.u + x * me.dt, me.v + used(self.how, undefined(self.case, zero)), 0.0


def make_model(motion: mm.Motion, dims: int = 2, boids: int = 8, **options: Any) -> mm.Model:
    """Return boids at rest with a rule that gives finite numbers until its case is set."""
    combine = options.pop("combine", "sum")
    limit = {"max_force": 10.0} if combine == "priority" else {}
    still = mm.InBox(velocity=mm.Heading(velocity=(0.0,) * dims))
    return mm.Model(
        space=mm.Space(
            size=(options.pop("size", 12.0),) * dims, boundary=options.pop("boundary", "periodic")
        ),
        flocks={
            "boids": mm.Flock(
                count=boids, motion=motion.model_copy(update=limit), start=still, combine=combine
            )
        },
        rules={
            "bad": Undefined(radius=5.0, weight=0.0),
            "high": mm.Cohesion(radius=2.0, weight=0.0, level=int(combine == "levels")),
        },
        **options,
    )


def changed(model: mm.Model, where: int, case: float, how: float, folds: float) -> mm.Model:
    """Return the model with one number that is not finite."""
    part = "flocks.boids.motion" if where == TURN else "rules.bad"
    numbers = {"case": case, "how": how, "folds": folds}
    numbers |= {} if where == TURN else {"where": float(where), "weight": 0.7}
    return model.set({f"{part}.{name}": value for name, value in numbers.items()})


def fault_of(model: mm.Model, engine: Any, where: int) -> str:
    """Simulate three steps. Return what is wrong with the error, '' if it is as it must be."""
    simulation = mm.Simulation(model, engine=engine, threads=1)
    try:
        simulation.step(3)
    except MurmurateError as error:
        text, before = str(error), simulation.frame["boids"]
        step, state = getattr(error, "step", -1), (before.positions, before.velocities)
        if ("of motion " if where == TURN else "of rule bad ") not in text:
            return f"it names no rule: {text}"
        if f".{NAMES[where]} " not in text or f"boid {error.boid} of flock 'boids'" not in text:
            return f"it names no function or boid: {text}"
        if simulation.step_number != step - 1 or not all(np.isfinite(x).all() for x in state):
            return f"the state is not that before step {step}"
        return ""
    return "no error"


@pytest.mark.usefixtures("interpreted")
def test_a_number_that_is_not_finite_names_rule_boid_and_step() -> None:
    """One kernel has all cases: numbers select them."""
    model = make_model(mm.SelfPropelled(speed=0.0))
    for where, case in itertools.product((PAIR, FINISH, ALONE), (0, 1, 3, 8)):
        folds = float(case < 3)
        wrong = fault_of(changed(model, where, case, 0.0, folds), "cpu", where)
        assert not wrong, (NAMES[where], case, folds, wrong)


STRUCTURES: list[dict[str, Any]] = [
    {"motion": mm.Add()},
    {"motion": mm.ConstantSpeed(), "combine": "levels", "dims": 3},
    {"motion": mm.Polar(), "order": "one-by-one", "boundary": "reflecting"},
    {"motion": mm.Replace(min_speed=0.2, max_speed=1.0), "combine": "priority"},
    {"motion": mm.Add(min_speed=0.5, max_speed=1.0), "order": "shuffled"},
    {"motion": mm.Add(turn_rate=50.0), "integrator": "verlet"},
    {"motion": mm.Add(max_speed=1.0), "integrator": "rk4", "boundary": "held"},
    {"motion": UndefinedTurn()},
    {"motion": UndefinedTurn(), "order": "shuffled", "dims": 3},
    {"motion": UndefinedTurn(), "combine": "levels", "order": "one-by-one"},
]


def search(engine: Any, structures: Iterable[int], variants: int, seed: int) -> list[str]:
    """Return what is wrong with the errors of random variants of some structures."""
    large = {"boids": 400, "size": 60.0} if engine == "slabs" else {}
    options = mm.Slabs(workers=2, address="here") if engine == "slabs" else engine
    draw, wrong = random.Random(seed), []
    for structure in (STRUCTURES[k] for k in structures):
        model = make_model(**structure, **large)
        functions = [PAIR, FINISH, ALONE]
        if isinstance(structure["motion"], UndefinedTurn):
            functions = [TURN]
        for _ in range(variants):
            where, case = draw.choice(functions), draw.randrange(CASES)
            how, folds = draw.randrange(4), draw.randrange(2)
            fault = fault_of(changed(model, where, case, how, folds), options, where)
            if fault:
                wrong.append(f"{structure} {NAMES[where]} case {case} how {how} {folds}: {fault}")
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "structures", "variants"),
    [
        ("reference", range(10), 20),
        ("cpu", (2,), 40),
        pytest.param("cpu", (0, 1, 3, 4, 5, 6, 7, 8, 9), 40, marks=pytest.mark.long),
        ("wasm", (0,), 10),
        pytest.param("wasm", (7,), 10, marks=pytest.mark.long),
        ("gpu", (0, 7), 12),
        pytest.param("gpu", (1, 3, 5, 6), 16, marks=pytest.mark.long),
        ("slabs", (0,), 12),
        pytest.param("slabs", (7,), 12, marks=pytest.mark.long),
    ],
)
def test_random_rules_that_are_not_finite(
    engine: str, structures: Iterable[int], variants: int
) -> None:
    if engine in ("wasm", "gpu"):
        pytest.importorskip({"wasm": "wasmtime", "gpu": "wgpu"}[engine])
    assert not search(engine, structures, variants, seed=1)
