"""Names of a table's columns -> what they hold, in which unit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from murmurate.record.errors import RecordingRefused

# What columns are called, by priority; in lower case, with one _ for spaces, points and hyphens.
NAMES: dict[str, tuple[str, ...]] = {
    "id": (
        "track_id", "trackid", "particle", "individual_local_identifier", "individual",
        "individual_id", "animal_id", "animal", "fish_id", "fish", "bird", "agent_id", "agent",
        "target", "identity", "ind", "track", "tag", "name", "id",
    ),
    "frame": ("frame", "frames", "frame_idx", "frame_id", "frame_number", "imagenumber", "fnum"),
    "time": ("time", "t", "seconds", "timestamp", "datetime", "date_time", "position_t"),
    "x": ("x", "pos_x", "x_pos", "position_x", "x_position", "xbody", "x#wcentroid"),
    "y": ("y", "pos_y", "y_pos", "position_y", "y_position", "ybody", "y#wcentroid"),
    "z": ("z", "pos_z", "z_pos", "position_z", "z_position"),
}  # fmt: skip
# Seconds in a unit of time, by the words for it.
SECONDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}
LENGTHS = ("px", "pixel", "pixels", "um", "µm", "μm", "micron", "microns", "mm", "cm", "m", "km")
ENCLOSED = re.compile(r"(.*?)[\s_]*[(\[]([^)\]]*)[)\]]\s*")
AXIS = re.compile(r"(?P<axis>[xyz])_?(?P<who>.+)|(?P<who2>.+?)_(?P<axis2>[xyz])")


@dataclass(frozen=True)
class Column:
    """A column: its place from 0, its name as it is written, plainly, and its unit, '' for none."""

    number: int
    written: str
    name: str
    unit: str


def columns_of(header: Sequence[str]) -> list[Column]:
    """The columns of a header."""
    out = []
    for number, written in enumerate(header):
        written = " ".join(written.split())
        bare, unit = written, ""
        if found := ENCLOSED.fullmatch(bare):
            bare, unit = found[1], found[2].strip()
        name = re.sub(r"[\s\-_.:]+", "_", bare.lower()).strip("_")
        head, _, tail = name.rpartition("_")
        if not unit and head and (tail in SECONDS or tail in LENGTHS):
            role = next((role for role, names in NAMES.items() if head in names), "")
            units = LENGTHS if role in ("x", "y", "z") else SECONDS if role == "time" else ()
            if tail in units:
                name, unit = head, tail
        out.append(Column(number, written, name, unit))
    return out


def found_roles(
    columns: Sequence[Column], asked: Mapping[str, str], usual: Mapping[str, str], path: object
) -> dict[str, Column]:
    """role -> its column: as asked for, else by the plain name that it usually has in such a file
    ('': such a file has none), else by any of its names. Raises RecordingRefused for a column that
    is asked for and not there, or that there are two of."""
    out: dict[str, Column] = {}
    for role, names in NAMES.items():
        if role in asked:
            out[role] = _named(columns, asked[role], role, path)
            continue
        first = usual.get(role)
        for name in names if first is None else (first, *names) if first else ():
            same = [column for column in columns if name and column.name == name]
            if len(same) > 1:
                raise RecordingRefused(
                    f"{path}: has {len(same)} columns {same[0].written}; say which one is the "
                    f"{role}, by its number: --columns {role}={same[0].number + 1}"
                )
            if same:
                out[role] = same[0]
                break
    if "time" in asked and "frame" not in asked:
        out.pop("frame", None)
    return out


def _named(columns: Sequence[Column], wanted: str, role: str, path: object) -> Column:
    for match in (
        [column for column in columns if column.written == wanted],
        [column for column in columns if column.written.lower() == wanted.lower()],
        [column for column in columns if column.name and column.name == wanted.lower()],
        [column for column in columns if str(column.number + 1) == wanted],
    ):
        if match:
            return match[0]
    there = ", ".join(column.written or "(no name)" for column in columns)
    raise RecordingRefused(f"{path}: columns: {role}={wanted}: there is no such column; there are "
                           f"{there}")  # fmt: skip


def wide_columns(columns: Sequence[Column]) -> dict[str, dict[str, Column]]:
    """animal -> axis -> its column, of names such as x1 and y1, fish2_x and fish2_y; animals that
    have x and y."""
    found: dict[str, dict[str, Column]] = {}
    for column in columns:
        if match := AXIS.fullmatch(column.name):
            axis, who = match["axis"] or match["axis2"], match["who"] or match["who2"]
            found.setdefault(who, {}).setdefault(axis, column)
    return {who: axes for who, axes in found.items() if {"x", "y"} <= set(axes)}


def unit_of(columns: Sequence[Column], path: object) -> str:
    """The unit of lengths that columns of coordinates have in common. Raises RecordingRefused where
    they have several."""
    units = {column.unit: column for column in columns if column.unit}
    if len(units) > 1:
        one, other = list(units.values())[:2]
        raise RecordingRefused(
            f"{path}: column {one.written} is in {one.unit}, and {other.written} in {other.unit}; "
            "coordinates must have one unit: convert one of them, or name other columns"
        )
    return next(iter(units), "")
