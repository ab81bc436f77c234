"""Lines and points of a figure: means with error bars, distributions, published values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.measures.estimate import Estimate
from murmurate.model.results import Points
from murmurate.show.plot_style import DASHES, MARKERS, Colours
from murmurate.show.styles import STYLES
from murmurate.verify.figure_runs import FlownLine
from murmurate.verify.values import binder_over_runs, mean_over_runs, side_by_side

# how points are drawn, and what the legend says of where they come from
ORIGINS = {
    "published": ("published", {"marker": "*", "ms": 10}),
    "reproduced": ("an independent program", {"marker": "s", "ms": 7}),
    "not-confirmed": ("quoted by others, not confirmed", {"marker": "x", "ms": 7}),
    "exact": ("", {}),
}


@dataclass(frozen=True)
class Pen:
    """How a line is told from others: by colour, and by marker or dashes, for those who see fewer
    colours."""

    colour: tuple[float, float, float]
    marker: str
    dashes: Any


def pen_of(k: int, style: Colours) -> Pen:
    tones = STYLES[style].flocks
    red, green, blue = (part / 255 for part in tones[k % len(tones)])
    return Pen((red, green, blue), MARKERS[k % len(MARKERS)], DASHES[k % len(DASHES)])


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


LINES = {
    "mean": _mean,
    "binder": _binder,
    "time": _time,
    "distribution": _distribution,
    "profile": _profile,
}


def draw_points(axes: Any, points: Points, colour: Any) -> None:
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
