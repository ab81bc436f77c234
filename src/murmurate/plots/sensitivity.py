"""Plot a sensitivity analysis: effects of Morris, or shares of variance by Sobol, with noise."""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import SweepError
from murmurate.model.messages import format_unknown
from murmurate.plots.style import LINES, MARKERS, Colours, Inks, SizeName, begin_plot
from murmurate.sweeps.table import measure_label

LABEL_WIDTH = 22  # letters of a line of a label
NOISE_LABEL = "noise (seed)"


def save_sensitivity_plot(
    result: Any, path: str | os.PathLike[str], measure: str | None = None, *,
    style: Colours = "light", size: SizeName = "screen", force: bool = False,
) -> Path:  # fmt: skip
    """Plot an analysis to a file, and return its path. See `Sensitivity.save_plot`."""
    plot = begin_plot(path, style, size, SweepError, force)
    if measure is not None and measure not in result.effects:
        raise SweepError(format_unknown("measure", measure, list(result.effects)))
    measures = list(result.effects) if measure is None else [measure]
    inks = plot.inks
    is_morris = result.method == "morris"
    panels = 2 * len(measures) if is_morris else len(measures)
    across = min(plot.look.across, panels, 2)
    bars = len(result.effects[measures[0]])
    down = math.ceil(panels / across)
    inches = plot.look.inches(4.8 * across + 0.6, down * max(2.6, 0.52 * bars + 1.3) + 0.3)
    with plot.figure(result.title, inches) as figure:
        axes = figure.subplots(down, across, squeeze=False).ravel()
        for panel in axes[panels:]:
            panel.set_axis_off()
        for k, name in enumerate(measures):
            rows = result.ranked(name)
            if is_morris:
                _draw_effects(axes[2 * k], name, rows, result.labels, inks)
                _draw_spread(axes[2 * k + 1], name, result.effects[name], result.labels, inks)
            else:
                _draw_shares(axes[k], name, rows, result.labels, inks)
        keys = [panel.get_legend_handles_labels() for panel in axes[: 2 if is_morris else 1]]
        handles, names = (list(chain(*part)) for part in zip(*keys, strict=True))
        figure.legend(handles, names, loc="outside lower left", ncols=1 + across, frameon=False)
        plot.add_title(figure, result.title)
    return plot.path


def _draw_effects(
    axes: Any, measure: str, rows: Sequence[Any], labels: Mapping[str, str], inks: Inks
) -> None:
    """Draw mu* as bars with 95% intervals, and mu as points; the level of the noise as a band."""
    *numbers, noise = rows
    positions = np.arange(len(numbers))[::-1]
    sizes = np.array([row.mu_star for row in numbers])
    ends = np.array([[row.mu_star - row.mu_star_low, row.mu_star_high - row.mu_star]
                     for row in numbers]).T  # fmt: skip
    axes.barh(positions, sizes, height=0.6, color=inks.line, label="size of effects, mu*")
    axes.errorbar(sizes, positions, xerr=ends, linestyle="none", color=inks.ink, capsize=2.5,
                  elinewidth=1.0, label="95% interval")  # fmt: skip
    axes.plot([row.mu for row in numbers], positions, linestyle="none", marker="D", color=inks.mean,
              label="mean effect, mu")  # fmt: skip
    axes.axvspan(0.0, noise.mu_star, color=LINES[1], alpha=0.2, linewidth=0, zorder=0.5,
                 label="what noise alone would show")  # fmt: skip
    axes.axvline(0.0, color=inks.ink, linewidth=0.8)
    axes.set_yticks(positions, [_label(row, labels) for row in numbers])
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel(f"effect on {measure_label(measure)}, lower to upper bound")


def _draw_spread(
    axes: Any, measure: str, rows: Sequence[Any], labels: Mapping[str, str], inks: Inks
) -> None:
    """Draw sigma over mu*: a marker for each number, and the noise."""
    top = 1.12 * max(row.mu_star_high for row in rows) or 1.0
    for k, row in enumerate(rows):
        is_noise = k == len(rows) - 1
        axes.errorbar(
            row.mu_star, row.sigma, xerr=[[row.mu_star - row.mu_star_low],
                                          [row.mu_star_high - row.mu_star]],
            marker="X" if is_noise else MARKERS[k % len(MARKERS)], linestyle="none",
            color=LINES[1] if is_noise else _tone(k, len(rows) - 1, inks), capsize=2.0,
            elinewidth=0.9, label=labels.get(row.path, NOISE_LABEL),
        )  # fmt: skip
    axes.plot([0.0, top], [0.0, top], color=inks.ink, linewidth=0.8, linestyle=(0, (4, 2.5)),
              label="sigma = mu*")  # fmt: skip
    axes.set_xlim(0.0, top)
    axes.set_ylim(0.0, max(1.15 * max(row.sigma for row in rows), 0.25 * top))
    axes.grid(True)
    axes.locator_params(nbins=5)
    axes.set_xlabel(f"mu* of {measure_label(measure)}")
    axes.set_ylabel("sigma: not linear, interactions")


def _draw_shares(
    axes: Any, measure: str, rows: Sequence[Any], labels: Mapping[str, str], inks: Inks
) -> None:
    """Draw the first order and the total as pairs of bars with 95% intervals, and the noise."""
    positions = np.arange(len(rows))[::-1].astype(float)
    kinds = (("total", inks.line, -0.19, "total, with interactions"),
             ("first", inks.mean, 0.19, "first order"))  # fmt: skip
    for name, colour, shift, text in kinds[::-1]:
        shares = np.array([getattr(row, name) for row in rows[:-1]])
        low, high = (
            np.array([getattr(row, f"{name}_{end}") for row in rows[:-1]])
            for end in ("low", "high")
        )
        axes.barh(positions[:-1] + shift, shares, height=0.36, color=colour, label=text)
        bars = np.maximum([shares - low, high - shares], 0.0)
        axes.errorbar(shares, positions[:-1] + shift, xerr=bars, linestyle="none", color=inks.ink,
                      capsize=2.0, elinewidth=1.0)  # fmt: skip
    noise = rows[-1]
    axes.barh(positions[-1:], [noise.total], height=0.5, color=LINES[1], label="noise")
    bar = [[noise.total - noise.total_low], [noise.total_high - noise.total]]
    axes.errorbar([noise.total], positions[-1:], xerr=np.maximum(bar, 0.0), linestyle="none",
                  color=inks.ink, capsize=2.0, elinewidth=1.0, label="95% interval")  # fmt: skip
    axes.axvline(0.0, color=inks.ink, linewidth=0.8)
    axes.set_yticks(positions, [_label(row, labels) for row in rows])
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")
    axes.set_xlim(right=max(1.0, axes.get_xlim()[1]))
    axes.set_xlabel(f"share of the variance of {measure_label(measure)} between runs")


def _label(row: Any, labels: Mapping[str, str]) -> str:
    return textwrap.fill(labels.get(row.path, NOISE_LABEL), LABEL_WIDTH)


def _tone(k: int, count: int, inks: Inks) -> Any:
    """Return the colour of number k, along viridis."""
    import matplotlib as mpl

    low, high = inks.viridis
    return mpl.colormaps["viridis"](low + (high - low) * k / max(1, count - 1))
