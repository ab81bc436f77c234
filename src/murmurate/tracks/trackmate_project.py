"""TrackMate's project: the XML file that it saves, with all spots and the edges between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import SECONDS
from murmurate.tracks.file_head import Head
from murmurate.tracks.grid import Named, filled, frames_of_numbers
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, without_flat_z
from murmurate.tracks.xml_file import elements, number_of

AXES = ("POSITION_X", "POSITION_Y", "POSITION_Z")


@dataclass
class _Project:
    """What is said of the model, spots by their ID, and tracks by their TRACK_ID."""

    about: dict[str, str] = field(default_factory=dict)
    interval: float = np.nan
    spots: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    tracks: dict[str, tuple[str, dict[str, None]]] = field(default_factory=dict)
    chosen: list[str] | None = None


def read(head: Head, options: ReadOptions) -> Reading:
    """<AllSpots> of <Spot>s, <AllTracks> of <Track>s of <Edge>s, and <FilteredTracks>, those that
    TrackMate shows. Spots of no track are left out; where a track divides or joins it has two
    spots in a frame, which is refused."""
    path = head.path
    found = _read(path)
    shown = [t for t in found.tracks if found.chosen is None or t in found.chosen]
    names = [found.tracks[track][0] for track in shown]
    names = [n if names.count(n) == 1 else f"{n} ({shown[k]})" for k, n in enumerate(names)]
    ids = [(spot, k) for k, track in enumerate(shown) for spot in found.tracks[track][1]]
    if not ids:
        raise RecordingRefused(
            f"{path}: has {len(found.spots):,} spots and {len(found.tracks):,} tracks, and none of "
            "its tracks is shown; link the spots in TrackMate, and save it again"
        )
    if lost := [spot for spot, _ in ids if spot not in found.spots]:
        raise RecordingRefused(f"{path}: an <Edge> is of spot {lost[0]!r}, and there is no such")
    rows = np.array([found.spots[spot] for spot, _ in ids])
    places, notes = without_flat_z(rows[:, 1:])

    def spot(place: int) -> str:
        return f"spot {ids[place][0]}"

    made = frames_of_numbers(rows[:, 0], len(names), spot, path)
    animals = np.array([k for _, k in ids])
    if not options.skip_bad:
        _refuse_branches(made.index * len(names) + animals, rows[:, 0], animals, names, spot, path)
    out, again = filled(made, animals, places, names, spot, options.skip_bad, path)
    rest = len(found.spots) - len(ids)
    said = [f"{rest:,} spots of no track that is shown left out"] if rest else []
    said += [f"{again:,} spots of a track that divides or joins left out"] if again else []
    return Reading(
        out, _rate(found), names, found.about.get("spatialunits", ""), made.start, int(made.step),
        True, (*notes, *said, *made.notes),
    )  # fmt: skip


def _refuse_branches(
    sightings: np.ndarray, frames: np.ndarray, animals: np.ndarray, names: list[str],
    spot: Named, path: Path,
) -> None:  # fmt: skip
    """Raises RecordingRefused where two spots are one animal's in one frame."""
    _, first, which = np.unique(sightings, return_index=True, return_inverse=True)
    again = first[which] != np.arange(len(sightings))
    if again.any():
        k = int(np.argmax(again))
        raise RecordingRefused(
            f"{path}: {names[animals[k]]} has two spots in frame {frames[k]:g}, "
            f"{spot(int(first[which[k]]))} and {spot(k)}: it divides or joins. Cut it in "
            "TrackMate's TrackScheme, or keep the first spot of each frame: --skip-bad"
        )


def _rate(found: _Project) -> float | None:
    unit = found.about.get("timeunits", "").lower()
    return 1 / (found.interval * SECONDS[unit]) if unit in SECONDS and found.interval > 0 else None


def _read(path: Path) -> _Project:
    found, track = _Project(), ""
    for event, tag, element in elements(path):
        if event == "end":
            if tag in ("SpotsInFrame", "Track"):
                element.clear()
            continue
        if tag == "Model":
            found.about = dict(element.attrib)
        elif tag == "Spot":
            x, y, z = (number_of(element, axis, path) for axis in AXES)
            found.spots[element.get("ID", "")] = (number_of(element, "FRAME", path), x, y, z)
        elif tag == "Track":
            track = element.get("TRACK_ID", "")
            found.tracks[track] = (element.get("name") or f"Track_{track}", {})
        elif tag == "Edge" and track:
            for side in ("SPOT_SOURCE_ID", "SPOT_TARGET_ID"):
                found.tracks[track][1][element.get(side, "")] = None
        elif tag == "FilteredTracks":
            found.chosen = []
        elif tag == "TrackID" and found.chosen is not None:
            found.chosen.append(element.get("TRACK_ID", ""))
        elif tag == "ImageData":
            found.interval = number_of(element, "timeinterval", path)
    return found
