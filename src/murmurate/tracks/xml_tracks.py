"""Tracks that are XML: TrackMate's simple file, and GPX of loggers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import SECONDS
from murmurate.tracks.file_head import Head
from murmurate.tracks.geography import in_metres
from murmurate.tracks.grid import filled, frames_of_numbers, frames_of_times
from murmurate.tracks.moments import seconds_of_date
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, without_flat_z


def read_trackmate(head: Head, options: ReadOptions) -> Reading:
    """<Tracks spaceUnits frameInterval timeUnits> with <particle>s of <detection t x y z>."""
    path = head.path
    frames, animals, places = [], [], []
    about: dict[str, str] = {}
    count = 0
    for event, tag, element in _elements(path):
        if tag == "Tracks" and event == "start":
            about = dict(element.attrib)
        elif tag == "detection" and event == "start":
            frames.append(_number(element, "t", path))
            animals.append(count)
            places.append([_number(element, axis, path) for axis in ("x", "y", "z")])
        elif tag == "particle" and event == "end":
            count += 1
            element.clear()
    if not places:
        raise RecordingRefused(f"{path}: has no <detection> in it")
    where, notes = without_flat_z(np.array(places))
    names = [str(k) for k in range(count)]
    made = frames_of_numbers(np.array(frames), count, lambda k: k + 1, path)
    out, _ = filled(made, np.array(animals), where, names, lambda k: k + 1, False, path)
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


def read_gpx(head: Head, options: ReadOptions) -> Reading:
    """A <trk> an animal; where no point has a time, each is a frame."""
    path = head.path
    animals: list[int] = []
    times: list[float] = []
    places: list[list[float]] = []
    names: list[str] = []
    within: list[str] = []
    for event, tag, element in _elements(path):
        if event == "start":
            within.append(tag)
            if tag == "trk":
                names.append(str(len(names)))
            continue
        within.pop()
        if tag == "name" and within[-1:] == ["trk"] and element.text and element.text.strip():
            names[-1] = " ".join(element.text.split())
        elif tag == "trkpt" and names:
            animals.append(len(names) - 1)
            places.append([_number(element, "lon", path), _number(element, "lat", path)])
            times.append(_time(element.findtext("{*}time"), len(times) + 1, path))
            element.clear()
    if not places:
        raise RecordingRefused(f"{path}: has no <trkpt> in it: a .gpx of tracks has <trk>, and "
                               "routes and waypoints are none")  # fmt: skip
    names = [name if names.count(name) == 1 else f"{name} ({k})" for k, name in enumerate(names)]
    used, whose = np.unique(animals, return_inverse=True)  # there may be tracks without points
    names = [names[k] for k in used.tolist()]
    where, said = in_metres(np.array(places), path)
    notes = [f"degrees are projected to {said}"]
    when = np.array(times, float)
    if np.isnan(when).all():
        counts = np.arange(len(whose)) - np.searchsorted(whose, whose)
        made = frames_of_numbers(counts.astype(float), len(names), lambda k: k + 1, path)
        notes.append("points have no times: each is taken for one frame")
    else:
        made = frames_of_times(when, len(names), lambda k: k + 1, path)
    out, _ = filled(made, whose, where, names, lambda k: k + 1, False, path)
    timed = not np.isnan(when).all() and made.count > 1
    return Reading(out, 1 / made.step if timed else None, names, "m", 0.0, 1, False,
                   (*notes, *made.notes))  # fmt: skip


def _elements(path: Path) -> Iterator[tuple[str, str, Any]]:
    """(start or end, its name without namespace, element). Raises RecordingRefused for what is no
    XML."""
    try:
        for event, element in ElementTree.iterparse(path, ("start", "end")):
            yield event, str(element.tag).rpartition("}")[2], element
    except ElementTree.ParseError as error:
        raise RecordingRefused(f"{path}: cannot be read: it is damaged XML: {error}") from None


def _number(element: Any, name: str, path: Path) -> float:
    said = element.get(name, "0" if name == "z" else "nothing")
    try:
        return float(said)
    except ValueError:
        tag = str(element.tag).rpartition("}")[2]
        raise RecordingRefused(
            f"{path}: a <{tag}> has {said[:40]!r} for {name}; it must be a number"
        ) from None


def _time(said: str | None, number: int, path: Path) -> float:
    if not said or not said.strip():
        return np.nan
    try:
        return seconds_of_date(said.strip())
    except ValueError:
        raise RecordingRefused(
            f"{path}: point {number} has the time {said.strip()[:40]!r}; it must be a time such as "
            "2026-05-01T10:00:00Z"
        ) from None
