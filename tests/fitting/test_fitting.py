"""Fits recover the numbers of a small flock, and a killed fit resumes to the same result."""

from __future__ import annotations

import json
import math
import tomllib

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.fitting.fit_plan import FitFolder, FitPlan, make_plan
from murmurate.fitting.objective import PENALTY, ComparedMeasure, objective
from murmurate.sweeps.task import Task

NOISE, SPEED = "flocks.boids.motion.noise", "flocks.boids.motion.speed"
QUICK = {"steps": 60, "warm_up": 20, "every": 5, "seeds": 1}


@pytest.fixture(scope="module")
def model():
    """A small, crowded torus, so that each run determines its numbers well."""
    return mm.load("vicsek-1995").set({"flocks.boids.count": 60, "space.size": [4.0, 4.0]})


@pytest.fixture(scope="module")
def theirs(model, tmp_path_factory):
    """A recording of the model with other numbers."""
    path = tmp_path_factory.mktemp("fit") / "theirs.zarr"
    mm.run(model.set({NOISE: 2.5, SPEED: 0.05}), 400, every=5, seed=9, output=path)
    return path


def test_known_numbers_are_recovered(model, theirs):
    fit = mm.fit(
        model, theirs, ["polarization", "speed"], {NOISE: (0.5, 5.0), SPEED: (0.01, 0.1)},
        check=["milling"], evaluations=60, **QUICK,
    )  # fmt: skip
    assert fit.best[NOISE] == pytest.approx(2.5, abs=0.4)
    assert fit.best[SPEED] == pytest.approx(0.05, rel=0.05)
    assert fit.model.set({}).flocks["boids"].motion.speed == fit.best[SPEED]
    noise = fit.varied[0]
    assert not noise.at_bound and not noise.undetermined
    assert not noise.has_range and noise.supporting < noise.needed == 20  # of 60 settings
    assert [compared.name for compared in fit.met] == ["polarization", "speed", "milling"]
    assert [compared.fitted for compared in fit.met] == [True, True, False]
    assert all(abs(compared.z) < 4 for compared in fit.met)
    assert fit.history == sorted(fit.history, reverse=True) and fit.history[0] > fit.history[-1]
    assert "polarization" in repr(fit) and fit._repr_html_().count("<tr>") == 3 + 4


def settings(model, theirs):
    vary = {NOISE: (0.5, 5.0), "flocks.boids.count": (20, 60)}
    return (model, theirs, ["polarization"], vary), {"evaluations": 15, "seed": 4, **QUICK}


class Killed(BaseException):
    pass


def test_a_killed_fit_resumes_to_the_same_result(model, theirs, tmp_path):
    arguments, options = settings(model, theirs)
    complete = mm.fit(*arguments, **options, output=tmp_path / "whole")

    def kill(done, total, smallest):
        if done >= 8:
            raise Killed

    with pytest.raises(Killed):
        mm.fit(*arguments, **options, output=tmp_path / "cut", watch=kill)
    runs = sorted((tmp_path / "cut" / "runs").glob("[0-9]*.json"))
    assert 8 <= len(runs) < complete.runs and not (tmp_path / "cut" / "fit.json").exists()
    runs[3].write_text(runs[3].read_text()[:40])  # cut short by the kill
    times = {path: path.stat().st_mtime_ns for path in runs if path != runs[3]}
    again = mm.fit(*arguments, **options, output=tmp_path / "cut")
    assert again.to_dict() == complete.to_dict() and again.history == complete.history
    assert {path: path.stat().st_mtime_ns for path in times} == times, "a run was simulated again"
    assert isinstance(again.best["flocks.boids.count"], int)
    saved = tomllib.loads((tmp_path / "cut" / "fitted.toml").read_text())
    assert saved["flocks"]["boids"]["motion"]["noise"] == again.best[NOISE]
    with pytest.raises(mm.FitError, match="holds another fit"):
        mm.fit(*arguments, **{**options, "seed": 5}, output=tmp_path / "cut")


def test_a_failed_run_is_not_simulated_again(tmp_path):
    """Its record states why it failed, and is found like any other."""
    failed = {"index": 7, "values": {NOISE: 2.5}, "seed": 3, "error": "boid 4 of boids left"}
    folder = FitFolder(tmp_path)
    (tmp_path / "runs").mkdir()
    folder.store(failed)

    def task(seed):
        options = RunOptions(seed=seed)
        return Task(7, 3, 1, options, {NOISE: 2.5}, "", "fish", 10, 0, 1, ("speed",))

    assert folder.find_record(task(3)) == failed
    assert folder.find_record(task(4)) is None
    numbers = {"mean": 1.0, "error": 0.1, "last": 1.0}
    finished = {**failed, "point": 3, "repeat": 1, "measures": {"speed": numbers}}
    del finished["error"]
    folder.store(finished)
    assert folder.find_record(task(3)) == finished
    for change in ({"point": 4}, {"measures": {"milling": numbers}}):
        folder.store({**finished, **change})
        assert folder.find_record(task(3)) is None


def test_objective():
    def record(mean, error=0.1):
        return {"measures": {"speed": {"mean": mean, "error": error}}}

    target = {"speed": (1.0, 0.3)}
    assert objective(target, [record(1.5, 0.4)]) == pytest.approx(0.5**2 / (2 * 0.3**2))  # capped
    assert objective(target, [record(1.5, None)]) == pytest.approx((0.5 / 0.3) ** 2)
    two = [record(1.4), record(1.6)]  # their mean is 1.5 ± 0.1
    assert objective(target, two) == pytest.approx(0.25 / (0.09 + 0.01))
    assert objective(target, [record(None)]) == PENALTY == objective(target, [{"error": "lost"}])
    assert objective({"speed": (1.0, 0.0)}, [record(1.01, 0.0)]) == pytest.approx(1)
    met = ComparedMeasure("speed", 1.0, 0.3, 1.5, 0.4, fitted=True)
    assert met.z == pytest.approx(1) and met.verdict == "fits"
    assert math.isnan(ComparedMeasure("speed", 1.0, 0.3, math.nan, math.nan, fitted=True).z)
    assert (
        ComparedMeasure("speed", 1.0, 0.3, math.nan, math.nan, fitted=True).verdict
        == "does not fit"
    )


def test_a_plan_reads_back(model):
    plan = FitPlan(
        mm.to_toml(model), "it", {NOISE: (0.5, 5)}, {"speed": (1.0, 0.1)}, {"milling": (0.5, 0.0)}
    )
    assert FitPlan.from_toml(plan.to_toml(), "it") == plan
    seeds = {task.seed for task in plan.tasks(3, {NOISE: 1.0})}
    assert seeds == {task.seed for task in plan.tasks(4, {NOISE: 2.0})}
    others = [
        plan.final_tasks(9, stage, finalist, {NOISE: 2.0})
        for stage, finalist in ((0, 0), (0, 1), (1, 0))
    ]
    numbers = [{task.seed for task in tasks} for tasks in others]
    assert not seeds & numbers[0] and numbers[0] == numbers[1] and not numbers[0] & numbers[2]
    indices = [task.index for tasks in others for task in tasks]
    assert len(set(indices)) == len(indices) and min(indices) == 9 * plan.seeds


def test_whole_numbers_are_tried_where_the_model_counts(model):
    """However bounds are written: -1:1 of a weight is not a choice of -1, 0 and 1."""
    vary = {NOISE: (0, 5), "flocks.boids.count": (20.0, 60), "dt": (1, 2), "view.steps": (5, 9)}
    plan = make_plan(model, {"speed": (1.0, 0.1)}, vary, {})
    expected = {NOISE: (0.0, 5.0), "flocks.boids.count": (20, 60), "dt": (1.0, 2.0),
            "view.steps": (5, 9)}  # fmt: skip
    assert repr(plan.vary) == repr(expected)
    assert FitPlan.from_toml(plan.to_toml(), "it") == plan
    near = mm.load("ucl").set({"space.size": (9, 9)})
    path = "space.size.0"  # an element of a list
    assert make_plan(near, {"speed": (1.0, 0.1)}, {path: (5, 9)}, {}).vary == {path: (5.0, 9.0)}
    with pytest.raises(mm.ModelError, match=r"flocks\.boids\.count"):
        make_plan(model, {"speed": (1.0, 0.1)}, {"flocks.boids.count": (20.5, 60)}, {})


def test_a_fit_of_an_older_version_resumes_unchanged(model, tmp_path):
    """Its file has whole bounds, and its runs were simulated within them."""
    old = FitPlan(mm.to_toml(model), "it", {NOISE: (0, 5)}, {"speed": (1.0, 0.1)}, {})
    FitFolder(tmp_path / "old").begin(old)
    assert repr(FitFolder(tmp_path / "old").plan().vary) == repr({NOISE: (0, 5)})


def test_models_and_measures_by_name(tmp_path):
    target, options = {"speed": (9.0, 1.0)}, {"evaluations": 5, **QUICK}
    vary = {"flocks.boids.count": (8, 12)}
    named = mm.fit("ucl", target, "speed", vary, check=(), **options)
    (tmp_path / "mine.toml").write_text(mm.to_toml(mm.load("ucl")))
    for path in (tmp_path / "mine.toml", str(tmp_path / "mine.toml")):
        assert mm.fit(path, target, ["speed"], vary, **options).met == named.met
    both = mm.fit(
        "ucl", target | {"milling": (0.5, 1.0)}, "speed", vary, check="milling", **options
    )
    assert [compared.name for compared in both.met] == ["speed", "milling"]
    with pytest.raises(mm.ModelError, match="did you mean 'ucl'"):
        mm.fit("uc1", target, "speed", vary)
    with pytest.raises(mm.ModelError, match="model: got a Simulation"):
        mm.fit(mm.Simulation(mm.load("ucl")), target, "speed", vary)  # type: ignore[arg-type]


def test_an_array_is_not_accepted_as_tracks(model):
    with pytest.raises(mm.FitError, match=r"mm\.measures\.of_tracks"):
        mm.fit(model, np.zeros((5, 3, 2)), "speed", {NOISE: (0.5, 5.0)})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"measures": ["polarisation"]}, "did you mean 'polarization'"),
        ({"measures": ["state"]}, "one number per frame"),
        ({"measures": []}, "measures: got none"),
        ({"vary": {}}, "vary: got no path"),
        ({"vary": {NOISE: (2.0, 1.0)}}, "LOW < HIGH"),
        ({"vary": {"flocks.boids.motion.nois": (0.0, 1.0)}}, "nois"),
        ({"warm_up": 60}, "steps: got 60; expected at least 65"),
        ({"seeds": 0}, "seeds: got 0; expected at least 1"),
    ],
)
def test_invalid_arguments(model, change, says):
    arguments = {"measures": ["speed"], "vary": {NOISE: (0.5, 5.0)}, **QUICK, **change}
    target = {name: (1.0, 0.1) for name in arguments["measures"]}
    with pytest.raises(mm.MurmurateError, match=says):
        mm.fit(model, target, **arguments)


def test_a_measure_without_a_value(model):
    lonely = mm.measures.of_tracks(np.zeros((5, 1, 2)))
    with pytest.raises(mm.FitError, match="nearest_neighbour_distance: got no value"):
        mm.fit(model, lonely, ["nearest_neighbour_distance"], {NOISE: (0.5, 5.0)})


def test_json_is_plain(model):
    fit = mm.fit(model, {"speed": (0.03, 0.001)}, ["speed"], {SPEED: (0.01, 0.1)},
                 evaluations=5, **QUICK)  # fmt: skip
    data = json.loads(fit.to_json(), parse_constant=lambda word: pytest.fail(word))
    assert data["varied"][SPEED]["best"] == fit.best[SPEED] and fit.folder is None
