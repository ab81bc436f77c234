"""XML files of TrackMate: exported tracks, and projects with all spots and their edges."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.number_text import parse_number
from murmurate.tracks.column_words import SECONDS
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import iterate_xml, xml_number
from murmurate.tracks.frame_table import RowName, fill_frames, frames_from_numbers, row_names
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks, drop_flat_z

AXES = ("POSITION_X", "POSITION_Y", "POSITION_Z")


def read_tracks(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read <Tracks spaceUnits frameInterval timeUnits> of <particle>s with <detection t x y z>."""
    path = preview.path
    frames, animals, positions = [], [], []
    attributes: dict[str, str] = {}
    count = 0
    for event, tag, element in iterate_xml(path):
        if tag == "Tracks" and event == "start":
            attributes = dict(element.attrib)
        elif tag == "detection" and event == "start":
            frames.append(xml_number(element, "t", path))
            animals.append(count)
            positions.append([xml_number(element, axis, path) for axis in ("x", "y", "z")])
        elif tag == "particle" and event == "end":
            count += 1
            element.clear()
    if not positions:
        raise TracksError(f"{path}: got no <detection>; expected at least one")
    flat, notes = drop_flat_z(np.array(positions))
    names = [str(k) for k in range(count)]
    row_name = row_names("detection")
    row_frames = frames_from_numbers(np.array(frames), count, row_name, path)
    out, _ = fill_frames(row_frames, np.array(animals), flat, names, row_name, False, path)
    unit = attributes.get("timeUnits", "").lower()
    rate: float | None = None
    try:
        interval = parse_number(attributes.get("frameInterval", "nan"))
    except ValueError:
        interval = np.nan
    if unit in SECONDS and interval > 0:
        rate = 1 / (interval * SECONDS[unit])
        if interval == 1 and unit in ("s", "sec"):
            notes += ("the frame interval is 1 s, which TrackMate also writes if it was not set",)
    return RawTracks(out, rate, names, attributes.get("spaceUnits", ""), row_frames.start,
                     int(row_frames.step), True, (*notes, *row_frames.notes))  # fmt: skip


@dataclass
class _Project:
    """A project.

    attributes  of the <Model>, among them its units
    interval    between frames, in the project's unit of time
    spots       ID -> (frame, x, y, z)
    tracks      TRACK_ID -> (name, IDs of its spots)
    visible     TRACK_IDs that TrackMate shows; None: all
    """

    attributes: dict[str, str] = field(default_factory=dict)
    interval: float = np.nan
    spots: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    tracks: dict[str, tuple[str, dict[str, None]]] = field(default_factory=dict)
    visible: list[str] | None = None

    @property
    def rate(self) -> float | None:
        unit = self.attributes.get("timeunits", "").lower()
        if unit in SECONDS and self.interval > 0:
            return 1 / (self.interval * SECONDS[unit])
        return None


def read_project(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the visible tracks of a project.

    Those are <AllSpots> of <Spot>s, <AllTracks> of <Track>s of <Edge>s, and <FilteredTracks>. Spots
    of no track are left out. A track that splits or merges has two spots in a frame, and is
    refused.
    """
    path = preview.path
    project = _read_elements(path)
    tracks = [t for t in project.tracks if project.visible is None or t in project.visible]
    names = [project.tracks[track][0] for track in tracks]
    names = [n if names.count(n) == 1 else f"{n} ({tracks[k]})" for k, n in enumerate(names)]
    ids = [(spot, k) for k, track in enumerate(tracks) for spot in project.tracks[track][1]]
    if not ids:
        raise TracksError(
            f"{path}: got {len(project.spots):,} spots and {len(project.tracks):,} tracks, of "
            "which none is visible; expected a visible track. Link the spots in TrackMate, and "
            "save again"
        )
    if unknown := [spot for spot, _ in ids if spot not in project.spots]:
        raise TracksError(
            f"{path}: got an <Edge> of spot {unknown[0]!r}; expected the ID of a <Spot>. Save the "
            "project again"
        )
    rows = np.array([project.spots[spot] for spot, _ in ids])
    positions, notes = drop_flat_z(rows[:, 1:])

    def spot_name(k: int) -> str:
        return f"spot {ids[k][0]}"

    frames = frames_from_numbers(rows[:, 0], len(names), spot_name, path)
    animals = np.array([k for _, k in ids])
    if not options.skip_bad:
        keys = frames.index * len(names) + animals
        _check_branches(keys, rows[:, 0], animals, names, spot_name, path)
    out, duplicates = fill_frames(
        frames, animals, positions, names, spot_name, options.skip_bad, path
    )
    rest = len(project.spots) - len(ids)
    dropped = [f"{rest:,} spots of no visible track left out"] if rest else []
    dropped += (
        [f"{duplicates:,} spots of tracks that split or merge left out"] if duplicates else []
    )
    return RawTracks(
        out, project.rate, names, project.attributes.get("spatialunits", ""), frames.start,
        int(frames.step), True, (*notes, *dropped, *frames.notes),
    )  # fmt: skip


def _check_branches(
    keys: np.ndarray, frames: np.ndarray, animals: np.ndarray, names: list[str],
    spot_name: RowName, path: Path,
) -> None:  # fmt: skip
    """Raise TracksError if two spots have the same key, one per frame and animal."""
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    duplicate = first[which] != np.arange(len(keys))
    if duplicate.any():
        k = int(np.argmax(duplicate))
        raise TracksError(
            f"{path}: got two spots of {names[animals[k]]} in frame {frames[k]:g}, "
            f"{spot_name(int(first[which[k]]))} and {spot_name(k)}; expected one: the track splits "
            "or merges. Cut it in TrackMate's TrackScheme, or keep the first spot of each frame: "
            "--skip-bad"
        )


def _read_elements(path: Path) -> _Project:
    project, track = _Project(), ""
    for event, tag, element in iterate_xml(path):
        if event == "end":
            if tag in ("SpotsInFrame", "Track"):
                element.clear()
            continue
        if tag == "Model":
            project.attributes = dict(element.attrib)
        elif tag == "Spot":
            x, y, z = (xml_number(element, axis, path) for axis in AXES)
            project.spots[element.get("ID", "")] = (xml_number(element, "FRAME", path), x, y, z)
        elif tag == "Track":
            track = element.get("TRACK_ID", "")
            project.tracks[track] = (element.get("name") or f"Track_{track}", {})
        elif tag == "Edge" and track:
            for end in ("SPOT_SOURCE_ID", "SPOT_TARGET_ID"):
                project.tracks[track][1][element.get(end, "")] = None
        elif tag == "FilteredTracks":
            project.visible = []
        elif tag == "TrackID" and project.visible is not None:
            project.visible.append(element.get("TRACK_ID", ""))
        elif tag == "ImageData":
            project.interval = xml_number(element, "timeinterval", path)
    return project
