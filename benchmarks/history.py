"""Speeds of each release, by machine and version, as `murmurate doctor --bench --json` prints.

    python benchmarks/history.py list
    python benchmarks/history.py add MACHINE [--replace]     history/MACHINE/VERSION.json
    python benchmarks/history.py check                       one line, for .ci/run
    python benchmarks/history.py expected                    ranges for murmurate doctor

MACHINE is a short word, such as xeon-2: the processor and its cores. An entry also has the ratio of
the standard flock to a plain cell sweep in C++, flown in turns with it on one thread: speeds of
different machines cannot be compared, but these ratios nearly can. `check` compares the ratio here
with that of the newest entry. It takes 20 seconds, and never fails for what it finds. `expected`
reduces all entries to the range of speeds on one thread; `add` does so too.
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

from murmurate import doctor
from murmurate.bench.timing import describe_machine
from murmurate.version import __version__

FOLDER = result_file.HISTORY
EXPECTED = Path(doctor.__file__).parent / "expected_speeds.json"
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


def expected(known: list[tuple[str, dict[str, Any]]]) -> str:
    """The slowest and the fastest of all entries on one thread, a range a standard flock."""
    speeds: dict[str, list[float]] = {}
    for _, entry in known:
        for flock, found in entry["flocks"].items():
            speeds.setdefault(flock, []).append(found["boid_steps_per_second"]["1"])
    releases = {entry["machine"]["murmurate"] for _, entry in known}
    table = {
        "source": f"benchmarks/{FOLDER.name}",
        "releases": sorted(releases, key=lambda name: version(f"/{name}")),
        "machines": sorted({_in_words(entry["machine"]) for _, entry in known}),
        "boid_steps_per_second": {
            flock: [float(f"{pick(found):.3g}") for pick in (min, max)]
            for flock, found in speeds.items()
        },
    }
    return json.dumps(table, indent=1) + "\n"


def _in_words(machine: dict[str, Any]) -> str:
    processor = " ".join(machine["processor"].replace("(R)", "").split())
    return f"{processor}, {machine['cores']} cores"


def write_expected() -> None:
    EXPECTED.write_text(expected(entries()), encoding="utf-8")
    print(f"wrote {EXPECTED}")


def check() -> None:
    here = ratio_here(rounds=3)
    print("no C++ compiler: not compared" if here is None else line(here, entries()))


def add(machine: str, replace: bool, folder: Path = FOLDER) -> None:
    path = folder / machine / f"{__version__}.json"
    if not re.fullmatch(r"[a-z0-9-]+", machine):
        raise SystemExit(f"{machine}: a machine is named by small letters, digits and hyphens")
    if path.exists() and not replace:
        raise SystemExit(f"{path} is there already: --replace it, or leave it")
    here = ratio_here(rounds=5)
    printed = json.loads(output([sys.executable, "-m", "murmurate", "doctor", "--bench", "--json"]))
    entry = {"date": datetime.now(UTC).date().isoformat(), **printed}
    if here is not None:
        entry["to_cpp"] = here
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(entry, indent=2) + "\n", encoding="utf-8")
    print(f"wrote {path}")
    write_expected()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the entries")
    commands.add_parser("check", help="the ratio here beside that of the newest entry")
    commands.add_parser("expected", help="the ranges that murmurate doctor knows")
    adding = commands.add_parser("add", help="an entry of this version")
    adding.add_argument("machine", metavar="MACHINE")
    adding.add_argument("--replace", action="store_true")
    options = parser.parse_args()
    if options.command == "list":
        for name, entry in entries():
            ratio = f"x {entry['to_cpp']:.2f} C++" if "to_cpp" in entry else ""
            print(f"{name:20}{entry['date']:14}{entry['machine']['processor']:40}{ratio}")
        return
    if options.command == "expected":
        write_expected()
        return
    print(describe_machine())
    if options.command == "check":
        check()
    else:
        add(options.machine, options.replace)


if __name__ == "__main__":
    main()
