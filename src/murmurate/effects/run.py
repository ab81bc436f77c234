"""sensitivity(): the settings of a design are simulated as a sweep, and analysed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from murmurate.effects.design import DesignMethod, SensitivityFolder, make_design, make_sweep
from murmurate.effects.report import Sensitivity, analyse, write_table
from murmurate.engines.run_spec import RunSpec, spec_of
from murmurate.errors import SweepError
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.optional import require
from murmurate.sweeps.design import measure_names
from murmurate.sweeps.run import Progress, run_sweep
from murmurate.sweeps.workers import Workers, make_workers


def sensitivity(
    model: Model | str | os.PathLike[str],
    measures: str | Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    run: RunSpec | None = None,
    *,
    method: DesignMethod = "morris",
    output: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Sensitivity:
    """Return how strongly measures of a model depend on its numbers, and how much is noise.

    Parameters
    ----------
    model : Model, str or path-like
        A Model, the name of a published flock, or the path of a model file.
    measures : str or sequence of str
        Measures of the largest flock, each a number per frame; NAME@FLOCK for another.
    vary : mapping
        Path -> (low, high). Values are uniform between them, and whole for counts.
    run : RunSpec, optional
        Largest number of runs; their steps, seeds and engine, and where they are simulated. The
        runs are divided into trajectories of Morris, by default 16, each of D + 1 settings for D
        numbers; or Sobol samples, by default 64 and always a power of 2, each of D + 2 settings.
        Each setting has at least 2 seeds, whose differences are the noise.
    method : {'morris', 'sobol'}, default 'morris'
        'morris' needs few runs: it ranks numbers by their effects, and finds those without.
        'sobol' divides the variance between runs among the numbers and the noise.
    output : str or path-like, optional
        Folder that stores each finished run. An interrupted analysis resumes from it. The default
        is a temporary folder.
    progress : callable, optional
        Called with (runs done, all runs).

    Returns
    -------
    Sensitivity
        A table per measure, with 95% intervals.

    Raises
    ------
    SweepError, ModelError
        For invalid arguments, before anything is simulated; if the extra `infer` is missing; and if
        hardly any run has a value.

    Notes
    -----
    Morris: each number takes four levels. An elementary effect is the change of the mean over seeds
    when one number moves by two thirds of its bounds, per whole of them. A number without effect
    would still show one, from noise: the row of the noise. `clear` says that an effect is larger.

    Sobol: the shares are those of the variance of a single run. The noise is the variance between
    runs of one setting, and the first orders, the interactions and the noise add up to 1. The
    noise that remains in means over seeds is subtracted from the totals. Intervals are bootstrapped
    over the samples.

    Sources: Morris 1991, doi:10.1080/00401706.1991.10484804; Campolongo et al. 2007,
    doi:10.1016/j.envsoft.2006.10.004; Saltelli et al. 2010, doi:10.1016/j.cpc.2009.09.018.
    """
    run = spec_of(run)
    workers = make_workers(run.workers)
    with SensitivityFolder.opened(output) as folder:
        begin_sensitivity(folder, model, measures, vary, run, method)
        return run_sensitivity(folder, workers, progress)


def begin_sensitivity(
    folder: SensitivityFolder,
    model: Model | str | os.PathLike[str],
    measures: str | Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    run: RunSpec,
    method: DesignMethod,
    rules: tuple[str, ...] = (),
) -> None:
    """Create the folder of an analysis. See `sensitivity`.

    Raises SweepError or ModelError for invalid arguments, before anything is written.
    """
    model = model_of(model)
    measures = measure_names(measures, model)
    plan = make_design(model, vary, method, run)
    folder.begin(plan, {folder.sweep: make_sweep(model, plan, measures, run, rules=rules)})


def run_sensitivity(
    folder: SensitivityFolder, workers: Workers, progress: Progress | None = None
) -> Sensitivity:
    """Simulate the missing runs of a folder that was begun, and analyse all of them."""
    require("SALib", "sensitivity", SweepError)
    run_sweep(folder.sweep.plan(), folder.sweep.path, workers, progress)
    result = analyse(folder)
    write_table(result, folder)
    return result
