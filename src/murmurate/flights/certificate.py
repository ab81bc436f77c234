"""The certificate of a flight: bounds in continuous time, and who comes near them, when and where.

Speeds, accelerations and jerks are bounds of derivatives of the pieces. On straight lines an
acceleration has no meaning in continuous time. There, and where velocities differ between pieces,
it is a difference: the change of velocity between two nodes over the time between them, or over
BLEND, if that is longer. A straight line has a node in its middle, another piece at both ends. The
same holds for jerks, between pieces that are not straight.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from murmurate.flights.bernstein import Array, Curves, derivative, smallest, squared_norm
from murmurate.flights.distances import smallest_distances
from murmurate.flights.limits import Certificate, Finding, Limits, beyond
from murmurate.flights.obstacles import Obstacles
from murmurate.flights.trajectory import Drone, Flight

BLEND = 0.1  # seconds
PART = 1e-7  # relative error of extreme values
Extremes = tuple[Array, Array]
"""The extreme value of each drone, and its time."""


def certify(
    flight: Flight, limits: Limits | None = None, obstacles: Obstacles | None = None
) -> Certificate:
    """Return the certificate of a flight.

    Parameters
    ----------
    flight : Flight
        As read from its file.
    limits : Limits, optional
        Those of Skybrush by default.
    obstacles : Obstacles, optional
        From which distances are computed.
    """
    limits = limits or Limits()
    findings, violations = [], []
    for quantity, unit, limit, at_least, (values, times) in _quantities(flight, limits, obstacles):
        largest = int(values.argmin() if at_least else values.argmax())
        for k in {largest, *np.flatnonzero(beyond(values, limit, at_least)).tolist()}:
            item = _finding(flight, quantity, unit, values[k], limit, at_least, (k,), times[k])
            findings += [item] if k == largest else []
            violations += [item] if item.violated else []
    speed = math.hypot(*(f.value for f in findings if f.quantity in SPEEDS))
    pairs, reach = smallest_distances(flight, limits.min_distance or 0.0, speed)
    name, limit = "distance between drones", limits.min_distance
    apart = [
        _finding(flight, name, "m", distance, limit, True, pair, time)
        for pair, (distance, time) in pairs.items()
    ]
    if apart:
        findings.insert(0, min(apart, key=lambda item: item.value))
    elif len(flight.drones) > 1:
        findings.insert(0, Finding(name, "m", reach, limit, True, (), math.nan, ()))
    violations += [item for item in apart if item.violated]
    return Certificate(
        len(flight.drones),
        flight.end - flight.begin,
        tuple(findings),
        tuple(sorted(violations, key=lambda item: item.time)),
    )


SPEEDS = ("horizontal speed", "vertical speed")
Quantity = tuple[str, str, float | None, bool, Extremes]


def _quantities(flight: Flight, limits: Limits, obstacles: Obstacles | None) -> Iterator[Quantity]:
    """Yield quantities of single drones: name, unit, limit, whether it is a lower one, values."""
    pieces, count = flight.pieces, len(flight.drones)
    velocity = derivative(pieces.points, pieces.duration)
    second = derivative(velocity, pieces.duration)
    third = derivative(second, pieces.duration)

    def lowest(points: Array, limit: float | None) -> Extremes:
        scale = float(np.abs(points).max()) if limit is None else max(abs(limit), 1.0)
        curves = Curves(points, pieces.owners, pieces.begin, pieces.duration)
        ceiling = -np.inf if limit is None else limit
        return smallest(curves, count, PART * max(scale, 1e-6), ceiling)

    def highest(vectors: Array, limit: float | None = None) -> Extremes:
        square = None if limit is None else -limit * limit
        value, time = lowest(-squared_norm(vectors), square)
        return np.sqrt(np.maximum(-value, 0.0)), time

    def either(first: Extremes, second: Extremes) -> Extremes:
        later = np.nan_to_num(second[0], nan=-1.0) > first[0]
        return np.where(later, second[0], first[0]), np.where(later, second[1], first[1])

    fast, climb, push, jerk = (
        limits.max_speed, limits.max_vertical_speed, limits.max_acceleration, limits.max_jerk,
    )  # fmt: skip
    yield "horizontal speed", "m/s", fast, False, highest(velocity[:, :, :2], fast)
    yield "vertical speed", "m/s", climb, False, highest(velocity[:, :, 2:3], climb)
    steps = [_steps(drone, 1) for drone in flight.drones]
    total = either(highest(second[:, :, :3], push), _largest(steps, slice(3)))
    yield "acceleration", "m/s2", push, False, total
    curved = any(not drone.straight.all() for drone in flight.drones)
    jerks = [_steps(drone, 2) for drone in flight.drones] if curved else []
    for axis, letter in enumerate("xyz"):
        part = slice(axis, axis + 1)
        yield f"speed along {letter}", "m/s", None, False, highest(velocity[:, :, part])
        along = either(highest(second[:, :, part]), _largest(steps, part))
        yield f"acceleration along {letter}", "m/s2", None, False, along
        if curved:
            along = either(highest(third[:, :, part], jerk), _largest(jerks, part))
            yield f"jerk along {letter}", "m/s3", jerk, False, along
    height, top, turn = pieces.points[:, :, 2], limits.max_altitude, limits.max_yaw_rate
    value, time = lowest(-height, None if top is None else -top)
    yield "altitude", "m", top, False, (-value, time)
    yield "lowest altitude", "m", limits.min_altitude, True, lowest(height, limits.min_altitude)
    if velocity[:, :, 3].any() or turn is not None:
        yield "yaw rate", "deg/s", turn, False, highest(velocity[:, :, 3:], turn)
    if obstacles is not None:
        near = smallest(
            Curves(pieces.points[:, :, :3], pieces.owners, pieces.begin, pieces.duration),
            count, 1e-6, limits.obstacle_distance or 0.0, bounds=obstacles.bounds,
        )  # fmt: skip
        yield "distance to obstacles", "m", limits.obstacle_distance, True, near


def _steps(drone: Drone, order: int) -> tuple[Array, Array]:
    """Return the differences of the derivatives of an order (R, 4) over time, and their times."""
    spans = np.diff(drone.times)
    values = drone.points
    for _ in range(order):
        values = derivative(values, spans)
    straight = drone.straight if order == 1 else np.zeros(len(spans), bool)
    used = np.ones(len(spans), bool) if order == 1 else ~drone.straight
    ends = np.stack([values[:, 0], values[:, -1]], axis=1)
    times = np.stack([drone.times[:-1], drone.times[1:]], axis=1)
    times[straight] = times[straight].mean(axis=1, keepdims=True)
    keep = np.stack([used, used & ~straight], axis=1)
    nodes, at = ends[keep], times[keep]
    if order == 1:  # at rest before and after
        rest = np.zeros((1, 4))
        nodes = np.concatenate([rest, nodes, rest])
        at = np.concatenate([drone.times[:1], at, drone.times[-1:]])
    out, when = [np.zeros((1, 4))], [drone.times[:1]]
    for gap in range(1, len(at)):
        between = at[gap:] - at[:-gap]
        change = np.abs(nodes[gap:] - nodes[:-gap]) / np.maximum(between, BLEND)[:, None]
        out.append(change)
        when.append((at[gap:] + at[:-gap]) / 2)
        if between.min() >= BLEND:
            break
    return np.concatenate(out), np.concatenate(when)


def _largest(steps: list[tuple[Array, Array]], axes: slice) -> Extremes:
    """Return the largest difference of each drone along some axes, and its time."""
    lengths = [np.linalg.norm(changes[:, axes], axis=1) for changes, _ in steps]
    rows = [int(length.argmax()) for length in lengths]
    values = [length[row] for length, row in zip(lengths, rows, strict=True)]
    return np.array(values), np.array([when[r] for (_, when), r in zip(steps, rows, strict=True)])


def _finding(
    flight: Flight, quantity: str, unit: str, value: float, limit: float | None, at_least: bool,
    drones: tuple[int, ...], time: float,
) -> Finding:  # fmt: skip
    chosen = [flight.drones[k] for k in drones]
    position = np.mean([drone.at(np.array([time]))[0, :3] for drone in chosen], axis=0)
    names = tuple(drone.name for drone in chosen)
    where = tuple(float(x) for x in position)
    return Finding(quantity, unit, float(value), limit, at_least, names, float(time), where)
