"""Slabs on two machines whose network is slow and loses packets: no bit differs.

The machines are network namespaces of this one (benchmarks/slow_link.py), with a node of Ray each.
Skipped where there can be none, with the reason: they need Linux and root.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
import slow_link

import murmurate as mm
from murmurate.bench.flocks import uniform

BOIDS, STEPS = 5000, 5


def test_delay_and_loss_change_no_bit() -> None:
    if reason := slow_link.missing():
        pytest.skip(reason)
    expected = mm.Simulation(uniform(BOIDS, 20), seed=1, threads=1).step(2 + STEPS)
    with (
        tempfile.TemporaryDirectory(prefix="mm") as folder,  # short: it contains sockets
        slow_link.two_machines(Path(folder)) as machines,
    ):
        machines.link.delay, machines.link.loss = 0.01, 0.03
        lost = machines.link.lost
        assert machines.steps(BOIDS, STEPS)["digest"] == slow_link.digest(expected)
        assert machines.link.lost > lost
