"""Tables of a sweep: a row per run, and a row per parameter set with means over its seeds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from murmurate.disk import write_file
from murmurate.errors import ModelError
from murmurate.measures import MEASURES
from murmurate.measures.estimate import Estimate
from murmurate.model.files import parse
from murmurate.model.model import Model
from murmurate.schema import parameter_label
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import SweepPlan
from murmurate.tables import finite, to_csv

RUN_COLUMNS = ("index", "point", "repeat", "seed")


def run_rows(plan: SweepPlan, records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a row per finished run.

    Columns are index, point, repeat, seed, the varied paths, and for each measure its mean,
    NAME_error (standard error) and NAME_last; None for an unknown number. Recorded runs also have
    `recording`, the path of the recording in the folder of the sweep.
    """
    for record in records:
        row = {name: record[name] for name in RUN_COLUMNS}
        row.update({path: record["values"][path] for path in plan.vary})
        for name in plan.measures:
            summary = record["measures"][name]
            row[name] = summary["mean"]
            row[f"{name}_error"] = summary["error"]
            row[f"{name}_last"] = summary["last"]
        if plan.record:
            row["recording"] = record["recording"]
        yield row


def point_rows(plan: SweepPlan, records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row per parameter set.

    Columns are point, the varied paths, runs (their number), and for each measure its mean over
    seeds, NAME_error (standard error), and NAME_low and NAME_high, the 95% interval by Student's t.
    The error of a single run comes from its autocorrelation time.
    """
    from murmurate.measures.errorbars import over_seeds

    groups: dict[int, list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault(record["point"], []).append(record)
    rows = []
    for point in sorted(groups):
        runs = groups[point]
        values = {path: runs[0]["values"][path] for path in plan.vary}
        row = {"point": point, **values, "runs": len(runs)}
        for name in plan.measures:
            means = [run["measures"][name]["mean"] for run in runs]
            means = [mean for mean in means if mean is not None]
            estimate = over_seeds(means)  # type: ignore[arg-type]
            if len(runs) == 1 and means:
                estimate = record_estimate(runs[0]["measures"][name])
            low, high = estimate.interval()
            row[name] = finite(estimate.value)
            row[f"{name}_error"] = finite(estimate.error)
            row[f"{name}_low"], row[f"{name}_high"] = finite(low), finite(high)
        rows.append(row)
    return rows


def missing_reasons(records: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Return measure -> reason for a missing value, of the first run without it."""
    reasons: dict[str, str] = {}
    for record in records:
        for name, summary in record["measures"].items():
            if summary.get("missing"):
                reasons.setdefault(name, summary["missing"])
    return reasons


def record_estimate(summary: dict[str, Any]) -> Estimate:
    """Return the mean of one run from its record. Records before 0.5 have no freedom."""
    numbers = [summary.get(key) for key in ("mean", "error", "independent", "freedom")]
    mean, error, independent, freedom = (math.nan if x is None else float(x) for x in numbers)
    return Estimate(
        mean, error, independent, "autocorrelation", bool(summary.get("short")), freedom
    )


def write_tables(plan: SweepPlan, folder: SweepFolder) -> None:
    """Write runs.csv and table.csv."""
    write_file(folder.path / "runs.csv", to_csv(run_rows(plan, folder.records())))
    write_file(folder.path / "table.csv", to_csv(point_rows(plan, folder.records())))


def path_labels(plan: SweepPlan) -> dict[str, str]:
    """Return varied path -> its label, such as 'noise (rad)'.

    Labels have no unit if rules of the model are in files that are not loaded.
    """
    model: Model | None
    try:
        model = parse(plan.model, f"{plan.name}.toml")
    except ModelError:
        model = None
    return {path: parameter_label(model, path) for path in plan.vary}


def measure_label(measure: str) -> str:
    """Return the label of a measure: 'speed of hawks (length/time)' for 'speed@hawks'."""
    name, at, flock = measure.partition("@")
    unit = MEASURES[name].unit if name in MEASURES else "1"
    label = name.replace("_", " ") + (f" of {flock}" if at else "")
    return label if unit == "1" else f"{label} ({unit})"


def value_label(value: Any) -> str:
    """Return a short text for a varied value."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
