"""Which package may import which, and so which tests a change can break."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]

MAY: dict[str, set[str]] = {
    "errors": set(),
    "version": set(),
    "display": set(),
    "dtypes": set(),
    "syntax": set(),
    "optional": set(),
    "disk": set(),
    "tables": set(),
    "activity": set(),
    "jit": {"codegen"},
    "number_text": set(),
    "public_names": set(),
    "zoo": set(),
    "model": {"display"},
    "rules": {"model"},
    "schema": {"model", "rules"},
    "frame": {"model", "neighbours"},
    "neighbours": {"model"},
    "language": {"model"},
    "codegen": {"model", "rules", "language"},
    "engines": {"model", "rules", "language", "codegen", "frame", "neighbours"},
    "measures": {"model", "frame", "neighbours"},
    "record": {"model", "frame", "engines", "measures", "display"},
    "tracks": {"model", "frame", "neighbours", "record"},
    "show": {"model", "frame", "measures", "display"},
    "environments": {
        "model", "rules", "codegen", "neighbours", "engines", "measures", "show", "runs",
    },
    "flights": {"model"},
    "exports": {"model", "frame", "record", "tracks", "show", "runs", "flights"},
    "classroom": {"model"},
    "runs": {
        "model", "frame", "language", "codegen", "engines", "measures", "record", "tracks",
        "show", "classroom", "display",
    },
    "live_view": {
        "model", "language", "frame", "neighbours", "engines", "measures", "show", "runs",
    },
    "notebook": {"model", "frame", "engines", "record", "show", "runs", "live_view"},
    "sweeps": {
        "model", "rules", "schema", "frame", "engines", "measures", "record", "tracks", "runs",
    },
    "verify": {"model", "codegen", "frame", "engines", "measures", "runs", "sweeps"},
    "plots": {"model", "measures", "tracks", "show", "sweeps", "verify"},
    "analysis": {
        "model", "frame", "engines", "measures", "record", "tracks", "runs", "plots",
    },
    "interactions": {"model", "rules", "neighbours", "measures", "tracks", "plots", "runs"},
    "fitting": {
        "model", "rules", "schema", "engines", "measures", "tracks", "runs", "sweeps", "plots",
        "analysis",
    },
    "effects": {"model", "schema", "engines", "measures", "sweeps", "plots", "fitting"},
    "__init__": {
        "model", "rules", "frame", "measures", "record", "tracks", "show", "exports", "runs",
        "flights", "classroom", "notebook", "engines", "sweeps", "analysis", "interactions",
        "fitting", "effects", "display",
    },
    "bench": {"model", "engines", "runs", "__init__"},
    "doctor": {"engines", "runs", "bench", "__init__"},
    "cli": {
        "model", "rules", "schema", "frame", "codegen", "engines", "measures", "record", "tracks",
        "show", "exports", "runs", "live_view", "sweeps", "verify", "plots", "analysis",
        "interactions", "fitting", "effects", "environments", "bench", "doctor", "flights",
        "classroom",
    },
    "__main__": {"cli"},
}  # fmt: skip
"""Package or module -> the packages and modules that it may import, at the top of a file or
within a function. All may also import `OPEN_TO_ALL`."""

OPEN_TO_ALL = (
    "version", "errors", "dtypes", "syntax", "optional", "disk", "tables",
    "activity", "jit", "number_text", "public_names",
)  # fmt: skip

CHECKS = {
    "before_after": {"codegen", "engines"},
    "browser": {"show", "live_view", "notebook", "classroom"},
    "docs": set(MAY),
    "extras": set(MAY),
    "fuzz": set(MAY),
    "rules": {"language", "codegen", "engines"},
    "zoo": set(MAY),
}
"""Folder of tests -> packages that its tests check, besides the one that it is named after."""

TESTED_BY = {"docs": "docs", "examples": "docs", "viewer": "browser", "benchmarks": "bench"}
"""Folders of the repository beside the source -> the folder of their tests."""


def importers(package: str) -> set[str]:
    """A package and all that import it, also through others."""
    if package in OPEN_TO_ALL:
        return set(MAY)
    found = {package}
    while new := {name for name, may in MAY.items() if may & found} - found:
        found |= new
    return found


def affected(paths: Iterable[str]) -> set[str] | None:
    """Find the tests that a change of some files can break.

    Parameters
    ----------
    paths : iterable of str
        Changed files, relative to the root of the repository, with `/`.

    Returns
    -------
    set of str or None
        Folders and files below `tests`; None for all tests.
    """
    packages: set[str] = set()
    tests: set[str] = set()
    for path in paths:
        top, *parts = path.split("/")
        if top == "src":
            packages |= importers(parts[1].removesuffix(".py"))
        elif top == "tests" and len(parts) > 1 and parts[-1].startswith("test_"):
            tests.add("/".join(parts))
        elif top == "tests" and len(parts) > 1 and parts[0] != "support":
            # what the tests of a folder use
            tests.add(parts[0])
        elif top in TESTED_BY:
            tests.add(TESTED_BY[top])
        elif path.endswith(".md"):
            tests.add("docs")
        else:  # the configuration, or what all tests share
            return None
    folders = {folder for folder, checked in CHECKS.items() if checked & packages}
    return tests | folders | {name for name in packages if (TESTS / name).is_dir()}
