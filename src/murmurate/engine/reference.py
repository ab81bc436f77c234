"""The reference engine: slow, obvious, float64, uncompiled. The fast one is checked against it.

It runs the same rule functions, as plain Python, and shares nothing else with the fast engine but
the model and the law of random numbers: no kernels, no slots, no cells. Every boid looks at every
other. Whatever it does can be stepped through in a debugger, rules of one's own included.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from murmurate.engine import law
from murmurate.engine.plain import (
    folded,
    nearest_image,
    philox,
    shortened,
    three,
    wrapped,
)
from murmurate.engine.solids import slid, to_surface
from murmurate.engine.told import Me, Other, Random, seen_at, takes_chance
from murmurate.errors import RunError
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at
from murmurate.model.quantity import Part, quantities
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.model.schedule import number_at

AWAY = 1e6  # a boid so many times the space's largest side from its middle has run away


@dataclass
class Boid:
    """One boid: `number` counts through all flocks, `index` within its own."""

    number: int
    flock: str
    index: int
    place: np.ndarray
    velocity: np.ndarray
    timer: int


class ReferenceEngine:
    """Owns the boids of one flight. Raises RunError for boids that are lost."""

    def __init__(
        self,
        model: Model,
        arrays: Mapping[str, tuple[np.ndarray, np.ndarray]],
        seed: int,
        *,
        timers: Mapping[str, np.ndarray] | None = None,
        step: int = 0,
    ) -> None:
        self.model = model
        self.seed = seed
        self.step_number = step
        self._boids: list[Boid] = []
        self._flocks: dict[str, list[Boid]] = {name: [] for name in arrays}
        for name, (positions, velocities) in arrays.items():
            resting = (timers or {}).get(name, np.zeros(len(positions), int))
            for index in range(len(positions)):
                place = np.array(positions[index], dtype=float)
                velocity = np.array(velocities[index], dtype=float)
                timer = int(resting[index])
                boid = Boid(len(self._boids), name, index, place, velocity, timer)
                self._boids.append(boid)
                self._flocks[name].append(boid)

    def step(self, steps: int) -> None:
        """Flies so many steps."""
        for _ in range(steps):
            self._one_step()
            self.step_number += 1
            self._find_lost()

    def arrays(self) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Flock name -> (positions, velocities, perch timers), copies, in id order."""
        dims, out = self.model.space.dims, {}
        for name, boids in self._flocks.items():
            positions = np.array([b.place for b in boids], dtype=float).reshape(-1, dims)
            velocities = np.array([b.velocity for b in boids], dtype=float).reshape(-1, dims)
            out[name] = positions, velocities, np.array([b.timer for b in boids], dtype=np.int64)
        return out

    def change(self, model: Model) -> None:
        """Goes on with another model of the same flocks."""
        self.model = model

    def place(self, name: str, positions: np.ndarray | None, velocities: np.ndarray | None) -> None:
        """Puts a flock's boids elsewhere, or gives them other velocities: (N, D) each, None for as
        they are."""
        for boid in self._flocks[name]:
            if positions is not None:
                boid.place = np.array(positions[boid.index], dtype=float)
            if velocities is not None:
                boid.velocity = np.array(velocities[boid.index], dtype=float)

    def copy(self, threads: int | None = None) -> ReferenceEngine:
        """Another engine that goes on from the same moment."""
        arrays = self.arrays()
        state = {name: (p, v) for name, (p, v, _) in arrays.items()}
        timers = {name: t for name, (_, _, t) in arrays.items()}
        return ReferenceEngine(self.model, state, self.seed, timers=timers, step=self.step_number)

    def flies(self, model: Model) -> bool:
        """Whether another model of the same flocks needs no compiling."""
        return True

    # --- one step

    def _one_step(self) -> None:
        stages = sorted({rule.stage for rule in self.model.rules.values()}) or [1]
        for stage in stages:
            if self.model.order == "together":
                nexts = [self._next(boid, stage, stage == stages[-1]) for boid in self._boids]
                for boid, (place, velocity, timer) in zip(self._boids, nexts, strict=True):
                    boid.place, boid.velocity, boid.timer = place, velocity, timer
                continue
            places = {}
            for number in self._turns():
                boid = self._boids[number]
                place, boid.velocity, boid.timer = self._next(boid, stage, stage == stages[-1])
                if self.model.positions == "in-turn":
                    boid.place = place
                places[number] = place
            for number, place in places.items():
                self._boids[number].place = place

    def _turns(self) -> list[int]:
        count = len(self._boids)
        if self.model.order == "shuffled":
            return [int(number) for number in law.turns(self.seed, self.step_number, count)]
        return list(range(count))

    def _next(self, boid: Boid, stage: int, last: bool) -> tuple[np.ndarray, np.ndarray, int]:
        """A boid's place, velocity and perch timer after a stage; it moves in the last one."""
        if boid.timer > 0:
            return boid.place, boid.velocity, boid.timer - 1 if last else boid.timer
        velocity = self._turned(boid, stage, last)
        return self._moved(boid, velocity) if last else (boid.place, velocity, 0)

    def _turned(self, boid: Boid, stage: int, last: bool) -> np.ndarray:
        """The velocity that the rules of a stage give."""
        rules = self.model.moved_by(boid.flock)
        now = {name: rule for name, rule in rules.items() if rule.stage == stage}
        if not now and (rules or not last):
            return boid.velocity
        me, motion = self._me(boid), self.model.flocks[boid.flock].motion
        pushes = {
            name: number_at(rule.weight, self._time) * self._steering(name, rule, boid, me)
            for name, rule in now.items()
        }
        total = self._combined(self.model.flocks[boid.flock].combine, now, pushes, me.max_force)
        turn: Any = type(motion).turn  # type: ignore[attr-defined]
        position = sorted({rule.stage for rule in self.model.rules.values()} or {1}).index(stage)
        more = (self._random(boid, f"motion/{position}"),) if takes_chance(turn) else ()
        turned = turn(self._numbers(motion), me, *three(total), *more)
        return np.array(turned[: self.model.space.dims], dtype=float)

    def _combined(
        self, how: str, rules: Mapping[str, Rule], pushes: Mapping[str, np.ndarray], left: float
    ) -> np.ndarray:
        """The rules' weighted vectors put together; `left` is what rules by priority share."""
        none = np.zeros(self.model.space.dims)
        if how == "priority":
            total = none
            for push in pushes.values():
                total = total + shortened(push, left)
                left = max(0.0, left - float(np.linalg.norm(push)))
            return total
        if how == "sum":
            return sum(pushes.values(), none)
        levels = {rule.level for rule in rules.values()}
        sums = {
            level: sum((pushes[name] for name in pushes if rules[name].level == level), none)
            for level in levels
        }
        heard = [level for level in sums if level > 0 and sums[level].any()]
        return sums.get(0, none) + (sums[max(heard)] if heard else none)

    def _moved(self, boid: Boid, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """A boid follows its velocity, past obstacles and faces, and perhaps to the ground."""
        model, space = self.model, self.model.space
        if model.flocks[boid.flock].motion.advance == "old":
            place, _ = slid(self._shapes(), boid.place, boid.velocity, model.dt, space)
        else:
            place, velocity = slid(self._shapes(), boid.place, velocity, model.dt, space)
        for axis, boundary in enumerate(space.boundaries):
            lower, upper = space.lower[axis], space.upper[axis]
            if not lower <= place[axis] <= upper and boundary == "reflecting":
                place[axis], flips = folded(place[axis], lower, upper)
                velocity = np.where((np.arange(space.dims) == axis) & flips, -velocity, velocity)
            elif boundary == "periodic":
                place[axis] = wrapped(place[axis], lower, upper)
            elif boundary == "held":
                place[axis] = min(max(place[axis], lower), upper)
        perching = model.flocks[boid.flock].perching
        if perching and place[-1] < number_at(perching.ground, self._time):
            place[-1] = number_at(perching.ground, self._time)
            choices = perching.longest - perching.shortest + 1
            chance = self._random(boid, "perching").a
            return place, velocity, perching.shortest + int(chance * choices)
        return place, velocity, 0

    # --- what rules are told

    @property
    def _time(self) -> float:
        return self.step_number * self.model.dt

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
        key = self.seed & 0xFFFFFFFF, (self.seed >> 32) & 0xFFFFFFFF
        low, high = self.step_number & 0xFFFFFFFF, self.step_number >> 32
        purpose_number = zlib.crc32(f"{boid.flock}/{purpose}".encode())
        bits = philox((boid.index, low, high, purpose_number), key)
        return Random(*((b >> 8) * 2.0**-24 for b in bits))

    # --- one rule

    def _steering(self, name: str, rule: Rule, boid: Boid, me: Me) -> np.ndarray:
        """A rule's steering vector, before its weight."""
        cls: Any = type(rule)
        its, steering = self._numbers(rule), np.zeros(3)
        random = (self._random(boid, name),)
        if isinstance(rule, NeighbourRule):
            more = random if takes_chance(cls.finish) else ()
            steering = steering + cls.finish(its, self._sums(rule, its, boid, me), me, *more)
        if hasattr(cls, "alone"):
            more = random if takes_chance(cls.alone) else ()
            steering = steering + cls.alone(its, me, *more)
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
        for flock in flocks:
            others = self._flocks[flock]
            places = np.array([other.place for other in others]).reshape(-1, len(boid.place))
            ways = nearest_image(places - boid.place, self.model.space)
            for other, away in zip(others, ways, strict=True):
                if other is not boid and self._sees(rule, boid, away):
                    found.append((float(away @ away), other.number, away, other.velocity))
        if rule.nearest:
            found = sorted(found, key=lambda candidate: candidate[:2])[: rule.nearest]
        return [(away, velocity) for _, _, away, velocity in found]

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

    # --- what can go wrong

    def _find_lost(self) -> None:
        lower, side = np.array(self.model.space.lower), np.array(self.model.space.size)
        for boid in self._boids:
            if not (np.abs(boid.place - lower - side / 2) <= AWAY * side.max()).all():
                place = ", ".join(f"{x:g}" for x in boid.place)
                raise RunError(
                    f"boid {boid.index} of flock {boid.flock!r} is at ({place}) after step "
                    f"{self.step_number}: it left the space by more than {AWAY:g} of its sides, or "
                    "its numbers are not finite. Limit its speed (motion.max_speed), lower the "
                    "weights, or make dt smaller",
                    step=self.step_number,
                    flock=boid.flock,
                    boid=boid.index,
                )
