"""Responses to neighbours and walls that were learned from tracks, as tables of numbers."""

from __future__ import annotations

import math
from typing import ClassVar

from pydantic import Field, model_validator

from murmurate.model.number_table import Table, table_numbers
from murmurate.model.quantity import FlockNames, Scalar, quantity
from murmurate.model.rule import NeighbourRule
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3
from murmurate.rules.turning import toward

TERMS = 14
"""Numbers for each distance, in this order: turning towards a neighbour, times powers 0 to 3 of the
cosine of its bearing; turning to its heading, times powers 0 to 2 of the cosine of the difference
of headings, and times the cosine of the bearing; speeding, times powers 0 to 3 of the cosine of the
bearing; speeding to its speed, times powers 0 and 1."""


class Learned(NeighbourRule):
    """Responds to neighbours as animals did whose tracks it was learned from.

    `murmurate learn` and `LearnedInteractions.model` write it. Between the distances of the table
    the response is linear.
    """

    radius: Scalar = quantity(gt=0, unit="length")
    """Distance of the last row of the table; the first row is at distance 0."""
    mean: bool = False
    """Whether responses to neighbours are averaged; else they are summed."""
    table: Table = Field(repr=False)
    """Accelerations, 14 for each distance."""
    speed: Scalar = quantity(gt=0, unit="length / time")
    """The mean speed of the animals, the unit of the table's speeds."""
    drive: Table = Field((0.0, 0.0), repr=False)
    """Accelerations along the heading by the boid's speed, at equal intervals."""
    lowest_speed: Scalar = quantity(0.0, ge=0, unit="length / time")
    """The speed of the first of these numbers; below it the response is the same."""
    highest_speed: Scalar = quantity(1.0, gt=0, unit="length / time")
    """The speed of the last; above it the response is the same."""

    headings: bool = False
    """Whether the neighbours' headings count whatever their speed; else their velocities."""

    formula: ClassVar = (
        "{weight} * learned response to neighbours within {radius}, and to the boid's speed"
    )

    @model_validator(mode="after")
    def _check_table(self) -> Learned:
        rows = len(table_numbers(self.table))
        if rows % TERMS or rows < 2 * TERMS:
            raise ValueError(
                f"table: got {rows:,} numbers; expected {TERMS} for each of two or more distances"
            )
        if len(table_numbers(self.drive)) < 2:
            raise ValueError("drive: got 1 number; expected two or more")
        return self

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float]:
        if me.speed == 0.0:
            return 0.0, 0.0, 0.0, 0.0
        ex, ey, ez = me.u / me.speed, me.v / me.speed, me.w / me.speed
        nx, ny, nz = other.dx / other.distance, other.dy / other.distance, other.dz / other.distance
        pace = self.speed
        if self.headings:
            pace = math.sqrt(max(other.u * other.u + other.v * other.v + other.w * other.w, 1e-30))
        vx, vy, vz = other.u / pace, other.v / pace, other.w / pace
        front = nx * ex + ny * ey + nz * ez
        along = vx * ex + vy * ey + vz * ez
        size = math.sqrt(vx * vx + vy * vy + vz * vz)
        cosine = along / size if size > 0.0 else 0.0
        rows = len(self.table) // 14
        at = other.distance / self.radius * (rows - 1)
        row = min(int(at), rows - 2)
        part = at - row
        terms = [0.0] * 14
        for k in range(14):
            terms[k] = (1.0 - part) * self.table[14 * row + k] + part * self.table[
                14 * row + 14 + k
            ]
        pull = terms[0] + front * (terms[1] + front * (terms[2] + front * terms[3]))
        turn = terms[4] + cosine * (terms[5] + cosine * terms[6]) + front * terms[7]
        forward = terms[8] + front * (terms[9] + front * (terms[10] + front * terms[11]))
        forward += (terms[12] + front * terms[13]) * (along - me.speed / self.speed)
        forward -= pull * front + turn * along  # the rest of both is across the heading
        return (
            1.0,
            pull * nx + turn * vx + forward * ex,
            pull * ny + turn * vy + forward * ey,
            pull * nz + turn * vz + forward * ez,
        )

    def finish(self: Parameters, sums: tuple[float, float, float, float], me: Me) -> Vector3:
        n, x, y, z = sums
        if self.mean and n > 0.0:
            x, y, z = x / n, y / n, z / n
        if me.speed == 0.0:
            return x, y, z
        rows = len(self.drive)
        at = (me.speed - self.lowest_speed) / (self.highest_speed - self.lowest_speed) * (rows - 1)
        at = min(max(at, 0.0), rows - 1.0)
        row = min(int(at), rows - 2)
        part = at - row
        alone = ((1.0 - part) * self.drive[row] + part * self.drive[row + 1]) / me.speed
        return x + alone * me.u, y + alone * me.v, z + alone * me.w


class LearnedWalls(NeighbourRule):
    """Responds to walls as animals did whose tracks it was learned from.

    Written by `murmurate learn --walls`. Between the distances of the table the response is linear.
    """

    senses: FlockNames = "obstacles"
    """'obstacles' for all of them, or obstacles by name."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Distance of the last row of the table; the first row is at distance 0."""
    table: Table = Field(repr=False)
    """Two accelerations for each distance: of turning to the wall, of speeding towards it."""

    formula: ClassVar = "{weight} * learned response to walls within {radius}"

    @model_validator(mode="after")
    def _check_table(self) -> LearnedWalls:
        rows = len(table_numbers(self.table))
        if rows % 2 or rows < 4:
            raise ValueError(
                f"table: got {rows:,} numbers; expected two for each of two or more distances"
            )
        return self

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        if me.speed == 0.0:
            return 0.0, 0.0, 0.0
        ex, ey, ez = me.u / me.speed, me.v / me.speed, me.w / me.speed
        nx, ny, nz = toward(other)
        front = nx * ex + ny * ey + nz * ez
        rows = len(self.table) // 2
        at = other.distance / self.radius * (rows - 1)
        row = min(int(at), rows - 2)
        part = at - row
        turn = (1.0 - part) * self.table[2 * row] + part * self.table[2 * row + 2]
        along = (1.0 - part) * self.table[2 * row + 1] + part * self.table[2 * row + 3]
        forward = (along - turn) * front
        return turn * nx + forward * ex, turn * ny + forward * ey, turn * nz + forward * ez

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums
