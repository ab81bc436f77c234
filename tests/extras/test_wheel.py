"""A built wheel works: installed in a fresh environment, and with one command of uv and of pipx.

pytest -m long tests/extras/test_wheel.py
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import murmurate
from fresh_environment import INSTALL, ROOT, Environment, environment, need_an_index
from processes import ran

pytestmark = pytest.mark.long
FILM = ("film", "starlings", "--seconds", "0.5", "--size", "160x90", "-o")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need_an_index()
    folder = tmp_path_factory.mktemp("dist")
    done = ran(sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "-o", folder, ROOT)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    assert path.name == f"murmurate-{murmurate.__version__}-py3-none-any.whl"
    return path


def test_it_works_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    fresh = Environment(tmp_path / "venv")
    done = ran(*INSTALL, "--python", fresh.python, wheel, env=environment())
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
