"""The base class of obstacle shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from murmurate.model.quantity import Part, extent, number_at


class Shape(Part):
    """A shape: what its class says beside its fields, and its row in the table of obstacles."""

    number: ClassVar[int]
    """Number of the shape in the table of obstacles."""
    position_field: ClassVar[str] = "centre"
    """The field with its position."""
    flag: ClassVar[str] = ""
    """Constant of kernels that have branches for the shape. Without it, all have them."""

    def row(self, time: float) -> list[float]:
        """Return its row, seven numbers, at a time."""
        return [
            self.number,
            *three_at(getattr(self, self.position_field), time),
            *self.numbers(time),
        ]

    def numbers(self, time: float) -> Sequence[float]:
        """Return the last three numbers of its row: by default its radius, and zeros."""
        shape: Any = self
        return number_at(shape.radius, time), 0.0, 0.0

    def largest(self) -> tuple[float, str] | None:
        """Return its largest length at any time, and the field that states it; None without."""
        shape: Any = self
        return extent(shape.radius)[1], "radius"


def three_at(vector: Any, time: float, fill: float = 0.0) -> list[float]:
    """Return the three components of a vector at a time; `fill` for one that 2-D lacks."""
    return [number_at(x, time) for x in vector] + [fill] * (3 - len(vector))
