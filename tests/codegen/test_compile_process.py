"""Shared kernels are compiled in a process of their own, and here where that process fails."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from murmurate.codegen import module_text
from murmurate.codegen.compile_jobs import CompileProcess
from murmurate.codegen.kernel_cache import KernelModule, shared_module
from murmurate.engines.options import cores
from processes import ran_well

FIRST_STEP = """
import murmurate as mm, sys
from murmurate.codegen import compile_jobs
from murmurate.engines.cpu import model_kernels
if sys.argv[1] == "program":
    sys.executable = sys.argv[2]
if sys.argv[1] == "error":
    compile_jobs.CALL = "raise SystemExit(3)"
if sys.argv[1] == "one core":
    model_kernels.cores = lambda: 1
simulation = mm.Simulation("vicsek-1995", threads=1).step(2)
beside = simulation._engine._kernels._process
cached = [k.cached for m in (simulation._engine._kernels._shared,) for k in m.kernels.values()]
print(beside is not None, sum(c is True for c in cached), sum(c is False for c in cached))
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.slow
def test_a_process_compiles_kernels_into_the_cache(cache: Path) -> None:
    shared = shared_module("float64")
    name = module_text.functions_module("float64")
    fresh = KernelModule(name, shared.text)  # that knows nothing of what is loaded
    assert not fresh.kernels["run_steps"].in_cache
    process = CompileProcess("float64", ["run_steps"])
    process.wait()
    assert fresh.kernels["run_steps"].in_cache
    fresh.kernels["run_steps"].compile()
    assert fresh.kernels["run_steps"].cached


def test_a_process_that_is_stopped_leaves_nothing_broken(cache: Path) -> None:
    process = CompileProcess("float64", ["run_steps"])
    process.stop()
    process.wait()
    assert not list(cache.glob("*.run_steps.*.o"))


@pytest.mark.parametrize(
    "how",
    [
        pytest.param("two cores", marks=pytest.mark.slow),
        pytest.param("ends with an error", marks=pytest.mark.long),
        pytest.param("one core", marks=pytest.mark.long),
        pytest.param("no such program", marks=pytest.mark.long),
    ],
)
def test_the_first_step_of_an_installation(cache: Path, how: str) -> None:
    if how == "two cores" and cores() < 2:
        how = "one core"
    script = cache / "first_step.py"
    script.write_text(FIRST_STEP)
    words = {"no such program": ["program", cache / "none"], "ends with an error": ["error"]}
    env = {**os.environ, "MURMURATE_CACHE": str(cache / "kernels")}
    ran = ran_well(sys.executable, script, *words.get(how, [how]), env=env)
    used_process, loaded, compiled = ran.split()
    assert used_process == str(how != "one core")
    assert (int(loaded) > 0) == (how == "two cores")
    # beside the other process, this one compiles the loop of steps only
    assert int(compiled) == 1 if how == "two cores" else int(compiled) > 1
