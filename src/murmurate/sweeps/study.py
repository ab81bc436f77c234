"""Study: common parts of the plans of sweeps, fits and other studies, and their files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, asdict, dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, Self

from pydantic import TypeAdapter, ValidationError

from murmurate.dtypes import Dtype
from murmurate.engines.options import RunOptions, is_whole, resolve_engine
from murmurate.engines.registry import options_of
from murmurate.engines.rng import run_seed
from murmurate.engines.run_spec import RunSpec
from murmurate.errors import SweepError
from murmurate.model.files import parse, to_toml
from murmurate.model.messages import format_first_error
from murmurate.model.model import Model
from murmurate.model.number import MAX_WHOLE
from murmurate.model.text_reader import TextError, read_toml
from murmurate.model.value import to_plain
from murmurate.sweeps.task import Task

MAX_RUNS = 10_000_000  # each has a file
MIN_COUNTS = {"seeds": 1, "steps": 1, "every": 1, "warm_up": 0, "seed": 0}


def values_by_path(
    vary: object, error: type[SweepError] = SweepError
) -> dict[str, tuple[Any, ...]]:
    """Return the argument `vary` of a study. Raises `error` if it is not path -> sequence."""
    if not isinstance(vary, Mapping):
        raise error(f"vary: got {vary!r}; expected path -> values, such as {{'dt': (0.5, 1.0)}}")
    for path, values in vary.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise error(f"{path}: got {values!r}; expected a sequence of values")
    return {path: tuple(values) for path, values in vary.items()}


@dataclass(frozen=True)
class StoredPlan:
    """A plan that a TOML file stores. Its fields are the keys of the file.

    kind  the study, as messages name it
    version  version of the format
    error  the exception for an invalid plan
    """

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    error: ClassVar[type[SweepError]] = SweepError

    def check_stored(self) -> None:
        """Raise an error for a plan that a file cannot have."""

    def to_toml(self) -> str:
        """Return the plan as TOML, without fields that are None or empty by default."""
        import tomli_w

        table = {"version": self.version, **to_plain(asdict(self))}
        for item in fields(self):
            by_default = item.default is None or item.default_factory is dict
            if by_default and table[item.name] in (None, {}):
                del table[item.name]
        if "model" in table:
            table["model"] = table.pop("model")  # a long text is last, before tables
        return tomli_w.dumps(table, multiline_strings=True)

    @classmethod
    def from_toml(cls, text: str, path: str) -> Self:
        """Read a plan. Raises `error` for an invalid one, or one of another version."""
        try:
            table = read_toml(text)
        except TextError as error:
            raise cls.error(f"{path} is not a {cls.kind}: {error}") from None
        version, names = table.pop("version", None), {item.name for item in fields(cls)}
        if version != cls.version or not set(table) <= names:
            remedy = "A newer murmurate may read it"
            if isinstance(version, int) and version < cls.version:
                remedy = "An older murmurate began it. Begin it again in another folder"
            raise cls.error(
                f"{path} is not a {cls.kind} of version {cls.version}: it has version {version!r}. "
                f"{remedy}"
            )
        try:
            plan = TypeAdapter(cls).validate_python(table)
            plan.check_stored()
        except ValidationError as error:
            raise cls.error(f"{path} is not a {cls.kind}: {format_first_error(error)}") from None
        except SweepError as error:
            raise cls.error(f"{path} is not a {cls.kind}: {error}") from None
        return plan


@dataclass(frozen=True)
class Study(StoredPlan, ABC):
    """A plan whose runs simulate one model: the values of a `RunSpec`, as they are stored.

    model, name  the model as TOML, and its name
    seeds  runs of each setting
    seed  base seed, from which the seeds of all runs follow
    steps, warm_up, every  of a run: steps, steps before the first measured frame, steps between
        measured frames
    engine, dtype  engine and precision
    engine_options  options that only this engine has: field -> value
    rules  Python files with rules that the model uses
    """

    model: str
    name: str
    _: KW_ONLY
    seeds: int = 1
    seed: int = 0
    steps: int = 1000
    warm_up: int = 0
    every: int = 10
    engine: str = "cpu"
    engine_options: dict[str, Any] = field(default_factory=dict)
    dtype: Dtype = "float32"
    rules: tuple[str, ...] = ()

    @cached_property
    def parsed_model(self) -> Model:
        """The model."""
        return parse(self.model, f"{self.name}.toml")

    def options(self, seed: int) -> RunOptions:
        """Return the options of a run with this seed. Raises ModelError for invalid ones."""
        own = options_of(self.engine, self.engine_options)
        return RunOptions(self.engine, self.dtype, 1, seed, own)

    def task(
        self, index: int, point: int, repeat: int, values: dict[str, Any],
        measures: tuple[str, ...], **changes: Any,
    ) -> Task:  # fmt: skip
        """Return a run. `changes` are other fields of `Task`."""
        return Task(**{
            "index": index, "point": point, "repeat": repeat, "values": values,
            "options": self.options(run_seed(self.seed, index)), "model": self.model,
            "name": self.name, "steps": self.steps, "warm_up": self.warm_up, "every": self.every,
            "measures": measures, "rules": self.rules, **changes,
        })  # fmt: skip

    @property
    @abstractmethod
    def all_runs(self) -> int:
        """Number of runs."""

    def check_counts(self) -> None:
        """Raise `error` for a count that is too small or too large."""
        for name, minimum in MIN_COUNTS.items():
            count = getattr(self, name)
            if not is_whole(count):
                raise self.error(f"{name}: got {count!r}; expected a whole number")
            if count < minimum:
                raise self.error(f"{name}: got {count}; expected at least {minimum}")
            if count > MAX_WHOLE and name != "seed":  # RunOptions checks seeds
                raise self.error(f"{name}: got {count}; expected at most {MAX_WHOLE:,}")
        if self.all_runs > MAX_RUNS:
            raise self.error(
                f"runs: got {self.all_runs:,}; expected at most {MAX_RUNS:,}. Vary less, or use "
                "fewer seeds"
            )

    def check_steps(self) -> None:
        """Raise `error` if a run has no step to measure."""
        if self.warm_up + self.every > self.steps:
            raise self.error(
                f"steps: got {self.steps}; expected at least {self.warm_up + self.every}, the sum "
                "of warm_up and every. Otherwise nothing is measured"
            )


def study_fields(model: Model, run: RunSpec) -> dict[str, Any]:
    """Return the fields of a plan that state its runs; those that are None have its defaults.

    Raises ModelError for an unknown engine.
    """
    name, own = resolve_engine(run.engine)
    return {
        "model": to_toml(model), "name": model.name, **run.values(), "engine": name,
        "engine_options": own.non_defaults(),
    }  # fmt: skip
