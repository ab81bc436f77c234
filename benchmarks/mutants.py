"""Mutants: published flocks with one number wrong, and whether `murmurate verify` notices.

    python benchmarks/mutants.py [NAME ...] [--jobs 2] [--full] [--brief]

A mutant is a flock of the zoo that is still valid, with one change: a rule left out; a rule's
weight with the other sign, doubled or halved; another number of a rule (radius, view, nearest,
spacing, ...) or of a motion (speed, noise, turning rate, ...) doubled or halved; the standard
deviation of a number that differs between boids doubled or halved; a boid counted
among its own neighbours, or no longer. A mutant with the same positions and velocities
as its model, to the last bit after 300 steps, is not counted.

What is noticed is what DIFFERS: by a trajectory, or by a statistic alone. Statistics are tried in
order of cost until one differs; with --full those of the full tier too, for what the quick one does
not notice; with --brief none where a trajectory differs. results/mutants.jsonl keeps every mutant's
outcome with an id of mutant and expectations, so that only new ones are simulated.
docs/make_verdicts.py makes the table.
"""

from __future__ import annotations

import argparse
import hashlib
import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from json_lines import read_nested, write_nested

import murmurate as mm
from murmurate.model.distribution import Distribution
from murmurate.model.rule import Motion, NeighbourRule
from murmurate.verify import verify
from murmurate.verify.verdict import run_id, verdict_id

FILE = Path(__file__).resolve().parent / "results" / "mutants.jsonl"
SAME_FOR = 300  # steps
NO_NUMBERS = {"stage", "level"}  # of a rule: they order rules

Outcome = Literal["trajectory", "statistic", "full", "survives", "same"]


@dataclass(frozen=True)
class Mutant:
    """A changed flock.

    change  'rules.cohesion.weight x -1', 'without rules.cohesion'
    """

    change: str
    model: mm.Model


def mutants(model: mm.Model) -> Iterator[Mutant]:
    """Yield all mutants of a flock that are valid models."""
    for name, rule in model.rules.items():
        rest = {key: other for key, other in model.rules.items() if key != name}
        yield from _valid(f"without rules.{name}", lambda rest=rest: model.set({"rules": rest}))
        for field in type(rule).model_fields:
            if field not in NO_NUMBERS:
                signed = (-1.0,) if field == "weight" else ()
                path = f"rules.{name}.{field}"
                yield from _scaled(model, path, getattr(rule, field), (*signed, 2.0, 0.5))
        if isinstance(rule, NeighbourRule):
            path = f"rules.{name}.include_self"
            flipped = not rule.include_self
            word = str(flipped).lower()
            yield from _valid(f"{path} = {word}", lambda p=path, f=flipped: model.set({p: f}))
    for name, flock in model.flocks.items():
        if isinstance(flock.motion, Motion):
            for field in type(flock.motion).model_fields:
                path = f"flocks.{name}.motion.{field}"
                yield from _scaled(model, path, getattr(flock.motion, field), (2.0, 0.5))


def _scaled(model: mm.Model, path: str, value: Any, factors: tuple[float, ...]) -> Iterator[Mutant]:
    if hasattr(value, "sd"):
        yield from _scaled(model, f"{path}.sd", value.sd, (2.0, 0.5))
    for factor in factors:
        other = scaled(value, factor)
        if other is not None and other != value:
            yield from _valid(f"{path} x {factor:g}", lambda o=other: model.set({path: o}))


def scaled(value: Any, factor: float) -> Any:
    """Multiply a number or a schedule of numbers by a factor; return None for other values."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return None
    if isinstance(value, int):
        return int(value * factor) or None
    if isinstance(value, float):
        return value * factor if math.isfinite(value) and value else None
    if isinstance(value, Distribution):
        return _scaled_distribution(value, factor)
    for keys in (("values",), ("start", "stop")):  # of Steps and Sampled; of Ramp
        if all(hasattr(value, key) for key in keys):
            update = {key: _times(getattr(value, key), factor) for key in keys}
            return value.model_copy(update=update)
    return None


def _scaled_distribution(value: Distribution, factor: float) -> Distribution:
    """Multiply all numbers of boids by a factor."""
    update = {
        key: _times(getattr(value, key), factor)
        for key in ("mean", "values", "min", "max")
        if hasattr(value, key)
    }
    if factor < 0.0 and "min" in update:
        update["min"], update["max"] = update["max"], update["min"]
    if hasattr(value, "sd"):
        update["sd"] = abs(factor) * value.sd
    return type(value)(**{**dict(value), **update})


def _times(value: Any, factor: float) -> Any:
    return tuple(factor * v for v in value) if isinstance(value, tuple) else factor * value


def _valid(change: str, make: Any) -> Iterator[Mutant]:
    try:
        yield Mutant(change, make())
    except mm.ModelError:
        return


def same_flight(first: mm.Model, other: mm.Model) -> bool:
    """Return whether two models give the same positions and velocities, to the last bit."""
    try:
        frames = [
            mm.Simulation(model, 1, dtype="float64", threads=1).step(SAME_FOR).frame
            for model in (first, other)
        ]
    except mm.RunError:
        return False
    return all(
        np.array_equal(frames[0][name].positions, frames[1][name].positions)
        and np.array_equal(frames[0][name].velocities, frames[1][name].velocities)
        for name in first.flocks
    )


def noticed(mutant: mm.Model, expected: list[mm.Expectation]) -> bool:
    """Return whether any expectation differs, and test the cheapest first.

    Expectations with the same settings share their runs.
    """
    groups: dict[str, list[mm.Expectation]] = {}
    for expectation in sorted(expected, key=lambda e: e.step):
        groups.setdefault(repr(sorted(expectation.set.items(), key=repr)), []).append(expectation)
    for group in sorted(groups.values(), key=lambda expectations: _work(mutant, expectations)):
        for expectations in _by_step(group):
            try:
                if any(
                    r.differs
                    for r in verify(mutant.model_copy(update={"expect": expectations}), "full")
                ):
                    return True
            except mm.ModelError:  # the setting is not valid for the mutant
                continue
            except mm.RunError:  # the flock diverged
                return True
    return False


def _by_step(group: list[mm.Expectation]) -> list[tuple[mm.Expectation, ...]]:
    steps = sorted({expectation.step for expectation in group})
    return [
        tuple(expectation for expectation in group if expectation.step == step) for step in steps
    ]


def _work(model: mm.Model, expectations: list[mm.Expectation]) -> float:
    changed = expectations[0].set
    boids = sum(
        changed.get(f"flocks.{name}.count", flock.count) for name, flock in model.flocks.items()
    )
    return float(boids * max(expectation.step for expectation in expectations))


def outcome(name: str, change: str, full: bool, brief: bool) -> dict[str, Any]:
    """Return which expectations notice a mutant.

    The result is {"trajectory": bool, "statistic": bool, "full": bool} without the tests that did
    not run, or {"same": true}.
    """
    model = mm.load(name)
    mutant = next(mutant.model for mutant in mutants(model) if mutant.change == change)
    if same_flight(model, mutant):
        return {"same": True}
    quick = [expectation for expectation in model.expect if expectation.tier == "quick"]
    noticed_by = {"trajectory": noticed(mutant, [e for e in quick if e.kind == "trajectory"])}
    if brief and noticed_by["trajectory"]:
        return noticed_by
    noticed_by["statistic"] = noticed(mutant, [e for e in quick if e.kind != "trajectory"])
    if full and not noticed_by["statistic"]:
        noticed_by["full"] = noticed(mutant, [e for e in model.expect if e.tier == "full"])
    return noticed_by


def basis(model: mm.Model, mutant: Mutant) -> str:
    """Return the id of an outcome: of the mutant, and of the expectations of its model."""
    ids = "".join(verdict_id(model, expectation) for expectation in model.expect)
    return f"{run_id(mutant.model)[:12]} {hash_of(ids)}"


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--full", action="store_true", help="the full tier, for what is left")
    parser.add_argument(
        "--brief", action="store_true", help="no statistics where a trajectory differs"
    )
    options = parser.parse_args()
    kept = read_nested(FILE, "flock", "change")
    names = options.names or list(mm.zoo())
    required: dict[tuple[str, str], str] = {}
    for name in names:
        model = mm.load(name)
        required |= {(name, mutant.change): basis(model, mutant) for mutant in mutants(model)}
        kept[name] = {
            c: noticed_by for c, noticed_by in kept.get(name, {}).items() if (name, c) in required
        }
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = {
            pool.submit(outcome, name, change, options.full, options.brief): (name, change)
            for (name, change), base in required.items()
            if not _is_current(kept[name].get(change), base, options.full, options.brief)
        }
        for done, job in enumerate(as_completed(jobs), 1):
            name, change = jobs[job]
            kept[name][change] = job.result() | {"basis": required[name, change]}
            write_nested(FILE, _in_order(kept), "flock", "change")
            print(f"{done}/{len(jobs)} {name}: {change}: {job.result()}", flush=True)


def _in_order(kept: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: dict(sorted(flock.items())) for name, flock in sorted(kept.items())}


def _is_current(noticed_by: dict[str, Any] | None, base: str, full: bool, brief: bool) -> bool:
    if noticed_by is None or noticed_by["basis"] != base:
        return False
    if noticed_by.get("same") or (brief and noticed_by["trajectory"]):
        return True
    return "statistic" in noticed_by and (
        not full or noticed_by["statistic"] or "full" in noticed_by
    )


if __name__ == "__main__":
    main()
