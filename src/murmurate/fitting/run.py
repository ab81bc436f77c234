"""fit(): scipy proposes settings, threads simulate them, and a folder stores the runs."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.deprecation import declare, renamed_keywords, warn_deprecated
from murmurate.disk import write_file
from murmurate.engines.options import RunOptions, accept_run_keywords, options_with_seed
from murmurate.errors import FitError
from murmurate.fitting.fit_plan import FINALISTS, FitFolder, FitPlan, make_plan
from murmurate.fitting.objective import PENALTY, ComparedMeasure, mean_over_runs, objective
from murmurate.fitting.ranges import ranges
from murmurate.fitting.report import Fit
from murmurate.fitting.search import Search, Watch, evolve, probe, refine
from murmurate.measures.estimate import Estimate
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.model.view import frame_rate
from murmurate.sweeps.run import Progress, takes_three

SMALLEST_OF_PROGRESS = declare(
    "fit", "progress(done, total, smallest)", "watch(done, total, smallest)"
)
SIMILAR = 0.05  # settings are similar if all numbers differ by less than this part of the bounds


@renamed_keywords(first="warm_up", folder="output")
@accept_run_keywords("engine", "dtype")
def fit(
    model: Model | str | os.PathLike[str],
    target: Any,
    measures: str | Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    *,
    check: str | Sequence[str] = (),
    evaluations: int = 300,
    seeds: int = 2,
    seed: int | None = None,
    steps: int = 1000,
    warm_up: int = 200,
    every: int = 10,
    frames_per_second: float | None = None,
    fps: float | None = None,
    flock: str | None = None,
    options: RunOptions | None = None,
    output: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Fit:
    """Find numbers of a model that reproduce the measures of a recording or real animals.

    Parameters
    ----------
    model : Model, str or path-like
        A Model, the name of a published flock, or the path of a model file.
    target : Tracks, Recording, Model, str, path-like, iterable of frames, or mapping
        What `measure` accepts, or measure name -> (value, error).
    measures : str or sequence of str
        Measures to reproduce, each a number per frame.
    vary : mapping
        Path -> (low, high). Whole numbers are tried for counts, real numbers for quantities.
    check : str or sequence of str, optional
        Measures that are only compared at the end.
    evaluations : int, default 300
        Approximate number of settings to try.
    seeds : int, default 2
        Runs of each setting. All settings have the same seeds, so they differ by their numbers
        only. At the end the best few are simulated with other seeds, and the best of them with
        others again.
    seed : int, optional
        Seed of the search and the runs. The default is the seed of `options`, 0.
    steps, warm_up, every : int
        Of a run: steps, steps before the first measured frame, steps between frames. The defaults
        are 1000, 200, 10.
    frames_per_second, fps : float, optional
        Frame rate of a target that is tracks. Both names are equivalent.
    flock : str, optional
        Name of the target's flock.
    options : RunOptions, optional
        Engine and precision. A fit distributes the cores over its runs, so `threads` must not be
        set.
    output : str or path-like, optional
        Folder that stores each finished run. An interrupted fit resumes from it, with the same
        result. The default is a temporary folder.
    progress : callable, optional
        Called with (settings done, all settings).
    watch : callable, optional
        Called with (settings done, all settings, smallest objective so far).

    Returns
    -------
    Fit
        The model with the best numbers. Each number has the range of the settings that were tried
        and are as good as the best one, if enough of them support it. It is not a confidence
        interval, and depends on the search as well as on the data. `not_determined` and
        `determined_together` name numbers that these measures do not distinguish.

    Raises
    ------
    FitError, ModelError
        For invalid arguments, before anything is simulated.

    Notes
    -----
    The objective is the sum over measures of ((ours - theirs) / error)^2. Two thirds of the
    settings are generations of differential evolution (Storn & Price 1997,
    doi:10.1023/A:1008202821328), the rest refine the best one by the simplex of Nelder and Mead,
    both from scipy. These methods need no derivatives and tolerate noise. At the end the best
    setting is tried with each number at four values over its bounds, if there are at least 20
    evaluations per number.
    """
    options = options_with_seed(options, seed)
    if options.threads is not None:
        raise FitError(
            f"options: got threads={options.threads}; expected None. A fit distributes the cores "
            "over its runs"
        )
    model = model_of(model)
    measures, check = _as_list(measures), _as_list(check)
    names = [*measures, *check]
    theirs = target_estimates(target, names, flock, frame_rate(frames_per_second, fps))
    plan = make_plan(
        model, {name: theirs[name] for name in measures}, vary,
        {name: theirs[name] for name in check}, evaluations=evaluations, seeds=seeds,
        seed=options.seed, steps=steps, warm_up=warm_up, every=every,
        engine=options.choice, dtype=options.dtype,
    )  # fmt: skip
    if progress is not None and takes_three(progress):
        warn_deprecated(SMALLEST_OF_PROGRESS)
        progress, watch = None, progress  # type: ignore[assignment]
    report = _report_to(progress, watch)
    if output is not None:
        return run_fit(plan, FitFolder(output), report)
    # after Ctrl-C a run in progress may still try to store its record
    with tempfile.TemporaryDirectory(
        prefix="murmurate-fit-", ignore_cleanup_errors=True
    ) as temporary:
        return replace(run_fit(plan, FitFolder(Path(temporary) / "fit"), report), folder=None)


def _report_to(progress: Progress | None, watch: Watch | None) -> Watch:
    """Return a callback that calls both."""

    def report(done: int, total: int, smallest: float) -> None:
        if progress is not None:
            progress(done, total)
        if watch is not None:
            watch(done, total, smallest)

    return report


def _as_list(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def target_estimates(
    target: Any, names: Sequence[str], flock: str | None, frames_per_second: float | None
) -> dict[str, Estimate]:
    """Return measure -> its value and standard error in the target.

    An error from a (value, error) pair counts as exact. Raises FitError for a measure that is not
    a number with an error.
    """
    if isinstance(target, np.ndarray):
        raise FitError(
            "target: got an array; expected frames. mm.measures.of_tracks(array, dt=...) makes "
            "frames of it."
        )
    if not isinstance(target, Mapping):
        from murmurate.analysis import measure

        table = measure(target, list(names), flock=flock, frames_per_second=frames_per_second)
        target = {name: table[name] for name in names}
    estimates = {}
    for name in names:
        goal = target.get(name)
        freedom = math.inf
        if isinstance(goal, Estimate):
            freedom = math.inf if math.isnan(goal.freedom) else goal.freedom
            goal = (goal.value, goal.error)
        if not isinstance(goal, Sequence) or len(goal) != 2:
            raise FitError(f"{name}: got {goal!r} as target; expected a number with its error")
        error = float(goal[1]) if np.isfinite(goal[1]) else 0.0
        estimates[name] = Estimate(float(goal[0]), error, math.nan, "given", freedom=freedom)
    return estimates


def run_fit(plan: FitPlan, folder: FitFolder, watch: Watch | None = None) -> Fit:
    """Run a fit, or resume it.

    The search is deterministic, and runs that are in the folder are not simulated again.
    """
    from murmurate.model.files import parse, to_toml
    from murmurate.rules.rule_file import load_rules

    for file in plan.rules:
        load_rules(Path(file))
    plan.check_all()  # the file of a plan may have been edited
    folder.begin(plan)
    search = Search(plan, folder, watch)
    evolve(plan, search)
    if plan.refining:
        refine(plan, search)
    if plan.probing:
        probe(plan, search)
    best, smallest = _choose_best(plan, search)
    compared = _compare(plan, search, best)
    model = parse(plan.model, f"{plan.name}.toml").set(best)
    squares = [m.z**2 if math.isfinite(m.z) else PENALTY for m in compared if m.fitted]
    varied = ranges(plan.vary, search.tried, best, smallest, search.around)
    result = Fit(
        plan.name, model, varied, compared, sum(squares), len(search.tried), search.runs,
        folder.path, search.history, search.tried,
    )  # fmt: skip
    write_file(folder.path / "fitted.toml", to_toml(model))
    write_file(folder.path / "fit.json", result.to_json())
    return result


def _choose_best(plan: FitPlan, search: Search) -> tuple[dict[str, Any], float]:
    """Return the best setting, and its objective in the search.

    The smallest of many random objectives is mostly due to chance, so the best few settings that
    are not similar are simulated again with other seeds.
    """
    widths = np.diff(plan.bounds, axis=1).ravel()
    finalists: list[tuple[dict[str, Any], float]] = []
    for values, result in sorted(search.tried, key=lambda tried: tried[1]):
        x = np.array(list(values.values()), dtype=float)
        distances = [np.abs(x - list(other.values())) / widths for other, _ in finalists]
        if len(finalists) < FINALISTS and all(d.max() > SIMILAR for d in distances):
            finalists.append((values, result))
    tried = len(search.tried)
    runs = [plan.final_tasks(tried, 0, k, values) for k, (values, _) in enumerate(finalists)]
    records = iter(search.run([task for tasks in runs for task in tasks], lambda: None))
    objectives = [objective(plan.target, [next(records) for _ in tasks]) for tasks in runs]
    return finalists[int(np.argmin(objectives))]


def _compare(plan: FitPlan, search: Search, best: dict[str, Any]) -> list[ComparedMeasure]:
    """Compare the best setting with the target, by runs with seeds that no choice depended on."""
    records = search.run(plan.final_tasks(len(search.tried), 1, 0, best), lambda: None)
    compared = []
    for name, (theirs, their_error) in {**plan.target, **plan.check}.items():
        ours = mean_over_runs(name, records)
        compared.append(ComparedMeasure(
            name, theirs, their_error, ours.value, ours.error, name in plan.target,
            plan.freedom.get(name, math.inf), ours.freedom,
        ))  # fmt: skip
    return compared
