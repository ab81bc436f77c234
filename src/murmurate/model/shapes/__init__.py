"""Shapes of obstacles, one per file, registered in model/obstacles.py.

A file has the class of the shape, with its fields, and functions over scalars. The reference engine
calls them, and kernels and graphics cards contain their text: see codegen/shape_functions.py.
`obstacle` is the row of an obstacle in the table of obstacles: the number of its shape, its centre
or point (3), and three numbers. Positions are relative to the centre.

    clearance        distance from the surface, negative where boids must not be, and the unit
                     normal to the allowed side
    is_beyond        whether a position is farther than `way` from the surface, outside: a fast
                     test, false for some such positions
    half_sides       half the sides of a box around it
    entry_time       when a position outside, at `distance` from the surface, comes within a skin of
                     it, moving by d: in parts of d, or NEVER
    exit_distance    distance along the unit vector e from a position inside to a skin outside; -1
                     if e never leads out
    impact_distance  distance from a position outside along the unit vector h to the surface; -1 for
                     never
    nearest_edge     unit vector across a path along h to the nearest edge of the outline, and the
                     distance to it; the impact is at the distance `way`

A shape that contains boids has no entry_time and no half_sides.

Films, exported scenes and pages draw the outline of a shape (outline.py): usually that of a surface
of revolution or a prism, which its class states as `turned` with the `axes` of its size.
"""

from collections.abc import Callable
from typing import Any

INLINED: set[Callable[..., Any]] = set()
"""Functions that kernels inline: a call would cost more than what they do."""


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Inline a function in kernels: a decorator."""
    INLINED.add(function)
    return function
