"""Shards of a sweep: joined, they are the sweep that was never cut, byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.cli import main
from murmurate.model.files import to_toml
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.shards import make_shard, merge, parse_shard
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import make_plan
from processes import ran_well
from workers_here import Here

VARY = {"rules.alignment.weight": (0.0, 0.2, 0.4)}
TABLES = ("runs.csv", "table.csv")
PARTS = 4


@pytest.fixture
def plan():
    return make_plan(
        mm.load("ucl").set({"flocks.boids.count": 5}),
        VARY,
        mm.RunSpec(seeds=3, steps=4, every=2, seed=4, engine="reference"),
        measures=("polarization",),
    )


def run_shard(plan, folder, part, parts=PARTS):
    at, cut = make_shard(SweepFolder(folder), plan, (part, parts))
    return run_sweep(cut, at.path, Here())


def tables(folder):
    return [(Path(folder) / name).read_bytes() for name in TABLES]


def files(folder):
    return {path.relative_to(folder): path.read_bytes()
            for path in Path(folder).rglob("*") if path.is_file()}  # fmt: skip


@pytest.mark.slow
def test_joined_they_are_the_whole(plan, tmp_path):
    complete = run_sweep(plan, tmp_path / "whole", Here())
    indices = []
    for part in (3, 1, 4, 2):
        before = files(tmp_path / "it") if indices else {}
        shard = run_shard(plan, tmp_path / "it", part)
        indices.append(sorted(shard.done()))
        # it has touched none of what the others have written
        assert {name: text for name, text in files(tmp_path / "it").items() if name in before} == (
            before
        )
    assert indices == [[2, 6], [0, 4, 8], [3, 7], [1, 5]]
    result = merge(SweepFolder(tmp_path / "it"))
    assert not result.missing and result.plan == plan
    assert tables(tmp_path / "it") == tables(complete.path)
    before = files(tmp_path / "it")
    merge(SweepFolder(tmp_path / "it"))
    assert files(tmp_path / "it") == before
    # it is a sweep like any other: there is nothing left to fly
    assert not list(plan.tasks(SweepFolder(tmp_path / "it").done()))


@pytest.mark.slow
def test_a_shard_is_resumed(plan, tmp_path):
    class Tired(Here):
        def results(self, tasks):
            yield next(super().results(tasks))
            raise KeyboardInterrupt

    at, cut = make_shard(SweepFolder(tmp_path / "it"), plan, (1, PARTS))
    with pytest.raises(KeyboardInterrupt):
        run_sweep(cut, at.path, Tired())
    for part in (2, 3, 4):
        run_shard(plan, tmp_path / "it", part)
    assert merge(SweepFolder(tmp_path / "it")).missing == {1: [4, 8]}
    assert at.plan() == cut  # by its folder's name alone, or by the same command
    run_shard(plan, tmp_path / "it", 1)
    cut_short = at.path / "runs" / "000004.json"
    cut_short.write_text(cut_short.read_text()[:40])
    merged = SweepFolder(tmp_path / "it")
    (merged.path / "runs" / "000000.json").unlink()
    assert merge(merged).missing == {1: [4]}
    run_shard(plan, tmp_path / "it", 1)
    assert not merge(merged).missing
    assert tables(merged.path) == tables(run_sweep(plan, tmp_path / "whole", Here()).path)


def test_missing_runs_may_run_in_the_joined_sweep(plan, tmp_path):
    for part in (1, 2, 4):
        run_shard(plan, tmp_path / "it", part)
    result = merge(SweepFolder(tmp_path / "it"))
    assert (result.missing, result.begun) == ({3: [2, 6]}, {1, 2, 4})
    assert not (tmp_path / "it" / "table.csv").exists()
    run_sweep(plan, tmp_path / "it", Here())
    assert tables(tmp_path / "it") == tables(run_sweep(plan, tmp_path / "whole", Here()).path)


@pytest.mark.slow
def test_more_shards_than_runs(plan, tmp_path):
    for part in range(1, 12):
        run_shard(plan, tmp_path / "it", part, 11)
    assert not merge(SweepFolder(tmp_path / "it")).missing
    assert tables(tmp_path / "it") == tables(run_sweep(plan, tmp_path / "whole", Here()).path)


def test_failures_are_joined_too(plan, tmp_path):
    plan = replace(plan, vary={"rules.alignment.weight": (0.1, -1e30)})
    for part in (1, 2):
        run_shard(plan, tmp_path / "it", part, 2)
    result = merge(SweepFolder(tmp_path / "it"))
    assert not result.missing
    assert [failure["index"] for failure in SweepFolder(tmp_path / "it").failures()] == [3, 4, 5]
    assert tables(tmp_path / "it") == tables(run_sweep(plan, tmp_path / "whole", Here()).path)


@pytest.mark.slow
def test_recordings_come_along(plan, tmp_path):
    plan = replace(plan, record=True, seeds=1)
    for part in (1, 2):
        run_shard(plan, tmp_path / "it", part, 2)
    assert not merge(SweepFolder(tmp_path / "it")).missing
    assert tables(tmp_path / "it") == tables(run_sweep(plan, tmp_path / "whole", Here()).path)
    for index in range(len(plan)):
        name = f"recordings/{index:06}.zarr"
        assert mm.open(tmp_path / "it" / name).complete
    assert not list(tmp_path.glob("it/shard-*/recordings/*.zarr"))


@pytest.mark.slow
def test_a_recording_that_was_lost_is_made_anew(plan, tmp_path):
    """By its shard, or by the joined sweep."""
    plan = replace(plan, record=True, seeds=1)
    complete = run_sweep(plan, tmp_path / "whole", Here())
    for part in (1, 2):
        shard = run_shard(plan, tmp_path / "it", part, 2)
    shutil.rmtree(shard.path / "recordings" / "000001.zarr")
    joined = SweepFolder(tmp_path / "it")
    assert merge(joined).missing == {2: [1]}
    run_shard(plan, tmp_path / "it", 2, 2)
    assert not merge(joined).missing
    assert tables(joined.path) == tables(complete.path)
    assert mm.open(joined.path / "recordings" / "000001.zarr").complete
    # runs that were moved to the joined sweep are not repeated in their shard
    assert len(shard.done()) == len(shard.plan())
    shutil.rmtree(joined.path / "recordings" / "000002.zarr")
    assert joined.done() == {0, 1}
    run_sweep(plan, joined.path, Here())
    assert mm.open(joined.path / "recordings" / "000002.zarr").complete


def test_shards_that_do_not_belong_together(plan, tmp_path):
    run_shard(plan, tmp_path / "it", 1)
    other = replace(plan, seed=5, steps=20)
    run_shard(other, tmp_path / "it", 2)
    before = files(tmp_path / "it")
    with pytest.raises(mm.SweepError, match="they differ in seed, steps") as caught:
        merge(SweepFolder(tmp_path / "it"))
    assert "shard-1-of-4" in str(caught.value) and "shard-2-of-4" in str(caught.value)
    shutil.rmtree(tmp_path / "it" / "shard-2-of-4")
    run_shard(plan, tmp_path / "it", 2, 3)
    with pytest.raises(mm.SweepError, match=r"is one of 4 shards, and .* one of 3"):
        merge(SweepFolder(tmp_path / "it"))
    shutil.rmtree(tmp_path / "it" / "shard-2-of-3")
    shard = run_shard(plan, tmp_path / "it", 2)
    record = next(shard.records())
    shard.store({**record, "murmurate": "9.9"})
    with pytest.raises(mm.SweepError, match=r"different versions.*murmurate 9\.9 \(.*shard-2-of-4"):
        merge(SweepFolder(tmp_path / "it"))
    assert not (tmp_path / "it" / "sweep.toml").exists()
    assert (
        before.items()
        >= {
            name: text
            for name, text in files(tmp_path / "it").items()
            if "shard-1-of-4" in name.parts
        }.items()
    )


def test_a_folder_with_something_else(plan, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(mm.SweepError, match="holds no sweep"):
        make_shard(SweepFolder(tmp_path), plan, (1, 2))
    with pytest.raises(mm.SweepError, match="got shard 1/2; expected a whole sweep"):
        make_shard(SweepFolder(tmp_path / "it"), replace(plan, shard=(1, 2)), (1, 2))
    with pytest.raises(mm.SweepError, match="holds no shards"):
        merge(SweepFolder(tmp_path))


@pytest.mark.parametrize(
    "text", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/3/5", "", "١/٢", "²/3", "1/３"]
)
def test_parts_that_are_none(text):
    with pytest.raises(mm.SweepError, match="expected PART/PARTS"):
        parse_shard(text)


def test_the_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sweep = ["sweep", "ucl", "--vary", "rules.alignment.weight=0,0.4", "--boids", "5", "--steps"]
    sweep += ["4", "--every", "2", "--engine", "reference", "--on", "threads", "--quiet"]
    assert main([*sweep, "--shard", "2/2", "-o", "it"]) == 0
    assert main(["sweep", "it"]) == 2
    assert "join them by murmurate sweep it --merge" in capsys.readouterr().err
    assert main(["sweep", "it", "--merge"]) == 1
    err = capsys.readouterr().err
    assert "shard 1 lacks 1 runs, and it was not begun: 0\n" in err
    assert "1 of 2 runs are joined" in err and "murmurate sweep it" in err
    assert main(["sweep", "it", "--shard", "1/2", "--on", "threads", "--quiet"]) == 0
    assert main(["sweep", "it/shard-1-of-2", "--shard", "1/2"]) == 2
    capsys.readouterr()
    assert main(["sweep", "it", "--merge", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["points"]) == 2
    assert main([*sweep, "-o", "whole"]) == 0
    assert tables("it") == tables("whole")
    assert main([*sweep, "--shard", "3/2", "-o", "it"]) == 2


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_slurm_script_of_the_documentation(tmp_path):
    """As the scheduler runs it, but of 2 shards and with fewer settings."""
    page = Path(__file__).parents[2] / "docs" / "cluster.md"
    script = page.read_text(encoding="utf-8").split("```bash\n")[1].split("```")[0]
    for text, instead in {
        "--array=1-20": "--array=1-2", "/20": "/2", "0:1:0.01": "0:1:0.5", "--seeds 20": "--seeds 2"
    }.items():  # fmt: skip
        assert text in script
        script = script.replace(text, instead)
    (tmp_path / "job.sh").write_text(script)
    command = tmp_path / "bin" / "murmurate"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m murmurate "$@"\n')
    command.chmod(0o755)
    (tmp_path / "phase.toml").write_text(to_toml(mm.load("ucl").set({"flocks.boids.count": 8})))
    path = os.pathsep.join([str(command.parent), os.environ["PATH"]])
    for part in "12":
        task = {"SLURM_ARRAY_TASK_ID": part, "SLURM_CPUS_PER_TASK": "1", "PATH": path}
        ran_well("bash", "job.sh", cwd=tmp_path, env={**os.environ, **task})
    result = merge(SweepFolder(tmp_path / "phase"))
    assert len(result.plan) == 6 and not result.missing
    assert len(tables(tmp_path / "phase")[0].splitlines()) == 7
