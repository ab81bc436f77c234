"""Obstacles for the reference engine, in plain numpy: vectors have as many components as the space.

Kept apart from codegen/obstacle_movement.py on purpose, so that one can be checked against the
other. Both follow the same steps; obstacle_shapes.py describes the zone around an obstacle.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from murmurate.codegen.obstacle_shapes import ENCLOSED, UNFINISHED
from murmurate.engines.reference.mathematics import nearest_image
from murmurate.model.space import Space

SKIN = 1e-5  # of the lengths that meet in a movement
THIN = 0.01  # of an obstacle's smallest radius or half side: a skin is not thicker
FAR_APART = 1e4  # how much longer one of two lengths in a skin may be than the other
ROUNDING = 1e-14  # of a coordinate
TINY = 1e-6  # a part of a vector that makes no difference
INTO = 1e-11  # by this part of it a vector may point into an obstacle,
NOISE = 1e-15  # and by this part of the vector that it is what is left of
MAX_PIECES = 8192  # of a movement, at most
STUCK = 64  # pieces that move by less than a skin each: there a boid stops
PERIODS = 4.0  # of the space, that a piece of a movement spans at most

Solid = Any
"""An obstacle's shape with the numbers that hold now."""


def relative(shape: Solid, position: np.ndarray, space: Space) -> np.ndarray:
    """A position relative to an obstacle's centre, or to a wall's point: to the nearest image."""
    origin = shape.point if shape.kind == "wall" else shape.centre
    return nearest_image(position - np.array(origin), space)


def clearance(shape: Solid, x: np.ndarray) -> tuple[float, np.ndarray]:
    """The distance from an obstacle's surface to x, given relative to its centre, negative where no
    boid may be; and the unit normal there, to where boids may be."""
    if shape.kind == "wall":
        n = np.array(shape.normal)
        if np.abs(n).max() < 1e-100:  # its square would vanish
            n = n / np.abs(n).max()
        n = n / np.linalg.norm(n)
        return float(x @ n), n
    if shape.kind == "box":
        half = np.array(shape.size) / 2
        out = x - np.clip(x, -half, half)
        if out.any():
            return float(np.linalg.norm(out)), out / np.linalg.norm(out)
        axis = int(np.argmin(half - np.abs(x)))
        return float(abs(x[axis]) - half[axis]), np.copysign(np.eye(len(x))[axis], x)
    tank = shape.kind == "tank"
    out = np.append(x[:2], np.zeros(len(x) - 2)) if tank else x  # a tank's axis points along z
    r = float(np.linalg.norm(out))
    n = out / r if r > 0.0 else np.eye(len(x))[0]
    return (shape.radius - r, -n) if tank else (r - shape.radius, n)


def to_surface(shape: Solid, position: np.ndarray, space: Space) -> tuple[np.ndarray, bool]:
    """The vector from a position to an obstacle's nearest surface point; whether it begins where no
    boid may be."""
    distance, normal = clearance(shape, relative(shape, position, space))
    return -distance * normal, distance < 0.0


def points_into(d: np.ndarray, planes: Sequence[np.ndarray], error: float) -> bool:
    """Whether a vector points into one of some planes, by more than rounding and an error."""
    return any(d @ n < -(INTO * np.linalg.norm(d) + error) for n in planes)


def slide(d: np.ndarray, planes: Sequence[np.ndarray]) -> np.ndarray:
    """The vector nearest to d that points into none of some planes."""
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


def entered(shape: Solid, x: np.ndarray, d: np.ndarray, skin: float, error: float) -> float:
    """When a position x, relative to the obstacle's centre, that moves by d comes within a skin of
    it: the part of d; infinity for never. What is within two skins is there already; it may come
    nearer by the error of d."""
    distance, n = clearance(shape, x)
    if distance <= 2.0 * skin:
        return 0.0 if points_into(d, [n], error) else math.inf
    if shape.kind == "wall":
        return (distance - skin) / -(d @ n) if d @ n < 0.0 else math.inf
    if shape.kind == "sphere":
        if x @ d >= 0.0:
            return math.inf
        # from where the line comes nearest to the centre back by half of the chord
        nearest = -(x @ d) / (d @ d)
        c = x + nearest * d
        left = (shape.radius + skin) ** 2 - c @ c
        return float(nearest - math.sqrt(left / (d @ d))) if left > 0.0 else math.inf
    half = np.array(shape.size) / 2 + skin
    enter, leave = 0.0, math.inf
    for at, way, h in zip(x, d, half, strict=True):
        if abs(way) * 1e15 > h + abs(at):
            first, last = sorted([(-h - at) / way, (h - at) / way])
            enter, leave = max(enter, first), min(leave, last)
        elif abs(at) >= h:
            return math.inf
    return enter if enter < leave else math.inf


@dataclass(frozen=True)
class Surroundings:
    """The obstacles and faces around a boid.

    shapes   the obstacles at the end of the step
    earlier  the same at its beginning
    length   what skins are a part of
    error    how far off coordinates may be
    noise    the error of directions: how far off the end of a movement may be
    """

    shapes: Sequence[Solid]
    earlier: Sequence[Solid]
    space: Space
    length: float = 0.0
    error: float = 0.0
    noise: float = 0.0

    def of(self, p: np.ndarray, way: float) -> Surroundings:
        """The same for a boid at p that moves by `way`."""
        from_corner = float(np.abs(p - self.space.lower).sum())
        return replace(
            self,
            length=min(from_corner, FAR_APART * way) + min(way, FAR_APART * from_corner),
            error=ROUNDING * float(np.abs(p).sum()),
            noise=NOISE * way,
        )

    def skin(self, shape: Solid, x: np.ndarray) -> float:
        """How thick the skin of an obstacle is for a boid at x from its centre, or before a wall at
        the distance from its plane."""
        wall = shape.kind == "wall"
        reach = float(abs(clearance(shape, x)[0]) if wall else np.abs(x).sum())
        most = math.inf
        if not wall:
            most = THIN * (min(shape.size) / 2 if shape.kind == "box" else shape.radius)
        return min(SKIN * (self.length + reach), most) + self.error + ROUNDING * reach

    def clearances(self, p: np.ndarray, tanks: bool) -> list[tuple[float, np.ndarray, float]]:
        """The distance to each obstacle, its normal, and how thick a skin is there."""
        found = []
        for shape in self.shapes:
            if tanks or shape.kind != "tank":
                x = relative(shape, p, self.space)
                found.append((*clearance(shape, x), self.skin(shape, x)))
        return found

    def is_free(self, p: np.ndarray, tanks: bool = True) -> bool:
        return all(distance >= 0.0 for distance, _, _ in self.clearances(p, tanks))

    def contacts(self, p: np.ndarray, tanks: bool) -> list[np.ndarray]:
        """The normals of the obstacles that p is in contact with, each once."""
        planes: list[np.ndarray] = []
        for distance, normal, skin in self.clearances(p, tanks):
            if distance <= 2.0 * skin and all(n @ normal <= 1.0 - TINY for n in planes):
                planes.append(normal)
        return planes

    def closed(self, axis: int) -> bool:
        return self.space.boundaries[axis] in ("reflecting", "held")

    def between(self, p: np.ndarray) -> np.ndarray:
        """A position brought between the closed faces."""
        closed = [self.closed(axis) for axis in range(len(p))]
        return np.where(closed, np.clip(p, self.space.lower, self.space.upper), p)

    def into_tanks(self, p: np.ndarray, d: np.ndarray) -> np.ndarray:
        """The vector d, bent so that p + d is inside all tanks, at the nearest point."""
        tanks = [shape for shape in self.shapes if shape.kind == "tank"]
        for _ in range(4 if tanks else 0):
            for shape in tanks:
                x = relative(shape, p, self.space)
                most, end = max(shape.radius - self.skin(shape, x), 0.0), (x + d)[:2]
                if np.linalg.norm(end) > most:
                    d = d.copy()
                    d[:2] += (most / np.linalg.norm(end) - 1.0) * end
        return d

    def first_entered(self, p: np.ndarray, d: np.ndarray) -> float:
        """When a boid that moves from p by d enters the first obstacle but for tanks."""
        return min(
            (entered(shape, x, d, skin, self.noise) for shape, x, skin in self._met(p, d)),
            default=math.inf,
        )

    def first_entered_on_way_out(self, p: np.ndarray, d: np.ndarray, thick: float) -> float:
        """The same for a boid that is inside obstacles, through which it may move. Skins count as
        the part `thick` of what they are."""
        return min(
            (
                entered(shape, x, d, thick * skin, self.noise)
                for shape, x, skin in self._met(p, d)
                if clearance(shape, x)[0] >= 0.0
            ),
            default=math.inf,
        )

    def _met(self, p: np.ndarray, d: np.ndarray) -> Iterator[tuple[Solid, np.ndarray, float]]:
        """Each image of an obstacle that reaches to the way from p by d, but for tanks: the
        obstacle, p relative to the image, and how thick the skin is."""
        for shape in self.shapes:
            if shape.kind == "tank":
                continue
            x = relative(shape, p, self.space)
            skin = self.skin(shape, x)
            for image in [x] if shape.kind == "wall" else self._images(shape, x, d, skin):
                yield shape, image, skin

    def _images(self, shape: Solid, x: np.ndarray, d: np.ndarray, skin: float) -> list[np.ndarray]:
        """The position x, relative to each image of an obstacle that reaches to the way by d."""
        half = np.array(shape.size) / 2 if shape.kind == "box" else np.full(len(x), shape.radius)
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
        """When a boid that moves from p by d comes to the first closed face, its axis, and where on
        the axis it is."""
        first = (math.inf, 0, 0.0)
        for axis, way in enumerate(d):
            if self.closed(axis) and abs(way) > TINY * np.abs(d).sum():
                face = self.space.upper[axis] if way > 0.0 else self.space.lower[axis]
                first = min(first, (max(0.0, (face - p[axis]) / way), axis, face))
        return first

    # --- out of obstacles

    def was_free(self, p: np.ndarray) -> bool:
        """Whether p was free at the beginning of the step."""
        return replace(self, shapes=self.earlier).is_free(p)

    def freed(self, p: np.ndarray, free_before: bool) -> np.ndarray:
        """A position outside of all obstacles, near p; p itself if it is, or if there is none.

        A boid that was free before obstacles moved comes to no far side: neither of the obstacles
        that came over it nor of others.
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
        """The direction in which a boid inside obstacle k leaves it: at the side from which the
        obstacle came, or else at the nearest."""
        before, after = (
            clearance(shapes[k], relative(shapes[k], p, self.space))
            for shapes in (self.earlier, self.shapes)
        )
        return before[1] if before[0] >= 0.0 else after[1]

    def _around(self, p: np.ndarray) -> list[int]:
        """The obstacles that p is inside of."""
        return [k for k, (distance, _, _) in enumerate(self.clearances(p, True)) if distance < 0.0]

    def _is_way_out(self, p: np.ndarray, end: np.ndarray, free_before: bool) -> bool:
        if not (self.is_free(end) and free_before):
            return self.is_free(end)
        if self._is_squeezed(end):
            return False
        solids = [k for k in self._around(p) if self.shapes[k].kind != "tank"]
        far_side = any((end - p) @ self._normal_out(k, p) < 0.0 for k in solids)
        return not far_side and self.first_entered_on_way_out(p, end - p, 0.25) > 1.0

    def _is_squeezed(self, p: np.ndarray) -> bool:
        """Whether a boid on a closed face has less than half a skin to an obstacle."""
        on_face = self._faces(p, 1.0) or self._faces(p, -1.0)
        near = any(distance < 0.5 * skin for distance, _, skin in self.clearances(p, False))
        return bool(on_face) and near

    def _pressed_out(self, p: np.ndarray) -> np.ndarray:
        """Where a boid ends that obstacles push out of themselves, one after the other, and that
        slides along the others and along closed faces."""
        for _ in range(MAX_PIECES):
            planes = [-np.eye(len(p))[k] for k in self._faces(p, 1.0)]
            planes += [np.eye(len(p))[k] for k in self._faces(p, -1.0)]
            planes += [n for d, n, skin in self.clearances(p, True) if 0.0 <= d <= 2.0 * skin]
            pushes = (self._push(k, p, planes) for k in self._around(p))
            further = next((q for q in pushes if q is not None), None)
            if further is None:
                return p
            p = further
        return p

    def _faces(self, p: np.ndarray, side: float) -> list[int]:
        """The axes on whose closed face p lies: the upper one, or with -1 the lower one."""
        face = self.space.upper if side > 0.0 else self.space.lower
        return [k for k in range(len(p)) if self.closed(k) and side * (p[k] - face[k]) >= 0.0]

    def _push(self, k: int, p: np.ndarray, planes: Sequence[np.ndarray]) -> np.ndarray | None:
        """Where obstacle k pushes a boid to that is inside of it; None if it does not move."""
        shape = self.shapes[k]
        x = relative(shape, p, self.space)
        distance, skin = clearance(shape, x)[0], self.skin(shape, x)
        e = slide(self._normal_out(k, p), planes)
        length = float(np.linalg.norm(e))
        if length <= TINY:
            return None
        e = e / length
        way = (skin - distance) / length if shape.kind == "tank" else _left_at(shape, x, e, skin)
        if not 0.0 < way < math.inf:
            return None
        d = self.into_tanks(p, way * e)
        t = min(1.0, self.first_face(p, d)[0], self.first_entered_on_way_out(p, d, 1.0))
        return self.between(p + t * d) if t * np.abs(d).sum() > TINY * skin else None

    def _put_out(self, p: np.ndarray) -> np.ndarray:
        for _ in range(16):
            for shape in self.shapes:
                x = relative(shape, p, self.space)
                distance, normal = clearance(shape, x)
                if distance < 0.0:
                    p = self.between(p + (self.skin(shape, x) - distance) * normal)
        return p

    def _shortest_way_out(self, p: np.ndarray, free_before: bool) -> np.ndarray:
        """The nearest free position along an axis, or along the normal of an obstacle around p."""
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
        """How far p must move along the unit vector e to be outside of all obstacles."""
        s = 0.0
        for _ in range(64):
            begin = s
            for shape in self.shapes:
                x = relative(shape, p + s * e, self.space)
                if clearance(shape, x)[0] < 0.0:
                    s += _left_at(shape, x, e, self.skin(shape, x))
                if math.isinf(s):
                    return s
            if s == begin:
                return s
        return math.inf

    def lifted(self, p: np.ndarray) -> np.ndarray:
        """A position that rounding has brought closer than half a skin to an obstacle, a skin away
        from it, if that is free and no other obstacle is on the way."""
        for shape in self.shapes:
            x = relative(shape, p, self.space)
            distance, normal = clearance(shape, x)
            if shape.kind != "tank" and distance < 0.5 * self.skin(shape, x):
                up = self.between(p + (self.skin(shape, x) - distance) * normal)
                free = self.is_free(up, tanks=False)
                if free and self.first_entered_on_way_out(p, up - p, 0.0) > 1.0:
                    p = up
        return p


def _left_at(shape: Solid, x: np.ndarray, e: np.ndarray, skin: float) -> float:
    """How far x inside an obstacle must move along the unit vector e to be a skin outside."""
    if shape.kind == "tank":
        return math.inf
    if shape.kind == "wall":
        distance, normal = clearance(shape, x)
        return float((skin - distance) / (e @ normal)) if e @ normal > TINY else math.inf
    if shape.kind == "sphere":
        beside = x - (x @ e) * e
        return float(math.sqrt(max(0.0, (shape.radius + skin) ** 2 - beside @ beside)) - x @ e)
    half = np.array(shape.size) / 2 + skin
    ends = zip(x, e, half, strict=True)
    return float(min((math.copysign(h, way) - at) / way for at, way, h in ends if abs(way) > TINY))


def move_past(
    shapes: Sequence[Solid],
    earlier: Sequence[Solid],
    p: np.ndarray,
    d: np.ndarray,
    velocity: np.ndarray,
    space: Space,
) -> tuple[np.ndarray, np.ndarray, float]:
    """A boid at p moves by d past obstacles and closed faces: its position and velocity then, and 0
    or why it is lost: ENCLOSED, it found no free position, or UNFINISHED, its movement has too many
    pieces.

    It slides along what it touches; its velocity loses what points into obstacles. `shapes` are the
    obstacles at the end of the step, `earlier` those at its beginning.
    """
    way = float(np.abs(d).sum())
    around, d = Surroundings(shapes, earlier, space).of(p, way), d.copy()
    free_before = around.was_free(p)
    if not around.is_free(p, tanks=False):
        p = around.freed(p, free_before)
        if free_before and not around.is_free(p):
            return p, velocity, ENCLOSED
    begin, lost = p, UNFINISHED
    lengths: list[float] = []
    sides = zip(space.size, space.boundaries, strict=True)
    least = min((side for side, boundary in sides if boundary != "open"), default=math.inf)
    for piece in range(MAX_PIECES):
        around = around.of(p, way)
        p = around.lifted(p)
        planes = around.contacts(p, tanks=False)
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
        velocity = slide(velocity, [*planes, *of_mirrors])
        planes = around.contacts(p, tanks=piece > 0)
        d = slide(d, [*planes, *of_mirrors, *of_faces])
        spans = [
            abs(way) / (PERIODS * side) if periodic else 0.0
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
            turns = np.floor((p - space.lower) / space.size)
            p = np.where(space.periodic, p - turns * space.size, p)
        lengths.append(t * float(np.abs(e).sum()))
        some = lengths[-STUCK:] if len(lengths) % STUCK == 0 else [math.inf]
        stuck = sum(some) <= STUCK * min(SKIN * around.length + around.error, TINY * least)
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
