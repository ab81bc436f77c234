"""Counts of a sweep or a fit (seeds, steps, runs), checked before anything is flown."""

from __future__ import annotations

from murmurate.errors import SweepError
from murmurate.model.quantity import LARGEST_WHOLE

MOST_RUNS = 10_000_000  # a file each
LEAST = {"seeds": 1, "steps": 1, "every": 1, "burn_in": 0, "seed": 0}


def check_counts(plan: object, runs: int, **least: int) -> None:
    """Raises SweepError for a count of a plan that is too small or too large.

    runs   how many runs it has
    least  the smallest that is allowed of counts that only this kind of plan has
    """
    for name, smallest in {**LEAST, **least}.items():
        count = getattr(plan, name)
        if count < smallest:
            raise SweepError(f"{name} is {count}: it must be at least {smallest}")
        if count > LARGEST_WHOLE and name != "seed":  # RunOptions says what a seed may be
            raise SweepError(f"{name} is {count}: it must be at most {LARGEST_WHOLE:,}")
    if runs > MOST_RUNS:
        raise SweepError(f"{runs:,} runs: at most {MOST_RUNS:,} are allowed; vary less, or take "
                         "fewer seeds")  # fmt: skip
