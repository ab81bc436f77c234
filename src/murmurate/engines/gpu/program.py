"""A program: all that a host needs to simulate a plan on a device, as plain data.

Engine 'gpu' is a host, and a live page is another one: viewer/src/webgpu. Both create the buffers,
write settings and numbers, and run the passes of each step in order. There are several ways to make
a step, which give the same bits: `paths`. A small flock needs fewer dispatches.

    amounts      sizes are sums over amounts that follow from the number of boids: `one`, `boids`,
                 `pairs` of boids, `cells` and `blocks` of the prefix sum
    buffers      boids0 and boids1, memory0 and memory1 alternate; `flips` says whether the state
                 after a step is in the other ones
    numbers      times of the evaluations of `max_steps` steps; sums over flocks, where rules sense
                 everyone by sums; rows of the model's numbers, one for each evaluation if they are
                 scheduled; words of meshes; numbers that differ between boids, and their indices if
                 boids join and leave. A row has the numbers, the obstacles, those a time step
                 later, and errors
    control      step, 64 bits; steps done since it was written; id of a lost boid; whether it ended
                 the run; the id of a probed boid; whether a step has begun; steps wanted; in pages
                 the vectors of the rules on the probed boid
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from murmurate.codegen.candidates.cell_functions import max_cells
from murmurate.codegen.plan import Plan
from murmurate.engines import rng
from murmurate.engines.bounds import MAX_DISTANCE_FACTOR
from murmurate.engines.cpu.model_arguments import EVALUATIONS, sources_of_numbers
from murmurate.engines.gpu.wgsl_modules import (
    BINDINGS,
    GROUP,
    STEPS_AT_ONCE,
    VECTORS,
    WIDE,
    Module,
    WgslModules,
    sort_begins_steps,
    steps_at_once,
)
from murmurate.engines.gpu.wgsl_sensing import senses_by_cells
from murmurate.engines.gpu.wgsl_views import arcs_size
from murmurate.engines.manifest_types import Dispatch, OpenFunction, PlainPath, PlainProgram
from murmurate.engines.state import past_depth
from murmurate.model.features import MAX_FLOCKS
from murmurate.model.rule_functions import Method

FORMAT = 1
BLOCK, RANGES = 4 * WIDE, 64  # as in grid.wgsl
MAX_SORTED_AT_ONCE = 4096
"""Boids that one workgroup sorts."""
MAX_STEPPED_AT_ONCE = 128
"""Boids for which one workgroup makes whole steps."""
MAX_GROUPS = 65_535  # workgroups on an axis of a dispatch
MAX_STEPS = 64  # between two reads of the control words
NOBODY = 0xFFFFFFFF
CONTROL_WORDS = 8
CELLS = ((8, 64), (2, 2_000_064))
"""The number of cells is the smallest of a * boids + b: see max_cells of the cell search."""
SETTINGS = np.dtype(
    [
        ("n_boids", "u4"), ("max_cells", "u4"), ("blocks", "u4"), ("slots", "u4"),
        ("key", "u4", 2), ("scheduled", "u4"), ("boids_per_cell", "f4"), ("lower", "f4", 4),
        ("upper", "f4", 4), ("centre", "f4", 4), ("periodic", "u4", 4), ("side", "f4", 4),
        ("inverse_side", "f4", 4), ("closed", "u4", 4),
        ("max_distance", "f4"), ("first_row", "u4"), ("first_individual", "u4"),
        ("n_obstacles", "u4"), ("flocks", "u4", (MAX_FLOCKS, 4)),
    ]
)  # fmt: skip
"""The uniform `settings`, see common.wgsl. A host writes n_boids, max_cells, blocks, key, scheduled
and, for each flock, its first id and its size; the program has the other values. Pages also write
n_obstacles: a row of numbers has room for all obstacles of the program, and kernels read these."""
Size = dict[str, int]
"""Amount -> how many for each."""


@dataclass(frozen=True)
class Pass:
    """A dispatch of a step.

    entry    name of the kernel
    module   name of its module
    reads    which of the alternating buffers it reads: 0 for those with the state before the step,
             or 1; it writes the other ones
    threads  number of threads
    group    threads of a workgroup
    """

    entry: str
    module: str
    reads: int
    threads: Size
    group: int = GROUP

    @property
    def dispatch(self) -> Dispatch:
        """Its entry in a plain program."""
        return {
            "entry": self.entry, "module": self.module, "reads": self.reads,
            "threads": self.threads, "group": self.group,
        }  # fmt: skip


@dataclass(frozen=True)
class Path:
    """One way to make steps.

    name       in benchmarks and tests
    max_boids  the largest number of boids for which it is used; None: any
    passes     those of a step, in order
    end        those after the last step of a run
    steps      largest number of steps that `passes` make; the host may write fewer into `control`
    """

    name: str
    max_boids: int | None
    passes: tuple[Pass, ...]
    end: tuple[Pass, ...] = ()
    steps: int = 1

    @property
    def flips(self) -> bool:
        """Whether the state after a step is in the other one of two alternating buffers: the last
        pass reads the next state."""
        return self.steps == 1 and (*self.passes, *self.end)[-1].reads == 1

    @property
    def plain(self) -> PlainPath:
        """Its entry in a plain program."""
        return {
            "max_boids": self.max_boids, "flips": self.flips,
            "passes": [each.dispatch for each in self.passes],
            "end": [each.dispatch for each in self.end],
        }  # fmt: skip


@dataclass(frozen=True)
class NumbersLayout:
    """Positions in the buffer `numbers`, whose parts are listed above.

    first_row  of the first row of the model's numbers
    rows       number of rows for which there is room
    slots      numbers of a row
    meshes     name -> position of its words
    end        of the words of meshes, where the numbers that differ between boids begin
    """

    first_row: int
    rows: int
    slots: int
    meshes: dict[str, int]
    end: int

    @classmethod
    def of(cls, plan: Plan, in_page: bool = False) -> NumbersLayout:
        """Return the layout of a plan. Pages have room for schedules in any model."""
        times = MAX_STEPS * len(EVALUATIONS[plan.model.integrator])
        rows = times if in_page or plan.scheduled else 1
        obstacles = 2 * 7 * len(plan.model.obstacles)
        slots = plan.count_numbers + obstacles + 2 * len(plan.sensor_flocks)
        first_row = times + (6 * len(plan.counts) if plan.has_totals else 0)
        meshes, end = {}, first_row + rows * slots
        for name, words in plan.meshes.items():
            meshes[name] = end
            end += len(words)
        return cls(first_row, rows, slots, meshes, end)


@dataclass(frozen=True)
class Program:
    """Needs of a plan on a device.

    modules    name -> text, and the buffers that it uses
    paths      ways to make steps, that of the smallest flocks first
    buffers    name -> number of words of 4 bytes
    settings   values of the uniform that do not depend on the number of boids
    parts      times in a step, as fractions of it, at which forces are evaluated
    rows       number of rows of numbers for which there is room
    meshes     name -> position of its words in `numbers`
    functions  rule -> method -> function of the module `stages` that a page replaces
    """

    modules: dict[str, Module]
    paths: tuple[Path, ...]
    buffers: dict[str, Size]
    settings: dict[str, list[float]]
    parts: tuple[float, ...]
    rows: int
    meshes: dict[str, int]
    functions: dict[str, dict[Method, OpenFunction]]

    @classmethod
    def of(cls, plan: Plan, in_page: bool = False, opened: Collection[str] = ()) -> Program:
        """Return the program of a plan.

        in_page  for a page: there is room for schedules even if the model has none, and the
                 vectors of the rules on one boid are written
        opened   names of the rules whose functions the page replaces

        raises RuleError  a rule uses what WGSL cannot express
        """
        parts = tuple(part for part, _, _ in EVALUATIONS[plan.model.integrator])
        numbers = NumbersLayout.of(plan, in_page)
        settings = _settings(plan) | {
            "slots": [numbers.slots], "first_row": [numbers.first_row],
            "first_individual": [numbers.end],
        }  # fmt: skip
        text = WgslModules(plan, in_page, opened)
        return cls(
            modules=text.modules(),
            paths=tuple(_paths(plan, in_page)),
            buffers=buffer_sizes(plan, in_page),
            settings=settings,
            parts=parts,
            rows=numbers.rows,
            meshes=numbers.meshes,
            functions=text.text.open_functions,
        )

    def path(self, boids: int) -> Path:
        """Return the path for a number of boids."""
        return next(p for p in self.paths if p.max_boids is None or boids <= p.max_boids)

    def bindings(self, module: str, reads: int, writes: int) -> dict[int, str]:
        """Return the buffers of a module by the numbers of their bindings."""
        names = {
            "boids": f"boids{reads}", "next_boids": f"boids{writes}",
            "memory": f"memory{reads}", "next_memory": f"memory{writes}",
        }  # fmt: skip
        access = self.modules[module].access
        return {0: "settings", **{BINDINGS[k][0]: names.get(k, k) for k in access}}

    def uniform(self, counts: Mapping[str, int], seed: int, scheduled: bool) -> np.ndarray:
        """Return the uniform `settings` for numbers of boids."""
        settings, amounts = np.zeros((), SETTINGS), amounts_of(sum(counts.values()))
        for name, values in self.settings.items():
            settings[name].reshape(-1)[: len(values)] = values
        settings["n_boids"], settings["max_cells"] = amounts["boids"], amounts["cells"]
        settings["blocks"], settings["scheduled"] = amounts["blocks"], scheduled
        settings["key"] = [int(key) for key in rng.split_seed(seed)]
        first = 0
        for k, size in enumerate(counts.values()):
            settings["flocks"][k, :2] = first, size
            first += size
        return settings

    def plain(self, plan: Plan) -> PlainProgram:
        """Return the program with the sources of its numbers as JSON represents them."""
        fields = SETTINGS.fields
        assert fields is not None
        return {
            "format": FORMAT,
            "modules": {
                name: {"text": m.text, "access": m.access} for name, m in self.modules.items()
            },
            "bindings": {name: number for name, (number, _) in BINDINGS.items()},
            "paths": [path.plain for path in self.paths],
            "buffers": self.buffers,
            "cells": CELLS,
            "block": BLOCK,
            "max_groups": MAX_GROUPS,
            "settings": self.settings,
            "uniform": {
                "size": SETTINGS.itemsize,
                "fields": {
                    name: {"offset": field[1], "dtype": field[0].base.name}
                    for name, field in fields.items()
                },
            },
            "max_steps": MAX_STEPS,
            "rows": self.rows,
            "vectors": VECTORS,
            **sources_of_numbers(plan, self.meshes),
        }


def amounts_of(boids: int) -> dict[str, int]:
    """Return the amounts of which sizes are sums."""
    cells = max_cells(boids)
    blocks = -(-cells // BLOCK)
    return {"one": 1, "boids": boids, "pairs": boids**2, "cells": cells, "blocks": blocks}


def size_of(size: Size, amounts: Mapping[str, int]) -> int:
    """Return a sum over amounts."""
    return sum(count * amounts[name] for name, count in size.items())


def largest_buffer(sizes: Mapping[str, Size], boids: int) -> tuple[int, str]:
    """Return the bytes, a multiple of 16, and the name of the largest buffer."""
    amounts = amounts_of(boids)
    words = {name: size_of(size, amounts) for name, size in sizes.items()}
    name = max(words, key=lambda name: words[name])
    return 16 * -(-words[name] // 4), name


def groups_of(threads: int, size: int = GROUP) -> tuple[int, int]:
    """Return workgroups on two axes for at least a number of threads."""
    groups = max(1, -(-threads // size))
    rows = -(-groups // MAX_GROUPS)
    return -(-groups // rows), rows


def _paths(plan: Plan, in_page: bool) -> Iterator[Path]:
    """Yield the paths of a plan. Pages have no passes that make several steps."""
    boids, single = {"boids": 1}, {"one": 1}
    if steps_at_once(plan) and not in_page:
        steps = Pass("run_steps", "steps", 0, single, 1)
        yield Path("steps at once", MAX_STEPPED_AT_ONCE, (steps,), steps=STEPS_AT_ONCE)
    if senses_by_cells(plan):
        yield _path("sorted at once", MAX_SORTED_AT_ONCE, plan, [("sort_{e}", single, 1)])
    bounds = ("measure_bounds", {"one": RANGES * WIDE}, WIDE)
    sort: list[tuple[str, Size, int]] = [
        *([bounds] if "open" in plan.model.space.boundaries else []), ("make_grid_{e}", single, 1),
        ("count", boids, GROUP), ("scan_blocks", {"blocks": 1}, 1),
        ("add_sums", {"blocks": 1, "one": 1}, 1), ("scatter", boids, GROUP), ("rank", boids, GROUP),
    ]  # fmt: skip
    yield _path("any number", None, plan, sort)


def _path(
    name: str, max_boids: int | None, plan: Plan, sort: Sequence[tuple[str, Size, int]]
) -> Path:
    """Return a path whose passes sort boids in this way."""
    *passes, end = _passes(plan, sort)
    if sort_begins_steps(plan):
        return Path(name, max_boids, tuple(passes), (end,))
    return Path(name, max_boids, (*passes, end))


def _passes(plan: Plan, sort: Sequence[tuple[str, Size, int]]) -> Iterator[Pass]:
    """Yield the passes of a step, the last of which ends it."""
    boids, single = {"boids": 1}, {"one": 1}
    evaluations = len(EVALUATIONS[plan.model.integrator])
    current = 0
    if plan.perceives or plan.integrates:
        yield Pass("save_by_id", "perceive", current, boids)
    if plan.sensor_flocks:
        yield Pass("perceive", "perceive", current, boids)
    if plan.herds:
        yield Pass("measure_herds", "perceive", current, {"one": len(plan.herds)}, 1)
    for e in range(evaluations):
        if e > 0:
            yield Pass(f"place_{e}", "integrate", 1, boids)
            current = 0
        if senses_by_cells(plan):
            for name, threads, group in sort:
                yield Pass(name.format(e=e), "grid", current, threads, group)
            current = 1 - current
        if plan.integrates:
            yield from _sums(plan, 0, current)
            yield Pass(f"evaluate_{e}", "stages", current, boids)
    for k in range(0 if plan.integrates else plan.stages):
        yield from _sums(plan, k, current)
        yield Pass(f"stage_{k}", "stages", current, boids)
        current = 1 - current
    if plan.integrates:
        yield Pass("settle", "integrate", 1, boids)
        current = 0
    if plan.model.obstacles:
        yield Pass("meet_obstacles", "obstacles", 1 - current, boids)
    yield Pass("end_step", "grid", current, single, 1)


def _sums(plan: Plan, stage: int, reads: int) -> Iterator[Pass]:
    """Yield the passes that sum over flocks, if rules of a stage need the sums."""
    flocks = [flock for flock in plan.flocks if flock.stage == stage]
    if any(sense.method == "totals" for flock in flocks for sense in flock.senses):
        yield Pass("sum_ranges", "totals", reads, {"one": RANGES * WIDE}, WIDE)
        yield Pass("sum_flocks", "totals", reads, {"one": len(plan.counts)}, 1)


def buffer_sizes(plan: Plan, in_page: bool = False) -> dict[str, Size]:
    """Return the number of words of each buffer but those of frames, which are smaller."""
    evaluations = len(EVALUATIONS[plan.model.integrator])
    by_id = plan.perceives or plan.integrates
    memory = {"boids": plan.memory_rows}
    parts = 1 + plan.has_totals * len(plan.counts)  # bounds, and sums over flocks, of each range
    own_numbers = len(plan.individual_rows) + 2 * plan.model.changes_numbers
    return {
        "boids0": {"boids": 8}, "boids1": {"boids": 8}, "memory0": memory, "memory1": memory,
        "cells": {"cells": 1, "one": 18},
        "work": {"cells": 1, "boids": 2, "blocks": 1, "one": 6 * RANGES * parts},
        "by_id": {"boids": 8 if by_id else 0},
        "perceived": {"boids": 8 * plan.message_rows},
        "slopes": {"boids": 8 * evaluations if plan.integrates else 0},
        "history": {"boids": 8 * past_depth(plan.model)}, "arcs": arcs_size(plan, in_page),
        "numbers": {"one": NumbersLayout.of(plan, in_page).end, "boids": own_numbers},
        "control": {"one": CONTROL_WORDS + 3 * len(plan.model.rules) * in_page},
    }  # fmt: skip


def _settings(plan: Plan) -> dict[str, list[float]]:
    """Return values of the uniform that follow from the model alone."""
    space = plan.model.space
    sides = [side * p for side, p in zip(space.size, space.periodic, strict=True)]
    nearest = max((rule.nearest for flock in plan.flocks for rule in flock.rules), default=0)
    return {
        "n_obstacles": [len(plan.model.obstacles)],
        "lower": [*space.lower], "upper": [*space.upper],
        "centre": [a + side / 2 for a, side in zip(space.lower, space.size, strict=True)],
        "periodic": [int(x) for x in space.periodic],
        "side": [*sides], "inverse_side": [1 / side if side else 0.0 for side in sides],
        "closed": [int(boundary != "open") for boundary in space.boundaries],
        "max_distance": [MAX_DISTANCE_FACTOR * max(space.size)],
        "boids_per_cell": [0.6 * nearest],
    }  # fmt: skip
