"""Tables of a sweep: a row a run, and a row a setting with the mean over its seeds."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from typing import Any

from murmurate.disk import write_file
from murmurate.errors import SweepError
from murmurate.measures.estimate import Estimate
from murmurate.optional import optional
from murmurate.sweeps.store import Folder
from murmurate.sweeps.sweep_plan import SweepPlan

FIRST = ("index", "point", "repeat", "seed")


def rows_of_runs(plan: SweepPlan, records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A row a finished run: index, point, repeat, seed, the varied paths, and for each measure its
    mean, NAME_error (standard error) and NAME_last; None where there is no number. Where runs were
    recorded, the recording's path in the sweep's folder too."""
    for record in records:
        row = {name: record[name] for name in FIRST}
        row.update({path: record["values"][path] for path in plan.vary})
        for name in plan.measures:
            found = record["measures"][name]
            row[name] = found["mean"]
            row[f"{name}_error"] = found["error"]
            row[f"{name}_last"] = found["last"]
        if plan.record:
            row["recording"] = record["recording"]
        yield row


def rows_of_points(plan: SweepPlan, records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row a setting: the varied paths, how many runs, and for each measure the mean over seeds
    with NAME_error, its standard error, and NAME_low and NAME_high, the interval that holds it with
    95% by Student's t. Of one seed alone the error is that of its run, by autocorrelation time."""
    from murmurate.measures.errorbars import over_seeds

    groups: dict[int, list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault(record["point"], []).append(record)
    out = []
    for point in sorted(groups):
        runs = groups[point]
        values = {path: runs[0]["values"][path] for path in plan.vary}
        row = {"point": point, **values, "runs": len(runs)}
        for name in plan.measures:
            means = [run["measures"][name]["mean"] for run in runs]
            known = [mean for mean in means if mean is not None]
            estimate = over_seeds(known)  # type: ignore[arg-type]
            if len(runs) == 1 and known:
                estimate = of_record(runs[0]["measures"][name])
            low, high = estimate.interval()
            row[name] = _number(estimate.value)
            row[f"{name}_error"] = _number(estimate.error)
            row[f"{name}_low"], row[f"{name}_high"] = _number(low), _number(high)
        out.append(row)
    return out


def of_record(found: dict[str, Any]) -> Estimate:
    """The mean of one run, as its record has it; records before 0.5 have no freedom."""
    numbers = [found.get(key) for key in ("mean", "error", "independent", "freedom")]
    mean, error, independent, freedom = (math.nan if x is None else float(x) for x in numbers)
    return Estimate(mean, error, independent, "autocorrelation", bool(found.get("short")), freedom)


def write_tables(plan: SweepPlan, folder: Folder) -> None:
    """Writes runs.csv and table.csv."""
    write_file(folder.path / "runs.csv", _csv(rows_of_runs(plan, folder.records())))
    write_file(folder.path / "table.csv", _csv(rows_of_points(plan, folder.records())))


def frame_of_runs(plan: SweepPlan, records: Iterable[dict[str, Any]]) -> Any:
    """The rows of runs as a pandas DataFrame. Raises SweepError where pandas is missing."""
    with optional("a table in Python", SweepError, "sweep"):
        import pandas
    return pandas.DataFrame(list(rows_of_runs(plan, records)))


def _csv(rows: Iterable[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer: Any = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
