"""Plots: a panel for each measure of a MeasureTable, and a picture of tracks.

The left panel of tracks shows where the animals moved, the right one when each of them was seen.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.analysis.summary import Units, representative_value
from murmurate.errors import MeasureError, OutputError
from murmurate.measures.curve import Curve
from murmurate.measures.estimate import Estimate, with_error
from murmurate.measures.measure_frames import Result
from murmurate.measures.per_animal import PerAnimal
from murmurate.optional import optional
from murmurate.show.output import check_replaceable
from murmurate.show.plot_style import INKS, SIZES, Colours, Inks, SizeName, plot_look, save_plot
from murmurate.tracks import Tracks
from murmurate.tracks.tracks import find_gaps

# Value of a curve without any structure.
BASELINES = {
    "pair_correlation": 1.0, "bearings": 1.0, "density_profile": 1.0, "structure_factor": 1.0,
    "velocity_correlation": 0.0, "speed_correlation": 0.0, "heading_autocorrelation": 0.0,
    "spatiotemporal_correlation": 0.0, "leadership": 0.0, "speeding_force": 0.0,
    "turning_force": 0.0,
}  # fmt: skip
LOGARITHMIC = ("number_fluctuations", "mean_squared_displacement", "cluster_size_distribution")
PICTURES = (".png", ".svg", ".pdf")
MAX_VALUE_NAMES = 24  # animals whose names are written below their values
MAX_GAPS = 2000  # of tracks
MAX_ROW_NAMES = 36  # animals whose names are written beside their rows
MAX_POINTS = 400_000  # of all tracks; for more, only every n-th frame is drawn
MAX_COLUMNS = 1200  # of the picture of when animals were seen


def check_output_path(path: str | os.PathLike[str], endings: Iterable[str], force: bool) -> Path:
    """Return the path if it may be written, else raise OutputError.

    Parameters
    ----------
    path : str or path-like
        Output file.
    endings : iterable of str
        Allowed suffixes.
    force : bool
        True if an existing file may be replaced.
    """
    path, endings = Path(path), list(endings)
    if path.suffix.lower() not in endings:
        expected = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise OutputError(f"{path}: got ending {path.suffix!r}; expected {expected}")
    check_replaceable(path)
    if path.exists() and not force:
        raise OutputError(f"{path} already exists: --force replaces it, or give another name")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: got folder {path.parent}; expected one that exists")
    return path


def draw_measures(
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
    """Draw results, and return the path of the picture; see MeasureTable.plot.

    Parameters
    ----------
    results : mapping
        Measure name -> Result.
    title : str
        Title of the picture.
    units : Units
        Units of the axes.
    name_of : callable
        Maps the id of an animal to its name.
    """
    if style not in INKS:
        raise MeasureError(f"style: got {style!r}; expected 'light' or 'dark'")
    if size not in SIZES:
        raise MeasureError(f"size: got {size!r}; expected one of {', '.join(SIZES)}")
    path = check_output_path(path, PICTURES, force)
    drawable = {name: result for name, result in results.items() if has_points(result)}
    if not drawable:
        raise MeasureError("measures: got none with a value; expected at least one to draw")
    look, inks = SIZES[size], INKS[style]
    columns = min(len(drawable), 4 if len(drawable) > 6 else 3 if len(drawable) in (3, 5, 6) else 2)
    columns = min(columns, look.across)
    rows = math.ceil(len(drawable) / columns)
    inches = look.inches(*(7.2, 4.4) if len(drawable) == 1 else (3.5 * columns, 2.6 * rows + 0.5))
    with optional("plots", MeasureError, "plot"), plot_look(look, inks):
        from matplotlib.figure import Figure

        figure = Figure(figsize=inches, layout="constrained")
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, (name, result) in zip(panels, drawable.items(), strict=False):
            _draw_panel(axes, name, result, units, inks, name_of)
        for axes in panels[len(drawable) :]:
            axes.set_axis_off()
        if look.titled:
            figure.suptitle(title, x=0.01, ha="left", fontsize="medium")
        save_plot(figure, path, title)
    return path


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


def draw_tracks(
    tracks: Tracks, path: str | os.PathLike[str], *, style: Colours = "light", force: bool = False
) -> Path:
    """Draw tracks, and return the path of the picture.

    The left panel has the tracks in different colours, with dots at their starts and dotted lines
    across gaps; for 3-D tracks x and y. The right panel has a row per animal, coloured while it is
    seen.

    Parameters
    ----------
    tracks : Tracks
        Tracks with at least one animal that is seen.
    path : str or path-like
        .png, .svg or .pdf.
    style : {'light', 'dark'}
        Colours.
    force : bool, default False
        True to replace an existing file.

    Raises
    ------
    OutputError
        For an existing file, unless forced.
    MeasureError
        If matplotlib is missing, or no animal is seen.
    """
    with optional("plots", MeasureError, "plot"):
        from matplotlib import colormaps
    path = check_output_path(path, PICTURES, force)
    seen = np.isfinite(tracks.positions).all(axis=2)
    if not seen.any():
        raise MeasureError("tracks: no animal is seen in any frame; expected at least one")
    inks, count = INKS[style], seen.shape[1]
    colours = colormaps["viridis"](np.linspace(*inks.viridis, count))
    title = f"{Path(tracks.path).name}, {tracks.source}: {count:,} tracks, {len(seen):,} frames"
    with plot_look(SIZES["screen"], inks):
        figure = _make_track_figure(tracks, seen, colours, inks, title)
        save_plot(figure, path, title)
    return path


def _make_track_figure(
    tracks: Tracks, seen: np.ndarray, colours: np.ndarray, inks: Inks, title: str
) -> Any:
    from matplotlib.figure import Figure

    ground, ink, faint = inks.ground, inks.ink, inks.grid
    figure = Figure(figsize=(11, 5.6), layout="constrained")
    paths, times = figure.subplots(1, 2, width_ratios=(1.25, 1))
    for axes in (paths, times):
        axes.tick_params(labelsize=8, length=3)
        for side in ("top", "right", "bottom", "left"):
            axes.spines[side].set(color=faint, visible=True)
    _draw_paths(paths, tracks, colours, ink)
    _draw_times(times, tracks, seen, colours, ground)
    unit = f" ({tracks.unit})" if tracks.unit else ""
    paths.set_xlabel(f"x{unit}")
    paths.set_ylabel(f"y{unit}")
    times.set_xlabel("time (s)" if tracks.timed else "frame")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, weight="bold")
    return figure


def _draw_paths(axes: Any, tracks: Tracks, colours: np.ndarray, ink: str) -> None:
    from matplotlib.collections import LineCollection

    positions = tracks.positions[:, :, :2]
    frames, count, _ = positions.shape
    every = max(1, frames * count // MAX_POINTS)
    width = max(0.35, min(1.3, 14 / np.sqrt(count)))
    crossing = drawn_crossings(tracks, every)
    for k in range(count):
        breaks = np.flatnonzero(crossing[:, k]) + 1
        path = np.insert(positions[::every, k], breaks, np.nan, axis=0)
        axes.plot(*path.T, color=colours[k], linewidth=width, alpha=0.85,
                  solid_capstyle="round")  # fmt: skip
    gaps = find_gaps(tracks)[:MAX_GAPS]
    ends = [(k, positions[first - 1, k], positions[first + length, k]) for k, first, length in gaps]
    ends = [(k, a, b) for k, a, b in ends if not crosses_edge(tracks, b - a)]
    axes.add_collection(LineCollection(
        [(a, b) for _, a, b in ends], colors=[colours[k] for k, _, _ in ends],
        linewidths=width, linestyles=(0, (1, 1.6)),
    ))  # fmt: skip
    seen = np.isfinite(positions).all(axis=2)
    first = [(int(seen[:, k].argmax()), k) for k in range(count) if seen[:, k].any()]
    starts = np.array([positions[frame, k] for frame, k in first])
    axes.scatter(*starts.T, s=max(3.0, 60 / np.sqrt(count)), color=[colours[k] for _, k in first],
                 edgecolors=ink, linewidths=0.5, zorder=3)  # fmt: skip
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.04)
    if tracks.y_down:
        axes.invert_yaxis()
    axes.set_title("paths, starting at the dots", loc="left", fontsize=9, color=ink)


def crosses_edge(tracks: Tracks, steps: np.ndarray) -> np.ndarray:
    """Return True for (..., 2) steps across the edge of a periodic axis, where no line is drawn."""
    sides = np.where(tracks.space.periodic, tracks.space.size, np.inf)[:2]
    with np.errstate(invalid="ignore"):
        crossing: np.ndarray = (np.abs(steps) > sides / 2).any(axis=-1)
    return crossing


def drawn_crossings(tracks: Tracks, every: int) -> np.ndarray:
    """Return (F - 1, N) bool: the step to the next frame that is drawn crosses an edge."""
    return crosses_edge(tracks, np.diff(tracks.positions[::every, :, :2], axis=0))


def _draw_times(
    axes: Any, tracks: Tracks, seen: np.ndarray, colours: np.ndarray, ground: str
) -> None:
    """Draw a row per animal, coloured by the fraction of a column's frames in which it is seen."""
    from matplotlib.colors import to_rgb

    frames, count = seen.shape
    edges = np.linspace(0, frames, min(frames, MAX_COLUMNS) + 1).astype(int)
    share = np.add.reduceat(seen, edges[:-1], axis=0) / np.diff(edges)[:, None]
    background = np.array(to_rgb(ground))
    picture = background + share.T[:, :, None] * (colours[:, None, :3] - background)
    rows = picture
    if count <= MAX_ROW_NAMES:  # with background between rows
        rows = np.repeat(picture, 6, axis=0)
        rows[0::6] = rows[5::6] = background
    end = frames / tracks.rate
    axes.imshow(rows, extent=(0, end, count - 0.5, -0.5), aspect="auto", interpolation="none")
    names = list(tracks.names or ())
    if count <= MAX_ROW_NAMES:
        axes.set_yticks(range(count), [name[:18] for name in names], fontsize=7)
    else:
        axes.set_ylabel("track")
    ink = axes.xaxis.label.get_color()
    axes.set_title(f"when each is seen; {100 * tracks.missing:.2g} % of positions are missing",
                   loc="left", fontsize=9, color=ink)  # fmt: skip
