"""Fit: the result of a fit, with the posterior of the numbers and compared measures."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import read_bytes
from murmurate.errors import FitError
from murmurate.fitting.compared_measure import ComparedMeasure
from murmurate.fitting.fit_plan import FitFolder
from murmurate.fitting.identifiability import PROBABILITY, Marginal, groups
from murmurate.fitting.posterior import Posterior
from murmurate.measures.estimate import with_error
from murmurate.model.files import load
from murmurate.model.model import Model
from murmurate.model.text_reader import TextError, read_json
from murmurate.plots.fits import plot_fit, save_fit_plot
from murmurate.plots.style import Colours, SizeName
from murmurate.schema import parameter_label
from murmurate.tables import finite, to_html

COLUMNS = ("number", "mean ± sd", "90% interval", "prior", "")


@dataclass(frozen=True, repr=False, eq=False)
class Fit:
    """The result of a fit. It displays as a table.

    Attributes
    ----------
    name : str
        Name of the model.
    model : Model
        The model with the numbers of the most likely draw.
    varied : list of Marginal
        Summary of each number that was varied.
    compared : list of ComparedMeasure
        Each measure of the data, and what the posterior predicts for it.
    settings, runs : int
        Settings that were simulated, and all runs.
    posterior : Posterior
        The draws.
    remarks : list of str
        What the data leave open, and what more runs would improve, one line each.
    folder : Path or None
        Where the fit is stored; None for a temporary folder.
    """

    name: str
    model: Model
    varied: list[Marginal]
    compared: list[ComparedMeasure]
    settings: int
    runs: int
    posterior: Posterior
    remarks: list[str]
    folder: Path | None = None

    @property
    def best(self) -> dict[str, Any]:
        """Path -> value in the most likely draw."""
        return self.posterior.best()

    @property
    def not_determined(self) -> list[str]:
        """Paths of numbers that these measures do not determine: the posterior fills the prior."""
        return [item.path for item in self.varied if item.undetermined]

    @property
    def determined_together(self) -> list[tuple[str, ...]]:
        """Groups of paths of which only a combination is determined."""
        return groups(self.varied)

    def __repr__(self) -> str:
        width = max(len(item.path) for item in self.varied)
        lines = [f"{self.name}: posterior from {self.settings} settings"]
        for row in self.rows():
            lines.append(
                f"{row[0]:<{width}}  {row[1]:<20}  {PROBABILITY:.0%}: {row[2]:<18}  prior: {row[3]}"
                + (f"  {row[4]}" if row[4] else "")
            )
        lines += self.remarks
        width = max(len(measure.name) for measure in self.compared)
        lines.append(
            "measures of the data ± standard error, and of the posterior ± standard deviation, "
            "and z in errors of both:"
        )
        for cells in self.cells():
            lines.append(
                f"{cells[0]:<{width}}  {cells[1]:<20}  {cells[2]:<20}  {cells[3]:>6}  {cells[4]}"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        title = f"{self.name}: posterior from {self.settings} settings"
        numbers = to_html(COLUMNS, self.rows(), title, self.remarks)
        columns = ("measure", "data ± standard error", "posterior ± standard deviation", "z", "")
        return numbers + to_html(columns, self.cells(), "Measures of the data and of the posterior")

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return a row per number: path, mean ± sd, 90% interval, prior and verdict."""
        priors = self.posterior.priors
        return [
            (
                item.path, with_error(item.mean, item.sd),
                " to ".join(f"{end:.4g}" for end in item.interval), priors[item.path].text(),
                _verdict(item),
            )
            for item in self.varied
        ]  # fmt: skip

    def cells(self) -> list[tuple[str, str, str, str, str]]:
        """Return a row per measure: name, data, posterior, z and verdict."""
        return [
            (
                item.name,
                with_error(item.theirs, item.their_error),
                with_error(item.ours, item.our_error),
                f"{item.z:+.1f}" if math.isfinite(item.z) else "-",
                item.verdict + ("" if item.fitted else ", only checked"),
            )
            for item in self.compared
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain numbers and text; None for a missing number.

        The draws are left out: see `posterior`.
        """
        return {
            "model": self.name,
            "settings": self.settings,
            "runs": self.runs,
            "varied": {
                item.path: {
                    "best": item.best, "mean": item.mean, "sd": item.sd, "median": item.median,
                    "interval": list(item.interval), "hdi": list(item.hdi),
                    "probability": PROBABILITY, "bounds": list(item.bounds),
                    "prior": self.posterior.priors[item.path].text(),
                    "share_of_prior": item.share, "not_determined": item.undetermined,
                    "cut": list(item.cut), "together": list(item.together),
                    "ess": finite(item.ess), "r_hat": finite(item.r_hat),
                }
                for item in self.varied
            },
            "remarks": self.remarks,
            "measures": {
                item.name: {
                    "theirs": finite(item.theirs), "their_error": finite(item.their_error),
                    "ours": finite(item.ours), "our_error": finite(item.our_error),
                    "z": finite(item.z), "freedom": finite(item.freedom),
                    "their_freedom": finite(item.their_freedom),
                    "our_freedom": finite(item.our_freedom),
                    "verdict": item.verdict, "fitted": item.fitted,
                }
                for item in self.compared
            },
        }  # fmt: skip

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def plot(
        self, ax: Sequence[Any] | None = None, *, style: Colours = "light",
        size: SizeName = "screen",
    ) -> np.ndarray:  # fmt: skip
        """Plot the posterior of each number and pair, and each measure of data and posterior.

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
            The posterior of each number with its prior; the joint posterior of each pair of numbers
            (of the first four); and the runs at draws of the posterior with the data, a panel per
            measure.

        Raises
        ------
        FitError
            If matplotlib is missing, or the number of Axes is wrong.
        """
        return plot_fit(self, self._labels(), ax, style=style, size=size)

    def save_plot(
        self, path: str | os.PathLike[str], *, style: Colours = "light", size: SizeName = "screen",
        force: bool = False,
    ) -> Path:  # fmt: skip
        """Plot the fit to a .png, .svg or .pdf, and return its path. See `plot`.

        Raises OutputError for an existing file, unless `force` is True, and for another ending.
        """
        return save_fit_plot(self, path, self._labels(), style=style, size=size, force=force)

    def _labels(self) -> dict[str, str]:
        return {item.path: parameter_label(self.model, item.path) for item in self.varied}


def _verdict(item: Marginal) -> str:
    """Return a remark on a number that the data leave open, in few words."""
    if item.undetermined:
        return "not determined"
    if item.cut:
        return f"cut by its {' and '.join(item.cut)} bound"
    return "only in combination" if item.together else ""


def open_fit(folder: str | os.PathLike[str]) -> Fit:
    """Return the result of a finished fit from its folder. Nothing is simulated.

    raises FitError  if the folder has no finished fit, or one of an older murmurate
    """
    path = Path(folder)
    plan = FitFolder(path).plan()
    try:
        data = read_json(read_bytes(path / "fit.json"))
        met = [_compared(name, entry) for name, entry in data["measures"].items()]
        remarks = [str(line) for line in data["remarks"]]
        totals = int(data["settings"]), int(data["runs"])
        model = load(path / "fitted.toml")
        posterior = Posterior.read(path / "posterior.nc", plan.priors)
    except FileNotFoundError:
        raise FitError(
            f"{path}: got no finished fit; expected fit.json, fitted.toml and posterior.nc. Finish "
            f"it with murmurate fit {path}"
        ) from None
    except (TextError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise FitError(
            f"{path / 'fit.json'}: got another format ({error}); expected the result of a fit. "
            f"Write it again with murmurate fit {path}"
        ) from None
    return Fit(data["model"], model, posterior.marginals(), met, *totals, posterior, remarks, path)


def _number(value: Any) -> float:
    """Return a number of a JSON file, in which nan is null."""
    return math.nan if value is None else float(value)


def _compared(name: str, entry: dict[str, Any]) -> ComparedMeasure:
    theirs, their_error, ours, our_error = (
        _number(entry[key]) for key in ("theirs", "their_error", "ours", "our_error")
    )
    freedoms = [
        math.inf if entry.get(key) is None else float(entry[key])
        for key in ("their_freedom", "our_freedom")
    ]
    return ComparedMeasure(name, theirs, their_error, ours, our_error, entry["fitted"], *freedoms)
