"""Plot a comparison of models: differences to the best one, and the scores of each flock."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import FitError
from murmurate.plots.style import LINES, MARKERS, Colours, Inks, SizeName, begin_plot

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
