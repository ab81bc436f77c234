"""Find the obstacles, tanks and closed faces that a boid meets, and those that it touches.

Parameters are those of obstacle_shapes.py. Up to four planes describe contacts. Each plane is a
unit normal that points to the allowed side; zeros stand for no contact.
"""

import math

from murmurate.codegen.mesh_contact import mesh_entry, mesh_planes
from murmurate.codegen.obstacle_shapes import (
    DIRECTION_TOLERANCE,
    MESH,
    MESHES,
    NOISE,
    REFLECTING,
    add_plane,
    clearance,
    encloses,
    entry_time,
    half_sides,
    manhattan,
    relative_vector,
    replace_component,
    skin_of,
    unbounded,
)
from murmurate.model.shapes.geometry import NEVER, TINY, add_scaled, dot, max2, min2, scale


def bend_into_tanks(table, p, d, sides, extent):
    """Return the movement d, changed so that p + d is inside all tanks, at the nearest such point.

    A tank is convex, so the path stays inside if p is inside.
    """
    q = d
    for _ in range(4):
        bent = False
        for k in range(table.shape[0]):
            if encloses(table[k]):
                x = relative_vector(table[k], p, sides)
                at = add_scaled(x, q, 1.0)
                most = max2(table[k][4] - skin_of(table[k], x, extent), 0.0)
                r = math.sqrt(at[0] * at[0] + at[1] * at[1])
                if r > most:
                    short = most / r - 1.0
                    q = q[0] + short * at[0], q[1] + short * at[1], q[2]
                    bent = True
        if not bent:
            break
    return q


def image_range(x, d, half, side):
    """Return the periods in which an image of an obstacle overlaps the path from x by d on an axis.

    The result is the first period and their number; an axis that is not periodic has one.
    """
    if side == 0.0:
        return 0, 1
    first = math.ceil((min2(x, x + d) - half) / side)
    last = math.floor((max2(x, x + d) + half) / side)
    return int(first), min2(int(last - first) + 1, 16)


def first_hit(table, p, d, sides, extent, thick, out):
    """Return when a boid that moves from p by d first comes within a skin of an obstacle.

    The result is a fraction of d, or NEVER. Tanks do not count. Skins are scaled by `thick`. If
    `out` holds, the boid leaves obstacles and may move through those that contain it.
    """
    t = NEVER
    for k in range(table.shape[0]):
        obstacle = table[k]
        if encloses(obstacle):
            continue
        x = relative_vector(obstacle, p, sides)
        skin = thick * skin_of(obstacle, x, extent)
        i, ni, j, nj, k0, nk = 0, 1, 0, 1, 0, 1
        if not unbounded(obstacle):
            a, b, c = half_sides(obstacle)
            i, ni = image_range(x[0], d[0], a + 2.0 * skin, sides[0])
            j, nj = image_range(x[1], d[1], b + 2.0 * skin, sides[1])
            k0, nk = image_range(x[2], d[2], c + 2.0 * skin, sides[2])
        for m in range(ni * nj * nk):
            at = (
                x[0] - float(i + m % ni) * sides[0],
                x[1] - float(j + m // ni % nj) * sides[1],
                x[2] - float(k0 + m // (ni * nj)) * sides[2],
            )
            if MESHES and obstacle[0] == MESH:
                t = min2(t, mesh_entry(obstacle, at, d, skin, extent[3], out))
                continue
            t = min2(t, entry_time(obstacle, at, d, skin, extent[3], out))
    return t


def first_face(p, d, faces):
    """Return when a boid that moves from p by d first meets a closed face, and the axis.

    The time is a fraction of d, or NEVER.
    """
    t, axis = NEVER, 0
    for k in range(3):
        kind, lower, upper = faces[k]
        room = upper - p[k] if d[k] > 0.0 else p[k] - lower
        if kind >= REFLECTING and abs(d[k]) > TINY * manhattan(d) and room < t * abs(d[k]):
            t, axis = max2(0.0, room / abs(d[k])), k
    return t, axis


def contact_planes(table, p, sides, extent, tanks, out=False):
    """Return the normals of the obstacles that a boid at p touches: four, zeros for none.

    If `out` holds, obstacles that contain the boid do not count.
    """
    none = 0.0, 0.0, 0.0
    planes = none, none, none, none
    for k in range(table.shape[0]):
        x = relative_vector(table[k], p, sides)
        if MESHES and table[k][0] == MESH:
            planes = mesh_planes(planes, table[k], x, skin_of(table[k], x, extent), out)
            continue
        if tanks or not encloses(table[k]):
            distance, nx, ny, nz = clearance(table[k], x[0], x[1], x[2])
            if distance <= 2.0 * skin_of(table[k], x, extent) and not (out and distance < 0.0):
                planes = add_plane(planes, (nx, ny, nz))
    return planes


def points_into(d, planes, whole):
    """Return whether a vector points into one of the planes by more than rounding.

    `whole` is the length of the vector of which d is the remainder.
    """
    error = -(DIRECTION_TOLERANCE * math.sqrt(dot(d, d)) + NOISE * whole)
    one = dot(d, planes[0]) < error or dot(d, planes[1]) < error
    return one or dot(d, planes[2]) < error or dot(d, planes[3]) < error


def slide(d, planes):
    """Return the vector nearest to d that points into none of the planes.

    It is d, its projection on a plane, its projection on the crease of two planes, or zero. It is
    never longer than d.
    """
    whole = math.sqrt(dot(d, d))
    if not points_into(d, planes, whole):
        return d
    best, longest = (0.0, 0.0, 0.0), 0.0
    for i in range(4):
        e = add_scaled(d, planes[i], -dot(d, planes[i]))
        if dot(e, e) > longest and not points_into(e, planes, whole):
            best, longest = e, dot(e, e)
    for i in range(3):
        for j in range(i + 1, 4):
            m, n = planes[i], planes[j]
            crease = m[1] * n[2] - m[2] * n[1], m[2] * n[0] - m[0] * n[2], m[0] * n[1] - m[1] * n[0]
            if dot(crease, crease) > TINY:
                e = scale(crease, dot(d, crease) / dot(crease, crease))
                if dot(e, e) > longest and not points_into(e, planes, whole):
                    best, longest = e, dot(e, e)
    return best


def reflect_at_faces(p, d, v, planes, faces):
    """Apply closed faces to the remaining movement d of a boid at p and to its velocity v.

    A reflecting face reverses both; if the result would point into a plane, the face is a plane
    too. A held face is a plane for the movement only. Return d, v, and the planes of each.
    """
    for_d, for_v = planes, planes
    for k in range(3):
        kind, lower, upper = faces[k]
        side = 1.0 if p[k] >= upper else -1.0 if p[k] <= lower else 0.0
        if kind >= REFLECTING and side * d[k] > TINY * manhattan(d):
            back = replace_component(d, k, -d[k])
            if kind == REFLECTING and not points_into(back, planes, math.sqrt(dot(d, d))):
                d = back
                v = replace_component(v, k, -side * abs(v[k]))
            else:
                plane = replace_component((0.0, 0.0, 0.0), k, -side)
                for_d = add_plane(for_d, plane)
                if kind == REFLECTING:
                    for_v = add_plane(for_v, plane)
    return d, v, for_d, for_v


def merge_planes(planes, more):
    """Return the union of two sets of planes."""
    for k in range(4):
        if dot(more[k], more[k]) > 0.0:
            planes = add_plane(planes, more[k])
    return planes


def face_planes(p, faces):
    """Return the closed faces that contain a position, as planes."""
    none = 0.0, 0.0, 0.0
    planes = none, none, none, none
    for k in range(3):
        kind, lower, upper = faces[k]
        if kind >= REFLECTING and (p[k] >= upper or p[k] <= lower):
            planes = add_plane(planes, replace_component(none, k, -1.0 if p[k] >= upper else 1.0))
    return planes
