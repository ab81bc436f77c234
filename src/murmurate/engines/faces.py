"""The faces of the space: which positions are within them, for every engine.

An engine computes in float32 or float64, and so its faces are the model's, rounded to that. In
float32 a face lies up to half a float32 spacing to either side of the model's: 10.1 becomes
10.1000004, 10.7 becomes 10.6999998. Boids that are held at such a face, or brought in at one, are
then outside of the model's faces by less than that. These positions are right: a state that any
engine made is accepted, and not changed by a bit.
"""

from __future__ import annotations

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.space import Space


def outermost_faces(space: Space, axis: int) -> tuple[float, float]:
    """Return the lowest lower face and the highest upper face that any engine has on an axis."""
    lower, upper = space.lower[axis], space.upper[axis]
    return min(lower, float(np.float32(lower))), max(upper, float(np.float32(upper)))


def check_inside(what: str, space: Space, positions: np.ndarray, first: int = 0) -> None:
    """Bring positions on periodic axes into the space, and check those on closed axes.

    Positions within the faces that an engine has (see `outermost_faces`) are left as they are.

    what       of which argument or part of the model they are, for the message
    positions  (N, D) float64, changed in place
    first      the number in its flock of the first of these boids

    Raises ModelError for positions beyond faces that reflect or hold.
    """
    for axis, boundary in enumerate(space.boundaries):
        column = positions[:, axis]
        lowest, highest = outermost_faces(space, axis)
        if boundary == "periodic":
            lower, side = space.lower[axis], space.size[axis]
            # no engine leaves a boid at or beyond the model's own upper face
            out = (column < lowest) | (column >= space.upper[axis])
            into = column[out] - np.floor((column[out] - lower) / side) * side
            into[(into < lower) | (into >= lower + side)] = lower
            column[out] = into
        elif boundary in ("reflecting", "held"):
            out = (column < lowest) | (column > highest)
            if out.any():
                row = int(np.argmax(out))
                raise ModelError(
                    f"{what}: boid {first + row} is outside the space: got {column[row]:.9g} on "
                    f"axis {axis}; expected a number from {space.lower[axis]:.9g} to "
                    f"{space.upper[axis]:.9g}, for its faces are {boundary}"
                )


def put_below_upper(space: Space, rows: np.ndarray) -> None:
    """Put boids of an engine that its precision rounded up to the upper face of a periodic axis at
    the lower face, which is the same.

    rows  (D, N) or more rows: positions in the engine's precision, an axis a row; changed in place
    """
    for axis in np.flatnonzero(space.periodic):
        row = rows[axis]
        row[row >= row.dtype.type(space.upper[axis])] = space.lower[axis]
