"""Sweeps give the same table with any workers and after interruptions, and report failures."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE

import numpy as np
import pytest

import murmurate as mm
from murmurate.disk import write_file
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import make_plan, run_seed
from murmurate.sweeps.table import point_rows
from murmurate.sweeps.workers import Processes, TaskResult, Threads
from processes import ran_well, started
from workers_here import Here

VARY = {"rules.alignment.weight": (0.0, 0.4), "flocks.boids.count": (8, 12)}


@pytest.fixture
def plan():
    return make_plan(mm.load("ucl"), VARY, mm.RunSpec(seeds=2, steps=30, every=5, seed=4))


@pytest.mark.slow
def test_a_run_is_what_a_simulation_gives(plan):
    task = list(plan.tasks())[5]
    model = mm.load("ucl").set(task.values)
    simulation = mm.Simulation(model, run_seed(4, 5))
    seen = []
    for _ in range(6):
        seen.append(mm.polarization(simulation.step(5).frame["boids"]))
    record = task.run()
    assert record["seed"] == run_seed(4, 5)
    assert record["values"] == {"rules.alignment.weight": 0.4, "flocks.boids.count": 8}
    assert record["measures"]["polarization"]["mean"] == pytest.approx(np.mean(seen), abs=1e-12)
    assert record["measures"]["polarization"]["last"] == seen[-1]


def test_steps_of_the_warm_up_are_not_measured(plan):
    plan = replace(plan, warm_up=20, every=10)
    task = next(plan.tasks())
    frame = mm.Simulation(mm.load("ucl").set(task.values), task.seed).step(30).frame
    assert task.run()["measures"]["speed"]["mean"] == mm.measures.speed(frame["boids"])


@pytest.mark.parametrize(
    "workers",
    [Threads(), pytest.param(Processes(2), marks=pytest.mark.slow)],
    ids=["threads", "processes"],
)
def test_all_workers_give_the_same_table(plan, tmp_path, workers):
    first = run_sweep(plan, tmp_path / "one", Here())
    other = run_sweep(plan, tmp_path / "other", workers)
    for name in ("runs.csv", "table.csv"):
        assert (first.path / name).read_text() == (other.path / name).read_text()
    assert not first.failures()


def test_a_stopped_sweep_goes_on(plan, tmp_path):
    class Tired(Here):
        def results(self, tasks):
            for k, outcome in enumerate(super().results(tasks)):
                if k == 3:
                    raise KeyboardInterrupt
                yield outcome

    complete = run_sweep(plan, tmp_path / "whole", Here())
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run_sweep(plan, tmp_path / "parts", Tired())
    assert len(SweepFolder(tmp_path / "parts").done()) == 6
    # a record that was cut short counts as not there
    cut = tmp_path / "parts" / "runs" / "000002.json"
    cut.write_text(cut.read_text()[:50])
    parts = run_sweep(plan, tmp_path / "parts", Here())
    assert (parts.path / "runs.csv").read_text() == (complete.path / "runs.csv").read_text()


@pytest.mark.skipif(os.name == "nt", reason="files have no such modes here")
@pytest.mark.parametrize("umask", [0o022, 0o027, 0o002])
def test_files_are_as_open_as_the_user_lets_them_be(tmp_path, umask):
    before = os.umask(umask)
    try:
        write_file(tmp_path / "text", "old")
        write_file(tmp_path / "text", "new")
    finally:
        os.umask(before)
    assert (tmp_path / "text").read_text() == "new"
    assert (tmp_path / "text").stat().st_mode & 0o777 == 0o666 & ~umask
    assert os.listdir(tmp_path) == ["text"]


def test_another_sweep_is_not_overwritten(plan, tmp_path):
    run_sweep(plan, tmp_path / "it", Here())
    with pytest.raises(mm.SweepError, match="another sweep"):
        run_sweep(replace(plan, seeds=3), tmp_path / "it", Here())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    with pytest.raises(mm.SweepError, match="holds no sweep"):
        run_sweep(plan, tmp_path / "mine", Here())
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "mine"


def test_a_run_that_fails_is_said_and_the_others_go_on(tmp_path):
    # an alignment of 1e9 throws boids out of every space
    vary = {"rules.alignment.weight": (0.1, -1e9), "flocks.boids.count": (8,)}
    plan = make_plan(mm.load("ucl"), vary, mm.RunSpec(seeds=2, steps=30, every=5))
    folder = run_sweep(plan, tmp_path / "it", Here())
    failures = folder.failures()
    assert [f["index"] for f in failures] == [2, 3]
    assert failures[0]["values"]["rules.alignment.weight"] == -1e9
    assert failures[0]["seed"] == run_seed(0, 2)
    assert "boid" in failures[0]["error"]
    assert mm.parse(failures[0]["model"]).set(failures[0]["values"]).rules["alignment"].weight < 0
    assert len(point_rows(plan, folder.records())) == 1


@pytest.mark.slow
def test_runs_are_recorded_on_request(plan, tmp_path):
    """The table has the path of each recording, which contains the measured frames."""
    plain = run_sweep(plan, tmp_path / "plain", Here())
    plan = replace(plan, record=True)
    folder = run_sweep(plan, tmp_path / "it", Here())
    runs = list(csv.DictReader((folder.path / "runs.csv").read_text().splitlines()))
    paths = [run.pop("recording") for run in runs]
    assert paths == [f"recordings/{k:06}.zarr" for k in range(8)]
    assert runs == list(csv.DictReader((plain.path / "runs.csv").read_text().splitlines()))
    rec = mm.open(folder.path / paths[5])
    assert rec.steps == range(0, 31, 5) and rec.complete and rec.seed == run_seed(4, 5)
    seen = [mm.polarization(frame["boids"]) for frame in rec[1:]]
    assert float(runs[5]["polarization"]) == pytest.approx(np.mean(seen), abs=1e-12)
    with pytest.raises(mm.SweepError, match="warm_up: got 3; expected a multiple of every, 5"):
        replace(plan, warm_up=3).check()
    with pytest.raises(mm.SweepError, match="expected a folder for the recordings"):
        mm.sweep(mm.load("ucl"), run=mm.RunSpec(steps=20), record=True)


@pytest.mark.slow
def test_a_recording_that_was_begun_is_gone_on_with(plan, tmp_path, monkeypatch):
    """An incomplete recording is continued; damaged ones, and those of other runs, are made again;
    drafts of killed processes are removed."""
    plan = replace(plan, record=True)
    complete = run_sweep(plan, tmp_path / "whole", Here())
    parts, records = tmp_path / "parts" / "recordings", tmp_path / "parts" / "runs"
    run_sweep(plan, tmp_path / "parts", Here())
    tasks = list(plan.tasks(recordings=parts))
    model = mm.load("ucl").set(tasks[1].values)
    mm.run(model, 10, every=5, seed=tasks[1].seed, output=parts / "000001.zarr", force=True)
    mm.run(model, 30, every=5, seed=99, output=parts / "000002.zarr", force=True)
    shutil.rmtree(parts / "000003.zarr" / "position" / "c")
    (parts / ".000009.zarr.01234567.part" / "journal").mkdir(parents=True)
    for k in (1, 2, 3):
        (records / f"{k:06}.json").unlink()
    gone_on = []
    resume = mm.resume
    monkeypatch.setattr(
        "murmurate.runs.resume_run.resume",
        lambda path, *a, **k: gone_on.append(path.name) or resume(path, *a, **k),
    )
    again = run_sweep(plan, tmp_path / "parts", Here())
    assert gone_on == ["000001.zarr", "000003.zarr"]  # of the latter nothing was left
    assert (again.path / "runs.csv").read_text() == (complete.path / "runs.csv").read_text()
    assert sorted(p.name for p in parts.iterdir()) == [f"{k:06}.zarr" for k in range(8)]
    for k in range(8):
        first, second = (
            mm.open(at / f"{k:06}.zarr").read() for at in (parts, complete.path / parts.name)
        )
        assert np.array_equal(first.positions, second.positions)


def die_once(task):
    """The process that is given run 3 dies, the first time."""
    mark = Path(os.environ["DIED_ONCE"])
    if task.index == 3 and not mark.exists():
        mark.write_text("x")
        os.kill(os.getpid(), signal.SIGKILL)
    return TaskResult(task, {"index": task.index})


def die_always(task):
    if task.index == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return TaskResult(task, {"index": task.index})


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
@pytest.mark.parametrize("how", [die_once, die_always])
def test_a_worker_that_dies(how, plan, tmp_path, monkeypatch):
    monkeypatch.setenv("DIED_ONCE", str(tmp_path / "died"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *sys.path]))
    outcomes = {o.task.index: o for o in Processes(2, how).results(plan.tasks())}
    assert sorted(outcomes) == list(range(8))
    lost = [k for k, outcome in outcomes.items() if outcome.record is None]
    assert lost == ([3] if how is die_always else [])
    if lost:
        assert "died 3 times" in outcomes[3].error


@pytest.mark.parametrize("broken", [1, 3, 4])
def test_a_pool_that_breaks_while_a_task_is_sent(broken, plan, monkeypatch):
    """No task is lost, whichever it is."""
    calls = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, processes, **_):
            super().__init__(processes)

        def submit(self, *arguments):
            calls.append(arguments)
            if len(calls) == broken:
                raise BrokenProcessPool
            return super().submit(*arguments)

    monkeypatch.setattr("murmurate.sweeps.workers.ProcessPoolExecutor", Pool)
    done = lambda task: TaskResult(task, {"index": task.index})  # noqa: E731
    outcomes = {o.task.index: o for o in Processes(2, done).results(plan.tasks())}
    assert sorted(outcomes) == list(range(8)) and len(calls) > 8
    assert all(outcome.record for outcome in outcomes.values())


def test_means_over_seeds(plan, tmp_path):
    folder = run_sweep(plan, tmp_path / "it", Here())
    rows = point_rows(plan, folder.records())
    runs = list(csv.DictReader((folder.path / "runs.csv").read_text().splitlines()))
    first = [float(run["polarization"]) for run in runs[:2]]
    assert rows[0]["runs"] == 2
    assert rows[0]["polarization"] == pytest.approx(np.mean(first))
    assert rows[0]["polarization_error"] == pytest.approx(np.std(first, ddof=1) / np.sqrt(2))


def test_a_table_in_python(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = mm.sweep(
        mm.load("ucl"),
        {"flocks.boids.count": np.array([8, 9])},
        mm.RunSpec(seeds=2, steps=20, workers="threads"),
        measures=["speed"],
        output=tmp_path / "it",
    )
    assert isinstance(table, pandas.DataFrame)
    assert list(table["flocks.boids.count"]) == [8, 8, 9, 9]
    assert table["speed"].notna().all() and table["speed_error"].notna().all()


KILLED = """
import sys
from subprocess import PIPE
import murmurate as mm
from murmurate.sweeps.sweep_plan import make_plan
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.workers import Processes
vary = {{"rules.alignment.weight": tuple(k / 40 for k in range({points}))}}
plan = make_plan(mm.load("ucl"), vary, mm.RunSpec(seeds={seeds}, steps={steps}, every=5))
def waiting(done, total):  # when enough runs are kept, until it is killed
    if done == enough:
        print("enough", flush=True)
        sys.stdin.read()
if __name__ == "__main__":
    enough = int(sys.argv[2])
    run_sweep(plan, sys.argv[1], Processes(2), waiting)
"""


def killed_and_resumed(tmp_path, points, seeds, steps, kills):
    """Kill the process of a sweep `kills` times, each time after some more runs."""
    program = tmp_path / "program.py"
    program.write_text(KILLED.format(points=points, seeds=seeds, steps=steps))
    total = points * seeds
    vary = {"rules.alignment.weight": tuple(k / 40 for k in range(points))}
    plan = make_plan(mm.load("ucl"), vary, mm.RunSpec(seeds=seeds, steps=steps, every=5))
    expected = run_sweep(plan, tmp_path / "whole", Here()).path
    folder = tmp_path / "killed"
    for kill in range(kills):
        enough = total * (kill + 1) // (kills + 1)
        with started(sys.executable, program, folder, enough, stdin=PIPE) as sweep:
            assert sweep.stdout.readline() == "enough\n"
        assert enough <= len(list(folder.glob("runs/*.json"))) < total
        assert not (folder / "runs.csv").exists()
    ran_well(sys.executable, program, folder, 0)
    for name in ("runs.csv", "table.csv"):
        assert (folder / name).read_text() == (expected / name).read_text()
    assert len(json.loads((folder / "runs" / f"{total - 1:06}.json").read_text())) > 5


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_killed_and_resumed_is_equal(tmp_path):
    killed_and_resumed(tmp_path, points=4, seeds=2, steps=200, kills=1)


@pytest.mark.long
def test_200_runs_killed_three_times(tmp_path):
    killed_and_resumed(tmp_path, points=40, seeds=5, steps=1000, kills=3)
