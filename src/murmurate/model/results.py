"""Results of a model: its [[figure]] and [[expect]] tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from murmurate.model.quantity import Data, Whole
from murmurate.model.value import Value


def _each_once(seeds: tuple[int, ...]) -> tuple[int, ...]:
    twice = [seed for k, seed in enumerate(seeds) if seed in seeds[:k]]
    if twice:
        raise ValueError(
            f"{twice[0]} stands twice in {list(seeds)}: it is the same run again, which would make "
            "errors look smaller: give each seed once"
        )
    return seeds


Step = Annotated[Whole, Field(ge=0)]
Seed = Annotated[Whole, Field(ge=0)]
Seeds = Annotated[tuple[Seed, ...], AfterValidator(_each_once)]
SomeSeeds = Annotated[tuple[Seed, ...], Field(min_length=1), AfterValidator(_each_once)]


class Points(Value):
    """Values to compare with, and where they come from."""

    label: str
    """What the legend says."""
    x: tuple[Data, ...]
    """Where they stand on the x axis."""
    y: tuple[Data, ...]
    """The values."""
    error: tuple[Annotated[Data, Field(ge=0)], ...] = ()
    """Half the length of each one's bar; none unless given."""
    origin: Literal["published", "reproduced", "exact", "not-confirmed"]
    """published: numbers of the paper; reproduced: a program written for that alone gave them;
    exact: a closed form, drawn as a line; not-confirmed: quoted by others, not checked here."""
    like: str = ""
    """The label of the line whose colour they share."""

    @model_validator(mode="after")
    def _as_many(self) -> Points:
        if len(self.x) != len(self.y) or (self.error and len(self.error) != len(self.y)):
            raise ValueError("x, y and error must be equally long")
        return self


class Line(Value):
    """A line of a figure. What it does not say is as the figure has it."""

    label: str = ""
    """What the legend says."""
    set: dict[str, Any] = Field(default={})
    """What is changed in the model first: dotted path -> value."""
    vary: dict[str, tuple[Any, ...]] = Field(default={})
    """Dotted path -> values, changed side by side: a point of the line for each."""
    at: tuple[Data, ...] = ()
    """Where the points stand on the x axis; the values of the first path varied unless given. Of
    a line in time: its two ends on the axis; times unless given. Of a profile: the two ends of its
    bins; 0 and 1 unless given."""
    measure: str = ""
    """The measure's name."""
    flock: str = ""
    """The flock that is measured; 'all' for the boids of all flocks together."""
    since: Step | None = None
    """Measured from this step on."""
    step: Step | None = None
    """Up to this one."""
    every: Annotated[Whole, Field(ge=1)] | None = None
    """Steps from one measurement to the next."""
    relative: bool | None = None
    """Whether values are divided by what they were at step 0."""
    seeds: Seeds = ()
    """Seeds of the runs of each point."""
    tier: Literal["quick", "full"] = "quick"
    """full: drawn only when the full tier is asked for."""


class Panel(Value):
    """A figure, or one panel of it where a model has several: lines that are flown, and points to
    compare them with."""

    title: str
    """What is shown, in a few words."""
    caption: str = ""
    """A few lines: what to see in it, what the source claims and what is not confirmed."""
    shows: Literal["mean", "binder", "time", "distribution", "profile"] = "mean"
    """mean: the mean of each point's runs, with its standard error; binder: their Binder cumulant,
    1 - <m^4> / (3 <m^2>^2); time: the measure against time, the mean over seeds in its standard
    error; distribution: how often the measure takes which value; profile: a measure that is a curve
    over even bins, the mean over moments and seeds, in its standard error over seeds."""
    x: str
    """What the x axis says, with its unit."""
    y: str
    """What the y axis says, with its unit."""
    log: Literal["x", "y", "xy"] | None = None
    """Axes with a logarithmic scale."""
    limits: tuple[Data, Data] | None = None
    """The two ends of the y axis; as the values need unless given."""
    notes: dict[str, Data] = Field(default={})
    """Words above the panel -> where on the x axis they stand."""
    measure: str = "polarization"
    """The measure's name."""
    flock: str = "boids"
    """The flock that is measured; 'all' for the boids of all flocks together."""
    set: dict[str, Any] = Field(default={})
    """What is changed in the model first, for all lines: dotted path -> value."""
    vary: dict[str, tuple[Any, ...]] = Field(default={})
    """Dotted path -> values, changed side by side: a point of each line for each."""
    at: tuple[Data, ...] = ()
    """Where the points stand on the x axis; the values of the first path varied unless given."""
    since: Step = 0
    """Measured from this step on."""
    step: Step
    """Up to this one."""
    every: Annotated[Whole, Field(ge=1)] = 1
    """Steps from one measurement to the next."""
    relative: bool = False
    """Whether values are divided by what they were at step 0."""
    seeds: SomeSeeds = (1,)
    """Seeds of the runs of each point."""
    line: tuple[Line, ...] = ()
    """The lines; one, with all that the figure says, unless given."""
    points: tuple[Points, ...] = ()
    """Values to compare with."""

    @model_validator(mode="after")
    def _drawable(self) -> Panel:
        wrong = [*_wrong_lines(self), *_wrong_points(self), *_wrong_axes(self)]
        if wrong:
            raise ValueError("\n".join(wrong))
        return self

    def lines(self) -> list[Line]:
        """The lines, with all that they take from the figure."""
        found = []
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
            found.append(Line(**{**shared, **own}))
        return found


def unmeasured(since: int, step: int, every: int) -> str:
    """What is wrong with these steps; '' where at least one beyond `since` is measured, or only
    one is asked for."""
    if since > step:
        return f"since is {since}: it must be <= step ({step})"
    if since < step < since + every:
        return (
            f"every is {every}, so that of the steps {since} to {step} only {since} is measured: "
            f"every must be <= {step - since}, or since {step} to measure at that step alone"
        )
    return ""


def _wrong_lines(panel: Panel) -> Iterator[str]:
    for line in panel.lines():
        name = line.label or "the line"
        if wrong := unmeasured(line.since or 0, line.step or 0, line.every or 1):
            yield f"{name}: {wrong}"
        lengths = {len(values) for values in line.vary.values()}
        if panel.shows in ("time", "distribution", "profile"):
            if lengths or len(line.at) not in (0, 2):
                yield f"{name}: a {panel.shows} varies nothing, and `at` has two ends"
        elif len(lengths) != 1 or (line.at and len(line.at) not in lengths):
            yield (
                f"{name}: a {panel.shows} needs `vary`, equally many values for each path (and "
                "for `at`)"
            )
        elif lengths == {0}:
            yield f"{name}: `vary` has no values: give at least one for each path"
        else:
            path, values = next(iter(line.vary.items()))
            words = [value for value in values if not _is_place(value)]
            if words and not line.at:
                yield (
                    f"{name}: {words[0]!r} of vary.{path} is no number that could be a place on "
                    "the x axis: say in `at` where the points stand, a number each"
                )


def _is_place(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _wrong_points(panel: Panel) -> Iterator[str]:
    labels = {line.label for line in panel.line}
    for points in panel.points:
        if points.like and points.like not in labels:
            yield f"points {points.label!r}: no line is labelled {points.like!r}"


def _wrong_axes(panel: Panel) -> Iterator[str]:
    if panel.limits and panel.limits[0] >= panel.limits[1]:
        low, high = panel.limits
        yield f"limits are {low:g} and {high:g}: the first must be below the second"
    for side, name, values in _on_axes(panel):
        if side in (panel.log or "") and min(values, default=1.0) <= 0.0:
            yield (
                f"{name}: {min(values):g} has no place on a logarithmic {side} axis, where all is "
                f"> 0: leave it out, or {side!r} out of log"
            )


def _on_axes(panel: Panel) -> Iterator[tuple[str, str, tuple[float, ...]]]:
    """What stands on the axes: the axis, what it is, its numbers."""
    yield "y", "limits", panel.limits or ()
    yield "x", "notes", tuple(panel.notes.values())
    for points in panel.points:
        yield "x", f"points {points.label!r}, x", points.x
        yield "y", f"points {points.label!r}, y", points.y
    for line in panel.lines():
        values = line.at or next(iter(line.vary.values()), ())
        yield "x", line.label or "the line", tuple(v for v in values if _is_place(v))


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
