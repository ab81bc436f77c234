"""Compare two result files of the same benchmark.

    python benchmarks/compare.py BEFORE AFTER [--fail-below 0.9]

BEFORE and AFTER are files that a script wrote with --json, or entries of the history of releases,
such as xeon-2/0.1.0 (see history.py).

A ratio compares speeds: above 1, AFTER is faster. It is AFTER / BEFORE where higher values are
better, and BEFORE / AFTER where lower values are better. Ratios below 0.9 are marked. With
--fail-below the exit code is 1 if a ratio is below that limit.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

import result_file

MIN_RATIO = 0.9


def ratio(before: dict[str, Any], after: dict[str, Any]) -> float:
    """Return the ratio of speeds: above 1 where `after` is better, nan where a value is 0."""
    first, second = before["value"], after["value"]
    if after["better"] == "lower":
        first, second = second, first
    return second / first if first > 0 and second > 0 else math.nan


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the differences of machine and versions, one line each."""
    out = []
    for part in ("machine", "versions"):
        for name in sorted({*before[part], *after[part]}):
            first, second = before[part].get(name), after[part].get(name)
            if first != second:
                out.append(f"{name}: {first} -> {second}")
    return out


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=result_file.named)
    parser.add_argument("after", type=result_file.named)
    parser.add_argument("--fail-below", type=float, metavar="RATIO")
    options = parser.parse_args(words)
    try:
        before, after = result_file.read(options.before), result_file.read(options.after)
        if before["benchmark"] != after["benchmark"]:
            raise ValueError(
                f"{options.before} is of benchmark {before['benchmark']!r}, {options.after} of "
                f"{after['benchmark']!r}: give two files of the same one"
            )
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{before['benchmark']}: {before['date']} -> {after['date']}")
    for line in differences(before, after):
        print(f"  {line}")
    old, new = before["results"], after["results"]
    wide = max(map(len, [*old, *new]), default=0)
    ratios = []
    for name in [*old, *(name for name in new if name not in old)]:
        if name not in old or name not in new:
            print(f"{name:{wide}}  only in the {'second' if name in new else 'first'} file")
            continue
        first, second = old[name], new[name]
        if (first["unit"], first["better"]) != (second["unit"], second["better"]):
            print(f"{name:{wide}}  {first['unit']} -> {second['unit']}: not the same quantity")
            continue
        ratios.append(ratio(first, second))
        mark = "  worse" if ratios[-1] < MIN_RATIO else ""
        print(
            f"{name:{wide}}  {first['value']:11.5g} {second['value']:11.5g} {first['unit']:16} "
            f"x {ratios[-1]:.2f}{mark}"
        )
    limit = options.fail_below
    return int(limit is not None and any(ratio < limit for ratio in ratios))


if __name__ == "__main__":
    sys.exit(main())
