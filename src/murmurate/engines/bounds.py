"""Bounds of the space: positions inside its faces, and lost boids.

An engine computes in float32 or float64, and its faces are those of the model in this precision. In
float32 a face is up to half a float32 spacing to either side of the model's face: 10.1 becomes
10.1000004, and 10.7 becomes 10.6999998. A boid at such a face is outside the model's space by less
than that. These positions are valid: every state that an engine produces is accepted bit for bit.
"""

from __future__ import annotations

import numpy as np

from murmurate.codegen.obstacle_shapes import ENCLOSED, MAX_PIECES, UNFINISHED
from murmurate.errors import ModelError, RunError
from murmurate.model.space import Space

MAX_DISTANCE_FACTOR = 1e6
"""Distance from the centre of the space at which a boid is lost, in units of its largest side."""


class LostBoidError(Exception):
    """A boid is too far away, not finite, enclosed by obstacles, or on an endless path.

    step  steps done when the boid was lost
    boid  index within the flock
    position  (D,) its position, or ENCLOSED or UNFINISHED as the first coordinate
    """

    def __init__(self, step: int, flock: str, boid: int, position: np.ndarray) -> None:
        super().__init__(flock, boid)
        self.step, self.flock, self.boid, self.position = step, flock, boid, position

    def run_error(self) -> RunError:
        """Return the error that users see."""
        return RunError(
            f"boid {self.boid} of flock {self.flock!r} {self._reason()}",
            step=self.step,
            flock=self.flock,
            boid=self.boid,
        )

    def _reason(self) -> str:
        if abs(self.position[0] / ENCLOSED - 1.0) < 1e-6:  # false for an infinite position
            return (
                f"is enclosed in step {self.step}: obstacles and closed faces leave no free "
                "position near it. Move or grow obstacles more slowly, or leave a gap between them"
            )
        if abs(self.position[0] / UNFINISHED - 1.0) < 1e-6:
            return (
                f"does not finish its movement in step {self.step}: it meets obstacles, closed "
                f"faces or whole periods of the space more than {MAX_PIECES} times. Limit its "
                "speed (motion.max_speed), or make dt smaller"
            )
        position = ", ".join(f"{x:g}" for x in self.position)
        return (
            f"is at ({position}) after step {self.step}: it left the space by more than "
            f"{MAX_DISTANCE_FACTOR:g} of its sides, or its numbers are not finite. Limit its speed "
            "(motion.max_speed), lower the weights, or make dt smaller"
        )


def outermost_faces(space: Space, axis: int) -> tuple[float, float]:
    """Return the lowest lower face and the highest upper face of an axis in any precision."""
    lower, upper = space.lower[axis], space.upper[axis]
    return min(lower, float(np.float32(lower))), max(upper, float(np.float32(upper)))


def wrap_and_check(what: str, space: Space, positions: np.ndarray, first: int = 0) -> None:
    """Wrap positions on periodic axes into the space, and check positions on closed axes.

    Positions within the faces of any engine (see `outermost_faces`) remain as they are.

    what  argument or part of the model that the positions are from, for the message
    space  faces and their kinds
    positions  (N, D) positions, changed in place
    first  index of the first boid within its flock, for the message
    raises ModelError  a position is beyond a face that reflects or holds
    """
    for axis, boundary in enumerate(space.boundaries):
        column = positions[:, axis]
        lowest, highest = outermost_faces(space, axis)
        if boundary == "periodic":
            lower, side = space.lower[axis], space.size[axis]
            # no engine leaves a boid at or beyond the model's own upper face
            outside = (column < lowest) | (column >= space.upper[axis])
            wrapped = column[outside] - np.floor((column[outside] - lower) / side) * side
            wrapped[(wrapped < lower) | (wrapped >= lower + side)] = lower
            column[outside] = wrapped
        elif boundary in ("reflecting", "held"):
            outside = (column < lowest) | (column > highest)
            if outside.any():
                row = int(np.argmax(outside))
                raise ModelError(
                    f"{what}: boid {first + row} is outside the space: got {column[row]:.9g} on "
                    f"axis {axis}; expected a number from {space.lower[axis]:.9g} to "
                    f"{space.upper[axis]:.9g}, for its faces are {boundary}"
                )


def wrap_upper_face(space: Space, rows: np.ndarray) -> None:
    """Move boids at the upper face of a periodic axis to the lower face, which is the same.

    Rounding to the engine's precision puts them there.

    rows  (D or more, N) positions in the engine's precision, one axis per row, changed in place
    """
    for axis in np.flatnonzero(space.periodic):
        row = rows[axis]
        row[row >= row.dtype.type(space.upper[axis])] = space.lower[axis]
