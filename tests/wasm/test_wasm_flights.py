"""Modules fly what the processor's engine flies, and go on from any moment bit for bit."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.wasm.wasm_engine import WasmEngine
from structures import IN_CELLS, STRUCTURES

SEED = 7
# The modules of pages, which all of the zoo fly in test_page_flights.py, are compiled from the same
# text, but for limits and fields of view. In turn; in cells; nearest and two flocks; spins; walls.
KINDS = ("p5", "vicsek-1995", "starlings", "inertial-spin", "parker-predator")
FLOCKS = [
    pytest.param(
        name,
        marks=() if name == "p5" else pytest.mark.slow if name in KINDS else pytest.mark.long,
    )
    for name in mm.zoo()
]
REFUSED = ("tessellated", "tessellated-open")


def wasm(model: mm.Model, dtype: Any = "float32", seed: int = SEED) -> WasmEngine:
    options = RunOptions("wasm", dtype=dtype, seed=seed)
    WasmEngine.check(model, options)
    return WasmEngine(model, initial_state(model, seed), options)


@pytest.mark.parametrize("name", FLOCKS)
def test_published_flocks(name: str) -> None:
    """As on the processor, but for rounding."""
    model = mm.load(name)
    one, other = wasm(model), flights.cpu(model, seed=SEED, dtype="float32")
    one.step(5)
    other.step(5)
    extent = max(np.ptp(p, axis=0).max() for p, _, _ in flights.arrays(other).values())
    flights.assert_agree(one, other, float(extent), 1e-4)


@pytest.mark.parametrize("name", FLOCKS)
def test_published_flocks_go_on(name: str) -> None:
    """However steps are asked for, and from the state of any moment."""
    model = mm.load(name)
    one, other = wasm(model), wasm(model)
    one.step(6)
    for steps in (1, 0, 2):
        other.step(steps)
    third = WasmEngine(model, other.state(), other.options)
    other.step(3)
    third.step(2)
    third = third.copy()
    third.step(1)
    flights.assert_same_bits(one, other)
    flights.assert_same_bits(one, third)


@pytest.mark.long
@pytest.mark.parametrize("cells", [False, True])
@pytest.mark.parametrize("name", [name for name in STRUCTURES if name not in REFUSED])
def test_structures(name: str, cells: bool) -> None:
    if cells and name not in IN_CELLS:
        pytest.skip("its boids are swept whole")
    model = STRUCTURES[name][0](count=60)
    with flights.in_cells() if cells else nullcontext():
        one, other = wasm(model, "float64"), flights.cpu(model, seed=SEED)
    one.step(5)
    other.step(5)
    flights.assert_agree(one, other, 1.0, 1e-8)


def test_numbers_change_without_a_new_module() -> None:
    model = mm.load("ucl")
    other_numbers = model.set({"rules.alignment.weight": 0.5, "dt": 0.5})
    one = wasm(model)
    assert one.is_compatible(other_numbers)
    one.step(1)
    other = WasmEngine(other_numbers, one.state(), one.options)
    one.replace_model(other_numbers)
    one.step(4)
    other.step(4)
    flights.assert_same_bits(one, other)


def test_another_structure_is_another_module() -> None:
    model = mm.load("ucl")
    fewer = mm.Model(
        space=model.space, flocks=dict(model.flocks), rules={"together": mm.Alignment(radius=50.0)}
    )
    one = wasm(model)
    one.step(2)
    other = WasmEngine(fewer, one.state(), one.options)
    assert not one.is_compatible(fewer)
    one.replace_model(fewer)
    for engine in (one, other):
        engine.step(2)
    flights.assert_same_bits(one, other)


def test_it_flies_by_name() -> None:
    one = mm.Simulation(mm.load("p5"), engine="wasm", seed=SEED).step(5)
    other = wasm(mm.load("p5"))
    other.step(5)
    assert (one.frame["boids"].positions == other.state().flocks["boids"].positions).all()


def test_a_boid_that_is_lost_is_named() -> None:
    """As the processor's engine names it."""
    model, said = mm.load("p5"), []
    velocities = np.zeros((30, 2))
    velocities[4] = np.nan
    for engine in (wasm(model), flights.cpu(model, seed=SEED, dtype="float32")):
        engine.set_state("boids", None, velocities)
        with pytest.raises(mm.RunError, match="of flock 'boids' is at \\(nan, nan\\)") as error:
            engine.step(9)
        assert error.value.step == engine.step_number == 1
        said.append(str(error.value))
    assert said[0] == said[1]


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(mm.ModelError, match="engine 'wasm': module wasmtime is not installed"):
        mm.Simulation(mm.load("p5"), engine="wasm")


def test_voronoi_cells_are_refused() -> None:
    with pytest.raises(mm.ModelError, match=r"neighbours: 'voronoi' is for the engines 'cpu'"):
        mm.Simulation(STRUCTURES["tessellated"][0](count=9), engine="wasm")


@pytest.mark.parametrize("space", ["reflecting", "open", "periodic"])
def test_a_crowd_around_one_cell(space: str) -> None:
    """Nearly all boids are in one cell, and a few far away: memory that cannot grow is enough."""
    model = mm.Model(
        space=mm.Space(size=(1000.0, 1000.0), boundary=space),
        flocks={"boids": mm.Flock(count=600, motion=mm.Add(max_speed=1.0))},
        rules={"alignment": mm.Alignment(nearest=5, weight=0.2)},
    )
    random = np.random.default_rng(1)
    positions = 500.0 + random.normal(size=(600, 2))
    positions[:40] = 1000.0 * random.random((40, 2))
    start = {"boids": (positions, random.normal(size=(600, 2)))}
    one = flights.cpu(model, start, dtype="float32")
    assert one.layout.gridded == ("boids",)
    other = WasmEngine(model, one.state(), RunOptions("wasm", dtype="float32", seed=SEED))
    one.step(3)
    other.step(3)
    flights.assert_agree(one, other, 1000.0, 1e-4)
