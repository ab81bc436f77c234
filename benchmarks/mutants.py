"""Mutants: published flocks with one number wrong, and whether `murmurate verify` notices.

    python benchmarks/mutants.py [NAME ...] [--jobs 2] [--full] [--brief] [--rules]

A mutant is a flock of the zoo that is still valid, with one change: a rule left out; a rule's
weight with the other sign, doubled or halved; another number of a rule (radius, view, nearest,
spacing, ...) or of a motion (speed, noise, turning rate, ...) doubled or halved; the standard
deviation of a number that differs between boids doubled or halved; a boid counted
among its own neighbours, or no longer. A mutant with the same positions and velocities
as its model, to the last bit after 300 steps, is not counted.

What is noticed is what DIFFERS: by a trajectory, or by a statistic alone. Statistics are tried in
order of cost until one differs; with --full those of the full tier too, for what the quick one does
not notice; with --brief none where a trajectory differs. --rules tries rules only: each left out,
and its weight with the other sign, doubled and halved, with statistics alone.

results/mutants.jsonl keeps, for every mutant, the ids of the expectations that noticed it and of
those that did not. So a new expectation is tried with the mutants that none noticed before, and a
mutant is tried again only if the expectation that noticed it is gone. docs/make_verdicts.py makes
the table.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from json_lines import read_nested, write_nested

import murmurate as mm
from murmurate.model.distribution import Distribution
from murmurate.model.rule import Motion, NeighbourRule
from murmurate.verify import verify
from murmurate.verify.verdict import run_id, verdict_id

FILE = Path(__file__).resolve().parent / "results" / "mutants.jsonl"
SAME_FOR = 300  # steps
ID = 8  # hexadecimal digits of an id
NO_NUMBERS = {"stage", "level"}  # of a rule: they order rules
KINDS = ("trajectory", "statistic", "full")  # of expectations; the last is the full tier
OF_RULES = r"without rules\..*|rules\.[^.]+\.weight x (-1|2|0\.5)"


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


def is_of_a_rule(change: str) -> bool:
    """Return whether a change removes a rule, or negates, doubles or halves its weight."""
    return re.fullmatch(OF_RULES, change) is not None


def by_kind(model: mm.Model) -> dict[str, dict[str, mm.Expectation]]:
    """Return kind -> id -> expectation of a model."""
    kinds: dict[str, dict[str, mm.Expectation]] = {kind: {} for kind in KINDS}
    for expectation in model.expect:
        full = "full" if expectation.tier == "full" else "statistic"
        kind = expectation.kind if expectation.kind == "trajectory" else full
        kinds[kind][verdict_id(model, expectation)[:ID]] = expectation
    return kinds


def first_that_differs(mutant: mm.Model, expected: dict[str, mm.Expectation]) -> str:
    """Return the id of an expectation that differs, the cheapest first; '' if none does.

    Expectations with the same settings share their runs.
    """
    groups: dict[str, list[str]] = {}
    for key, expectation in sorted(expected.items(), key=lambda item: item[1].step):
        groups.setdefault(repr(sorted(expectation.set.items(), key=repr)), []).append(key)
    cheapest = sorted(groups.values(), key=lambda keys: _work(mutant, [expected[k] for k in keys]))
    for keys in (part for group in cheapest for part in _by_step(group, expected)):
        expect = tuple(expected[key] for key in keys)
        try:
            results = verify(mutant.model_copy(update={"expect": expect}), "full")
        except mm.ModelError:  # the setting is not valid for the mutant
            continue
        except mm.RunError:  # the flock diverged
            return keys[0]
        for key, result in zip(keys, results, strict=True):
            if result.differs:
                return key
    return ""


def _by_step(group: list[str], expected: dict[str, mm.Expectation]) -> list[list[str]]:
    steps = sorted({expected[key].step for key in group})
    return [[key for key in group if expected[key].step == step] for step in steps]


def _work(model: mm.Model, expectations: list[mm.Expectation]) -> float:
    changed = expectations[0].set
    boids = sum(
        changed.get(f"flocks.{name}.count", flock.count) for name, flock in model.flocks.items()
    )
    return float(boids * max(expectation.step for expectation in expectations))


def outcome(row: dict[str, Any], kinds: dict[str, dict[str, mm.Expectation]]) -> dict[str, bool]:
    """Return kind -> whether an expectation of the kind noticed a mutant, as far as it is known.

    {"same": True} for a mutant that changes nothing. `row` is an entry of mutants.jsonl.
    """
    if row.get("same"):
        return {"same": True}
    known = {}
    for kind, expected in kinds.items():
        if any(set(ids.split()) <= set(expected) for ids in row["noticed"]):
            known[kind] = True
        elif set(expected) <= set(row["missed"]):
            known[kind] = False
    return known


def tried(
    model: mm.Model, mutant: mm.Model, row: dict[str, Any], options: argparse.Namespace
) -> dict[str, Any]:
    """Return the row of a mutant, after what it lacks to know the outcomes that options require."""
    if not row and same_flight(model, mutant):
        return {"same": True}
    kinds = by_kind(model)
    ids = {key for expected in kinds.values() for key in expected}
    noticed = [group for group in row.get("noticed", ()) if set(group.split()) <= ids]
    missed = [key for key in row.get("missed", ()) if key in ids]
    row = {"noticed": noticed, "missed": missed}
    while lacking := lacking_kinds(row, kinds, options):
        untried = {key: e for key, e in kinds[lacking[0]].items() if key not in missed}
        if key := first_that_differs(mutant, untried):
            noticed.append(key)
        else:
            missed.extend(untried)
    return row


def lacking_kinds(
    row: dict[str, Any], kinds: dict[str, dict[str, mm.Expectation]], options: argparse.Namespace
) -> list[str]:
    """Return the kinds of expectations that are still to be tried."""
    known = outcome(row, kinds) if row else {}
    if known.get("same"):
        return []
    if options.rules:
        required = ["statistic"]
    elif options.brief and known.get("trajectory"):
        required = ["trajectory"]
    else:
        full = options.full and not known.get("statistic", True)
        required = ["trajectory", "statistic", *(["full"] if full else [])]
    return [kind for kind in required if kind not in known]


def is_current(row: dict[str, Any], model: mm.Model, mutant: Mutant) -> bool:
    """Return whether a row is of this mutant of this model; expectations may be others."""
    return bool(row.get("mutant") == mutant_id(model, mutant))


def mutant_id(model: mm.Model, mutant: Mutant) -> str:
    return f"{run_id(model)[:ID]} {run_id(mutant.model)[:ID]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--full", action="store_true", help="the full tier, for what is left")
    parser.add_argument(
        "--brief", action="store_true", help="no statistics where a trajectory differs"
    )
    parser.add_argument(
        "--rules", action="store_true", help="rules and their weights only, by statistics alone"
    )
    options = parser.parse_args()
    kept = read_nested(FILE, "flock", "change")
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = {}
        for name in options.names or mm.zoo():
            model = mm.load(name)
            kinds, rows = by_kind(model), kept.get(name, {})
            kept[name] = {}
            for mutant in mutants(model):
                row = rows.get(mutant.change, {})
                row = row if is_current(row, model, mutant) else {}
                if row:
                    kept[name][mutant.change] = row
                chosen = is_of_a_rule(mutant.change) or not options.rules
                if chosen and lacking_kinds(row, kinds, options):
                    job = pool.submit(tried, model, mutant.model, row, options)
                    jobs[job] = model, mutant
        for done, job in enumerate(as_completed(jobs), 1):
            model, mutant = jobs[job]
            row = {"mutant": mutant_id(model, mutant), **job.result()}
            kept[model.name][mutant.change] = row
            write_nested(FILE, _in_order(kept), "flock", "change")
            text = f"{mutant.change}: {outcome(row, by_kind(model))}"
            print(f"{done}/{len(jobs)} {model.name}: {text}", flush=True)


def _in_order(kept: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: dict(sorted(flock.items())) for name, flock in sorted(kept.items())}


if __name__ == "__main__":
    main()
