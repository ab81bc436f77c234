"""Skybrush compiled shows (.skyc): a zip of show.json, and a path and a light for each drone.

A path is a list of [time, end point, control points] in metres and seconds; pieces are Bezier
curves of degree 1, 3 or 7, and times rise. Follows the description of SkycTrajectory in
AIMotionLab-Virtual (the list of points) and of the crate `skybrush` on docs.rs (codes of light
programs). Coordinates are written to 0.01 mm. Lights have steps of 20 ms.
"""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from murmurate.disk import regular
from murmurate.errors import FlightError
from murmurate.flights.bernstein import Array, elevate
from murmurate.flights.trajectory import Drone, Flight

DIGITS = 5
LIGHT_RATE = 50  # units of a light program in a second
DEGREES = (1, 3, 7)
SET, FADE = 0x04, 0x08  # followed by red, green, blue
COLOUR, GREY, BLACK = range(3)  # last two bits of codes of colours; 3 is white


def write(path: Path, flight: Flight, title: str = "") -> None:
    """Write the show. Pieces whose degree is not 1, 3 or 7 are elevated."""
    drones = []
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for drone in flight.drones:
            folder = f"drones/{drone.name}"
            _put(file, f"{folder}/trajectory.json", _trajectory(drone))
            code = base64.b64encode(_light_program(drone)).decode()
            _put(file, f"{folder}/lights.json", {"version": 1, "data": code})
            home, land = (np.round(drone.points[k, e, :3], DIGITS).tolist()
                          for k, e in ((0, 0), (-1, -1)))  # fmt: skip
            settings = {
                "name": drone.name,
                "home": home,
                "landAt": land,
                "trajectory": {"$ref": f"./{folder}/trajectory.json#"},
                "lights": {"$ref": f"./{folder}/lights.json#"},
            }
            drones.append({"type": "generic", "settings": settings})
        _put(file, "cues.json", {"version": 1, "items": []})
        show = {
            "version": 1,
            "meta": {"title": title},
            "environment": {"type": "outdoor"},
            "settings": {"cues": {"$ref": "./cues.json#"}},
            "swarm": {"drones": drones},
        }
        _put(file, "show.json", show)


def _put(file: ZipFile, name: str, value: Any) -> None:
    file.writestr(name, json.dumps(value, separators=(",", ":")))


def _trajectory(drone: Drone) -> dict[str, Any]:
    degree = next((d for d in DEGREES if d >= drone.points.shape[1] - 1), 7)
    control = np.round(elevate(drone.points, degree)[:, :, :3], DIGITS) + 0.0
    times = np.round(drone.times, 6).tolist()
    points: list[Any] = [[times[0], control[0, 0].tolist(), []]]
    for time, piece, straight in zip(times[1:], control, drone.straight, strict=True):
        points.append([time, piece[-1].tolist(), [] if straight else piece[1:-1].tolist()])
    return {"version": 1, "points": points, "takeoffTime": times[0], "landingTime": times[-1]}


def _light_program(drone: Drone) -> bytes:
    """Return the commands: set the first color, fade to each of the next, end."""
    if not len(drone.light_times):
        return bytes(1)
    ticks = np.unique(np.rint(drone.light_times * LIGHT_RATE)).astype(int)
    colours = np.rint(drone.light_at(ticks / LIGHT_RATE)).astype(int)
    keep = np.ones(len(ticks), bool)  # a constant colour needs its first and last time only
    same = (colours[1:] == colours[:-1]).all(axis=1)
    keep[1:-1] = ~(same[1:] & same[:-1])
    ticks, colours = ticks[keep], colours[keep]
    out = bytes([SET, *colours[0], *_varint(max(0, ticks[0]))])
    for (before, after), colour in zip(pairwise(ticks), colours[1:], strict=True):
        out += bytes([FADE, *colour, *_varint(after - before)])
    return out + bytes(1)


def _varint(value: int) -> bytes:
    """Return a whole number, seven bits in each byte, the lowest first."""
    out = bytearray()
    value = int(value)
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


# --- reading


def read(path: Path) -> Flight:
    """Read the show. Raises FlightError, KeyError and other errors of a damaged file."""
    with ZipFile(regular(path)) as file:

        def load(value: Any) -> Any:
            if isinstance(value, dict) and "$ref" in value:
                name = value["$ref"].partition("#")[0].removeprefix("./")
                return json.loads(file.read(name))
            return value

        show = load({"$ref": "show.json"})
        drones = []
        for number, entry in enumerate(show["swarm"]["drones"], 1):
            settings = load(entry)["settings"]
            name = settings.get("name") or f"drone_{number:04d}"
            lights = load(settings.get("lights")) or {"data": ""}
            yaw = load(settings.get("yawControl"))
            trajectory = load(settings["trajectory"])
            if trajectory["version"] != 1 or (yaw and len(yaw.get("setpoints", ())) > 1):
                raise FlightError(
                    f"{path}: {name}: got a newer trajectory, or one with yaw control; expected "
                    "version 1 without it"
                )
            drones.append(_drone(name, trajectory["points"], base64.b64decode(lights["data"])))
    return Flight(tuple(drones))


def _drone(name: str, points: list[Any], program: bytes) -> Drone:
    if len(points) == 1:  # at rest
        points = [points[0], [points[0][0] + 1.0, points[0][1], []]]
    pieces = [[a[1], *(b[2] if len(b) > 2 else []), b[1]] for a, b in pairwise(points)]
    for piece in pieces:
        if len(piece) - 1 not in DEGREES:
            raise FlightError(
                f"{name}: got a curve of degree {len(piece) - 1}; expected degree 1, 3 or 7"
            )
    degree = max(map(len, pieces)) - 1
    control = np.concatenate([elevate(np.array([p], float)[:, :, :3], degree) for p in pieces])
    control = np.concatenate([control, np.zeros((*control.shape[:2], 1))], axis=2)
    straight = np.array([len(piece) == 2 for piece in pieces])
    times = np.array([point[0] for point in points], float)
    return Drone(name, times, control, straight, *_lights(program))


def _lights(program: bytes) -> tuple[Array, Array]:
    """Return the times and colours of a light program."""
    times: list[float] = []
    colours: list[tuple[int, ...]] = []
    clock = at = 0
    loops: list[list[int]] = []

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte, at = program[at], at + 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(program) and len(times) < 1_000_000:
        code, at = program[at], at + 1
        if code == 0:
            break
        if code in (2, 3):
            clock = max(clock, number() if code == 3 else clock + number())
            if colours:
                times.append(clock / LIGHT_RATE)
                colours.append(colours[-1])
        elif SET <= code < 0x0C:
            count = {COLOUR: 3, GREY: 1}.get(code & 3, 0)
            values = program[at : at + count] or bytes([0 if code & 3 == BLACK else 255])
            colour = tuple(values) * (3 // len(values))
            at += count
            begin, clock = clock, clock + number()
            times += [begin / LIGHT_RATE, clock / LIGHT_RATE]
            colours += [colour if code < FADE or not colours else colours[-1], colour]
        elif code == 0x0C:
            loops.append([at + 1, program[at] or 1])
            at += 1
        elif code == 0x0D and loops:
            loops[-1][1] -= 1
            if loops[-1][1] > 0:
                at = loops[-1][0]
            else:
                loops.pop()
        elif code != 1:
            raise FlightError(f"light program: got the code {code}; expected 0 to 13")
    return np.array(times), np.array(colours, float).reshape(-1, 3)
