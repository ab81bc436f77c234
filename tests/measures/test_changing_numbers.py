"""Every measure on frames whose boids come and go, as in recordings of births and deaths.

Boids are matched by id. Absent boids equal unseen ones, other ids give the same values, frames may
be empty, and measures over time equal plain definitions with loops over the boids of two frames.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from importlib import import_module

import numpy as np
import pytest
from flocks_for_measures import blob, drifting, hunt, run, space_of, startled
from test_all_measures import (
    COUNT,
    COUNTS,
    OPTIONS,
    hawks_of,
    numbers,
    value,
    with_trait,
)

import murmurate.measures as measures
from cases import cases
from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures import MEASURES, Curve, PerAnimal, measure_frames, of_arrays

each = cases("name", sorted(MEASURES))
FAR = 2_000_000_000  # ids of later flocks begin at a multiple of a billion
SMALL = {"regrouping_time": {"min_size": 2}}  # options for flocks of that size


def presence(frames: int, count: int, seed: int, gaps: bool = True) -> np.ndarray:
    """Return (frames, count) bool: boids that join late, leave early or are away for a while."""
    random = np.random.default_rng(seed)
    first = np.where(random.random(count) < 0.6, 0, random.integers(0, frames, count))
    last = np.where(random.random(count) < 0.6, frames, random.integers(1, frames + 1, count))
    k = np.arange(frames)[:, None]
    present = (k >= first) & (k < last)
    if gaps:
        present &= random.random((frames, count)) > 0.1
    return present


def thinned(flocks: list[FlockFrame], present: np.ndarray, ids=None) -> list[FlockFrame]:
    """Return the flocks with the boids that are present, under other ids if some are passed."""
    ids = np.arange(len(flocks[0])) if ids is None else ids
    return [
        of_arrays(f.positions[rows], f.velocities[rows], f.space, ids=ids[rows])
        for f, rows in zip(flocks, present, strict=True)
    ]


def moving(name: str, kind: str = "torus", dims: int = 2) -> list[FlockFrame]:
    return first_boids(startled if MEASURES[name].event else drifting, kind, dims)


@functools.cache
def first_boids(make: Callable[..., list[FlockFrame]], kind: str, dims: int) -> list[FlockFrame]:
    return [of_arrays(f.positions[:COUNT], f.velocities[:COUNT], f.space) for f in make(kind, dims)]


def over_frames(name: str, flocks: list[FlockFrame], hawks: list[FlockFrame] | None = None):
    """Return the result of a measure over all frames."""
    options = {name: {**OPTIONS[name], **SMALL.get(name, {})}} if name in OPTIONS else None
    flocks = [with_trait(flock) for flock in flocks]
    if MEASURES[name].kind == "hunt":
        frames = hunt(flocks, hawks or hawks_of(flocks))
        return measure_frames(
            frames, [name], flock="prey", predators="hawks", options=options
        )[name].value  # fmt: skip
    return measure_frames(run(flocks, 0.1), [name], options=options)[name].value


def flat(result) -> np.ndarray:
    if isinstance(result, dict):
        return np.array([float(result[word]) for word in sorted(result)])
    return numbers(result)


def same(first, other) -> None:
    assert type(first) is type(other)
    np.testing.assert_allclose(flat(first), flat(other), rtol=1e-6, atol=1e-7)


ROWS = {
    "arrival_rate",
    "departure_rate",
    "mortality",
}  # count rows, whether their boids are seen or not


@pytest.mark.slow
@cases("name", sorted(set(MEASURES) - ROWS))
@cases("kind", ["torus", "open"])
def test_absent_boids_equal_unseen_boids(name, kind):
    flocks = moving(name, kind)
    present, hawks = presence(len(flocks), COUNT, 11), hawks_of(flocks)
    unseen = []
    for f, rows in zip(flocks, present, strict=True):
        x, v = f.positions.copy(), f.velocities.copy()
        x[~rows], v[~rows] = np.nan, np.nan
        unseen.append(of_arrays(x, v, f.space))
    absent = over_frames(name, thinned(flocks, present), hawks)
    same(absent, over_frames(name, unseen, hawks))
    if name not in ("relaxation_time", "turn_exponent", "turn_speed", "escape_speed"):
        assert np.isfinite(flat(absent)).any(), "the test's frames must have a value"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [12, 13, 14])
@each
def test_other_ids(name, seed):
    """Random lives and gaps, ids in the same order and in any order."""
    flocks = moving(name)
    present, hawks = presence(len(flocks), COUNT, seed), hawks_of(flocks)
    expected = over_frames(name, thinned(flocks, present), hawks)
    random = np.random.default_rng(seed)
    ids = FAR + random.choice(10_000_000, COUNT, replace=False)
    same(expected, over_frames(name, thinned(flocks, present, np.sort(ids)), hawks))
    same(expected, over_frames(name, thinned(flocks, present, ids), hawks))


@each
def test_empty_frames_and_single_boids(name):
    """A flock that is empty at first, in between and at last, and that has one boid for a time."""
    flocks, hawks = moving(name), None
    hawks = hawks_of(flocks)
    present = presence(len(flocks), COUNT, 13)
    present[0] = present[2] = present[-1] = False
    present[1, :] = np.arange(COUNT) == 7
    over_frames(name, thinned(flocks, present), hawks)
    present[:] = False
    result = over_frames(name, thinned(flocks, present), hawks)
    if isinstance(result, Curve | PerAnimal):
        assert not len(result)
    elif isinstance(result, dict):
        assert list(result) == ["none"]
    elif name in COUNTS:
        assert float(result) == 0.0
    else:
        assert math.isnan(float(result))


@pytest.mark.slow
@each
@cases("count", [0, 1, 2, 3])
@cases("dims, kind", [(2, "open"), (3, "torus"), (2, "channel")])
def test_few_boids_of_one_frame(name, count, dims, kind):
    full = blob(kind, dims, 30)
    flock = of_arrays(full.positions[:count], full.velocities[:count], space_of(kind, dims),
                      ids=FAR + 5 * np.arange(count))  # fmt: skip
    value(name, [flock] * 3, hawks_of([full] * 3))


@cases("name", [name for name, m in MEASURES.items() if m.kind == "number"])
def test_frames_have_equal_weight(name):
    """A number over frames is the mean of its frames, whatever their number of boids."""
    measure, options = MEASURES[name], OPTIONS.get(name, {})
    flocks = [with_trait(flock) for flock in thinned(moving(name), presence(6, COUNT, 14))]
    each_frame = np.array([measure.function(flock, **options) for flock in flocks])
    assert float(over_frames(name, flocks)) == pytest.approx(np.nanmean(each_frame), rel=1e-9)


@pytest.mark.parametrize("name", [n for n, m in MEASURES.items() if m.kind == "hunt"])
def test_predators_that_come_and_go(name):
    flocks = moving(name)
    hawks = hawks_of(flocks)
    around = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 1], [0, 0, 0], [0, 0, 1]], bool)
    some = thinned(hawks, around, np.array([5, 9, FAR]))
    over_frames(name, thinned(flocks, presence(len(flocks), COUNT, 15)), some)
    if name == "captures":
        radius = OPTIONS[name]["radius"]
        caught = set()
        for flock, hunters in zip(flocks, some, strict=True):
            distances = measures.predator_distances(flock, hunters)
            caught |= set(flock.ids[np.nan_to_num(distances, nan=np.inf) <= radius].tolist())
        assert over_frames(name, flocks, some).value == len(caught) > 0


def test_prey_that_are_replaced_do_not_regroup():
    """A split ends with the prey: those who join later are another flock."""
    space = space_of("open", 2, 100.0)

    def prey(*x: float, ids: int = 0):
        return of_arrays(np.stack([x, np.zeros(len(x))], axis=1), None, space,
                         ids=ids + np.arange(len(x)))  # fmt: skip

    together, apart, nobody = prey(1.0, 2.0, 3.0), prey(1.0, 2.0, 30.0), of_arrays(
        np.zeros((0, 2)), None, space
    )  # fmt: skip
    hawk = [prey(50.0)] * 5

    def time(*flocks):
        frames = hunt(list(flocks), hawk[: len(flocks)])
        return float(measures.regrouping_time(frames, flock="prey", predators="hawks", link=2.0))

    assert time(together, apart, apart, together) == 2.0
    assert math.isnan(time(together, apart, nobody, prey(1.0, 2.0, ids=7)))


@cases("count", [0, 1, 2, 7])
@cases("dims, kind", [(2, "open"), (3, "torus"), (2, "channel")])
def test_few_boids_on_several_workers(count, dims, kind):
    """Measures by parts, of which some have no boid."""
    from murmurate.measures.by_parts import BY_PARTS, measure_by_parts

    full = blob(kind, dims, 30)
    flock = of_arrays(full.positions[:count], full.velocities[:count], full.space)
    part_of = np.arange(count) % 3
    parts = [flock.take(np.flatnonzero(part_of == k)) for k in range(4)]
    result = measure_by_parts(
        list(BY_PARTS), ["boids"], lambda function: [function([part]) for part in parts]
    )
    for name, number in result["boids"].items():
        expected = MEASURES[name].function(flock)
        np.testing.assert_allclose(number, expected, rtol=1e-9, err_msg=name)


# Plain definitions


def table(kind="open", dims=2, frames=6, seed=15, gaps=True):
    """Return frames of thinned flocks, and (T, N, D) positions and velocities, nan where absent."""
    flocks = [of_arrays(f.positions[:40], f.velocities[:40], f.space)
              for f in drifting(kind, dims, frames)]  # fmt: skip
    present = presence(frames, 40, seed, gaps)
    x, v = (np.array([getattr(f, name) for f in flocks]) for name in ("positions", "velocities"))
    x[~present], v[~present] = np.nan, np.nan
    random = np.random.default_rng(seed)
    ids = FAR + np.sort(random.choice(10**6, 40, replace=False))
    return run(thinned(flocks, present, ids), 0.5), x, v, ids


def by_lag(frames: int, value) -> list[float]:
    """Return the mean over pairs of frames (a, b) of each lag, with value(a, b) -> list."""
    means = []
    for lag in range(frames):
        values = [x for a in range(frames - lag) for x in value(a, a + lag)]
        means.append(np.mean(values) if values else np.nan)
    return means


def test_mean_squared_displacement():
    frames, x, _, _ = table()

    def squares(a, b):
        both = np.isfinite(x[a, :, 0]) & np.isfinite(x[b, :, 0])
        return [float(((x[b, i] - x[a, i]) ** 2).sum()) for i in np.flatnonzero(both)]

    curve = measures.mean_squared_displacement(frames)
    np.testing.assert_allclose(curve.y, by_lag(6, squares), atol=1e-12)

    def about_the_flock(a, b):
        both = np.isfinite(x[a, :, 0]) & np.isfinite(x[b, :, 0])
        moved = (x[b] - x[a])[both]
        return list(((moved - moved.mean(axis=0)) ** 2).sum(axis=1))

    curve = measures.mean_squared_displacement(frames, about="flock")
    np.testing.assert_allclose(curve.y, by_lag(6, about_the_flock), atol=1e-12)


def test_heading_autocorrelation():
    frames, _, v, _ = table()
    u = v / np.linalg.norm(v, axis=2, keepdims=True)

    def cosines(a, b):
        dots = (u[a] * u[b]).sum(axis=1)
        return list(dots[np.isfinite(dots)])

    curve = measures.heading_autocorrelation(frames)
    np.testing.assert_allclose(curve.y, by_lag(6, cosines), atol=1e-12)


def test_neighbour_overlap():
    frames, x, _, _ = table()
    k = 3

    def nearest(frame, i, both):
        others = [j for j in both if j != i]
        others.sort(key=lambda j: np.linalg.norm(x[frame, j] - x[frame, i]))
        return set(others[:k])

    def kept(a, b):
        both = np.flatnonzero(np.isfinite(x[a, :, 0]) & np.isfinite(x[b, :, 0])).tolist()
        return [len(nearest(a, i, both) & nearest(b, i, both)) / k for i in both]

    curve = measures.neighbour_overlap(frames, k=k)
    np.testing.assert_allclose(curve.y, by_lag(6, kept), atol=1e-12)


def test_paths():
    frames, x, _, ids = table()
    lengths = measures.path_length(frames)
    cosines = measures.turning_cosine(frames)
    for i, boid in enumerate(ids.tolist()):
        steps = np.diff(x[:, i], axis=0)
        long = np.linalg.norm(steps, axis=1)
        if not np.isfinite(x[:, i, 0]).any():
            assert boid not in list(lengths)
            continue
        expected = np.nansum(long) if np.isfinite(long).any() else np.nan
        np.testing.assert_allclose(lengths[boid], expected)
        between = (steps[1:] * steps[:-1]).sum(axis=1) / (long[1:] * long[:-1])
        between = between[np.isfinite(between)]
        mean = between.mean() if len(between) else np.nan
        np.testing.assert_allclose(cosines[boid], mean)


def test_home_range_of_a_life():
    from scipy.spatial import ConvexHull

    frames, x, _, ids = table()
    areas = measures.home_range(frames, percent=100)
    for i, boid in enumerate(ids.tolist()):
        points = x[np.isfinite(x[:, i, 0]), i]
        if len(points) >= 3:
            np.testing.assert_allclose(areas[boid], ConvexHull(points).volume)


def test_directional_delays():
    frames, _, v, ids = table(gaps=False)
    u = v / np.linalg.norm(v, axis=2, keepdims=True)
    delays = measures.directional_delays(frames, reach=1.0, min_correlation=-1)
    ever = np.isfinite(u[:, :, 0]).any(axis=0)
    assert delays.ids.tolist() == ids[ever].tolist()
    rows = np.flatnonzero(ever)
    for a, i in enumerate(rows):
        for b, j in enumerate(rows):
            if i == j:
                continue
            best, delay = -np.inf, np.nan
            for lag in (0, 1, -1, 2, -2):
                first, second = (u[: 6 - lag, i], u[lag:, j]) if lag >= 0 else (
                    u[-lag:, i], u[: 6 + lag, j])  # fmt: skip
                c = (first * second).sum(axis=1)
                c = c[np.isfinite(c)]
                if len(c) and c.mean() > best + 1e-9:
                    best, delay = c.mean(), lag * 0.5
            np.testing.assert_allclose(delays.delays[a, b], delay, err_msg=f"{i}, {j}")


def test_leadership_counts_all_boids_that_ever_were(monkeypatch):
    """Few boids at a time, but more in all than can be compared in pairs."""
    module = import_module("murmurate.measures.leadership")
    monkeypatch.setattr(module, "MAX_BOIDS", 100)
    flocks = []
    for k in range(6):
        flock = blob("open", 2, 30, seed=k)
        flocks.append(of_arrays(flock.positions, flock.velocities, flock.space,
                                ids=30 * k + np.arange(30)))  # fmt: skip
    with pytest.raises(MeasureError, match="leadership: got 120 boids in all frames"):
        measures.leadership(run(flocks))


def test_speeding_force():
    frames, x, v, _ = table("open")
    curve = measures.speeding_force(frames, reach=2.0, bins=4)
    edges, sums, count = np.linspace(-2, 2, 5), np.zeros(4), np.zeros(4)
    for k in range(1, 5):
        force = (v[k + 1] - v[k - 1]) / 1.0
        for i in range(40):
            if not np.isfinite(x[k - 1 : k + 2, i]).all():
                continue
            u = v[k, i] / np.linalg.norm(v[k, i])
            for j in range(40):
                d = x[k, j] - x[k, i]
                across = d @ [-u[1], u[0]]
                if i == j or not (abs(d @ u) <= 2.0 and abs(across) <= 2.0):
                    continue
                bin_ = int(np.clip(np.searchsorted(edges, d @ u, side="right") - 1, 0, 3))
                sums[bin_] += force[i] @ u
                count[bin_] += 1
    np.testing.assert_array_equal(curve.count, count)
    np.testing.assert_allclose(curve.y, sums / count)


def test_error_of_lags_with_single_boids():
    """Origins with one boid have no variance of their own: the error pools all origins."""
    x = np.random.default_rng(1).normal(size=(5, 40, 2)).cumsum(axis=0)
    present = np.ones((5, 40), bool)
    present[3:, 1:] = False
    space = space_of("open", 2)
    flocks = [of_arrays(p[rows], p[rows], space, ids=np.flatnonzero(rows))
              for p, rows in zip(x, present, strict=True)]  # fmt: skip
    curve = measures.mean_squared_displacement(run(flocks))
    assert curve.count.tolist() == [122, 82, 42, 2, 1]
    assert np.isfinite(curve.error[:3]).all()
    assert np.isnan(curve.error[3:]).all()  # one boid at each origin
    assert (curve.error[1:3] > 0).all()


def test_clusters_of_a_growing_flock():
    """Sizes beyond the bins of the first frame get bins of their own, so shares add up to 1."""
    space = space_of("open", 2, 1000.0)
    flocks = [of_arrays(np.arange(2.0 * n).reshape(n, 2), None, space) for n in (1, 3, 20, 100)]
    curve = measure_frames(
        run(flocks), ["cluster_size_distribution"],
        options={"cluster_size_distribution": {"link": 4.0}},
    )["cluster_size_distribution"].value  # fmt: skip
    assert curve.edges.tolist() == [1, 2, 4, 8, 16, 32, 64, 128]
    np.testing.assert_allclose(curve.y, [0.25, 0.25, 0, 0, 0.25, 0, 0.25])
    assert curve.count.tolist() == [1, 1, 0, 0, 1, 0, 1]
