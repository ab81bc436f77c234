"""Wires on which boids perch: places, points, and the wires of a model."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from murmurate.model.model import Model
from murmurate.model.rule_arguments import Vector3

WIRE_MARGIN = 0.04  # from an end to the first place, relative to the length
PLACES, STRIDE = 17711, 10946  # Fibonacci numbers, whose ratio is nearly the golden one


def wire_place(
    index: int, dims: int, start: Vector3, end: Vector3, sag: float
) -> tuple[float, float, float]:
    """Return the place of a boid on a wire; those of PLACES boids in succession differ."""
    number = (index % PLACES) * STRIDE % PLACES
    part = WIRE_MARGIN + (1.0 - 2.0 * WIRE_MARGIN) * (number + 0.5) / PLACES
    return wire_point(part, dims, start, end, sag)


def wire_point(
    part: float, dims: int, start: Vector3, end: Vector3, sag: float
) -> tuple[float, float, float]:
    """Return the point of a wire at a part of its length, 0 to 1: a parabola below the line."""
    ax, ay, az = start
    bx, by, bz = end
    down = 4.0 * sag * part * (1.0 - part)
    x, y, z = ax + (bx - ax) * part, ay + (by - ay) * part, az + (bz - az) * part
    if dims == 3:
        return x, y, z - down
    return x, y - down, z


def across_wire(
    u: float, v: float, w: float, start: Vector3, end: Vector3, dims: int
) -> tuple[float, float, float]:
    """Return a velocity turned to the horizontal direction across a wire, on the nearer side."""
    x, y, _ = start
    far_x, far_y, _ = end
    x, y = y - far_y, far_x - x
    length = math.sqrt(x * x + y * y)
    if dims == 2 or length == 0.0:
        return u, v, w
    k = math.sqrt(u * u + v * v + w * w) / length
    if u * x + v * y < 0.0:
        k = -k
    return k * x, k * y, 0.0


class Wire(NamedTuple):
    """The wire of a rule. Points have three coordinates; in 2-D the third is 0."""

    rule: str
    start: Vector3
    end: Vector3
    sag: float


def wires(model: Model) -> Iterator[Wire]:
    """Yield the wires of a model, in the order of its rules."""
    for name, rule in model.rules.items():
        if rule.kind == "perch":
            part: Any = rule
            (a, b, c), (x, y, z) = ((*point, 0.0)[:3] for point in (part.start, part.end))
            yield Wire(name, (a, b, c), (x, y, z), float(part.sag))
