"""Recorded flocks whose exports are read back."""

from __future__ import annotations

from pathlib import Path

import murmurate as mm
from murmurate.runs import record_run
from structures import STRUCTURES


def torus_3d() -> mm.Model:
    return STRUCTURES["torus"][0](count=24)


def two_flocks() -> mm.Model:
    return STRUCTURES["two-flocks"][0](count=20, hunters=5)


def mixed_3d() -> mm.Model:
    """Record periodic, reflecting and open axes; boids leave the box along the last."""
    model = STRUCTURES["torus"][0](count=20)
    words = ("periodic", "reflecting", "open")
    return model.model_copy(update={"space": mm.Space(
        size=(7.0, 9.0, 8.0), origin=(-1.0, 0.0, 2.0), boundary=words)})  # fmt: skip


def fast_2d() -> mm.Model:
    """Record a boid that crosses the torus in four steps."""
    space = mm.Space(size=(6.0, 5.0), origin=(3.0, -2.0), boundary="periodic")
    return mm.Model(
        name="fast", space=space, dt=1.0,
        flocks={"boids": mm.Flock(count=12, motion=mm.ConstantSpeed(speed=1.5, turn_rate=90.0))},
        rules={"alignment": mm.Alignment(radius=1.0)},
    )  # fmt: skip


MODELS = {
    "torus_3d": (torus_3d, "float32", 1), "two_flocks": (two_flocks, "float64", 2),
    "mixed_3d": (mixed_3d, "float64", 1), "fast_2d": (fast_2d, "float32", 1),
}  # fmt: skip


def record(folder: Path) -> dict[str, mm.Recording]:
    """Return recordings by the names of MODELS."""
    result = {}
    for name, (make, dtype, every) in MODELS.items():
        simulation = mm.Simulation(make(), 3, dtype=dtype, engine="reference")  # type: ignore[arg-type]
        result[name] = record_run.record(simulation, folder / f"{name}.zarr", 24, every)
    return result
