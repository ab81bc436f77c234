"""The history of releases: an entry each, compared by name, and one line for the check."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("history")


def entry(day: int, **more: float) -> dict[str, Any]:
    return {"date": f"2026-11-{day:02}", **more}


def test_the_committed_entries_are_read_in_order(history: Any) -> None:
    names = [name for name, _ in history.entries()]
    assert names[:2] == ["xeon-2/0.1.0", "xeon-2/0.2.0"]
    for name in names:
        content = history.result_file.read(history.result_file.named(name))
        assert content["versions"]["murmurate"] == name.partition("/")[2]
        assert content["results"]["standard, 1 threads"]["value"] > 0


def test_versions_are_numbers(history: Any) -> None:
    assert history.version("xeon-2/0.10.0") > history.version("xeon-2/0.9.1")


def test_the_line_is_of_the_newest_entry_with_a_ratio(history: Any) -> None:
    entries = [("a/0.1.0", entry(1, to_cpp=9.0)), ("a/0.2.0", entry(2, to_cpp=3.0))]
    entries += [("a/0.3.0", entry(3))]
    assert history.line(2.6, entries).endswith(
        "2.60 times as fast as the C++ sweep here, 3.00 times in a/0.2.0"
    )
    assert history.line(2.5, entries).endswith("3.00 times in a/0.2.0: slower by more than 15%")
    assert history.line(2.5, entries[2:]).endswith("no entry of the history has this ratio")


def test_the_expected_speeds_are_those_of_all_entries(history: Any) -> None:
    assert history.EXPECTED.read_text("utf-8") == history.expected(history.entries())


def test_a_range_is_from_the_slowest_to_the_fastest_entry(history: Any) -> None:
    entries = [
        (
            f"m/{release}",
            {
                "machine": {"murmurate": release, "processor": "Some(R) Chip", "cores": 2},
                "flocks": {"flat": {"boid_steps_per_second": {"1": speed, "2": 9e9}}},
            },
        )
        for release, speed in (("0.9.0", 2e6), ("0.10.0", 1.2345e6))
    ]
    table = json.loads(history.expected(entries))
    assert table["boid_steps_per_second"] == {"flat": [1.23e6, 2e6]}
    assert table["releases"] == ["0.9.0", "0.10.0"]
    assert table["machines"] == ["Some Chip, 2 cores"]


def test_an_entry_is_not_replaced_unasked(history: Any, tmp_path: Path) -> None:
    kept = tmp_path / "here" / f"{history.__version__}.json"
    kept.parent.mkdir()
    kept.write_text("{}")
    with pytest.raises(SystemExit, match="is there already"):
        history.add("here", replace=False, folder=tmp_path)
    with pytest.raises(SystemExit, match="named by small letters"):
        history.add("../elsewhere", replace=True, folder=tmp_path)
    assert kept.read_text() == "{}"


def test_entries_are_compared_by_name(history: Any, capsys: pytest.CaptureFixture[str]) -> None:
    compare = importlib.import_module("compare")
    assert compare.main(["xeon-2/0.1.0", "xeon-2/0.2.0"]) == 0
    out = capsys.readouterr().out
    assert "murmurate: 0.1.0 -> 0.2.0" in out and "standard, 1 threads" in out
    assert compare.main(["xeon-2/0.1.0", "xeon-2/9.9.9"]) == 2
