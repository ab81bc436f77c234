"""Space: the box a flock lives in, and what each pair of its faces does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, get_args

from pydantic import Field, field_validator, model_validator

from murmurate.model.messages import unknown
from murmurate.model.quantity import Number
from murmurate.model.value import Value

Boundary = Literal["open", "periodic", "reflecting", "held"]


class Space(Value):
    """A box in 2-D or 3-D.

    On an open axis the box is only where things start and where the camera looks.
    """

    size: Annotated[tuple[Annotated[Number, Field(gt=0)], ...], Field(min_length=2, max_length=3)]
    """Length of each side; two numbers make a 2-D space, three a 3-D one. Unit: length."""
    origin: tuple[Number, ...] = ()
    """The lower corner; zeros unless given. Unit: length."""
    boundary: Boundary | tuple[Boundary, ...] = "open"
    """What the faces do, one word for all axes or one each. open: nothing; periodic: a torus,
    distances are to the nearest image; reflecting: boids bounce; held: positions are kept inside,
    velocities stay."""

    @field_validator("boundary", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        words = value if isinstance(value, list | tuple) else [value]
        for word in words:
            if word not in get_args(Boundary):
                raise ValueError(unknown("boundary", str(word), get_args(Boundary)))
        return tuple(words) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _one_each(self) -> Space:
        if self.origin and len(self.origin) != self.dims:
            raise ValueError(f"origin has {len(self.origin)} numbers for {self.dims} axes")
        if not isinstance(self.boundary, str) and len(self.boundary) != self.dims:
            raise ValueError(f"boundary has {len(self.boundary)} words for {self.dims} axes")
        return self

    @classmethod
    def around(cls, lower: Sequence[float], size: Sequence[float]) -> Space:
        """An open box around what was seen, of any size: nothing is flown in it."""
        return cls.model_construct(size=tuple(size), origin=tuple(lower))

    @property
    def dims(self) -> int:
        return len(self.size)

    @property
    def lower(self) -> tuple[float, ...]:
        return self.origin or (0.0,) * self.dims

    @property
    def upper(self) -> tuple[float, ...]:
        return tuple(a + s for a, s in zip(self.lower, self.size, strict=True))

    @property
    def boundaries(self) -> tuple[Boundary, ...]:
        """One word an axis."""
        return (self.boundary,) * self.dims if isinstance(self.boundary, str) else self.boundary

    @property
    def periodic(self) -> tuple[bool, ...]:
        return tuple(word == "periodic" for word in self.boundaries)
