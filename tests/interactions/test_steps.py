"""Interactions of animals that choose a heading in every frame, and what a model's truth is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import MeasureError
from murmurate.interactions import LearnedInteractions, probe_response
from murmurate.interactions.basis import SECTORS, Basis
from murmurate.interactions.followed import Group
from murmurate.interactions.steps import Stepping
from murmurate.model.number_table import pack_table
from murmurate.rules.learned import TERMS, Learned
from regressions import regression

SPEED, NOISE, ERROR = 0.1, 0.6, 0.01
SPACE = mm.Space(size=(5.0, 5.0), boundary="periodic")


def weight(distance: np.ndarray) -> np.ndarray:
    """That of a neighbour's heading; the own has 1."""
    return 1.5 * (1 - distance)


def flock(advance: Literal["new", "old"] = "new") -> mm.Model:
    """A Vicsek model in which near neighbours count more."""
    table = np.zeros((81, TERMS))
    table[:, [4, 8, 12]] = weight(np.linspace(0, 1, 81))[:, None]
    rule = Learned(radius=1.0, table=pack_table(table.ravel()), speed=SPEED, drive=(1.0, 1.0))
    motion = mm.SelfPropelled(speed=SPEED, noise=NOISE, noise_law="gaussian", advance=advance)
    start = mm.InBox(velocity=mm.Directions(speed=SPEED))
    fish = mm.Flock(count=30, start=start, motion=motion)
    return mm.Model(space=SPACE, flocks={"fish": fish}, rules={"learned": rule})


def tracks(error: float, advance: Literal["new", "old"] = "new") -> list[mm.Tracks]:
    worlds = mm.Worlds(flock(advance), 4, seed=5).step(10)
    return seen([worlds.step(1)["fish"].positions.copy() for _ in range(150)], error)


def plain_tracks(error: float, _: str) -> list[mm.Tracks]:
    """Tracks of the same flock, simulated without murmurate: positions follow new headings."""
    rng = np.random.default_rng(5)
    x, angles = rng.uniform(0.0, 5.0, (2, 30, 2)), rng.uniform(0.0, 2 * np.pi, (2, 30))
    positions = []
    for _ in range(160):
        headings = np.stack([np.cos(angles), np.sin(angles)], axis=2)
        away = x[:, None] - x[:, :, None]
        distances = np.linalg.norm(away - 5 * np.round(away / 5), axis=3)
        weights = np.where(distances <= 1.0, weight(distances), 0.0)
        weights[:, np.arange(30), np.arange(30)] = 1.0
        to = weights @ headings
        angles = np.arctan2(to[:, :, 1], to[:, :, 0]) + rng.normal(0.0, NOISE, angles.shape)
        x = (x + SPEED * np.stack([np.cos(angles), np.sin(angles)], axis=2)) % 5
        positions.append(x)
    return seen(positions[10:], error)


def seen(frames: list[np.ndarray], error: float) -> list[mm.Tracks]:
    """What a tracker says of positions, (worlds, boids, 2) in each frame."""
    positions = np.array(frames)
    rng = np.random.default_rng(2)
    positions = positions + error * rng.standard_normal(positions.shape)
    positions[rng.random(positions.shape[:3]) < 0.005] = np.nan
    return [mm.Tracks(group, 1.0, space=SPACE) for group in np.moveaxis(positions, 0, 1)]


@pytest.mark.parametrize(
    ("make", "error", "advance"),
    [
        (plain_tracks, ERROR, "new"),
        pytest.param(tracks, ERROR, "new", marks=pytest.mark.slow),
        pytest.param(tracks, 0.0, "old", marks=pytest.mark.slow),
    ],
)
def test_known_weights_lie_in_the_bands(
    make: Callable[..., list[mm.Tracks]], error: float, advance: Literal["new", "old"]
) -> None:
    mean = None if advance == "old" else False
    learned = mm.learn_interactions(make(error, advance), radius=1.0, form="distance", mean=mean)
    assert learned.stepping is not None
    assert learned.stepping.advance == advance
    assert abs(learned.stepping.error - error) < 0.1 * ERROR
    assert abs(learned.stepping.noise - NOISE) < 0.1 * NOISE
    assert not learned.basis.mean
    distances = np.linspace(0.2, 0.95, 12)
    across = learned.turning(distances, 0.0, 90.0)
    assert across.is_known.all()
    expected = np.arctan(weight(distances))
    assert np.abs(across.value - expected).mean() < 0.06
    assert ((across.lower <= expected) & (expected <= across.upper)).mean() > 0.7
    assert np.abs(learned.turning(distances, 90.0, 0.0).value).mean() < 0.06
    motion = learned.model().flocks["boids"].motion
    assert isinstance(motion, mm.SelfPropelled)
    assert motion.advance == advance


@pytest.mark.slow
@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("form", ["distance", "angles"])
def test_the_rule_turns_as_was_learned(dims: int, form: Literal["distance", "angles"]) -> None:
    """One step of a boid with a neighbour anywhere, against the functions."""
    rng = np.random.default_rng(dims)
    basis = Basis(8.0, None, False, 6, form, 1.3, (1.2, 1.4), "steps")
    coefficients = 0.3 * rng.standard_normal(basis.size)
    fit = regression(basis, coefficients)
    learned = LearnedInteractions(
        basis, fit, np.full((20, 3, SECTORS, 9), 100.0), {}, "", "frame", 1.0,
        mm.Space(size=(60.0,) * dims), 2, 3.0, (), Stepping("new", 0.0, 0.0),
    )  # fmt: skip
    model = learned.model()
    for _ in range(10):
        distance = 8.0 * float(rng.integers(1, 60)) / 60  # a row of the table
        bearing, heading = rng.uniform(-180, 180, 2)
        turning, speeding = probe_response(model, distance, bearing, heading, speed=1.3)
        expected = learned.turning(distance, bearing, heading).value
        np.testing.assert_allclose(turning, expected, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(speeding, 0.0, atol=1e-12)


@pytest.mark.slow
def test_probed_responses_are_the_rules() -> None:
    zones = mm.load("couzin-2002").set({"flocks.boids.motion.noise": 0.0})
    turning, _ = probe_response(zones, [0.5, 1.5, 5.0, 17.0], speed=3.0)
    np.testing.assert_allclose(np.degrees(turning), [-4.0, 0.0, 4.0, 0.0], atol=1e-4)
    morse = mm.load("dorsogna-2006").set({"dt": 1e-4})
    distances = np.array([0.5, 1.0, 3.0])
    force = 0.25 * np.exp(-distances / 2) - 2 * np.exp(-2 * distances)
    turning, _ = probe_response(morse, distances, speed=1.8)
    np.testing.assert_allclose(turning * 1.8 / 1e-4, force, rtol=2e-3)
    _, speeding = probe_response(morse, distances, 0.0, speed=1.8)
    np.testing.assert_allclose(speeding / 1e-4, force, rtol=2e-3)
    fish = mm.load("wang-2025").set({"rules.noise.weight": 0.0})
    turning, _ = probe_response(fish, distances, speed=1.0)  # a kick
    expected = 0.37 * distances / (1 + (distances / 3) ** 2)
    np.testing.assert_allclose(turning, expected, rtol=1e-5)


def test_animals_near_one_that_is_not_seen_are_left_out() -> None:
    walk = np.cumsum(np.ones((20, 2, 2)), axis=0)
    walk[10, 1] = np.nan
    group = Group.of(mm.Tracks(walk, 1.0), np.arange(2))
    for lag in (0, 1):
        unseen = group.unseen(slice(8, 14), lag)
        assert np.isnan(unseen[:, 0]).all()
        is_unseen = np.isfinite(unseen[:, 1, 0])
        assert is_unseen.tolist() == [False, False, True, True, False, False]
        np.testing.assert_allclose(unseen[2, 1], 11.0 - lag)


def test_what_is_refused() -> None:
    rng = np.random.default_rng(1)
    smooth = np.cumsum(np.ones((100, 3, 2)) + 0.001 * rng.standard_normal((100, 3, 2)), axis=0)
    with pytest.raises(MeasureError, match=r"noise: got 0.1 for motion 'smooth'"):
        mm.learn_interactions(mm.Tracks(smooth, 10.0), noise=0.1)
    angles = np.cumsum(rng.normal(0.0, 0.08, (400, 30)), axis=0)
    path = np.cumsum(np.stack([np.cos(angles), np.sin(angles)], axis=2), axis=0)
    with pytest.raises(MeasureError, match=r"Give motion 'smooth' or 'steps'"):
        mm.learn_interactions(mm.Tracks(path, 10.0))
    with pytest.raises(MeasureError, match=r"noise: got errors of 0.5, 100% of a step"):
        mm.learn_interactions(mm.Tracks(path, 10.0), motion="steps", noise=0.5)
    with pytest.raises(MeasureError, match=r"motion: got 'sudden'"):
        mm.learn_interactions(mm.Tracks(path, 10.0), motion="sudden")  # type: ignore[arg-type]
    with pytest.raises(MeasureError, match=r"distance: got 0"):
        probe_response("dorsogna-2006", 0.0, speed=1.0)
    with pytest.raises(MeasureError, match=r"flock: got 'sheep'"):
        probe_response("dorsogna-2006", 1.0, speed=1.0, flock="sheep")


@pytest.mark.slow
def test_kicks_are_found_and_their_turns_are_learned() -> None:
    """Fish that kick: attraction, and alignment whatever the neighbour's speed."""
    fish = mm.load("wang-2025").set({"flocks.boids.count": 2, "dt": 0.05})
    worlds = mm.Worlds(fish, 30, seed=5)
    positions = np.array([worlds.step(1)["boids"].positions.copy() for _ in range(700)])
    positions += 0.002 * np.random.default_rng(2).standard_normal(positions.shape)
    tracks = [mm.Tracks(group, 20.0) for group in np.moveaxis(positions, 1, 0)]
    learned = mm.learn_interactions(tracks, radius=3.0, form="angles", mean=False)
    assert learned.basis.motion == "kicks"
    assert learned.stepping is not None
    kicks = learned.stepping.kicks
    assert kicks is not None
    np.testing.assert_allclose([kicks.duration, kicks.length, kicks.decay], [1, 1, 0.8], rtol=0.1)
    assert abs(learned.stepping.noise - 0.2) < 0.06
    distances = np.linspace(0.5, 2.5, 9)
    quiet = fish.set({"rules.noise.weight": 0.0})
    for at in ((60.0, 0.0), (0.0, 60.0)):
        expected, _ = probe_response(quiet, distances, *at, speed=1.0)
        curve = learned.turning(distances, *at)
        told = curve.is_known
        assert told.mean() > 0.5
        assert np.abs(curve.value - expected)[told].mean() < 0.25 * expected.mean()
        assert ((curve.lower <= expected) & (expected <= curve.upper))[told].mean() > 0.5
    school = learned.model().set({"flocks.boids.count": 2, "rules.noise.weight": 0.0})
    turning, _ = probe_response(school, distances[3], 60.0, 0.0, speed=1.0)
    np.testing.assert_allclose(turning, learned.turning(distances[3], 60.0).value, rtol=0.02)


@pytest.mark.slow
def test_responses_that_do_not_add_up_are_blank() -> None:
    """In Couzin's groups turns have a limit; tracks of pairs, and sums, pass."""
    fish = mm.load("couzin-2002").set({"flocks.boids.count": 12})
    worlds = mm.Worlds(fish, 4, seed=5).step(50)
    positions = np.array([worlds.step(1)["boids"].positions.copy() for _ in range(120)])
    groups = [mm.Tracks(group, 10.0) for group in np.moveaxis(positions, 1, 0)]
    learned = mm.learn_interactions(groups, radius=8.0, form="angles", mean=False, motion="steps")
    assert not learned.is_determined
    assert not any(curve.is_known.any() for curve in learned.curves().values())
    assert any("do not add up" in line for line in learned.summary())
    with pytest.raises(MeasureError, match="expected pairs"):
        learned.model()
    sums = mm.learn_interactions(tracks(0.0), radius=1.0, form="distance", mean=False)
    assert sums.is_determined
