"""Which tests compile the same kernels: those of one model, else those of one file."""

from __future__ import annotations

from pathlib import Path

import pytest

import murmurate as mm
import pairwise
import structures_first
from structures import STRUCTURES

TESTS = Path(__file__).parents[1]
EDGES = "metric and nearest"
"""The models of structures_first.py."""
WASM = "modules of pages"
"""Files that compile modules: a process compiles functions of all modules with its first one."""
FILES = {
    "engines/parity/test_edges.py": EDGES,
    **{path.relative_to(TESTS).as_posix(): WASM for path in TESTS.glob("engines/wasm/test_*.py")},
    **{
        f"browser/test_{name}.py": WASM
        for name in ("flight_page", "edited_page", "target_sizes", "webgpu_page", "webgpu_controls")
    },
    "live_view/test_session_pages.py": "live_view/test_session.py",
    "browser/test_embedded_page.py": "browser/test_accessibility.py",
}
"""Files whose tests simulate the models of another group."""
LONG_FIRST = (
    "extras", "fuzz", "engines", "record", "rules", "docs", "sweeps", "verify", "zoo", "fitting",
    "codegen", "cli", "tracks", "test_disk.py",
)  # fmt: skip
"""Folders and files whose groups take long."""
BESIDE = ("engines", "record", "rules", "docs", "sweeps", "verify", "zoo")
"""Folders whose tests compute. Tests of pages wait: some begin before each of these."""
PAGES = sorted((TESTS / "browser").glob("test_*.py"))
ALONE = ("fuzz/test_fuzz.py", "docs/test_docs_pages.py", "docs/test_lessons.py")
"""Files whose tests have nothing in common, and take long: a group each."""
RECORDINGS = "recordings"
"""Tests of exports, whose recordings one worker makes, without a kernel."""
TOGETHER = ("rules/test_rules.py", "docs/test_docs_verdicts.py")
"""Files whose tests all simulate one model, or none, whatever their parameters."""
GROUPS = {
    **{name: name for name in (*mm.zoo(), *STRUCTURES, *pairwise.ROWS, *pairwise.COMPLEX)},
    **{name: EDGES for name in structures_first.STRUCTURES},
}


def begins(item: pytest.Item) -> int:
    """When a test is to begin: those of a smaller number first."""
    if item.get_closest_marker("site"):
        return -1
    folder = item.path.relative_to(TESTS).parts[0]
    if item.path in PAGES:
        folder = BESIDE[PAGES.index(item.path) % len(BESIDE)]
    return LONG_FIRST.index(folder) if folder in LONG_FIRST else len(LONG_FIRST)


def group_of(item: pytest.Item) -> str:
    """The model that a test is given by name, or its file."""
    given = getattr(item, "callspec", None)
    file = item.path.relative_to(TESTS).as_posix()
    if "recordings" in getattr(item, "fixturenames", ()):
        return RECORDINGS
    if file in ALONE:
        return f"{file}::{item.name}"
    for value in given.params.values() if given and file not in TOGETHER else ():
        if isinstance(value, str) and value in GROUPS:
            return GROUPS[value]
    return FILES.get(file, file)
