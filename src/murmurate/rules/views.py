"""Rules of a boid's view: the arcs that others cover, in 2-D.

The others are discs. Where they overlap in the view they form one arc. These rules do not use the
positions of boids, only where arcs begin and end.
"""

from __future__ import annotations

from typing import ClassVar

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import NeighbourRule
from murmurate.model.rule_arguments import Arc, Me, Parameters, Vector3
from murmurate.rules.vectors import unit

PEARCE = "Pearce et al. 2014, doi:10.1073/pnas.1402202111"
BASTIEN = "Bastien and Romanczuk 2020, doi:10.1126/sciadv.aay0792"


class Projection(NeighbourRule):
    """Steers towards the edges between covered and free parts of the view.

    The mean of unit vectors to all edges is long for a boid outside of the flock, which sees it on
    one side. In the middle it is short. It needs the diameter of boids, and a space in 2-D.
    """

    formula: ClassVar = "{weight} * mean of unit vectors to the edges of arcs that boids cover"
    source: ClassVar = PEARCE

    def pair(self: Parameters, me: Me, arc: Arc) -> Vector3:
        return 2.0, arc.right_x + arc.left_x, arc.right_y + arc.left_y

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        n, x, y = sums
        if n > 0.0:
            return x / n, y / n, 0.0
        return 0.0, 0.0, 0.0


class VisualField(NeighbourRule):
    """Accelerates and turns by the covered part of the view, and by its edges.

    Covered parts repel and edges attract. A far boid covers little between its edges, a near one
    much, so that boids keep a distance from others without knowing it. Angles are counted from
    the heading; a boid at rest, which has none, is not moved. It needs the diameter of boids, and a
    space in 2-D. The vector is the acceleration along the heading, plus speed times turning rate
    across it.
    """

    acceleration: Scalar = quantity(1.0, ge=0, unit="length/time^2", slider=(0, 2))
    """Acceleration by a covered part, alpha_0: away from it, along the heading."""
    acceleration_by_edges: Scalar = quantity(ge=0, unit="", slider=(0, 1))
    """Acceleration towards an edge, relative to that by a covered part, alpha_1."""
    turning: Scalar = quantity(1.0, ge=0, unit="radians/time", slider=(0, 2))
    """Turning rate by a covered part, beta_0: away from it."""
    turning_by_edges: Scalar = quantity(ge=0, unit="", slider=(0, 1))
    """Turning rate towards an edge, relative to that by a covered part, beta_1."""

    formula: ClassVar = (
        "{weight} * ({acceleration} (-integral of cos a over arcs + {acceleration_by_edges} sum of "
        "cos a over edges) v_i / |v_i| + {turning} (-integral of sin a over arcs + "
        "{turning_by_edges} sum of sin a over edges) z x v_i), a: angle from v_i"
    )
    source: ClassVar = BASTIEN

    def pair(self: Parameters, me: Me, arc: Arc) -> tuple[float, float, float, float]:
        x, y, _ = unit(me.u, me.v, 0.0)
        # cosine and sine of the angles of both edges from the heading
        right_c, right_s = x * arc.right_x + y * arc.right_y, x * arc.right_y - y * arc.right_x
        left_c, left_s = x * arc.left_x + y * arc.left_y, x * arc.left_y - y * arc.left_x
        return left_s - right_s, right_c + left_c, right_c - left_c, right_s + left_s

    def finish(self: Parameters, sums: tuple[float, float, float, float], me: Me) -> Vector3:
        forward, forward_edges, across, across_edges = sums
        x, y, _ = unit(me.u, me.v, 0.0)
        a = self.acceleration * (self.acceleration_by_edges * forward_edges - forward)
        b = self.turning * (self.turning_by_edges * across_edges - across)
        return a * x - b * me.v, a * y + b * me.u, 0.0
