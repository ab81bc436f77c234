"""Figure: a picture that a model's file asks for, as data: what is varied, what is measured, and
what others found."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat, model_validator

from murmurate.model.value import Value

Step = Annotated[int, Field(ge=0)]


class Points(Value):
    """Values to compare with, and where they come from."""

    label: str
    """What the legend says."""
    x: tuple[FiniteFloat, ...]
    """Where they stand on the x axis."""
    y: tuple[FiniteFloat, ...]
    """The values."""
    error: tuple[Annotated[FiniteFloat, Field(ge=0)], ...] = ()
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
    at: tuple[FiniteFloat, ...] = ()
    """Where the points stand on the x axis; the values of the first path varied unless given. Of
    a line in time: its two ends on the axis; times unless given."""
    measure: str = ""
    """The measure's name."""
    flock: str = ""
    """The flock that is measured; 'all' for the boids of all flocks together."""
    since: Step | None = None
    """Measured from this step on."""
    step: Step | None = None
    """Up to this one."""
    every: Annotated[int, Field(ge=1)] | None = None
    """Steps from one measurement to the next."""
    relative: bool | None = None
    """Whether values are divided by what they were at step 0."""
    seeds: tuple[int, ...] = ()
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
    shows: Literal["mean", "binder", "time", "distribution"] = "mean"
    """mean: the mean of each point's runs, with its standard error; binder: their Binder cumulant,
    1 - <m^4> / (3 <m^2>^2); time: the measure against time, the mean over seeds in its standard
    error; distribution: how often the measure takes which value."""
    x: str
    """What the x axis says, with its unit."""
    y: str
    """What the y axis says, with its unit."""
    log: Literal["x", "y", "xy"] | None = None
    """Axes with a logarithmic scale."""
    limits: tuple[FiniteFloat, FiniteFloat] | None = None
    """The two ends of the y axis; as the values need unless given."""
    notes: dict[str, FiniteFloat] = Field(default={})
    """Words above the panel -> where on the x axis they stand."""
    measure: str = "polarization"
    """The measure's name."""
    flock: str = "boids"
    """The flock that is measured; 'all' for the boids of all flocks together."""
    set: dict[str, Any] = Field(default={})
    """What is changed in the model first, for all lines: dotted path -> value."""
    vary: dict[str, tuple[Any, ...]] = Field(default={})
    """Dotted path -> values, changed side by side: a point of each line for each."""
    at: tuple[FiniteFloat, ...] = ()
    """Where the points stand on the x axis; the values of the first path varied unless given."""
    since: Step = 0
    """Measured from this step on."""
    step: Step
    """Up to this one."""
    every: Annotated[int, Field(ge=1)] = 1
    """Steps from one measurement to the next."""
    relative: bool = False
    """Whether values are divided by what they were at step 0."""
    seeds: tuple[int, ...] = (1,)
    """Seeds of the runs of each point."""
    line: tuple[Line, ...] = ()
    """The lines; one, with all that the figure says, unless given."""
    points: tuple[Points, ...] = ()
    """Values to compare with."""

    @model_validator(mode="after")
    def _drawable(self) -> Panel:
        for line in self.lines():
            name = line.label or "the line"
            if (line.since or 0) > (line.step or 0):
                raise ValueError(f"{name}: since is {line.since}: it must be <= step ({line.step})")
            lengths = {len(values) for values in line.vary.values()}
            if self.shows in ("time", "distribution"):
                if lengths or len(line.at) not in (0, 2):
                    raise ValueError(
                        f"{name}: a {self.shows} varies nothing, and `at` has two ends"
                    )
            elif len(lengths) != 1 or (line.at and len(line.at) not in lengths):
                raise ValueError(
                    f"{name}: a {self.shows} needs `vary`, equally many values for each path (and "
                    "for `at`)"
                )
        labels = {line.label for line in self.line}
        for points in self.points:
            if points.like and points.like not in labels:
                raise ValueError(f"points {points.label!r}: no line is labelled {points.like!r}")
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
