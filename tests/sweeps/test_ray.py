"""A sweep on a local Ray cluster: a node is killed, by -m long also a busy worker, ten times each.
The table is the same as without. Skipped where Ray is not installed."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.sweep_plan import make_plan
from murmurate.sweeps.workers import RayWorkers, run_task
from processes import LIMIT, until
from two_nodes import cluster_of_two, kill_node, with_two_nodes
from workers_here import Here

ray = pytest.importorskip("ray", reason="Ray is not installed")
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(sys.platform == "win32", reason="needs signals"),
]
NAMES = ("runs.csv", "table.csv")
VICTIM = 3  # the run whose worker or node is killed, in the midst of it


def half_way(task):
    """Flies half of a run, and says so once; whether it was said by this worker."""
    mark = Path(os.environ["RAY_VICTIM"])
    if task.index != VICTIM or mark.exists():
        return False
    mm.Simulation(mm.parse(task.model), task.seed, engine="reference").step(task.steps // 2)
    mark.write_text(ray.get_runtime_context().get_node_id())
    return True


def dies_half_way(task):
    """A worker that is killed while it is busy."""
    if half_way(task):
        os.kill(os.getpid(), signal.SIGKILL)
    return run_task(task)


def waits_half_way(task):
    """A worker that stays busy until its node is killed."""
    if half_way(task):
        threading.Event().wait(LIMIT)
    return run_task(task)


@pytest.fixture(scope="module")
def plan():
    vary = {"rules.alignment.weight": (0.0, 0.2, 0.4)}
    model = mm.load("ucl").set({"flocks.boids.count": 8})
    return make_plan(model, vary, mm.RunSpec(seeds=2, steps=20, every=5, engine="reference"))


@pytest.fixture(scope="module")
def local_tables(plan, tmp_path_factory):
    """The tables of this process."""
    folder = run_sweep(plan, tmp_path_factory.mktemp("here") / "it", Here()).path
    return [(folder / name).read_bytes() for name in NAMES]


@pytest.fixture
def cluster(monkeypatch, tmp_path):
    monkeypatch.setenv("RAY_VICTIM", str(tmp_path / "victim"))
    with cluster_of_two(monkeypatch, Path(__file__).parent) as cluster:
        yield cluster


def cluster_tables(plan, folder, run=run_task):
    """Run a sweep on the cluster, and return its tables."""
    swept = run_sweep(plan, folder, RayWorkers(run))
    assert not swept.failures()
    return [(swept.path / name).read_bytes() for name in NAMES]


def kill_a_worker(plan, folder):
    Path(os.environ["RAY_VICTIM"]).unlink(missing_ok=True)
    tables = cluster_tables(plan, folder, dies_half_way)
    assert Path(os.environ["RAY_VICTIM"]).exists()
    return tables


def kill_a_node(plan, folder, cluster):
    mark = Path(os.environ["RAY_VICTIM"])
    mark.unlink(missing_ok=True)
    with_two_nodes(cluster)
    killed = []

    def kill():
        name = until(lambda: mark.exists() and mark.read_text())
        kill_node(cluster, name)
        killed.append(name)

    killer = threading.Thread(target=kill)
    killer.start()
    tables = cluster_tables(plan, folder, waits_half_way)
    killer.join(LIMIT)
    assert killed
    return tables


@pytest.mark.slow
def test_a_node_is_killed(plan, local_tables, cluster, tmp_path):
    """In `engines/slabs/test_slab_ray.py` a busy worker is."""
    terminated = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        ours = signal.getsignal(signal.SIGTERM)
        assert kill_a_node(plan, tmp_path / "node", cluster) == local_tables
        assert signal.getsignal(signal.SIGTERM) is ours  # not Ray's own, which exits
    finally:
        signal.signal(signal.SIGTERM, terminated)


@pytest.mark.long
def test_ten_times_each(plan, local_tables, cluster, tmp_path):
    for time in range(10):
        assert kill_a_worker(plan, tmp_path / f"worker {time}") == local_tables
        assert kill_a_node(plan, tmp_path / f"node {time}", cluster) == local_tables
