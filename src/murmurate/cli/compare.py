"""murmurate compare-models: which model predicts flocks that it was not fitted to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.options import Changes, T, load_model, model_name, setting
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
from murmurate.errors import CommandError, ModelError

if TYPE_CHECKING:
    from murmurate.fitting.comparison import ModelComparison
    from murmurate.model.model import Model

InCompared = Annotated[T, Parameter(group=Group("The comparison", sort_key=1))]


def compare_models(
    *models: Annotated[str, Parameter(converter=model_name)],
    flocks: InCompared[tuple[str, ...]] = (),
    measures: InCompared[tuple[str, ...]] = (),
    vary: InCompared[tuple[str, ...]] = (),
    prior: InCompared[Priors] = (),
    runs: InCompared[int | None] = None,
    predictions: InCompared[int | None] = None,
    tolerance: InCompared[Tolerance] = None,
    each_run: RunsOptions | None = None,
    work: WorkOptions | None = None,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    result: ResultOptions | None = None,
    tracks: TrackOptions | None = None,
    changes: Changes | None = None,
) -> int:  # fmt: skip
    """Compare models by how well they predict flocks that they were not fitted to.

    Each model is fitted to all flocks but one, and predicts that one.
    --set changes each model that has the number, and --boids all of them.
    Runs should be as long as the data. For instance:

        murmurate compare-models zones.toml neighbours.toml --flocks 1.csv --flocks 2.csv
            --flocks 3.csv --fps 32 --measures polarization,milling
            --vary rules.attraction.radius=4:16 -o zones-or-neighbours
        murmurate compare-models zones-or-neighbours
        murmurate plot zones-or-neighbours

    Parameters
    ----------
    models
        Two or more models, or the folder of a comparison to resume.
    flocks
        Tracks, a recording, or a model, which is simulated; repeat it for each flock, three or
        more.
    measures
        Measures that describe flocks, separated by commas.
    vary
        PATH=LOW:HIGH: the bounds of a number to fit, in each model that has it; repeat it for other
        paths.
    runs
        Runs of each model at settings of the prior. Default: 300.
    predictions
        Runs of each model that predict each flock. Default: 40.
    output
        The folder. Default: comparison.
    """
    from murmurate.fitting.comparison import begin_comparison, run_comparison
    from murmurate.fitting.comparison_plan import ComparisonFolder

    each_run, changes = each_run or RunsOptions(), changes or Changes()
    work, result = work or WorkOptions(), result or ResultOptions()
    workers = work.workers()  # raises the error for invalid ones, before all else
    folder = ComparisonFolder(models[0]) if len(models) == 1 else None
    if folder is not None and (folder.plan_path.is_file() or folder.path.is_dir()):
        folder.plan()  # raises the error for a folder without a comparison
        names = [
            *passed_options(
                runs=runs, predictions=predictions, tolerance=tolerance, flocks=flocks,
                measures=measures, vary=vary, prior=prior, output=output, set=changes.set,
                boids=changes.boids,
            ),
            *each_run.passed,
            *(name[2:] for name in (tracks or TrackOptions()).passed),
        ]  # fmt: skip
        rules = next(iter(folder.plans().values())).rules
        allow_resume(folder, rules, changes.rules, names)
    else:
        folder, rules = ComparisonFolder(output or "comparison"), changes.rule_files
        loaded = changed_models(models, changes)
        if len(loaded) < max(2, len(models)):
            raise CommandError(
                f"models: got {', '.join(models) or 'none'}; expected two or more with different "
                "names"
            )
        for flock in flocks:
            if flocks.count(flock) > 1:
                raise CommandError(f"--flocks: got {flock} twice; expected each flock once")
        varied = _varied_in_each(loaded, parse_priors(parse_varied(vary, "sobol"), prior))
        begin_comparison(
            folder, {name: (model, varied[name]) for name, model in loaded.items()},
            {flock: read_tracks(flock, tracks, result.json, result.quiet) or flock
             for flock in flocks},
            split_names(measures), each_run.spec(runs=runs), rules=rules,
            **{"predictions": 40, "tolerance": 0.001}
            | passed_options(predictions=predictions, tolerance=tolerance),
        )  # fmt: skip
    return result.run_study(
        "compare-models", folder, rules, [*models, *flocks],
        lambda progress: run_comparison(folder, workers, progress), _print,
    )  # fmt: skip


def changed_models(names: tuple[str, ...], changes: Changes) -> dict[str, Model]:
    """Return name -> model, with each change that concerns it.

    Raises CommandError or ModelError for a change of a number that no model has.
    """
    from murmurate.fitting.fit_plan import has_path

    models = {name: load_model(name, replace(changes, set=(), boids=None)) for name in names}
    suitable: dict[str, list[str]] = {name: [] for name in names}
    for text in changes.set:
        path, _ = setting(text)
        having = [name for name, model in models.items() if has_path(model, path)]
        for name in having or names[:1]:  # loading the first one raises the error
            suitable[name].append(text)
    return {
        Path(name).stem: load_model(name, replace(changes, set=tuple(texts)))
        for name, texts in suitable.items()
    }


def _varied_in_each(
    models: dict[str, Model], varied: dict[str, tuple[Any, ...]]
) -> dict[str, dict[str, tuple[Any, ...]]]:
    """Return name -> path -> bounds of the paths that each model has.

    Raises CommandError for a path that no model has, and for a model without one.
    """
    errors: dict[str, str] = {}
    each: dict[str, dict[str, tuple[Any, ...]]] = {name: {} for name in models}
    for path, ends in varied.items():
        for name, model in models.items():
            try:
                model.set({path: ends[0]})
            except ModelError as error:
                errors.setdefault(path, str(error))
            else:
                each[name][path] = ends
        if not any(path in paths for paths in each.values()):
            raise CommandError(f"--vary {path}: no model has it. {errors[path]}")
    for name, paths in each.items():
        if not paths:
            raise CommandError(
                f"--vary: got no path of {name}; expected at least one number to fit in each model"
            )
    return each


def _print(result: ModelComparison) -> None:
    from rich.text import Text

    from murmurate.fitting.comparison import COLUMNS

    out = console(uncut=True)
    out.print(Text(result.title, "bold"))
    table = make_table(*COLUMNS)
    for name, *cells, verdict in result.rows():
        colour = "red" if verdict == "worse" else "green"
        table.add_row(Text(name, "cyan"), *cells, Text(verdict, colour))
    out.print(table)
    for line in result.statements:
        out.print(Text(line))
    note = (
        "log score: logarithm of the predicted density of each flock at its measures, summed; ± "
        "standard errors. Worse: the 95% interval of the difference, by Student's t over the "
        "flocks, is below 0"
    )
    out.print(note, style="dim")
    print_line(f"{result.folder}: comparison.json (the scores), models (the runs)")
