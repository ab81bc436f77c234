"""The plot of a sweep: a measure over one varied number with error bars, or a map over two."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

import numpy as np

from murmurate.model.names import file_name
from murmurate.show.errors import OutputRefused
from murmurate.sweeps.design import SweepError
from murmurate.sweeps.store import Folder
from murmurate.sweeps.table import rows_of_points

MOST_LINES = 12
INKS = {"light": ("#ffffff", "#1b2733", "#d8dee5"), "dark": ("#10161d", "#e6edf3", "#2b3642")}
Style = Literal["light", "dark"]


def draw(
    folder: Folder | str | os.PathLike[str],
    measure: str,
    path: str | os.PathLike[str] | None = None,
    *,
    kind: Literal["auto", "lines", "map"] = "auto",
    style: Style = "light",
    force: bool = False,
) -> Path:
    """Draws the runs that are done; returns the picture's path.

    measure  one that the sweep kept
    path     .png, .svg or .pdf; folder/MEASURE.png unless given
    kind     lines: the first varied path is the x axis, each value of the second has a line;
             map: the first is the x axis, the second the y axis, of a grid; auto: a map from
             MOST_LINES values of the second on
    Bars are standard errors: over seeds, or of one run by its autocorrelation time.

    Raises SweepError for a measure it does not have, an OutputRefused for a file that is there.
    """
    folder = folder if isinstance(folder, Folder) else Folder(folder)
    plan = folder.plan()
    if measure not in plan.measures:
        raise SweepError(f"{folder.path} has no {measure!r}: it kept {', '.join(plan.measures)}")
    target = Path(path) if path is not None else folder.path / file_name(measure, ".png")
    if target.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise SweepError(f"{target}: a plot is a .png, .svg or .pdf")
    if target.exists() and not force and path is not None:
        raise OutputRefused(f"{target} is there already: --force replaces it, or give another name")
    if not target.parent.is_dir():
        raise OutputRefused(f"{target}: there is no folder {target.parent}")
    rows = [row for row in rows_of_points(plan, folder.records()) if row[measure] is not None]
    if not rows:
        raise SweepError(f"{folder.path} has no finished runs with a {measure} yet")
    varied = [path for path in plan.vary if len({str(row[path]) for row in rows}) > 1]
    if plan.method in ("latin-hypercube", "sobol"):
        varied = list(plan.vary)
    if not varied:
        raise SweepError(f"{folder.path} varies nothing: there is no axis to draw {measure} along")
    figure, axes = _figure(style)
    numbers = all(isinstance(row[path], int | float) for row in rows for path in varied[:2])
    second = len({row[varied[1]] for row in rows}) if len(varied) > 1 else 1
    many = second >= MOST_LINES
    if kind == "map" and (len(varied) != 2 or not numbers):
        raise SweepError(f"a map needs two varied numbers; {folder.path} varies "
                         f"{', '.join(varied)}")  # fmt: skip
    if numbers and len(varied) == 2 and (kind == "map" or (kind == "auto" and many)):
        _map(figure, axes, rows, varied, measure, style)
    else:
        _lines(axes, rows, varied, measure, style)
    _words(axes, plan, rows, measure, style)
    figure.savefig(target, facecolor=figure.get_facecolor())
    return target


def _figure(style: Style) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SweepError('plots need matplotlib: pip install "murmurate[plot]"') from None
    ground, ink, faint = INKS[style]
    figure = Figure(figsize=(7.2, 4.6), dpi=160, layout="constrained", facecolor=ground)
    axes = figure.subplots()
    axes.set_facecolor(ground)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(ink)
    axes.tick_params(colors=ink, labelsize=9)
    axes.grid(color=faint, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _lines(
    axes: Any, rows: list[dict[str, Any]], varied: list[str], measure: str, style: Style
) -> None:
    from matplotlib import colormaps

    across, others = varied[0], varied[1:]
    lines: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        lines.setdefault(tuple(row[path] for path in others), []).append(row)
    scatter = len(lines) > MOST_LINES
    groups = [((), rows)] if scatter else list(lines.items())
    tones = colormaps["viridis"](np.linspace(0.1, 0.82, max(len(groups), 2)))
    for (values, group), tone in zip(groups, tones, strict=False):
        if all(isinstance(row[across], int | float) for row in group):
            group = sorted(group, key=lambda row: row[across])
        x = [row[across] if isinstance(row[across], int | float) else str(row[across])
             for row in group]  # fmt: skip
        y = np.array([row[measure] for row in group])
        bars = np.array([row[f"{measure}_error"] or 0.0 for row in group])
        label = ", ".join(f"{short(path)} {value:g}" if isinstance(value, float) else
                          f"{short(path)} {value}"
                          for path, value in zip(others, values, strict=False))  # fmt: skip
        axes.errorbar(
            x, y, yerr=bars, color=tone, marker="o", markersize=4, linewidth=0 if scatter else 1.6,
            elinewidth=1.0, capsize=2.5, label=label or None,
        )  # fmt: skip
    axes.set_xlabel(short(across), color=INKS[style][1])
    axes.set_ylabel(word(measure), color=INKS[style][1])
    if len(groups) > 1:
        axes.legend(frameon=False, fontsize=8, labelcolor=INKS[style][1])


def _map(
    figure: Any, axes: Any, rows: list[dict[str, Any]], varied: list[str], measure: str,
    style: Style,
) -> None:  # fmt: skip
    ink = INKS[style][1]
    x = sorted({row[varied[0]] for row in rows})
    y = sorted({row[varied[1]] for row in rows})
    if len(x) * len(y) > 4 * len(rows):  # samples, not a grid
        places = [[row[path] for row in rows] for path in varied]
        values = [row[measure] for row in rows]
        drawn = axes.scatter(*places, c=values, cmap="viridis", s=36, linewidths=0)
    else:
        table = np.full((len(y), len(x)), np.nan)
        for row in rows:
            table[y.index(row[varied[1]]), x.index(row[varied[0]])] = row[measure]
        axes.grid(visible=False)
        drawn = axes.pcolormesh(x, y, table, cmap="viridis", shading="nearest")
    bar = figure.colorbar(drawn, ax=axes, pad=0.02)
    bar.set_label(word(measure), color=ink)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=ink, labelsize=9)
    axes.set_xlabel(short(varied[0]), color=ink)
    axes.set_ylabel(short(varied[1]), color=ink)


def _words(axes: Any, plan: Any, rows: list[dict[str, Any]], measure: str, style: Style) -> None:
    runs = sum(row["runs"] for row in rows)
    each = "1 run" if plan.seeds == 1 else f"{plan.seeds} runs"
    said = f"{plan.name}: {each} a point, {plan.steps} steps"
    if plan.burn_in:
        said += f", measured from step {plan.burn_in}"
    if runs < len(plan):
        said += f" ({runs} of {len(plan)} runs so far)"
    axes.set_title(said, loc="left", fontsize=10, color=INKS[style][1])


def short(path: str) -> str:
    """A path as an axis says it: 'rules.alignment.weight' -> 'alignment weight'."""
    parts = [part for part in path.split(".") if part not in ("rules", "flocks")]
    return " ".join(parts).replace("_", " ")


def word(measure: str) -> str:
    name, at, flock = measure.partition("@")
    return name.replace("_", " ") + (f" of {flock}" if at else "")
