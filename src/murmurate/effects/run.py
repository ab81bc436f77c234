"""sensitivity(): the settings of a design are simulated as a sweep, and analysed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from murmurate.effects.design import DesignMethod, SensitivityFolder, make_design, make_sweep
from murmurate.effects.report import Sensitivity, analyse, write_table
from murmurate.engines.options import RunOptions, options_of_runs
from murmurate.errors import SweepError
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.optional import require
from murmurate.sweeps.run import Progress, run_sweep
from murmurate.sweeps.workers import Workers, make_workers


def sensitivity(
    model: Model | str | os.PathLike[str],
    measures: str | Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    *,
    method: DesignMethod = "morris",
    runs: int | None = None,
    seeds: int = 2,
    seed: int | None = None,
    steps: int = 1000,
    warm_up: int = 200,
    every: int = 10,
    options: RunOptions | None = None,
    output: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    on: Literal["threads", "processes", "ray"] = "threads",
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
    method : {'morris', 'sobol'}, default 'morris'
        'morris' needs few runs: it ranks numbers by their effects, and finds those without.
        'sobol' divides the variance between runs among the numbers and the noise.
    runs : int, optional
        Largest number of runs. They are divided into trajectories of Morris, by default 16, each of
        D + 1 settings for D numbers; or Sobol samples, by default 64 and always a power of 2, each
        of D + 2 settings. Each setting has `seeds` runs.
    seeds : int, default 2
        Runs of each setting, at least 2. Their differences are the noise.
    seed : int, optional
        Base seed of the design and of all runs. The default is the seed of `options`, 0.
    steps, warm_up, every : int
        Of a run: steps, steps before the first measured frame, steps between frames. The defaults
        are 1000, 200, 10.
    options : RunOptions, optional
        Engine and precision. The cores are distributed over the runs, so `threads` must not be set.
    output : str or path-like, optional
        Folder that stores each finished run. An interrupted analysis resumes from it. The default
        is a temporary folder.
    processes : int, optional
        Number of processes that simulate, for `on='processes'`. The default is one per core.
    on : {'threads', 'processes', 'ray'}, default 'threads'
        Where runs are simulated, as for `fit`.
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
    options = options_of_runs(options, seed, SweepError)
    model = model_of(model)
    plan = make_design(model, vary, method, runs, seeds, options.seed)
    sweep = make_sweep(
        model, plan, measures=(measures,) if isinstance(measures, str) else tuple(measures),
        seeds=seeds, seed=options.seed, steps=steps, warm_up=warm_up, every=every,
        engine=options.choice, dtype=options.dtype,
    )  # fmt: skip
    workers = make_workers(on, processes)
    with SensitivityFolder.opened(output) as folder:
        folder.begin(plan, {folder.sweep: sweep})
        return run_sensitivity(folder, workers, progress)


def run_sensitivity(
    folder: SensitivityFolder, workers: Workers, progress: Progress | None = None
) -> Sensitivity:
    """Simulate the missing runs of a folder that was begun, and analyse all of them."""
    require("SALib", "sensitivity", SweepError)
    run_sweep(folder.sweep.plan(), folder.sweep.path, workers, progress)
    result = analyse(folder)
    write_table(result, folder)
    return result
