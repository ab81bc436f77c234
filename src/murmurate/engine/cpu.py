"""The fast engine: fused kernels, cells, threads.

The kernels let go of Python's lock, so threads are Python's own: no threading layer to die when two
simulations run at once, nothing global, and nothing that forbids forking.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np

from murmurate.codegen import plan as plans
from murmurate.codegen.kernel_cache import is_compiled, module_of
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.nearest_sums import nearest_groups
from murmurate.codegen.plan import HIDDEN, Plan
from murmurate.codegen.planner import make_plan
from murmurate.engine import rng, state
from murmurate.engine.perception import Looks, depth_of
from murmurate.engine.stepper import Steps
from murmurate.model.model import Model

PREPARING = threading.Lock()  # Python 3.11 cannot parse in two threads at once


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def prepared(model: Model, counts: Mapping[str, int], dtype: str) -> tuple[Plan, str]:
    """A model's plan and the text of its kernels; the last few are remembered, since sweeps fly the
    same model with many seeds."""
    with PREPARING:
        return _prepared(model, tuple(counts.items()), dtype, plans.WHOLE_MODEL, plans.WHOLE_FLOCK)


@lru_cache(maxsize=32)
def _prepared(
    model: Model, counts: tuple[tuple[str, int], ...], dtype: str, *_: int
) -> tuple[Plan, str]:
    plan = make_plan(model, dict(counts))
    return plan, kernel_text(plan, dtype)


class CpuEngine(Steps):
    """Owns the arrays of one flight.

    Raises RuleError for a rule that does not compile, RunError for boids that are lost.
    """

    def __init__(
        self,
        model: Model,
        arrays: Mapping[str, tuple[np.ndarray, np.ndarray]],
        seed: int,
        *,
        dtype: str = "float32",
        threads: int | None = None,
        timers: Mapping[str, np.ndarray] | None = None,
        memory: Mapping[str, np.ndarray] | None = None,
        step: int = 0,
    ) -> None:
        self.plan: Plan
        self._text: str
        self.step_number = step
        self.seed = seed
        self.dtype = np.dtype(dtype)
        self.threads = threads or cores()
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._take(model, arrays, timers or {}, memory or {})

    # --- what others ask of it

    def step(self, steps: int) -> None:
        """Flies so many steps."""
        if self._count == 0:
            self.step_number += steps
            return
        if self.plan.integrates:
            for _ in range(steps):
                self._integrate()
        elif self._shared or (self._looks and self.model.order == "synchronous"):
            for _ in range(steps):
                self._one_step()
        else:
            self._small_steps(steps)

    @property
    def compiled(self) -> bool:
        """Whether the kernels are in the cache: if not, the first step takes seconds."""
        return is_compiled(self._kernels)

    def change(self, model: Model) -> None:
        """Goes on with another model of the same flocks: new numbers cost nothing, a new structure
        a new kernel."""
        arrays = self.arrays()
        state = {name: (p, v) for name, (p, v, _) in arrays.items()}
        plan, text = prepared(model, self.plan.counts, self.dtype.name)
        if text == self._text and depth_of(plan) == depth_of(self.plan):
            self.plan, self.model = plan, model
            if self._looks:
                self._looks.plan = plan
        else:
            timers = {name: t for name, (_, _, t) in arrays.items()}
            self._take(model, state, timers, self.memory())

    def copy(self, threads: int | None = None) -> CpuEngine:
        """Another engine that goes on from the same moment."""
        arrays = self.arrays()
        return CpuEngine(
            self.model,
            {name: (p, v) for name, (p, v, _) in arrays.items()},
            self.seed,
            dtype=self.dtype.name,
            threads=threads or self.threads,
            timers={name: t for name, (_, _, t) in arrays.items()},
            memory=self.memory(),
            step=self.step_number,
        )

    def flies(self, model: Model) -> bool:
        """Whether another model of the same flocks needs no other kernels."""
        return prepared(model, self.plan.counts, self.dtype.name)[1] == self._text

    # --- set up

    def _take(
        self,
        model: Model,
        arrays: Mapping[str, tuple[np.ndarray, np.ndarray]],
        timers: Mapping[str, np.ndarray],
        memory: Mapping[str, np.ndarray],
    ) -> None:
        self.model = model
        counts = {name: len(positions) for name, (positions, _) in arrays.items()}
        self.plan, self._text = prepared(model, counts, self.dtype.name)
        self._kernels: Any = module_of(self._text)
        self._dims = model.space.dims
        self._count = sum(counts.values())
        self._gridded = sum(counts[name] for name in self.plan.gridded)
        synchronous = model.order == "synchronous"
        self._shared = bool(self.plan.gridded) or (
            synchronous and self.threads > 1 and self._count >= state.SHARED
        )
        self._lay_out(arrays, timers, memory)
        self._told = np.zeros((len(self.plan.told), *self._now.shape), self.dtype)
        self._herds: dict[int, np.ndarray] = {}
        self._looks = Looks(self.plan, self._by_id(), self.seed) if self.plan.watches else None
        if self._looks:
            self._looks.recall(self.step_number, memory, {n: self._columns(n) for n in counts})
        side = max(model.space.size)
        self._centre = np.array(model.space.lower) + np.array(model.space.size) / 2
        self._limit = state.AWAY * side
        self._lower = np.array(model.space.lower, self.dtype)
        self._upper = np.array(model.space.upper, self.dtype)
        self._key0, self._key1 = rng.keys(self.seed)
        self._totals = np.zeros((len(counts), 2 * self._dims))
        groups = max(len(nearest_groups(flock)) for flock in self.plan.flocks)
        self._guesses = np.full((groups, self._count if groups else 0), HIDDEN**2, self.dtype)
        self._near = [self._near_scratch() for _ in range(self.threads)]
        self._stages = [self._staging(4096) for _ in range(self.threads)]
        self._cell_side = 0.0
        senses = [s for f in self.plan.flocks for s in f.senses]
        self._needs_totals = any(s.how == "totals" for s in senses)
        # Whether sums are taken in the order of the cells, of all boids of a flock in cells
        self._order_counts = self._needs_totals or any(
            s.how == "whole" and s.flock in self.plan.gridded and not s.rule.nearest for s in senses
        )
