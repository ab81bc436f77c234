"""Which tests run when: the table of folders and files whose tests are all slow, and `--changed`.

A test is slow by its own mark, or because it stands in this table. `pytest` does not run them, nor
import the files of this table. `pytest -m slow` does not import files without slow tests.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from packages import TESTS, affected

DEFAULT = "not slow and not long and not site"
"""The marks that `pytest` selects, as in pyproject.toml."""

SLOW = (
    "browser",  # Chromium
    "cli/test_gpu_commands.py",  # WebGPU
    "cli/test_program.py",  # processes that are ended, full disks, closed pipes
    "docs/test_docs_in_a_kernel.py",  # a Jupyter kernel
    "docs/test_docs_types.py",  # mypy
    "exports/test_export_usd_film.py",  # scenes of USD: the others are in test_export_usd.py
    "engines/test_device.py",  # processes of devices
    "engines/test_gpu.py",  # a second compiler, on a device
    "engines/slabs",  # workers in other processes
    "engines/wasm",  # a second compiler, wasmtime and Node
    "live_view/test_lost_device.py",  # a device
    "extras",  # an environment for each extra
    "fuzz",  # searches
    "sweeps/test_killed_commands.py",  # processes that are ended
    "sweeps/test_ray.py",  # a cluster of Ray
)
"""Folders and files below `tests` whose tests are all slow."""
INTERPRETED = (
    "analysis", "bench", "cli", "docs", "effects", "exports", "live_view/test_drawing.py",
    "notebook", "plots", "record/test_check.py", "record/test_damage.py",
    "record/test_files_of_0_1_0.py", "record/test_recorded_populations.py",
    "verify/test_verdicts.py", "verify/test_verify.py",
)  # fmt: skip
"""Folders and files whose default tests let Python execute the text of kernels, unless they have
the mark `compiled`: they test what uses an engine, with few boids and steps."""
ONLY_MARKED = re.compile(r"\(?(slow|long|site)\b(?!.* or not ).*")
"""Expressions that select no test without a mark."""
MARKS = ("slow", "long", "site")
MARKED = re.compile(rf"mark\.({'|'.join(MARKS)})\b|as_params")
"""What stands in a file that has marked tests of its own."""


def add_options(parser: pytest.Parser) -> None:
    """Add `--changed` to the command line of pytest."""
    parser.addoption(
        "--changed",
        nargs="?",
        const="HEAD",
        metavar="COMMIT",
        help="run only the tests that can notice a change since a commit (default: HEAD, what is "
        "not committed): those of the changed packages, and of packages that import them",
    )


def changed_files(commit: str) -> list[str]:
    """Return the files that differ from a commit, also those that git does not know yet.

    Raises
    ------
    pytest.UsageError
        If this is not a checkout, or has no such commit.
    """
    names: list[str] = []
    for words in (
        ["diff", "--name-only", "--no-renames", commit, "--"],
        ["ls-files", "--others", "--exclude-standard"],
    ):
        done = subprocess.run(["git", *words], cwd=TESTS.parent, capture_output=True, text=True)
        if done.returncode:
            raise pytest.UsageError(f"--changed: git says: {done.stderr.strip()}")
        names += done.stdout.splitlines()
    return names


class Selection:
    """The files of tests that this run needs.

    Parameters
    ----------
    marks : str
        The expression given with `-m`.
    changed : str or None
        The commit given with `--changed`.
    """

    def __init__(self, marks: str, changed: str | None) -> None:
        self.fast = marks == DEFAULT
        self.only_marked = ONLY_MARKED.fullmatch(marks) is not None
        self.affected = None if changed is None else affected(changed_files(changed))

    def excludes(self, path: Path) -> bool:
        """Tell whether no test of a file or folder can be selected."""
        name = path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else "."
        if self.fast and within(name, SLOW):
            return True
        if (
            self.only_marked
            and path.suffix == ".py"
            and not (within(name, SLOW) or has_marks(path))
        ):
            return True
        if self.affected is None or path.is_dir() or "/" not in name:
            return False  # files directly in tests check all packages
        return not within(name, self.affected)


def within(name: str, places: set[str] | tuple[str, ...]) -> bool:
    """Tell whether a file is, or is in, one of some files and folders."""
    return any(name == place or name.startswith(f"{place}/") for place in places)


@cache
def has_marks(path: Path) -> bool:
    """Tell whether a file has marked tests by its text, so that it need not be imported."""
    return MARKED.search(path.read_text(encoding="utf-8")) is not None


def is_slow(path: Path) -> bool:
    """Tell whether the table says that the tests of a file are slow."""
    return within(path.relative_to(TESTS).as_posix(), SLOW)


def is_interpreted(item: pytest.Item) -> bool:
    """Tell whether Python executes the kernels of a test: see INTERPRETED."""
    marked = any(map(item.get_closest_marker, (*MARKS, "compiled")))
    return not marked and within(item.path.relative_to(TESTS).as_posix(), INTERPRETED)
