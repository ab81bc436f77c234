"""Schedules by hand: their values and extents, and simulations that follow them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.model.quantity import number_at

RAMP = mm.Ramp(start=2.0, stop=-1.0, begin=1.0, end=4.0)
STEPS = mm.Steps(times=(1.0, 2.5), values=(5.0, 7.0, 6.0))
CYCLE = mm.Cycle(mean=1.0, amplitude=2.0, period=4.0, phase=0.25)
SAMPLED = mm.Sampled(times=(1.0, 2.0, 4.0), values=(3.0, 5.0, -1.0))


@pytest.mark.parametrize(
    ("schedule", "time", "value"),
    [
        (RAMP, -1.0, 2.0),
        (RAMP, 1.0, 2.0),
        (RAMP, 2.0, 1.0),
        (RAMP, 4.0, -1.0),
        (RAMP, 9.0, -1.0),
        (STEPS, 0.0, 5.0),
        (STEPS, 0.999, 5.0),
        (STEPS, 1.0, 7.0),
        (STEPS, 2.5, 6.0),
        (STEPS, 99.0, 6.0),
        (CYCLE, 0.0, 3.0),
        (CYCLE, 1.0, 1.0),
        (CYCLE, 2.0, -1.0),
        (CYCLE, 0.5, 1.0 + math.sqrt(2.0)),
        (SAMPLED, 0.0, 3.0),
        (SAMPLED, 1.5, 4.0),
        (SAMPLED, 2.0, 5.0),
        (SAMPLED, 3.0, 2.0),
        (SAMPLED, 4.0, -1.0),
        (SAMPLED, 5.0, -1.0),
    ],
)
def test_values(schedule: object, time: float, value: float) -> None:
    assert number_at(schedule, time) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("schedule", [RAMP, STEPS, CYCLE, SAMPLED])
def test_extents(schedule: mm.Ramp | mm.Steps | mm.Cycle | mm.Sampled) -> None:
    """Every value is within the extent, and both its ends are reached."""
    values = [schedule.at(time) for time in np.linspace(-1.0, 10.0, 2201)]
    low, high = schedule.extent()
    assert low == pytest.approx(min(values), abs=1e-4)
    assert high == pytest.approx(max(values), abs=1e-4)
    assert low <= min(values)
    assert max(values) <= high


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: mm.Ramp(start=0.0, stop=1.0, begin=2.0, end=2.0), "expected a time after begin"),
        (lambda: mm.Steps(times=(1.0,), values=(1.0,)), "one value more than times"),
        (lambda: mm.Steps(times=(2.0, 1.0), values=(1.0, 2.0, 3.0)), "expected increasing times"),
        (lambda: mm.Sampled(times=(1.0, 2.0), values=(1.0,)), "one value for each time"),
        (lambda: mm.Sampled(times=(), values=()), "one value for each time"),
        (lambda: mm.Cycle(amplitude=1.0, period=0.0), "greater than 0"),
        (lambda: mm.Ramp(start=math.nan, stop=1.0, end=2.0), "finite"),
        (lambda: mm.Cycle(amplitude=math.inf, period=1.0), "finite"),
    ],
)
def test_wrong_schedules_are_refused(make: object, what: str) -> None:
    with pytest.raises(mm.ModelError, match=what):
        make()  # type: ignore[operator]


def test_bounds_hold_for_all_values_of_a_schedule() -> None:
    """A radius that becomes negative at some time is refused."""
    swing = mm.Cycle(mean=1.0, amplitude=2.0, period=5.0)
    with pytest.raises(mm.ModelError, match="got -1; expected a number > 0"):
        mm.Cohesion(radius=swing)
    assert mm.Cohesion(weight=swing).weight == swing


@pytest.mark.parametrize("engine", ["reference", "cpu"])
def test_simulations_follow_schedules(engine: str) -> None:
    """A weight, a vector's number, a limit and a motion's speed limit, read at step * dt."""
    slowing = mm.Sampled(times=(1.0, 2.0, 4.0), values=(3.0, 5.0, 1.0))
    model = mm.Model(
        dt=0.5,
        space=mm.Space(size=(10.0, 10.0)),
        flocks={
            "boids": mm.Flock(count=1, motion=mm.Replace()),
            "slow": mm.Flock(count=1, motion=mm.Replace(max_speed=slowing)),
        },
        rules={
            "wind": mm.Wind(moves="boids", vector=(STEPS, RAMP), weight=CYCLE),
            "storm": mm.Wind(moves="slow", vector=(100.0, 0.0)),
            "cut": mm.Wind(moves="boids", vector=(0.0, 50.0), limit=STEPS),
        },
    )
    flight = (flights.interpreted if engine == "cpu" else flights.reference)(model)
    for step in range(12):
        flight.step(1)
        time = 0.5 * step
        x, y = CYCLE.at(time) * STEPS.at(time), CYCLE.at(time) * RAMP.at(time)
        arrays = flights.arrays(flight)
        np.testing.assert_allclose(
            arrays["boids"][1][0], [x, y + STEPS.at(time)], rtol=0, atol=1e-12
        )
        assert arrays["slow"][1][0, 0] == pytest.approx(slowing.at(time), abs=1e-12)
