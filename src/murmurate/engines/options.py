"""Run options: the engine that simulates a model, its precision, its threads, and the seed."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

from murmurate.dtypes import DTYPES, Dtype
from murmurate.engines.base import EngineChoice, EngineOptions
from murmurate.engines.base import is_whole as is_whole
from murmurate.engines.registry import check_name, options_class
from murmurate.errors import ModelError

MAX_THREADS = 256  # on machines with up to 64 cores; 4 per core on larger ones


@dataclass(frozen=True, init=False)
class RunOptions:
    """How a model is simulated.

    Parameters
    ----------
    engine : str or EngineOptions, default 'cpu'
        The name of an engine: 'cpu', 'slabs', 'gpu', 'reference', 'wasm', or a registered one. Or
        the options of an engine, such as Slabs(workers=4).
    dtype : {'float32', 'float64'}, default 'float32'
        Precision. Some engines have only one: 'reference' always computes in float64.
    threads : int, optional
        Threads that share a step, at most 4 per core or 256; one per core by default.
    seed : int, default 0
        0 to 2^64 - 1. All random numbers follow from it.
    engine_options : EngineOptions, optional
        Options of the engine that is named; its defaults by default.

    Raises
    ------
    ModelError
        A value is not allowed.
    """

    engine: str
    dtype: Dtype
    threads: int | None
    seed: int
    engine_options: EngineOptions

    def __init__(
        self,
        engine: EngineChoice = "cpu",
        dtype: Dtype = "float32",
        threads: int | None = None,
        seed: int = 0,
        engine_options: EngineOptions | None = None,
    ) -> None:
        name, defaults = resolve_engine(engine)
        options = engine_options
        if options is None or type(options) is EngineOptions:  # the base class has no options
            options = defaults
        elif type(options) is not type(defaults) or isinstance(engine, EngineOptions):
            raise ModelError(
                f"engine_options: got {options!r}; expected options of engine {engine!r}. "
                "Leave it out"
            )
        _check_seed(seed)
        if threads is not None:
            _check_threads(threads)
        if not isinstance(dtype, str) or dtype not in DTYPES:
            raise ModelError(f"dtype: got {dtype!r}; expected {' or '.join(map(repr, DTYPES))}")
        values = {
            "engine": name, "dtype": dtype, "threads": None if threads is None else int(threads),
            "seed": int(seed), "engine_options": options,
        }  # fmt: skip
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @property
    def choice(self) -> EngineChoice:
        """The engine as an argument `engine` takes it."""
        options = self.engine_options
        return options if options.non_defaults() and options.engine == self.engine else self.engine

    @property
    def arguments(self) -> dict[str, Any]:
        """The same as arguments of Simulation, name -> value."""
        names = ("dtype", "threads", "seed")
        return {"engine": self.choice, **{name: getattr(self, name) for name in names}}


def options_with_seed(options: RunOptions | None, seed: int | None) -> RunOptions:
    """Return the run options of a public function that has the arguments `options` and `seed`.

    raises ModelError  the options are something else, or the seed is not allowed
    """
    options = RunOptions() if options is None else options
    if not isinstance(options, RunOptions):
        raise ModelError(
            f"options: got {options!r}; expected RunOptions, such as RunOptions(threads=2)"
        )
    return options if seed is None else replace(options, seed=seed)


def resolve_engine(engine: EngineChoice) -> tuple[str, EngineOptions]:
    """Return the name of an engine and its options.

    raises ModelError  no engine has the name
    """
    if isinstance(engine, EngineOptions):
        check_name(engine.engine)
        return engine.engine, engine
    return engine, options_class(engine)()


def _check_seed(seed: int) -> None:
    """Raise ModelError unless a seed is allowed."""
    if not is_whole(seed) or not 0 <= seed < 2**64:
        raise ModelError(f"seed: got {seed!r}; expected a whole number from 0 to 2^64 - 1")


def _check_threads(threads: int) -> None:
    """Raise ModelError unless a number of threads is allowed."""
    if not is_whole(threads) or not 1 <= threads <= max_threads():
        raise ModelError(
            f"threads: got {threads!r}; expected a whole number from 1 to {max_threads()}. Leave "
            f"it out for one per core, {cores()} here"
        )


def max_threads() -> int:
    """Return the largest number of threads or processes that an argument may state."""
    return max(4 * cores(), MAX_THREADS)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
