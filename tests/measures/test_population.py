"""Population: counts, rates, ages and survival, against closed forms and published numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import murmurate.measures as measures
from murmurate.frame import Frame
from murmurate.measures import of_arrays
from murmurate.model.space import Space

SPACE = Space(size=(10.0, 10.0))


def frames_of(births, deaths, last: int, dt: float = 1.0, every: int = 1, first: int = 0):
    """Return frames of boids that are there from their birth until the step before their death.

    births, deaths : (N,) steps; a boid born after step 0 must follow those born before it.
    """
    births, deaths = np.asarray(births), np.asarray(deaths)
    assert (np.diff(births) >= 0).all()
    frames = []
    for step in range(first, last + 1, every):
        rows = np.flatnonzero((births <= step) & (deaths > step))
        x = np.random.default_rng(step).uniform(0, 10, (len(rows), 2))
        flock = of_arrays(x, np.ones_like(x), SPACE, ids=rows)
        flock = replace(flock, births=births[rows], n_ever=int((births <= step).sum()))
        frames.append(Frame(step, step * dt, SPACE, {"boids": flock}))
    return frames


def test_counts_of_a_small_population():
    frames = frames_of([0, 0, 0, 2, 3, 3], [1, 9, 4, 9, 4, 9], last=5, dt=0.5)
    assert [len(frame["boids"]) for frame in frames] == [3, 2, 3, 5, 3, 3]
    joined, left = measures.arrival_rate(frames), measures.departure_rate(frames)
    assert joined.value == 3 / 2.5
    assert left.value == 3 / 2.5
    assert joined.error == pytest.approx(math.sqrt(3) / 2.5)
    assert joined.interval() == pytest.approx((0.6187 / 2.5, 8.7673 / 2.5), rel=1e-4)  # Garwood
    exposure = (2.5 + 2.5 + 4 + 4 + 3) * 0.5
    assert measures.mortality(frames).value == pytest.approx(3 / exposure)
    ages = [0, 1, (2 + 2 + 0) / 3, (3 + 3 + 1 + 0 + 0) / 5, (4 + 2 + 1) / 3, (5 + 3 + 2) / 3]
    assert measures.mean_age(frames).value == pytest.approx(np.mean(ages) * 0.5)
    assert [measures.boid_count(frame["boids"]) for frame in frames] == [3, 2, 3, 5, 3, 3]


def test_boids_between_frames_count():
    """Three boids that join and leave between two frames are in n_ever only."""
    frames = frames_of([0, 1, 1, 2], [9, 3, 3, 3], last=8, every=4)
    assert [len(frame["boids"]) for frame in frames] == [1, 1, 1]
    assert measures.arrival_rate(frames).value == 3 / 8
    assert measures.departure_rate(frames).value == 3 / 8


def test_frames_without_numbers_of_their_own():
    """Frames from arrays: a boid joins when it is first seen, and leaves when it is last seen."""
    ids = [[0, 1], [1, 5], [], [1, 7, 8]]
    flocks = [of_arrays(np.ones((len(some), 2)), space=SPACE, ids=np.array(some, int))
              for some in ids]  # fmt: skip
    assert measures.arrival_rate(flocks).value == 3 / 3
    assert measures.departure_rate(flocks).value == 2 / 3
    curve = measures.survival(flocks)
    # 0 left at age 1; 5 joined at step 1 and left at age 1; 1 is still there at age 3.
    np.testing.assert_allclose(curve.x, [0, 1, 3])
    np.testing.assert_allclose(curve.y, [1, 1 / 3, 1 / 3])


# Freireich et al. 1963, the remission times of 21 patients, a standard example of survival curves
# (Kaplan-Meier estimates and Greenwood errors as in textbooks).
DEATHS = [6, 6, 6, 7, 10, 13, 16, 22, 23]
CENSORED = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]


def remission(last: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return births and deaths: censored boids are as old as their time in the last frame."""
    random = np.random.default_rng(1)
    births = [last - age for age in CENSORED]
    deaths = [last + 1] * len(CENSORED)
    for age in DEATHS:
        births.append(int(random.integers(0, last - age)))
        deaths.append(births[-1] + age)
    order = np.argsort(births, kind="stable")
    return np.array(births)[order], np.array(deaths)[order]


def test_published_survival_curve():
    curve = measures.survival(frames_of(*remission(), last=60, dt=0.25))
    np.testing.assert_allclose(curve.x, np.array([0, 6, 7, 10, 13, 16, 22, 23, 35]) * 0.25)
    np.testing.assert_allclose(
        curve.y, [1, 0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448, 0.448], atol=5e-4
    )
    np.testing.assert_allclose(
        curve.error, [0, 0.0764, 0.0869, 0.0963, 0.1068, 0.1141, 0.1282, 0.1346, 0.1346], atol=5e-5
    )
    assert curve.count.tolist() == [21, 21, 17, 15, 12, 11, 7, 6, 1]


def test_survival_does_not_depend_on_frames_in_between():
    """With frames far apart a departure is set to the middle of the steps it may be at."""
    births, deaths = [0, 0, 0, 0], [3, 5, 8, 20]
    curve = measures.survival(frames_of(births, deaths, last=12, every=4))
    np.testing.assert_allclose(curve.x, [0, 2.5, 6.5, 12])
    np.testing.assert_allclose(curve.y, [1, 0.75, 0.25, 0.25])
    dense = measures.survival(frames_of(births, deaths, last=12))
    np.testing.assert_allclose(dense.x, [0, 3, 5, 8, 12])


def test_survival_of_boids_that_are_old_in_the_first_frame():
    """They are at risk from their age then on: product-limit with left truncation, by hand."""
    births, deaths = [0, 2, 5], [8, 30, 9]
    curve = measures.survival(frames_of(births, deaths, last=12, first=6))
    # ages: boid 0 from 6 to 8 (leaves), boid 1 from 4 to 10 (is there), boid 2 from 1 to 4 (leaves)
    np.testing.assert_allclose(curve.x, [0, 4, 8, 10])
    np.testing.assert_allclose(curve.y, [1, 0, 0, 0])  # boid 2 is alone at risk at age 4
    assert curve.count.tolist() == [1, 1, 2, 1]


def immigration_and_death(arrivals: float, hazard: float, steps: int, seed: int):
    """Return births and deaths: Poisson arrivals and geometric lifetimes, per step."""
    random = np.random.default_rng(seed)
    births = np.repeat(np.arange(steps + 1), random.poisson(arrivals, steps + 1))
    return births, births + random.geometric(1 - math.exp(-hazard), len(births))


@pytest.mark.slow
def test_immigration_and_death():
    """Rates, mean number, mean age and survival in a steady state."""
    births, deaths = immigration_and_death(2.0, 0.05, 1200, seed=3)
    frames = frames_of(births, deaths, last=1200, dt=0.5, first=200)
    joined, left = measures.arrival_rate(frames), measures.departure_rate(frames)
    assert joined.agrees(4.0)
    assert left.agrees(4.0)
    counts = [len(frame["boids"]) for frame in frames]
    assert counts[0] + round((joined.value - left.value) * 500) == counts[-1]
    assert measures.mortality(frames).agrees(0.1)
    result = measures.measure_frames(frames, ["boid_count", "mean_age"])
    assert result["boid_count"].value.agrees(2.0 / (1 - math.exp(-0.05)))
    assert result["mean_age"].value.agrees(0.5 / (math.exp(0.05) - 1))
    curve = measures.survival(frames)
    for age in (5.0, 10.0, 20.0):
        point = int(np.searchsorted(curve.x, age + 1e-9)) - 1
        assert abs(curve.y[point] - math.exp(-0.1 * age)) < 4 * curve.error[point]


def test_one_frame_has_no_rates():
    frames = frames_of([0, 0], [5, 5], last=0)
    assert math.isnan(measures.arrival_rate(frames).value)
    assert math.isnan(measures.mortality(frames).value)
    assert measures.survival(frames).y.tolist() == [1.0]


def test_time_of_a_step_from_one_frame():
    (frame,) = frames_of([0, 10], [90, 90], last=20, first=20, dt=0.1)
    assert measures.mean_age([frame]).value == pytest.approx(1.5)


def test_a_boid_that_never_is_there_changes_nothing():
    births, deaths = remission()
    frames = frames_of(births, deaths, last=60)
    # boid 21 is born and dies between two frames that are not recorded
    more = frames_of([*births, 59], [*deaths, 60], last=60, every=2)
    assert list(measures.path_length(frames[::2])) == list(measures.path_length(more))
    np.testing.assert_array_equal(measures.survival(frames[::2]).y, measures.survival(more).y)
    assert measures.arrival_rate(more).value > measures.arrival_rate(frames[::2]).value


def test_measured_table_shows_that_boids_change():
    import murmurate as mm

    table = mm.measure(frames_of([0, 0, 0, 2], [1, 9, 9, 9], last=4), ["boid_count"])
    assert "2 to 3 boids" in table.title
    assert table.to_dict()["min_boids"] == 2
    text = repr(mm.measure(frames_of([0, 0, 0, 2], [1, 9, 9, 9], last=4)))
    assert "of individuals that come and go (" in text
    steady = mm.measure(frames_of([0, 0, 0], [9, 9, 9], last=4))
    assert "come and go" not in repr(steady)
    assert steady.title.startswith("frames: 3 boids")


@pytest.mark.parametrize("dtype", ["float32", pytest.param("float64", marks=pytest.mark.slow)])
def test_a_model_with_arrivals_and_deaths(dtype):
    """The rates of the model come out, and frames conserve boids."""
    import murmurate as mm

    model = mm.Model(
        name="stream", space=Space(size=(20.0, 20.0)), dt=0.1,
        flocks={"fish": mm.Flock(count=20, max_boids=200, motion=mm.ConstantSpeed(speed=1.0))},
        population={
            "enter": mm.BoidSource(flock="fish", rate=10.0),
            "die": mm.Deaths(flocks=("fish",), rate=0.5),
        },
    )  # fmt: skip
    frames = list(mm.frames(mm.Simulation(model, seed=4, dtype=dtype, engine="reference"), 400, 1))
    joined, left = measures.arrival_rate(frames), measures.departure_rate(frames)
    assert joined.agrees(10.0)
    assert measures.mortality(frames).agrees(0.5)
    counts = [len(frame["fish"]) for frame in frames]
    assert round((joined.value - left.value) * 0.1 * (len(frames) - 1)) == counts[-1] - counts[0]
    curve = measures.survival(frames)
    for age in (1.0, 2.0, 4.0):
        point = int(np.searchsorted(curve.x, age + 1e-9)) - 1
        assert abs(curve.y[point] - math.exp(-0.5 * age)) < 4 * curve.error[point]
    lived = mm.measure(frames, ["boid_count", "mean_age"])
    assert lived["mean_age"].value < 2.5
    alive = [frame["fish"] for frame in frames]
    assert all((np.diff(flock.ids) > 0).all() and flock.n_ever >= len(flock) for flock in alive)


def test_a_survival_curve_is_represented_by_its_median():
    import murmurate as mm

    (row,) = mm.measure(frames_of(*remission(), last=60), ["survival"]).rows
    assert (row.part, row.at) == ("at the median age", 23)
    assert row.value == pytest.approx(0.448, abs=1e-3)
    (row,) = mm.measure(frames_of([0, 0, 0], [9, 2, 9], last=4), ["survival"]).rows
    assert (row.part, row.at, row.value) == ("at the largest age", 4, pytest.approx(2 / 3))
