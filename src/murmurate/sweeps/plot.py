"""The plot of a sweep: a measure over one varied number with error bars, or a map over two."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any, Literal

import numpy as np

from murmurate.errors import OutputError, SweepError
from murmurate.model.names import file_name
from murmurate.optional import optional
from murmurate.show.plot_style import (
    DASHES,
    INKS,
    MARKERS,
    SIZES,
    Colours,
    Inks,
    SizeName,
    plot_look,
    save_plot,
)
from murmurate.sweeps.names import short, value_text, word
from murmurate.sweeps.plot_map import draw_map, is_number
from murmurate.sweeps.store import Folder
from murmurate.sweeps.sweep_plan import SweepPlan
from murmurate.sweeps.table import rows_of_points

MOST_LINES = 12


def draw(
    folder: Folder | str | os.PathLike[str],
    measure: str,
    path: str | os.PathLike[str] | None = None,
    *,
    kind: Literal["auto", "lines", "map"] = "auto",
    style: Colours = "light",
    size: SizeName = "screen",
    force: bool = False,
) -> Path:
    """Draws the runs that are done; returns the picture's path.

    measure  one that the sweep kept
    path     .png, .svg or .pdf; folder/MEASURE.png unless given
    kind     lines: the first varied path is the x axis, each value of the second has a line;
             map: the first is the x axis, the second the y axis, of a grid, in which words and
             few values have cells of the same size; auto: a map of two numbers from MOST_LINES
             values of the second on
    style    light or dark: its colours
    size     screen, talk, or as wide as a paper's column or page (86 or 178 mm): single-column,
             double-column. In a paper's there is no title
    Bars, "± 95%" beside the axis, are intervals by Student's t: over seeds, or of one run by its
    autocorrelation time.

    Raises SweepError for a measure it does not have, an OutputError for a file that is there.
    """
    folder = folder if isinstance(folder, Folder) else Folder(folder)
    if style not in INKS:
        raise SweepError(f"style is {style!r}: it must be {' or '.join(INKS)}")
    if size not in SIZES:
        raise SweepError(f"size is {size!r}: it must be one of {', '.join(SIZES)}")
    plan = folder.plan()
    if measure not in plan.measures:
        raise SweepError(f"{folder.path} has no {measure!r}: it kept {', '.join(plan.measures)}")
    target = Path(path) if path is not None else folder.path / file_name(measure, ".png")
    if target.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise SweepError(f"{target}: a plot is a .png, .svg or .pdf")
    if target.exists() and not force and path is not None:
        raise OutputError(f"{target} is there already: --force replaces it, or give another name")
    if not target.parent.is_dir():
        raise OutputError(f"{target}: there is no folder {target.parent}")
    rows = [row for row in rows_of_points(plan, folder.records()) if row[measure] is not None]
    if not rows:
        raise SweepError(f"{folder.path} has no finished runs with a {measure} yet")
    for row in rows:  # numbers stay numbers, everything else is a word
        row |= {k: row[k] if is_number(row[k]) else value_text(row[k]) for k in plan.vary}
    varied = [path for path in plan.vary if len({str(row[path]) for row in rows}) > 1]
    if plan.method in ("latin-hypercube", "sobol"):
        varied = list(plan.vary)
    if not varied:
        raise SweepError(f"{folder.path} varies nothing: there is no axis to draw {measure} along")
    numbers = all(is_number(row[path]) for row in rows for path in varied[:2])
    second = len({row[varied[1]] for row in rows}) if len(varied) > 1 else 1
    if kind == "map" and len(varied) != 2:
        raise SweepError(
            f"a map needs two varied paths, and {folder.path} varies {', '.join(varied)}"
        )
    many = numbers and len(varied) == 2 and second >= MOST_LINES
    said, look = _title(plan, rows), SIZES[size]
    with optional("plots", SweepError, "plot"), plot_look(look, INKS[style]):
        from matplotlib.figure import Figure

        figure = Figure(figsize=look.inches(7.2, 4.6), layout="constrained")
        axes = figure.subplots()
        if kind == "map" or (kind == "auto" and many):
            draw_map(figure, axes, rows, varied, measure)
        else:
            _lines(axes, rows, varied, measure, INKS[style])
        if look.titled:
            axes.set_title(look.wrapped(said, figure.get_figwidth() * 0.9), loc="left")
        save_plot(figure, target, said)
    return target


def _lines(
    axes: Any, rows: list[dict[str, Any]], varied: list[str], measure: str, inks: Inks
) -> None:
    from matplotlib import colormaps

    across, others = varied[0], varied[1:]
    lines: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        lines.setdefault(tuple(row[path] for path in others), []).append(row)
    scatter = len(lines) > MOST_LINES
    groups = [((), rows)] if scatter else list(lines.items())
    tones = colormaps["viridis"](np.linspace(*inks.viridis, max(len(groups), 2)))
    numbers = all(is_number(row[across]) for row in rows)
    axes.grid()
    for k, (values, group) in enumerate(groups):
        if numbers:
            group = sorted(group, key=lambda row: row[across])
        x = [row[across] if numbers else str(row[across]) for row in group]
        bars = np.array([bar(row, measure) for row in group])
        label = ", ".join(
            f"{short(path)} {value_text(value)}"
            for path, value in zip(others, values, strict=False)
        )
        # told apart by marker and dashes too, not by colour alone
        axes.errorbar(
            x, [row[measure] for row in group], yerr=bars, color=tones[k],
            marker=MARKERS[k % len(MARKERS)], capsize=2.5, label=label or None,
            linestyle="none" if scatter else DASHES[k % len(DASHES)],
        )  # fmt: skip
    axes.set_xlabel(short(across))
    known = any(row[f"{measure}_high"] is not None for row in rows)
    axes.set_ylabel(f"{word(measure)} (± 95%)" if known else word(measure))
    if len(groups) > 1:
        axes.legend(frameon=False, handlelength=3)


def bar(row: dict[str, Any], measure: str) -> float:
    """Half the 95% interval of a row of means; nan where it is not known, and has no bar."""
    high = row[f"{measure}_high"]
    return math.nan if high is None else float(high - row[measure])


def _title(plan: SweepPlan, rows: list[dict[str, Any]]) -> str:
    runs = sum(row["runs"] for row in rows)
    each = "1 run" if plan.seeds == 1 else f"{plan.seeds} runs"
    said = f"{plan.name}: {each} a point, {plan.steps} steps"
    if plan.burn_in:
        said += f", measured from step {plan.burn_in}"
    if runs < len(plan):
        said += f" ({runs} of {len(plan)} runs so far)"
    return said
