"""Plot fits.

A fit: the posterior of its numbers and pairs of them, and each measure with the data. A
calibration: how evenly the true numbers spread over the ranks of their posteriors. A comparison of
models: differences to the best one, and the scores of each flock.
"""

from __future__ import annotations

import itertools
import math
import os
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import FitError
from murmurate.measures.estimate import with_error
from murmurate.plots.style import (
    INKS,
    LINES,
    MARKERS,
    SIZES,
    Colours,
    Inks,
    PlotSize,
    SizeName,
    begin_plot,
    check_look,
    plot_look,
)

MAX_PAIRED = 4  # numbers whose pairs are drawn; all others have their own panel only
BINS = 28
LEVELS = (0.9, 0.5)  # parts of the draws inside the contours
GRID = 48  # cells of a pair, on each side, for the contours
MAX_POINTS = 600  # draws of a pair that are drawn


def plot_fit(
    fit: Any, labels: Mapping[str, str], ax: Sequence[Any] | None = None, *,
    style: Colours = "light", size: SizeName = "screen",
) -> np.ndarray:  # fmt: skip
    """Plot a fit, and return its Axes. See `Fit.plot`.

    ax  `count_panels(fit)` Axes of matplotlib. The default is a new figure.
    """
    check_look(style, size, FitError)
    with plot_look(SIZES[size], INKS[style]):
        if ax is None:
            from matplotlib import pyplot

            axes = _arrange(pyplot.figure(layout="constrained"), fit, SIZES[size])
        else:
            axes = list(np.array(ax, dtype=object).ravel())
            if len(axes) != count_panels(fit):
                raise FitError(
                    f"ax: got {len(axes)} Axes; expected {count_panels(fit)}, one for each panel"
                )
        _draw(axes, fit, labels, INKS[style])
    return np.array(axes, dtype=object)


def save_fit_plot(
    fit: Any, path: str | os.PathLike[str], labels: Mapping[str, str], *,
    style: Colours = "light", size: SizeName = "screen", force: bool = False,
) -> Path:  # fmt: skip
    """Plot a fit to a file, and return its path. See `Fit.save_plot`."""
    plot = begin_plot(path, style, size, FitError, force)
    title = f"{fit.name}: posterior from {fit.settings} settings"
    with plot.figure(title) as figure:
        _draw(_arrange(figure, fit, plot.look), fit, labels, plot.inks)
        plot.add_title(figure, title)
    return plot.path


def count_panels(fit: Any) -> int:
    """Return the number of panels: numbers, pairs of the first four, and measures."""
    return len(fit.varied) + len(_pairs(fit)) + len(fit.compared)


def _pairs(fit: Any) -> list[tuple[int, int]]:
    """Return the (row, column) of each pair of numbers, below the diagonal."""
    paired = min(len(fit.varied), MAX_PAIRED)
    return [(row, column) for row, column in itertools.product(range(paired), repeat=2)
            if column < row]  # fmt: skip


def _arrange(figure: Any, fit: Any, look: PlotSize) -> list[Any]:
    """Return the Axes of a new figure: the numbers and their pairs, and the measures below."""
    paired = min(len(fit.varied), MAX_PAIRED)
    others = list(range(paired, len(fit.varied)))
    across = max(paired, min(len(fit.compared), look.across, 3), 2)
    below = math.ceil(len(others) / across), math.ceil(len(fit.compared) / across)
    wide, high = look.inches(2.6 * max(across, paired), 2.3 * (paired + sum(below)))
    figure.set_size_inches(wide, high)
    rows = [paired, *(count for count in below if count)]
    outer = figure.add_gridspec(len(rows), 1, height_ratios=rows)
    corner = outer[0].subgridspec(paired, max(paired, 2))  # the legend is in an empty cell
    axes = [figure.add_subplot(corner[k, k]) for k in range(paired)]
    if others:
        cells = outer[1].subgridspec(below[0], across)
        axes += [figure.add_subplot(cells[divmod(k, across)]) for k in range(len(others))]
    axes += [figure.add_subplot(corner[pair]) for pair in _pairs(fit)]
    cells = outer[-1].subgridspec(below[1], across)
    return axes + [figure.add_subplot(cells[divmod(k, across)]) for k in range(len(fit.compared))]


def _draw(axes: Sequence[Any], fit: Any, labels: Mapping[str, str], inks: Inks) -> None:
    numbers = len(fit.varied)
    for panel, number in zip(axes, fit.varied, strict=False):
        _draw_number(panel, fit, number, labels, inks)
    for panel, (row, column) in zip(axes[numbers:], _pairs(fit), strict=False):
        _draw_pair(panel, fit, fit.varied[column], fit.varied[row], labels, inks)
    measures = axes[-len(fit.compared) :]
    for panel, item in zip(measures, fit.compared, strict=True):
        _draw_measure(panel, fit, item, inks)
    keys = [panel.get_legend_handles_labels() for panel in (axes[0], measures[0])]
    handles, names = (list(itertools.chain(*part)) for part in zip(*keys, strict=True))
    legend = axes[0].legend(
        handles, names, frameon=False, loc="upper left", bbox_to_anchor=(1.05, 1.0),
        borderaxespad=0.0, handlelength=1.6,
    )  # fmt: skip
    legend.set_in_layout(False)


def _draw_number(axes: Any, fit: Any, number: Any, labels: Mapping[str, str], inks: Inks) -> None:
    """Draw the posterior of a number, its prior, its mean and the 90% interval."""
    values = fit.posterior.draws()[number.path].ravel()
    low, high = number.bounds
    axes.hist(values, bins=np.linspace(low, high, BINS + 1), density=True, color=inks.line,
              alpha=0.8, label="posterior")  # fmt: skip
    grid = np.linspace(low, high, 400)
    density = np.gradient(fit.posterior.priors[number.path].quantiles(grid), grid)
    axes.plot(grid, density, color=inks.ink, linestyle=(0, (4, 2.5)), linewidth=0.9, label="prior")
    axes.axvspan(*number.interval, color=inks.mean, alpha=0.12, linewidth=0, label="90% interval")
    axes.axvline(number.mean, color=inks.mean, label="mean")
    axes.set_xlim(low, high)
    axes.set_ylim(0, None)
    axes.set_yticks([])
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel(labels[number.path])
    axes.set_title(with_error(number.mean, number.sd), loc="left")


def _draw_pair(axes: Any, fit: Any, x: Any, y: Any, labels: Mapping[str, str], inks: Inks) -> None:
    """Draw draws of two numbers, with contours that contain 50% and 90% of them."""
    from scipy.ndimage import gaussian_filter

    draws = fit.posterior.draws()
    across, up = draws[x.path].ravel(), draws[y.path].ravel()
    step = max(1, len(across) // MAX_POINTS)
    axes.plot(across[::step], up[::step], linestyle="none", marker="o", markersize=1.6,
              color=inks.line, mew=0, alpha=0.7)  # fmt: skip
    counts, xs, ys = np.histogram2d(across, up, GRID, (x.bounds, y.bounds))
    smooth = gaussian_filter(counts, 1.6, mode="nearest").T
    ordered = np.sort(smooth.ravel())[::-1]
    inside = np.cumsum(ordered) / ordered.sum()
    levels = [float(ordered[np.searchsorted(inside, part)]) for part in LEVELS]
    if levels[0] < levels[1]:
        centres = [(edges[1:] + edges[:-1]) / 2 for edges in (xs, ys)]
        axes.contour(*centres, smooth, levels=levels, colors=[inks.mean], linewidths=[0.9, 1.5])
    axes.set(xlim=x.bounds, ylim=y.bounds, xlabel=labels[x.path], ylabel=labels[y.path])


def _draw_measure(axes: Any, fit: Any, item: Any, inks: Inks) -> None:
    """Draw the runs at draws of the posterior, and the data with its 95% interval."""
    runs = fit.posterior.predicted.get(item.name, np.array([]))
    runs = runs[np.isfinite(runs)]
    error = item.their_error if math.isfinite(item.their_error) else 0.0
    ends = [item.theirs - 2 * error, item.theirs + 2 * error]
    low, high = min([*runs, ends[0]]), max([*runs, ends[1]])
    margin = 0.06 * (high - low) or 0.05 * abs(item.theirs) or 1.0
    bins = np.linspace(low - margin, high + margin, 17)
    axes.hist(runs, bins=bins, color=inks.line, alpha=0.8, label="runs of the posterior")
    axes.axvspan(*ends, color=LINES[1], alpha=0.18, linewidth=0, label="data, 2 errors")
    axes.axvline(item.theirs, color=LINES[1], label="data")
    axes.set_xlim(bins[0], bins[-1])
    axes.set_yticks([])
    axes.set_xlabel(item.name.replace("_", " ") + ("" if item.fitted else " (checked)"))
    z = f", z = {item.z:+.1f}" if math.isfinite(item.z) else ""
    axes.set_title(f"{item.verdict}{z}", loc="left")


# --- calibration


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


# --- comparison


LABEL_WIDTH = 18  # letters of a line of a label
MAX_NAME = 16  # letters of the name of a flock


def save_comparison_plot(
    comparison: Any, path: str | os.PathLike[str], *, style: Colours = "light",
    size: SizeName = "screen", force: bool = False,
) -> Path:  # fmt: skip
    """Plot a comparison to a file, and return its path. See `ModelComparison.save_plot`."""
    plot = begin_plot(path, style, size, FitError, force)
    across = min(plot.look.across, 2)
    high = max(2.9, 0.55 * len(comparison.scores) + 1.4)
    inches = plot.look.inches(4.8 * across, high * (2 // across) + 0.3)
    with plot.figure(comparison.title, inches) as figure:
        left, right = figure.subplots(2 // across, across, squeeze=False).ravel()
        _draw_differences(left, comparison, plot.inks)
        _draw_flocks(right, comparison)
        plot.add_title(figure, comparison.title)
    return plot.path


def _draw_differences(axes: Any, comparison: Any, inks: Inks) -> None:
    """Draw the difference of each model to the best one, with its 95% interval."""
    scores = comparison.scores
    positions = np.arange(len(scores))[::-1]
    for position, score in zip(positions, scores, strict=True):
        low, high = score.interval
        colour = LINES[1] if score.worse else inks.mean
        bar = [[score.difference - low], [high - score.difference]]
        is_best = score is scores[0]
        axes.errorbar(
            score.difference, position, xerr=None if is_best else bar,
            marker="D" if is_best else "o",
            color=colour, capsize=3.0, linestyle="none",
        )  # fmt: skip
        verdict = "best" if is_best else "worse" if score.worse else "not distinguished"
        axes.annotate(
            verdict, (score.difference, position), (0, 7), textcoords="offset points",
            ha="right" if is_best else "center", fontsize="small", color=colour,
        )  # fmt: skip
    axes.axvline(0.0, color=inks.ink, linewidth=0.8, linestyle=(0, (4, 2.5)))
    axes.set_yticks(positions, [textwrap.fill(score.name, LABEL_WIDTH) for score in scores])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-0.6, len(scores) - 0.3)
    axes.grid(True, axis="x")
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel("log score minus that of the best, 95%")


def _draw_flocks(axes: Any, comparison: Any) -> None:
    """Draw the score of each flock, a marker per model."""
    positions = np.arange(len(comparison.flocks))
    for k, score in enumerate(comparison.scores):
        axes.plot(
            positions, score.scores, marker=MARKERS[k % len(MARKERS)], color=LINES[k % len(LINES)],
            linestyle="none", label=score.name,
        )  # fmt: skip
    names = [Path(name).name[:MAX_NAME] for name in comparison.flocks]
    axes.set_xticks(positions, names, rotation=30, ha="right", rotation_mode="anchor")
    axes.grid(True)
    axes.set_ylabel("log score of the flock")
    axes.legend(frameon=False, handlelength=3)
