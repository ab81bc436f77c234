"""A model replaced in flight: what boids remember stays where it belongs, whatever motions keep."""

from __future__ import annotations

import numpy as np
import pytest

import flights
import murmurate as mm


def model(spins: bool, delay: float) -> mm.Model:
    """Boids that sense late; their motion keeps three numbers, or none."""
    motion = mm.InertialSpin(speed=1.0, inertia=1.0, friction=1.0) if spins else mm.Replace()
    return mm.Model(
        dt=0.1,
        space=mm.Space(size=(20.0, 20.0, 20.0)),
        flocks={
            "boids": mm.Flock(count=6, motion=motion, sensing=mm.Sensing(delay=delay)),
        },
        rules={"together": mm.Alignment(radius=50.0, weight=0.4)},
    )


@pytest.mark.parametrize("delay", [pytest.param(0.3, marks=pytest.mark.slow), 0.2])
@pytest.mark.parametrize("spins", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_past_is_not_taken_for_what_a_motion_keeps(spins: bool, delay: float) -> None:
    engines = [
        make(model(not spins, 0.3), seed=3) for make in (flights.interpreted, flights.reference)
    ]
    for engine in engines:
        engine.step(5)
        before = flights.memory(engine)["boids"]
        engine.replace_model(model(spins, delay))
        after = flights.memory(engine)["boids"]
        old, new = (0, 3) if spins else (3, 0)
        assert not after[:, :new].any()  # a motion that begins to keep numbers knows none
        past = after[:, new:]
        assert past.shape[1] == round(delay / 0.1) * 6
        assert np.array_equal(past, before[:, old : old + past.shape[1]])
        engine.step(3)
    flights.assert_agree(*engines)
