"""Kernels are cached by content: never stale, never compiled for a number."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen.cache_folder import cache_folder
from murmurate.codegen.code_digest import code_digest
from murmurate.codegen.kernel_cache import KernelModule, versions
from murmurate.codegen.module_text import ARGUMENT_TYPES
from processes import ran_well

RULE = """
import murmurate as mm

FACTOR = 1.0


def helper(x):
    return 2.0 * x


class Push(mm.Rule):
    def alone(self, me):
        return {alone}, 0.0, 0.0
"""
MODEL = """
[space]
size = [10, 10]
[flocks.boids]
count = 3
[rules.push]
"""


def pushed() -> float:
    """How fast the rule makes a boid in one step from rest."""
    model = mm.parse(MODEL)
    return float(mm.Simulation(model, dtype="float64").step(1).frame["boids"].velocities[0, 0])


@pytest.fixture
def rule_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes the rule's file anew and loads it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "pushing_rule.py"

    def write(text: str) -> None:
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(1, 1))  # even an unchanged time stamp must not hide the change
        importlib.invalidate_caches()
        sys.modules.pop("pushing_rule", None)
        for stale in tmp_path.rglob("*.pyc"):
            stale.unlink()
        import linecache

        linecache.checkcache()
        importlib.import_module("pushing_rule")

    yield write
    sys.modules.pop("pushing_rule", None)


@pytest.mark.usefixtures("interpreted")
def test_editing_a_rule_its_helper_or_its_constant_is_always_seen(rule_file) -> None:
    rule_file(RULE.format(alone="helper(3.0) * FACTOR"))
    assert pushed() == 6.0
    rule_file(RULE.format(alone="helper(4.0) * FACTOR"))
    assert pushed() == 8.0
    rule_file(RULE.format(alone="helper(4.0) * FACTOR").replace("2.0 * x", "5.0 * x"))
    assert pushed() == 20.0
    rule_file(
        RULE.format(alone="helper(4.0) * FACTOR")
        .replace("2.0 * x", "5.0 * x")
        .replace("FACTOR = 1.0", "FACTOR = 0.5")
    )
    assert pushed() == 10.0


@pytest.mark.slow
def test_an_old_process_and_a_new_one_share_kernels_but_never_old_rules(tmp_path: Path) -> None:
    program = MODEL_PROGRAM
    environment = {**os.environ, "MURMURATE_CACHE": str(tmp_path / "kernels")}
    (tmp_path / "kernels").mkdir()
    for shared in cache_folder().glob("murmurate_functions_*"):  # kernels of all models
        shutil.copy(shared, tmp_path / "kernels")

    def simulate(alone: str) -> dict[str, float]:
        path = tmp_path / "flight.py"
        path.write_text(RULE.format(alone=alone) + program, encoding="utf-8")
        return json.loads(ran_well(sys.executable, path, env=environment))

    first = simulate("helper(3.0)")
    assert first == {"speed": 6.0, "kernels": 1, "loaded": 0}
    assert simulate("helper(3.0)") == {"speed": 6.0, "kernels": 1, "loaded": 1}
    assert simulate("helper(1.5)") == {"speed": 3.0, "kernels": 2, "loaded": 0}


MODEL_PROGRAM = f"""
import json
from murmurate.codegen.cache_folder import cache_folder
sim = mm.Simulation(mm.parse({MODEL!r}), dtype="float64").step(1)
run = sim._engine._kernels.kernel("all_pairs_0")
print(json.dumps({{
    "speed": float(sim.frame["boids"].velocities[0, 0]),
    "kernels": len(list(cache_folder().glob("murmurate_kernel_*.o"))),
    "loaded": int(run.cached),
}}))
"""


def test_numbers_counts_and_names_do_not_recompile_but_structure_does() -> None:
    model = mm.load("parker-perch")
    text = flights.text_of(model)
    for change in (
        {"rules.cohesion.weight": 0.5},
        {"rules.separation.radius": 3.0},
        {"rules.cohesion.weight": mm.Ramp(start=0, stop=1, end=9)},
        {"flocks.boids.count": 77},
        {"flocks.boids.motion.max_speed": 3.0},
        {"flocks.boids.perching.longest": 500},
        {"dt": 0.5},
        {"space.size": [500, 500, 500]},
        {"name": "another"},
    ):
        assert flights.text_of(model.set(change)) == text, change
    for change in (
        {"rules.breeze": {"kind": "wind", "vector": [1, 0, 0]}},
        {"rules.separation.law": "inverse"},
        {"rules.cohesion.nearest": 3},
        {"order": "synchronous"},
    ):
        assert flights.text_of(model.set(change)) != text, change
    assert flights.text_of(model, "float64") != text


@pytest.mark.usefixtures("interpreted")
def test_a_number_slid_in_flight_is_felt_at_once() -> None:
    model = mm.parse(MODEL.replace("rules.push", "rules.wind") + "vector = [1, 0]\nweight = 0.0\n")
    simulation = mm.Simulation(model, dtype="float64").step(1)
    kernels = simulation._engine._kernels
    assert np.all(simulation.frame["boids"].velocities == 0)
    simulation.set({"rules.wind.weight": 2.0})
    simulation.step(1)
    assert np.all(simulation.frame["boids"].velocities == [2.0, 0.0])
    assert simulation._engine._kernels is kernels
    with pytest.raises(mm.ModelError, match="number of boids"):
        simulation.set({"flocks.boids.count": 5})


def test_a_class_of_arguments_that_moves_gives_kernels_another_name() -> None:
    """Object code reads their fields by position."""
    me = ARGUMENT_TYPES[1]
    home = {"__module__": "murmurate.elsewhere", "_fields": me._fields}
    moved = type(me.__name__, (), home)
    longer = type(me.__name__, (), {"__module__": me.__module__, "_fields": (*me._fields, "z")})
    plain, *others = (versions((cls,)) for cls in (me, moved, longer))
    assert plain not in others
    names = {code_digest(["x = 1"], *entry) for entry in (plain, *others)}
    assert len(names) == 3


def test_the_names_of_modules_hold_the_classes_of_arguments() -> None:
    assert any(name.startswith("murmurate.model.rule_arguments.Me(") for name in versions())
    module = KernelModule("a", "x = 1\n")
    assert module.name == f"a_{code_digest([module.text], *versions())[:24]}"
