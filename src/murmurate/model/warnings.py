"""Warnings about a model: what is suspicious, but valid. They are given where a model is shown, and
where its simulation starts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.model.obstacles import Box, Wall
from murmurate.model.quantity import extent, number_at
from murmurate.model.rule import NeighbourRule


class ModelWarning(UserWarning):
    """A model is valid, but suspicious."""


def doubts_of(model: Model, dtype: str = "float32", given: Given | None = None) -> list[str]:
    """Return what is suspicious in a model, a line each.

    dtype  the precision that it is simulated in
    given  the starts that take the place of the model's
    """
    walls = [
        line
        for name, shape in model.obstacles.items()
        if isinstance(shape, Wall)
        for line in _across(model, name, shape)
    ]
    return [*walls, *precision_warnings(model, dtype, given)]


def _across(model: Model, name: str, wall: Wall) -> list[str]:
    """A wall whose normal points along a periodic axis more than along any other."""
    parts = [abs(number_at(part, 0.0)) for part in wall.normal]
    axis = parts.index(max(parts))
    if not model.space.periodic[axis]:
        return []
    letter = "xyz"[axis]
    words = [*model.space.boundaries[:axis], "held", *model.space.boundaries[axis + 1 :]]
    closed = ", ".join(f'"{word}"' for word in words)
    return [
        f"obstacle '{name}' is a wall across {letter}, and {letter} is periodic: boids meet its "
        f"nearest image, so about half of the space is behind it, and boids there are put onto it. "
        f'Close that axis, space.boundary = [{closed}] or with "reflecting", or take a box instead'
    ]


WARN = 1 / 1000
"""A spacing of more than this part of the smallest radius is warned of."""
REFUSE = 1 / 50
"""A spacing of more than this part of the smallest radius is refused."""
WARN_STEP = 1 / 20
"""A spacing of more than this part of the way of a step is warned of: it rounds headings to more
than about one degree."""


class Resolution(NamedTuple):
    """How well float32 resolves the positions of a model.

    axis, at  where numbers lie farthest apart: the axis, and the coordinate
    spacing   how far apart they are there
    """

    axis: int
    at: float
    spacing: float


Given = Mapping[str, Sequence[float]]
"""Flocks whose start the user gives -> the largest coordinates, without their signs."""


def precision_warnings(model: Model, dtype: str, given: Given | None = None) -> list[str]:
    """Return where the positions of a model are too far from the origin for a precision to be good,
    a line each.

    given  the starts that take the place of the model's
    """
    if dtype != "float32":
        return []
    lengths = [(_smallest_length(model), WARN), (_shortest_step(model), WARN_STEP)]
    found = resolution(model, given)
    return [
        f"space.origin: {_said(found, length, what)}. {_REMEDY}"
        for (length, what), part in lengths
        if found.spacing > part * length
    ]


def check_precision(model: Model, dtype: str, given: Given | None = None) -> None:
    """Raise ModelError where the positions of a model are too far from the origin for a precision:
    where the spacing of float32 is more than REFUSE of the smallest radius or obstacle, or, without
    these, more than the way of a step.

    given  the starts that take the place of the model's
    """
    if dtype != "float32":
        return
    length, what = _smallest_length(model)
    found = resolution(model, given)
    if found.spacing > REFUSE * length:
        of_rule = what.startswith("rules.")
        worse = "lets boids fall onto each other" if of_rule else "lets them pass through it"
        raise ModelError(
            f"dtype: got float32; expected float64, for {_said(found, length, what)}, and more "
            f"than 1/{1 / REFUSE:g} of it {worse}. {_REMEDY}"
        )
    step, what = _shortest_step(model)
    if length == math.inf and found.spacing > step:
        raise ModelError(
            f"dtype: got float32; expected float64, for {_said(found, step, what)}: boids cannot "
            f"move. {_REMEDY}"
        )


def check_moved(model: Model, dtype: str, flock: str, ends: Sequence[float]) -> list[str]:
    """Return the warnings for boids of a flock that are moved, as precision_warnings does; none
    where numbers lie no farther apart there than in the space.

    ends  the largest coordinates that they are moved to, without their signs

    Raises
    ------
    ModelError
        As check_precision does.
    """
    others: Given = {name: [0.0] * model.space.dims for name in model.flocks}
    given = {**others, flock: ends}
    if resolution(model, given).spacing <= resolution(model, others).spacing:
        return []
    check_precision(model, dtype, given)
    return precision_warnings(model, dtype, given)


_REMEDY = "Take dtype float64 (--dtype float64), or coordinates whose origin is near the flock"


def _said(found: Resolution, length: float, what: str) -> str:
    return (
        f"float32 numbers lie {found.spacing:.3g} apart at {found.at:.9g} on axis {found.axis}, "
        f"which is {_part(found.spacing / length)} {what} ({length:.3g})"
    )


def _part(ratio: float) -> str:
    return f"1/{1 / ratio:.0f} of" if ratio < 0.5 else f"{ratio:.3g} times"


def resolution(model: Model, given: Given | None = None) -> Resolution:
    """Return where float32 resolves the positions of a model worst, and its spacing there.

    Positions reach from face to face of the space; on open axes also as far as the starts of the
    flocks. Where an open flock goes later is not known.
    """
    given = given or {}
    farthest = []
    for axis, boundary in enumerate(model.space.boundaries):
        ends = [model.space.lower[axis], model.space.upper[axis]]
        if boundary == "open":
            for name, flock in model.flocks.items():
                if name in given:
                    ends.append(given[name][axis])
                elif flock.count:
                    ends += _ends(flock.start, model, axis, flock.count)
        farthest.append(max(ends, key=abs))
    axis = max(range(len(farthest)), key=lambda k: abs(farthest[k]))
    return Resolution(axis, farthest[axis], spacing_at(farthest[axis]))


def spacing_at(x: float) -> float:
    """Return how far apart the numbers of float32 are at x: its 24 binary digits."""
    exponent = math.frexp(x)[1] if x else -125
    return math.ldexp(1.0, max(exponent, -125) - 24)


def _ends(start: Any, model: Model, axis: int, count: int) -> list[float]:
    """Return the coordinates between which a start puts boids on an axis."""
    space = model.space
    lower, upper = space.lower[axis], space.upper[axis]
    if start.kind == "given":
        return [row[axis] for row in start.positions]
    if start.kind == "off-screen":
        return [lower - start.distance, upper + start.distance]
    if start.kind == "box":
        return [(start.lower or space.lower)[axis], (start.upper or space.upper)[axis]]
    middle = start.centre[axis] if start.centre else (lower + upper) / 2
    if start.kind == "lattice":
        reach = start.spacing * math.ceil(count ** (1 / space.dims)) / 2
    else:
        reach = start.radius
    return [middle - reach, middle + reach]


def _smallest_radius(model: Model) -> tuple[float, str]:
    """Return the smallest radius of the rules, and what it is; inf where none has a radius.

    Of a radius that changes in time its largest value counts, so that a rule may be faded in.
    """
    radii = [
        (extent(rule.radius)[1], f"rules.{name}.radius")
        for name, rule in model.rules.items()
        if isinstance(rule, NeighbourRule) and extent(rule.weight) != (0.0, 0.0)
    ]
    return min(radii, default=(math.inf, ""))


def _smallest_length(model: Model) -> tuple[float, str]:
    """Return the smallest of the rules' radii and the obstacles' sizes, and what it is; inf where
    there is none. Of a box its longest side counts: a sheet may be as thin as it likes."""
    sizes = []
    for name, shape in model.obstacles.items():
        if isinstance(shape, Box):
            sizes.append((max(extent(side)[1] for side in shape.size), f"obstacles.{name}.size"))
        elif not isinstance(shape, Wall):
            sizes.append((extent(shape.radius)[1], f"obstacles.{name}.radius"))
    return min([_smallest_radius(model), *sizes])


def _shortest_step(model: Model) -> tuple[float, str]:
    """Return the way of a step at the highest speed, of the slowest flock, and what it is."""
    return min(_steps(model), default=(math.inf, ""))


def _steps(model: Model) -> Iterator[tuple[float, str]]:
    for name, flock in model.flocks.items():
        motion: Any = flock.motion
        speed = extent(getattr(motion, "speed", motion.max_speed))[1]
        if flock.count and speed > 0.0:
            yield speed * model.dt, f"the way of a step of flock {name!r}"
