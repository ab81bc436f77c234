"""Models that cannot fit into memory are refused before any is taken; what is free is read from
files of the system, here of a folder that stands for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.cli import main
from murmurate.engines import memory
from murmurate.engines.options import RunOptions
from processes import ran_well
from tiny_model import TINY

MANY = TINY.replace("count = 12", "count = 1000000000")
GB = 10**9


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int | None]:
    """What is free on a machine with these files."""
    monkeypatch.setattr(memory, "_of_process", lambda root: iter(()))

    def free(**files: str) -> int | None:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return memory.free_memory(tmp_path)

    return free


MEMINFO = "MemTotal: 64000000 kB\nMemAvailable: 32000000 kB\nSwapFree: 1000000 kB\n"


def test_what_a_machine_has(machine: Callable[..., int | None]) -> None:
    assert machine(proc__meminfo=MEMINFO) == 33_000_000 * 1024


def test_the_limit_of_a_container(machine: Callable[..., int | None]) -> None:
    """Version 2: of a group, and of the one above it; files that were read can be dropped."""
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


def test_the_limit_of_a_container_of_old(machine: Callable[..., int | None]) -> None:
    """Version 1; a number near 2^63 is no limit."""
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
def test_files_that_say_nothing(machine: Callable[..., int | None], text: str) -> None:
    found = machine(proc__meminfo=text, proc__self__cgroup="nothing\n0::\n:::\n")
    assert found is None or found >= 0


def test_this_machine_has_some() -> None:
    free = memory.free_memory()
    assert free is None or free > 0


def test_the_least_is_less_than_what_is_taken() -> None:
    """So that no model is refused that fits: arrays of the start, and of the state, are counted."""
    model = mm.parse(TINY).set({"flocks.boids.count": 1000})
    simulation = mm.Simulation(model, threads=1)
    arrays = simulation._engine._state  # type: ignore[attr-defined]
    names = (
        "state",
        "next_state",
        "timers",
        "next_timers",
        "ids",
        "flock_index",
        "next_ids",
        "next_flock_index",
    )
    taken = sum(getattr(arrays, name).nbytes for name in names)
    start = simulation.frame["boids"]
    taken += 8 * 2 * start.positions.size
    assert 0 < memory.min_memory(model, simulation.options) <= taken
    assert memory.min_memory(model, RunOptions(dtype="float64")) > memory.min_memory(
        model, RunOptions()
    )


@pytest.mark.parametrize(
    "words",
    [
        ["run", "many.toml", "--steps", "1"],
        ["run", "many.toml", "--steps", "1", "--engine", "reference"],
        ["run", "many.toml", "--steps", "1", "-o", "a.zarr"],
        ["run", "tiny.toml", "--steps", "1", "--boids", "1000000000"],
        ["film", "many.toml", "-o", "a.mp4"],
        ["still", "many.toml", "-o", "a.png"],
        ["page", "many.toml", "--live", "-o", "a.html"],
        ["measure", "many.toml", "polarization"],
        ["watch", "many.toml", "--no-open"],
        ["sweep", "many.toml", "--vary", "dt=1", "-o", "s"],
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
    monkeypatch.setattr("murmurate.runs.simulation.initial_state", None)  # nothing is drawn
    (tmp_path / "many.toml").write_text(MANY)
    (tmp_path / "tiny.toml").write_text(TINY)
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "flocks.boids.count: got 1,000,000,000; expected" in said and "16.0 GB" in said


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of addresses is that of Linux")
def test_the_limit_of_addresses_counts() -> None:
    code = (
        "import resource, murmurate as mm\n"
        f"model = mm.parse({TINY!r}).set({{'flocks.boids.count': 100_000_000}})\n"
        "resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))\n"
        "try: mm.Simulation(model)\n"
        "except mm.ModelError as error: print(error)\n"
    )
    assert "expected a number of boids that fits in memory" in ran_well(sys.executable, "-c", code)


def test_what_fits_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    model = mm.parse(TINY)
    least = memory.min_memory(model, RunOptions(engine="reference"))
    monkeypatch.setattr(memory, "free_memory", lambda: least)
    mm.Simulation(model, engine="reference").step(1)
    monkeypatch.setattr(memory, "free_memory", lambda: least - 1)
    with pytest.raises(mm.ModelError, match="Ask for at most 11 in all"):
        mm.Simulation(model, engine="reference")
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    mm.Simulation(model, engine="reference")
