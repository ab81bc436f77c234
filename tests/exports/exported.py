"""Small recordings of every kind, and the arrays that their files must contain."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.runs import record_run
from structures import STRUCTURES


def _hunted() -> mm.Model:
    """Two flocks in 2-D, one of them of large boids, with a name that needs quotes."""
    model = STRUCTURES["two-flocks"][0](count=14, hunters=3)
    big = model.flocks["hawks"].model_copy(update={"look": mm.Look(scale=3)})
    return model.model_copy(update={"flocks": {**model.flocks, "hawks": big}})


MODELS: dict[str, tuple[Any, dict[str, Any]]] = {
    "torus": (lambda: STRUCTURES["torus"][0](count=12), {}),  # 3-D, float32
    "hunted": (_hunted, {"dtype": "float64", "every": 2}),
    "landing": (lambda: STRUCTURES["landing"][0](count=10), {}),  # perching, moving obstacles
    "rounded": (lambda: STRUCTURES["torus"][0](count=9), {"precision": 0.01}),
}


def record(path: Path, name: str) -> mm.Recording:
    make, options = MODELS[name]
    options = dict(options)
    every, dtype = options.pop("every", 1), options.pop("dtype", "float32")
    simulation = mm.Simulation(make(), 5, dtype=dtype, engine="reference")
    sizes = {"shard_bytes": 4000, "chunk_frames": 3}
    return record_run.record(simulation, path, 60, every, **sizes, **options)


@dataclass(frozen=True)
class Expected:
    """Arrays of a recording that a file must contain, for boids of all flocks."""

    steps: np.ndarray
    times: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    flock: np.ndarray
    timers: np.ndarray | None

    @property
    def solid(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities in 3-D: z is 0 in 2-D."""
        missing = 3 - self.positions.shape[2]
        wide = ((0, 0), (0, 0), (0, missing))
        return np.pad(self.positions, wide), np.pad(self.velocities, wide)


def expected(rec: mm.Recording) -> Expected:
    block = rec.read()
    counts = rec.header["counts"]
    flock = np.repeat(list(counts), list(counts.values()))
    return Expected(
        block.steps, block.times, block.positions, block.velocities, flock, block.perch_timers
    )


def same(result: Any, reference: np.ndarray) -> None:
    """Assert equal bits and dtypes."""
    result = np.asarray(result)
    assert result.dtype == reference.dtype
    np.testing.assert_array_equal(result, reference)
