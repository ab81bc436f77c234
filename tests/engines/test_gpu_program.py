"""The program of engine gpu is plain data, and its sizes are those of the cell search."""

from __future__ import annotations

import json

import pytest

import murmurate as mm
from murmurate.codegen.candidates.cell_functions import max_cells
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.gpu_engine import unsupported
from murmurate.engines.gpu.program import CELLS, Program


@pytest.mark.parametrize("boids", [0, 1, 300, 333_333, 2_000_000, 10_000_000])
def test_the_number_of_cells_is_that_of_the_cell_search(boids: int) -> None:
    assert min(a * boids + b for a, b in CELLS) == max_cells(boids)


@pytest.mark.parametrize("name", ["starlings", "couzin-2005", "olfati-saber-2006"])
def test_a_program_is_plain_data(name: str) -> None:
    plan = make_plan(mm.load(name))
    program = Program.of(plan)
    plain = json.loads(json.dumps(program.plain(plan)))
    assert {each["module"] for each in plain["passes"]} <= set(plain["modules"])
    for module in plain["modules"].values():
        assert len(module["access"]) <= 8  # what every device can bind
        assert set(module["access"]) <= set(plain["bindings"])
    for each in program.passes:
        assert f"fn {each.entry}(" in program.modules[each.module].text
        bound = program.bindings(each.module, each.reads, 1 - each.reads).values()
        assert set(bound) <= {"settings", *program.buffers}


def test_models_larger_than_the_settings_are_refused() -> None:
    def model(flocks: int, rules: int) -> mm.Model:
        return mm.Model(
            space=mm.Space(size=(9, 9)),
            flocks={f"f{k}": mm.Flock(count=1) for k in range(flocks)},
            rules={f"r{k}": mm.Alignment(radius=1.0, moves="f0") for k in range(rules)},
        )

    assert unsupported(model(64, 64)) == []
    assert unsupported(model(65, 65)) == [
        "65 flocks; expected at most 64", "65 rules with a radius; expected at most 64",
    ]  # fmt: skip
