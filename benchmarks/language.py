"""What each part of the language costs: the standard flock with one addition at a time.

    python benchmarks/language.py [--only TEXT] [--rounds 5] [--json FILE]

The flock has 100,000 boids in 3-D with 20 neighbours each, three rules, and flies on one thread;
language.toml says what is added. Each addition flies in turns with the plain flock of as many
boids; printed are the medians of the times of a step, and that of the rounds' ratios. The flocks
begin alike, but for what the addition changes. --json benchmarks/results/language.jsonl keeps the
results; docs/make_benchmarks.py makes the page's table of them.
"""

from __future__ import annotations

import argparse
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine

ADDITIONS = Path(__file__).with_suffix(".toml")
BOIDS, NEIGHBOURS = 100_000, 20
TURN = 0.1  # seconds, at least


@dataclass(frozen=True)
class Addition:
    """What is added to the plain flock.

    part    of the language
    tables  laid over its model file
    boids   how many there are
    plain   tables laid over the plain flock, with and without the addition
    """

    part: str
    name: str
    tables: Mapping[str, Any]
    boids: int
    plain: Mapping[str, Any]


def additions() -> Iterator[Addition]:
    for part, named in tomllib.loads(ADDITIONS.read_text(encoding="utf-8")).items():
        for name, tables in named.items():
            boids, plain = tables.pop("boids", BOIDS), tables.pop("plain", {})
            yield Addition(part, name, tables, boids, plain)


def without_addition(addition: Addition) -> mm.Model:
    """The plain flock that it is compared with."""
    return mm.Model(**laid_over(uniform(addition.boids, NEIGHBOURS).to_dict(), addition.plain))


def with_addition(addition: Addition) -> mm.Model:
    """The plain flock with the addition."""
    return mm.Model(**laid_over(without_addition(addition).to_dict(), addition.tables))


def laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables laid over tables. One of another kind takes the place of what was there."""
    merged = dict(below)
    for name, value in above.items():
        there = merged.get(name)
        both = isinstance(there, Mapping) and isinstance(value, Mapping)
        if both and there.get("kind") == value.get("kind", there.get("kind")):
            merged[name] = laid_over(there, value)
        else:
            merged[name] = value
    return merged


class Turns:
    """A flock that flies when its turn comes."""

    def __init__(self, model: mm.Model) -> None:
        self._simulation = mm.Simulation(model, seed=1, threads=1).step(2)
        self._steps = max(1, round(TURN / self._seconds(1)))

    def fly(self) -> float:
        """Seconds a step."""
        return self._seconds(self._steps)

    def _seconds(self, steps: int) -> float:
        begin = time.perf_counter()
        self._simulation.step(steps)
        return (time.perf_counter() - begin) / steps


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="additions whose name or part contains this")
    parser.add_argument("--rounds", type=int, default=5)
    add_json_option(parser)
    options = parser.parse_args()
    chosen = [one for one in additions() if options.only in f"{one.part}: {one.name}"]
    if not chosen:
        parser.error(f"--only {options.only}: no addition; {ADDITIONS.name} has them")
    results = Results("language", options.json)
    rows = results.content["rows"] = []
    print(describe_machine())
    print(f"{'':60}{'boids':>9}{'plain':>12}{'with it':>12}  times")
    for one in chosen:
        plain, added = Turns(without_addition(one)), Turns(with_addition(one))
        rounds = [(plain.fly(), added.fly()) for _ in range(options.rounds)]
        before, after = (median(column) for column in zip(*rounds, strict=True))
        times = median(b / a for a, b in rounds)
        rows.append({"part": one.part, "name": one.name, "boids": one.boids, "plain": before,
                     "with": after, "times": times})  # fmt: skip
        results.add(f"{one.part}: {one.name}", times, "times the plain flock", "lower")
        results.write()
        label = f"{one.part}: {one.name}"
        print(f"{label:60}{one.boids:9,}{1e3 * before:9.2f} ms{1e3 * after:9.2f} ms  x {times:.2f}",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
