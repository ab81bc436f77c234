"""Where everything of a flight lies in a module's memory, and the manifest that says so.

Memory is laid out once, and never grows: the module's constants, its stack, the table of arguments,
then the arrays. Whoever flies a module in a page reads it in the manifest; this package's engine
reads the same layout:

    format       4; another number means another manifest
    table        address of the table of arguments, to be given to the exported function
                 run_steps(table: i64) -> i64, which returns the number of steps made
    arguments    name -> word, dtype, shape, address: a number stands in the word (64 bits) of that
                 number in the table, float64 by its bits; an array begins at `address`, and its
                 address and sides stand in the words from `word` on
    constants    name -> numbers: what these arguments hold throughout
    flocks       their names, in the order of `flock_index`
    gridded      those that are sorted into cells
    most         how many boids there is room for
    dims         of the model
    parts        at which parts of a step forces are evaluated: a row of numbers for each
    rows         for how many steps there is room for rows of numbers
    numbers      of each slot: kind (plain, or cone: see murmurate.codegen.plan.Slot), path in the
                 model, and value (a number or a schedule) where the model has none at that path
    radii        slots of the radii that cells serve
    rules        their names, in the order of rows of `vectors`
    obstacles    their names, in the order of `obstacles_by_step`
    errors       of each flock that senses others wrongly: its errors of places and velocities
    shuffled     whether `update_order` is needed
    kept         how many numbers boids keep from step to step, rows of `memory`

To run: all memory is zero. Write the table (words of numbers, addresses and sides of arrays) and
the constants. Put boids into columns, flock by flock, gridded flocks first: x y (z) u v (w) is a
row of `state`, the boid's id stands in `ids` and `next_ids`, the index of its flock in
`flock_index` and `next_flock_index`. A row of `flocks` holds the first column and the number of
columns to compare with where cells do not serve (for gridded flocks 0 and all gridded boids), the
flock's first id and its size. `gridded` is the number of boids in cells, `n_boids` the number of
boids, `parts` both. Put `key0`, `key1` (the seed's halves), `step` and `dt`. Before each call put
`steps`, the number of steps to make, and, if numbers changed, `numbers_by_step`, with its number of
rows in the word behind that of `numbers_by_step`; call run_steps. Boids then stand in columns at
the address in the word of `state`, and their ids at that in the word of `ids`: both change from
call to call. `lost` is the column of a boid out of bounds or not finite, or -1. If `probe` is the
id of a boid, `vectors` then hold what each rule gave it in the last step.

The caller evaluates schedules: `numbers_by_step`, `obstacles_by_step`, `next_obstacles_by_step` and
`errors_by_step` hold a row for each evaluation of the forces in these steps; the last row holds for
all later ones. Likewise `update_order` holds the order of updates in each step of a model of order
'shuffled'.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from murmurate.codegen.arguments import ARGUMENTS, OFFSETS, WORDS
from murmurate.codegen.candidates.search import PAD, Memory
from murmurate.codegen.layout import Layout
from murmurate.engines.cpu.model_arguments import EVALUATIONS, array_sizes, model_constants
from murmurate.engines.wasm.module_file import PAGE
from murmurate.model.value import to_plain

FORMAT = 4
STACK = 65536  # bytes
LINE = 64  # bytes: arrays begin at multiples of it
PAGES = Memory(fixed=True)
ROWS = 32  # of numbers, for so many steps of a model that is scheduled


@dataclass(frozen=True)
class Place:
    """Where an argument stands: its word in the table and, of an array, its first byte."""

    word: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    address: int = 0

    @property
    def size(self) -> int:
        """Bytes of an array."""
        return math.prod(self.shape) * self.dtype.itemsize


class MemoryLayout:
    """The memory of one flight.

    data_end  where the module's constants end
    """

    def __init__(self, layout: Layout, dtype: str, data_end: int) -> None:
        self.layout, self.dtype = layout, np.dtype(dtype)
        self.stack_end = _aligned(data_end) + STACK
        self.table = self.stack_end
        address = _aligned(self.table + 8 * WORDS)
        self.places: dict[str, Place] = {}
        for argument in ARGUMENTS:
            dtype_ = self.dtype if argument.dtype == "real" else np.dtype(argument.dtype)
            shape = tuple(int(s) if s.isdigit() else self.sides[s] for s in argument.shape)
            place = Place(OFFSETS[argument.name], dtype_, shape, address if shape else 0)
            self.places[argument.name] = place
            address = _aligned(address + (place.size if shape else 0))
        self.pages = -(-address // PAGE)

    @cached_property
    def sides(self) -> dict[str, int]:
        """The sides of arrays, by the words of their shapes."""
        plan, known = self.layout.plan, array_sizes(self.layout, PAGES)
        return known | {
            "rows": ROWS * known["evaluations"],
            "order rows": ROWS if plan.model.order == "shuffled" else 0,
            "columns": known["boids"] + PAD, "kernels": 0, "step parts": 0, "ranges": 1,
        }  # fmt: skip

    def constants(self, layout: Layout) -> dict[str, list[float]]:
        """What holds throughout a flight of this layout, or of another that differs in numbers."""
        return model_constants(layout, PAGES)

    def manifest(self) -> dict[str, Any]:
        """The manifest, of values that JSON knows, but for infinity: see above."""
        plan = self.layout.plan
        sensings = [plan.model.flocks[name].sensing for name in plan.sensor_flocks]
        return {
            "format": FORMAT,
            "table": self.table,
            "arguments": {
                name: {"word": p.word, "dtype": p.dtype.name, "shape": list(p.shape)}
                | ({"address": p.address} if p.shape else {})
                for name, p in self.places.items()
            },
            "constants": self.constants(self.layout),
            "flocks": list(plan.counts),
            "gridded": list(self.layout.gridded),
            "most": sum(plan.counts.values()),
            "dims": plan.model.space.dims,
            "parts": [part for part, _, _ in EVALUATIONS[plan.model.integrator]],
            "rows": ROWS,
            "numbers": [
                {"kind": slot.kind, "path": slot.path, "value": to_plain(slot.value)}
                for slot in plan.slots
            ],
            "radii": self.layout.radii,
            "rules": list(plan.model.rules),
            "obstacles": list(plan.model.obstacles),
            "errors": [
                [to_plain(s.position_error), to_plain(s.velocity_error)] for s in sensings if s
            ],
            "shuffled": plan.model.order == "shuffled",
            "kept": plan.memory_rows,
        }


def _aligned(address: int) -> int:
    return -(-address // LINE) * LINE
