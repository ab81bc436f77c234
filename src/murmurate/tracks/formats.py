"""Table of formats: the endings of its files, its signature, and its reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

from murmurate.tracks import column_names as layouts
from murmurate.tracks.column_names import Dialect, find_box, find_roles, group_wide_columns, role_of
from murmurate.tracks.file_preview import TEXT, FilePreview
from murmurate.tracks.files import file_ending
from murmurate.tracks.gps import gps_files
from murmurate.tracks.idtracker import session_file
from murmurate.tracks.murmurate_files import has_columns_file, is_netcdf
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.pose_files import is_anipose, is_sleap
from murmurate.tracks.raw_tracks import RawTracks
from murmurate.tracks.table import find_tuples
from murmurate.tracks.table_folder import has_tracks, table_files
from murmurate.tracks.trex import animal_files

TABLE = (*TEXT, ".parquet")
FOLDER = ("",)
TrackReader = Callable[[FilePreview, ReadOptions], RawTracks]
Matcher = Callable[[FilePreview], bool]


@dataclass(frozen=True)
class Format:
    """A format that tracks are read from.

    name       as in "read as ..."
    endings    of its files; '' for a folder
    signature  what distinguishes it, in words, for messages and documentation
    matches    whether a previewed file has the signature
    reader     module and function in this package
    options    format-specific options that it accepts (ReadOptions.format_options)
    layout     of a table with one detection per row
    """

    name: str
    endings: tuple[str, ...]
    signature: str
    matches: Matcher
    reader: str
    options: tuple[str, ...] = ()
    layout: Dialect | None = None

    @property
    def read(self) -> TrackReader:
        """The reader; its module is imported when first used."""
        module, name = self.reader.split(":")
        function: Callable[..., RawTracks] = getattr(
            import_module(f"murmurate.tracks.{module}"), name
        )
        return function if self.layout is None else partial(function, layout=self.layout)


def _table(name: str, layout: Dialect, signature: str, matches: Matcher | None = None) -> Format:
    """Return the format of a table with one detection per row.

    By default it is recognised by the columns that its layout needs.
    """
    return Format(name, TABLE, signature, matches or _has_columns(*layout.needs),
                  "long_table:read", _TABLE, layout)  # fmt: skip


def _has_positions(preview: FilePreview) -> bool:
    """Return whether a table has columns of x and y, or of boxes, under any usual names."""
    roles = set(find_roles(preview.columns, {}, {}, preview.path)[0])
    if {"x", "y"} <= roles or find_box(roles):
        return True
    return find_tuples(preview.columns, preview.table())[0] is not None


def _has_columns(*names: str) -> Matcher:
    return lambda preview: set(names) <= preview.names


def _has_deeplabcut_headers(preview: FilePreview) -> bool:
    if preview.text is None:
        return False
    return {"bodyparts", "coords"} <= {row[0].lower() for row in preview.text.rows[:3] if row}


def is_marker_table(preview: FilePreview) -> bool:
    """Return whether a table is one of motion capture, with several rows of headers."""
    first = "" if preview.text is None else preview.text.first
    return first in ("Format Version", "PathFileType", *SECTIONS)


def _starts_with(*cells: str) -> Matcher:
    return lambda preview: preview.text is not None and preview.text.first in cells


def _is_trex_folder(preview: FilePreview) -> bool:
    """Return whether a folder has files of TRex, and not just tables named fish1.csv, ..."""
    files = animal_files(preview.path)
    return bool(files) and (
        files[0].suffix == ".npz" or {"frame", "x#wcentroid"} <= FilePreview(files[0]).names
    )


def _has_datasets(name: str, *any_of: str) -> Matcher:
    return lambda preview: (
        name in preview.datasets and (not any_of or bool(preview.datasets.intersection(any_of)))
    )


def _is_wide(*names: str) -> Matcher:
    """Match tables with columns of x and y per animal, and columns of these names.

    A table that also has a column of animals usually has columns of body parts.
    """
    return lambda preview: (
        set(names) <= preview.names
        and not any(role_of(column)[0] == "id" for column in preview.columns)
        and bool(group_wide_columns(preview.columns))
    )


_POSE = ("part", "min_likelihood")
_WIDE = ("skip_bad", "resample", "header", "time_format", "drop")
_TABLE = ("columns", *_WIDE)
_TIMES = ("skip_bad", "resample")
_MOCAP = ("part", "skip_bad", "up")
SECTIONS = ("Trajectories", "Devices", "Model Outputs", "Joints", "Segments")
"""First cell of a table of Vicon Nexus."""
FORMATS = (
    Format("murmurate's table", TABLE, "its .columns.json, or columns step, time, flock, id, x, y",
           lambda preview: (has_columns_file(preview)
                            or set(layouts.MURMURATE.needs) <= preview.names),
           "murmurate_files:read_table", ("skip_bad",), layouts.MURMURATE),
    Format("DeepLabCut's table", TEXT, "rows bodyparts and coords", _has_deeplabcut_headers,
           "pose_files:read_deeplabcut_csv", (*_POSE, "skip_bad")),
    Format("SLEAP's analysis table", TEXT, "columns track, frame_idx, NODE.x, NODE.y, NODE.score",
           is_sleap, "pose_files:read_sleap_csv", (*_POSE, "skip_bad")),
    Format("Anipose's table", TEXT, "columns NODE_x, NODE_ncams, ..., fnum", is_anipose,
           "pose_files:read_anipose", (*_POSE, "skip_bad")),
    Format("Motive's table", TEXT, "first cell Format Version", _starts_with("Format Version"),
           "markers:read_table", ("part", "skip_bad", "up", "variable")),
    Format("Vicon Nexus's table", TEXT, "a section Trajectories",
           _starts_with(*SECTIONS), "markers:read_table", _MOCAP),
    Format("TRC", (".trc",), "its ending", lambda preview: True, "markers:read_table", _MOCAP),
    Format("TRC", TEXT, "first cell PathFileType", _starts_with("PathFileType"),
           "markers:read_table", _MOCAP),
    Format("C3D", (".c3d",), "its ending", lambda preview: True, "markers:read_c3d",
           ("part", "up")),
    Format("VIA's table", TEXT, "columns filename, region_shape_attributes, region_attributes",
           _has_columns("filename", "region_shape_attributes", "region_attributes"),
           "via_boxes:read", ("skip_bad",)),
    _table("TrackMate spots", layouts.TRACKMATE, "columns TRACK_ID, POSITION_X, FRAME"),
    _table("ToxTrac's table", layouts.TOXTRAC, "columns Arena, Track, Pos. X, Pos. Y, Label"),
    _table("FastTrack's table", layouts.FASTTRACK, "columns xBody, yBody, tBody, imageNumber, id"),
    _table("TRex's table", layouts.TREX, "columns frame, X#wcentroid, Y#wcentroid"),
    _table("AnimalTA's table", layouts.ANIMALTA, "columns Frame, Time, Arena, Ind, X, Y"),
    Format("AnimalTA's table", TEXT, "columns Frame, Time, X_Arena0_Ind0, ...",
           lambda preview: any(c.name.startswith("x_arena") for c in preview.columns),
           "wide_table:read_animalta", ("skip_bad",)),
    _table("Movebank's table", layouts.MOVEBANK,
           "columns timestamp, location-long, location-lat"),
    _table("trackpy's table", layouts.TRACKPY, "columns frame, particle, x, y"),
    _table("Mesa's table", layouts.MESA, "columns Step, AgentID, and pos or x and y"),
    _table("Agents.jl's table", layouts.AGENTS_JL, "columns time, id, pos_1, pos_2"),
    _table("a table of detections", layouts.PLAIN, "columns x, y and frame, time or id",
           _has_positions),
    Format("idtracker.ai's table", TEXT, "columns seconds, x1, y1, ...", _is_wide("seconds", "x1"),
           "idtracker:read_table", ("skip_bad",)),
    Format("idtracker.ai's table", TEXT, "time, x1, y1, ... in a folder trajectories_csv",
           lambda preview: (preview.path.resolve().parent.name == "trajectories_csv"
                            and _is_wide()(preview)),
           "idtracker:read_table", ("skip_bad",)),
    Format("a wide table", TABLE, "columns x1, y1, x2, y2, ...", _is_wide(),
           "wide_table:read", (*_WIDE, "part")),
    Format("idtracker.ai's dictionary", (".npy",), "a pickled dictionary with trajectories",
           lambda preview: preview.pickled, "idtracker:read_dictionary"),
    Format("a bare array", (".npy",), "one array of numbers", lambda preview: not preview.pickled,
           "array_axes:read", ("axes",)),
    Format("MATLAB's file", (".mat",), "its ending", lambda preview: True, "matlab:read",
           ("axes", "variable", *_TABLE)),
    Format("TRex's arrays", (".npz",), "arrays frame, X#wcentroid, Y#wcentroid",
           lambda preview: {"frame", "X#wcentroid"} <= preview.arrays, "trex:read_file"),
    Format("murmurate's arrays", (".npz",), "arrays position, time, boid",
           lambda preview: {"position", "time", "boid"} <= preview.arrays,
           "murmurate_files:read_arrays"),
    Format("a bare array", (".npz",), "one array alone",
           lambda preview: len(preview.arrays) == 1, "array_axes:read_archive", ("axes",)),
    Format("SLEAP's analysis file", (".h5", ".hdf5"), "tracks, and track_occupancy or node_names",
           _has_datasets("tracks", "track_occupancy", "node_names", "track_names"),
           "pose_files:read_sleap_analysis", ("part",)),
    Format("DeepLabCut's HDF5", (".h5", ".hdf5"), "a table df_with_missing",
           _has_datasets("df_with_missing"), "pose_files:read_deeplabcut_hdf5", _POSE),
    Format("idtracker.ai's HDF5", (".h5", ".hdf5"), "a dataset trajectories",
           _has_datasets("trajectories"), "idtracker:read_hdf5"),
    Format("murmurate's NetCDF", (".nc", ".h5", ".hdf5"), "attributes of a recording", is_netcdf,
           "murmurate_files:read_netcdf"),
    Format("movement's NetCDF", (".nc", ".h5", ".hdf5"), "a variable position",
           lambda preview: preview.ending == ".nc" or "position" in preview.datasets,
           "movement:read", _POSE),
    Format("TrackMate's XML", (".xml",), "<Tracks> of <particle>s",
           lambda preview: preview.root == "Tracks", "trackmate:read_tracks"),
    Format("TrackMate's project", (".xml",), "<TrackMate>, with <Spot>s and <Edge>s",
           lambda preview: preview.root == "TrackMate", "trackmate:read_project", ("skip_bad",)),
    Format("GPX", (".gpx",), "<gpx>", lambda preview: preview.root == "gpx", "gps:read_file",
           _TIMES),
    Format("KML", (".kml",), "<kml>, with <gx:Track>", lambda preview: preview.root == "kml",
           "gps:read_file", _TIMES),
    Format("IGC", (".igc",), "its ending", lambda preview: True, "gps:read_file", _TIMES),
    Format("SLEAP's project", (".slp",), "its ending", lambda preview: True,
           "pose_files:read_sleap_project", _POSE),
    Format("NWB with poses", (".nwb",), "PoseEstimation (ndx-pose)", lambda preview: True,
           "movement:read_nwb", _POSE),
    Format("LAMMPS's dump", (".dump", ".lammpstrj"), "its ending", lambda preview: True,
           "lammps_dump:read"),
    Format("extended XYZ", (".xyz", ".extxyz"), "its ending", lambda preview: True,
           "particles:read_xyz"),
    Format("GSD", (".gsd",), "its ending", lambda preview: True, "particles:read_gsd"),
    Format("a folder of GPS files", FOLDER, "files .gpx, .kml or .igc",
           lambda preview: bool(gps_files(preview.path)), "gps:read_folder", _TIMES),
    Format("TRex's folder", FOLDER, "files NAME_id0.npz, NAME_id1.npz, ..., or .csv",
           _is_trex_folder, "trex:read_folder"),
    Format("idtracker.ai's session", FOLDER, "trajectories.h5, .npy or .csv, or in trajectories/",
           lambda preview: session_file(preview.path) is not None, "opening:read_session",
           _TIMES),
    Format("a folder of tables", FOLDER, "tables with columns x and y",
           lambda preview: has_tracks(preview.path), "table_folder:read_folder", _TABLE),
)  # fmt: skip
"""The first row that matches a file reads it. A row that matches files of another follows it."""
TABLES = FORMATS[-1]
MARKERS = "Remove the rows above the first frame, and write a header frame,x1,y1,z1,x2,y2,z2,..."
UNREAD = {
    **dict.fromkeys((".xlsx", ".xls", ".ods"), "Save the sheet as CSV"),
    **dict.fromkeys((".mot", ".sto", ".bvh"),
                    f"Export CSV from the motion capture. {MARKERS}"),
    ".json": "Export CSV: murmurate does not know what the numbers in JSON mean",
    ".kmz": "Unpack it: it is a .zip of a .kml",
    **dict.fromkeys((".rds", ".rdata", ".pkl", ".pickle", ".feather"),
                    "Save its table as CSV or Parquet, or its array as .npy"),
}  # fmt: skip
"""Endings of files that hold tracks but are not read -> what to do instead."""
ENDINGS = tuple(dict.fromkeys(end for entry in FORMATS for end in entry.endings if end))


def may_be_tracks(path: Path) -> bool:
    """Return whether a path may hold tracks, by its ending or by the contents of a folder."""
    if not path.is_dir() and (file_ending(path) in (*ENDINGS, *UNREAD) or table_files(path)):
        return True
    if not path.is_dir() or path.suffix.lower() == ".zarr":
        return False
    preview = FilePreview(path)
    return any(entry.matches(preview) for entry in FORMATS if entry.endings == FOLDER)
