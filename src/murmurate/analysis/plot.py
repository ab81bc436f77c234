"""The plot of a MeasureTable: a panel a measure, with its error."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.analysis.output import target
from murmurate.analysis.summary import telling
from murmurate.analysis.units import Units
from murmurate.measures.curve import Curve
from murmurate.measures.estimate import Estimate, with_error
from murmurate.measures.limits import MeasureError
from murmurate.measures.measure_frames import Result
from murmurate.measures.per_animal import PerAnimal
from murmurate.optional import optional
from murmurate.show.plot_style import INKS, SIZES, Colours, Inks, SizeName, plot_look, save_plot

# Where a curve would lie without any structure.
LEVELS = {"pair_correlation": 1.0, "bearings": 1.0, "density_profile": 1.0,
          "structure_factor": 1.0, "velocity_correlation": 0.0, "speed_correlation": 0.0,
          "heading_autocorrelation": 0.0, "spatiotemporal_correlation": 0.0, "leadership": 0.0,
          "speeding_force": 0.0, "turning_force": 0.0}  # fmt: skip
NAMED = 24  # animals whose names are written below their values
LOGARITHMIC = ("number_fluctuations", "mean_squared_displacement", "cluster_size_distribution")


def draw(
    results: Mapping[str, Result],
    path: str | os.PathLike[str],
    *,
    title: str,
    units: Units,
    style: Colours = "light",
    size: SizeName = "screen",
    force: bool = False,
    name_of: Callable[[int], str] = str,
) -> Path:
    """Draws results; returns the picture's path. See MeasureTable.plot, whose title and
    units these are."""
    if style not in INKS:
        raise MeasureError(f"style is {style!r}: it must be light or dark")
    if size not in SIZES:
        raise MeasureError(f"size is {size!r}: it must be one of {', '.join(SIZES)}")
    path = target(path, (".png", ".svg", ".pdf"), force)
    shown = {name: one for name, one in results.items() if drawable(one)}
    if not shown:
        raise MeasureError("there is nothing to draw: none of the measures has a value")
    look, inks = SIZES[size], INKS[style]
    columns = min(len(shown), 4 if len(shown) > 6 else 3 if len(shown) in (3, 5, 6) else 2)
    columns = min(columns, look.across)
    down = math.ceil(len(shown) / columns)
    inches = look.inches(*(7.2, 4.4) if len(shown) == 1 else (3.5 * columns, 2.6 * down + 0.5))
    with optional("plots", MeasureError, "plot"), plot_look(look, inks):
        from matplotlib.figure import Figure

        figure = Figure(figsize=inches, layout="constrained")
        panels = figure.subplots(down, columns, squeeze=False).ravel()
        for axes, (name, one) in zip(panels, shown.items(), strict=False):
            _panel(axes, name, one, units, inks, name_of)
        for axes in panels[len(shown) :]:
            axes.set_axis_off()
        if look.titled:
            figure.suptitle(title, x=0.01, ha="left", fontsize="medium")
        save_plot(figure, path, title)
    return path


def drawable(one: Result) -> bool:
    """Whether there is anything to see."""
    if isinstance(one.value, Curve):
        return bool(np.isfinite(one.value.y).any())
    if isinstance(one.value, Estimate):
        return math.isfinite(one.value.value)
    if isinstance(one.value, PerAnimal):
        return bool(np.isfinite(one.value.values).any())
    return bool(one.value)


def heading(name: str, one: Result) -> str:
    """'kth neighbour distance, k = 7': which neighbour is meant is half of what it says."""
    k = one.options.get("k") if one.options.get("radius") is None else None
    return name.replace("_", " ") + ("" if k is None else f", k = {k}")


def time_axis(what: str, unit: str) -> str:
    """'time (s)', 'time lag (frames)'; without a unit where it is the model's own."""
    return f"{what} ({unit})" if unit else what


def across(one: Result, units: Units) -> str:
    """'distance (mm)' of a curve over 'distance, length'."""
    what, comma, unit = units.of(one.measure.across).rpartition(", ")
    return f"{what} ({unit})" if comma else unit


def up(one: Result, units: Units) -> str:
    """'mm²' of a measure in 'length^2'; '' of one without a unit."""
    unit = units.of(one.measure.unit).replace("^2", "²").replace("^D", "ᴰ")
    return "" if unit == "1" else unit


def _panel(
    axes: Any, name: str, one: Result, units: Units, inks: Inks, name_of: Callable[[int], str]
) -> None:
    axes.grid()
    axes.set_title(f"{heading(name, one)}\n", loc="left", weight="bold")
    if isinstance(one.value, Curve):
        said = _curve(axes, name, one, units, inks)
    elif isinstance(one.value, PerAnimal):
        said = _animals(axes, one, units, inks, name_of)
    elif isinstance(one.value, dict):
        said = _words(axes, one, inks)
    else:
        said = _series(axes, one, units, inks)
    axes.annotate(
        said, (0, 1), (0, 4), "axes fraction", "offset points", fontsize="small", color=inks.mean
    )


def _series(axes: Any, one: Result, units: Units, inks: Inks) -> str:
    """A number over time; or, where there is but one for all frames, that alone."""
    line, mean = inks.line, inks.mean
    value = one.value
    assert isinstance(value, Estimate)
    short = value.short and math.isfinite(value.error)
    said = with_error(value.value, value.error)
    if math.isfinite(value.error):
        said += " (standard error" + (", too short to say)" if short else "; band: 95%)")
    low, high = value.interval()
    known = math.isfinite(low + high)
    axes.set_ylabel(up(one, units))
    if one.series is None:  # one number for all frames
        bars = [[value.value - low], [high - value.value]] if known else None
        axes.errorbar([0], [value.value], bars, color=mean, marker="o", capsize=4)
        axes.set_xticks([])
        return said
    times = one.times
    axes.set_xlabel(time_axis("time", units.time))
    if len(times) == 1:
        axes.plot(times, one.series, color=mean, marker="o")
        axes.set_xticks(times)
        return said
    axes.plot(times, one.series, color=line, linewidth=0.9)
    alone = lone(one.series)
    axes.plot(times[alone], one.series[alone], color=line, linestyle="", marker="o", markersize=2.4)
    if known:
        axes.axhspan(low, high, color=mean, alpha=0.22, linewidth=0)
    axes.axhline(value.value, color=mean, linewidth=1.4)
    axes.set_xlim(times[0], times[-1])
    return said


def _animals(
    axes: Any, one: Result, units: Units, inks: Inks, name_of: Callable[[int], str]
) -> str:
    """A point per animal, in the order of their names; their mean in its 95% interval."""
    found = one.value
    assert isinstance(found, PerAnimal)
    known = np.isfinite(found.values)
    place = np.arange(len(found))
    mean = found.mean
    low, high = mean.interval()
    if math.isfinite(low + high):
        axes.axhspan(low, high, color=inks.mean, alpha=0.22, linewidth=0)
    if len(found) > 1 and math.isfinite(mean.value):
        axes.axhline(mean.value, color=inks.mean, linewidth=1.4)
    axes.plot(place[known], found.values[known], color=inks.line, linestyle="", marker="o",
              markersize=5 if len(found) <= NAMED else 2.4)  # fmt: skip
    names = [name_of(animal)[:18] for animal in found]
    if len(found) <= NAMED:
        turned = sum(map(len, names)) > 30
        axes.set_xticks(place, names, rotation=90 if turned else 0)
        axes.set_xlim(-0.6, len(found) - 0.4)
    else:
        axes.set_xlabel("animal, in order")
    axes.set_ylabel(up(one, units))
    if not math.isfinite(mean.value):
        return ""
    error = math.isfinite(mean.error)
    return f"mean {with_error(mean.value, mean.error)}" + (" (band: 95%)" if error else "")


def lone(series: np.ndarray) -> np.ndarray:
    """(T,) bool: values without one before or after, which a line would not show."""
    known = np.concatenate([[False], np.isfinite(series), [False]])
    return np.asarray(known[1:-1] & ~known[:-2] & ~known[2:])


def _curve(axes: Any, name: str, one: Result, units: Units, inks: Inks) -> str:
    line, mean = inks.line, inks.mean
    curve = one.value
    assert isinstance(curve, Curve)
    known = np.isfinite(curve.y)
    # Points are tied together by a line; error bars stay behind it, and are few enough to be seen.
    x, y = curve.x[known], curve.y[known]
    if curve.error is not None:
        errors = np.nan_to_num(curve.error[known])
        axes.fill_between(x, y - errors, y + errors, color=mean, alpha=0.15, linewidth=0)
        some = slice(None, None, max(1, len(x) // 40))
        axes.errorbar(x[some], y[some], yerr=errors[some], fmt="none", ecolor=line, elinewidth=1.0,
                      capsize=1.5)  # fmt: skip
    axes.plot(x, y, color=mean, linewidth=1.2, marker="o" if len(x) <= 60 else None, markersize=2.4)
    if name in LEVELS:
        axes.axhline(LEVELS[name], color=inks.ink, linewidth=0.7, linestyle=(0, (4, 3)))
    if name in LOGARITHMIC and (x > 0).sum() > 2 and (y[x > 0] > 0).all():
        axes.set_xscale("log")
        if name != "cluster_size_distribution":
            axes.set_yscale("log")
    lags = one.measure.across.startswith("time lag")
    axes.set_xlabel(time_axis("time lag", units.time) if lags else across(one, units))
    if len(x) == 1:
        axes.set_xticks(x)
    axes.set_ylabel(up(one, units))
    part, value, at = telling(name, curve, one.measure.across)
    if not math.isfinite(value.value):
        return ""
    place = f" at {at:.3g}" if math.isfinite(at) else ""
    errors = "; bars: standard errors" if curve.error is not None else ""
    return f"{part} {with_error(value.value, value.error)}{place}{errors}"


def _words(axes: Any, one: Result, inks: Inks) -> str:
    line, mean = inks.line, inks.mean
    shares = one.value
    assert isinstance(shares, dict)
    names = sorted(shares, key=lambda word: shares[word].value)
    values = [shares[word].value for word in names]
    errors = [
        [
            min(np.nan_to_num(shares[word].error), room) or math.nan  # no mark for no error
            for word, room in zip(names, rooms, strict=True)
        ]
        for rooms in (values, [1 - value for value in values])  # no share is below 0 or above 1
    ]
    axes.barh(names, values, xerr=errors, color=line, ecolor=mean, capsize=2.5, height=0.5)
    axes.set_xlim(0, 1)
    spare = max(0.6, (3.5 - len(names)) / 2)  # so that a single bar does not fill the panel
    axes.set_ylim(-spare, len(names) - 1 + spare)
    axes.set_xlabel("share of frames; bars: standard errors")
    return f"mostly {names[-1]}" if len(names) > 1 else f"always {names[-1]}"
