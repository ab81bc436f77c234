"""Fit: the result of a fit, with the best numbers, their ranges, and compared measures."""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import read_bytes
from murmurate.errors import FitError
from murmurate.fitting.objective import ComparedMeasure
from murmurate.fitting.ranges import Varied, groups, remarks
from murmurate.measures.estimate import with_error
from murmurate.model.files import load
from murmurate.model.model import Model
from murmurate.model.text_reader import TextError, read_json
from murmurate.plots.fits import plot_fit, save_fit_plot
from murmurate.plots.style import Colours, SizeName
from murmurate.schema import parameter_label
from murmurate.tables import finite, to_html


@dataclass(frozen=True, repr=False)
class Fit:
    """The result of a fit. It displays as a table.

    Attributes
    ----------
    name : str
        Name of the model.
    model : Model
        The model with the best numbers.
    varied : list of Varied
        Each number that was varied.
    met : list of ComparedMeasure
        Each measure of the target and of the model, from runs with seeds of their own.
    objective : float
        Sum of squared z of these runs, over the measures to reproduce.
    evaluations, runs : int
        Settings that were tried, and runs of them.
    folder : Path or None
        Where the fit is stored; None for a temporary folder.
    history : list of float
        Smallest objective after each setting.
    tried : list of (dict, float)
        Every setting, path -> value, with its objective, in the order of the search.
    """

    name: str
    model: Model
    varied: list[Varied]
    met: list[ComparedMeasure]
    objective: float
    evaluations: int
    runs: int
    folder: Path | None = None
    history: list[float] = field(default_factory=list)
    tried: list[tuple[dict[str, Any], float]] = field(default_factory=list)

    @property
    def best(self) -> dict[str, float]:
        """Path -> best value."""
        return {item.path: item.best for item in self.varied}

    @property
    def not_determined(self) -> list[str]:
        """Paths of numbers that these measures do not determine.

        Settings over most of their bounds are as good as the best item.
        """
        return [item.path for item in self.varied if item.undetermined]

    @property
    def determined_together(self) -> list[tuple[str, ...]]:
        """Groups of paths of which only a combination is determined."""
        return groups(self.varied)

    @property
    def remarks(self) -> list[str]:
        """Remarks on the ranges, one line each.

        They state whether enough settings support the ranges, and which numbers are not determined.
        """
        return remarks(self.varied)

    def __repr__(self) -> str:
        lines = [f"{self.name}: objective {self.objective:.3g} after {self.evaluations} settings"]
        width = max(len(number.path) for number in self.varied)
        for number in self.varied:
            line = f"{number.path:<{width}}  {number.best:<10.4g}"
            line += f"  as good: {number.as_good}" if number.has_range else ""
            lines.append(line + ("  at its bound" if number.at_bound else ""))
        lines += self.remarks
        width = max(len(measure.name) for measure in self.met)
        lines.append("measures, theirs and ours ± standard errors, and z in errors of both:")
        for row in self.cells():
            lines.append(f"{row[0]:<{width}}  {row[1]:<20}  {row[2]:<20}  {row[3]:>6}  {row[4]}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        title = f"{self.name}: objective {self.objective:.3g} after {self.evaluations} settings"
        varied = [
            (
                item.path, f"{item.best:.4g}" + (", at its bound" if item.at_bound else ""),
                item.as_good, f"{item.low:g} to {item.high:g}",
            )
            for item in self.varied
        ]  # fmt: skip
        numbers = to_html(("varied", "best", "as good", "bounds"), varied, title, self.remarks)
        columns = ("measure", "theirs ± standard error", "ours ± standard error", "z", "")
        return numbers + to_html(columns, self.cells(), "Measures of the data and of the model")

    def cells(self) -> list[tuple[str, str, str, str, str]]:
        """Return a row per measure: name, theirs, ours, z and verdict."""
        return [
            (
                item.name,
                with_error(item.theirs, item.their_error),
                with_error(item.ours, item.our_error),
                f"{item.z:+.1f}" if math.isfinite(item.z) else "-",
                item.verdict + ("" if item.fitted else ", only checked"),
            )
            for item in self.met
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain numbers and text; None for a missing number."""
        return {
            "model": self.name,
            "objective": finite(self.objective),
            "evaluations": self.evaluations,
            "runs": self.runs,
            "varied": {
                item.path: {
                    "best": item.best, "low": item.low, "high": item.high,
                    "as_good": [item.from_, item.to] if item.has_range else None,
                    "supporting": item.supporting, "needed": item.needed,
                    "not_determined": item.undetermined, "no_limit": list(item.no_limit),
                    "together": list(item.together),
                    "at_bound": item.at_bound,
                }
                for item in self.varied
            },
            "remarks": self.remarks,
            "tried": [[*values.values(), finite(value)] for values, value in self.tried],
            "measures": {
                item.name: {
                    "theirs": finite(item.theirs), "their_error": finite(item.their_error),
                    "ours": finite(item.ours), "our_error": finite(item.our_error),
                    "z": finite(item.z), "freedom": finite(item.freedom),
                    "their_freedom": finite(item.their_freedom),
                    "our_freedom": finite(item.our_freedom),
                    "verdict": item.verdict, "fitted": item.fitted,
                }
                for item in self.met
            },
        }  # fmt: skip

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def plot(
        self, ax: Sequence[Any] | None = None, *, style: Colours = "light",
        size: SizeName = "screen",
    ) -> np.ndarray:  # fmt: skip
        """Plot the search, the settings that were tried, and each measure of data and model.

        Parameters
        ----------
        ax : sequence of Axes, optional
            One Axes of matplotlib per panel. The default is a new figure.
        style : {'light', 'dark'}, default 'light'
            Colours.
        size : {'screen', 'talk', 'single-column', 'double-column'}, default 'screen'
            Size of a new figure.

        Returns
        -------
        (n,) array of Axes
            The objective over the settings; the settings in the plane of each pair of numbers (the
            first four pairs), with the ranges of those that are as good as the best one; and the
            difference of each measure from the data, in standard errors.

        Raises
        ------
        FitError
            If matplotlib is missing, the number of Axes is wrong, or an older murmurate wrote the
            fit.
        """
        return plot_fit(self, self._labels(), ax, style=style, size=size)

    def save_plot(
        self, path: str | os.PathLike[str], *, style: Colours = "light", size: SizeName = "screen",
        force: bool = False,
    ) -> Path:  # fmt: skip
        """Plot the fit to a .png, .svg or .pdf, and return its path. See `plot`.

        Raises OutputError for an existing file, unless `force` is True, and for another ending.
        """
        return save_fit_plot(self, self._labels(), path, style=style, size=size, force=force)

    def _labels(self) -> dict[str, str]:
        return {item.path: parameter_label(self.model, item.path) for item in self.varied}


def open_fit(folder: str | os.PathLike[str]) -> Fit:
    """Return the result of a finished fit from its folder. Nothing is simulated.

    Raises
    ------
    FitError
        If the folder has no finished fit.
    """
    path = Path(folder)
    try:
        data = read_json(read_bytes(path / "fit.json"))
        varied = [_varied(name, entry) for name, entry in data["varied"].items()]
        paths = [item.path for item in varied]
        tried = [
            (dict(zip(paths, row[:-1], strict=True)), math.inf if row[-1] is None else row[-1])
            for row in data.get("tried", ())
        ]
        met = [_compared(name, entry) for name, entry in data["measures"].items()]
        totals = _number(data["objective"]), int(data["evaluations"]), int(data["runs"])
        model = load(path / "fitted.toml")
    except FileNotFoundError:
        raise FitError(
            f"{path}: got no finished fit; expected fit.json and fitted.toml. Finish it with "
            f"murmurate fit {path}"
        ) from None
    except (TextError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise FitError(
            f"{path / 'fit.json'}: got another format ({error}); expected the result of a fit. "
            f"Write it again with murmurate fit {path}"
        ) from None
    history = list(itertools.accumulate((value for _, value in tried), min))
    return Fit(data["model"], model, varied, met, *totals, path, history, tried)


def _number(value: Any) -> float:
    """Return a number of a JSON file, in which nan is null."""
    return math.nan if value is None else float(value)


def _varied(path: str, entry: dict[str, Any]) -> Varied:
    first, last = entry["as_good"] or (math.nan, math.nan)
    return Varied(
        path, entry["best"], entry["low"], entry["high"], float(first), float(last),
        entry["supporting"], entry["needed"], entry["not_determined"], tuple(entry["no_limit"]),
        tuple(entry["together"]),
    )  # fmt: skip


def _compared(name: str, entry: dict[str, Any]) -> ComparedMeasure:
    theirs, their_error, ours, our_error = (
        _number(entry[key]) for key in ("theirs", "their_error", "ours", "our_error")
    )
    freedoms = [
        math.inf if entry.get(key) is None else float(entry[key])
        for key in ("their_freedom", "our_freedom")
    ]
    return ComparedMeasure(name, theirs, their_error, ours, our_error, entry["fitted"], *freedoms)
