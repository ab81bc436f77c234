"""fit(): rounds of settings are simulated, a folder stores the runs, and a posterior results."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.disk import write_file
from murmurate.engines.run_spec import RunSpec, spec_of
from murmurate.errors import FitError
from murmurate.fitting.compared_measure import ComparedMeasure, compare
from murmurate.fitting.fit_plan import FitFolder, FitPlan, make_plan
from murmurate.fitting.posterior import Posterior
from murmurate.fitting.report import Fit
from murmurate.fitting.rounds import Runs, measured, run_rounds
from murmurate.measures.estimate import Estimate
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.optional import require
from murmurate.sweeps.design import measure_names
from murmurate.sweeps.run import Progress
from murmurate.sweeps.workers import Workers, make_workers
from murmurate.tracks import Tracks
from murmurate.tracks.sampling import TrackSampling


def fit(
    model: Model | str | os.PathLike[str],
    target: Any,
    measures: str | Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    run: RunSpec | None = None,
    *,
    check: str | Sequence[str] = (),
    tolerance: float = 0.001,
    flock: str | None = None,
    output: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Fit:
    """Return the posterior of numbers of a model, from measures of a recording or real animals.

    Parameters
    ----------
    model : Model, str or path-like
        A Model, the name of a published flock, or the path of a model file.
    target : Tracks, Recording, Model, str, path-like, iterable of frames, or mapping
        What `measure` accepts, or measure name -> (value, error), or -> Estimate, such as
        `mm.measures.over_seeds` of several flocks. A model is simulated for as many steps as a
        run. Runs are measured as tracks are, if these have no recorded velocities: velocities are
        differences of positions at the times of frames, and boids are missing as animals are.
        Velocities of frames count as those of the model. Files of tracks without times have 1
        frame per unit of time, unless `open_tracks` gives them their rate. A step of the model
        must not be longer than a frame.
    measures : str or sequence of str
        Measures to reproduce, each a number per frame.
    vary : mapping
        Path -> (low, high) or (low, high, prior). The prior within the bounds is 'uniform' (the
        default), 'log-uniform', or ('normal', mean, sd). Values are whole for counts, and real for
        quantities.
    run : RunSpec, optional
        Number of runs to learn from, by default 300 of all settings together; their steps, seeds
        and engine, and where they are simulated.
    check : str or sequence of str, optional
        Measures that are only compared at the end.
    tolerance : float, default 0.001
        What no setting of the model is expected to reproduce, as a part of each measure: with 0.01
        a difference of a hundredth does not count.
    flock : str, optional
        Name of the target's flock.
    output : str or path-like, optional
        Folder that stores each finished run. An interrupted fit resumes from it, with the same
        result. The default is a temporary folder.
    progress : callable, optional
        Called with (runs done, all runs).

    Returns
    -------
    Fit
        The posterior of the numbers, the model with the most likely ones, and a comparison of the
        data with runs at draws of the posterior. `not_determined` and `determined_together` name
        numbers that these measures do not distinguish.

    Raises
    ------
    FitError, ModelError
        For invalid arguments, before anything is simulated; if the extra `infer` is missing; and if
        hardly any run has a value of every measure.

    Notes
    -----
    The measures of a run are summarised by the mean of each number as expected from them, which
    small networks learn from all runs (Fearnhead & Prangle 2012,
    doi:10.1111/j.1467-9868.2011.01010.x). The likelihood of the summaries is Gaussian with their
    full covariance (Wood 2010, doi:10.1038/nature09319). Its mean and variance at any setting are
    emulated by Gaussian processes, so what the runs do not tell widens the posterior. Two fifths of
    the settings are a Latin hypercube of the prior, the others follow in four rounds, near the
    posterior of the runs so far. Draws come from sequential Monte Carlo (Del Moral et al. 2006,
    doi:10.1111/j.1467-9868.2006.00553.x).

    A run stands for the data: it should be as long, and is not measured for longer. Data that are
    given as numbers may be means over several flocks, and `seeds` should be as many. Where they are
    less precise than a setting, noise is added to the runs. Where data are much more precise, a
    remark says so: the posterior is too wide then.
    """
    run = spec_of(run, FitError)
    plan = new_plan(model, target, measures, vary, run, check, flock, tolerance=tolerance)
    workers = make_workers(run.workers, FitError)
    with FitFolder.opened(output) as folder:
        return run_fit(plan, folder, workers, progress)


def new_plan(
    model: Model | str | os.PathLike[str], target: Any, measures: str | Sequence[str],
    vary: Mapping[str, Sequence[Any]], run: RunSpec, check: str | Sequence[str] = (),
    flock: str | None = None, **settings: Any,
) -> FitPlan:  # fmt: skip
    """Measure the target, and return the checked plan of a fit to it.

    `settings` are other fields of `FitPlan`. Raises FitError or ModelError.
    """
    model = model_of(model)
    measures = measure_names(measures, model, error=FitError)
    check = measure_names(check, model) if check else ()
    goals, checked = (dict.fromkeys(names, (0.0, math.inf)) for names in (measures, check))
    make_plan(model, goals, vary, run, check=checked, **settings)  # before the target is simulated
    theirs, observed = measure_target(target, (*measures, *check), run, flock)
    return make_plan(
        model, {name: theirs[name] for name in measures}, vary, run,
        check={name: theirs[name] for name in check}, **observed, **settings,
    )  # fmt: skip


def measure_target(
    target: Any, names: Sequence[str], run: RunSpec, flock: str | None = None
) -> tuple[dict[str, Estimate], dict[str, Any]]:
    """Return measure -> its value and standard error in the target, and how it was observed.

    The error is inf if it is unknown. An error from a (value, error) pair counts as exact. The
    second item has the fields `tracks` and `lasts` of a `FitPlan`. A model as target is simulated
    for as many steps as a run. Raises FitError for a measure that is not a number with an error.
    """
    if isinstance(target, np.ndarray):
        raise FitError(
            "target: got an array; expected tracks. mm.Tracks(array, frames_per_second) makes them "
            "of it."
        )
    sampling: dict[str, Any] = {}
    if not isinstance(target, Mapping):
        from murmurate.analysis import measure
        from murmurate.runs.sources import open_named

        if isinstance(target, str | os.PathLike):
            target = open_named(target)
        lengths = None
        if isinstance(target, Model):
            warm_up = FitPlan.warm_up if run.warm_up is None else run.warm_up
            lengths = RunSpec(steps=run.steps, warm_up=warm_up, every=run.every)
        table = measure(target, list(names), lengths, flock=flock)
        if isinstance(target, Tracks):
            sampling["tracks"] = TrackSampling.of(target, flock)
        if table.times:
            sampling["lasts"] = table.times[-1] - table.times[0]
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
        error = float(goal[1]) if np.isfinite(goal[1]) else math.inf
        estimates[name] = Estimate(float(goal[0]), error, math.nan, "given", freedom=freedom)
    return estimates, sampling


def run_fit(
    plan: FitPlan, folder: FitFolder, workers: Workers, progress: Progress | None = None
) -> Fit:
    """Run a fit, or resume it.

    The rounds are deterministic, and runs that are in the folder are not simulated again.
    """
    from murmurate.model.files import parse, to_toml

    for module in ("sklearn", "arviz_stats", "arviz_base", "h5netcdf", "h5py"):
        require(module, "fits", FitError)
    plan.check_all()  # the file of a plan may have been edited
    folder.begin(plan)
    runs = Runs(plan, folder, workers, progress)
    posterior, remarks = run_rounds(plan, runs)
    compared, predicted = _check_predictions(plan, runs, posterior)
    posterior = replace(posterior, predicted=predicted)
    model = parse(plan.model, f"{plan.name}.toml").set(posterior.best())
    result = Fit(
        plan.name, model, posterior.marginals(), compared, plan.settings, runs.count, posterior,
        [*posterior.remarks(), *remarks], folder.stored_at,
    )  # fmt: skip
    write_file(folder.path / "fitted.toml", to_toml(model))
    posterior.save(folder.path / "posterior.nc")
    write_file(folder.path / "fit.json", result.to_json())
    return result


def _check_predictions(
    plan: FitPlan, runs: Runs, posterior: Posterior
) -> tuple[list[ComparedMeasure], dict[str, np.ndarray]]:
    """Simulate draws of the posterior with seeds of their own, and compare them with the data."""
    settings = posterior.settings(plan.predicted, plan.seed)
    records = runs.run([plan.predictive_task(k, values) for k, values in enumerate(settings)])
    goals = {**plan.target, **plan.check}
    values, errors = measured(records, tuple(goals))
    compared = [
        compare(name, goal, plan.freedom.get(name, math.inf), column, error, name in plan.target)
        for (name, goal), column, error in zip(goals.items(), values.T, errors.T, strict=True)
    ]
    return compared, dict(zip(goals, values.T, strict=True))
