"""VVIZ, a format for viewing shows: JSON with a position, changes of it, and colours of each drone.

Follows the descriptions by Finale 3D (finale3d.com/documentation/vviz-file-format) and Verge Aero
(docs.verge.aero). Its axes are right, up and forward: x, z and y here. Between samples drones move
on straight lines. A sample without `dt` comes 1 / defaultPositionRate after the one before, and a
colour `frames` / defaultColorRate; the first is at timeOffsetSecs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import read_text
from murmurate.errors import FlightError
from murmurate.flights.trajectory import Drone, Flight, path_through

DIGITS = 4
COLOUR_RATE = 50.0


def write(path: Path, flight: Flight, title: str = "", rate: float = 4.0) -> None:
    """Write a flight of straight lines, with samples at `rate` times a second."""
    performances = [_performance(k, drone, rate) for k, drone in enumerate(flight.drones)]
    begin = float(flight.drones[0].times[0])
    document = {
        "version": "1.0",
        "performanceName": title,
        "coordinateFrame": "ogl",
        "defaultPositionRate": rate,
        "defaultColorRate": COLOUR_RATE,
        "timeOffsetSecs": begin,
        "performances": performances,
    }
    path.write_text(json.dumps(document, separators=(",", ":")), encoding="utf-8")


def _performance(number: int, drone: Drone, rate: float) -> dict[str, Any]:
    ends = np.concatenate([drone.points[:, 0], drone.points[-1:, -1]])
    corners = np.round(ends[:, [0, 2, 1]], DIGITS)
    changes = np.round(np.diff(corners, axis=0, prepend=corners[:1]), DIGITS) + 0.0
    spans = np.diff(drone.times, prepend=drone.times[0])
    samples: list[dict[str, float]] = []
    for (dx, dy, dz), dt in zip(changes.tolist(), spans.tolist(), strict=True):
        usual = not samples or abs(dt - 1 / rate) < 1e-9
        samples.append({"dx": dx, "dy": dy, "dz": dz} | ({} if usual else {"dt": round(dt, 6)}))
    out: dict[str, Any] = {
        "id": number,
        "agentDescription": {
            **dict(zip(("homeX", "homeY", "homeZ"), corners[0].tolist(), strict=True)),
            "agentTraversal": samples,
        },
        "payloadDescription": [],
    }
    ticks = np.unique(np.rint((drone.light_times - drone.times[0]) * COLOUR_RATE))
    colours = np.rint(drone.light_at(drone.times[0] + ticks / COLOUR_RATE)).astype(int).tolist()
    if colours:
        frames = np.diff(ticks, prepend=0).astype(int).tolist()
        actions = [
            {"r": r, "g": g, "b": b, "frames": f}
            for (r, g, b), f in zip(colours, frames, strict=True)
        ]
        out["payloadDescription"] = [{"id": 0, "type": "Light", "payloadActions": actions}]
    return out


def read(path: Path) -> Flight:
    """Read a show. Raises KeyError and other errors of a damaged file."""
    document = json.loads(read_text(path))
    if (axes := document.get("coordinateFrame", "ogl")) != "ogl":
        raise FlightError(f"coordinateFrame: got {axes!r}; expected ogl")
    begin = document.get("timeOffsetSecs", 0.0)
    step, frame = 1 / document["defaultPositionRate"], 1 / document.get("defaultColorRate", 1.0)
    drones = []
    for entry in document["performances"]:
        agent = entry["agentDescription"]
        samples = agent["agentTraversal"]
        home = [agent[f"home{axis}"] for axis in "XYZ"] + [agent.get("homeH", 0.0)]
        changes = [[s[f"d{axis}"] for axis in "xyz"] + [s.get("dh", 0.0)] for s in samples]
        positions = home + np.cumsum(np.array(changes, float).reshape(-1, 4), axis=0)
        spans = [0.0 if k == 0 else s.get("dt", step) for k, s in enumerate(samples)]
        lights = [load for load in entry.get("payloadDescription", ()) if load["type"] == "Light"]
        actions = lights[0]["payloadActions"] if lights else []
        waits = [a.get("frames", min(k, 1)) * frame for k, a in enumerate(actions)]
        drones.append(
            path_through(
                f"drone_{entry['id'] + 1:04d}",
                begin + np.cumsum(spans),
                positions[:, [0, 2, 1, 3]],
                begin + np.cumsum(waits),
                np.array([[a[c] for c in "rgb"] for a in actions], float).reshape(-1, 3),
            )
        )
    return Flight(tuple(drones))
