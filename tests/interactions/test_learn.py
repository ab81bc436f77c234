"""Interactions learned from tracks of flocks whose interactions are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Literal

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import MeasureError
from murmurate.interactions import LearnedInteractions
from murmurate.interactions.basis import SECTORS, Basis
from murmurate.interactions.followed import Group, cut_at_jumps, motion_of
from murmurate.interactions.local_fits import local_fits
from murmurate.model.number_table import pack_table
from murmurate.rules.learned import TERMS, Learned
from regressions import regression

RADIUS = 4.0
SPEED = 1.0
RATE = 20.0
SPACE, DEEP = (mm.Space(size=(9.0,) * dims, boundary="periodic") for dims in (2, 3))
Number = Callable[[np.ndarray], np.ndarray]


def table(**terms: Number) -> str:
    """The table of a rule with these terms, by their numbers: t0=pull, t4=heading, ..."""
    distances = np.linspace(0, RADIUS, 81)
    numbers = np.zeros((len(distances), TERMS))
    for name, function in terms.items():
        numbers[:, int(name[1:])] = function(distances)
    return pack_table(numbers.ravel())


def pull(r: np.ndarray) -> np.ndarray:
    return 1.5 * np.tanh(2 * (r - 1)) * np.exp(-r / 1.5)


def align(r: np.ndarray) -> np.ndarray:
    return 0.6 * np.exp(-((r / 1.6) ** 2))


KNDRIVE = table(t0=pull, t4=align, t9=pull, t12=align)


def tracks(
    packed: str = KNDRIVE, groups: int = 4, count: int = 10, steps: int = 400, noise: float = 0.0,
    dims: int = 2, mean: bool = False,
) -> list[mm.tracks.Tracks]:  # fmt: skip
    """Tracks of flocks that respond by a table, and keep to a speed."""
    rule = Learned(
        radius=RADIUS, table=packed, speed=SPEED, drive=(0.9, 0.0, -0.9), lowest_speed=0.5,
        highest_speed=1.5, mean=mean,
    )  # fmt: skip
    start = mm.InBall(radius=2.5, velocity=mm.Directions(speed=1))
    model = mm.Model(
        dt=1 / RATE, integrator="verlet", space=SPACE if dims == 2 else DEEP,
        flocks={"fish": mm.Flock(count=count, start=start, motion=mm.Add())},
        rules={"learned": rule, "jitter": mm.RandomSteering(weight=0.15)},
    )  # fmt: skip
    rng = np.random.default_rng(1)
    worlds = mm.Worlds(model, groups, seed=3)
    positions = np.empty((groups, steps, count, dims))
    for k in range(steps):
        positions[:, k] = worlds.step(1)["fish"].positions
    positions += noise * rng.standard_normal(positions.shape)
    return [mm.tracks.Tracks(group, RATE, space=model.space) for group in positions]


def plain_tracks(
    noise: float, groups: int = 2, count: int = 10, steps: int = 300
) -> list[mm.tracks.Tracks]:
    """Tracks of flocks with the responses of KNDRIVE, simulated without murmurate: their sum is
    pull(r) n + align(r) (v_j - v_i), and each boid returns to its speed."""
    rng = np.random.default_rng(1)
    angles = rng.uniform(0.0, 2 * np.pi, (2, groups, count))
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=3)
    x, v = 3.5 * np.sqrt(rng.uniform(size=(groups, count, 1))) * directions[0], directions[1]

    def forces(x: np.ndarray, v: np.ndarray) -> np.ndarray:
        away = x[:, None] - x[:, :, None]
        away -= 9 * np.round(away / 9)
        r = np.maximum(np.linalg.norm(away, axis=3, keepdims=True), 1e-9)
        pairs = pull(r) * away / r + align(r) * (v[:, None] - v[:, :, None])
        speed = np.linalg.norm(v, axis=2, keepdims=True)
        alone = 1.8 * (SPEED - np.clip(speed, 0.5, 1.5)) * v / speed
        return np.where(r <= RADIUS, pairs, 0.0).sum(axis=2) + alone

    positions, dt = np.empty((groups, steps, count, 2)), 1 / RATE
    for k in range(steps):
        jitter = 0.15 * rng.uniform(-1, 1, v.shape)
        a = forces(x, v) + jitter
        nearer = x + v * dt + a * dt**2 / 2
        v = v + (a + forces(nearer, v + a * dt) + jitter) * dt / 2
        positions[:, k] = x = nearer % 9
    positions += noise * rng.standard_normal(positions.shape)
    return [mm.tracks.Tracks(group, RATE, space=SPACE) for group in positions]


def known_curves(learned: mm.LearnedInteractions) -> dict[str, np.ndarray]:
    """What the curves of KNDRIVE are: means of sines over half a turn are 2 / pi."""
    distances = learned.curves()["towards"].x
    return {
        "towards": 2 / np.pi * pull(distances),
        "alignment": 2 / np.pi * align(distances),
        "approach": 2 / np.pi * pull(distances),
        "speed": align(distances),
        "drive": -1.8 * (learned.curves()["drive"].x - SPEED),
    }


@pytest.mark.parametrize(
    ("make", "noise"),
    [
        (plain_tracks, 0.01),
        pytest.param(tracks, 0.0, marks=pytest.mark.slow),
        pytest.param(tracks, 0.01, marks=pytest.mark.slow),
    ],
)
def test_known_functions_lie_in_the_bands_whatever_the_error_of_the_tracker(
    make: Callable[..., list[mm.tracks.Tracks]], noise: float
) -> None:
    learned = mm.learn_interactions(make(noise=noise), radius=RADIUS, form="distance", mean=False)
    curves = learned.curves()
    for name, expected in known_curves(learned).items():
        curve = curves[name]
        inside = (curve.lower <= expected) & (expected <= curve.upper)
        assert curve.is_known.mean() > 0.65, name
        assert inside[curve.is_known].mean() > 0.8, name
        if name != "speed":  # of which these tracks tell little
            width = np.nanmedian(curve.upper - curve.lower)
            assert width < 0.7 * (np.ptp(expected[curve.is_known]) + 0.1), name


def test_frames_of_a_class_give_values_of_cubics() -> None:
    t = np.arange(40.0)
    positions = np.stack([0.01 * t**3 - t, 2 - 0.1 * t**2], axis=1)[:, None]
    positions[[7, 12]] = np.nan
    for fit in local_fits(positions, 8):
        is_known = np.isfinite(fit[:, 0, 0])
        assert is_known.sum() > 25
        np.testing.assert_allclose(fit[is_known, 0, 0], (0.01 * t**3 - t)[is_known], atol=1e-7)
        np.testing.assert_allclose(fit[is_known, 0, 1], (2 - 0.1 * t**2)[is_known], atol=1e-7)


def test_small_jumps_of_few_tracks_do_not_make_motion_sudden() -> None:
    """They are as of near animals that were swapped, which cannot be cut."""
    rng = np.random.default_rng(5)
    angles = 0.05 * np.arange(60)[:, None] + rng.uniform(0, 2 * np.pi, 10)
    positions = np.stack([20 * np.cos(angles), 20 * np.sin(angles)], axis=2)
    positions += 0.1 * rng.standard_normal(positions.shape)
    positions[30:, 0] += 1.4
    cut, jumps = cut_at_jumps(positions)
    assert jumps == 0
    assert motion_of([Group(cut, mm.Space(size=(90, 90)), 1.0, 0, positions)], 8) == "smooth"


def test_swapped_tracks_are_cut() -> None:
    rng = np.random.default_rng(4)
    positions = np.cumsum(1 + 0.1 * rng.standard_normal((60, 3, 2)), axis=0)
    positions += 20 * np.arange(3)[:, None]
    swapped = positions.copy()
    swapped[30:, [0, 1]] = positions[30:, [1, 0]]
    cut, jumps = cut_at_jumps(swapped)
    assert jumps == 2
    assert cut.shape == (60, 5, 2)
    for column in np.moveaxis(cut, 1, 0):
        path = column[np.isfinite(column[:, 0])]
        assert np.abs(np.diff(path, axis=0)).max() < 2
    assert cut_at_jumps(positions)[1] == 0
    for missing in product([False, True], repeat=6):  # the jump is near gaps, or across one
        swapped[27:33, 0] = np.where(np.array(missing)[:, None], np.nan, positions[27:33, 0])
        swapped[30:33, 0] += positions[30:33, 1] - positions[30:33, 0]
        cut, jumps = cut_at_jumps(swapped)
        assert jumps == 2, missing
        for column in np.moveaxis(cut, 1, 0):
            frames = np.flatnonzero(np.isfinite(column[:, 0]))
            moves = np.diff(column[frames], axis=0) / np.diff(frames)[:, None]
            assert np.abs(moves).max(initial=0) < 2, missing


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 13}, "window: got 13"),
        ({"radius": -1.0}, "radius: got -1"),
        ({"nearest": 0}, "nearest: got 0"),
        ({"flock": "sheep"}, "flock: got 'sheep'"),
    ],
)
def test_invalid_options(options: dict[str, object], message: str) -> None:
    rng = np.random.default_rng(1)
    walk = mm.tracks.Tracks(np.cumsum(rng.standard_normal((200, 3, 2)), axis=0), 10.0)
    with pytest.raises(MeasureError, match=message):
        mm.learn_interactions(walk, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("motion", ["smooth", "steps"])
def test_animals_out_of_reach_or_at_rest(motion: Literal["smooth", "steps"]) -> None:
    walk = np.cumsum(np.random.default_rng(1).normal([1, 0], 0.1, (300, 3, 2)), axis=0)
    with pytest.raises(MeasureError, match=r"radius: got 1e-09, within which 0 neighbours were"):
        mm.learn_interactions(mm.Tracks(walk, 1.0), radius=1e-9, motion=motion)
    with pytest.raises(MeasureError, match="got no animal that moves"):
        mm.learn_interactions(mm.Tracks(np.repeat(walk[7:8], 300, axis=0), 1.0), motion=motion)


def test_short_tracks_and_single_animals() -> None:
    rng = np.random.default_rng(1)
    walk = np.cumsum(rng.standard_normal((60, 3, 2)), axis=0)
    with pytest.raises(MeasureError, match="blocks"):
        mm.learn_interactions(mm.tracks.Tracks(walk, 10.0), radius=5.0)
    with pytest.raises(MeasureError, match="one animal"):
        mm.learn_interactions(mm.tracks.Tracks(walk[:, :1], 10.0))
    with pytest.raises(MeasureError, match="got the unit none; expected cm, that of"):
        mm.learn_interactions([mm.Tracks(walk, 10.0, unit="cm"), mm.Tracks(walk, 10.0)])
    with pytest.raises(MeasureError, match="rate"):
        mm.learn_interactions([mm.tracks.Tracks(walk, 10.0), mm.tracks.Tracks(walk, 20.0)])


def random_interactions(rng: np.random.Generator, dims: int) -> LearnedInteractions:
    """Interactions with random coefficients."""
    basis = Basis(8.0, None, False, 6, "angles", 1.3, (0.6, 2.0))
    coefficients = rng.standard_normal(basis.size)
    fit = regression(basis, coefficients)
    visits = np.full((20, 3, SECTORS, 9), 100.0)
    space = mm.Space(size=(60.0,) * dims, origin=(-30.0,) * dims)
    return LearnedInteractions(basis, fit, visits, {}, "m", "s", 0.1, space, 2, 3.0, ())


@pytest.mark.parametrize("dims", [2, 3])
def test_the_rule_responds_as_was_learned(dims: int) -> None:
    """One step of a boid with a neighbour anywhere, against the functions."""
    rng = np.random.default_rng(dims)
    learned = random_interactions(rng, dims)
    speed, dt = learned.basis.speed, 1e-4
    fish = mm.Flock(count=2, motion=mm.Add())
    model = mm.Model(
        dt=dt, space=learned.space, flocks={"fish": fish}, rules={"learned": learned.rule()}
    )
    for _ in range(10):
        distance = learned.basis.radius * float(rng.integers(1, 60)) / 60  # a row of the table
        bearing, heading = rng.uniform(-180, 180, 2)
        positions, velocities = np.zeros((2, 2, dims))
        positions[1, :2] = [distance * f(np.radians(bearing)) for f in (np.cos, np.sin)]
        velocities[0, 0] = speed
        velocities[1, :2] = [speed * f(np.radians(heading)) for f in (np.cos, np.sin)]
        start = {"fish": (positions, velocities)}
        sim = mm.Simulation(model, engine="reference", start=start).step(1)
        along, left = (sim.frame["fish"].velocities[0] - velocities[0])[:2] / dt
        turning = learned.turning(distance, bearing, heading)
        speeding = learned.speeding(distance, bearing, heading)
        alone = learned.drive(speed)
        np.testing.assert_allclose(left, turning.value[0], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(along, speeding.value[0] + alone.value[0], rtol=1e-3, atol=1e-3)


def test_what_was_never_visited_or_cannot_be_separated_is_blank() -> None:
    rng = np.random.default_rng(5)
    learned = random_interactions(rng, 2)
    learned.visits[..., 6:] = 0.0  # no pairs at large distances
    curve = learned.turning(np.array([1.0, 7.9]))
    assert curve.is_known.tolist() == [True, False]
    pull = learned.basis.columns(learned.basis.terms[0])
    other = learned.basis.columns(
        learned.basis.terms[8]
    )  # of speeding: never in a turning response
    products = np.eye(learned.basis.size)
    products[pull, other] = products[other, pull] = 0.999 * np.eye(pull.stop - pull.start)
    fit = replace(learned.fit, covariance=np.linalg.inv(products))
    blank = replace(learned, fit=fit)
    assert learned.turning([1.0]).is_known.all()
    assert not blank.turning([1.0]).is_known.any()


@pytest.mark.long
def test_bands_of_random_interactions_contain_them_as_often_as_they_say() -> None:
    """Random functions, in 2-D and 3-D, summed and averaged, with errors, gaps and swaps."""
    rng = np.random.default_rng(11)
    shares = []
    for k in range(8):
        dims, mean, noise = 2 + k % 2, k % 3 == 0, float(rng.choice([0.0, 0.003, 0.01]))
        heights, widths = rng.uniform(-0.8, 0.8, 2), rng.uniform(0.8, 1.6, 2)

        def strength(r: np.ndarray, h: float = heights[0], w: float = widths[0]) -> np.ndarray:
            return 0.8 * np.tanh(2 * (r - 1)) * np.exp(-r / 1.5) + h * np.exp(-((r / w) ** 2))

        def agree(r: np.ndarray, h: float = heights[1], w: float = widths[1]) -> np.ndarray:
            return 0.4 * np.exp(-((r / 1.6) ** 2)) + 0.4 * h * np.exp(-((r / w) ** 2))

        followed = tracks(
            table(t0=strength, t4=agree, t9=strength, t12=agree), noise=noise, dims=dims, mean=mean
        )
        for group in followed:
            group.positions[rng.random(group.positions.shape[:2]) < 0.01] = np.nan
            group.positions[150:, [0, 1]] = group.positions[150:, [1, 0]].copy()
        learned = mm.learn_interactions(followed, radius=RADIUS, form="distance", motion="smooth")
        assert learned.basis.mean == mean
        curves = learned.curves()
        distances = curves["towards"].x
        side = 2 / np.pi  # the mean of a sine over half a turn
        for name, expected in (
            ("towards", side * strength(distances)), ("alignment", side * agree(distances)),
        ):  # fmt: skip
            curve = curves[name]
            inside = (curve.lower <= expected) & (expected <= curve.upper)
            shares.append(inside[curve.is_known].mean())
    assert 0.88 < np.mean(shares) <= 0.995, shares


@pytest.mark.slow
def test_a_short_film_is_enough() -> None:
    """Tracks with eight blocks for the window, and fewer for the wider one of the bands."""
    film = tracks(groups=1, steps=310, noise=0.01)
    learned = mm.learn_interactions(
        film, radius=RADIUS, form="distance", mean=False, motion="smooth"
    )
    assert learned.fit.blocks >= 8
    assert learned.curves()["towards"].is_known.any()
