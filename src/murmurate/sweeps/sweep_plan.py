"""SweepPlan: the runs and measures of a sweep, stored in its folder as sweep.toml."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from murmurate.engines.memory import check_memory
from murmurate.engines.rng import run_seed
from murmurate.engines.run_spec import RunSpec, spec_of
from murmurate.errors import ModelError, SweepError
from murmurate.measures.defaults import NAMES
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.model.value import to_plain
from murmurate.sweeps.design import Method, parameter_sets, parse_measure
from murmurate.sweeps.study import Study, study_fields, values_by_path
from murmurate.sweeps.task import Task, matches_run

Count = Annotated[int, Field(ge=1)]
ALL_RUNS = (1, 1)  # the shard of a sweep that is not divided
MAX_CHECKED = 1000  # parameter sets that are tried on the model before the first run
MAX_PROBLEMS = 10  # in an error message


@dataclass(frozen=True)
class SweepPlan(Study):
    """A sweep.

    vary  path -> values, or (first, last) of an interval for samples
    method  see `parameter_sets`
    measures  names, or NAME@FLOCK for another flock than the largest
    record  true to record each run, a frame every `every` steps from the start
    shard  (part, parts): the folder contains every parts-th run from run part - 1
    """

    kind = "sweep"

    vary: dict[str, tuple[Any, ...]]
    method: Method = "grid"
    samples: int = 0
    measures: tuple[str, ...] = NAMES
    record: bool = False
    shard: tuple[Count, Count] = ALL_RUNS

    def __len__(self) -> int:
        return len(self.indices())

    def indices(self) -> range:
        """Return the indices of the runs."""
        part, parts = self.shard
        return range(part - 1, self.all_runs, parts)

    @property
    def all_runs(self) -> int:
        """Number of runs of the whole sweep."""
        return len(self.parameter_sets) * self.seeds

    @cached_property
    def parameter_sets(self) -> list[dict[str, Any]]:
        """Parameter sets, path -> value, in their order."""
        return parameter_sets(self.vary, self.method, self.samples, self.seed)

    def tasks(
        self, done: frozenset[int] | set[int] = frozenset(), recordings: Path = Path("recordings")
    ) -> Iterator[Task]:
        """Yield the runs whose indices are not in `done`, in their order.

        `recordings` is the folder for recordings.
        """
        sets = self.parameter_sets
        for index in self.indices():
            if index not in done:
                point, repeat = divmod(index, self.seeds)
                yield self.task(
                    index, point, repeat, sets[point], self.measures,
                    record=str(recordings / f"{index:06}.zarr") if self.record else "",
                )  # fmt: skip

    def contains(self, record: Mapping[str, Any]) -> bool:
        """Return True if a record, also of a failure, belongs to a run of this sweep."""
        index = record["index"]
        if index not in self.indices():
            return False
        point, repeat = divmod(index, self.seeds)
        return matches_run(
            record, self.measures, f"recordings/{index:06}.zarr" if self.record else None,
            index=index, point=point, repeat=repeat, seed=run_seed(self.seed, index),
            values=self.parameter_sets[point],
        )  # fmt: skip

    def check_stored(self) -> None:
        """Raise SweepError for invalid counts, or too many runs."""
        self.check_counts()

    def check(self) -> None:
        """Raise SweepError or ModelError for an invalid sweep, with all invalid parameter sets."""
        self.check_stored()
        self.check_steps()
        if self.record and self.warm_up % self.every:
            raise SweepError(
                f"warm_up: got {self.warm_up}; expected a multiple of every, {self.every}, because "
                "runs are recorded"
            )
        options = self.options(self.seed)  # checks them
        model = self.parsed_model
        for measure in self.measures:
            parse_measure(measure, model)
        problems: dict[str, None] = {}
        sets = self.parameter_sets
        for values in sets[:: 1 + len(sets) // MAX_CHECKED]:
            try:
                check_memory(model.set(values) if values else model, options)
            except ModelError as error:
                problems.update(dict.fromkeys(str(error).splitlines()))
        if problems:
            lines = list(problems)
            if len(lines) > MAX_PROBLEMS:
                lines[MAX_PROBLEMS:] = [f"and {len(problems) - MAX_PROBLEMS} more like these"]
            raise ModelError("\n".join(lines))


def make_plan(
    model: Model | str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]],
    run: RunSpec | None = None,
    **settings: Any,
) -> SweepPlan:
    """Return the checked plan of a sweep. Raises SweepError or ModelError.

    `settings` are other fields of `SweepPlan`. See `sweep`.
    """
    model, run = model_of(model), spec_of(run)
    if run.runs is not None:
        raise SweepError(
            f"runs: got {run.runs}; expected None. A sweep has as many as parameter sets and seeds"
        )
    varied = {
        path: tuple(to_plain(_python_number(value)) for value in values)
        for path, values in values_by_path(vary).items()
    }
    plan = SweepPlan(vary=varied, **study_fields(model, run), **settings)
    plan.check()
    return plan


def _python_number(value: Any) -> Any:
    """Convert a NumPy number to a Python number."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value
