"""Zones and walls per animal: time in a zone, distance to a wall.

Zones are circles and polygons in x and y, from text, numbers, or a file of corners. In 3-D a zone
is a column: z does not count.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from murmurate.disk import regular
from murmurate.errors import MeasureError
from murmurate.measures.curve import ratio
from murmurate.measures.limits import format_value, is_number
from murmurate.measures.over_frames import time_step
from murmurate.measures.per_animal import PathValues
from murmurate.measures.registry import measure_over_frames
from murmurate.model.space import Space
from murmurate.neighbours.periodic import periods
from murmurate.neighbours.voronoi import cross_2d

KINDS = {
    "circle": "circle X Y RADIUS",
    "box": "box X1 Y1 X2 Y2",
    "polygon": "polygon X1 Y1 X2 Y2 X3 Y3 ...",
}
EXPECTED = (
    "'circle X Y RADIUS', 'box X1 Y1 X2 Y2', 'polygon X1 Y1 X2 Y2 X3 Y3 ...', an array of corners "
    "(V, 2), or the name of a file with a corner in each line"
)
SUFFIXES = (".csv", ".txt", ".tsv", ".dat")
MAX_CORNERS = 1_000  # of a polygon
SIDES = 256  # of the polygon in place of a circle, for Voronoi cells
MAX_BYTES = 200_000  # of a file of corners
CHUNK = 2_000_000  # segments times pairs of edges that are processed together
TOUCH = 1e-9  # of a step, within which an animal does not leave and enter a zone
UNKNOWN, OUTSIDE, INSIDE = 0, 1, 2  # last state of an animal


class Pieces(NamedTuple):
    """Pieces of segments, from 0 at the start of a segment to 1 at its end.

    row  (p,) the segment
    begin, end  (p,) where the piece begins and ends
    """

    row: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    def shares(self, count: int) -> np.ndarray:
        """Return (count,) total lengths of the pieces of each segment."""
        return np.bincount(self.row, self.end - self.begin, count)

    def joined(self) -> Pieces:
        """Return the pieces in order, with touching ones joined."""
        order = np.lexsort((self.begin, self.row))
        row, begin, end = (column[order] for column in self)
        touches = (row[1:] == row[:-1]) & (begin[1:] <= end[:-1] + TOUCH)
        is_first, is_last = np.ones((2, len(row)), bool)
        is_first[1:] = is_last[:-1] = ~touches
        return Pieces(row[is_first], begin[is_first], end[is_last])


NO_PIECES = Pieces(np.empty(0, np.int64), np.empty(0), np.empty(0))


@dataclass(frozen=True)
class Circle:
    """A disc with a centre and a radius in length units."""

    centre: tuple[float, float]
    radius: float

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """(2,) lower and (2,) upper corner of the bounding box."""
        middle = np.array(self.centre)
        return middle - self.radius, middle + self.radius

    def shift(self, vector: np.ndarray) -> Circle:
        """Return the disc shifted by a (2,) vector."""
        return Circle((self.centre[0] + vector[0], self.centre[1] + vector[1]), self.radius)

    def pieces(self, start: np.ndarray, step: np.ndarray) -> Pieces:
        """Return the pieces of (n, 2) straight segments that are inside."""
        offset = start - self.centre
        a = np.einsum("ij,ij->i", step, step)
        b = np.einsum("ij,ij->i", offset, step)
        c = np.einsum("ij,ij->i", offset, offset) - self.radius**2
        root = np.sqrt(np.maximum(b * b - a * c, 0.0))
        moving = a > 0
        a = np.where(moving, a, 1.0)
        begin, end = np.clip((-b - root) / a, 0, 1), np.clip((-b + root) / a, 0, 1)
        begin, end = np.where(moving, begin, 0.0), np.where(moving, end, c <= 0)
        row = np.flatnonzero(end > begin)
        return Pieces(row, begin[row], end[row])

    @property
    def corners(self) -> np.ndarray:
        """(SIDES, 2) corners of a regular polygon of the same area."""
        angles = 2 * np.pi / SIDES * np.arange(SIDES)
        radius = self.radius * math.sqrt(2 * np.pi / SIDES / math.sin(2 * np.pi / SIDES))
        return self.centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)

    def distances(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) distances of (n, 2) points to the outline."""
        result: np.ndarray = np.abs(np.hypot(*(points - self.centre).T) - self.radius)
        return result


@dataclass(frozen=True, eq=False)
class Polygon:
    """A closed polygon with (V, 2) corners in order.

    A point is inside if a ray from it crosses the outline an odd number of times.
    """

    corners: np.ndarray

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """(2,) lower and (2,) upper corner of the bounding box."""
        return self.corners.min(axis=0), self.corners.max(axis=0)

    def shift(self, vector: np.ndarray) -> Polygon:
        """Return the polygon shifted by a (2,) vector."""
        return Polygon(self.corners + vector)

    def pieces(self, start: np.ndarray, step: np.ndarray) -> Pieces:
        """Return the pieces of (n, 2) straight segments that are inside."""
        low, high = self.bounds
        end = start + step
        near = (np.minimum(start, end) <= high).all(axis=1)
        near &= (np.maximum(start, end) >= low).all(axis=1)
        rows = np.flatnonzero(near)
        chunk = max(1, CHUNK // len(self.corners) ** 2)
        parts = [self._pieces_near(rows[k : k + chunk], start, step)
                 for k in range(0, len(rows), chunk)]  # fmt: skip
        return Pieces(*(np.concatenate(column) for column in zip(NO_PIECES, *parts, strict=True)))

    def _pieces_near(self, rows: np.ndarray, start: np.ndarray, step: np.ndarray) -> Pieces:
        """Return `pieces` of the segments in these rows, which may touch the polygon."""
        start, step = start[rows], step[rows]
        edges = np.roll(self.corners, -1, axis=0) - self.corners
        offset = self.corners[None] - start[:, None]
        cross = cross_2d(step[:, None], edges[None])
        with np.errstate(divide="ignore", invalid="ignore"):
            on_segment = cross_2d(offset, edges[None]) / cross
            on_edge = cross_2d(offset, step[:, None]) / cross
        crossed = (on_edge >= 0) & (on_edge <= 1) & (on_segment > 0) & (on_segment < 1)
        cuts = np.sort(np.where(crossed, on_segment, 1.0), axis=1)
        cuts = np.pad(cuts, ((0, 0), (1, 1)), constant_values=((0, 0), (0.0, 1.0)))
        middles = (cuts[:, 1:] + cuts[:, :-1]) / 2
        points = start[:, None] + middles[..., None] * step[:, None]
        # (n, pieces, V): edges that the ray along x crosses
        y, y0, y1 = points[..., None, 1], self.corners[:, 1], np.roll(self.corners[:, 1], -1)
        spans = (y0 > y) != (y1 > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            x = self.corners[:, 0] + (y - y0) * edges[:, 0] / edges[:, 1]
        odd = (spans & (points[..., None, 0] < x)).sum(axis=2) % 2 == 1
        row, piece = np.nonzero(odd & (np.diff(cuts) > 0))
        return Pieces(rows[row], cuts[row, piece], cuts[row, piece + 1])

    def distances(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) distances of (n, 2) points to the outline."""
        edges = np.roll(self.corners, -1, axis=0) - self.corners
        squares = np.maximum(np.einsum("ij,ij->i", edges, edges), 1e-300)
        result = np.full(len(points), np.inf)
        for corner, edge, square in zip(self.corners, edges, squares, strict=True):
            offset = points - corner
            on_edge = np.clip(offset @ edge / square, 0, 1)
            np.minimum(result, np.hypot(*(offset - on_edge[:, None] * edge).T), out=result)
        return result


Zone = Circle | Polygon


def parse_zone(value: Any, name: str) -> Zone:
    """Parse a zone.

    value  text ("circle 10 20 5", with commas or blanks between numbers), an array of (V, 2)
        corners, or the path of a file of corners (.csv, .txt, .tsv, .dat)
    name  name of the option, for errors
    raises MeasureError  for any other value
    """
    if isinstance(value, Circle | Polygon):
        return value
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        if value.lower().endswith(SUFFIXES):
            return _read_zone(Path(value), name)
        return _parse_text(value, value, name)
    if isinstance(value, Sequence | np.ndarray):
        try:
            corners = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise _not_a_zone(name, value) from None
        if corners.ndim == 2 and corners.shape[1:] == (2,):
            return _polygon(corners, f"{len(corners)} corners", name)
    raise _not_a_zone(name, value)


def zone_images(zone: Zone, space: Space, name: str) -> Iterator[Zone]:
    """Yield the zone, and its images on periodic axes.

    A segment of at most half a side that starts in the box can reach no other images. Raises
    MeasureError for a zone wider than the box.
    """
    shifts, to_box = [], np.zeros(2)
    low, high = zone.bounds
    for axis, side in enumerate(periods(space)[:2]):
        if not math.isfinite(side):
            shifts.append([0.0])
            continue
        if high[axis] - low[axis] > side:
            raise MeasureError(
                f"{name}: got a zone that is {high[axis] - low[axis]:g} wide; expected at most "
                f"{side:g}, the side of the periodic space. Give a smaller zone."
            )
        middle = (high[axis] + low[axis]) / 2 - space.lower[axis]
        to_box[axis] = -side * math.floor(middle / side)
        shifts.append([-side, 0.0, side])
    for shift in product(*shifts):
        yield zone.shift(to_box + shift)


def wrap_ground(positions: np.ndarray, space: Space) -> np.ndarray:
    """Return (N, 2) x and y of (N, D) positions, wrapped into a periodic box; nan stays nan."""
    if not any(space.periodic[:2]):
        return np.asarray(positions[:, :2], dtype=np.float64)
    return space.wrap(positions)[:, :2]


def pieces_inside(zone: Zone, start: np.ndarray, step: np.ndarray, space: Space) -> Pieces:
    """Return the pieces of (n, D) straight steps that are in a zone or its periodic images."""
    start, step = wrap_ground(start, space), step[:, :2]
    images = [image.pieces(start, step) for image in zone_images(zone, space, "zone")]
    return Pieces(*(np.concatenate(column) for column in zip(*images, strict=True))).joined()


def _parse_text(text: str, original: str, name: str) -> Zone:
    """Parse the text of a zone; errors show the `original` text."""
    kind, *words = re.split(r"[\s,;]+", text.strip()) or [""]
    kind = kind.lower()
    if kind not in KINDS:
        raise _not_a_zone(name, original)
    try:
        numbers = [float(word) for word in words if word]
    except ValueError:
        raise _not_a_zone(name, original) from None
    count_fits = {
        "circle": len(numbers) == 3,
        "box": len(numbers) == 4,
        "polygon": len(numbers) >= 6 and len(numbers) % 2 == 0,
    }
    if not count_fits[kind] or not np.isfinite(numbers).all():
        raise MeasureError(
            f"{name}: got {format_value(original[:60])} with {len(numbers)} numbers; expected "
            f"'{KINDS[kind]}' with finite numbers"
        )
    if kind == "circle":
        x, y, radius = numbers
        if radius <= 0:
            raise MeasureError(f"{name}: got a radius of {radius:g}; expected a number above 0")
        return Circle((x, y), radius)
    if kind == "box":
        (x, u), (y, v) = sorted(numbers[0::2]), sorted(numbers[1::2])
        return _polygon(np.array([[x, y], [u, y], [u, v], [x, v]]), repr(original), name)
    return _polygon(np.array(numbers).reshape(-1, 2), repr(original[:60]), name)


def _read_zone(path: Path, name: str) -> Zone:
    """Read a file with the two numbers of a corner in each line, or with the text of a zone."""
    try:
        with regular(path).open("rb") as file:
            text = file.read(MAX_BYTES + 1).decode("utf-8-sig")
    except OSError as error:
        raise MeasureError(
            f"{name}: got {path}, which cannot be read: {error.strerror or error}; expected a file "
            "with a corner in each line"
        ) from None
    except UnicodeDecodeError:
        text = "\0"
    if len(text) > MAX_BYTES or "\0" in text:
        raise MeasureError(
            f"{name}: got {path}; expected a text of at most {MAX_BYTES:,} bytes with the two "
            "numbers of a corner in each line"
        )
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    rows = [[word for word in re.split(r"[\s,;]+", line) if word] for line in lines if line]
    if rows and rows[0][0].lower() in KINDS:
        return _parse_text(" ".join(word for row in rows for word in row), str(path), name)
    corners = []
    for k, row in enumerate(rows):
        try:
            corners.append([float(word) for word in row])
        except ValueError:
            if k == 0:  # column names
                continue
            corners.append([])
        if len(corners[-1]) != 2:
            raise MeasureError(
                f"{name}: got {' '.join(row)[:60]!r} in {path}; expected two numbers in each line, "
                "x and y of a corner"
            )
    return _polygon(np.array(corners).reshape(-1, 2), str(path), name)


def _polygon(corners: np.ndarray, original: str, name: str) -> Polygon:
    if len(corners) > 1 and (corners[0] == corners[-1]).all():
        corners = corners[:-1]  # many programs repeat the first corner at the end
    if not 3 <= len(corners) <= MAX_CORNERS or not np.isfinite(corners).all():
        raise MeasureError(
            f"{name}: got {original}; expected 3 to {MAX_CORNERS:,} corners of two finite numbers"
        )
    if not (np.ptp(corners, axis=0) > 0).all() or np.linalg.matrix_rank(corners - corners[0]) < 2:
        raise MeasureError(f"{name}: got {original}; expected corners that do not lie on a line")
    return Polygon(corners)


def _not_a_zone(name: str, value: Any) -> MeasureError:
    printed = format_value(value) if is_number(value) or isinstance(value, str) else repr(value)
    return MeasureError(f"{name}: got {printed[:80]}; expected {EXPECTED}")


def crosses_itself(corners: np.ndarray) -> bool:
    """Return whether two sides of a polygon with (V, 2) corners cross."""
    edges = np.roll(corners, -1, axis=0) - corners
    sides = cross_2d(edges[:, None], corners[None] - corners[:, None])  # (edges, corners)
    parted = sides * np.roll(sides, -1, axis=1) < 0
    return bool((parted & parted.T).any())


class ShareInZone(PathValues):
    """Return the fraction of its time that each animal spends in a zone.

    `time_in_zone` over the time of the observed steps. Gaps in a path do not bias it if the animal
    is in the zone equally often while it is not seen.

    zone: A circle, box or polygon, in the formats of `zone` of `time_in_zone`.
    value: `counts` are steps. nan for an animal without a step. Gaps and periodic axes as for
        `time_in_zone`.
    raises: A zone wider than a periodic box is refused too.
    """

    numbers = ("inside", "steps")

    def __init__(self, zone: Any) -> None:
        super().__init__()
        self.zone = parse_zone(zone, "zone")

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        rows = np.flatnonzero(np.isfinite(step[:, 0]))
        inside = pieces_inside(self.zone, self.of["last"][rows], step[rows], space)
        self.of["inside"][rows] += inside.shares(len(rows))
        self.of["steps"][rows] += 1

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        time_step(self.times)
        return ratio(self.of["inside"], self.of["steps"]), self.of["steps"]


class TimeInZone(ShareInZone):
    """Return the time that each animal spends in a zone.

    Animals are assumed to move straight and at constant speed from one frame to the next, so the
    time is not a multiple of the time between frames.

    zone: Text: "circle X Y RADIUS", "box X1 Y1 X2 Y2" or "polygon X1 Y1 X2 Y2 X3 Y3 ...", with
        blanks or commas between numbers. Or an array of corners. Or the path of a file (.csv, .txt,
        .tsv, .dat) with a corner in each line, or such a text. In length units of the frames. In
        3-D only x and y count.
    value: `counts` are steps. nan for an animal without a step.
    raises: A zone wider than a periodic box is refused too.

    Gaps add nothing: a step needs both frames. Use `share_in_zone` to compare animals that were
    seen for different times. On periodic axes a step leads to the nearest image, and all images of
    the zone count. An animal at rest exactly on the outline may count as outside. Cost: O(N V^2)
    per frame for V corners.
    """

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        share, steps = super().values()
        return share * steps * time_step(self.times), steps


class ZoneVisits(PathValues):
    """Return the number of visits of each animal to a zone: stays without interruption.

    Animals are assumed to move straight from one frame to the next, as for `time_in_zone`: a zone
    that is crossed between two frames is visited.

    zone: A circle, box or polygon, in the formats of `zone` of `time_in_zone`.
    value: `counts` are frames in which the animal is seen. An animal that is inside when it is
        first seen has one visit more than `zone_entries`.
    raises: A zone wider than a periodic box is refused too.

    Gaps: an animal that is outside before a gap and inside after it has entered, once; one that is
    inside before and after it has stayed. Periodic axes as for `time_in_zone`. Along the outline
    itself, an animal may count as inside or outside.
    """

    numbers = ("state", "visits", "entries", "exits", "first")
    counted = "frames"
    value = "visits"

    def __init__(self, zone: Any) -> None:
        super().__init__()
        self.zone = parse_zone(zone, "zone")

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        of, stepped = self.of, np.isfinite(step[:, :1])
        is_new = ~stepped[:, 0] | (of["state"] == UNKNOWN)
        rows = np.flatnonzero(np.isfinite(positions[:, 0]) & (is_new | step.any(axis=1)))
        start = np.where(stepped, of["last"], positions)[rows]
        row, begin, end = pieces_inside(self.zone, start, np.where(stepped, step, 0.0)[rows], space)
        state, count = of["state"][rows], len(rows)
        inside, at_end = np.zeros((2, count), bool)
        inside[row[begin == 0]] = at_end[row[end == 1]] = True
        pieces = np.bincount(row, minlength=count)
        comes = inside & (state == OUTSIDE)  # at the start of the step, or in a gap
        entries = pieces - inside + comes
        first = np.full(count, np.inf)
        np.minimum.at(first, row, np.where(begin > 0, begin, np.inf))
        first[comes] = np.where(stepped[rows[comes], 0], 0.0, 1.0)
        after = self.times[-1]
        enters = np.flatnonzero((entries > 0) & (of["entries"][rows] == 0))
        before = self.times[-2] if len(self.times) > 1 else after
        of["first"][rows[enters]] = before + (after - before) * first[enters]
        of["entries"][rows] += entries
        of["visits"][rows] += entries + (inside & (state == UNKNOWN))
        of["exits"][rows] += pieces - at_end + (~inside & (state == INSIDE))
        of["state"][rows] = np.where(at_end, INSIDE, OUTSIDE)

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        return self.of[self.value], self.of["seen"]


class ZoneEntries(ZoneVisits):
    """Return the number of times that each animal enters a zone from outside.

    zone: A circle, box or polygon, in the formats of `zone` of `time_in_zone`.
    value: `counts` are frames in which the animal is seen.
    raises: A zone wider than a periodic box is refused too.

    Gaps, periodic axes and the outline as for `zone_visits`.
    """

    value = "entries"


class ZoneExits(ZoneVisits):
    """Return the number of times that each animal leaves a zone.

    zone: A circle, box or polygon, in the formats of `zone` of `time_in_zone`.
    value: `counts` are frames in which the animal is seen.
    raises: A zone wider than a periodic box is refused too.

    Gaps, periodic axes and the outline as for `zone_visits`.
    """

    value = "exits"


class ZoneFirstEntry(ZoneVisits):
    """Return the time at which each animal first enters a zone from outside.

    zone: A circle, box or polygon, in the formats of `zone` of `time_in_zone`.
    value: Time of the frames: of tracks, since their first frame. `counts` are entries. nan for
        an animal that never enters, also if it is inside from the beginning. The mean is over
        animals that do.
    raises: A zone wider than a periodic box is refused too.

    An animal that enters in a gap does so when it is seen again. Otherwise gaps, periodic axes and
    the outline as for `zone_visits`.
    """

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        entries = self.of["entries"]
        return np.where(entries > 0, self.of["first"], np.nan), entries


class WallDistance(PathValues):
    """Return the mean distance of each animal to a wall.

    Distances to the nearest point of the wall are averaged over the frames with the animal.

    wall: Outline of a circle, box or polygon, in the formats of `zone` of `time_in_zone`. In 3-D
        walls are vertical: only x and y count.
    value: `counts` are frames in which the animal is seen.
    raises: A wall wider than a periodic box is refused too.

    The distance is positive on both sides of the wall, so an animal that a tracking error puts
    behind it counts as near. On periodic axes the distance is to the nearest image of the wall.
    Cost: O(N V) per frame for V corners.
    """

    numbers = ("distance",)
    counted = "frames"

    def __init__(self, wall: Any) -> None:
        super().__init__()
        self.wall = parse_zone(wall, "wall")

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        rows = np.flatnonzero(np.isfinite(positions[:, 0]))
        points = wrap_ground(positions[rows], space)
        each = [wall.distances(points) for wall in zone_images(self.wall, space, "wall")]
        self.of["distance"][rows] += np.min(each, axis=0)

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        return ratio(self.of["distance"], self.of["seen"]), self.of["seen"]


time_in_zone = measure_over_frames(
    TimeInZone,
    "per animal",
    unit="time",
    definition="time of each animal in a zone, moving straight from frame to frame",
    equal_steps=True,
    missing="no animal is seen in two frames in a row",
)


zone_visits = measure_over_frames(
    ZoneVisits,
    "per animal",
    unit="visits",
    definition="visits of each animal to a zone, moving straight from frame to frame",
)


zone_entries = measure_over_frames(
    ZoneEntries,
    "per animal",
    unit="entries",
    definition="number of times that each animal enters a zone",
)


zone_exits = measure_over_frames(
    ZoneExits,
    "per animal",
    unit="exits",
    definition="number of times that each animal leaves a zone",
)


zone_first_entry = measure_over_frames(
    ZoneFirstEntry,
    "per animal",
    unit="time",
    definition="time at which each animal first enters a zone",
    missing="no animal enters the zone",
)


share_in_zone = measure_over_frames(
    ShareInZone,
    "per animal",
    unit="1",
    bounds="0 to 1",
    definition="time that each animal is in a zone / time that it is seen",
    equal_steps=True,
    missing="no animal is seen in two frames in a row",
)


wall_distance = measure_over_frames(
    WallDistance,
    "per animal",
    unit="length",
    definition="mean over frames of each animal's distance to the outline of a shape",
)
