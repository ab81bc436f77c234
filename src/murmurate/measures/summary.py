"""Rows of a table of measures: one number per measure, for a curve its peak or first zero."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from murmurate.measures.curve import Curve, first_zero
from murmurate.measures.errorbars import count_events
from murmurate.measures.estimate import Estimate, with_error
from murmurate.measures.measure_frames import Result
from murmurate.measures.per_animal import PerAnimal

# A curve is represented by its highest point or its first zero. A curve over time lags is
# represented by its value at half of the frames, beyond which it is unreliable, and a survival
# curve by its value where it first is 1/2 or less, at the median age, or else by its last value.
FIRST_ZERO = ("velocity_correlation", "speed_correlation")
SURVIVAL = "survival"


@dataclass(frozen=True)
class Units:
    """Meaning of 'length' and 'time' in the units of measures.

    length  unit of lengths, such as 'mm'; '' for the model's own unit
    time  's' or 'frames'; '' for the model's own unit
    """

    length: str = ""
    time: str = ""

    def of(self, unit: str) -> str:
        """Return a unit with these units inserted: 'mm/s' for 'length/time'.

        In a text such as 'time lag, time' only the part after the last comma is a unit.
        """
        text, comma, last = unit.rpartition(", ")
        if self.length:
            last = re.sub(r"\blength\b", lambda _: self.length, last)
        if self.time:
            last = re.sub(r"(?<=/)time\b", lambda _: self.time.removesuffix("s") or "s", last)
            last = re.sub(r"\btime\b", lambda _: self.time, last)
        return text + comma + last


MODEL_UNITS = Units()


@dataclass(frozen=True)
class Row:
    """One row of the table.

    name  measure
    part  part of the measure: a state, 'peak', 'first zero', 'per animal' (the mean over animals)
        or 'in all' (the number of events); '' for a single number
    value, error  value and standard error; nan if there is none
    at  for a curve, the x value; else nan
    independent  effective number of independent samples; nan for a curve
    short  true if the run is too short for a reliable error
    note  why there is no value: 'it needs 8 boids or more, for k = 7; the flock has 3'
    interval  95% confidence interval (low, high); nan if unknown
    """

    name: str
    part: str
    value: float
    error: float
    at: float
    unit: str
    frames: int
    independent: float
    short: bool
    note: str
    interval: tuple[float, float] = (math.nan, math.nan)

    @property
    def label(self) -> str:
        """'state: milling' for a part of a measure, else the measure's name."""
        return f"{self.name}: {self.part}" if self.part else self.name

    @property
    def text(self) -> str:
        """Value and error, such as '0.953 ± 0.004' or '2.31 ± 0.05 at 1.2'."""
        if not math.isfinite(self.value):
            return "inf" if math.isinf(self.value) else "-"
        position = f" at {self.at:.3g}" if math.isfinite(self.at) else ""
        return with_error(self.value, self.error) + position


def has_value(row: Row) -> bool:
    """Return True for a row with a number."""
    return not math.isnan(row.value)


def make_rows(results: dict[str, Result], frames: int, units: Units) -> Iterator[Row]:
    """Yield the rows of the table, in the order of the measures."""
    for name, result in results.items():
        unit, value = units.of(result.measure.unit), result.value
        if isinstance(value, Estimate):
            series = result.series
            count = frames if series is None else int(np.isfinite(series).sum())
            yield _row(name, "", value, unit, count, note=result.missing)
        elif isinstance(value, dict) and value:
            for word, share in value.items():
                yield _row(name, word, share, "share of frames", frames)
        elif isinstance(value, Curve):
            part, estimate, at = representative_value(name, value, result.measure.across)
            if part == "first zero":
                unit = units.of(result.measure.across).rpartition(", ")[2]
            note = result.missing
            if not note and math.isnan(estimate.value):
                note = "the curve does not fall from above 0 to 0"
            yield _row(name, part, estimate, unit, frames, at, note)
        elif isinstance(value, PerAnimal):
            yield _row(name, "per animal", value.mean, unit, frames, note=result.missing)
            if value.events and len(value):
                yield _row(name, "in all", count_events(len(value.events["first"])), unit, frames)
        else:
            none = Estimate(math.nan, math.nan, 0.0, "")
            yield _row(name, "", none, unit, 0, note=result.missing)


def representative_value(name: str, curve: Curve, across: str) -> tuple[str, Estimate, float]:
    """Return the most informative number of a curve: its name, value and x value."""
    y, nan = curve.y, math.nan
    error = np.full(len(curve), nan) if curve.error is None else curve.error
    finite = np.flatnonzero(np.isfinite(y))
    if not len(finite):
        return "", Estimate(nan, nan, 0.0, ""), nan
    if name in FIRST_ZERO:
        return "first zero", Estimate(*first_zero(curve), nan, ""), nan
    if name == SURVIVAL:
        i = int(next((k for k in finite if y[k] <= 0.5), finite[-1]))
        part = "at the median age" if y[i] <= 0.5 else "at the largest age"
        return part, Estimate(float(y[i]), float(error[i]), nan, ""), float(curve.x[i])
    if across.startswith("time lag"):
        half = finite[finite <= (len(curve) - 1) / 2]
        i = int(half[-1]) if len(half) else int(finite[0])
        return "at half the time", Estimate(float(y[i]), float(error[i]), nan, ""), curve.x[i]
    i = int(finite[np.argmax(y[finite])])
    return "peak", Estimate(float(y[i]), float(error[i]), nan, ""), float(curve.x[i])


def _row(
    name: str,
    part: str,
    estimate: Estimate,
    unit: str,
    frames: int,
    at: float = math.nan,
    note: str = "",
) -> Row:
    """Return the row of an estimate."""
    low, high = estimate.interval()
    if not (math.isfinite(low) and math.isfinite(high)):
        low = high = math.nan
    return Row(
        name, part, estimate.value, estimate.error, float(at), unit, frames, estimate.independent,
        estimate.short, note, (low, high),
    )  # fmt: skip
