"""Ensembles: what 64 flights give of each statistic that the published flocks' files expect.

    python benchmarks/ensembles.py [NAME ...] [--full] [--flights 64]
    python benchmarks/ensembles.py [NAME ...] --print

Bounds in the files rest on these flights: results/ensembles/NAME.jsonl holds the value of each of
them, in double precision on one thread, with seeds from 1001 on, which `murmurate verify` does not
use. What is there already is not flown again; what no file expects any more is dropped. --print
says the mean, the standard deviation and the skewness of each statistic, its bounds, and marks
those whose flights fall into two kinds (the largest gap between neighbouring values is over a third
of their range, with two or more flights on each side): for them the share is the statistic.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from json_lines import read_lines, write_lines

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.cli.verdict_table import describe, describe_bounds
from murmurate.verify.expectation_runs import planned_runs, simulate_all
from murmurate.verify.verdict import statistic_id
from murmurate.version import __version__

FOLDER = Path(__file__).resolve().parent / "results" / "ensembles"
FIRST_SEED = 1001


def read(name: str) -> dict[str, Any]:
    """Id of a statistic -> what it is, and its values, of a flock."""
    path = FOLDER / f"{name}.jsonl"
    lines = read_lines(path)[1:] if path.exists() else []
    return {line.pop("statistic"): line for line in lines}


def write(name: str, statistics: dict[str, Any]) -> None:
    lines = [{"statistic": key, **entry} for key, entry in statistics.items()]
    run = {"machine": describe_machine(), "version": __version__}
    write_lines(FOLDER / f"{name}.jsonl", [run, *lines])


def statistics_of(model: mm.Model, full: bool) -> dict[str, mm.Expectation]:
    """Id -> expectation, of the statistics of a tier."""
    return {
        statistic_id(model, one): one
        for one in model.expect
        if one.kind != "trajectory" and (full or one.tier == "quick")
    }


def fly(model: mm.Model, full: bool, flights: int) -> None:
    """Flies what is not there yet, and keeps it."""
    kept, known = read(model.name), statistics_of(model, full=True)
    kept = {key: found for key, found in kept.items() if key in known}
    missing = {
        key: one
        for key, one in statistics_of(model, full).items()
        if key not in kept or len(kept[key]["values"]) < flights
    }
    seeds = range(FIRST_SEED, FIRST_SEED + flights)
    numbered = dict(enumerate(missing.items()))
    started = time.process_time()
    runs = planned_runs(model, {n: (one, seeds) for n, (_, one) in numbered.items()})
    values: dict[str, dict[int, float]] = {key: {} for key in missing}
    for run, found in simulate_all(runs):
        for number, series in found.items():
            values[numbered[number][0]][run.options.seed] = float(series.mean())
    for key, one in missing.items():
        rows = [float(f"{values[key][seed]:.12g}") for seed in seeds]
        kept[key] = {"what": describe(one), "first_seed": FIRST_SEED, "values": rows}
    if kept:
        write(model.name, {key: kept[key] for key in known if key in kept})
    spent = time.process_time() - started
    print(f"{model.name}: {len(missing)} statistics flown, {spent:.0f} s", flush=True)


def two_kinds(values: np.ndarray) -> bool:
    """Whether flights fall into two kinds, with at least two of each."""
    gaps = np.diff(np.sort(values))[1:-1]
    return len(gaps) > 0 and gaps.max() > (values.max() - values.min()) / 3


def show(model: mm.Model) -> None:
    kept = read(model.name)
    for key, one in statistics_of(model, full=True).items():
        if key not in kept:
            print(f"{model.name:24} {'not flown':52} {describe(one)}")
            continue
        x = np.array(kept[key]["values"])
        spread = x.std(ddof=1)
        skew = float(((x - x.mean()) ** 3).mean() / spread**3) if spread > 0 else 0.0
        kinds = "TWO KINDS" if two_kinds(x) else ""
        numbers = f"{x.mean():10.5g} {spread:9.3g} {skew:6.1f} {x.min():9.4g} {x.max():9.4g}"
        print(f"{model.name:24} {numbers} {describe_bounds(one):18} {kinds:9} {describe(one)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--full", action="store_true", help="those of the full tier as well")
    parser.add_argument("--flights", type=int, default=64)
    parser.add_argument("--print", action="store_true", help="fly nothing, print what is there")
    asked = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in asked.names or mm.zoo():
        model = mm.load(name)
        if asked.print:
            show(model)
        else:
            fly(model, asked.full, asked.flights)


if __name__ == "__main__":
    main()
