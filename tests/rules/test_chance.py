"""Random numbers: the generator's published answers, and the moments of what the rules draw."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen import kernel_functions
from murmurate.engines import rng
from murmurate.engines.reference import mathematics as reference_math

# Known answers of Philox4x32-10, from the Random123 distribution (kat_vectors).
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]

DT = 0.1
RATE, SIZE = 4.0, 0.7


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_philox_of_the_reference(
    counter: tuple[int, int, int, int], key: tuple[int, int], answer: tuple[int, ...]
) -> None:
    assert reference_math.philox(counter, key) == answer


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_philox_of_the_kernels(
    counter: tuple[int, int, int, int], key: tuple[int, int], answer: tuple[int, ...]
) -> None:
    """The kernels' counter is (boid, step, step's upper half, purpose)."""
    index, low, high, rng_stream = counter
    result = kernel_functions.philox(index, np.uint64(high << 32 | low), rng_stream, *key)
    assert tuple(int(b) for b in result) == answer


Drawn = dict[str, np.ndarray]


@pytest.fixture(
    scope="module",
    params=[
        (flights.interpreted, 250, 20),
        pytest.param((flights.cpu, 3000, 40), marks=pytest.mark.slow),
    ],
    ids=["few", "many"],
)
def drawn(request: pytest.FixtureRequest) -> Drawn:
    """What each flock's rule added to the velocities: (steps, boids, 3)."""
    fly, boids, steps = request.param
    rules = {
        "uniform": mm.RandomSteering(moves="uniform"),
        "normal": mm.RandomSteering(moves="normal", law="gaussian"),
        "kicked": mm.PoissonKicks(moves="kicked", rate=RATE, size=SIZE),
    }
    model = mm.Model(
        dt=DT,
        space=mm.Space(size=(1.0, 1.0, 1.0)),
        flocks={name: mm.Flock(count=boids, motion=mm.Add()) for name in rules},
        rules=rules,
    )
    flight = fly(model, seed=20)
    rows = {name: [np.zeros((boids, 3))] for name in rules}
    for _ in range(steps):
        flight.step(1)
        for name, (_, velocities, _) in flights.arrays(flight).items():
            rows[name].append(velocities)
    return {name: np.diff(np.array(row), axis=0) for name, row in rows.items()}


def assert_mean(sample: np.ndarray, mean: float) -> None:
    """The sample's mean is within four of its standard errors."""
    error = sample.std() / math.sqrt(sample.size)
    assert abs(sample.mean() - mean) < 4.0 * error


@pytest.mark.slow
def test_uniform_mean_and_variance(drawn: Drawn) -> None:
    push = drawn["uniform"] / DT
    assert push.min() >= -1.0 - 1e-9
    assert push.max() < 1.0 + 1e-9
    for power, mean in ((1, 0.0), (2, 1 / 3), (3, 0.0), (4, 1 / 5)):
        for axis in range(3):
            assert_mean(push[:, :, axis] ** power, mean)


def test_normal_mean_and_variance(drawn: Drawn) -> None:
    push = drawn["normal"] / DT
    for power, mean in ((1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0)):
        for axis in range(3):
            assert_mean(push[:, :, axis] ** power, mean)


@pytest.mark.parametrize("name", ["uniform", "normal"])
def test_draws_are_independent(drawn: Drawn, name: str) -> None:
    """No correlation between axes, between boids, between steps, or with another rule's draws."""
    push = drawn[name]
    assert_mean(push[:, :, 0] * push[:, :, 1], 0.0)
    assert_mean(push[:, :, 1] * push[:, :, 2], 0.0)
    assert_mean(push[:, 1:, :] * push[:, :-1, :], 0.0)
    assert_mean(push[1:] * push[:-1], 0.0)
    assert_mean(drawn["uniform"] * drawn["normal"], 0.0)


def test_poisson_events(drawn: Drawn) -> None:
    """A step is free of kicks with probability exp(-rate dt), independently: the number of steps
    with kicks is binomial."""
    kicked = np.abs(drawn["kicked"]).max(axis=2) > 1e-12
    steps = len(kicked)
    events = kicked.sum(axis=0).astype(float)
    p = 1.0 - math.exp(-RATE * DT)
    assert_mean(events, steps * p)
    assert_mean((events - steps * p) ** 2, steps * p * (1.0 - p))


def test_poisson_impulses(drawn: Drawn) -> None:
    """The velocity gained in a time T is a sum of Poisson(rate T) normal kicks: its variance is
    rate T size^2, and its fourth moment 3 size^4 (rate T + (rate T)^2)."""
    gained = drawn["kicked"].sum(axis=0)
    mean = RATE * DT * len(drawn["kicked"])
    for axis in range(3):
        assert_mean(gained[:, axis], 0.0)
        assert_mean(gained[:, axis] ** 2, mean * SIZE**2)
        assert_mean(gained[:, axis] ** 4, 3.0 * SIZE**4 * (mean + mean**2))


@pytest.mark.parametrize(
    ("fly", "count"),
    [pytest.param(flights.cpu, 20_000, marks=pytest.mark.long), (flights.reference, 100)],
)
def test_a_swimmer_that_bursts_and_coasts(fly: Any, count: int) -> None:
    """Forward kicks of J at a rate r, and a speed that falls back to c at a rate k: the heading
    stays, the mean speed is c + r J / k, its variance r dt J^2 / (1 - (1 - k dt)^2)."""
    rate, size, coast, back = 2.0, 1.5, 0.5, 0.8
    start = mm.InBox(velocity=mm.Heading(velocity=(0.3, 0.4, 0.0)))
    model = mm.Model(
        dt=DT,
        space=mm.Space(size=(1.0, 1.0, 1.0)),
        flocks={"fish": mm.Flock(count=count, start=start, motion=mm.Add())},
        rules={
            "bursts": mm.PoissonKicks(rate=rate, size=size, law="forward"),
            "coasting": mm.SpeedRegulation(speed=coast, weight=back),
        },
    )
    flight = fly(model, seed=20)
    flight.step(60)
    velocities = flights.arrays(flight)["fish"][1]
    speeds = np.linalg.norm(velocities, axis=1)
    np.testing.assert_allclose(velocities, speeds[:, None] * [0.6, 0.8, 0.0], atol=1e-12)
    variance = rate * DT * size**2 / (1.0 - (1.0 - back * DT) ** 2)
    assert_mean(speeds, coast + rate * size / back)
    assert_mean((speeds - speeds.mean()) ** 2, variance)


def test_numbers_hang_on_nothing_else() -> None:
    """A flight that begins at step 7 draws what one that came from step 0 draws there; another
    seed draws otherwise."""
    model = mm.Model(
        dt=DT,
        space=mm.Space(size=(1.0, 1.0, 1.0)),
        flocks={"boids": mm.Flock(count=5, motion=mm.Replace())},
        rules={"random": mm.RandomSteering()},
    )
    late, early = flights.reference(model, seed=3, step=7), flights.reference(model, seed=3)
    late.step(1)
    early.step(8)
    other = flights.reference(model, seed=4, step=7)
    other.step(1)
    assert np.array_equal(flights.arrays(late)["boids"][1], flights.arrays(early)["boids"][1])
    assert not np.isclose(flights.arrays(late)["boids"][1], flights.arrays(other)["boids"][1]).any()
    # seeds are 64 bits: the upper half counts
    high = flights.reference(model, seed=3 + (1 << 32), step=7)
    high.step(1)
    assert not np.isclose(flights.arrays(late)["boids"][1], flights.arrays(high)["boids"][1]).any()


def test_shuffled_orders_depend_on_the_step_alone() -> None:
    """However many are drawn at once, and for numbers of steps of more than 32 bits."""
    for first in (0, 2**40):
        together = rng.shuffled_orders(7, first, 50, 5)
        alone = [rng.make_generator(7, "turns", first + k).permutation(50) for k in range(5)]
        assert together.tolist() == [order.tolist() for order in alone]
