"""The projection of geographic positions to metres."""

from __future__ import annotations

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.column_words import ANGLE, ANGLES

SEMI_MAJOR_AXIS, FLATTENING = 6_378_137.0, 1 / 298.257223563  # WGS 84, metres
MAX_EXTENT = 50_000.0  # metres: then distances are wrong by 0.4 % at 50 degrees


def project_to_metres(
    angles: np.ndarray, unit: str, path: object
) -> tuple[np.ndarray, str, list[str]]:
    """Project longitude and latitude to metres.

    Equirectangular on the ellipsoid WGS 84 about the middle latitude f: x = N(f) cos(f) dlon, y =
    M(f) dlat, with the radii of curvature N in the prime vertical and M in the meridian (Snyder
    1987, Map Projections, USGS Professional Paper 1395, doi:10.3133/pp1395). Distances are wrong by
    less than 0.5 % within 50 km.

    angles  (n, 2) longitude and latitude, nan where unknown
    unit  a key of ANGLES; ANGLE if unknown
    path  file name for messages
    metres  (n, 2) metres east and north of the middle
    projection  the projection in words
    notes  what was assumed
    raises TracksError  for an extent above 50 km, for angles out of range, and for angles of
        unknown unit that exist on the whole Earth in radians: in degrees they are in the Gulf of
        Guinea
    """
    seen = angles[np.isfinite(angles).all(axis=1)]
    if not len(seen):
        return angles, "metres", []
    if unit == ANGLE and (np.abs(seen) <= (2 * np.pi, np.pi / 2)).all():
        raise _unknown_unit(seen[0], path)
    is_radians = ANGLES.get(unit.lower()) == "radians"
    degrees = np.degrees(angles) if is_radians else angles
    seen = np.degrees(seen) if is_radians else seen
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
    projection = f"{origin}, equirectangular on WGS 84"
    note = f"{'radians' if is_radians else 'degrees'} are projected to {projection}"
    return metres, projection, [note]


def _unknown_unit(position: np.ndarray, path: object) -> TracksError:
    longitude, latitude = position
    degrees = np.degrees((latitude, longitude))
    return TracksError(
        f"{path}: got latitudes within pi/2 and longitudes within 2 pi, such as {latitude:.6g}, "
        f"{longitude:.6g}, without a unit; expected degrees (the sea near {latitude:.1f} N "
        f"{longitude:.1f} E) or radians ({degrees[0]:.1f} N {degrees[1]:.1f} E). Say which: --unit "
        "degrees or --unit radians"
    )


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
