"""The speed of each release: what `murmurate bench --json` printed, kept by machine and version.

    python benchmarks/history.py list
    python benchmarks/history.py add MACHINE [--replace]     history/MACHINE/VERSION.json
    python benchmarks/history.py check                       one line, for .ci/run

MACHINE is a short word, such as xeon-2: the processor and its cores. An entry also has the ratio of
the standard flock to a plain cell sweep in C++, flown in turns with it on one thread: speeds of
different machines cannot be compared, but these ratios nearly can. `check` compares the ratio here
with that of the newest entry. It takes 20 seconds, and never fails for what it finds.
benchmarks/compare.py compares two entries: compare.py xeon-2/0.1.0 xeon-2/0.2.0
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import result_file
from child_process import output
from sweep import Case, built, compare

from murmurate.bench.machine import described
from murmurate.version import __version__

FOLDER = result_file.HISTORY
STANDARD = Case("standard, 1 thread", 200_000, 20, threads=1)
NOTABLE = 0.85  # of the ratio before


def ratio_here(rounds: int) -> float | None:
    """The standard flock's speed over that of the best plain C++ sweep; None where there is no
    compiler."""
    with tempfile.TemporaryDirectory() as folder:
        program = built(Path(folder))
        if program is None:
            return None
        found: Any = compare(program, STANDARD, rounds)["times_best"]
        return float(found)


def entries() -> list[tuple[str, dict[str, Any]]]:
    """('MACHINE/VERSION', entry), the oldest first."""
    found = [
        (f"{path.parent.name}/{path.stem}", json.loads(path.read_text(encoding="utf-8")))
        for path in FOLDER.glob("*/*.json")
    ]
    return sorted(found, key=lambda one: (one[1]["date"], version(one[0])))


def version(name: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", name.partition("/")[2])))


def line(here: float, known: list[tuple[str, dict[str, Any]]]) -> str:
    """What `check` says."""
    said = f"the standard flock flies {here:.2f} times as fast as the C++ sweep here"
    last = next(((name, one["to_cpp"]) for name, one in reversed(known) if "to_cpp" in one), None)
    if last is None:
        return f"{said}; no entry of the history has this ratio"
    name, before = last
    said += f", {before:.2f} times in {name}"
    return f"{said}: slower by more than 15%" if here < NOTABLE * before else said


def check() -> None:
    here = ratio_here(rounds=3)
    print("no C++ compiler: not compared" if here is None else line(here, entries()))


def add(machine: str, replace: bool) -> None:
    path = FOLDER / machine / f"{__version__}.json"
    if not re.fullmatch(r"[a-z0-9-]+", machine):
        raise SystemExit(f"{machine}: a machine is named by small letters, digits and hyphens")
    if path.exists() and not replace:
        raise SystemExit(f"{path} is there already: --replace it, or leave it")
    here = ratio_here(rounds=5)
    printed = json.loads(output([sys.executable, "-m", "murmurate", "bench", "--json"]))
    entry = {"date": datetime.now(UTC).date().isoformat(), **printed}
    if here is not None:
        entry["to_cpp"] = here
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(entry, indent=2) + "\n", encoding="utf-8")
    print(f"wrote {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the entries")
    commands.add_parser("check", help="the ratio here beside that of the newest entry")
    adding = commands.add_parser("add", help="an entry of this version")
    adding.add_argument("machine", metavar="MACHINE")
    adding.add_argument("--replace", action="store_true")
    options = parser.parse_args()
    if options.command == "list":
        for name, entry in entries():
            ratio = f"x {entry['to_cpp']:.2f} C++" if "to_cpp" in entry else ""
            print(f"{name:20}{entry['date']:14}{entry['machine']['processor']:40}{ratio}")
        return
    print(described())
    if options.command == "check":
        check()
    else:
        add(options.machine, options.replace)


if __name__ == "__main__":
    main()
