"""Options of an exported flight."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from murmurate.errors import FlightError
from murmurate.flights.limits import Certificate, Limits


@dataclass(frozen=True)
class FlightOptions:
    """How a flock becomes a flight of drones.

    Parameters
    ----------
    metres_per_unit, seconds_per_unit : float, optional
        A unit of length and of time of the model. 1 is assumed, and noted.
    altitude : float, optional
        Altitude of z = 0 of the model, metres; by default the lowest drone is at 10 m.
    tolerance : float, default 0.05
        Largest distance of fitted positions from the flock's, metres.
    take_off : bool, default True
        Take off from a grid on the ground, and land on it.
    grid_spacing : float, optional
        Metres between drones on the ground; 1.5 of the smallest distance by default.
    rate : float, optional
        Positions a second of formats with straight lines.
    geo_origin : tuple of float, optional
        Latitude and longitude of x = y = 0 in degrees, for missions, and its altitude.
    time_scale : float or 'auto', default 1
        Factor of all times. 'auto' is the smallest with which the limits hold.
    limits : Limits
        What the file must keep.
    unchecked : bool, default False
        Write the file also if it does not.

    Raises
    ------
    FlightError
        An option cannot be used.
    """

    metres_per_unit: float | None = None
    seconds_per_unit: float | None = None
    altitude: float | None = None
    tolerance: float = 0.05
    take_off: bool = True
    grid_spacing: float | None = None
    rate: float | None = None
    geo_origin: tuple[float, ...] | None = None
    time_scale: float | Literal["auto"] = 1.0
    limits: Limits = field(default_factory=Limits)
    unchecked: bool = False

    def __post_init__(self) -> None:
        positive = ("metres_per_unit", "seconds_per_unit", "tolerance", "grid_spacing", "rate")
        for name in (*positive, "time_scale"):
            value = getattr(self, name)
            usable = value is None or (name == "time_scale" and value == "auto")
            if not usable and not (isinstance(value, int | float) and 1e-9 < value < 1e9):
                raise FlightError(f"{name}: got {value!r}; expected a number above 0")
        if self.grid_spacing is not None and not self.take_off:
            raise FlightError(
                f"grid_spacing: got {self.grid_spacing:g} without take-off; expected none"
            )
        if self.altitude is not None and not math.isfinite(self.altitude):
            raise FlightError(f"altitude: got {self.altitude}; expected a number of metres")
        if self.geo_origin is not None:
            bounds = (85, 180, 9000)
            fits = len(self.geo_origin) in (2, 3) and all(
                abs(x) <= high for x, high in zip(self.geo_origin, bounds, strict=False)
            )
            if not fits:
                raise FlightError(
                    f"geo_origin: got {self.geo_origin}; expected latitude (at most 85) and "
                    "longitude in degrees, and perhaps an altitude in metres"
                )


@dataclass(frozen=True)
class FlightReport:
    """Report of a written flight.

    Attributes
    ----------
    certificate : Certificate
        Of the file.
    time_scale : float
        Factor of all times.
    notes : tuple of str
        What was assumed.
    """

    certificate: Certificate
    time_scale: float
    notes: tuple[str, ...]
