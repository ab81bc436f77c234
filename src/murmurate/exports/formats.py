"""Table of formats: suffix, module that writes it, and options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from murmurate.errors import ExportOptionsError
from murmurate.exports.selection import Selection
from murmurate.flights.formats import LAYOUTS
from murmurate.flights.formats import check_options as check_flight_options
from murmurate.flights.options import FlightOptions
from murmurate.model.messages import closest, did_you_mean
from murmurate.model.number import MAX_NUMBER


@dataclass(frozen=True)
class BufferFile:
    """File for numbers, beside the exported file.

    draft  where it is written
    name  the name that it gets, which a scene refers to
    """

    draft: Path
    name: str


@dataclass(frozen=True)
class ExportOptions:
    """Options of an exported file. Each format has some of them.

    Parameters
    ----------
    layout : str, optional
        .nc: 'movement' (default), 'native' or 'cf'. .csv and .parquet: 'long' (default) or
        'trackpy'. .zip: 'skybrush' (default), 'crazyswarm', 'waypoints' or 'plan'.
    legacy_names : bool, default False
        Use plural names of dimensions, for movement before 0.17.
    frames_per_second : float, optional
        USD, glTF, caches: playing speed; that of the model's view by default.
    boid_size : float, optional
        USD, glTF, .png: length of a boid, length units; by default from the density of the flock.
    scene : bool, default False
        USD, glTF: add a camera that follows as in the film, sun, sky (USD) and ground. Along
        periodic axes boids are at the images that the film shows.
    upright : bool, default False
        USD, glTF, caches: wings are level. A boid that flies through the vertical turns over
        there. By default it flies through loops as in films, where birds also bank into curves.
    flight : FlightOptions, optional
        Flights of drones (.skyc, .zip, .vviz, .mcap): units, take-off and limits.
    """

    layout: str = ""
    legacy_names: bool = False
    frames_per_second: float | None = None
    boid_size: float | None = None
    scene: bool = False
    upright: bool = False
    flight: FlightOptions | None = None


@dataclass(frozen=True)
class Options(ExportOptions):
    """Options as a format's `write` gets them, with the files that belong to the exported one.

    sky  name of the file with the picture of the sky; '' if there is none
    buffer  file for numbers, if that is another file
    """

    sky: str = ""
    buffer: BufferFile | None = None


Write = Callable[[Path, Selection, Options], object]


@dataclass(frozen=True)
class ExportFormat:
    """A format that recordings can be exported to.

    module  module of this package with the function `write`
    layouts  the first is the default
    options  names of its options, besides those that select frames and flocks
    columns  whether another file describes its columns
    sky  whether the picture of a scene's sky is another file
    buffer  ending of another file with numbers, in place of the suffix and of "_vat" before it; ''
        if there is none
    """

    suffix: str
    title: str
    module: str
    layouts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    columns: bool = False
    sky: bool = False
    buffer: str = ""

    @property
    def write(self) -> Write:
        """Import the module and return its `write`."""
        return import_module(f"murmurate.exports.{self.module}").write


_TABLES = ("long", "trackpy")
_CACHE = ("frames_per_second", "upright")
_SCENE = ("frames_per_second", "boid_size", "scene", "upright")
FORMATS = {
    format.suffix: format
    for format in (
        ExportFormat(
            ".nc", "NetCDF", "netcdf", ("movement", "native", "cf"), ("layout", "legacy_names")
        ),
        ExportFormat(".parquet", "Parquet table", "parquet", _TABLES, ("layout",), True),
        ExportFormat(".csv", "CSV table", "tables", _TABLES, ("layout",), True),
        ExportFormat(".xyz", "extended XYZ", "xyz"),
        ExportFormat(".gsd", "GSD of HOOMD", "gsd_file"),
        ExportFormat(".vtkhdf", "VTKHDF", "vtkhdf"),
        ExportFormat(".usdc", "USD, binary", "usd", options=_SCENE, sky=True),
        ExportFormat(".usda", "USD, text", "usd", options=_SCENE, sky=True),
        ExportFormat(".usdz", "USD package", "usd", options=_SCENE),
        ExportFormat(".glb", "glTF, binary", "gltf", options=_SCENE),
        ExportFormat(".gltf", "glTF, text and numbers", "gltf", options=_SCENE, buffer=".bin"),
        ExportFormat(".hcsv", "Houdini point cache, text", "point_cache", options=_CACHE),
        ExportFormat(".hbjson", "Houdini point cache, binary", "point_cache", options=_CACHE),
        ExportFormat(
            ".png", "vertex animation texture", "vertex_texture",
            options=("boid_size", *_CACHE), buffer="-remap_info.json",
        ),
        ExportFormat(".npy", "NumPy array", "npy"),
        ExportFormat(".npz", "NumPy arrays", "npy"),
        ExportFormat(".skyc", "Skybrush show", "flight", options=("flight",)),
        ExportFormat(".zip", "files of each drone", "flight", LAYOUTS, ("layout", "flight")),
        ExportFormat(".vviz", "VVIZ show", "flight", options=("flight",)),
        ExportFormat(".mcap", "ROS 2 bag", "flight", options=("flight",)),
    )
}  # fmt: skip


def format_of(path: Path) -> ExportFormat:
    """Return the format of a file by its suffix. Raises ExportOptionsError for another suffix."""
    suffix = path.suffix.lower()
    if suffix in FORMATS:
        return FORMATS[suffix]
    close = closest(suffix, FORMATS)
    hint = f" (did you mean {path.with_suffix(close).name}?)" if close else ""
    raise ExportOptionsError(f"{path}: got {suffix or 'no suffix'}; expected {suffix_list()}{hint}")


def suffix_list(option: str = "") -> str:
    """Return the suffixes as text: all, or those of formats with an option."""
    *first, last = [f.suffix for f in FORMATS.values() if not option or option in f.options]
    return f"{', '.join(first)} or {last}" if first else last


def check_options(path: Path, format: ExportFormat, options: ExportOptions) -> Options:
    """Return the options with the default layout filled in, or raise ExportOptionsError."""
    flags = {
        "layout": "--layout",
        "legacy_names": "--legacy-names",
        "frames_per_second": "--fps",
        "boid_size": "--boid-size",
        "scene": "--scene",
        "upright": "--upright",
        "flight": "an option of flights",
    }
    for name, option in flags.items():
        default = getattr(Options, name)
        if getattr(options, name) != default and name not in format.options:
            raise ExportOptionsError(
                f"{path}: {option} is for {suffix_list(name)}, not for {format.suffix}"
            )
    for name in ("frames_per_second", "boid_size"):
        value = getattr(options, name)
        if value is not None and not 1 / MAX_NUMBER <= value <= MAX_NUMBER:
            raise ExportOptionsError(
                f"{path}: {flags[name]}: got {value:g}; expected a number from "
                f"{1 / MAX_NUMBER:g} to {MAX_NUMBER:g}"
            )
    layout = options.layout or (format.layouts[0] if format.layouts else "")
    if format.layouts and layout not in format.layouts:
        raise ExportOptionsError(
            f"{path}: layout: got {layout!r}; expected {', '.join(format.layouts)}"
            f"{did_you_mean(layout, format.layouts)}"
        )
    if "flight" in format.options:
        check_flight_options(layout or format.suffix, options.flight or FlightOptions())
    if options.legacy_names and layout != "movement":
        raise ExportOptionsError(
            f"{path}: --legacy-names is for the layout movement, not for {layout}"
        )
    return Options(**{**vars(options), "layout": layout})
