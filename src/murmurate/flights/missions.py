"""MAVLink missions, one for each drone: QGC WPL 110 (.waypoints) and QGroundControl's .plan.

Follow mavlink.io/en/file_formats and QGroundControl's description of plan files. A mission has no
clock. Here each leg begins with the speed (DO_CHANGE_SPEED) at which it takes its time, a position
where a drone rests has a hold time, a path that begins upwards from the ground has a take-off, and
the last leg is a landing. An autopilot keeps to that only nearly: it rounds corners, and positions
to 1e-7 degrees (1.1 cm).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from murmurate.errors import FlightError
from murmurate.flights.bernstein import Array
from murmurate.flights.trajectory import Drone, Flight, path_through

WAYPOINT, LAND, TAKE_OFF, SPEED = 16, 21, 22, 178
GLOBAL, RELATIVE, MISSION = 0, 3, 2  # frames of coordinates
ABSOLUTE, ABOVE_HOME = (GLOBAL, 5), (RELATIVE, 6)  # of altitudes: the sea, and the drone's home
EQUATOR, FLATTENING = 6378137.0, 1 / 298.257223563  # of WGS 84
SHORT = 1e-4  # metres: a leg below it is a rest
HEADER = "QGC WPL 110"


class Origin(NamedTuple):
    """Where x = y = z = 0 is: degrees, and metres above the sea. x is east and y is north."""

    latitude: float
    longitude: float
    altitude: float = 0.0

    @property
    def metres(self) -> Array:
        """Return the metres in a degree of latitude and of longitude."""
        square = FLATTENING * (2 - FLATTENING)
        sine = math.sin(math.radians(self.latitude))
        across = EQUATOR / math.sqrt(1 - square * sine * sine)
        along = across * (1 - square) / (1 - square * sine * sine)
        return np.radians([along, across * math.cos(math.radians(self.latitude))])

    def to_degrees(self, positions: Array) -> Array:
        """Return latitude and longitude (P, 2) of positions."""
        return np.asarray(self[:2] + positions[:, [1, 0]] / self.metres)

    def to_metres(self, degrees: Array) -> Array:
        """Return x and y (P, 2) of latitudes and longitudes."""
        return np.asarray(((degrees - self[:2]) * self.metres)[:, ::-1])


class Item(NamedTuple):
    """An item of a mission."""

    frame: int
    command: int
    numbers: tuple[float, ...]


def _items(drone: Drone, origin: Origin) -> Iterator[Item]:
    ends = np.concatenate([drone.points[:, 0], drone.points[-1:, -1]])[:, :3]
    degrees = np.round(origin.to_degrees(ends), 9)
    ends = np.column_stack([origin.to_metres(degrees), np.round(ends[:, 2], 5)])  # as written
    lifts = abs(ends[0, 2]) < SHORT and float(np.linalg.norm(ends[1] - ends[0])) >= SHORT
    lifts = lifts and float(np.linalg.norm(ends[1, :2] - ends[0, :2])) < SHORT
    at, rest, begun, last = 0, 0.0, lifts, len(ends) - 1
    for k, span in enumerate(np.diff(drone.times).tolist(), 1):
        length = float(np.linalg.norm(ends[k] - ends[at]))
        if length < SHORT:
            rest += span
            if k < last:
                continue
        if rest or not begun:
            where = (round(rest, 6), 0, 0, 0, *degrees[at], float(ends[at, 2]))
            yield Item(RELATIVE, WAYPOINT, where)
            rest, begun = 0.0, True
        if length >= SHORT:
            yield Item(MISSION, SPEED, (1, float(f"{length / span:.10g}"), -1, 0, 0, 0, 0))
            at = k
        kind = LAND if k == last else TAKE_OFF if k == 1 and lifts else WAYPOINT
        yield Item(RELATIVE, kind, (0, 0, 0, 0, *degrees[at], float(ends[at, 2])))


def _drone(name: str, items: list[Item], origin: Origin, home: float) -> Drone:
    """Return the drone that keeps to a mission: straight legs at the speed set before each.

    home  altitude of its home above the sea, metres
    """
    speed, clock = 0.0, 0.0
    times: list[float] = []
    positions: list[Array] = []
    for frame, command, numbers in items:
        if command == SPEED:
            speed = numbers[1]
        elif command in (WAYPOINT, TAKE_OFF, LAND):
            if command != WAYPOINT and not any(numbers[4:6]):  # where it is
                flat = positions[-1][:2] if positions else np.zeros(2)
            else:
                flat = origin.to_metres(np.array([numbers[4:6]]))[0]
            if frame not in (*ABSOLUTE, *ABOVE_HOME):
                raise FlightError(f"{name}: got the frame {frame}; expected 0, 3, 5 or 6")
            ground = home - origin.altitude
            position = np.array([*flat, numbers[6]])
            position[2] += ground if frame in ABOVE_HOME else -origin.altitude
            if command == TAKE_OFF and not positions:
                times.append(clock)
                positions.append(np.array([*flat, ground]))
            if positions and (length := float(np.linalg.norm(position - positions[-1]))) > SHORT:
                if not speed:
                    raise FlightError(
                        f"{name}: got a leg before any speed; expected DO_CHANGE_SPEED (178) before"
                        " it. Without speeds a mission has no times"
                    )
                clock += length / speed
                times.append(clock)
                positions.append(position)
            elif not positions:
                times.append(clock)
                positions.append(position)
            if numbers[0]:  # a hold
                clock += numbers[0]
                times.append(clock)
                positions.append(position)
        else:
            raise FlightError(f"{name}: got the command {command}; expected 16, 21, 22 and 178")
    if len(times) == 1:
        times, positions = [0.0, 1.0], positions * 2
    nothing = np.zeros(0), np.zeros((0, 3))
    return path_through(name, np.array(times), np.array(positions), *nothing)


# --- QGC WPL 110


def write_waypoints(flight: Flight, origin: Origin) -> dict[str, str]:
    """Return a text file for each drone. Its item 0 is the origin."""
    out = {}
    for drone in flight.drones:
        home = Item(GLOBAL, WAYPOINT, (0, 0, 0, 0, *origin))
        lines = [HEADER]
        for k, item in enumerate([home, *_items(drone, origin)]):
            cells = [k, int(k == 0), item.frame, item.command, *item.numbers, 1]
            lines.append("\t".join(f"{cell:.12g}" for cell in cells))
        out[f"{drone.name}.waypoints"] = "\n".join(lines) + "\n"
    return out


def read_waypoints(texts: dict[str, str]) -> list[Drone]:
    """Return the drones of text files; x and y are metres from item 0 of the first."""
    origin = None
    drones = []
    for name, text in texts.items():
        if not text.startswith(HEADER):
            raise FlightError(f"{name}: got {text[:20]!r}; expected {HEADER} in the first line")
        lines = [line.split() for line in text.splitlines()[1:] if line.strip()]
        items = [
            Item(int(c[2]), int(c[3]), tuple(0.0 if x == "nan" else float(x) for x in c[4:11]))
            for c in lines
        ]
        home = Origin(*items[0].numbers[4:7])
        origin = origin or home
        drones.append(_drone(name, items[1:], origin, home.altitude))
    return drones


# --- plans of QGroundControl


def write_plans(flight: Flight, origin: Origin) -> dict[str, str]:
    """Return a plan for each drone; its home is the origin."""
    out = {}
    for drone in flight.drones:
        items = [
            {
                "type": "SimpleItem", "autoContinue": True, "doJumpId": k, "frame": item.frame,
                "command": item.command, "params": list(item.numbers),
            }
            for k, item in enumerate(_items(drone, origin), 1)
        ]  # fmt: skip
        mission = {
            "version": 2, "firmwareType": 12, "vehicleType": 2, "cruiseSpeed": 5, "hoverSpeed": 5,
            "globalPlanAltitudeMode": 1, "plannedHomePosition": list(origin), "items": items,
        }  # fmt: skip
        plan: dict[str, Any] = {
            "fileType": "Plan", "version": 1, "groundStation": "QGroundControl", "mission": mission,
            "geoFence": {"version": 2, "circles": [], "polygons": []},
            "rallyPoints": {"version": 2, "points": []},
        }  # fmt: skip
        out[f"{drone.name}.plan"] = json.dumps(plan, indent=1)
    return out


def read_plans(texts: dict[str, str]) -> list[Drone]:
    """Return the drones of plans; x and y are metres from the home of the first."""
    origin = None
    drones = []
    for name, text in texts.items():
        mission = json.loads(text)["mission"]
        home = Origin(*mission["plannedHomePosition"])
        origin = origin or home
        items = [
            Item(item["frame"], item["command"], tuple(x or 0.0 for x in item["params"]))
            for item in mission["items"]
        ]
        drones.append(_drone(name, items, origin, home.altitude))
    return drones
