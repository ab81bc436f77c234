"""Searches for candidates: what each declares, and that nothing outside knows the grid of cells."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from grid_knowledge import files_that_know, grid_words

import murmurate
from cases import cases
from murmurate.codegen import candidates
from murmurate.codegen.arguments import ARGUMENTS, BY_NAME, SCRATCH
from murmurate.codegen.candidates.search import Memory
from murmurate.codegen.candidates.searches import (
    SEARCHES,
    SWEEPS,
    constants_of_searches,
    sides_of_searches,
)
from murmurate.codegen.layout import Layout, lay_out
from murmurate.codegen.phases import PHASES
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.thresholds import CpuThresholds
from structures import STRUCTURES

PACKAGE = Path(murmurate.__file__).parent
TEMPLATES = Path(candidates.__file__).parent / "templates"

MAY_KNOW = {
    "codegen/arguments.py": "the order of the table",
    "codegen/module_text.py": "which functions kernels share",
    "codegen/layout.py": "which flocks are in cells",
    "codegen/phases.py": "the list of all phases",
    "codegen/planner.py": "Voronoi cells, and which senses need none",
    "codegen/templates/__init__.py": "indices in `grid`, by their names",
    "codegen/templates/calls_by_address.py.j2": "how kernels of stages are called",
    "codegen/templates/calls_by_name.py.j2": "how kernels of stages are called",
    "codegen/templates/sequential.py.j2": "sequential update, in cells or not",
    "codegen/templates/many_steps.py.j2": "a few lines for each phase",
    "codegen/templates/perceive.py.j2": "positions as perceived are those of the nearest image",
    "engines/base.py": "diagnostics name cells",
    "engines/cpu/cpu_engine.py": "diagnostics name cells",
    "engines/cpu/state_arrays.py": "flocks in cells share columns, from which boids leave",
    "engines/cpu/stepper.py": "sizes of searches follow the number of boids",
    "engines/cpu/thresholds.py": "when cells pay",
    "engines/gpu/program.py": "the passes of its own grid",
    "engines/gpu/wgsl_modules.py": "the passes of its own grid",
    "engines/gpu/wgsl_sensing.py": "the loops over the cells of its own grid",
    "engines/initial_state.py": "starts on a grid",
    "engines/manifest_types.py": "sizes of the grid in pages",
    "engines/population_search.py": "cells of predators and prey",
    "engines/reference/sensing.py": "Voronoi cells",
    "engines/wasm/module_compiler.py": "what there is to do in a step",
    "codegen/mesh_data.py": "the grid of a mesh, which has no boids",
    "codegen/mesh_shapes.py": "the grid of a mesh, which has no boids",
    "engines/wasm/module_memory.py": "which flocks a page puts into the first columns",
}
"""Outside of candidates/ and of engines/slabs/, which are layers of the grid: file -> why."""


@pytest.mark.slow
def test_who_knows_the_grid() -> None:
    """A file that begins to name cells belongs to candidates/; one that ceases to, off the list."""
    files = files_that_know(PACKAGE.parent.parent)
    layers = ("codegen/candidates/", "engines/slabs/")
    outside = {path for path in files if not path.startswith(layers)}
    assert outside == set(MAY_KNOW)


@pytest.mark.parametrize(
    "text",
    [
        "cells = 3", "f(grid=3)", "x.gridded", "import a.cell_functions", "from a import Grid",
        "def sort_cells(): pass", "class CellList: pass", "a = 'cells_{}'", "def f(cell): pass",
        "f'{x}_cells_0'", "SWEEP_CELLS",
    ],
)  # fmt: skip
def test_names_of_the_grid_are_found(text: str) -> None:
    assert grid_words(text, "py")


@pytest.mark.parametrize(
    "text",
    [
        '"""Cells."""', "# cells", "x = 1  # a grid", "cancelled = excellent = 1",
        "raise ValueError('got no cells here')", 'def f():\n    """The grid."""',
    ],
)  # fmt: skip
def test_prose_is_no_knowledge(text: str) -> None:
    assert not grid_words(text, "py")


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("{# cells #}\nx = 1", False), ("# cells\nx = 1", False), ("x = 1  # cells", False),
        ("{#- cells\n  grid #}", False), ("x = start[cell]", True), ("%% if cells", True),
    ],
)  # fmt: skip
def test_templates_are_read(text: str, counts: bool) -> None:
    assert bool(grid_words(text, "j2")) == counts


def test_what_is_written_once() -> None:
    """The k nearest are selected, and the next guess is made, in one place; likewise stretches of
    cells are copied, and sums of rules are added up."""
    text = "".join(p.read_text(encoding="utf-8") for p in (PACKAGE / "codegen").rglob("*.j2"))
    once = (
        "n_found = sort_candidates(",
        "real(1.4) * kth_distance2",
        "while q < n:",
        "far2 = max2(r2, real(1e-18))",
    )
    assert {part: text.count(part) for part in once} == dict.fromkeys(once, 1)


def test_templates_hand_candidates_to_accumulate() -> None:
    """Each search has a template, whose macro hands candidates over: it knows nothing of sums."""
    for search in SEARCHES:
        template = (TEMPLATES / f"{search.template}.py.j2").read_text(encoding="utf-8")
        assert "macro candidates(flock, accumulate)" in template, search.template
        assert re.search(r"accumulate\.\w+\(", template), search.template
        assert 'name("sum' not in template and 'import "accumulate' not in template, search.template


def test_each_argument_is_declared_once() -> None:
    names = Counter(argument.name for argument in ARGUMENTS)
    assert set(names.values()) == {1}
    for search in SEARCHES:
        declared = (*search.arguments, *search.scratch)
        assert all(BY_NAME[argument.name] is argument for argument in declared), search.template
        assert all(argument.thread for argument in search.scratch), search.template
        assert not any(argument.thread for argument in search.arguments), search.template


def test_searches_with_kernels_have_a_template_a_phase_and_an_argument() -> None:
    for search in SWEEPS:
        assert (TEMPLATES / f"sweep_{search.kernel}.py.j2").exists()
        assert f"SWEEP_{search.kernel.upper()}" in PHASES
        assert search.addresses in BY_NAME


@pytest.mark.parametrize("memory", [Memory(), Memory(threads=3), Memory(fixed=True)], ids=str)
@cases("name", STRUCTURES)
def test_what_searches_declare_fits(name: str, memory: Memory) -> None:
    """Of any model, in cells and not: sides are known of all arrays that are made; constants have
    room in theirs; each flock is swept by one search; phases and the searches of senses exist."""
    plan = make_plan(STRUCTURES[name][0]())
    for thresholds in (CpuThresholds(0, 0, covered=1.0, fetched=0), CpuThresholds(10**9, 10**9)):
        layout = lay_out(plan, thresholds)
        for flock in plan.flocks:
            assert sum(search.sweeps(layout, flock) for search in SEARCHES) == 1
        assert all(set(search.phases(layout)) <= PHASES.keys() for search in SEARCHES)
        words = {word for search in SEARCHES for word in (search.template, search.kernel)}
        assert {how for _, _, how in layout.senses()} <= words
        _assert_arrays_fit(layout, memory)


def _assert_arrays_fit(layout: Layout, memory: Memory) -> None:
    dims = layout.plan.model.space.dims
    sides = {
        "columns": 1, "axes": dims, "2 axes": 2 * dims, "flocks": len(layout.plan.counts),
        "memory rows": 1, "kernels": 1, "received": 1,
    } | sides_of_searches(layout, memory)  # fmt: skip
    arrays = {name for search in SEARCHES for name in search.arrays(layout)}
    sizes = {}
    for name in (*arrays, *SCRATCH):
        argument = BY_NAME[name]
        sizes[name] = np.prod([int(s) if s.isdigit() else sides[s] for s in argument.shape])
        assert argument.shape and sizes[name] >= 0, name
    for name, numbers in constants_of_searches(layout, memory).items():
        shape = BY_NAME[name].shape
        room = np.prod([int(s) if s.isdigit() else sides[s] for s in shape]) if shape else 1
        assert len(numbers) <= room, name
        assert all(isinstance(number, int | float) for number in numbers), name
