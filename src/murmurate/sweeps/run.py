"""sweep(): makes the runs of a plan that are not in its folder yet."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.options import most_threads
from murmurate.errors import SweepError
from murmurate.model.model import Model
from murmurate.sweeps.design import Method
from murmurate.sweeps.store import Folder
from murmurate.sweeps.sweep_plan import SweepPlan, plan_of
from murmurate.sweeps.workers import Outcome, Processes, Workers

# (runs done, runs in all, the latest outcome)
Progress = Callable[[int, int, Outcome], object]


def sweep(
    model: Model | str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]] | None = None,
    *,
    seeds: int | Sequence[int] = 1,
    steps: int = 1000,
    burn_in: int = 0,
    every: int = 10,
    measures: Sequence[str] = SweepPlan.measures,
    method: Method = "grid",
    samples: int = 0,
    seed: int = 0,
    engine: EngineChoice = "cpu",
    dtype: Dtype = "float32",
    record: bool = False,
    folder: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    on: Literal["processes", "ray"] = "processes",
    progress: Progress | None = None,
) -> Any:
    """Flies a model with many settings and seeds; returns a pandas DataFrame with a row a run.

    model      a Model, the name of a published flock, or the path of a model file
    vary       dotted path -> its values; see design.points for the methods
    seeds      how many runs of each setting (a range counts by its length). The seed of a run
               follows from (seed, index of the run), whoever flies it
    steps      steps of each run; measures are taken after every `every` of them from `burn_in` on
    measures   names of measures, of the largest flock; NAME@FLOCK for another
    record     whether to keep each run whole too, as folder/recordings/000042.zarr: a frame after
               every `every` steps from the start on; `burn_in` must be a multiple of that
    folder     where every finished run is kept at once; a sweep that was stopped is resumed there.
               Unless given, a temporary one that is removed at the end
    processes  how many work side by side; one a core unless given
    on         'ray': a Ray cluster, that of RAY_ADDRESS or one of this machine alone

    Columns: index, point, repeat, seed, the varied paths, and for each measure its mean over the
    run, NAME_error (standard error by autocorrelation time) and NAME_last; and `recording`, its
    path in the folder, where runs are recorded.

    Raises SweepError or ModelError before anything is flown. Runs that fail are left out of the
    table; with a folder they are in folder/failed.
    """
    plan = plan_of(
        model, vary or {}, method=method, samples=samples,
        seeds=seeds if isinstance(seeds, int) else len(seeds), seed=seed, steps=steps,
        burn_in=burn_in, every=every, measures=tuple(measures), engine=engine, dtype=dtype,
        record=record,
    )  # fmt: skip
    if record and folder is None:
        raise SweepError("recordings are kept in a sweep's folder: give one, folder='NAME'")
    from murmurate.sweeps.table import frame_of_runs

    workers = workers_of(on, processes)
    if folder is not None:
        store = fly(plan, folder, workers, progress)
        return frame_of_runs(plan, store.records())
    with tempfile.TemporaryDirectory(prefix="murmurate-sweep-") as temporary:
        store = fly(plan, Path(temporary) / "sweep", workers, progress)
        failures = store.failures()
        if failures:
            raise SweepError(f"{len(failures)} of {len(plan)} runs failed, the first with: "
                             f"{failures[0]['error']}")  # fmt: skip
        return frame_of_runs(plan, store.records())


def fly(
    plan: SweepPlan,
    folder: str | os.PathLike[str],
    workers: Workers,
    progress: Progress | None = None,
) -> Folder:
    """Flies what is missing in a folder; each run is kept when it is done, so that a sweep may be
    stopped or killed at any moment and resumed."""
    from murmurate.sweeps.table import write_tables

    store = Folder(folder)
    store.begin(plan)
    done = store.done()
    count, total = len(done), len(plan)
    recordings = store.path.resolve() / "recordings"
    if plan.record:
        from murmurate.record.writer import remove_drafts

        remove_drafts(recordings)
    for outcome in workers.outcomes(plan.tasks(done, recordings)):
        task = outcome.task
        if outcome.record is not None:
            store.keep(outcome.record)
        else:
            store.keep_failure(
                {
                    "index": task.index, "seed": task.seed, "values": task.values,
                    "error": outcome.error, "details": outcome.details, "model": task.model,
                }
            )  # fmt: skip
        count += 1
        if progress is not None:
            progress(count, total, outcome)
    write_tables(plan, store)
    return store


def workers_of(on: str, processes: int | None = None) -> Workers:
    """Raises SweepError for a place that is not known, or not installed."""
    if processes is not None and not 1 <= processes <= most_threads():
        raise SweepError(
            f"processes is {processes}: it must be at least 1 and at most {most_threads()}"
        )
    if on == "processes":
        return Processes(processes)
    if on == "ray":
        from murmurate.sweeps.ray_workers import RayWorkers

        return RayWorkers()
    raise SweepError(f"on is {on!r}: it must be 'processes' or 'ray'")
