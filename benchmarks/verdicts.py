"""Verdicts and intervals of the quick tier with other seeds: how often they are wrong.

    python benchmarks/verdicts.py [NAME ...] [--sets 20] [--coverage]

Set k adds 10,000 k to every seed, so all of its runs are new. results/verdicts.jsonl stores how
many verdicts agreed, were not precise enough, and differed, of groups of statistics that were
verified together, with their ids, so only new statistics are simulated. It also stores how many 95%
intervals of statistics that vary contain the value of all other sets together: the mean of their
runs, or the median of their medians. Sets without intervals, of earlier versions, are simulated
again with --coverage. --print shows the coverage of each statistic. docs/make_verdicts.py makes the
table.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from json_lines import read_nested, write_nested

import murmurate as mm
from murmurate.verify import verify
from murmurate.verify.report import describe, describe_value
from murmurate.verify.verdict import verdict_id

FILE = Path(__file__).resolve().parent / "results" / "verdicts.jsonl"
SHIFT = 10_000
ID = 8  # hexadecimal digits of the id of a statistic


def statistics(model: mm.Model) -> dict[str, mm.Expectation]:
    """Return the statistics of the quick tier by id, which depends on their bounds."""
    return {
        verdict_id(model, e)[:ID]: e
        for e in model.expect
        if e.tier == "quick" and e.kind != "trajectory"
    }


def current(model: mm.Model, groups: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the groups all of whose statistics are still those of the model's file."""
    ids = set(statistics(model))
    return {group: row for group, row in groups.items() if set(group.split()) <= ids}


def add_set(model: mm.Model, group: str, row: dict[str, Any]) -> None:
    """Verify the statistics of a group with the next set of seeds, and count the verdicts."""
    number = row["sets"] + 1
    known = statistics(model)
    expect = tuple(known[key] for key in group.split())
    results = verify(model.model_copy(update={"expect": expect}), seed_offset=SHIFT * number)
    verdicts = Counter(row["verdicts"])
    verdicts.update(str(result.verdict) for result in results)
    for key, result in zip(group.split(), results, strict=True):
        if result.error > 1e-9 * abs(result.value):  # closed forms without chance do not vary
            numbers = (*result.interval, result.value)
            row["intervals"].setdefault(key, []).append(
                [*(float(f"{number:.6g}") for number in numbers), result.flights]
            )
    row["sets"], row["verdicts"] = number, dict(sorted(verdicts.items()))
    row["flights"] += sum(result.flights for result in results)
    row["others"] += [
        f"set {number}: {r.verdict}: {describe(r.expected)}: {describe_value(r)}"
        for r in results
        if not r.agrees
    ]


def show(model: mm.Model, groups: dict[str, dict[str, Any]]) -> None:
    """Print how many intervals of each statistic contain the value of the other sets."""
    known = statistics(model)
    for row in groups.values():
        for key, intervals in row.get("intervals", {}).items():
            hits = coverage(intervals, known[key].kind)
            print(f"{model.name:24} {hits:2} of {len(intervals):2}  {describe(known[key])}")


def coverage(intervals: list[list[float]], kind: str) -> int:
    """Return how many intervals contain the value of all other sets together."""
    hits = 0
    for k, (low, high, _, _) in enumerate(intervals):
        others = np.delete(np.array(intervals), k, axis=0)
        mean = float(np.average(others[:, 2], weights=others[:, 3]))
        truth = float(np.median(others[:, 2])) if kind == "median" else mean
        hits += low <= truth <= high
    return hits


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument(
        "--coverage", action="store_true", help="simulate sets without intervals again"
    )
    parser.add_argument(
        "--print", action="store_true", help="print the coverage, without simulation"
    )
    options = parser.parse_args()
    kept = read_nested(FILE, "flock", "statistics")
    for name in options.names or mm.zoo():
        model = mm.load(name)
        groups = current(model, kept.get(name, {}))
        if options.print:
            show(model, groups)
            continue
        if options.coverage:
            groups = {group: row for group, row in groups.items() if "intervals" in row}
        kept[name] = groups
        verified = {key for group in groups for key in group.split()}
        if new := " ".join(key for key in statistics(model) if key not in verified):
            groups[new] = {"sets": 0, "verdicts": {}, "flights": 0, "others": [], "intervals": {}}
        for group, row in groups.items():
            row.setdefault("intervals", {})
            while row["sets"] < options.sets:
                add_set(model, group, row)
                write_nested(FILE, kept, "flock", "statistics")
        totals: Counter[str] = Counter()
        for row in groups.values():
            totals.update(row["verdicts"])
        print(f"{name}: {dict(totals)}", flush=True)


if __name__ == "__main__":
    main()
