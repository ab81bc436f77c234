"""murmurate run: figures, JSON, and flocks of few, of coincident and of runaway boids."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.measures.defaults import default_values


def test_run_prints_the_figures_of_its_last_step(murmurate):
    ran = murmurate("run", "tiny.toml", "--steps", "20", "--seed", "3")
    assert ran.code == 0
    assert "tiny after step 20" in ran.out
    frame = mm.Simulation(mm.load("tiny.toml"), seed=3).step(20).frame
    row = next(line.split() for line in ran.out.splitlines() if line.startswith("boids"))
    values = [float(word) for word in row[1:]]
    assert values == pytest.approx(list(default_values(frame)["boids"].values()), rel=1e-3)


def test_run_json(murmurate):
    ran = murmurate("run", "tiny.toml", "--steps", "20", "--seed", "3", "--json")
    record = json.loads(ran.out)
    assert ran.err == ""
    assert record["model"] == "tiny" and record["seed"] == 3 and record["steps"] == 20
    assert record["time"] == 20.0 and record["boids"] == 12
    assert set(record["flocks"]["boids"]) == {
        "speed", "polarization", "milling", "nearest_neighbour_distance",
    }  # fmt: skip
    assert record["boid_steps_per_second"] > 0


def test_changes_apply_to_the_simulation(murmurate):
    ran = murmurate(
        "run", "tiny.toml", "--json", "--steps", "1", "--boids", "40", "--set", "dt=0.5",
        "--set", "flocks.boids.motion.max_speed=.25",
    )  # fmt: skip
    record = json.loads(ran.out)
    assert record["boids"] == 40 and record["time"] == 0.5
    assert record["flocks"]["boids"]["speed"] <= 0.2501


def test_boids_is_about_the_largest_flock_where_none_is_named_boids(murmurate, tmp_path: Path):
    text = (tmp_path / "tiny.toml").read_text().replace("flocks.boids", "flocks.fish")
    few = '[flocks.sharks]\ncount = 2\n[rules.away]\nkind = "cohesion"\nmoves = "sharks"\n'
    text = text.replace("[rules.cohesion]", f'{few}[rules.cohesion]\nmoves = "fish"')
    (tmp_path / "sea.toml").write_text(text)
    ran = murmurate("run", "sea.toml", "--json", "--steps", "0", "--boids", "50")
    assert json.loads(ran.out)["boids"] == 52


def test_no_steps_reports_the_start(murmurate):
    ran = murmurate("run", "tiny.toml", "--steps", "0", "--json")
    assert ran.code == 0
    record = json.loads(ran.out)
    assert record["steps"] == 0 and record["boid_steps_per_second"] is None
    assert record["flocks"]["boids"]["speed"] == pytest.approx(0.5, rel=1e-5)


@pytest.mark.parametrize("boids", [0, 1, 2])
def test_few_boids(murmurate, boids):
    ran = murmurate("run", "tiny.toml", "--boids", boids, "--steps", "5", "--json")
    assert ran.code == 0
    record = json.loads(ran.out)
    assert record["boids"] == boids
    distance = record["flocks"]["boids"]["nearest_neighbour_distance"]
    assert (distance is None) == (boids < 2)
    assert murmurate("run", "tiny.toml", "--boids", boids, "--steps", "5").code == 0
    ran = murmurate("film", "tiny.toml", "--boids", boids, "--force")
    assert ran.code == 0 and Path("tiny.mp4").stat().st_size > 0


def test_boids_at_the_same_point(murmurate):
    ran = murmurate(
        "run", "tiny.toml", "--steps", "5", "--json",
        "--set", 'flocks.boids.start={kind = "box", lower = [5, 5], upper = [5, 5]}',
    )  # fmt: skip
    assert ran.code == 0
    assert json.loads(ran.out)["flocks"]["boids"]["nearest_neighbour_distance"] == 0.0


def test_a_runaway_boid_is_named_with_its_step(murmurate, tmp_path: Path):
    (tmp_path / "burst.toml").write_text(
        """
        [space]
        size = [20, 20]
        [flocks.boids]
        count = 5
        [rules.cohesion]
        weight = -1e4
        """
    )
    with pytest.raises(mm.RunError) as caught:
        mm.Simulation(mm.load("burst.toml"), engine="reference").step(50)
    lost = caught.value
    for command in (["run", "burst.toml", "--steps", "50"], ["still", "burst.toml", "--at", "50"]):
        ran = murmurate(*command, "--engine", "reference")
        assert ran.code == 1
        assert f"boid {lost.boid} of flock 'boids'" in ran.err
        assert f"after step {lost.step}" in ran.err
    ran = murmurate(
        "film", "burst.toml", "--steps", "50", "--size", "64x64", "--engine", "reference"
    )
    assert ran.code == 1
    assert f"after step {lost.step}" in ran.err
    assert math.isfinite(lost.step) and (lost.step == 1 or Path("burst.mp4").exists())
