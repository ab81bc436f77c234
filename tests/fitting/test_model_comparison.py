"""Comparison of models on held-out flocks: scores of known densities, attribution, and files."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import FitError
from murmurate.fitting.comparison import open_comparison
from murmurate.fitting.comparison_plan import ComparisonFolder, ComparisonPlan
from murmurate.fitting.model_scores import log_predictive, rank_models
from murmurate.tracks.sampling import TrackSampling

NOISE = "flocks.boids.motion.noise"
MEASURES = ["polarization", "nearest_neighbour_distance"]
RUN = mm.RunSpec(steps=20, warm_up=5, every=5, runs=24, engine="reference")


@pytest.fixture(scope="module", autouse=True)
def _libraries() -> None:
    """Import them in the worker that runs these tests, not in all that collect them."""
    for name in ("arviz_stats", "sklearn"):
        pytest.importorskip(name)


@pytest.fixture(scope="module")
def model():
    return mm.load("vicsek-1995").set({"flocks.boids.count": 12, "space.size": [2.0, 2.0]})


def test_the_score_is_the_density_of_the_runs():
    """In whatever units the measures are, and with runs that have no value."""
    from scipy.stats import multivariate_normal

    covariance = np.array([[1.0, 0.8], [0.8, 2.0]])
    rng = np.random.default_rng(0)
    values = rng.multivariate_normal([1.0, 3.0], covariance, 5000)
    observed = np.array([2.0, 2.5])
    exact = multivariate_normal([1.0, 3.0], covariance).logpdf(observed)
    score = log_predictive(values, observed)
    assert score == pytest.approx(exact, abs=0.05)
    units = np.array([1e3, 1e-3])
    assert log_predictive(values * units, observed * units) == pytest.approx(score)
    without = np.vstack([values, np.full((5000, 2), np.nan)])
    assert log_predictive(without, observed) == pytest.approx(score - math.log(2.0))
    with pytest.raises(FitError, match="got 9 of 9 with a value of every measure"):
        log_predictive(values[:9], observed)


def test_few_runs_are_less_certain_than_many():
    """On average over runs, the density of ten runs is not overconfident far from their mean."""
    rng = np.random.default_rng(1)
    far = np.array([4.0])
    few = [log_predictive(rng.normal(size=(10, 1)), far) for _ in range(200)]
    assert np.median(few) > -0.5 * 16.0 - 0.5 * math.log(2.0 * math.pi)


def test_a_model_is_worse_only_beyond_the_error_of_the_difference():
    scores = np.array([3.0, 1.0, 2.0, 4.0])
    near, far = scores - [0.5, -0.4, 0.3, -0.2], scores - [2.0, 2.2, 1.9, 2.1]
    best, other, worst = rank_models([
        ("far", ("p",), far), ("best", ("p",), scores), ("near", ("p",), near)
    ])  # fmt: skip
    assert [best.name, other.name, worst.name] == ["best", "near", "far"]
    assert best.difference == best.difference_error == 0.0 and not best.worse
    assert (other.difference, other.worse) == (pytest.approx(-0.2), False)
    assert worst.difference == pytest.approx(-8.2) and worst.worse
    assert worst.difference_error == pytest.approx(2.0 * np.std([2.0, 2.2, 1.9, 2.1], ddof=1))
    half = worst.interval[1] - worst.difference
    assert half == pytest.approx(3.182 * worst.difference_error, rel=1e-3)


@pytest.mark.long
def test_flocks_are_attributed_to_their_model_and_equal_models_are_not_distinguished(
    model, tmp_path
):
    pytest.importorskip("matplotlib")
    flocks = {}
    for k in range(4):
        run = replace(RUN, runs=None, seed=k)
        table = mm.measure(model.set({NOISE: 1.5}), MEASURES, run)
        flocks[f"flock {k}"] = {name: (table[name].value, table[name].error) for name in MEASURES}
    alone = model.set({"rules.heading-alignment.radius": 0.05})
    models = {
        "aligned": (model, {NOISE: (0.5, 5.0)}),
        "same": (model, {NOISE: (0.4, 5.2)}),
        "alone": (alone, {NOISE: (0.5, 5.0)}),
    }
    counts = {"run": RUN, "predictions": 12, "output": tmp_path / "it"}
    result = mm.compare_models(models, flocks, MEASURES, **counts)
    scores = {score.name: score for score in result.scores}
    assert scores["alone"].worse and scores["alone"].difference < -10.0
    assert not scores["same"].worse and not scores["aligned"].worse
    text = repr(result)
    assert re.search(r"predicts these flocks better than alone, by \d", text)
    assert "these flocks do not distinguish" in text and "contains 0" in text

    runs = {path: path.stat().st_mtime_ns for path in (tmp_path / "it").rglob("runs/*.json")}
    again = mm.compare_models(models, flocks, MEASURES, **counts)
    assert again.to_json() == result.to_json() and len(runs) == 3 * (24 + 4 * 12)
    assert all(path.stat().st_mtime_ns == time for path, time in runs.items())
    assert open_comparison(tmp_path / "it").to_json() == result.to_json()
    drawn = result.save_plot(tmp_path / "it.svg").read_text()
    assert "not distinguished" in drawn and "log score of the flock" in drawn
    with pytest.raises(FitError, match="holds another comparison"):
        mm.compare_models(models, flocks, MEASURES, **counts | {"run": replace(RUN, runs=25)})


def flocks_of(count, value=0.5):
    return {f"flock {k}": {name: (value, 0.1) for name in MEASURES} for k in range(count)}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"flocks": flocks_of(2)}, "flocks: got 2; expected at least 3"),
        ({"flocks": "fish.npy"}, "flocks: got 'fish.npy'; expected several"),
        ({"flocks": ["1.csv", "2.csv", "1.csv"]}, "flocks: got 1.csv, 2.csv; expected each once"),
        ({"flocks": flocks_of(3, math.nan)}, "flock 0: got no value of polarization"),
        (
            {
                "flocks": flocks_of(2)
                | {"film": mm.Tracks(np.random.default_rng(0).random((9, 5, 2)))}
            },
            "flocks: got velocities from positions at 1 frames a second in film, and others in "
            "flock 0; expected those of one kind",
        ),
        ({"measures": ()}, "measures: got none"),
        ({"run": mm.RunSpec(runs=9)}, "runs: got 9; expected at least 10"),
        ({"predictions": 9}, "predictions: got 9"),
        ({"run": mm.RunSpec(seeds=2)}, "seeds: got 2; expected 1"),
        ({"models": {"a": ("vicsek-1995", {NOISE: (0, 5)})}}, "models: got 1"),
        ({"models": {k: ("vicsek-1995", {NOISE: (0, 5)}) for k in ("a:", "a?")}}, "different"),
        ({"models": {"a": ("vicsek-1995", {NOISE: (0, 5)}), "b": ("p5", {})}}, "got no path"),
    ],
)
def test_invalid_arguments_are_refused_before_anything_is_written(changes, says, tmp_path):
    two = {name: ("vicsek-1995", {NOISE: (0, 5)}) for name in ("a", "b")}
    arguments = {"models": two, "flocks": flocks_of(3), "measures": MEASURES}
    with pytest.raises(FitError, match=re.escape(says)):
        mm.compare_models(**arguments | changes, output=tmp_path / "it")
    assert not (tmp_path / "it").exists()


def test_a_damaged_plan_or_result_is_refused(tmp_path):
    plan = ComparisonPlan(("a", "b"), ("speed",), {
        f"flock {k}": {"speed": (1.0, math.inf, math.inf)} for k in range(3)
    }, 20, 20, 0.001, {f"flock {k}": TrackSampling(2.0) for k in range(3)})  # fmt: skip
    assert ComparisonPlan.from_toml(plan.to_toml(), "it") == plan
    with pytest.raises(FitError, match="is not a comparison"):
        ComparisonPlan.from_toml(plan.to_toml().replace("version = 1", "version = 9"), "it")
    with pytest.raises(FitError, match="got no finished comparison"):
        open_comparison(tmp_path)


def test_a_change_holds_for_each_model_that_has_the_number():
    from murmurate.cli.compare import changed_models
    from murmurate.cli.options import Changes

    texts = ("dt=0.5", "rules.heading-alignment.radius=0.7")
    models = changed_models(("vicsek-1995", "p5"), Changes(set=texts, boids=9))
    assert [model.dt for model in models.values()] == [0.5, 0.5]
    assert models["vicsek-1995"].rules["heading-alignment"].radius == 0.7
    assert {model.flocks["boids"].count for model in models.values()} == {9}
    with pytest.raises(mm.ModelError, match=r"--set rules\.nothing\.weight=1"):
        changed_models(("vicsek-1995", "p5"), Changes(set=("rules.nothing.weight=1",)))
    with pytest.raises(mm.ModelError, match="--set dt=0"):
        changed_models(("vicsek-1995", "p5"), Changes(set=("dt=0",)))


@pytest.mark.slow
def test_the_command_begins_resumes_and_plots(tmp_path, monkeypatch, capsys, model):
    pytest.importorskip("matplotlib")
    from murmurate.cli.app import run
    from murmurate.model.files import to_toml

    monkeypatch.chdir(tmp_path)
    (tmp_path / "aligned.toml").write_text(to_toml(model))
    (tmp_path / "alone.toml").write_text(
        to_toml(model.set({"rules.heading-alignment.radius": 0.05}))
    )
    for k in range(3):
        frames = mm.Simulation(model.set({NOISE: 1.5}), seed=k, engine="reference").step(5)
        positions = np.array([frames.step().frame["boids"].positions for _ in range(15)])
        np.save(f"{k}.npy", positions)
    words = ["compare-models", "aligned.toml", "alone.toml", "--measures", "polarization"]
    words += ["--boids", "11", "--set", "dt=1", "--set", "rules.heading-alignment.weight=0.9"]
    words += [word for k in range(3) for word in ("--flocks", f"{k}.npy")]
    words += ["--vary", f"{NOISE}=0.5:5", "--runs", "20", "--predictions", "10", "--steps", "15"]
    words += ["--warm-up", "5", "--every", "5", "--engine", "reference", "--quiet", "-o", "it"]
    assert run(words) == 0
    for plan in ComparisonFolder("it").plans().values():
        assert plan.parsed_model.flocks["boids"].count == 11 and plan.runs == 20 + 3 * 10
        assert plan.parsed_model.rules["heading-alignment"].weight == 0.9
    out = capsys.readouterr().out
    assert "2 models, each of 3 flocks predicted from the others" in out and "best" in out
    assert run(["compare-models", "it", "--json", "--quiet"]) == 0
    assert set(json.loads(capsys.readouterr().out)["models"]) == {"aligned", "alone"}
    assert run(["plot", "it"]) == 0 and (tmp_path / "it" / "comparison.png").is_file()
    capsys.readouterr()
    for option, says in (
        (["it", "--runs", "30"], "--runs: got settings for it"),
        (["it", "--boids", "9"], "--boids: got settings for it"),
        (
            ["aligned.toml", "alone.toml", "--vary", f"{NOISE}=1:2"],
            "measures: got none; expected at least one, such as --measures",
        ),
        (["aligned.toml", "aligned.toml", "--measures", "speed"], "with different names"),
        (
            ["aligned.toml", "alone.toml", "--measures", "speed", "--vary", "rules.x=0:1"],
            "--vary rules.x: no model has it",
        ),
        (["aligned.toml", "alone.toml", "--measures", "speed"], "--vary: got no path of aligned"),
    ):
        assert run(["compare-models", *option]) == 2
        assert says in capsys.readouterr().err
