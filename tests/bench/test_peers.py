"""Scripts of peers run the same flocks as murmurate, in alternation, and report their errors."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.bench.flocks import uniform

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PEERS = BENCHMARKS / "peers"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.syspath_prepend(str(PEERS))
    return importlib.import_module


def simulated_positions(
    model: mm.Model, engine: str = "reference", **start: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Return the positions after 4 steps, (N, D)."""
    simulation = mm.Simulation(model, start=start, engine=engine, dtype="float64", threads=1)
    positions: np.ndarray = simulation.step(4).frame["boids"].positions
    return positions


def test_numpy_lesson_equals_the_model_of_the_zoo(script: Callable[[str], Any]) -> None:
    random = np.random.default_rng(1)
    positions, velocities = random.uniform(0, 60, (2, 40)), random.uniform(-10, 10, (2, 40))
    model = mm.load("ucl").set({"flocks.boids.count": 40})
    ours = simulated_positions(model, boids=(positions.T, velocities.T))
    for _ in range(4):
        script("numpy_lesson").step(positions, velocities)
    np.testing.assert_allclose(positions.T, ours, rtol=1e-9)


def test_python_loop_equals_the_model_of_the_zoo(script: Callable[[str], Any]) -> None:
    birds = script("python_loop").Birds(30, 1)
    start = {
        "boids": (np.array(birds.positions), np.array(birds.velocities)),
        "predators": (np.array(birds.predators), np.zeros((5, 3))),
    }
    ours = simulated_positions(mm.load("sort-sol").set({"flocks.boids.count": 30}), **start)
    for _ in range(4):
        birds.step()
    np.testing.assert_allclose(np.array(birds.positions), ours, rtol=1e-9)


def test_scipy_tree_equals_the_standard_flock(script: Callable[[str], Any]) -> None:
    begun = script("standard_flock").start(60, 1)
    positions, velocities = begun.positions, begun.velocities
    model = uniform(60, 20)
    assert model.space.size[0] == pytest.approx(begun.side)
    ours = simulated_positions(model, "reference", boids=(positions, velocities))
    for _ in range(4):
        positions, velocities = script("scipy_tree").step(
            positions, velocities, model.space.size[0]
        )
    np.testing.assert_allclose(positions, ours % model.space.size[0], rtol=1e-9)


@pytest.mark.slow  # a process
def test_flocks_run_alternately(script: Callable[[str], Any]) -> None:
    case = {"boids": 20, "steps": 2, "ours": "zoo", "model": "ucl"}
    timed_child = script("timed_child").TimedChild
    command = [sys.executable, PEERS / "numpy_lesson.py"]
    with timed_child(command, case, {}) as peer:
        peer.time_round()
        peer.time_round()
        result = peer.result()
    assert 0 < result["shortest"] <= result["median"] <= result["longest"]
    assert result["neighbours"] == 19


def test_every_case_of_the_table_has_a_model(script: Callable[[str], Any]) -> None:
    models, cases = script("murmurate_flock").MODELS, []
    for peer in script("peer_table").PEERS:
        assert (PEERS / f"{peer.script}.py").exists()
        for case in peer.cases:
            numbers = {"boids": case.boids, "steps": case.steps, **case.numbers}
            assert models[peer.ours](numbers).flocks["boids"].count == case.boids
            cases.append((peer.name, peer.flock, case.boids))
    assert len(set(cases)) == len(cases)


@pytest.mark.slow  # a process
def test_the_stderr_of_a_failed_peer_is_reported(script: Callable[[str], Any]) -> None:
    failed = script("child_process").ChildFailed
    code = "import sys; sys.exit('no such kernel here')"
    with pytest.raises(failed, match="no such kernel here"):
        script("timed_child").TimedChild([sys.executable, "-c", code], {}, {}).__enter__()


def test_times_and_ratios_are_short(script: Callable[[str], Any]) -> None:
    report = script("peer_report")
    assert [report.format_time(s) for s in (2.0, 0.00371, 4.75e-5)] == ["2 s", "3.71 ms", "47.5 µs"]
    assert [report.format_ratio(r) for r in (2.44, 33.3, 482.0, 1291.0)] == [
        "2.4",
        "33",
        "480",
        "1,300",
    ]
