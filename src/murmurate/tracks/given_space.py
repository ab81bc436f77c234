"""The space of tracks: what the user says of it, what the file says, and which one counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.model.space import Space
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.reading import Reading

AXES = "xyz"
EXAMPLE = "--space 100x100 --periodic xy"
LOOSE = 1e-3  # of a side: how far outside of the file's own space rounding may put positions


@dataclass(frozen=True)
class GivenSpace:
    """What the user says of the space; None: nothing.

    size      of the sides, in the units of the file
    origin    the lower corner; zeros unless given
    periodic  names of the periodic axes, () for none
    space     all of it at once
    """

    size: tuple[float, ...] | None = None
    origin: tuple[float, ...] | None = None
    periodic: tuple[str, ...] | None = None
    space: Space | None = None

    def box(self, dims: int) -> Space | None:
        """The space, where its sides are given and are as many as positions have axes."""
        if self.space is not None or self.size is None:
            return self.space if self.space is not None and self.space.dims == dims else None
        if len(self.size) != dims:
            return None
        return Space(size=self.size, origin=self.origin or (),
                     boundary=_words(self.periodic or (), dims))  # fmt: skip

    @property
    def said(self) -> bool:
        return any(x is not None for x in (self.size, self.origin, self.periodic, self.space))


NOTHING = GivenSpace()


def given_space(
    space: str | Sequence[float] | Space | None,
    origin: str | Sequence[float] | None,
    periodic: str | Sequence[str] | None,
) -> GivenSpace:
    """'100x100', '0,0', 'xy' (or 'none') -> GivenSpace. Raises RecordingRefused."""
    axes = None if periodic is None else _axes(periodic)
    if isinstance(space, Space):
        if origin is not None or axes is not None:
            raise RecordingRefused(
                "space: got a Space with an origin or periodic axes beside it; expected all of it "
                "in the Space, or numbers. Leave the others out"
            )
        return GivenSpace(space=space)
    size = None if space is None else numbers_of("space", space, "x", "100x100")
    if size is not None and min(size) <= 0:
        raise RecordingRefused(
            f"space: got {space}; expected lengths above 0, such as 100x100. Give each side"
        )
    corner = None if origin is None else numbers_of("origin", origin, ",", "-50,-50")
    if corner is not None and (size is None or len(corner) != len(size)):
        raise RecordingRefused(
            f"origin: got {origin}; expected the lower corner of a space of as many axes. Give "
            "both, such as --space 100x100 --origin -50,-50"
        )
    outside = [axis for axis in axes or () if size is not None and axis not in AXES[: len(size)]]
    if outside:
        raise RecordingRefused(
            f"periodic: got {''.join(axes or ())} for {len(size or ())} axes; expected some of "
            f"{AXES[: len(size or ())]}, or none. Leave {', '.join(outside)} out, or give a 3-D "
            "space"
        )
    return GivenSpace(size, corner, axes)


def space_of(reading: Reading, given: GivenSpace, path: Any) -> tuple[Space | None, str]:
    """The space of what was read, and who says it in words; None where nobody does.

    What the user says goes before what the file says. Raises RecordingRefused where it does not
    fit, for a position outside of it, and for a file that should have a space and lacks it.
    """
    dims = reading.positions.shape[2]
    if not given.said:
        if reading.lacks_space:
            raise RecordingRefused(f"{path}: {reading.lacks_space}")
        if reading.space is not None:
            _check_inside(reading, reading.space, path, LOOSE)
            return reading.space, reading.space_from or "the file"
        return None, ""
    if given.space is not None or given.size is not None:
        size = given.space.size if given.space is not None else given.size or ()
        if len(size) != dims:
            raise RecordingRefused(
                f"{path}: space: got {'x'.join(f'{x:g}' for x in size)} for {dims}-D positions; "
                f"expected {dims} sides. Give one for each axis"
            )
        space = given.box(dims)
        assert space is not None
        _check_inside(reading, space, path, 0.0)
        return space, "as given"
    if not given.periodic:
        if reading.space is None:
            return None, "as given: no periodic axes"
    elif reading.space is None:
        raise RecordingRefused(
            f"{path}: periodic: got {''.join(given.periodic)}, and the file has no box; expected "
            f"the space too. Give its sides, such as {EXAMPLE}"
        )
    assert reading.space is not None
    if wrong := [axis for axis in given.periodic or () if axis not in AXES[:dims]]:
        raise RecordingRefused(
            f"{path}: periodic: got {''.join(wrong)} for {dims}-D positions; expected some of "
            f"{AXES[:dims]}. Leave it out"
        )
    space = Space(
        size=reading.space.size, origin=reading.space.lower,
        boundary=_words(given.periodic or (), dims),
    )  # fmt: skip
    _check_inside(reading, space, path, LOOSE)
    return space, "the file's box, periodic as given"


def turned(space: Space) -> Space:
    """The space with y turned round."""
    lower = list(space.lower)
    lower[1] = -space.upper[1]
    return Space(size=space.size, origin=tuple(lower), boundary=space.boundaries)


def in_words(space: Space) -> str:
    """'100 x 100, periodic along x and y'."""
    sides = " x ".join(f"{side:.6g}" for side in space.size)
    names = [name for name, one in zip(AXES, space.periodic, strict=False) if one]
    lower = f" from ({', '.join(f'{x:.6g}' for x in space.lower)})" if any(space.lower) else ""
    if not names:
        return f"{sides}{lower}, no periodic axes"
    return f"{sides}{lower}, periodic along {' and '.join(names)}"


def _words(periodic: Sequence[str], dims: int) -> tuple[Any, ...]:
    return tuple("periodic" if axis in periodic else "open" for axis in AXES[:dims])


def _axes(text: str | Sequence[str]) -> tuple[str, ...]:
    """'xy', 'x,y' or ['x', 'y'] -> ('x', 'y'); 'none' -> ()."""
    letters = text.replace(",", "").strip() if isinstance(text, str) else "".join(map(str, text))
    if letters == "none" or (not isinstance(text, str) and not letters):
        return ()
    if not letters or set(letters) - set(AXES) or len(set(letters)) < len(letters):
        raise RecordingRefused(
            f"periodic: got {text!r}; expected names of axes such as x, xy or xyz, each once, or "
            "none. Name the axes along which the space is periodic"
        )
    return tuple(letters)


def numbers_of(
    name: str, value: str | Sequence[float], mark: str, example: str
) -> tuple[float, ...]:
    """Two or three numbers from a list, or from text such as 100x100. Raises RecordingRefused."""
    parts = value.lower().split(mark) if isinstance(value, str) else value
    try:
        found = tuple(float(part) for part in parts)
    except (TypeError, ValueError):
        found = ()
    if len(found) not in (2, 3) or not all(map(math.isfinite, found)):
        raise RecordingRefused(
            f"{name}: got {value!r}; expected two or three numbers, such as {example}. Give one "
            "for each axis"
        )
    return found


def _check_inside(reading: Reading, space: Space, path: Any, loose: float) -> None:
    """Raises RecordingRefused for the first position outside. Along open axes of a file's own space
    animals may leave it; of one that the user gives, nobody is outside."""
    places = reading.positions
    for axis in range(space.dims):
        if loose and not space.periodic[axis]:
            continue
        lower, upper, spare = space.lower[axis], space.upper[axis], loose * space.size[axis]
        with np.errstate(invalid="ignore"):
            wrong = (places[:, :, axis] < lower - spare) | (places[:, :, axis] > upper + spare)
        if not wrong.any():
            continue
        frame, animal = (int(k) for k in np.argwhere(wrong)[0])
        name = list(reading.names or map(str, range(places.shape[1])))[animal]
        what = "space"
        remedy = "Give the space in the units of the file, and its lower corner by --origin"
        if loose:
            what = f"the space that {reading.space_from or 'the file'} has"
            remedy = f"Take the file from a copy, or give its space: {EXAMPLE}"
        raise RecordingRefused(
            f"{path}: {what}: got {AXES[axis]} = {places[frame, animal, axis]:.10g} in frame "
            f"{reading.start + frame * reading.every:.10g}, {name}; expected {lower:g} to "
            f"{upper:g}. {remedy}"
        )
