"""SweepPlan: which runs a sweep has and what it measures, stored in its folder as sweep.toml."""

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
from murmurate.engines.options import RunOptions, named_engine
from murmurate.engines.registry import options_of
from murmurate.errors import ModelError, SweepError
from murmurate.measures.defaults import NAMES
from murmurate.model.files import model_of, parse, to_toml
from murmurate.model.messages import first_complaint
from murmurate.model.model import Model
from murmurate.model.text_reader import TextError, read_toml
from murmurate.model.value import plain
from murmurate.sweeps.counts import check_counts
from murmurate.sweeps.design import Method, points
from murmurate.sweeps.measure_names import parse_measure
from murmurate.sweeps.run_records import is_of
from murmurate.sweeps.single_run import Task

VERSION = 1
Count = Annotated[int, Field(ge=1)]
WHOLE = (1, 1)  # the shard of a sweep that is not cut
MOST_CHECKED = 1000  # points tried on the model before the first run


@dataclass(frozen=True)
class SweepPlan:
    """A sweep.

    model     the model as TOML
    name      its name
    vary      path -> values, or the two ends of an interval for samples
    method    grid, list, latin-hypercube or sobol; see design.points
    seeds     runs of each point
    seed      the sweep's own seed, from which those of runs follow
    burn_in   steps flown before anything is measured
    every     steps between measurements
    measures  names, or NAME@FLOCK for another flock than the largest
    engine_options  what only that engine has: field of its options -> value
    rules     Python files with rules that the model names
    record    whether each run is recorded whole, beside its figures: a frame after every `every`
              steps, from the start on
    shard     (part, parts): which of its runs are flown in this folder, every parts-th from run
              part - 1 on; all of them unless the sweep is cut into shards
    """

    model: str
    name: str
    vary: dict[str, tuple[Any, ...]]
    method: Method = "grid"
    samples: int = 0
    seeds: int = 1
    seed: int = 0
    steps: int = 1000
    burn_in: int = 0
    every: int = 10
    measures: tuple[str, ...] = NAMES
    engine: str = "cpu"
    engine_options: dict[str, Any] = field(default_factory=dict)
    dtype: Dtype = "float32"
    rules: tuple[str, ...] = ()
    record: bool = False
    shard: tuple[Count, Count] = WHOLE

    def __len__(self) -> int:
        return len(self.indices())

    def indices(self) -> range:
        """The numbers of its runs."""
        part, parts = self.shard
        return range(part - 1, len(self.points()) * self.seeds, parts)

    def points(self) -> list[dict[str, Any]]:
        """The settings, in their order."""
        return self._points

    @cached_property
    def _points(self) -> list[dict[str, Any]]:
        return points(self.vary, self.method, self.samples, self.seed)

    def tasks(
        self, done: frozenset[int] | set[int] = frozenset(), recordings: Path = Path("recordings")
    ) -> Iterator[Task]:
        """The runs that are still to do, in their order.

        recordings  the folder for recordings, where they are asked for
        """
        settings = self.points()
        for index in self.indices():
            if index not in done:
                point, repeat = divmod(index, self.seeds)
                options = self.options(run_seed(self.seed, index))
                yield Task(
                    index, point, repeat, options, settings[point], self.model, self.name,
                    self.steps, self.burn_in, self.every, self.measures, self.rules,
                    record=str(recordings / f"{index:06}.zarr") if self.record else "",
                )  # fmt: skip

    def options(self, seed: int) -> RunOptions:
        """How a run of this seed is simulated. Raises ModelError for options of no engine."""
        own = options_of(self.engine, self.engine_options)
        return RunOptions(self.engine, self.dtype, 1, seed, own)

    def gave(self, record: Mapping[str, Any]) -> bool:
        """Whether a record, also one of a failure, is that of a run of this sweep."""
        index = record["index"]
        if index not in self.indices():
            return False
        point, repeat = divmod(index, self.seeds)
        return is_of(
            record, self.measures, f"recordings/{index:06}.zarr" if self.record else None,
            index=index, point=point, repeat=repeat, seed=run_seed(self.seed, index),
            values=self.points()[point],
        )  # fmt: skip

    def check_counts(self) -> None:
        """Raises SweepError for counts that no sweep has, and for more runs than a sweep may
        have."""
        check_counts(self, len(self.points()) * self.seeds)

    def check(self) -> None:
        """Raises SweepError or ModelError for a sweep that cannot be flown, before any run is:
        every wrong point at once."""
        self.check_counts()
        if self.burn_in + self.every > self.steps:
            raise SweepError(
                f"burn_in {self.burn_in} and every {self.every} leave nothing to measure in "
                f"{self.steps} steps: fly more steps"
            )
        if self.record and self.burn_in % self.every:
            raise SweepError(
                f"burn_in {self.burn_in} is no multiple of every {self.every}: it must be where "
                "runs are recorded, so that what is measured is in the recording"
            )
        options = self.options(self.seed)  # which checks them
        model = parse(self.model, f"{self.name}.toml")
        for measure in self.measures:
            parse_measure(measure, model)
        problems: dict[str, None] = {}
        every = self.points()
        for values in every[:: 1 + len(every) // MOST_CHECKED]:
            try:
                check_memory(model.set(values) if values else model, options)
            except ModelError as error:
                problems.update(dict.fromkeys(str(error).splitlines()))
        if problems:
            shown = list(problems)[:10]
            more = [f"and {len(problems) - 10} more like these"] if len(problems) > 10 else []
            raise ModelError("\n".join(shown + more))

    def to_toml(self) -> str:
        import tomli_w

        table = {"version": VERSION, **plain(asdict(self))}
        table["vary"] = {path: list(values) for path, values in self.vary.items()}
        if self.shard == WHOLE:
            del table["shard"]
        if not self.engine_options:
            del table["engine_options"]
        table["model"] = table.pop("model")  # the long text goes last
        table["vary"] = table.pop("vary")
        return tomli_w.dumps(table, multiline_strings=True)

    @classmethod
    def from_toml(cls, text: str, path: str) -> SweepPlan:
        """Raises SweepError for what is no sweep, or that of a newer murmurate, or has counts
        that no sweep has. What names rules is checked where they are known: see check."""
        try:
            table = read_toml(text)
        except TextError as error:
            raise SweepError(f"{path} is not a sweep: {error}") from None
        known = {field.name for field in fields(cls)}
        if table.get("version") != VERSION or not known >= set(table) - {"version"}:
            raise SweepError(
                f"{path} is of sweep version {table.get('version')!r}: this murmurate reads "
                f"version {VERSION}"
            )
        try:
            plan: SweepPlan = TypeAdapter(cls).validate_python(
                {key: value for key, value in table.items() if key in known}
            )
            plan.check_counts()
        except ValidationError as error:
            raise SweepError(f"{path} is no sweep: {first_complaint(error)}") from None
        except SweepError as error:
            raise SweepError(f"{path} is no sweep: {error}") from None
        return plan


def plan_of(
    model: Model | str | os.PathLike[str], vary: Mapping[str, Any], **settings: Any
) -> SweepPlan:
    """The plan for a model; vary's values may be any sequence. Raises SweepError, ModelError."""
    model = model_of(model)
    varied = {}
    for path, values in vary.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise SweepError(f"{path}: values to vary over must be a sequence, not {values!r}")
        varied[path] = tuple(plain(_item(value)) for value in values)
    if "engine" in settings:
        settings |= engine_settings(settings["engine"])
    plan = SweepPlan(to_toml(model), model.name, varied, **settings)
    plan.check()
    return plan


def engine_settings(engine: EngineChoice) -> dict[str, Any]:
    """Return an engine as plans keep it: its name, and the options that are not its defaults.
    Raises ModelError for an engine that is not known."""
    name, own = named_engine(engine)
    return {"engine": name, "engine_options": own.given()}


def _item(value: Any) -> Any:
    """A NumPy number as the Python number it is."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def run_seed(seed: int, index: int) -> int:
    """The seed of run `index`: a hash of both (NumPy's SeedSequence), below 2^63."""
    import numpy as np

    return int(np.random.SeedSequence((seed, index)).generate_state(1, np.uint64)[0] >> 1)
