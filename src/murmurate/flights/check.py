"""Check a file of a flight."""

from __future__ import annotations

import os
from pathlib import Path

from murmurate.errors import FlightError
from murmurate.flights.certificate import certify
from murmurate.flights.formats import read
from murmurate.flights.limits import Certificate, Limits
from murmurate.flights.obstacles import Obstacles
from murmurate.flights.options import FlightOptions
from murmurate.model.model import Model


def check_flight(
    path: str | os.PathLike[str],
    limits: Limits | None = None,
    *,
    obstacles: Model | None = None,
    metres_per_unit: float = 1.0,
    altitude: float = 0.0,
) -> Certificate:
    """Read a file of a flight and compute its extremes in continuous time.

    Parameters
    ----------
    path : path
        A .skyc, .vviz or .mcap file, or a .zip or folder with a .csv, .waypoints or .plan file for
        each drone, or one such file.
    limits : Limits, optional
        Those of Skybrush by default.
    obstacles : Model, optional
        A model whose obstacles drones must not come near.
    metres_per_unit, altitude : float
        The scale of that model, and the altitude of its z = 0, as in the export.

    Returns
    -------
    Certificate

    Raises
    ------
    FlightError
        The file cannot be read, or the model has no obstacle, or one that is not checked.
    """
    solid = None
    if obstacles is not None:
        FlightOptions(metres_per_unit=metres_per_unit, altitude=altitude)  # checks both
        if not obstacles.obstacles:
            raise FlightError("obstacles: got a model without any; expected one with obstacles")
        solid = Obstacles(obstacles.obstacles, obstacles.space.dims, metres_per_unit, altitude)
    return certify(read(Path(path)), limits, solid)
