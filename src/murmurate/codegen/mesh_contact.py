"""Find the parts of a mesh that a boid meets, and those that it touches.

Each triangle is a convex obstacle with a skin around it, and a boid may touch several. Parameters
are those of obstacle_shapes.py and mesh_shapes.py.
"""

import math

from murmurate.codegen.intrinsic_names import float_of, number
from murmurate.codegen.mesh_data import (
    CORNERS,
    CORNERS_AT,
    N_NODES,
    NODE,
    NODES_AT,
    RING,
    RINGS_AT,
    THICKNESS,
    TRIANGLE,
    TRIANGLES_AT,
)
from murmurate.codegen.mesh_shapes import (
    CORNER,
    EDGE,
    FACE,
    ON_SURFACE,
    from_triangle,
    mesh_address,
    mesh_clearance,
    node_gap,
    pseudonormal,
    vector_at,
)
from murmurate.codegen.obstacle_shapes import DIRECTION_TOLERANCE, add_plane
from murmurate.model.shapes.geometry import NEVER, dot, max2, min2

BESIDE = 1e-9
"""Part of its height above an edge or a corner by which a position may be over a neighbour."""


def is_touched(mesh, k, part, dx, dy, dz, skin):
    """Return whether no neighbour of a part of triangle k is nearer to a position than the part.

    (dx, dy, dz) leads from the nearest point of the triangle to the position. So a boid that moves
    along a face does not meet the edges of the next ones. Parts seen from the solid do not count.
    """
    at = number(mesh, TRIANGLES_AT) + TRIANGLE * k
    nx, ny, nz = vector_at(mesh, at + 3 * part)
    side = dx * nx + dy * ny + dz * nz
    if part == FACE:
        return side >= -0.5 * skin
    if side < 0.0:
        return False
    error = BESIDE * side
    if part < CORNER:
        mx, my, mz = vector_at(mesh, at + 21 + 3 * (part - EDGE))
        return dx * mx + dy * my + dz * mz <= error
    first = number(mesh, at + 30 + part - CORNER)
    rings = number(mesh, RINGS_AT)
    for i in range(first, first + number(mesh, at + 33 + part - CORNER)):
        ex, ey, ez = vector_at(mesh, rings + RING * i)
        if dx * ex + dy * ey + dz * ez > error:
            return False
    return True


def part_normal(mesh, k, part, dx, dy, dz):
    """Return the unit normal from the nearest point of triangle k to a position."""
    nx, ny, nz = pseudonormal(mesh, k, part)
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    if part == FACE or distance <= ON_SURFACE * float_of(mesh, THICKNESS):
        return nx, ny, nz
    return dx / distance, dy / distance, dz / distance


def face_entry(mesh, k, x, d, reach):
    """Return when x, moving by d, comes within `reach` of the plane of triangle k, above it."""
    nx, ny, nz = pseudonormal(mesh, k, FACE)
    at = number(mesh, CORNERS_AT) + CORNERS * k
    ax, ay, az = vector_at(mesh, at)
    h = (x[0] - ax) * nx + (x[1] - ay) * ny + (x[2] - az) * nz
    rise = d[0] * nx + d[1] * ny + d[2] * nz
    room = abs(h) - reach
    if h * rise >= 0.0 or room < 0.0 or room > abs(rise):
        return NEVER
    t = room / abs(rise)
    px, py, pz = x[0] + t * d[0], x[1] + t * d[1], x[2] + t * d[2]
    for i in range(3):
        ax, ay, az = vector_at(mesh, at + 3 * i)
        bx, by, bz = vector_at(mesh, at + 3 * ((i + 1) % 3))
        ex, ey, ez = bx - ax, by - ay, bz - az
        qx, qy, qz = px - ax, py - ay, pz - az
        across = nx * (ey * qz - ez * qy) + ny * (ez * qx - ex * qz) + nz * (ex * qy - ey * qx)
        if across < 0.0:
            return NEVER
    return t


def approach(w, d, reach):
    """Return when a point that moves from w by d comes within `reach` of the origin."""
    d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    nearest = -(w[0] * d[0] + w[1] * d[1] + w[2] * d[2])  # times d2
    if nearest <= 0.0 or d2 == 0.0:
        return NEVER
    t = nearest / d2
    cx, cy, cz = w[0] + t * d[0], w[1] + t * d[1], w[2] + t * d[2]
    left = reach * reach - (cx * cx + cy * cy + cz * cz)
    if left <= 0.0:
        return NEVER
    t = t - math.sqrt(left / d2)
    return t if 0.0 <= t <= 1.0 else NEVER


def rim_entry(mesh, k, x, d, reach):
    """Return when x, moving by d, comes within `reach` of an edge or a corner of triangle k."""
    t = NEVER
    at = number(mesh, CORNERS_AT) + CORNERS * k
    for i in range(3):
        ax, ay, az = vector_at(mesh, at + 3 * i)
        bx, by, bz = vector_at(mesh, at + 3 * ((i + 1) % 3))
        ex, ey, ez = bx - ax, by - ay, bz - az
        wx, wy, wz = x[0] - ax, x[1] - ay, x[2] - az
        t = min2(t, approach((wx, wy, wz), d, reach))
        e2 = ex * ex + ey * ey + ez * ez
        u = (wx * ex + wy * ey + wz * ez) / e2
        v = (d[0] * ex + d[1] * ey + d[2] * ez) / e2
        w_across = wx - u * ex, wy - u * ey, wz - u * ez
        d_across = d[0] - v * ex, d[1] - v * ey, d[2] - v * ez
        s = approach(w_across, d_across, reach)
        if s < t and 0.0 <= u + s * v <= 1.0:
            t = s
    return t


def triangle_entry(mesh, k, x, d, skin, error):
    """Return when x, moving by d, comes within a skin of triangle k, as a fraction of d.

    Within two skins it comes no nearer to parts that it touches, and to other parts not nearer than
    a quarter of a skin: those are neighbours of a part that it touches.
    """
    dx, dy, dz, part = from_triangle(mesh, k, x[0], x[1], x[2])
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    reach = skin
    if distance <= 2.0 * skin:
        if is_touched(mesh, k, part, dx, dy, dz, skin):
            nx, ny, nz = part_normal(mesh, k, part, dx, dy, dz)
            if d[0] * nx + d[1] * ny + d[2] * nz >= -error:
                return NEVER
        reach = min2(0.25 * skin, 0.5 * distance)
    return min2(face_entry(mesh, k, x, d, reach), rim_entry(mesh, k, x, d, reach))


def mesh_entry(obstacle, x, d, skin, noise, out):
    """Return when x, moving by d, comes within a skin of a mesh, as a fraction of d.

    noise  error of d
    out    whether x may move through the mesh if it is in the solid
    """
    if out and mesh_clearance(obstacle, x[0], x[1], x[2])[0] < 0.0:
        return NEVER
    error = DIRECTION_TOLERANCE * math.sqrt(dot(d, d)) + noise
    mesh, t, node = mesh_address(obstacle), NEVER, 0
    first = number(mesh, NODES_AT)
    while node < number(mesh, N_NODES):
        at = first + NODE * node
        is_near = True
        for axis in range(3):
            low, high = min2(x[axis], x[axis] + d[axis]), max2(x[axis], x[axis] + d[axis])
            is_near = is_near and high + 2.0 * skin >= float_of(mesh, at + axis)
            is_near = is_near and low - 2.0 * skin <= float_of(mesh, at + 3 + axis)
        if is_near:
            begin = number(mesh, at + 7)
            for k in range(begin, begin + number(mesh, at + 8)):
                t = min2(t, triangle_entry(mesh, k, x, d, skin, error))
            node += 1
        else:
            node = number(mesh, at + 6)
    return t


def mesh_planes(planes, obstacle, x, skin, out):
    """Return the planes with those of the parts of a mesh that a boid at x touches.

    They are the faces, edges and corners within two skins that are nearer than what is around them,
    so a corner of a concave mesh has several. If `out` holds, a mesh that contains x has none.
    """
    if out and mesh_clearance(obstacle, x[0], x[1], x[2])[0] < 0.0:
        return planes
    mesh, node, reach = mesh_address(obstacle), 0, 4.0 * skin * skin
    first = number(mesh, NODES_AT)
    while node < number(mesh, N_NODES):
        at = first + NODE * node
        if node_gap(mesh, at, x[0], x[1], x[2]) > reach:
            node = number(mesh, at + 6)
        else:
            begin = number(mesh, at + 7)
            for k in range(begin, begin + number(mesh, at + 8)):
                dx, dy, dz, part = from_triangle(mesh, k, x[0], x[1], x[2])
                if dx * dx + dy * dy + dz * dz <= reach and is_touched(
                    mesh, k, part, dx, dy, dz, skin
                ):
                    planes = add_plane(planes, part_normal(mesh, k, part, dx, dy, dz))
            node += 1
    return planes
