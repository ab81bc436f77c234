"""Summary: the rows of a table: a number a measure, of a curve its peak or first zero."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from murmurate.analysis.units import Units
from murmurate.measures.curve import Curve
from murmurate.measures.errorbars import counted
from murmurate.measures.estimate import Estimate, with_error
from murmurate.measures.measure_frames import Result
from murmurate.measures.per_animal import PerAnimal

# What to say of a curve: its highest point, its first zero, or (of those over time lags) what it
# has come to after half of the frames, beyond which it says little.
ZEROS = ("velocity_correlation", "speed_correlation")


@dataclass(frozen=True)
class Row:
    """One line of the table.

    name, part   the measure, and which part of it: a state's name, 'peak', 'first zero', 'per
                 animal' (the mean over animals), 'in all' (the number of events)
    value, error nan where there is none, or where it is not known
    at           of a curve: where
    unit         of the value
    frames       how many frames had a value
    independent  how many independent samples the mean stands on; nan of a curve
    short        whether the run is too short to trust the error
    note         why there is no value
    interval     (low, high) that holds the true value with 95%; nan where nobody knows
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
        return f"{self.name}: {self.part}" if self.part else self.name

    @property
    def text(self) -> str:
        """'0.953 ± 0.004', '2.31 ± 0.05 at 1.2'."""
        if not math.isfinite(self.value):
            return "inf" if math.isinf(self.value) else "-"
        place = f" at {self.at:.3g}" if math.isfinite(self.at) else ""
        return with_error(self.value, self.error) + place


def has_value(row: Row) -> bool:
    """Whether a line has a number."""
    return not math.isnan(row.value)


def rows(results: dict[str, Result], frames: int, units: Units) -> Iterator[Row]:
    """The lines of the table, in the order of the measures."""
    for name, result in results.items():
        unit, value = units.of(result.measure.unit), result.value
        if isinstance(value, Estimate):
            series = result.series
            known = frames if series is None else int(np.isfinite(series).sum())
            yield _row(name, "", value, unit, known)
        elif isinstance(value, dict):
            for word, share in value.items():
                yield _row(name, word, share, "share of frames", frames)
        elif isinstance(value, Curve):
            part, estimate, at = telling(name, value, result.measure.across)
            if part == "first zero":
                unit = units.of(result.measure.across).rpartition(", ")[2]
            yield _row(name, part, estimate, unit, frames, at)
        elif isinstance(value, PerAnimal):
            yield _row(name, "per animal", value.mean, unit, frames)
            if value.events and len(value):
                yield _row(name, "in all", counted(len(value.events["first"])), unit, frames)
        else:
            none = Estimate(math.nan, math.nan, 0.0, "")
            yield _row(name, "", none, unit, 0, note=result.left_out)


def telling(name: str, curve: Curve, across: str) -> tuple[str, Estimate, float]:
    """The most informative number of a curve: its name, its value, and where it is."""
    y = curve.y
    error = np.full(len(curve), math.nan) if curve.error is None else curve.error
    known = np.flatnonzero(np.isfinite(y))
    nan = math.nan
    if not len(known):
        return "", Estimate(nan, nan, 0.0, ""), nan
    if name in ZEROS:
        return "first zero", _zero(curve.x[known], y[known], error[known]), nan
    if across.startswith("time lag"):
        half = known[known <= (len(curve) - 1) / 2]
        at = int(half[-1]) if len(half) else int(known[0])
        return "at half the time", Estimate(float(y[at]), float(error[at]), nan, ""), curve.x[at]
    at = int(known[np.argmax(y[known])])
    return "peak", Estimate(float(y[at]), float(error[at]), nan, ""), float(curve.x[at])


def _zero(x: np.ndarray, y: np.ndarray, error: np.ndarray) -> Estimate:
    """Where a curve first comes down to 0, on the line between two points; its error is that of the
    points by the slope between them."""
    below = np.flatnonzero(y <= 0)
    if not len(below) or below[0] == 0:
        return Estimate(math.nan, math.nan, math.nan, "")
    b = int(below[0])
    a, slope = b - 1, (y[b - 1] - y[b]) / (x[b] - x[b - 1])
    share = y[a] / (y[a] - y[b])
    wide = math.hypot((1 - share) * error[a], share * error[b]) / slope
    return Estimate(float(x[a] + share * (x[b] - x[a])), wide, math.nan, "")


def _row(
    name: str,
    part: str,
    one: Estimate,
    unit: str,
    frames: int,
    at: float = math.nan,
    note: str = "",
) -> Row:
    ends = one.interval()
    interval = ends if all(map(math.isfinite, ends)) else (math.nan, math.nan)
    return Row(name, part, one.value, one.error, float(at), unit, frames, one.independent,
               one.short, note, interval)  # fmt: skip
