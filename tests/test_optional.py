"""What is said of an optional library that is not installed: which module, and what installs it."""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import murmurate as mm
from murmurate import optional
from murmurate.errors import MurmurateError
from processes import ran_well

HOME = Path(mm.__file__).parent
ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
BASE = {re.split(r"[<>=!~; \[]", one)[0].lower() for one in PROJECT["dependencies"]}
INSTALLS = {
    "pxr": "usd-core",
    "sleap_io": "sleap-io",
    "pythonosc": "python-osc",
    "fontTools": "fonttools",
    "sklearn": "scikit-learn",
    "arviz_base": "arviz-base",
    "arviz_stats": "arviz-stats",
}  # module -> library, where names differ
WITH = {  # module -> the library that brings it
    "numcodecs": "zarr",
    "google_crc32c": "zarr",
    "IPython": "anywidget",
    "traitlets": "anywidget",
    "joblib": "scikit-learn",
    "threadpoolctl": "scikit-learn",
    "xarray_einstats": "arviz-stats",
}
BY_OTHERS = {"zarr", "joblib", "threadpoolctl", "xarray_einstats"}
"""Modules that other libraries import, never murmurate."""


def libraries(extra: str) -> set[str]:
    return {re.split(r"[<>=!~; \[]", one)[0] for one in EXTRAS[extra]}


@pytest.mark.parametrize(("module", "extra"), optional.EXTRAS.items())
def test_each_extra_installs_its_modules(module: str, extra: str) -> None:
    library = WITH.get(module, INSTALLS.get(module, module))
    assert library in libraries(extra)
    assert extra in PROJECT["optional-dependencies"]


@pytest.mark.parametrize(
    ("module", "library"), [(m, lib) for m, lib in WITH.items() if lib != "anywidget"]
)
def test_libraries_bring_what_is_said(module: str, library: str) -> None:
    try:
        needed = metadata.requires(library) or []
    except metadata.PackageNotFoundError:
        pytest.skip(f"{library} is not installed")
    assert any(one.replace("-", "_").startswith(module) for one in needed)


def modules_that_are_imported() -> set[str]:
    """What murmurate imports that neither Python nor its own dependencies bring."""
    base = {name.replace("-", "_") for name in BASE} | {"PIL", "llvmlite", "pydantic_core", "h11"}
    base |= {"msvcrt", "winreg", "murmurate", "__future__"} | set(sys.stdlib_module_names)
    found = set()
    for path in HOME.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if set(re.findall(r"^ *(?:import|from) (\w+)", text, re.MULTILINE)) <= base:
            continue  # also prose begins a line with these words
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                found.add((node.module or "").split(".")[0])
            elif isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
    return found - base


def test_every_optional_module_is_in_the_table() -> None:
    assert modules_that_are_imported() == set(optional.EXTRAS) - BY_OTHERS


def test_no_message_is_spelled_out_elsewhere() -> None:
    """One mechanism: nothing but optional.py says what installs a module that is missing."""
    wrong = [
        path.relative_to(HOME).as_posix()
        for path in HOME.rglob("*.py")
        if re.search(r"except (ImportError|ModuleNotFoundError)", path.read_text("utf-8"))
    ]
    known = {"optional.py", "tracks/opening.py"}  # it calls missing()
    platform = {"record/durable_files.py", "engines/memory.py"}  # fcntl or msvcrt; resource
    private = {"sweeps/workers.py"}  # a user's engine
    assert set(wrong) <= known | platform | private


@pytest.mark.parametrize("module", optional.EXTRAS)
def test_a_module_that_is_missing_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MurmurateError) as caught, optional.optional("it", MurmurateError):
        importlib.import_module(module)
    extra = optional.EXTRAS[module]
    assert str(caught.value) == (
        f"it: module {module} is not installed. It comes with the extra {extra}: "
        f'pip install "murmurate[{extra}]"'
    )  # fmt: skip


def test_a_module_that_another_one_needs_is_named() -> None:
    error = ModuleNotFoundError("No module named 'donfig.config'", name="donfig.config")
    said = optional.missing(error, "recordings", "record")
    assert "module donfig is not installed" in said and '"murmurate[record]"' in said
    assert optional.missing(error, "it").endswith("pip install donfig")


def test_a_module_that_is_broken_is_not_called_missing() -> None:
    error = ImportError("undefined symbol: x", name="h5py._errors")
    assert "module h5py is installed and cannot be imported: undefined" in optional.missing(
        error, "it"
    )


BLOCK = """
import json, sys
uses, missing = json.loads(sys.argv[1]), {}
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in missing:
            raise ModuleNotFoundError("No module named " + name, name=name)
sys.meta_path.insert(0, Missing())
import murmurate as mm
REFERENCE = mm.RunOptions(engine="reference")
for module in uses:
    assert module not in sys.modules, module
    missing = {module}
    try:
        exec(uses[module])
    except mm.MurmurateError as error:
        print(error)
"""
USES = {  # module -> what needs it
    "google_crc32c": 'mm.open("a.zarr")',
    "numcodecs": 'mm.run("p5", 2, output="a.zarr", options=REFERENCE)',
    "xarray": 'mm.run("p5", 2, options=REFERENCE)',
    "matplotlib": 'mm.measure("p5", "speed", mm.RunSpec(steps=20)).save_plot("a.png")',
    "wasmtime": 'mm.Simulation("p5", engine="wasm")',
    "anywidget": 'from murmurate.notebook import widget; widget("p5")',
    "ray": 'mm.Simulation("vicsek-1995", engine="slabs")',
    "fontTools": 'mm.shape_points(5, text="HI", width=9)',
    "trimesh": 'open("a.stl", "wb").write(b"x"); mm.Mesh.from_file("a.stl", (0, 0, 0))',
    "h5py": 'open("a.h5", "wb").write(b"x"); mm.open_tracks("a.h5")',
    "pyarrow": 'open("a.parquet", "wb").write(b"x"); mm.open_tracks("a.parquet")',
    "sleap_io": 'open("a.slp", "wb").write(b"x"); mm.open_tracks("a.slp")',
    "ase": 'open("a.xyz", "wb").write(b"x"); mm.open_tracks("a.xyz")',
    "gsd": 'open("a.gsd", "wb").write(b"x"); mm.open_tracks("a.gsd")',
}


@pytest.mark.slow
def test_what_needs_it_says_so(tmp_path: Path) -> None:
    """One process uses all, and lacks one module each time, which nothing has imported before."""
    pytest.importorskip("zarr")
    said = ran_well(sys.executable, "-c", BLOCK, json.dumps(USES), cwd=tmp_path).splitlines()
    for (module, _), line in zip(USES.items(), said, strict=True):
        assert f"module {module} is not installed" in line
        assert f'pip install "murmurate[{optional.EXTRAS[module]}]"' in line
