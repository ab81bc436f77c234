"""Boids that are lost: too far away, not finite, enclosed by obstacles, or with an endless way."""

from __future__ import annotations

import numpy as np

from murmurate.codegen.obstacle_shapes import ENCLOSED, PIECES, UNFINISHED
from murmurate.errors import RunError

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
