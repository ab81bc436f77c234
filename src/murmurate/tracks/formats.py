"""Table of formats: the endings of its files, what tells it, and the function that reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

from murmurate.tracks import layouts
from murmurate.tracks.column_names import NAMES, box_of, found_roles, wide_columns
from murmurate.tracks.compressed import ending_of
from murmurate.tracks.file_head import TEXT, Head
from murmurate.tracks.gpx import gpx_files
from murmurate.tracks.idtracker import session_file
from murmurate.tracks.layouts import Layout
from murmurate.tracks.murmurate_files import has_columns_file, is_netcdf
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.pose_columns import is_anipose, is_sleap
from murmurate.tracks.reading import Reading
from murmurate.tracks.table_folder import are_tracks, table_files
from murmurate.tracks.trex import animal_files

TABLE = (*TEXT, ".parquet")
FOLDER = ("",)
Read = Callable[[Head, ReadOptions], Reading]
Tells = Callable[[Head], bool]


@dataclass(frozen=True)
class Format:
    """A format that tracks are read from.

    name     as it is said: "read as ..."
    endings  of its files; '' for a folder
    told_by  what tells it, in words, for the documentation
    tells    the same, of the first look at a file
    reader   module and function in this package
    options  that it takes, of those that only some formats take (ReadOptions.said)
    layout   of a table with a row a sighting
    """

    name: str
    endings: tuple[str, ...]
    told_by: str
    tells: Tells
    reader: str
    options: tuple[str, ...] = ()
    layout: Layout | None = None

    @property
    def read(self) -> Read:
        module, function = self.reader.split(":")
        found: Callable[..., Reading] = getattr(
            import_module(f"murmurate.tracks.{module}"), function
        )
        return found if self.layout is None else partial(found, layout=self.layout)


def _table(name: str, layout: Layout, told_by: str, tells: Tells | None = None) -> Format:
    """A table with a row a sighting, told by the columns that its layout needs unless `tells`."""
    return Format(name, TABLE, told_by, tells or _has(*layout.needs), "long_table:read",
                  _TABLE, layout)  # fmt: skip


def _sightings(head: Head) -> bool:
    """Whether it has columns of x and y, or of boxes, under any of their names."""
    roles = set(found_roles(head.columns, {}, {}, head.path))
    return {"x", "y"} <= roles or bool(box_of(roles))


def _has(*names: str) -> Tells:
    return lambda head: set(names) <= head.names


def _points(head: Head) -> bool:
    """Whether it has DeepLabCut's rows of headers."""
    if head.text is None:
        return False
    return {"bodyparts", "coords"} <= {row[0].lower() for row in head.text.rows[:3] if row}


def _trex_folder(head: Head) -> bool:
    """Whether a folder has files of TRex, and not tables of fish1.csv, fish2.csv, ..."""
    files = animal_files(head.path)
    return bool(files) and (
        files[0].suffix == ".npz" or {"frame", "x#wcentroid"} <= Head(files[0]).names
    )


def _holds(name: str, *other: str) -> Tells:
    return lambda head: (
        name in head.datasets and (not other or bool(head.datasets.intersection(other)))
    )


def _wide(*words: str) -> Tells:
    """Whether its columns are x and y of several animals, and it has the columns of these words;
    those of a table that has a column of animals too are body parts, mostly."""
    return lambda head: (
        set(words) <= head.names
        and not head.names.intersection(NAMES["id"])
        and bool(wide_columns(head.columns))
    )


_POSE = ("part", "min_likelihood")
_TABLE = ("columns", "skip_bad", "resample", "header", "time_format")
_TIMES = ("skip_bad", "resample")
FORMATS = (
    Format("murmurate's table", TABLE, "its .columns.json, or columns step, time, flock, id, x, y",
           lambda head: has_columns_file(head) or set(layouts.MURMURATE.needs) <= head.names,
           "murmurate_files:read_table", ("skip_bad",), layouts.MURMURATE),
    Format("DeepLabCut's table", TEXT, "rows bodyparts and coords", _points,
           "deeplabcut:read_csv", (*_POSE, "skip_bad")),
    Format("SLEAP's analysis table", TEXT, "columns track, frame_idx, NODE.x, NODE.y, NODE.score",
           is_sleap, "pose_columns:read_sleap", (*_POSE, "skip_bad")),
    Format("Anipose's table", TEXT, "columns NODE_x, NODE_ncams, ..., fnum", is_anipose,
           "pose_columns:read_anipose", (*_POSE, "skip_bad")),
    Format("VIA's table", TEXT, "columns filename, region_shape_attributes, region_attributes",
           _has("filename", "region_shape_attributes", "region_attributes"), "via_boxes:read",
           ("skip_bad",)),
    _table("TrackMate spots", layouts.TRACKMATE, "columns TRACK_ID, POSITION_X, FRAME"),
    _table("ToxTrac's table", layouts.TOXTRAC, "columns Arena, Track, Pos. X, Pos. Y, Label"),
    _table("FastTrack's table", layouts.FASTTRACK, "columns xBody, yBody, tBody, imageNumber, id"),
    _table("TRex's table", layouts.TREX, "columns frame, X#wcentroid, Y#wcentroid"),
    _table("AnimalTA's table", layouts.ANIMALTA, "columns Frame, Time, Arena, Ind, X, Y"),
    Format("AnimalTA's table", TEXT, "columns Frame, Time, X_Arena0_Ind0, ...",
           lambda head: any(c.name.startswith("x_arena") for c in head.columns),
           "wide_table:read_animalta", ("skip_bad",)),
    _table("Movebank's table", layouts.MOVEBANK,
           "columns timestamp, location-long, location-lat"),
    _table("trackpy's table", layouts.TRACKPY, "columns frame, particle, x, y"),
    _table("a table of sightings", layouts.PLAIN, "columns x, y and frame, time or id", _sightings),
    Format("idtracker.ai's table", TEXT, "columns seconds, x1, y1, ...", _wide("seconds", "x1"),
           "wide_table:read_idtracker", ("skip_bad",)),
    Format("idtracker.ai's table", TEXT, "time, x1, y1, ... in a folder trajectories_csv",
           lambda head: head.path.resolve().parent.name == "trajectories_csv" and _wide()(head),
           "wide_table:read_idtracker", ("skip_bad",)),
    Format("a wide table", TABLE, "columns x1, y1, x2, y2, ...", _wide(),
           "wide_table:read", ("skip_bad", "part", "header", "time_format")),
    Format("idtracker.ai's dictionary", (".npy",), "a pickled dictionary with trajectories",
           lambda head: head.pickled, "idtracker:read_dictionary"),
    Format("a bare array", (".npy",), "one array of numbers", lambda head: not head.pickled,
           "array_axes:read", ("axes",)),
    Format("TRex's arrays", (".npz",), "arrays frame, X#wcentroid, Y#wcentroid",
           lambda head: {"frame", "X#wcentroid"} <= head.arrays, "trex:read_file"),
    Format("murmurate's arrays", (".npz",), "arrays position, time, boid",
           lambda head: {"position", "time", "boid"} <= head.arrays, "murmurate_files:read_arrays"),
    Format("a bare array", (".npz",), "one array alone", lambda head: len(head.arrays) == 1,
           "archive:read_array", ("axes",)),
    Format("SLEAP's analysis file", (".h5", ".hdf5"), "tracks, and track_occupancy or node_names",
           _holds("tracks", "track_occupancy", "node_names", "track_names"), "sleap:read",
           ("part",)),
    Format("DeepLabCut's HDF5", (".h5", ".hdf5"), "a table df_with_missing",
           _holds("df_with_missing"), "deeplabcut:read_hdf5", _POSE),
    Format("idtracker.ai's HDF5", (".h5", ".hdf5"), "a dataset trajectories",
           _holds("trajectories"), "idtracker:read_hdf5"),
    Format("murmurate's NetCDF", (".nc", ".h5", ".hdf5"), "attributes of a recording", is_netcdf,
           "murmurate_files:read_netcdf"),
    Format("movement's NetCDF", (".nc", ".h5", ".hdf5"), "a variable position",
           lambda head: head.ending == ".nc" or "position" in head.datasets, "movement:read",
           _POSE),
    Format("TrackMate's XML", (".xml",), "<Tracks> of <particle>s",
           lambda head: head.root == "Tracks", "trackmate_xml:read"),
    Format("TrackMate's project", (".xml",), "<TrackMate>, with <Spot>s and <Edge>s",
           lambda head: head.root == "TrackMate", "trackmate_project:read", ("skip_bad",)),
    Format("GPX", (".gpx",), "<gpx>", lambda head: head.root == "gpx", "gpx:read", _TIMES),
    Format("SLEAP's project", (".slp",), "its ending", lambda head: True, "slp:read",
           _POSE),
    Format("NWB with poses", (".nwb",), "PoseEstimation (ndx-pose)", lambda head: True, "nwb:read",
           _POSE),
    Format("LAMMPS's dump", (".dump", ".lammpstrj"), "its ending", lambda head: True,
           "lammps_dump:read"),
    Format("extended XYZ", (".xyz", ".extxyz"), "its ending", lambda head: True, "xyz_file:read"),
    Format("GSD", (".gsd",), "its ending", lambda head: True, "gsd_trajectory:read"),
    Format("a folder of GPX", FOLDER, "files .gpx", lambda head: bool(gpx_files(head.path)),
           "gpx:read_folder", _TIMES),
    Format("TRex's folder", FOLDER, "files NAME_id0.npz, NAME_id1.npz, ..., or .csv",
           _trex_folder, "trex:read_folder"),
    Format("idtracker.ai's session", FOLDER, "trajectories.h5, .npy or .csv, or in trajectories/",
           lambda head: session_file(head.path) is not None, "opening:read_session", _TIMES),
    Format("a folder of tables", FOLDER, "tables with columns x and y",
           lambda head: are_tracks(head.path), "table_folder:read", _TABLE),
)  # fmt: skip
TABLES = FORMATS[-1]
# Files that hold tracks, and are not read: ending -> what to do.
UNREAD = {
    **dict.fromkeys((".xlsx", ".xls", ".ods"), "save the sheet as CSV"),
    ".json": "export CSV: murmurate does not know what the numbers in JSON mean",
    **dict.fromkeys((".mat", ".rds", ".rdata", ".pkl", ".pickle", ".feather"),
                    "save its table as CSV or Parquet, or its array as .npy"),
}  # fmt: skip
ENDINGS = tuple(dict.fromkeys(e for one in FORMATS for e in one.endings if e))


def may_be_tracks(path: Path) -> bool:
    """Whether a path is that of tracks: by its ending, or by what is in the folder."""
    if not path.is_dir() and (ending_of(path) in (*ENDINGS, *UNREAD) or table_files(path)):
        return True
    if not path.is_dir() or path.suffix.lower() == ".zarr":
        return False
    head = Head(path)
    return any(one.tells(head) for one in FORMATS if one.endings == FOLDER)
