"""murmurate doctor: its report is true, and it reports broken parts."""

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
from murmurate.doctor import installed, self_test
from murmurate.optional import INSTALLABLE
from processes import ran

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FOR_DEVELOPERS = {"test", "bench", "docs"}
SMALL = {"EXACTNESS_BOIDS": 60, "STEPS": 2, "THREAD_BOIDS": 60, "FILM_FRAMES": 2}


def names(requirements: list[str]) -> tuple[str, ...]:
    matches = [re.match(r"[\w-]+", requirement) for requirement in requirements]
    return tuple(match[0] for match in matches if match)


def test_libraries_and_extras_are_those_of_the_project() -> None:
    assert names(PROJECT["dependencies"]) == installed.LIBRARIES
    extras = PROJECT["optional-dependencies"]
    assert {extra.name for extra in INSTALLABLE} == set(extras) - FOR_DEVELOPERS - {"all"}
    for extra in INSTALLABLE:
        assert extra.libraries == names(extras[extra.name])


def test_it_lists_what_is_installed(murmurate) -> None:
    done = murmurate("doctor", "--no-test")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith(f"murmurate   {mm.__version__}, ")
    for what in ("Python", "system", "processor", "cores", "cache", "libraries", "extras"):
        assert any(line.startswith(f"{what} ") for line in lines), what
    assert f"numba=={installed.installed_version('numba')}" in done.out


def test_it_prints_the_command_that_installs_missing_libraries(murmurate, monkeypatch) -> None:
    missing = ("zarr", "ray", "scipy")
    versions = lambda name: "" if name in missing else "1.0"  # noqa: E731
    monkeypatch.setattr(installed, "installed_version", versions)
    done = murmurate("doctor", "--no-test")
    assert done.code == 1  # scipy is required
    text = " ".join(done.out.split())
    assert f"MISSING scipy to mend it: {installed.install_command([])}" in text
    assert "processor" not in done.out
    assert "recordings: missing zarr" in text and "sweeps on many machines: missing ray" in text
    assert installed.install_command(["record", "export", "robots", "ray"]) in text


@pytest.mark.slow
@pytest.mark.parametrize("library", ["numba", "numpy", "platformdirs"])
def test_a_library_that_cannot_be_imported_is_reported(library: str) -> None:
    """In a new process, which has not imported the library yet."""
    code = f"""
import sys
sys.modules[{library!r}] = None
from murmurate.cli import main
sys.exit(main(["doctor"]))"""
    done = ran(sys.executable, "-c", code)
    assert done.returncode == 1 and not done.stderr
    assert f"BROKEN      {library}: ModuleNotFoundError: import of {library} halted" in done.stdout
    assert "extras      record" in done.stdout and "to mend it: pip install" in done.stdout


def test_a_checkout_has_another_install_command(monkeypatch) -> None:
    monkeypatch.setattr(installed, "checkout_folder", lambda: ROOT)
    assert installed.install_command(["record", "ray"]) == 'pip install -e ".[record,ray]"'
    monkeypatch.setattr(installed, "checkout_folder", lambda: None)
    assert installed.install_command(["record"]) == 'pip install "murmurate[record]"'
    assert installed.install_command([]) == 'pip install "murmurate"'


def test_the_home_folder_is_abbreviated(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "ada")
    assert command.abbreviate_home(tmp_path / "ada" / "flocks") == f"~{Path('/flocks')}"
    assert command.abbreviate_home(f"{tmp_path}/adam") == f"{tmp_path}/adam"


@pytest.fixture
def quick(monkeypatch):
    """A self-test with few boids, and flocks that have the expected speed."""
    for name, value in SMALL.items():
        monkeypatch.setattr(self_test, name, value)
    monkeypatch.setattr(self_test, "find_spec", lambda name: None)  # no check of engine gpu
    speeds = {"slow": 1.0}

    def timed(flock, threads):
        low = self_test.expected_speed(flock.name).lowest
        speed = low * threads / speeds["slow"]
        return Timing(flock.name, flock.description, 1, threads, 1, speed)

    monkeypatch.setattr(self_test, "time_flock", timed)
    return speeds


@pytest.mark.slow
def test_an_intact_installation_passes(murmurate, quick) -> None:
    done = murmurate("doctor")
    assert done.code == 0 and "FAILED" not in done.out
    for what in self_test.CHECKS:
        assert f"\n{what} " in done.out
    text = " ".join(done.out.split())
    speed = r"1 thread: ([\d.]+) million boid-steps a second, as expected \(\1 to [\d.]+\)"
    assert re.search(speed, text)
    assert "benchmarks/history" in text and "much slower" not in text


@pytest.mark.slow
def test_a_slow_machine_is_reported(murmurate, quick) -> None:
    quick["slow"] = 3.0
    done = murmurate("doctor")
    assert done.code == 0 and "much slower: do other programs run" in " ".join(done.out.split())


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["exactness", "threads"])
def test_a_difference_between_runs_is_noticed(murmurate, quick, monkeypatch, broken) -> None:
    """Between two engines, or between numbers of threads."""
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
    assert "million boid-steps" not in done.out  # the speed of a broken installation means nothing


@pytest.mark.slow
def test_the_report_has_the_error_of_a_check(murmurate, quick, monkeypatch) -> None:
    def no_encoder(*_: object, **__: object) -> None:
        raise ValueError("no encoder\nis there")

    monkeypatch.setattr(self_test, "film", no_encoder)
    done = murmurate("doctor")
    assert done.code == 1 and "films       FAILED: ValueError: no encoder" in done.out


def test_a_speed_is_compared_with_the_range() -> None:
    expected = self_test.ExpectedSpeed(4.0, 8.0)
    words = [expected.compare(speed) for speed in (9.0, 8.0, 4.0, 3.0, 1.9)]
    assert words == ["faster", "as expected", "as expected", "slower", "much slower"]
    for flock in self_test.TIMED_FLOCKS:
        speeds = self_test.expected_speed(flock)
        assert 0 < speeds.lowest <= speeds.highest


@pytest.mark.parametrize("system", ["Linux", "Windows", "Darwin"])
def test_without_a_graphics_card_it_states_what_is_needed(
    monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    from murmurate.engines.gpu import device

    monkeypatch.setattr(self_test, "find_spec", lambda name: name)
    monkeypatch.setattr(device, "adapters", lambda: ())
    monkeypatch.setattr(device.platform, "system", lambda: system)
    (check,) = self_test._adapter_checks().values()
    assert check() == f"no graphics card that WebGPU can use. {device.INSTALL[system]}"
    with pytest.raises(mm.ModelError, match=r"found no adapter.*Or use engine 'cpu'"):
        device.choose_adapter(None)


def test_a_driver_that_fails_is_a_failed_check(monkeypatch: pytest.MonkeyPatch) -> None:
    from murmurate.engines.gpu import device

    def fail() -> None:
        raise mm.DeviceError("adapter a driver: got a lost device")

    monkeypatch.setattr(self_test, "find_spec", lambda name: name)
    monkeypatch.setattr(device, "adapters", fail)
    (check,) = self_test._adapter_checks().values()
    with pytest.raises(mm.DeviceError):
        check()
