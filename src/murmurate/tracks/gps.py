"""Files of GPS loggers: GPX, KML with gx:Track, and IGC, alone or in a folder.

Sources: https://www.topografix.com/GPX/1/1; https://docs.ogc.org/is/12-007r2/12-007r2.html (KML
2.3, Track); FAI, Technical specification for IGC-approved flight recorders, appendix A.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import open_regular
from murmurate.errors import TracksError
from murmurate.number_text import parse_number
from murmurate.tracks.column_names import PLAIN, Column, Report
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import iterate_xml, xml_number
from murmurate.tracks.frame_table import row_names
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks, distinct_names
from murmurate.tracks.table_frames import RawTable, Rows, assign_frames
from murmurate.tracks.timestamps import DAY, has_zone, parse_iso_date

FIX = re.compile(
    r"B([01]\d|2[0-3])([0-5]\d)([0-5]\d|60)(\d\d)(\d\d)(\d{3})([NS])(\d{3})(\d\d)(\d{3})([EW])([AV])"
    r"[-\d]\d{4}[-\d]\d{4}", re.ASCII,
)  # fmt: skip
"""A record of IGC: the time; degrees, minutes and their thousandths of latitude and longitude;
validity; altitudes."""
DATE = re.compile(r"HFDTE(?:DATE:)?\s*(\d\d)(\d\d)(\d\d)", re.ASCII)
EXTRA = ("TDS", "LAD", "LOD")
"""Further decimals in B records: of seconds, and of minutes of latitude and longitude."""
EXPECTED = "<trk> of <trkpt>s in GPX, <gx:Track> in KML, or B records in IGC"


@dataclass
class _Points:
    """Points of all tracks.

    names    name of each track
    animals  index of the track of each point
    times    seconds, nan if missing
    degrees  longitude and latitude
    notes    points that are left out
    zoned    whether times have a zone; None before the first
    """

    names: list[str] = field(default_factory=list)
    animals: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    degrees: list[list[float]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    zoned: bool | None = None

    def add(self, time: float, longitude: float, latitude: float) -> None:
        self.animals.append(len(self.names) - 1)
        self.times.append(time)
        self.degrees.append([longitude, latitude])

    def parse_time(self, text: str | None, path: Path) -> float:
        """Return the time of the next point. Raises TracksError."""
        if not text or not text.strip():
            return np.nan
        where = f"{path}: time: got {text.strip()[:40]!r} in point {len(self.times) + 1}"
        try:
            time = parse_iso_date(text.strip())
        except ValueError:
            raise TracksError(f"{where}; expected a time such as 2026-05-01T10:00:00Z") from None
        zoned = has_zone(text)
        if self.zoned not in (None, zoned):
            raise TracksError(
                f"{where}, and {'no ' * zoned}zone before; expected one in all times, or in none"
            )
        self.zoned = zoned
        return time


def gps_files(folder: Path) -> list[Path]:
    """Return the files of loggers in a folder, sorted."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in READERS)


def read_file(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read a file, in which each <trk> of GPX or <Placemark> of KML is an animal, and IGC is one.

    If no point has a time, each point is a frame.
    """
    return _read_files([preview.path], preview.path, options)


def read_folder(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read all files of a folder; an animal without a name is named like its file."""
    return _read_files(gps_files(preview.path), preview.path, options)


def _read_files(files: Sequence[Path], path: Path, options: ReadOptions) -> RawTracks:
    points = _Points()
    for file in files:
        READERS[file.suffix.lower()](file, points)
    if not points.degrees:
        raise TracksError(
            f"{path}: got no tracks; expected {EXPECTED}. Routes, lines and waypoints are not "
            "tracks"
        )
    names, notes = distinct_names(points.names), points.notes
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
    roles = {"id": Column(0, "track", "track", "")}
    table = RawTable(rows, names, roles, 0.0, "degrees", 0, None, Report(notes=notes))
    return assign_frames(table, options, PLAIN, path)


def _add_gpx(file: Path, points: _Points) -> None:
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
            position = xml_number(element, "lon", file), xml_number(element, "lat", file)
            points.add(points.parse_time(element.findtext("{*}time"), file), *position)
            element.clear()


def _add_kml(file: Path, points: _Points) -> None:
    """Append the tracks of a KML file: <Track>s of times <when> and as many positions <coord>."""
    for event, tag, element in iterate_xml(file):
        if event == "start":
            if tag == "Placemark":
                points.names.append(file.stem)
            continue
        if tag == "Track":
            _add_kml_track(element, points, file)
            element.clear()
        elif tag == "Placemark":
            if name := " ".join((element.findtext("{*}name") or "").split()):
                points.names[-1] = name
            element.clear()


def _add_kml_track(track: Any, points: _Points, file: Path) -> None:
    times, coords = track.findall("{*}when"), track.findall("{*}coord")
    if len(times) != len(coords) or not points.names:
        raise TracksError(
            f"{file}: <Track>: got {len(times)} times <when> and {len(coords)} positions <coord>; "
            "expected as many of both, in a <Placemark>. Take the file from a copy"
        )
    for time, coord in zip(times, coords, strict=True):
        cells = (coord.text or "").split()
        if not cells:  # no position at this time
            continue
        try:
            longitude, latitude = map(parse_number, cells[:2])
        except ValueError:
            raise TracksError(
                f"{file}: <coord>: got {(coord.text or '').strip()[:40]!r}; expected longitude, "
                "latitude and altitude"
            ) from None
        points.add(points.parse_time(time.text, file), longitude, latitude)


def _add_igc(file: Path, points: _Points) -> None:
    """Append the fixes of an IGC file, whose times are in UTC and restart at midnight.

    Fixes of validity V have no position. A record I may give more decimals of the seconds (TDS),
    and of the minutes of latitude (LAD) and longitude (LOD).
    """
    points.names.append(file.stem)
    day, last, void = 0.0, 0.0, 0
    columns: dict[str, slice] = {}
    with open_regular(file, "r", encoding="latin1") as lines:
        for number, line in enumerate(lines, 1):
            if date := DATE.match(line):
                day = max(day, _parse_date(date, number, file))
            elif line.startswith("I"):
                columns = {
                    name: slice(int(first) - 1, int(end))
                    for first, end, name in re.findall(r"(\d\d)(\d\d)([A-Z]{3})", line[3:])
                }
            if not line.startswith("B"):
                continue
            if not day:
                raise TracksError(
                    f"{file}: line {number}: got a fix without a date; expected one above it. Add "
                    "a line such as HFDTE010526 for 1 May 2026"
                )
            fix = FIX.match(line)
            if fix is None:
                raise TracksError(
                    f"{file}: line {number}: got {line.strip()[:40]!r}; expected a fix such as "
                    "B1101355206343N00006198WA0058700558. Take the file from a copy"
                )
            tenths, north, east = (
                line[columns[name]].strip() if name in columns else "" for name in EXTRA
            )
            second = parse_number(f"{fix[3]}.{tenths}0")
            latitude = int(fix[4]) + parse_number(f"{fix[5]}.{fix[6]}{north}") / 60
            longitude = int(fix[8]) + parse_number(f"{fix[9]}.{fix[10]}{east}") / 60
            time = 3600 * int(fix[1]) + 60 * int(fix[2]) + second
            day, last = day + DAY * (time < last - DAY / 2), time
            if fix[12] == "V":
                void += 1
                continue
            points.add(day + time, longitude if fix[11] == "E" else -longitude,
                       latitude if fix[7] == "N" else -latitude)  # fmt: skip
    if void:
        points.notes.append(f"{void:,} fixes of {file.stem} have validity V: no position")


def _parse_date(match: re.Match[str], number: int, file: Path) -> float:
    """Return the date of a record HFDTE, DDMMYY, in seconds since 1970."""
    day, month, year = map(int, match.groups())
    try:
        return datetime(year + (2000 if year < 80 else 1900), month, day, tzinfo=UTC).timestamp()
    except ValueError:
        raise TracksError(
            f"{file}: line {number}: got the date {match[0]}; expected day, month and year"
        ) from None


READERS = {".gpx": _add_gpx, ".kml": _add_kml, ".igc": _add_igc}
