"""Random cases: with -m slow some dozen, the same ones every time; with -m long
MURMURATE_FUZZ_CASES of each kind (5000), of the seed MURMURATE_FUZZ_SEED (1).

Whatever is asked of the command line, or comes in files and messages, there is an exit code and a
message, within limits of time and memory, and nothing is written elsewhere (guard.py).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from processes import ran

PROGRAM = Path(__file__).parent / "run_cases.py"
CASES = {
    "commands": 3, "models": 3, "folders": 1, "tracks": 20, "messages": 20,
    "headers": 10, "states": 1,
}  # fmt: skip
"""How many cases of each kind are tried with -m slow, by one process."""
KINDS = (*CASES, "names", "solids")  # whose cases compile a model each
SIZES = {"tables": 8, "numbers": 8, "meshes": 8, "rules": 16}
"""Kinds of hostile_sizes.py, and which part of their cases is tried with -m slow: each n-th."""
HOURS = 6 * 3600.0  # seconds; each case has a limit of its own, see run_cases.py


def run(*kinds: str, seed: str, cases: int = 0, limit: float) -> None:
    done = ran(
        sys.executable, PROGRAM, *kinds, "--seed", seed, "--cases", cases, limit=limit,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    # what went wrong, and the last lines of a process that was ended
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"


def test_random_cases() -> None:
    run(*(f"{kind}={cases}" for kind, cases in CASES.items()), seed="0", limit=HOURS)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("every", ["some", pytest.param("all", marks=pytest.mark.long)])
def test_hostile_sizes(kind: str, every: str) -> None:
    nth = SIZES[kind] if every == "some" else 1
    done = ran(sys.executable, PROGRAM.with_name("hostile_sizes.py"), kind, nth)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_cases(kind: str) -> None:
    seed = os.environ.get("MURMURATE_FUZZ_SEED", "1")
    cases = int(os.environ.get("MURMURATE_FUZZ_CASES", "5000"))
    run(kind, seed=seed, cases=cases, limit=HOURS)
