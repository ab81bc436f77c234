"""Virtual environments that contain only what the project declares; they need the network.

uv installs into them: it links files from its cache, so that a second environment takes a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from processes import ran

ROOT = Path(__file__).resolve().parents[2]
INSTALL = [sys.executable, "-m", "uv", "pip", "install", "--quiet"]
HIDDEN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "RAY_ADDRESS")
"""Variables through which the environment of these tests would be seen."""


class Environment:
    """A virtual environment."""

    def __init__(self, folder: Path, create: bool = True) -> None:
        if create:
            venv.create(folder, symlinks=os.name != "nt")
        self.python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"

    def run(self, *words: object, **options: Any) -> subprocess.CompletedProcess[Any]:
        """Run its Python."""
        return ran(self.python, *words, env=environment(), **options)

    def ran_well(self, *words: object, **options: Any) -> str:
        """Run its Python, which must return 0; return what it printed."""
        done = self.run(*words, **options)
        assert done.returncode == 0, f"{words} returned {done.returncode}: {done.stderr}"
        return str(done.stdout)

    def install(self, extra: str = "") -> None:
        """Install murmurate from this repository, with one extra."""
        what = f".[{extra}]" if extra else "."
        done = ran(*INSTALL, "--python", self.python, "-e", what, cwd=ROOT, env=environment())
        assert done.returncode == 0, f"installing {what} returned {done.returncode}: {done.stderr}"


def environment() -> dict[str, str]:
    """The variables of this process without the HIDDEN ones."""
    return {name: value for name, value in os.environ.items() if name not in HIDDEN}


@cache
def index_is_reached() -> bool:
    """Whether uv gets a small package from its index."""
    words = [*INSTALL, "--dry-run", "--no-cache", "--no-deps", "--reinstall", "tomli-w"]
    return ran(*words, "--python", sys.executable).returncode == 0


def need_an_index() -> None:
    """Skip the test where uv reaches no index."""
    if not index_is_reached():
        pytest.skip("uv reaches no package index, so no extra can be installed here")
