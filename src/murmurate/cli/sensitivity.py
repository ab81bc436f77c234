"""murmurate sensitivity: which numbers of a model its measures depend on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from murmurate.cli.engine_flags import OwnOptions, chosen, own_words
from murmurate.cli.options import MODEL, Changes, Dtype, EngineName, load_model, model_name
from murmurate.cli.plot_options import PLOT, PlotOptions
from murmurate.cli.resume import (
    allow_rules,
    other_rules,
    passed_options,
    refuse_settings,
    rules_options,
)
from murmurate.cli.sweep import parse_varied, split_names
from murmurate.cli.terminal import (
    EXIT_OK,
    ProgressBar,
    console,
    make_table,
    print_line,
    report_stopped,
)
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.effects.design import SensitivityFolder
    from murmurate.effects.report import Sensitivity

DESIGN = Group("The analysis", sort_key=1)
NOTES = {
    "morris": "mu*: mean size of the change of the measure when the number goes from its lower to "
    "its upper bound; sigma: how much that depends on other numbers. The last row is what noise "
    "alone would show",
    "sobol": "shares of the variance between runs: first order, of the number alone; total, with "
    "its interactions; noise, between runs of one setting",
}


def sensitivity(
    model: Annotated[
        str,
        Parameter(
            help="A model, or the folder of an analysis to resume.", converter=model_name
        ),
    ],
    /,
    *,
    measures: Annotated[
        tuple[str, ...],
        Parameter(
            help="Measures of the largest flock, separated by commas; NAME@FLOCK for another.",
            group=DESIGN,
        ),
    ] = (),
    vary: Annotated[
        tuple[str, ...],
        Parameter(
            help="PATH=LOW:HIGH: the bounds of a number; repeat it for other paths.", group=DESIGN
        ),
    ] = (),
    method: Annotated[
        Literal["morris", "sobol"] | None,
        Parameter(
            help="morris (default): effects, from few runs; sobol: shares of variance, from many.",
            group=DESIGN,
        ),
    ] = None,
    samples: Annotated[
        int | None,
        Parameter(
            help="Trajectories of Morris (default: 16), or Sobol samples, a power of 2 (default: "
            "64).",
            group=DESIGN,
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        Parameter(help="Runs of each setting, which show what is noise. Default: 2.",
                  group=DESIGN),
    ] = None,
    seed: Annotated[
        int | None,
        Parameter(help="Base seed of the design and the runs. Default: 0.", group=DESIGN),
    ] = None,
    steps: Annotated[
        int | None, Parameter(help="Steps of a run. Default: 1000.", group=DESIGN)
    ] = None,
    warm_up: Annotated[
        int | None,
        Parameter(help="Steps before the first measurement. Default: 200.", group=DESIGN),
    ] = None,
    every: Annotated[
        int | None, Parameter(help="Steps between measurements. Default: 10.", group=DESIGN)
    ] = None,
    engine: Annotated[EngineName | None, Parameter(group=DESIGN)] = None,
    own: OwnOptions | None = None,
    dtype: Annotated[
        Dtype | None, Parameter(help="Precision. Default: float32.", group=DESIGN)
    ] = None,
    on: Annotated[
        Literal["threads", "processes", "ray"],
        Parameter(help="Where runs are simulated; ray is the cluster at RAY_ADDRESS."),
    ] = "threads",
    processes: Annotated[
        int | None, Parameter(help="Parallel processes. Default: one per core.")
    ] = None,
    output: Annotated[
        Path | None,
        Parameter(name=("--output", "-o"), help="The folder. Default: NAME-sensitivity."),
    ] = None,
    plotting: PlotOptions | None = None,
    force: Annotated[bool, Parameter(help="Replace an existing plot.", group=PLOT)] = False,
    json: Annotated[bool, Parameter(help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, Parameter(help="Print no progress.")] = False,
    changes: Annotated[Changes | None, Parameter(name="*", group=MODEL)] = None,
) -> int:  # fmt: skip
    """Rank the numbers of a model by their effects on measures, or resume such an analysis.

    For instance:

        murmurate sensitivity couzin-2002 --measures polarization,milling
            --vary rules.repulsion.radius=0.5:2 --vary rules.attraction.radius=4:16 -o radii
        murmurate sensitivity radii
        murmurate plot radii
    """
    from murmurate.effects.design import SensitivityFolder
    from murmurate.effects.run import run_sensitivity
    from murmurate.fitting.rounds import fit_workers
    from murmurate.model.names import file_name

    folder = SensitivityFolder(model)
    changes = changes or Changes()
    settings = passed_options(
        measures=split_names(measures), seeds=seeds, seed=seed, steps=steps, warm_up=warm_up,
        every=every, engine=engine, dtype=dtype,
    )  # fmt: skip
    design = passed_options(vary=vary, method=method, samples=samples)
    if folder.plan_path.is_file():
        others = passed_options(output=output, set=changes.set, boids=changes.boids)
        names = [*design, *settings, *(word[2:] for word in own_words(own)), *others]
        _allow_resume(folder, names, changes)
    else:
        if Path(model).is_dir():
            folder.plan()  # raises the error for a folder without an analysis
        if own_words(own):
            settings["engine"] = chosen(engine or "cpu", own)
        folder = _begin(model, design, changes, output, settings)
    plotting = plotting or PlotOptions()
    plot = plotting.path(file_name(folder.path.name, ".png"), force, [model])
    workers = fit_workers(on, processes)
    try:
        with ProgressBar("runs", silent=quiet or json) as bar:
            result = run_sensitivity(folder, workers, bar.update)
    except KeyboardInterrupt:
        rules = rules_options(folder.sweep.plan().rules)
        return report_stopped(True, f"murmurate sensitivity {folder.path}{rules}")
    if json:
        print_line(result.to_json())
    else:
        _print(result)
    if plot is not None:
        print_line(result.save_plot(plot, force=force, **plotting.look), errors=json)
    return EXIT_OK


def _allow_resume(folder: SensitivityFolder, names: list[str], changes: Changes) -> None:
    """Raise CommandError for settings of an existing folder; load its rules by permission."""
    from murmurate.rules.rule_file import load_rules

    folder.plan()
    sweep = folder.sweep.plan()
    rules = passed_options(rules=other_rules(sweep.rules, changes.rules))
    refuse_settings("sensitivity", str(folder.path), [*names, *rules])
    allow_rules(folder.path, sweep.rules, changes.rules)
    for file in sweep.rules:
        load_rules(Path(file))
    sweep.check()  # the file may have been edited


def _begin(
    name: str, design: dict[str, Any], changes: Changes, output: Path | None,
    settings: dict[str, Any],
) -> SensitivityFolder:  # fmt: skip
    """Create the folder of a new analysis. Raises an error for invalid settings."""
    from murmurate.effects.design import SensitivityFolder, make_design, make_sweep
    from murmurate.model.names import file_name

    model = load_model(name, changes)
    if "measures" not in settings:
        raise CommandError("--measures: got none; expected measures, such as polarization,milling")
    vary = parse_varied(design.get("vary", ()), "sobol")
    plan = make_design(
        model, vary, design.get("method", "morris"), design.get("samples"), settings.get("seed", 0)
    )
    rules = tuple(str(path.resolve()) for path in changes.rules)
    sweep = make_sweep(model, plan, rules=rules, **settings)
    folder = SensitivityFolder(output or file_name(model.name, "-sensitivity"))
    folder.begin(plan, sweep)
    return folder


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
