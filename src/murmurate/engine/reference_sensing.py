"""Senses: what the reference engine tells a rule, and what a rule makes of it. Plain and slow:
every boid looks at every other."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from murmurate.engine.reference_math import nearest_image, philox, shortened, three
from murmurate.engine.reference_obstacles import to_surface
from murmurate.engine.rule_arguments import (
    Herd,
    Me,
    Other,
    Random,
    seen_at,
    takes_chance,
    takes_herd,
)
from murmurate.engine.voronoi import voronoi_neighbours
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at
from murmurate.model.quantity import Part, quantities
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.model.schedule import number_at
from murmurate.rules.vectors import gaussians

State = tuple[np.ndarray, np.ndarray]
"""A boid's place and velocity."""


@dataclass
class Boid:
    """One boid: `number` counts through all flocks, `index` within its own."""

    number: int
    flock: str
    index: int
    place: np.ndarray
    velocity: np.ndarray
    timer: int
    kept: tuple[float, ...] = (0.0, 0.0, 0.0)


class Senses:
    """Boids, and how each of them senses the others."""

    model: Model
    seed: int
    step_number: int
    _ahead: float  # how far into the step forces are looked at
    _boids: list[Boid]
    _flocks: dict[str, list[Boid]]
    _before: list[State]  # as they were at the beginning of the step
    _past: list[list[State]]  # one step ago, two steps ago, ...
    _touching: dict[tuple[str, ...], list[set[int]]]  # tessellation -> neighbours of each

    # --- what rules are told

    @property
    def _time(self) -> float:
        return self.step_number * self.model.dt + self._ahead

    def _me(self, boid: Boid) -> Me:
        motion = self.model.flocks[boid.flock].motion
        return Me(
            *three(boid.place),
            *three(boid.velocity),
            float(np.linalg.norm(boid.velocity)),
            boid.index,
            self._time,
            self.model.dt,
            number_at(motion.max_speed, self._time),
            number_at(motion.max_force, self._time),
            float(len(self._flocks[boid.flock])),
            self.model.space.dims,
        )

    def _numbers(self, part: Part) -> SimpleNamespace:
        """A rule's or motion's numbers as they are now, and its words."""
        inside = part.within(self.model.space) if hasattr(part, "within") else part
        scalars, fields = quantities(type(part)), {}
        for key in type(part).model_fields:
            value = getattr(inside, key)
            if key in scalars and isinstance(value, tuple):
                value = three([number_at(x, self._time) for x in value])
            elif key in scalars and value is not None:
                value = number_at(value, self._time)
            elif key == "points":
                value = tuple(three(point) for point in value)
            fields[key] = value
        return SimpleNamespace(**fields)

    def _shapes(self) -> list[Any]:
        return [shape_at(shape, self._time) for shape in self.model.obstacles.values()]

    def _random(self, boid: Boid, purpose: str) -> Random:
        number = zlib.crc32(f"{boid.flock}/{purpose}".encode())
        return self._drawn(boid.index, self.step_number, number)

    def _drawn(self, index: int, step: int, purpose: int) -> Random:
        key = self.seed & 0xFFFFFFFF, (self.seed >> 32) & 0xFFFFFFFF
        bits = philox((index, step & 0xFFFFFFFF, step >> 32, purpose), key)
        return Random(*((b >> 8) * 2.0**-24 for b in bits))

    def _known(self, looker: str, seen: Boid) -> tuple[np.ndarray, np.ndarray]:
        """Where a flock thinks a boid is, and how fast."""
        sensing, space = self.model.flocks[looker].sensing, self.model.space
        if sensing is None:
            return seen.place, seen.velocity
        then = sensing.known(self.step_number, self.model.dt)
        ago = self.step_number - then
        known = (self._past[ago - 1] if ago else self._before)[seen.number]
        errors = (sensing.position_error, sensing.velocity_error)
        found = []
        for word, error, value in zip(("place", "velocity"), errors, known, strict=True):
            purpose = zlib.crc32(f"{looker}/sensing/{seen.flock}/{word}".encode())
            # rules, and what they call, are written without types
            drawn = gaussians(*self._drawn(seen.index, then, purpose))  # type: ignore[no-untyped-call]
            draw = drawn[: space.dims]
            found.append(value + number_at(error, self._time) * np.array(draw))
        return found[0], found[1]

    def _herd(self, rule: NeighbourRule, boid: Boid) -> Herd:
        """The sensed flocks as one, as they were at the beginning of the step."""
        flocks, _ = self.model.sensed(rule, boid.flock)
        late = self.model.flocks[boid.flock].sensing
        places = [
            self._known(boid.flock, one)[0] if late else self._before[one.number][0]
            for flock in flocks
            for one in self._flocks[flock]
        ]
        if not places:
            return Herd(*[0.0] * 8)
        space, start = self.model.space, places[0]
        ways = [nearest_image(place - start, space) for place in places]
        middle = sum(ways) / len(ways)
        gaps = [float(np.linalg.norm(way - middle)) for way in ways]
        stray = ways[gaps.index(max(gaps))]
        here = start - boid.place
        return Herd(
            float(len(ways)),
            *three(nearest_image(here + middle, space)),
            *three(nearest_image(here + stray, space)),
            max(gaps),
        )

    # --- one rule

    def _steering(self, name: str, rule: Rule, boid: Boid, me: Me) -> np.ndarray:
        """A rule's steering vector, before its weight."""
        cls: Any = type(rule)
        its, steering = self._numbers(rule), np.zeros(3)
        random = (self._random(boid, name),)
        if isinstance(rule, NeighbourRule):
            more: list[Any] = [*random] if takes_chance(cls.finish) else []
            if takes_herd(cls.finish):
                more.append(self._herd(rule, boid))
            steering = steering + cls.finish(its, self._sums(rule, its, boid, me), me, *more)
        if hasattr(cls, "alone"):
            steering = steering + cls.alone(its, me, *(random if takes_chance(cls.alone) else ()))
        steering = steering[: self.model.space.dims]
        length = float(np.linalg.norm(steering))
        if rule.normalise and length > 0.0:
            steering = steering / length
        return shortened(steering, its.limit)

    def _sums(
        self, rule: NeighbourRule, its: SimpleNamespace, boid: Boid, me: Me
    ) -> tuple[float, ...]:
        """What all the neighbours that a rule senses add up to."""
        cls: Any = type(rule)
        pairs = [cls.pair(its, me, other) for other in self._neighbours(rule, boid, me)]
        if not pairs:  # as many zeros as a pair would give
            return (0.0,) * len(cls.pair(its, me, Other(1.0, 0, 0, 1.0, 1.0, 0, 0, 0)))
        return tuple(sum(column) for column in zip(*pairs, strict=True))

    def _neighbours(self, rule: NeighbourRule, boid: Boid, me: Me) -> Iterator[Other]:
        """The boids and obstacles that a rule senses."""
        flocks, obstacles = self.model.sensed(rule, boid.flock)
        for away, velocity in self._sensed(rule, boid, flocks):
            yield seen_at(away, velocity)
        for name in obstacles:
            shape = shape_at(self.model.obstacles[name], self._time)
            away, _ = to_surface(shape, boid.place, self.model.space)
            if self._sees(rule, boid, away):
                yield seen_at(away, np.zeros(len(away)))
        if rule.include_self and boid.flock in flocks:
            yield seen_at(np.zeros(len(boid.place)), boid.velocity)

    def _sensed(
        self, rule: NeighbourRule, boid: Boid, flocks: tuple[str, ...]
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """The boids of some flocks that a rule senses: the way to each, and its velocity."""
        found = []
        cells = self._cells(flocks, boid) if rule.neighbours == "voronoi" else set()
        for flock in flocks:
            others = self._flocks[flock]
            known = [self._known(boid.flock, other) for other in others]
            places = np.array([place for place, _ in known]).reshape(-1, len(boid.place))
            ways = nearest_image(places - boid.place, self.model.space)
            for other, away, (_, velocity) in zip(others, ways, known, strict=True):
                if other is boid or (rule.neighbours == "voronoi" and other.number not in cells):
                    continue
                if self._sees(rule, boid, away):
                    found.append((float(away @ away), other.number, away, velocity))
        if rule.nearest:
            found = sorted(found, key=lambda candidate: candidate[:2])[: rule.nearest]
        return [(away, velocity) for _, _, away, velocity in found]

    def _cells(self, flocks: tuple[str, ...], boid: Boid) -> set[int]:
        """The boids whose Voronoi cells touched a boid's at the beginning of the step, by number,
        in the tessellation of its own flock and some others."""
        key = tuple(name for name in self.model.flocks if name in (*flocks, boid.flock))
        if key not in self._touching:
            boids = [one for name in key for one in self._flocks[name]]
            places = np.array([self._before[one.number][0] for one in boids])
            offsets, links = voronoi_neighbours(places, self.model.space)
            touching: list[set[int]] = [set() for _ in self._boids]
            for k, one in enumerate(boids):
                touching[one.number] = {boids[j].number for j in links[offsets[k] : offsets[k + 1]]}
            self._touching[key] = touching
        return self._touching[key][boid.number]

    def _sees(self, rule: NeighbourRule, boid: Boid, away: np.ndarray) -> bool:
        """Whether what is so far away is within the zone and the field of view. The cosine of its
        direction is compared squared, with its sign, so that a boid at rest sees all around."""
        r2, radius = float(away @ away), number_at(rule.radius, self._time)
        angle = number_at(rule.field_of_view, self._time)
        inner = number_at(rule.inner_radius, self._time)
        if r2 > radius * radius or (inner > 0.0 and r2 <= inner * inner):
            return False
        if angle >= 180.0:
            return True
        ahead = float(away @ boid.velocity)
        cosine = math.cos(math.radians(angle))
        speed2 = float(boid.velocity @ boid.velocity)
        return ahead * abs(ahead) >= cosine * abs(cosine) * r2 * speed2
