"""Numbers of boids: how they are drawn, and that all engines use the same."""

from __future__ import annotations

import copy
import pickle
import zlib
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.individual_numbers import individual_numbers, uniform
from murmurate.engines.reference.mathematics import philox

SEEDS = [0, 7, 2**40 + 7]


def flock(count: int = 40, **changes: Any) -> mm.Model:
    """Return a model in which numbers of every sort differ between boids."""
    model = mm.Model(
        space=mm.Space(size=(20.0, 20.0), boundary="periodic"),
        flocks={
            "boids": mm.Flock(
                count=count,
                motion=mm.ConstantSpeed(
                    speed=mm.Uniform(min=0.5, max=1.5), max_speed=mm.Uniform(min=1.0, max=3.0)
                ),
            )
        },
        rules={
            "cohesion": mm.Cohesion(
                radius=mm.Uniform(min=1, max=4), weight=mm.Normal(mean=0.1, sd=0.05)
            ),
            "separation": mm.Separation(
                radius=2.0,
                weight=mm.Choice(values=(0.1, 0.5)),
                inner_radius=mm.Choice(values=(0.0, 0.1)),
            ),
            "alignment": mm.Alignment(
                radius=5.0,
                nearest=5,
                field_of_view=mm.Uniform(min=60, max=180),
                limit=mm.Lognormal(mean=0.3, sd=0.1),
            ),
            "home": mm.TendToPlace(place=(mm.Uniform(min=0, max=20), 10.0), weight=0.1),
        },
    )
    return model.set(changes)


# --- draws


@pytest.mark.parametrize("seed", SEEDS)
def test_draws_are_those_of_a_plain_loop(seed: int) -> None:
    """Each boid's number is the quantile at Philox of (index, 0, 0, stream)."""
    indices = np.array([0, 1, 5, 77, 123_456, 2**33 + 5])
    stream = zlib.crc32(b"boids/individual/rules.cohesion.weight")
    key = seed & 0xFFFFFFFF, seed >> 32
    expected = []
    for index in indices.tolist():
        a, b, _, _ = philox((index & 0xFFFFFFFF, index >> 32, 0, stream), key)
        expected.append((2**20 * a + b // 2**12 + 0.5) / 2**52)
    assert uniform(indices, seed, stream).tolist() == expected
    numbers = individual_numbers(flock(), seed, "boids", indices)
    assert list(numbers) == list(flock().traits_of("boids"))
    weight = mm.Normal(mean=0.1, sd=0.05)
    assert (numbers["rules.cohesion.weight"] == weight.quantiles(np.array(expected))).all()


def test_draws_have_the_distributions() -> None:
    """Means, spreads and shares of 200,000 boids are within 5 standard errors."""
    count = 200_000
    numbers = individual_numbers(flock(), 3, "boids", np.arange(count))
    for name, value in flock().individuals_of("boids").items():
        error = value.sd_value / np.sqrt(count)
        assert abs(numbers[name].mean() - value.mean_value) < 5 * error, name
        assert numbers[name].std() == pytest.approx(value.sd_value, rel=0.02), name
    share = (numbers["rules.separation.weight"] == 0.1).mean()
    assert abs(share - 0.5) < 5 * 0.5 / np.sqrt(count)
    table = np.corrcoef(list(numbers.values()))
    assert abs(table - np.eye(len(table))).max() < 5 / np.sqrt(count)  # all are independent


def test_numbers_depend_on_seed_flock_and_name_alone() -> None:
    """A boid's number does not depend on the other boids, nor on the other numbers."""
    some = individual_numbers(flock(), 3, "boids", np.arange(40))
    again = individual_numbers(flock(), 3, "boids", np.array([30, 7]))
    fewer = flock(**{"rules.home": None, "rules.cohesion.radius": 3.0})
    for name, values in again.items():
        assert (values == some[name][[30, 7]]).all()
    for name, values in individual_numbers(fewer, 3, "boids", np.arange(40)).items():
        assert (values == some[name]).all()
    other = individual_numbers(flock(), 4, "boids", np.arange(40))
    assert not (other["motion.speed"] == some["motion.speed"]).any()


def test_equal_draw_names_go_together() -> None:
    """Numbers with one draw name have the same rank in every boid."""
    changes = {
        "rules.cohesion.weight": mm.Normal(mean=0.1, sd=0.05, draw="boldness"),
        "flocks.boids.motion.speed": mm.Uniform(min=0.5, max=1.5, draw="boldness"),
    }
    numbers = individual_numbers(flock(**changes), 3, "boids", np.arange(500))
    weight, speed = numbers["rules.cohesion.weight"], numbers["motion.speed"]
    assert (np.argsort(weight) == np.argsort(speed)).all()
    assert not (np.argsort(weight) == np.argsort(numbers["motion.max_speed"])).all()


def test_numbers_of_each_boid_by_index() -> None:
    values = tuple(np.linspace(0.1, 0.9, 40))
    model = flock(**{"rules.cohesion.weight": mm.Each(values=values)})
    numbers = individual_numbers(model, 3, "boids", np.array([3, 39]))
    assert numbers["rules.cohesion.weight"].tolist() == [values[3], values[39]]


def test_too_few_numbers_for_the_arrays_of_a_start() -> None:
    """Arrays of a start may have more boids than the model: there must be a number for each."""
    model = flock(**{"rules.cohesion.weight": np.full(40, 0.1)})
    rows = np.full((50, 2), 5.0)
    with pytest.raises(mm.ModelError, match="got 50 boids; expected 40, as many"):
        mm.Simulation(model, start={"boids": (rows, rows)})
    with pytest.raises(mm.ModelError, match="got 40 values; expected one for each boid"):
        individual_numbers(model, 3, "boids", np.arange(41))


# --- engines


def frames(model: mm.Model, steps: int, **options: Any) -> mm.FlockFrame:
    return mm.Simulation(model, seed=3, **options).step(steps).frame["boids"]


def test_the_frame_has_the_numbers() -> None:
    boids = frames(flock(), 2, engine="reference")
    expected = individual_numbers(flock(), 3, "boids", np.arange(40))
    assert dict(boids.traits).keys() == expected.keys()
    for name, values in expected.items():
        assert (boids.traits[name] == values).all()
    assert (boids.per_boid("rules.cohesion.weight") == expected["rules.cohesion.weight"]).all()


@pytest.mark.slow
def test_engines_agree() -> None:
    ours, slow = frames(flock(), 6, dtype="float64"), frames(flock(), 6, engine="reference")
    assert np.abs(ours.positions - slow.positions).max() < 1e-10
    assert np.abs(ours.velocities - slow.velocities).max() < 1e-10


@pytest.mark.usefixtures("interpreted")
def test_new_numbers_compile_nothing_and_are_drawn_again() -> None:
    """A slider of mean or sd keeps the kernels; the boids have new numbers in the next step."""
    simulation = mm.Simulation(flock(12), seed=3).step(2)
    start, changes = simulation.copy(), {"rules.cohesion.weight.sd": 0.5}
    module = simulation.diagnostics().kernel_module
    assert simulation.is_compatible(flock(12, **changes))
    simulation.set(changes)
    fresh = mm.Simulation.from_frame(flock(12, **changes), start.frame, seed=3)
    new, expected = simulation.step(3).frame["boids"], fresh.step(3).frame["boids"]
    assert simulation.diagnostics().kernel_module == module
    assert (new.positions == expected.positions).all()
    assert not (new.positions == start.step(3).frame["boids"].positions).all()
    assert not simulation.is_compatible(flock(12, **{"rules.cohesion.weight": 0.1}))
    simulation.set({"rules.cohesion.weight": 0.1})
    assert simulation.step(1).frame["boids"].traits.keys() == {*flock(12).traits_of("boids")} - {
        "rules.cohesion.weight"
    }


@pytest.mark.parametrize("engine", [pytest.param("cpu", marks=pytest.mark.long), "reference"])
def test_copies_and_continued_simulations_have_the_same_boids(engine: str) -> None:
    model, options = flock(), {"engine": engine}
    simulation = mm.Simulation(model, seed=3, **options).step(3)
    others = [
        simulation.copy(),
        copy.deepcopy(simulation),
        pickle.loads(pickle.dumps(simulation)),
        mm.Simulation.from_frame(model, simulation.frame, seed=3, **options),
    ]
    expected = simulation.step(3).frame["boids"]
    for other in others:
        boids = other.step(3).frame["boids"]
        assert (boids.positions == expected.positions).all()
        assert all((boids.traits[name] == x).all() for name, x in expected.traits.items())
