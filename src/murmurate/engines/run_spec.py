"""RunSpec: how the runs of a study are simulated."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.errors import InputError, SweepError

Workers = Literal["threads", "processes", "ray"] | int


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """How the runs of a study are simulated: of a sweep, a fit and so on, or the run of `measure`.

    Parameters
    ----------
    steps : int, default 1000
        Steps of each run.
    warm_up : int, optional
        Steps before the first measured frame. The default is 200, 0 for a sweep, and
        a fifth of the steps for `measure`.
    every : int, default 10
        Steps between measured frames.
    runs : int, optional
        Number of runs, of all settings together. The default depends on the study. A sweep has as
        many as it has parameter sets and seeds.
    seeds : int, optional
        Runs of each setting, each with a seed of its own. The default is 1, and 2 for
        `sensitivity`.
    seed : int, default 0
        Base seed, from which the seeds of all runs follow.
    engine : str or EngineOptions, default 'cpu'
        The name of an engine, or its options, such as Gpu(); see `RunOptions`.
    dtype : {'float32', 'float64'}, default 'float32'
        Precision.
    workers : {'threads', 'processes', 'ray'} or int, optional
        Where runs are simulated, which share the cores. Threads start at once, which is faster for
        short runs. Processes, one per core or this number, are faster for runs of more than a
        second with measures that are slow. 'ray' is the Ray cluster at RAY_ADDRESS, or a local one.
        The default is 'threads', and 'processes' for a sweep.
    """

    steps: int = 1000
    warm_up: int | None = None
    every: int = 10
    runs: int | None = None
    seeds: int | None = None
    seed: int = 0
    engine: EngineChoice = "cpu"
    dtype: Dtype = "float32"
    workers: Workers | None = None

    def filled(self, **defaults: Any) -> RunSpec:
        """Return the same with these values in place of None."""
        empty = {name for name in defaults if getattr(self, name) is None}
        return replace(self, **{name: defaults[name] for name in empty})

    def values(self) -> dict[str, Any]:
        """Return the values of a plan, name -> value, without workers and None."""
        names = (field.name for field in fields(self) if field.name != "workers")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def spec_of(run: RunSpec | None, error: type[InputError] = SweepError, **defaults: Any) -> RunSpec:
    """Return the argument `run` of a public function, with these values in place of None.

    Raises `error` for another type.
    """
    if not isinstance(run, RunSpec | None):
        raise error(f"run: got {run!r}; expected a RunSpec, such as RunSpec(steps=2000, seeds=4)")
    return (run or RunSpec()).filled(**defaults)
