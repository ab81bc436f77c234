"""Fish that burst and coast: the published rule in angles, and what follows from it."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import published_fish as plain
import pytest
from test_models import chance

import flights
import murmurate as mm
from murmurate.model.files import parse

DT, SEED = 0.1, 3
MIDDLE = 30.0
TWO_FISH = f"""
dt = {DT}

[space]
size = [60, 60]

[flocks.boids]
count = 2

[flocks.boids.motion]
kind = "burst-and-coast"
length = {plain.LENGTH}
length_spread = {plain.LENGTH_SPREAD}
duration = {plain.DURATION}
duration_spread = {plain.DURATION_SPREAD}
decay = {plain.DECAY}

[obstacles.tank]
kind = "tank"
centre = [{MIDDLE}, {MIDDLE}]
radius = {plain.TANK}

[rules.noise]
kind = "random-turn"
range = {plain.WALL_RANGE}
calm = {plain.CALM}
weight = {plain.NOISE}

[rules.wall]
kind = "wall-turn"
range = {plain.WALL_RANGE}
weight = {plain.WALL}

[rules.attraction]
kind = "attraction-turn"
distance = {plain.BALANCE}
range = {plain.ATTRACTION_RANGE}
weight = {plain.ATTRACTION}

[rules.alignment]
kind = "alignment-turn"
distance = {plain.NEAR}
range = {plain.ALIGNMENT_RANGE}
weight = {plain.ALIGNMENT}
"""


def swimming(
    places: Any, headings: Any, speed: float = 10.0, engine: str = "reference", **changes: Any
) -> mm.Simulation:
    """The model with fish at places as seen from the tank's middle, and some numbers changed."""
    model = parse(TWO_FISH).set({"flocks.boids.count": len(places), **changes})
    start = np.array(places) + MIDDLE, speed * np.column_stack([np.cos(headings), np.sin(headings)])
    return mm.Simulation(
        model, SEED, start={"boids": start}, engine=engine, dtype="float64", threads=1
    )


def test_two_fish_swim_as_published() -> None:
    """Forty kicks or so of each, near the wall and not, to 1e-9."""
    fish = [plain.Fish(3.0, -17.0, 0.4, 10.0), plain.Fish(-2.0, -12.0, 2.0, 8.0)]
    simulation = swimming([(one.x, one.y) for one in fish], [one.phi for one in fish])
    start = simulation.frame["boids"].velocities
    fish[0].speed = fish[1].speed = 10.0
    kicks = 0
    for k in range(120):
        before = [one.steps for one in fish]
        plain.step(fish, DT, chance(k, "boids/noise"), chance(k))
        kicks += sum(old == 1 for old in before)
        boids = simulation.step().frame["boids"]
        expected = [(one.x + MIDDLE, one.y + MIDDLE) for one in fish]
        np.testing.assert_allclose(boids.positions, expected, rtol=0, atol=1e-9)
        flown = [(one.speed * math.cos(one.phi), one.speed * math.sin(one.phi)) for one in fish]
        np.testing.assert_allclose(boids.velocities, flown, rtol=0, atol=1e-9)
    assert kicks > 60 and np.abs(boids.velocities - start).max() > 1.0
    assert max(math.hypot(one.x, one.y) for one in fish) < plain.TANK


ALIKE = {
    "flocks.boids.motion.length": 7.0,
    "flocks.boids.motion.length_spread": 0.0,
    "flocks.boids.motion.duration": 0.53,
    "flocks.boids.motion.duration_spread": 0.0,
}
ALONE = {"rules.attraction.weight": 0.0, "rules.alignment.weight": 0.0, "rules.noise.weight": 0.0}


@pytest.mark.slow
def test_a_fish_alone_goes_the_length_of_its_kick() -> None:
    """Kicks of 7 cm every 0.53 s, in steps of 0.1 s: of five or six steps, 5.3 of them on average;
    in each the fish goes 7 cm, and its speed falls to exp(-0.1 / 0.8) from step to step."""
    simulation = swimming([(-20.0, 0.0)], [0.0], **ALIKE, **ALONE, **{"obstacles.tank.radius": 1e4})
    speeds = []
    for _ in range(560):
        speeds.append(float(np.linalg.norm(simulation.step().frame["boids"].velocities)))
    kicks = [k for k in range(1, 560) if speeds[k] > speeds[k - 1]]
    ways = [DT * sum(speeds[a:b]) for a, b in itertools.pairwise(kicks)]
    assert len(kicks) > 100
    np.testing.assert_allclose(ways, 7.0, rtol=1e-9)
    steps = np.diff(kicks)
    assert set(steps) == {5, 6}
    assert abs(steps.sum() - 5.3 * len(steps)) <= 1.0
    fades = [b / a for a, b in itertools.pairwise(speeds) if b < a]
    np.testing.assert_allclose(fades, math.exp(-DT / plain.DECAY), rtol=1e-9)


@pytest.mark.parametrize(("gap", "angle"), [(0.5, 1.2), (3.0, -0.7), (6.0, 2.5)])
def test_the_wall_turns_a_fish_away(gap: float, angle: float) -> None:
    """The first kick turns by WALL exp(-(r_w / 6)^2) O_w(theta_w), away from the wall."""
    quick = {"flocks.boids.motion.duration": 0.1, "flocks.boids.motion.length": 0.01}
    place = (plain.TANK - gap) * math.cos(0.3), (plain.TANK - gap) * math.sin(0.3)
    simulation = swimming([place], [0.3 + angle], speed=1e-3, **{**ALIKE, **ALONE, **quick})
    turned = 0.0
    while turned == 0.0:
        u, v = simulation.step().frame["boids"].velocities[0]
        turned = (math.atan2(v, u) - 0.3 - angle + math.pi) % (2 * math.pi) - math.pi
        turned = turned if abs(turned) > 1e-12 else 0.0
        assert simulation.frame.step < 5
    expected = plain.WALL * math.exp(-((gap / 6.0) ** 2)) * plain.wall_odd(angle)
    assert turned == pytest.approx(
        expected, rel=1e-3
    )  # it has coasted a few micrometres until then
    assert turned * angle > 0


def test_a_fish_at_rest_kicks_in_some_direction() -> None:
    simulation = swimming([(0.0, 0.0)] * 40, [0.0] * 40, speed=0.0, **ALIKE, **ALONE)
    velocities = simulation.step(8).frame["boids"].velocities
    assert (np.linalg.norm(velocities, axis=1) > 1.0).all()
    assert np.linalg.norm(velocities.sum(axis=0)) < 0.4 * np.linalg.norm(velocities, axis=1).sum()


@pytest.mark.slow
def test_lengths_and_durations_have_the_means_and_spreads_asked_for() -> None:
    """300 fish that nothing turns: their lengths and durations between kicks, to three standard
    errors."""
    wide = {"flocks.boids.motion.duration": 2.0, "flocks.boids.motion.length_spread": 0.6}
    simulation = swimming(
        np.zeros((300, 2)),
        np.zeros(300),
        engine="cpu",
        **ALONE,
        **wide,
        **{"obstacles.tank.radius": 1e5},
    )
    speeds, left = [], []
    for _ in range(400):
        boids = simulation.step().frame["boids"]
        speeds.append(np.linalg.norm(boids.velocities, axis=1))
        left.append(boids.state("motion.steps"))
    lengths, durations = [], []
    for one, steps in zip(np.array(speeds).T, np.array(left).T, strict=True):
        kicks = np.flatnonzero(np.diff(steps) >= 0) + 1
        lengths += [DT * one[a:b].sum() for a, b in itertools.pairwise(kicks)]
        durations += list(DT * np.diff(kicks))
    for found, mean, spread in (
        (lengths, plain.LENGTH, 0.6),
        (durations, 2.0, plain.DURATION_SPREAD),
    ):
        error = mean * spread / math.sqrt(len(found))
        assert np.mean(found) == pytest.approx(mean, abs=3 * error)
        assert np.std(found) / mean == pytest.approx(spread, rel=0.05)


@pytest.mark.parametrize(
    "make", [flights.reference, pytest.param(flights.cpu, marks=pytest.mark.slow)]
)
def test_no_fish_leaves_the_tank(make: Any) -> None:
    """Where kicks are long and the wall turns nobody, who comes to the wall slides along it."""
    model = parse(TWO_FISH).set({"rules.wall.weight": 0.0, "flocks.boids.motion.length": 40.0})
    start = {"boids": (np.full((2, 2), MIDDLE), np.array([[10.0, 0.0], [0.0, -10.0]]))}
    flight = make(model, start, SEED)
    away = []
    for _ in range(60):
        flight.step(1)
        positions, _, _ = flights.arrays(flight)["boids"]
        away += list(np.linalg.norm(positions - MIDDLE, axis=1))
    assert max(away) < plain.TANK and max(away) > 0.999 * plain.TANK
