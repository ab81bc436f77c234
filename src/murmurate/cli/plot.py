"""murmurate plot: a sweep's measure against what was varied."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from murmurate.cli.error_output import FINE
from murmurate.cli.options import PLOT_SIZE, PlotSize
from murmurate.cli.terminal import say


def plot(
    folder: Annotated[Path, Parameter(help="The folder of a sweep.")],
    measure: Annotated[str, Parameter(help="A measure that it recorded.")],
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(
            name=("--output", "-o"), help=".png, .svg or .pdf; MEASURE.png in it unless given."
        ),
    ] = None,
    kind: Annotated[
        Literal["auto", "lines", "map"],
        Parameter(
            help="map: two paths as the axes of a coloured map; words and few values have cells of "
            "the same size."
        ),
    ] = "auto",
    style: Annotated[Literal["light", "dark"], Parameter(help="Colours.")] = "light",
    size: Annotated[PlotSize, Parameter(help=PLOT_SIZE)] = "screen",
    force: Annotated[bool, Parameter(help="Replace a picture that is there.")] = False,
) -> int:
    """Draw a sweep's measure against what was varied, with 95% intervals.

    For instance:

        murmurate plot ucl-sweep polarization
        murmurate plot ucl-sweep polarization --size single-column -o figure-2.pdf
    """
    from murmurate.plots.sweeps import save_sweep_plot

    path = save_sweep_plot(folder, measure, output, kind=kind, style=style, size=size, force=force)
    say(path)
    return FINE
