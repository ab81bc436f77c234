"""murmurate fit: a model's numbers, from a recording or real animals' tracks."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from cyclopts import Group, Parameter

from murmurate.cli.engine_flags import OwnOptions, chosen, own_words
from murmurate.cli.error_output import FINE, BadInput, stopped
from murmurate.cli.kept_rules import allow_rules, other_rules, rules_options
from murmurate.cli.kept_settings import given, refuse_new_settings
from murmurate.cli.options import MODEL, Changes, Dtype, EngineName, load_model
from murmurate.cli.terminal import console, progress_bar, say
from murmurate.cli.track_options import TRACKS, TrackOptions, tracks_of

if TYPE_CHECKING:
    from murmurate.fitting.fit_plan import FitFolder, FitPlan
    from murmurate.fitting.report import Fit
    from murmurate.tracks import Tracks

SEARCH = Group("The fit", sort_key=1)


def fit(
    model: Annotated[str, Parameter(help="A model, or the folder of a fit to resume.")],
    target: Annotated[
        str | None,
        Parameter(help="What it is fitted to: tracks, a recording, or a model that is flown."),
    ] = None,
    /,
    *,
    measures: Annotated[
        tuple[str, ...], Parameter(help="Measures to meet, with commas between.", group=SEARCH)
    ] = (),
    vary: Annotated[
        tuple[str, ...],
        Parameter(
            help="PATH=LOW:HIGH: the bounds of a number; of one that counts, such as "
            "flocks.boids.count, only whole numbers are tried. May be given again.",
            group=SEARCH,
        ),
    ] = (),
    check: Annotated[
        tuple[str, ...],
        Parameter(help="Measures that are compared, but not fitted.", group=SEARCH),
    ] = (),
    evaluations: Annotated[
        int | None, Parameter(help="Settings to try; 300 unless given.", group=SEARCH)
    ] = None,
    seeds: Annotated[
        int | None, Parameter(help="Runs of each; 2 unless given.", group=SEARCH)
    ] = None,
    seed: Annotated[
        int | None, Parameter(help="The seed of all of it; 0 unless given.", group=SEARCH)
    ] = None,
    steps: Annotated[
        int | None, Parameter(help="Steps a run; 1000 unless given.", group=SEARCH)
    ] = None,
    warm_up: Annotated[
        int | None, Parameter(help="Steps before the first measurement. Default: 200.",
                              group=SEARCH),
    ] = None,
    every: Annotated[
        int | None, Parameter(help="Steps between; 10 unless given.", group=SEARCH)
    ] = None,
    flock: Annotated[str | None, Parameter(help="The target's flock.", group=SEARCH)] = None,
    engine: Annotated[EngineName | None, Parameter(group=SEARCH)] = None,
    own: OwnOptions | None = None,
    dtype: Annotated[
        Dtype | None, Parameter(help="Precision; float32 unless given.", group=SEARCH)
    ] = None,
    output: Annotated[
        Path | None, Parameter(name=("--output", "-o"), help="The folder; NAME-fit unless given.")
    ] = None,
    json: Annotated[bool, Parameter(help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, Parameter(help="No progress.")] = False,
    tracks: Annotated[TrackOptions | None, Parameter(name="*", group=TRACKS)] = None,
    changes: Annotated[Changes | None, Parameter(name="*", group=MODEL)] = None,
) -> int:  # fmt: skip
    """Fit a model to a recording or to real animals' tracks, or resume a fit that was stopped.

    For instance:

        murmurate fit mine.toml fish.npy --fps 32 --measures polarization,milling
            --vary rules.alignment.weight=0:1 --vary rules.cohesion.radius=10:100 -o fish-fit
        murmurate fit fish-fit
    """
    from murmurate.fitting.fit_plan import FitFolder
    from murmurate.fitting.run import run_fit
    from murmurate.model.names import file_name

    folder = FitFolder(model)
    changes = changes or Changes()
    settings = given(evaluations=evaluations, seeds=seeds, seed=seed, steps=steps, warm_up=warm_up,
                      every=every, engine=engine, dtype=dtype)  # fmt: skip
    if folder.plan_path.is_file():
        plan = folder.plan()
        others = given(
            measures=measures, vary=vary, check=check, flock=flock, output=output,
            set=changes.set, boids=changes.boids, rules=other_rules(plan.rules, changes.rules),
            **dict.fromkeys((name[2:] for name in (tracks or TrackOptions()).given), True),
        )  # fmt: skip
        given_names = [*settings, *(word[2:] for word in own_words(own)), *others]
        refuse_new_settings("fit", model, given_names, given(target=target).values())
        allow_rules(folder.path, plan.rules, changes.rules)
    else:
        if target is None or Path(model).is_dir():
            _refuse_no_fit(model, folder)
        assert target is not None
        flown = load_model(model, changes)
        if own_words(own):
            settings["engine"] = chosen(engine or "cpu", own)
        read = partial(tracks_of, target, tracks, errors=json, quiet=quiet)
        plan = _plan(
            flown, target, _names(measures), _names(check), vary, changes, flock, read, **settings
        )
        folder = FitFolder(output or file_name(flown.name, "-fit"))
    try:
        with _Bar(quiet or json) as bar:
            found = run_fit(plan, folder, bar.update)
    except KeyboardInterrupt:
        return stopped(
            folder.plan_path.is_file(), f"murmurate fit {folder.path}{rules_options(plan.rules)}"
        )
    if json:
        say(found.to_json())
    else:
        _print(found)
    return FINE


def _plan(
    model: Any, target: str, measures: list[str], check: list[str], vary: tuple[str, ...],
    changes: Changes, flock: str | None, read: Callable[[], Tracks | None], **settings: Any,
) -> FitPlan:  # fmt: skip
    from murmurate.fitting.fit_plan import make_plan
    from murmurate.fitting.run import target_estimates
    from murmurate.sweeps.design import parse_measure, parse_vary

    if not measures:
        raise BadInput("--measures: give those to be met, such as polarization,milling")
    for name in (*measures, *check):
        parse_measure(name, model)  # before the target is measured
    varied: dict[str, Any] = {}
    for text in vary:
        path, ends = parse_vary(text)
        if path in varied:
            raise BadInput(f"--vary {text}: {path} is varied already")
        varied[path] = ends
    theirs = target_estimates(read() or target, [*measures, *check], flock, None)
    rules = tuple(str(path.resolve()) for path in changes.rules)
    return make_plan(
        model, {name: theirs[name] for name in measures}, varied,
        {name: theirs[name] for name in check}, rules=rules, **settings,
    )  # fmt: skip


def _refuse_no_fit(model: str, folder: FitFolder) -> NoReturn:
    """Says why nothing can be fitted: no such folder, no fit in it, or nothing to fit to."""
    from murmurate.model.files import zoo

    if folder.path.is_dir():
        folder.plan()  # says that there is no fit in it
    if model not in zoo() and not folder.path.exists() and folder.path.suffix != ".toml":
        raise BadInput(f"{model}: there is no such fit folder, and no such model: give the folder "
                       "of a fit to resume, or a model and what it is fitted to")  # fmt: skip
    raise BadInput(f"{model}: fit needs a model and what it is fitted to, such as fish.npy")


def _names(texts: tuple[str, ...]) -> list[str]:
    return [name for text in texts for name in text.split(",") if name]


def _print(found: Fit) -> None:
    from rich.text import Text

    from murmurate.cli.tables import table

    out = console(uncut=True)
    out.print(Text(f"{found.name}: objective {found.objective:.3g}, after {found.evaluations} "
                   f"settings, {found.runs} runs", "bold"))  # fmt: skip
    made = table("varied", "best", "as good", "bounds", "")
    for one in found.varied:
        made.add_row(
            Text(one.path, "cyan"), f"{one.best:.4g}", one.as_good,
            f"{one.low:g} to {one.high:g}", "at its bound" if one.at_bound else "",
        )  # fmt: skip
    out.print(made)
    for line in found.remarks:
        out.print(Text(line))
    out.print()
    made = table("measure", "theirs", "ours", "z", "")
    made.columns[3].justify = "right"
    for cells in found.cells():
        good = cells[4].startswith("fits")
        made.add_row(
            Text(cells[0], "cyan"), *cells[1:4], Text(cells[4], "green" if good else "red")
        )
    out.print(made)
    said = "± standard errors; fits: the 95% interval of the difference, by Student's t, holds 0"
    out.print(said, style="dim")
    say(f"{found.folder}: fitted.toml (the model), fit.json, runs")


class _Bar:
    """Settings tried and the least objective: a bar on a terminal, lines elsewhere."""

    def __init__(self, silent: bool) -> None:
        self._silent, self._out = silent, console(errors=True)
        self._bar: Any = None
        self._task: Any = None
        self._due = 0.1

    def __enter__(self) -> _Bar:
        if not self._silent and self._out.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn
            from rich.progress import TimeRemainingColumn as Left

            best = "least objective {task.fields[least]}"
            columns = ("settings", BarColumn(), MofNCompleteColumn(), best, Left())
            self._bar = progress_bar(*columns, console=self._out)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, total: int, least: float) -> None:
        said = f"{least:.4g}" if math.isfinite(least) else "not known yet"
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task("settings", total=total, least="")
            self._bar.update(self._task, completed=done, least=said)
        elif not self._silent and done >= self._due * total:
            self._due = done / total + 0.1
            self._out.print(f"{done} of {total} settings, least objective {said}")
