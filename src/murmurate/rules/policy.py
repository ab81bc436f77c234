"""Policy: a small neural network, learned elsewhere, that commands each boid."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from murmurate.model.number import Whole
from murmurate.model.number_table import Table, table_numbers
from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.rule import MAX_NEAREST, NeighbourRule
from murmurate.model.rule_arguments import Me, Other, Parameters, State
from murmurate.model.space import Space
from murmurate.rules.command import Command, Commanded
from murmurate.rules.policy_columns import MAX_HIDDEN, MAX_WIDTH


class Policy(NeighbourRule):
    """Follows the commands of a learned policy: a multilayer perceptron that sees the k nearest
    boids, and commands the boid as kind 'command' does.

    In a model file, `file` names a policy file, .npz or .safetensors, beside it. It is read
    together with the model, which then holds these fields.
    """

    nearest: Annotated[Whole, Field(ge=1, le=MAX_NEAREST)]
    """The number of nearest boids that it sees, nearest first: for each whether there is one, its
    position and velocity relative to the boid's, and the columns for flocks."""
    flock_columns: Annotated[Whole, Field(ge=0, le=256)] = 0
    """Inputs for the flock of a boid that it sees: one for each flock that it senses, 1 for that of
    the boid and 0 for the others; 0 if it senses one flock."""
    own_velocity: bool = False
    """Whether it sees the velocity of the boid."""
    own_position: bool = False
    """Whether it sees the position of the boid."""
    to_point: bool = False
    """Whether it sees the vector from the boid to `point`."""
    point: Vector | None = quantity(None, unit="length")
    """The point, such as a goal."""
    periods: Vector | None = quantity(None, ge=0, unit="length")
    """Sides of the space along which the vector is that to the nearest image of the point, 0 for
    others; those of periodic axes unless given."""
    form: Literal["acceleration", "velocity", "heading"] = "acceleration"
    """What its commands are: see kind 'command'."""
    adds: bool = False
    """Whether its commands are added to the vectors of the other rules. Unless they are, they
    replace them."""
    action_limit: Scalar = quantity(1.0, gt=0)
    """The largest component of a command."""
    output: Literal["clip", "tanh"] = "clip"
    """How the numbers of the last layer become a command. clip: they are limited to
    `action_limit`; tanh: `action_limit` times their hyperbolic tangent."""
    steps: Annotated[Whole, Field(ge=1, le=1_000_000)] = 1
    """Steps for which a command holds."""
    activation: Literal["tanh", "relu"] = "tanh"
    """The function of hidden units. relu: max(0, x)."""
    hidden_layers: Annotated[Whole, Field(ge=0, le=MAX_HIDDEN)]
    """The number of hidden layers."""
    width: Annotated[Whole, Field(ge=1, le=MAX_WIDTH)]
    """Units of each hidden layer; without hidden layers the number of axes."""
    weights: Table = Field(repr=False)
    """Its weights and biases, as text: see Policy.from_file."""

    learned: ClassVar = (
        "nearest", "flock_columns", "own_velocity", "own_position", "to_point", "periods", "form",
        "adds", "action_limit", "output", "steps", "activation", "hidden_layers", "width",
        "weights", "senses", "radius", "inner_radius", "field_of_view", "neighbours",
        "most_influential", "include_self",
    )  # fmt: skip
    """Fields without which its weights mean nothing: pages do not change them."""
    formula: ClassVar = "{weight} * command of a network, up to {action_limit} along each axis"
    states: ClassVar = ("x", "y", "z", "commanded")

    replaces: ClassVar = Command.replaces
    alone: ClassVar = Command.alone

    @classmethod
    def from_file(cls, file: str | os.PathLike[str], **fields: Any) -> Policy:
        """Return the rule of a policy file.

        Parameters
        ----------
        file : str or path
            A file that `murmurate.environments.save_policy` has written, .npz or .safetensors.
        **fields
            Fields that every rule has, such as `moves` and `weight`; `senses`, with as many flocks
            as in the file; `point`, if it sees the vector to one.

        Returns
        -------
        Policy

        Raises
        ------
        ModelError
            For a file that cannot be read, and for fields that contradict it.
        """
        return cls(**cls.fields_of_file(file, fields))

    @staticmethod
    def fields_of_file(file: str | os.PathLike[str], fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return given fields and those of a policy file. Raises ModelError."""
        from murmurate.rules.policy_file import policy_fields

        return policy_fields(file, fields)

    @property
    def formula_as_set(self) -> str:
        """The formula, with what it sees and the sizes of its layers."""
        seen = [f"the {self.nearest} nearest", *self._own()]
        units = f" -> {self.width} {self.activation}" * self.hidden_layers
        duration = f", held for {self.steps} steps" if self.steps > 1 else ""
        return (
            f"{{weight}} * {self.form} by a network: {', '.join(seen)}{units} -> {self.output} to "
            f"{{action_limit}}{duration}"
        )

    def _own(self) -> list[str]:
        own = {
            "own velocity": self.own_velocity, "own position": self.own_position,
            "vector to {point}": self.to_point,
        }  # fmt: skip
        return [text for text, sees in own.items() if sees]

    def count(self, dims: int) -> int:
        """Return the number of weights and biases in a space of `dims` axes."""
        rows = self.nearest * (1 + 2 * dims + self.flock_columns) + 1 + dims * len(self._own())
        if self.hidden_layers == 0:
            return rows * dims
        hidden = (self.hidden_layers - 1) * (self.width + 1) * self.width
        return rows * self.width + hidden + (self.width + 1) * dims

    @model_validator(mode="after")
    def _check_parts(self) -> Policy:
        for name, value in (
            ("neighbours", "all"), ("include_self", False), ("most_influential", 0),
            ("inner_radius", 0.0),
        ):  # fmt: skip
            if getattr(self, name) != value:
                raise ValueError(f"{name}: got {getattr(self, name)!r}; expected {value!r}")
        if self.to_point != (self.point is not None):
            expected = "a point, to which it sees the vector" if self.to_point else "none"
            raise ValueError(f"point: got {self.point}; expected {expected}")
        flocks = 1 if isinstance(self.senses, str) else len(self.senses)
        if self.flock_columns != (flocks if flocks > 1 else 0):
            raise ValueError(
                f"senses: got {flocks} flocks; expected {max(self.flock_columns, 1)}, of which it "
                "has seen boids"
            )
        rows = len(table_numbers(self.weights))
        if rows not in (self.count(2), self.count(3)):
            raise ValueError(
                f"weights: got {rows:,} numbers; expected {self.count(2):,} in 2-D or "
                f"{self.count(3):,} in 3-D. Use Policy.from_file"
            )
        return self

    def problems(self, space: Space) -> Iterator[tuple[str, str]]:
        """Yield an error if it is for a space with another number of axes."""
        rows, expected = len(table_numbers(self.weights)), self.count(space.dims)
        if rows != expected:
            yield (
                "weights",
                f"got {rows:,} numbers; expected {expected:,} in a space of {space.dims} axes. It "
                f"was trained in one of {5 - space.dims}",
            )
        if self.hidden_layers == 0 and self.width != space.dims:
            yield "width", f"got {self.width}; expected {space.dims} without hidden layers"

    def within(self, space: Space) -> Policy:
        sides = zip(space.size, space.periodic, strict=True)
        periods = self.periods or tuple(side if periodic else 0.0 for side, periodic in sides)
        return self.model_copy(update={"periods": periods})

    # The table has rows of `width` numbers, one for each input: those of the nearest boid, of the
    # next one, and so on; the biases; those of the boid's own. Then for each further layer its
    # biases, and a row for each unit of the layer before.

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, ...]:
        table, width = self.weights, self.width
        units = [0.0] * self.width
        first = other.rank * (1 + 2 * me.dims + self.flock_columns) * width
        moves = first + (1 + me.dims) * width
        kind = moves + me.dims * width + other.flock * width
        for i in range(width):
            units[i] = (
                table[first + i]
                + table[first + width + i] * other.dx
                + table[first + 2 * width + i] * other.dy
                + table[moves + i] * (other.u - me.u)
                + table[moves + width + i] * (other.v - me.v)
            )
            if me.dims == 3:
                units[i] += table[first + 3 * width + i] * other.dz
                units[i] += table[moves + 2 * width + i] * (other.w - me.w)
            if self.flock_columns > 0:
                units[i] += table[kind + i]
        return tuple(units)

    def finish(self: Parameters, sums: Sequence[float], me: Me, state: State) -> Commanded:
        if state.commanded > 1.0:
            return 0.0, 0.0, 0.0, state.x, state.y, state.z, state.commanded - 1.0
        table, width, dims = self.weights, self.width, me.dims
        units = list(sums)
        action = [0.0] * 3
        own = [1.0] * 10  # the first is the input of the biases
        n = 1
        if self.own_velocity:
            own[n] = me.u
            own[n + 1] = me.v
            own[n + 2] = me.w
            n += dims
        if self.own_position:
            own[n] = me.x
            own[n + 1] = me.y
            own[n + 2] = me.z
            n += dims
        if self.to_point:
            own[n] = nearest(self.point[0] - me.x, self.periods[0])
            own[n + 1] = nearest(self.point[1] - me.y, self.periods[1])
            own[n + 2] = nearest(self.point[2] - me.z, self.periods[2])
            n += dims
        at = self.nearest * (1 + 2 * dims + self.flock_columns) * width
        for j in range(n):
            for i in range(width):
                units[i] += table[at + j * width + i] * own[j]
        at += n * width
        for layer in range(self.hidden_layers):
            for i in range(width):
                units[i] = squashed(units[i]) if self.activation == "tanh" else max(units[i], 0.0)
            if layer < self.hidden_layers - 1:
                sums_of_units = [0.0] * self.width
                for j in range(width):
                    for i in range(width):
                        sums_of_units[i] += table[at + (j + 1) * width + i] * units[j]
                for i in range(width):
                    units[i] = table[at + i] + sums_of_units[i]
                at += (width + 1) * width
        for k in range(dims):
            action[k] = table[at + k] if self.hidden_layers > 0 else units[k]
        for j in range(width if self.hidden_layers > 0 else 0):
            for k in range(dims):
                action[k] += table[at + (j + 1) * dims + k] * units[j]
        for k in range(3):
            limit, x = self.action_limit, action[k]
            action[k] = limit * squashed(x) if self.output == "tanh" else min(max(x, -limit), limit)
        return 0.0, 0.0, 0.0, action[0], action[1], action[2], float(self.steps)


def nearest(x: float, period: float) -> float:
    """Return a difference to the nearest image; a period of 0 is none."""
    if period > 0.0:
        return x - period * float(math.floor(x / period + 0.5))
    return x


def squashed(x: float) -> float:
    """Return the hyperbolic tangent, by the exponential, which compilers vectorize."""
    return 1.0 - 2.0 / (math.exp(2.0 * min(max(x, -20.0), 20.0)) + 1.0)
