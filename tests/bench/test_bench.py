"""The standard flocks have the stated densities, and timing counts boids and steps."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial import cKDTree

import murmurate as mm
from murmurate.bench import flocks, timing
from murmurate.cli import main


@pytest.mark.parametrize(("neighbours", "dims"), [(8, 3), (20, 3), (20, 2)])
def test_uniform_has_the_stated_number_of_neighbours(neighbours, dims):
    model = flocks.uniform(20_000, neighbours, dims)
    positions = mm.Simulation(model).frame["boids"].positions.astype(float)
    positions %= model.space.size
    tree = cKDTree(positions, boxsize=model.space.size)
    counts = tree.query_ball_point(positions[:2000], 1.0, return_length=True) - 1
    assert counts.mean() == pytest.approx(neighbours, rel=0.05)


def test_the_clump_has_nine_of_ten_boids_in_a_hundredth_of_the_space():
    model = flocks.clumped()
    positions, _ = flocks.clumped_start(model)["boids"]
    side = np.array(model.space.size)
    within = (np.abs(positions - side / 2) <= side / 2 * 0.01 ** (1 / 3) * 1.0001).all(axis=1)
    assert within.mean() == pytest.approx(0.9, abs=0.01)
    assert (positions >= 0).all() and (positions <= side).all()


def test_standard_flocks_have_models_and_unique_names():
    names = [flock.name for flock in flocks.FLOCKS]
    assert len(set(names)) == len(names)
    for flock in flocks.FLOCKS:
        model = flock.model()
        assert sum(f.count for f in model.flocks.values()) >= 200


def test_timing_takes_the_median_of_blocks():
    """A step takes a millisecond of a fake clock."""

    class Steps:
        n_steps = 0

        def step(self, steps):
            self.n_steps += steps

    simulation = Steps()
    seconds, steps = timing.time_steps(simulation, 0.01, lambda: 0.001 * simulation.n_steps)
    assert seconds == pytest.approx(0.001)
    assert steps == 10
    assert simulation.n_steps == 2 + 1 + 4 + timing.BLOCKS * 10


@pytest.fixture
def small(monkeypatch):
    """The only standard flock, whose blocks have one step."""
    flock = flocks.StandardFlock("small", "20 birds", lambda: flocks.abm(20, 100.0, 5.0))
    monkeypatch.setattr(flocks, "FLOCKS", (flock,))
    monkeypatch.setattr(timing, "BLOCK_SECONDS", 0.0)
    return flock


def test_timing_counts_the_boids_of_a_flock(small):
    timed = timing.time_flock(small, threads=1, engine="reference")
    assert (timed.flock, timed.description) == ("small", "20 birds")
    assert (timed.boids, timed.threads) == (20, 1)
    assert timed.steps >= 1 and timed.boid_steps_per_second > 0


def test_the_command_prints_json(capsys, small):
    words = ["--only", "small", "--threads", "1", "--engine", "reference", "--json"]
    assert main(["doctor", "--bench", *words]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["machine"]["cores"] >= 1 and record["machine"]["processor"]
    assert record["flocks"]["small"]["boid_steps_per_second"]["1"] > 0


@pytest.mark.slow  # with all numbers of threads
def test_the_command_prints_a_table(capsys):
    assert main(["doctor", "--bench", "--only", "abm-200"]) == 0
    out = capsys.readouterr().out
    assert "abm-200" in out and "million boid-steps/s" in out and "1 thread" in out
