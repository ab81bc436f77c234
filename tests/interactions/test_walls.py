"""Responses to walls, learned together with those to neighbours."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import MeasureError
from murmurate.interactions.arena import Arena
from murmurate.model.number_table import pack_table
from murmurate.rules.learned import TERMS, Learned, LearnedWalls

REACH, RATE, TANK = 3.0, 20.0, 5.0
AT = np.linspace(0.0, REACH, 81)


def wall(distance: np.ndarray) -> np.ndarray:
    """The acceleration across the heading towards a wall beside; half of it along, ahead."""
    return -1.6 * np.exp(-((distance / 1.2) ** 2))


def pull(distance: np.ndarray) -> np.ndarray:
    return 0.5 * np.tanh(2 * (distance - 1)) * np.exp(-distance / 1.5)


def model() -> mm.Model:
    table = np.zeros((len(AT), TERMS))
    table[:, [0, 9]] = pull(AT)[:, None]
    alone = {"speed": 1.0, "drive": (0.9, 0.0, -0.9), "lowest_speed": 0.5, "highest_speed": 1.5}
    rules = {
        "learned": Learned(radius=REACH, table=pack_table(table.ravel()), **alone),
        "walls": LearnedWalls(
            radius=REACH, table=pack_table(np.stack([wall(AT), wall(AT) / 2], axis=1).ravel())
        ),
        "jitter": mm.RandomSteering(weight=0.3),
    }
    start = mm.InBall(radius=2.5, centre=(0, 0), velocity=mm.Directions(speed=1))
    return mm.Model(
        dt=1 / RATE / 4, space=mm.Space(size=(12, 12), origin=(-6, -6)),
        obstacles={"tank": mm.Tank(centre=(0, 0), radius=TANK)},
        flocks={"fish": mm.Flock(count=6, start=start, motion=mm.Add())}, rules=rules,
    )  # fmt: skip


@pytest.mark.slow
def test_known_responses_to_walls_and_neighbours_lie_in_the_bands() -> None:
    worlds = mm.Worlds(model(), 6, seed=3).step(80)
    positions = np.array([worlds.step(4)["fish"].positions.copy() for _ in range(500)])
    positions += 0.01 * np.random.default_rng(1).standard_normal(positions.shape)
    tracks = [mm.Tracks(group, RATE) for group in np.moveaxis(positions, 1, 0)]
    learned = mm.learn_interactions(
        tracks, radius=REACH, form="distance", mean=False, motion="smooth",
        walls=f"circle 0 0 {TANK}",
    )  # fmt: skip
    curves = learned.curves()
    x = curves["walls"].x
    beside, oblique = learned.at_walls(x, 90.0), learned.at_walls(x, 40.0)
    for curve, expected in (
        (beside, wall(x)),
        (oblique, np.sin(np.radians(40)) * wall(x)),
        (curves["towards"], 2 / np.pi * pull(x)),
    ):
        told = curve.is_known
        assert told.mean() > 0.8
        inside = (curve.lower <= expected) & (expected <= curve.upper)
        assert inside[told].mean() > 0.85
        assert np.abs(curve.value - expected)[told].mean() < 0.03 * np.ptp(expected)
    far = x > 1  # where walls are in all directions
    assert np.abs(curves["braking"].value - wall(x) / np.pi)[far].mean() < 0.03
    fish = learned.model()
    assert fish.obstacles["tank"].radius == TANK
    boids = mm.Simulation(fish, seed=1).step(400).frame["boids"]
    assert (np.linalg.norm(boids.positions, axis=1) <= TANK).all()


@pytest.mark.parametrize("bearing", [0.0, 40.0, -120.0])
def test_the_rule_turns_and_brakes(bearing: float) -> None:
    angle = np.radians(bearing)
    heading = np.array([np.cos(angle), -np.sin(angle)])  # the wall is in the direction of x
    alone = model().model_copy(update={"rules": {"walls": model().rules["walls"]}, "dt": 1e-4})
    start = {"fish": (np.array([[TANK - 0.9, 0.0]]), heading[None])}
    alone = alone.set({"flocks.fish.count": 1})
    change = mm.Simulation(alone, engine="reference", start=start).step(1)
    acceleration = (change.frame["fish"].velocities[0] - heading) / alone.dt
    left = np.array([-heading[1], heading[0]])
    strength = wall(np.array(0.9))
    np.testing.assert_allclose(acceleration @ left, strength * np.sin(angle), atol=1e-2)
    np.testing.assert_allclose(acceleration @ heading, strength / 2 * np.cos(angle), atol=1e-2)


def test_the_walls_of_an_arena() -> None:
    box = Arena.of("box 0 0 4 2", mm.Space(size=(4, 2)))
    near = list(box.near(np.array([[1.0, 0.5], [-1.0, 1.0]])))
    assert sorted(distances[0] for distances, _ in near) == [0.5, 1.0, 1.5, 3.0]
    assert min(distances[1] for distances, _ in near) == 0.0
    for distances, towards in near:
        point = np.array([1.0, 0.5]) + distances[0] * towards[0]
        assert np.isclose(point, [0, 0]).any() or np.isclose(point, [4, 2]).any()
    assert box.centre == (2.0, 1.0)
    assert box.room == 1.0
    assert len(box.obstacles(3)) == 4
    with pytest.raises(MeasureError, match="not convex"):
        Arena.of("polygon 0 0 4 0 1 1 0 4", mm.Space(size=(4, 4)))
    with pytest.raises(MeasureError, match="periodic space"):
        Arena.of("circle 0 0 1", mm.Space(size=(4, 4), boundary="periodic"))
