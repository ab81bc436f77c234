"""Boxes drawn in the VGG Image Annotator (VIA), one per row of its CSV."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import TracksError
from murmurate.number_text import parse_number
from murmurate.tracks.column_names import PLAIN, Report
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.pose_files import frames_from_images
from murmurate.tracks.raw_tracks import RawTracks
from murmurate.tracks.table import TableData
from murmurate.tracks.table_frames import RawTable, Rows, assign_frames

NEEDS = ("filename", "region_shape_attributes", "region_attributes")
ID_NAMES = ("track", "track_id", "id", "individual", "animal", "name")
CENTRES = {
    "rect": lambda s: (s["x"] + s["width"] / 2, s["y"] + s["height"] / 2),
    "circle": lambda s: (s["cx"], s["cy"]),
    "ellipse": lambda s: (s["cx"], s["cy"]),
    "point": lambda s: (s["cx"], s["cy"]),
}
"""Shape -> its centre (x, y)."""


def read(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the centres of shapes; frames are the numbers in image names. Errors name the line."""
    path = preview.path
    columns = {column.name: column for column in preview.columns}
    data = preview.table().read({}, {name: columns[name] for name in NEEDS}, options.skip_bad)
    images, shapes, regions = (data.words[name] for name in NEEDS)
    centres, animals, kept = [], [], []
    for k in range(len(images.codes)):
        shape, region = (_parse_object(words.names[words.codes[k]]) for words in (shapes, regions))
        if shape == {}:
            continue  # an image without a region
        centre, animal = _find_centre(shape), _find_animal(region)
        if centre is None or animal is None:
            if not options.skip_bad:
                raise _bad_row(data, k, centre is None, path)
            data.skipped += 1
            continue
        centres.append(centre)
        animals.append(animal)
        kept.append(k)
    if not kept:
        raise TracksError(f"{path}: got no rows in which an animal is seen; expected some")
    codes = {name: k for k, name in enumerate(dict.fromkeys(animals))}
    rows = Rows(
        np.array([codes[animal] for animal in animals]), np.array(centres),
        frames_from_images(images.names, path)[images.codes[kept]], None,
        lambda k: data.row_name(kept[k]),
    )  # fmt: skip
    report = Report(notes=["positions are the centres of shapes"])
    for name, contents in zip(NEEDS, ("frame number", "position", "animal"), strict=True):
        report.add_used(columns[name], contents)
    report.ignore_others(preview.columns)
    roles = {"id": columns[NEEDS[2]]}
    table = RawTable(rows, [*codes], roles, 0.0, "px", data.skipped, None, report)
    return assign_frames(table, options, replace(PLAIN, y_down=True), path)


def _bad_row(data: TableData, k: int, lacks_centre: bool, path: Path) -> TracksError:
    """Return the error for a row without a centre or an animal."""
    column = "region_shape_attributes" if lacks_centre else "region_attributes"
    text = data.words[column].names[data.words[column].codes[k]]
    expected = (
        f"a shape of {', '.join(CENTRES)} with its numbers"
        if lacks_centre
        else f'the animal, such as {{"track": "1"}}: one of {", ".join(ID_NAMES)}, or the only '
        "attribute"
    )
    return TracksError(
        f"{path}: column {column}: got {text[:80]!r} in {data.row_name(k)}; expected {expected}. "
        "--skip-bad leaves such rows out"
    )


def _parse_object(text: str) -> Mapping[str, Any] | None:
    """Return a JSON object; None for other text."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _find_centre(shape: Mapping[str, Any] | None) -> tuple[float, float] | None:
    try:
        x, y = CENTRES[str((shape or {}).get("name"))](shape)
        return parse_number(x), parse_number(y)
    except (KeyError, TypeError, ValueError):
        return None


def _find_animal(region: Mapping[str, Any] | None) -> str | None:
    """Return the animal of a region, by a usual attribute or by its only one."""
    if not region:
        return None
    name = next(
        (name for name in ID_NAMES if name in region),
        next(iter(region)) if len(region) == 1 else "",
    )
    value = region.get(name)
    return str(value) if isinstance(value, str | int) and str(value).strip() else None
