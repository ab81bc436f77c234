"""Slabs on a Ray cluster of two nodes: a busy worker is killed, and a node, and the flight ends
with the same bits. Skipped where Ray is not installed; ten times each by -m long."""

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

import murmurate as mm
from murmurate.engines.slabs import slab_engine
from murmurate.engines.slabs.slab_worker import SlabWorker
from murmurate.runs.recorded_run import record
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
    """A worker that, once, in the midst of a step or of packing, is killed, or waits until its node
    is."""

    def look(self, moment: Any, *rest: Any) -> int:
        if self.columns.count:
            self._die(f"step-{moment.step}")
        return super().look(moment, *rest)

    def joined(self, *asked: Any) -> list[Any]:
        self._die("packing")
        return super().joined(*asked)

    def _die(self, now: str) -> None:
        folder = Path(os.environ["SLAB_VICTIM"])
        mark, (how, when) = folder / "victim", (folder / "plan").read_text().split()
        if when == now and claimed(mark):
            mark.write_text(ray.get_runtime_context().get_node_id())
            if how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            threading.Event().wait(LIMIT)


def claimed(mark: Path) -> bool:
    """Whether this worker is the first that comes here."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@pytest.fixture(scope="module")
def model() -> mm.Model:
    return mm.load("starlings").set({"flocks.boids.count": 900})


@pytest.fixture(scope="module")
def expected(model: mm.Model) -> Any:
    return mm.Simulation(model, seed=5, threads=1).step(STEPS).frame


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("SLAB_VICTIM", str(tmp_path))
    with cluster_of_two(monkeypatch, Path(__file__).parent) as made:
        yield made


def flown(model: mm.Model, workers: int | None = None, **options: Any) -> mm.Simulation:
    return mm.Simulation(model, seed=5, engine=mm.Slabs(workers), **options).step(STEPS)


def assert_same(one: Any, other: Any) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a.positions, b.positions)
        np.testing.assert_array_equal(a.velocities, b.velocities)


def kill(model: mm.Model, cluster: Any, how: str, step: int, monkeypatch: Any, caplog: Any) -> Any:
    """The end of a flight in which a worker dies in a step. Copies are kept all the time."""
    mark = plan(f"{how} step-{step}")
    with_two_nodes(cluster)
    monkeypatch.setattr("murmurate.engines.slabs.slab_flight.SlabWorker", Victim)
    monkeypatch.setattr(slab_engine, "KEPT_SECONDS", 0.0)
    caplog.clear()
    killer = threading.Thread(
        target=lambda: kill_node(cluster, until(lambda: mark.exists() and mark.read_text()))
    )
    if how == "node":
        killer.start()
    frame = flown(model, workers=2, threads=1).frame
    if how == "node":
        killer.join()
    assert mark.read_text()
    assert [r.getMessage() for r in caplog.records if "the flight goes on from step" in r.message]
    return frame


def plan(what: str) -> Path:
    """Who dies how and when; returns the file in which the victim says where it was."""
    folder = Path(os.environ["SLAB_VICTIM"])
    (folder / "victim").unlink(missing_ok=True)
    (folder / "plan").write_text(what)
    return folder / "victim"


def test_a_busy_worker_and_a_node_are_killed(
    model: mm.Model, expected: Any, cluster: Any, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    assert_same(flown(model, threads=1).frame, expected)  # one a machine
    assert_same(flown(model, workers=5).frame, expected)  # more than there are cores
    assert_same(kill(model, cluster, "killed", 7, monkeypatch, caplog), expected)
    assert_same(kill(model, cluster, "node", 4, monkeypatch, caplog), expected)


def test_a_worker_is_killed_while_it_packs_a_frame(
    model: mm.Model, cluster: Any, monkeypatch: pytest.MonkeyPatch, caplog: Any, tmp_path: Path
) -> None:
    """The recording is that of engine 'cpu'."""
    monkeypatch.setattr("murmurate.engines.slabs.slab_flight.SlabWorker", Victim)
    large = model.set({"flocks.boids.count": 10_100})
    sizes = {"chunk_frames": 1, "shard_bytes": 1000, "block_boids": 3000}
    mark, found = plan("killed packing"), []
    with_two_nodes(cluster)
    for options in ({"threads": 1}, {"engine": mm.Slabs(workers=3)}):
        path = tmp_path / f"{len(found)}.zarr"
        record(mm.Simulation(large, seed=5, **options), path, 3, **sizes)
        found.append([(path / f"{what}/c/3/0/0").read_bytes() for what in ("position", "velocity")])
    assert mark.read_text() and "the flight goes on from step 0" in caplog.text
    assert found[0] == found[1]


@pytest.mark.long
def test_ten_times_each(
    model: mm.Model, expected: Any, cluster: Any, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    steps = random.Random(1)
    for how in ("killed", "node"):
        for _ in range(10):
            step = steps.randrange(STEPS)
            assert_same(kill(model, cluster, how, step, monkeypatch, caplog), expected)
