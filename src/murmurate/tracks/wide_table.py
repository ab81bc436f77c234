"""Tables with one frame a row, and columns x1, y1, x2, y2, ... of its animals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from murmurate.disk import read_text
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import (
    Column,
    Understanding,
    divided,
    found_roles,
    have_scores,
    is_body_part,
    unit_of,
    wide_columns,
)
from murmurate.tracks.file_head import Head
from murmurate.tracks.file_size import check_numbers
from murmurate.tracks.grid import in_order
from murmurate.tracks.moments import seconds_of
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import EACH, MEAN, Reading, one_point, rate_of
from murmurate.tracks.timeline import timeline_of

ABOUT = "attributes.json"  # beside a table of idtracker.ai's


def read(head: Head, options: ReadOptions, y_down: bool = False) -> Reading:
    """Columns are paired by their names. Raises RecordingRefused for two rows of one frame, and for
    columns that look like body parts unless `part` says what they are."""
    path = head.path
    understanding = Understanding()
    animals = _animals(wide_columns(head.columns, understanding), options, path, head.columns)
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
    for name in names:
        for axis in axes:
            understanding.use(animals[name][axis], f"{axis} of {name}")
    for role, what in (("frame", "frame number"), ("time", "time")):
        if role in roles:
            understanding.use(roles[role], what)
    understanding.rest(head.columns)
    notes = list(head.text.notes) if head.text else []
    places = np.stack([found.number(str(k)) for k in range(len(columns))], axis=1)
    frames = found.number("frame") if "frame" in roles else None
    times = None
    if "time" in roles:
        times = seconds_of(found, dated, roles["time"], notes, path, options.skip_bad,
                           options.time_format)  # fmt: skip
    if options.skip_bad and times is not None and not np.isfinite(times).all():
        raise RecordingRefused(
            f"{path}: some rows have no time; a wide table needs one in each row: correct them"
        )
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
    positions = out.reshape(made.count, len(names), len(axes))
    if options.part == MEAN and (parts := parts_of(names, path, head.columns)):
        positions, names = _means(positions, names, parts)
    elif options.part not in (None, MEAN, EACH):
        names = [_without(name, str(options.part)) or path.stem for name in names]
    return Reading(
        positions, line.rate, names, unit_of(columns, path), line.start, line.every, y_down,
        (*notes, *line.notes), understanding.attrs,
    )  # fmt: skip


def parts_of(
    names: Sequence[str], path: Path, columns: Sequence[Column]
) -> tuple[list[str], list[str]] | None:
    """(animals, body parts) of names such as fish1_head, or nose and tail, or of names that all
    have scores; None: animals."""
    if found := divided(names):
        return found
    if len(names) > 1 and (all(map(is_body_part, names)) or have_scores(names, columns)):
        return [path.stem], list(names)
    return None


def _animals(
    found: dict[str, dict[str, Column]], options: ReadOptions, path: Path,
    columns: Sequence[Column],
) -> dict[str, dict[str, Column]]:  # fmt: skip
    """The columns that the user wants, where they are those of body parts."""
    parts = parts_of(list(found), path, columns)
    if parts is None:
        if options.part not in (None, EACH):
            raise RecordingRefused(
                f"{path}: part: got {options.part!r}, and the names of its columns have no body "
                "parts; leave --part out"
            )
        return found
    if options.part is None:
        raise RecordingRefused(
            f"{path}: its columns look like body parts: {', '.join(parts[1][:20])}; say which one "
            f"is the position of an animal: --part {parts[1][0]}; --part {MEAN} takes their mean, "
            f"and --part {EACH} takes each for an animal"
        )
    if options.part in (MEAN, EACH):
        return found
    part = options.part
    wanted = {
        who: axes
        for who, axes in found.items()
        if who == part or who.endswith(f"_{part}") or who.startswith(f"{part}_")
    }
    if len(wanted) != len(parts[0]):
        raise RecordingRefused(
            f"{path}: part: got {options.part!r}; expected one of {', '.join(parts[1])}, or {MEAN} "
            f"for their mean, or {EACH}"
        )
    return wanted


def _without(name: str, part: str) -> str:
    """The animal in the name of one of its parts: fish1 of fish1_head."""
    return name.removesuffix(part).removeprefix(part).strip("_")


def _means(
    positions: np.ndarray, names: list[str], parts: tuple[list[str], list[str]]
) -> tuple[np.ndarray, list[str]]:
    """(T, N, D) means of the parts of each animal that are seen."""
    animals = parts[0]
    if len(animals) == 1:
        groups = [list(range(len(names)))]
    else:
        groups = [
            [k for k, name in enumerate(names) if name.startswith(f"{one}_")
             or name.endswith(f"_{one}")]
            for one in animals
        ]  # fmt: skip
    out = np.full((len(positions), len(animals), positions.shape[2]), np.nan)
    for k, group in enumerate(groups):
        out[:, k] = one_point(positions[:, None, group], [str(j) for j in group], MEAN, "")[0][:, 0]
    return out, animals


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
