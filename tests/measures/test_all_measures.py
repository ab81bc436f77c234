"""Symmetries of every measure in the table, new ones included.

The value does not depend on the position and orientation of the flock, on the ids of its boids, nor
on rows of boids that are not seen.
"""

from __future__ import annotations

import functools
import inspect
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flocks_for_measures import blob, drifting, hunt, run, space_of, startled, wrap

import murmurate.measures as measures
from cases import cases
from murmurate.frame import FlockFrame
from murmurate.measures import (
    MEASURES,
    Curve,
    Estimate,
    Measure,
    PerAnimal,
    measure_frames,
    of_arrays,
)
from murmurate.measures.order import STATES

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = {
    "collisions": {"radius": 0.2},
    "captures": {"radius": 0.5},
    "number_fluctuations": {"min_count": 0.01},
    "number_fluctuation_exponent": {"min_count": 0.01},
    "structure_factor": {"reach": 5.0, "bins": 8},
    "opacity": {"size": 0.2, "observers": 500, "directions": 100},
    "outer_opacity": {"size": 0.2, "views": 4},
    "relaxation_time": {"k": 3.0},
    "regrouping_time": {"link": 0.8, "min_size": 20},
    "turn_speed": {"angle": 0.5},
    "turn_exponent": {"angle": 0.5},
    "approaches": {"radius": 0.3},
    "time_in_zone": {"zone": "circle 0.3 9.8 1"},
    "share_in_zone": {"zone": "circle 0.3 9.8 1"},
    "wall_distance": {"wall": "circle 0.3 9.8 1"},
}
OPTIONS |= {name: {"zone": "circle 0.3 9.8 1"} for name in MEASURES if name.startswith("zone_")}
OPTIONS |= {
    name: {"trait": "boldness"}
    for name, m in MEASURES.items()
    if "trait" in m.required or "trait" in m.defaults
}
OPTIONS["trait_clustering"] |= {"link": 0.3}
OPTIONS["trait_assortment"] |= {"link": 0.5}
# These refer to fixed positions, so they change if the flock is moved. test_per_animal.py tests
# their symmetries.
PLACED = {name for name, m in MEASURES.items() if {"zone", "wall"} & set(m.required)}
COUNTS = {"boid_count", "arrival_rate", "departure_rate"}  # have a value for empty flocks
# These refer to the last axis, so flocks are rotated about that axis only.
UPRIGHT = {"signed_milling", "phase_wave", "home_range", "kernel_home_range"}
COUNT = 120  # boids
KINDS = {
    "number": float,
    "curve": Curve,
    "word": str,
    "frames": (Estimate, Curve),
    "per animal": PerAnimal,
    "hunt": Estimate,
}
ALL = sorted(MEASURES)
each = cases("name", ALL)
each_anywhere = cases("name", sorted(set(ALL) - PLACED))


def spaces(*quick: tuple[str, int]) -> pytest.MarkDecorator:
    """Parametrize by all kinds of spaces of 2 and 3 dimensions; those not given are slow."""
    every = [(kind, dims) for kind in ("open", "torus", "channel") for dims in (2, 3)]
    marks = {space: () if space in quick else pytest.mark.slow for space in every}
    return pytest.mark.parametrize(
        ("kind", "dims"), [pytest.param(*space, marks=mark) for space, mark in marks.items()]
    )


def dimensions(quick: int) -> pytest.MarkDecorator:
    """Parametrize by 2 and 3 dimensions; the one that is not given is slow."""
    slow = pytest.param(5 - quick, marks=pytest.mark.slow)
    return pytest.mark.parametrize("dims", [quick, slow])


def value(name: str, flocks: list[FlockFrame], other: list[FlockFrame] | None = None):
    """Return a measure of the flocks; measures of one frame use the first."""
    measure, options = MEASURES[name], OPTIONS.get(name, {})
    flocks = [with_trait(flock) for flock in flocks]
    if measure.kind in ("number", "curve", "word"):
        return measure.function(flocks[0], **options)
    if measure.kind in ("frames", "per animal"):
        return measure.function(run(flocks, 0.1), **options)
    hawks = other or [of_arrays(f.positions[:3], f.velocities[:3], f.space) for f in flocks]
    return measure.function(hunt(flocks, hawks), flock="prey", predators="hawks", **options)


def with_trait(flock: FlockFrame) -> FlockFrame:
    """Return the flock with a trait that does not depend on its position and orientation."""
    speed = np.linalg.norm(np.asarray(flock.velocities, np.float64), axis=1)
    return replace(flock, traits={"rules.test.boldness": speed + np.sin(7 * speed)})


def moving(name: str, kind: str, dims: int) -> list[FlockFrame]:
    """Return frames for which a measure has a value."""
    return flocks_of(startled if MEASURES[name].event else drifting, kind, dims)


@functools.cache
def flocks_of(make: Callable[..., list[FlockFrame]], kind: str, dims: int) -> list[FlockFrame]:
    return make(kind, dims, count=COUNT)


def numbers(result) -> np.ndarray:
    """Return a result as numbers to compare."""
    if isinstance(result, str):
        return np.array([float(STATES.index(result))])
    if isinstance(result, Curve):
        return np.concatenate([result.x, result.y, result.count])
    if isinstance(result, PerAnimal):  # in any order, since ids may differ
        order = np.lexsort((result.counts, result.values))
        return np.concatenate([result.values[order], result.counts[order]])
    return np.array([float(result)])


def same(first, other) -> None:
    a, b = numbers(first), numbers(other)
    assert np.isfinite(a).any(), "the test's flock must have a value"
    np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)


def changed(flocks: list[FlockFrame], how) -> list[FlockFrame]:
    """Return flocks with changed positions and velocities, wrapped on periodic axes."""
    result = []
    for first in flocks:
        x, v = how(first.positions, first.velocities)
        result.append(of_arrays(wrap(x, first.space), v, first.space, ids=first.ids))
    return result


def hawks_of(flocks: list[FlockFrame]) -> list[FlockFrame]:
    return [of_arrays(f.positions[:3] + 0.05, f.velocities[:3], f.space) for f in flocks]


@cases("name", ALL)
def test_table_is_complete(name):
    measure = MEASURES[name]
    assert isinstance(measure, Measure)
    assert measure.function is getattr(measures, name)
    assert name in measures.__all__
    assert measure.unit and measure.bounds and measure.definition
    assert len(measure.definition) < 90
    assert (measure.kind in ("frames", "per animal", "hunt")) == (measure.collector is not None)


@cases("name", ALL)
def test_docstring_states_everything(name):
    """Parameters as in the signature; definition, range, unit, missing values and source."""
    measure = MEASURES[name]
    summary, *titled = re.split(r"^(\w+)\n-+\n", measure.function.__doc__ or "", flags=re.MULTILINE)
    parts = dict(zip(titled[::2], titled[1::2], strict=True))
    signature = inspect.signature(measure.function)
    described = re.findall(r"^(\w+) : \S.*\n    \S", parts["Parameters"], re.MULTILINE)
    assert described == list(signature.parameters)
    assert f"Definition: {measure.definition}." in " ".join(summary.split())
    kind, text = " ".join(parts["Returns"].split()).split(" ", 1)
    assert kind == signature.return_annotation
    unit = "(no unit)" if measure.unit == "1" else f"({measure.unit})"
    assert text[1:].startswith(measure.bounds[1:])
    assert measure.unit == "word" or unit in text
    assert measure.missing in text
    assert re.search("(nan|points|'none'|0) (for|if) ", text)
    assert "Raises" in parts or len(signature.parameters) == 1
    source = " ".join(parts["Notes"].split("Source: ")[1].split())
    assert all(doi.startswith("10.") and f"doi:{doi}" in source for doi in measure.source.split())
    assert measure.publications or "own definition" in source


@spaces(("open", 2), ("channel", 3))
@each
def test_value_has_its_kind(name, dims, kind):
    result = value(name, moving(name, kind, dims))
    assert isinstance(result, KINDS[MEASURES[name].kind])
    assert isinstance(result, str) or np.isfinite(numbers(result)).any()


@spaces(("torus", 2))
@each_anywhere
def test_shifted_flock(name, dims, kind):
    flocks = moving(name, kind, dims)
    hawks = hawks_of(flocks)
    shift = np.array([3.3, 4.7, 1.9])[:dims]

    def moved(x, v):
        return x + shift, v

    same(value(name, flocks, hawks), value(name, changed(flocks, moved), changed(hawks, moved)))


@pytest.mark.slow
@dimensions(3)
@each_anywhere
def test_rotated_flock_in_open_space(name, dims):
    flocks = moving(name, "open", dims)
    hawks = hawks_of(flocks)
    turn = np.eye(dims)
    turn[:2, :2] = [[math.cos(1), -math.sin(1)], [math.sin(1), math.cos(1)]]
    if dims == 3 and name not in UPRIGHT:
        tilt = np.eye(3)
        tilt[1:, 1:] = [[math.cos(2), -math.sin(2)], [math.sin(2), math.cos(2)]]
        turn = tilt @ turn

    def turned(x, v):
        return x @ turn.T, v @ turn.T

    same(value(name, flocks, hawks), value(name, changed(flocks, turned), changed(hawks, turned)))


@pytest.mark.slow
@dimensions(2)
@each_anywhere
def test_quarter_rotation_of_a_torus(name, dims):
    flocks = moving(name, "torus", dims)
    hawks = hawks_of(flocks)

    def turned(x, v):
        result = []
        for rows in (x, v):
            new = rows.copy()
            new[:, 0], new[:, 1] = -rows[:, 1], rows[:, 0]
            result.append(new)
        return result

    same(value(name, flocks, hawks), value(name, changed(flocks, turned), changed(hawks, turned)))


@pytest.mark.slow
@dimensions(3)
@each
def test_renumbered_boids(name, dims):
    flocks = moving(name, "torus", dims)
    order = np.random.default_rng(3).permutation(len(flocks[0]))
    others = [of_arrays(f.positions[order], f.velocities[order], f.space) for f in flocks]
    hawks = hawks_of(flocks)
    same(value(name, flocks, hawks), value(name, others, hawks))


@pytest.mark.slow
@dimensions(2)
@each
def test_unseen_boids_equal_absent_boids(name, dims):
    flocks = moving(name, "torus", dims)
    hawks = hawks_of(flocks)
    with_gaps, without = [], []
    for f in flocks:
        x, v = np.full((400, dims), np.nan), np.full((400, dims), np.nan)
        rows = np.sort(np.random.default_rng(5).choice(400, len(f), replace=False))
        x[rows], v[rows] = f.positions, f.velocities
        with_gaps.append(of_arrays(x, v, f.space))
        without.append(of_arrays(f.positions, f.velocities, f.space, ids=rows))
    same(value(name, with_gaps, hawks), value(name, without, hawks))


COSTS = json.loads((ROOT / "docs" / "measure-costs.json").read_text(encoding="utf-8"))["seconds"]


@cases("name", COSTS)
def test_slow_flag_matches_measured_costs(name):
    """Slow means more than 10 ms for a frame of 1,000 boids."""
    assert MEASURES[name].slow == (COSTS[name]["1000"]["cpu"] > 0.01)


DEGENERATE = ["empty", "all unseen", "one", "two", "at rest", "at one place", "in a line"]


@pytest.mark.parametrize("case", DEGENERATE)
@spaces(("torus", 2))
@each
def test_degenerate_flocks(name, dims, kind, case):
    """They raise no error and no warning. A flock without boids has no value."""
    space = space_of(kind, dims)
    full = blob(kind, dims, 30)
    x, v = full.positions.copy(), full.velocities.copy()
    if case in ("empty", "one", "two"):
        count = DEGENERATE.index(case) - 1 if case != "empty" else 0
        x, v = x[:count], v[:count]
    elif case == "all unseen":
        x, v = np.full_like(x, np.nan), np.full_like(v, np.nan)
    elif case == "at rest":
        v = np.zeros_like(v)
    elif case == "at one place":
        x = np.full_like(x, 3.0)
    elif case == "in a line":
        x[:, 1:] = 2.0
    flocks = [of_arrays(x, v, space)] * 3
    result = value(name, flocks, hawks_of(flocks))
    if case in ("empty", "all unseen"):
        if isinstance(result, str):
            assert result == "none"
        elif isinstance(result, Curve | PerAnimal):
            assert not len(result)
        elif name in COUNTS:
            assert float(result) == 0.0
        else:
            assert math.isnan(float(result))
    if MEASURES[name].kind != "hunt":
        options = {name: OPTIONS[name]} if name in OPTIONS else {}
        flocks = [with_trait(flock) for flock in flocks]
        assert list(measure_frames(run(flocks), [name], options=options)) == [name]


NEARLY_EQUAL = ("minimum_distance", "elongation_along_motion")  # they subtract such numbers


@cases("name", [name for name in ALL if name not in NEARLY_EQUAL])
def test_single_precision(name):
    """Frames in float32 give the values of float64, to float32 precision."""
    flocks = moving(name, "open", 2)
    rounded = [
        FlockFrame(
            f.name,
            f.ids,
            f.positions.astype(np.float32),
            f.velocities.astype(np.float32),
            f.perch_timers,
            f.space,
        )
        for f in flocks
    ]
    doubled = [of_arrays(f.positions, f.velocities, f.space) for f in rounded]
    same(value(name, rounded), value(name, doubled))
