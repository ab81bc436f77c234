"""Population: how boids join a flock and leave it, the tables [population.NAME] of a model.

All entries are applied at the end of each step, in the order of the table, to the boids that were
there in the step. A boid that joins is subject to the entries from the next step on, and one that
has left is not subject to later entries. docs/population.md describes the order in full.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Protocol

from pydantic import Field, field_validator, model_validator

from murmurate.model.distribution import Each
from murmurate.model.messages import format_unknown
from murmurate.model.number import Whole
from murmurate.model.quantity import (
    FlockNames,
    Part,
    Scalar,
    Times,
    Vector,
    extent,
    is_scheduled,
    quantity,
)
from murmurate.model.start import Given, Start

if TYPE_CHECKING:
    from murmurate.model.flock import Flock
    from murmurate.model.space import Space

Names = tuple[str, ...]
MAX_BOIDS = 10_000
"""The largest number of boids in a flock that can grow, unless its `max_boids` states another."""
RESERVED_IDS = 1_000_000_000
"""Ids that a flock that can grow reserves: no id is used twice."""
AXES = ("x", "y", "z")


# --- regions


class ExitBox(Part):
    """A box with sides along the axes (a rectangle in 2-D), with its faces."""

    kind: Literal["box"] = "box"
    lower: Vector = quantity(unit="length")
    """Its lower corner."""
    upper: Vector = quantity(unit="length")
    """Its upper corner."""


class ExitBall(Part):
    """A ball (a disc in 2-D), with its surface."""

    kind: Literal["ball"] = "ball"
    centre: Vector = quantity(unit="length")
    """Its centre."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


class ExitFace(Part):
    """Everything at and beyond a face of the space, which is open or held."""

    kind: Literal["face"] = "face"
    axis: Literal["x", "y", "z"]
    """The axis that the face is across."""
    side: Literal["lower", "upper"]
    """Which of the two faces of the axis."""


Region = Annotated[ExitBox | ExitBall | ExitFace, Field(discriminator="kind")]


# --- boids that join


class BoidSource(Part):
    """Boids that enter a flock: at random times with a rate, or at given times."""

    kind: Literal["source"] = "source"
    flock: str = ""
    """The flock that they join; not needed in a model with one flock."""
    rate: Scalar | None = quantity(None, ge=0, unit="1/time")
    """Mean number of boids that join per time. They are independent (a Poisson process)."""
    times: Times = ()
    """When boids join, in increasing order, instead of a rate. Unit: time."""
    numbers: tuple[Annotated[Whole, Field(ge=1, le=1_000_000_000)], ...] = ()
    """How many boids join at each of `times`; one unless given."""
    start: Start | None = None
    """Their positions and velocities; the start of the flock unless given. Of a start 'given' they
    take the rows in turn, and on a ring each has an angle of its own."""

    @model_validator(mode="after")
    def _check_times(self) -> BoidSource:
        if (self.rate is None) == (not self.times):
            number = "both" if self.times else "neither"
            raise ValueError(
                f"rate: got {number} of rate and times; expected one of them. A rate stands for "
                "random times"
            )
        if self.numbers and len(self.numbers) != len(self.times):
            raise ValueError(
                f"numbers: got {len(self.numbers)} for {len(self.times)} times; expected one "
                "number for each time"
            )
        for earlier, later in zip(self.times, self.times[1:], strict=False):
            if later <= earlier:
                raise ValueError(
                    f"times: got {later:g} after {earlier:g}; expected increasing times"
                )
        if self.times and self.times[0] <= 0:
            raise ValueError(
                f"times: got {self.times[0]:g}; expected times after 0. Boids at the start are "
                "the flock's count"
            )
        return self

    def groups(self, dt: float) -> dict[int, int]:
        """Return the number of boids that join at given times: step at whose end -> number."""
        groups: dict[int, int] = {}
        for time, number in zip(self.times, self.numbers or (1,) * len(self.times), strict=True):
            step = max(1, math.ceil(time / dt * (1 - 1e-12)))
            groups[step] = groups.get(step, 0) + number
        return groups


class Births(Part):
    """Boids that give birth: a newborn starts near its parent, with its velocity."""

    kind: Literal["births"] = "births"
    flock: str = ""
    """The flock of parents and newborns; not needed in a model with one flock."""
    rate: Scalar = quantity(ge=0, unit="1/time")
    """Mean number of newborns per boid and time (a Poisson process of each boid)."""
    distance: Scalar = quantity(ge=0, unit="length")
    """Distance of a newborn from its parent, in a random direction."""


# --- boids that leave


class Exit(Part):
    """A region where boids leave the space."""

    kind: Literal["exit"] = "exit"
    flocks: FlockNames = ""
    """The flocks whose boids leave; all unless given."""
    region: Region
    """The region: all boids that are in it at the end of a step leave."""


class Deaths(Part):
    """Boids that die at random: their lifetimes are exponentially distributed."""

    kind: Literal["deaths"] = "deaths"
    flocks: FlockNames = ""
    """The flocks whose boids die; not needed in a model with one flock."""
    rate: Scalar = quantity(ge=0, unit="1/time")
    """Deaths per boid and time. A boid dies in a step with probability 1 - exp(-rate dt)."""


class Failure(Part):
    """Boids that fail at random, as drones do: times until then are exponentially distributed.

    Boids that stop or drift remain in their flock, and others sense them. They are in the per-boid
    state 'population.NAME.failed', which is 1 for boids that have failed.
    """

    kind: Literal["failure"] = "failure"
    flocks: FlockNames = ""
    """The flocks whose boids fail; not needed in a model with one flock."""
    rate: Scalar = quantity(ge=0, unit="1/time")
    """Failures per boid and time. A boid fails in a step with probability 1 - exp(-rate dt)."""
    then: Literal["stop", "drift", "leave"] = "stop"
    """What a boid does from the next step on. stop: its velocity is zero. drift: its velocity is
    that of the step, whatever its rules. leave: it leaves the flock."""

    @property
    def stays(self) -> bool:
        """Whether boids that fail remain in their flock."""
        return self.then != "leave"


class Lifetime(Part):
    """Boids that die at an age. Those of the start are of age 0 then."""

    kind: Literal["lifetime"] = "lifetime"
    flocks: FlockNames = ""
    """The flocks whose boids die; not needed in a model with one flock."""
    duration: Scalar = quantity(gt=0, unit="time")
    """The age at which a boid dies: a number, or a distribution of numbers that differ between
    boids."""

    _may_differ: ClassVar[bool] = True

    @field_validator("duration")
    @classmethod
    def _check_duration(cls, value: Any) -> Any:
        if is_scheduled(value):
            raise ValueError(
                f"got a schedule of kind {value.kind!r}; expected a number. Use an entry of kind "
                "'deaths', whose rate may change in time"
            )
        if isinstance(value, Each):
            raise ValueError(
                "got a list of numbers for each boid; expected a number or a distribution. Use "
                "kind 'choice' or another one"
            )
        return value


class Removal(Part):
    """Boids that leave because of a number that a rule or their motion stores, such as hunger."""

    kind: Literal["removal"] = "removal"
    flocks: FlockNames = ""
    """The flocks whose boids leave; not needed in a model with one flock."""
    state: str
    """The per-boid state by its path, such as 'rules.hunger.energy'."""
    below: Scalar | None = quantity(None, unit="")
    """A boid leaves whose number is below this one."""
    above: Scalar | None = quantity(None, unit="")
    """A boid leaves whose number is above this one."""

    @model_validator(mode="after")
    def _check_limits(self) -> Removal:
        if self.below is None and self.above is None:
            raise ValueError("below: is missing; expected below or above, or both")
        return self


class Capture(Part):
    """Predators that capture prey within a radius, and then handle it for a time.

    In each step, free predators take the nearest prey within the radius, in the order of their ids:
    prey that has been taken in the step is no longer there. A predator that handles prey takes
    none. So one predator captures 1 / (mean search + handling time) per time (Holling 1959,
    doi:10.4039/Ent91385-7).
    """

    kind: Literal["capture"] = "capture"
    predators: FlockNames
    """The flocks whose boids capture."""
    prey: FlockNames
    """The flocks whose boids are captured."""
    radius: Scalar = quantity(gt=0, unit="length")
    """The largest distance between predator and prey, to the nearest image on periodic axes."""
    handling_time: Scalar = quantity(0.0, ge=0, unit="time")
    """How long a predator captures nothing after a capture, rounded up to whole steps. It is the
    per-boid state 'population.NAME.handling' of predators: the steps that are left."""
    probability: Scalar = quantity(1.0, ge=0, le=1, unit="")
    """Probability that an attempt succeeds: a free predator makes one in each step that ends with
    prey within the radius."""
    cannibalism: bool = False
    """Whether a flock may be among both predators and prey. A boid never captures itself."""


Entry = BoidSource | Births | Exit | Deaths | Failure | Lifetime | Removal | Capture
PopulationEntry = Annotated[Entry, Field(discriminator="kind")]


# --- entries in a model


def named(value: FlockNames, flocks: Iterable[str]) -> Names:
    """Return the names of a field: those it has, or all flocks if it is empty."""
    if not value:
        return tuple(flocks)
    return (value,) if isinstance(value, str) else value


def joined_flock(entry: Entry, flocks: Iterable[str]) -> str:
    """Return the flock that an entry lets grow; '' if it lets none."""
    if not isinstance(entry, BoidSource | Births):
        return ""
    return entry.flock or next(iter(flocks), "")


def flocks_left(entry: Entry, flocks: Iterable[str]) -> Names:
    """Return the flocks whose boids may leave by an entry."""
    if isinstance(entry, BoidSource | Births) or failed_flocks(entry, flocks):
        return ()
    return named(entry.prey if isinstance(entry, Capture) else entry.flocks, flocks)


def failed_flocks(entry: Entry, flocks: Iterable[str]) -> Names:
    """Return the flocks whose boids may fail by an entry, and remain."""
    return named(entry.flocks, flocks) if isinstance(entry, Failure) and entry.stays else ()


def stored_names(population: Mapping[str, Entry], flock: str) -> Names:
    """Return the per-boid state that a population stores of a flock: 'population.NAME.handling' of
    predators, and 'population.NAME.failed'."""
    names = []
    for name, entry in population.items():
        if isinstance(entry, Capture) and flock in named(entry.predators, ()):
            names.append(f"population.{name}.handling")
        if flock in failed_flocks(entry, (flock,)):
            names.append(f"population.{name}.failed")
    return tuple(names)


def first_ids(model: Parts, n_ever: Mapping[str, int]) -> dict[str, int]:
    """Return the id of the boid of index 0 of each flock.

    A flock that boids may join reserves RESERVED_IDS ids, so that those of later flocks stay; other
    flocks need as many as they have boids.

    n_ever  boids that have ever been in each flock, in the model's order
    """
    sizes = [RESERVED_IDS if model.grows(name) else number for name, number in n_ever.items()]
    return dict(zip(n_ever, [0, *accumulate(sizes)], strict=False))


# --- checks


class Parts(Protocol):
    """The attributes of a Model that its population is checked against."""

    @property
    def dt(self) -> float: ...
    @property
    def space(self) -> Space: ...
    @property
    def flocks(self) -> Mapping[str, Flock]: ...
    @property
    def population(self) -> Mapping[str, Entry]: ...
    def memory_of(self, flock: str) -> tuple[str, ...]: ...
    def grows(self, flock: str) -> bool: ...
    def max_boids(self, flock: str) -> int: ...


def check_population(model: Parts) -> Iterator[str]:
    """Yield the error messages about a model's population."""
    unknown = False
    for name, entry in model.population.items():
        problems = list(_check_flocks(model, f"population.{name}", entry))
        unknown |= bool(problems)
        yield from problems
    if unknown or not model.flocks:
        return
    yield from _check_max_boids(model)
    for name, entry in model.population.items():
        path = f"population.{name}"
        if isinstance(entry, BoidSource):
            yield from _check_source(model, path, entry)
        elif isinstance(entry, Exit):
            yield from _check_region(model.space, f"{path}.region", entry.region)
        elif isinstance(entry, Removal):
            yield from _check_state(model, path, entry)
        elif isinstance(entry, Capture):
            yield from _check_capture(model, path, entry)
        elif isinstance(entry, Births):
            yield from _check_rate(model, f"{path}.rate", entry.rate, entry.flock)


def _check_flocks(model: Parts, path: str, entry: Entry) -> Iterator[str]:
    """Check the names of flocks."""
    for field in ("flock", "flocks", "predators", "prey"):
        value = getattr(entry, field, None)
        if value is None:
            continue
        if not value and len(model.flocks) > 1 and not isinstance(entry, Exit):
            yield (
                f"{path}.{field}: is missing; expected the flock that it is about: "
                f"{', '.join(model.flocks)}"
            )
        for flock in (value,) if isinstance(value, str) and value else value:
            if flock not in model.flocks:
                yield f"{path}.{field}: {format_unknown('flock', flock, model.flocks)}"


def _check_max_boids(model: Parts) -> Iterator[str]:
    for name, flock in model.flocks.items():
        path = f"flocks.{name}"
        if not model.grows(name):
            if flock.max_boids is not None:
                yield (
                    f"{path}.max_boids: got {flock.max_boids:,} for a flock that cannot grow; "
                    "expected nothing. Leave it out, or add a source or births to [population]"
                )
            continue
        if flock.count > model.max_boids(name):
            yield (
                f"{path}.count: got {flock.count:,}; expected at most {path}.max_boids, "
                f"{model.max_boids(name):,}. Reduce it, or state a larger max_boids"
            )
            continue
        yield from _check_scheduled_sum(model, name)


def _check_scheduled_sum(model: Parts, flock: str) -> Iterator[str]:
    """Check that boids that join at given times fit, where none can leave."""
    if any(flock in flocks_left(entry, model.flocks) for entry in model.population.values()):
        return
    sources = [
        entry
        for entry in model.population.values()
        if isinstance(entry, BoidSource) and joined_flock(entry, model.flocks) == flock
    ]
    total = model.flocks[flock].count + sum(sum(s.numbers) or len(s.times) for s in sources)
    if total > model.max_boids(flock):
        yield (
            f"flocks.{flock}.max_boids: got {model.max_boids(flock):,}; expected at least "
            f"{total:,}, the boids that will have joined, since none can leave. State a larger "
            "max_boids, or fewer boids"
        )


def _check_rate(model: Parts, path: str, rate: Any, flock: str) -> Iterator[str]:
    """Check that a rate does not overflow a flock in one step."""
    name = flock or next(iter(model.flocks))
    per_step = extent(rate)[1] * model.dt
    if per_step > model.max_boids(name):
        yield (
            f"{path}: got up to {per_step:,.6g} boids in a step of dt {model.dt:g}; expected at "
            f"most flocks.{name}.max_boids, {model.max_boids(name):,}. Lower the rate, shorten dt, "
            "or state a larger max_boids"
        )


def _check_source(model: Parts, path: str, source: BoidSource) -> Iterator[str]:
    if source.rate is not None:
        yield from _check_rate(model, f"{path}.rate", source.rate, source.flock)
    start: Any = source.start
    where = f"{path}.start"
    if start is None:
        start = model.flocks[joined_flock(source, model.flocks)].start
        if start.kind == "lattice":
            yield (
                f"{where}: is missing, and the flock starts on a lattice, which has a place for "
                "each boid of the start only; expected a start of kind 'box', 'ball', 'ring', "
                "'off-screen' or 'given'"
            )
            return
    elif start.kind == "lattice":
        yield (
            f"{where}.kind: got 'lattice', whose size depends on the number of boids; expected "
            "'box', 'ball', 'ring', 'off-screen' or 'given'"
        )
        return
    else:
        yield from check_point_lengths(start, where, model.space.dims)
    if isinstance(start, Given):
        rows, velocities = len(start.positions), len(start.velocities)
        if source.start is not None and velocities not in (0, rows):
            yield f"{where}.velocities: got {velocities} rows; expected {rows}, as positions"
        if not rows:
            yield (
                f"{where}.positions: got none; expected at least one row, which boids take in turn"
            )
    yield from _check_faces(model.space, where, start)


def check_point_lengths(start: Any, path: str, dims: int) -> Iterator[str]:
    """Check that the points and rows of a start have a number for each axis."""
    for owner, at in ((start, path), (getattr(start, "velocity", None), f"{path}.velocity")):
        for key in ("lower", "upper", "centre", "velocity"):
            point = getattr(owner, key, None)
            if isinstance(point, tuple) and point and len(point) != dims:
                yield wrong_length(f"{at}.{key}", len(point), dims)
    for key in ("positions", "velocities"):
        if any(len(row) != dims for row in getattr(start, key, ())):
            yield f"{path}.{key}: expected {dims} numbers in each row"


def _check_faces(space: Space, path: str, start: Any) -> Iterator[str]:
    """Check that a source is inside the closed faces of the space."""
    bounds = _bounds(space, start)
    if bounds is None:
        return
    for axis, boundary in enumerate(space.boundaries):
        if boundary not in ("reflecting", "held"):
            continue
        for value in (bounds[0][axis], bounds[1][axis]):
            if not space.lower[axis] <= value <= space.upper[axis]:
                yield (
                    f"{path}: boids may join at {value:.9g} on axis {AXES[axis]}; expected a "
                    f"number from {space.lower[axis]:.9g} to {space.upper[axis]:.9g}, for its "
                    f"faces are {boundary}"
                )
                return


def _bounds(space: Space, start: Any) -> tuple[list[float], list[float]] | None:
    """Return the corners of a box around a start; None if its points have a wrong length."""
    dims = space.dims
    middle = [(a + b) / 2 for a, b in zip(space.lower, space.upper, strict=True)]
    if start.kind == "box":
        low, high = start.lower or space.lower, start.upper or space.upper
        return (list(low), list(high)) if len(low) == len(high) == dims else None
    if start.kind == "off-screen":
        low = [x - start.distance for x in space.lower]
        return low, [x + start.distance for x in space.upper]
    if start.kind == "given":
        rows = [row for row in start.positions if len(row) == dims]
        if not rows:
            return None
        return [min(column) for column in zip(*rows, strict=True)], [
            max(column) for column in zip(*rows, strict=True)
        ]
    centre = list(start.centre) or middle
    if len(centre) != dims:
        return None
    reach = [start.radius if start.kind == "ball" or k < 2 else 0.0 for k in range(dims)]
    low = [x - r for x, r in zip(centre, reach, strict=True)]
    return low, [x + r for x, r in zip(centre, reach, strict=True)]


def _check_region(space: Space, path: str, region: Any) -> Iterator[str]:
    for key in ("lower", "upper", "centre"):
        point = getattr(region, key, None)
        if point is not None and len(point) != space.dims:
            yield wrong_length(f"{path}.{key}", len(point), space.dims)
            return
    if isinstance(region, ExitBox):
        for axis, (low, high) in enumerate(zip(region.lower, region.upper, strict=True)):
            if extent(low)[0] > extent(high)[1]:
                yield (
                    f"{path}.upper.{axis}: got {extent(high)[1]:g}; expected at least the lower "
                    f"corner, {extent(low)[0]:g}"
                )
    if isinstance(region, ExitFace):
        axis = AXES.index(region.axis)
        if axis >= space.dims:
            yield f"{path}.axis: got 'z' in 2-D; expected 'x' or 'y'"
        elif (boundary := space.boundaries[axis]) in ("periodic", "reflecting"):
            reason = {"periodic": "boids enter again opposite", "reflecting": "boids bounce off it"}
            yield (
                f"{path}.axis: got {region.axis!r}, whose faces are {boundary}; expected an open "
                f"or held axis, since {reason[boundary]}. Change space.boundary, or use a region "
                "of kind 'box'"
            )


def _check_state(model: Parts, path: str, entry: Removal) -> Iterator[str]:
    for flock in named(entry.flocks, model.flocks):
        names = model.memory_of(flock)
        if entry.state not in names:
            names_text = f"one of {', '.join(names)}" if names else "none, since it has none"
            yield (
                f"{path}.state: got {entry.state!r}; expected per-boid state of flock {flock!r}, "
                f"{names_text}. Rules and motions with `states` have it"
            )


def _check_capture(model: Parts, path: str, entry: Capture) -> Iterator[str]:
    both = set(named(entry.predators, ())) & set(named(entry.prey, ()))
    if both and not entry.cannibalism:
        yield (
            f"{path}.prey: got {min(both)!r}, one of the predators; expected another flock. If "
            "boids of a flock are to capture each other, set cannibalism = true"
        )
    radius = extent(entry.radius)[1]
    for axis, (periodic, side) in enumerate(
        zip(model.space.periodic, model.space.size, strict=True)
    ):
        if periodic and side < 2 * radius:
            yield (
                f"{path}.radius: got {radius:g}; expected at most {side / 2:g}, half of "
                f"space.size.{axis}, since the axis is periodic. Reduce it, or enlarge the space"
            )


def wrong_length(path: str, length: int, dims: int) -> str:
    """Return the error of a vector with a wrong number of components."""
    return f"{path}: got {length} numbers; expected {dims}, one for each axis of the space"
