"""The two engines agree, and stay finite, where geometry is at its edges: boids on cell borders,
exact ties, coincident boids, very few of them, runaways, grids of very few cells."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise
from all_threads import Together
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.model.quantity import number_at
from structures_first import STRUCTURES as FIRST
from structures_first import mixed, nearest_open, nearest_torus, torus, two_flocks

Simulate = Callable[..., CpuEngine]


LAYOUTS = [
    "cells",
    pytest.param("all pairs", marks=pytest.mark.slow),
    pytest.param("compiled", marks=pytest.mark.long),
]
"""The kernels of all but the last, cells too, are interpreted."""


@pytest.fixture(params=LAYOUTS)
def simulate_both(request: pytest.FixtureRequest) -> Simulate:
    """Return a function that simulates a model by a layout and by the reference, which agree."""
    cells = request.param != "all pairs"
    make = flights.cpu if request.param == "compiled" else flights.interpreted

    def simulate(
        model: mm.Model, start: flights.Start | None = None, steps: int = 3, **options: Any
    ) -> CpuEngine:
        expected = flights.reference(model, start)
        expected.step(steps)
        thresholds = pairwise.CELLS if cells else pairwise.ALL_PAIRS
        engine = make(model, start, thresholds=thresholds, **options)
        assert bool(engine.layout.gridded) == cells
        engine.step(steps)
        flights.assert_agree(engine, expected)
        return engine

    return simulate


def scattered(count: int, dims: int, side: float = 10.0, seed: int = 5) -> Any:
    random = np.random.default_rng(seed)
    return side * random.random((count, dims)), random.normal(size=(count, dims))


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("name", FIRST)
def test_very_few(simulate_both: Simulate, name: str, count: int) -> None:
    simulate_both(FIRST[name][0](count=count), steps=5)


@pytest.mark.parametrize("name", ["torus", "nearest-open", "mixed"])
def test_nobody(name: str) -> None:
    flight = flights.interpreted(FIRST[name][0](count=0))
    flight.step(3)
    positions, velocities, timers = flights.arrays(flight)["boids"]
    assert (len(positions), len(velocities), len(timers), flight.step_number) == (0, 0, 0, 3)


@pytest.mark.parametrize("ratio", [3.0, 3.00001, 3.0001, 3.5, 4.0, 5.0, 8.0])
def test_few_cells_round_a_torus(simulate_both: Simulate, ratio: float) -> None:
    """Two cells (the side is three radii, less the margin for rounding), three, four, ..."""
    simulate_both(torus(count=50, side=10.0, radius=10.0 / ratio))


@pytest.mark.parametrize("count", [60, 250])
def test_crowds_have_thinner_slabs(simulate_both: Simulate, count: int) -> None:
    """From some density on, cells are half a radius wide along two axes."""
    flight = simulate_both(torus(count=count, side=10.0, radius=3.3, separation=0.01), steps=1)
    model = two_flocks(count=count, hunters=8, side=12.0, radius=2.3)
    other = simulate_both(model, steps=1)
    if flight.layout.gridded:
        assert flight.diagnostics().cells_per_radius[0] == 1
        assert other.diagnostics().cells_per_radius[0] == (2 if count == 250 else 1)


def test_boids_on_borders(simulate_both: Simulate) -> None:
    """Boids on the corners of the cells and on the faces of the space."""
    corners = np.stack(np.meshgrid(*[np.arange(4) * 2.5] * 3), axis=-1).reshape(-1, 3)
    model = torus(count=64, side=10.0, radius=2.4, view=100.0)
    positions = np.array(model.space.lower) + corners
    simulate_both(model, {"boids": (positions, np.tile([0.5, -0.25, 0.125], (64, 1)))})


@pytest.mark.parametrize("radius", [2.0, pytest.param(4.0, marks=pytest.mark.slow)])
def test_boids_at_the_radius(simulate_both: Simulate, radius: float) -> None:
    """On a lattice neighbours stand at exactly the sensing radius, and are sensed."""
    model = torus(count=216, side=12.0, radius=radius, cohesion=0.0, alignment=0.0, separation=0.5)
    model = model.set({"rules.separation.radius": radius, "rules.cohesion.weight": 0.5})
    lattice = np.stack(np.meshgrid(*[np.arange(6) * 2.0] * 3), axis=-1).reshape(-1, 3)
    start = {"boids": (np.array(model.space.lower) + lattice, np.zeros((216, 3)))}
    simulate_both(model, start, steps=1)


@pytest.mark.slow
@pytest.mark.parametrize("side", [6.0, 8.0])
def test_ties_for_the_nearest(simulate_both: Simulate, side: float) -> None:
    """On a lattice many boids are equally far: those of lower id count."""
    rows = np.arange(int(side))
    lattice = np.stack(np.meshgrid(rows, rows), axis=-1).reshape(-1, 2).astype(float)
    order = np.random.default_rng(1).permutation(len(lattice))
    lattice = lattice[order]
    boids, others = lattice[:-7], lattice[-7:]
    model = nearest_torus(count=len(boids), side=side, radius=side / 2)
    velocities = np.random.default_rng(2).integers(-2, 3, (len(lattice), 2)) / 2.0
    start = {"boids": (boids, velocities[:-7]), "others": (others, velocities[-7:])}
    simulate_both(model, start, steps=1)


def test_ties_in_space(simulate_both: Simulate) -> None:
    rows = np.arange(4.0)
    lattice = np.stack(np.meshgrid(rows, rows, rows), axis=-1).reshape(-1, 3)
    lattice = lattice[np.random.default_rng(1).permutation(64)]
    velocities = np.random.default_rng(2).integers(-2, 3, (64, 3)) / 2.0
    simulate_both(nearest_open(count=64), {"boids": (lattice, velocities)}, steps=1)


@pytest.mark.parametrize("name", ["torus", "nearest-open", "mixed"])
def test_boids_at_one_place(simulate_both: Simulate, name: str) -> None:
    """Boids at the same point, some with the same velocity, do not push each other."""
    model = FIRST[name][0](count=12)
    positions, velocities = scattered(12, 3, side=6.0)
    positions += np.array([0.0, 0.0, 2.0])
    positions[3:7], velocities[4:7] = positions[2], velocities[3]
    simulate_both(model, {"boids": (positions, velocities)}, steps=2)


@pytest.mark.parametrize("name", ["torus", "nearest-open", "mixed"])
def test_all_at_one_place_at_rest(simulate_both: Simulate, name: str) -> None:
    """Nothing steers them: they stay there, unless their motion promises a least speed."""
    model = FIRST[name][0](count=9)
    start = {"boids": (np.full((9, 3), 4.0), np.zeros((9, 3)))}
    positions, velocities, _ = flights.arrays(simulate_both(model, start, steps=3))["boids"]
    minimum = number_at(model.flocks["boids"].motion.min_speed, 0.0)
    assert (minimum > 0.0) == (name == "mixed")
    if minimum > 0.0:
        assert (np.linalg.norm(velocities, axis=1) >= minimum * (1 - 1e-9)).all()
    else:
        assert (positions == positions[0]).all()


@pytest.mark.slow
def test_at_rest_all_is_seen(simulate_both: Simulate) -> None:
    """Boids at rest have no heading, and see all around."""
    positions, velocities = scattered(30, 3, side=8.0)
    velocities[::2] = 0.0
    positions += np.array([-1.0, 0.0, 2.0])
    simulate_both(torus(count=30, view=30.0), {"boids": (positions, velocities)}, steps=2)
    simulate_both(nearest_open(count=30, view=30.0), {"boids": (positions, velocities)}, steps=2)


@pytest.mark.parametrize("make", [nearest_open, two_flocks])
@pytest.mark.parametrize("away", [50.0, 3e4])
def test_runaways(simulate_both: Simulate, make: Any, away: float) -> None:
    """A few boids far from all others, and from each other not: found, and no one is lost."""
    model = make(count=40)
    positions, velocities = scattered(40, model.space.dims, side=6.9)
    if make is nearest_open:
        positions[:3, 0] += away
        positions[3:5, 1] -= away
        positions[5] += 0.9 * away
    else:  # on a torus along x, and reflecting along y: across the face, the nearest are near
        positions[:3, 0] = [9.9, 9.999, 0.001]
    start = {"boids": (positions, velocities)}
    simulate_both(model, start, steps=3)


def test_the_lost_are_named_in_cells() -> None:
    """Sorting into cells moves boids about in memory; the message names the right one."""
    positions, velocities = scattered(40, 3)
    velocities[23] = [0.0, 1e9, 0.0]
    model = nearest_open(count=40).set({"flocks.boids.motion.max_speed": 1e9})
    start = {"boids": (positions, velocities)}
    flight = flights.interpreted(model, start, thresholds=pairwise.CELLS)
    with pytest.raises(mm.RunError, match=r"boid 23 of flock 'boids' .* after step 1:") as caught:
        flight.step(9)
    assert (caught.value.step, caught.value.flock, caught.value.boid) == (1, "boids", 23)


@pytest.mark.parametrize("side", [0.001, pytest.param(0.1, marks=pytest.mark.slow), 3.0])
def test_clumps(simulate_both: Simulate, side: float) -> None:
    """Two dense clumps far apart, and a few between: cells of very different occupancy."""
    positions, velocities = scattered(45, 3, side=side)
    positions[20:40] += 40.0
    positions[40:] = np.linspace(5.0, 30.0, 5)[:, None]
    simulate_both(nearest_open(count=45), {"boids": (positions, velocities)}, steps=4)


@pytest.mark.slow
@pytest.mark.parametrize("flat", [1.0, 0.3, 0.04])
@pytest.mark.parametrize("count", [2, 9, 60])
def test_sparse_on_a_torus(simulate_both: Simulate, count: int, flat: float) -> None:
    """Fewer boids than are looked for, or hardly more: round the torus no one is met twice."""
    simulate_both(nearest_torus(count=count, flat=flat, side=20.0), steps=3)


@pytest.mark.slow
def test_clump_on_a_torus(simulate_both: Simulate) -> None:
    positions, velocities = scattered(60, 2, side=0.01)
    positions[:3] += 5.0
    start = {"boids": (positions % 10.0, velocities), "others": scattered(7, 2)}
    simulate_both(nearest_torus(count=60), start, steps=4)


@pytest.mark.parametrize(
    "several",
    [pytest.param(k, marks=pytest.mark.long) for k in (100, 200)],
)
def test_many_nearest(simulate_both: Simulate, several: int) -> None:
    """Of 246 others, and with a flock of fewer than are looked for: then all count."""
    model = nearest_torus(count=240, side=20.0).set({"rules.cohesion.nearest": several})
    simulate_both(model, steps=2)
    simulate_both(model.set({"flocks.boids.count": 90}), steps=2)


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.0, 0.4, 5.0])
def test_late_and_wrong_senses_in_cells(simulate_both: Simulate, error: float) -> None:
    """Boids are perceived where they were, or anywhere: by up to half a side from their cells,
    round the torus too. A search among true positions would find others."""
    late = mm.Sensing(delay=0.45, refresh=0.2, position_error=error, velocity_error=0.1)
    model = torus(count=40, side=8.0).set({"flocks.boids.sensing": late})
    engine = simulate_both(model, steps=8)
    if engine.layout.gridded:
        assert engine.layout.perceived_row == 0
        two = simulate_both(model, steps=8, threads=2, make_loop=Together)
        flights.assert_same_bits(engine, two)


LONG_RANGE = {
    "morse": {"repulsion": 0.3, "repulsion_range": 0.4, "attraction": 0.1, "attraction_range": 1.0},
    "alpha-lattice": {"distance": 1.0, "weight": 0.1},
    "weighted-alignment": {"exponent": 0.7, "weight": 0.2},
    "attraction-turn": {"distance": 1.0, "range": 2.0, "weight": 0.1},
}


@pytest.mark.parametrize(
    ("name", "order"),
    [
        pytest.param("morse", "synchronous", marks=pytest.mark.long),
        pytest.param("alpha-lattice", "one-by-one", marks=pytest.mark.long),
        pytest.param("weighted-alignment", "synchronous", marks=pytest.mark.long),
        pytest.param("attraction-turn", "one-by-one", marks=pytest.mark.long),
    ],
)
def test_rules_that_take_long_in_cells(simulate_both: Simulate, name: str, order: str) -> None:
    """They are asked only of those near enough: two such rules, of two radii, beside rules that are
    asked of everyone around, with one flock and with two; alone, in company, and in a crowd."""
    rules = {
        "far": {"kind": name, "radius": 2.0, "moves": "boids", **LONG_RANGE[name]},
        "near": {
            "kind": name,
            "radius": 1.1,
            "moves": "boids",
            "field_of_view": 90.0,
            **LONG_RANGE[name],
        },
    }
    for side in (6.5, 9.0, 30.0):
        table = torus(count=60, side=side, radius=1.6).set({"order": order}).to_dict()
        table["rules"] |= copy.deepcopy(rules)
        simulate_both(mm.Model(**table), steps=4)
    table["space"]["size"] = [9.0] * 3
    table["flocks"]["others"] = {**table["flocks"]["boids"], "count": 20}
    for rule in table["rules"].values():
        rule |= {"moves": "boids", "senses": ["boids", "others"]}
    simulate_both(mm.Model(**table), steps=4)


@pytest.mark.slow
def test_nearest_and_metric_together(simulate_both: Simulate) -> None:
    """The wider of two needs decides the cells; the search widens where it must."""
    for radius in (1.0, 2.5):
        simulate_both(mixed(count=60, radius=radius), steps=4)


def test_crowded_cells_beside_emptier_ones(simulate_both: Simulate) -> None:
    """The candidates of a crowded cell are gathered; those of the one before do not count."""
    model = mm.Model(
        dt=0.01,
        space=mm.Space(size=(12.0, 12.0)),
        flocks={"boids": mm.Flock(count=260)},
        rules={"cohesion": mm.Cohesion(nearest=6)},
    )
    positions, velocities = scattered(260, 2, side=12.0)
    first = 40
    for k, count in enumerate((70, 50, 40, 30, 16, 14)):
        crowd = positions[first : first + count]
        crowd[:] = [2.0 + 1.3 * k, 5.0] + crowd / 20.0
        first += count
    simulate_both(model, {"boids": (positions, velocities)}, steps=4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["metric", "in-turn"])
def test_a_limit_given_in_flight(name: str) -> None:
    """Kernels limit no rule that has no limit: to give it one brings a new kernel."""
    model = pairwise.model_of(pairwise.ROWS[name])
    rule = next(iter(model.rules))
    model = model.set({f"rules.{rule}.limit": math.inf})
    first = flights.interpreted(model, thresholds=pairwise.CELLS)
    other = flights.reference(model)
    module = first.diagnostics().kernel_module
    for limit in (1e-3, math.inf):
        for engine in (first, other):
            engine.replace_model(model.set({f"rules.{rule}.limit": limit}))
            engine.step(3)
        assert (first.diagnostics().kernel_module == module) == (limit == math.inf)
    flights.assert_agree(first, other)


def test_limits_changed_in_flight() -> None:
    """A finite limit takes effect as a weight does, without a new kernel."""
    model = mixed()
    changed = model.set({"rules.borders.limit": 0.05})
    first = flights.interpreted(model, thresholds=pairwise.CELLS)
    other, unchanged = flights.reference(model), flights.reference(model)
    module = first.diagnostics().kernel_module
    for engine in (first, other):
        engine.step(3)
        engine.replace_model(changed)
        engine.step(3)
    assert first.diagnostics().kernel_module == module
    flights.assert_agree(first, other)
    unchanged.step(6)
    with pytest.raises(AssertionError):
        flights.assert_agree(first, unchanged)
