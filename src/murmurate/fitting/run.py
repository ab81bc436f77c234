"""fit(): settings are proposed by scipy, simulated by threads, and stored in a folder."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import write_file
from murmurate.dtypes import Dtype
from murmurate.engine.engine_options import EngineChoice
from murmurate.fitting.fit_plan import FINALISTS, FitPlan, plan_of
from murmurate.fitting.objective import FAR, ComparedMeasure, mean_of, objective
from murmurate.fitting.ranges import ranges
from murmurate.fitting.report import Fit
from murmurate.fitting.search import Progress, Search, evolve, probe, refine
from murmurate.fitting.store import FitFolder
from murmurate.measures.estimate import Estimate
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.model.number import frame_rate
from murmurate.sweeps.design import SweepError

ALIKE = 0.05  # settings are alike within this part of the bounds


def fit(
    model: Model | str | os.PathLike[str],
    target: Any,
    measures: str | Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    *,
    check: str | Sequence[str] = (),
    evaluations: int = 300,
    seeds: int = 2,
    seed: int = 0,
    steps: int = 1000,
    first: int = 200,
    every: int = 10,
    frames_per_second: float | None = None,
    fps: float | None = None,
    flock: str | None = None,
    engine: EngineChoice = "cpu",
    dtype: Dtype = "float32",
    folder: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Fit:
    """Finds the numbers of a model with which it measures as a recording or real animals do.

    model        a Model, the name of a published flock, or the path of a model file
    target       what `measure` takes: tracks, a recording, a model; or name -> (value, error)
    measures     to be met: measures that are one number a frame, or the name of one
    vary         path -> (low, high); whole numbers are tried where the model holds whole numbers,
                 such as a count, and real ones elsewhere
    check        measures that are not to be met, but compared in the end
    evaluations  settings to try, about
    seeds        runs of each setting. The same for all settings, so that two of them differ by
                 their numbers alone; in the end the best few are flown with others, and
                 the best of them with others again
    steps, first, every  of a run: steps in all, the first that is measured, steps between
    folder       where each run is stored when it is done; a fit that was stopped is resumed there,
                 to the same end as if it had not been
    flock, frames_per_second  of the target; fps is short for frames_per_second

    Minimised is the sum over measures of ((ours - theirs) / error)^2: two thirds of the settings
    are generations of differential evolution (Storn & Price 1997, doi:10.1023/A:1008202821328), the
    rest go downhill from the best by Nelder and Mead's simplex, both as scipy has them. They need
    no slope, and stand noise. In the end the best setting is tried with each number in turn at four
    values all over its bounds, where there are 20 evaluations a number or more.

    Returns a Fit. For each number it has the range of the settings that were tried and are as good
    as the best, if enough of them support one: that is no confidence interval, and says as much of
    the search as of the data. `not_determined` and `determined_together` name numbers that these
    measures do not tell apart. Raises SweepError or ModelError before anything is flown.
    """
    model = model_of(model)
    measures, check = _listed(measures), _listed(check)
    names = [*measures, *check]
    theirs = targets(target, names, flock, frame_rate(frames_per_second, fps))
    plan = plan_of(
        model, {name: theirs[name] for name in measures}, vary,
        {name: theirs[name] for name in check}, evaluations=evaluations, seeds=seeds, seed=seed,
        steps=steps, burn_in=first, every=every, engine=engine, dtype=dtype,
    )  # fmt: skip
    if folder is not None:
        return find(plan, FitFolder(folder), progress)
    # after Ctrl-C a run in flight may still store its record, and find no folder
    with tempfile.TemporaryDirectory(
        prefix="murmurate-fit-", ignore_cleanup_errors=True
    ) as temporary:
        return replace(find(plan, FitFolder(Path(temporary) / "fit"), progress), folder=None)


def _listed(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def targets(
    target: Any, names: Sequence[str], flock: str | None, frames_per_second: float | None
) -> dict[str, Estimate]:
    """measure -> its value and standard error in what is to be fitted; the error is taken as known
    exactly where only the two are given. Raises SweepError for one without."""
    if isinstance(target, np.ndarray):
        raise SweepError("what is to be fitted is a bare array: mm.measures.of_tracks(array, "
                         "dt=...) makes frames of it, which can be")  # fmt: skip
    if not isinstance(target, Mapping):
        from murmurate.analysis import measure

        found = measure(target, list(names), flock=flock, frames_per_second=frames_per_second)
        target = {name: found[name] for name in names}
    out = {}
    for name in names:
        one = target.get(name)
        freedom = math.inf
        if isinstance(one, Estimate):
            freedom = math.inf if math.isnan(one.freedom) else one.freedom
            one = (one.value, one.error)
        if not isinstance(one, Sequence) or len(one) != 2:
            raise SweepError(f"{name}: what is to be met is one number with its error, and here it "
                             f"is {one!r}")  # fmt: skip
        error = float(one[1]) if np.isfinite(one[1]) else 0.0
        out[name] = Estimate(float(one[0]), error, math.nan, "given", freedom=freedom)
    return out


def find(plan: FitPlan, folder: FitFolder, progress: Progress | None = None) -> Fit:
    """Makes a fit, or resumes it: the search is the same whenever it is made, and runs that
    are in the folder are not flown again."""
    from murmurate.model.files import parse, to_toml
    from murmurate.rules.rule_file import load_rules

    for file in plan.rules:
        load_rules(Path(file))
    plan.check_all()  # a plan that was read may have been changed since it was written
    folder.begin(plan)
    search = Search(plan, folder, progress)
    evolve(plan, search)
    if plan.refining:
        refine(plan, search)
    if plan.probing:
        probe(plan, search)
    best, found = _chosen(plan, search)
    met = _met(plan, search, best)
    model = parse(plan.model, f"{plan.name}.toml").set(best)
    last = sum(one.z**2 if math.isfinite(one.z) else FAR for one in met if one.fitted)
    made = Fit(
        plan.name, model, ranges(plan.vary, search.tried, best, found, search.around), met, last,
        len(search.tried), search.flown, folder.path, search.history,
    )  # fmt: skip
    write_file(folder.path / "fitted.toml", to_toml(model))
    write_file(folder.path / "fit.json", made.to_json())
    return made


def _chosen(plan: FitPlan, search: Search) -> tuple[dict[str, Any], float]:
    """The best setting, and its objective in the search. The least of so many numbers that depend
    on chance is mostly luck, so the best few that are not alike are flown with other seeds."""
    wide = np.diff(plan.bounds, axis=1).ravel()
    finalists: list[tuple[dict[str, Any], float]] = []
    for values, found in sorted(search.tried, key=lambda one: one[1]):
        x = np.array(list(values.values()), dtype=float)
        away = [np.abs(x - list(one.values())) / wide for one, _ in finalists]
        if len(finalists) < FINALISTS and all(one.max() > ALIKE for one in away):
            finalists.append((values, found))
    runs = [plan.fresh(len(search.tried), 0, k, one) for k, (one, _) in enumerate(finalists)]
    records = iter(search.fly([task for tasks in runs for task in tasks], lambda: None))
    again = [objective(plan.target, [next(records) for _ in tasks]) for tasks in runs]
    return finalists[int(np.argmin(again))]


def _met(plan: FitPlan, search: Search, best: dict[str, Any]) -> list[ComparedMeasure]:
    """The best setting, flown with seeds that nothing was chosen by."""
    records = search.fly(plan.fresh(len(search.tried), 1, 0, best), lambda: None)
    met = []
    for name, (theirs, their_error) in {**plan.target, **plan.check}.items():
        ours = mean_of(name, records)
        met.append(ComparedMeasure(
            name, theirs, their_error, ours.value, ours.error, name in plan.target,
            plan.freedom.get(name, math.inf), ours.freedom,
        ))  # fmt: skip
    return met
