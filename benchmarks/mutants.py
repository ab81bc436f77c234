"""Mutants: published flocks with one number wrong, and whether `murmurate verify` notices.

    python benchmarks/mutants.py [NAME ...] [--jobs 2] [--full] [--brief]

A mutant is a flock of the zoo that is still valid, with one change: a rule left out; a rule's
weight with the other sign, doubled or halved; another number of a rule (radius, view, nearest,
spacing, ...) or of a motion (speed, noise, turning rate, ...) doubled or halved; a boid counted
among its own neighbours, or no longer. A mutant that flies the same flight as its model, to the
last bit over 300 steps, changes nothing and is not counted.

What is noticed is what DIFFERS: by a trajectory, or by a statistic alone. Statistics are tried in
order of cost until one differs; with --full those of the full tier too, for what the quick one does
not notice; with --brief none where a trajectory differs. results/mutants.jsonl keeps every mutant's
outcome under what it and the expectations are, so that only what is new is flown;
docs/make_verdicts.py makes the table of it.
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
    """All of a flock's mutants that are valid models."""
    for name, rule in model.rules.items():
        rest = {key: one for key, one in model.rules.items() if key != name}
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
    for factor in factors:
        other = scaled(value, factor)
        if other is not None and other != value:
            yield from _valid(f"{path} x {factor:g}", lambda o=other: model.set({path: o}))


def scaled(value: Any, factor: float) -> Any:
    """A number, or a schedule of numbers, times a factor; None for what is neither."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return None
    if isinstance(value, int):
        return int(value * factor) or None
    if isinstance(value, float):
        return value * factor if math.isfinite(value) and value else None
    for keys in (("values",), ("start", "stop")):  # of Steps and Sampled; of Ramp
        if all(hasattr(value, key) for key in keys):
            update = {key: _times(getattr(value, key), factor) for key in keys}
            return value.model_copy(update=update)
    return None


def _times(value: Any, factor: float) -> Any:
    return tuple(factor * v for v in value) if isinstance(value, tuple) else factor * value


def _valid(change: str, make: Any) -> Iterator[Mutant]:
    try:
        yield Mutant(change, make())
    except mm.ModelError:
        return


def same_flight(one: mm.Model, other: mm.Model) -> bool:
    """Whether two models fly the same flight, to the last bit."""
    try:
        frames = [
            mm.Simulation(model, 1, dtype="float64", threads=1).step(SAME_FOR).frame
            for model in (one, other)
        ]
    except mm.RunError:
        return False
    return all(
        np.array_equal(frames[0][name].positions, frames[1][name].positions)
        and np.array_equal(frames[0][name].velocities, frames[1][name].velocities)
        for name in one.flocks
    )


def noticed(mutant: mm.Model, expected: list[mm.Expectation]) -> bool:
    """Whether any expectation differs, the cheapest tried first; those under the same settings are
    measured in the same flights."""
    groups: dict[str, list[mm.Expectation]] = {}
    for one in sorted(expected, key=lambda e: e.step):
        groups.setdefault(repr(sorted(one.set.items(), key=repr)), []).append(one)
    for group in sorted(groups.values(), key=lambda ones: _work(mutant, ones)):
        for ones in _by_step(group):
            try:
                if any(
                    r.differs for r in verify(mutant.model_copy(update={"expect": ones}), "full")
                ):
                    return True
            except mm.ModelError:  # the setting does not fit the mutant: it says nothing
                continue
            except mm.RunError:  # the flock flew apart at once
                return True
    return False


def _by_step(group: list[mm.Expectation]) -> list[tuple[mm.Expectation, ...]]:
    steps = sorted({one.step for one in group})
    return [tuple(one for one in group if one.step == step) for step in steps]


def _work(model: mm.Model, ones: list[mm.Expectation]) -> float:
    changed = ones[0].set
    boids = sum(
        changed.get(f"flocks.{name}.count", flock.count) for name, flock in model.flocks.items()
    )
    return float(boids * max(one.step for one in ones))


def outcome(name: str, change: str, full: bool, brief: bool) -> dict[str, Any]:
    """Which expectations notice a mutant: {"trajectory": bool, "statistic": bool, "full": bool}
    without those that were not tried, or {"same": true}."""
    model = mm.load(name)
    mutant = next(one.model for one in mutants(model) if one.change == change)
    if same_flight(model, mutant):
        return {"same": True}
    quick = [one for one in model.expect if one.tier == "quick"]
    found = {"trajectory": noticed(mutant, [e for e in quick if e.kind == "trajectory"])}
    if brief and found["trajectory"]:
        return found
    found["statistic"] = noticed(mutant, [e for e in quick if e.kind != "trajectory"])
    if full and not found["statistic"]:
        found["full"] = noticed(mutant, [e for e in model.expect if e.tier == "full"])
    return found


def basis(model: mm.Model, mutant: Mutant) -> str:
    """What an outcome holds for: the mutant, and the model with all its verdicts' ids."""
    ids = "".join(verdict_id(model, one) for one in model.expect)
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
    asked = parser.parse_args()
    kept = read_nested(FILE, "flock", "change")
    names = asked.names or list(mm.zoo())
    wanted: dict[tuple[str, str], str] = {}
    for name in names:
        model = mm.load(name)
        wanted |= {(name, one.change): basis(model, one) for one in mutants(model)}
        kept[name] = {c: found for c, found in kept.get(name, {}).items() if (name, c) in wanted}
    with ProcessPoolExecutor(asked.jobs) as pool:
        jobs = {
            pool.submit(outcome, name, change, asked.full, asked.brief): (name, change)
            for (name, change), base in wanted.items()
            if not _known(kept[name].get(change), base, asked.full, asked.brief)
        }
        for done, job in enumerate(as_completed(jobs), 1):
            name, change = jobs[job]
            kept[name][change] = job.result() | {"basis": wanted[name, change]}
            write_nested(FILE, _in_order(kept), "flock", "change")
            print(f"{done}/{len(jobs)} {name}: {change}: {job.result()}", flush=True)


def _in_order(kept: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: dict(sorted(flock.items())) for name, flock in sorted(kept.items())}


def _known(found: dict[str, Any] | None, base: str, full: bool, brief: bool) -> bool:
    if found is None or found["basis"] != base:
        return False
    if found.get("same") or (brief and found["trajectory"]):
        return True
    return "statistic" in found and (not full or found["statistic"] or "full" in found)


if __name__ == "__main__":
    main()
