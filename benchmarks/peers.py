"""Flocks of other programs beside the same flocks here.

    python benchmarks/peers.py [--quick] [--only NAME] [--rounds 5] [--environments FOLDER]
                               [--json FILE]

Each peer is installed from PyPI into an environment of its own, below FOLDER or a temporary one;
what cannot be installed, or fails, is said and left out. The two fly in turns on the same core, one
thread each; times are medians over the rounds, beside the shortest and the longest, and beside each
how many neighbours a boid has there on the average, since peers differ in whom they count.
--json benchmarks/results/peers.jsonl keeps the results; docs/make_benchmarks.py makes the pages'
tables and the chart of them.
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
from turn_taker import TurnTaker

from murmurate.bench.timing import describe_machine

FOLDER = Path(__file__).parent / "peers"


def compared(peer: Peer, case: Case, program: Path, rounds: int) -> dict[str, Any]:
    """One row of the results. Raises ChildFailed."""
    numbers = {"boids": case.boids, "steps": case.steps, "ours": peer.ours, **case.numbers}
    row = {
        "peer": peer.name, "flock": peer.flock, "boids": case.boids, "unit": peer.unit,
        "differs": peer.differs,
    }  # fmt: skip
    here = {**os.environ, "NUMBA_NUM_THREADS": "1"}
    with (
        TurnTaker([program, FOLDER / f"{peer.script}.py"], numbers,
                  peer_environments.variables(program)) as theirs,
        TurnTaker([sys.executable, FOLDER / "murmurate_flock.py"], numbers, here) as ours,
    ):  # fmt: skip
        for _ in range(rounds):
            for one in (theirs, ours):
                one.turn()
        return {**row, "theirs": theirs.result(), "ours": ours.result()}


def keep(results: Results, row: dict[str, Any]) -> None:
    """Adds a row, and its medians as the values that compare.py compares."""
    results.content.setdefault("rows", []).append(row)
    what = f"{row['peer']}: {row['flock']}, {row['boids']:,}"
    for name, side in (("there", "theirs"), ("here", "ours")):
        results.add(f"{what}, {name}", row[side]["median"], f"s/{row['unit']}", "lower")
    results.write()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the small sizes only")
    parser.add_argument("--only", default="", help="peers whose name or flock contains this")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--environments", type=Path, metavar="FOLDER", help="kept, and used again")
    add_json_option(parser)
    options = parser.parse_args()
    peers = [p for p in PEERS if options.only.lower() in f"{p.name} {p.flock}".lower()]
    if not peers:
        names = ", ".join(dict.fromkeys(peer.name for peer in PEERS))
        parser.error(f"--only {options.only}: no peer; there are {names}")
    print(describe_machine())
    results = Results("peers", options.json)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.environments or Path(temporary)
        for peer in peers:
            try:
                program = peer_environments.python(folder.absolute(), peer.packages)
                for case in peer.cases:
                    if case.quick or not options.quick:
                        print(f"{peer.name}, {case.boids:,}: {peer.flock}", flush=True)
                        keep(results, compared(peer, case, program, options.rounds))
            except ChildFailed as error:
                print(f"{peer.name} is left out: {error}", file=sys.stderr)
                results.content.setdefault("left_out", []).append(peer.name)
                results.write()
    print("", *table(results.content.get("rows", [])), sep="\n")


if __name__ == "__main__":
    main()
