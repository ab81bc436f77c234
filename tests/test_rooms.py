"""Packages import one way, as `packages.py` states."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

import murmurate
from cases import cases
from packages import CHECKS, MAY, OPEN_TO_ALL, TESTS, affected
from parsed import read_trees
from processes import ran_well

HOME = Path(murmurate.__file__).parent

# These are heavy, or not needed by everyone: importing murmurate brings in none of them.
HEAVY = ["numba", "llvmlite", "av", "PIL", "scipy", "rich", "cyclopts", "matplotlib", "jinja2"]
HEAVY += ["zarr", "xarray", "pandas", "ray"]
HEAVY += ["starlette", "uvicorn"]

OPEN = {f"murmurate.{name}" for name in OPEN_TO_ALL}

MODULES = {
    "murmurate." + ".".join(path.relative_to(HOME).with_suffix("").parts): path
    for path in sorted(HOME.rglob("*.py"))
}


def room(path: Path) -> str:
    return path.relative_to(HOME).parts[0].removesuffix(".py")


def module_of(name: str) -> str:
    """The module of that dotted name, a package's face included; '' for what is none."""
    return next((one for one in (name, f"{name}.__init__") if one in MODULES), "")


@cache
def all_imported() -> dict[str, set[str]]:
    """The modules of murmurate that each one imports."""
    read = read_trees(MODULES.values(), imported)
    return {module: read[path] for module, path in MODULES.items()}


def imported(tree: ast.Module) -> set[str]:
    """The modules of murmurate that a file imports, wherever in it the import stands: at the top,
    in a function, or for type checkers only."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{node.module}: imports are written out in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if module_of(name) else node.module for name in names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {module_of(name) for name in names if name.split(".")[0] == "murmurate"}
    return found - OPEN


def test_every_file_stands_in_a_room() -> None:
    assert {room(path) for path in MODULES.values()} | {"zoo"} == set(MAY)


@cases("module", MODULES)
def test_a_room_imports_only_what_it_may(module: str) -> None:
    mine = room(MODULES[module])
    wrong = {room(MODULES[name]) for name in all_imported()[module]} - MAY[mine] - {mine}
    assert not wrong, f"{module} imports from {', '.join(sorted(wrong))}"


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Names that lead back to where they began, or none."""
    done: set[str] = set()

    def walk(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for other in sorted(arrows[name]):
            if found := walk(other, [*way, name]):
                return found
        done.add(name)
        return []

    return next(filter(None, (walk(name, []) for name in arrows)), [])


def test_circles_are_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_rooms_have_no_circles() -> None:
    assert not circle(MAY)


def test_files_have_no_circles() -> None:
    """A package's face (its __init__) counts as what it imports at once, not lazily."""
    assert not circle(all_imported())


USES = {
    "importing murmurate": ("import murmurate as mm", HEAVY),
    "reading a model": (
        "m = mm.Model(space={'size': [1, 1]}, flocks={'a': {'count': 2}}, rules={'cohesion': {}})",
        ["numba", "llvmlite", "av", "scipy"],
    ),
    "engine reference": (
        "mm.Simulation(m, engine='reference').step(2)",
        ["numba", "llvmlite"],
    ),
    "a run without a recording": (
        "from murmurate.cli.app import run; "
        "assert run('run ucl --boids 5 --steps 2 --engine reference --quiet'.split()) == 0",
        ["zarr", "xarray", "numcodecs", "ray", "matplotlib"],
    ),
    "measuring a model and tracks": (
        "few = mm.load('ucl').set({'flocks.boids.count': 5}); "
        "mm.measure(few, 'polarization', mm.RunSpec(steps=4, every=1, engine='reference')); "
        "mm.measure('fish.csv', 'polarization'); "
        "assert run(['info', 'fish.csv', '--json']) == 0",
        ["zarr", "xarray", "numcodecs", "google_crc32c"],
    ),
}
"""Use -> its code, and packages that no use up to it imports."""


def test_a_use_imports_only_what_it_needs(tmp_path: Path) -> None:
    tracks = "frame,id,x,y\n0,1,0,0\n0,2,5,0\n1,1,1,0\n1,2,6,0\n2,1,2,0\n2,2,7,0\n"
    (tmp_path / "fish.csv").write_text(tracks)
    report = "print('loaded:', *(m for m in sys.modules if '.' not in m))"
    lines = ["import sys", *(f"{code}; {report}" for code, _ in USES.values())]
    printed = ran_well(sys.executable, "-c", "\n".join(lines), cwd=tmp_path).splitlines()
    loaded = [set(line.split()[1:]) for line in printed if line.startswith("loaded: ")]
    for (use, (_, without)), modules in zip(USES.items(), loaded, strict=True):
        assert modules and not modules.intersection(without), use


def test_a_change_is_tested_where_it_is_seen() -> None:
    plots = affected(["src/murmurate/plots/axes.py"])
    assert plots and {"plots", "cli", "docs", "zoo"} <= plots and not {"model", "tracks"} & plots
    model = affected(["src/murmurate/model/values.py"])
    assert model and {"model", "engines", "rules", "cli", "browser"} <= model
    assert affected(["tests/cli/test_program.py"]) == {"cli/test_program.py"}
    assert affected(["tests/engines/parity/page.mjs", "README.md"]) == {"engines", "docs"}
    assert affected(["src/murmurate/errors.py"]) >= {"model", "tracks", "cli"}
    assert affected(["pyproject.toml"]) is affected(["tests/support/structures.py"]) is None
    assert affected([]) == set()


def test_a_folder_of_tests_is_named_after_what_it_checks() -> None:
    folders = {path.parent.relative_to(TESTS).parts[:1] for path in TESTS.rglob("test_*.py")}
    assert {parts[0] for parts in folders if parts} <= set(MAY) | set(CHECKS)
