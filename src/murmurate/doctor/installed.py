"""List the libraries that murmurate and its extras need, and the commands that install them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path

import murmurate

MODULES = {"tomli-w": "tomli_w", "pillow": "PIL"}  # package -> module, if the names differ
LIBRARIES = (
    "numpy", "numba", "scipy", "pandas", "jinja2", "lazy_loader", "pydantic", "tomli-w",
    "platformdirs", "cyclopts", "rich", "av", "pillow", "starlette", "uvicorn", "websockets",
)  # fmt: skip


@dataclass(frozen=True)
class Extra:
    """An extra of murmurate.

    Attributes
    ----------
    name : str
    features : str
        What works with it.
    libraries : tuple of str
        The packages that it installs, by their names in pip.
    """

    name: str
    features: str
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
    Extra("shapes", "flocks that form words and drawings", ("fonttools",)),
    Extra("gpu", "engine gpu, on graphics cards", ("wgpu",)),
    Extra("wasm", "modules of pages in Python", ("wasmtime",)),
    Extra("ray", "sweeps on many machines", ("ray",)),
)


def installed_version(library: str) -> str:
    """Return the installed version of a library; '' if it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""


def find_broken() -> dict[str, str]:
    """Return name -> error of the required libraries that cannot be imported."""
    errors = {}
    for name in LIBRARIES:
        try:
            import_module(MODULES.get(name, name))
        except Exception as error:  # with any error, the library is of no use
            first_line = (str(error).strip().splitlines() or [""])[0]
            errors[name] = f"{type(error).__name__}: {first_line}"
    return errors


def find_missing(libraries: Iterable[str]) -> list[str]:
    """Return the libraries that are not installed."""
    return [name for name in libraries if not installed_version(name)]


def package_folder() -> Path:
    """Return the folder from which murmurate is imported."""
    return Path(murmurate.__file__).parent


def checkout_folder() -> Path | None:
    """Return the folder of the repository; None if murmurate is installed as a package."""
    folder = package_folder().parent.parent
    return folder if (folder / "pyproject.toml").is_file() else None


def install_command(extras: Iterable[str]) -> str:
    """Return the command that installs these extras; without extras, the required libraries.

    The command for a checkout must run in its folder.
    """
    names = ",".join(extras)
    options, package = ("-e ", ".") if checkout_folder() else ("", "murmurate")
    return f'pip install {options}"{package}{f"[{names}]" if names else ""}"'
