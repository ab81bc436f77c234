"""Motion capture: tables of Motive, Vicon Nexus and TRC, and C3D.

Each has points with names such as bird1:LFHD, a point LFHD of the subject bird1. The points of a
subject become one position (see `select_point`); a point without a subject is an animal.

Sources: https://docs.optitrack.com/motive/data-export/data-export-csv; Vicon Nexus, ASCII export;
OpenSim, Marker (.trc) Files; https://www.c3d.org/HTML/default.htm
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import open_regular
from murmurate.errors import TracksError
from murmurate.number_text import parse_number
from murmurate.tracks.column_names import Column
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import check_numbers
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.pose_files import Point, arrange_points
from murmurate.tracks.raw_tracks import EACH, RawTracks, distinct_names, drop_flat_z
from murmurate.tracks.text_table import (
    DELIMITERS,
    TextPreview,
    TextTable,
    first_lines,
    is_number,
    split_cells,
)

MAX_HEADERS = 400  # lines above the first frame, with sections of other devices
LENGTH_UNITS = {"meters": "m", "centimeters": "cm", "millimeters": "mm"}
KINDS = ("Rigid Body", "Bone", "Marker")
"""Contents of Motive's files, in order of preference: a rigid body is one animal."""
UNLABELED = re.compile(r"unlabell?ed.*|\*\d*", re.IGNORECASE)
NOT_POSITIONS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS")
"""Parameters of a C3D with the labels of other quantities."""
UPRIGHT = {"x": (1, 2, 0), "y": (0, 2, 1), "z": (0, 1, 2)}
"""Axis that points up in the file -> the axes that become x, y and z, which points up."""


@dataclass(frozen=True)
class Capture:
    """Headers of a file.

    names    of the points, without their axes
    columns  (column, index of the point, axis x, y or z)
    rate     frames per second
    unit     of lengths
    up       the axis that points up, and whether the file states it
    count    number of frames; 0 if unknown
    notes    about data that are left out
    first    line of the first frame, from 0
    """

    names: Sequence[str]
    columns: Sequence[tuple[int, int, str]]
    rate: float | None
    unit: str
    up: tuple[str, bool] = ("z", False)
    count: int = 0
    notes: tuple[str, ...] = ()
    first: int = 0


def read_table(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read a table of Motive, Vicon Nexus or TRC; empty cells are points that are not seen."""
    path = preview.path
    lines, encoding = first_lines(path)
    head = next((k for k, line in enumerate(lines[:MAX_HEADERS])
                 if re.match(r'\W*frame#?"?\s*[\t;,|]', line, re.IGNORECASE)), 0)  # fmt: skip
    delimiter = max(DELIMITERS, key=lines[head].count)
    rows = split_cells(lines[: MAX_HEADERS + 8], delimiter)
    first = rows[0][0].lstrip("\ufeff") if rows and rows[0] else ""
    try:
        if first == "Format Version":
            capture = _motive(rows, head, options.variable, path)
        elif first == "PathFileType":
            capture = _trc(rows)
        else:
            capture, head = _nexus(rows, path)
        last = max(column for column, _, _ in capture.columns)
        start = next(k for k in range(max(head, capture.first), len(rows))
                     if rows[k] and is_number(rows[k][0]))  # fmt: skip
    except (IndexError, KeyError, StopIteration, ValueError):
        raise TracksError(
            f"{path}: got headers without a rate, names, axes or frames; expected those of a table "
            "of motion capture. Export it again"
        ) from None
    width = len(rows[start])
    text = TextPreview(encoding, delimiter, False, [str(k + 1) for k in range(width)], True,
                       rows[start:], list(range(start, len(rows))), one_section=True)  # fmt: skip
    if last >= width:
        raise TracksError(
            f"{path}: line {start + 1}: got {width} cells; expected {last + 1}, as in the headers. "
            "Take the file from a copy"
        )
    numbers = {str(column): Column(column, capture.names[k], "", "")
               for column, k, _ in capture.columns}  # fmt: skip
    numbers["frame"] = Column(0, "Frame", "frame", "")
    data = TextTable(path, text).read(numbers, {}, options.skip_bad)
    values = np.stack([data.number(str(column)) for column, _, _ in capture.columns], axis=1)
    notes = [f"{data.skipped:,} unusable rows were left out"] if data.skipped else []
    if capture.count > len(values):
        notes.append(f"{len(values):,} frames, but its header states {capture.count:,}: the file "
                     "may be cut short")  # fmt: skip
    if path.suffix.lower() == preview.ending and _ends_within_line(path):
        notes.append("the last line has no end: its last number may be cut short")
    return _arrange(capture, data.number("frame"), values, options, path, notes)


def _ends_within_line(path: Path) -> bool:
    with open_regular(path) as file:
        file.seek(-1, 2)
        return file.read(1) not in (b"\n", b"\r")


def _fill(cells: Sequence[str]) -> list[str]:
    """Return the names of columns, which stand above the first column of each point."""
    names = [""]
    for cell in cells:
        names.append(cell or names[-1])
    return names[1:]


def _points(names: Sequence[str], axes: Sequence[str]) -> tuple[list[str], Any]:
    """Return the names of points, and the columns with an axis such as X or X1."""
    points: list[str] = []
    columns: list[tuple[int, int, str]] = []
    for column, axis in enumerate(axes):
        if column and (match := re.fullmatch(r"([XYZ])\d*", axis)):
            of_last = {axis for _, k, axis in columns[-3:] if k == len(points) - 1}
            if points[-1:] != [names[column]] or match[1].lower() in of_last:
                points.append(names[column])
            columns.append((column, len(points) - 1, match[1].lower()))
    return points, columns


def _trc(rows: list[list[str]]) -> Capture:
    """Read the five lines of headers of a TRC."""
    fields = dict(zip(rows[1], rows[2], strict=False))
    names, columns = _points(["", "", *_fill(rows[3][2:]), *[""] * 3], rows[4])
    return Capture(names, columns, parse_number(fields["DataRate"]), fields["Units"],
                   count=int(fields["NumFrames"]), first=5)  # fmt: skip


def _nexus(rows: list[list[str]], path: Path) -> tuple[Capture, int]:
    """Read the headers of the section Trajectories: rate, names, axes and units."""
    sections = {row[0]: k for k, row in enumerate(rows)
                if row and row[0] and not any(row[1:]) and not is_number(row[0])}  # fmt: skip
    if "Trajectories" not in sections:
        raise TracksError(
            f"{path}: got the sections {', '.join(sections)}; expected Trajectories. Export the "
            "trajectories alone"
        )
    at = sections["Trajectories"]
    names, columns = _points([*_fill(rows[at + 2]), *[""] * 8], rows[at + 3])
    others = [name for name in sections if name != "Trajectories"]
    notes = (f"the sections {', '.join(others)} are left out",) if others else ()
    return Capture(names, columns, parse_number(rows[at + 1][0]), rows[at + 4][columns[0][0]],
                   notes=notes, first=at + 5), at  # fmt: skip


def _motive(rows: list[list[str]], head: int, kind: str | None, path: Path) -> Capture:
    """Read the headers of Motive: pairs of names and values, then kinds, names, ..., axes."""
    fields = dict(zip(rows[0][::2], rows[0][1::2], strict=False))
    above = [row for row in rows[1 : head - 1] if any(row)]
    labelled = {row[1].lower(): row for row in above if len(row) > 1 and row[1]}
    kinds, names = labelled.get("type", above[0]), labelled.get("name", above[1])
    axes = [axis if k < len(rows[head - 1]) and rows[head - 1][k] == "Position" else ""
            for k, axis in enumerate(rows[head])]  # fmt: skip
    present = list(dict.fromkeys(name for name, axis in zip(kinds, axes, strict=False) if axis))
    if kind is not None and kind not in present:
        raise TracksError(f"{path}: variable: got {kind}; expected one of {', '.join(present)}")
    kind = kind or next((name for name in KINDS if name in present), present[0])
    if fields.get("Coordinate Space", "Global") != "Global":
        raise TracksError(
            f"{path}: got the coordinate space {fields['Coordinate Space']}; expected Global. "
            "Export global positions"
        )
    axes = [axis if k < len(kinds) and kinds[k] == kind else "" for k, axis in enumerate(axes)]
    points, columns = _points(names, axes)
    others = [name for name in present if name != kind]
    note = f"positions are those of {kind}, and not {', '.join(others)} (--variable '{{}}')"
    unit = fields["Length Units"].lower()
    rate = fields.get("Export Frame Rate", fields["Capture Frame Rate"])
    return Capture(
        points, columns, parse_number(rate),
        LENGTH_UNITS.get(unit, unit), ("y", False), int(fields.get("Total Exported Frames") or 0),
        (note.format(others[0]),) if others else (), head + 1,
    )  # fmt: skip


def read_c3d(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the points of a C3D; a negative residual means that a point is not seen."""
    import c3d

    class Reader(c3d.Reader):  # type: ignore[misc]
        @property
        def first_frame(self) -> int:  # c3d 0.6 multiplies the upper word by 65535
            field = self.get("TRIAL:ACTUAL_START_FIELD")
            low, high = (self.header.first_frame, 0) if field is None else field.uint16_array[:2]
            return int(low) + (int(high) << 16)

    path = preview.path
    with open_regular(path) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = Reader(file)

        def texts(name: str) -> list[str]:
            parameter = reader.get(f"POINT:{name}")
            return [] if parameter is None else [
                text.strip(" \0") for text in np.ravel(parameter.string_array).tolist()
            ]  # fmt: skip

        first, count, points = reader.first_frame, reader.frame_count, reader.point_used
        words = 4 * points + reader.analog_used * reader.analog_per_frame
        begin, size = 512 * (reader.header.data_block - 1), path.stat().st_size
        stored = (size - begin) // (max(words, 1) * (4 if reader.point_scale < 0 else 2))
        if not points or not 0 < count <= stored:
            raise TracksError(
                f"{path}: got {points:,} points in {max(stored, 0):,} frames; expected "
                f"{count:,} frames with points, as its header states. Take it from a copy"
            )
        check_numbers(count * points * 5, "its points", path)
        values = np.array([frame[:, :4] for _, frame, _ in reader.read_frames()], np.float64)
        rate = float(reader.point_rate) or None
        labels = [*texts("LABELS"), *texts("LABELS2"), *texts("LABELS3")]
        other = {label for name in NOT_POSITIONS for label in texts(name)} - {""}
        unit, up = ("".join(texts(name)[:1]) for name in ("UNITS", "Y_SCREEN"))
    values[values[:, :, 3] < 0] = np.nan
    labels = [label or str(k) for k, label in enumerate([*labels, *[""] * points][:points])]
    other &= {*labels}
    up = up.lower().removeprefix("+")
    capture = Capture(
        labels, [(3 * k + axis, k, "xyz"[axis]) for k in range(points) if labels[k] not in other
                 for axis in range(3)],
        rate, unit, (up, True) if up in UPRIGHT else ("z", False),
        notes=(f"{len(other):,} points are not positions, and are left out",) if other else (),
    )  # fmt: skip
    flat = values[:, :, :3].reshape(count, -1)[:, [column for column, _, _ in capture.columns]]
    return _arrange(capture, np.arange(count) + float(first), flat, options, path, [])


def _arrange(
    capture: Capture, frames: np.ndarray, values: np.ndarray, options: ReadOptions, path: Path,
    notes: list[str],
) -> RawTracks:  # fmt: skip
    """Return tracks of the values (n, columns) of points, with axes turned so that z points up."""
    names = distinct_names(capture.names)
    loose = {k for k, name in enumerate(names) if UNLABELED.fullmatch(name.rpartition(":")[2])}
    if len(loose) == len(names):
        loose = set()
    elif loose:
        notes.append(f"{len(loose):,} unlabelled points are left out")
    subjects = [name.rpartition(":")[0] for name in names]
    is_each = options.part == EACH
    has_parts = any(subjects.count(subject) > 1 for subject in subjects if subject)
    points: list[Point] = []
    columns = [c for c, (_, k, _) in enumerate(capture.columns) if k not in loose]
    for _, k, axis in (capture.columns[c] for c in columns):
        animal = names[k] if is_each else subjects[k] or names[k]
        is_part = has_parts and not is_each and subjects[k]
        points.append((animal, names[k].rpartition(":")[2] if is_part else "", axis))
    part = None if is_each else options.part
    raw = arrange_points(path, points, frames, values[:, columns], replace(options, part=part), ())
    up, is_known = options.up or capture.up[0], bool(options.up) or capture.up[1]
    if raw.positions.shape[2] == 3:
        sign = (1, -1, 1) if up == "y" else (1, 1, 1)
        turned = (raw.positions[:, :, UPRIGHT[up]] * sign + 0.0).reshape(-1, 3)
        flat, z_notes = drop_flat_z(turned)
        raw = replace(raw, positions=flat.reshape(*raw.positions.shape[:2], -1))
        notes += z_notes
        if up != "z":
            notes.append(f"{up} of the file points up: axes are turned so that z does")
        if not is_known:
            notes.append(f"the file does not state the axis that points up: {up} is assumed (--up)")
    rate = {"rate": f"{capture.rate or 0:g} frames a second, from the headers"}
    return replace(
        raw, frames_per_second=capture.rate, unit=capture.unit, y_down=False, attrs=rate,
        notes=(*capture.notes, *notes, *raw.notes),
    )  # fmt: skip
