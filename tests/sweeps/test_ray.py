"""A sweep on a Ray cluster of two nodes, one of which is killed half way. Long: run by name with
-m long, where Ray is installed."""

from __future__ import annotations

import pytest

import murmurate as mm
from murmurate.sweeps.run import fly, workers_of
from murmurate.sweeps.sweep_plan import plan_of
from murmurate.sweeps.workers import Processes

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


def test_a_node_is_killed(tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        second = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        monkeypatch.setenv("RAY_ADDRESS", cluster.address)
        plan = plan_of(
            mm.load("ucl"), {"rules.alignment.weight": tuple(k / 20 for k in range(10))},
            seeds=4, steps=400, every=10,
        )  # fmt: skip
        killed = []

        def half_way(done, total, outcome):
            if done >= total // 2 and not killed:
                killed.append(done)
                cluster.remove_node(second, allow_graceful=False)

        there = fly(plan, tmp_path / "ray", workers_of("ray"), half_way)
        assert killed
        assert not there.failures()
    finally:
        ray.shutdown()
        cluster.shutdown()
    here = fly(plan, tmp_path / "here", Processes(2))
    for name in ("runs.csv", "table.csv"):
        assert (there.path / name).read_text() == (here.path / name).read_text()
