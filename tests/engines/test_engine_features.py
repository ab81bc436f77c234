"""The table of engines and features in docs/engines.md: engines simulate what has a tick, and their
refusals name an engine that does."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from test_gpu_interpreted import check_equal
from test_gpu_interpreted import interpreted as interpreted_gpu
from test_slabs_here import engines as cpu_and_slabs

import flights
import murmurate as mm
from cases import cases
from murmurate.engines.options import RunOptions
from murmurate.engines.refusals import check_engine
from murmurate.engines.registry import BUILT_IN, engine_class
from murmurate.model.obstacles import SHAPES
from murmurate.model.population import Entry
from murmurate.model.registry import BUILT_IN as BUILT_IN_RULES
from murmurate.model.registry import MOTIONS

sys.path.append(str(Path(__file__).parents[2] / "docs"))
import engine_features
import make_engines

FEATURES = [name for rows in engine_features.FEATURES.values() for name in rows]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in make_engines.PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("|")
]
HEADER = next(row for row in ROWS if "reference" in row and row[0] == "")
TABLE = {row[0]: dict(zip(HEADER[1:], row[1:], strict=True)) for row in ROWS if row[0] in FEATURES}


@cases("feature", FEATURES)
def test_the_table_is_what_engines_say(feature: str) -> None:
    for engine in BUILT_IN:
        ticked = TABLE[feature][engine] == "✓"
        assert ticked == (not make_engines.problems(engine, feature)), engine


@pytest.mark.slow
def test_the_page_is_what_the_script_writes() -> None:
    assert make_engines.PAGE.read_text(encoding="utf-8") == make_engines.page()


def test_every_kind_is_in_the_table() -> None:
    text = repr(engine_features.FEATURES)
    motions = [k for k, cls in MOTIONS.items() if cls.__module__.startswith(BUILT_IN_RULES)]
    kinds = [*SHAPES, *motions, *(cls.model_fields["kind"].default for cls in get_args(Entry))]
    assert not [kind for kind in kinds if f"'{kind}'" not in text and kind != "mesh"]


def refusal(engine: str, model: mm.Model, dtype: Any = "float32") -> str:
    options = RunOptions(engine, dtype)
    with pytest.raises(mm.ModelError) as error:
        check_engine(model, options)
    return str(error.value)


@cases("feature", FEATURES)
def test_a_refusal_names_an_engine_that_simulates_the_model(feature: str) -> None:
    dtype = engine_features.dtype_of(feature) or "float32"
    for model in engine_features.models(feature):
        for engine in BUILT_IN:
            if not (problems := engine_class(engine).problems(model, RunOptions(engine, dtype))):
                continue
            text = refusal(engine, model, dtype)
            assert all(problem in text for problem in problems)
            for line in text.splitlines():
                assert re.fullmatch(r"[\w.-]+: got .*; expected .* for engine .*", line), line
                named = re.findall("'(.*?)'", line.partition(". Use engine ")[2])
                assert named and engine not in named
                for name in named:
                    assert not engine_class(name).problems(model, RunOptions(name, dtype))


@cases("feature", FEATURES)
def test_a_page_names_what_simulates_the_model(feature: str) -> None:
    for model in engine_features.models(feature):
        for line in make_engines.of_page(model, ""):
            assert "Use engine 'cpu', and make a replay of it" in line


def few(feature: str) -> list[mm.Model]:
    """Return the models of a feature, with few boids in each flock and in all."""
    return [
        model.set({f"flocks.{name}.count": 1 for name in list(model.flocks)[10:]})
        for model in engine_features.models(feature, engine_features.FEW_BOIDS)
    ]


def ticked(engine: str) -> list[str]:
    return [name for name in FEATURES if TABLE[name][engine] == "✓"]


@pytest.mark.slow
@pytest.mark.parametrize("feature", FEATURES)
def test_reference_and_cpu_agree(feature: str) -> None:
    for model in few(feature):
        cpu, reference = flights.interpreted(model, seed=3), flights.reference(model, seed=3)
        for engine in (cpu, reference):
            engine.step(3)
        flights.assert_agree(cpu, reference, scale=float(np.max(model.space.size)))


@pytest.mark.slow
@pytest.mark.parametrize("feature", ticked("gpu"))
def test_gpu_agrees(feature: str) -> None:
    for model in few(feature):
        gpu, cpu = interpreted_gpu(model), flights.interpreted(model, seed=3)
        for engine in (gpu, cpu):
            engine.step(2)
        check_equal(gpu.state(), cpu.state())


@pytest.mark.slow
@pytest.mark.parametrize("feature", [n for n in ticked("slabs") if "flocks" not in n])
def test_slabs_have_the_bits_of_cpu(feature: str) -> None:
    for model in few(feature):
        cpu, slabs = cpu_and_slabs(model)
        for engine in (cpu, slabs):
            engine.step(2)
        flights.assert_same_bits(cpu, slabs)


@pytest.mark.long
@pytest.mark.parametrize("feature", ticked("wasm"))
def test_modules_agree(feature: str) -> None:
    """Those of engine wasm, and those of pages, whose text is the same."""
    pytest.importorskip("wasmtime")
    for model in few(feature):
        wasm = mm.Simulation(model, seed=3, engine="wasm", dtype="float64").step(2)
        reference = mm.Simulation(model, seed=3, engine="reference").step(2)
        for name, flock in reference.frame.items():
            np.testing.assert_allclose(wasm.frame[name].positions, flock.positions, atol=1e-9)
