"""GPX: the files of loggers, one with several animals or a folder of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.geography import in_metres
from murmurate.tracks.grid import filled, frames_of_numbers, frames_of_times, numbered
from murmurate.tracks.moments import seconds_of_date
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading
from murmurate.tracks.resampling import Sightings, resampled
from murmurate.tracks.xml_file import elements, number_of


@dataclass
class _Points:
    """Of all tracks: whose a point is, its time (nan for none), its longitude and latitude."""

    names: list[str] = field(default_factory=list)
    animals: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    places: list[list[float]] = field(default_factory=list)


def gpx_files(folder: Path) -> list[Path]:
    """The .gpx files in a folder."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".gpx")


def read(head: Head, options: ReadOptions) -> Reading:
    """A <trk> an animal; where no point has a time, each is a frame."""
    return _read([head.path], head.path, options)


def read_folder(head: Head, options: ReadOptions) -> Reading:
    """The same of all files; an animal without a name is called as its file is."""
    return _read(gpx_files(head.path), head.path, options)


def _read(files: Sequence[Path], path: Path, options: ReadOptions) -> Reading:
    found = _Points()
    for file in files:
        _add(file, found)
    if not found.places:
        raise RecordingRefused(f"{path}: has no <trkpt> in it: a .gpx of tracks has <trk>, and "
                               "routes and waypoints are none")  # fmt: skip
    names = found.names
    names = [name if names.count(name) == 1 else f"{name} ({k})" for k, name in enumerate(names)]
    whose, when, where = np.array(found.animals), np.array(found.times), np.array(found.places)
    timed = not np.isnan(when).all()
    notes = [] if timed else ["points have no times: each is taken for one frame"]
    if timed and (lost := np.isnan(when)).any():
        notes.append(f"{lost.sum():,} points without a time left out")
        whose, when, where = whose[~lost], when[~lost], where[~lost]
    used, whose = np.unique(whose, return_inverse=True)  # there may be tracks without points
    names = [names[k] for k in used.tolist()]
    where, said = in_metres(where, path)
    notes.append(f"degrees are projected to {said}")
    if timed and options.resample is not None:
        rows = Sightings(whose, when, where)
        rows, said = resampled(rows, options.resample, len(names), numbered("point"), path,
                               options.space.box(2))  # fmt: skip
        whose, when, where = rows.animals, rows.times, rows.places
        notes.append(said)
    if timed:
        made = frames_of_times(when, len(names), numbered("point"), path)
    else:
        counts = np.arange(len(whose)) - np.searchsorted(whose, whose)
        made = frames_of_numbers(counts.astype(float), len(names), numbered("point"), path)
    out, again = filled(made, whose, where, names, numbered("point"), options.skip_bad, path)
    if again:
        notes.append(f"{again:,} points of a moment that was there already left out")
    rate = 1 / made.step if timed and made.count > 1 else None
    return Reading(out, rate, names, "m", 0.0, 1, False, (*notes, *made.notes))


def _add(file: Path, found: _Points) -> None:
    """Adds the tracks of a file."""
    within: list[str] = []
    alone = len(found.names)
    for event, tag, element in elements(file):
        if event == "start":
            within.append(tag)
            if tag == "trk":
                found.names.append(file.stem)
            continue
        within.pop()
        if tag == "name" and within[-1:] == ["trk"] and element.text and element.text.strip():
            found.names[-1] = " ".join(element.text.split())
        elif tag == "trkpt" and len(found.names) > alone:
            found.animals.append(len(found.names) - 1)
            found.places.append([number_of(element, "lon", file), number_of(element, "lat", file)])
            found.times.append(_time(element.findtext("{*}time"), len(found.times) + 1, file))
            element.clear()


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
