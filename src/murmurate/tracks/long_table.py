"""Tables with one sighting a row: which animal, when, where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Column, found_roles, unit_of
from murmurate.tracks.file_head import Head
from murmurate.tracks.geography import in_metres
from murmurate.tracks.grid import Named, filled, in_order, numbered
from murmurate.tracks.layouts import Layout
from murmurate.tracks.moments import seconds_of
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, without_flat_z
from murmurate.tracks.resampling import Sightings, resampled
from murmurate.tracks.table import Columns
from murmurate.tracks.text_head import is_missing, is_number
from murmurate.tracks.timeline import timeline_of

MOST_HEADERS = 3  # rows below the first that may belong to the header
AXES = ("x", "y", "z")


@dataclass
class _Rows:
    """Sightings: whose, where, when; `row` is what one of them is called."""

    animals: np.ndarray
    places: np.ndarray
    frames: np.ndarray | None
    times: np.ndarray | None
    row: Named

    def only(self, kept: np.ndarray) -> _Rows:
        """Those that are True in kept (n,)."""
        where, row = np.flatnonzero(kept), self.row
        frames, times = (None if x is None else x[where] for x in (self.frames, self.times))
        return _Rows(self.animals[where], self.places[where], frames, times,
                     lambda place: row(int(where[place])))  # fmt: skip


def read(head: Head, options: ReadOptions, layout: Layout) -> Reading:
    """A table as a program writes it. Raises RecordingRefused, with the row, for what cannot be."""
    path, columns = head.path, head.columns
    skip = _more_headers(head) if layout.headers else 0
    if skip and head.text:
        columns = [_with_unit(column, head.text.rows[skip - 1]) for column in columns]
    roles = found_roles(columns, options.columns, layout.roles, path)
    _check_roles(roles, head)
    table = head.table(skip)
    axes = [axis for axis in AXES if axis in roles]
    numbers = {role: roles[role] for role in (*axes, "frame") if role in roles}
    words = {"id": roles["id"]} if "id" in roles else {}
    extra = (layout.within, *layout.drop)
    words |= {column.name: column for column in columns if column.name and column.name in extra}
    dated = "time" in roles and not table.numeric(roles["time"])
    if "time" in roles:
        (words if dated else numbers)["time"] = roles["time"]
    found = table.read(numbers, words, options.skip_bad)
    notes: list[str] = []
    animals, names = _animals(found, layout, path)
    places = np.stack([found.number(axis) for axis in axes], axis=1)
    places, flat = without_flat_z(places)
    notes += flat
    if layout.infinite:
        places[~np.isfinite(places).all(axis=1)] = np.nan
    frames = found.number("frame") if "frame" in roles else None
    times = seconds_of(found, dated, roles["time"], notes, path) if "time" in roles else None
    rows = _Rows(animals, places, frames, times, found.place)
    rows = _without(rows, found, names, layout, options, notes, path)
    unit = unit_of([roles[axis] for axis in axes], path) or layout.unit
    if layout.degrees:
        rows.places, unit = rows.places[:, :2], "m"
        rows.places, said = in_metres(rows.places, path)
        notes.append(f"degrees are projected to {said}")
    order = in_order(names)
    used = np.bincount(rows.animals, minlength=len(names)) > 0
    order = [place for place in order if used[place]]
    ranks = np.zeros(len(names), np.int64)
    ranks[order] = np.arange(len(order))
    rows.animals, names = ranks[rows.animals], [names[place] for place in order]
    if rows.frames is None and rows.times is None:
        _check_lone(names, columns, roles, path)
        rows.frames = np.arange(len(rows.places), dtype=np.float64)
        notes.append("there is no column of frames or times: each row is taken for one frame")
    seconds = layout.seconds or "time" in options.columns or options.resample is not None
    if options.resample is not None:
        rows = _resampled(rows, options, len(names), notes, path)
    made = timeline_of(rows.frames, rows.times, roles.get("time"), dated, seconds, len(names),
                       rows.row, path)  # fmt: skip
    places, again = filled(made.frames, rows.animals, rows.places, names, rows.row,
                           options.skip_bad, path)  # fmt: skip
    if bad := found.bad + again:
        notes.append(f"{bad:,} rows that cannot be used were left out")
    return Reading(places, made.rate, names, unit, made.start, made.every, layout.y_down,
                   (*notes, *made.notes))  # fmt: skip


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


def _check_lone(
    names: list[str], columns: list[Column], roles: dict[str, Column], path: Path
) -> None:
    """Raises RecordingRefused for a table without frames and times where other columns may have
    them, or there are several animals."""
    known = {column.number for column in roles.values()}
    others = [column for column in columns if column.name and column.number not in known]
    if others or len(names) > 1:
        raise RecordingRefused(
            f"{path}: has no column of frames or times that is known; there are "
            f"{_listed(columns)}; name it, and that of the animals: "
            "--columns time=NAME,id=NAME, or frame=NAME,id=NAME"
        )


def _check_roles(roles: dict[str, Column], head: Head) -> None:
    lacking = [axis for axis in ("x", "y") if axis not in roles]
    if lacking:
        raise RecordingRefused(
            f"{head.path}: has no column {' and '.join(lacking)}; there are "
            f"{_listed(head.columns)}; name them: --columns time=NAME,id=NAME,x=NAME,y=NAME"
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
        return np.zeros(count, np.int32), [path.stem]
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


def _note(notes: list[str], kept: np.ndarray, which: str, before: int = 0) -> None:
    if lost := int((~kept).sum()) - before:
        notes.append(f"{lost:,} {'row' if lost == 1 else 'rows'} {which} left out")
