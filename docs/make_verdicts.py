"""Makes docs/verdicts.md from what was flown for it: how often verdicts are wrong, and what they
notice.

    python docs/make_verdicts.py

The numbers are those of benchmarks/results/verdicts.jsonl and mutants.jsonl, which
benchmarks/verdicts.py and mutants.py write; what was flown before a flock's file was changed is
left out. A test asserts that the page is what this script makes of them.
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
# How verdicts are made

`murmurate verify` compares what a flock does with what its file expects. A flock is chaotic: the
last digit of a sum, which differs between processors, grows within a few hundred steps until no
boid is where it would have been. What must come out on every machine are statistics, and a
statistic of a few flights has an error. So a verdict is a statistical test.

## Three verdicts

A **statistic** is the mean over flights that differ in their seeds, each averaged over its own
steps first. It is flown with 8 seeds at least. Student's t gives two intervals around the mean:
one that holds the mean of all flights with a probability of 95%, and a wider one that misses it
once in a million times.

- **agrees**: the interval of 95% lies within the bounds.
- **DIFFERS**: the wider interval lies outside: the mean cannot be reconciled with the bounds.
  Also where a flight lost a boid.
- else it is flown with twice as many seeds, up to 64; what they do not tell is **not precise
  enough**, which is no failure: the exit code stays 0.

Each statistic is looked at four times at most, at 8, 16, 32 and 64 flights, so that even 250 of
them together, more than the zoo has, say DIFFERS of flocks that are right in fewer than one of
1,000 verifications. (Student's t is exact for values that spread like a bell. Ensembles say how
far those of a flock do.)

Where flights fall into two kinds, such as groups that split and groups that do not, a mean is
neither, and hangs on how many of the rarer kind are among eight. There the **share** of flights
of a kind is the statistic, with the interval of Clopper and Pearson.

A **trajectory** is one flight with one seed, after so few steps that rounding has not grown: it
is compared to a part in 100 million, and has no error. Its numbers come from the reference
engine, which flies the rules in plain Python (`benchmarks/trajectories.py` writes them). It says
that the rules are computed as they are written; statistics say that flocks do what papers say.

`--seed-shift 1000` adds to the seeds of all statistics, for other flights of the same flock.

## Where bounds come from

`benchmarks/ensembles.py` flies every statistic with 64 seeds that `verify` does not use, and
keeps each flight's value in `benchmarks/results/ensembles/`. Bounds that are ours (*checked*) are
the mean of these, 1.5 standard deviations of a single flight to either side. Values of
independent programs, of closed forms and of papers stay what they are, and a test asserts that
the ensemble's mean lies within the bounds of each.
""".strip()

FALSE_ALARMS = """
## How often a verdict is wrong

`benchmarks/verdicts.py` verifies the quick tier with twenty other sets of seeds, none of which
shares a flight with another:
""".strip()

MUTANTS = """
## What is noticed

`benchmarks/mutants.py` breaks every published flock in every way that leaves it valid: each rule
left out, its weight with the other sign, doubled and halved; every other number of rules and
motions doubled and halved (radius, field of view, nearest, speed, noise, ...); a boid counted
among its own neighbours. What flies the same flight to the last bit over 300 steps changes
nothing and is not counted: half the weight of a rule that alone says the direction, say. Noticed
is what DIFFERS; the second column of percentages leaves trajectories out, which notice nearly all
that acts from the first steps on (of the mutants with which statistics were tried, where these are
fewer).
""".strip()

# Why a mutant survives: pattern of 'flock: change' -> the reason.
REASONS = {
    r".*include_self = true": "what a boid adds for itself is nothing here; only sums are rounded "
    "differently",
    r".*rules\.hunt\.field_of_view x 0\.5": "a hunter flies towards the one that it has chosen, "
    "and so has it ahead",
    r"starlings: rules\.(cohesion|alignment|separation)\.radius x (2|0\.5)": "the seven nearest "
    "of a bird are nearer than that",
    r"starlings: (flocks\.falcons|rules\.strike|rules\.wait)\..*": "one falcon strikes three "
    "times, and what this changes of the flock is less than what flights differ by",
    r"strombom-2014: rules\.herd\.weight x 2": "the dog flies at its limit of speed already",
    r"strombom-2014: rules\.herd\.stop x 0\.5": "until the sheep are home the dog stands still in "
    "few steps, with either number; flights differ by more than that",
}


def page(verdicts: dict[str, Any], mutants: dict[str, Any]) -> str:
    parts = [MADE, WORDS, "", FALSE_ALARMS, "", *_false_alarms(verdicts), ""]
    return "\n".join([*parts, MUTANTS, "", *_noticed(mutants), "", *_survivors(mutants), ""])


def flown_verdicts() -> dict[str, Any]:
    """Flock -> number of a set of seeds -> its verdicts, of the flocks as their files are now."""
    found = {}
    for name, sets in _read("verdicts").items():
        now = sets_of_seeds.basis(mm.load(name))
        found[name] = {number: one for number, one in sets.items() if one["basis"] == now}
    return {name: sets for name, sets in found.items() if sets}


def flown_mutants() -> dict[str, Any]:
    """Flock -> change -> what noticed it, of the flocks as their files are now."""
    found = {}
    for name, flock in _read("mutants").items():
        model = mm.load(name)
        now = {one.change: mutations.basis(model, one) for one in mutations.mutants(model)}
        found[name] = {
            change: one for change, one in flock.items() if one["basis"] == now.get(change)
        }
    return {name: flock for name, flock in found.items() if flock}


def _read(name: str) -> dict[str, Any]:
    inner = {"verdicts": "set", "mutants": "change"}[name]
    return read_nested(RESULTS / f"{name}.jsonl", "flock", inner)


def _false_alarms(verdicts: dict[str, Any]) -> Iterator[str]:
    yield "| flock | sets | statistics | agree | not precise enough | DIFFERS | flights each |"
    yield "|---|---|---|---|---|---|---|"
    total: Counter[str] = Counter()
    for name, sets in sorted(verdicts.items()):
        found: Counter[str] = Counter()
        for one in sets.values():
            found.update(one["verdicts"])
        total.update(found)
        flights = sum(one["flights"] for one in sets.values()) / max(found.total(), 1)
        yield f"| {name} | {len(sets)} | {_row(found, len(sets))} | {flights:.1f} |"
    yield f"| all | | {_row(total, 0)} | |"


def _row(found: Counter[str], sets: int) -> str:
    each = f"{found.total() // sets}" if sets else f"{found.total()} verdicts"
    kinds = ("agrees", "not precise enough", "differs")
    return " | ".join([each, *(str(found[kind]) for kind in kinds)])


def counts(flock: dict[str, Any]) -> Counter[str]:
    """How many mutants of a flock there are, and how many are noticed, and by what."""
    found: Counter[str] = Counter()
    for one in flock.values():
        if one.get("same"):
            found["same"] += 1
            continue
        found["mutants"] += 1
        found["tried"] += "statistic" in one
        found["statistics"] += one.get("statistic", False)
        quick = one["trajectory"] or one.get("statistic", False)
        found["quick"] += quick
        found["full"] += quick or one.get("full", False)
    return found


def _noticed(mutants: dict[str, Any]) -> Iterator[str]:
    yield "| flock | mutants | change nothing | quick tier | its statistics alone | full tier |"
    yield "|---|---|---|---|---|---|"
    total: Counter[str] = Counter()
    for name, flock in sorted(mutants.items()):
        found = counts(flock)
        total.update(found)
        yield f"| {name} | {_shares(found)} |"
    yield f"| all | {_shares(total)} |"


def _shares(found: Counter[str]) -> str:
    alone = _share(found["statistics"], found["tried"])
    if 0 < found["tried"] < found["mutants"]:
        alone += f" of {found['tried']}"
    quick, full = (_share(found[kind], found["mutants"]) for kind in ("quick", "full"))
    return f"{found['mutants']} | {found['same']} | {quick} | {alone} | {full}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "not tried"


def survivors(mutants: dict[str, Any]) -> list[str]:
    """'flock: change' of what neither tier notices."""
    return [
        f"{name}: {change}"
        for name, flock in sorted(mutants.items())
        for change, one in sorted(flock.items())
        if not one.get("same")
        and not (one["trajectory"] or one.get("statistic") or one.get("full"))
    ]


def reason(survivor: str) -> str:
    """Why a mutant is not noticed; '' where nobody has said so."""
    return next((why for what, why in REASONS.items() if re.fullmatch(what, survivor)), "")


def _survivors(mutants: dict[str, Any]) -> Iterator[str]:
    left = survivors(mutants)
    if not left:
        yield "No mutant survives."
        return
    yield f"{len(left)} survive{'s' if len(left) == 1 else ''}:\n"
    yield "| mutant | why it is not noticed |"
    yield "|---|---|"
    for one in left:
        yield f"| {one} | {reason(one)} |"


def main() -> None:
    PAGE.write_text(page(flown_verdicts(), flown_mutants()), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
