"""Compare the speed of other programs with murmurate, on the same flocks.

    python benchmarks/peers.py [--quick] [--only NAME] [--rounds 5] [--environments FOLDER]
                               [--json FILE]

The script installs each peer from PyPI into its own environment, below FOLDER or a temporary
folder. It reports and skips a peer that fails. Peer and murmurate alternate on the same core, with
one thread each. Times are medians over the rounds, with the shortest and the longest. Each time
comes with the mean number of neighbours, because peers count neighbours differently.
`--json benchmarks/results/peers.jsonl` stores the results; docs/make_benchmarks.py turns them into
tables and a chart.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import peer_environments
from child_process import ChildFailed
from peer_report import table
from peer_table import PEERS, Case, Peer
from result_file import Results, add_json_option
from timed_child import TimedChild

from murmurate.bench.timing import describe_machine

FOLDER = Path(__file__).parent / "peers"


def compare(peer: Peer, case: Case, program: Path, rounds: int) -> dict[str, Any]:
    """Return one row of the results. Raises ChildFailed."""
    numbers = {"boids": case.boids, "steps": case.steps, "ours": peer.ours, **case.numbers}
    row = {
        "peer": peer.name, "flock": peer.flock, "boids": case.boids, "unit": peer.unit,
        "differs": peer.differs,
    }  # fmt: skip
    variables = {**os.environ, "NUMBA_NUM_THREADS": "1"}
    with (
        TimedChild([program, FOLDER / f"{peer.script}.py"], numbers,
                  peer_environments.child_variables(program)) as theirs,
        TimedChild([sys.executable, FOLDER / "murmurate_flock.py"], numbers, variables) as ours,
    ):  # fmt: skip
        for _ in range(rounds):
            for child in (theirs, ours):
                child.time_round()
        return {**row, "theirs": theirs.result(), "ours": ours.result()}


def add_row(results: Results, row: dict[str, Any]) -> None:
    """Add a row, and its medians as the values that compare.py compares."""
    results.content.setdefault("rows", []).append(row)
    what = f"{row['peer']}: {row['flock']}, {row['boids']:,}"
    for name, side in (("there", "theirs"), ("here", "ours")):
        results.add(f"{what}, {name}", row[side]["median"], f"s/{row['unit']}", "lower")
    results.write()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="run only the small sizes")
    parser.add_argument(
        "--only", default="", help="run only peers whose name or flock contains NAME"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--environments", type=Path, metavar="FOLDER", help="keep the environments for the next run"
    )
    add_json_option(parser)
    options = parser.parse_args()
    peers = [p for p in PEERS if options.only.lower() in f"{p.name} {p.flock}".lower()]
    if not peers:
        names = ", ".join(dict.fromkeys(peer.name for peer in PEERS))
        parser.error(f"--only: got {options.only}; expected part of one of {names}")
    print(describe_machine())
    results = Results("peers", options.json)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.environments or Path(temporary)
        for peer in peers:
            try:
                program = peer_environments.create(folder.absolute(), peer.packages)
                for case in peer.cases:
                    if case.quick or not options.quick:
                        print(f"{peer.name}, {case.boids:,}: {peer.flock}", flush=True)
                        add_row(results, compare(peer, case, program, options.rounds))
            except ChildFailed as error:
                print(f"{peer.name} skipped: {error}", file=sys.stderr)
                results.content.setdefault("left_out", []).append(peer.name)
                results.write()
    print("", *table(results.content.get("rows", [])), sep="\n")


if __name__ == "__main__":
    main()
