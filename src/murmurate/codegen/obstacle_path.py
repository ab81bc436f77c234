"""Compute how a boid's straight path ahead meets an obstacle, and where it could pass beside it.

Parameters are those of obstacle_shapes.py. Rules with `obstacles_at = "edge"` sense obstacles so.

        _________
       | obstacle|   beside        The path of a boid along its heading meets the obstacle at the
       |_____x___|<--->o           impact x. Seen by the boid, the outline of the obstacle has an
             |                     edge nearest to x. The rule senses the point o beside x, across
             | way                 the path: straight on from there, the path touches the outline.
             |
            boid
"""

import math

from murmurate.codegen.kernel_functions import max2, min2
from murmurate.codegen.obstacle_shapes import SPHERE, TANK, TINY, WALL, add_scaled, dot, scale

AT_REST = 1e-18
"""Speed below which a boid has no path."""

GRAZING = 1e-4
"""The point beside the impact is at least this fraction of the way away from it, so that it has a
direction."""


def direction_beside(n, h):
    """Return the unit vector across the unit vector h nearest to n; to the left if n is along h."""
    m = add_scaled(n, h, -dot(n, h))
    length = math.sqrt(dot(m, m))
    if length > TINY:
        return scale(m, 1.0 / length)
    length = math.sqrt(h[0] * h[0] + h[1] * h[1])
    if length > TINY:
        return -h[1] / length, h[0] / length, 0.0
    return 1.0, 0.0, 0.0


def impact_distance(obstacle, x, h):
    """Return the distance from x along the unit vector h to an obstacle's surface; -1 for never.

    x is relative to the obstacle's centre, and where boids may be.
    """
    if obstacle[0] == SPHERE:
        nearest = -dot(x, h)  # nearest approach to the centre
        c = add_scaled(x, h, nearest)
        left = obstacle[4] * obstacle[4] - dot(c, c)
        return nearest - math.sqrt(left) if left > 0.0 and nearest > 0.0 else -1.0
    if obstacle[0] == WALL:
        n = obstacle[4], obstacle[5], obstacle[6]
        closing = -dot(n, h)
        return dot(n, x) / closing if closing > 0.0 else -1.0
    if obstacle[0] == TANK:
        a = h[0] * h[0] + h[1] * h[1]
        b = x[0] * h[0] + x[1] * h[1]
        c = x[0] * x[0] + x[1] * x[1] - obstacle[4] * obstacle[4]
        return (math.sqrt(max2(0.0, b * b - a * c)) - b) / a if a > TINY * TINY else -1.0
    # a box is entered when the last of its pairs of faces is crossed
    enter, leave = -1e30, 1e30
    for axis in range(3):
        half = obstacle[4 + axis]
        if abs(h[axis]) * 1e15 > half + abs(x[axis]):
            enter = max2(enter, (-math.copysign(half, h[axis]) - x[axis]) / h[axis])
            leave = min2(leave, (math.copysign(half, h[axis]) - x[axis]) / h[axis])
        elif abs(x[axis]) >= half:
            return -1.0
    return enter if enter < leave else -1.0


def nearest_edge(obstacle, x, h, way, flat):
    """Return the unit vector across the path to the nearest edge of the outline, and how far it is.

    way   distance to the impact
    flat  whether the space has two axes

    Walls and tanks have no edge: the path turns by 45 degrees along their surface.
    """
    if obstacle[0] == SPHERE:
        c = add_scaled(x, h, -dot(x, h))
        return direction_beside(scale(c, 1.0 / obstacle[4]), h), obstacle[4] - math.sqrt(dot(c, c))
    if obstacle[0] == WALL:
        return direction_beside((obstacle[4], obstacle[5], obstacle[6]), h), way
    if obstacle[0] == TANK:
        q = add_scaled(x, h, way)
        return direction_beside((-q[0] / obstacle[4], -q[1] / obstacle[4], 0.0), h), way
    # the outline of a box is a polygon whose sides are along its edges
    best, gap = direction_beside((0.0, 0.0, 0.0), h), 1e30
    for axis in range(2 if flat else 0, 3):
        e = 1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0
        m = h[1] * e[2] - h[2] * e[1], h[2] * e[0] - h[0] * e[2], h[0] * e[1] - h[1] * e[0]
        length = math.sqrt(dot(m, m))
        if length > TINY:
            m = scale(m, 1.0 / length)
            half = obstacle[4] * abs(m[0]) + obstacle[5] * abs(m[1]) + obstacle[6] * abs(m[2])
            off = dot(m, x)
            if half - abs(off) < gap:
                best, gap = scale(m, math.copysign(1.0, off)), half - abs(off)
    return best, gap


def edge_ahead(obstacle, x, y, z, u, v, w, flat):
    """Return the vector from a boid to the point beside the impact, and whether there is an impact.

    (x, y, z) is relative to the obstacle's centre, (u, v, w) is the velocity.
    """
    speed = math.sqrt(u * u + v * v + w * w)
    if speed < AT_REST:
        return 0.0, 0.0, 0.0, False
    p, h = (x, y, z), (u / speed, v / speed, w / speed)
    way = impact_distance(obstacle, p, h)
    if way <= 0.0:
        return 0.0, 0.0, 0.0, False
    m, gap = nearest_edge(obstacle, p, h, way, flat)
    e = add_scaled(scale(h, way), m, max2(gap, GRAZING * way))
    return e[0], e[1], e[2], True
