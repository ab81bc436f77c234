"""Virtual environments with nothing in them but what pip installs; they need the network.

One environment holds murmurate and what it needs itself; an environment of an extra sees that one,
and has what the extra installs beside it. So each extra is installed alone, and quickly.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from processes import ran

ROOT = Path(__file__).resolve().parents[1]
PIP = ["-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
HIDDEN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "RAY_ADDRESS")
"""Variables through which the environment of these tests would be seen."""


class Environment:
    """A virtual environment.

    beside  another one whose packages this one sees
    """

    def __init__(self, folder: Path, beside: Environment | None = None) -> None:
        venv.create(folder, symlinks=os.name != "nt")
        names = {"base": str(folder), "platbase": str(folder)}
        scheme = "nt" if os.name == "nt" else "posix_prefix"
        self.packages = Path(sysconfig.get_path("purelib", scheme, names))
        self.python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        if beside is not None:
            line = f"import site; site.addsitedir({str(beside.packages)!r})\n"
            (self.packages / "beside.pth").write_text(line)

    def run(self, *words: object, **options: Any) -> subprocess.CompletedProcess[Any]:
        """Run its Python."""
        return ran(self.python, *words, env=environment(), **options)

    def ran_well(self, *words: object, **options: Any) -> str:
        """Run its Python, which must return 0; return what it printed."""
        done = self.run(*words, **options)
        assert done.returncode == 0, f"{words} returned {done.returncode}: {done.stderr}"
        return str(done.stdout)

    def install(self, extra: str = "") -> None:
        """Install murmurate from this repository, with one extra, as the README says, by the pip
        of these tests. Modules are compiled when they are imported: most never are."""
        what = f".[{extra}]" if extra else "."
        words = [sys.executable, *PIP, "--python", self.python, "install", "--no-compile"]
        done = ran(*words, "-e", what, cwd=ROOT, env=environment())
        assert done.returncode == 0, f"pip install {what} returned {done.returncode}: {done.stderr}"


def environment() -> dict[str, str]:
    """The variables of this process without the HIDDEN ones."""
    return {name: value for name, value in os.environ.items() if name not in HIDDEN}


@cache
def index_is_reached() -> bool:
    """Whether pip gets a small package from its index."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, *PIP, "download", "--no-deps", "--no-cache-dir", "--retries", "1"]
        done = ran(*words, "--timeout", "20", "-d", folder, "tomli-w")
    return done.returncode == 0


def need_an_index() -> None:
    """Skip the test where pip cannot reach its index."""
    if not index_is_reached():
        pytest.skip("pip cannot reach a package index, so no extra can be installed here")
