"""Run options: the engine that simulates a model, its precision, its threads, and the seed.

A public function takes them as keyword arguments and makes one RunOptions of them, which checks
them all; from there on that one value is passed on.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from murmurate.dtypes import DTYPES, Dtype
from murmurate.engine.registry import check_name
from murmurate.errors import ModelError

SLABS = "slabs"
"""The engine that has workers."""
HERE = "here"
"""The address of workers that are in this process."""
MOST_WORKERS = 4096
MOST_THREADS = 256  # on a machine of few cores; 4 a core on one of many


@dataclass(frozen=True)
class RunOptions:
    """How a model is flown.

    engine   the name of an engine: 'cpu', 'slabs', 'reference', or one that was registered
    dtype    'float32' or 'float64'; an engine may have a precision of its own (reference: float64)
    threads  how many threads share a step, at most 4 a core or 256; None: one a core
    seed     a whole number from 0 to 2^64 - 1, from which all random numbers follow
    workers  into how many slabs engine 'slabs' cuts the flock, 1 to 4096; None: one a machine of
             its Ray cluster
    address  of that cluster; 'here': workers of this process, one after the other; None: the
             cluster that RAY_ADDRESS names, or Ray on this machine alone

    Raises ModelError for values that are not allowed.
    """

    engine: str = "cpu"
    dtype: Dtype = "float32"
    threads: int | None = None
    seed: int = 0
    workers: int | None = None
    address: str | None = None

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
        check_name(self.engine)
        self._check_workers()

    def _check_workers(self) -> None:
        for name in ("workers", "address"):
            value = getattr(self, name)
            if value is not None and self.engine != SLABS:
                raise ModelError(
                    f"{name} is {value!r}, and engine {self.engine!r} has no workers: leave it "
                    f"out, or ask for engine {SLABS!r}"
                )
        if self.workers is not None:
            if not is_whole(self.workers) or not 1 <= self.workers <= MOST_WORKERS:
                raise ModelError(
                    f"workers is {self.workers!r}: it must be at least 1 and at most "
                    f"{MOST_WORKERS}; leave it out for one a machine"
                )
            object.__setattr__(self, "workers", int(self.workers))
        if self.address is not None and not isinstance(self.address, str):
            raise ModelError(
                f"address is {self.address!r}: it must be a text, such as '10.0.0.1:6379', 'auto' "
                f"or {HERE!r}"
            )


def is_whole(value: object) -> bool:
    """Whether a value is a whole number of Python's or NumPy's; True and False are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def most_threads() -> int:
    """How many threads, or processes, may be asked for."""
    return max(4 * cores(), MOST_THREADS)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
