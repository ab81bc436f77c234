"""The house is built in rooms, and a room imports only rooms to its left."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import murmurate
from processes import ran_well

HOME = Path(murmurate.__file__).parent

# Room -> the rooms it may import from. All may import `errors` and `version`; what is not
# listed here may be imported by none, so a new room needs a line.
MAY = {
    "errors": set(),
    "display": set(),
    "version": set(),
    "model": set(),
    "rules": {"model"},
    "codegen": {"model", "rules"},
    "frame": {"model"},
    "neighbours": {"model"},
    "engine": {"model", "rules", "codegen", "frame", "neighbours"},
    "measures": {"model", "frame", "neighbours"},
    "record": {"model", "frame", "measures", "display"},
    "show": {"model", "frame", "measures"},
    "exports": {"model", "frame", "record", "show"},
    "zoo": set(),
}
# These join the rooms, and may use all of them.
JOIN = {
    "live",
    "runs",
    "analysis",
    "fitting",
    "cli",
    "bench",
    "__init__",
    "__main__",
    "notebook",
    "sweeps",
    "verify",
}

# These are heavy, or not needed by everyone: importing murmurate brings in none of them.
HEAVY = ["numba", "llvmlite", "av", "PIL", "scipy", "rich", "cyclopts", "matplotlib"]
HEAVY += ["zarr", "xarray", "pandas", "ray"]
HEAVY += ["starlette", "uvicorn"]


def room(path: Path) -> str:
    return path.relative_to(HOME).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The rooms that a file imports from, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are written out in full"
            names = [node.module] if node.module != "murmurate" else [
                f"murmurate.{alias.name}" for alias in node.names
            ]  # fmt: skip
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("murmurate.")}
    return found


FILES = sorted(path for path in HOME.rglob("*.py") if room(path) not in JOIN)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOME)))
def test_a_room_imports_only_from_its_left(path: Path) -> None:
    mine = room(path)
    assert mine in MAY, f"{mine} is a new room: say in this test what it may import"
    wrong = imported(path) - MAY[mine] - {mine, "errors", "version"}
    assert not wrong, f"{path.relative_to(HOME)} imports from {', '.join(sorted(wrong))}"


def test_the_law_has_no_circles() -> None:
    """Of two rooms at most one may import the other."""
    for mine, others in MAY.items():
        for other in others:
            assert mine not in MAY[other], f"{mine} and {other} import each other"


def loaded_after(code: str) -> set[str]:
    code += "; import sys; print(' '.join(m for m in sys.modules if '.' not in m))"
    return set(ran_well(sys.executable, "-c", code).split())


def test_importing_murmurate_is_light() -> None:
    assert not loaded_after("import murmurate").intersection(HEAVY)


def test_reading_a_model_needs_no_compiler() -> None:
    code = "import murmurate as mm; mm.Model(space={'size': [1, 1]}, flocks={'a': {'count': 1}})"
    assert not loaded_after(code).intersection(["numba", "llvmlite", "av", "scipy"])


def test_the_reference_engine_needs_no_compiler() -> None:
    code = (
        "import murmurate as mm; "
        "m = mm.Model(space={'size': [1, 1]}, flocks={'a': {'count': 2}}, rules={'cohesion': {}}); "
        "mm.Simulation(m, engine='reference').step(2)"
    )
    assert not loaded_after(code).intersection(["numba", "llvmlite"])
