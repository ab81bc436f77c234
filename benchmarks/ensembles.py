"""Ensembles: 64 values of each statistic that the files of published flocks expect.

    python benchmarks/ensembles.py [NAME ...] [--full] [--flights 64]
    python benchmarks/ensembles.py [NAME ...] --print

The bounds in the files come from these runs. results/ensembles/NAME.jsonl holds the value of each
run, in double precision on one thread. Seeds start at 1001; `murmurate verify` does not use them.
The script simulates only missing statistics, and drops those that no file expects. --print shows
the mean, standard deviation, skewness and bounds of each statistic. It marks statistics that form
two groups: the largest gap between neighbouring values exceeds a third of their range, with two or
more runs on each side. For these, the share is the statistic.
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
from murmurate.verify.expectation_runs import planned_runs, simulate_all
from murmurate.verify.report import describe, describe_bounds
from murmurate.verify.verdict import statistic_id
from murmurate.version import __version__

FOLDER = Path(__file__).resolve().parent / "results" / "ensembles"
FIRST_SEED = 1001


def read(name: str) -> dict[str, Any]:
    """Return the stored statistics of a flock by id, with their values."""
    path = FOLDER / f"{name}.jsonl"
    lines = read_lines(path)[1:] if path.exists() else []
    return {line.pop("statistic"): line for line in lines}


def write(name: str, statistics: dict[str, Any]) -> None:
    lines = [{"statistic": key, **entry} for key, entry in statistics.items()]
    run = {"machine": describe_machine(), "version": __version__}
    write_lines(FOLDER / f"{name}.jsonl", [run, *lines])


def statistics_of(model: mm.Model, full: bool) -> dict[str, mm.Expectation]:
    """Return the expectations of a tier by id, without trajectories."""
    return {
        statistic_id(model, expectation): expectation
        for expectation in model.expect
        if expectation.kind != "trajectory" and (full or expectation.tier == "quick")
    }


def run_missing(model: mm.Model, full: bool, flights: int) -> None:
    """Simulate the missing statistics, and store them."""
    kept, statistics = read(model.name), statistics_of(model, full=True)
    kept = {key: entry for key, entry in kept.items() if key in statistics}
    missing = {
        key: expectation
        for key, expectation in statistics_of(model, full).items()
        if key not in kept or len(kept[key]["values"]) < flights
    }
    seeds = range(FIRST_SEED, FIRST_SEED + flights)
    numbered = dict(enumerate(missing.items()))
    started = time.process_time()
    runs = planned_runs(
        model, {n: (expectation, seeds) for n, (_, expectation) in numbered.items()}
    )
    values: dict[str, dict[int, float]] = {key: {} for key in missing}
    for run, samples in simulate_all(runs):
        for number, series in samples.items():
            values[numbered[number][0]][run.options.seed] = float(series.mean())
    for key, expectation in missing.items():
        rows = [float(f"{values[key][seed]:.12g}") for seed in seeds]
        kept[key] = {"what": describe(expectation), "first_seed": FIRST_SEED, "values": rows}
    if kept:
        write(model.name, {key: kept[key] for key in statistics if key in kept})
    spent = time.process_time() - started
    print(f"{model.name}: {len(missing)} statistics simulated, {spent:.0f} s", flush=True)


def two_kinds(values: np.ndarray) -> bool:
    """Return whether the values form two groups of at least two each."""
    gaps = np.diff(np.sort(values))[1:-1]
    return len(gaps) > 0 and gaps.max() > (values.max() - values.min()) / 3


def show(model: mm.Model) -> None:
    kept = read(model.name)
    for key, expectation in statistics_of(model, full=True).items():
        if key not in kept:
            print(f"{model.name:24} {'not simulated':52} {describe(expectation)}")
            continue
        x = np.array(kept[key]["values"])
        spread = x.std(ddof=1)
        skew = float(((x - x.mean()) ** 3).mean() / spread**3) if spread > 0 else 0.0
        kinds = "TWO KINDS" if two_kinds(x) else ""
        numbers = f"{x.mean():10.5g} {spread:9.3g} {skew:6.1f} {x.min():9.4g} {x.max():9.4g}"
        bounds = f"{describe_bounds(expectation):18} {kinds:9}"
        print(f"{model.name:24} {numbers} {bounds} {describe(expectation)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--full", action="store_true", help="include the full tier")
    parser.add_argument("--flights", type=int, default=64)
    parser.add_argument(
        "--print", action="store_true", help="print the stored statistics, without simulation"
    )
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in options.names or mm.zoo():
        model = mm.load(name)
        if options.print:
            show(model)
        else:
            run_missing(model, options.full, options.flights)


if __name__ == "__main__":
    main()
