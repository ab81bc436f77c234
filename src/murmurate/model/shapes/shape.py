"""The base class of obstacle shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import TypedDict

from murmurate.model.quantity import Part, extent, number_at
from murmurate.model.shapes.turned import Turned
from murmurate.model.space import Space

if TYPE_CHECKING:
    from murmurate.model.shapes.outline import Outline, Placement


ROW = 7
"""Numbers of an obstacle's row: its shape's number, its position, and three more."""


class ShapeRow(TypedDict):
    """How the row of an obstacle is made of its fields: see Shape."""

    number: int
    position: str
    """The field with its position."""
    lengths: dict[str, float]
    """Its other fields -> factors by which they become numbers."""
    fill: float
    """The length that a field lacks in 2-D."""
    unbounded: bool
    """Whether it is a half-space: its numbers are its unit normal."""


class Shape(Part):
    """A shape: facts of its class beside its fields, its row in the table of obstacles, and its
    drawing."""

    number: ClassVar[int]
    """Number of the shape in the table of obstacles."""
    position_field: ClassVar[str] = "centre"
    """The field with its position."""
    lengths: ClassVar[dict[str, float]] = {"radius": 1.0}
    """The fields with its lengths -> factors by which they become numbers of its row."""
    fill: ClassVar[float] = 0.0
    """The length that a field lacks in 2-D."""
    flag: ClassVar[str] = ""
    """Constant of kernels that have branches for the shape. Without it, all have them."""
    encloses: ClassVar[bool] = False
    """Whether boids are inside of it, so that its surface is drawn as lines only."""
    unbounded: ClassVar[bool] = False
    """Whether it is a half-space: the numbers of its row are its unit normal."""
    turned: ClassVar[Turned | None] = None
    """Its surface, of unit size. A shape without it has an outline of its own."""
    axes: ClassVar[tuple[int | None, ...]] = (0, 0, 0)
    """The numbers of its row by which its surface is scaled along each axis; None: it extends
    through the space."""

    def row(self, time: float) -> list[float]:
        """Return its row at a time."""
        return [
            self.number,
            *three_at(getattr(self, self.position_field), time),
            *self.numbers(time),
        ]

    @classmethod
    def row_table(cls) -> ShapeRow:
        """Return how its row is made of its fields, for pages."""
        return {
            "number": cls.number,
            "position": cls.position_field,
            "lengths": cls.lengths,
            "fill": cls.fill,
            "unbounded": cls.unbounded,
        }

    def numbers(self, time: float) -> Sequence[float]:
        """Return the last three numbers of its row: by default its lengths, then zeros."""
        out: list[float] = []
        for name, factor in self.lengths.items():
            value = getattr(self, name)
            is_vector = isinstance(value, tuple)
            own = three_at(value, time, self.fill) if is_vector else [number_at(value, time)]
            out += [factor * x for x in own]
        return [*out, 0.0, 0.0][:3]

    def largest(self) -> tuple[float, str] | None:
        """Return its largest length at any time, and the field that states it; None without."""
        values = {name: getattr(self, name) for name in self.lengths}
        return max(
            (extent(x)[1], name)
            for name, value in values.items()
            for x in (value if isinstance(value, tuple) else (value,))
        )

    def problems(self, space: Space) -> Iterator[tuple[str, str]]:
        """Yield fields and their faults in a space."""
        return iter(())

    def outline(self) -> Outline:
        """Return its outline of unit size around the origin."""
        from murmurate.model.shapes.outline import turned

        assert self.turned is not None
        return turned(self.turned)

    def placement(self, space: Space) -> Placement:
        """Return where its outline is; its fields must be numbers.

        A 2-D shape is as high as wide. One that extends through a 2-D space has a tenth of its
        largest side.
        """
        import numpy as np

        from murmurate.model.shapes.outline import Placement

        _, x, y, z, *numbers = self.row(0.0)
        through = 0.5 * (space.size[2] if space.dims == 3 else max(space.size) / 10)
        scale = [through if k is None else numbers[k] for k in self.axes] or [1.0] * 3
        if None in self.axes:
            z = space.lower[2] + through if space.dims == 3 else 0.0
        elif space.dims == 2:
            scale[2] = min(scale)
        return Placement(np.array([x, y, z]), np.array(scale))

    def drawn(self, space: Space) -> Outline:
        """Return its outline at its position: of a half-space, the part inside of a 3-D space."""
        position, scale, _ = self.placement(space)
        return self.outline().placed(position, scale)


def three_at(vector: Any, time: float, fill: float = 0.0) -> list[float]:
    """Return the three components of a vector at a time; `fill` for one that 2-D lacks."""
    return [number_at(x, time) for x in vector] + [fill] * (3 - len(vector))
