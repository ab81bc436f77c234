"""Records and plans of a sweep or a fit that somebody changed."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

import murmurate as mm
from murmurate.errors import SweepError
from murmurate.fitting.fit_plan import FitFolder
from murmurate.plots.sweeps import save_sweep_plot
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.shards import make_shard, merge
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import SweepPlan, make_plan
from workers_here import Here

VARY = {"rules.alignment.weight": (0.0, 0.4)}


@pytest.fixture(scope="module")
def plan() -> SweepPlan:
    model = mm.load("ucl").set({"flocks.boids.count": 4})
    return make_plan(
        model, VARY, mm.RunSpec(steps=4, every=2, engine="reference"), measures=("speed",)
    )


@pytest.fixture(scope="module")
def finished(plan: SweepPlan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sweep that was run."""
    return run_sweep(plan, tmp_path_factory.mktemp("sweeps") / "s", Here()).path


def change(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"measures": 3}, {"measures": {}}, {"measures": {"speed": "fast"}}, {"values": {}},
        {"measures": {"speed": {"mean": 1e300, "error": 0.0, "last": 1.0}}}, {"point": None},
        {"seed": -1}, {"index": "1"}, {"index": 0}, {"recording": "../../elsewhere"},
        {"seed": 5}, {"point": 0}, {"repeat": 1}, {"values": {"rules.alignment.weight": 0.3}},
        {"values": {"rules.alignment.weight": [[1, 2], {"a": 1}]}},
        {"recording": "recordings/000001.zarr"},
    ],
)  # fmt: skip
def test_a_changed_record_is_run_again(
    plan: SweepPlan, finished: Path, tmp_path: Path, changes: Any, caplog: pytest.LogCaptureFixture
) -> None:
    folder = SweepFolder(Path(shutil.copytree(finished, tmp_path / "s")))
    path = tmp_path / "s" / "runs" / "000001.json"
    before = json.loads(path.read_text())
    change(path, **changes)
    assert folder.done() == folder.done() == {0}
    assert [record.message for record in caplog.records] == [
        f"{path}: not a complete record of a run of this sweep, or its recording is missing; the "
        "run counts as missing"
    ]
    run_sweep(plan, tmp_path / "s", Here())
    assert json.loads(path.read_text())["measures"] == before["measures"]


def test_a_changed_failure_is_left_out(plan: SweepPlan, tmp_path: Path) -> None:
    folder = run_sweep(plan, tmp_path / "s", Here())
    own = {task.index: {"index": task.index, "seed": task.seed, "values": task.values}
           for task in plan.tasks()}  # fmt: skip
    folder.store_failure({**own[1], "error": "lost"})
    for change_of in ({"values": 3}, {"values": {}}, {"seed": 5}, {"index": 77}):
        folder.store_failure({**own[0], "error": "lost", **change_of})
        assert [failure["index"] for failure in folder.failures()] == [1]


def test_a_run_that_the_sweep_does_not_have_is_left_out(plan: SweepPlan, tmp_path: Path) -> None:
    folder = run_sweep(plan, tmp_path / "s", Here())
    record = json.loads((tmp_path / "s" / "runs" / "000001.json").read_text())
    (tmp_path / "s" / "runs" / "000077.json").write_text(json.dumps(record | {"index": 77}))
    assert folder.done() == {0, 1}


@pytest.mark.parametrize("seeds", [999_999_999_999, 0, -2])
def test_counts_that_no_sweep_has_are_refused(plan: SweepPlan, tmp_path: Path, seeds: int) -> None:
    """By all that reads a plan, before it is listed how many runs there are."""
    for part in (1, 2):
        shard, cut = make_shard(SweepFolder(tmp_path / "s"), plan, (part, 2))
        run_sweep(cut, shard.path, Here())
        table = tomllib.loads(cut.to_toml()) | {"seeds": seeds}
        shard.plan_path.write_text(tomli_w.dumps(table))
    with pytest.raises(SweepError, match=r"is not a sweep: (seeds: got|runs: got)"):
        merge(SweepFolder(tmp_path / "s"))
    with pytest.raises(SweepError, match=r"is not a sweep: (seeds: got|runs: got)"):
        save_sweep_plot(shard, measure="speed")


def test_the_first_wrong_value_of_a_plan_is_named(plan: SweepPlan, tmp_path: Path) -> None:
    folder = run_sweep(plan, tmp_path / "s", Here())
    wrong = {"measures": 3, "steps": "few"}
    folder.plan_path.write_text(tomli_w.dumps(tomllib.loads(plan.to_toml()) | wrong))
    with pytest.raises(SweepError, match="is not a sweep: measures: got 3"):
        folder.plan()


def test_a_shard_moves_no_file_from_elsewhere(plan: SweepPlan, tmp_path: Path) -> None:
    """The path of a recording in a record is no way out of the sweep's folder."""
    other = tmp_path / "diary.txt"
    other.write_text("mine")
    for part in (1, 2):
        shard, cut = make_shard(SweepFolder(tmp_path / "s"), plan, (part, 2))
        run_sweep(cut, shard.path, Here())
    change(next(tmp_path.glob("s/shard-1-of-2/runs/*.json")), recording="../../diary.txt")
    assert len(merge(SweepFolder(tmp_path / "s")).missing) == 1
    assert other.read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "value"),
    [("vary", 3), ("seeds", "many"), ("shard", [0, 0]), ("rules", [1]), ("dtype", "float16")],
)
def test_a_plan_of_other_types_is_refused(
    plan: SweepPlan, tmp_path: Path, name: str, value: Any
) -> None:
    folder = SweepFolder(tmp_path)
    table = tomllib.loads(plan.to_toml()) | {name: value}
    folder.plan_path.write_text(tomli_w.dumps(table))
    with pytest.raises(SweepError, match=f"is not a sweep: {name}"):
        folder.plan()


@pytest.mark.parametrize("kind", [SweepFolder, FitFolder])
def test_a_plan_that_is_no_text_is_refused(tmp_path: Path, kind: Any) -> None:
    folder = kind(tmp_path)
    folder.plan_path.write_bytes(b"version = \xce\xff\n")
    with pytest.raises(SweepError, match="is not a"):
        folder.plan()
