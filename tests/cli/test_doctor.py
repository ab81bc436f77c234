"""murmurate doctor: what it says is so, and a part that is broken is said to be."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.bench.timing import Timing
from murmurate.cli import doctor as command
from murmurate.doctor import expected_speed, installed, self_test
from processes import ran

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FOR_DEVELOPERS = {"test", "bench", "docs"}
FEW = {"SHARED": 500, "PICTURES": 2}


def names(requirements: list[str]) -> tuple[str, ...]:
    found = [re.match(r"[\w-]+", one) for one in requirements]
    return tuple(one[0] for one in found if one)


def test_libraries_and_extras_are_those_of_the_project() -> None:
    assert names(PROJECT["dependencies"]) == installed.LIBRARIES
    extras = PROJECT["optional-dependencies"]
    assert {one.name for one in installed.EXTRAS} == set(extras) - FOR_DEVELOPERS
    for one in installed.EXTRAS:
        assert one.libraries == names(extras[one.name])


def test_it_says_what_is_installed_and_where(murmurate) -> None:
    done = murmurate("doctor", "--no-test")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith(f"murmurate   {mm.__version__}, ")
    for what in ("Python", "system", "processor", "cores", "cache", "libraries", "extras"):
        assert any(line.startswith(f"{what} ") for line in lines), what
    assert f"numba=={installed.version('numba')}" in done.out


def test_what_is_missing_is_said_with_the_command_that_gets_it(murmurate, monkeypatch) -> None:
    gone = ("zarr", "ray", "scipy")
    monkeypatch.setattr(installed, "version", lambda name: "" if name in gone else "1.0")
    done = murmurate("doctor", "--no-test")
    assert done.code == 1  # nothing flies without scipy
    said = " ".join(done.out.split())
    assert f"MISSING scipy to mend it: {installed.command_for([])}" in said
    assert "processor" not in done.out
    assert "recordings: missing zarr" in said and "sweeps on many machines: missing ray" in said
    assert installed.command_for(["record", "export", "ray"]) in said


@pytest.mark.parametrize("library", ["numba", "numpy", "platformdirs"])
def test_a_library_that_cannot_be_imported_is_said(library: str) -> None:
    """In a process of its own, in which none of it is imported yet."""
    code = f"""
import sys
sys.modules[{library!r}] = None
from murmurate.cli import main
sys.exit(main(["doctor"]))"""
    done = ran(sys.executable, "-c", code)
    assert done.returncode == 1 and not done.stderr
    assert f"BROKEN      {library}: ModuleNotFoundError: import of {library} halted" in done.stdout
    assert "extras      record" in done.stdout and "to mend it: pip install" in done.stdout


def test_the_command_is_of_a_checkout_where_this_is_one(monkeypatch) -> None:
    monkeypatch.setattr(installed, "checkout", lambda: ROOT)
    assert installed.command_for(["record", "ray"]) == 'pip install -e ".[record,ray]"'
    monkeypatch.setattr(installed, "checkout", lambda: None)
    assert installed.command_for(["record"]) == 'pip install "murmurate[record]"'
    assert installed.command_for([]) == 'pip install "murmurate"'


def test_the_home_folder_is_not_said(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "ada")
    assert command._without_home(tmp_path / "ada" / "flocks") == f"~{Path('/flocks')}"
    assert command._without_home(f"{tmp_path}/adam") == f"{tmp_path}/adam"


@pytest.fixture
def quick(monkeypatch):
    """The self-test with few boids, and a clock by which a flock flies as fast as is expected."""
    for name, value in FEW.items():
        monkeypatch.setattr(self_test, name, value)
    speeds = {"slow": 1.0}

    def timed(flock, threads):
        low = expected_speed.expected_speed(flock.name).lowest
        speed = low * threads / speeds["slow"]
        return Timing(flock.name, flock.what, 1, threads, 1, speed)

    monkeypatch.setattr(self_test, "time_flock", timed)
    return speeds


def test_all_is_well(murmurate, quick) -> None:
    done = murmurate("doctor")
    assert done.code == 0 and "FAILED" not in done.out
    for what in self_test.CHECKS:
        assert f"\n{what} " in done.out
    said = " ".join(done.out.split())
    speed = r"1 thread: ([\d.]+) million boid-steps a second, as expected \(\1 to [\d.]+\)"
    assert re.search(speed, said)
    assert "benchmarks/history" in said and "much slower" not in said


def test_a_slow_machine_is_told_so(murmurate, quick) -> None:
    quick["slow"] = 3.0
    done = murmurate("doctor")
    assert done.code == 0 and "much slower: do other programs run" in " ".join(done.out.split())


@pytest.mark.parametrize("broken", ["exactness", "threads"])
def test_a_flight_that_is_another_one_is_noticed(murmurate, quick, monkeypatch, broken) -> None:
    """By the engine that is asked, or by the number of threads."""
    real = self_test.Simulation

    def other(model, **options):
        wrong = {
            "exactness": options.get("engine") == "cpu",
            "threads": options.get("threads") == 1,
        }
        return real(model, **options | ({"seed": 2} if wrong[broken] else {}))

    monkeypatch.setattr(self_test, "Simulation", other)
    done = murmurate("doctor")
    assert done.code == 1
    failed = [line.split()[0] for line in done.out.splitlines() if "FAILED" in line]
    assert failed == [broken]
    assert "million boid-steps" not in done.out  # its speed says nothing


def test_whatever_a_check_meets_is_said(murmurate, quick, monkeypatch) -> None:
    def no_encoder(*_: object, **__: object) -> None:
        raise ValueError("no encoder\nis there")

    monkeypatch.setattr(self_test, "film", no_encoder)
    done = murmurate("doctor")
    assert done.code == 1 and "films       FAILED: ValueError: no encoder" in done.out


def test_a_speed_is_compared_with_the_range() -> None:
    expected = expected_speed.ExpectedSpeed(4.0, 8.0)
    words = [expected.compared(speed) for speed in (9.0, 8.0, 4.0, 3.0, 1.9)]
    assert words == ["faster", "as expected", "as expected", "slower", "much slower"]
    for flock in self_test.TIMED:
        found = expected_speed.expected_speed(flock)
        assert 0 < found.lowest <= found.highest
