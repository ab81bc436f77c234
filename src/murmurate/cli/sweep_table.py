"""What commands of sweeps print at the end: the table of means, and what failed."""

from __future__ import annotations

import json as js
from typing import TYPE_CHECKING, Any

from murmurate.cli.error_output import FAILED, FINE, complain
from murmurate.cli.terminal import console, say

if TYPE_CHECKING:
    from murmurate.sweeps.store import SweepFolder
    from murmurate.sweeps.sweep_plan import SweepPlan


def conclude(plan: SweepPlan, folder: SweepFolder, as_json: bool) -> int:
    """Prints the means of the runs in a folder, and their failures; the exit code."""
    from murmurate.sweeps.table import point_rows

    rows = point_rows(plan, folder.records())
    failures = folder.failures()
    if as_json:
        say(js.dumps({"points": rows, "failed": len(failures)}, indent=2))
    else:
        out = console(uncut=True)
        out.print(_table(plan, rows))
        if rows:
            out.print(errors_of(rows), style="dim")
        kept = ", recordings" if plan.record else ""
        say(f"{folder.path}: table.csv (means), runs.csv (every run){kept}")
    for failure in failures[:5]:
        said = ", ".join(f"{path}={value}" for path, value in failure["values"].items())
        complain(f"run {failure['index']} ({said}, seed {failure['seed']}): {failure['error']}")
    if failures:
        complain(f"{len(failures)} of {len(plan)} runs failed: see {folder.path / 'failed'}")
    return FAILED if failures else FINE


def _table(plan: SweepPlan, rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    from murmurate.measures.estimate import with_error
    from murmurate.sweeps.table import measure_label, path_label

    table = Table(box=None, pad_edge=False)
    for path in plan.vary:
        table.add_column(path_label(path).replace(" ", "\n"), justify="right", overflow="fold")
    for name in plan.measures:
        table.add_column(measure_label(name).replace(" ", "\n"), justify="right", overflow="fold")
    nan = float("nan")
    for row in rows[:60]:
        cells = [f"{row[path]:g}" if isinstance(row[path], float) else str(row[path])
                 for path in plan.vary]  # fmt: skip
        for name in plan.measures:
            value, error = row[name], row[f"{name}_error"]
            value, error = nan if value is None else value, nan if error is None else error
            cells.append(with_error(value, error))
        table.add_row(*cells)
    if len(rows) > 60:
        table.caption = f"and {len(rows) - 60} more in table.csv"
    return table


def errors_of(rows: list[dict[str, Any]]) -> str:
    """What the errors of a table of means are, and how wide their intervals."""
    from murmurate.measures.estimate import t_factor

    said = "± standard errors"
    runs = sorted({row["runs"] for row in rows})
    if not runs or runs == [1]:
        return f"{said}, of one run by its autocorrelation; table.csv has 95% intervals"
    factors = [t_factor(n - 1, 0.05) for n in (runs[-1], runs[0]) if n > 1]
    wide = " to ".join(dict.fromkeys(f"{factor:.3g}" for factor in factors))
    many = " to ".join(dict.fromkeys(str(n) for n in (runs[0], runs[-1])))
    return (
        f"{said} over {many} runs; 95% intervals are ± {wide} of them (Student's t): see table.csv"
    )
