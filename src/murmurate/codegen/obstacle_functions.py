"""Obstacles: how far away they are, and how boids move past them and past closed faces.

Plain functions over scalars and tuples, which every kernel uses. `obstacle` is one row of the table
of obstacles: kind, centre or point (3), radius or half sizes or unit normal (3). A boid may be
outside of spheres and boxes, in front of walls, inside tanks, and between closed faces: in the
intersection of all of these. `faces` has a (kind, lower, upper) for each axis; `sides` are the
lengths of the periodic axes, 0 for the others. On periodic axes an obstacle has an image in each
period of the space.

      . . . . . . . . . .      Around each obstacle lies a zone, two skins thick. A boid that
     .  _____________    .     moves towards the obstacle stops at one skin. In the zone it is in
     . |  obstacle   | o .     contact: its movement loses what points into the obstacle. So
     . |_____________|   .     rounding never takes a boid through a surface.
      . . . . . . . . . .
"""

import math

import numpy as np

from murmurate.codegen.kernel_functions import greater, held, lesser

SPHERE, BOX, WALL, TANK = 0, 1, 2, 3

NO_AXIS, OPEN, PERIODIC, REFLECTING, HELD = -1.0, 0.0, 1.0, 2.0, 3.0
"""What the faces of an axis do; a 2-D space has no third axis."""

FACES = {"open": OPEN, "periodic": PERIODIC, "reflecting": REFLECTING, "held": HELD}

ENCLOSED, UNFINISHED = 1e30, 2e30
"""Where a boid is put that obstacles leave no free position, or whose movement has more than PIECES
pieces: so far away that it is lost."""

SKIN = 1e-5
"""A skin as a part of the lengths that meet in a movement: see extent_of."""

THIN = 0.01
"""A skin is at most this part of the smallest radius or half side of its obstacle, and rounding."""

FAR_APART = 1e4
"""Of two lengths in a skin, the larger counts up to this many times the smaller."""

ROUNDING = {"float32": 1e-6, "float64": 1e-14}
"""What rounding a coordinate may cost, as a part of it: at least that thick is a skin."""

TINY = 1e-6
"""A part of a vector that makes no difference."""

INTO = 1e-11
"""A vector may point into an obstacle by this part of it."""

NOISE = 1e-15
"""And by this part of the movement or velocity that it is what is left of: rounding."""

NEVER = 2.0
"""When something happens that does not, in parts of a movement."""

PIECES = 8192
"""A movement has at most this many pieces."""

STUCK = 64
"""A boid stops that these many pieces move by less than a skin each."""

PERIODS = 4.0
"""A piece of a movement spans at most this many periods of the space."""


# --- vectors


def dot(a, b):
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def along(p, d, t):
    """p + t d."""
    return p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]


def scaled(a, k):
    """k a."""
    return k * a[0], k * a[1], k * a[2]


def manhattan(a):
    """The sum of a vector's components, without their signs."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


# --- one obstacle


def nearest_image(x, side):
    """A difference along an axis, to the nearest image where the side is not 0."""
    # whole sides, without a branch that every third boid would take
    near = x - side * np.floor(x / (side if side > 0.0 else 1e30) + 0.5)
    return near if side > 0.0 else x


def beside(obstacle, x, y, z, sx, sy, sz):
    """A position relative to an obstacle's centre, or to its nearest image on a torus."""
    x, y, z = x - obstacle[1], y - obstacle[2], z - obstacle[3]
    return nearest_image(x, sx), nearest_image(y, sy), nearest_image(z, sz)


def relative(obstacle, p, sides):
    """The same for vectors."""
    return beside(obstacle, p[0], p[1], p[2], sides[0], sides[1], sides[2])


def clearance(obstacle, x, y, z):
    """The distance from an obstacle's surface to (x, y, z), given relative to its centre, negative
    where no boid may be; and the unit normal there, to where boids may be."""
    a, b, c = obstacle[4], obstacle[5], obstacle[6]
    if obstacle[0] == SPHERE:
        r = math.sqrt(x * x + y * y + z * z)
        if r == 0.0:
            return -a, 1.0, 0.0, 0.0
        return r - a, x / r, y / r, z / r
    if obstacle[0] == TANK:
        r = math.sqrt(x * x + y * y)
        if r == 0.0:
            return a, -1.0, 0.0, 0.0
        return a - r, -x / r, -y / r, 0.0
    if obstacle[0] == WALL:
        return x * a + y * b + z * c, a, b, c
    # outside, the nearest point of a box is the point clamped to it
    dx, dy, dz = x - held(x, -a, a), y - held(y, -b, b), z - held(z, -c, c)
    d = math.sqrt(dx * dx + dy * dy + dz * dz)
    if d > 0.0:
        return d, dx / d, dy / d, dz / d
    # inside, it lies on the nearest face
    fx, fy, fz = a - abs(x), b - abs(y), c - abs(z)
    if fx <= fy and fx <= fz:
        return -fx, math.copysign(1.0, x), 0.0, 0.0
    if fy <= fz:
        return -fy, 0.0, math.copysign(1.0, y), 0.0
    return -fz, 0.0, 0.0, math.copysign(1.0, z)


def surface(obstacle, x, y, z):
    """The vector from (x, y, z), given relative to the obstacle's centre, to the nearest point of
    its surface, and the distance, negative where no boid may be: (dx, dy, dz, distance)."""
    d, nx, ny, nz = clearance(obstacle, x, y, z)
    return -d * nx, -d * ny, -d * nz, d


def beyond(obstacle, x, y, z, way):
    """Whether a position, relative to the obstacle's centre, is farther than `way` from its
    surface, where boids may be. It takes no square root, and answers no for some that are."""
    a, b, c = obstacle[4], obstacle[5], obstacle[6]
    if obstacle[0] == WALL:
        return x * a + y * b + z * c > way
    if obstacle[0] == TANK:
        room = a - way
        return room > 0.0 and x * x + y * y < room * room
    if obstacle[0] == BOX:
        return abs(x) > a + way or abs(y) > b + way or abs(z) > c + way
    far = a + way
    return x * x + y * y + z * z > far * far


def out_of_reach(obstacle, x, y, z, radius):
    """Whether a position, relative to the obstacle's centre, is too far for a rule to sense it."""
    return beyond(obstacle, x, y, z, 1.001 * radius + SKIN * (abs(x) + abs(y) + abs(z)))


def extent_of(p, way, faces, rounding):
    """What skins are made of, for a boid at p that moves by `way`: a length, the error of its
    coordinates, their `rounding`, and the error of directions.

    The length is the distance from the lower corner of the space, so that skins are the same
    wherever the space is, and `way`; neither counts for much more than the other.
    """
    from_corner = abs(p[0] - faces[0][1]) + abs(p[1] - faces[1][1]) + abs(p[2] - faces[2][1])
    length = lesser(from_corner, FAR_APART * way) + lesser(way, FAR_APART * from_corner)
    return length, rounding * manhattan(p), rounding, NOISE * way


def skin_of(obstacle, x, extent):
    """How thick the skin of an obstacle is for a boid at x from its centre. For a wall only the
    distance along the normal counts: any of its points may stand for it."""
    length, error, rounding, _ = extent
    if obstacle[0] == WALL:
        reach = abs(x[0] * obstacle[4] + x[1] * obstacle[5] + x[2] * obstacle[6])
        return SKIN * (length + reach) + error + rounding * reach
    reach = manhattan(x)
    size = obstacle[4]
    if obstacle[0] == BOX:
        size = lesser(size, lesser(obstacle[5], obstacle[6]))
    return lesser(SKIN * (length + reach), THIN * size) + error + rounding * reach


def entered(obstacle, x, d, skin, noise):
    """When a position x, relative to the obstacle's centre, that moves by d comes within a skin of
    a sphere, a box or a wall: the part of d, or NEVER. What is in contact does not come nearer, but
    for the error of directions."""
    distance, nx, ny, nz = clearance(obstacle, x[0], x[1], x[2])
    n = nx, ny, nz
    closing = dot(d, n)
    if distance <= 2.0 * skin:
        # all of a convex obstacle lies behind the plane of the normal
        return 0.0 if closing < -(INTO * math.sqrt(dot(d, d)) + noise) else NEVER
    if obstacle[0] == WALL:
        return (distance - skin) / -closing if distance - skin < -closing else NEVER
    if obstacle[0] == SPHERE:
        d2 = dot(d, d)
        nearest = -dot(x, d)  # where on the way it comes nearest to the centre, by d2
        if nearest <= 0.0:
            return NEVER
        c = along(x, d, nearest / d2)
        radius = obstacle[4] + skin
        left = radius * radius - dot(c, c)
        return (nearest - math.sqrt(left * d2)) / d2 if left > 0.0 else NEVER
    # a box is entered when the last of its pairs of faces is crossed
    enter, leave = -1e30, 1e30
    for axis in range(3):
        half = obstacle[4 + axis] + skin
        if abs(d[axis]) * 1e15 > half + abs(x[axis]):
            first = (-math.copysign(half, d[axis]) - x[axis]) / d[axis]
            last = (math.copysign(half, d[axis]) - x[axis]) / d[axis]
            enter, leave = greater(enter, first), lesser(leave, last)
        elif abs(x[axis]) >= half:
            return NEVER
    return greater(enter, 0.0) if enter < leave and leave > 0.0 else NEVER


# --- all of them


def period(face):
    """The length of an axis that is periodic, 0 of others."""
    return face[2] - face[1] if face[0] == PERIODIC else 0.0


def periods(faces):
    """Those of all axes."""
    return period(faces[0]), period(faces[1]), period(faces[2])


def least_side(faces):
    """The shortest side of the space, of axes that are not open."""
    side = 1e30
    for k in range(3):
        if faces[k][0] >= PERIODIC:
            side = lesser(side, faces[k][2] - faces[k][1])
    return side


def into_period(p, faces):
    """A position brought into the space on periodic axes."""
    for k in range(3):
        side = period(faces[k])
        if side > 0.0:
            p = with_axis(p, k, p[k] - side * np.floor((p[k] - faces[k][1]) / side))
    return p


def is_across(obstacle, sides):
    """Whether an obstacle is a wall across a periodic axis: at half a period from it a boid comes
    from its front to behind its next image."""
    return obstacle[0] == WALL and (
        abs(obstacle[4]) * sides[0] + abs(obstacle[5]) * sides[1] + abs(obstacle[6]) * sides[2]
        > 0.0
    )


def clear(table, px, py, pz, dx, dy, dz, faces, rounding):
    """Whether a boid that moves from p by d is so far from all obstacles that it meets none. It
    answers quickly, and no for some that meet none."""
    way = abs(dx) + abs(dy) + abs(dz)
    from_corner = abs(px - faces[0][1]) + abs(py - faces[1][1]) + abs(pz - faces[2][1])
    most = 2.2 * (SKIN * (from_corner + way) + rounding * (abs(px) + abs(py) + abs(pz) + way))
    sides = periods(faces)
    for k in range(table.shape[0]):
        x, y, z = beside(table[k], px, py, pz, sides[0], sides[1], sides[2])
        # more than two skins: see skin_of
        reach = 1.001 * way + most + 2.2 * SKIN * (abs(x) + abs(y) + abs(z))
        if is_across(table[k], sides) or not beyond(table[k], x, y, z, reach):
            return False
    return True


def is_free(table, p, sides, tanks):
    """Whether a position is inside no obstacle; outside of a tank only where `tanks` says no."""
    for k in range(table.shape[0]):
        x = relative(table[k], p, sides)
        if clearance(table[k], x[0], x[1], x[2])[0] < 0.0 and (tanks or table[k][0] != TANK):
            return False
    return True


def between(p, faces):
    """A position brought between the closed faces."""
    x, y, z = p
    if faces[0][0] >= REFLECTING:
        x = held(x, faces[0][1], faces[0][2])
    if faces[1][0] >= REFLECTING:
        y = held(y, faces[1][1], faces[1][2])
    if faces[2][0] >= REFLECTING:
        z = held(z, faces[2][1], faces[2][2])
    return x, y, z


def into_tanks(table, p, d, sides, extent):
    """The vector d, bent so that p + d is inside all tanks: at the nearest point to where it was. A
    tank is convex, so the way there is inside as well, if p is."""
    q = d
    for _ in range(4):
        bent = False
        for k in range(table.shape[0]):
            if table[k][0] == TANK:
                x = relative(table[k], p, sides)
                at = along(x, q, 1.0)
                most = greater(table[k][4] - skin_of(table[k], x, extent), 0.0)
                r = math.sqrt(at[0] * at[0] + at[1] * at[1])
                if r > most:
                    short = most / r - 1.0
                    q = q[0] + short * at[0], q[1] + short * at[1], q[2]
                    bent = True
        if not bent:
            break
    return q


def images(x, d, half, side):
    """The periods whose image of an obstacle is beside the way from x by d along an axis: the
    first, and how many. An axis that is not periodic has one."""
    if side == 0.0:
        return 0, 1
    first = math.ceil((lesser(x, x + d) - half) / side)
    last = math.floor((greater(x, x + d) + half) / side)
    return int(first), lesser(int(last - first) + 1, 16)


def entered_from_outside(obstacle, x, d, skin, noise, out):
    """The same as `entered`; where `out` says yes, NEVER for an obstacle that x is inside of."""
    if out and clearance(obstacle, x[0], x[1], x[2])[0] < 0.0:
        return NEVER
    return entered(obstacle, x, d, skin, noise)


def first_entered(table, p, d, sides, extent, thick, out):
    """When a boid that moves from p by d first comes within a skin of an obstacle, but for tanks:
    the part of d, or NEVER. Skins count as the part `thick` of what they are. A boid on its way
    `out` of obstacles may move through those that it is inside of."""
    t = NEVER
    for k in range(table.shape[0]):
        obstacle = table[k]
        x = relative(obstacle, p, sides)
        skin = thick * skin_of(obstacle, x, extent)
        if obstacle[0] == WALL:
            t = lesser(t, entered_from_outside(obstacle, x, d, skin, extent[3], out))
        elif obstacle[0] != TANK:
            a, b, c = obstacle[4], obstacle[5], obstacle[6]
            if obstacle[0] == SPHERE:
                b, c = a, a
            i, ni = images(x[0], d[0], a + 2.0 * skin, sides[0])
            j, nj = images(x[1], d[1], b + 2.0 * skin, sides[1])
            k0, nk = images(x[2], d[2], c + 2.0 * skin, sides[2])
            for m in range(ni * nj * nk):
                at = (
                    x[0] - float(i + m % ni) * sides[0],
                    x[1] - float(j + m // ni % nj) * sides[1],
                    x[2] - float(k0 + m // (ni * nj)) * sides[2],
                )
                t = lesser(t, entered_from_outside(obstacle, at, d, skin, extent[3], out))
    return t


def first_face(p, d, faces):
    """When a boid that moves from p by d first comes to a closed face: the part of d, or NEVER; and
    the axis."""
    t, axis = NEVER, 0
    for k in range(3):
        kind, lower, upper = faces[k]
        room = upper - p[k] if d[k] > 0.0 else p[k] - lower
        if kind >= REFLECTING and abs(d[k]) > TINY * manhattan(d) and room < t * abs(d[k]):
            t, axis = greater(0.0, room / abs(d[k])), k
    return t, axis


def with_axis(p, axis, x):
    """A vector with another component."""
    return x if axis == 0 else p[0], x if axis == 1 else p[1], x if axis == 2 else p[2]


# --- contact


def with_plane(planes, n):
    """The planes and one more, unless it is there already; there is room for four."""
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


def contacts(table, p, sides, extent, tanks, out=False):
    """The normals of the obstacles that a boid at p is in contact with: four, zeros for none. On
    its way `out` of obstacles those that it is inside of do not count."""
    none = 0.0, 0.0, 0.0
    planes = none, none, none, none
    for k in range(table.shape[0]):
        x = relative(table[k], p, sides)
        if tanks or table[k][0] != TANK:
            distance, nx, ny, nz = clearance(table[k], x[0], x[1], x[2])
            if distance <= 2.0 * skin_of(table[k], x, extent) and not (out and distance < 0.0):
                planes = with_plane(planes, (nx, ny, nz))
    return planes


def points_into(d, planes, whole):
    """Whether a vector, what is left of one as long as `whole`, points into one of some planes, by
    more than rounding."""
    error = -(INTO * math.sqrt(dot(d, d)) + NOISE * whole)
    one = dot(d, planes[0]) < error or dot(d, planes[1]) < error
    return one or dot(d, planes[2]) < error or dot(d, planes[3]) < error


def slide(d, planes):
    """The vector nearest to d that points into none of some planes: d, or its projection on a
    plane, on the crease of two, or nothing. It is never longer than d."""
    whole = math.sqrt(dot(d, d))
    if not points_into(d, planes, whole):
        return d
    best, longest = (0.0, 0.0, 0.0), 0.0
    for i in range(4):
        e = along(d, planes[i], -dot(d, planes[i]))
        if dot(e, e) > longest and not points_into(e, planes, whole):
            best, longest = e, dot(e, e)
    for i in range(3):
        for j in range(i + 1, 4):
            m, n = planes[i], planes[j]
            crease = m[1] * n[2] - m[2] * n[1], m[2] * n[0] - m[0] * n[2], m[0] * n[1] - m[1] * n[0]
            if dot(crease, crease) > TINY:
                e = scaled(crease, dot(d, crease) / dot(crease, crease))
                if dot(e, e) > longest and not points_into(e, planes, whole):
                    best, longest = e, dot(e, e)
    return best


def at_faces(p, d, v, planes, faces):
    """What closed faces make of the remaining movement d of a boid at p and of its velocity v: a
    reflecting face turns both round; where that would point into a plane, it is a plane as well. A
    held face is one for the movement alone. Returns d, v, and the planes of each."""
    for_d, for_v = planes, planes
    for k in range(3):
        kind, lower, upper = faces[k]
        side = 1.0 if p[k] >= upper else -1.0 if p[k] <= lower else 0.0
        if kind >= REFLECTING and side * d[k] > TINY * manhattan(d):
            back = with_axis(d, k, -d[k])
            if kind == REFLECTING and not points_into(back, planes, math.sqrt(dot(d, d))):
                d = back
                v = with_axis(v, k, -side * abs(v[k]))
            else:
                plane = with_axis((0.0, 0.0, 0.0), k, -side)
                for_d = with_plane(for_d, plane)
                if kind == REFLECTING:
                    for_v = with_plane(for_v, plane)
    return d, v, for_d, for_v


def joined(planes, more):
    """Two sets of planes as one."""
    for k in range(4):
        if dot(more[k], more[k]) > 0.0:
            planes = with_plane(planes, more[k])
    return planes


# --- out of obstacles


def put_out(table, p, sides, faces, extent):
    """A position brought out of the obstacles that it is inside, one after the other: near the
    nearest free one. It may be inside still, where obstacles leave little room."""
    for _ in range(16):
        moved = False
        for k in range(table.shape[0]):
            x = relative(table[k], p, sides)
            distance, nx, ny, nz = clearance(table[k], x[0], x[1], x[2])
            if distance < 0.0:
                p = between(along(p, (nx, ny, nz), skin_of(table[k], x, extent) - distance), faces)
                moved = True
        if not moved:
            break
    return p


def left_at(obstacle, x, e, skin):
    """How far a position x inside an obstacle, relative to its centre, must move along the unit
    vector e to be a skin outside; -1 if it never is."""
    if obstacle[0] == TANK:
        return -1.0
    if obstacle[0] == WALL:
        distance, nx, ny, nz = clearance(obstacle, x[0], x[1], x[2])
        rise = dot(e, (nx, ny, nz))
        return (skin - distance) / rise if rise > TINY else -1.0
    if obstacle[0] == SPHERE:
        inward, radius = -dot(x, e), obstacle[4] + skin
        c = along(x, e, inward)
        return inward + math.sqrt(greater(0.0, radius * radius - dot(c, c)))
    leave = 1e15
    for axis in range(3):
        if abs(e[axis]) > TINY:
            half = obstacle[4 + axis] + skin
            leave = lesser(leave, (math.copysign(half, e[axis]) - x[axis]) / e[axis])
    return leave


def free_at(table, p, e, sides, extent):
    """How far a position p must move along the unit vector e to be outside of all obstacles; -1 if
    it never is."""
    s = 0.0
    for _ in range(64):
        moved = False
        for k in range(table.shape[0]):
            x = relative(table[k], along(p, e, s), sides)
            if clearance(table[k], x[0], x[1], x[2])[0] < 0.0:
                further = left_at(table[k], x, e, skin_of(table[k], x, extent))
                if further < 0.0:
                    return -1.0
                s += further
                moved = True
        if not moved:
            return s
    return -1.0


def shortest_way_out(table, p, sides, faces, extent, earlier, free_before):
    """The nearest free position straight along an axis, or along the normal of an obstacle around
    p; p itself if there is none."""
    best, nearest = p, 1e15
    for k in range(table.shape[0] + 6):
        e = (0.0, 0.0, 0.0)
        if k < 6:
            if faces[k // 2][0] != NO_AXIS:
                e = with_axis((0.0, 0.0, 0.0), k // 2, 1.0 if k % 2 == 0 else -1.0)
        else:
            x = relative(table[k - 6], p, sides)
            distance, nx, ny, nz = clearance(table[k - 6], x[0], x[1], x[2])
            if distance < 0.0:
                e = nx, ny, nz
        if dot(e, e) > 0.0:
            s = free_at(table, p, e, sides, extent)
            q = between(along(p, e, s), faces)
            if 0.0 <= s < nearest and is_way_out(
                table, p, q, sides, faces, extent, earlier, free_before
            ):
                best, nearest = q, s
    return best


def way_of(obstacle, before, p, sides):
    """The unit normal along which a boid at p leaves an obstacle that it is inside of: of the side
    from which the obstacle came over it, where it was outside `before`."""
    x = relative(before, p, sides)
    distance, nx, ny, nz = clearance(before, x[0], x[1], x[2])
    if distance < 0.0:
        x = relative(obstacle, p, sides)
        distance, nx, ny, nz = clearance(obstacle, x[0], x[1], x[2])
    return nx, ny, nz


def is_squeezed(table, p, sides, faces, extent):
    """Whether less than half a skin is between an obstacle and a closed face on which a boid lies:
    no room for a boid."""
    on_face = faces_at(p, faces)[0]
    if dot(on_face, on_face) > 0.0:
        for k in range(table.shape[0]):
            x = relative(table[k], p, sides)
            distance = clearance(table[k], x[0], x[1], x[2])[0]
            if table[k][0] != TANK and distance < 0.5 * skin_of(table[k], x, extent):
                return True
    return False


def is_way_out(table, p, q, sides, faces, extent, earlier, free_before):
    """Whether a boid at p, inside obstacles, may be put to q: if q is free. For a boid that was
    free before obstacles moved, the straight way there must also lead through no other obstacle,
    and not to the far side of those that came over it."""
    if not is_free(table, q, sides, True):
        return False
    if free_before:
        if is_squeezed(table, q, sides, faces, extent):
            return False
        d = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        for k in range(table.shape[0]):
            x = relative(table[k], p, sides)
            inside = clearance(table[k], x[0], x[1], x[2])[0] < 0.0 and table[k][0] != TANK
            if inside and dot(d, way_of(table[k], earlier[k], p, sides)) < 0.0:
                return False
        # a boid keeps at least half a skin from obstacles
        return first_entered(table, p, d, sides, extent, 0.25, True) > 1.0
    return True


def faces_at(p, faces):
    """The closed faces that a position lies on, as planes."""
    none = 0.0, 0.0, 0.0
    planes = none, none, none, none
    for k in range(3):
        kind, lower, upper = faces[k]
        if kind >= REFLECTING and (p[k] >= upper or p[k] <= lower):
            planes = with_plane(planes, with_axis(none, k, -1.0 if p[k] >= upper else 1.0))
    return planes


def pressed_out(table, p, sides, faces, extent, earlier):
    """A boid at p moves out of the obstacles that came over it, and slides along the others and
    along closed faces. Returns where it ends: inside still, if these leave it no way."""
    for _ in range(PIECES):
        planes = joined(faces_at(p, faces), contacts(table, p, sides, extent, True, True))
        moved = False
        for k in range(table.shape[0]):
            x = relative(table[k], p, sides)
            distance = clearance(table[k], x[0], x[1], x[2])[0]
            if distance < 0.0:
                e = slide(way_of(table[k], earlier[k], p, sides), planes)
                length = math.sqrt(dot(e, e))
                if length > TINY:
                    e = scaled(e, 1.0 / length)
                    skin = skin_of(table[k], x, extent)
                    if table[k][0] == TANK:
                        way = (skin - distance) / length
                    else:
                        way = left_at(table[k], x, e, skin)
                    d = into_tanks(table, p, scaled(e, greater(way, 0.0)), sides, extent)
                    entry = first_entered(table, p, d, sides, extent, 1.0, True)
                    t = lesser(1.0, lesser(entry, first_face(p, d, faces)[0]))
                    if t * manhattan(d) > TINY * skin:
                        p = between(along(p, d, t), faces)
                        moved = True
                        break
        if not moved:
            break
    return p


def freed(table, p, sides, faces, extent, earlier, free_before):
    """A position outside of all obstacles, near p; p itself if it is, or if there is none.

    A boid that was free before obstacles moved comes to no far side: neither of the obstacles that
    came over it nor of others.
    """
    q = p
    if not is_free(table, p, sides, True):
        q = put_out(table, p, sides, faces, extent)
        if not is_way_out(table, p, q, sides, faces, extent, earlier, free_before):
            if free_before:
                q = pressed_out(table, p, sides, faces, extent, earlier)
            if not (
                free_before
                and is_free(table, q, sides, True)
                and not is_squeezed(table, q, sides, faces, extent)
            ):
                q = shortest_way_out(table, p, sides, faces, extent, earlier, free_before)
    return q


def lifted(table, p, sides, faces, extent):
    """A position that rounding has brought closer than half a skin to an obstacle, a skin away from
    it, if that is free and no other obstacle is on the way."""
    for k in range(table.shape[0]):
        x = relative(table[k], p, sides)
        skin = skin_of(table[k], x, extent)
        distance, nx, ny, nz = clearance(table[k], x[0], x[1], x[2])
        if distance < 0.5 * skin and table[k][0] != TANK:
            q = between(along(p, (nx, ny, nz), skin - distance), faces)
            d = q[0] - p[0], q[1] - p[1], q[2] - p[2]
            if is_free(table, q, sides, False) and (
                first_entered(table, p, d, sides, extent, 0.0, True) > 1.0
            ):
                p = q
    return p


# --- a movement


def move_past(table, earlier, px, py, pz, dx, dy, dz, u, v, w, faces, rounding):
    """A boid at p with the velocity (u, v, w) moves by d, past obstacles and closed faces. `table`
    has the obstacles as they are at the end of the step, `earlier` at its beginning. Positions,
    movements and velocities are float64: a movement may be much longer than what it meets.

    It slides along what it touches, along the crease of two, and stops in a corner; its velocity
    loses what points into obstacles. It ends outside of all obstacles and between closed faces.

    Returns its position, its velocity, and 0, or why it is lost. ENCLOSED: it found no free
    position; obstacles that move may leave it none. UNFINISHED: its movement has too many pieces.
    """
    sides = periods(faces)
    p, d, velocity = (px, py, pz), (dx, dy, dz), (u, v, w)
    way = manhattan(d)
    extent = extent_of(p, way, faces, rounding)
    if not is_free(table, p, sides, False):  # an obstacle moved over it, or it started inside
        free_before = is_free(earlier, p, sides, True)
        p = freed(table, p, sides, faces, extent, earlier, free_before)
        if free_before and not is_free(table, p, sides, True):
            return p[0], p[1], p[2], u, v, w, ENCLOSED
    begin = p
    lost, moved = UNFINISHED, 0.0
    for piece in range(PIECES):
        extent = extent_of(p, way, faces, rounding)
        p = lifted(table, p, sides, faces, extent)
        planes = contacts(table, p, sides, extent, False)
        d, velocity, for_d, for_v = at_faces(p, d, velocity, planes, faces)
        velocity = slide(velocity, for_v)
        if piece > 0:  # a tank by itself only bends the movement: see into_tanks
            for_d = joined(for_d, contacts(table, p, sides, extent, True))
        d = slide(d, for_d)
        part = 1.0
        for k in range(3):
            if abs(d[k]) > PERIODS * sides[k] and sides[k] > 0.0:
                part = lesser(part, PERIODS * sides[k] / abs(d[k]))
        e = into_tanks(table, p, scaled(d, part), sides, extent)
        face, axis = first_face(p, e, faces)
        entry = first_entered(table, p, e, sides, extent, 1.0, False)
        t = lesser(1.0, lesser(face, entry))
        p = along(p, e, t)
        if face == t:
            p = with_axis(p, axis, faces[axis][2] if e[axis] > 0.0 else faces[axis][1])
        p = between(p, faces)
        if part < 1.0:
            p = into_period(p, faces)
        d = along(scaled(d, 1.0 - part), e, 1.0 - t)
        moved += t * manhattan(e)
        stuck = False
        if piece % STUCK == STUCK - 1:
            stuck = moved <= STUCK * lesser(SKIN * extent[0] + extent[1], TINY * least_side(faces))
            moved = 0.0
        if stuck or manhattan(d) <= TINY * way:
            lost = 0.0
            break
    extent = extent_of(p, way, faces, rounding)
    p = lifted(table, p, sides, faces, extent)  # where coordinates are larger than they were
    if not is_free(table, p, sides, True):
        free_before = is_free(earlier, (px, py, pz), sides, True)
        p = freed(table, p, sides, faces, extent, earlier, free_before)
        if not is_free(table, p, sides, True):
            p = begin
            if not is_free(table, p, sides, True):
                lost = ENCLOSED
    velocity = slide(velocity, contacts(table, p, sides, extent, True))
    return p[0], p[1], p[2], velocity[0], velocity[1], velocity[2], lost


def pushed(table, earlier, px, py, pz, faces, rounding):
    """Where a boid at p that does not move is then: obstacles that moved over it push it out."""
    p = np.float64(px), np.float64(py), np.float64(pz)
    if clear(table, px, py, pz, 0.0, 0.0, 0.0, faces, rounding):
        return p
    x, y, z, _, _, _, lost = move_past(
        table, earlier, p[0], p[1], p[2], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, faces, rounding
    )
    if lost > 0.0:
        return np.float64(lost), np.float64(lost), np.float64(0.0)
    return x, y, z
