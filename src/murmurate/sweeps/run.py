"""sweep(): run the missing runs of a sweep, and store each in its folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from murmurate.engines.run_spec import RunSpec, spec_of
from murmurate.errors import SweepError
from murmurate.model.model import Model
from murmurate.sweeps.design import Method
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import SweepPlan, make_plan
from murmurate.sweeps.workers import Workers, make_workers

if TYPE_CHECKING:
    import pandas

Progress = Callable[[int, int], object]  # (runs done, all runs)


def sweep(
    model: Model | str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]] | None = None,
    run: RunSpec | None = None,
    *,
    measures: Sequence[str] = SweepPlan.measures,
    method: Method = "grid",
    samples: int = 0,
    record: bool = False,
    output: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> pandas.DataFrame:
    """Simulate a model with many parameter sets and seeds, and measure it.

    Parameters
    ----------
    model : Model, str or path-like
        A Model, the name of a published flock, or the path of a model file.
    vary : mapping, optional
        Dotted path -> its values, or (first, last) of an interval for samples.
    run : RunSpec, optional
        Steps, seeds and engine of the runs, and where they are simulated.
    measures : sequence of str
        Names of measures of the largest flock; NAME@FLOCK for another.
    method : {'grid', 'list', 'latin-hypercube', 'sobol'}, default 'grid'
        How values are combined: each with every other, the first of all paths and so on, or samples
        of the intervals.
    samples : int
        Number of samples.
    record : bool, default False
        True to record each run in OUTPUT/recordings, a frame every `every` steps from the start.
        `warm_up` must be a multiple of `every` then.
    output : str or path-like, optional
        Folder that stores each finished run. An interrupted sweep resumes from it. The default is a
        temporary folder, which is removed at the end.
    progress : callable, optional
        Called with (runs done, all runs).

    Returns
    -------
    pandas.DataFrame
        A row per finished run. Columns are index, point (index of the parameter set), repeat, seed,
        the varied paths, and for each measure its mean over the run, NAME_error (standard error by
        autocorrelation time) and NAME_last. Recorded runs have `recording`, a path in the folder.

    Raises
    ------
    SweepError, ModelError
        For invalid arguments, before anything is simulated; and for failed runs without `output`.
        With it, they are in OUTPUT/failed and left out of the table.
    """
    run = spec_of(run, workers="processes")
    plan = make_plan(
        model, vary or {}, run, method=method, samples=samples, measures=tuple(measures),
        record=record,
    )  # fmt: skip
    if record and output is None:
        raise SweepError("output: got none; expected a folder for the recordings")
    from murmurate.sweeps.table import run_rows
    from murmurate.tables import to_dataframe

    workers = make_workers(run.workers)
    with SweepFolder.opened(output) as folder:
        run_sweep(plan, folder.path, workers, progress)
        failures = folder.failures() if folder.temporary else []
        if failures:
            raise SweepError(
                f"{len(failures)} of {len(plan)} runs failed, the first with: "
                f"{failures[0]['error']}"
            )
        return to_dataframe(list(run_rows(plan, folder.records())), error=SweepError)


def run_sweep(
    plan: SweepPlan,
    output: str | os.PathLike[str],
    workers: Workers,
    progress: Progress | None = None,
) -> SweepFolder:
    """Run the missing runs of a plan, and return the folder.

    Each run is stored when it finishes, so that a sweep can be interrupted at any time and resumed.
    """
    from murmurate.sweeps.table import write_tables

    folder = SweepFolder(output)
    folder.begin(plan)
    done = folder.done()
    count, total = len(done), len(plan)
    recordings = folder.path.resolve() / "recordings"
    if plan.record:
        from murmurate.record.writer import remove_drafts

        remove_drafts(recordings)
    for result in workers.results(plan.tasks(done, recordings)):
        task = result.task
        if result.record is not None:
            folder.store(result.record)
        else:
            folder.store_failure(
                {
                    "index": task.index, "seed": task.seed, "values": task.values,
                    "error": result.error, "details": result.details, "model": task.model,
                }
            )  # fmt: skip
        count += 1
        if progress is not None:
            progress(count, total)
    write_tables(plan, folder)
    return folder
