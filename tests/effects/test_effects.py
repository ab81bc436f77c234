"""Sensitivity: effects and shares of known functions, a model whose answer is exact, and files."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import murmurate as mm
from murmurate.effects.design import SensitivityFolder, SensitivityPlan, make_design
from murmurate.effects.indices import indices_of
from murmurate.effects.report import analyse
from murmurate.errors import SweepError

pytest.importorskip("SALib")
SPEED, NOISE = "flocks.boids.motion.speed", "flocks.boids.motion.noise"
COUNT = "flocks.boids.count"


@pytest.fixture(scope="module")
def model():
    return mm.load("vicsek-1995").set({COUNT: 8, "space.size": [2.0, 2.0]})


def design(model, method, samples, numbers=3):
    paths = (SPEED, NOISE, "rules.heading-alignment.radius")[:numbers]
    block = numbers + (1 if method == "morris" else 2)
    run = mm.RunSpec(runs=2 * samples * block, seed=3)
    return make_design(model, dict.fromkeys(paths, (0.2, 0.9)), method, run)


def noisy(values, seeds, spread):
    """Runs of each setting: its value and normal noise."""
    noise = np.random.default_rng(4).normal(size=(len(values), seeds))
    return values[:, None] + spread * noise


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_sobol_shares_are_those_of_ishigami(model, noise):
    """Ishigami & Homma 1990, a = 7, b = 0.1. Noise takes its part of the variance, and no more."""
    plan = design(model, "sobol", 1024)
    x = math.pi * (2.0 * plan.matrix - 1.0)
    y = np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    variance = 0.5 + 49.0 / 8.0 + 0.1 * math.pi**4 / 5.0 + 0.01 * math.pi**8 / 18.0
    share = noise / (1.0 + noise)
    rows = indices_of(plan, noisy(y, 3, math.sqrt(noise * variance)), "y")
    first, total = [row.first for row in rows], [row.total for row in rows]
    exact = np.array([0.3139, 0.4424, 0.0]), np.array([0.5576, 0.4424, 0.2437])
    assert first[:3] == pytest.approx(exact[0] * (1.0 - share), abs=0.06)
    assert total[:3] == pytest.approx(exact[1] * (1.0 - share), abs=0.06)
    assert first[3] == total[3] == pytest.approx(share, abs=0.02)
    for row, first_order, sum_of_orders in zip(rows, *exact, strict=False):
        assert row.first_low - 0.01 <= first_order * (1.0 - share) <= row.first_high + 0.01
        assert row.total_low - 0.01 <= sum_of_orders * (1.0 - share) <= row.total_high + 0.01
        assert row.clear


def test_morris_effects_are_the_slopes_of_a_line(model):
    plan = design(model, "morris", 16)
    y = plan.matrix @ [3.0, -2.0, 0.0]
    up, down, nothing, noise = indices_of(plan, noisy(y, 2, 0.0), "y")
    assert (up.mu, down.mu, nothing.mu) == pytest.approx((3.0, -2.0, 0.0))
    assert (up.mu_star, down.mu_star) == pytest.approx((3.0, 2.0))
    assert up.sigma == pytest.approx(0.0, abs=1e-9) and up.clear and down.clear
    assert noise.mu_star == 0.0 and not nothing.clear


def test_noise_is_not_mistaken_for_an_effect(model):
    """The row of the noise is what a number without any effect shows."""
    plan = design(model, "morris", 400)
    y = plan.matrix @ [3.0, 0.0, 0.0]
    up, *nothing, noise = indices_of(plan, noisy(y, 2, 1.0), "y")
    assert up.clear and not any(row.clear for row in nothing)
    for row in nothing:
        assert row.mu_star == pytest.approx(noise.mu_star, rel=0.1)
        assert row.sigma == pytest.approx(noise.sigma, rel=0.1)
    assert noise.sigma == pytest.approx(1.0 / (2.0 / 3.0), rel=0.05)  # sqrt(2 / 2) over the step
    rows = indices_of(design(model, "sobol", 256), noisy(np.zeros(256 * 5), 2, 1.0), "y")
    assert rows[-1].total == pytest.approx(1.0, abs=0.1)
    assert not any(row.clear for row in rows[:-1])
    assert all(row.total == pytest.approx(0.0, abs=0.15) for row in rows[:-1])


def test_samples_without_a_value_are_left_out_whole(model):
    plan = design(model, "sobol", 8, 2)
    values = np.ones((32, 2)) * plan.matrix[:, :1]
    values[5, 1] = math.nan
    with pytest.raises(SweepError, match="7 of 8 samples; expected at least 8"):
        indices_of(plan, values, "y")
    plan = design(model, "morris", 8, 2)
    values = np.ones((24, 2)) * plan.matrix[:, :1]
    values[5, 1] = math.nan
    assert indices_of(plan, values, "y")[0].mu == pytest.approx(1.0)


@pytest.mark.slow
def test_the_speed_of_particles_is_the_speed_of_the_model(model, tmp_path):
    """Exact: all particles have the speed of the model, whatever the noise and their number."""
    vary = {SPEED: (0.01, 0.05), NOISE: (0.5, 4.0), COUNT: (4, 9)}
    run = mm.RunSpec(runs=35, steps=6, warm_up=2, every=2, engine="reference")
    options = {"run": run, "output": tmp_path / "it"}
    result = mm.sensitivity(model, ["speed", "polarization"], vary, **options)
    speed, noise, count, seed = result.effects["speed"]
    assert (speed.mu, speed.mu_star) == pytest.approx((0.04, 0.04), rel=1e-4) and speed.clear
    assert max(noise.mu_star, count.mu_star, seed.mu_star, speed.sigma) < 1e-6
    assert result.unclear("speed") == [NOISE, COUNT] and result.runs == 32
    assert result.effects["polarization"][-1].mu_star > 0.0
    assert all(isinstance(values[COUNT], int) for values in result_settings(tmp_path / "it"))
    assert "noise (seed)" in repr(result) and "<table>" in result._repr_html_()
    assert len(result.to_dataframe()) == 8

    counts = []
    again = mm.sensitivity(
        model, ["speed", "polarization"], vary, **options,
        progress=lambda done, total: counts.append(done),
    )  # fmt: skip
    assert again.to_json() == result.to_json() and not counts  # nothing is simulated again
    with pytest.raises(SweepError, match="holds another sensitivity analysis"):
        mm.sensitivity(model, "speed", vary, **options | {"run": replace(run, seed=1)})
    (tmp_path / "it" / "sweep" / "runs" / "000007.json").unlink()
    with pytest.raises(SweepError, match="no result of 1 of 32 runs"):
        analyse(SensitivityFolder(tmp_path / "it"))


def result_settings(folder):
    return SensitivityFolder(folder).sweep.plan().parameter_sets


@pytest.mark.parametrize("method", [pytest.param("morris", marks=pytest.mark.slow), "sobol"])
def test_plots_show_numbers_and_noise(model, method, tmp_path):
    pytest.importorskip("matplotlib")
    result = mm.sensitivity(
        model,
        ["polarization", "speed"],
        {NOISE: (0.5, 4.0), SPEED: (0.01, 0.05)},
        mm.RunSpec(runs=64, steps=4, warm_up=0, every=2, engine="reference"),
        method=method,
    )
    path = result.save_plot(tmp_path / "it.svg")
    texts = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text()))
    assert "noise (rad)" in texts and "95% interval" in texts
    assert ("what noise alone would show" if method == "morris" else "first order") in texts
    with pytest.raises(SweepError, match="polarisation"):
        result.save_plot(tmp_path / "other.svg", "polarisation")


def test_a_design_is_stored_with_its_settings(model):
    plan = design(model, "morris", 4)
    assert SensitivityPlan.from_toml(plan.to_toml(), "it") == plan
    with pytest.raises(SweepError, match="incomplete"):
        SensitivityPlan.from_toml(plan.to_toml().replace("samples = 4", "samples = 5"), "it")
    with pytest.raises(SweepError, match="is not a sensitivity analysis"):
        SensitivityPlan.from_toml("version = 9", "it")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"method": "fast"}, "method: got 'fast'; expected one of morris, sobol"),
        (
            {"run": mm.RunSpec(runs=15)},
            "runs: got 15; expected at least 16 for morris: 4 trajectories of 4",
        ),
        (
            {"run": mm.RunSpec(runs=47), "method": "sobol"},
            "expected at least 48 for sobol: 8 samples of 6",
        ),
        ({"run": mm.RunSpec(runs=10**12)}, "runs: got 1000000000000; expected at most"),
        ({"vary": {}}, "vary: got no path"),
        ({"vary": {SPEED: (2.0, 1.0)}}, "LOW < HIGH"),
        ({"vary": {SPEED: "ab"}}, "got 'ab'; expected a sequence of values"),
        ({"vary": {SPEED: (1, 2, 3)}}, "got bounds"),
        ({"run": mm.RunSpec(seeds=1)}, "seeds: got 1; expected at least 2"),
        ({"measures": ["sped"]}, "sped"),
        ({"vary": {"rules.flocking": (0, 1)}}, "flocking"),
    ],
)
def test_invalid_arguments_are_refused_before_anything_is_written(model, changes, says, tmp_path):
    arguments = {"measures": "speed", "vary": {SPEED: (0.1, 0.2)}, "output": tmp_path / "it"}
    with pytest.raises((SweepError, mm.ModelError), match=re.escape(says)):
        mm.sensitivity(model, **arguments | changes)
    assert not (tmp_path / "it").exists()


@pytest.mark.slow
def test_the_command_begins_resumes_and_plots(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    from murmurate.cli.app import run

    monkeypatch.chdir(tmp_path)
    words = ["sensitivity", "vicsek-1995", "--boids", "5", "--measures", "speed,polarization"]
    words += ["--vary", f"{SPEED}=0.01:0.05", "--vary", f"{NOISE}=1:4", "--runs", "24"]
    words += ["--steps", "4", "--warm-up", "0", "--every", "2", "--engine", "reference", "--quiet"]
    assert run([*words, "-o", "it"]) == 0
    out = capsys.readouterr().out
    assert "4 trajectories of Morris, 24 runs" in out and "not beyond noise" in out
    assert (tmp_path / "it" / "sensitivity.csv").read_text().count("\n") == 7
    assert run(["sensitivity", "it", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["effects"]
    assert rows[0]["mu"] == pytest.approx(0.04, rel=1e-4) and rows[2]["path"] == "seed"
    assert run(["plot", "it", "speed"]) == 0 and (tmp_path / "it" / "speed.png").is_file()
    assert run(["plot", "it"]) == 0 and (tmp_path / "it" / "sensitivity.png").is_file()
    capsys.readouterr()
    assert run(["sensitivity", "it", "--seeds", "3"]) == 2
    err = capsys.readouterr().err
    assert "--seeds: got settings for it, a sensitivity analysis with its own settings" in err
    assert run(["plot", "it", "--kind", "map"]) == 2
    assert "--kind: got it with it; expected a sweep" in capsys.readouterr().err
    assert run([*words, "-o", "new", "--processes", "0"]) == 2
    assert "processes: got 0" in capsys.readouterr().err and not (tmp_path / "new").exists()
    assert run([*words[:2], "--vary", f"{SPEED}=0.01:0.05"]) == 2
    assert "such as --measures polarization,milling" in capsys.readouterr().err
