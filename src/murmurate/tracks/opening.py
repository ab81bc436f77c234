"""open_tracks(): read a file or folder of tracks in any known format."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import OpenError, TracksError
from murmurate.model.space import Space
from murmurate.optional import missing as missing_library
from murmurate.tracks.column_names import PLAIN, is_geographic
from murmurate.tracks.file_preview import TEXT, FilePreview
from murmurate.tracks.files import COMPRESSED, file_ending, limit_memory
from murmurate.tracks.formats import (
    ENDINGS,
    FORMATS,
    MARKERS,
    TABLE,
    TABLES,
    UNREAD,
    Format,
    is_marker_table,
)
from murmurate.tracks.geography import project_to_metres
from murmurate.tracks.idtracker import session_file
from murmurate.tracks.options import (
    AXES,
    SPACE_EXAMPLE,
    ReadOptions,
    TableFormat,
    boundaries,
    parse_axes,
    parse_columns,
    parse_drop,
    parse_groups,
    parse_missing,
    parse_space,
)
from murmurate.tracks.plausibility import find_missing, warn_of_degrees
from murmurate.tracks.raw_tracks import RawTracks
from murmurate.tracks.table_folder import read_files, table_files
from murmurate.tracks.tracks import Tracks, check_rate, find_tracks

GUIDE = "docs/real-tracks.md describes the formats"
OTHERS = "others"  # the flock of tracks in no group
SPACE_TOLERANCE = 1e-3  # of a side, by which rounding may move positions out of the file's space


def open_tracks(
    path: str | os.PathLike[str],
    frames_per_second: float | None = None,
    *,
    table: TableFormat | None = None,
    unit: str | None = None,
    y_down: bool = False,
    part: str | None = None,
    min_likelihood: float | None = None,
    space: str | Sequence[float] | Space | None = None,
    periodic: str | Sequence[str] | None = None,
    groups: str | Mapping[str, Sequence[str | int]] | None = None,
) -> Tracks:
    """Read tracked animals from a file or the folder of a tracker.

    Parameters
    ----------
    path : path
        A table (.csv, .tsv, .txt, .parquet) with a row per detection or columns per animal; a file
        of trackpy, idtracker.ai, TRex, DeepLabCut, SLEAP, TrackMate, FastTrack, ToxTrac, AnimalTA,
        Movebank, GPS loggers, movement, motion capture or MATLAB; an export of murmurate (.csv,
        .parquet, .npz, .nc, .xyz, .gsd), which is read exactly; or a dump of LAMMPS, extended XYZ
        or GSD, with its box. The contents determine the format.
    frames_per_second : float, optional
        The frame rate; overrides the file. If it is unknown, time counts frames.
    table : TableFormat, optional
        Columns, dates and missing positions of a table, and the axes of a bare array, such as
        TableFormat(columns="time=Time_s,id=Fish,x=X,y=Y"). Inferred by default.
    unit : str, optional
        The unit of lengths, such as "cm", for output. "degrees", "radians": positions are longitude
        and latitude, and are projected to metres.
    y_down : bool, default False
        Whether y grows downwards in the file: flip it. Else y is kept, and only the direction of
        turning is mirrored if y grows downwards.
    part : str, optional
        Of poses: the body part that is the animal's position, or "mean" for the mean of the parts
        seen, the default for pose files. "each": columns that look like body parts are animals.
        Of boxes of each animal (a_x, a_y, a_width, a_height) "centre" or "corner": what x and y
        are.
    min_likelihood : float, optional
        Of poses: less likely points count as not seen; by default all count.
    space : str, sequence of float, or Space, optional
        The box, in units of the file: its sides, such as "100x100" or (100, 100), from a corner at
        zero; or a murmurate.Space. Overrides the file; positions outside it are refused.
    periodic : str or sequence of str, optional
        Periodic axes of the box, such as "xy" or "x": steps go to the nearest image, and measures
        are those of a torus. "none": there are none. A Space has its own.
    groups : str or mapping, optional
        Group -> names of its tracks, which become flocks of their own, to be measured apart; or as
        text "sheep=0,1,2,dog=3". Names may have * and ?. Tracks in no group are the flock 'others'.
        For tables also the name of a column that has the group, such as "species".

    Returns
    -------
    Tracks
        `summary` says how the file was read. `attrs` says how columns were understood, which were
        ignored, and what was assumed.

    Raises
    ------
    TracksError
        For a file that cannot be read; the message says what is expected.
    """
    path = Path(path)
    if not isinstance(table, TableFormat | None):
        raise TracksError(
            f"table: got {table!r}; expected a TableFormat, such as TableFormat(header=False)"
        )
    table = table or TableFormat()
    box, axes = parse_space(space, periodic)
    options = ReadOptions(
        frames_per_second, parse_columns(table.columns), unit, y_down, part, min_likelihood,
        table.skip_bad, parse_axes(table.axes), table.resample, box, axes, table.header,
        table.time_format, parse_missing(table.missing), parse_drop(table.drop),
        parse_groups(groups), table.variable, table.up,
    )  # fmt: skip
    files = table_files(path) if not path.is_dir() else []
    if not files:
        _check_path(path)
    try:
        with limit_memory(path):
            if files:
                file_format, raw = TABLES, read_files(files, path, options)
            else:
                file_format, raw = _read(path, options)
        return _make_tracks(file_format, raw, options, path)
    except OpenError:
        raise
    except ImportError as error:
        extra = {".slp": "pose", ".c3d": "mocap"}.get(path.suffix.lower(), "export")
        raise TracksError(missing_library(error, f"{path}", extra)) from None
    except MemoryError:
        raise TracksError(
            f"{path}: got sizes that need more memory than a file of this length can fill; "
            "expected an undamaged file. Take it from a copy"
        ) from None
    except UnicodeDecodeError:
        raise TracksError(f"{path}: cannot be read: it is not text") from None
    except Exception as error:  # whatever a library raises for a damaged file
        reason = " ".join(str(error).split()) or type(error).__name__
        raise TracksError(f"{path}: cannot be read: {reason}") from None


def _check_path(path: Path) -> None:
    """Raise TracksError for a path that does not exist or cannot hold tracks."""
    ending = "" if path.is_dir() else file_ending(path)
    if not path.is_dir() and ending not in ENDINGS:
        remedy = f". {UNREAD[ending]}" if ending in UNREAD else ""
        raise TracksError(
            f"{path}: got the ending {path.suffix or '(none)'}; expected one of "
            f"{', '.join(ENDINGS)}, a compressed table ({', '.join(COMPRESSED)}), or a folder of "
            f"tables, TRex, idtracker.ai or GPS{remedy}; {GUIDE}"
        )
    if path.suffix.lower() in COMPRESSED and ending not in TEXT:
        raise TracksError(
            f"{path}: got a compressed {ending} file; expected a compressed table "
            f"({', '.join(TEXT)}). Decompress it and open the file inside"
        )
    if not path.exists():
        raise TracksError(f"{path}: there is no such file")


def read_session(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the tracks in the folder of a session of idtracker.ai."""
    file = session_file(preview.path)
    assert file is not None
    return _read(file, options)[1]


def _read(path: Path, options: ReadOptions) -> tuple[Format, RawTracks]:
    """Return the format of a file, and its contents."""
    preview = FilePreview(path, options.header)
    file_format = _find_format(preview, options)
    for name in options.format_options:
        if name not in file_format.options:
            formats = dict.fromkeys(entry.name for entry in FORMATS if name in entry.options)
            raise TracksError(
                f"{path}: {name}: got a value for {file_format.name}; expected none: it is for "
                f"{', '.join(formats)}. Leave --{name.replace('_', '-')} out"
            )
    return file_format, file_format.read(preview, options)


def _find_format(preview: FilePreview, options: ReadOptions) -> Format:
    """Return the first format whose signature the file has, or raise TracksError."""
    path = preview.path
    if preview.text is not None and preview.text.first.lower() == "no_of_frames":
        raise TracksError(
            f"{path}: got Qualisys's TSV, whose headers have several rows; expected one. {MARKERS}"
        )
    candidates = [entry for entry in FORMATS if preview.ending in entry.endings]
    if options.columns and table_files(path):
        return TABLES
    is_capture = preview.text is not None and is_marker_table(preview)
    if options.columns and preview.ending in TABLE and not is_capture:
        candidates = [entry for entry in candidates if entry.layout is not None]
        matching = (e for e in candidates if e.layout is not PLAIN and e.matches(preview))
        return next(matching, next(entry for entry in candidates if entry.layout is PLAIN))
    for entry in candidates:
        if entry.matches(preview):
            return entry
    if preview.ending in TABLE:
        raise _unknown_table(preview)
    contents = ", ".join(sorted(preview.datasets | preview.arrays)[:20]) or preview.root
    got = f"got {contents}" if contents else "got no known tracks"
    got = f"is a folder and {got}" if path.is_dir() else got
    formats = "; ".join(f"{entry.name} ({entry.signature})" for entry in candidates)
    raise TracksError(f"{path}: {got}; expected one of the known formats: {formats}")


def _unknown_table(preview: FilePreview) -> TracksError:
    """Return the error for a table whose columns are not recognised."""
    if preview.text is not None and not preview.text.named:
        first = ", ".join(preview.text.rows[0][:12]) if preview.text.rows else "nothing"
        return TracksError(
            f"{preview.path}: got no header: its first row, {first}, is like the others; expected "
            "names of columns. Give their positions, from 1: --columns frame=1,id=2,x=3,y=4. Boxes "
            "have left, top, width and height. If the first row is the header: --header"
        )
    columns = ", ".join(column.written[:60] or "(no name)" for column in preview.columns[:40])
    return TracksError(
        f"{preview.path}: got the columns {columns}; expected those of a known format. Name them: "
        "--columns time=NAME,id=NAME,x=NAME,y=NAME. Boxes have left, top, and width, height "
        "or right, bottom"
    )


# --- from raw tracks to Tracks


def _make_tracks(file_format: Format, raw: RawTracks, options: ReadOptions, path: Path) -> Tracks:
    """Apply the user's options, check the tracks, and add warnings."""
    positions, velocities, images = raw.positions, raw.velocities, raw.images
    space, space_source = None, ""
    unit, notes, attrs = options.unit or raw.unit, raw.notes, dict(raw.attrs)
    suspicions: list[str] = []
    if isinstance(positions, np.ndarray) and positions.ndim == 3:  # Tracks refuses others
        is_numeric = positions.dtype.kind in "iuf"
        if is_numeric and not raw.checked:
            positions, gaps, suspicions = find_missing(
                positions, options.missing, unit.lower(), path
            )
            notes = (*notes, *gaps)
        if is_geographic(unit):
            positions, projected = _project(positions, unit, raw, attrs, path)
            notes, unit = (*notes, *projected), "m"
        if is_numeric:
            suspicions += warn_of_degrees(positions, unit, bool(attrs.pop("dated", False)))
        space, space_source = _resolve_space(raw, options, path)
        if options.y_down:
            flip = np.where(np.arange(positions.shape[2]) == 1, -1.0, 1.0)
            positions = positions * flip
            velocities, images = (None if x is None else x * flip for x in (velocities, images))
            space = None if space is None else _flip_y(space)
    rate, velocities, more = _resolve_rate(raw, velocities, options.frames_per_second, path)
    notes = (*notes, *more)
    attrs["assumed"] = [*notes]
    if options.resample is not None:
        attrs["resampled"] = options.resample
    if space_source:
        attrs["space"] = (
            f"{_describe_space(space)} ({space_source})" if space is not None else space_source
        )
    if velocities is not None:
        attrs["velocities"] = "as the file has them"
    elif space is not None and any(space.periodic):
        source = "counted images" if images is not None else "differences to the nearest image"
        attrs["velocities"] = f"{source} from frame to frame"
    flocks = raw.flocks
    if options.groups is not None:
        flocks = group_tracks(options.groups, raw, path)
    optional: dict[str, Any] = {"space": space, "flocks": flocks}
    return Tracks(
        positions, rate, raw.names, path, unit=unit, source=file_format.name,
        reader_warnings=tuple(suspicions), start=raw.start, every=raw.every,
        y_down=raw.y_down and not options.y_down, notes=notes, attrs=attrs,
        recorded_velocities=velocities, images=images, **optional,
    )  # fmt: skip


def group_tracks(
    groups: Mapping[str, tuple[str, ...]] | str, raw: RawTracks, path: Path
) -> dict[str, np.ndarray]:
    """Return group -> indices of its tracks. Raises TracksError for unknown and repeated tracks."""
    if isinstance(groups, str):
        if raw.groups is None:
            raise TracksError(
                f"{path}: groups: got {groups}; expected a column of a table with a detection per "
                "row. Name the tracks of each group, such as --groups sheep=0,1,2,dog=3"
            )
        named = np.array([name or OTHERS for name in raw.groups])
        return {name: np.flatnonzero(named == name) for name in dict.fromkeys(named.tolist())}
    names = list(raw.names or map(str, range(raw.positions.shape[1])))
    group_of: dict[int, str] = {}
    for group, patterns in groups.items():
        for pattern in patterns:
            for k in find_tracks(names, pattern, "groups", path):
                if group_of.setdefault(k, group) != group:
                    raise TracksError(
                        f"{path}: groups: got track {names[k]} in {group_of[k]} and in {group}; "
                        "expected each track in one group"
                    )
    of_track = [group_of.get(k, OTHERS) for k in range(len(names))]
    return {name: np.flatnonzero(np.array(of_track) == name)
            for name in dict.fromkeys([*groups, *of_track])}  # fmt: skip


def _resolve_rate(
    raw: RawTracks, velocities: np.ndarray | None, user_rate: float | None, path: Path
) -> tuple[float | None, np.ndarray | None, tuple[str, ...]]:
    """Return the rate of the frames present, velocities at that rate, and notes."""
    rate = raw.frames_per_second
    if rate is not None and (raw.every > 1 or velocities is not None):
        rate = check_rate(rate, path) / raw.every
    if user_rate is not None:
        file_rate, rate = rate, check_rate(user_rate, path)
        rate = rate if raw.simulated else rate / raw.every
        if velocities is not None and file_rate is not None:
            velocities = velocities * (rate / file_rate)
    elif velocities is not None and not raw.clock:
        note = (
            "velocities of the file are left out, since it has steps and no times: --fps gives the "
            "number of frames in the unit of time of its velocities"
        )
        return rate, None, (note,)
    return rate, velocities, ()


def _project(
    positions: np.ndarray, unit: str, raw: RawTracks, attrs: dict[str, Any], path: Path
) -> tuple[np.ndarray, list[str]]:
    """Project longitude and latitude to metres, unless the reader has done so; return notes."""
    if "projection" in attrs:
        return positions, []
    if raw.unit and not is_geographic(raw.unit):
        raise TracksError(
            f"{path}: unit: got {unit} for positions in {raw.unit}; expected none. Leave --unit out"
        )
    angles = positions[..., :2].reshape(-1, 2)
    metres, attrs["projection"], notes = project_to_metres(angles, unit, path)
    return metres.reshape(*positions.shape[:2], 2), notes


def _resolve_space(raw: RawTracks, options: ReadOptions, path: Path) -> tuple[Space | None, str]:
    """Return the space and its source in words; None if it is unknown.

    The user's space overrides that of the file. Raises TracksError if it does not fit, for a
    position outside it, and for a file that should have a space and lacks it.
    """
    dims, periodic = raw.positions.shape[2], options.periodic
    if options.space is not None:
        size = options.space.size
        if len(size) != dims:
            raise TracksError(
                f"{path}: space: got {'x'.join(f'{x:g}' for x in size)} for {dims}-D positions; "
                f"expected {dims} sides. Give one for each axis"
            )
        _check_inside(raw, options.space, path, 0.0)
        return options.space, "as given"
    if periodic is None:
        if raw.lacks_space:
            raise TracksError(f"{path}: {raw.lacks_space}")
        if raw.space is not None:
            _check_inside(raw, raw.space, path, SPACE_TOLERANCE)
            return raw.space, raw.space_from or "the file"
        return None, ""
    if raw.space is None:
        if not periodic:
            return None, "as given: no periodic axes"
        raise TracksError(
            f"{path}: periodic: got {''.join(periodic)} for a file without a box; expected "
            f"the space too. Give its sides, such as {SPACE_EXAMPLE}"
        )
    if wrong := [axis for axis in periodic if axis not in AXES[:dims]]:
        raise TracksError(
            f"{path}: periodic: got {''.join(wrong)} for {dims}-D positions; expected some of "
            f"{AXES[:dims]}. Leave it out"
        )
    space = Space(size=raw.space.size, origin=raw.space.lower, boundary=boundaries(periodic, dims))
    _check_inside(raw, space, path, SPACE_TOLERANCE)
    return space, "the file's box, periodic as given"


def _check_inside(raw: RawTracks, space: Space, path: Path, tolerance: float) -> None:
    """Raise TracksError for the first position outside the space.

    With a tolerance, the space is the file's own, whose open sides animals may leave.
    """
    positions = raw.positions
    for axis in range(space.dims):
        if tolerance and not space.periodic[axis]:
            continue
        lower, upper = space.lower[axis], space.upper[axis]
        margin = tolerance * space.size[axis]
        x = positions[:, :, axis]
        with np.errstate(invalid="ignore"):
            wrong = (x < lower - margin) | (x > upper + margin)
        if not wrong.any():
            continue
        frame, animal = (int(k) for k in np.argwhere(wrong)[0])
        name = list(raw.names or map(str, range(positions.shape[1])))[animal]
        what = "space"
        remedy = "Give the space in the units of the file, and its lower corner by --origin"
        if tolerance:
            what = f"the space of {raw.space_from or 'the file'}"
            remedy = f"Take the file from a copy, or give its space: {SPACE_EXAMPLE}"
        raise TracksError(
            f"{path}: {what}: got {AXES[axis]} = {positions[frame, animal, axis]:.10g} in frame "
            f"{raw.start + frame * raw.every:.10g}, {name}; expected {lower:g} to {upper:g}. "
            f"{remedy}"
        )


def _flip_y(space: Space) -> Space:
    """Return the space after y changes its sign."""
    lower = list(space.lower)
    lower[1] = -space.upper[1]
    return Space(size=space.size, origin=tuple(lower), boundary=space.boundaries)


def _describe_space(space: Space) -> str:
    """Return a description such as '100 x 100, periodic along x and y'."""
    sides = " x ".join(f"{side:.6g}" for side in space.size)
    names = [name for name, flag in zip(AXES, space.periodic, strict=False) if flag]
    lower = f" from ({', '.join(f'{x:.6g}' for x in space.lower)})" if any(space.lower) else ""
    if not names:
        return f"{sides}{lower}, no periodic axes"
    return f"{sides}{lower}, periodic along {' and '.join(names)}"
