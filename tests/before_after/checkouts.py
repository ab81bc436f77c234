"""Runs a program of this folder in a checkout: in a process of its own, which imports the package
and the shared parts of tests from there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
IMPORTED = ("src", "tests/support", "tests")  # "tests": earlier versions have no "support"


def ran_in(checkout: str | Path, program: str, *words: str) -> str:
    """Return what a program prints. A checkout that has a program of this name runs its own, which
    knows its interfaces; others run that of this checkout."""
    root = Path(checkout).resolve()
    if not (root / "src" / "murmurate").is_dir():
        sys.exit(f"{checkout}: got no checkout of murmurate; expected a folder with src/murmurate")
    own = root / "tests" / "before_after" / program
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(root / part) for part in IMPORTED),
        "MURMURATE_CACHE": str(root / ".pytest_cache" / "kernels"),
    }
    done = subprocess.run(
        [sys.executable, own if own.exists() else HERE / program, *words],
        stdout=subprocess.PIPE, text=True, env=environment, cwd=root,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{checkout}: {program} ended with exit code {done.returncode}")
    return done.stdout


def texts_of(checkout: str | Path, only: list[str]) -> dict[str, str]:
    """Return the texts of kernels of a checkout, by name."""
    found: dict[str, Any] = json.loads(ran_in(checkout, "texts.py", *only))
    return found
