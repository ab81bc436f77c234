"""Draws a model's figure: its lines with error bars, beside published values."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from murmurate.errors import OutputError
from murmurate.model.results import Panel
from murmurate.optional import require
from murmurate.show.output import check_replaceable
from murmurate.show.plot_style import (
    INKS,
    SIZES,
    Colours,
    PlotSize,
    SizeName,
    plot_look,
    save_plot,
)
from murmurate.verify.draw_lines import LINES, draw_points, pen_of
from murmurate.verify.figure_runs import FlownLine

SUFFIXES = (".png", ".svg", ".pdf")
FEW_DECADES = 1e3
COLOURS = 128  # of a .png


def target(path: str | os.PathLike[str], force: bool = False) -> Path:
    """The picture's path, if it may be written, before hours are spent on it. Raises OutputError
    for a suffix that is not drawn, a file that is there, a folder that is not, and a missing
    matplotlib."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise OutputError(f"{path}: a figure is a .png, .svg or .pdf")
    check_replaceable(path)
    if path.exists() and not force:
        raise OutputError(f"{path} is there already: --force replaces it, or give another name")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}")
    require("matplotlib", "figures", OutputError)
    return path


def draw(
    found: Sequence[tuple[Panel, Sequence[FlownLine]]],
    path: str | os.PathLike[str],
    *,
    title: str = "",
    style: Colours = "light",
    size: SizeName = "screen",
    force: bool = False,
) -> Path:
    """Draws what `fly_figure` found, a panel beside or below another; returns the picture's path.

    Bars are standard errors, the larger of what seeds and runs say, and faint where few and short
    runs may say too little. Raises as `target` does.
    """
    path = target(path, force)
    look, inks = SIZES[size], INKS[style]
    across = min(look.across, 1 if len(found) == 1 else 2)
    down = math.ceil(len(found) / across)
    wide, high = look.inches(*(6.2, 3.7) if across == 1 else (9.6, 3.4))
    with plot_look(look, inks):
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        room = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08, wspace=0.04, hspace=0.06)
        figure = Figure(figsize=(wide, high * down), layout=room)
        grid = figure.add_gridspec(down, across)
        legends = [0] * down  # lines of text under the panels of each row
        for k, (panel, lines) in enumerate(found):
            last = k == len(found) - 1 and k % across == 0
            axes = figure.add_subplot(grid[k // across, slice(None) if last else k % across])
            letter = "" if len(found) == 1 else f"{chr(ord('a') + k)}  "
            box = (wide if last else wide / across, high)
            rows = _panel(axes, panel, lines, letter, style, look, box)
            legends[k // across] = max(legends[k // across], rows)
        line = 1.25 * look.text / 72
        figure.set_size_inches(wide, high * down + line * sum(legends))
        grid.set_height_ratios([high + line * rows for rows in legends])
        if title and look.titled:
            figure.suptitle(title, x=0.015, ha="left", weight="bold")
        save_plot(figure, path, title)
    if path.suffix.lower() == ".png":
        _lighten(path)
    return path


def _lighten(path: Path) -> None:
    """A picture of few colours in fewer bytes."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        dpi, said = picture.info["dpi"], PngInfo()
        said.add_itxt("Title", picture.info.get("Title", ""))
    few.save(path, optimize=True, dpi=dpi, pnginfo=said)


def _panel(
    axes: Any, panel: Panel, lines: Sequence[FlownLine], letter: str, style: Colours,
    look: PlotSize, inches: tuple[float, float],
) -> int:  # fmt: skip
    """Draws a panel in a box of so many inches; returns how many lines of text its legend has."""
    axes.grid()
    pens = {flown.line.label: pen_of(k, style) for k, flown in enumerate(lines)}
    for k, flown in enumerate(lines):
        LINES[panel.shows](axes, flown, pen_of(k, style))
    for points in panel.points:
        pen = pens.get(points.like) if points.like else None
        draw_points(axes, points, pen.colour if pen else INKS[style].ink)
    for side in panel.log or "":
        _logarithmic(axes, side)
    if panel.limits:
        axes.set_ylim(*panel.limits)
    wide, high = inches
    axes.set_xlabel(look.wrapped(panel.x, 0.8 * wide))
    axes.set_ylabel(look.wrapped(panel.y, 0.9 * high))
    lift, line = 6.0, 1.2 * axes.title.get_fontsize()
    for words, x in panel.notes.items():
        axes.annotate(words, (x, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 3),
                      textcoords="offset points", ha="center", va="bottom",
                      fontsize="small", alpha=0.7)  # fmt: skip
        lift = max(lift, 8 + line * (1 + words.count("\n")))
    axes.set_title(look.wrapped(f"{letter}{panel.title}", 0.85 * wide), loc="left", pad=lift)
    return _legend(axes, look, wide)


def _legend(axes: Any, look: PlotSize, wide: float) -> int:
    """A legend under the axis' label; how many lines of text it has."""
    from matplotlib.transforms import ScaledTranslation

    handles, labels = axes.get_legend_handles_labels()
    labels = [look.wrapped(label, 0.85 * wide) for label in labels]
    if not labels:
        return 0
    half = look.wrapped("x" * 1000, 0.3 * wide).index("\n")  # letters in half of it
    columns = 2 if max(map(len, labels)) <= half else 1
    under = 2.3 + 1.3 * (1 + axes.get_xlabel().count("\n"))  # ticks and the label, in letters
    below = ScaledTranslation(0, -under * look.text / 72, axes.figure.dpi_scale_trans)
    axes.legend(
        handles, labels, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, ncols=columns,
        bbox_transform=axes.transAxes + below, handlelength=2.4, columnspacing=1.4,
        borderaxespad=0.0, borderpad=0.0, labelspacing=0.35,
    )  # fmt: skip
    return sum(label.count("\n") + 1 for label in labels[::columns])


def _logarithmic(axes: Any, side: str) -> None:
    """A logarithmic axis; over few decades with plain numbers on it."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set(**{f"{side}scale": "log"})
    axis = getattr(axes, f"{side}axis")
    low, high = axis.get_view_interval()
    if high < FEW_DECADES * low:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())
