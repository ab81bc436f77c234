"""Warnings about valid but suspicious models, and whether float32 resolves their positions.

They are issued when a model is shown and when its simulation starts.

The distance between neighbouring float32 numbers grows with their size: 6e-8 at 1, 0.03 at
500,000, and 0.5 at 5,000,000, a northing in UTM coordinates. Positions are rounded to these numbers
at the start and in each step. Two lengths must be much larger than this spacing. One is the
smallest radius of a rule, or neighbours get the same position. The other is the distance that a
boid moves in a step, or its heading is rounded to a few directions.

WARN and REFUSE are limits of spacing / radius. A flock with separation within radius 1, which moved
a tenth of it in a step, was simulated for 500 steps with 6 seeds, at growing distances from the
origin. Up to a spacing of 1/32 its mean nearest-neighbour distance was that of float64 within 2
standard errors. At 1/16 and 1/8 it was 4 % less, 5 standard errors; at 1/2 a twelfth of the boids
had the position of another boid. 1/50 is well below these, and 1/1000 leaves three digits. The
limits hold for sizes of obstacles too. A model with neither radius nor obstacle is refused if a
boid moves less than the spacing in a step.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from murmurate.errors import ModelError
from murmurate.model.check import WORDS_OF_COLOURS, names_that_match, numbers_of_boids
from murmurate.model.distribution import Distribution
from murmurate.model.model import Model
from murmurate.model.obstacles import Wall
from murmurate.model.quantity import extent, number_at
from murmurate.model.rule import NeighbourRule

WARN = 1 / 1000
"""The largest spacing without a warning, in smallest radii."""
REFUSE = 1 / 50
"""The largest spacing that is allowed, in smallest radii."""
WARN_STEP = 1 / 20
"""The largest spacing without a warning, in step lengths: beyond it headings are rounded to more
than about one degree."""


class ModelWarning(UserWarning):
    """A model is valid, but suspicious."""


class Resolution(NamedTuple):
    """Where float32 resolves the positions of a model worst.

    axis, at  the axis, and the coordinate
    spacing   the distance between neighbouring numbers there
    """

    axis: int
    at: float
    spacing: float


Starts = Mapping[str, Sequence[float]]
"""Name of a flock with a start that replaces its own -> (D,) largest absolute coordinates."""


def model_warnings(model: Model, dtype: str = "float32", starts: Starts | None = None) -> list[str]:
    """Return the warnings about a model."""
    walls = [
        line
        for name, shape in model.obstacles.items()
        if isinstance(shape, Wall)
        for line in _check_wall(model, name, shape)
    ]
    return [*walls, *_check_colours(model), *precision_warnings(model, dtype, starts)]


def _check_colours(model: Model) -> list[str]:
    """Return a warning if colours show a number that all boids share."""
    name = model.view.colour_by
    if name in WORDS_OF_COLOURS:
        return []
    if any(names_that_match(names, name) for names in numbers_of_boids(model).values()):
        return []
    return [
        f"view.colour_by: got {name!r}, which is the same number for all boids; expected one that "
        "differs between them. Colours show flocks. Give it a distribution, such as { kind = "
        "'normal', mean = 1, sd = 0.2 }"
    ]


def _check_wall(model: Model, name: str, wall: Wall) -> list[str]:
    """Return a warning for a wall whose normal is closest to a periodic axis."""
    parts = [abs(number_at(part, 0.0)) for part in wall.normal]
    axis = parts.index(max(parts))
    if not model.space.periodic[axis]:
        return []
    letter = "xyz"[axis]
    words = [*model.space.boundaries[:axis], "held", *model.space.boundaries[axis + 1 :]]
    closed = ", ".join(f'"{word}"' for word in words)
    return [
        f"obstacle '{name}' is a wall across {letter}, and {letter} is periodic: boids meet its "
        "nearest image, so about half of the space is behind it, and boids there are put onto it. "
        f'Close that axis with space.boundary = [{closed}], or "reflecting"; or use a box'
    ]


def precision_warnings(model: Model, dtype: str, starts: Starts | None = None) -> list[str]:
    """Return warnings about positions too far from the origin for good precision."""
    if dtype != "float32":
        return []
    lengths = [(_smallest_length(model), WARN), (_shortest_step(model), WARN_STEP)]
    worst = resolution(model, starts)
    return [
        f"space.origin: {_describe(worst, length, what)}. {_REMEDY}"
        for (length, what), part in lengths
        if worst.spacing > part * length
    ]


def check_precision(model: Model, dtype: str, starts: Starts | None = None) -> None:
    """Check that positions are near enough to the origin for a precision.

    dtype, starts  as for `model_warnings`

    raises ModelError  if the spacing of float32 is more than REFUSE of the smallest radius or
        obstacle. Without these, if it is more than a step length.
    """
    if dtype != "float32":
        return
    length, what = _smallest_length(model)
    worst = resolution(model, starts)
    if worst.spacing > REFUSE * length:
        of_rule = what.startswith("rules.")
        effect = "boids get the same position" if of_rule else "boids pass through it"
        raise ModelError(
            f"dtype: got float32; expected float64, since {_describe(worst, length, what)}, and "
            f"above 1/{1 / REFUSE:g} of it {effect}. {_REMEDY}"
        )
    step, what = _shortest_step(model)
    if length == math.inf and worst.spacing > step:
        raise ModelError(
            f"dtype: got float32; expected float64, since {_describe(worst, step, what)}: boids "
            f"cannot move. {_REMEDY}"
        )


def check_moved(model: Model, dtype: str, flock: str, ends: Sequence[float]) -> list[str]:
    """Return the precision warnings about boids that are moved.

    There are none if the spacing is no larger there than in the space.

    flock, ends  the flock, and the (D,) largest absolute coordinates that its boids are moved to

    raises ModelError  as check_precision does
    """
    others: Starts = {name: [0.0] * model.space.dims for name in model.flocks}
    starts = {**others, flock: ends}
    if resolution(model, starts).spacing <= resolution(model, others).spacing:
        return []
    check_precision(model, dtype, starts)
    return precision_warnings(model, dtype, starts)


_REMEDY = "Use dtype float64 (--dtype float64), or coordinates with an origin near the flock"


def _describe(worst: Resolution, length: float, what: str) -> str:
    ratio = worst.spacing / length
    part = f"1/{1 / ratio:.0f} of" if ratio < 0.5 else f"{ratio:.3g} times"
    return (
        f"float32 numbers lie {worst.spacing:.3g} apart at {worst.at:.9g} on axis {worst.axis}, "
        f"which is {part} {what} ({length:.3g})"
    )


def resolution(model: Model, starts: Starts | None = None) -> Resolution:
    """Return where float32 resolves the positions of a model worst.

    Positions are within the faces of the space. On open axes they also include the starts of
    flocks, but not where a flock moves later, which is unknown.
    """
    starts = starts or {}
    farthest = []
    for axis, boundary in enumerate(model.space.boundaries):
        ends = [model.space.lower[axis], model.space.upper[axis]]
        if boundary == "open":
            for name, flock in model.flocks.items():
                if name in starts:
                    ends.append(starts[name][axis])
                elif flock.count:
                    ends += _start_ends(flock.start, model, axis, flock.count)
        farthest.append(max(ends, key=abs))
    axis = max(range(len(farthest)), key=lambda k: abs(farthest[k]))
    return Resolution(axis, farthest[axis], spacing_at(farthest[axis]))


def spacing_at(x: float) -> float:
    """Return the distance between neighbouring float32 numbers at x, which have 24 bits."""
    exponent = math.frexp(x)[1] if x else -125
    return math.ldexp(1.0, max(exponent, -125) - 24)


def _start_ends(start: Any, model: Model, axis: int, count: int) -> list[float]:
    """Return the coordinates between which a start puts boids on an axis."""
    space = model.space
    lower, upper = space.lower[axis], space.upper[axis]
    if start.kind == "given":
        return [row[axis] for row in start.positions]
    if start.kind == "off-screen":
        return [lower - start.distance, upper + start.distance]
    if start.kind == "box":
        return [(start.lower or space.lower)[axis], (start.upper or space.upper)[axis]]
    centre = start.centre[axis] if start.centre else (lower + upper) / 2
    if start.kind == "lattice":
        reach = start.spacing * math.ceil(count ** (1 / space.dims)) / 2
    else:
        reach = start.radius
    return [centre - reach, centre + reach]


def _largest_or_mean(scalar: object) -> float:
    """Return the largest number that a scalar holds at any time, or the mean of its boids."""
    return scalar.mean_value if isinstance(scalar, Distribution) else extent(scalar)[1]


def _smallest_radius(model: Model) -> tuple[float, str]:
    """Return the smallest radius of the rules and its path; inf without a radius.

    The largest value of a scheduled radius counts, so that a rule may be faded in, and the mean of
    one that differs between boids.
    """
    radii = [
        (_largest_or_mean(rule.radius), f"rules.{name}.radius")
        for name, rule in model.rules.items()
        if isinstance(rule, NeighbourRule) and extent(rule.weight) != (0.0, 0.0)
    ]
    return min(radii, default=(math.inf, ""))


def _smallest_length(model: Model) -> tuple[float, str]:
    """Return the smallest radius of rules or size of obstacles and its path; inf without any.

    The longest side of a box counts, since the sides of a thin sheet may be as short as needed.
    """
    sizes = []
    for name, shape in model.obstacles.items():
        if (largest := shape.largest()) is not None:
            sizes.append((largest[0], f"obstacles.{name}.{largest[1]}"))
    return min([_smallest_radius(model), *sizes])


def _shortest_step(model: Model) -> tuple[float, str]:
    """Return the step length of the slowest flock at its highest speed, and its description."""
    return min(_step_lengths(model), default=(math.inf, ""))


def _step_lengths(model: Model) -> Iterator[tuple[float, str]]:
    for name, flock in model.flocks.items():
        motion: Any = flock.motion
        speed = _largest_or_mean(getattr(motion, "speed", motion.max_speed))
        if flock.count and speed > 0.0:
            yield speed * model.dt, f"the step length of flock {name!r}"
