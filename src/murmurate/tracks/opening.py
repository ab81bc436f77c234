"""open_tracks(): a file or folder of tracks -> Tracks, whatever wrote it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.model.number import frame_rate
from murmurate.model.space import Space
from murmurate.optional import missing as missing_library
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import DEGREES
from murmurate.tracks.compressed import ENDINGS as COMPRESSED
from murmurate.tracks.compressed import ending_of
from murmurate.tracks.doubts import doubts_of_degrees, doubts_of_zeros, without_missing
from murmurate.tracks.file_head import TEXT, Head
from murmurate.tracks.file_size import within_memory
from murmurate.tracks.formats import ENDINGS, FORMATS, TABLE, TABLES, UNREAD, Format
from murmurate.tracks.geography import in_metres
from murmurate.tracks.given_space import given_space, in_words, space_of, turned
from murmurate.tracks.idtracker import session_file
from murmurate.tracks.layouts import PLAIN
from murmurate.tracks.options import ReadOptions, axes_of, columns_of, missing_of
from murmurate.tracks.reading import Reading
from murmurate.tracks.table_folder import read_files, table_files
from murmurate.tracks.tracks import Tracks, checked_rate

GUIDE = "docs/real-tracks.md has the formats"


def open_tracks(
    path: str | os.PathLike[str],
    frames_per_second: float | None = None,
    *,
    fps: float | None = None,
    columns: str | Mapping[str, str] | None = None,
    unit: str | None = None,
    y_down: bool = False,
    part: str | None = None,
    min_likelihood: float | None = None,
    skip_bad: bool = False,
    axes: str | Sequence[str] | None = None,
    resample: float | None = None,
    space: str | Sequence[float] | Space | None = None,
    origin: str | Sequence[float] | None = None,
    periodic: str | Sequence[str] | None = None,
    header: bool | None = None,
    time_format: str | None = None,
    missing: str | Sequence[float] | None = None,
    body_part: str | None = None,
    likelihood: float | None = None,
) -> Tracks:
    """Tracked animals from a file, or the folder of a tracker: tables (.csv, .tsv, .txt, .parquet)
    with a row a sighting or a column an animal, and the files of trackpy, idtracker.ai, TRex,
    DeepLabCut, SLEAP, TrackMate, FastTrack, ToxTrac, AnimalTA, Movebank, GPX loggers and movement;
    what `export` writes (.csv, .parquet, .npz, .nc, .xyz, .gsd), which is read back exactly; and
    dumps of LAMMPS, extended XYZ and GSD, with their boxes.
    The format is told by what is in the file; `tracks.summary` says how it was read.

    frames_per_second  goes before what the file says; where neither says, time counts frames
    fps                short for frames_per_second
    columns            of a table: role -> the name of a column, or its position from 1; or as text
                       "time=Time_s,id=Fish,x=X,y=Y". Roles are time, date, frame, id, x, y, z, and
                       left, top, width, height of boxes. A name that is a number is in quotes
    unit               of lengths, such as "cm", for what is printed; "degrees": positions are
                       longitude and latitude, and are projected to metres
    y_down             the file's y grows downwards: turn it round. Else y stays as it is, and only
                       the direction of turns is mirrored where it grows downwards
    part               of poses: the point of the body that is the animal's position, or "mean" for
                       the mean of those that are seen, as pose files are read unless it is given;
                       "each": columns that look like body parts are animals
    min_likelihood     of poses: points less likely count as not seen; all count unless given
    skip_bad           leave out rows that cannot be used (and say how many), instead of refusing
    axes               of a bare array: its axes in order, such as "t,id,xy"
    resample           of sightings and GPX at uneven times: seconds from one frame to the next, to
                       which positions are interpolated on straight lines; long gaps stay missing
    space              the box that the animals are in, in units of the file: its sides, such as
                       "100x100" or (100, 100), or a murmurate.Space. It goes before what the file
                       says; positions outside of it are refused
    origin             its lower corner, such as "-50,-50"; zeros unless given
    periodic           its periodic axes, such as "xy" or "x": then steps are to the nearest image,
                       and measures are those of a torus. "none": there are none

    header             whether the first row of a table has the names of its columns; found from
                       its cells unless given
    time_format        of dates in a table, such as "%d/%m/%Y %H:%M" (see datetime.strptime)
    missing            coordinates that the file has where an animal was not seen, such as "0,0"
    body_part, likelihood  old names of `part` and `min_likelihood`

    `tracks.attrs` says how columns were understood, which were ignored, and what was assumed.
    Raises RecordingRefused for what cannot be read, with what it should be.
    """
    path = Path(path)
    options = ReadOptions(
        frame_rate(frames_per_second, fps), columns_of(columns), unit, y_down,
        _renamed("body_part", "part", body_part, part),
        _renamed("likelihood", "min_likelihood", likelihood, min_likelihood),
        skip_bad, axes_of(axes), resample, given_space(space, origin, periodic), header,
        time_format, missing_of(missing),
    )  # fmt: skip
    files = table_files(path) if not path.is_dir() else []
    ending = "" if files or path.is_dir() else ending_of(path)
    if not path.is_dir() and not files and ending not in ENDINGS:
        advice = f"{UNREAD[ending]}; " if ending in UNREAD else ""
        raise RecordingRefused(
            f"{path}: its ending is {path.suffix or 'missing'}; {advice}tracks can be read from "
            f"{', '.join(ENDINGS)}, tables also compressed ({', '.join(COMPRESSED)}), and from "
            f"folders of tables, TRex, idtracker.ai and GPX; {GUIDE}"
        )
    if path.suffix.lower() in COMPRESSED and not files and ending not in TEXT:
        raise RecordingRefused(
            f"{path}: got a compressed {ending} file; expected a compressed table "
            f"({', '.join(TEXT)}). Decompress it, and give the file in it"
        )
    if not files and not path.exists():
        raise RecordingRefused(f"{path}: there is no such file")
    try:
        with within_memory(path):
            if files:
                found, reading = TABLES, read_files(files, path, options)
            else:
                found, reading = _read(path, options)
        return _tracks(found, reading, options, path)
    except RecordingRefused:
        raise
    except ImportError as error:
        extra = "pose" if ending == ".slp" else "export"
        raise RecordingRefused(missing_library(error, f"{path}", extra)) from None
    except MemoryError:
        raise RecordingRefused(
            f"{path}: got sizes that need more memory than a file of this length can fill; "
            "expected a file that is whole. It is damaged: take it from a copy"
        ) from None
    except UnicodeDecodeError:
        raise RecordingRefused(f"{path}: cannot be read: it is not text") from None
    except Exception as error:  # whatever a library says of a file that is not what it should be
        said = " ".join(str(error).split()) or type(error).__name__
        raise RecordingRefused(f"{path}: cannot be read: {said}") from None


def read_session(head: Head, options: ReadOptions) -> Reading:
    """The tracks in the folder of a session of idtracker.ai."""
    file = session_file(head.path)
    assert file is not None
    return _read(file, options)[1]


def _read(path: Path, options: ReadOptions) -> tuple[Format, Reading]:
    """The format of a file, and what is in it."""
    head = Head(path, options.header)
    found = _format_of(head, options)
    for name in options.said:
        if name not in found.options:
            takes = ", ".join(dict.fromkeys(one.name for one in FORMATS if name in one.options))
            option = "--" + name.replace("_", "-")
            raise RecordingRefused(
                f"{path}: {name} is for {takes}, and this is {found.name}: leave {option} out"
            )
    return found, found.read(head, options)


def _format_of(head: Head, options: ReadOptions) -> Format:
    """The first format that the file tells of. Raises RecordingRefused where there is none."""
    path = head.path
    fitting = [one for one in FORMATS if head.ending in one.endings]
    if options.columns and table_files(path):
        return TABLES
    if options.columns and head.ending in TABLE:
        fitting = [one for one in fitting if one.layout is not None]
        known = (one for one in fitting if one.layout is not PLAIN and one.tells(head))
        return next(known, next(one for one in fitting if one.layout is PLAIN))
    for one in fitting:
        if one.tells(head):
            return one
    if head.ending in TABLE:
        there = ", ".join(column.written[:60] or "(no name)" for column in head.columns[:40])
        if head.text is not None and not head.text.named:
            first = ", ".join(head.text.rows[0][:12]) if head.text.rows else "nothing"
            raise RecordingRefused(
                f"{path}: has no header: its first row, {first}, is like the others; give the "
                "positions of the columns, from 1: --columns frame=1,id=2,x=3,y=4. Boxes have "
                "left, top, width and height. If the first row is the header: --header"
            )
        raise RecordingRefused(
            f"{path}: its columns are {there}, which are those of no format that is known; name "
            "them: --columns time=NAME,id=NAME,x=NAME,y=NAME"
        )
    there = ", ".join(sorted(head.datasets | head.arrays)[:20]) or head.root
    here = f"it has {there}; " if there else ""
    told = "; ".join(f"{one.name}, told by {one.told_by}" for one in fitting)
    folder = "is a folder and " if path.is_dir() else ""
    raise RecordingRefused(f"{path}: {folder}has no tracks that are known; {here}what is "
                           f"known: {told}")  # fmt: skip


def _renamed(old: str, new: str, before: Any, value: Any) -> Any:
    """The value of an argument that may be given by its old name."""
    if before is None:
        return value
    warnings.warn(f"{old} is now called {new}", DeprecationWarning, stacklevel=3)
    return before if value is None else value


def _tracks(found: Format, reading: Reading, options: ReadOptions, path: Path) -> Tracks:
    """What was read, with what the user says of it, and what looks wrong in it."""
    positions, moves, images = reading.positions, reading.velocities, reading.images
    space, says = None, ""
    unit, notes, attrs = options.unit or reading.unit, reading.notes, dict(reading.attrs)
    doubts: list[str] = []
    if isinstance(positions, np.ndarray) and positions.ndim == 3:  # Tracks refuses others
        numbers = positions.dtype.kind in "iuf"
        positions, said = without_missing(positions, options.missing, path)
        notes = (*notes, *said)
        if unit.lower() in DEGREES:
            positions, unit, said = _projected(positions, reading, path)
            notes = (*notes, *said)
        if numbers:
            doubts = [*doubts_of_zeros(positions), *doubts_of_degrees(positions, unit)]
        space, says = space_of(reading, options.space, path)
        if options.y_down:
            flip = np.where(np.arange(positions.shape[2]) == 1, -1.0, 1.0)
            positions = positions * flip
            moves, images = (None if x is None else x * flip for x in (moves, images))
            space = None if space is None else turned(space)
    rate = reading.frames_per_second
    if rate is not None and (reading.every > 1 or moves is not None):
        rate = checked_rate(rate, path) / reading.every
    if options.frames_per_second is not None:
        own, rate = rate, checked_rate(options.frames_per_second, path)
        rate = rate if reading.simulated else rate / reading.every
        if moves is not None and own is not None:
            moves = moves * (rate / own)
    elif moves is not None and not reading.clock:
        moves = None
        notes = (
            *notes,
            "velocities of the file are left out, since it has steps and no times: --fps says how "
            "many frames are in the unit of time of its velocities",
        )
    attrs["assumed"] = [*notes]
    if says:
        attrs["space"] = f"{in_words(space)} ({says})" if space is not None else says
    if moves is not None:
        attrs["velocities"] = "as the file has them"
    elif space is not None and any(space.periodic):
        by = "counted images" if images is not None else "differences to the nearest image"
        attrs["velocities"] = f"{by} from frame to frame"
    known: dict[str, Any] = {"space": space, "flocks": reading.flocks}
    return Tracks(
        positions, rate, reading.names, path, unit=unit, source=found.name, doubts=tuple(doubts),
        start=reading.start, every=reading.every, y_down=reading.y_down and not options.y_down,
        notes=notes, attrs=attrs, recorded_velocities=moves, images=images, **known,
    )  # fmt: skip


def _projected(
    positions: np.ndarray, reading: Reading, path: Path
) -> tuple[np.ndarray, str, tuple[str, ...]]:
    """Positions that are longitude and latitude, in metres; those of a table are already."""
    if "projection" in reading.attrs:
        return positions, "m", ()
    if reading.unit and reading.unit.lower() not in DEGREES:
        raise RecordingRefused(
            f"{path}: unit: got degrees, and the file says that positions are in {reading.unit}; "
            "leave --unit out"
        )
    flat, said = in_metres(positions[..., :2].reshape(-1, 2), path)
    return flat.reshape(*positions.shape[:2], 2), "m", (f"degrees are projected to {said}",)
