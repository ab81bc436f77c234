"""Plain functions that every kernel may use: chance, obstacles, the faces of the space.

They are written like rules (scalars only) and travel into the kernel's text with them. `obstacle`
is one row of the obstacle table: kind, centre or point (3), radius or half sizes or normal (3).
"""

import math

import numpy as np

SPHERE, BOX, WALL, TANK = 0, 1, 2, 3

# What stands between a boid that touched an obstacle and its surface, as a part of the way there.
SKIN = 1e-5


def philox(index, step, purpose, key0, key1):
    """Four random 32-bit numbers, a pure function of the arguments (all uint64 below 2^32, but for
    `step`, which is below 2^63).

    Philox4x32-10: Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405.
    """
    low = np.uint64(0xFFFFFFFF)
    shift = np.uint64(32)
    c0 = np.uint64(index)
    c1 = np.uint64(step) & low
    c2 = np.uint64(step) >> shift
    c3 = np.uint64(purpose)
    k0 = np.uint64(key0)
    k1 = np.uint64(key1)
    for _ in range(10):
        p = np.uint64(0xD2511F53) * c0
        q = np.uint64(0xCD9E8D57) * c2
        c0 = (q >> shift) ^ c1 ^ k0
        c1 = q & low
        c2 = (p >> shift) ^ c3 ^ k1
        c3 = p & low
        k0 = (k0 + np.uint64(0x9E3779B9)) & low
        k1 = (k1 + np.uint64(0xBB67AE85)) & low
    return c0, c1, c2, c3


def lesser(a, b):
    """The lesser of two numbers of one type. numba takes long to find out what `min` means."""
    return b if b < a else a


def greater(a, b):
    """The greater of two numbers of one type."""
    return b if b > a else a


def surface(obstacle, x, y, z):
    """From (x, y, z), given relative to the obstacle's centre, to the nearest point of its surface,
    and the distance, negative where no boid may be: (dx, dy, dz, distance)."""
    a, b, c = obstacle[4], obstacle[5], obstacle[6]
    if obstacle[0] == SPHERE:
        r = math.sqrt(x * x + y * y + z * z)
        if r == 0.0:
            return a, 0.0, 0.0, -a
        k = a / r - 1.0
        return x * k, y * k, z * k, r - a
    if obstacle[0] == TANK:
        r = math.sqrt(x * x + y * y)
        if r == 0.0:
            return a, 0.0, 0.0, a
        k = a / r - 1.0
        return x * k, y * k, 0.0, a - r
    if obstacle[0] == WALL:
        d = x * a + y * b + z * c
        return -d * a, -d * b, -d * c, d
    # outside, the nearest point of a box is the point clamped to it
    qx, qy, qz = held(x, -a, a), held(y, -b, b), held(z, -c, c)
    dx, dy, dz = qx - x, qy - y, qz - z
    d = math.sqrt(dx * dx + dy * dy + dz * dz)
    if d > 0.0:
        return dx, dy, dz, d
    # inside, it lies on the nearest face
    fx, fy, fz = a - abs(x), b - abs(y), c - abs(z)
    if fx <= fy and fx <= fz:
        return math.copysign(fx, x), 0.0, 0.0, -fx
    if fy <= fz:
        return 0.0, math.copysign(fy, y), 0.0, -fy
    return 0.0, 0.0, math.copysign(fz, z), -fz


def hit(obstacle, x, y, z, dx, dy, dz):
    """When a point that moves from (x, y, z), relative to the obstacle's centre, by (dx, dy, dz)
    enters the obstacle: the part of the way (2 if never) and the outward normal there. What is
    inside already does not enter: it is put out when it has moved. Nor does what leaves a tank."""
    a, b, c = obstacle[4], obstacle[5], obstacle[6]
    if obstacle[0] == TANK:
        return 2.0, 0.0, 0.0, 0.0
    if obstacle[0] == SPHERE:
        inward = x * dx + y * dy + z * dz
        d2 = dx * dx + dy * dy + dz * dz
        outside = x * x + y * y + z * z - a * a
        if inward >= 0.0 or d2 == 0.0 or outside < 0.0:
            return 2.0, 0.0, 0.0, 0.0
        root = inward * inward - d2 * outside
        if root < 0.0:
            return 2.0, 0.0, 0.0, 0.0
        t = greater(0.0, (-inward - math.sqrt(root)) / d2)
        nx, ny, nz = x + t * dx, y + t * dy, z + t * dz
        k = 1.0 / math.sqrt(greater(nx * nx + ny * ny + nz * nz, 1e-30))
        return t, nx * k, ny * k, nz * k
    if obstacle[0] == WALL:
        ahead = x * a + y * b + z * c
        closing = dx * a + dy * b + dz * c
        if closing >= 0.0 or ahead + closing >= 0.0 or ahead < 0.0:
            return 2.0, 0.0, 0.0, 0.0
        return -ahead / closing, a, b, c
    # a box is entered when the last of its pairs of faces is crossed
    enter, leave, face, side = -1e30, 2.0, 0, 0.0
    for axis in range(3):
        p, d, h = x, dx, a
        if axis == 1:
            p, d, h = y, dy, b
        if axis == 2:
            p, d, h = z, dz, c
        if d == 0.0:
            if abs(p) >= h:
                return 2.0, 0.0, 0.0, 0.0
        else:
            s = math.copysign(1.0, d)
            first, last = (-s * h - p) / d, (s * h - p) / d
            if first > enter:
                enter, face, side = first, axis, -s
            leave = lesser(leave, last)
    if enter >= leave or enter < 0.0:
        return 2.0, 0.0, 0.0, 0.0
    t = enter
    if face == 0:
        return t, side, 0.0, 0.0
    if face == 1:
        return t, 0.0, side, 0.0
    return t, 0.0, 0.0, side


def touched(table, px, py, pz, dx, dy, dz, sx, sy, sz):
    """The first obstacle that a way from p by d enters: the part of the way (2 if none), normal.

    (sx, sy, sz) are the sides of the periodic axes, 0 for the others.
    """
    t, nx, ny, nz = 2.0, 0.0, 0.0, 0.0
    for k in range(table.shape[0]):
        x, y, z = beside(table[k], px, py, pz, sx, sy, sz)
        s, ax, ay, az = hit(table[k], x, y, z, dx, dy, dz)
        if s < t:
            t, nx, ny, nz = s, ax, ay, az
    return t, nx, ny, nz


def beside(obstacle, x, y, z, sx, sy, sz):
    """A point relative to an obstacle's centre, or to its nearest image on a torus."""
    x, y, z = x - obstacle[1], y - obstacle[2], z - obstacle[3]
    return nearest_image(x, sx), nearest_image(y, sy), nearest_image(z, sz)


def nearest_image(x, side):
    """A difference along an axis, to the nearest image where the side is not 0."""
    # whole sides, without a branch that every third boid would take
    near = x - side * np.floor(x / (side if side > 0.0 else 1e30) + 0.5)
    return near if side > 0.0 else x


def clear(table, px, py, pz, dx, dy, dz, sx, sy, sz):
    """Whether a boid that moves from p by d is so far from all obstacles that it meets none."""
    way = 1.001 * (abs(dx) + abs(dy) + abs(dz)) + SKIN * (abs(px) + abs(py) + abs(pz))
    for k in range(table.shape[0]):
        x, y, z = beside(table[k], px, py, pz, sx, sy, sz)
        if not beyond(table[k], x, y, z, way):
            return False
    return True


def out_of_reach(obstacle, x, y, z, radius):
    """Whether an obstacle is farther from a point, relative to its centre, than a rule senses."""
    return beyond(obstacle, x, y, z, 1.001 * radius + SKIN * (abs(x) + abs(y) + abs(z)))


def beyond(obstacle, x, y, z, way):
    """Whether a point, relative to the obstacle's centre, is farther than a way from its surface,
    where boids may be. It takes no square root, and says no to some that are."""
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


def held_out(table, px, py, pz, u, v, w, dt, sx, sy, sz):
    """A boid moves from p for a time dt, sliding along the obstacles it touches: its new position
    and velocity, which loses what pointed into them. It ends outside of all of them, or where it
    was. Whose way is clear needs none of this."""
    dx, dy, dz = u * dt, v * dt, w * dt
    blocked = 0
    for _ in range(4):
        t, nx, ny, nz = touched(table, px, py, pz, dx, dy, dz, sx, sy, sz)
        blocked = 0
        if t > 1.0:
            break
        blocked = 1
        skin = SKIN * (abs(px) + abs(py) + abs(pz))
        px, py, pz = px + t * dx + skin * nx, py + t * dy + skin * ny, pz + t * dz + skin * nz
        left = 1.0 - t
        into = lesser(0.0, dx * nx + dy * ny + dz * nz)
        dx, dy, dz = (dx - into * nx) * left, (dy - into * ny) * left, (dz - into * nz) * left
        into = lesser(0.0, u * nx + v * ny + w * nz)
        u, v, w = u - into * nx, v - into * ny, w - into * nz
    if blocked == 0:
        px, py, pz = px + dx, py + dy, pz + dz
    # obstacles may have moved over the boid, or the flock may have started inside
    for k in range(table.shape[0]):
        x, y, z = beside(table[k], px, py, pz, sx, sy, sz)
        ax, ay, az, depth = surface(table[k], x, y, z)
        if table[k][0] == TANK:
            # a tank is convex inside: the place in it nearest to the way's end is where a boid
            # slides to; and it stands off the wall as it would off another that it touched
            short = SKIN * (abs(px) + abs(py) + abs(pz)) - depth
            if short > 0.0:
                r = greater(table[k][4] - depth, 1e-30)
                nx, ny = -x / r, -y / r
                px, py = px + short * nx, py + short * ny
                into = lesser(0.0, u * nx + v * ny)
                u, v = u - into * nx, v - into * ny
        elif depth < 0.0:
            px, py, pz = px + ax * (1.0 + SKIN), py + ay * (1.0 + SKIN), pz + az * (1.0 + SKIN)
    return px, py, pz, u, v, w


def held(x, lower, upper):
    """A coordinate brought into [lower, upper]."""
    return lesser(greater(x, lower), upper)


def wrapped(x, lower, upper):
    """A coordinate brought into [lower, upper)."""
    if x < lower or x >= upper:
        x = x - (upper - lower) * float(math.floor((x - lower) / (upper - lower)))
        if x < lower or x >= upper:
            x = lower
    return x


def bounced(x, u, lower, upper):
    """A coordinate and its velocity, reflected at the faces until inside."""
    side = upper - lower
    if x < lower or x > upper:
        past = (x - lower) / side
        turns = float(math.floor(past))
        past = past - turns
        if turns - 2.0 * float(math.floor(0.5 * turns)) > 0.5:
            past = 1.0 - past
            u = -u
        x = held(lower + past * side, lower, upper)
    return x, u
