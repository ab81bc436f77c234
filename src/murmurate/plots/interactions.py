"""Plot interactions learned from tracks: a panel for each response, with its band."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.plots.style import (
    INKS,
    SIZES,
    Colours,
    Inks,
    SizeName,
    begin_plot,
    check_look,
    make_axes,
)

PANELS = {
    "towards": "turning towards a neighbour",
    "alignment": "turning to its heading",
    "approach": "speeding towards a neighbour",
    "speed": "speeding to its speed",
    "walls": "turning towards a wall",
    "braking": "speeding towards a wall",
    "drive": "speeding alone",
}
COLUMNS = 3


def plot_interactions(learned: Any, ax: Any, *, style: Colours, size: SizeName) -> Any:
    """Plot the curves, one a panel. See `LearnedInteractions.plot`."""
    check_look(style, size, MeasureError)
    count = len(learned.curves())
    if ax is None:
        panels = make_axes(style, size, (-(-count // COLUMNS), min(count, COLUMNS))).ravel()
        for panel in panels[count:]:
            panel.set_axis_off()
        panels = panels[:count]
    else:
        panels = np.array(ax, dtype=object).ravel()
        if len(panels) != count:
            raise MeasureError(f"ax: got {len(panels)} Axes; expected {count}")
    _draw(panels, learned, INKS[style])
    return panels


def save_interactions_plot(
    learned: Any, path: str | os.PathLike[str], *, style: Colours = "light",
    size: SizeName = "screen", force: bool = False,
) -> Path:  # fmt: skip
    """Plot the curves to a file, and return its path. See `LearnedInteractions.save_plot`."""
    plot = begin_plot(path, style, size, MeasureError, force)
    count = len(learned.curves())
    across = min(COLUMNS, SIZES[size].across, count)
    down = -(-count // across)
    with plot.figure("interactions", plot.look.inches(3.4 * across, 2.6 * down)) as figure:
        panels = figure.subplots(down, across, squeeze=False).ravel()
        for panel in panels[count:]:
            panel.set_axis_off()
        _draw(panels[:count], learned, plot.inks)
    return plot.path


def _draw(panels: Any, learned: Any, inks: Inks) -> None:
    length = learned.unit or "length"
    time = learned.time_unit
    for axes, (name, curve) in zip(panels, learned.curves().items(), strict=True):
        axes.axhline(0.0, color=inks.ink, linewidth=0.8)
        axes.fill_between(
            curve.x, curve.lower, curve.upper, color=inks.line, alpha=0.45, linewidth=0
        )
        axes.plot(curve.x, curve.value, color=inks.mean)
        _hatch_unknown(axes, curve.x, curve.is_known, inks)
        axes.set_title(PANELS[name], loc="left")
        axes.set_xlabel(f"speed ({length}/{time})" if name == "drive" else f"distance ({length})")
        axes.grid(True)
        axes.set_xlim(curve.x[0] if name == "drive" else 0.0, curve.x[-1])
        _limit(axes, curve.lower, curve.upper)
        cell = axes.get_subplotspec()
        if cell is None or cell.is_first_col():
            axes.set_ylabel(
                "turn (radians)" if learned.stepping else f"acceleration ({length}/{time}²)"
            )


def _limit(axes: Any, lower: np.ndarray, upper: np.ndarray) -> None:
    """Show the range of most of the band: at its ends it is wide."""
    ends = np.concatenate([lower, upper, [0.0]])
    ends = ends[np.isfinite(ends)]
    low, high = np.quantile(ends, [0.01, 0.99])
    margin = 0.08 * (high - low) or 1.0
    axes.set_ylim(low - margin, high + margin)


def _hatch_unknown(axes: Any, x: np.ndarray, is_known: np.ndarray, inks: Inks) -> None:
    """Hatch where the data cannot tell the response."""
    edges = np.concatenate([[x[0]], (x[1:] + x[:-1]) / 2, [x[-1]]])
    for k in np.flatnonzero(~is_known):
        axes.axvspan(edges[k], edges[k + 1], facecolor="none", edgecolor=inks.grid, hatch="////",
                     linewidth=0)  # fmt: skip
