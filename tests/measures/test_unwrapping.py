"""Displacements on a torus between two frames are right, or refused as ambiguous."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flocks_for_measures import run, wrap

import murmurate as mm
from cases import cases
from murmurate.errors import CoarseFramesError, MeasureError
from murmurate.frame import Frame
from murmurate.measures import (
    mean_squared_displacement,
    of_arrays,
    relaxation_time,
    spatiotemporal_correlation,
)
from murmurate.model.space import Space

DT = 0.1
SPACES = {
    "square": Space(size=(5.0, 5.0), boundary="periodic"),
    "oblong": Space(size=(9.0, 3.0), origin=(-4.0, 7.0), boundary="periodic"),
    "channel": Space(size=(4.0, 6.0), boundary=("open", "periodic")),
    "box": Space(size=(5.0, 7.0, 4.0), origin=(1.0, 0.0, -9.0), boundary="periodic"),
    "tube": Space(size=(5.0, 7.0, 4.0), boundary=("reflecting", "open", "periodic")),
}
QUICK = ("oblong", "tube")
spaces = pytest.mark.parametrize(
    "space",
    [
        pytest.param(space, id=name, marks=() if name in QUICK else pytest.mark.slow)
        for name, space in SPACES.items()
    ],
)


def headings(random: np.random.Generator, count: int, dims: int) -> np.ndarray:
    result = random.normal(size=(count, dims))
    return result / np.linalg.norm(result, axis=1, keepdims=True)


def ballistic(random: np.random.Generator, steps: int, dims: int, count: int = 8) -> Any:
    """Return (T, N, D) straight paths at speeds up to 1.5, and velocities."""
    v = headings(random, count, dims) * np.linspace(0.2, 1.5, count)[:, None]
    x = random.uniform(0, 5, (count, dims)) + DT * np.arange(steps)[:, None, None] * v
    return x, np.broadcast_to(v, x.shape)


def diffusing(random: np.random.Generator, steps: int, dims: int, count: int = 8) -> Any:
    """Return random walks whose velocities are their steps, as in a simulation."""
    moves = random.normal(size=(steps, count, dims)) * 0.3
    return np.cumsum(moves, axis=0), moves / DT


def persistent(random: np.random.Generator, steps: int, dims: int, count: int = 8) -> Any:
    """Return paths of speed 1 with rotational diffusion."""
    u, v = headings(random, count, dims), []
    for _ in range(steps):
        u = u + 0.3 * random.normal(size=u.shape)
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        v.append(u)
    return np.cumsum(np.array(v) * DT, axis=0), np.array(v)


def circling(random: np.random.Generator, steps: int, dims: int, count: int = 8) -> Any:
    """Return circles of 20 steps: every 20th frame has the same positions and velocities."""
    angle = 2 * np.pi / 20 * np.arange(steps)[:, None] + random.uniform(0, 6, count)
    x, v = np.zeros((2, steps, count, dims))
    x[..., 0], x[..., 1] = np.cos(angle), np.sin(angle)
    v[..., 0], v[..., 1] = -np.sin(angle), np.cos(angle)
    return x + random.uniform(0, 5, (count, dims)), v * 2 * np.pi / 20 / DT


def shaking(random: np.random.Generator, steps: int, dims: int, count: int = 8) -> Any:
    """Return oscillations at speed 3: in even frames boids do not move."""
    way = headings(random, count, dims)
    turn = np.where(np.arange(steps) % 4 < 2, 1.0, -1.0)[:, None, None]
    x = np.cumsum(turn * way * 3 * DT, axis=0)
    return x + random.uniform(0, 5, (count, dims)), turn * way * 3


def bursting(random: np.random.Generator, steps: int, dims: int, count: int = 8) -> Any:
    """Return paths in which most boids rest at any time, and some are fast."""
    fast = (random.random((steps, count, 1)) < 0.2) * 8.0
    v = fast * np.broadcast_to(headings(random, count, dims), (steps, count, dims))
    return np.cumsum(v * DT, axis=0) + random.uniform(0, 5, (count, dims)), v


def rushing(random: np.random.Generator, steps: int, dims: int, count: int = 8) -> Any:
    """Return paths of which one wraps around between frames, and slowly turns."""
    x, v = persistent(random, steps, dims, count)
    x, v = x.copy(), v.copy()
    x[:, 0], v[:, 0] = 30 * x[:, 0], 30 * v[:, 0]
    return x, v


MOTIONS = (ballistic, diffusing, persistent, circling, shaking, bursting, rushing)
motions = pytest.mark.parametrize("motion", MOTIONS, ids=lambda item: item.__name__)


def frames_of(x: np.ndarray, v: np.ndarray, space: Space, every: int) -> list[Frame]:
    pairs = zip(x[::every], v[::every], strict=True)
    return run([of_arrays(wrap(a, space), b, space) for a, b in pairs], DT * every)


def exact(x: np.ndarray, every: int) -> np.ndarray:
    """Return the same measure in open space."""
    frames = run([of_arrays(item) for item in x[::every]], DT * every)
    return mean_squared_displacement(frames).y


@spaces
@cases("every", [1, 2, 3, 5, 8, 13, 21, 30, 33, 34, 50, 67, 100])
def test_straight_flight_at_any_interval(space: Space, every: int) -> None:
    """(v t)^2, also if boids wrap around between frames; it was 0 for whole rounds."""
    x, v = ballistic(np.random.default_rng(every), 401, space.dims)
    curve = mean_squared_displacement(frames_of(x, v, space, every))
    speeds = np.linalg.norm(v[0], axis=1)
    assert curve.y == pytest.approx((speeds**2).mean() * curve.x**2, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_boid_of_constant_speed(dtype: Any) -> None:
    """Nine tenths of a side from one frame to the next, in float32 too."""
    space = Space(size=(5.0, 5.0), boundary="periodic")
    x = np.arange(30)[:, None, None] * np.array([[4.5, 0.0]])
    frames = run([of_arrays(wrap(item, space).astype(dtype), np.array([[1.5, 0.0]]), space)
                  for item in x], 3.0)  # fmt: skip
    curve = mean_squared_displacement(frames)
    assert curve.y == pytest.approx((1.5 * curve.x) ** 2, rel=1e-5)


@spaces
@motions
@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.long) for k in (1, 2))])
def test_right_or_refused(motion: Callable[..., Any], space: Space, seed: int) -> None:
    """At any interval the value equals that in open space, or an error names one that works."""
    x, v = motion(np.random.default_rng(seed), 121, space.dims)
    refused = []
    for every in (1, 3, 10, 20, 60):
        try:
            result = mean_squared_displacement(frames_of(x, v, space, every)).y
        except CoarseFramesError as error:
            refused.append(every)
            largest = error.largest_every(every)
            assert largest < every
            if largest and motion in (ballistic, persistent, circling, shaking):  # of equal speeds
                fine = mean_squared_displacement(frames_of(x, v, space, largest)).y
                assert fine == pytest.approx(exact(x, largest), rel=1e-9, abs=1e-9)
        else:
            assert result == pytest.approx(exact(x, every), rel=1e-9, abs=1e-9)
    assert bool(refused) == (motion is not ballistic)


@spaces
@pytest.mark.parametrize("motion", [item for item in MOTIONS if item is not bursting],
                         ids=lambda item: item.__name__)  # fmt: skip
def test_few_boids_and_frames_do_not_pass_by_luck(motion: Callable[..., Any], space: Space) -> None:
    """With two boids and three frames, velocities may agree by chance, which proves nothing.

    Boids that rest in all frames and move only between them cannot be detected.
    """
    wrong = count = 0
    for seed in range(20):
        x, v = motion(np.random.default_rng(seed), 120, space.dims, 2)
        for every in (17, 31, 40):
            some = slice(0, 2 * every + 1)
            try:
                result = mean_squared_displacement(frames_of(x[some], v[some], space, every)).y
            except CoarseFramesError:
                continue
            count += 1
            wrong += not np.allclose(result, exact(x[some], every))
    assert wrong <= 1, f"{wrong} of {count}"


@pytest.mark.slow
def test_diffusion_at_many_intervals() -> None:
    """2 D d t, or an error that states the limit."""
    space, random = Space(size=(40.0, 40.0), boundary="periodic"), np.random.default_rng(5)
    x, v = diffusing(random, 400, 2, 300)
    for every in (1, 2, 3, 5, 8, 10, 11, 13, 17, 24, 25, 39):
        frames = frames_of(x, v, space, every)
        try:
            curve = mean_squared_displacement(frames)
        except CoarseFramesError as error:
            assert every > 10 and error.largest_every(every) <= every
            continue
        expected = 2 * 2 * (0.3**2 / (2 * DT)) * curve.x
        assert every < 25
        assert (np.abs(curve.y - expected) <= 5 * curve.error + 1e-9).all()


# --- gaps, images, no velocities


def test_a_boid_unseen_for_long_counts_as_new() -> None:
    """It may have wrapped around: no pair of frames across the gap counts."""
    space = Space(size=(5.0, 5.0), boundary="periodic")
    x = np.arange(40)[:, None, None] * np.array([[0.3, 0.0], [0.0, 0.3]])
    x[10:22, 0] = np.nan
    frames = run([of_arrays(wrap(item, space), item * 0 + 0.3, space) for item in x])
    curve = mean_squared_displacement(frames)
    assert curve.y == pytest.approx((0.3 * curve.x) ** 2)
    x[:] = np.arange(40)[:, None, None] * np.array([[0.3, 0.0], [0.0, 0.3]])
    x[10:14, 0] = np.nan  # a shorter gap
    again = mean_squared_displacement(
        run([of_arrays(wrap(item, space), item * 0 + 0.3, space) for item in x])
    )
    assert again.y == pytest.approx((0.3 * again.x) ** 2)
    assert again.count[30] > curve.count[30]


def test_image_counts_are_used() -> None:
    """A random walk with steps of several sides, from a file with image counts."""
    space, random = SPACES["oblong"], np.random.default_rng(2)
    x = np.cumsum(random.normal(size=(30, 6, 2)) * 8, axis=0)
    inside = np.array([wrap(item, space) for item in x])
    images = np.round((x - inside) / space.size).astype(int)
    tracks = mm.Tracks(inside, 10, space=space, images=images)
    result = mean_squared_displacement(list(tracks)).y
    assert result == pytest.approx(mean_squared_displacement(list(mm.Tracks(x, 10))).y)
    assert tracks.steps == pytest.approx(np.diff(x, axis=0))
    tracks = mm.Tracks(inside, 10, space=space)
    with pytest.raises(CoarseFramesError, match=r"at a speed of|almost half the periodic side"):
        mean_squared_displacement(list(tracks))


def test_without_velocities_long_steps_are_refused() -> None:
    space, random = SPACES["square"], np.random.default_rng(2)
    frames = run([of_arrays(random.uniform(0, 5, (40, 2)), space=space) for _ in range(5)])
    with pytest.raises(CoarseFramesError, match="moved almost half the periodic side of 5"):
        mean_squared_displacement(frames)


# --- other measures


@pytest.mark.parametrize("measure", [spatiotemporal_correlation, relaxation_time])
def test_drift_of_the_flock_is_right_or_refused(measure: Any) -> None:
    """Two groups move at speeds 1 and 2. Their mean displacement per time was underestimated if the
    fast ones wrapped around.
    """
    space, random = Space(size=(8.0, 8.0), boundary="periodic"), np.random.default_rng(3)
    start = random.uniform(0, 8, (60, 2))
    v = np.where(np.arange(60)[:, None] < 20, [2.0, 0.0], [1.0, 0.0])
    x = start + DT * np.arange(401)[:, None, None] * v
    fields = 0.01 * np.sin(2 * np.pi / 8 * start[:, 1:]) * [0.0, 1.0]
    values = []
    for every in (1, 25, 50, 100):  # at 25 the fast boids move 5 of 8
        some = [of_arrays(wrap(item, space), v + fields, space) for item in x[::every]]
        result = measure(run(some, DT * every), k=1.0)
        values.append(result.y if measure is spatiotemporal_correlation else result)
    if measure is spatiotemporal_correlation:
        for every, result in zip((25, 50, 100), values[1:], strict=True):
            expected = values[0][: len(result) * every : every]
            assert result[: len(expected)] == pytest.approx(expected[: len(result)], abs=0.12)
    random_walk, moves = diffusing(random, 200, 2, 40)
    with pytest.raises(CoarseFramesError):
        measure(frames_of(random_walk, moves, space, 40), k=1.0)


# --- messages


def vicsek() -> mm.Model:
    return mm.load("vicsek-1995").set({"flocks.boids.count": 20, "space.size": (5.0, 5.0)})


def fast_model() -> mm.Model:
    """Return boids of speed 1.5 with random headings on a torus of side 10, dt 0.5."""
    return mm.Model(
        name="fast", space=mm.Space(size=(10.0, 10.0), boundary="periodic"), dt=0.5,
        flocks={"boids": mm.Flock(count=8, motion=mm.ConstantSpeed(speed=1.5, turn_rate=500.0))},
        rules={"alignment": mm.Alignment(radius=1.0)},
    )  # fmt: skip


@pytest.mark.slow
def test_errors_name_an_every_that_works(tmp_path: Path) -> None:
    """At a speed of 1.5 half of the side takes 3.33: six steps of 0.5, or less."""
    model, name = fast_model(), "mean_squared_displacement"
    run = mm.RunSpec(steps=120, engine="reference")
    with pytest.raises(MeasureError, match=r"half the periodic side of 10 .*Give every=6 or less"):
        mm.measure(model, name, run)
    assert mm.measure(model, name, replace(run, every=6))[name].y[1] <= (1.5 * 3) ** 2
    table = mm.measure(model, run=run)
    assert "Give every=6 or less" in {row.name: row.note for row in table.rows}[name]
    assert math.isfinite(table["speed"].value)
    simulation = mm.Simulation(model, 0, engine="reference")
    from murmurate.runs import record_run

    rec = record_run.record(simulation, tmp_path / "r.zarr", 120, 2)
    with pytest.raises(MeasureError, match="Give every=6 or less"):
        mm.measure(rec, name, frames=slice(None, None, 10))
    assert len(mm.measure(rec, name, frames=slice(None, None, 6))[name].y) == 21
    sparse = record_run.record(
        mm.Simulation(model, 0, engine="reference"), tmp_path / "s.zarr", 120, 10
    )
    with pytest.raises(MeasureError, match="Record a frame every 6 steps or less"):
        mm.measure(sparse, name)
    tracks = mm.open_tracks(mm.export(rec, tmp_path / "t.csv").path)
    with pytest.raises(MeasureError, match="Give every=3 or less"):
        mm.measure(tracks, name, frames=slice(None, None, 5))
    assert mm.measure(tracks, name, frames=slice(None, None, 3))[name].y == pytest.approx(
        mm.measure(rec, name, frames=slice(None, None, 6))[name].y
    )
    coarse = mm.open_tracks(mm.export(sparse, tmp_path / "s.csv").path)
    with pytest.raises(MeasureError, match=r"Take tracks with more than 0.3 frames a second"):
        mm.measure(coarse, name)
    with pytest.raises(MeasureError, match=r"Take frames less than 3.333 apart"):
        mean_squared_displacement(list(sparse))
