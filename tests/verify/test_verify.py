"""murmurate verify: a sample of what the zoo promises, and that broken models are found out. All of
it is verified by name: pytest -m long tests/verify."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.cli import main
from murmurate.errors import ModelError
from murmurate.measures.arrays import of_arrays
from murmurate.verify import verify
from murmurate.verify.figures import find, heading_along_x, velocity_spread
from murmurate.verify.verdict import mean_over_runs

ZOO = sorted(mm.zoo())


def with_only(model: mm.Model, keep: Any) -> mm.Model:
    """The model with those of its expectations that `keep` says."""
    return model.model_copy(update={"expect": tuple(e for e in model.expect if keep(e))})


def settings(one: mm.Expectation) -> set[str]:
    return {f"{path.split('.')[-1]}={value}" for path, value in one.set.items()}


def test_figures() -> None:
    x = np.zeros((3, 2))
    flock = of_arrays(x, np.array([[3.0, 0.0], [0.0, 4.0], [0.0, -4.0]]))
    assert velocity_spread(flock) == 8.0
    assert heading_along_x(flock) == 1.0
    assert math.isnan(heading_along_x(of_arrays(x, x)))
    assert find("polarization") is not find("milling")
    with pytest.raises(ModelError, match="polarization"):
        find("polarisation")


def test_errors_come_from_seeds_or_from_the_runs() -> None:
    value, error = mean_over_runs([np.array([1.0]), np.array([3.0])])
    assert (value, error) == (2.0, 1.0)
    assert mean_over_runs([np.array([1.0, np.nan])])[0] != 1.0
    noise = np.random.default_rng(1).normal(size=(2, 4000))
    value, error = mean_over_runs(list(noise))
    assert abs(value) < 4 * error and 0.5 < error * math.sqrt(8000) < 3.0


def test_bounds() -> None:
    exact = mm.Expectation(measure="speed", step=1, value=2.0, tolerance=0.5)
    assert exact.bounds() == (1.5, 2.5)
    assert mm.Expectation(measure="speed", step=1, low=1.0).bounds() == (1.0, math.inf)
    for wrong in ({}, {"value": 1.0}, {"value": 1.0, "tolerance": 0.1, "low": 0.0}):
        with pytest.raises(ModelError, match="value and tolerance"):
            mm.Expectation(measure="speed", step=1, **wrong)
    with pytest.raises(ModelError, match="since"):
        mm.Expectation(measure="speed", step=1, since=2, low=0.0)


def test_a_sample() -> None:
    """Vicsek's curve at 40 particles, and both of Cucker and Smale's cases."""
    vicsek = with_only(mm.load("vicsek-1995"), lambda e: "count=40" in settings(e))
    for model in (vicsek, mm.load("cucker-smale")):
        results = verify(model)
        assert len(results) >= 5
        assert [r for r in results if not r.agrees] == []
        assert all(math.isfinite(r.error) for r in results)


def test_the_same_again() -> None:
    """Threads finish in any order; the numbers do not hang on it."""
    model = with_only(mm.load("couzin-2005"), lambda e: e.since is None)
    assert verify(model) == verify(model)


BROKEN = [
    ("vicsek-1995", {"rules.heading-alignment.weight": -1.0}, "start="),
    ("gregoire-chate", {"rules.heading-alignment.weight": -1.0}, ""),
    ("vicsek-1995", {"rules.heading-alignment.radius": 0.5}, "count=40"),
    ("vicsek-1995", {"flocks.boids.motion.noise_law": "gaussian"}, "count=40"),
    ("gregoire-chate", {"rules.vectorial-noise.weight": 1.16}, ""),
    ("cucker-smale", {"rules.alignment.weight": -1.0}, ""),
    ("cucker-smale", {"rules.alignment.weight": 2.0}, ""),
    ("couzin-2002", {"rules.orientation.weight": -1.0}, "radius=2.0"),
    ("couzin-2002", {"flocks.boids.motion.turn_rate": 80.0}, "radius=2.0"),
    ("olfati-saber-2006", {"rules.lattice.distance": 3.5}, ""),
]


@pytest.mark.parametrize(("name", "change", "only"), BROKEN)
def test_a_broken_model_is_found_out(name: str, change: dict[str, Any], only: str) -> None:
    """A sign, a factor of 2, another law: some expectation is not met."""
    model = mm.load(name)
    if only:
        model = with_only(model, lambda e: any(s.startswith(only) for s in settings(e)))
    elif name == "gregoire-chate":
        model = with_only(model, lambda e: not e.set)
    elif name == "olfati-saber-2006":
        model = with_only(model, lambda e: e.measure == "nearest_neighbour_distance")
    assert model.expect
    assert not all(result.agrees for result in verify(model.set(change)))


def write(folder: Path, expect: str) -> str:
    text = f"""
        [space]
        size = [9, 9]
        [flocks.boids]
        count = 5
        start = {{ kind = "box", velocity = {{ kind = "heading", velocity = [1, 0] }} }}
        {expect}
    """
    path = folder / "mine.toml"
    path.write_text("\n".join(line.strip() for line in text.splitlines()))
    return str(path)


EXPECT = '[[expect]]\nmeasure = "{}"\nstep = 3\nlow = {}\nhigh = 1.5\nwhy = "all fly alike"'


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", write(tmp_path, EXPECT.format("polarization", 0.99))]) == 0
    assert "agrees" in capsys.readouterr().out
    assert main(["verify", write(tmp_path, EXPECT.format("polarization", 1.2))]) == 1
    assert "DIFFERS" in capsys.readouterr().out
    assert main(["verify", write(tmp_path, EXPECT.format("polarisation", 0.0))]) == 2
    assert "polarization" in capsys.readouterr().err
    assert main(["verify", write(tmp_path, "")]) == 2
    assert "nothing to verify" in capsys.readouterr().err
    assert main(["verify", "no-such-flock"]) == 2
    assert main(["verify", "--quick", "--full"]) == 2


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, EXPECT.format("polarization", 0.99))
    assert main(["verify", path, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["model"] == "mine" and row["agrees"] and row["value"] == pytest.approx(1.0)
    assert (row["low"], row["high"], row["error"]) == (0.99, 1.5, None)


@pytest.mark.long
@pytest.mark.parametrize("name", ZOO)
def test_quick_tier(name: str) -> None:
    assert [r for r in verify(mm.load(name)) if not r.agrees] == []


@pytest.mark.long
@pytest.mark.parametrize("name", [n for n in ZOO if 'tier = "full"' in mm.zoo()[n]])
def test_full_tier(name: str) -> None:
    assert [r for r in verify(mm.load(name), "full") if not r.agrees] == []
