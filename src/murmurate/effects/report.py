"""Sensitivity: the result of a sensitivity analysis as tables, files and plots."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.disk import write_file
from murmurate.effects.design import DesignMethod, SensitivityFolder, SensitivityPlan
from murmurate.effects.indices import NOISE, MorrisEffect, SobolIndex, complete_samples, indices_of
from murmurate.errors import SweepError
from murmurate.plots.sensitivity import save_sensitivity_plot
from murmurate.plots.style import Colours, SizeName
from murmurate.sweeps.sweep_plan import SweepPlan
from murmurate.sweeps.table import missing_reasons, path_labels
from murmurate.tables import to_csv, to_dataframe, to_html, to_lines

if TYPE_CHECKING:
    import pandas

COLUMNS = {
    "morris": ("number", "mu*", "95% interval", "mu", "sigma", ""),
    "sobol": ("number", "first order", "95% interval", "total", "95% interval", ""),
}
MAX_WIDTH = 0.3  # of the interval of a share, above which a remark asks for more runs
MAX_NOISE = 0.5  # share of the variance


@dataclass(frozen=True)
class Sensitivity:
    """How the measures of a model depend on its numbers. It displays as a table per measure.

    Attributes
    ----------
    name : str
        Name of the model.
    method : {'morris', 'sobol'}
        Trajectories of Morris, or shares of variance by Sobol.
    samples, seeds, runs : int
        Trajectories or samples, runs of each setting, and finished runs.
    effects : dict of str to tuple of MorrisEffect or SobolIndex
        Measure -> a row for each number, and at the end one for the noise of the runs, with path
        'seed'.
    labels : dict of str to str
        Path -> label with its unit.
    remarks : list of str
        What limits the result.
    folder : Path or None
        Folder that stores the runs.
    """

    name: str
    method: DesignMethod
    samples: int
    seeds: int
    runs: int
    effects: dict[str, tuple[MorrisEffect, ...] | tuple[SobolIndex, ...]]
    labels: dict[str, str]
    remarks: list[str]
    folder: Path | None = None

    def ranked(self, measure: str) -> list[MorrisEffect | SobolIndex]:
        """Return the rows of a measure, strongest first, the noise at the end."""
        *numbers, noise = self.effects[measure]
        return [*sorted(numbers, key=strength, reverse=True), noise]

    def unclear(self, measure: str) -> list[str]:
        """Return the paths whose effect on a measure is not distinguished from noise."""
        return [row.path for row in self.effects[measure][:-1] if not row.clear]

    def rows(self, measure: str) -> list[tuple[str, str, str, str, str, str]]:
        """Return the ranked rows of a measure as text: path, numbers with intervals, verdict."""
        return [(*_cells(row), _verdict(row)) for row in self.ranked(measure)]

    def records(self) -> list[dict[str, Any]]:
        """Return a row per measure and number, as plain numbers, in the order of the paths."""
        return [
            {"measure": measure, **asdict(row)}
            for measure, rows in self.effects.items() for row in rows
        ]  # fmt: skip

    def to_dataframe(self) -> pandas.DataFrame:
        """Return `records` as a table of pandas."""
        return to_dataframe(self.records(), error=SweepError)

    def to_json(self) -> str:
        """Return all results as JSON text; null for a share of a measure that does not vary."""
        rows = [
            {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()}
            for row in self.records()
        ]
        return json.dumps({
            "model": self.name, "method": self.method, "samples": self.samples,
            "seeds": self.seeds, "runs": self.runs, "effects": rows, "remarks": self.remarks,
        }, indent=1)  # fmt: skip

    @property
    def title(self) -> str:
        """Model, method and number of runs."""
        kind = "trajectories of Morris" if self.method == "morris" else "Sobol samples"
        return f"{self.name}: {self.samples} {kind}, {self.runs} runs"

    def __repr__(self) -> str:
        lines = [self.title]
        for measure in self.effects:
            table = to_lines(COLUMNS[self.method], self.rows(measure))
            lines += [f"{measure}:", *(f"  {line}" for line in table)]
        return "\n".join([*lines, *self.remarks])

    def _repr_html_(self) -> str:
        last = list(self.effects)[-1]
        return "".join(
            to_html(
                COLUMNS[self.method], self.rows(measure), f"{self.title}: {measure}",
                self.remarks if measure == last else (),
            )
            for measure in self.effects
        )  # fmt: skip

    def save_plot(
        self, path: str | os.PathLike[str], measure: str | None = None, *,
        style: Colours = "light", size: SizeName = "screen", force: bool = False,
    ) -> Path:  # fmt: skip
        """Plot the effects to a file, and return its path.

        Parameters
        ----------
        path : str or path-like
            .png, .svg or .pdf.
        measure : str, optional
            A measure. The default is all of them.
        style : {'light', 'dark'}, default 'light'
            Colours.
        size : {'screen', 'talk', 'single-column', 'double-column'}, default 'screen'
            Size of the figure.
        force : bool, default False
            True to replace an existing file.

        Returns
        -------
        Path
            Of Morris: for each measure the sizes of effects as bars with 95% intervals, and sigma
            over mu*. Of Sobol: bars of the first order and the total with 95% intervals. Both with
            the noise.

        Raises
        ------
        SweepError
            For an unknown measure; if matplotlib is missing.
        OutputError
            For an existing file, unless forced, and for another ending.
        """
        return save_sensitivity_plot(self, path, measure, style=style, size=size, force=force)


def strength(row: MorrisEffect | SobolIndex) -> float:
    """Return the number by which rows are ranked: mu* or the total share."""
    value = row.mu_star if isinstance(row, MorrisEffect) else row.total
    return -math.inf if math.isnan(value) else value


def _cells(row: MorrisEffect | SobolIndex) -> tuple[str, str, str, str, str]:
    path = "noise (seed)" if row.path == NOISE else row.path
    if isinstance(row, MorrisEffect):
        between = f"{row.mu_star_low:.3g} to {row.mu_star_high:.3g}"
        return path, f"{row.mu_star:.3g}", between, f"{row.mu:+.3g}", f"{row.sigma:.3g}"
    if math.isnan(row.total):
        return path, "-", "-", "-", "-"
    ends = (row.first_low, row.first_high), (row.total_low, row.total_high)
    first, total = (f"{low:z.2f} to {high:z.2f}" for low, high in ends)
    return path, f"{row.first:z.2f}", first, f"{row.total:z.2f}", total


def _verdict(row: MorrisEffect | SobolIndex) -> str:
    return "" if row.clear or row.path == NOISE else "not beyond noise"


def analyse(folder: SensitivityFolder) -> Sensitivity:
    """Return the result of a folder whose runs are finished. Nothing is simulated.

    raises SweepError  if runs are missing, too few have a value, or the folder holds no analysis
    """
    plan, sweep = folder.plan(), folder.sweep.plan()
    if len(sweep.parameter_sets) != len(plan.matrix) or set(sweep.vary) != set(plan.vary):
        raise SweepError(
            f"{folder.sweep.path}: got a sweep of other settings; expected those of "
            f"{folder.plan_path}"
        )
    records, failures = list(folder.sweep.records()), folder.sweep.failures()
    missing = len(sweep) - len({item["index"] for item in (*records, *failures)})
    if missing:
        raise SweepError(
            f"{folder.path}: got no result of {missing} of {len(sweep)} runs; expected all. Finish "
            f"it with murmurate sensitivity {folder.path}"
        )
    effects, remarks = {}, []
    for measure in sweep.measures:
        values = _values(sweep, records, measure)
        effects[measure] = indices_of(plan, values, measure)
        remarks += _remarks(plan, measure, effects[measure], values)
    remarks += [f"{name}: {why}" for name, why in missing_reasons(records).items()]
    if failures:
        remarks.append(
            f"{len(failures)} runs failed, the first with: {failures[0]['error']}. See "
            f"{folder.sweep.path / 'failed'}"
        )
    return Sensitivity(
        sweep.name, plan.method, plan.samples, sweep.seeds, len(records), effects,
        path_labels(sweep), remarks, folder.stored_at,
    )  # fmt: skip


def write_table(result: Sensitivity, folder: SensitivityFolder) -> None:
    """Write sensitivity.csv."""
    write_file(folder.path / "sensitivity.csv", to_csv(result.records()))


def _values(sweep: SweepPlan, records: list[dict[str, Any]], measure: str) -> Any:
    """Return the (n, seeds) values of a measure; nan for a run without one."""
    import numpy as np

    values = np.full((len(sweep.parameter_sets), sweep.seeds), np.nan)
    for record in records:
        mean = record["measures"][measure]["mean"]
        if mean is not None:
            values[record["point"], record["repeat"]] = mean
    return values


def _remarks(plan: SensitivityPlan, measure: str, rows: Any, values: Any) -> list[str]:
    """Return remarks on the limits of a measure's result, one line each."""
    lines, complete = [], int(complete_samples(plan, values).sum())
    if complete < plan.samples:
        lines.append(
            f"{measure}: {plan.samples - complete} of {plan.samples} samples are left out, because "
            "a run has no value"
        )
    if plan.method == "morris":
        return lines
    if math.isnan(rows[-1].total):
        return [*lines, f"{measure}: it is the same in all runs, so there is no variance to share"]
    if rows[-1].total > MAX_NOISE:
        lines.append(
            f"{measure}: {rows[-1].total:.0%} of the variance is noise. Longer runs have less"
        )
    if max(row.total_high - row.total_low for row in rows) > MAX_WIDTH:
        lines.append(f"{measure}: the intervals are wide. Use more runs")
    return lines
