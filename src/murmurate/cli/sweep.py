"""murmurate sweep, murmurate merge: a model run with many settings, and its shards joined."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from murmurate.cli.engine_flags import OwnOptions, chosen, own_words
from murmurate.cli.error_output import FAILED, BadInput, complain, stopped
from murmurate.cli.kept_rules import allow_rules, other_rules, rules_options
from murmurate.cli.kept_settings import given, refuse_new_settings
from murmurate.cli.options import MODEL, Changes, Dtype, EngineName, load_model
from murmurate.cli.sweep_table import conclude
from murmurate.cli.terminal import console, progress_bar

if TYPE_CHECKING:
    from murmurate.sweeps.sweep_plan import SweepPlan

SWEEP = Group("The sweep", sort_key=1)
WORK = Group("The work", sort_key=4)


def sweep(
    model: Annotated[
        str,
        Parameter(help="A model to sweep, or the folder of a sweep to resume."),
    ],
    /,
    *,
    vary: Annotated[
        tuple[str, ...],
        Parameter(
            help="PATH=FIRST:LAST:STEP (LAST included) or PATH=VALUE,VALUE,...; may be given again "
            "for other paths. For samples PATH=FIRST:LAST.",
            group=SWEEP,
        ),
    ] = (),
    method: Annotated[
        Literal["grid", "list", "latin-hypercube", "sobol"] | None,
        Parameter(
            help="grid: every value with every other, unless given; list: side by side; or samples "
            "of the box.",
            group=SWEEP,
        ),
    ] = None,
    samples: Annotated[int | None, Parameter(help="How many samples.", group=SWEEP)] = None,
    seeds: Annotated[
        int | None, Parameter(help="Runs of each setting; 1 unless given.", group=SWEEP)
    ] = None,
    seed: Annotated[
        int | None,
        Parameter(help="Seeds of all runs follow from it; 0 unless given.", group=SWEEP),
    ] = None,
    steps: Annotated[
        int | None, Parameter(help="Steps of a run; 1000 unless given.", group=SWEEP)
    ] = None,
    warm_up: Annotated[
        int | None,
        Parameter(help="Steps before anything is measured; none unless given.", group=SWEEP),
    ] = None,
    every: Annotated[
        int | None, Parameter(help="Steps between measurements; 10 unless given.", group=SWEEP)
    ] = None,
    measures: Annotated[
        tuple[str, ...],
        Parameter(
            help="Measures to keep, of the largest flock; NAME@FLOCK for another.", group=SWEEP
        ),
    ] = (),
    engine: Annotated[EngineName | None, Parameter(group=SWEEP)] = None,
    own: OwnOptions | None = None,
    dtype: Annotated[
        Dtype | None, Parameter(help="Precision; float32 unless given.", group=SWEEP)
    ] = None,
    record: Annotated[
        bool,
        Parameter(
            help="Record each run too, a frame after every --every steps: recordings/000042.zarr "
            "in the folder.",
            group=SWEEP,
        ),
    ] = False,
    output: Annotated[
        Path | None, Parameter(name=("--output", "-o"), help="The folder; NAME-sweep unless given.")
    ] = None,
    on: Annotated[
        Literal["processes", "ray"],
        Parameter(help="ray: on the cluster of RAY_ADDRESS, or a local one.", group=WORK),
    ] = "processes",
    processes: Annotated[
        int | None, Parameter(help="Runs side by side; one a core unless given.", group=WORK)
    ] = None,
    shard: Annotated[
        str | None,
        Parameter(
            help="PART/PARTS, such as 3/20: only this part of the runs, in a folder of its own in "
            "the sweep's; murmurate merge joins them.",
            group=WORK,
        ),
    ] = None,
    json: Annotated[bool, Parameter(help="Print the table as JSON.")] = False,
    quiet: Annotated[bool, Parameter(help="No progress.")] = False,
    changes: Annotated[Changes | None, Parameter(name="*", group=MODEL)] = None,
) -> int:
    """Fly a model with many settings and seeds, or resume a sweep that was stopped.

    For instance:

        murmurate sweep ucl --vary rules.alignment.weight=0:1:0.1 --seeds 5 -o ucl-sweep
        murmurate sweep ucl-sweep
        murmurate sweep ucl --vary rules.alignment.weight=0:1:0.1 --shard 3/20 -o ucl-sweep
    """
    from murmurate.model.names import file_name
    from murmurate.rules.rule_file import load_rules
    from murmurate.sweeps.run import run_sweep
    from murmurate.sweeps.shards import make_shard, parse_shard
    from murmurate.sweeps.store import SweepFolder
    from murmurate.sweeps.workers import make_workers

    folder = SweepFolder(model)
    changes = changes or Changes()
    settings = given(method=method, samples=samples, seeds=seeds, seed=seed, steps=steps,
                     warm_up=warm_up, every=every, measures=_names(measures), engine=engine,
                     dtype=dtype, record=record)  # fmt: skip
    if folder.plan_path.is_file():
        plan = folder.plan()
        others = given(vary=vary, output=output, set=changes.set, boids=changes.boids,
                       rules=other_rules(plan.rules, changes.rules))  # fmt: skip
        refuse_new_settings(
            "sweep", model, [*settings, *(word[2:] for word in own_words(own)), *others]
        )
        allow_rules(folder.path, plan.rules, changes.rules)
        for rules in plan.rules:
            load_rules(Path(rules))
        plan.check()  # it may have been changed since it was written
    else:
        if Path(model).is_dir():
            folder.plan()  # says that there is no sweep in it
        flown = load_model(model, changes)
        if own_words(own):
            settings["engine"] = chosen(engine or "cpu", own)
        plan = _plan(flown, vary, changes, **settings)
        folder = SweepFolder(output or file_name(flown.name, "-sweep"))
    if shard is not None:
        folder, plan = make_shard(folder, plan, parse_shard(shard))
    try:
        with _Bar(len(plan), silent=quiet or json) as bar:
            folder = run_sweep(plan, folder.path, make_workers(on, processes), bar.update)
    except KeyboardInterrupt:
        return stopped(
            folder.plan_path.is_file(), f"murmurate sweep {folder.path}{rules_options(plan.rules)}"
        )
    return conclude(plan, folder, json)


def merge(
    folder: Annotated[Path, Parameter(help="The folder that holds the shards.")],
    /,
    *,
    json: Annotated[bool, Parameter(help="Print the table as JSON.")] = False,
) -> int:
    """Join the shards of a sweep into one, and say which runs are missing.

    For instance: murmurate merge ucl-sweep
    """
    from murmurate.sweeps.shards import merge as join
    from murmurate.sweeps.store import SweepFolder

    whole = SweepFolder(folder)
    found = join(whole)
    for part, runs in found.missing.items():
        state = "" if part in found.begun else ", and it was not begun"
        listed = ", ".join(map(str, runs[:10])) + (", ..." if len(runs) > 10 else "")
        complain(f"shard {part} lacks {len(runs)} runs{state}: {listed}")
    if found.missing:
        complain(
            f"{len(whole.done())} of {len(found.plan)} runs are joined, and no table is written. "
            f"Fly the shards above and merge again, or fly what is missing here: murmurate sweep "
            f"{folder}"
        )
        return FAILED
    return conclude(found.plan, whole, json)


def _plan(flown: Any, vary: tuple[str, ...], changes: Changes, **settings: Any) -> SweepPlan:
    from murmurate.sweeps.design import parse_vary
    from murmurate.sweeps.sweep_plan import make_plan

    varied: dict[str, Any] = {}
    for text in vary:
        path, values = parse_vary(text, settings.get("method", "grid"))
        if path in varied:
            raise BadInput(f"--vary {text}: {path} is varied already")
        varied[path] = values
    rules = tuple(str(path.resolve()) for path in changes.rules)
    return make_plan(flown, varied, rules=rules, **settings)


def _names(measures: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for text in measures for name in text.split(",") if name)


class _Bar:
    """Progress with the time left; nothing where it is not wanted."""

    def __init__(self, total: int, silent: bool) -> None:
        self._total, self._silent, self._bar, self._task = total, silent, None, None

    def __enter__(self) -> _Bar:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        out = console(errors=True)
        if not self._silent and out.is_terminal:
            bar: Any = progress_bar(
                "runs", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                "left", TimeRemainingColumn(), console=out,
            )  # fmt: skip
            bar.start()
            self._bar, self._task = bar, bar.add_task("runs", total=self._total)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, total: int) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=done)
