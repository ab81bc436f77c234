"""Tables with one frame per row, and columns x1, y1, x2, y2, ... of its animals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks import long_table
from murmurate.tracks.column_names import (
    PLAIN,
    Column,
    Report,
    group_wide_columns,
    have_scores,
    is_body_part,
    is_version,
    split_points,
)
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.plausibility import warn_of_copies
from murmurate.tracks.raw_tracks import EACH, MEAN, RawTracks, select_point


def read(preview: FilePreview, options: ReadOptions, y_down: bool = False) -> RawTracks:
    """Read a wide table, whose columns are paired by their names.

    Raises TracksError for two rows of one frame, and for columns that look like body parts or
    versions of one position unless `part` is given.
    """
    path, report = preview.path, Report()
    groups = group_wide_columns(preview.columns, report)
    points = infer_points(list(groups), path, preview.columns)
    animals = _select_columns(groups, points, options, path)
    if points is None and (versions := [name for name in groups if is_version(name)]):
        if len(groups) == 1:
            animals = {path.stem: groups[versions[0]]}
        else:
            report.notes.append(f"{', '.join(versions[:8])}: read as names of animals")
    raw = long_table.read(preview, options, replace(PLAIN, y_down=y_down), animals, report)
    names = list(raw.names or ())
    if points is not None and options.part == MEAN:
        positions, names = _average_parts(raw.positions, names, points)
        return replace(raw, positions=positions, names=names)
    if points is not None and options.part != EACH:
        names = [_remove_part(name, str(options.part)) or path.stem for name in names]
    notes = warn_of_copies(raw.positions, names) if not any(map(str.isdecimal, names)) else []
    if len(names) == 2 and all(map(str.isdecimal, names)):
        notes = _warn_of_corners(raw.positions, animals)
    return replace(raw, names=names, notes=(*raw.notes, *notes))


def _warn_of_corners(
    positions: np.ndarray, animals: Mapping[str, Mapping[str, Column]]
) -> list[str]:
    """Warn of two animals, of which the second is always to the right of and below the first."""
    sizes = positions[:, 1] - positions[:, 0]
    if not (sizes[np.isfinite(sizes).all(axis=1)] > 0).all() or np.isnan(sizes).all():
        return []
    names = [column.title for name in sorted(animals) for column in animals[name].values()]
    corners = zip(("left", "top", "right", "bottom"), names, strict=False)
    remedy = ",".join(f"{role}={name}" for role, name in corners)
    return [
        "both coordinates of the second animal are always larger: if these are corners of a box, "
        f"--columns {remedy}"
    ]


def read_animalta(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read AnimalTA's table: X_Arena0_Ind0, Y_Arena0_Ind0, ..."""
    return read(preview, options, y_down=True)


def infer_points(
    names: Sequence[str], path: Path, columns: Sequence[Column]
) -> tuple[list[str], list[str]] | None:
    """Return (animals, points) if names are those of points of animals, else None.

    Points are body parts (fish1_head and fish1_tail, or nose and tail, or names that all have
    scores), or versions of a position (raw and smooth).
    """
    for is_point in (is_body_part, is_version):
        if split := split_points(names, is_point):
            return split
        scored = is_point is is_body_part and have_scores(names, columns)
        if len(names) > 1 and (all(map(is_point, names)) or scored):
            return [path.stem], list(names)
    return None


def _select_columns(
    animals: dict[str, dict[str, Column]], points: tuple[list[str], list[str]] | None,
    options: ReadOptions, path: Path,
) -> dict[str, dict[str, Column]]:  # fmt: skip
    """Return the columns that `part` selects, if they are those of points of animals."""
    part = options.part
    if points is None:
        if part not in (None, EACH):
            raise TracksError(
                f"{path}: part: got {part!r} for columns without body parts; expected nothing. "
                "Leave --part out"
            )
        return animals
    if part is None:
        is_versions = all(map(is_version, points[1])) and not all(map(is_body_part, points[1]))
        what = "versions of a position" if is_versions else "body parts"
        raise TracksError(
            f"{path}: got columns that look like {what}: {', '.join(points[1][:20])}; expected "
            f"one position per animal. Name the part: --part {points[1][0]}; --part {MEAN} uses "
            f"their mean, and --part {EACH} reads each as an animal"
        )
    if part in (MEAN, EACH):
        return animals
    selected = {
        name: axes
        for name, axes in animals.items()
        if name == part or name.endswith(f"_{part}") or name.startswith(f"{part}_")
    }
    if len(selected) != len(points[0]):
        raise TracksError(
            f"{path}: part: got {part!r}; expected one of {', '.join(points[1])}, or {MEAN} "
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
