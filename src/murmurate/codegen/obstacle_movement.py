"""How boids move past obstacles and past closed faces.

Parameters are those of obstacle_shapes.py.
"""

import numpy as np

from murmurate.codegen.kernel_functions import lesser
from murmurate.codegen.obstacle_contact import (
    at_faces,
    contacts,
    first_entered,
    first_face,
    into_tanks,
    joined,
    slide,
)
from murmurate.codegen.obstacle_exit import freed, lifted
from murmurate.codegen.obstacle_shapes import (
    ENCLOSED,
    PIECES,
    SKIN,
    TINY,
    UNFINISHED,
    along,
    between,
    clear,
    extent_of,
    into_period,
    is_free,
    least_side,
    manhattan,
    periods,
    scaled,
    with_axis,
)

STUCK = 64
"""A boid stops that these many pieces move by less than a skin each."""

PERIODS = 4.0
"""A piece of a movement spans at most this many periods of the space."""


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
