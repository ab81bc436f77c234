"""Sensing: delays, update intervals and errors of what a boid knows of the others."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from murmurate.model.number import Number
from murmurate.model.quantity import Part, Scalar, quantity


class Sensing(Part):
    """How a flock's boids come to know of others: late, now and then, and with errors, as drones
    do by radio. Of themselves and of obstacles they know all. How far they sense is their rules'
    radius.

    Errors are of what is known of a boid: all that sense it in one moment perceive the same.
    """

    delay: Annotated[Number, Field(ge=0)] = 0.0
    """Others are known where they were so long ago, rounded to whole steps (before the start: as
    they were then). Unit: time."""
    refresh: Annotated[Number, Field(ge=0)] = 0.0
    """What is known of them is renewed so often, and stays as it is in between; 0: every step.
    Unit: time."""
    position_error: Scalar = quantity(0.0, ge=0, unit="length")
    """Standard deviation of each component of a known place; new each time it is renewed."""
    velocity_error: Scalar = quantity(0.0, ge=0, unit="speed")
    """Standard deviation of each component of a known velocity."""

    def steps(self, dt: float) -> tuple[int, int]:
        """(delay, refresh) in steps, refresh at least 1."""
        return round(self.delay / dt), max(1, round(self.refresh / dt))

    def known(self, step: int, dt: float) -> int:
        """The step whose state is known of at a step; the start's where there was none."""
        delay, refresh = self.steps(dt)
        return max(0, (step - delay) // refresh * refresh)

    def depth(self, dt: float) -> int:
        """How many steps before the present one must be remembered."""
        delay, refresh = self.steps(dt)
        return delay + refresh - 1
