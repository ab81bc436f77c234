"""Actions of agents: command their boids, or set numbers of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.rules import Command

FORMS = get_args(Command.model_fields["form"].annotation)


@dataclass(frozen=True)
class Steer:
    """Each agent commands its boid: (D,) numbers from -limit to limit.

    Parameters
    ----------
    form : {'acceleration', 'velocity', 'heading'}
        What the numbers are, along the axes of the space.
    limit : float
        Largest component, in length and time units; 1 for headings, of which only the direction
        counts.

    Raises
    ------
    ModelError
        There is no such form, or the limit is not a number above 0.
    """

    form: Literal["acceleration", "velocity", "heading"] = "acceleration"
    limit: float = 1.0

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise ModelError(f"form: got {self.form!r}; expected one of {', '.join(FORMS)}")
        if not 0 < self.limit < float("inf"):
            raise ModelError(f"limit: got {self.limit!r}; expected a number above 0")

    def bounds(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        """Return (D,) float32 each: the smallest and the largest action of an agent."""
        high = np.full(model.space.dims, self.limit, np.float32)
        return -high, high

    def commanded(self, model: Model, flock: str) -> Model:
        """Return the model with a rule by which the boids of a flock follow commands.

        Raises
        ------
        ModelError
            A rule `command` of the model is of another kind, or takes commands of another form.
        """
        rules = {k: r for k, r in model.moved_by(flock).items() if isinstance(r, Command)}
        for name, rule in rules.items():
            if rule.form != self.form:
                raise ModelError(
                    f"action: got {self.form!r}; expected {rule.form!r}, the form of rules.{name}"
                )
        if rules:
            return model
        if "command" in model.rules:
            raise ModelError("rules.command: got a rule that does not command the agents; expected "
                             "none, or one of kind 'command' that moves them")  # fmt: skip
        command = Command(moves=flock, form=self.form)
        return Model(**{**dict(model), "rules": {**model.rules, "command": command}})


@dataclass(frozen=True)
class Numbers:
    """One agent for each world sets numbers of its model.

    Parameters
    ----------
    ranges : mapping of str to (float, float)
        Path of a number -> its smallest and largest value, such as
        {"rules.alignment.weight": (0, 2)}.

    Raises
    ------
    ModelError
        There is no path, or a smallest value is not below the largest one.
    """

    ranges: Mapping[str, tuple[float, float]]

    def __post_init__(self) -> None:
        if not self.ranges:
            raise ModelError("ranges: got none; expected the path of a number and its bounds")
        for path, (low, high) in self.ranges.items():
            if not low < high:
                raise ModelError(f"{path}: got {low:g} to {high:g}; expected low < high")

    def bounds(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        """Return (M,) float32 each: the smallest and the largest action of a world."""
        low, high = zip(*self.ranges.values(), strict=True)
        for values in (low, high):
            model.set(dict(zip(self.ranges, values, strict=True)))  # raises for a bad path
        return np.array(low, np.float32), np.array(high, np.float32)
