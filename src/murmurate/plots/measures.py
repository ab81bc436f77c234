"""Plot measures: a panel for each measure of a MeasureTable."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.measures.curve import Curve
from murmurate.measures.estimate import Estimate, with_error
from murmurate.measures.measure_frames import Result
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.summary import Units, representative_value
from murmurate.plots.style import (
    INKS,
    SIZES,
    Colours,
    Inks,
    SizeName,
    begin_plot,
    check_look,
    clip_values,
    make_axes,
)

# Value of a curve without any structure.
BASELINES = {
    "pair_correlation": 1.0, "bearings": 1.0, "density_profile": 1.0, "structure_factor": 1.0,
    "velocity_correlation": 0.0, "speed_correlation": 0.0, "heading_autocorrelation": 0.0,
    "spatiotemporal_correlation": 0.0, "leadership": 0.0, "speeding_force": 0.0,
    "turning_force": 0.0,
}  # fmt: skip
LOGARITHMIC = ("number_fluctuations", "mean_squared_displacement", "cluster_size_distribution")
CONSTANT = 1e-5  # of a value: smaller differences are those of rounding
MAX_VALUE_NAMES = 24  # animals whose names are written below their values


def plot_measures(
    results: Mapping[str, Result],
    ax: Any = None,
    *,
    units: Units,
    style: Colours = "light",
    size: SizeName = "screen",
    name_of: Callable[[int], str] = str,
) -> Any:
    """Plot results, a panel per measure with a value. See `MeasureTable.plot`.

    ax  one per measure with a value. The default is a new figure.
    units  units of the axes
    name_of  maps the id of an animal to its name
    returns  (n,)
    """
    check_look(style, size, MeasureError)
    drawable = _drawable(results)
    if ax is None:
        rows, columns = _shape(len(drawable), SIZES[size].across)
        panels = make_axes(style, size, (rows, columns)).ravel()
        for axes in panels[len(drawable) :]:
            axes.set_axis_off()
        panels = panels[: len(drawable)]
    else:
        panels = np.array(ax, dtype=object).ravel()
        if len(panels) != len(drawable):
            raise MeasureError(
                f"ax: got {len(panels)} Axes; expected {len(drawable)}, one for each of "
                f"{', '.join(drawable)}. Name the measures in measure()"
            )
    for axes, (name, result) in zip(panels, drawable.items(), strict=True):
        _draw_panel(axes, name, result, units, INKS[style], name_of)
    return panels[0] if len(panels) == 1 else panels


def save_measures_plot(
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
    """Plot results to a file, and return its path. See `plot_measures` and `save_plot`."""
    plot = begin_plot(path, style, size, MeasureError, force)
    drawable, look = _drawable(results), plot.look
    rows, columns = _shape(len(drawable), look.across)
    inches = look.inches(*(7.2, 4.4) if len(drawable) == 1 else (3.5 * columns, 2.6 * rows + 0.5))
    with plot.figure(title, inches) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, (name, result) in zip(panels, drawable.items(), strict=False):
            _draw_panel(axes, name, result, units, plot.inks, name_of)
        for axes in panels[len(drawable) :]:
            axes.set_axis_off()
        if look.titled:
            figure.suptitle(title, x=0.01, ha="left", fontsize="medium")
    return plot.path


def _drawable(results: Mapping[str, Result]) -> dict[str, Result]:
    """Return the results that have a value. Raises MeasureError if none has."""
    drawable = {name: result for name, result in results.items() if has_points(result)}
    if not drawable:
        raise MeasureError("measures: got none with a value; expected at least one to draw")
    return drawable


def _shape(panels: int, max_columns: int) -> tuple[int, int]:
    """Return the number of rows and columns of a figure."""
    columns = min(panels, 4 if panels > 6 else 3 if panels in (3, 5, 6) else 2, max_columns)
    return math.ceil(panels / columns), columns


def has_points(result: Result) -> bool:
    """Return True if a result has a finite value."""
    if isinstance(result.value, Curve):
        return bool(np.isfinite(result.value.y).any())
    if isinstance(result.value, Estimate):
        return math.isfinite(result.value.value)
    if isinstance(result.value, PerAnimal):
        return bool(np.isfinite(result.value.values).any())
    return bool(result.value)


def heading(name: str, result: Result) -> str:
    """Return the title of a panel with the option k: 'kth neighbour distance, k = 7'."""
    k = result.options.get("k") if result.options.get("radius") is None else None
    return name.replace("_", " ") + ("" if k is None else f", k = {k}")


def time_label(quantity: str, unit: str) -> str:
    """Return an axis label such as 'time (s)'; without a unit if it is the model's own."""
    return f"{quantity} ({unit})" if unit else quantity


def x_label(result: Result, units: Units) -> str:
    """Return the x label of a curve: 'distance (mm)' for 'distance, length'."""
    quantity, comma, unit = units.of(result.measure.across).rpartition(", ")
    return f"{quantity} ({unit})" if comma else unit


def y_label(result: Result, units: Units) -> str:
    """Return the y label: 'mm²' for a measure in 'length^2', '' for one without a unit."""
    unit = units.of(result.measure.unit).replace("^2", "²").replace("^D", "ᴰ")
    return "" if unit == "1" else unit


def _draw_panel(
    axes: Any, name: str, result: Result, units: Units, inks: Inks, name_of: Callable[[int], str]
) -> None:
    axes.grid()
    axes.set_title(f"{heading(name, result)}\n", loc="left", weight="bold")
    if isinstance(result.value, Curve):
        text = _draw_curve(axes, name, result, units, inks)
    elif isinstance(result.value, PerAnimal):
        text = _draw_animals(axes, result, units, inks, name_of)
    elif isinstance(result.value, dict):
        text = _draw_words(axes, result, inks)
    else:
        text = _draw_series(axes, result, units, inks)
    if axes.get_yscale() == "linear":
        clip_values(axes, name)
    axes.yaxis.get_offset_text().set(x=-0.02, horizontalalignment="right")  # beside the text
    axes.annotate(
        text, (0, 1), (0, 4), "axes fraction", "offset points", fontsize="small", color=inks.mean
    )


def _draw_series(axes: Any, result: Result, units: Units, inks: Inks) -> str:
    """Draw a number over time, or a single number for all frames. Return its description."""
    line, mean = inks.line, inks.mean
    value = result.value
    assert isinstance(value, Estimate)
    short = value.short and math.isfinite(value.error)
    text = with_error(value.value, value.error)
    if math.isfinite(value.error):
        text += " (standard error" + (", too short to say)" if short else "; band: 95%)")
    low, high = value.interval()
    has_interval = math.isfinite(low + high)
    axes.set_ylabel(y_label(result, units))
    if result.series is None:  # one number for all frames
        bars = [[value.value - low], [high - value.value]] if has_interval else None
        axes.errorbar([0], [value.value], bars, color=mean, marker="o", capsize=4)
        axes.set_xticks([])
        return text
    times = result.times
    axes.set_xlabel(time_label("time", units.time))
    if len(times) == 1:
        axes.plot(times, result.series, color=mean, marker="o")
        axes.set_xticks(times)
        return text
    axes.plot(times, result.series, color=line, linewidth=0.9)
    isolated = isolated_values(result.series)
    axes.plot(
        times[isolated],
        result.series[isolated],
        color=line,
        linestyle="",
        marker="o",
        markersize=2.4,
    )
    if has_interval:
        axes.axhspan(low, high, color=mean, alpha=0.22, linewidth=0)
    axes.axhline(value.value, color=mean, linewidth=1.4)
    if np.nanmax(result.series) - np.nanmin(result.series) <= CONSTANT * abs(value.value):
        margin = 0.1 * abs(value.value) or 1.0
        axes.set_ylim(value.value - margin, value.value + margin)
    axes.set_xlim(times[0], times[-1])
    return text


def _draw_animals(
    axes: Any, result: Result, units: Units, inks: Inks, name_of: Callable[[int], str]
) -> str:
    """Draw a point per animal, and the mean with its 95% interval. Return the mean as text."""
    values = result.value
    assert isinstance(values, PerAnimal)
    finite = np.isfinite(values.values)
    x = np.arange(len(values))
    mean = values.mean
    low, high = mean.interval()
    if math.isfinite(low + high):
        axes.axhspan(low, high, color=inks.mean, alpha=0.22, linewidth=0)
    if len(values) > 1 and math.isfinite(mean.value):
        axes.axhline(mean.value, color=inks.mean, linewidth=1.4)
    size = 5 if len(values) <= MAX_VALUE_NAMES else 2.4
    axes.plot(x[finite], values.values[finite], color=inks.line, linestyle="", marker="o",
              markersize=size)  # fmt: skip
    names = [name_of(animal)[:18] for animal in values]
    if len(values) <= MAX_VALUE_NAMES:
        vertical = sum(map(len, names)) > 30
        axes.set_xticks(x, names, rotation=90 if vertical else 0)
        axes.set_xlim(-0.6, len(values) - 0.4)
    else:
        axes.set_xlabel("animal, in order")
    axes.set_ylabel(y_label(result, units))
    if not math.isfinite(mean.value):
        return ""
    error = math.isfinite(mean.error)
    return f"mean {with_error(mean.value, mean.error)}" + (" (band: 95%)" if error else "")


def isolated_values(series: np.ndarray) -> np.ndarray:
    """Return (T,) bool: values between missing ones, which a line would not show."""
    finite = np.concatenate([[False], np.isfinite(series), [False]])
    return np.asarray(finite[1:-1] & ~finite[:-2] & ~finite[2:])


def _draw_curve(axes: Any, name: str, result: Result, units: Units, inks: Inks) -> str:
    line, mean = inks.line, inks.mean
    curve = result.value
    assert isinstance(curve, Curve)
    finite = np.isfinite(curve.y)
    # Error bars are behind the line, and few enough to be distinguished.
    x, y = curve.x[finite], curve.y[finite]
    if curve.error is not None:
        errors = np.nan_to_num(curve.error[finite])
        axes.fill_between(x, y - errors, y + errors, color=mean, alpha=0.15, linewidth=0)
        some = slice(None, None, max(1, len(x) // 40))
        axes.errorbar(x[some], y[some], yerr=errors[some], fmt="none", ecolor=line, elinewidth=1.0,
                      capsize=1.5)  # fmt: skip
    axes.plot(x, y, color=mean, linewidth=1.2, marker="o" if len(x) <= 60 else None, markersize=2.4)
    if name in BASELINES:
        axes.axhline(BASELINES[name], color=inks.ink, linewidth=0.7, linestyle=(0, (4, 3)))
    if name in LOGARITHMIC and (x > 0).sum() > 2 and (y[x > 0] > 0).all():
        axes.set_xscale("log")
        if name != "cluster_size_distribution":
            axes.set_yscale("log")
    lags = result.measure.across.startswith("time lag")
    axes.set_xlabel(time_label("time lag", units.time) if lags else x_label(result, units))
    if len(x) == 1:
        axes.set_xticks(x)
    axes.set_ylabel(y_label(result, units))
    part, value, at = representative_value(name, curve, result.measure.across)
    if not math.isfinite(value.value):
        return ""
    position = f" at {at:.3g}" if math.isfinite(at) else ""
    errors = "; bars: standard errors" if curve.error is not None else ""
    return f"{part} {with_error(value.value, value.error)}{position}{errors}"


def _draw_words(axes: Any, result: Result, inks: Inks) -> str:
    line, mean = inks.line, inks.mean
    shares = result.value
    assert isinstance(shares, dict)
    names = sorted(shares, key=lambda word: shares[word].value)
    values = [shares[word].value for word in names]
    errors = [
        [
            min(np.nan_to_num(shares[word].error), limit) or math.nan  # nan draws no error bar
            for word, limit in zip(names, limits, strict=True)
        ]
        for limits in (values, [1 - value for value in values])  # shares are between 0 and 1
    ]
    axes.barh(names, values, xerr=errors, color=line, ecolor=mean, capsize=2.5, height=0.5)
    axes.set_xlim(0, 1)
    margin = max(0.6, (3.5 - len(names)) / 2)  # a single bar must not fill the panel
    axes.set_ylim(-margin, len(names) - 1 + margin)
    axes.set_xlabel("share of frames; bars: standard errors")
    return f"mostly {names[-1]}" if len(names) > 1 else f"always {names[-1]}"
