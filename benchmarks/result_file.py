"""Results of a benchmark as JSON lines: the --json option that all scripts here share.

The first line describes the run; each line after it is a result, or a row of the script's table:

{"benchmark": "film", "date": "2026-01-31T12:00:00+00:00", "machine": {...}, "versions": {...}}
{"result": "sort-sol, murmurate", "value": 92.1, "unit": "pictures/s", "better": "higher"}
{"row": {"name": "ucl", "boids": 600, "seconds": 0.0004}}

`machine` has processor, cores and system; `versions` has python, numpy, numba, llvmlite and
murmurate. In memory a run is a table with these keys, "results" (name -> result) and "rows".
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from json_lines import read_lines, write_lines

from murmurate.bench.timing import machine_info

HISTORY = Path(__file__).parent / "history"
MACHINE = ("processor", "cores", "system")


class Results:
    """What a script measured; add() each value, and write() them at the end, or after each."""

    def __init__(self, benchmark: str, path: Path | None) -> None:
        """path  the file; None: nothing is written"""
        self._path = path
        versions = machine_info()
        self.content: dict[str, Any] = {
            "benchmark": benchmark,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": {name: versions.pop(name) for name in MACHINE},
            "versions": versions,
            "results": {},
        }

    def add(self, name: str, value: float, unit: str, better: Literal["higher", "lower"]) -> None:
        """Raises ValueError for a name that is there already, or a value that is not finite."""
        if name in self.content["results"]:
            raise ValueError(f"{name!r} was measured already")
        if not math.isfinite(value):
            raise ValueError(f"{name!r} is {value}: a result is a finite number")
        self.content["results"][name] = {"value": float(value), "unit": unit, "better": better}

    def write(self) -> None:
        if self._path is not None:
            write_lines(self._path, lines_of(self.content))


def lines_of(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a result file."""
    yield {key: value for key, value in content.items() if key not in ("results", "rows")}
    for name, result in content["results"].items():
        yield {"result": name, **result}
    for row in content.get("rows", []):
        yield {"row": row}


def _content_of(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the content of a result file, of its lines."""
    content: dict[str, Any] = {**lines[0], "results": {}}
    for line in lines[1:]:
        if "result" in line:
            content["results"][line.pop("result")] = line
        else:
            content.setdefault("rows", []).append(line["row"])
    return content


def add_json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json", type=_new_file, metavar="FILE", help="also write the results to this file"
    )


def _new_file(text: str) -> Path:
    """Refused before anything is measured, not after."""
    path = Path(text)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: give a file in a folder that is there")
    return path


def named(text: str) -> Path:
    """Return the file of a path, or of an entry of the history: MACHINE/VERSION."""
    entry = HISTORY / f"{text}.json"
    return entry if not Path(text).exists() and entry.is_file() else Path(text)


def read(path: Path) -> dict[str, Any]:
    """Return the content of a result file, or of an entry of the history.

    Raises ValueError for other files.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if text.startswith("{\n"):  # printed by `murmurate doctor --bench --json`
            content = _of_command(json.loads(text))
        else:
            content = _content_of(read_lines(path))
        for result in content["results"].values():
            if result["better"] not in ("higher", "lower") or not result["unit"]:
                raise KeyError("better")
            float(result["value"])
        content["benchmark"], content["date"], content["machine"], content["versions"]
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise ValueError(f"{path}: not a file that a script here wrote with --json") from None
    return content


def _of_command(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a result file for an entry of the history, or for what
    `murmurate doctor --bench --json` printed."""
    versions = dict(content["machine"])
    ratio = {"value": content.get("to_cpp"), "unit": "times C++", "better": "higher"}
    return {
        "benchmark": "bench",
        "date": content.get("date", ""),
        "machine": {name: versions.pop(name) for name in MACHINE},
        "versions": versions,
        "results": {
            f"{name}, {threads} threads": {
                "value": rate / 1e6,
                "unit": "million boid-steps/s",
                "better": "higher",
            }
            for name, flock in content["flocks"].items()
            for threads, rate in flock["boid_steps_per_second"].items()
        }
        | ({"standard flock to C++": ratio} if "to_cpp" in content else {}),
    }
