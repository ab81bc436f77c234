"""Movement past obstacles and faces for the reference engine, in plain numpy.

It shares only the functions of shapes with codegen/obstacle_movement.py, so that tests can compare
the two. Both follow the same steps. codegen/obstacle_shapes.py describes the skin around an
obstacle.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from murmurate.codegen.mesh_contact import mesh_planes
from murmurate.codegen.obstacle_shapes import ENCLOSED, MESH, TANK, UNFINISHED, WALL, half_sides
from murmurate.engines.reference.mathematics import pad_to_3d
from murmurate.engines.reference.obstacles import (
    TINY,
    Row,
    clearance,
    entered,
    points_into,
    relative,
    way_out,
)
from murmurate.model.space import Space

SKIN = 1e-5  # thickness of a skin, as a part of the lengths in a movement
THIN = 0.01  # largest skin, as a part of an obstacle's smallest radius or half side
MAX_LENGTH_RATIO = 1e4  # of two lengths that determine a skin
ROUNDING = 1e-14  # error of a coordinate, as a part of it
NOISE = 1e-15  # error of a direction, as a part of the vector that it was computed from
MAX_PIECES = 8192  # of a movement
STUCK_PIECES = 64  # shorter than a skin each, after which a boid stops
MAX_PERIODS = 4.0  # of the space, in a piece of a movement


def slide(d: np.ndarray, planes: Sequence[np.ndarray]) -> np.ndarray:
    """Return the vector nearest to d that points into none of some planes."""
    error = NOISE * float(np.linalg.norm(d))
    if not points_into(d, planes, error):
        return d
    choices = [d - (d @ n) * n for n in planes]
    if len(d) == 3:
        for m, n in itertools.combinations(planes, 2):
            crease = np.cross(m, n)
            if crease @ crease > TINY:
                choices.append((d @ crease) / (crease @ crease) * crease)
    free = [e for e in choices if not points_into(e, planes, error)]
    return max(free, key=lambda e: float(e @ e), default=0.0 * d)


@dataclass(frozen=True)
class Surroundings:
    """Obstacles and faces around a boid.

    shapes, earlier  obstacles at the end and at the begin of the step
    length  length that determines the thickness of skins
    error  error of coordinates
    noise  error of the end of a movement
    """

    shapes: Sequence[Row]
    earlier: Sequence[Row]
    space: Space
    length: float = 0.0
    error: float = 0.0
    noise: float = 0.0

    def of(self, p: np.ndarray, distance: float) -> Surroundings:
        """Return the surroundings of a boid at p that moves by a distance."""
        from_corner = float(np.abs(p - self.space.lower).sum())
        return replace(
            self,
            length=min(from_corner, MAX_LENGTH_RATIO * distance)
            + min(distance, MAX_LENGTH_RATIO * from_corner),
            error=ROUNDING * float(np.abs(p).sum()),
            noise=NOISE * distance,
        )

    def skin(self, shape: Row, x: np.ndarray) -> float:
        """Return the thickness of an obstacle's skin for a boid at x, relative to its centre; for
        a wall the distance from its plane counts.
        """
        wall = shape[0] == WALL
        reach = float(abs(clearance(shape, x)[0]) if wall else np.abs(x).sum())
        limit = math.inf
        if not wall:
            limit = THIN * min(half_sides(shape))
        return min(SKIN * (self.length + reach), limit) + self.error + ROUNDING * reach

    def clearances(self, p: np.ndarray, tanks: bool) -> list[tuple[float, np.ndarray, float]]:
        """Return the distance to each obstacle, its normal, and the thickness of its skin."""
        result = []
        for shape in self.shapes:
            if tanks or shape[0] != TANK:
                x = relative(shape, p, self.space)
                result.append((*clearance(shape, x), self.skin(shape, x)))
        return result

    def is_free(self, p: np.ndarray, tanks: bool = True) -> bool:
        """Return whether a position is outside of all obstacles."""
        return all(distance >= 0.0 for distance, _, _ in self.clearances(p, tanks))

    def contacts(self, p: np.ndarray, tanks: bool) -> list[np.ndarray]:
        """Return the distinct normals of the obstacles that touch p."""
        planes: list[np.ndarray] = []
        for shape in self.shapes:
            if shape[0] == TANK and not tanks:
                continue
            for normal in self._normals(shape, p):
                if all(n @ normal <= 1.0 - TINY for n in planes):
                    planes.append(normal)
        return planes

    def _normals(self, shape: Row, p: np.ndarray, outside: bool = False) -> list[np.ndarray]:
        """Return the normals of the parts of an obstacle that touch p: several for a mesh. With
        `outside`, an obstacle that contains p has none.
        """
        x = relative(shape, p, self.space)
        distance, normal = clearance(shape, x)
        skin = self.skin(shape, x)
        if outside and distance < 0.0:
            return []
        if shape[0] == MESH:
            none = ((0.0, 0.0, 0.0),) * 4
            planes = mesh_planes(none, shape, pad_to_3d(x), skin, outside)  # type: ignore[no-untyped-call]
            return [np.array(n) for n in planes if any(n)]
        return [normal] if distance <= 2.0 * skin else []

    def closed(self, axis: int) -> bool:
        """Return whether an axis has closed faces."""
        return self.space.boundaries[axis] in ("reflecting", "held")

    def between(self, p: np.ndarray) -> np.ndarray:
        """Return a position clipped to the closed faces."""
        closed = [self.closed(axis) for axis in range(len(p))]
        return np.where(closed, np.clip(p, self.space.lower, self.space.upper), p)

    def into_tanks(self, p: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return d, changed so that p + d is inside all tanks, at the nearest point."""
        tanks = [shape for shape in self.shapes if shape[0] == TANK]
        for _ in range(4 if tanks else 0):
            for shape in tanks:
                x = relative(shape, p, self.space)
                radius, end = max(shape[4] - self.skin(shape, x), 0.0), (x + d)[:2]
                if np.linalg.norm(end) > radius:
                    d = d.copy()
                    d[:2] += (radius / np.linalg.norm(end) - 1.0) * end
        return d

    def first_entered(self, p: np.ndarray, d: np.ndarray) -> float:
        """Return the part of a movement d from p up to the first obstacle; tanks do not count."""
        return min(
            (entered(shape, x, d, skin, self.noise) for shape, x, skin in self._met(p, d)),
            default=math.inf,
        )

    def first_entered_on_way_out(self, p: np.ndarray, d: np.ndarray, thick: float) -> float:
        """Return the same for a boid inside obstacles, which it may cross on its way out."""
        return min(
            (
                entered(shape, x, d, thick * skin, self.noise, on_way_out=True)
                for shape, x, skin in self._met(p, d)
            ),
            default=math.inf,
        )

    def _met(self, p: np.ndarray, d: np.ndarray) -> Iterator[tuple[Row, np.ndarray, float]]:
        """Yield the obstacles near a movement, as (obstacle, p relative to its image, thickness of
        skin).
        """
        for shape in self.shapes:
            if shape[0] == TANK:
                continue
            x = relative(shape, p, self.space)
            skin = self.skin(shape, x)
            for image in [x] if shape[0] == WALL else self._images(shape, x, d, skin):
                yield shape, image, skin

    def _images(self, shape: Row, x: np.ndarray, d: np.ndarray, skin: float) -> list[np.ndarray]:
        """Return x relative to each image of an obstacle near a movement d."""
        half = half_sides(shape)
        choices = []
        for axis, (side, periodic) in enumerate(
            zip(self.space.size, self.space.periodic, strict=True)
        ):
            low, high = sorted([x[axis], x[axis] + d[axis]])
            reach = half[axis] + 2.0 * skin
            first, last = math.ceil((low - reach) / side), math.floor((high + reach) / side)
            choices.append([k * side for k in range(first, last + 1)] if periodic else [0.0])
        return [x - np.array(shift) for shift in itertools.product(*choices)]

    def first_face(self, p: np.ndarray, d: np.ndarray) -> tuple[float, int, float]:
        """Return the part of a movement up to the first closed face, the face's axis and
        coordinate.
        """
        first = (math.inf, 0, 0.0)
        for axis, way in enumerate(d):
            if self.closed(axis) and abs(way) > TINY * np.abs(d).sum():
                face = self.space.upper[axis] if way > 0.0 else self.space.lower[axis]
                first = min(first, (max(0.0, (face - p[axis]) / way), axis, face))
        return first

    # --- out of obstacles

    def was_free(self, p: np.ndarray) -> bool:
        """Return whether p was free at the begin of the step."""
        return replace(self, shapes=self.earlier).is_free(p)

    def freed(self, p: np.ndarray, free_before: bool) -> np.ndarray:
        """Return a position outside of all obstacles, near p; p if it is free or none exists.

        A boid that was free before obstacles moved does not cross to the far side of any obstacle.
        """
        if self.is_free(p):
            return p
        out = self._put_out(p)
        if self._is_way_out(p, out, free_before):
            return out
        if free_before:
            out = self._pressed_out(p)
            if self.is_free(out) and not self._is_squeezed(out):
                return out
        return self._shortest_way_out(p, free_before)

    def _normal_out(self, k: int, p: np.ndarray) -> np.ndarray:
        """Return the direction out of obstacle k: to the side from which it came, or else the
        nearest.
        """
        before, after = (
            clearance(shapes[k], relative(shapes[k], p, self.space))
            for shapes in (self.earlier, self.shapes)
        )
        return before[1] if before[0] >= 0.0 else after[1]

    def _around(self, p: np.ndarray) -> list[int]:
        """Return the indices of the obstacles that contain p."""
        return [k for k, (distance, _, _) in enumerate(self.clearances(p, True)) if distance < 0.0]

    def _is_way_out(self, p: np.ndarray, end: np.ndarray, free_before: bool) -> bool:
        """Return whether a boid inside obstacles may move from p to `end`."""
        if not (self.is_free(end) and free_before):
            return self.is_free(end)
        if self._is_squeezed(end):
            return False
        solids = [k for k in self._around(p) if self.shapes[k][0] != TANK]
        far_side = any((end - p) @ self._normal_out(k, p) < 0.0 for k in solids)
        return not far_side and self.first_entered_on_way_out(p, end - p, 0.25) > 1.0

    def _is_squeezed(self, p: np.ndarray) -> bool:
        """Return whether a boid on a closed face is within half a skin of an obstacle."""
        on_face = self._faces(p, 1.0) or self._faces(p, -1.0)
        near = any(distance < 0.5 * skin for distance, _, skin in self.clearances(p, False))
        return bool(on_face) and near

    def _pressed_out(self, p: np.ndarray) -> np.ndarray:
        """Return the end of a boid that obstacles push out in sequence."""
        for _ in range(MAX_PIECES):
            planes = [-np.eye(len(p))[k] for k in self._faces(p, 1.0)]
            planes += [np.eye(len(p))[k] for k in self._faces(p, -1.0)]
            for shape in self.shapes:
                planes += self._normals(shape, p, outside=True)
            pushes = (self._push(k, p, planes) for k in self._around(p))
            further = next((q for q in pushes if q is not None), None)
            if further is None:
                return p
            p = further
        return p

    def _faces(self, p: np.ndarray, side: float) -> list[int]:
        """Return the axes on whose closed face p lies: the upper one, or the lower for side -1."""
        face = self.space.upper if side > 0.0 else self.space.lower
        return [k for k in range(len(p)) if self.closed(k) and side * (p[k] - face[k]) >= 0.0]

    def _push(self, k: int, p: np.ndarray, planes: Sequence[np.ndarray]) -> np.ndarray | None:
        """Return the position to which obstacle k pushes a boid inside; None if it cannot move."""
        shape = self.shapes[k]
        x = relative(shape, p, self.space)
        distance, skin = clearance(shape, x)[0], self.skin(shape, x)
        e = slide(self._normal_out(k, p), planes)
        length = float(np.linalg.norm(e))
        if length <= TINY:
            return None
        e = e / length
        way = (skin - distance) / length if shape[0] == TANK else way_out(shape, x, e, skin)
        if not 0.0 < way < math.inf:
            return None
        d = self.into_tanks(p, way * e)
        t = min(1.0, self.first_face(p, d)[0], self.first_entered_on_way_out(p, d, 1.0))
        return self.between(p + t * d) if t * np.abs(d).sum() > TINY * skin else None

    def _put_out(self, p: np.ndarray) -> np.ndarray:
        """Return p, moved along the normals of the obstacles that contain it."""
        for _ in range(16):
            for shape in self.shapes:
                x = relative(shape, p, self.space)
                distance, normal = clearance(shape, x)
                if distance < 0.0:
                    p = self.between(p + (self.skin(shape, x) - distance) * normal)
        return p

    def _shortest_way_out(self, p: np.ndarray, free_before: bool) -> np.ndarray:
        """Return the nearest free position along an axis or along the normal of an obstacle."""
        ways = [sign * e for e in np.eye(len(p)) for sign in (1.0, -1.0)]
        ways += [normal for distance, normal, _ in self.clearances(p, True) if distance < 0.0]
        best, nearest = p, math.inf
        for e in ways:
            s = self._free_at(p, e)
            end = self.between(p + s * e) if s < nearest else p
            if s < nearest and self._is_way_out(p, end, free_before):
                best, nearest = end, s
        return best

    def _free_at(self, p: np.ndarray, e: np.ndarray) -> float:
        """Return the distance along a unit vector e after which p is outside of all obstacles."""
        s = 0.0
        for _ in range(64):
            begin = s
            for shape in self.shapes:
                x = relative(shape, p + s * e, self.space)
                if clearance(shape, x)[0] < 0.0:
                    s += way_out(shape, x, e, self.skin(shape, x))
                if math.isinf(s):
                    return s
            if s == begin:
                return s
        return math.inf

    def lifted(self, p: np.ndarray) -> np.ndarray:
        """Return p, moved to one skin from obstacles that are nearer than half a skin by rounding.

        It remains if the new position is not free or another obstacle is in between.
        """
        for shape in self.shapes:
            x = relative(shape, p, self.space)
            distance, normal = clearance(shape, x)
            if shape[0] != TANK and distance < 0.5 * self.skin(shape, x):
                up = self.between(p + (self.skin(shape, x) - distance) * normal)
                free = self.is_free(up, tanks=False)
                if free and self.first_entered_on_way_out(p, up - p, 0.0) > 1.0:
                    p = up
        return p


def _met_faces(
    around: Surroundings, p: np.ndarray, d: np.ndarray, velocity: np.ndarray,
    planes: list[np.ndarray],
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray], list[np.ndarray]]:  # fmt: skip
    """Return movement and velocity after reflection by the faces of the space that p is on.

    The third and fourth value are normals of faces along which the boid slides: those that do not
    reflect, and those that cannot, because an obstacle with one of `planes` is in the way.
    """
    space = around.space
    of_faces: list[np.ndarray] = []
    of_mirrors: list[np.ndarray] = []
    for axis in range(space.dims):
        up, down = p[axis] >= space.upper[axis], p[axis] <= space.lower[axis]
        side = 1.0 if up else -1.0 if down else 0.0
        if around.closed(axis) and side * d[axis] > TINY * np.abs(d).sum():
            back = d.copy()
            back[axis] = -d[axis]
            mirror = space.boundaries[axis] == "reflecting"
            if mirror and not points_into(back, planes, NOISE * float(np.linalg.norm(d))):
                d, velocity = back, velocity.copy()
                velocity[axis] = -side * abs(velocity[axis])
            else:
                (of_mirrors if mirror else of_faces).append(-side * np.eye(space.dims)[axis])
    return d, velocity, of_faces, of_mirrors


def move_past(
    obstacles: Mapping[str, Row],
    earlier: Mapping[str, Row],
    p: np.ndarray,
    d: np.ndarray,
    velocity: np.ndarray,
    space: Space,
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return position and velocity of a boid at p after a movement d past obstacles and faces.

    The boid slides along what it touches, and its velocity loses the component into obstacles. The
    third value is 0, or the cause of a lost boid: ENCLOSED without a free position, UNFINISHED if
    the movement has too many pieces.

    obstacles, earlier  obstacles at the end and at the begin of the step
    p, d, velocity  (D,) position, movement and velocity
    """
    way = float(np.abs(d).sum())
    around, d = Surroundings([*obstacles.values()], [*earlier.values()], space).of(p, way), d.copy()
    free_before = around.was_free(p)
    if not around.is_free(p, tanks=False):
        p = around.freed(p, free_before)
        if free_before and not around.is_free(p):
            return p, velocity, ENCLOSED
    begin, lost = p, UNFINISHED
    lengths: list[float] = []
    sides = zip(space.size, space.boundaries, strict=True)
    min_side = min((side for side, boundary in sides if boundary != "open"), default=math.inf)
    for piece in range(MAX_PIECES):
        around = around.of(p, way)
        p = around.lifted(p)
        planes = around.contacts(p, tanks=False)
        d, velocity, of_faces, of_mirrors = _met_faces(around, p, d, velocity, planes)
        velocity = slide(velocity, [*planes, *of_mirrors])
        planes = around.contacts(p, tanks=piece > 0)
        d = slide(d, [*planes, *of_mirrors, *of_faces])
        spans = [
            abs(way) / (MAX_PERIODS * side) if periodic else 0.0
            for way, side, periodic in zip(d, space.size, space.periodic, strict=True)
        ]
        part = 1.0 / max(1.0, *spans)
        e = around.into_tanks(p, part * d)
        face, axis, where = around.first_face(p, e)
        t = min(1.0, face, around.first_entered(p, e))
        p = p + t * e
        if face == t:
            p[axis] = where
        p, d = around.between(p), (1.0 - part) * d + (1.0 - t) * e
        if part < 1.0:
            periods = np.floor((p - space.lower) / space.size)
            p = np.where(space.periodic, p - periods * space.size, p)
        lengths.append(t * float(np.abs(e).sum()))
        some = lengths[-STUCK_PIECES:] if len(lengths) % STUCK_PIECES == 0 else [math.inf]
        stuck = sum(some) <= STUCK_PIECES * min(
            SKIN * around.length + around.error, TINY * min_side
        )
        if stuck or np.abs(d).sum() <= TINY * way:
            lost = 0.0
            break
    around = around.of(p, way)
    p = around.lifted(p)
    if not around.is_free(p):
        p = around.freed(p, free_before)
    if not around.is_free(p):
        p = begin
    lost = lost if around.is_free(p) else ENCLOSED
    return p, slide(velocity, around.contacts(p, tanks=True)), lost
