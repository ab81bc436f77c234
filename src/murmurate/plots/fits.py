"""Plot a fit: its search, the settings that it tried, and each measure of data and model."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import FitError
from murmurate.measures.estimate import t_factor, with_error
from murmurate.plots.style import (
    INKS,
    SIZES,
    Colours,
    Inks,
    PlotSize,
    SizeName,
    check_look,
    check_output_path,
    make_axes,
    plot_look,
    save_figure,
)

MAX_PLANES = 4
AS_GOOD = 1.0  # above the smallest objective, as for the ranges of a fit
MAX_RATIO = 1e3  # of objectives that have different colours


def plot_fit(
    fit: Any, labels: Mapping[str, str], ax: Sequence[Any] | None = None, *,
    style: Colours = "light", size: SizeName = "screen",
) -> np.ndarray:  # fmt: skip
    """Plot a fit, and return its Axes. See `Fit.plot`.

    Parameters
    ----------
    fit : Fit
        The fit.
    labels : mapping
        Path -> label of a number.
    ax : sequence of Axes, optional
        `count_panels(fit)` Axes of matplotlib. The default is a new figure.
    style, size
        As for `save_fit_plot`.
    """
    _check(fit, style, size)
    panels = count_panels(fit)
    if ax is None:
        down, across = _shape(panels, SIZES[size])
        axes = make_axes(style, size, (down, across)).ravel()
        for empty in axes[panels:]:
            empty.set_axis_off()
        axes = axes[:panels]
    else:
        axes = np.array(ax, dtype=object).ravel()
        if len(axes) != panels:
            raise FitError(f"ax: got {len(axes)} Axes; expected {panels}, one for each panel")
    with plot_look(SIZES[size], INKS[style]):
        _draw(list(axes), fit, labels, INKS[style])
    return np.asarray(axes)


def save_fit_plot(
    fit: Any, labels: Mapping[str, str], path: str | os.PathLike[str], *,
    style: Colours = "light", size: SizeName = "screen", force: bool = False,
) -> Path:  # fmt: skip
    """Plot a fit to a file, and return its path. See `Fit.save_plot`."""
    _check(fit, style, size)
    path = check_output_path(path, force=force)
    look, panels = SIZES[size], count_panels(fit)
    down, across = _shape(panels, look)
    wide, high = look.inches(*((9.6, 3.6) if across == 2 else (5.4, 3.4)))
    title = f"{fit.name}: fit, objective {fit.objective:.3g} after {fit.evaluations} settings"
    with plot_look(look, INKS[style]):
        from matplotlib.figure import Figure

        figure = Figure(figsize=(wide, high * down), layout="constrained")
        grid = figure.add_gridspec(down, across)
        cells = [grid[divmod(k, across)] for k in range(panels)]
        if panels % across:  # the last panel, of the measures, takes the whole row
            cells[-1] = grid[down - 1, :]
        _draw([figure.add_subplot(cell) for cell in cells], fit, labels, INKS[style])
        if look.titled:
            figure.suptitle(look.wrapped(title, wide * 0.9), x=0.01, ha="left", weight="bold")
        save_figure(figure, path, title)
    return path


def count_panels(fit: Any) -> int:
    """Return the number of panels: the search, planes of numbers, and measures."""
    return 2 + len(_planes(fit.varied))


def _planes(varied: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the numbers of each plane: one number alone, or the first pairs of several."""
    return list(itertools.combinations(varied, min(2, len(varied))))[:MAX_PLANES]


def _shape(panels: int, look: PlotSize) -> tuple[int, int]:
    across = min(look.across, 2)
    return math.ceil(panels / across), across


def _check(fit: Any, style: str, size: str) -> None:
    check_look(style, size, FitError)
    if not fit.tried:
        raise FitError(
            f"{fit.name}: got a fit without the settings that it tried; expected one of this "
            "version. Resume it to add them, which simulates nothing again: murmurate fit FOLDER"
        )


def _draw(axes: Sequence[Any], fit: Any, labels: Mapping[str, str], inks: Inks) -> None:
    search, *planes, measures = axes
    _draw_search(search, fit, inks)
    for panel, numbers in zip(planes, _planes(fit.varied), strict=True):
        if len(numbers) == 1:
            _draw_profile(panel, fit, numbers[0], labels, inks)
        else:
            _draw_plane(panel, fit, numbers, labels, inks)
    _draw_measures(measures, fit, inks)


def _draw_search(axes: Any, fit: Any, inks: Inks) -> None:
    """Draw the objective of each setting, and the smallest one so far."""
    values = np.array([value for _, value in fit.tried])
    settings = np.arange(1, len(values) + 1)
    axes.grid(True)
    axes.plot(settings, values, linestyle="none", marker="o", markersize=2.4, color=inks.line,
              label="each setting")  # fmt: skip
    axes.step(settings, np.minimum.accumulate(values), where="post", color=inks.mean,
              label="smallest so far")  # fmt: skip
    if values.min() > 0:
        axes.set_yscale("log")
    axes.set_xlabel("settings tried")
    axes.set_ylabel("objective")
    axes.set_title("Search", loc="left")
    _legend_below(axes)


def _draw_profile(axes: Any, fit: Any, number: Any, labels: Mapping[str, str], inks: Inks) -> None:
    """Draw the objective of each setting over the one number that is varied."""
    values = np.array([value for _, value in fit.tried])
    axes.grid(True)
    axes.plot([setting[number.path] for setting, _ in fit.tried], values, linestyle="none",
              marker="o", markersize=3, color=inks.line, label="tried")  # fmt: skip
    if math.isfinite(number.from_):
        axes.axvspan(number.from_, number.to, color=inks.mean, alpha=0.15, linewidth=0,
                     label="as good as the best")  # fmt: skip
    axes.axvline(number.best, color=inks.mean, label=f"best, {number.best:.4g}")
    if values.min() > 0:
        axes.set_yscale("log")
    axes.set_xlim(number.low, number.high)
    axes.set_xlabel(labels[number.path])
    axes.set_ylabel("objective")
    axes.set_title("Settings", loc="left")
    _legend_below(axes)


def _draw_plane(
    axes: Any, fit: Any, numbers: tuple[Any, ...], labels: Mapping[str, str], inks: Inks
) -> None:
    """Draw the settings in the plane of two numbers, coloured by their objectives."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, LogNorm
    from matplotlib.patches import Rectangle

    x, y = numbers
    values = np.array([value for _, value in fit.tried])
    order = np.argsort(-values)  # the best are on top
    smallest = max(float(values.min()), 1e-12)
    largest = min(float(values.max()), MAX_RATIO * smallest)
    points = [(fit.tried[k][0][x.path], fit.tried[k][0][y.path]) for k in order]
    axes.grid(True)
    colours = ListedColormap(colormaps["viridis"](np.linspace(*inks.viridis[::-1], 256)))
    dots = axes.scatter(
        *np.transpose(points), c=np.clip(values[order], smallest, largest), s=16, linewidths=0,
        cmap=colours, norm=LogNorm(smallest, max(largest, 1.0001 * smallest)), label="tried",
    )  # fmt: skip
    good = [setting for setting, value in fit.tried if value <= smallest + AS_GOOD]
    axes.plot([s[x.path] for s in good], [s[y.path] for s in good], linestyle="none", marker="o",
              markersize=6, mfc="none", color=inks.ink, mew=0.7,
              label=f"as good: at most {AS_GOOD:g} above the best")  # fmt: skip
    if math.isfinite(x.from_ + y.from_):
        axes.add_patch(Rectangle(
            (x.from_, y.from_), x.to - x.from_, y.to - y.from_, fill=False, edgecolor=inks.mean,
            linestyle=(0, (4, 2.5)), label="their ranges",
        ))  # fmt: skip
    axes.plot([x.best], [y.best], linestyle="none", marker="*", markersize=11, color=inks.mean,
              mec=inks.ground, label="best")  # fmt: skip
    for side, number in (("x", x), ("y", y)):
        margin = 0.02 * (number.high - number.low)
        axes.set(**{
            f"{side}lim": (number.low - margin, number.high + margin),
            f"{side}label": labels[number.path],
        })  # fmt: skip
    axes.set_title("Settings", loc="left")
    bar = axes.figure.colorbar(dots, ax=axes, pad=0.02)
    bar.set_label("objective")
    bar.outline.set_visible(False)
    _legend_below(axes)


def _draw_measures(axes: Any, fit: Any, inks: Inks) -> None:
    """Draw each measure of the data and of the model, in standard errors of their difference."""
    rows = [item for item in fit.met if math.isfinite(item.z)]
    names, limit = [], 3.0
    for k, item in enumerate(rows):
        error = abs(item.ours - item.theirs) / abs(item.z) if item.z else 1.0
        reach = t_factor(item.freedom, 0.05)
        axes.barh([k], [2 * reach], left=-reach, height=0.5, color=inks.line, alpha=0.25,
                  linewidth=0, label="95% of the difference" if k == 0 else None)  # fmt: skip
        for value, spread, colour, marker, shift, label in (
            (0.0, item.their_error, inks.ink, "s", 0.1, "data"),
            (item.z, item.our_error, inks.mean, "o", -0.1, "best fit"),
        ):
            bar = spread / error if math.isfinite(spread) else math.nan
            axes.errorbar(
                [value], [k - shift], xerr=[bar], color=colour, marker=marker, linestyle="none",
                capsize=2.5, label=label if k == 0 else None,
            )  # fmt: skip
        limit = max(limit, 1.2 * reach, abs(item.z) + 1.5)
        data, model = (
            with_error(*pair)
            for pair in ((item.theirs, item.their_error), (item.ours, item.our_error))
        )
        checked = "" if item.fitted else " (checked)"
        names.append(f"{item.name.replace('_', ' ')}{checked}\ndata {data}\nfit {model}")
    axes.grid(True, axis="x")
    axes.axvline(0, color=inks.ink, linewidth=0.7)
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(-limit, limit)
    axes.set_xlabel("difference from the data, in standard errors")
    axes.set_title("Data and best fit", loc="left")
    if rows:
        _legend_below(axes)


def _legend_below(axes: Any) -> None:
    """Draw a legend below the x label, where no point is."""
    from matplotlib.transforms import ScaledTranslation

    under = 3.4 * axes.xaxis.label.get_fontsize() / 72  # ticks and the label, inches
    below = ScaledTranslation(0, -under, axes.figure.dpi_scale_trans)
    axes.legend(
        frameon=False, loc="upper left", bbox_to_anchor=(0, 0), ncols=2, borderaxespad=0.0,
        bbox_transform=axes.transAxes + below, handlelength=1.6, columnspacing=1.2,
    )  # fmt: skip
