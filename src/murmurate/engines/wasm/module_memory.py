"""The memory of a module: its layout, its manifest, and access to it from Python.

Memory is laid out once, and never grows: the module's constants, the words of meshes, the stack,
the table of arguments, then the arrays. A page reads the layout from the manifest, engine 'wasm'
from MemoryLayout.

To run a module by its manifest (murmurate.engines.manifest_types): all memory is zero. Write the
table (words of numbers, addresses and sides of arrays) and the constants. Put boids into columns,
flock by flock, gridded flocks first: x y (z) u v (w) is a row of `state`, the boid's id is in `ids`
and `next_ids`, the index of its flock in `flock_index` and `next_flock_index`. A row of `flocks`
holds the first column and the number of columns that all-pairs kernels test (for gridded flocks 0
and the number of gridded boids), the flock's first id and its size. `gridded` is the number of
gridded boids, `n_boids` the number of boids, `parts` both. Put `key0`, `key1` (the seed's halves),
`step` and `dt`.

Before each call put `steps`, the number of steps, and, if numbers changed, `numbers_by_step`, with
its number of rows in the next word of the table; then call run_steps. Afterwards the columns of
boids are at the address in the word of `state`, and their ids at that in the word of `ids`: both
change from call to call. `lost` is the column of a lost boid, or -1. If `probe` is the id of a
boid, `vectors` then hold the output of each rule for it in the last step.

The caller evaluates schedules: `numbers_by_step`, `obstacles_by_step`, `next_obstacles_by_step` and
`errors_by_step` hold a row for each evaluation of the forces in these steps; the last row holds for
all later ones. Likewise `update_order` holds the order of updates in each step of a model of order
'shuffled'.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from murmurate.codegen.arguments import ARGUMENTS, OFFSETS, WORDS
from murmurate.codegen.candidates.search import PAD, Memory
from murmurate.codegen.layout import Layout
from murmurate.codegen.opened_rules import Opened
from murmurate.codegen.plan import Plan
from murmurate.engines import rng
from murmurate.engines.cpu.argument_table import put_constants
from murmurate.engines.cpu.model_arguments import (
    array_sizes,
    evaluation_times,
    model_constants,
    numbers_at_times,
    sources_of_numbers,
)
from murmurate.engines.individual_numbers import individual_rows
from murmurate.engines.manifest_types import Argument, Manifest
from murmurate.engines.wasm.module_file import PAGE

FORMAT = 4
STACK = 65536  # bytes
ALIGNMENT = 64  # bytes: arrays begin at multiples of it
FIXED_MEMORY = Memory(fixed=True)
LAST_SIDES = {each.name: each.shape[-1] for each in ARGUMENTS if each.shape}
ROWS = 32  # steps of one call, if numbers change from step to step


def align(address: int) -> int:
    """Return the first multiple of `ALIGNMENT` at or after an address."""
    return -(-address // ALIGNMENT) * ALIGNMENT


@dataclass(frozen=True)
class ArgumentLocation:
    """The word of an argument in the table, and the address of an array."""

    word: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    address: int = 0

    @property
    def size(self) -> int:
        """Bytes of an array."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def argument(self) -> Argument:
        """Its entry in the manifest."""
        entry: Argument = {"word": self.word, "dtype": self.dtype.name, "shape": list(self.shape)}
        if self.shape:
            entry["address"] = self.address
        return entry


class MemoryLayout:
    """The memory layout of one module, whose constants end at `data_end`."""

    def __init__(self, layout: Layout, dtype: str, data_end: int) -> None:
        self.layout, self.dtype = layout, np.dtype(dtype)
        self.meshes: dict[str, int] = {}
        for name, words in layout.plan.meshes.items():
            self.meshes[name] = data_end = align(data_end)
            data_end += words.nbytes
        self.stack_end = align(data_end) + STACK
        self.table = self.stack_end
        address = align(self.table + 8 * WORDS)
        self.locations: dict[str, ArgumentLocation] = {}
        for argument in ARGUMENTS:
            dtype_ = self.dtype if argument.dtype == "real" else np.dtype(argument.dtype)
            shape = tuple(int(s) if s.isdigit() else self.sides[s] for s in argument.shape)
            word = OFFSETS[argument.name]
            location = ArgumentLocation(word, dtype_, shape, address if shape else 0)
            self.locations[argument.name] = location
            address = align(address + (location.size if shape else 0))
        self.pages = -(-address // PAGE)
        self.opened: Opened | None = None

    @cached_property
    def sides(self) -> dict[str, int]:
        """The sides of arrays, by the words of their shapes."""
        plan, sides = self.layout.plan, array_sizes(self.layout, FIXED_MEMORY)
        return sides | {
            "rows": ROWS * sides["evaluations"],
            "order rows": ROWS if plan.model.order == "shuffled" else 0,
            "columns": sides["boids"] + PAD, "kernels": 0, "step parts": 0, "ranges": 1,
        }  # fmt: skip

    def constants(self, layout: Layout) -> dict[str, list[float]]:
        """Return the constants of this layout, or of another that differs in numbers."""
        return model_constants(layout, FIXED_MEMORY)

    def manifest(self) -> Manifest:
        """Return the manifest, which JSON can represent except for infinite numbers."""
        plan = self.layout.plan
        return {
            **sources_of_numbers(plan, self.meshes),
            "format": FORMAT,
            "table": self.table,
            "arguments": {name: a.argument for name, a in self.locations.items()},
            "constants": self.constants(self.layout),
            "gridded": list(self.layout.gridded),
            "max_boids": sum(plan.counts.values()),
            "rows": ROWS,
            "radii": self.layout.radii,
            "shuffled": plan.model.order == "shuffled",
            "opened": self.opened,
        }


class ModuleMemory:
    """The arguments in a module's memory, (bytes,) uint8, which is zero at first."""

    def __init__(self, layout: MemoryLayout, buffer: np.ndarray) -> None:
        self.layout, self.buffer = layout, buffer
        end = layout.table + 8 * WORDS
        self._words = buffer[layout.table : end].view(np.int64)
        for location in layout.locations.values():
            if location.shape:
                row = (location.address, *location.shape)
                self._words[location.word : location.word + len(row)] = row

    def array(self, name: str) -> np.ndarray:
        """Return a view of an array, at its current address."""
        location = self.layout.locations[name]
        address = int(self._words[location.word])
        view = self.buffer[address : address + location.size].view(location.dtype)
        return view.reshape(location.shape)

    def allocate(self, names: list[str], sides: Mapping[str, int]) -> list[np.ndarray]:
        """Return views of arrays, whose sides the layout has fixed, with the needed last side."""
        return [self.array(name)[..., : sides.get(LAST_SIDES[name])] for name in names]

    def number(self, name: str) -> int:
        """Return an integer of the table."""
        return int(self._words[self.layout.locations[name].word])

    def set(self, name: str, value: Any) -> None:
        """Write a number to the table."""
        location = self.layout.locations[name]
        self._words[location.word] = np.array(value, location.dtype).view(np.int64)

    def put_constants(self, layout: Layout, seed: int) -> None:
        """Write the constants of all steps."""
        put_constants(self, self.layout.constants(layout), self.layout.sides, seed)

    def put_individuals(self, plan: Plan, indices: Mapping[str, np.ndarray], seed: int) -> None:
        """Write the numbers that differ between boids, whose indices are given by flock."""
        rows = individual_rows(plan, seed, indices)
        self.array("individual_numbers")[: len(rows)] = rows

    def put_rows(self, plan: Plan, step: int, steps: int, seed: int) -> None:
        """Write the model's numbers in each of `steps` steps, and shuffled orders of updates."""
        self.set("dt", plan.model.dt)
        self.set("step", step)
        self.set("steps", steps)
        times = evaluation_times(plan, step, steps)
        for name, rows in numbers_at_times(plan, times, self.layout.meshes).items():
            self._put(name, rows)
        if plan.model.order == "shuffled":
            count = sum(plan.counts.values())
            self._put("update_order", rng.shuffled_orders(seed, step, count, steps))

    def _put(self, name: str, rows: np.ndarray) -> None:
        self.array(name)[tuple(map(slice, rows.shape))] = rows  # there is room for more boids
        self._words[self.layout.locations[name].word + 1] = len(rows)
