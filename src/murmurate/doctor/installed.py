"""Installed libraries: those that murmurate needs and those of its extras, and how to get what is
missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path

import murmurate

MODULES = {"tomli-w": "tomli_w", "pillow": "PIL"}  # those that are imported by another name
LIBRARIES = (
    "numpy", "numba", "scipy", "pandas", "jinja2", "pydantic", "tomli-w", "platformdirs",
    "cyclopts", "rich", "av", "pillow", "starlette", "uvicorn", "websockets",
)  # fmt: skip


@dataclass(frozen=True)
class Extra:
    """One extra of murmurate's.

    gives      what works with it
    libraries  what it installs, by the names that pip knows
    """

    name: str
    gives: str
    libraries: tuple[str, ...]


EXPORTED = ("zarr", "xarray", "h5netcdf", "h5py", "pyarrow", "gsd", "usd-core")
EXTRAS = (
    Extra("record", "recordings", ("zarr", "xarray")),
    Extra("export", "recordings as files for other programs", EXPORTED),
    Extra("plot", "plots of sweeps, measures and figures", ("matplotlib",)),
    Extra("sweep", "plots of sweeps", ("matplotlib",)),
    Extra("notebook", "live flocks in notebooks", ("anywidget",)),
    Extra("pose", "tracks in SLEAP's own files", ("sleap-io",)),
    Extra("particles", "trajectories in extended XYZ and GSD", ("ase", "gsd")),
    Extra("wasm", "pages' modules flown in Python", ("wasmtime",)),
    Extra("ray", "sweeps on many machines", ("ray",)),
)


def version(library: str) -> str:
    """The installed version of a library; '' where it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""


def broken() -> dict[str, str]:
    """Those that murmurate needs and that cannot be imported, by name, with what Python says."""
    found = {}
    for name in LIBRARIES:
        try:
            import_module(MODULES.get(name, name))
        except Exception as error:  # whatever it is, the library is of no use
            first = (str(error).strip().splitlines() or [""])[0]
            found[name] = f"{type(error).__name__}: {first}"
    return found


def missing(libraries: Iterable[str]) -> list[str]:
    """Those that are not installed."""
    return [name for name in libraries if not version(name)]


def package_folder() -> Path:
    """Where murmurate is imported from."""
    return Path(murmurate.__file__).parent


def checkout() -> Path | None:
    """The folder of the repository that murmurate is imported from; None where it was installed as
    a package."""
    folder = package_folder().parent.parent
    return folder if (folder / "pyproject.toml").is_file() else None


def command_for(extras: Iterable[str]) -> str:
    """The command that installs these extras, to be run in the folder of a checkout where
    murmurate comes from one; none at all installs what murmurate itself needs."""
    names = ",".join(extras)
    wanted = "." if checkout() else "murmurate"
    return f'pip install {"-e " if checkout() else ""}"{wanted}{f"[{names}]" if names else ""}"'
