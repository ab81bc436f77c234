"""Models that do not fit into memory are refused before any is allocated.

Free memory is read from files of the system; tests use a folder with such files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.cli import main
from murmurate.engines import memory
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.options import RunOptions
from murmurate.engines.registry import engine_class
from processes import ran_well
from tiny_model import TINY

HUGE = TINY.replace("count = 12", "count = 1000000000")
GB = 10**9


@pytest.fixture
def machine(tmp_path: Path) -> Callable[..., int | None]:
    """Return the free memory of a machine with some files."""

    def free(**files: str) -> int | None:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return memory.free_memory(tmp_path, process_limit=False)

    return free


MEMINFO = "MemTotal: 64000000 kB\nMemAvailable: 32000000 kB\nSwapFree: 1000000 kB\n"


def test_free_memory_of_a_machine(machine: Callable[..., int | None]) -> None:
    assert machine(proc__meminfo=MEMINFO) == 33_000_000 * 1024


def test_limit_of_a_container(machine: Callable[..., int | None]) -> None:
    """Version 2: limits of a group and of its parent; cached files can be dropped."""
    files = {
        "proc__meminfo": MEMINFO,
        "proc__self__cgroup": "0::/a/b\n",
        "sys__fs__cgroup__a__memory_DOT_max": "max\n",
        "sys__fs__cgroup__a__memory_DOT_current": "0\n",
        "sys__fs__cgroup__a__b__memory_DOT_max": f"{4 * GB}\n",
        "sys__fs__cgroup__a__b__memory_DOT_current": f"{3 * GB}\n",
        "sys__fs__cgroup__a__b__memory_DOT_stat": f"anon 5\ninactive_file {GB // 2}\n",
    }
    assert machine(**files) == GB + GB // 2
    assert machine(sys__fs__cgroup__a__memory_DOT_max=f"{GB}\n") == GB


def test_limit_of_a_container_of_version_1(machine: Callable[..., int | None]) -> None:
    """A number near 2^63 means that there is no limit."""
    files = {
        "proc__meminfo": MEMINFO,
        "proc__self__cgroup": "9:cpu:/x\n4:memory:/docker/0123\n",
        "sys__fs__cgroup__memory__memory_DOT_limit_in_bytes": "9223372036854771712\n",
        "sys__fs__cgroup__memory__docker__0123__memory_DOT_limit_in_bytes": f"{2 * GB}\n",
        "sys__fs__cgroup__memory__docker__0123__memory_DOT_usage_in_bytes": f"{GB}\n",
    }
    assert machine(**files) == GB


@pytest.mark.parametrize(
    "text", ["", "MemAvailable: many kB\n", "MemAvailable:\n", "\0\n", "MemAvailable: 1"]
)
def test_files_without_a_limit(machine: Callable[..., int | None], text: str) -> None:
    free = machine(proc__meminfo=text, proc__self__cgroup="nothing\n0::\n:::\n")
    assert free is None or free >= 0


def test_this_machine_has_free_memory() -> None:
    free = memory.free_memory()
    assert free is None or free > 0


def test_the_estimate_is_a_lower_bound() -> None:
    """No model is refused that fits: the estimate counts the arrays of start and state."""
    model = mm.parse(TINY).set({"flocks.boids.count": 1000})
    simulation = mm.Simulation(model, threads=1)
    start = simulation.frame["boids"]
    allocated = simulation.diagnostics().state_bytes + 8 * 2 * start.positions.size
    single, double = RunOptions(), RunOptions(dtype="float64")
    assert 0 < CpuEngine.min_memory(model, simulation.options) <= allocated
    assert CpuEngine.min_memory(model, double) > CpuEngine.min_memory(model, single)


def test_each_engine_states_its_memory() -> None:
    model = mm.parse(TINY)
    for engine in ("cpu", "reference", "wasm"):
        assert engine_class(engine).min_memory(model, RunOptions(engine)) > 0
    assert engine_class("slabs").min_memory(model, RunOptions("slabs")) is None


@pytest.mark.parametrize(
    "words",
    [
        ["run", "huge.toml", "--steps", "1"],
        ["run", "huge.toml", "--steps", "1", "--engine", "reference"],
        ["run", "huge.toml", "--steps", "1", "-o", "a.zarr"],
        ["run", "tiny.toml", "--steps", "1", "--boids", "1000000000"],
        ["film", "huge.toml", "-o", "a.mp4"],
        ["still", "huge.toml", "-o", "a.png"],
        ["page", "huge.toml", "--live", "-o", "a.html"],
        ["measure", "huge.toml", "polarization"],
        ["watch", "huge.toml", "--no-open"],
        ["sweep", "huge.toml", "--vary", "dt=1", "-o", "s"],
        ["sweep", "tiny.toml", "--vary", "flocks.boids.count=3,1000000000", "-o", "s"],
    ],
)
def test_a_thousand_million_boids(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(memory, "free_memory", lambda: 16 * GB)
    monkeypatch.setattr("murmurate.runs.engine_start.initial_state", None)  # which would allocate
    (tmp_path / "huge.toml").write_text(HUGE)
    (tmp_path / "tiny.toml").write_text(TINY)
    assert main(words) == 2
    message = capsys.readouterr().err
    assert "flocks.boids.count: got 1,000,000,000; expected" in message and "16.0 GB" in message


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit of addresses is that of Linux")
def test_limit_of_addresses() -> None:
    code = (
        "import resource, murmurate as mm\n"
        f"model = mm.parse({TINY!r}).set({{'flocks.boids.count': 100_000_000}})\n"
        "resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))\n"
        "try: mm.Simulation(model)\n"
        "except mm.ModelError as error: print(error)\n"
    )
    assert "expected a number of boids that fits in memory" in ran_well(sys.executable, "-c", code)


def test_models_that_fit_are_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    model = mm.parse(TINY)
    options = RunOptions(engine="reference")
    required = engine_class("reference").min_memory(model, options)
    memory.check_memory(model, options, required)
    with pytest.raises(mm.ModelError, match="Reduce them to 11 in all"):
        memory.check_memory(model, options, required - 1)
    monkeypatch.setattr(memory, "free_memory", lambda: required - 1)
    with pytest.raises(mm.ModelError, match="Reduce them to 11 in all"):
        mm.Simulation(model, engine="reference")
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    mm.Simulation(model, engine="reference").step(1)
