"""Degrees of longitude and latitude -> metres on the spot."""

from __future__ import annotations

import numpy as np

from murmurate.record.errors import RecordingRefused

LARGE, FLATTENING = 6_378_137.0, 1 / 298.257223563  # WGS 84: half the large axis in metres
WIDEST = 50_000.0  # metres: then distances are wrong by 0.4 % at 50 degrees


def in_metres(degrees: np.ndarray, path: object) -> tuple[np.ndarray, str]:
    """(n, 2) longitude and latitude -> (n, 2) metres east and north of the middle; and the
    projection in words.

    Equirectangular on the ellipsoid WGS 84 about the middle latitude f: x = N(f) cos(f) dlon, y =
    M(f) dlat, with the radii of curvature N in the prime vertical and M in the meridian (Snyder
    1987, Map Projections, USGS Professional Paper 1395, doi:10.3133/pp1395). Distances are wrong by
    less than 0.5 % within 50 km. Raises RecordingRefused for what is farther apart, or no place on
    Earth.
    """
    seen = degrees[np.isfinite(degrees).all(axis=1)]
    if not len(seen):
        return degrees, "metres"
    if np.abs(seen[:, 1]).max() > 90:
        hint = ""
        if np.abs(seen[:, 0]).max() <= 90:
            hint = ": the columns look exchanged; name them: --columns x=LONGITUDE,y=LATITUDE"
        raise RecordingRefused(
            f"{path}: has a latitude of {seen[np.abs(seen[:, 1]).argmax(), 1]:g}; it must be from "
            f"-90 to 90{hint}"
        )
    if np.abs(seen[:, 0]).max() > 360:
        raise RecordingRefused(
            f"{path}: has a longitude of {seen[np.abs(seen[:, 0]).argmax(), 0]:g}; it must be from "
            "-180 to 180"
        )
    turn = seen[0, 0]
    east = turn + (degrees[:, 0] - turn + 180) % 360 - 180  # across the 180th meridian
    known = east[np.isfinite(east)]
    longitude = (known.min() + known.max()) / 2
    latitude = (seen[:, 1].min() + seen[:, 1].max()) / 2
    square = FLATTENING * (2 - FLATTENING)
    root = np.sqrt(1 - square * np.sin(np.radians(latitude)) ** 2)
    normal, meridian = LARGE / root, LARGE * (1 - square) / root**3
    out = np.stack(
        [
            normal * np.cos(np.radians(latitude)) * np.radians(east - longitude),
            meridian * np.radians(degrees[:, 1] - latitude),
        ],
        axis=1,
    )
    wide = float(np.ptp(out[np.isfinite(out).all(axis=1)], axis=0).max())
    if wide > WIDEST:
        raise RecordingRefused(
            f"{path}: its places are {wide / 1000:,.0f} km apart; up to {WIDEST / 1000:.0f} km are "
            "taken for flat: choose a part of the track, or project it yourself (pyproj) and give "
            "columns x and y in metres"
        )
    said = f"metres east and north of {latitude:.4f} N {longitude:.4f} E"
    return out, f"{said}, equirectangular on WGS 84"
