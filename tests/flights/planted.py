"""Random flights without violations, and the same with one violation planted.

    python tests/flights/planted.py 1000

writes that many of both as files, certifies them, and prints those that were judged wrongly. What
is true of a flight is computed here by scipy's polynomials at many times, not by bounds.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.interpolate import BPoly

from murmurate.flights.certificate import certify
from murmurate.flights.formats import read, write
from murmurate.flights.limits import Limits
from murmurate.flights.trajectory import Drone, Flight

Array = np.ndarray
LIMITS = Limits(max_jerk=60.0, max_yaw_rate=90.0)
SAMPLES = 200  # of each piece
CURVED = {".skyc": "", ".zip": "crazyswarm"}
"""Formats of curves -> the layout."""
KINDS = (
    "distance between drones", "horizontal speed", "vertical speed", "acceleration", "jerk along x",
    "altitude", "lowest altitude", "yaw rate",
)  # fmt: skip


U = np.linspace(0, 1, SAMPLES)
BASIS = [BPoly(np.eye(8)[:, None, :], [0, 1])(U, nu=order) for order in range(4)]
"""Each of the eight polynomials of degree 7, and its derivatives, at U."""
BOUND = {
    "horizontal speed": 8.0, "vertical speed": 3.0, "acceleration": 4.0, "jerk along x": 60.0,
    "altitude": 150.0, "yaw rate": 90.0,
}  # fmt: skip


def sampled(flight: Flight, order: int) -> Array:
    """A derivative of x, y, z and yaw of all drones, (drones, times, 4)."""
    points = np.stack([drone.points for drone in flight.drones])
    span = flight.drones[0].times[1] - flight.drones[0].times[0]
    values = np.einsum("uk,dpkc->dpuc", BASIS[order], points) / span**order
    return np.asarray(values.reshape(len(points), -1, 4))


def values_of(flight: Flight, kind: str) -> Array:
    """The extreme of each drone by samples; for distances that of each pair."""
    if kind == "distance between drones":
        first, second = np.triu_indices(len(flight.drones), 1)
        positions = sampled(flight, 0)[:, :, :3]
        return np.asarray(np.linalg.norm(positions[first] - positions[second], axis=2).min(axis=1))
    if "altitude" in kind:
        heights = sampled(flight, 0)[:, :, 2]
        return np.asarray(heights.min(axis=1) if kind == "lowest altitude" else heights.max(axis=1))
    order, axes = {
        "horizontal speed": (1, [0, 1]), "vertical speed": (1, [2]), "acceleration": (2, [0, 1, 2]),
        "jerk along x": (3, [0]), "yaw rate": (1, [3]),
    }[kind]  # fmt: skip
    return np.asarray(np.linalg.norm(sampled(flight, order)[:, :, axes], axis=2).max(axis=1))


def excess_of(flight: Flight, kind: str) -> float:
    """The largest value over its limit, less 1; a distance counts the other way."""
    values = values_of(flight, kind)
    if kind == "distance between drones":
        return float(3.0 / values.min() - 1)
    return float(-values.min() if kind == "lowest altitude" else values.max() / BOUND[kind] - 1)


def clean(rng: np.random.Generator) -> Flight:
    """A random flight at rest at both ends whose extremes are at 60 to 99 % of a limit, or less.

    Pieces are uniform in time, of degree 7, with three continuous derivatives.
    """
    count, pieces = int(rng.integers(2, 7)), int(rng.integers(4, 9))
    steps = rng.normal(0, 1, (count, pieces + 1, 4)).cumsum(axis=1)
    steps[:, :, 2] *= 0.3
    steps[:, :, 3] *= 20
    lattice = np.stack([np.arange(count) % 3, np.arange(count) // 3, np.zeros(count)], axis=1)
    steps[:, :, :3] += 12.0 * lattice[:, None, :]
    steps[:, :, 2] += 20.0 - steps[:, :, 2].min()
    span = float(rng.uniform(0.8, 4.0))
    flight = Flight(tuple(smooth(f"drone_{k:04d}", steps[k], span) for k in range(count)))
    for _ in range(60):
        excess = max(excess_of(flight, kind) for kind in KINDS[1:])
        if excess_of(flight, KINDS[0]) > -0.01:
            return clean(rng)
        if excess < -0.01:
            return flight
        flight = flight.stretched(1.1)
    raise AssertionError("no time is long enough")


def smooth(name: str, stops: Array, span: float) -> Drone:
    """A path through stops, at rest at each, from polynomials of degree 7."""
    points = np.stack([stops[:-1]] * 4 + [stops[1:]] * 4, axis=1)
    times = span * np.arange(len(stops))
    return Drone(name, times, points, np.zeros(len(points), bool))


def planted(flight: Flight, kind: str, rng: np.random.Generator) -> tuple[Flight, tuple[int, ...]]:
    """The flight with a violation of a kind within one piece of one drone, and the drones in it.

    The middle control points of the piece are moved, so that the path and its first two derivatives
    stay as they are at the ends of the piece.
    """
    count = len(flight.drones)
    who = int(rng.integers(count))
    drone = flight.drones[who]
    piece = int(rng.integers(len(drone.points)))
    other = int(rng.choice([k for k in range(count) if k != who]))
    way = np.zeros(4)
    if kind == "distance between drones":
        middle = 0.5 * (drone.times[piece] + drone.times[piece + 1])
        gap = (flight.drones[other].at(np.array([middle])) - drone.at(np.array([middle])))[0]
        way[:3] = gap[:3]
    else:
        axis = {"vertical speed": 2, "altitude": 2, "lowest altitude": 2, "yaw rate": 3}
        angle = rng.uniform(0, 2 * np.pi)
        way[:2] = np.cos(angle), np.sin(angle)
        if kind in axis:
            way[:] = 0.0
            way[axis[kind]] = -1.0 if kind == "lowest altitude" else 1.0
        elif kind == "jerk along x":
            way[:2] = 1.0, 0.0

    def moved(size: float) -> Flight:
        points = drone.points.copy()
        points[piece, 3:5] += size * way
        changed = replace(drone, points=points)
        return Flight(tuple(changed if k == who else d for k, d in enumerate(flight.drones)))

    def excess(size: float) -> float:
        return excess_of(moved(size), kind)

    low, high = 0.0, 1.0
    while excess(high) < 0.0 and high < 1e6:
        low, high = high, high * 1.5
        if kind == "distance between drones" and high > 4:
            break
    depth = float(rng.uniform(0.002, 0.2))
    for _ in range(12):  # not deeper than that
        size = 0.5 * (low + high)
        low, high = (low, size) if excess(size) > depth else (size, high)
    if excess(high) < 0.001:
        return planted(flight, kind, rng)
    bad = moved(high)
    if kind != "distance between drones":
        return bad, (who,)
    pairs = np.transpose(np.triu_indices(count, 1))
    return bad, tuple(pairs[values_of(bad, kind).argmin()].tolist())


def written(flight: Flight, folder: Path, suffix: str) -> Flight:
    """The flight as read from its file."""
    path = folder / f"show{suffix}"
    write(path, flight, suffix=suffix, layout=CURVED[suffix])
    return read(path)


def judge(seed: int, folder: Path) -> list[str]:
    """Plant a violation in a random flight. What is said wrongly about both, if anything."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    suffix = ".zip" if kind == "yaw rate" else [*CURVED][seed // len(KINDS) % 2]
    flight = clean(rng)
    wrong = [
        f"{seed} clean: {v}" for v in certify(written(flight, folder, suffix), LIMITS).violations
    ]
    bad, who = planted(flight, kind, rng)
    names = {bad.drones[k].name for k in who}
    certificate = certify(written(bad, folder, suffix), LIMITS)
    matches = [v for v in certificate.violations if v.quantity == kind and set(v.drones) == names]
    if not matches:
        return [*wrong, f"{seed}: not found: {kind} of {names}, excess {excess_of(bad, kind):.4f}"]
    if kind == "distance between drones":
        pair = bad.drones[who[0]], bad.drones[who[1]]
        at = np.array([matches[0].time])
        own = float(np.linalg.norm((pair[0].at(at) - pair[1].at(at))[0, :3]))
        if abs(own - matches[0].value) > 0.002:
            wrong.append(f"{seed}: {matches[0]}: they are {own:.4f} m apart then")
        if matches[0].value > values_of(bad, kind).min() + 0.001:
            wrong.append(f"{seed}: {matches[0]}: not the smallest distance")
    return wrong


def search(count: int, first: int = 0) -> list[str]:
    """What is said wrongly about `count` flights with a violation, and as many without."""
    with TemporaryDirectory() as folder:
        return [line for k in range(first, first + count) for line in judge(k, Path(folder))]


if __name__ == "__main__":
    errors = search(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print("\n".join(errors))
    print(f"{len(errors)} wrong")
