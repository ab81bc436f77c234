"""The header of a recording, made from a model and settings."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from pydantic import BaseModel

from murmurate.errors import ModelError
from murmurate.frame import DistributedFrame, Frame
from murmurate.measures.defaults import DEFAULTS, SMALL_FLOCK, DefaultMeasure
from murmurate.model.citations import citations
from murmurate.model.files import to_toml
from murmurate.model.model import Model
from murmurate.model.schedule import is_scheduled, number_at
from murmurate.record.codec import LARGEST
from murmurate.record.schema import BLOCK_BOIDS, SCHEMA, VERSION, WITHOUT_BLOCKS
from murmurate.version import __version__

SHARD_BYTES = 32 << 20  # of array data, a shard of an array


def make_header(
    model: Model,
    first: Frame | DistributedFrame,
    *,
    seed: int,
    every: int,
    dtype: str,
    engine: str = "cpu",
    family: str = "",
    precision: float | None = None,
    velocity_precision: float | None = None,
    command: str = "",
    parent: Mapping[str, Any] | None = None,
    chunk_frames: int | None = None,
    shard_bytes: int = SHARD_BYTES,
    block_boids: int = BLOCK_BOIDS,
) -> dict[str, Any]:
    """The header as plain JSON: everything that does not change from frame to frame.

    first               the frame that it begins with; with a precision it must be whole
    family              of the engine: those of one family leave the same bits; '' where unknown
    precision           largest error of a position, length units; None: lossless
    velocity_precision  largest error of a velocity component, length per time; see
                        velocity_bound unless given
    Raises ModelError for numbers that are not allowed.
    """
    if every < 1:
        raise ModelError(f"every is {every!r}: a frame can be recorded every 1 step or more")
    for name, value in (("precision", precision), ("velocity precision", velocity_precision)):
        if value is not None and not (np.isfinite(value) and value > 0):
            raise ModelError(
                f"{name} is {value!r}: it is the largest error allowed, and must be > 0; leave it "
                "out to record without any error"
            )
    counts = {name: flock.count for name, flock in model.flocks.items()}
    boids = sum(counts.values())
    kept = {name: model.memory_of(name) for name in counts}
    memory, steps_of = max(map(len, kept.values()), default=0), {}
    if isinstance(first, Frame):  # boids may carry more than what is kept by name
        memory = max((flock.memory.shape[1] for flock in first), default=0)
    if precision is not None:
        assert isinstance(first, Frame)
        if velocity_precision is None:
            velocity_precision = velocity_bound(model, first, precision)
        steps_of = {"position": 2 * precision, "velocity": 2 * velocity_precision}
        _check_held(first, steps_of)
    return {
        "schema": SCHEMA,
        "schema_version": VERSION if boids > block_boids else WITHOUT_BLOCKS,
        "name": model.name,
        "title": model.title or model.name,
        "model": to_toml(model),
        "fingerprint": model.fingerprint(),
        "seed": int(seed),
        "engine": engine,
        "family": family,
        "dtype": dtype,
        "dims": model.space.dims,
        "dt": model.dt,
        "every": int(every),
        "first_step": first.step,
        "counts": counts,
        "perching": any(flock.perching for flock in model.flocks.values()),
        "memory": memory,
        "kept_names": {name: list(names) for name, names in kept.items() if names},
        "precision": precision,
        "velocity_precision": velocity_precision,
        "steps_of": steps_of,
        "schedules": list(scheduled_numbers(model)),
        "measures": [one.name for one in recorded_measures(boids)],
        "measure_every": max(1, boids // SMALL_FLOCK),
        "chunk_frames": chunk_frames,
        "shard_bytes": shard_bytes,
        "block_boids": block_boids,
        "versions": versions(),
        "command": command,
        "citations": citations(model.source),
        "parent": dict(parent or {}),
    }


def _check_held(first: Frame, steps_of: dict[str, float]) -> None:
    """Raises ModelError where the first frame has numbers beyond what a precision can hold."""
    for flock in first:
        for name, values in (("position", flock.positions), ("velocity", flock.velocities)):
            step = steps_of[name]
            most = float(np.abs(values).max(initial=0.0))
            if not most < LARGEST * step:
                raise ModelError(
                    f"precision is too fine: with a {name} rounded to {step / 2:g}, numbers below "
                    f"{LARGEST * step:g} can be held, and there is {most:g}: give a coarser one, "
                    "or none to record without any error"
                )


def recorded_measures(boids: int) -> tuple[DefaultMeasure, ...]:
    """The measures that a recording of so many boids keeps."""
    return tuple(one for one in DEFAULTS if boids <= SMALL_FLOCK or not one.costly)


def velocity_bound(model: Model, first: Frame, precision: float) -> float:
    """The largest error of a velocity's components where only that of positions was asked for: what
    moves a boid by the precision in a step, and no more than a hundredth of the mean speed at the
    first frame."""
    speeds = np.concatenate([np.linalg.norm(f.velocities, axis=1) for f in first] or [np.zeros(0)])
    mean = float(speeds.mean()) if len(speeds) else 0.0
    bound = precision / model.dt
    return min(bound, 0.01 * mean) if mean > 0 else bound


def scheduled_numbers(model: Model) -> dict[str, Any]:
    """Dotted path -> schedule, of all numbers of a model that change in time."""
    found: dict[str, Any] = {}

    def walk(value: Any, path: str) -> None:
        if is_scheduled(value):
            found[path] = value
        elif isinstance(value, BaseModel):
            for name in type(value).model_fields:
                walk(getattr(value, name), f"{path}.{name}" if path else name)
        elif isinstance(value, Mapping):
            for name, item in value.items():
                walk(item, f"{path}.{name}")
        elif isinstance(value, tuple):
            for k, item in enumerate(value):
                walk(item, f"{path}.{k}")

    for part in ("flocks", "rules", "obstacles"):
        walk(getattr(model, part), part)
    return found


def schedule_values(model: Model) -> Any:
    """time -> the value of each scheduled number, in the order of scheduled_numbers()."""
    found = list(scheduled_numbers(model).values())
    return lambda time: [number_at(schedule, time) for schedule in found]


def versions() -> str:
    """The versions of this installation, such as 'python 3.12.3, murmurate 0.2.0, numpy 2.4.6'."""
    named = [f"python {platform.python_version()}", f"murmurate {__version__}"]
    for library in ("numpy", "numba", "llvmlite", "zarr", "numcodecs"):
        try:
            named.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            continue
    return ", ".join(named)
