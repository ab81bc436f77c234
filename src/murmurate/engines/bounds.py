"""Bounds of the space: positions inside its faces, and lost boids."""

from __future__ import annotations

import numpy as np

from murmurate.codegen.obstacle_shapes import ENCLOSED, PIECES, UNFINISHED
from murmurate.errors import ModelError, RunError
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


AWAY = 1e6
"""A boid is lost at this distance from the middle of the space, in units of its largest side."""


class Lost(Exception):
    """A boid is lost: after `step`, boid number `boid` of `flock`, at `position`."""

    def __init__(self, step: int, flock: str, boid: int, position: np.ndarray) -> None:
        super().__init__(flock, boid)
        self.step, self.flock, self.boid, self.position = step, flock, boid, position

    def run_error(self) -> RunError:
        """The same for users."""
        return RunError(
            f"boid {self.boid} of flock {self.flock!r} {self._reason()}",
            step=self.step,
            flock=self.flock,
            boid=self.boid,
        )

    def _reason(self) -> str:
        if abs(self.position[0] / ENCLOSED - 1.0) < 1e-6:  # and not infinite
            return (
                f"is enclosed in step {self.step}: obstacles and closed faces leave no free "
                "position near it. Move or grow obstacles more slowly, or leave a gap between them"
            )
        if abs(self.position[0] / UNFINISHED - 1.0) < 1e-6:
            return (
                f"does not finish its movement in step {self.step}: it meets obstacles, closed "
                f"faces or whole periods of the space more than {PIECES} times. Limit its speed "
                "(motion.max_speed), or make dt smaller"
            )
        position = ", ".join(f"{x:g}" for x in self.position)
        return (
            f"is at ({position}) after step {self.step}: it left the space by more than "
            f"{AWAY:g} of its sides, or its numbers are not finite. Limit its speed "
            "(motion.max_speed), lower the weights, or make dt smaller"
        )
