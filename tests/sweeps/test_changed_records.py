"""Records and plans of a sweep or a fit that somebody changed."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

import murmurate as mm
from murmurate.fitting.store import FitFolder
from murmurate.sweeps.design import SweepError
from murmurate.sweeps.run import fly
from murmurate.sweeps.shards import merge, shard_in
from murmurate.sweeps.store import Folder
from murmurate.sweeps.sweep_plan import SweepPlan, plan_of
from workers_here import Here

VARY = {"rules.alignment.weight": (0.0, 0.4)}


@pytest.fixture
def plan() -> SweepPlan:
    model = mm.load("ucl").set({"flocks.boids.count": 4})
    return plan_of(model, VARY, steps=4, every=2, engine="reference", measures=("speed",))


def change(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"measures": 3}, {"measures": {}}, {"measures": {"speed": "fast"}}, {"values": {}},
        {"measures": {"speed": {"mean": 1e300, "error": 0.0, "last": 1.0}}}, {"point": None},
        {"seed": -1}, {"index": "1"}, {"index": 0}, {"recording": "../../elsewhere"},
    ],
)  # fmt: skip
def test_a_changed_record_is_flown_again(plan: SweepPlan, tmp_path: Path, changes) -> None:
    folder = fly(plan, tmp_path / "s", Here())
    path = tmp_path / "s" / "runs" / "000001.json"
    before = json.loads(path.read_text())
    change(path, **changes)
    assert folder.done() == {0}
    fly(plan, tmp_path / "s", Here())
    assert json.loads(path.read_text())["measures"] == before["measures"]


def test_a_changed_failure_is_left_out(plan: SweepPlan, tmp_path: Path) -> None:
    folder = fly(plan, tmp_path / "s", Here())
    folder.keep_failure({"index": 1, "seed": 1, "values": {}, "error": "lost"})
    folder.keep_failure({"index": 0, "seed": 1, "values": {}, "error": "lost"})
    change(tmp_path / "s" / "failed" / "000000.json", values=3)
    assert [failure["index"] for failure in folder.failures()] == [1]


def test_a_shard_moves_no_file_from_elsewhere(plan: SweepPlan, tmp_path: Path) -> None:
    """The path of a recording in a record is no way out of the sweep's folder."""
    other = tmp_path / "diary.txt"
    other.write_text("mine")
    for part in (1, 2):
        shard, cut = shard_in(Folder(tmp_path / "s"), plan, (part, 2))
        fly(cut, shard.path, Here())
    change(next(tmp_path.glob("s/shard-1-of-2/runs/*.json")), recording="../../diary.txt")
    assert len(merge(Folder(tmp_path / "s")).missing) == 1
    assert other.read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "value"),
    [("vary", 3), ("seeds", "many"), ("shard", [0, 0]), ("rules", [1]), ("dtype", "float16")],
)
def test_a_plan_of_other_types_is_refused(
    plan: SweepPlan, tmp_path: Path, name: str, value: Any
) -> None:
    folder = Folder(tmp_path)
    table = tomllib.loads(plan.to_toml()) | {name: value}
    folder.plan_path.write_text(tomli_w.dumps(table))
    with pytest.raises(SweepError, match=f"is no sweep: {name}"):
        folder.plan()


@pytest.mark.parametrize("kind", [Folder, FitFolder])
def test_a_plan_that_is_no_text_is_refused(tmp_path: Path, kind: Any) -> None:
    folder = kind(tmp_path)
    folder.plan_path.write_bytes(b"version = \xce\xff\n")
    with pytest.raises(SweepError, match="is not a"):
        folder.plan()
