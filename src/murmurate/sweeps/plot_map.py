"""The map of a sweep: a measure in colours over two varied values, numbers or categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from murmurate.sweeps.names import short, value_text, word

FEW_VALUES = 12  # along an axis: so many cells are equally large, with a label each
SAMPLED = 4  # where so many times as many cells as points would be drawn, they are no grid


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class Axis:
    """Where the values of a varied path stand on an axis: as numbers, or side by side in cells of
    the same size, where they are words or few."""

    def __init__(self, values: Sequence[Any]) -> None:
        distinct = list(dict.fromkeys(values))
        numbers = all(map(is_number, distinct))
        self.values = sorted(distinct) if numbers else distinct
        self.in_cells = not numbers or len(distinct) <= FEW_VALUES
        self.places = list(range(len(distinct))) if self.in_cells else self.values
        self._place = dict(zip(self.values, self.places, strict=True))

    def place(self, value: Any) -> float:
        return float(self._place[value])

    def label(self, axis: Any) -> None:
        """Names the cells on matplotlib's axis."""
        if self.in_cells:
            axis.set_ticks(self.places, labels=list(map(value_text, self.values)))
            axis.set_tick_params(length=0)


def draw_map(
    figure: Any, axes: Any, rows: Sequence[dict[str, Any]], varied: Sequence[str], measure: str
) -> None:
    """Draws rows with `measure` over the two varied paths: cells of a grid, or, of samples,
    points."""
    columns = [[row[path] for row in rows] for path in varied]
    x, y = (Axis(column) for column in columns)
    if len(x.values) * len(y.values) > SAMPLED * len(rows):
        places = [
            list(map(axis.place, column)) for axis, column in zip((x, y), columns, strict=True)
        ]
        axes.grid()
        drawn = axes.scatter(
            *places, c=[row[measure] for row in rows], cmap="viridis", linewidths=0
        )
    else:
        table = np.full((len(y.values), len(x.values)), np.nan)
        for row in rows:
            table[y.values.index(row[varied[1]]), x.values.index(row[varied[0]])] = row[measure]
        drawn = axes.pcolormesh(x.places, y.places, table, cmap="viridis", shading="nearest")
    x.label(axes.xaxis)
    y.label(axes.yaxis)
    bar = figure.colorbar(drawn, ax=axes, pad=0.02)
    bar.set_label(word(measure))
    bar.outline.set_visible(False)
    axes.set_xlabel(short(varied[0]))
    axes.set_ylabel(short(varied[1]))
