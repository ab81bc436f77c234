"""Tables with one frame per row, and columns x1, y1, x2, y2, ... of its animals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.column_names import (
    Column,
    ColumnReport,
    assign_roles,
    common_unit,
    group_wide_columns,
    have_scores,
    is_body_part,
    split_body_parts,
)
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import check_numbers
from murmurate.tracks.frame_table import RowFrames, Timeline, make_timeline, sort_naturally
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import EACH, MEAN, RawTracks, select_point
from murmurate.tracks.table import TableData
from murmurate.tracks.timestamps import read_seconds


def read(preview: FilePreview, options: ReadOptions, y_down: bool = False) -> RawTracks:
    """Read a wide table, whose columns are paired by their names.

    Raises TracksError for two rows of one frame, and for columns that look like body parts
    unless `part` is given.
    """
    path = preview.path
    report = ColumnReport()
    animals = _select_columns(
        group_wide_columns(preview.columns, report), options, path, preview.columns
    )
    names = list(animals)
    names = [names[k] for k in sort_naturally(names)]
    axes = ["x", "y", "z"] if all("z" in animals[name] for name in names) else ["x", "y"]
    columns = [animals[name][axis] for name in names for axis in axes]
    usual = dict.fromkeys(("id", "x", "y", "z"), "")
    roles = assign_roles(preview.columns, {}, usual, path)
    table = preview.table()
    numbers = {str(k): column for k, column in enumerate(columns)}
    dated = "time" in roles and not table.numeric(roles["time"])
    if "frame" in roles:
        numbers["frame"] = roles["frame"]
    if "time" in roles and not dated:
        numbers["time"] = roles["time"]
    data = table.read(numbers, {"time": roles["time"]} if dated else {}, options.skip_bad)
    for name in names:
        for axis in axes:
            report.add_used(animals[name][axis], f"{axis} of {name}")
    for role, contents in (("frame", "frame number"), ("time", "time")):
        if role in roles:
            report.add_used(roles[role], contents)
    report.ignore_others(preview.columns)
    notes = list(preview.text.notes) if preview.text else []
    rows = np.stack([data.number(str(k)) for k in range(len(columns))], axis=1)
    timeline = _make_timeline(data, len(rows), len(names), roles, dated, notes, path, options)
    positions = _by_frame(rows, timeline.frames, data, path, options.skip_bad)
    if data.skipped:
        notes.append(f"{data.skipped:,} unusable rows were left out")
    positions = positions.reshape(len(positions), len(names), len(axes))
    if options.part == MEAN and (parts := infer_body_parts(names, path, preview.columns)):
        positions, names = _average_parts(positions, names, parts)
    elif options.part not in (None, MEAN, EACH):
        names = [_remove_part(name, str(options.part)) or path.stem for name in names]
    return RawTracks(
        positions, timeline.rate, names, common_unit(columns, path), timeline.start,
        timeline.every, y_down, (*notes, *timeline.notes), report.attrs,
    )  # fmt: skip


def _make_timeline(
    data: TableData, rows: int, animals: int, roles: Mapping[str, Column], dated: bool,
    notes: list[str], path: Path, options: ReadOptions,
) -> Timeline:  # fmt: skip
    """Return the frames of the rows, by their numbers or times. Notes are added to `notes`."""
    frame_numbers = data.number("frame") if "frame" in roles else None
    times = None
    if "time" in roles:
        times = read_seconds(data, dated, roles["time"], notes, path, options.skip_bad,
                             options.time_format)  # fmt: skip
    if options.skip_bad and times is not None and not np.isfinite(times).all():
        raise TracksError(
            f"{path}: time: got rows without a time; expected one in each row of a wide table. "
            "Correct them"
        )
    if frame_numbers is None and times is None:
        frame_numbers = np.arange(rows, dtype=np.float64)
        notes.append("there is no column of frames or times: each row is read as one frame")
    return make_timeline(
        frame_numbers, times, roles.get("time"), dated, False, animals, data.row_name, path
    )


def _by_frame(
    rows: np.ndarray, frames: RowFrames, data: TableData, path: Path, skip_bad: bool
) -> np.ndarray:
    """Return (frames, columns) numbers of rows, nan in frames without a row.

    Raises TracksError for a second row of a frame, unless it may be skipped.
    """
    first = np.unique(frames.index, return_index=True)[1]
    if len(first) < len(rows):
        if not skip_bad:
            k = int(np.setdiff1d(np.arange(len(rows)), first)[0])
            raise TracksError(
                f"{path}: got a frame for the second time in {data.row_name(k)}; expected one row "
                "per frame. Keep one of them (--skip-bad keeps the first)"
            )
        data.skipped += len(rows) - len(first)
    check_numbers(frames.count * rows.shape[1], "the table with all its frames", path)
    out = np.full((frames.count, rows.shape[1]), np.nan)
    out[frames.index[first]] = rows[first]
    return out


def read_animalta(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read AnimalTA's table: X_Arena0_Ind0, Y_Arena0_Ind0, ..."""
    return read(preview, options, y_down=True)


def infer_body_parts(
    names: Sequence[str], path: Path, columns: Sequence[Column]
) -> tuple[list[str], list[str]] | None:
    """Return (animals, body parts) if names are those of body parts, else None.

    Such names are fish1_head and fish1_tail, or nose and tail, or names that all have scores.
    """
    if split := split_body_parts(names):
        return split
    if len(names) > 1 and (all(map(is_body_part, names)) or have_scores(names, columns)):
        return [path.stem], list(names)
    return None


def _select_columns(
    animals: dict[str, dict[str, Column]], options: ReadOptions, path: Path,
    columns: Sequence[Column],
) -> dict[str, dict[str, Column]]:  # fmt: skip
    """Return the columns that `part` selects, if they are those of body parts."""
    parts = infer_body_parts(list(animals), path, columns)
    if parts is None:
        if options.part not in (None, EACH):
            raise TracksError(
                f"{path}: part: got {options.part!r} for columns without body parts; expected "
                "nothing. Leave --part out"
            )
        return animals
    if options.part is None:
        raise TracksError(
            f"{path}: got columns that look like body parts: {', '.join(parts[1][:20])}; expected "
            f"one position per animal. Name the part: --part {parts[1][0]}; --part {MEAN} uses "
            f"their mean, and --part {EACH} reads each as an animal"
        )
    if options.part in (MEAN, EACH):
        return animals
    part = options.part
    selected = {
        name: axes
        for name, axes in animals.items()
        if name == part or name.endswith(f"_{part}") or name.startswith(f"{part}_")
    }
    if len(selected) != len(parts[0]):
        raise TracksError(
            f"{path}: part: got {options.part!r}; expected one of {', '.join(parts[1])}, or {MEAN} "
            f"for their mean, or {EACH}"
        )
    return selected


def _remove_part(name: str, part: str) -> str:
    """Return the animal in the name of one of its parts: fish1 of fish1_head."""
    return name.removesuffix(part).removeprefix(part).strip("_")


def _average_parts(
    positions: np.ndarray, names: list[str], parts: tuple[list[str], list[str]]
) -> tuple[np.ndarray, list[str]]:
    """Return (T, N, D) means of the known parts of each animal, and the animals."""
    animals = parts[0]
    if len(animals) == 1:
        groups = [list(range(len(names)))]
    else:
        groups = [
            [k for k, name in enumerate(names)
             if name.startswith(f"{animal}_") or name.endswith(f"_{animal}")]
            for animal in animals
        ]  # fmt: skip
    out = np.full((len(positions), len(animals), positions.shape[2]), np.nan)
    for k, group in enumerate(groups):
        points = positions[:, None, group]
        out[:, k] = select_point(points, [str(j) for j in group], MEAN, "")[0][:, 0]
    return out, animals
