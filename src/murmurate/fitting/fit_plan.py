"""FitPlan: what a fit varies, measures and tries; and FitFolder, where it is stored.

Every finished run is stored at once:

FOLDER/fit.toml          the plan, with the target
FOLDER/runs/000042.json  a finished run
FOLDER/fitted.toml       the model with the best numbers, written at the end
FOLDER/fit.json          the report, written at the end
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from murmurate.deprecation import declare
from murmurate.disk import read_text, remove_stale_drafts, write_file
from murmurate.dtypes import Dtype
from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions
from murmurate.engines.registry import options_of
from murmurate.errors import FitError
from murmurate.measures.estimate import Estimate
from murmurate.model.files import parse, to_toml
from murmurate.model.messages import format_first_error
from murmurate.model.model import Model
from murmurate.model.text_reader import TextError, read_toml
from murmurate.sweeps.design import parse_measure
from murmurate.sweeps.sweep_plan import (
    check_counts,
    check_steps,
    engine_settings,
    rename_warm_up,
    run_seed,
)
from murmurate.sweeps.task import Task, matches_run, read_failure, read_record

VERSION = 1
BURN_IN = declare("fit.toml", "burn_in", "warm_up")
FINALISTS = 8  # settings that are simulated again, with other seeds, after the search
PROBES = 4  # values of each number that are tried at the end, with the best values of all others
Target = dict[str, tuple[float, float]]  # measure -> (value, error)


@dataclass(frozen=True)
class FitPlan:
    """A fit.

    Attributes
    ----------
    model, name : str
        The model as TOML, and its name.
    vary : dict of str to (low, high)
        Path -> bounds. Both are int for a number that the model counts (see `make_plan`).
    target : dict of str to (float, float)
        Measure -> (value, standard error) that the fit should reproduce.
    check : dict of str to (float, float)
        The same, for measures that are only compared at the end.
    evaluations : int
        Approximate number of settings to try.
    seeds : int
        Runs of each setting. All settings have the same seeds.
    seed, steps, warm_up, every, engine, dtype, rules
        Of the runs: base seed, steps, steps before the first measured frame, steps between frames,
        engine, precision and rule files.
    freedom : dict of str to float
        Measure -> degrees of freedom of the error in target or check, if known.
    engine_options : dict
        Options that only the engine has: field -> value.
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
    warm_up: int = 200
    every: int = 10
    engine: str = "cpu"
    engine_options: dict[str, Any] = field(default_factory=dict)
    dtype: Dtype = "float32"
    rules: tuple[str, ...] = ()
    freedom: dict[str, float] = field(default_factory=dict)

    @property
    def population(self) -> int:
        """Settings in a generation: six per path, at most a sixth of all."""
        return max(5, min(6 * len(self.vary), self.evaluations // 6))

    @property
    def generations(self) -> int:
        """Generations after the first. Two thirds of all settings are in generations."""
        return max(0, round(2 / 3 * self.evaluations / self.population) - 1)

    @property
    def probing(self) -> int:
        """Settings that differ from the best one in one number: four per number.

        0 for fewer than 20 settings per number.
        """
        return PROBES * len(self.vary) if self.evaluations >= 5 * PROBES * len(self.vary) else 0

    @property
    def refining(self) -> int:
        """Settings left for refining the best one of the generations."""
        done = self.population * (self.generations + 1)
        return max(0, self.evaluations - done - self.probing)

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """Bounds of each number, as floats."""
        return [(float(low), float(high)) for low, high in self.vary.values()]

    def tasks(self, number: int, values: dict[str, Any]) -> list[Task]:
        """Return the runs of setting `number` in the search."""
        seeds = range(self.seeds)
        return self._tasks(number * self.seeds, number, values, seeds, tuple(self.target))

    def final_tasks(
        self, settings: int, stage: int, finalist: int, values: dict[str, Any]
    ) -> list[Task]:
        """Return runs of all measures, with seeds that no setting had in the search.

        Parameters
        ----------
        settings : int
            Number of settings that the search tried.
        stage : {0, 1}
            0 for the choice among finalists, 1 for the final comparison. Seeds differ.
        finalist : int
            Index of the finalist.
        values : dict
            Path -> value.
        """
        runs = max(2 * self.seeds, 4)
        index = settings * self.seeds + (stage * FINALISTS + finalist) * runs
        seeds = range(self.seeds + stage * runs, self.seeds + (stage + 1) * runs)
        measures = tuple({**self.target, **self.check})
        point = settings + stage * FINALISTS + finalist
        return self._tasks(index, point, values, seeds, measures)

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
                self.model, self.name, self.steps, self.warm_up, self.every, measures, self.rules,
            )
            for repeat, seed in enumerate(seeds)
        ]  # fmt: skip

    def check_all(self) -> None:
        """Raise FitError or ModelError for an invalid plan."""
        check_counts(self, self.evaluations * self.seeds, evaluations=5)
        options = self.options(self.seed)  # checks them
        check_steps(self)
        if not self.vary:
            raise FitError(
                "vary: got no path; expected at least one, such as "
                "--vary rules.alignment.weight=0:1"
            )
        if not self.target:
            raise FitError("measures: got none; expected at least one, such as polarization")
        model = parse(self.model, f"{self.name}.toml")
        for name, (value, _) in {**self.target, **self.check}.items():
            parse_measure(name, model)
            if not math.isfinite(value):
                raise FitError(f"{name}: got no value for the target; expected a finite number")
        for path, ends in self.vary.items():
            numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in ends)
            if len(ends) != 2 or not numbers or not ends[0] < ends[1]:
                raise FitError(
                    f"{path}: got bounds {ends!r}; expected LOW and HIGH with LOW < HIGH, such as "
                    f"{path}=0:5"
                )
            for end in ends:
                check_memory(model.set({path: end}), options)

    def to_toml(self) -> str:
        """Return the plan as TOML."""
        import tomli_w

        table = {"version": VERSION, **asdict(self)}
        for name in ("model", "vary", "target", "check", "freedom"):  # tables are last
            table[name] = table.pop(name)
        if not self.engine_options:
            del table["engine_options"]
        return tomli_w.dumps(table, multiline_strings=True)

    @classmethod
    def from_toml(cls, text: str, path: str) -> FitPlan:
        """Read a plan. Raises FitError for an invalid one, or one of a newer murmurate."""
        try:
            older: dict[str, Any] = {"engine": "cpu", "engine_options": {}, "freedom": {}}
            table = older | rename_warm_up(read_toml(text), BURN_IN)
        except TextError as error:
            raise FitError(f"{path} is not a fit: {error}") from None
        if table.pop("version", None) != VERSION or set(table) != {f.name for f in fields(cls)}:
            raise FitError(f"{path}: got another format; expected a fit of version {VERSION}")
        try:
            return TypeAdapter(cls).validate_python(table)
        except ValidationError as error:
            raise FitError(f"{path}: expected a fit; {format_first_error(error)}") from None


def make_plan(
    model: Model,
    target: Mapping[str, tuple[float, float] | Estimate],
    vary: Mapping[str, Sequence[Any]],
    check: Mapping[str, tuple[float, float] | Estimate],
    **settings: Any,
) -> FitPlan:
    """Return the checked plan of a fit. Raises FitError or ModelError.

    See `FitPlan` for the parameters.
    """
    if "engine" in settings:
        settings |= engine_settings(settings["engine"])
    plan = FitPlan(
        to_toml(model), model.name, {path: tuple(ends) for path, ends in vary.items()},  # type: ignore[misc]
        _pairs(target), _pairs(check), **settings,
        freedom={
            name: goal.freedom for name, goal in {**target, **check}.items()
            if isinstance(goal, Estimate) and math.isfinite(goal.freedom)
        },
    )  # fmt: skip
    plan.check_all()
    return replace(
        plan, vary={path: _typed_bounds(model, path, ends) for path, ends in vary.items()}
    )


def _pairs(target: Mapping[str, tuple[float, float] | Estimate]) -> Target:
    return {
        name: (goal.value, goal.error) if isinstance(goal, Estimate) else goal
        for name, goal in target.items()
    }


def _typed_bounds(model: Model, path: str, ends: Sequence[Any]) -> tuple[Any, Any]:
    """Return bounds of the type that the model stores: int for counts, float for quantities.

    How they were written does not matter: 0:5 of a weight means 0.0 to 5.0.
    """
    low, high = (_value_at(model.set({path: end}), path) for end in ends)
    integral = isinstance(low, int) and isinstance(high, int)
    return (int(low), int(high)) if integral else (float(low), float(high))


def _value_at(model: Model, path: str) -> Any:
    """Return the value at a dotted path of a model."""
    value: Any = model
    for key in path.split("."):
        if isinstance(value, Mapping):
            value = value[key]
        else:
            value = value[int(key)] if isinstance(value, tuple) else getattr(value, key)
    return value


class FitFolder:
    """The folder of a fit on disk."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def plan_path(self) -> Path:
        """Path of fit.toml."""
        return self.path / "fit.toml"

    def begin(self, plan: FitPlan) -> None:
        """Create the folder for a plan, or check that it contains the same plan.

        Raises FitError for a folder with other contents: nothing is overwritten.
        """
        if self.plan_path.is_file():
            if replace(self.plan(), freedom=plan.freedom) != plan:  # older fits have no freedom
                raise FitError(
                    f"{self.path}: got a folder that holds another fit; expected a new folder or "
                    f"the same fit. Resume the other fit by its name (murmurate fit {self.path})."
                )
            for folder in (self.path, self.path / "runs"):
                remove_stale_drafts(folder)
            return
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise FitError(
                f"{self.path}: got a path that already exists and holds no fit; expected a new name"
            )
        try:
            (self.path / "runs").mkdir(parents=True, exist_ok=True)
            write_file(self.plan_path, plan.to_toml())
        except OSError as error:
            raise FitError(f"{self.path} cannot be written: {error.strerror}") from None

    def plan(self) -> FitPlan:
        """Read the plan. Raises FitError if there is none."""
        try:
            text = read_text(self.plan_path, "replace")
        except OSError:
            raise FitError(f"{self.path}: holds no fit; expected {self.plan_path}") from None
        return FitPlan.from_toml(text, str(self.plan_path))

    def find_record(self, task: Task) -> dict[str, Any] | None:
        """Return the record of a run, or of its failure; None if it is missing or damaged."""
        path = self.path / "runs" / f"{task.index:06}.json"
        record = read_record(path) or read_failure(path)
        same = record is not None and matches_run(
            record, task.measures, task.recording, index=task.index, point=task.point,
            repeat=task.repeat, seed=task.seed, values=task.values,
        )  # fmt: skip
        return record if same else None

    def store(self, record: dict[str, Any]) -> None:
        """Write the record of a finished run."""
        write_file(
            self.path / "runs" / f"{record['index']:06}.json",
            json.dumps(record, indent=1),
            tidy=False,
        )
