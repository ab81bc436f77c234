"""Style and files of plots: sizes and fonts for a paper, a talk and a screen, and colours."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from murmurate.disk import as_path, check_writable
from murmurate.errors import MurmurateError, OutputError
from murmurate.measures import MEASURES
from murmurate.optional import require

PICTURES = (".png", ".svg", ".pdf")
SizeName = Literal["screen", "talk", "single-column", "double-column"]
Colours = Literal["light", "dark"]
PAPER_FONTS = [
    "Arial",
    "Helvetica",
    "Liberation Sans",
    "DejaVu Sans",
]  # the first that is installed
SCREEN_FONTS = ["DejaVu Sans"]  # comes with matplotlib, so it is available everywhere


@dataclass(frozen=True)
class PlotSize:
    """Size of a plot.

    width  inches; 0 for the width that the panels need
    across  largest number of panels side by side
    text  size of labels, points; ticks and legends are smaller
    line  line width, points; other strokes are proportional
    dpi  resolution of a .png
    titled  whether a title is drawn. In a paper it is in the metadata of the file only.
    fonts  fonts by preference
    """

    width: float
    across: int
    text: float
    line: float
    dpi: int
    titled: bool
    fonts: list[str]

    def inches(self, width: float, height: float) -> tuple[float, float]:
        """Return the size of a figure that is width x height inches on a screen.

        Narrow figures are higher in proportion, because their text does not shrink.
        """
        wide = self.width or width
        return wide, height * (wide / width) ** 0.75

    def wrapped(self, text: str, inches: float) -> str:
        """Wrap a text to lines of about this width. Letters are half as wide as high."""
        return textwrap.fill(text, max(8, int(inches * 72 / (0.56 * self.text))))


# The column widths are those of the American Physical Society, 86 and 178 mm. Those of most other
# publishers are within 4 mm, and their smallest letters are 5 to 7 points.
SIZES: dict[str, PlotSize] = {
    "screen": PlotSize(0.0, 4, 9.0, 1.5, 160, True, SCREEN_FONTS),
    "talk": PlotSize(11.0, 2, 15.0, 2.4, 160, True, SCREEN_FONTS),
    "single-column": PlotSize(86 / 25.4, 1, 8.0, 1.1, 600, False, PAPER_FONTS),
    "double-column": PlotSize(178 / 25.4, 2, 8.0, 1.1, 600, False, PAPER_FONTS),
}


@dataclass(frozen=True)
class Inks:
    """Colours of a plot.

    ground, ink, grid  background, text and axes, and grid
    viridis  part of the colour map viridis that is visible on the background
    """

    ground: str
    ink: str
    grid: str
    line: str
    mean: str
    viridis: tuple[float, float]


INKS: dict[str, Inks] = {
    "light": Inks("#ffffff", "#1b2733", "#e0e5ea", "#8fb3d9", "#0b5394", (0.05, 0.82)),
    "dark": Inks("#10161d", "#e6edf3", "#2b3642", "#4f7cac", "#9ecbff", (0.3, 1.0)),
}
DASHES: list[Any] = ["-", (0, (5, 1.6)), (0, (1.2, 1.4)), (0, (6, 1.5, 1.2, 1.5))]
MARKERS = "osD^vPX"
LINES = ["#0b5394", "#d95f02", "#1b9e77", "#a6508f", "#7a8591"]
"""Colours of lines that colour-blind people can distinguish: blue, orange, green, purple, grey."""


@contextmanager
def plot_look(size: PlotSize, inks: Inks) -> Iterator[None]:
    """Style the figures that are made and saved inside this context. Needs matplotlib."""
    import matplotlib as mpl

    with mpl.rc_context(_settings(size, inks)):
        yield


def set_plot_look(style: Colours = "light", size: SizeName = "screen") -> Inks:
    """Give all later figures of matplotlib the style of murmurate, for notebooks and scripts.

    returns  the colours
    """
    import matplotlib as mpl

    mpl.rcParams.update(_settings(SIZES[size], INKS[style]))
    mpl.rcParams.update({
        "axes.prop_cycle": f"cycler('color', {LINES})", "axes.grid": True, "legend.frameon": False,
        "axes.titlelocation": "left", "figure.constrained_layout.use": True, "figure.dpi": 110,
    })  # fmt: skip
    return INKS[style]


def _settings(size: PlotSize, inks: Inks) -> dict[Any, Any]:
    thin = size.line / 1.5
    return {
        "font.family": "sans-serif", "font.sans-serif": size.fonts, "font.size": size.text,
        "axes.labelsize": "medium", "axes.titlesize": "medium", "legend.fontsize": "small",
        "xtick.labelsize": "small", "ytick.labelsize": "small",
        "lines.linewidth": size.line, "lines.markersize": 2.6 * size.line,
        "axes.linewidth": 0.8 * thin, "grid.linewidth": 0.6 * thin,
        "xtick.major.width": 0.8 * thin, "ytick.major.width": 0.8 * thin,
        "text.color": inks.ink, "axes.labelcolor": inks.ink, "axes.edgecolor": inks.ink,
        "xtick.color": inks.ink, "ytick.color": inks.ink, "legend.labelcolor": inks.ink,
        "figure.facecolor": inks.ground, "axes.facecolor": inks.ground, "grid.color": inks.grid,
        "savefig.facecolor": "auto", "savefig.dpi": size.dpi,
        "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
        "svg.fonttype": "none", "svg.hashsalt": "murmurate", "pdf.fonttype": 42,  # text stays text
    }  # fmt: skip


def make_axes(style: Colours, size: SizeName, shape: tuple[int, int] = (1, 1)) -> Any:
    """Return new Axes of pyplot in the style of murmurate, so that a notebook shows them.

    Returns an array of (rows, columns) Axes. `shape` is their number. The axes keep the style.
    """
    rows, columns = shape
    look = SIZES[size]
    inches = look.inches(*(7.2, 4.6) if rows * columns == 1 else (3.5 * columns, 2.6 * rows + 0.5))
    with plot_look(look, INKS[style]):
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=inches, layout="constrained")
        return figure.subplots(rows, columns, squeeze=False)


def check_look(style: str, size: str, error: type[MurmurateError]) -> None:
    """Raise `error` for an unknown style or size, and if matplotlib is missing."""
    for name, value, names in (("style", style, INKS), ("size", size, SIZES)):
        if value not in names:
            raise error(f"{name}: got {value!r}; expected one of {', '.join(names)}")
    require("matplotlib", "plots", error)


@dataclass(frozen=True)
class PlotFile:
    """A plot that is written to a file.

    look  its size and fonts
    inks  its colours
    """

    path: Path
    look: PlotSize
    inks: Inks

    @contextmanager
    def figure(self, title: str, inches: tuple[float, float] | None = None) -> Iterator[Any]:
        """Provide a figure in the style of the plot, and write it at the end of the context.

        title  title in the metadata of the file. `add_title` draws it.
        inches  width and height. A figure without them needs `set_size_inches`
            later.
        """
        with plot_look(self.look, self.inks):
            from matplotlib.figure import Figure

            figure = Figure(figsize=inches, layout="constrained")
            yield figure
            save_figure(figure, self.path, title)

    def add_title(self, figure: Any, title: str) -> None:
        """Draw a bold title above the panels, except in a paper."""
        if self.look.titled:
            wrapped = self.look.wrapped(title, figure.get_size_inches()[0] * 0.9)
            figure.suptitle(wrapped, x=0.01, ha="left", weight="bold")


def begin_plot(
    path: str | os.PathLike[str], style: str, size: str, error: type[MurmurateError],
    force: bool = False,
) -> PlotFile:  # fmt: skip
    """Return a plot that may be written. Raises as `check_look` and `check_output_path`."""
    check_look(style, size, error)
    return PlotFile(check_output_path(path, force=force), SIZES[size], INKS[style])


def check_output_path(
    path: str | os.PathLike[str], endings: Iterable[str] = PICTURES, force: bool = False
) -> Path:
    """Return a path if it may be written, else raise OutputError.

    endings  allowed suffixes
    force  true if an existing file may be replaced
    """
    path, endings = as_path(path, OutputError), list(endings)
    if path.suffix.lower() not in endings:
        expected = " or ".join(filter(None, (", ".join(endings[:-1]), endings[-1])))
        raise OutputError(f"{path}: got ending {path.suffix!r}; expected {expected}")
    return check_writable(path, force, OutputError)


def clip_values(axes: Any, measure: str) -> None:
    """End the y axis at the bounds of a measure: 'polarization', or 'polarization@fish'."""
    name = measure.partition("@")[0]
    if name not in MEASURES:
        return
    ends = axes.get_ylim()
    low, high = MEASURES[name].limits
    margin = 0.03 * (min(high, ends[1]) - max(low, ends[0]))  # marks at a bound are whole
    axes.set_ylim(max(ends[0], low - margin), min(ends[1], high + margin))


def save_figure(figure: Any, path: Path, title: str) -> None:
    """Write a figure with its title in the metadata, and the same bytes each time."""
    omitted = {".png": "Software", ".svg": "Date", ".pdf": "CreationDate"}
    figure.savefig(path, metadata={"Title": title, omitted[path.suffix.lower()]: None})
