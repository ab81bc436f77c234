"""Boids that join and leave follow laws with closed forms. Seeds are fixed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

import flights
import murmurate as mm
from murmurate.engines.individual_numbers import uniforms
from murmurate.engines.initial_state import draw_start, initial_state
from murmurate.engines.population import Population, changed_state
from murmurate.engines.population_change import Numbering, draw_directions
from murmurate.engines.population_search import nearest_pairs
from murmurate.engines.rng import make_generator
from murmurate.engines.state import FlightState


def pond(count: int, dt: float, **population: Any) -> mm.Model:
    """Return a model of boids at rest whose numbers change."""
    grows = any(table["kind"] in ("source", "births") for table in population.values())
    limit = {"max_boids": 1_000_000} if grows else {}
    return mm.Model(
        space={"size": [10.0, 10.0]},
        dt=dt,
        flocks={"fish": {"count": count, **limit}},
        population=population,
    )


def states(model: mm.Model, seed: int, steps: int) -> Iterator[FlightState]:
    """Yield the state after each step, in which no boid moves."""
    start = initial_state(model, seed)
    state = FlightState(0, dict(start.flocks))
    population = Population(model, seed, Numbering.of_state(state))
    for step in range(steps):
        moved = FlightState(step + 1, state.flocks)
        changed = changed_state(model, moved, population, population.draw(step))
        state = moved if changed is None else changed
        yield state


def sizes(model: mm.Model, seed: int, steps: int, flock: str = "fish") -> np.ndarray:
    return np.array([state.size(flock) for state in states(model, seed, steps)])


def assert_within(value: float, mean: float, deviation: float) -> None:
    assert abs(value - mean) < 4 * deviation, (value, mean, deviation)


# --- boids that join


@pytest.mark.parametrize("rate", [0.05, 3.0, 60.0])
def test_arrivals_are_a_poisson_process(rate: float) -> None:
    steps, dt = 600, 0.5
    numbers = np.diff(sizes(pond(0, dt, gate={"kind": "source", "rate": rate}), 1, steps))
    mean = rate * dt
    assert_within(numbers.mean(), mean, np.sqrt(mean / len(numbers)))
    # the index of dispersion of Poisson numbers is chi-squared
    dispersion = ((numbers - numbers.mean()) ** 2).sum() / numbers.mean()
    assert 1e-4 < stats.chi2(len(numbers) - 1).cdf(dispersion) < 1 - 1e-4
    assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 4 / np.sqrt(len(numbers))


def test_gaps_between_arrivals_are_exponential() -> None:
    steps, dt, rate = 8000, 0.1, 1.0
    numbers = np.diff(sizes(pond(0, dt, gate={"kind": "source", "rate": rate}), 2, steps))
    gaps = np.diff(np.flatnonzero(numbers))
    chance = 1 - np.exp(-rate * dt)  # of a step with an arrival: gaps in steps are geometric
    assert_within(gaps.mean(), 1 / chance, np.sqrt((1 - chance) / chance**2 / len(gaps)))
    for limit in (2, 8, 20):
        share, expected = (gaps > limit).mean(), (1 - chance) ** limit
        assert_within(share, expected, np.sqrt(expected * (1 - expected) / len(gaps)))


def test_scheduled_rates_and_times() -> None:
    ramp = {"kind": "ramp", "start": 0.0, "stop": 40.0, "end": 50.0}
    numbers = np.diff(sizes(pond(0, 0.5, gate={"kind": "source", "rate": ramp}), 3, 101))
    early, late = numbers[:50].sum(), numbers[50:].sum()
    assert_within(early, 250, np.sqrt(250))
    assert_within(late, 750, np.sqrt(750))
    timed = {"kind": "source", "times": [0.2, 1.0, 1.01, 5.0], "numbers": [1, 2, 3, 4]}
    assert sizes(pond(3, 0.5, gate=timed), 1, 11).tolist() == [4, 6, 9, 9, 9, 9, 9, 9, 9, 13, 13]


@pytest.mark.parametrize("kind", ["box", "ball", "ring", "off-screen"])
@pytest.mark.parametrize("dims", [2, 3])
def test_starts_of_a_source_have_their_laws(kind: str, dims: int) -> None:
    space, count = mm.Space(size=(8.0,) * dims), 4000
    fields = {"ball": {"radius": 3.0}, "ring": {"radius": 3.0}, "off-screen": {"distance": 2.0}}
    law = {"kind": "directions", "speed": 1.0, "up_to": 2.0}
    table = {"kind": kind, **fields.get(kind, {})} | ({} if kind == "ring" else {"velocity": law})
    start = mm.Flock(count=0, start=table).start
    x, v = draw_start(start, count, space, make_generator(5, "a"), slice(0, count), 0)
    away = x - 4.0
    assert abs(away.mean(axis=0)).max() < 0.3
    radius = np.linalg.norm(away, axis=1)
    if kind == "ball":  # the distribution function of the radius is (r / R)^D
        assert stats.kstest((radius / 3.0) ** dims, "uniform").pvalue > 1e-4
    elif kind == "ring":
        assert radius == pytest.approx(3.0)
    elif kind == "box":
        assert all(stats.kstest(column / 8.0, "uniform").pvalue > 1e-4 for column in x.T)
    else:
        outside = (x < 0) | (x > 8)
        assert outside.any(axis=1).all() and (np.abs(away) <= 6.0).all()
    if kind != "ring":
        speed = np.linalg.norm(v, axis=1)
        assert stats.kstest(speed - 1.0, "uniform").pvalue > 1e-4
        assert abs((v / speed[:, None]).mean(axis=0)).max() < 0.07


def test_a_start_depends_on_the_step_alone() -> None:
    """Not on boids that joined before, nor on boids that were there."""
    velocity = {"kind": "heading", "velocity": [1.0, 0.0], "spread": 0.5}
    table = {"kind": "source", "start": {"kind": "box", "velocity": velocity}}
    late = pond(0, 1.0, more=table | {"times": [3.0], "numbers": [200]})
    both = pond(7, 1.0, more=table | {"times": [1.0, 3.0], "numbers": [5, 200]})
    first, second = (list(states(model, 5, 3))[-1].flocks["fish"] for model in (late, both))
    assert (second.positions[12:] == first.positions).all()
    assert (second.velocities[12:] == first.velocities).all()
    assert_within(first.velocities[:, 0].mean(), 1.0, 0.05)
    assert_within(first.velocities.std(), np.hypot(0.5, 0.5), 0.1)


def test_newborns_start_at_a_distance_from_their_parents() -> None:
    table = {"kind": "births", "rate": 0.2, "distance": 0.25}
    model = pond(50, 1.0, young=table)
    first, second = list(states(model, 1, 2))
    young = first.flocks["fish"].positions[50:]
    gaps = np.linalg.norm(young[:, None] - first.flocks["fish"].positions[None, :50], axis=2)
    assert len(young) > 2 and np.isclose(gaps, 0.25).any(axis=1).all()
    assert (first.flocks["fish"].births[50:] == 1).all()
    assert (second.flocks["fish"].births[len(young) + 50 :] == 2).all()


def test_directions_are_uniform() -> None:
    u = uniforms(3, "a", np.arange(20_000))
    vectors = draw_directions(3, u)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0)
    assert stats.kstest((vectors[:, 2] + 1) / 2, "uniform").pvalue > 1e-4


# --- boids that leave


def test_lifetimes_are_exponential() -> None:
    count, dt, rate = 5000, 0.5, 0.2
    numbers = sizes(pond(count, dt, deaths={"kind": "deaths", "rate": rate}), 1, 40)
    for step in (1, 10, 25, 40):
        share = np.exp(-rate * dt * step)
        assert_within(numbers[step - 1], count * share, np.sqrt(count * share * (1 - share)))


@pytest.mark.parametrize("then", ["stop", "leave"])
def test_times_until_failures_are_exponential(then: str) -> None:
    """Boids that have failed may be drawn again; they are counted once."""
    count, dt, rate, steps = 3000, 0.5, 0.2, 20
    model = pond(count, dt, faults={"kind": "failure", "rate": rate, "then": then})
    state = list(states(model, 1, steps))[-1].flocks["fish"]
    failed = count - len(state.positions) if then == "leave" else state.memory[:, 0].sum()
    share = 1 - np.exp(-rate * dt * steps)
    assert_within(failed, count * share, np.sqrt(count * share * (1 - share)))
    assert then == "leave" or set(np.unique(state.memory)) == {0.0, 1.0}


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize("then", ["stop", "drift"])
def test_boids_that_fail_stop_or_drift(engine: str, then: str) -> None:
    """Wind accelerates those that work; others sense all; counts are those of the state."""
    model = mm.Model(
        space={"size": [90.0, 90.0], "boundary": "periodic"},
        flocks={"boids": {"count": 20, "start": {"kind": "box", "velocity": {"kind": "heading",
                "velocity": [1.0, 0.0], "spread": 0.0}}}},
        rules={"wind": mm.Wind(vector=(0.0, 1.0))},
        population={"faults": mm.Failure(rate=0.1, then=then)},
    )  # fmt: skip
    simulation = mm.Simulation(model, seed=2, engine=engine, dtype="float64")
    since = np.zeros(20)
    for step in range(8):
        before = simulation.frame["boids"]
        failed = before.state("population.faults.failed") > 0
        after = simulation.step(1).frame["boids"]
        since[~failed] = step + 1
        expected = np.stack([np.ones(20), since], axis=1)
        if then == "stop":
            expected[failed] = 0.0
        np.testing.assert_allclose(after.velocities, expected, atol=1e-12)
    number = int(after.state("population.faults.failed").sum())
    assert 0 < number < 20 and simulation.population_counts() == {"faults": {"boids": number}}


def test_a_lifetime_ends_at_its_step() -> None:
    model = pond(
        4, 0.5,
        age={"kind": "lifetime", "duration": 1.6},
        gate={"kind": "source", "times": [1.0], "numbers": [3]},
    )  # fmt: skip
    assert sizes(model, 1, 8).tolist() == [4, 7, 7, 3, 3, 0, 0, 0]


def test_lifetimes_that_differ_have_their_distribution() -> None:
    law = {"kind": "normal", "mean": 10.0, "sd": 2.0, "min": 1.0}
    numbers = sizes(pond(4000, 0.5, age={"kind": "lifetime", "duration": law}), 1, 40)
    for time in (6, 10, 14):
        alive = stats.norm(10, 2).sf(time)
        deviation = np.sqrt(4000 * alive * (1 - alive))
        assert_within(numbers[2 * time - 1], 4000 * alive, deviation)


def test_arrivals_and_deaths_balance() -> None:
    """M/M/infinity: Poisson numbers with mean rate / deaths."""
    dt, rate, deaths = 0.1, 20.0, 1.0
    tables = {
        "gate": {"kind": "source", "rate": rate}, "deaths": {"kind": "deaths", "rate": deaths},
    }  # fmt: skip
    numbers = sizes(pond(20, dt, **tables), 1, 2500)[100:]
    mean = rate * dt / (1 - np.exp(-deaths * dt))  # in steps of dt
    independent = len(numbers) * dt * deaths / 2
    assert_within(numbers.mean(), mean, np.sqrt(mean / independent))
    assert numbers.var() / mean == pytest.approx(1.0, abs=4 * np.sqrt(2 / independent))


@pytest.mark.slow
def test_births_deaths_and_arrivals_are_negative_binomial() -> None:
    """Kendall 1949: mean nu / (mu - lambda), variance nu mu / (mu - lambda)^2."""
    dt, nu, birth, death = 0.04, 6.0, 0.5, 1.0
    tables = {
        "gate": {"kind": "source", "rate": nu},
        "young": {"kind": "births", "rate": birth, "distance": 0.0},
        "deaths": {"kind": "deaths", "rate": death},
    }
    numbers = sizes(pond(12, dt, **tables), 4, 15_000)[500:]
    mean = nu * dt / (1 - np.exp(-death * dt) - birth * dt)
    variance = nu * death / (death - birth) ** 2
    independent = len(numbers) * dt * (death - birth) / 2
    assert_within(numbers.mean(), mean, np.sqrt(variance / independent))
    assert numbers.var() == pytest.approx(variance, abs=4 * variance * np.sqrt(3 / independent))


def test_fixed_lifetimes_keep_arrivals_for_their_time() -> None:
    """Little's law: the mean number is rate times lifetime."""
    tables = {"gate": {"kind": "source", "rate": 5.0}, "age": {"kind": "lifetime", "duration": 4.0}}
    numbers = sizes(pond(0, 0.25, **tables), 1, 1000)[50:]
    independent = len(numbers) * 0.25 / 4.0
    assert_within(numbers.mean(), 20.0, np.sqrt(20.0 / independent))


# --- captures


@pytest.mark.parametrize(
    ("chance", "handling"),
    [(1.0, 3), (0.2, 6), *(pytest.param(x, 0, marks=pytest.mark.slow) for x in (1.0, 0.25))],
)
def test_predators_capture_at_the_rate_of_holling(chance: float, handling: int) -> None:
    """A predator captures 1 / (search + handling) per step: Holling 1959, type II."""
    predators, steps = 15, 80
    model = mm.Model(
        space={"size": [10.0, 10.0]},
        dt=0.5,
        flocks={"fish": {"count": 1300}, "sharks": {"count": predators}},
        population={
            "hunt": {
                "kind": "capture", "predators": "sharks", "prey": "fish", "radius": 20.0,
                "probability": chance, "handling_time": 0.5 * handling,
            },
        },
    )  # fmt: skip
    captured = 1300 - sizes(model, 1, steps)[-1]
    cycle, variance = 1 / chance + handling, (1 - chance) / chance**2
    mean = predators * steps / cycle
    deviation = np.sqrt(predators * steps * variance / cycle**3)
    assert abs(captured - mean) <= 4 * deviation + predators  # and the first, unfinished cycles


def test_two_predators_never_take_the_same_prey() -> None:
    model = mm.Model(
        space={"size": [10.0, 10.0]},
        flocks={
            "fish": {"count": 1, "start": {"kind": "given", "positions": [[5.0, 5.0]]}},
            "sharks": {
                "count": 2, "start": {"kind": "given", "positions": [[5.5, 5.0], [5.1, 5.0]]}
            },
        },
        population={
            "hunt": {
                "kind": "capture", "predators": "sharks", "prey": "fish", "radius": 1.0,
                "handling_time": 5.0,
            },
        },
    )  # fmt: skip
    first = next(iter(states(model, 1, 1)))
    assert first.size("fish") == 0
    # the first predator in the order of ids takes it, though the other one is nearer
    assert first.flocks["sharks"].memory[:, 0].tolist() == [5.0, 0.0]


@pytest.mark.parametrize("boundary", ["open", "periodic", ["periodic", "open"]])
@pytest.mark.parametrize("predators", [1, 8, 60, 600])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_pairs_are_those_of_plain_distances(boundary: Any, predators: int, dtype: Any) -> None:
    space = mm.Space(size=(10.0, 6.0), origin=(-3.0, 1.0), boundary=boundary)
    random = np.random.default_rng(predators)
    positions = np.array([random.uniform(-3, 7, 4000), random.uniform(1, 7, 4000)], dtype)
    ids, radius = random.permutation(4000), 0.4
    hunters, prey = np.arange(predators), np.arange(predators, 4000)
    order = np.argsort(ids[hunters])
    expected = []
    x = positions.astype(float)
    for hunter in hunters[order].tolist():
        gaps = x[:, prey] - x[:, [hunter]]
        for axis in np.flatnonzero(space.periodic):
            gaps[axis] -= space.size[axis] * np.round(gaps[axis] / space.size[axis])
        d2 = gaps[0] ** 2 + gaps[1] ** 2
        near = np.flatnonzero(d2 <= radius**2)
        near = near[np.lexsort((ids[prey[near]], d2[near]))]
        expected += [(hunter, column) for column in prey[near].tolist()]

    def select(columns: np.ndarray) -> np.ndarray:
        chosen: np.ndarray = columns[columns >= predators]
        return chosen

    pairs = nearest_pairs(space, positions, ids, hunters[order], select, radius)
    assert list(zip(*(side.tolist() for side in pairs), strict=True)) == expected


def test_a_model_that_begins_without_boids() -> None:
    model = mm.Model(
        dt=0.5,
        space=mm.Space(size=(20, 20)),
        flocks={"boids": mm.Flock(count=0, start=mm.InBox(), motion=mm.Add())},
        population={
            "morning": mm.BoidSource(flock="boids", times=(1.0,), numbers=(3,)),
            "evening": mm.Deaths(flocks="boids", rate=0.2),
        },
    )
    one, other = flights.reference(model, seed=2), flights.interpreted(model, seed=2)
    counts = []
    for _ in range(20):
        one.step(1)
        other.step(1)
        flights.assert_agree(one, other)
        counts.append(len(flights.arrays(one)["boids"][0]))
    assert counts[0] == 0 and max(counts) == 3 and counts[-1] < 3
