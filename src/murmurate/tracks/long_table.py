"""Tables with one sighting a row: which animal, when, where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import (
    BOXES,
    DEGREES,
    LATITUDES,
    LONGITUDES,
    Column,
    Understanding,
    box_of,
    found_roles,
    is_in_degrees,
    unit_of,
    wide_columns,
)
from murmurate.tracks.compressed import plain_path
from murmurate.tracks.file_head import Head
from murmurate.tracks.geography import in_metres
from murmurate.tracks.grid import Named, filled, in_order, numbered
from murmurate.tracks.layouts import Layout
from murmurate.tracks.moments import CLOCK, seconds_of
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, without_flat_z
from murmurate.tracks.resampling import Sightings, resampled
from murmurate.tracks.table import Columns
from murmurate.tracks.text_head import is_missing, is_number
from murmurate.tracks.timeline import timeline_of

MOST_HEADERS = 3  # rows below the first that may belong to the header
AXES = ("x", "y", "z")
HOLDS = {"id": "animal", "frame": "frame number", "time": "time", "date": "date"}


@dataclass
class _Rows:
    """Sightings: whose, where, when.

    row   what one of them is called, such as 'line 7'
    when  what its time is called, as the file writes it
    """

    animals: np.ndarray
    places: np.ndarray
    frames: np.ndarray | None
    times: np.ndarray | None
    row: Named
    when: Named | None = None

    def only(self, kept: np.ndarray) -> _Rows:
        """Those that are True in kept (n,)."""
        where, row, when = np.flatnonzero(kept), self.row, self.when
        frames, times = (None if x is None else x[where] for x in (self.frames, self.times))
        return _Rows(self.animals[where], self.places[where], frames, times,
                     lambda place: row(int(where[place])),
                     None if when is None else lambda place: when(int(where[place])))  # fmt: skip


@dataclass
class Table:
    """What a table holds, before its rows are put into frames.

    names     of the animals
    roles     time, frame, id, ... -> its column
    dated     whether its times are dates or clocks
    bad       rows that were left out
    rate      frames per second, if a comment says so
    degrees   whether positions are longitude and latitude
    """

    rows: _Rows
    names: list[str]
    roles: dict[str, Column]
    dated: bool
    unit: str
    degrees: bool
    bad: int
    rate: float | None
    notes: list[str]
    understanding: Understanding = field(default_factory=Understanding)


def read(head: Head, options: ReadOptions, layout: Layout) -> Reading:
    """A table as a program writes it. Raises RecordingRefused, with the line, for what cannot be
    read."""
    return framed(table_of(head, options, layout), options, layout, head.path)


def table_of(head: Head, options: ReadOptions, layout: Layout) -> Table:
    """The sightings of a table. Raises RecordingRefused."""
    path, columns = head.path, head.columns
    skip = _more_headers(head) if layout.headers else 0
    if skip and head.text:
        columns = [_with_unit(column, head.text.rows[skip - 1]) for column in columns]
    roles = found_roles(columns, options.columns, layout.roles, path)
    corners = box_of(roles)
    if not corners:
        _check_roles(roles, head)
    if "id" not in roles and not {"x", "y"} & set(options.columns):
        _check_others(columns, roles, path)
    table = head.table(skip)
    axes = [axis for axis in AXES if axis in roles]
    numbers = {role: roles[role] for role in (*axes, *corners, "frame") if role in roles}
    words = {"id": roles["id"]} if "id" in roles else {}
    extra = (layout.within, *layout.drop)
    words |= {column.name: column for column in columns if column.name and column.name in extra}
    dated = "time" in roles and not table.numeric(roles["time"])
    if "date" in roles and not _is_clock(head, roles["time"], skip):
        if "date" in options.columns:
            raise RecordingRefused(
                f"{path}: columns: date={options.columns['date']}: the column "
                f"{roles['time'].written} beside it holds no clocks, such as 10:00:00"
            )
        del roles["date"]
    for role in ("time", "date"):
        if role in roles:
            (words if dated else numbers)[role] = roles[role]
    found = table.read(numbers, words, options.skip_bad)
    notes = list(head.text.notes) if head.text else []
    animals, names = _animals(found, layout, path)
    if corners:
        places = _centres(found, corners)
        notes.append("positions are the centres of boxes")
    else:
        places = np.stack([found.number(axis) for axis in axes], axis=1)
    places, flat = without_flat_z(places)
    notes += flat
    if layout.infinite:
        places[~np.isfinite(places).all(axis=1)] = np.nan
    frames = found.number("frame") if "frame" in roles else None
    written = _written(found, roles, dated)
    times = None
    if "time" in roles:
        times = seconds_of(found, dated, roles["time"], notes, path, options.skip_bad,
                           options.time_format)  # fmt: skip
    when = written if dated else _numbers(times) if frames is None else None
    rows = _Rows(animals, places, frames, times, found.place, when)
    rows = _without(rows, found, names, layout, options, notes, path)
    positions = [roles[one] for one in (corners or axes)]
    degrees = layout.degrees or _in_degrees(roles, options)
    unit = "degrees" if degrees else unit_of(positions, path) or layout.unit
    rate = None
    if head.text is not None:
        unit = unit or head.text.unit
        rate = head.text.rate
    understanding = Understanding()
    for role, column in roles.items():
        understanding.use(column, HOLDS.get(role, role))
    for column in columns:
        if column.name and column.name in extra:
            understanding.use(column, "part of the animal's name" if column.name == layout.within
                              else "which rows count")  # fmt: skip
    understanding.rest(columns)
    return Table(rows, names, roles, dated, unit, degrees, found.bad, rate, notes, understanding)


def framed(table: Table, options: ReadOptions, layout: Layout, path: Path) -> Reading:
    """The rows of a table, in frames. Raises RecordingRefused."""
    rows, names, roles, notes = table.rows, table.names, table.roles, table.notes
    attrs: dict[str, object] = dict(table.understanding.attrs)
    unit = table.unit
    if table.degrees:
        rows.places, unit = rows.places[:, :2], "m"
        rows.places, said = in_metres(rows.places, path)
        notes.append(f"degrees are projected to {said}")
        attrs["projection"] = said
    order = in_order(names)
    used = np.bincount(rows.animals, minlength=len(names)) > 0
    order = [place for place in order if used[place]]
    ranks = np.zeros(len(names), np.int64)
    ranks[order] = np.arange(len(order))
    rows.animals, names = ranks[rows.animals], [names[place] for place in order]
    if rows.frames is None and rows.times is None:
        _check_lone(names, table, path)
        rows.frames = np.arange(len(rows.places), dtype=np.float64)
        notes.append("there is no column of frames or times: each row is taken for one frame")
    seconds = layout.seconds or "time" in options.columns or options.resample is not None
    if options.resample is not None:
        rows = _resampled(rows, options, len(names), notes, path)
    made = timeline_of(rows.frames, rows.times, roles.get("time"), table.dated, seconds, len(names),
                       rows.row, path)  # fmt: skip
    advice = "" if "id" in roles else ", or name the column of the animals: --columns id=NAME"
    places, again = filled(made.frames, rows.animals, rows.places, names, rows.row,
                           options.skip_bad, path, rows.when, advice)  # fmt: skip
    if bad := table.bad + again:
        notes.append(f"{bad:,} rows that cannot be used were left out")
    rate = made.rate
    if rate is None and table.rate is not None:
        rate = table.rate
        notes.append(f"{rate:g} frames a second: a comment in the file says so")
    return Reading(places, rate, names, unit, made.start, made.every, layout.y_down,
                   (*notes, *made.notes), attrs)  # fmt: skip


def joined(tables: Sequence[Table], path: Path) -> Table:
    """Several tables as one; animals of one name are one animal. Raises RecordingRefused for tables
    that are not alike."""
    first = tables[0]
    for one in tables[1:]:
        alike = (one.unit, one.dated, one.degrees, set(one.roles)) == (
            first.unit, first.dated, first.degrees, set(first.roles)
        )  # fmt: skip
        if not alike or one.rows.places.shape[1] != first.rows.places.shape[1]:
            raise RecordingRefused(
                f"{path}: its tables have different columns or units; tables of one folder must be "
                "alike: read them one by one"
            )
    names = list(dict.fromkeys(name for one in tables for name in one.names))
    ends = np.cumsum([0, *(len(one.rows.animals) for one in tables)])

    def called(place: int, what: str) -> str:
        k = int(np.searchsorted(ends, place, side="right")) - 1
        return str(getattr(tables[k].rows, what)(place - int(ends[k])))

    def stacked(what: str) -> np.ndarray | None:
        found = [getattr(one.rows, what) for one in tables]
        return None if found[0] is None else np.concatenate(found)

    animals = [
        np.array([names.index(name) for name in one.names] or [0])[one.rows.animals]
        for one in tables
    ]
    places = stacked("places")
    assert places is not None
    rows = _Rows(
        np.concatenate(animals), places, stacked("frames"), stacked("times"),
        lambda place: called(place, "row"),
        None if first.rows.when is None else lambda place: called(place, "when"),
    )  # fmt: skip
    notes = list(dict.fromkeys(note for one in tables for note in one.notes))
    bad = sum(one.bad for one in tables)
    return Table(rows, names, first.roles, first.dated, first.unit, first.degrees, bad, first.rate,
                 notes, first.understanding)  # fmt: skip


def _is_clock(head: Head, column: Column, skip: int) -> bool:
    """Whether a column of times holds clocks, of days that another column has."""
    if head.text is None:
        return False
    rows = head.text.rows[skip:]
    cells = [row[column.number] for row in rows if column.number < len(row)]
    cells = [cell for cell in cells if not is_missing(cell)]
    return bool(cells) and sum(bool(CLOCK.fullmatch(c)) for c in cells) > len(cells) / 2


def _in_degrees(roles: dict[str, Column], options: ReadOptions) -> bool:
    """Whether x and y are longitude and latitude: their names or units say so, or the user does."""
    if options.unit is not None and options.unit.lower() in DEGREES:
        return True
    if "x" not in roles or "y" not in roles:
        return False
    x, y = roles["x"], roles["y"]
    by_name = x.name in LONGITUDES and y.name in LATITUDES
    return by_name or (is_in_degrees(x) and is_in_degrees(y))


def _centres(found: Columns, corners: Sequence[str]) -> np.ndarray:
    """(n, 2) the middle of each box."""
    left, top, third, fourth = (found.number(role) for role in corners)
    if corners == BOXES[0]:
        return np.stack([left + third / 2, top + fourth / 2], axis=1)
    return np.stack([(left + third) / 2, (top + fourth) / 2], axis=1)


def _written(found: Columns, roles: dict[str, Column], dated: bool) -> Named | None:
    """What a row's date or clock is called: as it is written."""
    if not dated or "time" not in roles:
        return None
    parts = [found.words[role] for role in ("date", "time") if role in roles]
    names, codes = [part.names for part in parts], [part.codes for part in parts]
    return lambda place: (
        "time " + " ".join(name[code[place]] for name, code in zip(names, codes, strict=True))
    )


def _numbers(times: np.ndarray | None) -> Named | None:
    return None if times is None else lambda place: f"time {times[place]:.10g}"


def _resampled(
    rows: _Rows, options: ReadOptions, animals: int, notes: list[str], path: Path
) -> _Rows:
    """The rows at equal times."""
    if rows.times is None:
        raise RecordingRefused(
            f"{path}: resample: it has no times; name their column, --columns time=NAME, or leave "
            "--resample out"
        )
    given = Sightings(rows.animals, rows.times, rows.places)
    step, box = options.resample or 1.0, options.space.box(rows.places.shape[1])
    made, said = resampled(given, step, animals, rows.row, path, box)
    notes.append(said)
    return _Rows(made.animals, made.places, None, made.times, numbered("moment"))


def _check_lone(names: list[str], table: Table, path: Path) -> None:
    """Raises RecordingRefused for a table without frames and times where other columns may have
    them, or there are several animals."""
    others = list(table.understanding.ignored)
    if others or len(names) > 1:
        there = ", ".join(name[:60] for name in [*table.understanding.used, *others][:40])
        raise RecordingRefused(
            f"{path}: has no column of frames or times that is known; there are {there}; name it, "
            "and that of the animals: --columns time=NAME,id=NAME, or frame=NAME,id=NAME"
        )


def _check_roles(roles: dict[str, Column], head: Head) -> None:
    lacking = [axis for axis in ("x", "y") if axis not in roles]
    if lacking:
        raise RecordingRefused(
            f"{head.path}: has no column {' and '.join(lacking)}; there are "
            f"{_listed(head.columns)}; name them: --columns time=NAME,id=NAME,x=NAME,y=NAME"
        )


def _check_others(columns: list[Column], roles: dict[str, Column], path: Path) -> None:
    """Raises RecordingRefused where other columns may be the x and y of more animals, as x_f and
    y_f beside x_m and y_m."""
    known = {column.number for column in roles.values()}
    others = wide_columns([column for column in columns if column.number not in known])
    if others:
        two = next(iter(others.values()))
        raise RecordingRefused(
            f"{path}: has {roles['x'].written}, {roles['y'].written}, and also "
            f"{two['x'].written}, {two['y'].written}; say which are the positions: --columns "
            f"x={roles['x'].written},y={roles['y'].written}. For several animals rename the "
            "columns: x1, y1, x2, y2"
        )


def _listed(columns: list[Column]) -> str:
    return ", ".join(column.written[:60] or "(no name)" for column in columns[:40])


def _more_headers(head: Head) -> int:
    """Rows below the first that belong to the header: until FRAME is a number."""
    place = next((c.number for c in head.columns if c.name == "frame"), None)
    if place is None or head.text is None:
        return 0
    for count, cells in enumerate(head.text.rows[: MOST_HEADERS + 1]):
        if place < len(cells) and is_number(cells[place]):
            return count
    return 0


def _with_unit(column: Column, cells: list[str]) -> Column:
    cell = cells[column.number] if column.number < len(cells) else ""
    unit = cell.strip("()") if cell.startswith("(") else ""
    return Column(column.number, column.written, column.name, unit) if unit else column


def _animals(found: Columns, layout: Layout, path: Path) -> tuple[np.ndarray, list[str]]:
    """Whose each row is, and the names; a table without ids is that of one animal, which is called
    as the file is."""
    if "id" not in found.words:
        count = sum(len(piece) for piece in next(iter(found.numbers.values())))
        return np.zeros(count, np.int32), [plain_path(path).stem]
    codes, names = found.words["id"].codes, found.words["id"].names
    if layout.within in found.words and len(found.words[layout.within].names) > 1:
        outer = found.words[layout.within]
        pairs, codes = np.unique(outer.codes.astype(np.int64) * len(names) + codes,
                                 return_inverse=True)  # fmt: skip
        names = [f"{outer.names[k // len(names)]}/{names[k % len(names)]}" for k in pairs.tolist()]
    return codes, names


def _without(
    rows: _Rows, found: Columns, names: list[str], layout: Layout, options: ReadOptions,
    notes: list[str], path: object,
) -> _Rows:  # fmt: skip
    """The rows without those that are no sightings. Raises RecordingRefused for one that should
    have an animal, and does not."""
    kept = np.ones(len(rows.animals), bool)
    for name, word in layout.drop.items():
        if name in found.words:
            said = np.array([one.lower() == word for one in found.words[name].names] or [False])
            kept &= ~said[found.words[name].codes]
            _note(notes, kept, f"with {name} {word}")
    if not layout.loose and "id" in found.words:
        kept &= ~_empty(rows, names)
    nobody = np.array([is_missing(one.rpartition("/")[2]) for one in names] or [False])
    alone = nobody[rows.animals] & kept
    if alone.any() and not (layout.loose or options.skip_bad):
        raise RecordingRefused(
            f"{path}: {rows.row(int(np.argmax(alone)))} has no id; each row "
            "must say which animal it is (--skip-bad leaves such rows out)"
        )
    before = int(kept.sum())
    kept &= ~alone
    _note(notes, kept, "of no animal", len(kept) - before)
    if layout.degrees:
        before = int(kept.sum())
        kept &= np.isfinite(rows.places[:, :2]).all(axis=1)
        _note(notes, kept, "without a place", len(kept) - before)
    if options.skip_bad:
        for one in (rows.frames, rows.times):
            if one is not None:
                before = int(kept.sum())
                kept &= np.isfinite(one)
                _note(notes, kept, "without a time", len(kept) - before)
    return rows if kept.all() else rows.only(kept)


def _empty(rows: _Rows, names: list[str]) -> np.ndarray:
    """(n,) rows without anything in them, as tables have between their parts."""
    nobody = np.array([is_missing(one.rpartition("/")[2]) for one in names] or [False])
    empty = nobody[rows.animals] & np.isnan(rows.places).all(axis=1)
    for numbers in (rows.frames, rows.times):
        if numbers is not None:
            empty &= np.isnan(numbers)
    return empty


def _note(notes: list[str], kept: np.ndarray, which: str, before: int = 0) -> None:
    if lost := int((~kept).sum()) - before:
        notes.append(f"{lost:,} {'row' if lost == 1 else 'rows'} {which} left out")
