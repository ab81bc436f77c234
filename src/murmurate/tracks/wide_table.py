"""Tables with one frame a row, and columns x1, y1, x2, y2, ... of its animals."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from murmurate.disk import read_text
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import found_roles, unit_of, wide_columns
from murmurate.tracks.file_head import Head
from murmurate.tracks.file_size import check_numbers
from murmurate.tracks.grid import in_order
from murmurate.tracks.moments import seconds_of
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, rate_of
from murmurate.tracks.timeline import timeline_of

ABOUT = "attributes.json"  # beside a table of idtracker.ai's


def read(head: Head, options: ReadOptions, y_down: bool = False) -> Reading:
    """Columns are paired by their names. Raises RecordingRefused for two rows of one frame."""
    path = head.path
    animals = wide_columns(head.columns)
    names = list(animals)
    names = [names[place] for place in in_order(names)]
    axes = ["x", "y", "z"] if all("z" in animals[name] for name in names) else ["x", "y"]
    columns = [animals[name][axis] for name in names for axis in axes]
    usual = dict.fromkeys(("id", "x", "y", "z"), "")
    roles = found_roles(head.columns, {}, usual, path)
    table = head.table()
    numbers = {str(k): column for k, column in enumerate(columns)}
    dated = "time" in roles and not table.numeric(roles["time"])
    if "frame" in roles:
        numbers["frame"] = roles["frame"]
    if "time" in roles and not dated:
        numbers["time"] = roles["time"]
    found = table.read(numbers, {"time": roles["time"]} if dated else {}, options.skip_bad)
    notes: list[str] = []
    places = np.stack([found.number(str(k)) for k in range(len(columns))], axis=1)
    frames = found.number("frame") if "frame" in roles else None
    times = seconds_of(found, dated, roles["time"], notes, path) if "time" in roles else None
    if frames is None and times is None:
        frames = np.arange(len(places), dtype=np.float64)
        notes.append("there is no column of frames or times: each row is taken for one frame")
    line = timeline_of(
        frames, times, roles.get("time"), dated, False, len(names), found.place, path
    )
    made = line.frames
    first = np.unique(made.index, return_index=True)[1]
    if len(first) < len(places):
        if not options.skip_bad:
            k = int(np.setdiff1d(np.arange(len(places)), first)[0])
            raise RecordingRefused(
                f"{path}: {found.place(k)} is of a frame that was there already;"
                " each frame has one row: keep one of them (--skip-bad keeps the first)"
            )
        found.bad += len(places) - len(first)
    check_numbers(made.count * places.shape[1], "its table with all its frames", path)
    out = np.full((made.count, places.shape[1]), np.nan)
    out[made.index[first]] = places[first]
    if found.bad:
        notes.append(f"{found.bad:,} rows that cannot be used were left out")
    return Reading(
        out.reshape(made.count, len(names), len(axes)), line.rate, names, unit_of(columns, path),
        line.start, line.every, y_down, (*notes, *line.notes),
    )  # fmt: skip


def read_idtracker(head: Head, options: ReadOptions) -> Reading:
    """idtracker.ai's table: pixels; attributes.json beside it has the frames a second."""
    found = read(head, options, y_down=True)
    about = head.path.parent / ABOUT
    rate = found.frames_per_second
    if about.is_file() and about.stat().st_size < 1 << 24:
        try:
            said = json.loads(read_text(about))
        except ValueError:
            raise RecordingRefused(f"{about}: cannot be read: it is no JSON") from None
        if isinstance(said, dict):
            rate = rate_of(said.get("frames_per_second"), "frames_per_second", about) or rate
    return replace(found, frames_per_second=rate, unit="px")


def read_animalta(head: Head, options: ReadOptions) -> Reading:
    """AnimalTA's table: X_Arena0_Ind0, Y_Arena0_Ind0, ..."""
    return read(head, options, y_down=True)
