"""The projection of geographic positions to metres."""

from __future__ import annotations

import numpy as np

from murmurate.errors import TracksError

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
