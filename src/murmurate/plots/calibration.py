"""Plot a calibration: how evenly the true numbers spread over the ranks of their posteriors."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import FitError
from murmurate.plots.style import LINES, Colours, Inks, SizeName, begin_plot

INSIDE = 0.99  # probability of the band in which the count of a bin lies


def save_rank_plot(
    calibration: Any, path: str | os.PathLike[str], *, style: Colours = "light",
    size: SizeName = "screen", force: bool = False,
) -> Path:  # fmt: skip
    """Plot a calibration to a file, and return its path. See `Calibration.save_plot`."""
    plot, numbers = begin_plot(path, style, size, FitError, force), calibration.numbers
    across = min(len(numbers), plot.look.across)
    down = math.ceil(len(numbers) / across)
    title = f"{calibration.name}: ranks of the truth in {calibration.datasets} posteriors"
    with plot.figure(title, plot.look.inches(max(3.4 * across, 4.6), 2.8 * down + 0.4)) as figure:
        for k, number in enumerate(numbers):
            axes = figure.add_subplot(down, across, k + 1)
            _draw_ranks(axes, number, calibration.datasets, plot.inks)
        handles, names = axes.get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower left", ncols=3, frameon=False)
        plot.add_title(figure, title)
    return plot.path


def _draw_ranks(axes: Any, number: Any, datasets: int, inks: Inks) -> None:
    """Draw the histogram of the ranks, and where its bars are expected."""
    from scipy.stats import binom

    counts = number.counts
    edges = np.linspace(0.0, 1.0, len(counts) + 1)
    low, high = binom.interval(INSIDE, datasets, 1.0 / len(counts))
    axes.bar(edges[:-1], counts, width=np.diff(edges), align="edge", color=inks.line,
             edgecolor=inks.ground, linewidth=0.8, label="data sets")  # fmt: skip
    axes.axhspan(low, high, color=LINES[1], alpha=0.15, linewidth=0, zorder=0,
                 label=f"{INSIDE:.0%} of bars, if calibrated")  # fmt: skip
    axes.axhline(datasets / len(counts), color=LINES[1], label="expected")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, max(1.15 * high, 1.05 * float(counts.max())))
    axes.set_xlabel(f"rank of {number.label}")
    axes.set_ylabel("data sets")
    axes.set_title(
        f"90% intervals contain {number.coverage:.0%}\nranks: p = {number.p_value:.2f}", loc="left"
    )
