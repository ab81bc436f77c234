"""Table of formats: suffix, the module that writes it, and the options it takes."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

from murmurate.errors import ExportRefused
from murmurate.exports.selection import Selection
from murmurate.model.number import LARGEST


@dataclass(frozen=True)
class Options:
    """Options of a file; each format uses those that it lists.

    layout             one of the format's layouts, '' where it has none
    legacy_names       names of dimensions in plural (the movement layout)
    frames_per_second  how fast the scene plays
    boid_size          length of a boid, length units; None: from how closely they fly
    scene              with a camera, sun, sky and ground too, as in the film
    sky                name of the file with the sky's picture; '' where it has none
    """

    layout: str = ""
    legacy_names: bool = False
    frames_per_second: float | None = None
    boid_size: float | None = None
    scene: bool = False
    sky: str = ""


Write = Callable[[Path, Selection, Options], None]


@dataclass(frozen=True)
class Format:
    """A format that recordings can be exported to.

    module   in this package; it has `write`
    layouts  the first is taken unless said otherwise
    options  names of the options that it knows, besides which frames and flocks
    columns  whether a file beside it says what its columns are
    sky      whether the picture of a scene's sky is a file beside it
    """

    suffix: str
    what: str
    module: str
    layouts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    columns: bool = False
    sky: bool = False

    @property
    def write(self) -> Write:
        writer: Write = import_module(f"murmurate.exports.{self.module}").write
        return writer


_TABLES = ("long", "trackpy")
_FLIGHT = ("frames_per_second", "boid_size")
_SCENE = (*_FLIGHT, "scene")
FORMATS = {
    one.suffix: one
    for one in (
        Format(
            ".nc", "NetCDF", "netcdf", ("movement", "native", "cf"), ("layout", "legacy_names")
        ),
        Format(".parquet", "Parquet table", "parquet", _TABLES, ("layout",), True),
        Format(".csv", "CSV table", "csv_table", _TABLES, ("layout",), True),
        Format(".xyz", "extended XYZ", "xyz"),
        Format(".gsd", "GSD of HOOMD", "gsd_file"),
        Format(".vtkhdf", "VTKHDF", "vtkhdf"),
        Format(".usdc", "USD, binary", "usd", options=_SCENE, sky=True),
        Format(".usda", "USD, text", "usd", options=_SCENE, sky=True),
        Format(".usdz", "USD package", "usd", options=_SCENE),
        Format(".glb", "glTF, binary", "gltf", options=_SCENE),
        Format(".npy", "NumPy array", "npy"),
        Format(".npz", "NumPy arrays", "npy"),
    )
}  # fmt: skip


def format_of(path: Path) -> Format:
    """The format that a file's suffix asks for. Raises ExportRefused for another suffix."""
    suffix = path.suffix.lower()
    if suffix in FORMATS:
        return FORMATS[suffix]
    close = difflib.get_close_matches(suffix, FORMATS, n=1, cutoff=0.5) if suffix else []
    hint = f" (did you mean {path.with_suffix(close[0]).name}?)" if close else ""
    found = f"its suffix is {suffix}" if suffix else "it has no suffix"
    raise ExportRefused(f"{path}: {found}; a recording can be exported to {suffix_list()}{hint}")


def suffix_list(option: str = "") -> str:
    """The suffixes as text: all, or those of formats that take an option."""
    *most, last = [f.suffix for f in FORMATS.values() if not option or option in f.options]
    return f"{', '.join(most)} or {last}" if most else last


def check_options(path: Path, one: Format, options: Options) -> Options:
    """The options with the layout filled in. Raises ExportRefused for one that the format does not
    know, or a value that is not allowed."""
    words = {
        "layout": "--layout",
        "legacy_names": "--legacy-names",
        "frames_per_second": "--fps",
        "boid_size": "--boid-size",
        "scene": "--scene",
    }
    for name, option in words.items():
        default = getattr(Options, name)
        if getattr(options, name) != default and name not in one.options:
            raise ExportRefused(
                f"{path}: {option} is for {suffix_list(name)}, not for {one.suffix}"
            )
    for name in ("frames_per_second", "boid_size"):
        value = getattr(options, name)
        if value is not None and not 1 / LARGEST <= value <= LARGEST:
            raise ExportRefused(
                f"{path}: {words[name]} is {value:g}: it must be a number > 0, from "
                f"{1 / LARGEST:g} to {LARGEST:g}"
            )
    layout = options.layout or (one.layouts[0] if one.layouts else "")
    if one.layouts and layout not in one.layouts:
        close = difflib.get_close_matches(layout, one.layouts, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise ExportRefused(
            f"{path}: layout {layout!r}: for {one.suffix} it can be {', '.join(one.layouts)}{hint}"
        )
    if options.legacy_names and layout != "movement":
        raise ExportRefused(f"{path}: --legacy-names is for the layout movement, not for {layout}")
    return replace(options, layout=layout)
