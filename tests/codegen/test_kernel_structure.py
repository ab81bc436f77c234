"""Models of one structure have the same kernels, and a changed number is read from the model."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
import pairwise
from murmurate.codegen import layout, planner
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.model_arguments import array_sizes, model_constants
from murmurate.engines.cpu.thresholds import THRESHOLDS
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.gpu.program import Program
from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError
from murmurate.model.model import Model, apply_changes
from murmurate.model.number_changes import DEPTHS
from murmurate.model.quantity import quantities

Change = tuple[str, Any]


def models() -> dict[str, Model]:
    """Return the published flocks, and the rows with all pairs of features."""
    rows = {name: pairwise.model_of(row) for name, row in pairwise.ROWS.items()}
    return {name: mm.load(name) for name in mm.zoo()} | rows


def changes(model: Model, draw: random.Random, count: int) -> Iterator[Change]:
    """Yield random changes of numbers of rules, motions, obstacles and flocks."""
    parts = [(f"{t}.{n}", p) for t in ("rules", "obstacles") for n, p in getattr(model, t).items()]
    parts += [(f"flocks.{name}.motion", flock.motion) for name, flock in model.flocks.items()]
    parts += [
        (f"flocks.{name}.{field}", part)
        for name, flock in model.flocks.items()
        for field in ("sensing", "perching")
        if (part := getattr(flock, field)) is not None
    ]
    for _ in range(count):
        path, part = draw.choice(parts)
        if not (fields := list(quantities(type(part)))):
            continue
        field = draw.choice(fields)
        old = getattr(part, field)
        path = f"{path}.{field}"
        if isinstance(old, tuple) and draw.random() < 0.5:
            yield path, [number(draw, x) for x in old]
        elif isinstance(old, tuple) and old:
            axis = draw.randrange(len(old))
            yield f"{path}.{axis}", number(draw, old[axis])
        else:
            yield path, number(draw, old)
    yield "dt", model.dt * draw.uniform(0.5, 1.5)


def number(draw: random.Random, old: Any) -> Any:
    """Return a number, often near an old one, a schedule or a distribution."""
    near = old if isinstance(old, float) and math.isfinite(old) else 1.0
    values: list[Any] = [near * draw.uniform(0.5, 1.5)] * 5 + [0.0, -near, math.inf, 180.0, 90.0]
    values += [{"kind": "ramp", "start": near, "stop": near * 0.9, "end": 4.0}]
    values += [{"kind": "uniform", "min": near * 0.8, "max": near}, "word", None, [1.0], math.nan]
    return draw.choice(values)


def check(model: Model, change: Change, texts: dict[Any, Any]) -> str:
    """Check a change; return what it was."""
    path, value = change
    data, problems = apply_changes(model, {path: value})
    try:
        slow = Model(**data)
    except ModelError as error:
        problems = [*problems, *str(error).splitlines()]
    try:
        changed = model.set({path: value})
    except ModelError as error:
        assert str(error) == "\n".join(problems)
        return "refused"
    assert not problems and changed == slow and changed.to_dict() == slow.to_dict()
    if "plan" not in texts:
        plan = texts["plan"] = make_plan(model, model.max_counts)
        texts["layout"] = lay_out(plan, THRESHOLDS)
        texts["kernels"] = kernel_text(plan, "float32", texts["layout"])
        texts["gpu"] = (
            None if GpuEngine.problems(model, RunOptions("gpu")) else Program.of(plan).modules
        )
    before = texts["layout"]
    before.plan.numbers(0.0)
    result = before.with_numbers(changed, THRESHOLDS)
    if result is None:
        return "another structure"
    plan = make_plan(changed, changed.max_counts)
    fresh = lay_out(plan, THRESHOLDS)
    assert result.plan.slots == plan.slots, change
    assert (result.gridded, result.prefetch) == (fresh.gridded, fresh.prefetch)
    assert result.plan.numbers(1.5).tolist() == plan.numbers(1.5).tolist()
    assert result.plan.scheduled == plan.scheduled
    assert kernel_text(plan, "float32", fresh) == texts["kernels"], change
    assert array_sizes(result) == array_sizes(fresh)
    assert model_constants(before) == model_constants(fresh), change
    assert texts["gpu"] is None or Program.of(plan).modules == texts["gpu"], change
    return "the same"


def search(tried: dict[str, Model], count: int, seed: int) -> dict[str, int]:
    results: dict[str, int] = {}
    for name, model in tried.items():
        draw, texts = random.Random(f"{seed} {name}"), dict[Any, Any]()
        for change in changes(model, draw, count):
            result = check(model, change, texts)
            results[result] = results.get(result, 0) + 1
    return results


def test_changed_numbers_of_a_published_flock() -> None:
    results = search({"model": mm.load("couzin-2002")}, 5, 1)
    assert results["the same"] > 1, results


@pytest.mark.slow
def test_one_structure_has_one_text() -> None:
    results = search(models(), 1, 2)
    assert min(results[word] for word in ("the same", "another structure", "refused")) > 5, results


@pytest.mark.long
def test_one_structure_has_one_text_in_many_models() -> None:
    results = search(models(), 60, 3)
    assert results["the same"] > 1000, results


def test_texts_read_numbers_by_facts_alone() -> None:
    """No file of the texts computes bounds of numbers, except where the structure says which."""
    for module in (planner, layout):
        tree = ast.parse(Path(str(module.__file__)).read_text())
        users = {
            function.name
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef) and "extent(" in ast.unparse(function)
        }
        assert users <= {"_suits_cells", "_gridded"}, (module.__name__, users)
    assert set(DEPTHS) <= set(Model.model_fields)
