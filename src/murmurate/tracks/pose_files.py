"""Files of pose trackers, with points of several body parts for each animal.

DeepLabCut writes tables as CSV and HDF5, SLEAP an analysis table, an analysis file (HDF5) and
projects, Anipose a table. The points of a body become one position, see `select_point`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.column_names import Column, Report, plain_name
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import check_numbers
from murmurate.tracks.frame_table import (
    fill_frames,
    frames_from_numbers,
    row_names,
    sort_naturally,
)
from murmurate.tracks.hdf5_file import check_dataset, check_hdf5, open_hdf5, read_dataset
from murmurate.tracks.numpy_file import read_pickle
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks, drop_flat_z, select_point
from murmurate.tracks.table import TableData
from murmurate.tracks.text_table import is_missing

ANY_LIKELIHOOD = "points of every likelihood count as seen (--min-likelihood leaves some out)"
AXES = ("x", "y", "z")
SCORES = ("score", "likelihood")
Parts = Mapping[str, Mapping[str, Column]]
"""Body part -> x, y, z, score or likelihood -> its column."""


# --- DeepLabCut

LEVELS = ("scorer", "individuals", "bodyparts", "coords")
Point = tuple[str, str, str]
"""Animal, body part, coordinate."""


def read_deeplabcut_csv(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read DeepLabCut's CSV: rows of headers, then a frame per row."""
    assert preview.text is not None
    rows = [preview.text.header, *preview.text.rows]
    levels: dict[str, list[str]] = {}
    first = _first_point_column(rows)
    while len(levels) < len(rows) and (name := rows[len(levels)][0].lower()) in LEVELS:
        levels[name] = rows[len(levels)][first:]
    columns = {
        k + first: point
        for k, point in enumerate(
            zip(
                levels.get("individuals", [""] * len(levels["coords"])),
                levels["bodyparts"],
                levels["coords"],
                strict=False,
            )
        )
        if point[2]
    }  # without Lightning Pose's column 'set'
    points = list(columns.values())
    table = preview.table(len(levels) - 1)
    numbers = {
        str(k): Column(column, "/".join(point), "", "")
        for k, (column, point) in enumerate(columns.items())
    }
    frame = Column(first - 1, "of frames", "", "")
    if table.numeric(frame):
        data = table.read({"frame": frame, **numbers}, {}, options.skip_bad)
        frames = data.number("frame")
    else:  # labels of single images: CollectedData
        data = table.read(numbers, {"image": frame}, options.skip_bad)
        images = data.words["image"]
        frames = frames_from_images(images.names, preview.path)[images.codes]
    values = np.stack([data.number(str(k)) for k in range(len(points))], axis=1)
    notes = (f"{data.skipped:,} unusable rows were left out",) if data.skipped else ()
    return arrange_points(preview.path, points, frames, values, options, notes)


def _first_point_column(rows: Sequence[Sequence[str]]) -> int:
    """Return the first column of points, after the index of one column, or of three
    (CollectedData).
    """
    cells = next(row for row in rows if row and row[0].lower() == "bodyparts")
    return next((k for k, cell in enumerate(cells) if k and cell), 1)


def frames_from_images(names: Sequence[str], path: object) -> np.ndarray:
    """Return the frame numbers (n,) in the names of images, such as labeled-data/v/img0007.png.

    Raises TracksError for a name without a number, and for images of several videos.
    """
    videos = {str(PurePath(name).with_name(re.sub(r"\d+(?=\D*$)", "", PurePath(name).name)))
              for name in names}  # fmt: skip
    if len(videos) > 1:
        raise TracksError(
            f"{path}: got images of {len(videos)} videos, such as {sorted(videos)[0]} and "
            f"{sorted(videos)[1]}; expected those of one. Split the table"
        )
    numbers = []
    for name in names:
        digits = re.findall(r"[0-9]+", PurePath(name).stem)
        if not digits:
            raise TracksError(
                f"{path}: got an image {name!r} without a frame number; expected a name such as "
                "img0007.png"
            )
        numbers.append(float(digits[-1]))
    return np.array(numbers)


def read_deeplabcut_hdf5(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the pandas table df_with_missing, in pandas' format 'table' or 'fixed'."""
    import h5py

    path = preview.path
    with open_hdf5(path) as file:
        group = file["df_with_missing"]
        keys = set(group) if isinstance(group, h5py.Group) else set()
        if "table" in keys and "values_block_0_kind" in group["table"].attrs:
            frames, values, labels = _read_table_format(group["table"], path)
        elif {"axis1", "block0_values", "block0_items_level0"} <= keys:
            frames, values, labels = _read_fixed_format(group, path)
        else:
            raise TracksError(
                f"{path}: df_with_missing: got something else than DeepLabCut's table; expected a "
                "table of numbers. Export it as CSV (deeplabcut.analyze_videos with "
                "save_as_csv=True)"
            )
    if (
        not isinstance(labels, list)
        or len(labels) != values.shape[-1]
        or not all(isinstance(label, tuple) and len(label) in (3, 4) for label in labels)
        or frames.shape != values.shape[:1]
    ):
        raise TracksError(
            f"{path}: df_with_missing: got damaged names of columns; expected one per column. Take "
            "the file from a copy"
        )
    points = [
        (str(label[1]) if len(label) == 4 else "", str(label[-2]), str(label[-1]))
        for label in labels
    ]
    return arrange_points(path, points, np.asarray(frames, np.float64),
                          np.asarray(values, np.float64), options, ())  # fmt: skip


def _read_table_format(table: Any, path: Path) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return frames, values and names of pandas' format 'table', whose pickled names run no
    code."""
    check_dataset(table, path)
    labels = read_pickle(bytes(table.attrs["values_block_0_kind"]), path)
    rows = read_dataset(table, path)
    return rows["index"], rows["values_block_0"], labels


def _read_fixed_format(group: Any, path: Path) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return frames, values and names of pandas' format 'fixed'."""
    levels: list[list[str]] = []
    while (name := f"block0_items_level{len(levels)}") in group:
        texts = np.char.decode(read_dataset(group[name], path).astype("S"), "utf-8")
        labels = read_dataset(group[name.replace("level", "label")], path)
        levels.append(texts[labels].tolist())
    frames, values = (read_dataset(group[name], path) for name in ("axis1", "block0_values"))
    return frames, values, list(zip(*levels, strict=True))


def arrange_points(
    path: Path, points: Sequence[Point], frames: np.ndarray, values: np.ndarray,
    options: ReadOptions, notes: tuple[str, ...],
) -> RawTracks:  # fmt: skip
    """Make tracks of values (n, columns), whose columns are `points`, as in DeepLabCut."""
    index = {point: k for k, point in enumerate(points)}
    animals = list(dict.fromkeys(animal for animal, _, axis in points if axis == "x"))
    parts = list(dict.fromkeys(part for _, part, axis in points if axis == "x"))
    if not animals or any((a, p, "y") not in index for a, p, axis in points if axis == "x"):
        raise TracksError(
            f"{path}: got no x and y in the rows 'bodyparts' and 'coords'; expected both for each "
            "body part"
        )
    row_frames = frames_from_numbers(frames, len(animals) * len(parts), row_names("row"), path)
    if len(np.unique(row_frames.index)) < len(frames):
        raise TracksError(
            f"{path}: got a frame twice; expected one row per frame. Keep one of them"
        )
    spatial = all((a, p, "z") in index for a, p, axis in points if axis == "x")
    out = np.full((row_frames.count, len(animals), len(parts), 3 if spatial else 2), np.nan)
    for (animal, part, axis), k in index.items():
        if axis == "x":
            columns = [k, *(index[animal, part, other] for other in ("yz" if spatial else "y"))]
            xyz = np.stack([values[:, column] for column in columns], axis=1)
            likelihood = index.get((animal, part, "likelihood"))
            if likelihood is not None and options.min_likelihood is not None:
                xyz[~(values[:, likelihood] >= options.min_likelihood)] = np.nan
            out[row_frames.index, animals.index(animal), parts.index(part)] = xyz
    kept = [k for k, name in enumerate(animals) if name != "single" or len(animals) == 1]
    if len(kept) < len(animals):
        notes += ("the body parts of 'single', which belong to no animal, are left out",)
    if options.min_likelihood is None and any(axis == "likelihood" for _, _, axis in points):
        notes += (ANY_LIKELIHOOD,)
    out = out[:, kept]
    used = [k for k in range(len(parts)) if np.isfinite(out[:, :, k]).any()]
    used = used or list(range(len(parts)))
    names = [parts[k] for k in used]
    positions, part_notes = select_point(out[:, :, used], names, options.part, path)
    ignored = sorted({axis for _, _, axis in points} - {"x", "y", "z"})
    if options.min_likelihood is not None and "likelihood" in ignored:
        ignored.remove("likelihood")
    attrs = {
        "columns": {"x, y, z" if spatial else "x, y": f"of {', '.join(names)}"},
        "ignored": dict.fromkeys(ignored, "a score or another number of a point"),
    }
    return RawTracks(
        positions, None, [animals[k] or "0" for k in kept], "" if spatial else "px",
        row_frames.start, int(row_frames.step), not spatial,
        (*notes, *part_notes, *row_frames.notes), attrs,
    )  # fmt: skip


# --- tables with columns such as head.x, head.y, head.score


def is_sleap(preview: FilePreview) -> bool:
    """Return whether a table is SLEAP's analysis CSV."""
    return {"track", "frame_idx"} <= preview.names and bool(_group_parts(preview.columns, "."))


def is_anipose(preview: FilePreview) -> bool:
    """Return whether a table is Anipose's."""
    return "fnum" in preview.names and any(name.endswith("_ncams") for name in preview.names)


def _group_parts(columns: Sequence[Column], separator: str) -> dict[str, dict[str, Column]]:
    """Group columns such as head.x by body part; only parts with x and y are returned."""
    parts: dict[str, dict[str, Column]] = {}
    for column in columns:
        part, _, value = column.written.rpartition(separator)
        if part and value.lower() in (*AXES, *SCORES):
            parts.setdefault(part, {})[value.lower()] = column
    return {part: values for part, values in parts.items() if {"x", "y"} <= set(values)}


def read_sleap_csv(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read SLEAP's analysis CSV.

    Its columns are track, frame_idx, instance.score, head.x, head.y, head.score, ... Raises
    TracksError if instances have no tracks.
    """
    path = preview.path
    parts = _group_parts(preview.columns, ".")
    by_name = {column.name: column for column in preview.columns}
    numbers = {"frame": by_name["frame_idx"], **_flatten_columns(parts)}
    data = preview.table().read(numbers, {"id": by_name["track"]}, options.skip_bad)
    tracks = data.words["id"]
    untracked = np.array([is_missing(name) for name in tracks.names] or [True])[tracks.codes]
    if len(untracked) and untracked.all():
        raise TracksError(
            f"{path}: got instances without tracks; expected tracks that say which instance is "
            "which in the next frame. Track them in SLEAP, and export again"
        )
    notes = []
    if untracked.any():
        notes.append(f"{int(untracked.sum()):,} instances without a track left out")
    kept = np.flatnonzero(~untracked)
    points, point_notes = _read_points(data, parts, options)
    order = [k for k in sort_naturally(tracks.names) if not is_missing(tracks.names[k])]
    ranks = np.full(len(tracks.names), -1, np.int64)
    ranks[order] = np.arange(len(order))
    names = [tracks.names[k] for k in order]
    animals = ranks[tracks.codes[kept]]
    numbers_kept = data.number("frame")[kept]

    def row_name(k: int) -> str:
        return data.row_name(int(kept[k]))

    frames = frames_from_numbers(numbers_kept, len(names) * len(parts), row_name, path)
    check_numbers(frames.count * len(names) * len(parts) * 2, "the table with all frames", path)
    flat, duplicates = fill_frames(frames, animals, points[kept].reshape(len(kept), -1), names,
                                   row_name, options.skip_bad, path)  # fmt: skip
    if skipped := data.skipped + duplicates:
        notes.append(f"{skipped:,} unusable rows were left out")
    all_points = flat.reshape(frames.count, len(names), len(parts), -1)
    positions, part_notes = select_point(all_points, list(parts), options.part, path)
    report = _report_parts(parts, options)
    report.add_used(by_name["track"], "animal")
    report.add_used(by_name["frame_idx"], "frame number")
    report.ignore_others(preview.columns)
    return RawTracks(positions, None, names, "px", frames.start, int(frames.step), True,
                     (*notes, *point_notes, *part_notes, *frames.notes), report.attrs)  # fmt: skip


def read_anipose(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read Anipose's table of one animal in 3-D.

    Its columns are nose_x, nose_y, nose_z, nose_error, nose_ncams, nose_score, ..., fnum.
    """
    path = preview.path
    cameras = {c.name.removesuffix("_ncams") for c in preview.columns if c.name.endswith("_ncams")}
    parts = {
        part: values
        for part, values in _group_parts(preview.columns, "_").items()
        if plain_name(part) in cameras
    }
    frame = next(column for column in preview.columns if column.name == "fnum")
    numbers = {"frame": frame, **_flatten_columns(parts)}
    data = preview.table().read(numbers, {}, options.skip_bad)
    points, point_notes = _read_points(data, parts, options)
    frames = frames_from_numbers(data.number("frame"), len(parts), data.row_name, path)
    flat, duplicates = fill_frames(
        frames, np.zeros(len(points), np.int64), points.reshape(len(points), -1), ["0"],
        data.row_name, options.skip_bad, path,
    )  # fmt: skip
    skipped = data.skipped + duplicates
    notes = [f"{skipped:,} unusable rows were left out"] if skipped else []
    all_points = flat.reshape(frames.count, 1, len(parts), -1)
    positions, part_notes = select_point(all_points, list(parts), options.part, path)
    report = _report_parts(parts, options)
    report.add_used(frame, "frame number")
    report.ignore_others(preview.columns)
    return RawTracks(positions, None, [path.stem], "", frames.start, int(frames.step), False,
                     (*notes, *point_notes, *part_notes, *frames.notes), report.attrs)  # fmt: skip


def _flatten_columns(parts: Parts) -> dict[str, Column]:
    return {
        f"{part} {value}": column
        for part, values in parts.items()
        for value, column in values.items()
    }


def _read_points(
    data: TableData, parts: Parts, options: ReadOptions
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return (n, parts, D) points of each row, nan below the minimum likelihood, and notes."""
    axes = [axis for axis in AXES if all(axis in columns for columns in parts.values())]
    values = {name: data.number(name) for name in list(data.numbers) if name != "frame"}
    points = np.stack(
        [np.stack([values[f"{part} {axis}"] for axis in axes], axis=1) for part in parts], axis=1
    )
    has_scores = False
    for k, (part, columns) in enumerate(parts.items()):
        score = next((values[f"{part} {name}"] for name in SCORES if name in columns), None)
        if score is None:
            continue
        has_scores = True
        if options.min_likelihood is not None:
            points[~(score >= options.min_likelihood), k] = np.nan
    notes = (ANY_LIKELIHOOD,) if has_scores and options.min_likelihood is None else ()
    flat, z_notes = drop_flat_z(points.reshape(-1, len(axes)))
    return flat.reshape(len(points), len(parts), -1), (*notes, *z_notes)


def _report_parts(parts: Parts, options: ReadOptions) -> Report:
    report = Report()
    for part, columns in parts.items():
        for value, column in columns.items():
            if value in AXES:
                report.add_used(column, f"{value} of body part {part}")
            elif options.min_likelihood is not None:
                report.add_used(column, f"score of body part {part}")
    return report


# --- SLEAP's HDF5

MATLAB = ("track", "xy", "node", "frame")  # as SLEAP writes, and sleap-io's preset 'matlab'
STANDARD = ("frame", "track", "node", "xy")  # sleap-io's preset 'standard'


def read_sleap_analysis(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read SLEAP's analysis file, in either order of the axes, or raise TracksError."""
    import h5py

    path = preview.path
    with open_hdf5(path) as file:
        tracks = file["tracks"]
        if not isinstance(tracks, h5py.Dataset) or tracks.ndim != 4:
            raise TracksError(
                f"{path}: tracks: got no array with four axes; expected track, xy, node and frame"
            )
        nodes = _read_texts(file.get("node_names"), path)
        order = _infer_axis_order(file, tracks, len(nodes), path)
        points = np.asarray(read_dataset(tracks, path), np.float64).transpose(
            [order.index(axis) for axis in STANDARD]
        )
        names = _read_texts(file.get("track_names"), path)
    parts = nodes if len(nodes) == points.shape[2] else [str(k) for k in range(points.shape[2])]
    positions, notes = select_point(points, parts, options.part, path)
    if len(names) != positions.shape[1]:
        names = [f"track_{k}" for k in range(positions.shape[1])]
        notes += ("the tracks have no names: they may not be identities",)
    return RawTracks(positions, None, names, "px", 0.0, 1, True, notes)


def _infer_axis_order(file: Any, tracks: Any, nodes: int, path: Path) -> tuple[str, ...]:
    """Return the axes of 'tracks', by its attribute, else by the sizes of the axes."""
    if "dims" in tracks.attrs:
        dims = tracks.attrs["dims"]
        try:
            names = tuple(json.loads(dims.decode() if isinstance(dims, bytes) else str(dims)))
        except ValueError:
            names = ()
        if sorted(names) == sorted(MATLAB):
            return names
    occupancy = file.get("track_occupancy")
    shape = tuple(occupancy.shape) if occupancy is not None else ()
    matches = []
    for order in (MATLAB, STANDARD):
        sizes = dict(zip(order, tracks.shape, strict=True))
        expected = (sizes["frame"], sizes["track"])
        # (frame, track) in both layouts; some versions of SLEAP wrote it transposed
        if sizes["xy"] == 2 and (not nodes or sizes["node"] == nodes) and (
            not shape or shape in (expected, expected[::-1])
        ):  # fmt: skip
            matches.append(order)
    if len(matches) == 1:
        return matches[0]
    if len(matches) == 2 and shape:
        occupied = np.asarray(read_dataset(occupancy, path)) > 0
        for order in matches:
            points = np.asarray(read_dataset(tracks, path)).transpose(
                [order.index(axis) for axis in STANDARD]
            )
            seen = np.isfinite(points).any(axis=(2, 3))
            if np.array_equal(seen, occupied if seen.shape == occupied.shape else occupied.T):
                return order
    raise TracksError(
        f"{path}: tracks: got the shape {tuple(tracks.shape)}; expected (track, xy, node, frame) "
        "or (frame, track, node, xy), in accordance with 'track_occupancy' and 'node_names'. "
        "Export it again from SLEAP"
    )


def _read_texts(dataset: Any, path: Path) -> list[str]:
    if dataset is None or dataset.dtype.kind not in "SO":
        return []
    return [text.decode(errors="replace") if isinstance(text, bytes) else str(text)
            for text in np.ravel(read_dataset(dataset, path)).tolist()]  # fmt: skip


def read_sleap_project(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read SLEAP's project (.slp) of one video with sleap-io, without opening the video."""
    import sleap_io

    path = preview.path
    check_hdf5(path)
    labels = sleap_io.load_slp(str(path), open_videos=False)
    if len(labels.videos) > 1:
        raise TracksError(
            f"{path}: got {len(labels.videos)} videos; expected one. Save the labels of one video"
        )
    if not labels.tracks:
        raise TracksError(
            f"{path}: got animals without tracks; expected tracks. Track them in SLEAP first"
        )
    parts = [str(name) for name in labels.skeletons[0].node_names]
    last = max((int(frame.frame_idx) for frame in labels), default=-1)
    check_numbers((last + 1) * len(labels.tracks) * len(parts) * 3, "the poses", path)
    points = np.asarray(labels.numpy(return_confidence=True), np.float64)
    if options.min_likelihood is not None:
        points[~(points[..., 2] >= options.min_likelihood)] = np.nan
    names = [str(track.name) for track in labels.tracks]
    positions, notes = select_point(points[..., :2], parts, options.part, path)
    return RawTracks(positions, None, names, "px", 0.0, 1, True, notes)
