"""Geographic positions: their projection to metres, and GPX files of loggers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import iterate_xml, xml_number
from murmurate.tracks.frame_table import (
    Detections,
    fill_frames,
    frames_from_numbers,
    frames_from_times,
    resample,
    row_names,
)
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks
from murmurate.tracks.timestamps import parse_iso_date

SEMI_MAJOR_AXIS, FLATTENING = 6_378_137.0, 1 / 298.257223563  # WGS 84, metres
MAX_EXTENT = 50_000.0  # metres: then distances are wrong by 0.4 % at 50 degrees


def project_to_metres(degrees: np.ndarray, path: object) -> tuple[np.ndarray, str]:
    """Project longitude and latitude to metres.

    Parameters
    ----------
    degrees : (n, 2) float array
        Longitude and latitude in degrees, nan where unknown.
    path : path
        File name for messages.

    Returns
    -------
    metres : (n, 2) float array
        Metres east and north of the middle.
    projection : str
        The projection in words.

    Raises
    ------
    TracksError
        For an extent above 50 km, and for angles out of range.

    Notes
    -----
    Equirectangular on the ellipsoid WGS 84 about the middle latitude f: x = N(f) cos(f) dlon, y =
    M(f) dlat, with the radii of curvature N in the prime vertical and M in the meridian (Snyder
    1987, Map Projections, USGS Professional Paper 1395, doi:10.3133/pp1395). Distances are wrong by
    less than 0.5 % within 50 km.
    """
    seen = degrees[np.isfinite(degrees).all(axis=1)]
    if not len(seen):
        return degrees, "metres"
    _check_angles(seen, path)
    reference = seen[0, 0]
    east = reference + (degrees[:, 0] - reference + 180) % 360 - 180  # across the 180th meridian
    finite = east[np.isfinite(east)]
    longitude = (finite.min() + finite.max()) / 2
    latitude = (seen[:, 1].min() + seen[:, 1].max()) / 2
    eccentricity2 = FLATTENING * (2 - FLATTENING)
    root = np.sqrt(1 - eccentricity2 * np.sin(np.radians(latitude)) ** 2)
    normal, meridian = SEMI_MAJOR_AXIS / root, SEMI_MAJOR_AXIS * (1 - eccentricity2) / root**3
    metres = np.stack(
        [
            normal * np.cos(np.radians(latitude)) * np.radians(east - longitude),
            meridian * np.radians(degrees[:, 1] - latitude),
        ],
        axis=1,
    )
    extent = float(np.ptp(metres[np.isfinite(metres).all(axis=1)], axis=0).max())
    if extent > MAX_EXTENT:
        raise TracksError(
            f"{path}: got positions that are {extent / 1000:,.0f} km apart; expected up to "
            f"{MAX_EXTENT / 1000:.0f} km, where the ground is nearly flat. Select a part of the "
            "track, or project it yourself (pyproj) to columns x and y in metres"
        )
    origin = f"metres east and north of {latitude:.4f} N {longitude:.4f} E"
    return metres, f"{origin}, equirectangular on WGS 84"


def _check_angles(degrees: np.ndarray, path: object) -> None:
    """Raise TracksError for a latitude or longitude that does not exist."""
    longitudes, latitudes = degrees.T
    if np.abs(latitudes).max() > 90:
        remedy = ""
        if np.abs(longitudes).max() <= 90:
            remedy = ". The columns look exchanged; name them: --columns x=LONGITUDE,y=LATITUDE"
        raise TracksError(
            f"{path}: got a latitude of {latitudes[np.abs(latitudes).argmax()]:g}; expected -90 to "
            f"90{remedy}. If it means not seen: --missing "
            f"{latitudes[np.abs(latitudes).argmax()]:.10g}"
        )
    if np.abs(longitudes).max() > 360:
        raise TracksError(
            f"{path}: got a longitude of {longitudes[np.abs(longitudes).argmax()]:g}; expected "
            "-180 to 180"
        )


# --- GPX


@dataclass
class _Points:
    """Points of all tracks.

    names    name of each track
    animals  index of the track of each point
    times    seconds, nan if missing
    degrees  longitude and latitude
    """

    names: list[str] = field(default_factory=list)
    animals: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    degrees: list[list[float]] = field(default_factory=list)


def gpx_files(folder: Path) -> list[Path]:
    """Return the .gpx files in a folder, sorted."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".gpx")


def read_gpx(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read a GPX file, in which each <trk> is an animal.

    If no point has a time, each point is a frame.
    """
    return _read_gpx_files([preview.path], preview.path, options)


def read_gpx_folder(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read all GPX files of a folder; an animal without a name is named like its file."""
    return _read_gpx_files(gpx_files(preview.path), preview.path, options)


def _read_gpx_files(files: Sequence[Path], path: Path, options: ReadOptions) -> RawTracks:
    points = _Points()
    for file in files:
        _add_points(file, points)
    if not points.degrees:
        raise TracksError(
            f"{path}: got no <trkpt>; expected tracks, <trk>. Routes and waypoints are not tracks"
        )
    names = points.names
    names = [name if names.count(name) == 1 else f"{name} ({k})" for k, name in enumerate(names)]
    animals, times = np.array(points.animals), np.array(points.times)
    degrees = np.array(points.degrees)
    timed = not np.isnan(times).all()
    notes = [] if timed else ["points have no times: each is read as one frame"]
    if timed and (missing := np.isnan(times)).any():
        notes.append(f"{missing.sum():,} points without a time left out")
        animals, times, degrees = animals[~missing], times[~missing], degrees[~missing]
    present, animals = np.unique(animals, return_inverse=True)  # some tracks may have no points
    names = [names[k] for k in present.tolist()]
    positions, note = project_to_metres(degrees, path)
    notes.append(f"degrees are projected to {note}")
    row_name = row_names("point")
    if timed and options.resample is not None:
        rows, note = resample(Detections(animals, times, positions), options.resample, len(names),
                              row_name, path, options.space.box(2))  # fmt: skip
        animals, times, positions = rows.animals, rows.times, rows.positions
        notes.append(note)
    if timed:
        frames = frames_from_times(times, len(names), row_name, path)
    else:
        counts = np.arange(len(animals)) - np.searchsorted(animals, animals)
        frames = frames_from_numbers(counts.astype(float), len(names), row_name, path)
    out, duplicates = fill_frames(
        frames, animals, positions, names, row_name, options.skip_bad, path
    )
    if duplicates:
        notes.append(f"{duplicates:,} points with the time of another left out")
    rate = 1 / frames.step if timed and frames.count > 1 else None
    return RawTracks(out, rate, names, "m", 0.0, 1, False, (*notes, *frames.notes))


def _add_points(file: Path, points: _Points) -> None:
    """Append the tracks of a GPX file."""
    parents: list[str] = []
    before = len(points.names)
    for event, tag, element in iterate_xml(file):
        if event == "start":
            parents.append(tag)
            if tag == "trk":
                points.names.append(file.stem)
            continue
        parents.pop()
        if tag == "name" and parents[-1:] == ["trk"] and element.text and element.text.strip():
            points.names[-1] = " ".join(element.text.split())
        elif tag == "trkpt" and len(points.names) > before:
            points.animals.append(len(points.names) - 1)
            points.degrees.append(
                [xml_number(element, "lon", file), xml_number(element, "lat", file)]
            )
            time = element.findtext("{*}time")
            points.times.append(_parse_time(time, len(points.times) + 1, file))
            element.clear()


def _parse_time(text: str | None, number: int, path: Path) -> float:
    if not text or not text.strip():
        return np.nan
    try:
        return parse_iso_date(text.strip())
    except ValueError:
        raise TracksError(
            f"{path}: time: got {text.strip()[:40]!r} in point {number}; expected a time such as "
            "2026-05-01T10:00:00Z"
        ) from None
