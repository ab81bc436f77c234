"""Fits recover the numbers of a small flock, and a killed fit resumes to the same posterior."""

from __future__ import annotations

import json
import math
import tomllib
from dataclasses import replace

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.fitting.compared_measure import ComparedMeasure, compare
from murmurate.fitting.fit_plan import FitFolder, FitPlan, make_plan
from murmurate.fitting.rounds import Runs, _sampling_remarks
from murmurate.fitting.run import measure_target
from murmurate.sweeps.task import Task
from murmurate.tracks.sampling import TrackSampling

NOISE, SPEED = "flocks.boids.motion.noise", "flocks.boids.motion.speed"
QUICK = mm.RunSpec(steps=60, warm_up=20, every=5, runs=8)


@pytest.fixture(scope="module", autouse=True)
def _libraries() -> None:
    """Import them in the worker that runs these tests, not in all that collect them."""
    for name in ("arviz_stats", "h5netcdf", "sklearn"):
        pytest.importorskip(name)


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


@pytest.mark.slow
def test_known_numbers_are_recovered(model, theirs):
    frames = list(mm.Recording(theirs))[5:]  # without the start, as runs are measured
    fit = mm.fit(
        model,
        frames,
        ["polarization", "speed"],
        {NOISE: (0.5, 5.0), SPEED: (0.01, 0.1)},
        mm.RunSpec(runs=80, steps=400, warm_up=20, every=5),
        check=["milling"],
    )
    noise, speed = fit.varied
    assert abs(noise.mean - 2.5) < 3.0 * noise.sd and noise.sd < 0.2
    assert speed.mean == pytest.approx(0.05, rel=0.05)
    assert fit.model.set({}).flocks["boids"].motion.speed == fit.best[SPEED]
    assert not noise.at_bound and not noise.undetermined and not fit.not_determined
    assert [compared.name for compared in fit.compared] == ["polarization", "speed", "milling"]
    assert [compared.fitted for compared in fit.compared] == [True, True, False]
    assert all(abs(compared.z) < 4 for compared in fit.compared)
    assert "polarization" in repr(fit) and fit._repr_html_().count("<tr>") == 3 + 4


def settings(model, theirs):
    vary = {NOISE: (0.5, 5.0), "flocks.boids.count": (20, 60)}
    return model, theirs, ["polarization"], vary, replace(QUICK, runs=36, seed=4)


class Killed(BaseException):
    pass


@pytest.mark.slow
def test_a_killed_fit_resumes_to_the_same_result(model, theirs, tmp_path):
    arguments = settings(model, theirs)
    complete = mm.fit(*arguments, output=tmp_path / "whole")

    def kill(done, total):
        if done >= 33:  # in the second round
            raise Killed

    with pytest.raises(Killed):
        mm.fit(*arguments, output=tmp_path / "cut", progress=kill)
    runs = sorted((tmp_path / "cut" / "runs").glob("[0-9]*.json"))
    assert 33 <= len(runs) < complete.runs and not (tmp_path / "cut" / "fit.json").exists()
    runs[3].write_text(runs[3].read_text()[:40])  # cut short by the kill
    times = {path: path.stat().st_mtime_ns for path in runs if path != runs[3]}
    again = mm.fit(*arguments, output=tmp_path / "cut")
    assert again.to_dict() == complete.to_dict()
    assert (again.posterior.quantiles == complete.posterior.quantiles).all()
    assert {path: path.stat().st_mtime_ns for path in times} == times, "a run was simulated again"
    assert isinstance(again.best["flocks.boids.count"], int)
    saved = tomllib.loads((tmp_path / "cut" / "fitted.toml").read_text())
    assert saved["flocks"]["boids"]["motion"]["noise"] == again.best[NOISE]
    with pytest.raises(mm.FitError, match="holds another fit"):
        mm.fit(*arguments[:4], replace(arguments[4], seed=5), output=tmp_path / "cut")


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


def test_data_are_compared_with_runs_of_the_posterior():
    """The spread over the runs counts, without the fluctuations within them, unless theirs is
    unknown."""
    values, errors = np.array([1.0, 1.4, 1.6, 2.0]), np.full(4, 0.3)
    met = compare("speed", (1.0, 0.3), math.inf, values, errors, True)
    assert met.ours == 1.5 and met.our_error == pytest.approx(math.sqrt(values.var(ddof=1) - 0.09))
    assert met.z == pytest.approx(0.5 / math.hypot(0.3, met.our_error)) and met.verdict == "fits"
    unknown = compare("speed", (1.0, math.inf), math.inf, values, errors, True)
    assert unknown.our_error == pytest.approx(values.std(ddof=1))
    missing = compare(
        "speed", (1.0, 0.3), math.inf, np.array([1.0, math.nan, math.nan]), errors, True
    )
    assert math.isnan(missing.z) and missing.verdict == "no value"
    few = ComparedMeasure("speed", 1.0, 0.1, 1.49, 0.0, fitted=True, their_freedom=1.0)
    assert few.z == pytest.approx(4.9) and few.verdict == "not precise enough"
    assert replace(few, their_freedom=9.0).verdict == "does not fit"
    exact = ComparedMeasure("speed", 1.0, 0.0, 1.0 + 1e-7, 0.0, fitted=True)
    assert exact.verdict == "fits"


def test_a_plan_reads_back(model):
    plan = FitPlan(
        mm.to_toml(model), "it", {NOISE: (0.5, 5)}, {"speed": (1.0, 0.1)}, {"milling": (0.5, 0.0)}
    )
    assert FitPlan.from_toml(plan.to_toml(), "it") == plan
    sampled = replace(plan, tracks=TrackSampling(2.0, 7, "eJw="))
    assert FitPlan.from_toml(sampled.to_toml(), "it") == sampled
    assert sum(plan.rounds) == plan.settings == 300 and len(plan.rounds) == 5
    runs = [task for k in range(300) for task in plan.tasks(k, {NOISE: 1.0})]
    runs += [plan.predictive_task(k, {NOISE: 1.0}) for k in range(plan.predicted)]
    assert len({task.seed for task in runs}) == len(runs), "two runs have one seed"
    assert [task.index for task in runs] == list(range(len(runs)))


@pytest.mark.parametrize(("runs", "seeds"), [(8, 1), (20, 1), (63, 3), (100, 1), (1000, 1)])
def test_rounds_add_up(runs, seeds):
    vary = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
    plan = FitPlan("", "it", vary, {"speed": (1.0, 0.1)}, {}, runs=runs, seeds=seeds)
    assert sum(plan.rounds) == runs // seeds and min(plan.rounds) > 0


def test_whole_numbers_are_tried_where_the_model_counts(model):
    """However bounds are written: -1:1 of a weight is not a choice of -1, 0 and 1."""
    vary = {NOISE: (0, 5), "flocks.boids.count": (20.0, 60), "dt": (1, 2), "view.steps": (5, 9)}
    plan = make_plan(model, {"speed": (1.0, 0.1)}, vary, mm.RunSpec())
    expected = {NOISE: (0.0, 5.0), "flocks.boids.count": (20, 60), "dt": (1.0, 2.0),
            "view.steps": (5, 9)}  # fmt: skip
    assert repr(plan.vary) == repr(expected)
    assert FitPlan.from_toml(plan.to_toml(), "it") == plan
    near = mm.load("ucl").set({"space.size": (9, 9)})
    path = "space.size.0"  # an element of a list
    assert make_plan(near, {"speed": (1.0, 0.1)}, {path: (5, 9)}, mm.RunSpec()).vary == {
        path: (5.0, 9.0)
    }
    with pytest.raises(mm.ModelError, match=r"flocks\.boids\.count"):
        make_plan(model, {"speed": (1.0, 0.1)}, {"flocks.boids.count": (20.5, 60)}, mm.RunSpec())


def test_a_fit_of_an_older_version_is_refused(model, tmp_path):
    plan = FitPlan(mm.to_toml(model), "it", {NOISE: (0.0, 5.0)}, {"speed": (1.0, 0.1)}, {})
    (tmp_path / "fit.toml").write_text(plan.to_toml().replace("version = 2", "version = 1"))
    with pytest.raises(mm.FitError, match="An older murmurate began it"):
        FitFolder(tmp_path).plan()


@pytest.mark.slow
def test_models_and_measures_by_name(tmp_path):
    target, vary = {"speed": (9.0, 1.0)}, {"flocks.boids.count": (4, 8)}
    run = replace(QUICK, steps=10, warm_up=2, engine="reference")
    named = mm.fit("ucl", target, "speed", vary, run)
    (tmp_path / "mine.toml").write_text(mm.to_toml(mm.load("ucl")))
    assert mm.fit(tmp_path / "mine.toml", target, ["speed"], vary, run).compared == named.compared
    both = mm.fit("ucl", target | {"milling": (0.5, 1.0)}, "speed", vary, run, check="milling")
    assert [compared.name for compared in both.compared] == ["speed", "milling"]
    unread = iter(lambda: pytest.fail("the target was read before `vary` was checked"), 0)
    for wrong, says in (
        ({"rules.nothing.weight": (0, 1)}, "rules.nothing"),
        ({"dt": (1, 0)}, "dt: got bounds"),
        ({"dt": (0.5, 1, "beta")}, "prior"),
    ):
        with pytest.raises(mm.MurmurateError, match=says):
            mm.fit("ucl", unread, "speed", wrong, run)
    with pytest.raises(mm.ModelError, match="did you mean 'ucl'"):
        mm.fit("uc1", target, "speed", vary)
    with pytest.raises(mm.ModelError, match="model: got a Simulation"):
        mm.fit(mm.Simulation(mm.load("ucl")), target, "speed", vary)  # type: ignore[arg-type]


def test_an_array_is_not_accepted_as_tracks(model):
    with pytest.raises(mm.FitError, match=r"mm\.Tracks\(array"):
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
        ({"run": replace(QUICK, warm_up=60)}, "steps: got 60; expected at least 65"),
        ({"run": replace(QUICK, seeds=0)}, "seeds: got 0; expected at least 1"),
        (
            {"run": replace(QUICK, runs=15, seeds=2)},
            "runs: got 15; expected at least 16, for 8 settings",
        ),
        ({"run": replace(QUICK, steps=60.0)}, "steps: got 60.0; expected a whole number"),
        ({"run": 60}, r"run: got 60; expected a RunSpec, such as RunSpec\(steps=2000"),
        ({"run": replace(QUICK, runs=7)}, "runs: got 7; expected at least 8"),
        ({"vary": {NOISE: (0.5, 5.0, "flat")}}, "got the prior 'flat'"),
        ({"vary": {NOISE: (0.5, 5.0, 6.0)}}, "got bounds 0.5:5.0:6.0; expected LOW and HIGH"),
        ({"tolerance": -0.1}, "tolerance: got -0.1"),
        ({"run": replace(QUICK, workers="cluster")}, "workers: got 'cluster'; expected 'threads'"),
        ({"run": replace(QUICK, workers=0)}, "processes: got 0; expected 1 to"),
    ],
)
def test_invalid_arguments(model, change, says):
    arguments = {"measures": ["speed"], "vary": {NOISE: (0.5, 5.0)}, "run": QUICK, **change}
    target = {name: (1.0, 0.1) for name in arguments["measures"]}
    with pytest.raises(mm.MurmurateError, match=says):
        mm.fit(model, target, **arguments)


def test_a_measure_without_a_value(model):
    lonely = mm.measures.of_tracks(np.zeros((5, 1, 2)))
    with pytest.raises(mm.FitError, match="nearest_neighbour_distance: got no value"):
        mm.fit(model, lonely, ["nearest_neighbour_distance"], {NOISE: (0.5, 5.0)})


@pytest.mark.slow
def test_json_is_plain(model):
    fit = mm.fit(
        model,
        {"speed": (0.03, 0.001)},
        ["speed"],
        {SPEED: (0.01, 0.1)},
        QUICK,
    )
    data = json.loads(fit.to_json(), parse_constant=lambda word: pytest.fail(word))
    assert data["varied"][SPEED]["best"] == fit.best[SPEED] and fit.folder is None
    assert data["varied"][SPEED]["interval"] == list(fit.varied[0].interval)


def frames_of(model, count, every=5, seed=3):
    run = mm.Simulation(model, seed=seed, threads=1).step(20)
    return [run.step(every).frame for _ in range(count)]


@pytest.mark.parametrize(
    ("steps", "remarks"), [(60, 0), pytest.param(600, 1, marks=pytest.mark.slow)]
)
def test_short_data_have_the_posterior_of_runs_as_short(model, steps, remarks):
    """Data of 8 frames: their error, of 1 or 2 degrees of freedom, does not widen the posterior."""
    frames = frames_of(model.set({NOISE: 2.5}), 8)
    table = mm.measure(frames, "polarization")
    assert table["polarization"].freedom < 3.0
    pairs = {"polarization": (table["polarization"].value, math.inf)}
    fits = [
        mm.fit(model, data, "polarization", {NOISE: (0.5, 5.0)}, replace(QUICK, steps=s))
        for data, s in ((frames, steps), (pairs, 60))
    ]
    warned = [line for line in fits[0].remarks if "the data are imprecise" in line]
    assert len(warned) == remarks, fits[0].remarks
    quantiles = [fit.posterior.quantiles for fit in fits]
    assert (quantiles[0] == quantiles[1]).all(), "a run is not as long as the data"


def test_the_length_of_all_kinds_of_data_is_known(model, theirs, tmp_path):
    """Runs are as long, so no error bar is needed: 14 intervals of 5 steps, or as a run is."""
    run, measures = mm.Simulation(model, seed=3, threads=1), ["polarization"]
    frames = [run.step(5).frame for _ in range(15)]
    positions = np.array([frame["boids"].positions for frame in frames])
    np.save(tmp_path / "it.npy", positions)
    tracks = mm.Tracks(positions, 0.2, space=model.space)
    velocities = np.array([frame["boids"].velocities for frame in frames])
    moving = mm.Tracks(positions, 0.2, space=model.space, recorded_velocities=velocities)
    kinds = [
        (frames, 70, 75), (iter(frames), 70, 75), (tracks, 70, 70),
        (mm.open_tracks(tmp_path / "it.npy", 0.2), 70, 70), (tmp_path / "it.npy", 14, 14),
        (moving, 70, 75), (theirs, 400, 405), (mm.Recording(theirs), 400, 405),
        (model, 40, 45), (frames[:1], 0, 5),
    ]  # fmt: skip
    for target, lasts, steps in kinds:
        estimates, observed = measure_target(target, measures, QUICK)
        plan = make_plan(
            model,
            estimates,
            {NOISE: (0.5, 5.0)},
            mm.RunSpec(steps=9000, warm_up=20, every=5),
            **observed,
        )
        assert plan.lasts == pytest.approx(lasts) and plan.run_steps() == 20 + steps, target
        assert plan.run_steps(0.5) == plan.tasks(0, {"dt": 0.5})[0].steps == 20 + lasts + steps
        assert np.isinf(plan.data.errors).all() and FitPlan.from_toml(plan.to_toml(), "") == plan
    _, observed = measure_target([frame["boids"] for frame in frames], measures, QUICK)
    assert not observed, "flocks have no time"


@pytest.mark.long
def test_several_flocks_as_imprecise_as_runs_need_no_noise(model):
    """Three flocks, whose error has two degrees of freedom. A remark names imprecise data."""
    run = replace(QUICK, runs=16)
    fits = [
        mm.fit(model, {"polarization": goal}, "polarization", {NOISE: (0.5, 5.0)}, run)
        for goal in (
            mm.measures.Estimate(0.7, 0.04, 3.0, "seeds", freedom=2.0), (0.7, math.inf), (0.7, 0.9)
        )
    ]  # fmt: skip
    widths = [fit.varied[0].sd for fit in fits]
    assert widths[0] == widths[1] < 0.5 * widths[2]
    warned = ["the data are imprecise" in "\n".join(fit.remarks) for fit in fits]
    assert warned == [False, False, True]


@pytest.mark.slow
def test_a_model_as_target_is_simulated_as_long_as_a_run(model):
    """Data of 1000 steps would be as precise as many runs of 40."""
    fit = mm.fit(
        model,
        model.set({NOISE: 2.0}),
        "polarization",
        {NOISE: (0.5, 5.0)},
        replace(QUICK, runs=16),
    )
    assert not [line for line in fit.remarks if "precise" in line or "steps" in line]
    alone = mm.measure(
        model.set({NOISE: 2.0}), "polarization", mm.RunSpec(steps=60, warm_up=20, every=5)
    )
    assert fit.compared[0].theirs == alone["polarization"].value


def test_each_run_of_a_setting_is_a_draw_of_measured_data(model):
    """The mean of several runs is more precise than data that are one flock."""
    plan = FitPlan(mm.to_toml(model), "it", {NOISE: (0.5, 5.0)}, {"speed": (1.0, 0.1)}, {}, seeds=2)
    runs = Runs(plan, FitFolder("it"), None, None)
    runs.settings = [{NOISE: 1.0}, {NOISE: 2.0}]
    runs.records = [{"measures": {"speed": {"mean": float(k)}}} for k in range(4)]
    assert runs.draws()[1].ravel().tolist() == [0.5, 2.5]
    runs.plan = replace(plan, lasts=30.0)
    quantiles, values = runs.draws()
    assert values.ravel().tolist() == [0, 1, 2, 3] and len(quantiles) == 4
    assert [replace(plan, lasts=t).run_steps() for t in (0.0, 30.0, 1e9)] == [210, 240, 1000]


@pytest.mark.slow
def test_the_posterior_of_a_short_track_is_as_narrow_as_it_can_be():
    """15 frames of one run, with a noise of 2.403."""
    model = mm.load("vicsek-1995").set({"flocks.boids.count": 40, "space.size": [3.0, 3.0]})
    run = mm.Simulation(model.set({NOISE: 2.403}), seed=902014, threads=1).step(50)
    frames = [run.step(10).frame for _ in range(15)]
    fit = mm.fit(
        model,
        frames,
        "polarization",
        {NOISE: (0.5, 5.0)},
        mm.RunSpec(runs=50, steps=200, warm_up=50, seed=64),
    )
    low, high = fit.varied[0].interval
    assert low == pytest.approx(2.26, abs=0.03) and high == pytest.approx(2.47, abs=0.03)
    assert not fit.remarks


@pytest.mark.long
def test_tracks_of_positions_have_the_noise_that_made_them(model):
    """Turning noise that differences of positions smooth (the old way: 1.5), with gaps."""
    run = mm.Simulation(model.set({NOISE: 2.0}), seed=5, threads=1).step(50)
    positions = np.array([run.step().frame["boids"].positions for _ in range(200)], float)
    positions[np.random.default_rng(0).random(positions.shape[:2]) < 0.1] = np.nan
    tracks = mm.Tracks(positions, space=model.space)
    fit = mm.fit(
        model,
        tracks,
        "polarization",
        {NOISE: (0.5, 5.0)},
        mm.RunSpec(runs=24, steps=250, warm_up=50, every=1),
    )
    low, high = fit.varied[0].interval
    assert low < 2.0 < high < low + 0.5 and not fit.remarks


def test_what_runs_do_not_imitate_of_tracks_is_said(model):
    sampling = TrackSampling(1.0, 50, interpolated=True)
    plan = make_plan(
        model, {"speed": (1.0, 0.1)}, {NOISE: (0.5, 5.0)}, mm.RunSpec(), tracks=sampling
    )
    boids, interpolated = _sampling_remarks(plan)
    assert "tracks: got 50 animals at a time, and the model has 60 boids" in boids
    assert "interpolated between detections" in interpolated


@pytest.mark.parametrize(
    ("fps", "says"),
    [
        (2.0, r"dt: got steps of 1, and a frame of the tracks every 0\.5"),
        (0.02, "steps: got 60, which last 1 frames of the tracks .* expected at least 120"),
    ],
)
def test_runs_that_cannot_be_sampled_as_tracks_are_refused(model, fps, says):
    tracks = mm.Tracks(np.random.default_rng(0).random((9, 60, 2)), fps)
    with pytest.raises(mm.FitError, match=says):
        mm.fit(model, tracks, "speed", {NOISE: (0.5, 5.0)}, QUICK)
