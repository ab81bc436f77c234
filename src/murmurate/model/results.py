"""Results of a model: its [[figure]] and [[expect]] tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from murmurate.model.messages import format_unknown
from murmurate.model.number import Data, Whole
from murmurate.model.value import Value


def _check_distinct(seeds: tuple[int, ...]) -> tuple[int, ...]:
    twice = [seed for k, seed in enumerate(seeds) if seed in seeds[:k]]
    if twice:
        raise ValueError(
            f"got {twice[0]} twice in {list(seeds)}; expected each seed once, since equal seeds "
            "give equal runs, which would make errors look smaller"
        )
    return seeds


Step = Annotated[Whole, Field(ge=0)]
Seed = Annotated[Whole, Field(ge=0)]
Seeds = Annotated[tuple[Seed, ...], AfterValidator(_check_distinct)]
SomeSeeds = Annotated[tuple[Seed, ...], Field(min_length=1), AfterValidator(_check_distinct)]


class Points(Value):
    """Values to compare a figure with, and their origin."""

    label: str
    """Text of the legend."""
    x: tuple[Data, ...]
    """Positions on the x axis."""
    y: tuple[Data, ...]
    """The values."""
    error: tuple[Annotated[Data, Field(ge=0)], ...] = ()
    """Half the length of each error bar; none unless given."""
    origin: Literal["published", "reproduced", "exact", "quoted"]
    """published: numbers of the paper, or of a program or data of its authors; reproduced: results
    of a program written for this purpose; exact: a closed form, drawn as a line; quoted:
    numbers of the paper as others quote them, not confirmed here."""
    like: str = ""
    """The label of the line that has the same colour."""

    @model_validator(mode="after")
    def _check_lengths(self) -> Points:
        if len(self.x) != len(self.y) or (self.error and len(self.error) != len(self.y)):
            raise ValueError(
                f"got {len(self.x)} x, {len(self.y)} y and {len(self.error)} error; expected "
                "equally many"
            )
        return self


class Line(Value):
    """A line of a figure. Fields that are not given are those of the figure."""

    label: str = ""
    """Text of the legend."""
    set: dict[str, Any] = Field(default={})
    """Changes of the model: dotted path -> value."""
    vary: dict[str, tuple[Any, ...]] = Field(default={})
    """Dotted path -> values. The paths change together; each value gives a point of the line."""
    at: tuple[Data, ...] = ()
    """Positions of the points on the x axis; the values of the first path in `vary` unless given.
    For a line in time: its two ends on the axis; times unless given. For a profile: the two ends
    of its bins; 0 and 1 unless given."""
    measure: str = ""
    """The name of the measure."""
    flock: str = ""
    """The flock that is measured; 'all' for all flocks together."""
    since: Step | None = None
    """The first step that is measured."""
    step: Step | None = None
    """The last step that is measured."""
    every: Annotated[Whole, Field(ge=1)] | None = None
    """Interval between measurements, in steps."""
    relative: bool | None = None
    """Whether values are divided by the value at step 0."""
    seeds: Seeds = ()
    """Seeds of the runs of each point."""
    tier: Literal["quick", "full"] = "quick"
    """quick: always drawn; full: drawn with tier full only."""


class Panel(Value):
    """A panel of the figure of a model: simulated lines, and points to compare them with."""

    title: str
    """The title, a few words."""
    caption: str = ""
    """A few lines: what it shows, what the source claims and what is not confirmed."""
    shows: Literal["mean", "binder", "time", "distribution", "profile"] = "mean"
    """The statistic. mean: the mean over runs, with its standard error; binder: the Binder
    cumulant, 1 - <m^4> / (3 <m^2>^2); time: the measure against time, its mean over seeds with its
    standard error; distribution: the frequencies of values; profile: a measure that is a curve over
    equal bins, its mean over times and seeds with its standard error over seeds."""
    x: str
    """Label of the x axis, with its unit."""
    y: str
    """Label of the y axis, with its unit."""
    log: Literal["x", "y", "xy"] | None = None
    """Axes with a logarithmic scale."""
    limits: tuple[Data, Data] | None = None
    """The two ends of the y axis; chosen for the values unless given."""
    notes: dict[str, Data] = Field(default={})
    """Text above the panel -> its position on the x axis."""
    measure: str = "polarization"
    """The name of the measure."""
    flock: str = "boids"
    """The flock that is measured; 'all' for all flocks together."""
    set: dict[str, Any] = Field(default={})
    """Changes of the model for all lines: dotted path -> value."""
    vary: dict[str, tuple[Any, ...]] = Field(default={})
    """Dotted path -> values. The paths change together; each value gives a point of each line."""
    at: tuple[Data, ...] = ()
    """Positions of points on the x axis; the values of the first path in `vary` unless given."""
    since: Step = 0
    """The first step that is measured."""
    step: Step
    """The last step that is measured."""
    every: Annotated[Whole, Field(ge=1)] = 1
    """Interval between measurements, in steps."""
    relative: bool = False
    """Whether values are divided by the value at step 0."""
    seeds: SomeSeeds = (1,)
    """Seeds of the runs of each point."""
    line: tuple[Line, ...] = ()
    """The lines; one line with the settings of the figure unless given."""
    points: tuple[Points, ...] = ()
    """Values to compare with."""

    @model_validator(mode="after")
    def _check_panel(self) -> Panel:
        problems = [*_check_lines(self), *_check_points(self), *_check_axes(self)]
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def lines(self) -> list[Line]:
        """Return the lines, complete with the settings of the figure."""
        lines = []
        for line in self.line or (Line(),):
            own = {
                name: getattr(line, name)
                for name in Line.model_fields
                if getattr(line, name) not in (None, (), "", {})
            }
            shared = {
                name: getattr(self, name) for name in Line.model_fields if hasattr(self, name)
            }
            own["set"] = {**self.set, **line.set}
            if line.vary:
                shared["at"] = ()
            lines.append(Line(**{**shared, **own}))
        return lines


def check_steps(since: int, step: int, every: int) -> str:
    """Return an error message about the steps of a measurement, or ''.

    A step after `since` must be measured, unless `since` is the last step.
    """
    if since > step:
        return f"since: got {since}; expected at most step, {step}"
    if since < step < since + every:
        return (
            f"every: got {every}, which measures only step {since} of {since} to {step}; expected "
            f"at most {step - since}. To measure at step {step} alone, set since to {step}"
        )
    return ""


def _check_lines(panel: Panel) -> Iterator[str]:
    for line in panel.lines():
        name = line.label or "the line"
        if problem := check_steps(line.since or 0, line.step or 0, line.every or 1):
            yield f"{name}: {problem}"
        lengths = {len(values) for values in line.vary.values()}
        if panel.shows in ("time", "distribution", "profile"):
            if lengths or len(line.at) not in (0, 2):
                yield (
                    f"{name}: got `vary` or `at` with shows '{panel.shows}'; expected no `vary`, "
                    "and two ends in `at`"
                )
        elif len(lengths) != 1 or (line.at and len(line.at) not in lengths):
            yield (
                f"{name}: expected `vary` with shows '{panel.shows}', and equally many values for "
                "each path and in `at`"
            )
        elif lengths == {0}:
            yield f"{name}: got no values in `vary`; expected at least one for each path"
        else:
            path, values = next(iter(line.vary.items()))
            words = [value for value in values if not _is_finite_number(value)]
            if words and not line.at:
                yield (
                    f"{name}: got {words[0]!r} in vary.{path}; expected finite numbers. Or give "
                    "positions of the points on the x axis in `at`"
                )


def _is_finite_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _check_points(panel: Panel) -> Iterator[str]:
    labels = {line.label for line in panel.line}
    for points in panel.points:
        if points.like and points.like not in labels:
            yield f"points {points.label!r}: like: {format_unknown('line', points.like, labels)}"


def _check_axes(panel: Panel) -> Iterator[str]:
    if panel.limits and panel.limits[0] >= panel.limits[1]:
        low, high = panel.limits
        yield f"limits: got {low:g} and {high:g}; expected the first below the second"
    for side, name, values in _on_axes(panel):
        if side in (panel.log or "") and min(values, default=1.0) <= 0.0:
            yield (
                f"{name}: got {min(values):g} for a logarithmic {side} axis; expected numbers > 0. "
                f"Leave it out, or remove {side!r} from log"
            )


def _on_axes(panel: Panel) -> Iterator[tuple[str, str, tuple[float, ...]]]:
    """Yield the axes: axis, name and numbers."""
    yield "y", "limits", panel.limits or ()
    yield "x", "notes", tuple(panel.notes.values())
    for points in panel.points:
        yield "x", f"points {points.label!r}, x", points.x
        yield "y", f"points {points.label!r}, y", points.y
    for line in panel.lines():
        values = line.at or next(iter(line.vary.values()), ())
        yield "x", line.label or "the line", tuple(v for v in values if _is_finite_number(v))


MIN_SEEDS = 8
"""The smallest number of runs from which the variation of runs is estimated."""
ROUNDING = 1e-6
"""The largest tolerance of a trajectory, in multiples of its value, or of 1 if that is more."""


class Expectation(Value):
    """A result that the model must give.

    It is either a statistic over runs with different seeds, which must be within bounds, or the
    value of a measure in the first steps of single runs.
    """

    measure: str
    """The name of the measure, such as 'polarization'."""
    flock: str = "boids"
    """The flock that is measured; 'all' for all flocks together."""
    set: dict[str, Any] = Field(default={})
    """Changes of the model: dotted path -> value."""
    step: Annotated[Whole, Field(ge=0)]
    """The step at which it is measured."""
    since: Annotated[Whole, Field(ge=0)] | None = None
    """The first step of an average up to `step`; measured at `step` alone unless given."""
    every: Annotated[Whole, Field(ge=1)] = 1
    """Interval between the values of the average, in steps."""
    relative: bool = False
    """Whether the value is divided by the value at step 0."""
    kind: Literal["mean", "median", "share", "trajectory"] = "mean"
    """The statistic. mean: the mean over runs. median: their median, for skewed values. share: the
    share of runs with a value of `at_least` or `at_most` a number, for runs with two outcomes.
    trajectory: the value in each run with one of
    the seeds, after few steps, where runs differ by rounding only."""
    at_least: Data | None = None
    """For a share: runs with at least this value count."""
    at_most: Data | None = None
    """For a share: runs with at most this value count."""
    seeds: Seeds = ()
    """Seeds of the first runs, 1 to 8 unless given. At least 8 seeds are used, and more if these do
    not decide: the integers after the largest. A trajectory uses exactly these; 1 unless given."""
    value: Data | None = None
    """The expected value. If only bounds are known, give low and high instead."""
    tolerance: Annotated[Data, Field(ge=0)] | None = None
    """The largest difference from the value that agrees with it."""
    low: Data | None = None
    """The lowest value that agrees."""
    high: Data | None = None
    """The highest value that agrees."""
    tier: Literal["quick", "full"] = "quick"
    """quick: takes seconds; full: verified with tier full only."""
    known_difference: str = ""
    """Why the model does not give the value: such a result is reported as a known difference, and
    is no failure."""
    origin: Literal["published", "quoted", "claimed", "exact", "checked"] = "checked"
    """The origin of the number. published: the paper, or a program or data that its authors
    published, gives it; quoted: others quote it from the paper, which was not read for it; claimed:
    the paper states it in words, and the bounds are ours; exact: a closed form gives it, and the
    tolerance is ours; checked: murmurate, or a program written for this purpose, gave it."""
    why: str = ""
    """What the result means."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Expectation:
        by_value = self.value is not None and self.tolerance is not None
        by_bounds = self.low is not None or self.high is not None
        if by_value == by_bounds or (self.value is None) != (self.tolerance is None):
            raise ValueError("expected value and tolerance, or low, or high, or both low and high")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low: got {self.low:g}; expected at most high, {self.high:g}")
        if self.since is not None and (problem := check_steps(self.since, self.step, self.every)):
            raise ValueError(problem)
        return self

    @model_validator(mode="after")
    def _check_kind(self) -> Expectation:
        limits = [limit for limit in (self.at_least, self.at_most) if limit is not None]
        if self.kind == "share" and len(limits) != 1:
            raise ValueError("expected at_least or at_most for kind 'share', one of the two")
        if self.kind != "share" and limits:
            raise ValueError(
                f"got at_least or at_most for kind {self.kind!r}; expected them for 'share' only"
            )
        if self.kind == "trajectory":
            self._check_trajectory()
        return self

    def _check_trajectory(self) -> None:
        if self.value is None or self.tolerance is None or self.since is not None:
            raise ValueError("expected value and tolerance for a trajectory, and no since")
        max_tolerance = ROUNDING * max(abs(self.value), 1.0)
        if self.tolerance > max_tolerance:
            raise ValueError(
                f"tolerance: got {self.tolerance:g} for a trajectory; expected at most "
                f"{max_tolerance:g}, for rounding. For larger differences use kind 'mean'"
            )

    def bounds(self) -> tuple[float, float]:
        """Return the lowest and the highest value that agree."""
        if self.value is not None and self.tolerance is not None:
            return self.value - self.tolerance, self.value + self.tolerance
        low = -math.inf if self.low is None else self.low
        return low, math.inf if self.high is None else self.high

    def run_seeds(self, count: int = MIN_SEEDS, offset: int = 0) -> tuple[int, ...]:
        """Return the seeds of the runs.

        count   the number of runs; at least 8 and all of `seeds`. Trajectories ignore it.
        offset  a number to add to each seed of a statistic, for an independent set of runs
        """
        if self.kind == "trajectory":
            return self.seeds or (1,)
        first = self.seeds or tuple(range(1, MIN_SEEDS + 1))
        more = max(count, MIN_SEEDS) - len(first)
        following = range(max(first) + 1, max(first) + 1 + more)
        return tuple(seed + offset for seed in (*first, *following))
