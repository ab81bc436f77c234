"""Statistics of flocks whose boids join and leave, against what small flocks do."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.arrays import of_arrays
from murmurate.measures.curve import Curve
from murmurate.verify import verify
from murmurate.verify.population_statistics import (
    Conservation,
    Dispersion,
    Handling,
    Passages,
)
from murmurate.verify.statistics import CurveMean, check_statistic

SPACE = mm.Space(size=(10.0, 10.0), boundary="open")


def boids(ids: list[int], births: list[int], n_ever: int, x: float = 5.0) -> FlockFrame:
    """Boids with ids that are somewhere across x."""
    positions = np.column_stack([np.full(len(ids), x), np.arange(len(ids), dtype=float)])
    flock = of_arrays(positions, np.zeros_like(positions), space=SPACE)
    return dataclasses.replace(
        flock, ids=np.array(ids, np.int64), births=np.array(births, np.int64), n_ever=n_ever
    )


def test_dispersion_is_variance_over_mean() -> None:
    dispersion = Dispersion()
    for step, ever in enumerate((3, 4, 4, 9)):
        dispersion.add(boids([], [], ever), float(step))
    assert dispersion.ratio() == pytest.approx(np.var([1, 0, 5], ddof=1) / 2.0)
    still = Dispersion()
    for step in range(4):
        still.add(boids([], [], 7), float(step))
    assert np.isnan(still.ratio())


def test_passages_by_hand() -> None:
    """Two fish stay for 4 and 2 steps of 0.5; the second leaves downstream."""
    passages = Passages()
    frames = [
        boids([0], [0], 1),
        boids([0], [0], 1),
        boids([0, 1], [0, 2], 2),
        boids([0, 1], [0, 2], 2, x=9.5),
        boids([], [], 2),
    ]
    frames[3] = dataclasses.replace(
        frames[3], positions=np.array([[5.0, 0.0], [9.5, 1.0]], np.float64)
    )
    for step, flock in enumerate(frames):
        passages.add(flock, 0.5 * step, step)
    assert passages.residence() == pytest.approx((4 + 2) / 2 * 0.5)
    assert passages.outflow() == pytest.approx(1 / 2.0)
    mean = (1 / 2 + 1 + 2 + 2 + 0 / 2) / 4  # trapezoidal
    assert passages.little() == pytest.approx(mean / (1 / 2.0 * 1.5))


def test_conservation_notices_what_does_not_add_up() -> None:
    right = [boids([0, 1], [0, 0], 2), boids([1, 2], [0, 1], 3), boids([2], [1], 3)]
    lost = [right[0], boids([0], [0], 3)]  # one joined, and nobody saw it
    again = [right[0], boids([1], [0], 2), boids([0, 1], [0, 0], 3)]  # 0 returns as the new one
    for frames, errors in ((right, 0), (lost, 1), (again, 1)):
        conservation = Conservation()
        for step, flock in enumerate(frames):
            conservation.add(flock, float(step))
        assert conservation.errors() == errors


def test_captures_are_counted_where_a_handling_time_begins() -> None:
    handling = Handling()
    for step, left in enumerate(([0, 3], [5, 2], [4, 1], [3, 0], [2, 5])):
        flock = dataclasses.replace(
            boids([0, 1], [0, 0], 2),
            memory=np.array(left, np.float64)[:, None],
            state_names=("population.capture.handling",),
        )
        handling.add(flock, 0.5 * step)
    assert handling.rate() == pytest.approx(2 / 2.0)
    prey = Handling()
    for step in range(3):
        prey.add(boids([0], [0], 1), float(step))
    assert np.isnan(prey.rate())


def pond(population: dict[str, Any], **expected: Any) -> mm.Model:
    """Fish that swim to the right, and what is expected of them."""
    heading = mm.Heading(velocity=(1.0, 0.0))
    fish = mm.Flock(
        count=60, max_boids=400, motion=mm.ConstantSpeed(speed=1.0),
        start=mm.InBox(velocity=heading),
    )  # fmt: skip
    source = mm.BoidSource(
        flock="fish", rate=6.0, start=mm.InBox(lower=(0, 0), upper=(0, 10), velocity=heading)
    )
    out = mm.Exit(region=mm.ExitFace(axis="x", side="upper"))
    return mm.Model(
        dt=0.5,
        space=SPACE,
        flocks={"fish": fish},
        population={"source": source, "out": out, **population},
        expect=(mm.Expectation(flock="fish", **{"every": 1, **expected}),),
    )


@pytest.mark.parametrize(
    ("engine", "step"), [pytest.param("cpu", 400, marks=pytest.mark.long), ("reference", 70)]
)
def test_a_stream_of_equal_speed(engine: str, step: int) -> None:
    """Each fish needs 10 for the 10 of the reach; seen ages are 0 to 9.5."""
    expected = {
        "arrival_rate": (6.0, 0.4), "departure_rate": (6.0, 0.4), "mortality": (1 / 10.25, 0.01),
        "residence_time": (10.0, 1e-9), "mean_age": (4.75, 0.2), "outflow_rate": (6.0, 0.4),
        "little_ratio": (1.0, 0.04), "arrival_dispersion": (1.0, 0.08),
        "unaccounted_boids": (0.0, 0.0),
    }  # fmt: skip
    changes = {}
    if engine == "reference":  # few fish, for what is exact
        expected = {name: expected[name] for name in ("residence_time", "unaccounted_boids")}
        changes = {"flocks.fish.count": 10, "population.source.rate": 1.0}
    models = [
        pond({}, measure=name, since=40, step=step, value=value, tolerance=tolerance)
        for name, (value, tolerance) in expected.items()
    ]
    expect = tuple(model.expect[0] for model in models)  # with equal settings: they share runs
    model = models[0].set(changes).model_copy(update={"expect": expect})
    results = verify(model, engine=engine, max_seeds=8)
    for result, (value, tolerance) in zip(results, expected.values(), strict=True):
        assert not result.differs and abs(result.value - value) <= tolerance, result


def test_statistics_of_populations_may_be_expected() -> None:
    for name in ("mean_age", "capture_rate", "little_ratio"):
        check_statistic(name)
    with pytest.raises(mm.ModelError, match="is taken over many frames"):
        check_statistic("survival")


def test_curves_of_different_lengths_have_no_mean() -> None:
    """Bins of some curves follow the number of boids."""

    def by_number(flock: FlockFrame) -> Curve:
        x = np.arange(len(flock), dtype=np.float64)
        return Curve(x, x, np.ones_like(x), None, None)

    mean = CurveMean(by_number)
    mean.add(boids([0, 1], [0, 0], 2), 0.0)
    mean.add(boids([], [], 2), 1.0)  # no curve
    mean.add(boids([1, 2], [0, 0], 3), 2.0)
    assert mean.mean().tolist() == [0.0, 1.0]
    with pytest.raises(MeasureError, match="got curves of 2 and 3 bins"):
        mean.add(boids([0, 1, 2], [0, 0, 0], 3), 3.0)
