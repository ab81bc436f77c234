"""Plot a sweep: a measure over one varied path with error bars, or a map over two."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from murmurate.errors import SweepError
from murmurate.model.names import file_name
from murmurate.plots.style import (
    DASHES,
    INKS,
    MARKERS,
    Colours,
    Inks,
    SizeName,
    begin_plot,
    check_look,
    clip_values,
    make_axes,
)
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import SweepPlan
from murmurate.sweeps.table import measure_label, path_labels, point_rows, run_rows, value_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["auto", "lines", "map"]
MAX_LINES = 12
MAX_CELL_VALUES = 12  # along an axis whose cells have equal sizes, each with its label
MAX_EMPTY_FACTOR = 4  # cells per parameter set, above which the sets do not form a grid


def plot_sweep(
    folder: SweepFolder | str | os.PathLike[str],
    measure: str,
    ax: Axes | None = None,
    *,
    kind: Kind = "auto",
    style: Colours = "light",
    size: SizeName = "screen",
) -> Axes:
    """Plot the finished runs of a sweep.

    ax  axes of matplotlib. The default is a new figure.
    kind  'lines' has the first varied path as x axis, and a line for each value of the others.
        'map' has the first two varied paths as axes; words and few values have cells of equal
        sizes. 'auto' is a map for two paths of numbers if the second has 12 values or more.
    style  colours
    size  size of a new figure
    returns  error bars ("± 95%") are intervals by Student's t: over seeds, whose runs are small
        points, or of one run by its autocorrelation time. The axis ends at the bounds of the
        measure.
    raises SweepError  for an unknown measure, and for a sweep without finished runs or varied paths
    """
    check_look(style, size, SweepError)
    table = _SweepTable(folder, measure, kind)
    axes = make_axes(style, size)[0, 0] if ax is None else ax
    table.draw(axes, INKS[style])
    return axes  # type: ignore[no-any-return]


def save_sweep_plot(
    folder: SweepFolder | str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    measure: str | None = None,
    *,
    kind: Kind = "auto",
    style: Colours = "light",
    size: SizeName = "screen",
    force: bool = False,
) -> Path:
    """Plot the finished runs of a sweep to a file, and return its path.

    folder, kind, style  see `plot_sweep`
    path  .png, .svg or .pdf. The default, FOLDER/MEASURE.png or FOLDER/measures.png, is replaced if
        it exists.
    measure  a measure of the sweep. The default is a panel for each.
    size  the last two are as wide as a paper's column or page (86 or 178 mm), and have no title
    force  true to replace an existing file
    raises SweepError  as `plot_sweep`
    raises OutputError  for an existing file, unless forced, and for another ending
    """
    folder = folder if isinstance(folder, SweepFolder) else SweepFolder(folder)
    default = folder.path / file_name(measure or "measures", ".png")
    plot = begin_plot(path or default, style, size, SweepError, force or path is None)
    measures = folder.plan().measures if measure is None else (measure,)
    tables = _tables_with_values(folder, measures, kind)
    title, look = tables[0].title, plot.look
    across = min(look.across, len(tables), 2)
    down = math.ceil(len(tables) / across)
    wide, high = look.inches(*((7.2, 4.6) if across == 1 else (9.6, 3.4)))
    with plot.figure(title, (wide, high * down)) as figure:
        panels = figure.subplots(down, across, squeeze=False).ravel()
        for axes, table in zip(panels, tables, strict=False):
            table.draw(axes, plot.inks)
        for axes in panels[len(tables) :]:
            axes.set_axis_off()
        if look.titled and len(tables) == 1:
            panels[0].set_title(look.wrapped(title, wide * 0.9), loc="left")
        elif look.titled:
            figure.suptitle(look.wrapped(title, wide * 0.9), x=0.01, ha="left", fontsize="medium")
    return plot.path


def _tables_with_values(
    folder: SweepFolder, measures: Sequence[str], kind: Kind
) -> list[_SweepTable]:
    """Return the tables to draw. Of several measures, those without a value are left out."""
    tables, errors = [], []
    for measure in measures:
        try:
            tables.append(_SweepTable(folder, measure, kind))
        except SweepError as error:
            errors.append(error)
    if not tables:
        raise errors[0] if errors else SweepError(f"{folder.path}: measures nothing to plot")
    return tables


class _SweepTable:
    """The means of a sweep over seeds, and how they are drawn."""

    def __init__(
        self, folder: SweepFolder | str | os.PathLike[str], measure: str, kind: Kind
    ) -> None:
        folder = folder if isinstance(folder, SweepFolder) else SweepFolder(folder)
        plan = folder.plan()
        if measure not in plan.measures:
            raise SweepError(
                f"measure: got {measure!r}; expected one of {folder.path}: "
                f"{', '.join(plan.measures)}"
            )
        rows = [row for row in point_rows(plan, folder.records()) if row[measure] is not None]
        if not rows:
            raise SweepError(f"{folder.path}: has no finished run with {measure}")
        for row in rows:  # numbers stay numbers, other values become text
            row |= {k: row[k] if is_number(row[k]) else value_label(row[k]) for k in plan.vary}
        varied = [path for path in plan.vary if len({str(row[path]) for row in rows}) > 1]
        if plan.method in ("latin-hypercube", "sobol"):
            varied = list(plan.vary)
        if not varied:
            raise SweepError(f"{folder.path}: varies no path; expected one for the x axis")
        if kind == "map" and len(varied) != 2:
            raise SweepError(
                f"kind: got 'map' for {folder.path}, which varies {', '.join(varied)}; expected "
                "two varied paths"
            )
        numbers = all(is_number(row[path]) for row in rows for path in varied[:2])
        second = len({row[varied[1]] for row in rows}) if len(varied) > 1 else 1
        self.rows, self.varied, self.measure = rows, varied, measure
        self.runs: dict[int, list[float]] = {}  # point -> values of its runs
        for run in run_rows(plan, folder.records()):
            if run[measure] is not None:
                self.runs.setdefault(run["point"], []).append(run[measure])
        self.is_map = kind == "map" or (
            kind == "auto" and numbers and len(varied) == 2 and second >= MAX_LINES
        )
        self.title = _title(plan, rows)
        self.labels = path_labels(plan)

    def draw(self, axes: Any, inks: Inks) -> None:
        """Draw the map or the lines."""
        if self.is_map:
            draw_map(axes, self.rows, self.varied, self.measure, self.labels)
        else:
            _draw_lines(axes, self.rows, self.varied, self.measure, inks, self.labels, self.runs)


def _draw_lines(
    axes: Any, rows: list[dict[str, Any]], varied: list[str], measure: str, inks: Inks,
    labels: Mapping[str, str], runs: Mapping[int, Sequence[float]],
) -> None:  # fmt: skip
    """Draw means with 95% intervals over the first path, and single runs as small points.

    Lines join values of a path of numbers.
    """
    from matplotlib import colormaps

    across, others = varied[0], varied[1:]
    lines: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        lines.setdefault(tuple(row[path] for path in others), []).append(row)
    scatter = len(lines) > MAX_LINES
    groups = [((), rows)] if scatter else list(lines.items())
    tones = colormaps["viridis"](np.linspace(*inks.viridis, max(len(groups), 2)))
    numbers = all(is_number(row[across]) for row in rows)
    axes.grid(True)
    for k, (values, group) in enumerate(groups):
        if numbers:
            group = sorted(group, key=lambda row: row[across])
        x = [row[across] if numbers else str(row[across]) for row in group]
        bars = np.array([half_interval(row, measure) for row in group])
        label = ", ".join(
            f"{labels[path]} {value_label(value)}"
            for path, value in zip(others, values, strict=False)
        )
        # lines also differ by markers and dashes, for readers who do not see the colours
        axes.errorbar(
            x, [row[measure] for row in group], yerr=bars, color=tones[k],
            marker=MARKERS[k % len(MARKERS)], capsize=2.5, elinewidth=0.9, label=label or None,
            linestyle="none" if scatter or not numbers else DASHES[k % len(DASHES)],
        )  # fmt: skip
        each = [(at, y) for at, row in zip(x, group, strict=True) for y in runs[row["point"]]
                if len(runs[row["point"]]) > 1]  # fmt: skip
        axes.plot([at for at, _ in each], [y for _, y in each], color=tones[k], marker="o",
                  markersize=3.6, mfc=inks.ground, mew=0.9, linestyle="none", zorder=4)  # fmt: skip
    clip_values(axes, measure)
    axes.set_xlabel(labels[across])
    has_bars = any(row[f"{measure}_high"] is not None for row in rows)
    axes.set_ylabel(f"{measure_label(measure)} ± 95%" if has_bars else measure_label(measure))
    if len(groups) > 1:
        axes.legend(frameon=False, handlelength=3)


def half_interval(row: dict[str, Any], measure: str) -> float:
    """Return half the 95% interval of a row; nan, which draws no bar, if it is unknown."""
    high = row[f"{measure}_high"]
    return math.nan if high is None else float(high - row[measure])


def _title(plan: SweepPlan, rows: list[dict[str, Any]]) -> str:
    runs = sum(row["runs"] for row in rows)
    each = "1 run" if plan.seeds == 1 else f"{plan.seeds} runs"
    title = f"{plan.name}: {each} a point, {plan.steps} steps"
    if plan.warm_up:
        title += f", measured from step {plan.warm_up}"
    if runs < len(plan):
        title += f" ({runs} of {len(plan)} runs so far)"
    return title


def is_number(value: Any) -> bool:
    """Return True for int and float, but not bool."""
    return isinstance(value, int | float) and not isinstance(value, bool)


class MapAxis:
    """Positions of the values of a varied path on an axis.

    Numbers are at their values. Words, and few values, are in cells of equal sizes.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        distinct = list(dict.fromkeys(values))
        numbers = all(map(is_number, distinct))
        self.values = sorted(distinct) if numbers else distinct
        self.in_cells = not numbers or len(distinct) <= MAX_CELL_VALUES
        self.positions = list(range(len(distinct))) if self.in_cells else self.values
        self._position = dict(zip(self.values, self.positions, strict=True))

    def position(self, value: Any) -> float:
        """Return the position of a value."""
        return float(self._position[value])

    def label(self, axis: Any) -> None:
        """Label the cells on an axis of matplotlib."""
        if self.in_cells:
            axis.set_ticks(self.positions, labels=list(map(value_label, self.values)))
            axis.set_tick_params(length=0)


def draw_map(
    axes: Any, rows: Sequence[dict[str, Any]], varied: Sequence[str], measure: str,
    labels: Mapping[str, str],
) -> None:  # fmt: skip
    """Draw a measure over two varied paths: cells of a grid, or points of samples."""
    columns = [[row[path] for row in rows] for path in varied]
    x, y = (MapAxis(column) for column in columns)
    if len(x.values) * len(y.values) > MAX_EMPTY_FACTOR * len(rows):
        positions = [
            list(map(axis.position, column)) for axis, column in zip((x, y), columns, strict=True)
        ]
        axes.grid(True)
        values = axes.scatter(
            *positions, c=[row[measure] for row in rows], cmap="viridis", linewidths=0
        )
    else:
        table = np.full((len(y.values), len(x.values)), np.nan)
        for row in rows:
            table[y.values.index(row[varied[1]]), x.values.index(row[varied[0]])] = row[measure]
        axes.grid(False)
        values = axes.pcolormesh(x.positions, y.positions, table, cmap="viridis", shading="nearest")
    x.label(axes.xaxis)
    y.label(axes.yaxis)
    bar = axes.figure.colorbar(values, ax=axes, pad=0.02)
    bar.set_label(measure_label(measure))
    bar.outline.set_visible(False)
    axes.set_xlabel(labels[varied[0]])
    axes.set_ylabel(labels[varied[1]])
