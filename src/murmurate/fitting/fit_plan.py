"""FitPlan: what a fit varies, measures and tries, stored in its folder as fit.toml."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from murmurate.dtypes import Dtype
from murmurate.engine.memory import check_memory
from murmurate.engine.options import RunOptions
from murmurate.engine.registry import options_of
from murmurate.measures.estimate import Estimate
from murmurate.model.error_text import first_complaint
from murmurate.model.files import parse
from murmurate.model.model import Model
from murmurate.model.text_reader import TextError, read_toml
from murmurate.sweeps.counts import check_counts
from murmurate.sweeps.design import SweepError
from murmurate.sweeps.measure_names import parse_measure
from murmurate.sweeps.single_run import Task
from murmurate.sweeps.sweep_plan import engine_settings, run_seed

VERSION = 1
FINALISTS = 8  # settings that are flown again, with other seeds, when the search is done
PROBES = 4  # values of each number that are tried in the end, with the best of all others
Target = dict[str, tuple[float, float]]  # measure -> (value, error)


@dataclass(frozen=True)
class FitPlan:
    """A fit.

    model        the model as TOML, and its name
    vary         path -> (low, high); whole numbers where both are, which plan_of sees to
    target       measure -> (value, standard error) that is to be met
    check        the same, of measures that are compared in the end only
    freedom      measure -> degrees of freedom of the error in target or check, where it has any
    evaluations  settings to try, about
    seeds        runs of each setting; of another setting they have the same seeds
    engine_options  what only the engine has: field of its options -> value
    """

    model: str
    name: str
    vary: dict[str, tuple[Any, Any]]
    target: Target
    check: Target
    evaluations: int = 300
    seeds: int = 2
    seed: int = 0
    steps: int = 1000
    burn_in: int = 200
    every: int = 10
    engine: str = "cpu"
    engine_options: dict[str, Any] = field(default_factory=dict)
    dtype: Dtype = "float32"
    rules: tuple[str, ...] = ()
    freedom: dict[str, float] = field(default_factory=dict)

    @property
    def population(self) -> int:
        """Settings in a generation: six a path, at most a sixth of all."""
        return max(5, min(6 * len(self.vary), self.evaluations // 6))

    @property
    def generations(self) -> int:
        """After the first: about two thirds of all settings are in generations."""
        return max(0, round(2 / 3 * self.evaluations / self.population) - 1)

    @property
    def probing(self) -> int:
        """Settings that differ from the best in one number, four a number; none where there are
        fewer than 20 settings a number."""
        return PROBES * len(self.vary) if self.evaluations >= 5 * PROBES * len(self.vary) else 0

    @property
    def refining(self) -> int:
        """The settings that are left for refining the best of the generations."""
        done = self.population * (self.generations + 1)
        return max(0, self.evaluations - done - self.probing)

    @property
    def bounds(self) -> list[tuple[float, float]]:
        return [(float(low), float(high)) for low, high in self.vary.values()]

    def tasks(self, number: int, values: dict[str, Any]) -> list[Task]:
        """The runs of setting `number` in the search."""
        seeds = range(self.seeds)
        return self._tasks(number * self.seeds, number, values, seeds, tuple(self.target))

    def fresh(self, settings: int, turn: int, part: int, values: dict[str, Any]) -> list[Task]:
        """Runs of all measures, with seeds that no setting had in the search.

        settings  how many the search tried
        turn      0 for the choice among finalists, 1 for the table: other seeds
        part      which finalist
        """
        runs = max(2 * self.seeds, 4)
        index = settings * self.seeds + (turn * FINALISTS + part) * runs
        seeds = range(self.seeds + turn * runs, self.seeds + (turn + 1) * runs)
        measures = tuple({**self.target, **self.check})
        return self._tasks(index, settings + turn * FINALISTS + part, values, seeds, measures)

    def options(self, seed: int) -> RunOptions:
        """How a run of this seed is simulated. Raises ModelError for options of no engine."""
        own = options_of(self.engine, self.engine_options)
        return RunOptions(self.engine, self.dtype, 1, seed, own)

    def _tasks(
        self,
        index: int,
        point: int,
        values: dict[str, Any],
        seeds: range,
        measures: tuple[str, ...],
    ) -> list[Task]:
        return [
            Task(
                index + repeat, point, repeat,
                self.options(run_seed(self.seed, seed)), values,
                self.model, self.name, self.steps, self.burn_in, self.every, measures, self.rules,
            )
            for repeat, seed in enumerate(seeds)
        ]  # fmt: skip

    def check_all(self) -> None:
        """Raises SweepError or ModelError for a fit that cannot be made, before anything is
        flown."""
        check_counts(self, self.evaluations * self.seeds, evaluations=5)
        options = self.options(self.seed)  # which checks them
        if self.burn_in + self.every > self.steps:
            raise SweepError(f"from {self.burn_in} and every {self.every} leave nothing to measure "
                             f"in {self.steps} steps: fly more steps")  # fmt: skip
        if not self.vary:
            raise SweepError("nothing is varied: give a path, such as --vary "
                             "rules.alignment.weight=0:1")  # fmt: skip
        if not self.target:
            raise SweepError("no measure is to be met: give some, such as polarization")
        model = parse(self.model, f"{self.name}.toml")
        for name, (value, _) in {**self.target, **self.check}.items():
            parse_measure(name, model)
            if not math.isfinite(value):
                raise SweepError(f"{name} has no value in what is to be fitted")
        for path, ends in self.vary.items():
            numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in ends)
            if len(ends) != 2 or not numbers or not ends[0] < ends[1]:
                raise SweepError(f"{path}: it is varied from LOW to HIGH, such as {path}=0:5, "
                                 "LOW < HIGH")  # fmt: skip
            for end in ends:
                check_memory(model.set({path: end}), options)

    def to_toml(self) -> str:
        import tomli_w

        table = {"version": VERSION, **asdict(self)}
        for name in (
            "model",
            "vary",
            "target",
            "check",
            "freedom",
        ):  # tables go last
            table[name] = table.pop(name)
        if not self.engine_options:
            del table["engine_options"]
        return tomli_w.dumps(table, multiline_strings=True)

    @classmethod
    def from_toml(cls, text: str, path: str) -> FitPlan:
        """Raises SweepError for what is no fit, or that of a newer murmurate."""
        try:
            older: dict[str, Any] = {"engine": "cpu", "engine_options": {}, "freedom": {}}
            table = older | read_toml(text)
        except TextError as error:
            raise SweepError(f"{path} is not a fit: {error}") from None
        if table.pop("version", None) != VERSION or set(table) != {f.name for f in fields(cls)}:
            raise SweepError(f"{path} is no fit of version {VERSION}, which this murmurate reads")
        try:
            return TypeAdapter(cls).validate_python(table)
        except ValidationError as error:
            raise SweepError(f"{path} is no fit: {first_complaint(error)}") from None


def plan_of(
    model: Model,
    target: Mapping[str, tuple[float, float] | Estimate],
    vary: Mapping[str, Sequence[Any]],
    check: Mapping[str, tuple[float, float] | Estimate],
    **settings: Any,
) -> FitPlan:
    """The plan of a fit, checked. Raises SweepError, ModelError."""
    from murmurate.model.files import to_toml

    if "engine" in settings:
        settings |= engine_settings(settings["engine"])
    made = FitPlan(
        to_toml(model), model.name, {path: tuple(ends) for path, ends in vary.items()},  # type: ignore[misc]
        _pairs(target), _pairs(check), **settings,
        freedom={
            name: one.freedom for name, one in {**target, **check}.items()
            if isinstance(one, Estimate) and math.isfinite(one.freedom)
        },
    )  # fmt: skip
    made.check_all()
    return replace(made, vary={path: _as_held(model, path, ends) for path, ends in vary.items()})


def _pairs(target: Mapping[str, tuple[float, float] | Estimate]) -> Target:
    return {
        name: (one.value, one.error) if isinstance(one, Estimate) else one
        for name, one in target.items()
    }


def _as_held(model: Model, path: str, ends: Sequence[Any]) -> tuple[Any, Any]:
    """The bounds as the model holds them: whole where it counts, real where it measures. How they
    were written says nothing: 0:5 of a weight means 0.0 to 5.0."""
    low, high = (_at(model.set({path: end}), path) for end in ends)
    whole = isinstance(low, int) and isinstance(high, int)
    return (int(low), int(high)) if whole else (float(low), float(high))


def _at(model: Model, path: str) -> Any:
    """What stands at a dotted path of a model."""
    here: Any = model
    for key in path.split("."):
        if isinstance(here, Mapping):
            here = here[key]
        else:
            here = here[int(key)] if isinstance(here, tuple) else getattr(here, key)
    return here
