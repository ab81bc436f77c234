"""Space: the box of a flock, and the boundary conditions of its axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, get_args

from pydantic import Field, field_validator, model_validator

from murmurate.model.messages import format_unknown
from murmurate.model.number import Number
from murmurate.model.value import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

Boundary = Literal["open", "periodic", "reflecting", "held"]


class Space(Value):
    """A box in 2-D or 3-D.

    Boids may leave it along open axes: there it is only where starts put them and where the camera
    looks.
    """

    _path: ClassVar[str] = "space."
    size: Annotated[tuple[Annotated[Number, Field(gt=0)], ...], Field(min_length=2, max_length=3)]
    """Length of each side: two numbers for a 2-D space, three for a 3-D one. Unit: length."""
    origin: tuple[Number, ...] = ()
    """The lower corner; zeros unless given. Unit: length."""
    boundary: Boundary | tuple[Boundary, ...] = "open"
    """The boundary condition, one word for all axes or one for each. open: none; periodic: a torus,
    with distances to the nearest image; reflecting: boids bounce off the faces; held: positions
    are clipped to the box, and velocities are not changed."""

    @field_validator("boundary", mode="before")
    @classmethod
    def _parse_boundary(cls, value: object) -> object:
        words = value if isinstance(value, list | tuple) else [value]
        for word in words:
            if word not in get_args(Boundary):
                raise ValueError(format_unknown("boundary", str(word), get_args(Boundary)))
        return tuple(words) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _check_lengths(self) -> Space:
        if self.origin and len(self.origin) != self.dims:
            raise ValueError(
                f"origin: got {len(self.origin)} numbers; expected {self.dims}, one for each axis"
            )
        if not isinstance(self.boundary, str) and len(self.boundary) != self.dims:
            raise ValueError(
                f"boundary: got {len(self.boundary)} words; expected {self.dims}, one for each "
                "axis, or one word for all axes"
            )
        return self

    @classmethod
    def around(cls, lower: Sequence[float], size: Sequence[float]) -> Space:
        """Return an open box of any size, for data that are not simulated."""
        return cls.model_construct(size=tuple(size), origin=tuple(lower))

    @property
    def dims(self) -> int:
        """The number of dimensions, 2 or 3."""
        return len(self.size)

    @property
    def lower(self) -> tuple[float, ...]:
        """The lower corner (D,), in length units."""
        return self.origin or (0.0,) * self.dims

    @property
    def upper(self) -> tuple[float, ...]:
        """The upper corner (D,), in length units."""
        return tuple(a + s for a, s in zip(self.lower, self.size, strict=True))

    @property
    def boundaries(self) -> tuple[Boundary, ...]:
        """The boundary condition of each axis (D,)."""
        return (self.boundary,) * self.dims if isinstance(self.boundary, str) else self.boundary

    @property
    def periodic(self) -> tuple[bool, ...]:
        """Whether each axis (D,) is periodic."""
        return tuple(word == "periodic" for word in self.boundaries)

    def minimum_image(self, vectors: ArrayLike, near: ArrayLike = 0.0) -> np.ndarray:
        """Return vectors between the nearest images of their ends.

        Parameters
        ----------
        vectors : (..., D) array
            Differences of positions, in length units. The last axis is that of the coordinates.
        near : array that broadcasts to (..., D), default 0
            The image nearest to this vector is chosen, such as a displacement that the velocity
            predicts.

        Returns
        -------
        (..., D) float64 array
            A copy. Whole sides are added along periodic axes; nan stays nan.
        """
        import numpy as np

        images = np.array(vectors, dtype=np.float64)
        targets = np.broadcast_to(np.asarray(near, dtype=np.float64), images.shape)
        for axis in np.flatnonzero(self.periodic):
            side, x = self.size[axis], images[..., axis]
            images[..., axis] = x + side * np.round((targets[..., axis] - x) / side)
        return images

    def wrap(self, positions: ArrayLike) -> np.ndarray:
        """Return positions wrapped into the box along periodic axes.

        Parameters
        ----------
        positions : (..., D) array
            In length units. The last axis is that of the coordinates.

        Returns
        -------
        (..., D) float64 array
            A copy, with lower <= x < upper along periodic axes; nan stays nan.
        """
        import numpy as np

        wrapped = self.wrap_from_corner(positions)
        for axis in np.flatnonzero(self.periodic):
            x = wrapped[..., axis] + self.lower[axis]
            # the sum may be rounded to the upper face
            wrapped[..., axis] = np.where(x >= self.upper[axis], self.lower[axis], x)
        return wrapped

    def wrap_from_corner(self, positions: ArrayLike) -> np.ndarray:
        """Return wrapped positions relative to the lower corner of the box.

        As `wrap`, but coordinates along periodic axes have 0 <= x < side. Those along the other
        axes are not changed.
        """
        import numpy as np

        wrapped = np.array(positions, dtype=np.float64)
        for axis in np.flatnonzero(self.periodic):
            side = self.size[axis]
            x = wrapped[..., axis] - self.lower[axis]
            if not ((x >= 0) & (x < side)).all():
                x = x % side
                # a tiny negative number modulo the side is rounded to the side
                x = np.where(x >= side, 0.0, x)
            wrapped[..., axis] = x
        return wrapped
