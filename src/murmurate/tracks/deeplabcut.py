"""DeepLabCut's tables, as CSV and as HDF5: rows of headers, then x, y and likelihood of each body
part of each animal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.array_pickle import read_pickle
from murmurate.tracks.column_names import Column
from murmurate.tracks.file_head import Head
from murmurate.tracks.grid import frames_of_numbers, numbered
from murmurate.tracks.hdf5_file import check_dataset, open_hdf5, read_dataset
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.pose_columns import ANY_LIKELIHOOD
from murmurate.tracks.reading import Reading, one_point

LEVELS = ("scorer", "individuals", "bodyparts", "coords")
Point = tuple[str, str, str]  # animal, body part, coordinate


def read_csv(head: Head, options: ReadOptions) -> Reading:
    """The first column has the frame."""
    assert head.text is not None
    rows = [head.text.header, *head.text.rows]
    levels: dict[str, list[str]] = {}
    first = _first_column(rows)
    while len(levels) < len(rows) and (name := rows[len(levels)][0].lower()) in LEVELS:
        levels[name] = rows[len(levels)][first:]
    points = list(zip(
        levels.get("individuals", [""] * len(levels["coords"])), levels["bodyparts"],
        levels["coords"], strict=False,
    ))  # fmt: skip
    table = head.table(len(levels) - 1)
    numbers = {str(k): Column(k + first, "/".join(point), "", "") for k, point in enumerate(points)}
    frame = Column(first - 1, "of frames", "", "")
    if table.numeric(frame):
        found = table.read({"frame": frame, **numbers}, {}, options.skip_bad)
        frames = found.number("frame")
    else:  # labels of single pictures: CollectedData
        found = table.read(numbers, {"picture": frame}, options.skip_bad)
        pictures = found.words["picture"]
        frames = frames_of_pictures(pictures.names, head.path)[pictures.codes]
    values = np.stack([found.number(str(k)) for k in range(len(points))], axis=1)
    notes = (f"{found.bad:,} rows that cannot be used were left out",) if found.bad else ()
    return _reading(head, points, frames, values, options, notes)


def _first_column(rows: Sequence[Sequence[str]]) -> int:
    """The first column of points: the index before it has one column, or three in CollectedData."""
    cells = next(row for row in rows if row and row[0].lower() == "bodyparts")
    return next((k for k, cell in enumerate(cells) if k and cell), 1)


def frames_of_pictures(names: Sequence[str], path: object) -> np.ndarray:
    """The frame numbers in the names of pictures, such as labeled-data/v/img0007.png. Raises
    RecordingRefused for a name without a number."""
    found = []
    videos = {str(PurePath(name).with_name(re.sub(r"\d+(?=\D*$)", "", PurePath(name).name)))
              for name in names}  # fmt: skip
    if len(videos) > 1:
        raise RecordingRefused(
            f"{path}: has pictures of {len(videos)} videos, such as {sorted(videos)[0]} and "
            f"{sorted(videos)[1]}; expected those of one. Divide the table"
        )
    for name in names:
        digits = re.findall(r"\d+", PurePath(name).stem)
        if not digits:
            raise RecordingRefused(
                f"{path}: the name of the picture {name!r} has no number of a frame; expected such "
                "as img0007.png"
            )
        found.append(float(digits[-1]))
    return np.array(found)


def read_hdf5(head: Head, options: ReadOptions) -> Reading:
    """The pandas table df_with_missing, in pandas' format 'table' or 'fixed'."""
    import h5py

    path = head.path
    with open_hdf5(path) as file:
        group = file["df_with_missing"]
        parts = set(group) if isinstance(group, h5py.Group) else set()
        if "table" in parts and "values_block_0_kind" in group["table"].attrs:
            frames, values, labels = _of_table(group["table"], path)
        elif {"axis1", "block0_values", "block0_items_level0"} <= parts:
            frames, values, labels = _of_blocks(group, path)
        else:
            raise RecordingRefused(
                f"{path}: df_with_missing is no table of numbers, as DeepLabCut writes it; export "
                "it as CSV (deeplabcut.analyze_videos with save_as_csv=True)"
            )
    if (
        not isinstance(labels, list)
        or len(labels) != values.shape[-1]
        or not all(isinstance(one, tuple) and len(one) in (3, 4) for one in labels)
        or frames.shape != values.shape[:1]
    ):
        raise RecordingRefused(f"{path}: the names of the columns of df_with_missing are damaged")
    points = [(str(one[1]) if len(one) == 4 else "", str(one[-2]), str(one[-1])) for one in labels]
    return _reading(head, points, np.asarray(frames, np.float64), np.asarray(values, np.float64),
                    options, ())  # fmt: skip


def _of_table(table: Any, path: Path) -> tuple[np.ndarray, np.ndarray, Any]:
    """Frames, values and names of pandas' format 'table'. Its names are pickled text, which is read
    without running code."""
    check_dataset(table, path)
    labels = read_pickle(bytes(table.attrs["values_block_0_kind"]), path)
    rows = read_dataset(table, path)
    return rows["index"], rows["values_block_0"], labels


def _of_blocks(group: Any, path: Path) -> tuple[np.ndarray, np.ndarray, Any]:
    """The same of pandas' format 'fixed'."""
    levels: list[list[str]] = []
    while (name := f"block0_items_level{len(levels)}") in group:
        texts = np.char.decode(read_dataset(group[name], path).astype("S"), "utf-8")
        labels = read_dataset(group[name.replace("level", "label")], path)
        levels.append(texts[labels].tolist())
    frames, values = (read_dataset(group[name], path) for name in ("axis1", "block0_values"))
    return frames, values, list(zip(*levels, strict=True))


def _reading(
    head: Head, points: Sequence[Point], frames: np.ndarray, values: np.ndarray,
    options: ReadOptions, notes: tuple[str, ...],
) -> Reading:  # fmt: skip
    path = head.path
    place = {point: k for k, point in enumerate(points)}
    animals = list(dict.fromkeys(who for who, _, what in points if what == "x"))
    parts = list(dict.fromkeys(part for _, part, what in points if what == "x"))
    if not animals or any((w, p, "y") not in place for w, p, what in points if what == "x"):
        raise RecordingRefused(f"{path}: has no rows 'bodyparts' and 'coords' with x and y")
    made = frames_of_numbers(frames, len(animals) * len(parts), numbered("row"), path)
    if len(np.unique(made.index)) < len(frames):
        raise RecordingRefused(
            f"{path}: a frame is there twice; each has one row: keep one of them"
        )
    spatial = all((w, p, "z") in place for w, p, what in points if what == "x")
    out = np.full((made.count, len(animals), len(parts), 3 if spatial else 2), np.nan)
    for (who, part, what), k in place.items():
        if what == "x":
            axes = [k, *(place[who, part, axis] for axis in ("yz" if spatial else "y"))]
            one = np.stack([values[:, axis] for axis in axes], axis=1)
            sure = place.get((who, part, "likelihood"))
            if sure is not None and options.min_likelihood is not None:
                one[~(values[:, sure] >= options.min_likelihood)] = np.nan
            out[made.index, animals.index(who), parts.index(part)] = one
    kept = [k for k, who in enumerate(animals) if who != "single" or len(animals) == 1]
    if len(kept) < len(animals):
        notes += ("the body parts of 'single', which are those of no animal, are left out",)
    if options.min_likelihood is None and any(what == "likelihood" for _, _, what in points):
        notes += (ANY_LIKELIHOOD,)
    out = out[:, kept]
    has = [k for k in range(len(parts)) if np.isfinite(out[:, :, k]).any()] or list(
        range(len(parts))
    )
    places, said = one_point(out[:, :, has], [parts[k] for k in has], options.part, path)
    names = [animals[k] or "0" for k in kept]
    ignored = sorted({what for _, _, what in points} - {"x", "y", "z"})
    if options.min_likelihood is not None and "likelihood" in ignored:
        ignored.remove("likelihood")
    attrs = {
        "columns": {"x, y, z" if spatial else "x, y": f"of {', '.join(parts[k] for k in has)}"},
        "ignored": dict.fromkeys(ignored, "a score or another number of a point"),
    }
    unit = "" if spatial else "px"
    return Reading(places, None, names, unit, made.start, int(made.step), not spatial,
                   (*notes, *said, *made.notes), attrs)  # fmt: skip
