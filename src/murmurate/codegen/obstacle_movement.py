"""Move boids past obstacles and closed faces.

Parameters are those of obstacle_shapes.py.
"""

import math

import numpy as np

from murmurate.codegen.mesh_shapes import mesh_exit
from murmurate.codegen.obstacle_contact import (
    bend_into_tanks,
    contact_planes,
    face_planes,
    first_face,
    first_hit,
    merge_planes,
    reflect_at_faces,
    slide,
)
from murmurate.codegen.obstacle_shapes import (
    ENCLOSED,
    MAX_PIECES,
    MESH,
    MESHES,
    NO_AXIS,
    SKIN,
    UNFINISHED,
    clamp_to_faces,
    clearance,
    encloses,
    extent_of,
    is_clear,
    is_free,
    manhattan,
    min_side,
    periods,
    relative_vector,
    replace_component,
    skin_of,
    wrap_position,
)
from murmurate.codegen.shape_functions import of_shape, with_shapes
from murmurate.model.shapes.geometry import TINY, add_scaled, dot, max2, min2, scale


def leave_obstacles(table, p, sides, faces, extent):
    """Return a position near p outside of the obstacles that contain p.

    It leaves one obstacle at a time, and may end inside where obstacles leave little room.
    """
    for _ in range(16):
        moved = False
        for k in range(table.shape[0]):
            x = relative_vector(table[k], p, sides)
            distance, nx, ny, nz = clearance(table[k], x[0], x[1], x[2])
            if distance < 0.0:
                p = clamp_to_faces(
                    add_scaled(p, (nx, ny, nz), skin_of(table[k], x, extent) - distance), faces
                )
                moved = True
        if not moved:
            break
    return p


@with_shapes
def exit_distance(obstacle, x, e, skin):
    """Return the distance along the unit vector e from x to a skin outside of an obstacle.

    x is inside the obstacle, relative to its centre. The result is -1 if e never leads out.
    """
    if MESHES and obstacle[0] == MESH:
        return mesh_exit(obstacle, x, e, skin)
    return of_shape.exit_distance(obstacle, x, e, skin)


def free_distance(table, p, e, sides, extent):
    """Return the distance along the unit vector e from p to a position outside of all obstacles.

    The result is -1 if e never leads out.
    """
    s = 0.0
    for _ in range(64):
        moved = False
        for k in range(table.shape[0]):
            x = relative_vector(table[k], add_scaled(p, e, s), sides)
            if clearance(table[k], x[0], x[1], x[2])[0] < 0.0:
                further = exit_distance(table[k], x, e, skin_of(table[k], x, extent))
                if further < 0.0:
                    return -1.0
                s += further
                moved = True
        if not moved:
            return s
    return -1.0


def shortest_exit(table, p, sides, faces, extent, earlier, free_before):
    """Return the nearest free position along an axis, or along the normal of an obstacle around p.

    The result is p if no such position is free.
    """
    best, nearest = p, 1e15
    for k in range(table.shape[0] + 6):
        e = (0.0, 0.0, 0.0)
        if k < 6:
            if faces[k // 2][0] != NO_AXIS:
                e = replace_component((0.0, 0.0, 0.0), k // 2, 1.0 if k % 2 == 0 else -1.0)
        else:
            x = relative_vector(table[k - 6], p, sides)
            distance, nx, ny, nz = clearance(table[k - 6], x[0], x[1], x[2])
            if distance < 0.0:
                e = nx, ny, nz
        if dot(e, e) > 0.0:
            s = free_distance(table, p, e, sides, extent)
            q = clamp_to_faces(add_scaled(p, e, s), faces)
            if 0.0 <= s < nearest and is_exit(
                table, p, q, sides, faces, extent, earlier, free_before
            ):
                best, nearest = q, s
    return best


def exit_direction(obstacle, before, p, sides):
    """Return the unit normal along which a boid at p leaves an obstacle that contains it.

    If the boid was outside of the obstacle `before`, this is the side from which the obstacle came.
    """
    x = relative_vector(before, p, sides)
    distance, nx, ny, nz = clearance(before, x[0], x[1], x[2])
    if distance < 0.0:
        x = relative_vector(obstacle, p, sides)
        distance, nx, ny, nz = clearance(obstacle, x[0], x[1], x[2])
    return nx, ny, nz


def is_squeezed(table, p, sides, faces, extent):
    """Return whether a boid on a closed face has less than half a skin of room to an obstacle."""
    on_face = face_planes(p, faces)[0]
    if dot(on_face, on_face) > 0.0:
        for k in range(table.shape[0]):
            x = relative_vector(table[k], p, sides)
            distance = clearance(table[k], x[0], x[1], x[2])[0]
            if not encloses(table[k]) and distance < 0.5 * skin_of(table[k], x, extent):
                return True
    return False


def is_exit(table, p, q, sides, faces, extent, earlier, free_before):
    """Return whether a boid at p, inside obstacles, may move to q: q must be free.

    For a boid that was free before obstacles moved, the straight path must cross no other obstacle,
    and must not lead to the far side of an obstacle that moved over it.
    """
    if not is_free(table, q, sides, True):
        return False
    if free_before:
        if is_squeezed(table, q, sides, faces, extent):
            return False
        d = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        for k in range(table.shape[0]):
            x = relative_vector(table[k], p, sides)
            inside = clearance(table[k], x[0], x[1], x[2])[0] < 0.0 and not encloses(table[k])
            if inside and dot(d, exit_direction(table[k], earlier[k], p, sides)) < 0.0:
                return False
        # a boid keeps at least half a skin from obstacles
        return first_hit(table, p, d, sides, extent, 0.25, True) > 1.0
    return True


def press_out(table, p, sides, faces, extent, earlier):
    """Move a boid at p out of the obstacles that moved over it; return its position.

    It slides along other obstacles and closed faces, and ends inside if they block every path.
    """
    for _ in range(MAX_PIECES):
        planes = merge_planes(
            face_planes(p, faces), contact_planes(table, p, sides, extent, True, True)
        )
        moved = False
        for k in range(table.shape[0]):
            x = relative_vector(table[k], p, sides)
            distance = clearance(table[k], x[0], x[1], x[2])[0]
            if distance < 0.0:
                e = slide(exit_direction(table[k], earlier[k], p, sides), planes)
                length = math.sqrt(dot(e, e))
                if length > TINY:
                    e = scale(e, 1.0 / length)
                    skin = skin_of(table[k], x, extent)
                    if encloses(table[k]):
                        way = (skin - distance) / length
                    else:
                        way = exit_distance(table[k], x, e, skin)
                    d = bend_into_tanks(table, p, scale(e, max2(way, 0.0)), sides, extent)
                    entry = first_hit(table, p, d, sides, extent, 1.0, True)
                    t = min2(1.0, min2(entry, first_face(p, d, faces)[0]))
                    if t * manhattan(d) > TINY * skin:
                        p = clamp_to_faces(add_scaled(p, d, t), faces)
                        moved = True
                        break
        if not moved:
            break
    return p


def free_position(table, p, sides, faces, extent, earlier, free_before):
    """Return a position near p outside of all obstacles: p if it is free, or if none is found.

    A boid that was free before obstacles moved does not cross to the far side of any obstacle.
    """
    q = p
    if not is_free(table, p, sides, True):
        q = leave_obstacles(table, p, sides, faces, extent)
        if not is_exit(table, p, q, sides, faces, extent, earlier, free_before):
            if free_before:
                q = press_out(table, p, sides, faces, extent, earlier)
            if not (
                free_before
                and is_free(table, q, sides, True)
                and not is_squeezed(table, q, sides, faces, extent)
            ):
                q = shortest_exit(table, p, sides, faces, extent, earlier, free_before)
    return q


def lift(table, p, sides, faces, extent):
    """Move a position that is closer than half a skin to an obstacle to one skin from it.

    Rounding brings boids so close. The position stays if the new one is not free or an obstacle is
    on the path.
    """
    for k in range(table.shape[0]):
        x = relative_vector(table[k], p, sides)
        skin = skin_of(table[k], x, extent)
        distance, nx, ny, nz = clearance(table[k], x[0], x[1], x[2])
        if distance < 0.5 * skin and not encloses(table[k]):
            q = clamp_to_faces(add_scaled(p, (nx, ny, nz), skin - distance), faces)
            d = q[0] - p[0], q[1] - p[1], q[2] - p[2]
            if is_free(table, q, sides, False) and (
                first_hit(table, p, d, sides, extent, 0.0, True) > 1.0
            ):
                p = q
    return p


STUCK_PIECES = 64
"""A boid stops if this number of pieces moves it by less than a skin each."""

MAX_PERIODS = 4.0
"""A piece of a movement spans at most this many periods of the space."""


def move_past(table, earlier, px, py, pz, dx, dy, dz, u, v, w, faces, rounding):
    """Move a boid at p with the velocity (u, v, w) by d, past obstacles and closed faces.

    `table` holds the obstacles at the end of the step, `earlier` at its beginning. Positions,
    movements and velocities are float64: a movement may be much longer than the obstacles.

    The boid slides along the surfaces that it touches and along the crease of two, and stops in a
    corner. Its velocity loses the components that point into obstacles. It ends outside of all
    obstacles and between closed faces.

    Return its position, its velocity, and 0 or the reason why it is lost. ENCLOSED: no position is
    free, for example after obstacles moved. UNFINISHED: its movement has too many pieces.
    """
    sides = periods(faces)
    start, d, velocity = (px, py, pz), (dx, dy, dz), (u, v, w)
    p, begin, way = start, start, manhattan(d)
    lost = UNFINISHED
    # Before the movement and after it, a boid inside an obstacle leaves it: the obstacle moved over
    # the boid, or the boid started there. A loop does both, so kernels hold that long code once.
    for after in range(2):
        extent = extent_of(p, way, faces, rounding)
        if after == 1:
            p, velocity, extent, lost = slide_past(table, p, d, velocity, way, faces, rounding)
        if not is_free(table, p, sides, after == 1):
            free_before = is_free(earlier, start, sides, True)
            p = free_position(table, p, sides, faces, extent, earlier, free_before)
            if not is_free(table, p, sides, True):
                if after == 0 and free_before:
                    return p[0], p[1], p[2], u, v, w, ENCLOSED
                if after == 1:
                    p = begin
                    if not is_free(table, p, sides, True):
                        lost = ENCLOSED
        if after == 0:
            begin = p
    velocity = slide(velocity, contact_planes(table, p, sides, extent, True))
    return p[0], p[1], p[2], velocity[0], velocity[1], velocity[2], lost


def slide_past(table, p, d, velocity, way, faces, rounding):
    """Move a free boid from p by d in pieces, along the surfaces that it meets.

    Return its position, its velocity, the terms of skins there, and 0, or UNFINISHED if the
    movement has too many pieces.
    """
    sides = periods(faces)
    lost, moved, complete = UNFINISHED, 0.0, False
    extent = extent_of(p, way, faces, rounding)
    for piece in range(MAX_PIECES + 1):
        extent = extent_of(p, way, faces, rounding)
        p = lift(table, p, sides, faces, extent)  # coordinates may be larger than before
        if complete or piece == MAX_PIECES:
            break
        planes = contact_planes(table, p, sides, extent, False)
        d, velocity, for_d, for_v = reflect_at_faces(p, d, velocity, planes, faces)
        velocity = slide(velocity, for_v)
        if piece > 0:  # a tank alone only bends the movement: see bend_into_tanks
            for_d = merge_planes(for_d, contact_planes(table, p, sides, extent, True))
        d = slide(d, for_d)
        part = 1.0
        for k in range(3):
            if abs(d[k]) > MAX_PERIODS * sides[k] and sides[k] > 0.0:
                part = min2(part, MAX_PERIODS * sides[k] / abs(d[k]))
        e = bend_into_tanks(table, p, scale(d, part), sides, extent)
        face, axis = first_face(p, e, faces)
        entry = first_hit(table, p, e, sides, extent, 1.0, False)
        t = min2(1.0, min2(face, entry))
        p = add_scaled(p, e, t)
        if face == t:
            p = replace_component(p, axis, faces[axis][2] if e[axis] > 0.0 else faces[axis][1])
        p = clamp_to_faces(p, faces)
        if part < 1.0:
            p = wrap_position(p, faces)
        d = add_scaled(scale(d, 1.0 - part), e, 1.0 - t)
        moved += t * manhattan(e)
        stuck = False
        if piece % STUCK_PIECES == STUCK_PIECES - 1:
            stuck = moved <= STUCK_PIECES * min2(
                SKIN * extent[0] + extent[1], TINY * min_side(faces)
            )
            moved = 0.0
        if stuck or manhattan(d) <= TINY * way:
            lost, complete = 0.0, True
    return p, velocity, extent, lost


def push_out(table, earlier, px, py, pz, faces, rounding):
    """Return the position of a boid at p that does not move: obstacles that move push it out."""
    p = np.float64(px), np.float64(py), np.float64(pz)
    if is_clear(table, px, py, pz, 0.0, 0.0, 0.0, faces, rounding):
        return p
    x, y, z, _, _, _, lost = move_past(
        table, earlier, p[0], p[1], p[2], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, faces, rounding
    )
    if lost > 0.0:
        return np.float64(lost), np.float64(lost), np.float64(0.0)
    return x, y, z
