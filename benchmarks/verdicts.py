"""Verdicts of the quick tier with other seeds: how often a flock is wrongly said to differ.

    python benchmarks/verdicts.py [NAME ...] [--sets 20]

Set k adds 10,000 k to every seed, so that all of its flights are others. results/verdicts.jsonl
keeps how many expectations of each flock agreed, were not precise enough, and differed, under the
ids of the expectations, so that only what is new is flown. docs/make_verdicts.py makes the table.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

from json_lines import read_nested, write_nested

import murmurate as mm
from murmurate.verify import verify
from murmurate.verify.report import describe, describe_value
from murmurate.verify.verdict import verdict_id

FILE = Path(__file__).resolve().parent / "results" / "verdicts.jsonl"
SHIFT = 10_000


def basis(model: mm.Model) -> str:
    """What a count holds for: the statistics of the quick tier and their bounds."""
    ids = [verdict_id(model, entry) for entry in statistics(model)]
    return hashlib.sha256("".join(ids).encode()).hexdigest()[:12]


def statistics(model: mm.Model) -> tuple[mm.Expectation, ...]:
    return tuple(e for e in model.expect if e.tier == "quick" and e.kind != "trajectory")


def count(name: str, shift: int) -> dict[str, Any]:
    """How many of a flock's statistics agreed, and what did not."""
    model = mm.load(name)
    results = verify(model.model_copy(update={"expect": statistics(model)}), seed_offset=shift)
    verdicts = Counter(result.verdict for result in results)
    return {
        "basis": basis(model),
        "verdicts": {str(verdict): n for verdict, n in sorted(verdicts.items())},
        "flights": sum(result.flights for result in results),
        "others": [
            f"{r.verdict}: {describe(r.expected)}: {describe_value(r)}"
            for r in results
            if not r.agrees
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--sets", type=int, default=20)
    options = parser.parse_args()
    kept = read_nested(FILE, "flock", "set")
    for name in options.names or mm.zoo():
        current_basis, sets = basis(mm.load(name)), kept.setdefault(name, {})
        for number in range(1, options.sets + 1):
            if sets.get(str(number), {}).get("basis") != current_basis:
                sets[str(number)] = count(name, SHIFT * number)
                write_nested(FILE, kept, "flock", "set")
        totals: Counter[str] = Counter()
        for entry in sets.values():
            totals.update(entry["verdicts"])
        print(f"{name}: {dict(totals)}", flush=True)


if __name__ == "__main__":
    main()
