"""Boxes that were drawn in the VGG Image Annotator (VIA), one a row of its CSV."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Understanding
from murmurate.tracks.deeplabcut import frames_of_pictures
from murmurate.tracks.file_head import Head
from murmurate.tracks.grid import filled, frames_of_numbers, in_order
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading

NEEDS = ("filename", "region_shape_attributes", "region_attributes")
WHO = ("track", "track_id", "id", "individual", "animal", "name")
CENTRES = {
    "rect": lambda s: (s["x"] + s["width"] / 2, s["y"] + s["height"] / 2),
    "circle": lambda s: (s["cx"], s["cy"]),
    "ellipse": lambda s: (s["cx"], s["cy"]),
    "point": lambda s: (s["cx"], s["cy"]),
}
"""Shape -> its centre."""


def read(head: Head, options: ReadOptions) -> Reading:
    """The centres of the shapes; frames are the numbers in the names of pictures. Raises
    RecordingRefused for a row that cannot be understood, naming its line."""
    path = head.path
    columns = {column.name: column for column in head.columns}
    found = head.table().read({}, {name: columns[name] for name in NEEDS}, options.skip_bad)
    files, shapes, abouts = (found.words[name] for name in NEEDS)
    rows = len(files.codes)
    centres, animals, kept = [], [], []
    for k in range(rows):
        shape, about = (_object(words.names[words.codes[k]]) for words in (shapes, abouts))
        if shape == {}:
            continue  # a picture without a region
        centre, who = _centre(shape), _who(about)
        if centre is None or who is None:
            if options.skip_bad:
                found.bad += 1
                continue
            what = "region_shape_attributes" if centre is None else "region_attributes"
            expected = (
                f"a shape of {', '.join(CENTRES)} with its numbers"
                if centre is None
                else f'who it is, such as {{"track": "1"}}: one of {", ".join(WHO)}, or one alone'
            )
            raise RecordingRefused(
                f"{path}: {what} in {found.place(k)} does not say {expected}. --skip-bad leaves "
                "such rows out"
            )
        centres.append(centre)
        animals.append(who)
        kept.append(k)
    if not kept:
        raise RecordingRefused(f"{path}: has no rows in which an animal is seen")
    names = list(dict.fromkeys(animals))
    names = [names[k] for k in in_order(names)]

    def row(place: int) -> str:
        return found.place(kept[place])

    frames = frames_of_pictures(files.names, path)[files.codes[kept]]
    made = frames_of_numbers(frames, len(names), row, path)
    rank = {name: k for k, name in enumerate(names)}
    places, again = filled(made, np.array([rank[who] for who in animals]), np.array(centres), names,
                           row, options.skip_bad, path)  # fmt: skip
    understanding = Understanding()
    for name, what in zip(NEEDS, ("frame number", "position", "animal"), strict=True):
        understanding.use(columns[name], what)
    understanding.rest(head.columns)
    notes = ["positions are the centres of shapes"]
    if bad := found.bad + again:
        notes.append(f"{bad:,} rows that cannot be used were left out")
    return Reading(places, None, names, "px", made.start, int(made.step), True,
                   (*notes, *made.notes), understanding.attrs)  # fmt: skip


def _object(text: str) -> Mapping[str, Any] | None:
    """A JSON object; None for other text."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _centre(shape: Mapping[str, Any] | None) -> tuple[float, float] | None:
    try:
        x, y = CENTRES[str((shape or {}).get("name"))](shape)
        return float(x), float(y)
    except (KeyError, TypeError, ValueError):
        return None


def _who(about: Mapping[str, Any] | None) -> str | None:
    """The animal of a region: by a usual name, or the one thing that is said of it."""
    if not about:
        return None
    name = next(
        (name for name in WHO if name in about), next(iter(about)) if len(about) == 1 else ""
    )
    found = about.get(name)
    return str(found) if isinstance(found, str | int) and str(found).strip() else None
