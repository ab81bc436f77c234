"""SweepPlan: the runs and measures of a sweep, stored in its folder as sweep.toml."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions, resolve_engine
from murmurate.engines.registry import options_of
from murmurate.errors import ModelError, SweepError
from murmurate.measures.defaults import NAMES
from murmurate.model.files import model_of, parse, to_toml
from murmurate.model.messages import format_first_error
from murmurate.model.model import Model
from murmurate.model.number import MAX_WHOLE
from murmurate.model.text_reader import TextError, read_toml
from murmurate.model.value import to_plain
from murmurate.sweeps.design import Method, parameter_sets, parse_measure
from murmurate.sweeps.task import Task, matches_run

VERSION = 1
Count = Annotated[int, Field(ge=1)]
ALL_RUNS = (1, 1)  # the shard of a sweep that is not divided
MAX_CHECKED = 1000  # parameter sets that are tried on the model before the first run
MAX_RUNS = 10_000_000  # each has a file
MAX_PROBLEMS = 10  # in an error message
MIN_COUNTS = {"seeds": 1, "steps": 1, "every": 1, "warm_up": 0, "seed": 0}


@dataclass(frozen=True)
class SweepPlan:
    """A sweep.

    Attributes
    ----------
    model, name : str
        The model as TOML, and its name.
    vary : dict
        Path -> values, or (first, last) of an interval for samples.
    method : {'grid', 'list', 'latin-hypercube', 'sobol'}
        See `parameter_sets`.
    samples : int
        Number of samples.
    seeds : int
        Runs of each parameter set.
    seed : int
        Base seed, from which the seeds of all runs follow.
    steps, warm_up, every : int
        Of a run: steps, steps before the first measurement, steps between measurements.
    measures : tuple of str
        Names, or NAME@FLOCK for another flock than the largest.
    engine, dtype : str
        Engine and precision.
    engine_options : dict
        Options that only this engine has: field -> value.
    rules : tuple of str
        Python files with rules that the model uses.
    record : bool
        True to record each run, a frame every `every` steps from the start.
    shard : (int, int)
        (part, parts): the folder contains every parts-th run from run part - 1.
    """

    model: str
    name: str
    vary: dict[str, tuple[Any, ...]]
    method: Method = "grid"
    samples: int = 0
    seeds: int = 1
    seed: int = 0
    steps: int = 1000
    warm_up: int = 0
    every: int = 10
    measures: tuple[str, ...] = NAMES
    engine: str = "cpu"
    engine_options: dict[str, Any] = field(default_factory=dict)
    dtype: Dtype = "float32"
    rules: tuple[str, ...] = ()
    record: bool = False
    shard: tuple[Count, Count] = ALL_RUNS

    def __len__(self) -> int:
        return len(self.indices())

    def indices(self) -> range:
        """Return the indices of the runs."""
        part, parts = self.shard
        return range(part - 1, len(self.parameter_sets) * self.seeds, parts)

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
                options = self.options(run_seed(self.seed, index))
                yield Task(
                    index, point, repeat, options, sets[point], self.model, self.name,
                    self.steps, self.warm_up, self.every, self.measures, self.rules,
                    record=str(recordings / f"{index:06}.zarr") if self.record else "",
                )  # fmt: skip

    def options(self, seed: int) -> RunOptions:
        """Return the options of a run with this seed. Raises ModelError for invalid ones."""
        own = options_of(self.engine, self.engine_options)
        return RunOptions(self.engine, self.dtype, 1, seed, own)

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

    def check_counts(self) -> None:
        """Raise SweepError for invalid counts, or too many runs."""
        check_counts(self, len(self.parameter_sets) * self.seeds)

    def check(self) -> None:
        """Raise SweepError or ModelError for an invalid sweep, with all invalid parameter sets."""
        self.check_counts()
        check_steps(self)
        if self.record and self.warm_up % self.every:
            raise SweepError(
                f"warm_up: got {self.warm_up}; expected a multiple of every, {self.every}, because "
                "runs are recorded"
            )
        options = self.options(self.seed)  # checks them
        model = parse(self.model, f"{self.name}.toml")
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

    def to_toml(self) -> str:
        """Return the plan as TOML."""
        import tomli_w

        table = {"version": VERSION, **to_plain(asdict(self))}
        table["vary"] = {path: list(values) for path, values in self.vary.items()}
        if self.shard == ALL_RUNS:
            del table["shard"]
        if not self.engine_options:
            del table["engine_options"]
        table["model"] = table.pop("model")  # long text and tables are last
        table["vary"] = table.pop("vary")
        return tomli_w.dumps(table, multiline_strings=True)

    @classmethod
    def from_toml(cls, text: str, path: str) -> SweepPlan:
        """Read a plan from TOML. Names of rules and measures are checked by `check`.

        Raises SweepError for another file, a newer version, or invalid counts.
        """
        try:
            table = read_toml(text)
        except TextError as error:
            raise SweepError(f"{path} is not a sweep: {error}") from None
        names = {field.name for field in fields(cls)}
        if table.get("version") != VERSION or not names >= set(table) - {"version"}:
            raise SweepError(
                f"{path}: got sweep version {table.get('version')!r}; expected {VERSION}. A newer "
                "murmurate may read it"
            )
        try:
            plan: SweepPlan = TypeAdapter(cls).validate_python(
                {key: value for key, value in table.items() if key in names}
            )
            plan.check_counts()
        except ValidationError as error:
            raise SweepError(f"{path} is not a sweep: {format_first_error(error)}") from None
        except SweepError as error:
            raise SweepError(f"{path} is not a sweep: {error}") from None
        return plan


def make_plan(
    model: Model | str | os.PathLike[str], vary: Mapping[str, Any], **settings: Any
) -> SweepPlan:
    """Return the checked plan of a sweep. Raises SweepError or ModelError.

    Parameters
    ----------
    model : Model, str or path-like
        A Model, the name of a published flock, or the path of a model file.
    vary : mapping
        Path -> any sequence of values.
    **settings
        Other fields of `SweepPlan`; `engine` may be a value of EngineOptions.
    """
    model = model_of(model)
    varied = {}
    for path, values in vary.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise SweepError(f"{path}: got {values!r}; expected a sequence of values")
        varied[path] = tuple(to_plain(_python_number(value)) for value in values)
    if "engine" in settings:
        settings |= engine_settings(settings["engine"])
    plan = SweepPlan(to_toml(model), model.name, varied, **settings)
    plan.check()
    return plan


def check_counts(plan: Any, runs: int, **minima: int) -> None:
    """Raise SweepError for a count of a sweep or a fit that is too small or too large.

    Parameters
    ----------
    plan : SweepPlan or FitPlan
        The counts.
    runs : int
        Number of runs.
    **minima : int
        Smallest values of counts that only this kind of plan has.
    """
    for name, minimum in {**MIN_COUNTS, **minima}.items():
        count = getattr(plan, name)
        if count < minimum:
            raise SweepError(f"{name}: got {count}; expected at least {minimum}")
        if count > MAX_WHOLE and name != "seed":  # RunOptions checks seeds
            raise SweepError(f"{name}: got {count}; expected at most {MAX_WHOLE:,}")
    if runs > MAX_RUNS:
        raise SweepError(
            f"runs: got {runs:,}; expected at most {MAX_RUNS:,}. Vary less, or use fewer seeds"
        )


def check_steps(plan: Any) -> None:
    """Raise SweepError if a run of a sweep or a fit has no step to measure."""
    if plan.warm_up + plan.every > plan.steps:
        raise SweepError(
            f"steps: got {plan.steps}; expected at least {plan.warm_up + plan.every}, the sum of "
            "warm_up and every. Otherwise nothing is measured"
        )


def engine_settings(engine: EngineChoice) -> dict[str, Any]:
    """Return the name of an engine, and its options that are not defaults, as plans store them.

    Raises ModelError for an unknown engine.
    """
    name, own = resolve_engine(engine)
    return {"engine": name, "engine_options": own.non_defaults()}


def _python_number(value: Any) -> Any:
    """Convert a NumPy number to a Python number."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def run_seed(seed: int, index: int) -> int:
    """Return the seed of run `index`: a hash of both (NumPy's SeedSequence), below 2^63."""
    import numpy as np

    return int(np.random.SeedSequence((seed, index)).generate_state(1, np.uint64)[0] >> 1)
