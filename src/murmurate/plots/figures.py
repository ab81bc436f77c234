"""Plot the figure of a model: its lines with error bars, and published values."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import OutputError
from murmurate.measures.estimate import Estimate
from murmurate.model.results import Panel, Points
from murmurate.plots.style import (
    DASHES,
    INKS,
    MARKERS,
    SIZES,
    Colours,
    PlotSize,
    SizeName,
    check_look,
    check_output_path,
    clip_values,
    make_axes,
    plot_look,
    save_figure,
)
from murmurate.show.styles import STYLES
from murmurate.verify.figure_runs import LineData, align_runs, binder_over_runs, mean_over_runs

MIN_DECADES_RATIO = 1e3  # an axis of a smaller range has plain numbers
COLOURS = 128  # of a .png

# how points are drawn, and what the legend says about their origin
ORIGINS = {
    "published": ("published", {"marker": "*", "ms": 10}),
    "reproduced": ("an independent program", {"marker": "s", "ms": 7}),
    "quoted": ("quoted by others, not confirmed", {"marker": "x", "ms": 7}),
    "exact": ("", {}),
}

ORIGIN_NOTES = {
    "published": "stars: numbers of the paper, or of a program or data of its authors",
    "reproduced": "open squares: an independent program",
    "quoted": "crosses: quoted by others, not confirmed",
    "exact": "thin dashed lines without markers: exact results and formulas of the source",
}


def check_figure_path(
    path: str | os.PathLike[str], force: bool = False, style: str = "light", size: str = "screen"
) -> Path:
    """Return the path of a figure if it may be written, before the runs begin.

    Raises OutputError for another ending, an existing file, a missing folder, an unknown style or
    size, and if matplotlib is missing.
    """
    path = check_output_path(path, force=force)
    check_look(style, size, OutputError)
    return path


def plot_panel(
    panel: Panel, lines: Sequence[LineData], ax: Any = None, *, style: Colours = "light",
    size: SizeName = "screen",
) -> Any:  # fmt: skip
    """Plot one panel of a figure, and return its Axes.

    panel, lines  what `simulate_figure` returns for a panel
    ax  axes of matplotlib. The default is a new figure.
    style  colours
    size  size of the text and of a new figure
    """
    check_look(style, size, OutputError)
    axes = make_axes(style, size)[0, 0] if ax is None else ax
    box = tuple(axes.get_window_extent().size / axes.figure.dpi)
    _draw_panel(axes, panel, lines, "", style, SIZES[size], box)
    return axes


def save_model_figure(
    panels: Sequence[tuple[Panel, Sequence[LineData]]],
    path: str | os.PathLike[str],
    *,
    title: str = "",
    remark: str = "",
    style: Colours = "light",
    size: SizeName = "screen",
    force: bool = False,
) -> Path:
    """Plot the panels that `simulate_figure` returns to a file, and return its path.

    Error bars are standard errors, the larger of those over seeds and within runs. They are faint
    if few or short runs make them unreliable. `remark` follows the text below the panels. Raises
    OutputError as `check_figure_path`.
    """
    path = check_figure_path(path, force, style, size)
    look, inks = SIZES[size], INKS[style]
    across = min(look.across, 1 if len(panels) == 1 else 2)
    down = math.ceil(len(panels) / across)
    wide, high = look.inches(*(6.2, 3.7) if across == 1 else (9.6, 3.4))
    with plot_look(look, inks):
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08, wspace=0.04, hspace=0.06)
        figure = Figure(figsize=(wide, high * down), layout=layout)
        grid = figure.add_gridspec(down, across)
        legends = [0] * down  # lines of text below the panels of each row
        for k, (panel, lines) in enumerate(panels):
            last = k == len(panels) - 1 and k % across == 0
            axes = figure.add_subplot(grid[k // across, slice(None) if last else k % across])
            letter = "" if len(panels) == 1 else f"{chr(ord('a') + k)}  "
            box = (wide if last else wide / across, high)
            rows = _draw_panel(axes, panel, lines, letter, style, look, box)
            legends[k // across] = max(legends[k // across], rows)
        line = 1.25 * look.text / 72
        note = look.wrapped(
            f"{describe_marks(panels)} {remark}".strip(), 1.15 * wide
        )  # its letters are small
        below = line * (note.count("\n") + 1)
        figure.set_size_inches(wide, high * down + line * sum(legends) + below)
        grid.set_height_ratios([high + line * rows for rows in legends])
        figure.supxlabel(note, x=0.015, ha="left", fontsize="small", alpha=0.75)
        if title and look.titled:
            figure.suptitle(title, x=0.015, ha="left", weight="bold")
        save_figure(figure, path, title)
    if path.suffix.lower() == ".png":
        _reduce_colours(path)
    return path


def describe_marks(panels: Sequence[tuple[Panel, Sequence[LineData]]]) -> str:
    """Return the meaning of lines, bars, bands and points of a figure, in one paragraph."""
    kinds = {panel.shows for panel, _ in panels}
    lines = [data for _, each in panels for data in each]
    max_runs = max((len(runs) for data in lines for runs in data.series), default=0)
    parts = []
    if kinds & {"mean", "binder"}:
        parts.append("Lines with markers: simulated, mean of the runs ± standard error")
        if "mean" in kinds and max_runs > 1:
            parts.append("small dots: single runs")
        parts.append("faint bars: too few or too short runs to trust the error")
    if kinds & {"time", "profile"}:
        band = ", band: its standard error" if max_runs > 1 else ""
        parts.append(f"lines: simulated, mean of the runs{band}")
    if "distribution" in kinds:
        parts.append("areas: simulated, all runs")
    origins = {points.origin for panel, _ in panels for points in panel.points}
    parts += [text for origin, text in ORIGIN_NOTES.items() if origin in origins]
    text = "; ".join(parts)
    return text[:1].upper() + text[1:] + "."


def _reduce_colours(path: Path) -> None:
    """Store a picture with few colours, which takes fewer bytes."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        dpi, metadata = picture.info["dpi"], PngInfo()
        metadata.add_itxt("Title", picture.info.get("Title", ""))
    reduced.save(path, optimize=True, dpi=dpi, pnginfo=metadata)


def _draw_panel(
    axes: Any, panel: Panel, lines: Sequence[LineData], letter: str, style: Colours,
    look: PlotSize, inches: tuple[float, float],
) -> int:  # fmt: skip
    """Draw a panel in a box of this size, and return the number of text lines of its legend."""
    axes.grid(True)
    pens = {data.line.label: make_pen(k, style) for k, data in enumerate(lines)}
    for k, data in enumerate(lines):
        LINES[panel.shows](axes, data, make_pen(k, style))
    for points in panel.points:
        pen = pens.get(points.like) if points.like else None
        _draw_points(axes, points, pen.colour if pen else INKS[style].ink)
    for side in panel.log or "":
        _set_logarithmic(axes, side)
    if panel.limits:
        axes.set_ylim(*panel.limits)
    elif panel.shows in ("mean", "time") and not (panel.log or panel.relative):
        clip_values(axes, panel.measure)
    wide, high = inches
    axes.set_xlabel(look.wrapped(panel.x, 0.8 * wide))
    axes.set_ylabel(look.wrapped(panel.y, 0.9 * high))
    lift, line = 6.0, 1.2 * axes.title.get_fontsize()
    for words, x in panel.notes.items():
        axes.annotate(words, (x, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 3),
                      textcoords="offset points", ha="center", va="bottom",
                      fontsize="small", alpha=0.7)  # fmt: skip
        lift = max(lift, 8 + line * (1 + words.count("\n")))
    axes.set_title(look.wrapped(f"{letter}{panel.title}", 0.85 * wide), loc="left", pad=lift)
    return _draw_legend(axes, look, wide)


def _draw_legend(axes: Any, look: PlotSize, wide: float) -> int:
    """Draw a legend below the x label, and return its number of text lines."""
    from matplotlib.transforms import ScaledTranslation

    handles, labels = axes.get_legend_handles_labels()
    labels = [look.wrapped(label, 0.85 * wide) for label in labels]
    if not labels:
        return 0
    half = look.wrapped("x" * 1000, 0.3 * wide).index("\n")  # letters in half the width
    columns = 2 if max(map(len, labels)) <= half else 1
    under = 2.3 + 1.3 * (1 + axes.get_xlabel().count("\n"))  # ticks and the label, in letters
    below = ScaledTranslation(0, -under * look.text / 72, axes.figure.dpi_scale_trans)
    axes.legend(
        handles, labels, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, ncols=columns,
        bbox_transform=axes.transAxes + below, handlelength=2.4, columnspacing=1.4,
        borderaxespad=0.0, borderpad=0.0, labelspacing=0.35,
    )  # fmt: skip
    return sum(label.count("\n") + 1 for label in labels[::columns])


def _set_logarithmic(axes: Any, side: str) -> None:
    """Make an axis logarithmic, with plain numbers if it spans few decades."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set(**{f"{side}scale": "log"})
    axis = getattr(axes, f"{side}axis")
    low, high = axis.get_view_interval()
    if high < MIN_DECADES_RATIO * low:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


@dataclass(frozen=True)
class Pen:
    """Colour, marker and dashes of a line.

    Lines also differ by markers and dashes, for readers who do not see the colours.
    """

    colour: tuple[float, float, float]
    marker: str
    dashes: Any


def make_pen(k: int, style: Colours) -> Pen:
    """Return the pen of line k."""
    tones = STYLES[style].flocks
    red, green, blue = (part / 255 for part in tones[k % len(tones)])
    return Pen((red, green, blue), MARKERS[k % len(MARKERS)], DASHES[k % len(DASHES)])


def _draw_mean(axes: Any, data: LineData, pen: Pen) -> None:
    _draw_bars(axes, data, [mean_over_runs(runs) for runs in data.series], pen)
    # runs that end in one of two states have a mean that is neither
    each = [(x, run.mean()) for x, runs in zip(data.at, data.series, strict=True) for run in runs
            if len(runs) > 1]  # fmt: skip
    axes.plot([x for x, _ in each], [y for _, y in each], color=pen.colour, marker=pen.marker,
              markersize=2.6, linestyle="none", alpha=0.4, mew=0, zorder=2)  # fmt: skip


def _draw_binder(axes: Any, data: LineData, pen: Pen) -> None:
    _draw_bars(axes, data, [binder_over_runs(runs) for runs in data.series], pen)


def _draw_bars(axes: Any, data: LineData, estimates: list[Estimate], pen: Pen) -> None:
    axes.plot(
        data.at, [estimate.value for estimate in estimates], color=pen.colour, marker=pen.marker,
        linestyle=pen.dashes, zorder=3, label=data.line.label or None,
    )  # fmt: skip
    for x, estimate in zip(data.at, estimates, strict=True):
        if math.isfinite(estimate.error):
            axes.errorbar(
                [x], [estimate.value], yerr=[estimate.error], color=pen.colour, linestyle="none",
                capsize=2.2, zorder=3, alpha=0.4 if estimate.short else None,
            )  # fmt: skip


def _draw_time(axes: Any, data: LineData, pen: Pen) -> None:
    table = align_runs(data.series[0])
    _draw_band(axes, data, _times(data, table.shape[1]), table, pen)


def _draw_profile(axes: Any, data: LineData, pen: Pen) -> None:
    table = align_runs(data.series[0])
    first, last = data.at if len(data.at) else (0.0, 1.0)
    edges = np.linspace(first, last, table.shape[1] + 1)
    _draw_band(axes, data, (edges[1:] + edges[:-1]) / 2, table, pen)


def _draw_band(axes: Any, data: LineData, x: np.ndarray, table: np.ndarray, pen: Pen) -> None:
    """Draw the mean of (runs, positions) values as a line in a band of its standard error."""
    middle = table.mean(axis=0)
    if len(table) > 1:
        error = table.std(axis=0, ddof=1) / math.sqrt(len(table))
        axes.fill_between(
            x, middle - error, middle + error, color=pen.colour, alpha=0.22, linewidth=0
        )
    axes.plot(
        x, middle, color=pen.colour, linestyle=pen.dashes, zorder=3, label=data.line.label or None
    )


def _times(data: LineData, count: int) -> np.ndarray:
    """Return the times of `count` values."""
    if len(data.at):
        return np.linspace(data.at[0], data.at[1], count)
    first, every = data.line.since or 0, data.line.every or 1
    return first + every * np.arange(count, dtype=np.float64)


def _draw_distribution(axes: Any, data: LineData, pen: Pen) -> None:
    (runs,) = data.series
    values = np.concatenate(runs)
    values = values[np.isfinite(values)]
    if not len(values):
        return
    ends = tuple(data.at) if len(data.at) else None
    heights, edges = np.histogram(values, bins=48, range=ends, density=True)
    axes.stairs(heights, edges, color=pen.colour, linestyle=pen.dashes, fill=False, zorder=3,
                label=data.line.label or None)  # fmt: skip
    axes.stairs(heights, edges, color=pen.colour, alpha=0.15, fill=True)


LINES = {
    "mean": _draw_mean,
    "binder": _draw_binder,
    "time": _draw_time,
    "distribution": _draw_distribution,
    "profile": _draw_profile,
}


def _draw_points(axes: Any, points: Points, colour: Any) -> None:
    origin, look = ORIGINS[points.origin]
    label = f"{points.label} ({origin})" if points.label and origin else points.label or origin
    if points.origin == "exact":
        axes.plot(points.x, points.y, color=colour, linestyle=(0, (4, 2.5)), linewidth=1.1,
                  zorder=5, label=label)  # fmt: skip
        return
    hollow = {"mfc": "none", "mew": 1.2, "alpha": 0.9, "linestyle": "none"}
    bars = points.error or None
    axes.errorbar(points.x, points.y, yerr=bars, color=colour, capsize=2.2, elinewidth=1.0,
                  zorder=4, label=label, **look, **hollow)  # fmt: skip
