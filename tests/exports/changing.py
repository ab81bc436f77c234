"""Frames of a flock whose boids come and go, with the interface of a recording for exports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.frame import FlockFrame, Frame
from murmurate.model.files import to_toml
from murmurate.model.view import View

FIRST_ID = 1_000_000_000  # of the second flock


class FrameRecording:
    """A list of frames, one per step."""

    every, seed, dtype, precision = 1, 3, "float32", None

    def __init__(self, model: mm.Model, frames: Sequence[Frame], changes_numbers: bool = True):
        self.path, self.scene, self._frames = Path("frames.zarr"), model, frames
        self.changes_numbers = changes_numbers
        self.view: View = model.view

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, number: int) -> Frame:
        return self._frames[number]

    @property
    def steps(self) -> range:
        return range(len(self))

    @cached_property
    def header(self) -> dict[str, Any]:
        state = [flock.memory.shape[1] for flock in self._frames[0].values()]
        return {
            "counts": {name: flock.count for name, flock in self.scene.flocks.items()},
            "title": "boids", "name": "boids", "versions": "", "model": to_toml(self.scene),
            "seed": 3, "dims": self.scene.space.dims, "dt": self.scene.dt, "every": 1,
            "perching": False, "memory": max(state), "precision": None,
        }  # fmt: skip


def lives(seed: int, frames: int, boids: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and the last frame (N,) of boids, in the order of their births."""
    draw = np.random.default_rng(seed)
    first = np.sort(np.maximum(0, draw.integers(-4, frames, boids)))
    last = np.minimum(frames - 1, first + draw.integers(0, 7, boids))
    return first, last


def changing(
    dims: int = 3, frames: int = 14, boids: int = 40, boundary: str = "open", **view: Any
) -> tuple[FrameRecording, dict[str, tuple[np.ndarray, np.ndarray]]]:
    """Return a recording of two flocks, and the lives of their boids."""
    model = mm.Model(
        dt=0.5, space=mm.Space(size=(20.0,) * dims, boundary=boundary),
        flocks={"boids": mm.Flock(count=4), "hawks": mm.Flock(count=2, look=mm.Look(scale=2))},
        view=mm.View(frames_per_second=10),
    )  # fmt: skip
    model = model.model_copy(update={"view": mm.View(frames_per_second=10, **view)})
    when = {"boids": lives(1, frames, boids), "hawks": lives(2, frames, boids // 4)}
    offsets = {"boids": 0, "hawks": FIRST_ID}
    draw = np.random.default_rng(7)
    starts = {name: draw.uniform(5, 15, (len(first), dims)) for name, (first, _) in when.items()}
    drifts = {name: draw.normal(0, 1, (len(first), dims)) for name, (first, _) in when.items()}
    out = []
    for k in range(frames):
        flocks = {}
        for name, (first, last) in when.items():
            rows = np.flatnonzero((first <= k) & (k <= last))
            flocks[name] = FlockFrame(
                name, offsets[name] + rows,
                np.float32(model.space.wrap(starts[name] + k * model.dt * drifts[name])[rows]),
                np.float32(drifts[name][rows]), np.zeros(len(rows), np.int64), model.space,
                memory=np.float32(10.0 * rows[:, None] + k), state_names=("rules.go.energy",),
                traits={"rules.go.weight": rows / len(first)}, births=first[rows],
                n_ever=int((first <= k).sum()),
            )  # fmt: skip
        out.append(Frame(k, k * model.dt, model.space, flocks))
    return FrameRecording(model, out), when
