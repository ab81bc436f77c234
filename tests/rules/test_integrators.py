"""Integrators that evaluate forces more than once a step err as they should: against closed forms,
the error falls with the step's second (Verlet) and fourth (Runge-Kutta) power, on both engines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm

ORDERS = {"euler": 1, "verlet": 2, "rk4": 4}
ENGINES = ["reference", pytest.param("cpu", marks=pytest.mark.slow)]


def simulate(
    engine: str, model: mm.Model, start: Any, until: float
) -> tuple[np.ndarray, np.ndarray]:
    simulation = (flights.cpu if engine == "cpu" else flights.reference)(model, start)
    simulation.step(round(until / model.dt))
    positions, velocities, _ = flights.arrays(simulation)["boids"]
    return positions, velocities


def two(method: str, dt: float, rules: dict[str, Any], mass: float = 1.0) -> mm.Model:
    return mm.Model(
        dt=dt,
        integrator=method,  # type: ignore[arg-type]
        space=mm.Space(size=(10.0, 10.0)),
        flocks={"boids": mm.Flock(count=2, motion=mm.Add(mass=mass))},
        rules=rules,
    )


def forces(**forces: Any) -> dict[str, Any]:
    """These rules, and the others with no force: kernels that serve all three problems."""
    none = {
        "spring": mm.Interaction(distance=1.0, weight=0.0),
        "drive": mm.SelfPropulsion(propulsion=1.0, friction=1.0, weight=0.0),
        "push": mm.Wind(vector=(0.0, 0.0)),
    }
    return {**none, **forces}


def order(errors: list[float]) -> float:
    """The power of the step with which the error falls, from two steps, one half the other."""
    return math.log2(errors[0] / errors[1])


def spring_error(engine: str, method: str, dt: float) -> float:
    """Two boids of mass 2 and a spring of rest length 3 and strength 0.5 between them, let go 4
    apart: their distance is 3 + cos(w t), w^2 = 2 k / m."""
    spring = mm.Interaction(distance=3.0, weight=0.5)
    start = {"boids": (np.array([[3.0, 5.0], [7.0, 5.0]]), np.zeros((2, 2)))}
    positions, velocities = simulate(
        engine, two(method, dt, forces(spring=spring), 2.0), start, 4.0
    )
    w = math.sqrt(0.5)
    # the spring's push is (x_j - x_i) (1 - 3 / r), which has the length r - 3
    apart, closing = 3.0 + math.cos(4.0 * w), -w * math.sin(4.0 * w)
    return abs(positions[1, 0] - positions[0, 0] - apart) + abs(
        velocities[1, 0] - velocities[0, 0] - closing
    )


def drive_error(engine: str, method: str, dt: float) -> float:
    """A drive and a drag: v^2 = a / (b + (a / v0^2 - b) exp(-2 a t)). The force hangs on the
    velocity, which not every Verlet step gets right to second order."""
    drive = mm.SelfPropulsion(propulsion=1.2, friction=0.4)
    start = {"boids": (np.zeros((2, 2)), np.array([[0.5, 0.0], [0.0, 2.2]]))}
    _, velocities = simulate(engine, two(method, dt, forces(drive=drive)), start, 1.0)
    exact = [math.sqrt(1.2 / (0.4 + (1.2 / v**2 - 0.4) * math.exp(-2.4))) for v in (0.5, 2.2)]
    return float(np.abs(np.linalg.norm(velocities, axis=1) - exact).sum())


def pushed_error(engine: str, method: str, dt: float) -> float:
    """A force that grows with time: x = t^3 / 6, which the second half of a step must see later."""
    push = mm.Wind(vector=(mm.Cycle(amplitude=1.0, period=2.0 * math.pi), 0.0))
    start = {"boids": (np.zeros((2, 2)), np.zeros((2, 2)))}
    positions, velocities = simulate(engine, two(method, dt, forces(push=push)), start, 2.0)
    return float(
        abs(positions[0, 0] - (2.0 - math.sin(2.0))) + abs(velocities[0, 0] - (1 - math.cos(2.0)))
    )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("method", ORDERS)
@pytest.mark.parametrize("error", [spring_error, drive_error, pushed_error])
def test_orders(error: Any, method: str, engine: str) -> None:
    errors = [error(engine, method, dt) for dt in (0.05, 0.025)]
    assert order(errors) == pytest.approx(ORDERS[method], abs=0.2), errors


@pytest.mark.slow
def test_verlet_keeps_the_energy() -> None:
    """Two boids bound by a Morse potential, for a hundred of their swings: the energy that they
    lose or gain does not add up, as it does with Euler's steps that are not symplectic."""
    morse = mm.Morse(repulsion=2.0, repulsion_range=0.5, attraction=1.0, attraction_range=1.5)

    def energy(positions: np.ndarray, velocities: np.ndarray) -> float:
        r = float(np.linalg.norm(positions[1] - positions[0]))
        return float(2.0 * math.exp(-r / 0.5) - math.exp(-r / 1.5) + 0.5 * (velocities**2).sum())

    start = {"boids": (np.array([[4.0, 5.0], [5.6, 5.0]]), np.array([[0.0, 0.2], [0.0, -0.2]]))}
    simulation = flights.reference(two("verlet", 0.05, {"morse": morse}), start)
    first, worst = energy(*start["boids"]), []
    for _ in range(10):
        simulation.step(200)
        positions, velocities, _ = flights.arrays(simulation)["boids"]
        worst.append(abs(energy(positions, velocities) - first))
    assert max(worst) < 2e-3 and max(worst[5:]) < 2.0 * max(worst[:5])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"order": "shuffled"}, "order 'synchronous'"),
        ({"rules.push.stage": 2, "rules.more": {"kind": "wind", "vector": [1, 0]}}, "one stage"),
        ({"flocks.boids.motion": {"kind": "replace"}}, "motion 'add'"),
        ({"flocks.boids.motion.advance": "old"}, "advance 'new'"),
    ],
)
def test_what_cannot_be_integrated(changes: dict[str, Any], words: str) -> None:
    model = two("rk4", 0.1, {"push": mm.Wind(vector=(1.0, 0.0))})
    with pytest.raises(mm.ModelError, match=words):
        model.set(changes)
