"""GPX files of loggers, alone or in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.column_names import PLAIN, Column, Report
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import iterate_xml, xml_number
from murmurate.tracks.frame_table import row_names
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks
from murmurate.tracks.table_frames import RawTable, Rows, assign_frames
from murmurate.tracks.timestamps import parse_iso_date


@dataclass
class _Points:
    """Points of all tracks.

    names    name of each track
    animals  index of the track of each point
    times    seconds, nan if missing
    degrees  longitude and latitude
    """

    names: list[str] = field(default_factory=list)
    animals: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    degrees: list[list[float]] = field(default_factory=list)


def gpx_files(folder: Path) -> list[Path]:
    """Return the .gpx files in a folder, sorted."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".gpx")


def read_gpx(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read a GPX file, in which each <trk> is an animal.

    If no point has a time, each point is a frame.
    """
    return _read_gpx_files([preview.path], preview.path, options)


def read_gpx_folder(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read all GPX files of a folder; an animal without a name is named like its file."""
    return _read_gpx_files(gpx_files(preview.path), preview.path, options)


def _read_gpx_files(files: Sequence[Path], path: Path, options: ReadOptions) -> RawTracks:
    points, notes = _Points(), []
    for file in files:
        _add_points(file, points)
    if not points.degrees:
        raise TracksError(
            f"{path}: got no <trkpt>; expected tracks, <trk>. Routes and waypoints are not tracks"
        )
    names = points.names
    names = [name if names.count(name) == 1 else f"{name} ({k})" for k, name in enumerate(names)]
    animals, times = np.array(points.animals), np.array(points.times)
    missing, frames = np.isnan(times), None
    if missing.all():
        notes.append("points have no times: each is read as one frame")
        frames = (np.arange(len(animals)) - np.searchsorted(animals, animals)).astype(float)
    elif missing.any():
        notes.append(f"{missing.sum():,} points without a time left out")
    rows = Rows(animals, np.array(points.degrees), frames, None if missing.all() else times,
                row_names("point"))  # fmt: skip
    rows = rows if frames is not None else rows.select(~missing)
    table = RawTable(
        rows,
        names,
        {"id": Column(0, "trk", "trk", "")},
        0.0,
        "degrees",
        0,
        None,
        Report(notes=notes),
    )
    return assign_frames(table, options, PLAIN, path)


def _add_points(file: Path, points: _Points) -> None:
    """Append the tracks of a GPX file."""
    parents: list[str] = []
    before = len(points.names)
    for event, tag, element in iterate_xml(file):
        if event == "start":
            parents.append(tag)
            if tag == "trk":
                points.names.append(file.stem)
            continue
        parents.pop()
        if tag == "name" and parents[-1:] == ["trk"] and element.text and element.text.strip():
            points.names[-1] = " ".join(element.text.split())
        elif tag == "trkpt" and len(points.names) > before:
            points.animals.append(len(points.names) - 1)
            points.degrees.append(
                [xml_number(element, "lon", file), xml_number(element, "lat", file)]
            )
            time = element.findtext("{*}time")
            points.times.append(_parse_time(time, len(points.times) + 1, file))
            element.clear()


def _parse_time(text: str | None, number: int, path: Path) -> float:
    if not text or not text.strip():
        return np.nan
    try:
        return parse_iso_date(text.strip())
    except ValueError:
        raise TracksError(
            f"{path}: time: got {text.strip()[:40]!r} in point {number}; expected a time such as "
            "2026-05-01T10:00:00Z"
        ) from None
