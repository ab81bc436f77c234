"""Checks across the parts of a model: names that must exist, numbers that must fit together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from murmurate.model.flock import Flock
from murmurate.model.messages import unknown
from murmurate.model.obstacles import Obstacle, Wall
from murmurate.model.quantity import Part, corners, extent, quantities
from murmurate.model.rule import NeighbourRule, Rule, flocks_moved
from murmurate.model.space import Space
from murmurate.model.start import Given

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
MOST_REMEMBERED = 100_000  # steps, where boids sense late
MOST_STATES = 200_000_000  # steps times boids: 24 bytes each in 3-D and float32, 4.8 GB


class Parts(Protocol):
    """The parts of a model that are checked against each other. A Model has them."""

    @property
    def dt(self) -> float: ...
    @property
    def space(self) -> Space: ...
    @property
    def flocks(self) -> Mapping[str, Flock]: ...
    @property
    def rules(self) -> Mapping[str, Rule]: ...
    @property
    def obstacles(self) -> Mapping[str, Obstacle]: ...
    @property
    def order(self) -> str: ...
    @property
    def integrator(self) -> str: ...


def cross_checks(model: Parts) -> list[str]:
    """What does not fit together, one line each; empty when all does."""
    return [
        *_names(model), *_vectors(model), *_flocks(model), *_memory(model), *_rules(model),
        *_torus(model),
    ]  # fmt: skip


def _names(model: Parts) -> Iterator[str]:
    if not model.flocks:
        yield "flocks: a model needs at least one flock, such as [flocks.boids]"
    for table in ("flocks", "rules", "obstacles"):
        for name in getattr(model, table):
            if not NAME.fullmatch(name) or name == "obstacles":
                yield (
                    f"{table}.{name}: a name is a letter followed by at most 63 letters, digits, "
                    "'-' or '_' (letters are a to z and A to Z, and 'obstacles' is taken)"
                )
        alike: dict[str, str] = {}
        for name in getattr(model, table):
            twin = alike.setdefault(name.replace("-", "_"), name)
            if twin != name:
                yield f"{table}.{name}: too like {twin!r}: '-' and '_' count as the same in names"
    for name in model.obstacles:
        if name in model.flocks:
            yield f"obstacles.{name}: a flock has this name; give the obstacle another"


def _vectors(model: Parts) -> Iterator[str]:
    dims = model.space.dims
    owners: dict[str, Part] = {f"rules.{k}": v for k, v in model.rules.items()}
    owners |= {f"obstacles.{k}": v for k, v in model.obstacles.items()}
    for owner, part in owners.items():
        for name in quantities(type(part)):
            value = getattr(part, name)
            if isinstance(value, tuple) and len(value) != dims:
                yield f"{owner}.{name}: {len(value)} numbers in a space of {dims} dimensions"
        for k, point in enumerate(corners(part)):
            if len(point) != dims:
                yield f"{owner}.points.{k}: {len(point)} numbers in a space of {dims} dimensions"
        if isinstance(part, Wall) and all(extent(x) == (0.0, 0.0) for x in part.normal):
            yield f"{owner}.normal: is zero: it must point to the side where boids may be"
        if getattr(part, "path", "") == "polyline" and len(corners(part)) < 2:
            yield f"{owner}.points: a polyline needs at least two points"


def _flocks(model: Parts) -> Iterator[str]:
    dims = model.space.dims
    for name, flock in model.flocks.items():
        if flock.sensing and model.order != "synchronous":
            yield (
                f"flocks.{name}.sensing: needs order 'synchronous', and the order is "
                f"{model.order!r}: leave sensing out, or change the order"
            )
        if model.integrator != "euler":
            yield from _integrated(model, name)
        start: Any = flock.start
        for owner, at in ((start, "start"), (getattr(start, "velocity", None), "start.velocity")):
            for key in ("lower", "upper", "centre", "velocity"):
                point = getattr(owner, key, None)
                if isinstance(point, tuple) and point and len(point) != dims:
                    yield (
                        f"flocks.{name}.{at}.{key}: {len(point)} numbers in a space of "
                        f"{dims} dimensions"
                    )
        if isinstance(start, Given):
            for key in ("positions", "velocities"):
                rows = getattr(start, key)
                if (rows or key == "positions") and len(rows) != flock.count:
                    yield f"flocks.{name}.start.{key}: {len(rows)} rows for {flock.count} boids"
                if any(len(row) != dims for row in rows):
                    yield f"flocks.{name}.start.{key}: every row needs {dims} numbers"
        motion = flock.motion
        if extent(motion.min_speed)[1] > extent(motion.max_speed)[0]:
            yield f"flocks.{name}.motion.min_speed: is above max_speed"
        if flock.combine == "priority" and math.isinf(extent(motion.max_force)[1]):
            yield (
                f"flocks.{name}.motion.max_force: is inf, and rules combined by priority share "
                "it: give a finite one"
            )


def _memory(model: Parts) -> Iterator[str]:
    """Delays that are too long for what has to be remembered of all boids, step by step."""
    boids = sum(flock.count for flock in model.flocks.values())
    most = min(MOST_REMEMBERED, MOST_STATES // max(1, boids))
    for name, flock in model.flocks.items():
        sensing = flock.sensing
        steps = (sensing.delay + sensing.refresh) / model.dt if sensing else 0.0
        if steps > most:
            yield (
                f"flocks.{name}.sensing: delay and refresh are {steps:,.6g} steps of dt "
                f"{model.dt:g}, in which {boids:,} boids would have to be remembered; at most "
                f"{most:,} steps are: shorten them, or make dt larger"
            )


def _integrated(model: Parts, name: str) -> Iterator[str]:
    """What integrators that evaluate the forces more than once a step cannot be used with."""
    what = f"integrator is {model.integrator!r}, which needs"
    motion = model.flocks[name].motion
    if motion.kind != "add" or motion.advance != "new":
        yield (
            f"flocks.{name}.motion: {what} the motion 'add' with advance 'new' for every flock: "
            "use these, or integrator 'euler'"
        )
    if name != next(iter(model.flocks)):
        return
    if model.order != "synchronous":
        yield f"order: {what} order 'synchronous': use it, or integrator 'euler'"
    if len({rule.stage for rule in model.rules.values()}) > 1:
        yield f"rules: {what} all rules in one stage: use one, or integrator 'euler'"
    for rule_name, rule in model.rules.items():
        if rule.keeps:
            yield (
                f"rules.{rule_name}: {what} rules that keep nothing of a boid, and it keeps "
                f"{', '.join(rule.keeps)}: leave the rule out, or use integrator 'euler'"
            )


def _rules(model: Parts) -> Iterator[str]:
    things = [*model.flocks, *model.obstacles, "obstacles"]
    for name, rule in model.rules.items():
        if not rule.moves and len(model.flocks) > 1:
            yield f"rules.{name}.moves: say which flock it moves: {', '.join(model.flocks)}"
        for flock in flocks_moved(rule, model.flocks):
            if flock not in model.flocks:
                yield f"rules.{name}.moves: {unknown('flock', flock, model.flocks)}"
            elif getattr(rule, "form", "") == "steering" and math.isinf(
                extent(model.flocks[flock].motion.max_speed)[1]
            ):
                yield (
                    f"rules.{name}.form: steering goes for full speed, but "
                    f"flocks.{flock}.motion.max_speed is inf: give a finite one"
                )
        if isinstance(rule, NeighbourRule) and rule.neighbours == "voronoi":
            if rule.nearest:
                yield (
                    f"rules.{name}.nearest: is {rule.nearest}, and its neighbours are those of a "
                    "Voronoi tessellation: leave one of the two out"
                )
            for flock in flocks_moved(rule, model.flocks):
                if flock in model.flocks and model.flocks[flock].sensing:
                    yield (
                        f"rules.{name}.neighbours: voronoi needs to know where others are now, and "
                        f"flocks.{flock} has sensing: leave one of the two out"
                    )
        if isinstance(rule, NeighbourRule):
            words = (rule.senses,) if isinstance(rule.senses, str) else rule.senses
            for word in words:
                if word and word not in things:
                    yield f"rules.{name}.senses: {unknown('flock or obstacle', word, things)}"


def _torus(model: Parts) -> Iterator[str]:
    for name, rule in model.rules.items():
        if not isinstance(rule, NeighbourRule):
            continue
        radius = extent(rule.radius)[1]
        if math.isinf(radius):
            continue
        for axis, (periodic, side) in enumerate(
            zip(model.space.periodic, model.space.size, strict=True)
        ):
            if periodic and side < 2 * radius:
                yield (
                    f"space.size.{axis}: is {side:g}, and rules.{name}.radius reaches {radius:g}: "
                    f"a periodic axis must be at least two radii long ({2 * radius:g}), or a boid "
                    "would see a neighbour twice; make the space larger or the radius smaller"
                )
