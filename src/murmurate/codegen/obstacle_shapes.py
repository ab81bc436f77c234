"""Compute distances from the surfaces of obstacles, and the skins around them.

Plain functions over scalars and tuples, compiled into every kernel, like those of
obstacle_contact.py and obstacle_movement.py. `obstacle` is one row of the table of obstacles: see
model/shapes. A boid may be outside of spheres and boxes, in front of walls, inside tanks, and
between closed faces: in the intersection of all of these. `faces` has a (kind, lower, upper) for
each axis; `sides` are the lengths of the periodic axes, 0 for the others. On periodic axes an
obstacle has an image in each period of the space.

      . . . . . . . . . .      Around each obstacle lies a zone, two skins thick. A boid that
     .  _____________    .     moves towards the obstacle stops at one skin. In the zone it is in
     . |  obstacle   | o .     contact: its movement loses what points into the obstacle. So
     . |_____________|   .     rounding never takes a boid through a surface.
      . . . . . . . . . .
"""

import math

import numpy as np

from murmurate.codegen.mesh_shapes import (
    is_beyond_mesh,
    mesh_clearance,
    mesh_extent,
    nearest_mesh_image,
)
from murmurate.codegen.shape_functions import NUMBERS, of_shape, with_shapes
from murmurate.model.shapes import inlined
from murmurate.model.shapes.geometry import (
    NEVER,
    TINY,
    clamp,
    dot,
    min2,
)

MESH = NUMBERS["MESH"]

MESHES = True
"""False in kernels of models without a mesh, which have no branch for it."""

NO_AXIS, OPEN, PERIODIC, REFLECTING, HELD = -1.0, 0.0, 1.0, 2.0, 3.0
"""Kinds of faces; NO_AXIS is for the third axis of a 2-D space."""

FACES = {"open": OPEN, "periodic": PERIODIC, "reflecting": REFLECTING, "held": HELD}

ENCLOSED, UNFINISHED = 1e30, 2e30
"""Coordinates of lost boids: without a free position, or with more than MAX_PIECES pieces."""

SKIN = 1e-5
"""Skin as a fraction of the lengths of a movement: see extent_of."""

MAX_SKIN_PART = 0.01
"""Maximum skin as a fraction of an obstacle's smallest radius or half side, without rounding."""

MAX_LENGTH_RATIO = 1e4
"""Maximum ratio of the two lengths in a skin: a larger length counts as this multiple."""

ROUNDING = {"float32": 1e-6, "float64": 1e-14}
"""Relative error of coordinates, which is the minimum thickness of a skin."""

DIRECTION_TOLERANCE = 1e-11
"""Fraction of a vector that may point into an obstacle."""

NOISE = 1e-15
"""The same, as a fraction of the movement or velocity of which the vector is the remainder."""

MAX_PIECES = 8192
"""A movement has at most this many pieces."""


# --- vectors


@inlined
def manhattan(a):
    """Return the sum of the absolute values of a vector's components."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


@inlined
def replace_component(p, axis, x):
    """Return a vector with one component replaced."""
    return x if axis == 0 else p[0], x if axis == 1 else p[1], x if axis == 2 else p[2]


def add_plane(planes, n):
    """Return the planes with n added, unless they contain it; at most four."""
    for k in range(4):
        if dot(planes[k], n) > 1.0 - TINY:
            return planes
    if dot(planes[0], planes[0]) == 0.0:
        return n, planes[1], planes[2], planes[3]
    if dot(planes[1], planes[1]) == 0.0:
        return planes[0], n, planes[2], planes[3]
    if dot(planes[2], planes[2]) == 0.0:
        return planes[0], planes[1], n, planes[3]
    return planes[0], planes[1], planes[2], n


# --- one obstacle


@inlined
def nearest_image(x, side):
    """Return a difference on an axis, to the nearest image if the side is not 0."""
    # whole sides, without a branch that every third boid would take
    near = x - side * np.floor(x / (side if side > 0.0 else 1e30) + 0.5)
    return near if side > 0.0 else x


@inlined
def relative_to_obstacle(obstacle, x, y, z, sx, sy, sz):
    """Return a position relative to an obstacle's centre, or to its nearest image on a torus."""
    x, y, z = x - obstacle[1], y - obstacle[2], z - obstacle[3]
    return nearest_image(x, sx), nearest_image(y, sy), nearest_image(z, sz)


@inlined
def relative_vector(obstacle, p, sides):
    """Return `relative_to_obstacle` of a vector."""
    return relative_to_obstacle(obstacle, p[0], p[1], p[2], sides[0], sides[1], sides[2])


@inlined
@with_shapes
def encloses(obstacle):
    """Return whether an obstacle contains boids."""
    return of_shape.encloses


@inlined
@with_shapes
def unbounded(obstacle):
    """Return whether an obstacle is a half-space."""
    return of_shape.unbounded


@with_shapes
def clearance(obstacle, x, y, z):
    """Return the distance from an obstacle's surface to (x, y, z), and the unit normal there.

    (x, y, z) is relative to the obstacle's centre. The distance is negative where boids must not
    be; the normal points to the allowed side.
    """
    if MESHES and obstacle[0] == MESH:
        return mesh_clearance(obstacle, x, y, z)
    return of_shape.clearance(obstacle, x, y, z)


def surface(obstacle, x, y, z):
    """Return (dx, dy, dz, distance) from (x, y, z) to the nearest point of an obstacle's surface.

    (x, y, z) is relative to the obstacle's centre. The distance is negative where boids must not
    be.
    """
    if MESHES and obstacle[0] == MESH:
        x, y, z = nearest_mesh_image(obstacle, x, y, z)
    d, nx, ny, nz = clearance(obstacle, x, y, z)
    return -d * nx, -d * ny, -d * nz, d


@inlined
@with_shapes
def is_beyond(obstacle, x, y, z, way):
    """Return whether a position is farther than `way` from an obstacle's surface, outside of it.

    The position is relative to the obstacle's centre. The test has no square root, and is false
    for some positions beyond `way`.
    """
    if MESHES and obstacle[0] == MESH:
        return is_beyond_mesh(obstacle, x, y, z, way)
    return of_shape.is_beyond(obstacle, x, y, z, way)


@inlined
@with_shapes
def half_sides(obstacle):
    """Return half the sides of a box around an obstacle that is not a wall."""
    if MESHES and obstacle[0] == MESH:
        return mesh_extent(obstacle)
    return of_shape.half_sides(obstacle)


@inlined
def is_out_of_reach(obstacle, x, y, z, radius):
    """Return whether a position, relative to the centre, is too far for a rule to sense it."""
    return is_beyond(obstacle, x, y, z, 1.001 * radius + SKIN * (abs(x) + abs(y) + abs(z)))


def extent_of(p, way, faces, rounding):
    """Return the terms of skins for a boid at p that moves by `way`.

    They are a length, the error of its coordinates, their relative error `rounding`, and the error
    of directions. The length adds the distance from the lower corner of the space and `way`, each
    limited by MAX_LENGTH_RATIO. So skins do not depend on the origin of the space.
    """
    from_corner = abs(p[0] - faces[0][1]) + abs(p[1] - faces[1][1]) + abs(p[2] - faces[2][1])
    length = min2(from_corner, MAX_LENGTH_RATIO * way) + min2(way, MAX_LENGTH_RATIO * from_corner)
    return length, rounding * manhattan(p), rounding, NOISE * way


@inlined
def skin_of(obstacle, x, extent):
    """Return the thickness of an obstacle's skin for a boid at x from its centre.

    For a wall only the distance along the normal counts: its point may be anywhere in the plane.
    """
    length, error, rounding, _ = extent
    if unbounded(obstacle):
        reach = abs(x[0] * obstacle[4] + x[1] * obstacle[5] + x[2] * obstacle[6])
        return SKIN * (length + reach) + error + rounding * reach
    reach = manhattan(x)
    a, b, c = half_sides(obstacle)
    return (
        min2(SKIN * (length + reach), MAX_SKIN_PART * min2(a, min2(b, c)))
        + error
        + rounding * reach
    )


@with_shapes
def entry_time(obstacle, x, d, skin, noise, out):
    """Return when x, moving by d, comes within a skin of an obstacle: not a tank, not a mesh.

    x is relative to the obstacle's centre. The result is a fraction of d, or NEVER. In contact, x
    comes no nearer than the error of directions allows. If `out` holds, x may move through an
    obstacle that contains it.
    """
    distance, nx, ny, nz = clearance(obstacle, x[0], x[1], x[2])
    if out and distance < 0.0:
        return NEVER
    n = nx, ny, nz
    closing = dot(d, n)
    if distance <= 2.0 * skin:
        # all of a convex obstacle lies behind the plane of the normal
        return 0.0 if closing < -(DIRECTION_TOLERANCE * math.sqrt(dot(d, d)) + noise) else NEVER
    return of_shape.entry_time(obstacle, x, d, skin, distance, closing)


# --- all of them


@inlined
def period(face):
    """Return the length of a periodic axis, and 0 for others."""
    return face[2] - face[1] if face[0] == PERIODIC else 0.0


@inlined
def periods(faces):
    """Return the periods of all axes."""
    return period(faces[0]), period(faces[1]), period(faces[2])


def min_side(faces):
    """Return the shortest side of the space, among axes that are not open."""
    side = 1e30
    for k in range(3):
        if faces[k][0] >= PERIODIC:
            side = min2(side, faces[k][2] - faces[k][1])
    return side


def wrap_position(p, faces):
    """Return a position wrapped into the space on periodic axes."""
    for k in range(3):
        side = period(faces[k])
        if side > 0.0:
            p = replace_component(p, k, p[k] - side * np.floor((p[k] - faces[k][1]) / side))
    return p


@inlined
def is_across(obstacle, sides):
    """Return whether an obstacle is a wall across a periodic axis.

    Half a period in front of such a wall, a boid passes behind its next image.
    """
    return unbounded(obstacle) and (
        abs(obstacle[4]) * sides[0] + abs(obstacle[5]) * sides[1] + abs(obstacle[6]) * sides[2]
        > 0.0
    )


@inlined
def is_clear(table, px, py, pz, dx, dy, dz, faces, rounding):
    """Return whether a boid that moves from p by d is too far from all obstacles to meet one.

    The test is fast, and false for some boids that meet none.
    """
    way = abs(dx) + abs(dy) + abs(dz)
    from_corner = abs(px - faces[0][1]) + abs(py - faces[1][1]) + abs(pz - faces[2][1])
    most = 2.2 * (SKIN * (from_corner + way) + rounding * (abs(px) + abs(py) + abs(pz) + way))
    sides = periods(faces)
    for k in range(table.shape[0]):
        x, y, z = relative_to_obstacle(table[k], px, py, pz, sides[0], sides[1], sides[2])
        # more than two skins: see skin_of
        reach = 1.001 * way + most + 2.2 * SKIN * (abs(x) + abs(y) + abs(z))
        if is_across(table[k], sides) or not is_beyond(table[k], x, y, z, reach):
            return False
    return True


def is_free(table, p, sides, tanks):
    """Return whether a position is free of all obstacles, and of tanks too if `tanks` holds."""
    for k in range(table.shape[0]):
        x = relative_vector(table[k], p, sides)
        if clearance(table[k], x[0], x[1], x[2])[0] < 0.0 and (tanks or not encloses(table[k])):
            return False
    return True


def clamp_to_faces(p, faces):
    """Return a position clamped between the closed faces."""
    x, y, z = p
    if faces[0][0] >= REFLECTING:
        x = clamp(x, faces[0][1], faces[0][2])
    if faces[1][0] >= REFLECTING:
        y = clamp(y, faces[1][1], faces[1][2])
    if faces[2][0] >= REFLECTING:
        z = clamp(z, faces[2][1], faces[2][2])
    return x, y, z
