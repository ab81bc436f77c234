"""murmurate sweep, plot: run many parameter sets, join shards, and plot a measure."""

from __future__ import annotations

import json as json_text
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from murmurate.cli.options import PLOT_SIZE, Changes, PlotSize, T, load_model, model_name
from murmurate.cli.resume import allow_resume, passed_options, rules_options
from murmurate.cli.study_options import (
    InWork,
    ResultOptions,
    RunsOptions,
    WorkOptions,
    parse_varied,
    split_names,
)
from murmurate.cli.terminal import (
    EXIT_FAILED,
    EXIT_OK,
    ProgressBar,
    console,
    print_error,
    print_line,
    report_stopped,
)
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from rich.table import Table

    from murmurate.sweeps.store import SweepFolder
    from murmurate.sweeps.sweep_plan import SweepPlan

InSweep = Annotated[T, Parameter(group=Group("The sweep", sort_key=1))]
MAX_ROWS = 60  # of the printed table
MAX_FAILURES = 5  # whose errors are printed
MAX_INDICES = 10  # of missing runs


def sweep(
    model: Annotated[str, Parameter(converter=model_name)],
    /,
    *,
    vary: InSweep[tuple[str, ...]] = (),
    method: InSweep[Literal["grid", "list", "latin-hypercube", "sobol"] | None] = None,
    samples: InSweep[int | None] = None,
    seeds: InSweep[int | None] = None,
    measures: InSweep[tuple[str, ...]] = (),
    record: InSweep[bool] = False,
    runs: RunsOptions | None = None,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    work: WorkOptions | None = None,
    shard: InWork[str | None] = None,
    merge: InWork[bool] = False,
    result: ResultOptions | None = None,
    changes: Changes | None = None,
) -> int:  # fmt: skip
    """Simulate a model with many parameter sets and seeds, or resume a sweep.

    For instance:

        murmurate sweep ucl --vary rules.alignment.weight=0:1:0.1 --seeds 5 -o ucl-sweep
        murmurate sweep ucl-sweep
        murmurate sweep ucl --vary rules.alignment.weight=0:1:0.1 --shard 3/20 -o ucl-sweep
        murmurate sweep ucl-sweep --merge

    Parameters
    ----------
    model
        A model to sweep, or the folder of a sweep to resume.
    vary
        PATH=FIRST:LAST:STEP (LAST included) or PATH=VALUE,VALUE,...; repeat it for other paths. For
        samples PATH=FIRST:LAST.
    method
        grid (default): every value with every other; list: the first values, then the second; or
        samples of the intervals.
    samples
        Number of samples.
    seeds
        Runs of each parameter set. Default: 1.
    measures
        Measures of the largest flock; NAME@FLOCK for another.
    record
        Record each run in the folder, a frame every --every steps: recordings/000042.zarr.
    output
        The folder. Default: NAME-sweep.
    shard
        PART/PARTS, such as 3/20: only this part of the runs, in its own folder inside the sweep's
        folder; --merge joins them.
    merge
        Join the shards in a sweep's folder, and report missing runs; simulate nothing.
    """
    from murmurate.model.names import file_name
    from murmurate.plots.sweeps import save_sweep_plot
    from murmurate.sweeps.run import run_sweep
    from murmurate.sweeps.shards import make_shard, parse_shard
    from murmurate.sweeps.store import SweepFolder
    from murmurate.sweeps.sweep_plan import make_plan

    folder = SweepFolder(model)
    changes, runs, result = changes or Changes(), runs or RunsOptions(), result or ResultOptions()
    workers = (work or WorkOptions()).workers("processes")
    settings = passed_options(
        method=method, samples=samples, seeds=seeds, measures=split_names(measures), record=record
    )
    others = passed_options(vary=vary, output=output, set=changes.set, boids=changes.boids)
    if merge:
        if words := [*settings, *runs.passed, *others, *passed_options(shard=shard)]:
            options = ", ".join(f"--{word.replace('_', '-')}" for word in words)
            raise CommandError(f"{options}: got settings with --merge; expected none")
        return _merge(folder, result.json)
    if folder.plan_path.is_file():
        plan = folder.plan()
        allow_resume(folder, plan.rules, changes.rules, [*settings, *runs.passed, *others])
        plan.check()  # the file may have been edited
    else:
        if Path(model).is_dir():
            folder.plan()  # raises the error for a folder without a sweep
        changed, seeds = load_model(model, changes), settings.pop("seeds", None)
        plan = make_plan(
            changed, parse_varied(vary, method or "grid"), runs.spec(seeds=seeds),
            rules=changes.rule_files, **settings,
        )  # fmt: skip
        folder = SweepFolder(output or file_name(changed.name, "-sweep"))
    plot = result.plot_path(folder.path, [model])
    if shard is not None:
        if plot is not None:
            raise CommandError("--plot: got it with --shard; expected one. Plot after the merge")
        folder, plan = make_shard(folder, plan, parse_shard(shard))
    try:
        with ProgressBar("runs", silent=result.silent) as bar:
            folder = run_sweep(plan, folder.path, workers, bar.update)
    except KeyboardInterrupt:
        return report_stopped(
            folder.plan_path.is_file(), f"murmurate sweep {folder.path}{rules_options(plan.rules)}"
        )
    code = _print_result(plan, folder, result.json)
    if plot is not None:
        path = save_sweep_plot(folder, plot, force=result.force, **result.plotting.look)
        print_line(path, errors=result.json)
    return code


def _merge(whole_sweep: SweepFolder, json: bool) -> int:
    """Join the shards of a sweep, and report missing runs. Return the exit code."""
    from murmurate.sweeps.shards import merge as merge_shards

    result = merge_shards(whole_sweep)
    for part, runs in result.missing.items():
        state = "" if part in result.begun else ", and it was not begun"
        listed = ", ".join(map(str, runs[:MAX_INDICES]))
        listed += ", ..." if len(runs) > MAX_INDICES else ""
        print_error(f"shard {part} lacks {len(runs)} runs{state}: {listed}")
    if result.missing:
        print_error(
            f"{len(whole_sweep.done())} of {len(result.plan)} runs are joined, and no table is "
            "written. Run the shards above and merge again, or run the missing ones here: "
            f"murmurate sweep {whole_sweep.path}"
        )
        return EXIT_FAILED
    return _print_result(result.plan, whole_sweep, json)


def plot(
    folder: Path,
    measure: str | None = None,
    /,
    *,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    kind: Literal["auto", "lines", "map"] = "auto",
    style: Literal["light", "dark"] = "light",
    size: Annotated[PlotSize, Parameter(help=PLOT_SIZE)] = "screen",
    force: bool = False,
) -> int:
    """Plot a sweep or another study.

    The plot of a fit has the posterior of each number and pair, and each measure of the data among
    runs of the posterior. That of a calibration has the ranks of the true numbers, that of a
    sensitivity analysis the effects of numbers and noise, that of a comparison the scores. For
    instance:

        murmurate plot ucl-sweep
        murmurate plot ucl-sweep polarization
        murmurate plot fish-fit
        murmurate plot ucl-sweep polarization --size single-column -o figure-2.pdf

    Parameters
    ----------
    folder
        The folder of a sweep, a fit, a calibration, a sensitivity analysis or a comparison.
    measure
        A measure of a sweep or a sensitivity analysis. Default: all.
    output
        .png, .svg or .pdf. Default: FOLDER/MEASURE.png, FOLDER/measures.png or FOLDER/fit.png, and
        so on.
    kind
        map: two paths as the axes of a coloured map; words and few values have cells of equal
        sizes.
    style
        Colours.
    force
        Replace an existing file.
    """
    from murmurate.sweeps.store import SweepFolder

    if kind != "auto" and not SweepFolder(folder).plan_path.is_file():
        raise CommandError(f"--kind: got it with {folder}; expected a sweep. Leave it out")
    path = _plot_folder(folder, measure, output, force, kind, {"style": style, "size": size})
    print_line(path)
    return EXIT_OK


def _plot_folder(
    folder: Path, measure: str | None, output: Path | None, force: bool, kind: Any,
    look: dict[str, Any],
) -> Path:  # fmt: skip
    """Plot the study of a folder, and return the path of the plot."""
    from murmurate.effects.design import SensitivityFolder
    from murmurate.effects.report import analyse
    from murmurate.fitting.calibration import CalibrationFolder, open_calibration
    from murmurate.fitting.comparison import open_comparison
    from murmurate.fitting.comparison_plan import ComparisonFolder
    from murmurate.fitting.fit_plan import FitFolder
    from murmurate.fitting.report import open_fit
    from murmurate.model.names import file_name
    from murmurate.plots.sweeps import save_sweep_plot
    from murmurate.sweeps.store import SweepFolder

    if SweepFolder(folder).plan_path.is_file():
        return save_sweep_plot(folder, output, measure, kind=kind, force=force, **look)
    look["force"] = force or output is None
    analysis = SensitivityFolder(folder)
    if analysis.plan_path.is_file():
        default = folder / file_name(measure or "sensitivity", ".png")
        return analyse(analysis).save_plot(output or default, measure, **look)
    if measure is not None:
        raise CommandError(
            f"{measure}: got it with {folder}; expected a sweep or a sensitivity analysis. Leave "
            "it out"
        )
    if FitFolder(folder).plan_path.is_file():
        return open_fit(folder).save_plot(output or folder / "fit.png", **look)
    if CalibrationFolder(folder).plan_path.is_file():
        return open_calibration(folder).save_plot(output or folder / "calibration.png", **look)
    if ComparisonFolder(folder).plan_path.is_file():
        return open_comparison(folder).save_plot(output or folder / "comparison.png", **look)
    what = "a sweep, a fit, a calibration, a sensitivity analysis or a comparison"
    state = "holds none" if folder.is_dir() else "there is no such folder"
    raise CommandError(f"{folder}: {state}; expected the folder of {what}")


# --- the result


def _print_result(plan: SweepPlan, folder: SweepFolder, as_json: bool) -> int:
    """Print the means of finished runs, and failures. Return the exit code."""
    from rich.text import Text

    from murmurate.sweeps.table import missing_reasons, point_rows

    rows = point_rows(plan, folder.records())
    missing = missing_reasons(folder.records())
    failures = folder.failures()
    if as_json:
        table = {"points": rows, "failed": len(failures)}
        print_line(json_text.dumps(table | ({"missing": missing} if missing else {}), indent=2))
    else:
        out = console(uncut=True)
        out.print(_make_table(plan, rows))
        if rows:
            out.print(describe_errors(rows), style="dim")
        for name, why in missing.items():
            out.print(Text(f"- {name}: {why}"))
        recordings = ", recordings" if plan.record else ""
        print_line(f"{folder.path}: table.csv (means), runs.csv (every run){recordings}")
    for failure in failures[:MAX_FAILURES]:
        values = ", ".join(f"{path}={value}" for path, value in failure["values"].items())
        print_error(
            f"run {failure['index']} ({values}, seed {failure['seed']}): {failure['error']}"
        )
    if failures:
        print_error(f"{len(failures)} of {len(plan)} runs failed: see {folder.path / 'failed'}")
    return EXIT_FAILED if failures else EXIT_OK


def _make_table(plan: SweepPlan, rows: list[dict[str, Any]]) -> Table:
    from rich.table import Table

    from murmurate.measures.estimate import with_error
    from murmurate.sweeps.table import measure_label, path_labels

    table = Table(box=None, pad_edge=False)
    for label in (*path_labels(plan).values(), *map(measure_label, plan.measures)):
        table.add_column(label.replace(" ", "\n"), justify="right", overflow="fold")
    for row in rows[:MAX_ROWS]:
        cells = [f"{row[path]:g}" if isinstance(row[path], float) else str(row[path])
                 for path in plan.vary]  # fmt: skip
        for name in plan.measures:
            numbers = (row[name], row[f"{name}_error"])
            value, error = (math.nan if number is None else number for number in numbers)
            cells.append(with_error(value, error))
        table.add_row(*cells)
    if len(rows) > MAX_ROWS:
        table.caption = f"and {len(rows) - MAX_ROWS} more in table.csv"
    return table


def describe_errors(rows: list[dict[str, Any]]) -> str:
    """Describe the errors of a table of means, and the width of their intervals."""
    from murmurate.measures.estimate import t_factor

    text = "± standard errors"
    runs = sorted({row["runs"] for row in rows})
    if not runs or runs == [1]:
        return f"{text}, of one run by its autocorrelation; table.csv has 95% intervals"
    factors = [t_factor(n - 1, 0.05) for n in (runs[-1], runs[0]) if n > 1]
    width = " to ".join(dict.fromkeys(f"{factor:.3g}" for factor in factors))
    count = " to ".join(dict.fromkeys(str(n) for n in (runs[0], runs[-1])))
    return (
        f"{text} over {count} runs; 95% intervals are ± {width} of them (Student's t): see "
        "table.csv"
    )
