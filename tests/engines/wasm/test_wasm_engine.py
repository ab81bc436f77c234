"""Engine 'wasm' agrees with engine 'cpu', and continues from any state with the same bits."""

from __future__ import annotations

import gc
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flights
import meshes
import murmurate as mm
import pairwise
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.refusals import check_engine
from murmurate.engines.wasm.target import WasmDispatcher
from murmurate.engines.wasm.wasm_engine import WasmEngine

SEED = 7
# Pages run nearly the same modules, and test_wasm_pages.py tests them with other published flocks.
# Here: sequential update.
FLOCKS = [pytest.param(name, marks=() if name == "p5" else pytest.mark.long) for name in mm.zoo()]


ROWS = [name for name, row in pairwise.ROWS.items() if row["search"] != "voronoi"]


def wasm(model: mm.Model, dtype: Any = "float32", seed: int = SEED) -> WasmEngine:
    options = RunOptions("wasm", dtype=dtype, seed=seed)
    check_engine(model, options)
    return WasmEngine(model, initial_state(model, seed), options)


@pytest.mark.parametrize("name", FLOCKS)
def test_published_flocks(name: str) -> None:
    """Both engines agree within rounding."""
    model = mm.load(name)
    first, second = wasm(model), flights.cpu(model, seed=SEED, dtype="float32")
    first.step(5)
    second.step(5)
    extent = max(np.ptp(p, axis=0).max() for p, _, _ in flights.arrays(second).values())
    flights.assert_agree(first, second, float(extent), 1e-4)


@pytest.mark.parametrize("name", FLOCKS)
def test_published_flocks_continue(name: str) -> None:
    """In calls of any number of steps, and from any state."""
    model = mm.load(name)
    first, second = wasm(model), wasm(model)
    first.step(6)
    for steps in (1, 0, 2):
        second.step(steps)
    third = WasmEngine(model, second.state(), second.options)
    second.step(3)
    third.step(2)
    third = third.copy()
    third.step(1)
    flights.assert_same_bits(first, second)
    flights.assert_same_bits(first, third)


@pytest.mark.long
@pytest.mark.parametrize("name", ROWS)
def test_all_pairs_of_features(name: str) -> None:
    model = pairwise.model_of(pairwise.ROWS[name])
    with flights.in_cells() if pairwise.ROWS[name]["layout"] == "cells" else nullcontext():
        first, second = wasm(model, "float64"), flights.interpreted(model, seed=SEED)
    first.step(5)
    second.step(5)
    flights.assert_agree(first, second, 1.0, 1e-8)


def test_numbers_change_without_a_new_module() -> None:
    model = mm.load("ucl")
    other_numbers = model.set({"rules.alignment.weight": 0.5, "dt": 0.5})
    first = wasm(model)
    assert first.is_compatible(other_numbers)
    first.step(1)
    second = WasmEngine(other_numbers, first.state(), first.options)
    first.replace_model(other_numbers)
    first.step(4)
    second.step(4)
    flights.assert_same_bits(first, second)


def test_another_structure_needs_another_module() -> None:
    model = mm.load("ucl")
    fewer = mm.Model(
        space=model.space, flocks=dict(model.flocks), rules={"align": mm.Alignment(radius=50.0)}
    )
    first = wasm(model)
    first.step(2)
    second = WasmEngine(fewer, first.state(), first.options)
    assert not first.is_compatible(fewer)
    first.replace_model(fewer)
    for engine in (first, second):
        engine.step(2)
    flights.assert_same_bits(first, second)


@pytest.mark.long
def test_another_mesh_needs_another_module() -> None:
    """Words of meshes are constants of modules."""
    model = meshes.stream(12)
    first, second = wasm(model, "float64"), flights.reference(model, seed=SEED)
    other = model.set(
        {"obstacles.rock.rotation": [0.0, 0.0, 40.0], "obstacles.rock.centre.0": 11.0}
    )
    assert first.is_compatible(model.set({"obstacles.rock.centre.0": 11.0}))
    assert not first.is_compatible(other)
    for engine in (first, second):
        engine.step(10)
        engine.replace_model(other)
        engine.step(10)
    flights.assert_agree(first, second, 20.0, 1e-10)


def test_functions_of_a_model_do_not_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM's code of each is a megabyte or more."""
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path))
    wasm(mm.load("vicsek-1995").set({"flocks.boids.count": 5}))
    gc.collect()  # type() also of weak proxies, whose objects are gone
    functions = [item for item in gc.get_objects() if issubclass(type(item), WasmDispatcher)]
    modules = {function.py_func.__globals__.get("__name__") for function in functions}
    assert "murmurate_wasm_functions" in modules  # of all models
    assert not modules & {"murmurate_wasm_kernels", "murmurate_wasm_flight"}


def test_an_engine_by_name() -> None:
    first = mm.Simulation(mm.load("p5"), engine="wasm", seed=SEED).step(5)
    second = wasm(mm.load("p5"))
    second.step(5)
    assert (first.frame["boids"].positions == second.state().flocks["boids"].positions).all()


def test_a_lost_boid_has_the_error_of_engine_cpu() -> None:
    model, messages = mm.load("p5"), []
    velocities = np.zeros((30, 2))
    velocities[4] = np.nan
    for engine in (wasm(model), flights.cpu(model, seed=SEED, dtype="float32")):
        engine.set_state("boids", None, velocities)
        with pytest.raises(mm.RunError, match="of flock 'boids' is at \\(nan, nan\\)") as error:
            engine.step(9)
        assert error.value.step == engine.step_number == 1
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_wasmtime_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(mm.ModelError, match="engine 'wasm': module wasmtime is not installed"):
        mm.Simulation(mm.load("p5"), engine="wasm")


def test_voronoi_neighbours_are_refused() -> None:
    with pytest.raises(mm.ModelError, match=r"neighbours: got 'voronoi'; expected 'all'"):
        mm.Simulation(pairwise.model_of(pairwise.ROWS["voronoi"]), engine="wasm")


@pytest.mark.parametrize(
    "space",
    ["open", *(pytest.param(s, marks=pytest.mark.long) for s in ("reflecting", "periodic"))],
)
def test_memory_suffices_for_a_crowded_cell(space: str) -> None:
    """Nearly all boids are in one cell, and a few far away; memory cannot grow."""
    model = mm.Model(
        space=mm.Space(size=(1000.0, 1000.0), boundary=space),
        flocks={"boids": mm.Flock(count=200, motion=mm.Add(max_speed=1.0))},
        rules={"alignment": mm.Alignment(nearest=5, weight=0.2)},
    )
    random = np.random.default_rng(1)
    positions = 500.0 + random.normal(size=(200, 2))
    positions[:20] = 1000.0 * random.random((20, 2))
    start = {"boids": (positions, random.normal(size=(200, 2)))}
    first = flights.interpreted(model, start, dtype="float32")
    assert first.layout.gridded == ("boids",)
    second = WasmEngine(model, first.state(), RunOptions("wasm", dtype="float32", seed=SEED))
    first.step(3)
    second.step(3)
    flights.assert_agree(first, second, 1000.0, 1e-4)
