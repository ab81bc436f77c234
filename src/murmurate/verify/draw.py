"""Draws a model's figure: its lines with error bars, beside published values."""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.measures.estimate import Estimate
from murmurate.model.figure import Panel, Points
from murmurate.show.errors import OutputRefused
from murmurate.show.plot_style import (
    DASHES,
    INKS,
    MARKERS,
    SIZES,
    Colours,
    SizeName,
    plot_look,
    save_plot,
)
from murmurate.show.styles import STYLES
from murmurate.verify.figure_runs import FlownLine
from murmurate.verify.values import binder_over_runs, mean_over_runs, side_by_side

SUFFIXES = (".png", ".svg", ".pdf")
FEW_DECADES = 1e3
COLOURS = 128  # of a .png
# how points are drawn, and what the legend says of where they come from
ORIGINS = {
    "published": ("published", {"marker": "*", "ms": 10}),
    "reproduced": ("an independent program", {"marker": "s", "ms": 7}),
    "not-confirmed": ("quoted by others, not confirmed", {"marker": "x", "ms": 7}),
    "exact": ("", {}),
}


def target(path: str | os.PathLike[str], force: bool = False) -> Path:
    """The picture's path, if it may be written, before hours are spent on it. Raises OutputRefused
    for a suffix that is not drawn, a file that is there, a folder that is not, and a missing
    matplotlib."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise OutputRefused(f"{path}: a figure is a .png, .svg or .pdf")
    if path.exists() and not force:
        raise OutputRefused(f"{path} is there already: --force replaces it, or give another name")
    if not path.parent.is_dir():
        raise OutputRefused(f"{path}: there is no folder {path.parent}")
    try:
        import matplotlib.figure
    except ImportError:
        raise OutputRefused('figures need matplotlib: pip install "murmurate[plot]"') from None
    assert matplotlib.figure
    return path


def draw(
    found: Sequence[tuple[Panel, Sequence[FlownLine]]],
    path: str | os.PathLike[str],
    *,
    title: str = "",
    style: Colours = "light",
    size: SizeName = "screen",
    force: bool = False,
) -> Path:
    """Draws what `fly_figure` found, a panel beside or below another; returns the picture's path.

    Bars are standard errors, the larger of what seeds and runs say, and faint where few and short
    runs may say too little. Raises as `target` does.
    """
    path = target(path, force)
    look, inks = SIZES[size], INKS[style]
    across = min(look.across, 1 if len(found) == 1 else 2)
    down = math.ceil(len(found) / across)
    inches = look.inches(*(6.2, 4.5 * down) if across == 1 else (9.6, 4.3 * down))
    with plot_look(look, inks):
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        room = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08, wspace=0.04, hspace=0.06)
        figure = Figure(figsize=inches, layout=room)
        grid = figure.add_gridspec(down, across)
        for k, (panel, lines) in enumerate(found):
            last = k == len(found) - 1 and k % across == 0
            axes = figure.add_subplot(grid[k // across, slice(None) if last else k % across])
            letter = "" if len(found) == 1 else f"{chr(ord('a') + k)}  "
            _panel(axes, panel, lines, letter, style)
        if title and look.titled:
            figure.suptitle(title, x=0.015, ha="left", weight="bold")
        save_plot(figure, path, title)
    if path.suffix.lower() == ".png":
        _lighten(path)
    return path


def _lighten(path: Path) -> None:
    """A picture of few colours in fewer bytes."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        dpi, said = picture.info["dpi"], PngInfo()
        said.add_itxt("Title", picture.info.get("Title", ""))
    few.save(path, optimize=True, dpi=dpi, pnginfo=said)


@dataclass(frozen=True)
class Pen:
    """How a line is told from others: by colour, and by marker or dashes, for those who see fewer
    colours."""

    colour: tuple[float, float, float]
    marker: str
    dashes: Any


def _pen(k: int, style: Colours) -> Pen:
    tones = STYLES[style].flocks
    red, green, blue = (part / 255 for part in tones[k % len(tones)])
    return Pen((red, green, blue), MARKERS[k % len(MARKERS)], DASHES[k % len(DASHES)])


def _panel(
    axes: Any, panel: Panel, lines: Sequence[FlownLine], letter: str, style: Colours
) -> None:
    axes.grid()
    pens = {flown.line.label: _pen(k, style) for k, flown in enumerate(lines)}
    for k, flown in enumerate(lines):
        _LINES[panel.shows](axes, flown, _pen(k, style))
    for points in panel.points:
        pen = pens.get(points.like) if points.like else None
        _points(axes, points, pen.colour if pen else INKS[style].ink)
    for side in panel.log or "":
        _logarithmic(axes, side)
    if panel.limits:
        axes.set_ylim(*panel.limits)
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    lift, line = 6.0, 1.2 * axes.title.get_fontsize()
    for words, x in panel.notes.items():
        axes.annotate(words, (x, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 3),
                      textcoords="offset points", ha="center", va="bottom",
                      fontsize="small", alpha=0.7)  # fmt: skip
        lift = max(lift, 8 + line * (1 + words.count("\n")))
    axes.set_title(f"{letter}{panel.title}", loc="left", pad=lift)
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        wide = max(len(label) for label in labels) > 30
        axes.legend(
            handles, [textwrap.fill(label, 58) for label in labels], loc="upper left",
            bbox_to_anchor=(-0.02, -0.15), ncols=1 if wide else 2, frameon=False,
            handlelength=1.9, columnspacing=1.4, borderaxespad=0.0, labelspacing=0.35,
        )  # fmt: skip


def _logarithmic(axes: Any, side: str) -> None:
    """A logarithmic axis; over few decades with plain numbers on it."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set(**{f"{side}scale": "log"})
    axis = getattr(axes, f"{side}axis")
    low, high = axis.get_view_interval()
    if high < FEW_DECADES * low:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


def _mean(axes: Any, flown: FlownLine, pen: Pen) -> None:
    _bars(axes, flown, [mean_over_runs(runs) for runs in flown.series], pen)
    # where runs end in one of two states, their mean is neither
    each = [(x, run.mean()) for x, runs in zip(flown.at, flown.series, strict=True) for run in runs
            if len(runs) > 1]  # fmt: skip
    axes.plot([x for x, _ in each], [y for _, y in each], color=pen.colour, marker=pen.marker,
              markersize=2.6, linestyle="none", alpha=0.4, mew=0, zorder=2)  # fmt: skip


def _binder(axes: Any, flown: FlownLine, pen: Pen) -> None:
    _bars(axes, flown, [binder_over_runs(runs) for runs in flown.series], pen)


def _bars(axes: Any, flown: FlownLine, estimates: list[Estimate], pen: Pen) -> None:
    axes.plot(
        flown.at, [one.value for one in estimates], color=pen.colour, marker=pen.marker,
        linestyle=pen.dashes, zorder=3, label=flown.line.label or None,
    )  # fmt: skip
    for x, one in zip(flown.at, estimates, strict=True):
        if math.isfinite(one.error):
            axes.errorbar(
                [x], [one.value], yerr=[one.error], color=pen.colour, linestyle="none", capsize=2.2,
                zorder=3, alpha=0.4 if one.short else None,
            )  # fmt: skip


def _time(axes: Any, flown: FlownLine, pen: Pen) -> None:
    table = side_by_side(flown.series[0])
    _in_its_error(axes, flown, _times(flown, table.shape[1]), table, pen)


def _profile(axes: Any, flown: FlownLine, pen: Pen) -> None:
    table = side_by_side(flown.series[0])
    first, last = flown.at if len(flown.at) else (0.0, 1.0)
    edges = np.linspace(first, last, table.shape[1] + 1)
    _in_its_error(axes, flown, (edges[1:] + edges[:-1]) / 2, table, pen)


def _in_its_error(axes: Any, flown: FlownLine, x: np.ndarray, table: np.ndarray, pen: Pen) -> None:
    """The mean of (runs, places) values as a line in a band."""
    middle = table.mean(axis=0)
    if len(table) > 1:
        error = table.std(axis=0, ddof=1) / math.sqrt(len(table))
        axes.fill_between(
            x, middle - error, middle + error, color=pen.colour, alpha=0.22, linewidth=0
        )
    axes.plot(
        x, middle, color=pen.colour, linestyle=pen.dashes, zorder=3, label=flown.line.label or None
    )


def _times(flown: FlownLine, many: int) -> np.ndarray:
    if len(flown.at):
        return np.linspace(flown.at[0], flown.at[1], many)
    first, every = flown.line.since or 0, flown.line.every or 1
    return first + every * np.arange(many, dtype=np.float64)


def _distribution(axes: Any, flown: FlownLine, pen: Pen) -> None:
    (runs,) = flown.series
    values = np.concatenate(runs)
    values = values[np.isfinite(values)]
    if not len(values):
        return
    ends = tuple(flown.at) if len(flown.at) else None
    heights, edges = np.histogram(values, bins=48, range=ends, density=True)
    axes.stairs(heights, edges, color=pen.colour, linestyle=pen.dashes, fill=False, zorder=3,
                label=flown.line.label or None)  # fmt: skip
    axes.stairs(heights, edges, color=pen.colour, alpha=0.15, fill=True)


_LINES = {
    "mean": _mean,
    "binder": _binder,
    "time": _time,
    "distribution": _distribution,
    "profile": _profile,
}


def _points(axes: Any, points: Points, colour: Any) -> None:
    said, look = ORIGINS[points.origin]
    label = f"{points.label} ({said})" if points.label and said else points.label or said
    if points.origin == "exact":
        axes.plot(points.x, points.y, color=colour, linestyle=(0, (4, 2.5)), linewidth=1.1,
                  zorder=5, label=label)  # fmt: skip
        return
    hollow = {"mfc": "none", "mew": 1.2, "alpha": 0.9, "linestyle": "none"}
    bars = points.error or None
    axes.errorbar(points.x, points.y, yerr=bars, color=colour, capsize=2.2, elinewidth=1.0,
                  zorder=4, label=label, **look, **hollow)  # fmt: skip
