"""murmurate sensitivity: which numbers of a model its measures depend on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from murmurate.cli.options import Changes, T, load_model, model_name
from murmurate.cli.resume import allow_resume, passed_options
from murmurate.cli.study_options import (
    ResultOptions,
    RunsOptions,
    WorkOptions,
    parse_varied,
    split_names,
)
from murmurate.cli.terminal import console, make_table, print_line

if TYPE_CHECKING:
    from murmurate.effects.report import Sensitivity

InDesign = Annotated[T, Parameter(group=Group("The analysis", sort_key=1))]
NOTES = {
    "morris": "mu*: mean size of the change of the measure when the number goes from its lower to "
    "its upper bound; sigma: how much that depends on other numbers. The last row is what noise "
    "alone would show",
    "sobol": "shares of the variance between runs: first order, of the number alone; total, with "
    "its interactions; noise, between runs of one setting",
}


def sensitivity(
    model: Annotated[str, Parameter(converter=model_name)],
    /,
    *,
    measures: InDesign[tuple[str, ...]] = (),
    vary: InDesign[tuple[str, ...]] = (),
    method: InDesign[Literal["morris", "sobol"] | None] = None,
    runs: InDesign[int | None] = None,
    seeds: InDesign[int | None] = None,
    each_run: RunsOptions | None = None,
    work: WorkOptions | None = None,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    result: ResultOptions | None = None,
    changes: Changes | None = None,
) -> int:  # fmt: skip
    """Rank the numbers of a model by their effects on measures, or resume such an analysis.

    For instance:

        murmurate sensitivity couzin-2002 --measures polarization,milling
            --vary rules.repulsion.radius=0.5:2 --vary rules.attraction.radius=4:16 -o radii
        murmurate sensitivity radii
        murmurate plot radii

    Parameters
    ----------
    model
        A model, or the folder of an analysis to resume.
    measures
        Measures of the largest flock, separated by commas; NAME@FLOCK for another.
    vary
        PATH=LOW:HIGH: the bounds of a number; repeat it for other paths.
    method
        morris (default): effects, from few runs; sobol: shares of variance, from many.
    runs
        Runs at most. Default: 16 trajectories of Morris, or 64 Sobol samples.
    seeds
        Runs of each setting, which show what is noise. Default: 2.
    output
        The folder. Default: NAME-sensitivity.
    """
    from murmurate.effects.design import SensitivityFolder
    from murmurate.effects.run import begin_sensitivity, run_sensitivity
    from murmurate.model.names import file_name

    folder = SensitivityFolder(model)
    changes, each_run = changes or Changes(), each_run or RunsOptions()
    work, result = work or WorkOptions(), result or ResultOptions()
    workers = work.workers()  # raises the error for invalid ones, before all else
    if folder.plan_path.is_file():
        others = passed_options(
            vary=vary, method=method, runs=runs, measures=measures, seeds=seeds, output=output,
            set=changes.set, boids=changes.boids,
        )  # fmt: skip
        folder.plan()  # raises the error for an invalid one
        sweep = folder.sweep.plan()
        allow_resume(folder, sweep.rules, changes.rules, [*each_run.passed, *others])
        sweep.check()  # the file may have been edited
    else:
        if Path(model).is_dir():
            folder.plan()  # raises the error for a folder without an analysis
        changed = load_model(model, changes)
        folder = SensitivityFolder(output or file_name(changed.name, "-sensitivity"))
        begin_sensitivity(
            folder, changed, split_names(measures), parse_varied(vary, "sobol"),
            each_run.spec(runs=runs, seeds=seeds), method or "morris",
            rules=changes.rule_files,
        )  # fmt: skip
    return result.run_study(
        "sensitivity", folder, folder.sweep.plan().rules, [model],
        lambda progress: run_sensitivity(folder, workers, progress), _print,
    )  # fmt: skip


def _print(result: Sensitivity) -> None:
    from rich.text import Text

    from murmurate.effects.report import COLUMNS

    out = console(uncut=True)
    out.print(Text(result.title, "bold"))
    for measure in result.effects:
        table = make_table(*COLUMNS[result.method])
        for path, *cells, verdict in result.rows(measure):
            table.add_row(Text(path, "cyan"), *cells, Text(verdict, "yellow"))
        out.print(Text(f"\n{measure}", "bold"))
        out.print(table)
    for line in result.remarks:
        out.print(Text(line))
    out.print(NOTES[result.method], style="dim")
    print_line(f"{result.folder}: sensitivity.csv (the table), sweep (the runs)")
