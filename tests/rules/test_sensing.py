"""What boids know of others, late, old and wrong; what wakes a level: two engines, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm

ENGINES = ["reference", pytest.param("cpu", marks=pytest.mark.slow)]
DT = 0.1


def make_engine(engine: str, model: mm.Model, start: Any = None) -> Any:
    return (flights.cpu if engine == "cpu" else flights.reference)(model, start)


def watched(sensing: mm.Sensing | None, eyes: int = 1) -> mm.Model:
    """Eyes whose velocity is the way to where they think the other is, which flies on."""
    return mm.Model(
        dt=DT,
        space=mm.Space(size=(50.0, 50.0)),
        flocks={
            "eyes": mm.Flock(count=eyes, motion=mm.Replace(), sensing=sensing),
            "other": mm.Flock(count=1, motion=mm.Add()),
        },
        rules={"look": mm.Cohesion(moves="eyes", senses="other")},
    )


def thought(engine: Any) -> np.ndarray:
    """Flies a step, and says where each of the eyes thought that the other was."""
    before = flights.arrays(engine)["eyes"][0]
    engine.step(1)
    return before + flights.arrays(engine)["eyes"][1]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("delay", "refresh"), [(0, 1), (3, 1), (2, 4), (0, 3)])
def test_late_and_old(engine: str, delay: int, refresh: int) -> None:
    """The state known at step s is that of the last renewal, `delay` steps before it."""
    sensing = mm.Sensing(delay=delay * DT, refresh=refresh * DT)
    start = {
        "eyes": (np.array([[3.0, 4.0]]), np.zeros((1, 2))),
        "other": (np.array([[10.0, 10.0]]), np.array([[2.0, -1.0]])),
    }
    flight = make_engine(engine, watched(sensing), start)
    for step in range(12):
        sensed = max(0, (step - delay) // refresh * refresh)
        expected = np.array([10.0, 10.0]) + sensed * DT * np.array([2.0, -1.0])
        np.testing.assert_allclose(thought(flight)[0], expected, atol=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_wrong(engine: str) -> None:
    """All that sense a boid perceive the same, errors are as wide as said, and new at each
    renewal."""
    sensing = mm.Sensing(refresh=2 * DT, position_error=0.5)
    start = {
        "eyes": (np.array([[3.0, 4.0], [40.0, 1.0]]), np.zeros((2, 2))),
        "other": (np.array([[10.0, 10.0]]), np.zeros((1, 2))),
    }
    flight = make_engine(engine, watched(sensing, 2), start)
    seen = np.array([thought(flight) for _ in range(400)])
    np.testing.assert_allclose(seen[:, 0], seen[:, 1], atol=1e-12)
    errors = seen[:, 0] - 10.0
    np.testing.assert_allclose(errors[::2], errors[1::2], atol=1e-12)
    assert len(np.unique(errors[:, 0].round(9))) == 200
    assert errors.std() == pytest.approx(0.5, rel=0.1) and abs(errors.mean()) < 0.1


def test_a_delay_changed_in_flight() -> None:
    """A longer one finds the past that there is; a shorter one forgets."""
    start = {
        "eyes": (np.array([[3.0, 4.0]]), np.zeros((1, 2))),
        "other": (np.array([[10.0, 10.0]]), np.array([[1.0, 0.0]])),
    }
    flight = make_engine("reference", watched(mm.Sensing(delay=0.5)), start)
    flight.step(10)
    flight.replace_model(watched(mm.Sensing(delay=0.2)))
    assert thought(flight)[0, 0] == pytest.approx(10.0 + 0.8)
    assert flights.memory(flight)["other"].shape == (1, 2 * 4)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_level_that_is_woken(engine: str) -> None:
    """Wind of a level blows only while what wakes it gives something; the level below it else."""
    boids = mm.Flock(count=2, motion=mm.Replace(), combine="levels")
    model = mm.Model(
        dt=DT,
        space=mm.Space(size=(50.0, 50.0)),
        flocks={"boids": boids, "hawk": mm.Flock(count=1)},
        rules={
            "always": mm.Wind(moves="boids", vector=(0.0, 0.25)),
            "calm": mm.Wind(moves="boids", vector=(1.0, 0.0), level=1),
            "flee": mm.Flee(
                moves="boids", senses="hawk", radius=5.0, law="unit", level=2, wakes=True
            ),
            "alarm": mm.Wind(moves="boids", vector=(0.0, 3.0), level=2),
        },
    )
    start = {
        "boids": (np.array([[10.0, 10.0], [30.0, 10.0]]), np.zeros((2, 2))),
        "hawk": (np.array([[14.0, 10.0]]), np.zeros((1, 2))),
    }
    flight = make_engine(engine, model, start)
    flight.step(1)
    np.testing.assert_allclose(
        flights.arrays(flight)["boids"][1], [[-1.0, 3.25], [1.0, 0.25]], atol=1e-12
    )


def test_sensing_needs_all_to_move_together() -> None:
    with pytest.raises(mm.ModelError, match="order 'synchronous'"):
        watched(mm.Sensing(delay=1.0)).set({"order": "shuffled"})
