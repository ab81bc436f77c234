"""Slabs on a Ray cluster of two nodes: killing a busy worker, or its node, changes no bit.

Skipped if Ray is not installed; `-m long` kills nodes too, and repeats each case ten times.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from slab_engines import OtherSlabs, slabs_with

import murmurate as mm
from murmurate.engines.slabs.coordinator import Coordinator
from murmurate.engines.slabs.slab_worker import SlabWorker
from murmurate.runs.record_run import record
from processes import LIMIT, until
from two_nodes import cluster_of_two, kill_node, with_two_nodes

ray = pytest.importorskip("ray", reason="Ray is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(sys.platform == "win32", reason="needs signals"),
]
STEPS = 12


class Victim(SlabWorker):
    """A worker that dies once: it kills itself, or waits until its node is killed."""

    def compute_stage(self, step: int, *args: Any) -> int:
        if self.columns.count:
            self._die(f"step-{step}")
        return super().compute_stage(step, *args)

    def map_id_ranges(self, *args: Any) -> list[Any]:
        self._die("gathering")
        return super().map_id_ranges(*args)

    def _die(self, moment: str) -> None:
        folder = Path(os.environ["SLAB_VICTIM"])
        mark, (cause, when) = folder / "victim", (folder / "plan").read_text().split()
        if when == moment and claim(mark):
            mark.write_text(ray.get_runtime_context().get_node_id())
            if cause == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            threading.Event().wait(LIMIT)


class VictimCoordinator(Coordinator):
    worker_class = Victim


def claim(mark: Path) -> bool:
    """Return whether no other worker has claimed `mark` before."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@pytest.fixture(scope="module")
def model() -> mm.Model:
    return mm.load("vicsek-1995").set({"flocks.boids.count": 900})


@pytest.fixture(scope="module")
def expected(model: mm.Model) -> Any:
    return mm.Simulation(model, seed=5, threads=1).step(STEPS).frame


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("SLAB_VICTIM", str(tmp_path))
    with cluster_of_two(monkeypatch, Path(__file__).parent) as nodes:
        yield nodes


def simulate(model: mm.Model, slabs: mm.Slabs, **options: Any) -> Any:
    return mm.Simulation(model, seed=5, engine=slabs, **options).step(STEPS).frame


def assert_same(frame: Any, expected: Any) -> None:
    assert list(frame.flocks) == list(expected.flocks)
    for name, flock in frame.flocks.items():
        np.testing.assert_array_equal(flock.positions, expected[name].positions)
        np.testing.assert_array_equal(flock.velocities, expected[name].velocities)


def simulate_with_victim(
    model: mm.Model, cluster: Any, cause: str, step: int, caplog: Any, workers: int | None = None
) -> Any:
    """Return the last frame of a simulation in which a worker dies in a step. By default each node
    has a worker."""
    mark = plan_death(f"{cause} step-{step}")
    with_two_nodes(cluster)
    caplog.clear()
    killer = threading.Thread(
        target=lambda: kill_node(cluster, until(lambda: mark.exists() and mark.read_text()))
    )
    if cause == "node":
        killer.start()
    with slabs_with(VictimCoordinator):
        frame = simulate(model, OtherSlabs(workers=workers), threads=1)
    if cause == "node":
        killer.join(LIMIT)
    assert mark.read_text()
    assert "continuing from the checkpoint at step" in caplog.text
    return frame


def plan_death(plan: str) -> Path:
    """Write cause and moment of the next death; return the file that will name the node."""
    folder = Path(os.environ["SLAB_VICTIM"])
    (folder / "victim").unlink(missing_ok=True)
    (folder / "plan").write_text(plan)
    return folder / "victim"


def test_a_busy_worker_is_killed(model: mm.Model, expected: Any, cluster: Any, caplog: Any) -> None:
    """In `sweeps/test_ray.py` a node is."""
    killed = simulate_with_victim(model, cluster, "killed", 7, caplog, workers=3)  # 2 cores
    assert_same(killed, expected)


@pytest.mark.long
def test_a_worker_is_killed_while_it_gathers_a_frame(
    model: mm.Model, cluster: Any, caplog: Any, tmp_path: Path
) -> None:
    """The recording equals that of engine 'cpu'."""
    large = model.set({"flocks.boids.count": 10_100})
    sizes = {"chunk_frames": 1, "shard_bytes": 1000, "block_boids": 3000}
    mark, shards = plan_death("killed gathering"), []
    with_two_nodes(cluster)
    with slabs_with(VictimCoordinator):
        for options in ({"threads": 1}, {"engine": OtherSlabs(workers=3)}):
            path = tmp_path / f"{len(shards)}.zarr"
            record(mm.Simulation(large, seed=5, **options), path, 3, **sizes)
            names = ("position", "velocity")
            shards.append([(path / f"{name}/c/3/0/0").read_bytes() for name in names])
    assert mark.read_text() and "continuing from the checkpoint at step 0" in caplog.text
    assert shards[0] == shards[1]


@pytest.mark.long
def test_ten_times_each(model: mm.Model, expected: Any, cluster: Any, caplog: Any) -> None:
    steps = random.Random(1)
    for cause in ("killed", "node"):
        for _ in range(10):
            step = steps.randrange(STEPS)
            assert_same(simulate_with_victim(model, cluster, cause, step, caplog), expected)
