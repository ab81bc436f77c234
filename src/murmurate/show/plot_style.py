"""How plots look: sizes and fonts for a paper, a talk and a screen, and colours."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

SizeName = Literal["screen", "talk", "single-column", "double-column"]
Colours = Literal["light", "dark"]
PAPER_FONTS = ["Arial", "Helvetica", "Liberation Sans", "DejaVu Sans"]  # the first there is
SCREEN_FONTS = ["DejaVu Sans"]  # comes with matplotlib, so it is the same everywhere


@dataclass(frozen=True)
class PlotSize:
    """Where a plot is read.

    width    inches; 0: as wide as its panels ask for
    across   panels side by side, at most
    text     points, of labels; ticks and legends are smaller
    line     points, of a line; what else is drawn goes with it
    dpi      of a .png
    titled   whether a title is drawn: in a paper the caption says it, and it is in the file's
             metadata alone
    """

    width: float
    across: int
    text: float
    line: float
    dpi: int
    titled: bool
    fonts: list[str]

    def inches(self, width: float, height: float) -> tuple[float, float]:
        """The size of a figure that has this width and height on a screen. Text does not shrink
        with a narrow one, so that is a little higher."""
        wide = self.width or width
        return wide, height * (wide / width) ** 0.75

    def wrapped(self, text: str, inches: float) -> str:
        """A text in lines that are no longer, about: letters are half as wide as high."""
        return textwrap.fill(text, max(8, int(inches * 72 / (0.56 * self.text))))


# Columns are those of the American Physical Society, 86 and 178 mm, and within 4 mm those of most
# others; their smallest letters are 5 to 7 points.
SIZES: dict[str, PlotSize] = {
    "screen": PlotSize(0.0, 4, 9.0, 1.5, 160, True, SCREEN_FONTS),
    "talk": PlotSize(11.0, 2, 15.0, 2.4, 160, True, SCREEN_FONTS),
    "single-column": PlotSize(86 / 25.4, 1, 8.0, 1.1, 600, False, PAPER_FONTS),
    "double-column": PlotSize(178 / 25.4, 2, 8.0, 1.1, 600, False, PAPER_FONTS),
}


@dataclass(frozen=True)
class Inks:
    """Colours of a plot: what it is drawn on, its text and axes, its grid, values, and means; and
    the part of viridis that is seen on that ground."""

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
"""Blue, orange, green, purple, grey: colours of lines that everyone can tell apart."""


@contextmanager
def plot_look(size: PlotSize, inks: Inks) -> Iterator[None]:
    """Figures made, and saved, within it have that look. It needs matplotlib."""
    import matplotlib as mpl

    with mpl.rc_context(_settings(size, inks)):
        yield


def set_plot_look(style: Colours = "light", size: SizeName = "screen") -> Inks:
    """Figures that are drawn from now on look as murmurate's own: for notebooks and scripts that
    draw more than `plot` does. It needs matplotlib. Returns the colours."""
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
        "svg.fonttype": "none", "svg.hashsalt": "murmurate", "pdf.fonttype": 42,  # text is text
    }  # fmt: skip


def save_plot(figure: Any, path: Path, title: str) -> None:
    """Writes a figure, with its title in the file's metadata, and the same bytes every time."""
    same = {".png": "Software", ".svg": "Date", ".pdf": "CreationDate"}
    figure.savefig(path, metadata={"Title": title, same[path.suffix.lower()]: None})
