"""Limits of a flight, and certificates about them."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from murmurate.errors import FlightError

ROUNDING = 1e-6
"""Part of a limit by which a value may miss it."""


@dataclass(frozen=True)
class Limits:
    """Limits of a flight. The defaults are those of Skybrush Studio; None: no limit.

    Parameters
    ----------
    min_distance : float or None, default 3
        Distance between two drones, metres.
    max_speed : float or None, default 8
        Horizontal speed, metres per second.
    max_vertical_speed : float or None, default 3
        Speed upwards and downwards, metres per second.
    max_acceleration : float or None, default 4
        Metres per second squared.
    max_jerk : float or None, default None
        Change of acceleration along each axis, metres per second cubed.
    max_altitude : float or None, default 150
        Highest z, metres.
    min_altitude : float or None, default 0
        Lowest z, metres.
    max_yaw_rate : float or None, default None
        Degrees per second.
    obstacle_distance : float or None, default 3
        Distance of a drone to obstacles, metres.

    Raises
    ------
    FlightError
        A limit is not a number, or is negative.
    """

    min_distance: float | None = 3.0
    max_speed: float | None = 8.0
    max_vertical_speed: float | None = 3.0
    max_acceleration: float | None = 4.0
    max_jerk: float | None = None
    max_altitude: float | None = 150.0
    min_altitude: float | None = 0.0
    max_yaw_rate: float | None = None
    obstacle_distance: float | None = 3.0

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            minimum = -math.inf if item.name == "min_altitude" else 0.0
            if value is not None and not (math.isfinite(value) and value >= minimum):
                raise FlightError(f"{item.name}: got {value}; expected a number from 0 up")


def beyond(value: Any, limit: float | None, at_least: bool) -> Any:
    """Return whether a value, or each of an array, is beyond a limit."""
    if limit is None:
        return value != value
    distance = limit - value if at_least else value - limit
    return distance > ROUNDING * max(1.0, abs(limit))


@dataclass(frozen=True)
class Finding:
    """The largest or smallest value of a quantity in a flight.

    Attributes
    ----------
    quantity, unit : str
        What it is.
    value : float
        Its extreme value.
    limit : float or None
        Its limit.
    at_least : bool
        Whether the limit is a lower one.
    drones : tuple of str
        The drone, or the two drones; none if all stay farther apart than the value.
    time : float
        When, seconds.
    position : tuple of float
        Where the drone is then, or the middle between the two, metres.
    """

    quantity: str
    unit: str
    value: float
    limit: float | None
    at_least: bool
    drones: tuple[str, ...]
    time: float
    position: tuple[float, ...]

    @property
    def violated(self) -> bool:
        """Return whether the value is beyond the limit, by more than a millionth of it."""
        return bool(beyond(self.value, self.limit, self.at_least))

    def __str__(self) -> str:
        """Return a sentence part: quantity, drones, time and position."""
        where = ", ".join(f"{x:.2f}" for x in self.position)
        who = " and ".join(self.drones)
        text = f"{self.quantity} of {who}: {self.value:.3f} {self.unit}"
        limit = "" if self.limit is None else f" (limit {self.limit:g})"
        return f"{text}{limit} at {self.time:.3f} s, at ({where}) m"


@dataclass(frozen=True)
class Certificate:
    """Results of the check of a flight's file, in continuous time.

    Attributes
    ----------
    drones : int
        Number of drones.
    duration : float
        Seconds from the first time to the last.
    findings : tuple of Finding
        The extreme value of each quantity.
    violations : tuple of Finding
        The worst of each quantity and drone, or pair of drones, beyond its limit; by time.

    Notes
    -----
    It states what the file says. It never says that a flight is safe: drones deviate from their
    files by wind, delays and faults.
    """

    drones: int
    duration: float
    findings: tuple[Finding, ...]
    violations: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Return whether no limit is violated."""
        return not self.violations
