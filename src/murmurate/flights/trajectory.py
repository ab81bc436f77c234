"""Flights: the path and the light of each drone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from murmurate.errors import FlightError
from murmurate.flights.bernstein import Array, Curves, elevate, evaluate, restrict

MAX_COORDINATE = 1e7  # metres and seconds
MAX_JUMP = 1e-3  # metres between pieces, by rounding


@dataclass(frozen=True)
class Drone:
    """The path of a drone, a polynomial in each piece of time, and its light.

    Before the first time the drone is where the path begins, and after the last where it ends.

    name  unique in its flight
    times  (P + 1,) seconds, rising
    points  (P, n + 1, 4) control points of the pieces: x, y, z in metres, yaw in degrees
    straight  (P,) whether a piece is a straight line at constant speed
    light_times  (K,) seconds, not falling; the light fades from each to the next
    colours  (K, 3) red, green and blue, 0 to 255
    """

    name: str
    times: Array
    points: Array
    straight: Array
    light_times: Array = field(default_factory=lambda: np.zeros(0))
    colours: Array = field(default_factory=lambda: np.zeros((0, 3)))

    def at(self, times: Array) -> Array:
        """Return x, y, z and yaw (T, 4) at times (T,)."""
        within = np.clip(times, self.times[0], self.times[-1])
        piece = np.clip(np.searchsorted(self.times, within, "right") - 1, 0, len(self.points) - 1)
        u = (within - self.times[piece]) / np.diff(self.times)[piece]
        return evaluate(self.points[piece], u)

    def light_at(self, times: Array) -> Array:
        """Return the colours (T, 3) at times (T,); black without a light."""
        if not len(self.light_times):
            return np.zeros((len(times), 3))
        return np.stack([np.interp(times, self.light_times, c) for c in self.colours.T], axis=1)


@dataclass(frozen=True)
class Flight:
    """The drones of a flight, whose clocks start together."""

    drones: tuple[Drone, ...]

    @cached_property
    def begin(self) -> float:
        """Return the first time of any drone, at most 0."""
        return min(0.0, *(float(drone.times[0]) for drone in self.drones))

    @cached_property
    def end(self) -> float:
        """Return the last time of any drone."""
        return max(float(drone.times[-1]) for drone in self.drones)

    def stretched(self, factor: float) -> Flight:
        """Return the flight at `factor` times its duration, on the same paths."""
        return Flight(
            tuple(
                replace(d, times=d.times * factor, light_times=d.light_times * factor)
                for d in self.drones
            )
        )

    def sampled(self, rate: float) -> Flight:
        """Return straight lines between the positions at `rate` times a second."""
        count = max(1, int(np.ceil((self.end - self.begin) * rate - 1e-9)))
        times = self.begin + np.arange(count + 1) / rate
        times[-1] = self.end
        return Flight(
            tuple(
                path_through(d.name, times, d.at(times), times, d.light_at(times))
                for d in self.drones
            )
        )

    @cached_property
    def pieces(self) -> Curves:
        """Return the pieces of all drones from `begin` to `end`; owners are drones."""
        degree = max(drone.points.shape[1] for drone in self.drones) - 1
        parts, begin, length, owner = [], [], [], []
        for k, drone in enumerate(self.drones):
            rests = (self.begin, drone.times[0]), (drone.times[-1], self.end)
            points = elevate(drone.points, degree)
            for (first, last), end in zip(rests, (points[:1, :1], points[-1:, -1:]), strict=True):
                if last > first:
                    parts.append(np.repeat(end, degree + 1, axis=1))
                    begin.append(np.array([first]))
                    length.append(np.array([last - first]))
                    owner.append(np.array([k]))
            parts.append(points)
            begin.append(drone.times[:-1])
            length.append(np.diff(drone.times))
            owner.append(np.full(len(points), k))
        return Curves(*map(np.concatenate, (parts, owner, begin, length)))  # type: ignore[arg-type]


def path_through(
    name: str, times: Array, positions: Array, light_times: Array, colours: Array
) -> Drone:
    """Return a drone on straight lines between positions (T, 3), or (T, 4) with yaw."""
    if positions.shape[1] == 3:
        positions = np.column_stack([positions, np.zeros(len(positions))])
    points = np.stack([positions[:-1], positions[1:]], axis=1)
    straight = np.ones(len(points), bool)
    return Drone(name, times, points, straight, light_times, np.rint(colours))


def unwrapped(degrees: Array) -> Array:
    """Return yaw without jumps between -180 and 180 degrees."""
    return np.asarray(np.unwrap(degrees, period=360.0))


def checked(flight: Flight, path: object) -> Flight:
    """Return a flight as read from a file, or raise FlightError if it has no meaning."""
    if not flight.drones:
        raise FlightError(f"{path}: got no drone; expected at least 1")
    names = sorted(drone.name for drone in flight.drones)
    for name, other in pairwise(names):
        if name == other:
            raise FlightError(f"{path}: got two drones named {name}; expected one")
    for drone in flight.drones:
        if drone.points.shape[2] != 4:
            raise FlightError(f"{path}: {drone.name}: got positions without z; expected x, y and z")
        for numbers, what in ((drone.times, "time"), (drone.points, "position")):
            bad = ~(np.abs(numbers) < MAX_COORDINATE)
            if bad.any():
                raise FlightError(
                    f"{path}: {drone.name}: {what}: got {numbers[bad][0]:g}; expected a number "
                    f"below {MAX_COORDINATE:g} m or s"
                )
        if not len(drone.points):
            raise FlightError(f"{path}: {drone.name}: got 1 time; expected at least 2")
        step = np.diff(drone.times)
        if (step <= 0).any():
            k = int(np.argmax(step <= 0))
            raise FlightError(
                f"{path}: {drone.name}: times: got {drone.times[k + 1]:g} s after "
                f"{drone.times[k]:g} s; expected rising times"
            )
        jump = np.abs(drone.points[1:, 0, :3] - drone.points[:-1, -1, :3]).max(axis=1, initial=0.0)
        if (jump > MAX_JUMP).any():
            k = int(jump.argmax())
            raise FlightError(
                f"{path}: {drone.name}: got a jump of {jump[k]:.3g} m at {drone.times[k + 1]:g} s; "
                "expected pieces of a path that begin where the one before ends"
            )
    return flight


def part_of(curves: Curves, begin: Array, end: Array) -> Array:
    """Return the control points of each curve on its part from a time to a time (P,)."""
    first = (begin - curves.begin) / curves.duration
    last = (end - curves.begin) / curves.duration
    cut = (first > 1e-12) | (last < 1 - 1e-12)
    points = curves.points.copy()
    if cut.any():
        points[cut] = restrict(
            points[cut], np.clip(first[cut], 0.0, 1.0), np.clip(last[cut], 0.0, 1.0)
        )
    return points
