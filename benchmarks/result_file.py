"""Results of a benchmark as a JSON file: the --json option that all scripts here share.

{"benchmark": "film", "date": "2026-01-31T12:00:00+00:00",
 "machine": {"processor": ..., "cores": ..., "system": ...},
 "versions": {"python": ..., "numpy": ..., "numba": ..., "llvmlite": ..., "murmurate": ...},
 "results": {"sort-sol, murmurate": {"value": 92.1, "unit": "pictures/s", "better": "higher"}}}
"""

from __future__ import annotations

import argparse
import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from murmurate.bench.machine import machine

HISTORY = Path(__file__).parent / "history"
MACHINE = ("processor", "cores", "system")


class Results:
    """What a script measured; add() each value, and write() them at the end, or after each."""

    def __init__(self, benchmark: str, path: Path | None) -> None:
        """path  the file; None: nothing is written"""
        self._path = path
        known = machine()
        self.content: dict[str, Any] = {
            "benchmark": benchmark,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": {name: known.pop(name) for name in MACHINE},
            "versions": known,
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
            self._path.write_text(json.dumps(self.content, indent=1) + "\n", encoding="utf-8")


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
    """The file of a path, or of an entry of the history: MACHINE/VERSION."""
    entry = HISTORY / f"{text}.json"
    return entry if not Path(text).exists() and entry.is_file() else Path(text)


def read(path: Path) -> dict[str, Any]:
    """The content of a result file. Raises ValueError for what is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if "flocks" in content:
            content = _of_command(content)
        for result in content["results"].values():
            if result["better"] not in ("higher", "lower") or not result["unit"]:
                raise KeyError("better")
            float(result["value"])
        content["benchmark"], content["date"], content["machine"], content["versions"]
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ValueError(f"{path}: not a file that a script here wrote with --json") from None
    return content


def _of_command(content: dict[str, Any]) -> dict[str, Any]:
    """What `murmurate bench --json` printed, or an entry of the history, as the content of a result
    file."""
    known = dict(content["machine"])
    ratio = {"value": content.get("to_cpp"), "unit": "times C++", "better": "higher"}
    return {
        "benchmark": "bench",
        "date": content.get("date", ""),
        "machine": {name: known.pop(name) for name in MACHINE},
        "versions": known,
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
