"""Scripts in benchmarks/ write their results as JSON, and compare.py compares two such files."""

from __future__ import annotations

import importlib
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from processes import LIMIT

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
OTHERS = {"compare", "gpu_zoo", "history", "live_client", "slow_link", "source_mutants"} | {
    "ensembles",
    "mutants",
    "posteriors",
    "trajectories",
    "verdicts",
}
SCRIPTS = sorted(
    path.stem
    for path in BENCHMARKS.glob("*.py")
    if path.stem not in OTHERS and "__main__" in path.read_text(encoding="utf-8")
)


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def written(path: Path, values: dict[str, tuple[float, str, Any]], benchmark: str = "film") -> Path:
    results = importlib.import_module("result_file").Results(benchmark, path)
    for name, value in values.items():
        results.add(name, *value)
    results.write()
    return path


def compare(*words: object) -> int:
    return importlib.import_module("compare").main([str(word) for word in words])


def test_a_file_says_what_was_measured_where_and_when(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", {"speed": (2.5, "pictures/s", "higher")})
    content = importlib.import_module("result_file").read(path)
    assert content["results"] == {"speed": {"value": 2.5, "unit": "pictures/s", "better": "higher"}}
    assert content["benchmark"] == "film" and content["date"].endswith("+00:00")
    assert set(content["machine"]) == {"processor", "cores", "system"}
    assert {"python", "numpy", "numba", "murmurate"} <= set(content["versions"])


def test_each_result_and_each_row_is_a_line(tmp_path: Path) -> None:
    module = importlib.import_module("result_file")
    results = module.Results("zoo", tmp_path / "a.json")
    results.content["rows"] = [{"name": "ucl", "boids": 3}, {"name": "p5", "boids": 4}]
    results.add("ucl", 2.5, "s", "lower")
    results.write()
    lines = [json.loads(line) for line in (tmp_path / "a.json").read_text().splitlines()]
    assert [next(iter(line)) for line in lines] == ["benchmark", "result", "row", "row"]
    assert module.read(tmp_path / "a.json") == results.content


def test_nested_tables_are_lines_too(tmp_path: Path) -> None:
    module = importlib.import_module("json_lines")
    tables = {"ucl": {"1": {"flights": 8}, "2": {"flights": 16}}, "p5": {"1": {"flights": 8}}}
    path = tmp_path / "a.jsonl"
    assert module.read_nested(path, "flock", "set") == {}
    module.write_nested(path, tables, "flock", "set")
    assert path.read_text().splitlines()[0] == '{"flock": "ucl", "set": "1", "flights": 8}'
    assert module.read_nested(path, "flock", "set") == tables


def test_a_value_is_finite_and_named_once(tmp_path: Path) -> None:
    results = importlib.import_module("result_file").Results("film", None)
    results.add("speed", 1.0, "x", "higher")
    with pytest.raises(ValueError, match="was measured already"):
        results.add("speed", 1.0, "x", "higher")
    with pytest.raises(ValueError, match="a finite number"):
        results.add("other", float("nan"), "x", "higher")


def test_ratios_are_above_one_where_it_got_better(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {
        "speed": (10.0, "1/s", "higher"),
        "time": (4.0, "s", "lower"),
        "old": (1, "s", "lower"),
    }
    after = {
        "speed": (15.0, "1/s", "higher"),
        "time": (5.0, "s", "lower"),
        "new": (1, "s", "lower"),
    }
    files = written(tmp_path / "a.json", before), written(tmp_path / "b.json", after)
    assert compare(*files) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert lines["speed"].endswith("x 1.50") and lines["time"].endswith("x 0.80  worse")
    assert "only in the first" in lines["old"] and "only in the second" in lines["new"]
    assert compare(*files, "--fail-below", 0.9) == 1
    assert compare(*files, "--fail-below", 0.75) == 0
    assert compare(*reversed(files), "--fail-below", 0.9) == 1  # speed, 0.67


def test_a_difference_of_a_tenth_is_not_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        written(tmp_path / f"{value}.json", {"speed": (value, "1/s", "higher")})
        for value in (100.0, 91.0)
    ]
    assert compare(*files, "--fail-below", 0.9) == 0
    assert "worse" not in capsys.readouterr().out


def test_other_machines_and_units_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = written(tmp_path / "a.json", {"speed": (10.0, "1/s", "higher")})
    other = written(tmp_path / "b.json", {"speed": (10.0, "1/min", "higher")})
    run, *results = other.read_text().splitlines()
    content = json.loads(run)
    content["machine"]["cores"] = 4096
    other.write_text("\n".join([json.dumps(content), *results]))
    assert compare(first, other, "--fail-below", 0.9) == 0
    out = capsys.readouterr().out
    assert "-> 4096" in out and "not the same quantity" in out


def test_files_that_cannot_be_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path / "a.json", {})
    (tmp_path / "b.json").write_text('{"results": {"speed": 3}}')
    assert compare(good, tmp_path / "b.json") == 2
    assert "b.json: not a file that a script here wrote" in capsys.readouterr().err
    assert compare(good, tmp_path / "c.json") == 2
    assert "cannot be read: No such file" in capsys.readouterr().err
    assert compare(good, written(tmp_path / "d.json", {}, "live")) == 2
    assert "give two files of the same one" in capsys.readouterr().err


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_has_the_option(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And refuses a file that cannot be written before it measures anything."""
    file = str(BENCHMARKS / f"{script}.py")
    monkeypatch.setattr(sys, "argv", [file, "--json", "no/such/folder/a.json"])
    try:
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(file, run_name="__main__")
    except ModuleNotFoundError as error:
        pytest.skip(str(error))
    assert ended.value.code == 2
    assert "give a file in a folder that is there" in capsys.readouterr().err


@pytest.mark.slow
def test_a_script_writes_its_results(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    words = ["--boids", "500", "--steps", "1", "--json", str(path)]
    subprocess.run([sys.executable, BENCHMARKS / "memory.py", *words], check=True, timeout=LIMIT)
    content = importlib.import_module("result_file").read(path)
    assert content["benchmark"] == "memory" and content["results"]["500 boids, step"]["value"] > 0
