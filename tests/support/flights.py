"""What several tests need: flights on either engine, compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np

from interpreted import InterpretedKernels
from interpreted_wgsl import InterpretedProcess
from murmurate.codegen.candidates.search import Memory
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.engines.base import EngineBase
from murmurate.engines.cpu import thresholds as cpu_thresholds
from murmurate.engines.cpu.cpu_engine import MEMORY, CpuEngine
from murmurate.engines.cpu.model_kernels import ModelKernels
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.engines.gpu.device import Adapter, Device
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.reference.reference_engine import ReferenceEngine
from murmurate.engines.state import FlightState

Start = dict[str, tuple[np.ndarray, np.ndarray]]


def in_cells(fetched: int = 0) -> Any:
    """Engines that are made meanwhile sort even the smallest flock into cells; what turns need is
    fetched ahead where there are more boids than `fetched`."""
    thresholds = cpu_thresholds.CpuThresholds(flock=0, model=0, covered=1.0, fetched=fetched)
    return patch.object(cpu_thresholds, "THRESHOLDS", thresholds)


def whole() -> Any:
    """Engines that are made meanwhile sweep even large flocks whole."""
    many = 1_000_000
    thresholds = cpu_thresholds.CpuThresholds(many, many, many)
    return patch.object(cpu_thresholds, "THRESHOLDS", thresholds)


def text_of(model: Any, dtype: str = "float32") -> str:
    """Return the text of a model's kernels for processors."""
    plan = make_plan(model)
    return kernel_text(plan, dtype, cpu_thresholds.cpu_layout(plan))


def cpu(
    model: Any,
    start: Start | None = None,
    seed: int = 1,
    step: int = 0,
    make_loop: Callable[..., PhaseLoop] = PhaseLoop,
    memory: Memory = MEMORY,
    thresholds: CpuThresholds | None = None,
    make_kernels: Callable[..., Any] = ModelKernels,
    **options: Any,
) -> CpuEngine:
    options = {"dtype": "float64", "threads": 1, **options}
    state = replace(initial_state(model, seed, start), step=step)
    return CpuEngine(
        model, state, RunOptions(seed=seed, **options),
        make_loop=make_loop, memory=memory, thresholds=thresholds, make_kernels=make_kernels,
    )  # fmt: skip


def interpreted(model: Any, *args: Any, **options: Any) -> CpuEngine:
    """Return engine cpu whose kernels are not compiled: a step of few boids takes milliseconds."""
    return cpu(model, *args, make_kernels=InterpretedKernels, **options)


def interpreted_gpu(
    model: Any, seed: int = 3, state: FlightState | None = None, path: str = ""
) -> GpuEngine:
    """Return engine gpu whose programs Python executes: see interpreted_wgsl.py."""
    device = Device(Adapter("plain", "CPU", "Vulkan", 1 << 30, 8), InterpretedProcess())  # type: ignore[arg-type]
    options = RunOptions("gpu", "float32", seed=seed)
    return GpuEngine(model, state or initial_state(model, seed), options, device, path)


def reference(
    model: Any, start: Start | None = None, seed: int = 1, step: int = 0
) -> ReferenceEngine:
    state = replace(initial_state(model, seed, start), step=step)
    return ReferenceEngine(model, state, RunOptions("reference", seed=seed))


def arrays(engine: EngineBase) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Flock name -> (positions, velocities, perch timers), in id order."""
    flocks = engine.state().flocks.items()
    return {name: (flock.positions, flock.velocities, flock.timers) for name, flock in flocks}


def memory(engine: EngineBase) -> dict[str, np.ndarray]:
    """Flock name -> what its boids carry besides, in id order."""
    return {name: flock.memory for name, flock in engine.state().flocks.items()}


def assert_agree(one: Any, other: Any, scale: float = 1.0, tolerance: float = 1e-9) -> None:
    """Two engines have their boids at the same places, with the same velocities and timers."""
    first, second = arrays(one), arrays(other)
    assert list(first) == list(second)
    for name, (positions, velocities, timers) in first.items():
        its_positions, its_velocities, its_timers = second[name]
        assert np.isfinite(positions).all() and np.isfinite(velocities).all()
        space = one.model.space
        difference = positions - its_positions
        sides = np.array(space.size)
        difference -= np.where(space.periodic, sides * np.round(difference / sides), 0.0)
        assert np.abs(difference).max(initial=0) <= tolerance * scale, name
        assert np.abs(velocities - its_velocities).max(initial=0) <= tolerance * scale, name
        assert (timers == its_timers).all(), name
        carried, its = memory(one)[name], memory(other)[name]
        assert carried.shape == its.shape
        assert np.abs(carried - its).max(initial=0) <= tolerance * scale, name


def assert_same_bits(one: Any, other: Any) -> None:
    """Two engines have the same boids, bit for bit."""
    first, second = arrays(one), arrays(other)
    assert list(first) == list(second)
    for name, rows in first.items():
        for mine, its in zip(rows, second[name], strict=True):
            assert mine.dtype == its.dtype
            assert np.array_equal(mine, its), name
        carried, its = memory(one)[name], memory(other)[name]
        assert carried.dtype == its.dtype and np.array_equal(carried, its), name


def assert_same_numbers(one: Any, other: Any) -> None:
    """Two engines have the same boids by index, born at the same steps, and count the same."""
    first, second = one.state(), other.state()
    for name, flock in first.flocks.items():
        mate = second.flocks[name]
        assert flock.indices.tolist() == mate.indices.tolist(), name
        assert flock.births.tolist() == mate.births.tolist(), name
        assert flock.n_ever == mate.n_ever
    assert one.population_counts() == other.population_counts()
