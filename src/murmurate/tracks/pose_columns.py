"""Tables with the points of bodies in columns: SLEAP's analysis CSV, Anipose's table, and wide
tables with a body part in the names of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Column, Understanding, plain_name
from murmurate.tracks.file_head import Head
from murmurate.tracks.file_size import check_numbers
from murmurate.tracks.grid import filled, frames_of_numbers, in_order
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, one_point, without_flat_z
from murmurate.tracks.table import Columns
from murmurate.tracks.text_head import is_missing

ANY_LIKELIHOOD = "points of every likelihood count as seen (--min-likelihood leaves some out)"
AXES = ("x", "y", "z")
SCORES = ("score", "likelihood")


def nodes_of(columns: Sequence[Column], separator: str) -> dict[str, dict[str, Column]]:
    """Body part -> x, y, z, score or likelihood -> its column, of names such as head.x; parts that
    have x and y."""
    found: dict[str, dict[str, Column]] = {}
    for column in columns:
        part, _, what = column.written.rpartition(separator)
        if part and what.lower() in (*AXES, *SCORES):
            found.setdefault(part, {})[what.lower()] = column
    return {part: axes for part, axes in found.items() if {"x", "y"} <= set(axes)}


def read_sleap(head: Head, options: ReadOptions) -> Reading:
    """SLEAP's analysis CSV: columns track, frame_idx, instance.score, head.x, head.y, head.score.
    Raises RecordingRefused where instances have no tracks."""
    path = head.path
    nodes = nodes_of(head.columns, ".")
    by_name = {column.name: column for column in head.columns}
    numbers = {"frame": by_name["frame_idx"], **_columns(nodes)}
    found = head.table().read(numbers, {"id": by_name["track"]}, options.skip_bad)
    tracks = found.words["id"]
    nobody = np.array([is_missing(name) for name in tracks.names] or [True])[tracks.codes]
    if len(nobody) and nobody.all():
        raise RecordingRefused(
            f"{path}: its instances have no tracks, so nobody knows which instance of one frame is "
            "which of the next: track them in SLEAP, and export again"
        )
    notes = []
    if nobody.any():
        notes.append(f"{int(nobody.sum()):,} instances without a track left out")
    kept = np.flatnonzero(~nobody)
    points, said = _points(found, nodes, options)
    order = [k for k in in_order(tracks.names) if not is_missing(tracks.names[k])]
    ranks = np.full(len(tracks.names), -1, np.int64)
    ranks[order] = np.arange(len(order))
    names = [tracks.names[k] for k in order]
    animals = ranks[tracks.codes[kept]]
    frames = found.number("frame")[kept]

    def row(place: int) -> str:
        return found.place(int(kept[place]))

    made = frames_of_numbers(frames, len(names) * len(nodes), row, path)
    check_numbers(made.count * len(names) * len(nodes) * 2, "its table with all frames", path)
    flat, again = filled(made, animals, points[kept].reshape(len(kept), -1), names, row,
                         options.skip_bad, path)  # fmt: skip
    if bad := found.bad + again:
        notes.append(f"{bad:,} rows that cannot be used were left out")
    whole = flat.reshape(made.count, len(names), len(nodes), -1)
    places, part = one_point(whole, list(nodes), options.part, path)
    understanding = _understood(nodes, options)
    understanding.use(by_name["track"], "animal")
    understanding.use(by_name["frame_idx"], "frame number")
    understanding.rest(head.columns)
    return Reading(places, None, names, "px", made.start, int(made.step), True,
                   (*notes, *said, *part, *made.notes), understanding.attrs)  # fmt: skip


def read_anipose(head: Head, options: ReadOptions) -> Reading:
    """Anipose's table of one animal in 3-D: nose_x, nose_y, nose_z, nose_error, nose_ncams,
    nose_score, ..., fnum."""
    path = head.path
    cameras = {c.name.removesuffix("_ncams") for c in head.columns if c.name.endswith("_ncams")}
    nodes = {
        part: axes
        for part, axes in nodes_of(head.columns, "_").items()
        if plain_name(part) in cameras
    }
    frame = next(column for column in head.columns if column.name == "fnum")
    numbers = {"frame": frame, **_columns(nodes)}
    found = head.table().read(numbers, {}, options.skip_bad)
    points, said = _points(found, nodes, options)
    made = frames_of_numbers(found.number("frame"), len(nodes), found.place, path)
    flat, again = filled(made, np.zeros(len(points), np.int64), points.reshape(len(points), -1),
                         ["0"], found.place, options.skip_bad, path)  # fmt: skip
    bad = found.bad + again
    notes = [f"{bad:,} rows that cannot be used were left out"] if bad else []
    whole = flat.reshape(made.count, 1, len(nodes), -1)
    places, part = one_point(whole, list(nodes), options.part, path)
    understanding = _understood(nodes, options)
    understanding.use(frame, "frame number")
    understanding.rest(head.columns)
    return Reading(places, None, [path.stem], "", made.start, int(made.step), False,
                   (*notes, *said, *part, *made.notes), understanding.attrs)  # fmt: skip


def is_sleap(head: Head) -> bool:
    """Whether a table is SLEAP's analysis CSV."""
    return {"track", "frame_idx"} <= head.names and bool(nodes_of(head.columns, "."))


def is_anipose(head: Head) -> bool:
    """Whether a table is Anipose's."""
    return "fnum" in head.names and any(name.endswith("_ncams") for name in head.names)


def _columns(nodes: Mapping[str, Mapping[str, Column]]) -> dict[str, Column]:
    return {f"{part} {what}": one for part, axes in nodes.items() for what, one in axes.items()}


def _points(
    found: Columns, nodes: Mapping[str, Mapping[str, Column]], options: ReadOptions
) -> tuple[np.ndarray, tuple[str, ...]]:
    """(n, parts, D) positions of the parts in each row, nan for those that are less likely than
    the user asks; and what to note."""
    axes = [axis for axis in AXES if all(axis in columns for columns in nodes.values())]
    values = {name: found.number(name) for name in list(found.numbers) if name != "frame"}
    points = np.stack(
        [np.stack([values[f"{part} {axis}"] for axis in axes], axis=1) for part in nodes], axis=1
    )
    scored = False
    for k, (part, columns) in enumerate(nodes.items()):
        score = next((values[f"{part} {what}"] for what in SCORES if what in columns), None)
        if score is None:
            continue
        scored = True
        if options.min_likelihood is not None:
            points[~(score >= options.min_likelihood), k] = np.nan
    notes = (ANY_LIKELIHOOD,) if scored and options.min_likelihood is None else ()
    flat, said = without_flat_z(points.reshape(-1, len(axes)))
    return flat.reshape(len(points), len(nodes), -1), (*notes, *said)


def _understood(nodes: Mapping[str, Mapping[str, Column]], options: ReadOptions) -> Understanding:
    out = Understanding()
    for part, columns in nodes.items():
        for what, column in columns.items():
            if what in AXES:
                out.use(column, f"{what} of body part {part}")
            elif options.min_likelihood is not None:
                out.use(column, f"score of body part {part}")
    return out
