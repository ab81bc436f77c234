"""Optional dependencies: the extras, and the one message for a missing module.

A module of `EXTRAS` is imported where it is needed:

    with optional("plots", MeasureError):
        from matplotlib.figure import Figure

`pyproject.toml` lists what each extra installs; a test compares it with `INSTALLABLE`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module

from murmurate.errors import MurmurateError


@dataclass(frozen=True)
class Extra:
    """An extra of murmurate.

    features  what works with it
    libraries  the packages that it installs, by their names in pip
    """

    name: str
    features: str
    libraries: tuple[str, ...]


EXPORTED = ("zarr", "xarray", "h5netcdf", "h5py", "pyarrow", "gsd", "usd-core")
INSTALLABLE = (
    Extra("record", "recordings", ("zarr", "xarray")),
    Extra("export", "recordings as files for other programs", EXPORTED),
    Extra("plot", "plots of sweeps, measures and figures", ("matplotlib",)),
    Extra("sweep", "plots of sweeps", ("matplotlib",)),
    Extra("notebook", "live flocks in notebooks", ("anywidget",)),
    Extra("pose", "tracks in SLEAP's own files", ("sleap-io",)),
    Extra("particles", "trajectories in extended XYZ and GSD", ("ase", "gsd")),
    Extra("mocap", "motion capture in C3D", ("c3d",)),
    Extra("robots", "flights as ROS 2 bags", ("zarr", "xarray", "rosbags")),
    Extra("shapes", "flocks that form words and drawings", ("fonttools",)),
    Extra("mesh", "obstacles from STL, OBJ, PLY and GLB files", ("trimesh",)),
    Extra(
        "infer",
        "posteriors of fits, sensitivity",
        ("scikit-learn", "arviz-base", "arviz-stats", "xarray", "h5netcdf", "h5py", "SALib"),
    ),
    Extra("osc", "numbers of a live view by OSC", ("python-osc",)),
    Extra("gpu", "engine gpu, on graphics cards", ("wgpu",)),
    Extra("wasm", "modules of pages in Python", ("wasmtime",)),
    Extra("rl", "environments for learners", ("gymnasium", "pettingzoo")),
    Extra("ray", "sweeps on many machines", ("ray",)),
)
MODULES = {
    "zarr": ("zarr", "numcodecs", "google_crc32c"),
    "anywidget": ("anywidget", "traitlets", "IPython"),
    "usd-core": ("pxr",),
    "sleap-io": ("sleap_io",),
    "python-osc": ("pythonosc",),
    "fonttools": ("fontTools",),
    "scikit-learn": ("sklearn", "joblib", "threadpoolctl"),
    "arviz-base": ("arviz_base",),
    "arviz-stats": ("arviz_stats", "xarray_einstats"),
}
"""Library -> the modules that it brings, if that is not one of its own name."""
EXTRAS = {
    module: extra.name
    for extra in reversed(INSTALLABLE)
    for library in extra.libraries
    for module in MODULES.get(library, (library,))
}
"""Module -> the first extra that installs it."""


def missing(error: ImportError, what: str, extra: str = "") -> str:
    """Return the message for a module that cannot be imported: its name, and the command for it.

    what   what needs the module, such as 'plots', or the file that it would read or write
    extra  the extra that installs a module that `EXTRAS` does not list: one that a library needs
    """
    name = (error.name or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or not name:
        named = f"module {name}" if name else "a module"
        return f"{what}: {named} is installed and cannot be imported: {error}. Install it again"
    extra = EXTRAS.get(name, extra)
    if not extra:
        return f"{what}: module {name} is not installed. Install it: pip install {name}"
    return (
        f"{what}: module {name} is not installed. It comes with the extra {extra}: "
        f'pip install "murmurate[{extra}]"'
    )


@contextmanager
def optional(what: str, kind: type[MurmurateError], extra: str = "") -> Iterator[None]:
    """Raise `kind`, with the message of `missing`, where an import in the block fails."""
    try:
        yield
    except ImportError as error:
        raise kind(missing(error, what, extra)) from None


def require(module: str, what: str, kind: type[MurmurateError]) -> None:
    """Import an optional module. Raises `kind` where it, or a module that it needs, is missing."""
    with optional(what, kind, EXTRAS[module]):
        import_module(module)
