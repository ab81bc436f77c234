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

from murmurate.codegen.shape_functions import of_shape, with_shapes
from murmurate.model.shapes.geometry import add_scaled, max2, scale

AT_REST = 1e-18
"""Speed below which a boid has no path."""

GRAZING = 1e-4
"""The point beside the impact is at least this fraction of the way away from it, so that it has a
direction."""


@with_shapes
def impact_distance(obstacle, x, h):
    """Return the distance from x along the unit vector h to an obstacle's surface; -1 for never.

    x is relative to the obstacle's centre, and where boids may be.
    """
    return of_shape.impact_distance(obstacle, x, h)


@with_shapes
def nearest_edge(obstacle, x, h, way, flat):
    """Return the unit vector across the path to the nearest edge of the outline, and how far it is.

    way   distance to the impact
    flat  whether the space has two axes
    """
    return of_shape.nearest_edge(obstacle, x, h, way, flat)


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
