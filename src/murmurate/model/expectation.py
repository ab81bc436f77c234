"""Expectation: the [[expect]] tables of a model, results that it must give."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from murmurate.model.figure import Seeds, unmeasured
from murmurate.model.number import Data, Whole
from murmurate.model.value import Value

FEWEST_SEEDS = 8
"""Fewer runs say little about how runs differ."""
ROUNDING = 1e-6
"""The largest tolerance of a trajectory, as a part of its value, or of 1 where that is more."""


class Expectation(Value):
    """A result the model must give: a statistic over flights that differ in their seeds lies within
    bounds, or the first steps of one flight are these."""

    measure: str
    """The measure's name, such as 'polarization'."""
    flock: str = "boids"
    """The flock that is measured; 'all' for the boids of all flocks together."""
    set: dict[str, Any] = Field(default={})
    """What is changed in the model first: dotted path -> value."""
    step: Annotated[Whole, Field(ge=0)]
    """When it is measured."""
    since: Annotated[Whole, Field(ge=0)] | None = None
    """It is averaged over the steps from here to `step`; measured at `step` alone unless given."""
    every: Annotated[Whole, Field(ge=1)] = 1
    """Steps from one value of the average to the next."""
    relative: bool = False
    """Whether the value is divided by what it was at step 0."""
    kind: Literal["mean", "share", "trajectory"] = "mean"
    """mean: the mean over flights. share: the share of flights whose value is `at_least` or
    `at_most` a number, for flights that fall into two kinds. trajectory: the value of the flights
    with these seeds and no others, after so few steps that only rounding can differ."""
    at_least: Data | None = None
    """Of a share: a flight counts whose value is at least this."""
    at_most: Data | None = None
    """Of a share: a flight counts whose value is at most this."""
    seeds: Seeds = ()
    """Seeds of the first runs: 1 to 8 unless given, and always 8 or more; the integers that follow
    the largest are flown where they do not tell. A trajectory: exactly these; 1 unless given."""
    value: Data | None = None
    """The value expected; low and high stand in its place where bounds are what is known."""
    tolerance: Annotated[Data, Field(ge=0)] | None = None
    """How far from the value still agrees."""
    low: Data | None = None
    """The lowest value that agrees."""
    high: Data | None = None
    """The highest value that agrees."""
    tier: Literal["quick", "full"] = "quick"
    """quick: seconds; full: verified only when asked for."""
    origin: Literal["published", "claimed", "exact", "checked"] = "checked"
    """published: the paper gives the number; claimed: the paper says so in words, and the bounds
    are ours; exact: a closed form gives it, and how near to it is ours; checked: a program written
    for that alone, or this one, gave the number."""
    why: str = ""
    """What the result says."""

    @model_validator(mode="after")
    def _bounded(self) -> Expectation:
        by_value = self.value is not None and self.tolerance is not None
        by_bounds = self.low is not None or self.high is not None
        if by_value == by_bounds or (self.value is None) != (self.tolerance is None):
            raise ValueError("give value and tolerance, or low and high, or one of these two")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(
                f"low is {self.low:g} and high is {self.high:g}: no value is between them; low "
                "must be <= high"
            )
        if self.since is not None and (wrong := unmeasured(self.since, self.step, self.every)):
            raise ValueError(wrong)
        return self

    @model_validator(mode="after")
    def _of_its_kind(self) -> Expectation:
        limits = [limit for limit in (self.at_least, self.at_most) if limit is not None]
        if self.kind == "share" and len(limits) != 1:
            raise ValueError("a share of flights needs at_least or at_most, one of the two")
        if self.kind != "share" and limits:
            raise ValueError(f"at_least and at_most are for kind 'share', not {self.kind!r}")
        if self.kind == "trajectory":
            self._check_trajectory()
        return self

    def _check_trajectory(self) -> None:
        if self.value is None or self.tolerance is None or self.since is not None:
            raise ValueError("a trajectory needs value and tolerance, and is not averaged (since)")
        most = ROUNDING * max(abs(self.value), 1.0)
        if self.tolerance > most:
            raise ValueError(
                f"a trajectory's tolerance is {self.tolerance:g}: it must be at most {most:g}, for "
                "rounding; what differs more is a statistic over seeds, of kind 'mean'"
            )

    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value that agree."""
        if self.value is not None and self.tolerance is not None:
            return self.value - self.tolerance, self.value + self.tolerance
        low = -math.inf if self.low is None else self.low
        return low, math.inf if self.high is None else self.high

    def flights(self, many: int = FEWEST_SEEDS, shift: int = 0) -> tuple[int, ...]:
        """The seeds of the first so many runs, at least 8 and those that are given; of a
        trajectory always the same.

        shift  is added to each seed of a statistic: other flights of the same kind
        """
        if self.kind == "trajectory":
            return self.seeds or (1,)
        given = self.seeds or tuple(range(1, FEWEST_SEEDS + 1))
        more = max(many, FEWEST_SEEDS) - len(given)
        following = range(max(given) + 1, max(given) + 1 + more)
        return tuple(seed + shift for seed in (*given, *following))
