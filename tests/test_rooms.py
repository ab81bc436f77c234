"""The order of the house: a room imports only rooms to its left; nothing heavy comes in early."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import murmurate

SOURCE = Path(murmurate.__file__).parent
ROOMS = ["errors", "model", "rules", "build", "frame", "engine", "measures", "show"]
# measures, show and whatever else reads frames know nothing of rules, kernels and engines
SINKS = {
    "measures": {"errors", "model", "frame"},
    "show": {"errors", "model", "frame", "measures"},
}
JOINTS = {"simulation", "run", "cli", "bench", "__main__", "__init__"}


def imported(path: Path) -> set[str]:
    """The rooms that a file imports, also inside functions."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "murmurate":
                names = [f"murmurate.{alias.name}" for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("murmurate.")}
    return rooms


def files() -> list[Path]:
    return sorted(p for p in SOURCE.rglob("*.py") if "__pycache__" not in p.parts)


@pytest.mark.parametrize("path", files(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_room_imports_only_rooms_to_its_left(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if room in JOINTS:
        return
    allowed = SINKS.get(room) or set(ROOMS[: ROOMS.index(room) + 1])
    assert imported(path) - {room} <= allowed


def test_every_room_is_in_the_order() -> None:
    found = {p.relative_to(SOURCE).parts[0].removesuffix(".py") for p in files()}
    assert found == set(ROOMS) | JOINTS


def test_importing_murmurate_imports_nothing_heavy() -> None:
    heavy = ["numpy", "numba", "scipy", "av", "PIL", "rich", "cyclopts", "matplotlib"]
    code = f"import sys, murmurate; print([m for m in {heavy} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
