"""Tables of positions, one for each drone: those of Skybrush, and those of Crazyswarm.

Skybrush's zipped CSV has `Time [msec],x [m],y [m],z [m],Red,Green,Blue`, a row per time, with
straight lines between (the header is that in SkyRender's description of its CSV bundle).
Crazyswarm's trajectories have 33 columns, a row per piece: its duration, and eight coefficients of
powers of time, from the lowest, for each of x, y, z and yaw (as in uav_trajectories and
crazyflie_demo).
"""

from __future__ import annotations

import csv
import io
import re

import numpy as np

from murmurate.errors import FlightError
from murmurate.flights.bernstein import Array, elevate, from_powers, to_powers
from murmurate.flights.trajectory import Drone, Flight, path_through, unwrapped

POINTS = ("Time [msec]", "x [m]", "y [m]", "z [m]", "Red", "Green", "Blue")
POLYNOMIALS = ("duration", *(f"{a}^{k}" for a in ("x", "y", "z", "yaw") for k in range(8)))
MAX_PIECES = 31
"""Pieces for which a Crazyflie has memory: 4 KiB, 132 bytes each."""


def write_points(flight: Flight) -> dict[str, str]:
    """Return the files of Skybrush's zipped CSV: whole milliseconds, and positions to 0.1 mm."""
    out = {}
    for drone in flight.drones:
        stamps = np.rint(drone.times * 1000)
        positions = drone.at(stamps / 1000)[:, :3]
        colours = np.rint(drone.light_at(stamps / 1000)).astype(int)
        rows = zip(stamps.astype(int).tolist(), positions.tolist(), colours.tolist(), strict=True)
        lines = [",".join(POINTS)]
        lines += [f"{t},{x:.4f},{y:.4f},{z:.4f},{r},{g},{b}" for t, (x, y, z), (r, g, b) in rows]
        out[f"{drone.name}.csv"] = "\n".join(lines) + "\n"
    return out


def read_points(texts: dict[str, str]) -> list[Drone]:
    """Return the drones of Skybrush's CSV files. The columns of colours may be missing."""
    drones = []
    for name, text in texts.items():
        rows = _rows(name, text, 4, POINTS)
        times = rows[:, 0] / 1000
        colours = rows[:, 4:7] if rows.shape[1] >= 7 else np.zeros((0, 3))
        drones.append(path_through(name, times, rows[:, 1:4], times[: len(colours)], colours))
    return drones


def write_polynomials(flight: Flight) -> dict[str, str]:
    """Return the files of Crazyswarm's trajectories, at most MAX_PIECES pieces each."""
    out = {}
    for drone in flight.drones:
        if len(drone.points) > MAX_PIECES:
            raise FlightError(
                f"{drone.name}: got {len(drone.points)} pieces; expected at most {MAX_PIECES}, "
                "for which a Crazyflie has memory. Export fewer steps, or give a larger --tolerance"
            )
        durations = np.diff(drone.times)
        points = drone.points * [1.0, 1.0, 1.0, np.pi / 180]
        powers = to_powers(elevate(points, 7), durations)
        rows = np.column_stack([durations, powers.transpose(0, 2, 1).reshape(len(durations), -1)])
        lines = [",".join(POLYNOMIALS), *(",".join(f"{x:.10g}" for x in row) for row in rows)]
        out[f"{drone.name}.csv"] = "\n".join(lines) + "\n"
    return out


def read_polynomials(texts: dict[str, str]) -> list[Drone]:
    """Return the drones of Crazyswarm's trajectories."""
    drones = []
    for name, text in texts.items():
        rows = _rows(name, text, len(POLYNOMIALS), POLYNOMIALS)
        durations = rows[:, 0]
        powers = rows[:, 1:].reshape(-1, 4, 8).transpose(0, 2, 1)
        points = from_powers(powers, durations) * [1.0, 1.0, 1.0, 180 / np.pi]
        points[:, :, 3] += (unwrapped(points[:, 0, 3]) - points[:, 0, 3])[:, None]
        times = np.concatenate([[0.0], np.cumsum(durations)])
        drones.append(Drone(name, times, points, np.zeros(len(points), bool)))
    return drones


def _rows(name: str, text: str, columns: int, titles: tuple[str, ...]) -> Array:
    """Return the numbers of a table with a header, and at least some columns of the titles."""
    header, *table = [row for row in csv.reader(io.StringIO(text)) if any(row)] or [[]]
    start = " ".join(re.sub(r"[^a-z]", "", title.lower()) for title in header[:4])
    pattern = r"(time|t)ms(ec)? xm? ym? zm?" if titles is POINTS else r"duration.*"
    if not re.fullmatch(pattern, start):
        raise FlightError(
            f"{name}: got the header {','.join(header)[:80]!r}; expected {','.join(titles[:4])}..."
        )
    width = min(map(len, table), default=0)
    if width < columns:
        raise FlightError(f"{name}: got {width} columns; expected {columns}")
    return np.array([[float(cell) for cell in row[: min(width, len(titles))]] for row in table])
