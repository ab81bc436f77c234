"""Command: a vector for each boid that comes from outside of the model, such as a controller."""

from __future__ import annotations

from typing import ClassVar, Literal

from murmurate.model.rule import Rule
from murmurate.model.rule_arguments import Me, Parameters, State
from murmurate.rules.vectors import unit

Commanded = tuple[float, float, float, float, float, float, float]
"""A vector, and the per-boid state of the rule."""


class Command(Rule):
    """Follows the command that `sim.step(steps, controls={"boids": array})` gives to each boid.

    A command holds until the next one. A boid without a command follows its other rules; at the
    start no boid has one.
    """

    form: Literal["acceleration", "velocity", "heading"] = "acceleration"
    """What the command is. acceleration: the steering vector itself, which motion 'replace' takes
    as the next velocity; velocity: the velocity after the step, of a boid of mass 1; heading: a
    direction, to which the boid turns at its present speed."""
    adds: bool = False
    """Whether the command is added to the vectors of the other rules. Unless it is, it replaces
    them, however the flock combines them."""

    formula: ClassVar = "{weight} * command_i"
    states: ClassVar = ("x", "y", "z", "commanded")

    @property
    def replaces(self) -> str:
        """Its per-boid state that is not 0 where its vector replaces those of all other rules."""
        return "" if self.adds else "commanded"

    @property
    def formula_as_set(self) -> str:
        """The formula for its form."""
        return {
            "acceleration": self.formula,
            "velocity": "{weight} * (command_i - v_i) / dt",
            "heading": "{weight} * (|v_i| * unit vector along command_i - v_i) / dt",
        }[self.form]

    def alone(self: Parameters, me: Me, state: State) -> Commanded:
        x, y, z = state.x, state.y, state.z
        if self.form == "heading":
            x, y, z = unit(x, y, z)
            x, y, z = x * me.speed, y * me.speed, z * me.speed
        if self.form != "acceleration" and state.commanded > 0.0:
            x, y, z = (x - me.u) / me.dt, (y - me.v) / me.dt, (z - me.w) / me.dt
        return x, y, z, state.x, state.y, state.z, state.commanded
