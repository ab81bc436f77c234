"""A Ray cluster in this process: a node without cores, which holds the driver, and two of a core
each."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
NODE = {"include_log_monitor": False}
HEAD = {
    **NODE,
    "num_cpus": 0,
    "include_dashboard": False,
    "no_monitor": True,  # nothing starts nodes but these tests
    "_system_config": {"health_check_period_ms": 500},
}
"""The node of the driver. By default Ray asks nodes every 3 s, and takes one that has not answered
five times for dead."""


@contextmanager
def cluster_of_two(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> Iterator[Any]:
    """The cluster. Its workers import what tests do, and modules of these folders.

    The test is skipped by name where Ray is not installed.
    """
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    from ray.cluster_utils import Cluster

    path = [*map(str, folders), str(HERE), *sys.path]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    made = Cluster(initialize_head=True, head_node_args=HEAD)
    try:
        with_two_nodes(made)
        monkeypatch.setenv("RAY_ADDRESS", made.address)
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def with_two_nodes(cluster: Any) -> None:
    """New nodes in place of those that were killed."""
    while len(cluster.worker_nodes) < 2:
        cluster.add_node(num_cpus=1, **NODE)
    cluster.wait_for_nodes()


def kill_node(cluster: Any, name: str) -> None:
    """Kills a node as a power cut would."""
    node = next(one for one in cluster.worker_nodes if one.node_id == name)
    cluster.remove_node(node, allow_graceful=False)
