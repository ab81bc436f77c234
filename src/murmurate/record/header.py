"""The header of a recording, and the Zarr metadata that follow from it.

The header holds everything that does not change from frame to frame, as plain JSON. Metadata are a
function of the header, so that damaged ones can be rewritten.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from pydantic import BaseModel

from murmurate.errors import ModelError, OpenError
from murmurate.frame import DistributedFrame, Frame
from murmurate.measures.defaults import DEFAULTS, SMALL_FLOCK, DefaultMeasure
from murmurate.model.check import NAME
from murmurate.model.citations import citations
from murmurate.model.files import to_toml
from murmurate.model.model import Model
from murmurate.model.population import first_ids
from murmurate.model.quantity import is_scheduled, number_at
from murmurate.model.text_reader import TextError, read_json, read_toml
from murmurate.record.codec import MAX_MULTIPLE
from murmurate.record.schema import (
    BLOCK_BOIDS,
    CHANGING_NUMBERS,
    SCHEMA,
    VERSION,
    WITH_BLOCKS,
    WITH_INPUTS,
    WITHOUT_BLOCKS,
    boid_arrays,
    fixed_arrays,
    frame_arrays,
)
from murmurate.version import __version__

SHARD_BYTES = 32 << 20  # of array data in a shard
JOURNAL_METADATA = {"zarr_format": 3, "node_type": "group", "attributes": {}}
"""zarr.json of the journal's folder, so that tools see a group without arrays."""


COMMAND = ContextVar("command", default="")
"""The command line that makes recordings, which they store."""


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
    parent: Mapping[str, Any] | None = None,
    chunk_frames: int | None = None,
    shard_bytes: int = SHARD_BYTES,
    block_boids: int = BLOCK_BOIDS,
    inputs: bool = False,
) -> dict[str, Any]:
    """Return the header as plain JSON.

    first  the first frame; with a precision, a Frame
    seed, every  the seed, and the steps from one frame to the next
    dtype  the precision of the computation
    family  the family of the engine, whose members leave the same bits; "" if unknown
    precision  largest error of a position in length units; None (default): lossless
    velocity_precision  largest error of a velocity component in length per time; see velocity_bound
        by default
    parent  the recording that this one branches from
    chunk_frames  frames in a chunk; by default they follow from the size of the flock
    shard_bytes, block_boids  bytes of array data in a shard, and maximum number of boids in a chunk
        of exact numbers
    inputs  whether there is a log of inputs, see murmurate.record.input_log
    raises ModelError  for numbers out of range
    """
    _check_numbers(every, precision, velocity_precision)
    individual = _individual_settings(model, first)
    individual |= {"inputs": True} if inputs else {}
    counts = {name: flock.count for name, flock in model.flocks.items()}
    if "rows" in individual and isinstance(first, Frame):
        counts = {name: len(first[name]) for name in counts}
    boids = measured_boids(model)
    state_names = {name: model.memory_of(name) for name in counts}
    memory, steps_of = max(map(len, state_names.values()), default=0), {}
    if isinstance(first, Frame):  # boids may have more state than has names
        memory = max((flock.memory.shape[1] for flock in first.values()), default=0)
    if precision is not None:
        assert isinstance(first, Frame)
        if velocity_precision is None:
            velocity_precision = velocity_bound(model, first, precision)
        steps_of = {"position": 2 * precision, "velocity": 2 * velocity_precision}
        _check_range(first, steps_of)
    return {
        "schema": SCHEMA,
        "schema_version": WITH_INPUTS
        if inputs
        else _schema_version(counts, block_boids, "rows" in individual),
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
        "kept_names": {name: list(names) for name, names in state_names.items() if names},
        "precision": precision,
        "velocity_precision": velocity_precision,
        "steps_of": steps_of,
        "schedules": list(scheduled_numbers(model)),
        "measures": [measure.name for measure in recorded_measures(boids)],
        "measure_every": max(1, boids // SMALL_FLOCK),
        "chunk_frames": chunk_frames,
        "shard_bytes": shard_bytes,
        "block_boids": block_boids,
        "versions": versions(),
        "command": COMMAND.get(),
        "citations": citations(model.source),
        "parent": dict(parent or {}),
        **individual,
    }


def _check_numbers(every: int, precision: float | None, velocity_precision: float | None) -> None:
    """Raise ModelError for numbers out of range."""
    if every < 1:
        raise ModelError(f"every: got {every!r}; expected 1 step or more")
    for name, value in (("precision", precision), ("velocity precision", velocity_precision)):
        if value is not None and not (np.isfinite(value) and value > 0):
            raise ModelError(
                f"{name}: got {value!r}; expected the largest error, a number > 0. Leave it out to "
                "record without any error"
            )


def _individual_settings(model: Model, first: Frame | DistributedFrame) -> dict[str, Any]:
    """Return the rows and first ids of flocks whose numbers change, and the names of traits.

    Models without either have none, so that their headers are those of earlier versions.
    """
    traits = {name: list(model.traits_of(name)) for name in model.flocks}
    traits = {name: names for name, names in traits.items() if names}
    settings: dict[str, Any] = {"traits": traits} if traits else {}
    if model.changes_numbers:
        assert isinstance(first, Frame)
        settings["rows"] = model.max_counts
        n_ever = {name: flock.n_ever for name, flock in first.items()}
        settings["first_ids"] = first_ids(model, n_ever)
    return settings


def _schema_version(counts: Mapping[str, int], block_boids: int, changing: bool) -> int:
    if changing:
        return CHANGING_NUMBERS
    return WITH_BLOCKS if sum(counts.values()) > block_boids else WITHOUT_BLOCKS


def measured_boids(model: Model) -> int:
    """Return the most boids that one flock may have, by which measures are selected."""
    if not model.changes_numbers:
        return sum(flock.count for flock in model.flocks.values())
    return max(map(model.max_boids, model.flocks))


def _check_range(first: Frame, steps_of: dict[str, float]) -> None:
    """Raise ModelError if a precision cannot represent the numbers of the first frame."""
    for flock in first.values():
        for name, values in (("position", flock.positions), ("velocity", flock.velocities)):
            step = steps_of[name]
            largest = float(np.abs(values).max(initial=0.0))
            if not largest < MAX_MULTIPLE * step:
                raise ModelError(
                    f"precision: got {step / 2:g} for a {name} of {largest:g}; expected a coarser "
                    f"one: it holds numbers below {MAX_MULTIPLE * step:g}. Give none to record "
                    "without any error"
                )


def recorded_measures(boids: int) -> tuple[DefaultMeasure, ...]:
    """Return the measures that a recording of `boids` boids contains."""
    return tuple(measure for measure in DEFAULTS if boids <= SMALL_FLOCK or not measure.costly)


def velocity_bound(model: Model, first: Frame, precision: float) -> float:
    """Return the largest error of a velocity component that fits a precision of positions.

    It moves a boid by the precision in a step, and is at most a hundredth of the mean speed in the
    first frame.
    """
    speeds = np.concatenate(
        [np.linalg.norm(f.velocities, axis=1) for f in first.values()] or [np.zeros(0)]
    )
    mean = float(speeds.mean()) if len(speeds) else 0.0
    bound = precision / model.dt
    return min(bound, 0.01 * mean) if mean > 0 else bound


def scheduled_numbers(model: Model) -> dict[str, Any]:
    """Return dotted path -> schedule for all numbers of a model that change in time."""
    schedules: dict[str, Any] = {}

    def walk(value: Any, path: str) -> None:
        if is_scheduled(value):
            schedules[path] = value
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
    return schedules


def schedule_values(model: Model) -> Callable[[float], list[float]]:
    """Return a function from a time to the scheduled numbers, in order of scheduled_numbers()."""
    schedules = list(scheduled_numbers(model).values())
    return lambda time: [number_at(schedule, time) for schedule in schedules]


@cache
def versions() -> str:
    """Return this installation's versions: 'python 3.12.3, murmurate 0.2.0, numpy 2.4.6'."""
    names = [f"python {platform.python_version()}", f"murmurate {__version__}"]
    for library in ("numpy", "numba", "llvmlite", "zarr", "numcodecs"):
        try:
            names.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            continue
    return ", ".join(names)


# --- metadata


def attributes(header: dict[str, Any], frames: int, target: int) -> dict[str, Any]:
    """Return the root's attributes, which are flat so that NetCDF can hold them.

    `settings` is the whole header, without the model, as JSON.
    """
    settings = {key: value for key, value in header.items() if key != "model"}
    out = {
        "schema": SCHEMA,
        "schema_version": header["schema_version"],
        "title": header["title"],
        "model": header["model"],
        "seed": header["seed"],
        "engine": header["engine"],
        "dtype": header["dtype"],
        "dt": header["dt"],
        "every": header["every"],
        "steps": target,
        "frames": frames,
        "versions": describe_versions(header),
        "command": header["command"],
        "citations": header["citations"],
        "coordinates": "step flock id birth" if header.get("rows") else "step flock id_in_flock",
        "settings": json.dumps(settings, sort_keys=True),
    }
    if header["precision"] is not None:
        out["precision"] = header["precision"]
    if header["parent"]:
        out["parent"] = json.dumps(header["parent"], sort_keys=True)
    return out


def version_parts(header: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of a recording that were computed with different versions or engines.

    Each has the number of its first frame, the versions, and engine and family if they differ from
    those of the part before.
    """
    first = {"frame": 0, "versions": header["versions"]}
    return list(header.get("parts") or [first])


def present_parts(header: dict[str, Any], frames: int) -> dict[str, Any]:
    """Return a header with the parts that have a frame among the first `frames`."""
    parts = [part for part in version_parts(header) if part["frame"] < frames]
    return {**header, "parts": parts}


def last_engine(header: dict[str, Any]) -> tuple[str, str]:
    """Return engine and family of the last part of a recording; '' for an unknown family."""
    for part in reversed(header.get("parts") or ()):
        if part.get("engine"):
            return part["engine"], part["family"]
    return header["engine"], header.get("family", "")


def engine_text(engine: str, family: str) -> str:
    """Return an engine, with its device if the family names it: 'gpu on NVIDIA H100'."""
    return family if family.startswith(f"{engine} ") else engine


def part_texts(header: dict[str, Any]) -> list[tuple[int, str]]:
    """Return the first step of each part of a recording, and its differences."""
    texts, versions_before = [], ""
    for part in version_parts(header):
        step = header["first_step"] + part["frame"] * header["every"]
        words = []
        if part.get("engine"):
            words.append(f"engine {engine_text(part['engine'], part['family'])}")
        if part["versions"] != versions_before:
            words.append(part["versions"])
        texts.append((step, ", ".join(words)))
        versions_before = part["versions"]
    return texts


def describe_versions(header: dict[str, Any]) -> str:
    """Return the versions of all parts, in one line."""
    (_, first), *others = part_texts(header)
    return first + "".join(f"; from step {step} on: {text}" for step, text in others)


def root_metadata(header: dict[str, Any], frames: int, target: int) -> dict[str, Any]:
    """Return the root's zarr.json, with the metadata of all arrays.

    It is one file that is replaced atomically, so that readers see arrays of equal lengths.
    """
    arrays: dict[str, Any] = {array.name: array.metadata(frames) for array in boid_arrays(header)}
    arrays |= {array.name: array.metadata(frames) for array in frame_arrays(header)}
    arrays |= {name: array.metadata for name, array in fixed_arrays(header).items()}
    return {
        "zarr_format": 3,
        "node_type": "group",
        "attributes": attributes(header, frames, target),
        "consolidated_metadata": {
            "kind": "inline",
            "must_understand": False,
            "metadata": dict(sorted(arrays.items())),
        },
    }


def header_from_root(root: dict[str, Any], path: object) -> dict[str, Any]:
    """Return the header that a root's zarr.json contains, or raise OpenError."""
    try:
        attrs = root["attributes"]
        if attrs["schema"] != SCHEMA:
            raise KeyError("schema")
        check_version(attrs["schema_version"], path)
        return {**read_json(attrs["settings"]), "model": attrs["model"]}
    except (KeyError, TypeError, ValueError):
        raise OpenError(
            f"{path}: got a Zarr store; expected a murmurate recording. murmurate run MODEL -o "
            "NAME.zarr makes one"
        ) from None


def check_names(header: dict[str, Any], path: object) -> None:
    """Raise OpenError for an invalid name of a measure or flock; measures name folders."""
    for name in (*header["measures"], *header["counts"]):
        if not NAME.fullmatch(name):
            raise OpenError(
                f"{path}: got {name!r} in its header; expected the name of a measure or flock. "
                "murmurate did not write it: take it from a copy"
            )


def restore_flock_order(header: dict[str, Any]) -> dict[str, Any]:
    """Return a header with its flocks, which are stored sorted by name, in the order of the
    arrays."""
    try:
        flocks = list(read_toml(header["model"])["flocks"])
    except (KeyError, TextError):  # a model without flocks, or damaged
        return header
    counts = sorted(header["counts"].items(), key=lambda item: flocks.index(item[0]))
    return {**header, "counts": dict(counts)}


def check_version(schema_version: object, path: object) -> None:
    """Raise OpenError for a recording of a later schema."""
    if not isinstance(schema_version, int) or schema_version > VERSION:
        raise OpenError(
            f"{path}: got schema version {schema_version}; expected versions up to {VERSION}, "
            "which this murmurate reads: pip install --upgrade murmurate"
        )
