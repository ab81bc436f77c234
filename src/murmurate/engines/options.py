"""Run options: the engine that simulates a model, its precision, its threads, and the seed.

A public function takes them as keyword arguments and makes one RunOptions of them by `run_options`,
which checks them all; from there on that one value is passed on.
"""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import dataclass, field
from typing import Any

from murmurate.dtypes import DTYPES, Dtype
from murmurate.engines.base import EngineChoice, EngineOptions
from murmurate.engines.base import is_whole as is_whole
from murmurate.engines.registry import check_name, options_class, options_of
from murmurate.errors import ModelError

MOST_THREADS = 256  # on a machine of few cores; 4 a core on one of many


@dataclass(frozen=True)
class RunOptions:
    """How a model is simulated.

    engine   the name of an engine: 'cpu', 'slabs', 'reference', or one that was registered
    dtype    'float32' or 'float64'; an engine may have a precision of its own (reference: float64)
    threads  how many threads share a step, at most 4 a core or 256; None: one a core
    seed     a whole number from 0 to 2^64 - 1, from which all random numbers follow
    own      what only that engine has; its defaults unless given

    Raises ModelError for values that are not allowed.
    """

    engine: str = "cpu"
    dtype: Dtype = "float32"
    threads: int | None = None
    seed: int = 0
    own: EngineOptions = field(default_factory=EngineOptions)

    def __post_init__(self) -> None:
        if not is_whole(self.seed) or not 0 <= self.seed < 2**64:
            raise ModelError(
                f"seed is {self.seed!r}: it must be a whole number >= 0, and below 2^64"
            )
        object.__setattr__(self, "seed", int(self.seed))
        if self.threads is not None:
            most = most_threads()
            if not is_whole(self.threads) or not 1 <= self.threads <= most:
                raise ModelError(
                    f"threads is {self.threads!r}: it must be at least 1 and at most {most}; leave "
                    f"it out for one a core, here {cores()}"
                )
            object.__setattr__(self, "threads", int(self.threads))
        if not isinstance(self.dtype, str) or self.dtype not in DTYPES:
            allowed = " or ".join(map(repr, DTYPES))
            raise ModelError(f"dtype is {self.dtype!r}: it must be {allowed}")
        wanted = options_class(self.engine)
        if type(self.own) is EngineOptions:  # the default of any engine
            object.__setattr__(self, "own", wanted())
        elif type(self.own) is not wanted:
            raise ModelError(
                f"own: got {self.own!r}; expected options of engine {self.engine!r}. Leave it out"
            )

    @property
    def choice(self) -> EngineChoice:
        """The engine as an argument `engine` takes it."""
        own = self.own.given() and self.own.engine == self.engine
        return self.own if own else self.engine


def run_options(
    engine: EngineChoice = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    seed: int = 0,
    **deprecated: Any,
) -> RunOptions:
    """Return the run options that the arguments of a public function stand for.

    Parameters
    ----------
    engine
        The name of an engine, or a value of its options, such as Slabs(workers=4).
    dtype, threads, seed
        See RunOptions.
    deprecated
        Fields of the engine's options that used to be arguments of their own. None: not given.

    Raises
    ------
    ModelError
        A value is not allowed, or the engine has no such option.

    Warns
    -----
    DeprecationWarning
        An argument is given that is a field of the engine's options now.
    """
    name, own = named_engine(engine)
    if given := {key: value for key, value in deprecated.items() if value is not None}:
        if isinstance(engine, EngineOptions):
            both = ", ".join(f"{key}={value!r}" for key, value in given.items())
            raise ModelError(
                f"engine: got {engine!r} and {both} beside it; expected one of them. Give all "
                "options of the engine in the first"
            )
        own = options_of(name, given)
        it_is = "It is" if len(given) == 1 else "They are"
        warnings.warn(
            f"{', '.join(given)}: deprecated. Pass engine=murmurate.{own!r} instead. {it_is} "
            "removed in the next release",
            DeprecationWarning,
            stacklevel=_callers(),
        )
    return RunOptions(name, dtype, threads, seed, own)


def named_engine(engine: EngineChoice) -> tuple[str, EngineOptions]:
    """Return the name of an engine and its options. Raises ModelError where it is not known."""
    if isinstance(engine, EngineOptions):
        check_name(engine.engine)
        return engine.engine, engine
    return engine, options_class(engine)()


def _callers() -> int:
    """The `stacklevel` of whoever called murmurate."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "murmurate":
        frame, level = frame.f_back, level + 1
    return level


def most_threads() -> int:
    """How many threads, or processes, may be asked for."""
    return max(4 * cores(), MOST_THREADS)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
