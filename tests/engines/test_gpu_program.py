"""The program of engine gpu is plain data, and its sizes are those of the cell search."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import meshes
import murmurate as mm
from murmurate.codegen.candidates.cell_functions import max_cells
from murmurate.codegen.mesh_data import mesh_words, single_words
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.buffer_limits import check_buffers
from murmurate.engines.gpu.device import Adapter
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.gpu.program import CELLS, Program, buffer_sizes, largest_buffer
from murmurate.engines.options import RunOptions


@pytest.mark.parametrize("boids", [0, 1, 300, 333_333, 2_000_000, 10_000_000])
def test_the_number_of_cells_is_that_of_the_cell_search(boids: int) -> None:
    assert min(a * boids + b for a, b in CELLS) == max_cells(boids)


def late_model() -> mm.Model:
    """Return a model with two meshes, whose boids sense late and store state."""
    late = mm.Sensing(delay=0.2, position_error=0.1)
    return mm.Model(
        space=mm.Space(size=(20, 20, 20)),
        flocks={"boids": mm.Flock(count=5, sensing=late, perching=mm.Perching())},
        rules={"avoid": mm.AvoidObstacles(), "cohesion": mm.Cohesion(radius=3.0)},
        obstacles={
            "ball": meshes.ball(1), "box": meshes.box((1.0, 2.0, 3.0)),
            "rock": mm.Sphere(centre=(9, 9, 9), radius=1.0),
        },
    )  # fmt: skip


@pytest.mark.parametrize("name", ["starlings", "couzin-2005", "olfati-saber-2006", "meshes"])
def test_a_program_is_plain_data(name: str) -> None:
    model = late_model() if name == "meshes" else mm.load(name)
    assert GpuEngine.problems(model, RunOptions("gpu")) == []
    plan = make_plan(model)
    program = Program.of(plan)
    plain = json.loads(json.dumps(program.plain(plan)))
    rows = {name: row[:1] for name, row in plain["meshes"].items()}
    assert rows == {name: [at] for name, at in program.meshes.items()}  # small numbers
    passes = [each for path in plain["paths"] for each in path["passes"] + path["end"]]
    assert {each["module"] for each in passes} == set(plain["modules"])
    for module in plain["modules"].values():
        assert len(module["access"]) <= 8  # what every device can bind
        assert set(module["access"]) <= set(plain["bindings"])
    for each in (each for path in program.paths for each in (*path.passes, *path.end)):
        assert f"fn {each.entry}(" in program.modules[each.module].text
        bound = program.bindings(each.module, each.reads, 1 - each.reads).values()
        assert set(bound) <= {"settings", *program.buffers}


def test_a_program_has_room_for_the_words_of_meshes() -> None:
    plan = make_plan(late_model())
    program = Program.of(plan)
    (first_row,), (slots,), (end,) = (
        program.settings[name] for name in ("first_row", "slots", "first_individual")
    )
    sizes = [len(words) for words in plan.meshes.values()]
    assert list(program.meshes.values()) == [
        first_row + program.rows * slots, first_row + program.rows * slots + sizes[0],
    ]  # fmt: skip
    assert end == first_row + program.rows * slots + sum(sizes)
    text = program.modules["obstacles"].text
    assert text.count("fn obstacle_move_past_(") == 1
    calls = re.findall(r"(fn )?\w*from_triangle_\(", text)
    assert len(calls) == 5 + 1  # each call of the source once, however often its function is called
    assert Program.of(make_plan(late_model())).modules == program.modules


def test_words_of_a_mesh_are_floats_on_a_device() -> None:
    words = mesh_words(meshes.ball(2), mm.Space(size=(9, 9, 9)))
    single, integers = single_words(words), words.view(np.int64)
    is_whole = abs(integers) < 1 << 24  # as float64 these would be denormal
    assert is_whole.sum() > 1000
    assert (single[is_whole] == integers[is_whole]).all()
    assert (single[~is_whole] == words[~is_whole].astype(np.float32)).all()


def test_models_larger_than_the_settings_are_refused() -> None:
    def model(flocks: int) -> mm.Model:
        return mm.Model(
            space=mm.Space(size=(9, 9)),
            flocks={f"f{k}": mm.Flock(count=1) for k in range(flocks)},
            rules={"alignment": mm.Alignment(radius=1.0, moves="f0")},
        )

    assert GpuEngine.problems(model(256), RunOptions("gpu")) == []
    assert GpuEngine.problems(model(257), RunOptions("gpu")) == [
        "flocks: got 257; expected at most 256"
    ]


def refusal(model: mm.Model, limit: int, max_buffers: int = 8) -> str:
    """Return why an adapter refuses a model; empty if it does not.

    limit  in bytes of a buffer
    """
    try:
        check_buffers(model, Adapter("card", "DiscreteGPU", "Vulkan", limit, max_buffers))
    except mm.ModelError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("vicsek-1995", 1 << 20),
        ("starlings", 1 << 27),
        ("olfati-saber-2006", (1 << 31) - 4),
        ("late", 1 << 27),
    ],
)
def test_a_refusal_names_the_largest_number_of_boids(name: str, limit: int) -> None:
    model = late_model() if name == "late" else mm.load(name)
    largest = max(model.flocks, key=lambda flock: model.flocks[flock].count)
    n_others = sum(f.count for f in model.flocks.values()) - model.flocks[largest].count
    path = f"flocks.{largest}.count"
    message = refusal(model.set({path: 100_000_000}), limit)
    assert message.startswith(f"{path}: got 100,000,000; expected at most ")
    boids = int(message.split("expected at most ")[1].split(" ")[0].replace(",", ""))
    assert refusal(model.set({path: boids - n_others}), limit) == ""
    assert refusal(model.set({path: boids - n_others + 1}), limit)


def test_a_flock_that_grows_needs_buffers_for_its_largest_number() -> None:
    model = mm.load("river").set({"flocks.fish.max_boids": 4_000_000})
    bytes_needed = 32 * (4_000_000 + model.flocks["pike"].count)
    assert refusal(model, bytes_needed) == ""
    message = refusal(model, bytes_needed - 4)
    assert message.startswith("flocks.fish.max_boids: got 4,000,000; expected at most ")


def test_a_mesh_that_no_buffer_holds_is_refused() -> None:
    model = late_model()
    words, _ = largest_buffer({"numbers": buffer_sizes(make_plan(model))["numbers"]}, 0)
    assert "expected smaller buffers" in refusal(model, words - 4)


def test_an_adapter_that_allows_fewer_buffers_than_a_pass_binds_is_refused() -> None:
    model = mm.Model(
        space=mm.Space(size=(9, 9)),
        flocks={"boids": mm.Flock(count=1, diameter=0.5)},
        rules={"view": mm.Projection(radius=3.0)},
    )
    late = model.set({"flocks.boids.sensing": mm.Sensing(delay=0.2)})
    assert refusal(model, 1 << 30, 8) == refusal(late, 1 << 30, 9) == ""
    assert refusal(late, 1 << 30, 8) == (
        "adapter: got card (DiscreteGPU, Vulkan), which allows 8 buffers in a pass; expected at "
        "least 9, which the passes 'stages' of this model bind. Choose another adapter, or use "
        "engine 'cpu'"
    )
