"""Optional dependencies: which extra installs a module, and the one message for a missing one.

A module of `EXTRAS` is imported where it is needed:

    with optional("plots", MeasureError):
        from matplotlib.figure import Figure

`pyproject.toml` lists what each extra installs; a test holds this table against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from murmurate.errors import MurmurateError

EXTRAS = {
    "anywidget": "notebook",
    "traitlets": "notebook",
    "IPython": "notebook",
    "wasmtime": "wasm",
    "wgpu": "gpu",
    "matplotlib": "plot",
    "ray": "ray",
    "zarr": "record",
    "numcodecs": "record",
    "google_crc32c": "record",
    "xarray": "record",
    "h5netcdf": "export",
    "h5py": "export",
    "pyarrow": "export",
    "gsd": "export",
    "pxr": "export",
    "sleap_io": "pose",
    "ase": "particles",
    "fontTools": "shapes",
}
"""Module -> the extra that installs it."""


def missing(error: ImportError, what: str, extra: str = "") -> str:
    """Return the message for a module that cannot be imported: its name, and what installs it.

    what   what needs the module, such as 'plots', or the file that it would read or write
    extra  the extra that installs a module that `EXTRAS` does not list: one that a library needs
    """
    name = (error.name or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or not name:
        named = f"module {name}" if name else "a module"
        return f"{what}: {named} is installed and cannot be imported: {error}. Install it again"
    extra = EXTRAS.get(name, extra)
    package = f'"murmurate[{extra}]"' if extra else name
    return f"{what}: module {name} is not installed. Install it: pip install {package}"


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
