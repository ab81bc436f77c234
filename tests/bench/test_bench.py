"""The standard flocks are what their names say, and are timed as they should be."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial import cKDTree

import murmurate as mm
from murmurate.bench import flocks, timing
from murmurate.cli import main


@pytest.mark.parametrize(("neighbours", "dims"), [(8, 3), (20, 3), (20, 2)])
def test_uniform_has_so_many_neighbours(neighbours, dims):
    model = flocks.uniform(20_000, neighbours, dims)
    places = mm.Simulation(model).frame["boids"].positions.astype(float)
    places %= model.space.size
    tree = cKDTree(places, boxsize=model.space.size)
    counted = tree.query_ball_point(places[:2000], 1.0, return_length=True) - 1
    assert counted.mean() == pytest.approx(neighbours, rel=0.05)


def test_the_clump_holds_nine_of_ten_in_a_hundredth():
    model = flocks.clumped()
    places, _ = flocks.in_a_clump(model)["boids"]
    side = np.array(model.space.size)
    within = (np.abs(places - side / 2) <= side / 2 * 0.01 ** (1 / 3) * 1.0001).all(axis=1)
    assert within.mean() == pytest.approx(0.9, abs=0.01)
    assert (places >= 0).all() and (places <= side).all()


def test_every_standard_flock_is_a_model_and_named_once():
    names = [flock.name for flock in flocks.FLOCKS]
    assert len(set(names)) == len(names)
    for flock in flocks.FLOCKS:
        model = flock.model()
        assert sum(f.count for f in model.flocks.values()) >= 200


def test_timing_counts_all_boids_and_steps(monkeypatch):
    """By a clock on which a step takes a millisecond."""
    clock, step = [0.0], mm.Simulation.step

    def timed_step(self, steps=1):
        clock[0] += 0.001 * steps
        return step(self, steps)

    monkeypatch.setattr(mm.Simulation, "step", timed_step)
    monkeypatch.setattr(timing.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(timing, "BLOCK_SECONDS", 0.01)
    small = flocks.Standard("small", "", lambda: flocks.abm(200, 100.0, 5.0))
    timed = timing.time_flock(small, threads=1)
    assert (timed.boids, timed.threads, timed.steps) == (200, 1, 10)
    assert timed.boid_steps_per_second == pytest.approx(200 * 1000)


def test_the_command_prints_json(monkeypatch, capsys):
    monkeypatch.setattr(timing, "BLOCK_SECONDS", 0.01)
    assert main(["bench", "--only", "abm-200", "--threads", "1", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["machine"]["cores"] >= 1 and record["machine"]["processor"]
    assert record["flocks"]["abm-200"]["boid_steps_per_second"]["1"] > 0


def test_the_command_prints_a_table(monkeypatch, capsys):
    monkeypatch.setattr(timing, "BLOCK_SECONDS", 0.01)
    assert main(["bench", "--only", "abm-200"]) == 0
    out = capsys.readouterr().out
    assert "abm-200" in out and "million boid-steps/s" in out and "1 thread" in out
