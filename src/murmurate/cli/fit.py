"""murmurate fit: the posterior of numbers of a model, from a recording or real animals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from cyclopts import Group, Parameter

from murmurate.cli.options import Changes, T, load_model, model_name
from murmurate.cli.resume import allow_resume, passed_options
from murmurate.cli.study_options import (
    Priors,
    ResultOptions,
    RunsOptions,
    Tolerance,
    WorkOptions,
    parse_priors,
    parse_varied,
    split_names,
)
from murmurate.cli.terminal import console, make_table, print_line
from murmurate.cli.tracks import TrackOptions, read_tracks
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.fitting.fit_plan import FitFolder
    from murmurate.fitting.report import Fit

COLOURS = {"fits": "green", "not precise enough": "yellow"}  # of verdicts; red for others
InSearch = Annotated[T, Parameter(group=Group("The fit", sort_key=1))]


def fit(
    model: Annotated[str, Parameter(converter=model_name)],
    target: Annotated[str | None, Parameter(converter=model_name)] = None,
    /,
    *,
    measures: InSearch[tuple[str, ...]] = (),
    vary: InSearch[tuple[str, ...]] = (),
    prior: InSearch[Priors] = (),
    check: InSearch[tuple[str, ...]] = (),
    runs: InSearch[int | None] = None,
    seeds: InSearch[int | None] = None,
    tolerance: InSearch[Tolerance] = None,
    flock: InSearch[str | None] = None,
    each_run: RunsOptions | None = None,
    work: WorkOptions | None = None,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    result: ResultOptions | None = None,
    tracks: TrackOptions | None = None,
    changes: Changes | None = None,
) -> int:  # fmt: skip
    """Fit a model to a recording or to tracks of real animals, or resume a fit.

    The result is the posterior of each number, with its mean and 90% interval.
    Runs should be as long as the data. For instance:

        murmurate fit mine.toml fish.npy --fps 32 --measures polarization,milling
            --vary rules.alignment.weight=0:1 --vary rules.cohesion.radius=10:100 -o fish-fit
        murmurate fit fish-fit

    Parameters
    ----------
    model
        A model, or the folder of a fit to resume.
    target
        The target: tracks, a recording, or a model, which is simulated.
    measures
        Measures to reproduce, separated by commas.
    vary
        PATH=LOW:HIGH: the bounds of a number; repeat it for other paths. For counts, such as
        flocks.boids.count, values are whole.
    check
        Measures that are only compared at the end.
    runs
        Runs to learn from, of all settings together. Default: 300.
    seeds
        Runs of each setting, as many as the data have flocks. Default: 1.
    flock
        Flock of the target.
    output
        The folder. Default: NAME-fit.
    """
    from murmurate.fitting.fit_plan import FitFolder
    from murmurate.fitting.run import new_plan, run_fit
    from murmurate.model.names import file_name

    folder = FitFolder(model)
    changes, each_run = changes or Changes(), each_run or RunsOptions()
    work, result = work or WorkOptions(), result or ResultOptions()
    if folder.plan_path.is_file():
        plan = folder.plan()
        others = passed_options(
            runs=runs, seeds=seeds, tolerance=tolerance, measures=measures, vary=vary, prior=prior,
            check=check, flock=flock, output=output, set=changes.set, boids=changes.boids,
            **dict.fromkeys((name[2:] for name in (tracks or TrackOptions()).passed), True),
        )  # fmt: skip
        names = [*each_run.passed, *others]
        arguments = [] if target is None else [target]
        allow_resume(folder, plan.rules, changes.rules, names, arguments)
    else:
        if target is None or Path(model).is_dir():
            _refuse_missing_fit(model, folder)
        assert target is not None
        plan = new_plan(
            load_model(model, changes),
            read_tracks(target, tracks, errors=result.json, quiet=result.quiet) or target,
            split_names(measures), parse_priors(parse_varied(vary), prior),
            each_run.spec(runs=runs, seeds=seeds), split_names(check), flock,
            rules=changes.rule_files, **passed_options(tolerance=tolerance),
        )  # fmt: skip
        folder = FitFolder(output or file_name(plan.name, "-fit"))
    return result.run_study(
        "fit", folder, plan.rules, [model, target],
        lambda progress: run_fit(plan, folder, work.workers(), progress), _print,
    )  # fmt: skip


def _refuse_missing_fit(model: str, folder: FitFolder) -> NoReturn:
    """Raise the error for a folder without a fit, an unknown model, or a missing target."""
    from murmurate.model.files import zoo

    if folder.path.is_dir():
        folder.plan()  # raises the error for a folder without a fit
    if model not in zoo() and not folder.path.exists() and folder.path.suffix != ".toml":
        raise CommandError(
            f"{model}: no such fit folder or model. Expected the folder of a fit to resume, or a "
            "model and a target"
        )
    raise CommandError(f"{model}: got no target; expected one, such as fish.npy")


def _print(result: Fit) -> None:
    from rich.text import Text

    from murmurate.fitting.report import COLUMNS

    out = console(uncut=True)
    title = f"{result.name}: posterior from {result.settings} settings, {result.runs} runs"
    out.print(Text(title, "bold"))
    table = make_table(*COLUMNS)
    for path, mean, interval, prior, verdict in result.rows():
        table.add_row(Text(path, "cyan"), mean, interval, prior, Text(verdict, "yellow"))
    out.print(table)
    for line in result.remarks:
        out.print(Text(line))
    out.print()
    table = make_table("measure", "data", "posterior", "z", "")
    table.columns[3].justify = "right"
    for cells in result.cells():
        colour = COLOURS.get(cells[4].partition(",")[0], "red")
        table.add_row(Text(cells[0], "cyan"), *cells[1:4], Text(cells[4], colour))
    out.print(table)
    note = (
        "data ± standard error; posterior: mean ± standard deviation of what it predicts; fits: 0 "
        "is in the 95% interval of the difference; not precise enough: only by Student's t, for "
        "errors of few samples"
    )
    out.print(note, style="dim")
    print_line(f"{result.folder}: fitted.toml (the model), posterior.nc (ArviZ), fit.json, runs")
