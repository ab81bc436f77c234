"""Checks of a model as a whole: names that must exist, and values that must fit together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Protocol

from murmurate.model import population
from murmurate.model.distribution import Distribution, Each, is_individual
from murmurate.model.flock import Flock
from murmurate.model.messages import did_you_mean, format_unknown
from murmurate.model.obstacles import Mesh, Obstacle
from murmurate.model.quantity import (
    Part,
    corners,
    extent,
    individual_fields,
    is_scheduled,
    quantities,
)
from murmurate.model.rng_streams import rng_stream_id, rng_uses
from murmurate.model.rule import Motion, NeighbourRule, Rule, flocks_moved, has_view, senses_arcs
from murmurate.model.rule_arguments import takes_herd
from murmurate.model.space import Space
from murmurate.model.start import Given
from murmurate.model.view import View

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
WORDS_OF_COLOURS = ("flock", "heading", "speed")  # what colours show besides numbers of boids
MAX_PAST_STEPS = 100_000  # that are stored if boids perceive others with a delay
MAX_PAST_STATES = 200_000_000  # steps times boids: 4.8 GB in 3-D and float32, 24 bytes each


class Parts(population.Parts, Protocol):
    """The attributes of a Model that are checked against each other."""

    @property
    def rules(self) -> Mapping[str, Rule]: ...
    @property
    def obstacles(self) -> Mapping[str, Obstacle]: ...
    @property
    def order(self) -> str: ...
    @property
    def integrator(self) -> str: ...
    @property
    def view(self) -> View: ...
    def traits_of(self, flock: str) -> tuple[str, ...]: ...
    def moved_by(self, flock: str) -> Mapping[str, Rule]: ...
    def individuals_of(self, flock: str) -> Mapping[str, Distribution]: ...


def cross_checks(model: Parts) -> list[str]:
    """Return the error messages about values that do not fit together."""
    return [
        *_check_names(model), *_check_parts(model.rules, model.obstacles, model.space),
        *_check_flocks(model), *_check_delays(model), *_check_integrator(model),
        *_check_rules(model, model.rules), *_check_periods(model, model.rules),
        *_check_individuals(model), *population.check_population(model),
        *_check_colours(model), *_check_streams(model),
    ]  # fmt: skip


def check_numbers(
    model: Parts,
    rules: Mapping[str, Rule],
    flocks: Mapping[str, Flock],
    obstacles: Mapping[str, Obstacle],
) -> list[str]:
    """Return the error messages about numbers of changed parts that do not fit together.

    Whoever changed nothing but numbers that all boids share need check nothing else.

    rules, flocks, obstacles  those of the model that changed
    """
    affected = model.rules if flocks else rules
    return [
        *_check_parts(rules, obstacles, model.space),
        *(text for name, flock in flocks.items() for text in _check_motion(name, flock)),
        *_check_rules(model, affected), *_check_periods(model, affected),
    ]  # fmt: skip


def _check_names(model: Parts) -> Iterator[str]:
    if not model.flocks:
        yield "flocks: got none; expected at least one flock, such as [flocks.boids]"
    for table in ("flocks", "rules", "obstacles", "population"):
        for name in getattr(model, table):
            if not NAME.fullmatch(name) or name == "obstacles":
                yield (
                    f"{table}.{name}: got a name that is not allowed; expected a letter (a to z, "
                    "A to Z) followed by at most 63 letters, digits, '-' or '_'. 'obstacles' is "
                    "reserved"
                )
        names: dict[str, str] = {}
        for name in getattr(model, table):
            twin = names.setdefault(name.replace("-", "_"), name)
            if twin != name:
                yield (
                    f"{table}.{name}: got the same name as {twin!r}, since '-' and '_' do not "
                    "differ in names; expected another name"
                )
    for name in model.obstacles:
        if name in model.flocks:
            yield f"obstacles.{name}: got the name of a flock; expected another name"


def _check_streams(model: Parts) -> Iterator[str]:
    """Check that no two uses of random numbers get the same ones."""
    first: dict[int, tuple[str, str]] = {}
    twins: dict[tuple[str, str], None] = {}
    for path, use, stream in rng_uses(model):
        twin, other_use = first.setdefault(rng_stream_id(stream), (path, use))
        if use != other_use:
            twins.setdefault((path, twin))
    for path, twin in twins:
        yield (
            f"{path}: got a name or a word of `draw` by which it gets the random numbers of {twin};"
            " expected another one. Rename it"
        )


def _check_parts(
    rules: Mapping[str, Rule], obstacles: Mapping[str, Obstacle], space: Space
) -> Iterator[str]:
    """Check vectors, corners and normals of rules and obstacles."""
    dims = space.dims
    owners: dict[str, Part] = {f"rules.{k}": v for k, v in rules.items()}
    owners |= {f"obstacles.{k}": v for k, v in obstacles.items()}
    for owner, part in owners.items():
        for name in quantities(type(part)):
            value = getattr(part, name)
            if isinstance(value, tuple) and len(value) != dims:
                yield population.wrong_length(f"{owner}.{name}", len(value), dims)
        for k, point in enumerate(corners(part)):
            if len(point) != dims:
                yield population.wrong_length(f"{owner}.points.{k}", len(point), dims)
        problems = getattr(type(part), "problems", None)
        for field, text in problems(part, space) if callable(problems) else ():
            yield f"{owner}.{field}: {text}"
        if getattr(part, "path", "") == "polyline" and len(corners(part)) < 2:
            yield f"{owner}.points: got {len(corners(part))}; expected at least two for a polyline"


def _check_flocks(model: Parts) -> Iterator[str]:
    for name, flock in model.flocks.items():
        if flock.sensing and model.order != "synchronous":
            yield (
                f"flocks.{name}.sensing: got sensing in a model of order {model.order!r}; expected "
                "order 'synchronous'. Leave sensing out, or change the order"
            )
        yield from _check_start(flock, f"flocks.{name}.start", model.space.dims)
        yield from _check_motion(name, flock)


def _check_motion(name: str, flock: Flock) -> Iterator[str]:
    motion = flock.motion
    yield from _check_speeds(motion, f"flocks.{name}.motion")
    if flock.combine == "priority" and _may_be_infinite(motion.max_force):
        yield (
            f"flocks.{name}.motion.max_force: got inf; expected a finite number, since rules "
            "that are combined by priority share it"
        )


def _check_speeds(motion: Motion, path: str) -> Iterator[str]:
    """Check that no boid has a smallest speed above its largest."""
    slow, fast = motion.min_speed, motion.max_speed
    if isinstance(slow, Each) and isinstance(fast, Each) and len(slow.values) == len(fast.values):
        for k, (low, high) in enumerate(zip(slow.values, fast.values, strict=True)):
            if low > high:
                yield (
                    f"{path}.min_speed: got {low:g} for boid {k}; expected at most its max_speed, "
                    f"{high:g}"
                )
                return
        return
    low, high = extent(slow)[1], extent(fast)[0]
    if low > high:
        several = is_individual(slow) or is_individual(fast)
        yield (
            f"{path}.min_speed: got up to {_text_of_end(low)}; expected at most max_speed, "
            f"{'down to ' if several else ''}{_text_of_end(high)}"
            + (". Give max and min, so that no two values are in the wrong order" * several)
        )


def _text_of_end(number: float) -> str:
    return "any number" if math.isinf(number) else f"{number:g}"


def _may_be_infinite(scalar: object) -> bool:
    """Return whether a scalar may be inf. The numbers of boids are finite, even without bounds."""
    return math.isinf(extent(scalar)[1]) and not is_individual(scalar)


def _check_start(flock: Flock, path: str, dims: int) -> Iterator[str]:
    start = flock.start
    yield from population.check_point_lengths(start, path, dims)
    if isinstance(start, Given):
        for key in ("positions", "velocities"):
            rows = getattr(start, key)
            if (rows or key == "positions") and len(rows) != flock.count:
                yield f"{path}.{key}: got {len(rows)} rows; expected {flock.count}, one per boid"


def _check_delays(model: Parts) -> Iterator[str]:
    """Check that the past states that delayed sensing needs can be stored."""
    boids = sum(model.max_boids(name) for name in model.flocks)
    max_steps = min(MAX_PAST_STEPS, MAX_PAST_STATES // max(1, boids))
    for name, flock in model.flocks.items():
        sensing = flock.sensing
        steps = (sensing.delay + sensing.refresh * sensing.ages) / model.dt if sensing else 0.0
        if sensing and steps > max_steps:
            times = f" times {sensing.ages:,}, max_lost + 1," if sensing.ages > 1 else ""
            yield (
                f"flocks.{name}.sensing: got delay and refresh{times} of {steps:,.6g} steps of dt "
                f"{model.dt:g}; expected at most {max_steps:,} steps, the past of {boids:,} boids "
                "that can be stored. Shorten them, or increase dt"
            )


def _check_integrator(model: Parts) -> Iterator[str]:
    """Refuse features that integrators with several evaluations per step do not support."""
    if model.integrator == "euler":
        return
    needs = f"integrator {model.integrator!r} needs"
    remedy = "Change it, or use integrator 'euler'"
    for name, flock in model.flocks.items():
        motion = flock.motion
        if motion.kind != "add" or motion.advance != "new":
            yield (
                f"flocks.{name}.motion: got motion {motion.kind!r} with advance "
                f"{motion.advance!r}; {needs} motion 'add' with advance 'new'. {remedy}"
            )
    for name, entry in model.population.items():
        if isinstance(entry, population.Failure) and entry.stays:
            yield (
                f"population.{name}.then: got {entry.then!r}; {needs} boids that leave or do not "
                f"fail. {remedy}"
            )
    if not model.flocks:
        return
    if model.order != "synchronous":
        yield f"order: got {model.order!r}; {needs} order 'synchronous'. {remedy}"
    if len({rule.stage for rule in model.rules.values()}) > 1:
        yield f"rules: got several stages; {needs} all rules in one stage. {remedy}"
    for name, rule in model.rules.items():
        if rule.states:
            yield (
                f"rules.{name}: got per-boid state {', '.join(rule.states)}; {needs} rules without "
                "it. Leave the rule out, or use integrator 'euler'"
            )


def _check_rules(model: Parts, rules: Mapping[str, Rule]) -> Iterator[str]:
    for name, rule in rules.items():
        if not rule.moves and len(model.flocks) > 1:
            yield (
                f"rules.{name}.moves: is missing; expected the flock that the rule moves: "
                f"{', '.join(model.flocks)}"
            )
        for flock in flocks_moved(rule, model.flocks):
            if flock not in model.flocks:
                yield f"rules.{name}.moves: {format_unknown('flock', flock, model.flocks)}"
            elif getattr(rule, "form", "") == "steering" and _may_be_infinite(
                model.flocks[flock].motion.max_speed
            ):
                yield (
                    f"rules.{name}.form: got 'steering' for a flock without a largest speed; "
                    f"expected a finite flocks.{flock}.motion.max_speed, the speed it steers to"
                )
        if isinstance(rule, NeighbourRule):
            yield from _check_senses(model, name, rule)
        if hasattr(type(rule), "perch"):
            yield from _check_perch(model, name, rule)
        if rule.kind == "perch":
            yield from _check_wire(name, rule, model.space)


def _check_perch(model: Parts, name: str, rule: Rule) -> Iterator[str]:
    """Check that boids may land on the perch of a rule."""
    for flock in flocks_moved(rule, model.flocks):
        if flock in model.flocks and model.flocks[flock].perching is None:
            yield (
                f"rules.{name}: got kind {rule.kind!r} for flock {flock!r} without perching; "
                f"expected the times of rests. Add [flocks.{flock}.perching]"
            )


def _check_wire(name: str, rule: Any, space: Space) -> Iterator[str]:
    """Check that the wire of a rule does not move, and is in the space."""
    for field in ("start", "end", "sag"):
        value = getattr(rule, field)
        if any(is_scheduled(x) for x in (value if isinstance(value, tuple) else (value,))):
            yield f"rules.{name}.{field}: got a schedule; expected numbers, since wires do not move"
        elif isinstance(value, tuple):
            ends = zip(value, space.boundaries, space.lower, space.upper, strict=False)
            for axis, (x, boundary, lower, upper) in enumerate(ends):
                if boundary != "open" and not lower <= extent(x)[0] <= upper:
                    yield (
                        f"rules.{name}.{field}.{axis}: got {extent(x)[0]:g}; expected {lower:g} to "
                        f"{upper:g}, inside the space"
                    )
    if rule.start == rule.end:
        yield f"rules.{name}.end: got the point of start; expected another point"


def _check_senses(model: Parts, name: str, rule: NeighbourRule) -> Iterator[str]:
    if rule.neighbours == "voronoi":
        if rule.nearest:
            yield (
                f"rules.{name}.nearest: got {rule.nearest} with Voronoi neighbours; expected one "
                "of the two. Leave one out"
            )
        for flock in flocks_moved(rule, model.flocks):
            if flock in model.flocks and model.flocks[flock].sensing:
                yield (
                    f"rules.{name}.neighbours: got 'voronoi' with flocks.{flock}.sensing; expected "
                    "one of the two, since Voronoi cells need present positions. Leave one out"
                )
    finish = getattr(type(rule), "finish", None)
    if finish and takes_herd(finish):
        for flock in flocks_moved(rule, model.flocks):
            if flock in model.flocks and (sensing := model.flocks[flock].sensing) and sensing.loses:
                yield (
                    f"rules.{name}: got kind {rule.kind!r}, which senses a whole herd, with losses "
                    f"or a range in flocks.{flock}.sensing; expected one of the two, since a "
                    "herd is the same for all. Leave one out"
                )
    if has_view(rule):
        yield from _check_view(model, name, rule)
    names = [*model.flocks, *model.obstacles, "obstacles"]
    words = (rule.senses,) if isinstance(rule.senses, str) else rule.senses
    for word in words:
        if word and word not in names:
            yield f"rules.{name}.senses: {format_unknown('flock or obstacle', word, names)}"
    for obstacle, shape in model.obstacles.items():
        sensed = obstacle in words or "obstacles" in words
        if rule.obstacles_at == "edge" and sensed and isinstance(shape, Mesh):
            yield (
                f"rules.{name}.senses: got {obstacle!r}, a mesh; expected spheres, boxes, walls, "
                f"tanks or cylinders, whose outlines kind {rule.kind!r} senses. Name those, and "
                "avoid meshes by kind 'avoid-obstacles'"
            )


def _check_view(model: Parts, name: str, rule: NeighbourRule) -> Iterator[str]:
    """Check a rule from which boids hide others."""
    arcs = senses_arcs(rule)
    field, got = ("kind", rule.kind) if arcs else ("neighbours", "visible")
    if model.space.dims != 2:
        yield (
            f"rules.{name}.{field}: got {got!r} in a space with {model.space.dims} axes; expected "
            "2 axes, since views are computed of discs in a plane. Use a space with two axes"
        )
    words = (rule.senses,) if isinstance(rule.senses, str) else rule.senses
    sensed = [w for w in words if w] or flocks_moved(rule, model.flocks)
    for flock in sensed:
        if flock in model.flocks and model.flocks[flock].diameter is None:
            yield (
                f"flocks.{flock}.diameter: got none; expected the diameter of its boids, which "
                f"hide others from rule {name!r}. Add diameter = 1, in units of length"
            )
    if not arcs:
        return
    for key in ("neighbours", "nearest", "most_influential", "inner_radius", "field_of_view",
                "include_self"):  # fmt: skip
        value, default = getattr(rule, key), NeighbourRule.model_fields[key].get_default()
        if value != default:
            yield (
                f"rules.{name}.{key}: got {value} for kind {rule.kind!r}, which senses the whole "
                f"view; expected {default}. Leave it out"
            )
    for word in sensed:
        if word == "obstacles" or word in model.obstacles:
            yield (
                f"rules.{name}.senses: got {word!r} for kind {rule.kind!r}, which senses boids as "
                "discs; expected flocks. Sense obstacles with another rule"
            )


def _check_periods(model: Parts, rules: Mapping[str, Rule]) -> Iterator[str]:
    """Check that no boid has two images of a neighbour within a radius."""
    for name, rule in rules.items():
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
                    f"space.size.{axis}: got {side:g} for a periodic axis; expected at least "
                    f"{2 * radius:g}, twice rules.{name}.radius, or boids would sense neighbours "
                    "twice. Enlarge the space, or reduce the radius"
                )


def numbers_of_boids(model: Parts) -> dict[str, tuple[str, ...]]:
    """Return the names of the numbers that differ between the boids of each flock.

    They are numbers of rules and motions that have a distribution, then per-boid state.
    """
    return {flock: (*model.traits_of(flock), *model.memory_of(flock)) for flock in model.flocks}


def names_that_match(names: Iterable[str], name: str) -> list[str]:
    """Return the names that are `name`, or else those that end with it as their last part."""
    names = list(names)
    return [name] if name in names else [other for other in names if other.endswith(f".{name}")]


def _shared_numbers(model: Parts) -> Iterator[str]:
    """Yield the names of numbers of rules and motions, which all boids may share.

    Colours then show nothing, but are no error: a number may lose its distribution, in a sweep or
    by a slider.
    """
    owners: dict[str, Part] = {f"rules.{name}": rule for name, rule in model.rules.items()}
    parts = [("motion", flock.motion) for flock in model.flocks.values()]
    for owner, part in [*owners.items(), *parts]:
        yield from (f"{owner}.{name}" for name in quantities(type(part)))


def _check_colours(model: Parts) -> Iterator[str]:
    """Check that boids have the number that colours show."""
    name = model.view.colour_by
    if name in WORDS_OF_COLOURS or not model.flocks:
        return
    numbers = numbers_of_boids(model)
    matches = {flock: names_that_match(names, name) for flock, names in numbers.items()}
    for flock, names in matches.items():
        if len(names) > 1:
            yield (
                f"view.colour_by: got {name!r}, which several numbers of flock {flock!r} end with; "
                f"expected one of them: {', '.join(names)}"
            )
    if not any(matches.values()) and not names_that_match(_shared_numbers(model), name):
        paths = list(dict.fromkeys(chain(*numbers.values())))
        hint = did_you_mean(
            name, [*WORDS_OF_COLOURS, *paths, *(path.rpartition(".")[2] for path in paths)]
        )
        yield (
            f"view.colour_by: got {name!r}; expected {', '.join(WORDS_OF_COLOURS)}, or a number "
            f"that differs between boids: {', '.join(paths) or 'this model has none'}{hint}. Give "
            "a number of a rule or motion a distribution, and colours can show it"
        )


SEARCHED = ("radius", "inner_radius")
"""Fields of neighbour rules that a search for neighbours must know a bound of."""


def _check_individuals(model: Parts) -> Iterator[str]:
    """Check numbers that differ between boids."""
    for name, flock in model.flocks.items():
        for field, value in individual_fields(flock.motion).items():
            if isinstance(value, Each):
                yield from _check_each(model, f"flocks.{name}.motion.{field}", value, {name: flock})
    for name, rule in model.rules.items():
        flocks = {k: model.flocks[k] for k in flocks_moved(rule, model.flocks) if k in model.flocks}
        for field, value in individual_fields(rule).items():
            path = f"rules.{name}.{field}"
            if isinstance(value, Each):
                yield from _check_each(model, path, value, flocks)
            searched = isinstance(rule, NeighbourRule) and field in SEARCHED
            if searched and math.isinf(value.extent()[1]):
                yield (
                    f"{path}: got {value.text}, numbers without a largest one; expected a bound, "
                    "since the search for neighbours reaches that far. Give max"
                )


def _check_each(model: Parts, path: str, value: Each, flocks: Mapping[str, Flock]) -> Iterator[str]:
    """Check that each boid of one flock has a number, and that the flock cannot grow."""
    if len(flocks) > 1:
        yield (
            f"{path}: got numbers of each boid for {len(flocks)} flocks, {', '.join(flocks)}; "
            "expected one flock. Write a rule for each flock, or use another distribution"
        )
        return
    for name, flock in flocks.items():
        if model.grows(name):
            yield (
                f"{path}: got a number for each boid of flock {name!r}, which boids join; expected "
                "a distribution, or a flock that cannot grow. Use kind 'choice' with these values"
            )
        elif len(value.values) != flock.count:
            yield (
                f"{path}: got {len(value.values):,} values; expected {flock.count:,}, one for each "
                f"boid of flock {name!r}. Change count together with the values; for a word or a "
                "drawing, in the model file"
            )
