"""The module with which boids join and leave in a page: population_functions.py, and its arguments.

Its memory is laid out once, for the largest numbers of boids. `population_manifest` says where
arrays are, what they hold throughout, and which numbers a page evaluates for each step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.engines.bounds import outermost_faces
from murmurate.engines.initial_memory import initial_memory
from murmurate.engines.manifest_types import Argument, EntryNumber, PopulationManifest
from murmurate.engines.state import past_depth
from murmurate.engines.wasm import population_functions as words
from murmurate.engines.wasm import random_functions, start_functions
from murmurate.engines.wasm.module_compiler import ModuleObject
from murmurate.engines.wasm.module_file import PAGE, link_module, read_object
from murmurate.engines.wasm.module_memory import STACK, align
from murmurate.engines.wasm.object_code import wasm_object
from murmurate.engines.wasm.start_module import start_numbers
from murmurate.engines.wasm.target import decorate_functions
from murmurate.model.model import Model
from murmurate.model.population import (
    Births,
    BoidSource,
    Capture,
    Exit,
    ExitBox,
    ExitFace,
    Failure,
    Removal,
    failed_flocks,
    flocks_left,
    joined_flock,
    named,
)
from murmurate.model.rng_streams import rng_stream_id
from murmurate.model.value import to_plain

EXPORTED = ("happens", "change")
KINDS = ("source", "births", "exit", "deaths", "lifetime", "removal", "capture", "failure")
FIELDS = {
    "rate": "RATE", "distance": "DISTANCE", "radius": "RADIUS", "handling_time": "HANDLING",
    "probability": "PROBABILITY", "duration": "DURATION", "below": "BELOW", "above": "ABOVE",
}  # fmt: skip
REGION_FIELDS = {"lower": "FIRST", "upper": "SECOND", "centre": "FIRST", "radius": "RADIUS"}


def population_module(model: Model, max_boids: int) -> tuple[bytes, PopulationManifest]:
    """Return the module of a model's population, and its manifest.

    max_boids  of all flocks together
    """
    compiled = read_object(population_object().load())
    table = align(compiled.data_end) + STACK
    manifest = population_manifest(model, max_boids, table)
    end = max(_end(argument) for argument in manifest["arrays"].values())
    code = link_module(compiled, -(-end // PAGE), table, list(EXPORTED))
    return code, manifest


def population_object() -> ModuleObject:
    """Return the object of the module, which is the same for all models."""
    modules = [words, random_functions, start_functions]
    return ModuleObject.of("population", "births and deaths", _compile, modules=modules)


def population_paths(model: Model) -> set[str]:
    """Return the paths of the numbers of a population, which a page may change."""
    return {number["path"] for number in _Rows(model).numbers} - {"dt"}


def _compile() -> bytes:
    modules = start_functions, random_functions, words
    decorated = decorate_functions({k: v for each in modules for k, v in vars(each).items()})
    return wasm_object({name: decorated[name] for name in EXPORTED})


def _end(argument: Argument) -> int:
    size = int(np.prod(argument["shape"])) * np.dtype(argument["dtype"]).itemsize
    return align(argument["address"] + size)


def population_manifest(model: Model, max_boids: int, table: int) -> PopulationManifest:
    """Return the places and contents of a population's arrays; see PopulationManifest."""
    rows = _Rows(model)
    dims = model.space.dims
    past = 2 * dims * past_depth(model)
    memory_rows = max(map(len, map(model.memory_of, model.flocks))) + past
    settings = np.zeros(words.N_SETTINGS, int)
    settings[words.PAST] = past
    constants = {
        "settings": settings, "entries": np.array(rows.entries),
        "roles": np.array(rows.roles), "starts": np.array(rows.starts), "space": _space(model),
        "flocks": np.array([[0, 0, model.max_boids(name), 0, 0] for name in model.flocks]),
        "groups": np.array(rows.groups).reshape(-1, 2),
        "points": np.array(rows.points).reshape(-1, 2 * dims),
        "initial": _initial(model, memory_rows),
    }  # fmt: skip
    width, size = 2 * dims + memory_rows, max(max_boids, len(model.flocks))
    shapes = {name: list(array.shape) for name, array in constants.items()} | {
        "numbers": [len(rows.entries), words.N_NUMBERS], "state": [width * size],
        "who": [2 * size], "timers": [size], "next_state": [width * size], "next_who": [2 * size],
        "next_timers": [size], "joins": [size, 2 * dims + 1], "leaves": [size], "marks": [size],
        "generator": [start_functions.N_GENERATOR],
    }  # fmt: skip
    arrays: dict[str, Argument] = {}
    address = align(table + 8 * words.TABLE_WORDS)
    for name, shape in shapes.items():
        word = getattr(words, name.upper())
        arrays[name] = {
            "word": word, "dtype": _dtype(name), "shape": shape, "address": address
        }  # fmt: skip
        address = _end(arrays[name])
    return {
        "table": table,
        "arrays": arrays,
        "constants": {name: array.ravel().tolist() for name, array in constants.items()},
        "numbers": rows.numbers,
        "limits": {name: model.max_boids(name) for name in model.flocks if model.grows(name)},
    }


def _dtype(name: str) -> str:
    if name in ("state", "next_state"):
        return "float32"
    if name in ("who", "next_who", "timers", "next_timers"):
        return "int32"
    if name in ("settings", "entries", "roles", "flocks", "leaves", "marks"):
        return "int64"
    return "uint64" if name == "generator" else "float64"


def _space(model: Model) -> np.ndarray:
    space = model.space
    faces = [outermost_faces(space, axis) for axis in range(space.dims)]
    closed = [boundary in ("reflecting", "held") for boundary in space.boundaries]
    sides = [s if p else 0.0 for s, p in zip(space.size, space.periodic, strict=True)]
    lowest, highest = zip(*faces, strict=True)
    return np.array([space.lower, space.upper, lowest, highest, sides, closed], float)


def _initial(model: Model, memory_rows: int) -> np.ndarray:
    """Return the per-boid state with which boids of each flock join."""
    rows = np.zeros((len(model.flocks), memory_rows))
    for row, name in zip(rows, model.flocks, strict=True):
        memory = initial_memory(model, 0, name, np.zeros(1, np.int64))
        row[: memory.shape[1]] = memory[0]
    return rows


class _Rows:
    """The rows of a population's entries in arrays."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.entries: list[list[int]] = []
        self.roles: list[list[int]] = []
        self.starts: list[list[float]] = []
        self.groups: list[tuple[float, int]] = []
        self.points: list[list[float]] = []
        self.numbers: list[EntryNumber] = []
        for name, entry in model.population.items():
            self._add(name, entry)

    def _add(self, name: str, entry: Any) -> None:
        row = [0] * words.N_ENTRY
        growing = joined_flock(entry, self.model.flocks)
        leaves = isinstance(entry, Failure) and not entry.stays
        row[words.KIND] = KINDS.index("deaths" if leaves else entry.kind)
        row[words.GROWING] = list(self.model.flocks).index(growing) if growing else -1
        numbers = [0.0] * start_functions.N_NUMBERS
        self._number("dt", self.model.dt, "DT")
        if isinstance(entry, BoidSource):
            numbers = self._source(row, name, entry, growing)
        for field, column in FIELDS.items():
            if getattr(entry, field, None) is not None:
                is_late = isinstance(entry, Removal)
                path = f"population.{name}.{field}"
                self._number(path, getattr(entry, field), column, end=is_late)
        if isinstance(entry, Exit):
            self._region(row, name, entry.region)
        if isinstance(entry, Removal):
            row[words.HAS_BELOW] = int(entry.below is not None)
            row[words.HAS_ABOVE] = int(entry.above is not None)
        self.entries.append(row)
        self.starts.append(numbers)
        self.roles += [self._role(name, entry, flock) for flock in self.model.flocks]

    def _number(
        self, path: str, value: Any, column: str, axis: int = 0, *, end: bool = False
    ) -> None:
        at = len(self.entries) * words.N_NUMBERS + getattr(words, column) + axis
        self.numbers.append({"path": path, "value": to_plain(value), "at": at, "end": end})

    def _source(self, row: list[int], name: str, entry: BoidSource, growing: str) -> list[float]:
        """Fill in what a source adds, and return the numbers of its start."""
        groups = list(zip(entry.times, entry.numbers or (1,) * len(entry.times), strict=True))
        row[words.FIRST_GROUP], row[words.N_GROUPS] = len(self.groups), len(groups)
        self.groups += groups
        flock = self.model.flocks[growing]
        start: Any = entry.start or flock.start
        laid: Any = start_numbers(
            growing, flock.model_copy(update={"start": start}), self.model.space, []
        )
        if "positions" in laid:
            dims = self.model.space.dims
            velocities = start.velocities or ((0.0,) * dims,) * len(start.positions)
            row[words.START_KIND] = words.GIVEN
            row[words.FIRST_POINT], row[words.N_POINTS] = len(self.points), len(velocities)
            self.points += [[*x, *v] for x, v in zip(start.positions, velocities, strict=True)]
            return [0.0] * start_functions.N_NUMBERS
        row[words.START_KIND] = int(laid["integers"][start_functions.KIND])
        row[words.LAW] = int(laid["integers"][start_functions.LAW])
        row[words.HAS_SPEED] = int(laid["integers"][start_functions.SPEEDS])
        numbers: list[float] = laid["numbers"]
        return numbers

    def _region(self, row: list[int], name: str, region: Any) -> None:
        if isinstance(region, ExitFace):
            row[words.AXIS] = "xyz".index(region.axis)
            is_lower = region.side == "lower"
            row[words.REGION] = words.LOWER_FACE if is_lower else words.UPPER_FACE
            return
        is_box = isinstance(region, ExitBox)
        row[words.REGION] = words.REGION_BOX if is_box else words.REGION_BALL
        for field, column in REGION_FIELDS.items():
            value = getattr(region, field, None)
            path = f"population.{name}.region.{field}"
            if isinstance(value, tuple):
                for axis, part in enumerate(value):
                    self._number(f"{path}.{axis}", part, column, axis, end=True)
            elif value is not None:
                self._number(path, value, column, end=True)

    def _role(self, name: str, entry: Any, flock: str) -> list[int]:
        """Return the row of a flock in an entry."""
        row = [0] * words.N_ROLE
        joins, memory = f"{flock}/population/{name}", self.model.memory_of(flock)
        row[words.MAY_LEAVE] = int(flock in flocks_left(entry, self.model.flocks))
        if isinstance(entry, Capture) and flock in named(entry.predators, ()):
            row[words.CAPTURES] = 1
            row[words.ROW] = memory.index(f"population.{name}.handling")
        if flock in failed_flocks(entry, self.model.flocks):
            row[words.MAY_LEAVE] = 1
            row[words.ROW] = memory.index(f"population.{name}.failed")
        if isinstance(entry, Removal) and row[words.MAY_LEAVE]:
            row[words.ROW] = memory.index(entry.state)
        stream = f"population/{name}"
        if not isinstance(entry, BoidSource | Births):
            stream += f"/{flock}"
        row[words.FLOCK_STREAM] = rng_stream_id(stream)
        row[words.BOID_STREAM] = rng_stream_id(joins)
        return row
