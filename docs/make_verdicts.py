"""Write docs/verdicts.md: how often verdicts are wrong, and what they detect.

    python docs/make_verdicts.py

The numbers come from benchmarks/results/verdicts.jsonl and mutants.jsonl, which
benchmarks/verdicts.py and mutants.py write. Results for an earlier version of a model are
excluded. A test asserts that the page is what this script writes.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import murmurate as mm

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "benchmarks"))
import mutants as mutations  # noqa: E402
import verdicts as sets_of_seeds  # noqa: E402
from json_lines import read_nested  # noqa: E402

PAGE = HERE / "verdicts.md"
RESULTS = HERE.parent / "benchmarks" / "results"
MADE = "<!-- made by docs/make_verdicts.py: change the words there instead -->"

WORDS = """
# Verdicts

`murmurate verify` compares the results of a model with those that its verify file expects. A
flock is chaotic: rounding, which differs between processors, grows within a few hundred steps
until all positions differ. Statistics must agree on every machine, and a statistic of a few runs
has an error. So a verdict is a statistical test.

## Three verdicts

A **statistic** is a mean over runs with different seeds, each averaged over its own steps first.
There are at least 8 runs. Student's t gives two intervals around the mean: the 95% interval, and a
wider one that excludes the true mean once in two million times.

Student's t misses the mean of skewed values too often. So a test draws runs from the ensemble of
each statistic (below): where too few intervals contain its mean, the statistic is the **median** of
the runs, with an interval between two order statistics, which holds for any distribution, or it
begins with 32 runs.

- **agrees**: the 95% interval lies within the bounds.
- **DIFFERS**: the wider interval lies outside the bounds, or a run lost a boid.
- **known difference**: as DIFFERS, where the model's file says that it does not give the value, and
  why. It is counted apart, and the exit code stays 0.
- Otherwise the number of seeds is doubled, up to 64. If 64 do not decide, the verdict is **not
  precise enough**. This is not a failure: the exit code stays 0.

Each statistic is tested at most four times, with 8, 16, 32 and 64 runs. Even 500 statistics, more
than the zoo has, then give a wrong DIFFERS in fewer than one of 1,000 verifications. (Student's t
is exact for normally distributed values. Ensembles measure how far the values of a flock are
normal. Closed forms without chance, such as two boids from given positions, are not counted: all
their runs are equal.)

Some models have runs of two kinds, such as groups that split and groups that do not. Their mean
describes neither and depends on how many of the rarer kind are among eight. There the statistic
is the **share** of runs of one kind, with the interval of Clopper and Pearson.

A **trajectory** is one run with one seed, for so few steps that rounding has not grown. It is
compared to 1e-8 relative and has no error. Its numbers come from the reference engine, which runs
the rules in plain Python (`benchmarks/trajectories.py` writes them). Trajectories test that the
rules are computed as written; statistics test that models behave as their papers say.

`--seed-shift 1000` adds to the seeds of all statistics, for other runs of the same model.

## Where bounds come from

`benchmarks/ensembles.py` simulates every statistic with 64 seeds that `verify` does not use, and
stores the value of each run in `benchmarks/results/ensembles/`. Murmurate's own bounds
(*checked*) are the mean or median of these runs, plus and minus 1.5 standard deviations of a single
run.
Values of independent programs, of closed forms and of papers are used unchanged, and a test
asserts that the ensemble's mean lies within the bounds of each.

## Where values come from

Each result has an origin, which the summary of `verify` counts. *Exact*: a closed form gives it,
for one rule by itself or for a simple case of all. *Published*: the paper gives it, or a program or
data of its authors. *Quoted*: others quote it from the paper, which was not read for it.
*Claimed*: the paper states it in words. *Checked*: an independent program or
murmurate gave it.""".strip()

FALSE_ALARMS = """
## How often a verdict is wrong

`benchmarks/verdicts.py` verifies the quick tier with twenty other sets of seeds. No two sets
share a run. The last column counts the 95% intervals that contain the value of the other nineteen
sets, of statistics that vary; it is empty where it was not measured.""".strip()

MUTANTS = """
## What verdicts detect

`benchmarks/mutants.py` breaks every model in every way that leaves it valid. It removes each
rule, and negates, doubles and halves its weight. It doubles and halves every other number of
rules and motions (radius, field of view, nearest, speed, noise, ...), and counts a boid among its
own neighbours. A mutant with equal results, to the last bit over 300 steps, changes nothing and
does not count: for example half the weight of the only rule that sets the direction. A mutant is
detected if a verdict DIFFERS. The second column of percentages excludes trajectories, which
detect nearly everything that acts from the first steps (of the mutants that were tested with
statistics, if these are fewer). The last column but one counts the mutants that remove a rule, or
negate, double or halve its weight. Statistics alone must detect each of them, since a rule with a
wrong sign is a wrong model even if somebody computes its first steps again: a closed form of each
rule by itself is the cheapest that does.""".strip()

# Why a mutant survives: pattern of 'model: change' -> reason.
REASONS = {
    r".*include_self = true": "a boid adds zero for itself; only the rounding of sums differs",
    r".*rules\.hunt\.field_of_view x 0\.5": "a hunter moves towards its prey, so the prey is ahead",
    r"river: rules\.hunt\.radius x 2": "the nearest fish is nearly always closer than that",
    r"starlings: rules\.(cohesion|alignment|separation)\.radius x (2|0\.5)": "the seven "
    "nearest birds are closer than that",
    r"starlings: (flocks\.falcons|rules\.strike|rules\.wait)\..*": "one falcon strikes three "
    "times, and its effect on the flock is smaller than the differences between runs",
    r"strombom-2014: rules\.herd\.stop x 0\.5": "the dog rarely stands still before the sheep are "
    "home, with either number; runs differ by more than that",
}

# Why statistics do not detect a mutant that removes a rule or changes its weight.
RULE_REASONS = {
    r"(gregoire-chate: rules\.vectorial-noise|heppner-grenander: rules\.gusts|starlings: "
    r"rules\.jitter|(marginal-speed|pearce-2014|wang-2025): rules\.noise|strombom-2014: "
    r"rules\.(graze|noise))"
    r"\.weight x -1": "noise without a preferred direction is as likely with either "
    "sign; trajectories notice it",
}


def page(verdicts: dict[str, Any], mutants: dict[str, Any]) -> str:
    parts = [MADE, WORDS, "", FALSE_ALARMS, "", *_false_alarms(verdicts), ""]
    parts += [MUTANTS, "", *_noticed(mutants), "", *_rule_survivors(mutants), ""]
    return "\n".join([*parts, *_survivors(mutants), ""])


def current_verdicts() -> dict[str, Any]:
    """Return model -> ids of a group of statistics -> its verdicts, for the current model files."""
    results = read_nested(RESULTS / "verdicts.jsonl", "flock", "statistics")
    current = {
        name: sets_of_seeds.current(mm.load(name), groups)
        for name, groups in results.items()
        if name in mm.zoo()
    }
    return {name: groups for name, groups in current.items() if groups}


def current_mutants() -> dict[str, Any]:
    """Return model -> change -> which kinds of expectations detect it, for the model files."""
    current = {}
    for name, rows in read_nested(RESULTS / "mutants.jsonl", "flock", "change").items():
        if name not in mm.zoo():
            continue
        model = mm.load(name)
        kinds = mutations.by_kind(model)
        outcomes = {
            mutant.change: _outcome(rows[mutant.change], kinds)
            for mutant in mutations.mutants(model)
            if mutant.change in rows and mutations.is_current(rows[mutant.change], model, mutant)
        }
        current[name] = {change: detected for change, detected in outcomes.items() if detected}
    return {name: flock for name, flock in current.items() if flock}


def _outcome(row: dict[str, Any], kinds: dict[str, Any]) -> dict[str, bool]:
    """Return the outcome of a mutant.

    A mutant that earlier statistics missed, and that later ones have not tried, is not detected.
    """
    detected = mutations.outcome(row, kinds)
    missed = set(row.get("missed", ())) & set(kinds["statistic"])
    return {"statistic": False, **detected} if missed else detected


def _false_alarms(verdicts: dict[str, Any]) -> Iterator[str]:
    yield (
        "| model | sets | statistics | agree | not precise enough | DIFFERS | known difference "
        "| runs each | intervals that hold |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    covered = [0, 0]
    total: Counter[str] = Counter()
    for name, groups in sorted(verdicts.items()):
        verdict_counts: Counter[str] = Counter()
        for row in groups.values():
            verdict_counts.update(row["verdicts"])
        total.update(verdict_counts)
        sets = min(row["sets"] for row in groups.values())
        runs = sum(row["flights"] for row in groups.values()) / max(verdict_counts.total(), 1)
        hits, intervals = _coverage(name, groups)
        covered = [covered[0] + hits, covered[1] + intervals]
        share = f"{hits} of {intervals}" if intervals else ""
        yield f"| {name} | {sets} | {_row(verdict_counts, sets)} | {runs:.1f} | {share} |"
    yield f"| all | | {_row(total, 0)} | | {covered[0]} of {covered[1]} |"


def _coverage(name: str, groups: dict[str, Any]) -> tuple[int, int]:
    """Return how many 95% intervals contain the value of the other sets, and how many there are."""
    statistics = sets_of_seeds.statistics(mm.load(name))
    rows = [(statistics[key].kind, rows) for group in groups.values()
            for key, rows in group.get("intervals", {}).items()]  # fmt: skip
    hits = sum(sets_of_seeds.coverage(rows, kind) for kind, rows in rows)
    return hits, sum(len(rows) for _, rows in rows)


def _row(verdict_counts: Counter[str], sets: int) -> str:
    total = verdict_counts.total()
    kinds = ("agrees", "not precise enough", "differs", "known difference")
    cells = [f"{total // sets}" if sets else f"{total} verdicts"]
    return " | ".join([*cells, *(str(verdict_counts[kind]) for kind in kinds)])


def counts(flock: dict[str, dict[str, bool]]) -> Counter[str]:
    """Count the mutants of a model, and those that each kind of verdict detects.

    'rules' are the mutants that remove a rule or change its weight; 'rules noticed' those of them
    that statistics alone detect.
    """
    counter: Counter[str] = Counter()
    for change, detected in flock.items():
        if detected.get("same"):
            counter["same"] += 1
            continue
        counter["mutants"] += 1
        counter["tried"] += "statistic" in detected
        counter["statistics"] += detected.get("statistic", False)
        quick = detected.get("trajectory", False) or detected.get("statistic", False)
        counter["quick"] += quick
        counter["full"] += quick or detected.get("full", False)
        if mutations.is_of_a_rule(change):
            counter["rules"] += 1
            counter["rules noticed"] += detected.get("statistic", False)
    return counter


def _noticed(mutants: dict[str, Any]) -> Iterator[str]:
    yield (
        "| model | mutants | change nothing | quick tier | its statistics alone | rules, by "
        "statistics alone | full tier |"
    )
    yield "|---|---|---|---|---|---|---|"
    total: Counter[str] = Counter()
    for name, flock in sorted(mutants.items()):
        counter = counts(flock)
        total.update(counter)
        yield f"| {name} | {_shares(counter)} |"
    yield f"| all | {_shares(total)} |"


def _shares(counter: Counter[str]) -> str:
    alone = _share(counter["statistics"], counter["tried"])
    if 0 < counter["tried"] < counter["mutants"]:
        alone += f" of {counter['tried']}"
    rules = f"{counter['rules noticed']} of {counter['rules']}"
    quick, full = (_share(counter[kind], counter["mutants"]) for kind in ("quick", "full"))
    return f"{counter['mutants']} | {counter['same']} | {quick} | {alone} | {rules} | {full}"


def _share(part: int, total: int) -> str:
    return f"{100 * part / total:.0f}%" if total else "not tried"


def survivors(mutants: dict[str, Any]) -> list[str]:
    """Return 'model: change' of each mutant that neither tier detects."""
    return [
        f"{name}: {change}"
        for name, flock in sorted(mutants.items())
        for change, detected in sorted(flock.items())
        if not any(detected.values())
    ]


def rule_survivors(mutants: dict[str, Any]) -> list[str]:
    """Return 'model: change' of each mutant of a rule that quick statistics do not detect."""
    return [
        f"{name}: {change}"
        for name, flock in sorted(mutants.items())
        for change, detected in sorted(flock.items())
        if mutations.is_of_a_rule(change)
        and not (detected.get("same") or detected.get("statistic"))
    ]


def reason(survivor: str) -> str:
    """Return why a mutant is not detected; '' if unknown."""
    return _reason_of(survivor, REASONS)


def rule_reason(survivor: str) -> str:
    """Return why statistics do not detect a mutant of a rule; '' if unknown."""
    return _reason_of(survivor, RULE_REASONS)


def _reason_of(survivor: str, reasons: dict[str, str]) -> str:
    return next((why for what, why in reasons.items() if re.fullmatch(what, survivor)), "")


def _rule_survivors(mutants: dict[str, Any]) -> Iterator[str]:
    yield "Statistics alone do not detect these mutants of rules:\n"
    yield "| mutant | reason |"
    yield "|---|---|"
    for survivor in rule_survivors(mutants):
        yield f"| {survivor} | {rule_reason(survivor) or 'not tried, or no reason known'} |"


def _survivors(mutants: dict[str, Any]) -> Iterator[str]:
    left = survivors(mutants)
    if not left:
        yield "No mutant survives."
        return
    yield f"{len(left)} survive{'s' if len(left) == 1 else ''}:\n"
    yield "| mutant | reason |"
    yield "|---|---|"
    for survivor in left:
        yield f"| {survivor} | {reason(survivor)} |"


def main() -> None:
    PAGE.write_text(page(current_verdicts(), current_mutants()), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
