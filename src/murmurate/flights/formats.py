"""Files of flights: their formats, and how they are written and read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePath, PurePosixPath
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile
from zlib import error as ZlibError

from murmurate.disk import read_text, regular
from murmurate.errors import FlightError
from murmurate.flights import missions, point_tables, skyc, vviz
from murmurate.flights.missions import Origin
from murmurate.flights.options import FlightOptions
from murmurate.flights.trajectory import Drone, Flight, checked
from murmurate.optional import optional

RATES = {"skybrush": 10.0, ".vviz": 4.0, ".mcap": 10.0, "waypoints": 1.0, "plan": 1.0}
"""Positions a second of formats with straight lines."""
LAYOUTS = ("skybrush", "crazyswarm", "waypoints", "plan")
"""Contents of a .zip."""
GEOGRAPHIC = ("waypoints", "plan")
SUFFIXES = (".skyc", ".zip", ".vviz", ".mcap")
MAX_TEXT = 1 << 31  # bytes of an unpacked file
DAMAGED = (
    LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuntimeError, EOFError,
    StopIteration, BadZipFile, ZlibError,
)  # fmt: skip


def check_options(kind: str, options: FlightOptions) -> None:
    """Raise FlightError if a format needs an option that is missing, or has no use for one.

    kind  the layout, or for others than .zip the suffix
    """
    if kind in GEOGRAPHIC and options.geo_origin is None:
        raise FlightError(
            "geo_origin: got none; expected the latitude and longitude of x = y = 0, "
            "such as --geo-origin 47.4733,19.0621"
        )
    for name, kinds in (("rate", tuple(RATES)), ("geo_origin", GEOGRAPHIC)):
        value = getattr(options, name)
        if value is not None and kind not in kinds:
            raise FlightError(f"{name}: got {value}; expected none for {kind}, but for "
                              f"{', '.join(kinds)}")  # fmt: skip


def write(
    path: Path,
    flight: Flight,
    *,
    suffix: str,
    layout: str = "",
    title: str = "",
    rate: float | None = None,
    origin: Sequence[float] | None = None,
) -> None:
    """Write a flight.

    Parameters
    ----------
    path : Path
        The file.
    flight : Flight
        It is sampled for formats with straight lines.
    suffix, layout : str
        The format: one of SUFFIXES, and for .zip one of LAYOUTS.
    title : str, optional
        Name of the show.
    rate : float, optional
        Samples a second; that in RATES by default.
    origin : sequence of float, optional
        Latitude and longitude in degrees, altitude in metres, for missions.
    """
    kind = layout if suffix == ".zip" else suffix
    if kind in RATES:
        rate = rate or RATES[kind]
        flight = flight.sampled(rate)
    match kind:
        case ".skyc":
            skyc.write(path, flight, title)
        case ".vviz":
            vviz.write(path, flight, title, rate or 1.0)
        case ".mcap":
            with optional(f"{path}", FlightError, "robots"):
                from murmurate.flights import ros_bag
            ros_bag.write(path, flight, title)
        case "skybrush":
            _write_texts(path, point_tables.write_points(flight))
        case "crazyswarm":
            _write_texts(path, point_tables.write_polynomials(flight))
        case _:
            assert origin is not None
            texts = missions.write_waypoints if kind == "waypoints" else missions.write_plans
            _write_texts(path, texts(flight, Origin(*origin)))


def _write_texts(path: Path, texts: dict[str, str]) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, text in texts.items():
            file.writestr(name, text)


def read(path: Path) -> Flight:
    """Read a flight: .skyc, .vviz, .mcap, a .zip or folder of files of drones, or one such file.

    Raises
    ------
    FlightError
        The file cannot be read, or is not a flight.
    """
    try:
        return checked(_read(path), path)
    except FlightError as error:
        text = str(error)
        raise FlightError(text if text.startswith(str(path)) else f"{path}: {text}") from None
    except OSError as error:
        raise FlightError(f"{path}: {error.strerror or error}") from None
    except DAMAGED as error:
        raise FlightError(
            f"{path}: got a damaged file, or one of another format ({type(error).__name__}: "
            f"{error}); expected a flight"
        ) from None


def _read(path: Path) -> Flight:
    suffix = path.suffix.lower()
    if suffix in (".mcap", ".db3") or (path / "metadata.yaml").is_file():
        with optional(f"{path}", FlightError, "robots"):
            from murmurate.flights import ros_bag
        return ros_bag.read(path)
    if path.is_dir():
        files = [file for file in sorted(path.iterdir()) if _is_drone(file)]
        return _from_texts({file.name: _text(file) for file in files})
    if suffix == ".skyc":
        return skyc.read(path)
    if suffix == ".vviz":
        return vviz.read(path)
    if suffix == ".zip":
        with ZipFile(regular(path)) as file:
            infos = [i for i in file.infolist() if _is_drone(PurePosixPath(i.filename))]
            for info in infos:
                if info.file_size > MAX_TEXT:
                    raise FlightError(f"{info.filename}: got {info.file_size:,} bytes, too many")
            return _from_texts({i.filename: file.read(i).decode("utf-8-sig") for i in infos})
    if suffix in READERS:
        return _from_texts({path.name: _text(path)})
    raise FlightError(f"{path}: got {suffix or 'no suffix'}; expected {', '.join(ACCEPTED)}")


def _text(path: Path) -> str:
    """Return the text of a file, without the mark of its byte order."""
    return read_text(path).removeprefix("\ufeff")


def _is_drone(path: PurePath) -> bool:
    """Return whether a file is that of a drone, and not one that macOS hides beside it."""
    return path.suffix.lower() in READERS and not path.name.startswith("._")


Read = Callable[[dict[str, str]], list[Drone]]
READERS: dict[str, Read] = {
    ".csv": point_tables.read_points,
    ".waypoints": missions.read_waypoints,
    ".plan": missions.read_plans,
}
"""Readers of files of single drones."""
ACCEPTED = (*SUFFIXES, *READERS)


def _from_texts(texts: dict[str, str]) -> Flight:
    """Return the flight of the files of single drones, which have one format."""
    kinds = {PurePosixPath(name).suffix.lower() for name in texts}
    if len(kinds) != 1:
        raise FlightError(
            f"got files {', '.join(sorted(kinds)) or 'of no drone'}; expected one kind of "
            f"{', '.join(READERS)}"
        )
    reader = READERS[kinds.pop()]
    if next(iter(texts.values())).lstrip().lower().startswith("duration"):
        reader = point_tables.read_polynomials
    named = {str(PurePosixPath(name).with_suffix("")): text for name, text in texts.items()}
    if len(named) < len(texts):
        raise FlightError("got two files of one name; expected one file for each drone")
    return Flight(tuple(reader(named)))
