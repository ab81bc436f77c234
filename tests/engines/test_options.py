"""Run options and the registry of engines: what is refused, in which words, and when."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest
from toy_engine import ToyEngine

import murmurate as mm
from murmurate.engines import registry
from murmurate.engines.base import EngineBase
from murmurate.engines.options import RunOptions, cores
from murmurate.engines.registry import BUILT_IN, engine_class, engine_names, register

MODEL = mm.Model(space=mm.Space(size=(9.0, 9.0)), flocks={"boids": mm.Flock(count=5)})
FRAME = mm.Simulation(MODEL, engine="reference").frame
MAX = max(4 * cores(), 256)

WRONG = [
    ({"seed": -1}, "seed: got -1; expected a whole number from 0 to 2^64 - 1"),
    ({"seed": 1.0}, "seed: got 1.0; expected a whole number from 0"),
    ({"seed": True}, "seed: got True; expected a whole number from 0"),
    ({"threads": 0}, f"threads: got 0; expected a whole number from 1 to {MAX}"),
    ({"threads": MAX + 1}, f"threads: got {MAX + 1}; expected a whole number from 1 to {MAX}"),
    ({"threads": True}, "threads: got True; expected a whole number from 1"),
    ({"threads": 1.5}, "threads: got 1.5; expected a whole number from 1"),
    ({"dtype": "float16"}, "dtype: got 'float16'; expected 'float32' or 'float64'"),
    ({"dtype": np.float32}, "expected 'float32' or 'float64'"),
    (
        {"engine": "quantum"},
        "engine: got 'quantum'; expected 'cpu', 'gpu', 'reference', 'slabs' or 'wasm'",
    ),
    ({"engine": None}, "engine: got None; expected 'cpu', 'gpu', 'reference', 'slabs' or 'wasm'"),
    ({"engine": "reference", "dtype": "float16"}, "dtype: got 'float16'; expected"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    """By each function that simulates, before it simulates or writes anything."""
    calls = [
        lambda: RunOptions(**options),
        lambda: mm.Simulation(MODEL, **options),
        lambda: mm.Simulation.from_frame(MODEL, FRAME, **{"seed": 0, **options}),
        lambda: mm.run(MODEL, 10**9, options=RunOptions(**options)),
        lambda: mm.film(
            MODEL, "never.mp4", view=mm.View(steps=10**9), options=RunOptions(**options)
        ),
        lambda: mm.still(MODEL, "never.png", at=10**9, options=RunOptions(**options)),
        lambda: mm.replay_page(MODEL, steps=10**9, options=RunOptions(**options)),
        lambda: mm.watch(MODEL, block=False, open_browser=False, options=RunOptions(**options)),
    ]
    if options.get("engine", "") is not None and "threads" not in options:
        calls.append(lambda: mm.measure(MODEL, run=mm.RunSpec(steps=10**9, **options)))
    for ask in calls:
        with pytest.raises(mm.ModelError) as caught:
            ask()
        assert message in str(caught.value)


def test_numbers_of_numpy_are_numbers() -> None:
    options = RunOptions(seed=np.int64(7), threads=np.uint8(2))  # type: ignore[arg-type]
    assert options == RunOptions(seed=7, threads=2)
    assert type(options.seed) is int and type(options.threads) is int


def test_sweeps_and_fits_refuse_engines_before_they_begin(tmp_path: Any) -> None:
    with pytest.raises(mm.ModelError, match="engine: got 'quantum'; expected"):
        mm.sweep(MODEL, {"dt": [1.0, 2.0]}, mm.RunSpec(engine="quantum"), output=tmp_path / "sweep")
    with pytest.raises(mm.ModelError, match="engine: got 'quantum'; expected"):
        run = mm.RunSpec(engine="quantum")
        mm.fit(MODEL, {"speed": (1, 1)}, "speed", {"dt": (0.5, 2.0)}, run, output=tmp_path / "fit")
    assert not list(tmp_path.iterdir())


def test_another_space_is_refused() -> None:
    solid = mm.Model(space=mm.Space(size=(9.0, 9.0, 9.0)), flocks={"boids": mm.Flock(count=5)})
    with pytest.raises(mm.ModelError, match="frame: got 2 dimensions; expected 3"):
        mm.Simulation.from_frame(solid, FRAME, seed=0, engine="reference")


@pytest.mark.parametrize("own_start", [False, True])
def test_a_simulation_starts_again(own_start: bool) -> None:
    arrays = (np.full((5, 2), 3.0) + np.arange(5)[:, None] / 8, np.ones((5, 2)))
    start = {"boids": arrays} if own_start else None
    sim = mm.Simulation(MODEL, seed=3, start=start, engine="reference")
    assert sim.set({"flocks.boids.motion.max_speed": 0.5}).step(2) is sim
    assert sim.set_state("boids", arrays[0]) is sim
    for seed, again in ((3, sim.reset()), (4, copy.copy(sim).reset(4))):
        for run in (again, pickle.loads(pickle.dumps(again.step(3))).reset()):
            other = mm.Simulation(sim.model, seed, start=start, engine="reference")
            run.reset()
            for _ in range(2):
                assert (run.step_number, run.seed) == (other.step_number, seed)
                assert (run.frame["boids"].positions == other.frame["boids"].positions).all()
                run.step()
                other.step()
    with pytest.raises(mm.errors.ModelError, match="seed: got -1"):
        sim.reset(-1)
    assert sim.step_number == 2


def test_an_engine_is_registered_once() -> None:
    register("toy", ToyEngine)
    register("toy", ToyEngine)
    assert engine_class("toy") is ToyEngine
    assert engine_names() == (*BUILT_IN, "toy")
    with pytest.raises(mm.ModelError, match="'cpu', 'gpu', 'reference', 'slabs', 'wasm' or 'toy'"):
        RunOptions("quantum")
    for name in ("cpu", "toy"):
        with pytest.raises(
            mm.ModelError, match=f"got '{name}'; expected a name that no engine has"
        ):
            register(name, type("Other", (ToyEngine,), {}))


@pytest.mark.parametrize("name", ["", "  ", 3])
def test_a_name_is_a_word(name: Any) -> None:
    with pytest.raises(mm.ModelError, match=r"name of an engine: got .*; expected a word"):
        register(name, ToyEngine)


def test_what_is_no_engine_is_said() -> None:
    class Half:
        def step(self, steps: int) -> None: ...

    with pytest.raises(
        mm.ModelError, match=r"with the methods state, set_state, replace_model\. See"
    ):
        register("half", Half)
    with pytest.raises(mm.ModelError, match=r"expected a class of an engine\. See"):
        register("made", mm.Simulation(MODEL, engine="reference")._engine)  # type: ignore[arg-type]


def test_the_registry_asks_for_the_methods_without_defaults() -> None:
    assert {*registry.METHODS, "__init__"} == EngineBase.__abstractmethods__


def test_packages_bring_engines_that_are_loaded_when_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = [
        EntryPoint("toy", "toy_engine:ToyEngine", registry.GROUP),
        EntryPoint("broken", "no_such_module_anywhere:Engine", registry.GROUP),
        EntryPoint("cpu", "no_such_module_anywhere:Engine", registry.GROUP),
    ]
    groups: list[str] = []

    def entry_points(group: str) -> list[EntryPoint]:
        groups.append(group)
        return [point for point in points if point.group == group]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    assert RunOptions("cpu") and not groups
    assert engine_names() == (*BUILT_IN, "broken", "toy")
    assert mm.Simulation(MODEL, engine="toy").step(1).options.engine == "toy"
    with pytest.raises(mm.ModelError, match="engine 'broken' cannot be loaded from no_such_module"):
        mm.Simulation(MODEL, engine="broken")
    with pytest.raises(
        mm.ModelError, match="'cpu', 'gpu', 'reference', 'slabs', 'wasm', 'broken' or 'toy'"
    ):
        RunOptions("quantum")


@pytest.mark.slow
def test_options_need_no_compiler() -> None:
    code = (
        "import sys; from murmurate.engines.options import RunOptions; "
        "from murmurate.engines.registry import engine_class; RunOptions('cpu', threads=1); "
        "engine_class('reference'); print('numba' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert ran.stdout.split()[0] == "False"
