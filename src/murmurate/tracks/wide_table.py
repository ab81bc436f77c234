"""Tables with one frame per row, and columns x1, y1, x2, y2, ... of its animals."""

from __future__ import annotations

import re
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
from murmurate.tracks.column_words import BOXES
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
    notes += _warn_of_corners(raw.positions, names, animals)
    return replace(raw, names=names, notes=(*raw.notes, *notes))


def _warn_of_corners(
    positions: np.ndarray, names: Sequence[str], animals: Mapping[str, Mapping[str, Column]]
) -> list[str]:
    """Warn of animals 1 and 2, or 1_a and 2_a, if the second is always to the right and below."""
    firsts = [name for name in names if re.fullmatch(r"\d|\d_.*", name)][: len(names) // 2]
    pairs = [(name, f"{int(name[0]) + 1}{name[1:]}") for name in firsts]
    is_box = any("left" in axes for axes in animals.values())
    if is_box or not {name for pair in pairs for name in pair} == {*names} == {*animals}:
        return []
    first, second = (
        positions[:, [names.index(n) for n in side]] for side in zip(*pairs, strict=True)
    )
    sizes = (second - first)[np.isfinite(second - first).all(axis=2)]
    if not len(sizes) or not (sizes > 0).all():
        return []
    titles = [column.title for name in pairs[0] for column in animals[name].values()]
    remedy = ",".join(map("{}={}".format, BOXES[1], titles))
    return [
        f"both coordinates of {pairs[0][1]} are always larger than those of {pairs[0][0]}: if "
        f"these are corners of a box, --columns {remedy}, or names such as left_a, top_a, right_a, "
        "bottom_a"
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
        if any("width" in axes and "x" in axes for axes in animals.values()):
            return _select_corners(animals, part, path)
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


def _select_corners(
    animals: dict[str, dict[str, Column]], part: str | None, path: Path
) -> dict[str, dict[str, Column]]:
    """Return the columns of boxes whose x and y are corners, or without sizes if centres."""
    roles = ("x", "y", "width", "height")
    if part in ("centre", "center"):
        return {who: {a: axes[a] for a in axes if a not in roles[2:]}
                for who, axes in animals.items()}  # fmt: skip
    if part == "corner" and all("width" in axes for axes in animals.values()):
        return {who: {new: axes[old] for old, new in zip(roles, BOXES[0], strict=True)}
                for who, axes in animals.items()}  # fmt: skip
    axes = next(axes for axes in animals.values() if "width" in axes)
    x, y, width, height = (axes[role].title for role in roles)
    raise TracksError(
        f"{path}: got {x}, {y} beside {width}, {height}; expected centres of boxes, or their "
        "corners at the top left. Say which: --part centre or --part corner"
    )


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
