"""Zones: circles and polygons on the ground, given as text, numbers, or a file of corners.

A zone lies in x and y. In 3-D it is a column: z is not looked at.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import regular
from murmurate.measures.limits import MeasureError, is_number, shown
from murmurate.model.space import Space
from murmurate.neighbours.periodic import periods, wrapped

KINDS = {"circle": "circle X Y RADIUS", "box": "box X1 Y1 X2 Y2",
         "polygon": "polygon X1 Y1 X2 Y2 X3 Y3 ..."}  # fmt: skip
EXPECTED = (
    "'circle X Y RADIUS', 'box X1 Y1 X2 Y2', 'polygon X1 Y1 X2 Y2 X3 Y3 ...', an array of corners "
    "(V, 2), or the name of a file with a corner in each line"
)
FILES = (".csv", ".txt", ".tsv", ".dat")
MOST = 1_000  # corners of a polygon
LONGEST = 200_000  # bytes of a file of corners
CELLS = 2_000_000  # of a table of segments and pairs of edges, that is worked through at once


@dataclass(frozen=True)
class Circle:
    """A disc of `radius` about `centre`, length units."""

    centre: tuple[float, float]
    radius: float

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """(2,) lower and (2,) upper corner of the box around it."""
        middle = np.array(self.centre)
        return middle - self.radius, middle + self.radius

    def moved(self, shift: np.ndarray) -> Circle:
        return Circle((self.centre[0] + shift[0], self.centre[1] + shift[1]), self.radius)

    def inside(self, start: np.ndarray, step: np.ndarray) -> np.ndarray:
        """(n,) the share, 0 to 1, of straight segments that lies in it. (n, 2) start, (n, 2)
        step."""
        away = start - self.centre
        a = np.einsum("ij,ij->i", step, step)
        b = np.einsum("ij,ij->i", away, step)
        c = np.einsum("ij,ij->i", away, away) - self.radius**2
        root = np.sqrt(np.maximum(b * b - a * c, 0.0))
        moving = a > 0
        a = np.where(moving, a, 1.0)
        enters, leaves = np.clip((-b - root) / a, 0, 1), np.clip((-b + root) / a, 0, 1)
        return np.where(moving, leaves - enters, c <= 0)

    def distances(self, points: np.ndarray) -> np.ndarray:
        """(n,) distances of (n, 2) points to its outline."""
        found: np.ndarray = np.abs(np.hypot(*(points - self.centre).T) - self.radius)
        return found


@dataclass(frozen=True, eq=False)
class Polygon:
    """(V, 2) corners, in order; the last is joined to the first. Where its outline crosses itself,
    inside is where a ray outwards crosses it an odd number of times."""

    corners: np.ndarray

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """(2,) lower and (2,) upper corner of the box around it."""
        return self.corners.min(axis=0), self.corners.max(axis=0)

    def moved(self, shift: np.ndarray) -> Polygon:
        return Polygon(self.corners + shift)

    def inside(self, start: np.ndarray, step: np.ndarray) -> np.ndarray:
        """(n,) the share, 0 to 1, of straight segments that lies in it. (n, 2) start, (n, 2)
        step."""
        found = np.zeros(len(start))
        low, high = self.bounds
        end = start + step
        near = (np.minimum(start, end) <= high).all(axis=1)
        near &= (np.maximum(start, end) >= low).all(axis=1)
        rows = np.flatnonzero(near)
        part = max(1, CELLS // len(self.corners) ** 2)
        for first in range(0, len(rows), part):
            some = rows[first : first + part]
            found[some] = self._inside(start[some], step[some])
        return found

    def _inside(self, start: np.ndarray, step: np.ndarray) -> np.ndarray:
        edges = np.roll(self.corners, -1, axis=0) - self.corners
        away = self.corners[None] - start[:, None]
        turn = _cross(step[:, None], edges[None])
        with np.errstate(divide="ignore", invalid="ignore"):
            along = _cross(away, edges[None]) / turn  # of the segment
            across = _cross(away, step[:, None]) / turn  # of the edge
        crossed = (across >= 0) & (across <= 1) & (along > 0) & (along < 1)
        cuts = np.sort(np.where(crossed, along, 1.0), axis=1)
        cuts = np.pad(cuts, ((0, 0), (1, 1)), constant_values=((0, 0), (0.0, 1.0)))
        pieces, middles = np.diff(cuts, axis=1), (cuts[:, 1:] + cuts[:, :-1]) / 2
        points = start[:, None] + middles[..., None] * step[:, None]
        # (n, pieces, V): edges that a ray from a point along x crosses
        y, one, other = points[..., None, 1], self.corners[:, 1], np.roll(self.corners[:, 1], -1)
        spans = (one > y) != (other > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            x = self.corners[:, 0] + (y - one) * edges[:, 0] / edges[:, 1]
        odd = (spans & (points[..., None, 0] < x)).sum(axis=2) % 2 == 1
        shares: np.ndarray = (pieces * odd).sum(axis=1)
        return shares

    def distances(self, points: np.ndarray) -> np.ndarray:
        """(n,) distances of (n, 2) points to its outline."""
        edges = np.roll(self.corners, -1, axis=0) - self.corners
        squares = np.maximum(np.einsum("ij,ij->i", edges, edges), 1e-300)
        found = np.full(len(points), np.inf)
        for corner, edge, square in zip(self.corners, edges, squares, strict=True):
            away = points - corner
            along = np.clip(away @ edge / square, 0, 1)
            np.minimum(found, np.hypot(*(away - along[:, None] * edge).T), out=found)
        return found


Zone = Circle | Polygon


def zone_of(value: Any, name: str) -> Zone:
    """The zone that a value says.

    value  text ("circle 10 20 5", commas or blanks between numbers), an array of (V, 2) corners,
           or the name of a file of corners (.csv, .txt, .tsv, .dat)
    name   of the option, for errors
    Raises MeasureError for anything else.
    """
    if isinstance(value, Circle | Polygon):
        return value
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        if value.lower().endswith(FILES):
            return _of_file(Path(value), name)
        return _of_words(value, value, name)
    if isinstance(value, Sequence | np.ndarray):
        try:
            corners = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise _no_zone(name, value) from None
        if corners.ndim == 2 and corners.shape[1:] == (2,):
            return _polygon(corners, f"{len(corners)} corners", name)
    raise _no_zone(name, value)


def images(zone: Zone, space: Space, name: str) -> Iterator[Zone]:
    """The zone itself; on periodic axes its images that a segment can meet which begins in the box
    and is at most half a side long. Raises MeasureError for a zone that is wider than the box."""
    shifts, moved = [], np.zeros(2)
    low, high = zone.bounds
    for axis, side in enumerate(periods(space)[:2]):
        if not math.isfinite(side):
            shifts.append([0.0])
            continue
        if high[axis] - low[axis] > side:
            raise MeasureError(
                f"{name}: got a zone that is {high[axis] - low[axis]:g} wide; expected at most "
                f"{side:g}, the side of the periodic space. Give a smaller one."
            )
        middle = (high[axis] + low[axis]) / 2 - space.lower[axis]
        moved[axis] = -side * math.floor(middle / side)
        shifts.append([-side, 0.0, side])
    for shift in product(*shifts):
        yield zone.moved(moved + shift)


def in_box(positions: np.ndarray, space: Space) -> np.ndarray:
    """(N, 2) x and y of (N, D) positions, on periodic axes within the box; nan stays nan."""
    if not any(space.periodic[:2]):
        return np.asarray(positions[:, :2], dtype=np.float64)
    known = np.isfinite(positions[:, 0])
    found = np.full(positions.shape, np.nan)
    found[known] = wrapped(positions[known], space)
    for axis in np.flatnonzero(space.periodic):
        found[:, axis] += space.lower[axis]
    return found[:, :2]


def _of_words(text: str, given: str, name: str) -> Zone:
    kind, *words = re.split(r"[\s,;]+", text.strip()) or [""]
    kind = kind.lower()
    if kind not in KINDS:
        raise _no_zone(name, given)
    try:
        numbers = [float(word) for word in words if word]
    except ValueError:
        raise _no_zone(name, given) from None
    right = {"circle": len(numbers) == 3, "box": len(numbers) == 4,
             "polygon": len(numbers) >= 6 and len(numbers) % 2 == 0}  # fmt: skip
    if not right[kind] or not np.isfinite(numbers).all():
        raise MeasureError(
            f"{name}: got {shown(given[:60])}; expected '{KINDS[kind]}', all of them numbers. "
            f"Here are {len(numbers)} of them."
        )
    if kind == "circle":
        x, y, radius = numbers
        if radius <= 0:
            raise MeasureError(f"{name}: got a radius of {radius:g}; expected a number above 0")
        return Circle((x, y), radius)
    if kind == "box":
        (x, u), (y, v) = sorted(numbers[0::2]), sorted(numbers[1::2])
        return _polygon(np.array([[x, y], [u, y], [u, v], [x, v]]), repr(given), name)
    return _polygon(np.array(numbers).reshape(-1, 2), repr(given[:60]), name)


def _of_file(path: Path, name: str) -> Zone:
    """A polygon of a file's corners, two numbers in each line; or the zone that its text says."""
    try:
        with regular(path).open("rb") as file:
            text = file.read(LONGEST + 1).decode("utf-8-sig")
    except OSError as error:
        raise MeasureError(
            f"{name}: got {path}, which cannot be read: {error.strerror or error}; expected a file "
            "with a corner in each line"
        ) from None
    except UnicodeDecodeError:
        text = "\0"
    if len(text) > LONGEST or "\0" in text:
        raise MeasureError(f"{name}: got {path}; expected a text of at most {LONGEST:,} bytes with "
                           "a corner, two numbers, in each line")  # fmt: skip
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    rows = [[word for word in re.split(r"[\s,;]+", line) if word] for line in lines if line]
    if rows and rows[0][0].lower() in KINDS:
        return _of_words(" ".join(word for row in rows for word in row), str(path), name)
    corners = []
    for k, row in enumerate(rows):
        try:
            corners.append([float(word) for word in row])
        except ValueError:
            if k == 0:  # names of columns
                continue
            corners.append([])
        if len(corners[-1]) != 2:
            raise MeasureError(
                f"{name}: got {' '.join(row)[:60]!r} in {path}; expected two numbers in each line, "
                "x and y of a corner"
            )
    return _polygon(np.array(corners).reshape(-1, 2), str(path), name)


def _polygon(corners: np.ndarray, given: str, name: str) -> Polygon:
    if len(corners) > 1 and (corners[0] == corners[-1]).all():
        corners = corners[:-1]  # closed, as many programs write it
    if not 3 <= len(corners) <= MOST or not np.isfinite(corners).all():
        raise MeasureError(
            f"{name}: got {given}; expected 3 to {MOST:,} corners, each of two finite numbers"
        )
    if not (np.ptp(corners, axis=0) > 0).all() or np.linalg.matrix_rank(corners - corners[0]) < 2:
        raise MeasureError(f"{name}: got {given}; expected corners that do not lie on a line")
    return Polygon(corners)


def _no_zone(name: str, value: Any) -> MeasureError:
    said = shown(value) if is_number(value) or isinstance(value, str) else repr(value)
    return MeasureError(f"{name}: got {said[:80]}; expected {EXPECTED}")


def _cross(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    found: np.ndarray = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return found
