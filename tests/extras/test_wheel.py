"""The packages work: sdist and wheel in a fresh environment for each Python that uv finds, and the
wheel with one command of uv and of pipx.

pytest -m long tests/extras/test_wheel.py
"""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

import pytest

import murmurate
from fresh_environment import INSTALL, ROOT, Environment, environment, need_an_index
from processes import ran

pytestmark = pytest.mark.long
UV = (sys.executable, "-m", "uv")
FILM = ("film", "starlings", "--seconds", "0.5", "--size", "160x90", "-o")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist, and the wheel that uv builds from it."""
    need_an_index()
    folder = tmp_path_factory.mktemp("dist")
    done = ran(*UV, "build", "--quiet", "-o", folder, ROOT)
    assert done.returncode == 0, done.stderr
    name = f"murmurate-{murmurate.__version__}"
    return {"sdist": folder / f"{name}.tar.gz", "wheel": folder / f"{name}-py3-none-any.whl"}


@pytest.fixture(scope="module")
def wheel(packages: dict[str, Path]) -> Path:
    return packages["wheel"]


def test_the_wheel_is_small_and_has_all_files_and_licences(wheel: Path) -> None:
    assert wheel.stat().st_size < 6e6
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        licence = f"murmurate-{murmurate.__version__}.dist-info/licenses/LICENSE"
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
        for script in ("viewer.js", "replay.js"):  # with the library of their charts
            assert b"uplot" in archive.read(f"murmurate/show/viewer/{script}")
            assert b"MIT License" in archive.read(f"murmurate/show/viewer/{script}")
    listed = ran("git", "ls-files", "-z", "src/murmurate", cwd=ROOT).stdout.split("\0")
    assert {name.removeprefix("src/") for name in listed if name} <= names


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_it_works_in_a_fresh_environment(
    packages: dict[str, Path], kind: str, version: str, tmp_path: Path
) -> None:
    done = ran(*UV, "venv", "--quiet", "--offline", "--python", version, tmp_path / "venv")
    if done.returncode:
        pytest.skip(f"uv finds no Python {version} here")
    fresh = Environment(tmp_path / "venv", create=False)
    done = ran(*INSTALL, "--python", fresh.python, packages[kind], env=environment())
    assert done.returncode == 0, done.stderr
    out = fresh.ran_well(ROOT / ".ci" / "smoke.py", murmurate.__version__)
    assert out.endswith("works\n")


@pytest.mark.parametrize("tool", ["uv", "pipx"])
def test_one_command_is_enough(wheel: Path, tool: str, tmp_path: Path) -> None:
    tools = Environment(tmp_path / "tools")
    done = ran(*INSTALL, "--python", tools.python, tool, env=environment())
    assert done.returncode == 0, done.stderr
    words = {
        "uv": ("tool", "run", "--from", wheel, "murmurate"),
        "pipx": ("run", "--spec", wheel, "murmurate"),
    }[tool]
    own = {"UV_CACHE_DIR": "uv", "PIPX_HOME": "pipx", "MURMURATE_CACHE": "kernels"}
    folders = {name: str(tmp_path / folder) for name, folder in own.items()}
    # uv looks for the Python that runs it
    program = [tools.python, "-m", tool]
    done = ran(
        *program, *words, *FILM, "film.mp4", cwd=tmp_path,
        env={**environment(), **folders, "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "film.mp4").stat().st_size > 0
