"""Draws a model's figure: its lines with error bars, beside published values."""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.measures.estimate import Estimate
from murmurate.model.figure import Panel, Points
from murmurate.show.errors import OutputRefused
from murmurate.show.styles import LIGHT
from murmurate.verify.figure_runs import FlownLine
from murmurate.verify.values import binder_over_runs, mean_over_runs, side_by_side

SUFFIXES = (".png", ".svg", ".pdf")
MARKERS = "osD^vPX"
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
    force: bool = False,
) -> Path:
    """Draws what `fly_figure` found, a panel beside or below another; returns the picture's path.

    Bars are standard errors, the larger of what seeds and runs say, and faint where few and short
    runs may say too little. Raises as `target` does.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    path = target(path, force)
    across = 1 if len(found) == 1 else 2
    down = math.ceil(len(found) / across)
    style: Any = {
        "font.size": 9, "text.color": _ink(), "axes.labelcolor": _ink(), "axes.edgecolor": _ink(),
        "xtick.color": _ink(), "ytick.color": _ink(), "svg.hashsalt": "murmurate",
        "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    }  # fmt: skip
    with mpl.rc_context(style):
        size = (6.2, 4.5) if across == 1 else (9.6, 4.3 * down)
        room = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08, wspace=0.04, hspace=0.06)
        figure = Figure(figsize=size, dpi=120, layout=room, facecolor=_rgb(LIGHT.sky[0]))
        grid = figure.add_gridspec(down, across)
        for k, (panel, lines) in enumerate(found):
            last = k == len(found) - 1 and k % across == 0
            axes = figure.add_subplot(grid[k // across, slice(None) if last else k % across])
            letter = "" if len(found) == 1 else f"{chr(ord('a') + k)}  "
            _panel(axes, panel, lines, letter)
        if title:
            figure.suptitle(title, fontsize=10.5, x=0.015, ha="left", weight="bold")
        about = {"Software": None} if path.suffix == ".png" else {"Date": None}
        figure.savefig(path, facecolor=figure.get_facecolor(), metadata=about)
    if path.suffix == ".png":
        _lighten(path)
    return path


def _lighten(path: Path) -> None:
    """A picture of few colours in fewer bytes."""
    from PIL import Image

    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def _panel(axes: Any, panel: Panel, lines: Sequence[FlownLine], letter: str) -> None:
    axes.set_facecolor(_rgb(LIGHT.sky[0]))
    axes.grid(color="#e3e4e6", linewidth=0.6)
    colours = {flown.line.label: _colour(k) for k, flown in enumerate(lines)}
    for k, flown in enumerate(lines):
        _LINES[panel.shows](axes, flown, _colour(k), MARKERS[k % len(MARKERS)])
    for points in panel.points:
        _points(axes, points, colours)
    for side in panel.log or "":
        _logarithmic(axes, side)
    if panel.limits:
        axes.set_ylim(*panel.limits)
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    lift = 6
    for words, x in panel.notes.items():
        axes.annotate(words, (x, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 3),
                      textcoords="offset points", ha="center", va="bottom", fontsize=8,
                      color=_rgb(LIGHT.quiet))  # fmt: skip
        lift = max(lift, 8 + 11 * (1 + words.count("\n")))
    axes.set_title(f"{letter}{panel.title}", loc="left", fontsize=9.5, pad=lift)
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        wide = max(len(label) for label in labels) > 30
        axes.legend(
            handles, [textwrap.fill(label, 58) for label in labels], loc="upper left",
            bbox_to_anchor=(-0.02, -0.15), ncols=1 if wide else 2, frameon=False, fontsize=8,
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


def _mean(axes: Any, flown: FlownLine, colour: Any, marker: str) -> None:
    _bars(axes, flown, [mean_over_runs(runs) for runs in flown.series], colour, marker)
    # where runs end in one of two states, their mean is neither
    each = [(x, run.mean()) for x, runs in zip(flown.at, flown.series, strict=True) for run in runs
            if len(runs) > 1]  # fmt: skip
    axes.plot([x for x, _ in each], [y for _, y in each], color=colour, marker=marker,
              markersize=2.6, linestyle="none", alpha=0.4, mew=0, zorder=2)  # fmt: skip


def _binder(axes: Any, flown: FlownLine, colour: Any, marker: str) -> None:
    _bars(axes, flown, [binder_over_runs(runs) for runs in flown.series], colour, marker)


def _bars(axes: Any, flown: FlownLine, estimates: list[Estimate], colour: Any, marker: str) -> None:
    axes.plot(
        flown.at, [one.value for one in estimates], color=colour, marker=marker, markersize=4.2,
        linewidth=1.3, zorder=3, label=flown.line.label or None,
    )  # fmt: skip
    for x, one in zip(flown.at, estimates, strict=True):
        if math.isfinite(one.error):
            axes.errorbar(
                [x], [one.value], yerr=[one.error], color=colour, linestyle="none", elinewidth=1.1,
                capsize=2.2, zorder=3, alpha=0.4 if one.short else None,
            )  # fmt: skip


def _time(axes: Any, flown: FlownLine, colour: Any, marker: str) -> None:
    table = side_by_side(flown.series[0])
    _in_its_error(axes, flown, _times(flown, table.shape[1]), table, colour)


def _profile(axes: Any, flown: FlownLine, colour: Any, marker: str) -> None:
    table = side_by_side(flown.series[0])
    first, last = flown.at if len(flown.at) else (0.0, 1.0)
    edges = np.linspace(first, last, table.shape[1] + 1)
    _in_its_error(axes, flown, (edges[1:] + edges[:-1]) / 2, table, colour)


def _in_its_error(
    axes: Any, flown: FlownLine, x: np.ndarray, table: np.ndarray, colour: Any
) -> None:
    """The mean of (runs, places) values as a line in a band."""
    middle = table.mean(axis=0)
    if len(table) > 1:
        error = table.std(axis=0, ddof=1) / math.sqrt(len(table))
        axes.fill_between(x, middle - error, middle + error, color=colour, alpha=0.22, linewidth=0)
    axes.plot(x, middle, color=colour, linewidth=1.5, zorder=3, label=flown.line.label or None)


def _times(flown: FlownLine, many: int) -> np.ndarray:
    if len(flown.at):
        return np.linspace(flown.at[0], flown.at[1], many)
    first, every = flown.line.since or 0, flown.line.every or 1
    return first + every * np.arange(many, dtype=np.float64)


def _distribution(axes: Any, flown: FlownLine, colour: Any, marker: str) -> None:
    (runs,) = flown.series
    values = np.concatenate(runs)
    values = values[np.isfinite(values)]
    if not len(values):
        return
    ends = tuple(flown.at) if len(flown.at) else None
    heights, edges = np.histogram(values, bins=48, range=ends, density=True)
    axes.stairs(heights, edges, color=colour, linewidth=1.5, fill=False, zorder=3,
                label=flown.line.label or None)  # fmt: skip
    axes.stairs(heights, edges, color=colour, alpha=0.15, fill=True)


_LINES = {
    "mean": _mean,
    "binder": _binder,
    "time": _time,
    "distribution": _distribution,
    "profile": _profile,
}


def _points(axes: Any, points: Points, colours: dict[str, Any]) -> None:
    said, look = ORIGINS[points.origin]
    colour = colours[points.like] if points.like in colours and points.like else _ink()
    label = f"{points.label} ({said})" if points.label and said else points.label or said
    if points.origin == "exact":
        axes.plot(points.x, points.y, color=colour, linestyle=(0, (4, 2.5)), linewidth=1.1,
                  zorder=5, label=label)  # fmt: skip
        return
    hollow = {"mfc": "none", "mew": 1.2, "alpha": 0.9, "linestyle": "none"}
    bars = points.error or None
    axes.errorbar(points.x, points.y, yerr=bars, color=colour, capsize=2.2, elinewidth=1.0,
                  zorder=4, label=label, **look, **hollow)  # fmt: skip


def _colour(k: int) -> Any:
    return _rgb(LIGHT.flocks[k % len(LIGHT.flocks)])


def _ink() -> Any:
    return _rgb(LIGHT.text)


def _rgb(colour: Sequence[int]) -> tuple[float, float, float]:
    red, green, blue = (part / 255 for part in colour)
    return red, green, blue
