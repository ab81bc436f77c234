"""Objects that come with the package: found by their sources, and never used when damaged."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from murmurate.codegen.shipped_objects import ENDING, shipped_object, write_objects
from murmurate.engines.wasm import start_functions, target
from murmurate.engines.wasm.module_compiler import ModuleObject
from murmurate.engines.wasm.start_module import start_object
from processes import ran_well

OBJECTS = {"first": b"\0asm" + bytes(range(256)), "second": b"", "third": b"\xff" * 70_000}
MAKER = Path(__file__).parents[2] / "viewer" / "make_objects.py"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "objects"
    write_objects(OBJECTS, path)
    return path


def not_compiled() -> bytes:
    raise AssertionError("it is compiled")


def test_objects_are_found_by_name(folder: Path) -> None:
    assert {name: shipped_object(name, folder) for name in OBJECTS} == OBJECTS
    assert shipped_object("fourth", folder) is None
    assert shipped_object("first", folder / "none") is None


def test_objects_replace_old_ones(folder: Path) -> None:
    unchanged = (folder / f"first{ENDING}").read_bytes()
    write_objects({"fourth": b"new", "first": OBJECTS["first"]}, folder)
    assert sorted(path.name for path in folder.iterdir()) == [f"first{ENDING}", f"fourth{ENDING}"]
    assert (folder / f"first{ENDING}").read_bytes() == unchanged


def test_a_damaged_object_is_missing(folder: Path) -> None:
    """Whichever byte of the file is another one, or is where it ends."""
    path = folder / f"first{ENDING}"
    contents = path.read_bytes()
    for at in range(len(contents)):
        changed = contents[:at] + bytes([contents[at] ^ 1]) + contents[at + 1 :]
        for damaged in (contents[:at], changed):
            path.write_bytes(damaged)
            assert shipped_object("first", folder) is None


def test_an_object_under_another_name_is_missing(folder: Path) -> None:
    (folder / f"first{ENDING}").rename(folder / f"other{ENDING}")
    assert shipped_object("other", folder) is None


def test_nothing_is_compiled_that_comes_with_the_package(folder: Path) -> None:
    assert ModuleObject("third", "flock", not_compiled).load(folder) == OBJECTS["third"]


def test_what_does_not_come_with_it_is_compiled_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path / "cache"))
    assert ModuleObject("fourth", "flock", lambda: b"compiled").load(folder) == b"compiled"
    assert ModuleObject("fourth", "flock", not_compiled).load(folder) == b"compiled"


def test_the_name_of_an_object_follows_from_its_sources() -> None:
    def name(
        kind: str = "kind", texts: tuple[str, ...] = ("a = 1", "b = 2"), *modules: object
    ) -> str:
        return ModuleObject.of(kind, "title", not_compiled, texts, modules).name  # type: ignore[arg-type]

    names = {
        name(), name("other"), name("kind", ("a = 1", "b = 3")), name("kind", ("b = 2", "a = 1")),
        name("kind", ("a = 1", "b = 2"), target),
        name("kind", ("a = 1", "b = 2"), start_functions),
    }  # fmt: skip
    assert len(names) == 6
    assert name() == ModuleObject.of("kind", "else", not_compiled, ("a = 1  # one", "b = 2")).name
    assert start_object().name == start_object().name


@pytest.mark.slow
def test_pages_and_kernels_that_come_with_the_package_are_there() -> None:
    """Otherwise: python viewer/make_objects.py, as for the bundle of the viewer.

    In a process of its own, since kernels of all functions that were called count.
    """
    assert ran_well(sys.executable, MAKER, "--check") == "complete\n"


@pytest.mark.slow
def test_a_first_film_and_view_of_starlings_import_no_numba(tmp_path: Path) -> None:
    code = (
        "import murmurate as mm, sys\n"
        "from murmurate.show.wire_format import encode\n"
        "simulation = mm.Simulation(mm.load('starlings'))\n"
        "encode(simulation.frame)\n"
        f"mm.film(simulation, {str(tmp_path / 'film.mp4')!r}, view=mm.View(steps=2, warm_up=1))\n"
        "print('numba' in sys.modules)"
    )
    environment = {**os.environ, "MURMURATE_CACHE": str(tmp_path / "cache")}
    assert ran_well(sys.executable, "-c", code, env=environment).split() == ["False"]
