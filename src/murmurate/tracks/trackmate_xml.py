"""TrackMate's simple XML file of tracks."""

from __future__ import annotations

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import SECONDS
from murmurate.tracks.file_head import Head
from murmurate.tracks.grid import filled, frames_of_numbers, numbered
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, without_flat_z
from murmurate.tracks.xml_file import elements, number_of


def read(head: Head, options: ReadOptions) -> Reading:
    """<Tracks spaceUnits frameInterval timeUnits> with <particle>s of <detection t x y z>."""
    path = head.path
    frames, animals, places = [], [], []
    about: dict[str, str] = {}
    count = 0
    for event, tag, element in elements(path):
        if tag == "Tracks" and event == "start":
            about = dict(element.attrib)
        elif tag == "detection" and event == "start":
            frames.append(number_of(element, "t", path))
            animals.append(count)
            places.append([number_of(element, axis, path) for axis in ("x", "y", "z")])
        elif tag == "particle" and event == "end":
            count += 1
            element.clear()
    if not places:
        raise RecordingRefused(f"{path}: has no <detection> in it")
    where, notes = without_flat_z(np.array(places))
    names = [str(k) for k in range(count)]
    made = frames_of_numbers(np.array(frames), count, numbered("detection"), path)
    out, _ = filled(made, np.array(animals), where, names, numbered("detection"), False, path)
    unit = about.get("timeUnits", "").lower()
    rate: float | None = None
    try:
        interval = float(about.get("frameInterval", "nan"))
    except ValueError:
        interval = np.nan
    if unit in SECONDS and interval > 0:
        rate = 1 / (interval * SECONDS[unit])
        if interval == 1 and unit in ("s", "sec"):
            notes += ("the frame interval is 1 s, which TrackMate writes too where nobody set it",)
    return Reading(out, rate, names, about.get("spaceUnits", ""), made.start, int(made.step), True,
                   (*notes, *made.notes))  # fmt: skip
