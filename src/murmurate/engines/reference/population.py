"""Population of the reference engine: boids that join and leave, with plain loops over boids.

It shares the tables of the model and the random numbers with murmurate.engines.population, and no
code: tests compare the two.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.engines import rng
from murmurate.engines.individual_numbers import uniform
from murmurate.engines.reference.mathematics import nearest_image, philox, wrap
from murmurate.engines.reference.sensing import Boid
from murmurate.errors import PopulationError
from murmurate.model.distribution import is_individual
from murmurate.model.model import Model
from murmurate.model.population import (
    RESERVED_IDS,
    Births,
    BoidSource,
    Capture,
    Deaths,
    Exit,
    ExitBall,
    ExitBox,
    Failure,
    Lifetime,
    Removal,
    named,
)
from murmurate.model.quantity import number_at, numbers_at
from murmurate.model.rng_streams import rng_stream_id, trait_stream


@dataclass
class Newcomer:
    """A boid that joins at the end of a step."""

    position: np.ndarray
    velocity: np.ndarray


@dataclass
class PopulationChange:
    """What happens at the end of a step.

    leaving     numbers of boids that leave
    joins    boids that join each flock
    counts   boids that leave or join, by name of the entry and of the flock
    """

    leaving: set[int]
    joins: dict[str, list[Newcomer]]
    counts: dict[tuple[str, str], int] = field(default_factory=dict)


class ReferencePopulation:
    """The entries of a population at the end of one step.

    step  number of the step that was made
    flocks  the boids after their movement, in the order of their indices
    n_ever  boids that have ever been in each flock
    """

    def __init__(
        self,
        model: Model,
        seed: int,
        step: int,
        flocks: Mapping[str, list[Boid]],
        n_ever: Mapping[str, int],
    ) -> None:
        self.model, self.seed, self.step = model, seed, step
        self.flocks, self.n_ever = flocks, n_ever
        self.time = step * model.dt
        self.change = PopulationChange(set(), {name: [] for name in flocks})

    def apply(self) -> PopulationChange:
        """Apply all entries in their order. Raises PopulationError for too many boids."""
        for name, entry in self.model.population.items():
            if isinstance(entry, BoidSource):
                self._arrive(name, entry)
            elif isinstance(entry, Births):
                self._give_birth(name, entry)
            elif isinstance(entry, Deaths | Failure):
                self._die(name, entry)
            elif isinstance(entry, Lifetime):
                self._age(name, entry)
            elif isinstance(entry, Exit):
                self._exit(name, entry)
            elif isinstance(entry, Removal):
                self._remove(name, entry)
            else:
                self._capture(name, entry)
        self._check()
        return self.change

    # --- random numbers

    def _generator(self, stream: str) -> np.random.Generator:
        return rng.make_generator(self.seed, stream, self.step)

    def _uniforms(self, stream: str, index: int, count: int, step: int = 0) -> list[float]:
        """Return uniform random numbers of a boid, with 53 bits."""
        key, numbers = (self.seed & 0xFFFFFFFF, self.seed >> 32), []
        for block in range((count + 1) // 2):
            counter = (
                index, step & 0xFFFFFFFF, (step >> 32) | block << 16, rng_stream_id(stream),
            )  # fmt: skip
            a, b, c, d = philox(counter, key)
            for x, y in ((a, b), (c, d)):
                numbers.append(((x >> 5) * 2.0**26 + (y >> 6)) * 2.0**-53)
        return numbers[:count]

    def _direction(self, u: list[float]) -> np.ndarray:
        """Return a unit vector in a uniform direction."""
        angle = 2 * math.pi * u[0]
        if self.model.space.dims == 2:
            return np.array([math.cos(angle), math.sin(angle)])
        z = 2 * u[1] - 1
        radius = math.sqrt(1 - z * z)
        return np.array([radius * math.cos(angle), radius * math.sin(angle), z])

    # --- boids that join

    def _join(self, name: str, flock: str, position: np.ndarray, velocity: np.ndarray) -> None:
        space = self.model.space
        axes = zip(position, space.periodic, space.lower, space.upper, strict=True)
        wrapped = [wrap(x, low, high) if periodic else x for x, periodic, low, high in axes]
        self.change.joins[flock].append(Newcomer(np.array(wrapped, float), np.array(velocity)))
        self._count(name, flock)

    def _count(self, name: str, flock: str) -> None:
        counts = self.change.counts
        counts[name, flock] = counts.get((name, flock), 0) + 1

    def _next_index(self, flock: str) -> int:
        return self.n_ever[flock] + len(self.change.joins[flock])

    def _one_flock(self, flock: str) -> str:
        return flock or next(iter(self.flocks))

    def _arrive(self, name: str, entry: BoidSource) -> None:
        dt = self.model.dt
        if entry.rate is not None:
            mean = number_at(entry.rate, self.time) * dt
            number = self._generator(f"population/{name}").poisson(mean) if mean > 0 else 0
        else:
            number = 0
            numbers = entry.numbers or [1] * len(entry.times)
            for time, group in zip(entry.times, numbers, strict=True):
                if max(1, math.ceil(time / dt * (1 - 1e-12))) == self.step + 1:
                    number += group
        flock = self._one_flock(entry.flock)
        for _ in range(number):
            index = self._next_index(flock)
            self._join(name, flock, *self._start(name, flock, entry, index))

    def _start(
        self, name: str, flock: str, entry: BoidSource, index: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return position and velocity of a boid that joins by a source."""
        start: Any = entry.start or self.model.flocks[flock].start
        space, dims = self.model.space, self.model.space.dims
        lower, upper = np.array(space.lower), np.array(space.upper)
        centre = np.array(getattr(start, "centre", ()) or (lower + upper) / 2)
        if start.kind == "given":
            row = index % len(start.positions)
            velocities = start.velocities or [(0.0,) * dims] * len(start.positions)
            return np.array(start.positions[row], float), np.array(velocities[row], float)
        stream = f"{flock}/population/{name}"
        u = self._uniforms(f"{stream}/positions", index, 4)
        if start.kind == "ring":
            angle = 2 * math.pi * u[0]
            outward, along = np.zeros(dims), np.zeros(dims)
            outward[:2] = math.cos(angle), math.sin(angle)
            along[:2] = -outward[1], outward[0]
            return np.asarray(centre + start.radius * outward), start.speed * along
        if start.kind == "box":
            low, high = np.array(start.lower or lower), np.array(start.upper or upper)
            position = low + (high - low) * np.array(u[:dims])
        elif start.kind == "ball":
            position = centre + start.radius * u[0] ** (1 / dims) * self._direction(u[1:])
        else:
            attempt = 0
            while True:
                u = self._uniforms(f"{stream}/positions", index, dims, attempt)
                grown = upper - lower + 2 * start.distance
                position = lower - start.distance + grown * np.array(u)
                if not ((position >= lower) & (position <= upper)).all():
                    break
                attempt += 1
        return np.asarray(position), self._velocity(start.velocity, f"{stream}/velocities", index)

    def _velocity(self, law: Any, stream: str, index: int) -> np.ndarray:
        """Return a velocity by the velocity law of a start."""
        dims = self.model.space.dims
        u = self._uniforms(stream, index, 6)
        if law.kind == "stationary":
            return np.zeros(dims)
        if law.kind == "directions":
            top = law.speed if law.up_to is None else law.up_to
            return np.asarray((law.speed + (top - law.speed) * u[0]) * self._direction(u[1:]))
        if law.kind == "cube":
            low, high = np.array(law.lower), np.array(law.upper)
            velocity = low + (high - low) * np.array(u[:dims])
            length = float(np.linalg.norm(velocity))
            if law.speed is not None:
                velocity = velocity * (law.speed / length if length > 0 else 0.0)
            return np.asarray(velocity)
        noise = [
            math.sqrt(-2 * math.log1p(-u[k])) * math.cos(2 * math.pi * u[3 + k])
            for k in range(dims)
        ]
        return np.asarray(np.array(law.velocity) + law.spread * np.array(noise))

    def _give_birth(self, name: str, entry: Births) -> None:
        flock, space = self._one_flock(entry.flock), self.model.space
        boids = self.flocks[flock]
        mean = number_at(entry.rate, self.time) * self.model.dt * len(boids)
        if mean <= 0:
            return
        generator = self._generator(f"population/{name}")
        number = generator.poisson(mean)
        distance = number_at(entry.distance, self.time)
        for row in sorted(generator.integers(len(boids), size=number).tolist()):
            parent = boids[row]
            if parent.number in self.change.leaving:
                continue
            index = self._next_index(flock)
            u = self._uniforms(f"{flock}/population/{name}", index, 2)
            position = parent.position + distance * self._direction(u)
            for axis, boundary in enumerate(space.boundaries):
                if boundary in ("reflecting", "held"):
                    low, high = space.lower[axis], space.upper[axis]
                    x = position[axis]
                    x = 2 * low - x if x < low else x
                    x = 2 * high - x if x > high else x
                    position[axis] = min(max(x, low), high)
            self._join(name, flock, position, parent.velocity)

    # --- boids that leave

    def _leave(self, name: str, boid: Boid) -> None:
        if boid.number not in self.change.leaving:
            self.change.leaving.add(boid.number)
            self._count(name, boid.flock)

    def _die(self, name: str, entry: Deaths | Failure) -> None:
        for flock in named(entry.flocks, self.flocks):
            boids = self.flocks[flock]
            probability = -math.expm1(-number_at(entry.rate, self.time) * self.model.dt)
            if not boids or probability <= 0:
                continue
            generator = self._generator(f"population/{name}/{flock}")
            number = generator.binomial(len(boids), probability)
            if number:
                rows = generator.choice(len(boids), number, replace=False, shuffle=False)
                for row in rows.tolist():
                    if isinstance(entry, Failure) and entry.then != "leave":
                        self._fail(name, boids[row])
                    else:
                        self._leave(name, boids[row])

    def _fail(self, name: str, boid: Boid) -> None:
        key = f"population.{name}.failed"
        if boid.number not in self.change.leaving and boid.memory[key] == 0:
            boid.memory = {**boid.memory, key: 1.0}
            self._count(name, boid.flock)

    def _age(self, name: str, entry: Lifetime) -> None:
        for flock in named(entry.flocks, self.flocks):
            for boid in self.flocks[flock]:
                duration: Any = entry.duration
                if is_individual(duration):
                    word = duration.draw or f"population.{name}.duration"
                    stream = rng_stream_id(trait_stream(flock, word))
                    u = uniform(np.array([boid.own_index]), self.seed, stream)
                    duration = float(duration.quantiles(u)[0])
                steps = max(1, math.ceil(duration / self.model.dt * (1 - 1e-12)))
                if self.step + 1 >= boid.birth + steps:
                    self._leave(name, boid)

    def _exit(self, name: str, entry: Exit) -> None:
        for flock in named(entry.flocks, self.flocks):
            for boid in self.flocks[flock]:
                if self._is_inside(entry.region, boid.position):
                    self._leave(name, boid)

    def _is_inside(self, region: Any, position: np.ndarray) -> bool:
        space = self.model.space
        numbers = numbers_at(region, self.time + self.model.dt)
        if isinstance(region, ExitBox):
            sides = zip(position, numbers["lower"], numbers["upper"], strict=True)
            return all(low <= x <= high for x, low, high in sides)
        if isinstance(region, ExitBall):
            away = nearest_image(position - np.array(numbers["centre"]), space)
            return bool(float(away @ away) <= numbers["radius"] ** 2)
        axis = "xyz".index(region.axis)
        if region.side == "lower":
            return bool(position[axis] <= space.lower[axis])
        return bool(position[axis] >= space.upper[axis])

    def _remove(self, name: str, entry: Removal) -> None:
        time = self.time + self.model.dt
        for flock in named(entry.flocks, self.flocks):
            for boid in self.flocks[flock]:
                value = boid.memory[entry.state]
                low = entry.below is not None and value < number_at(entry.below, time)
                if low or (entry.above is not None and value > number_at(entry.above, time)):
                    self._leave(name, boid)

    def _capture(self, name: str, entry: Capture) -> None:
        leaving, key = self.change.leaving, f"population.{name}.handling"
        predators = [
            boid
            for flock in self.flocks
            if flock in named(entry.predators, ())
            for boid in self.flocks[flock]
        ]
        free = [b for b in predators if b.memory[key] <= 0 and b.number not in leaving]
        hunted = [
            boid
            for flock in named(entry.prey, ())
            for boid in self.flocks[flock]
            if boid.number not in leaving
        ]
        chance = number_at(entry.probability, self.time)
        handling = math.ceil(
            number_at(entry.handling_time, self.time) / self.model.dt * (1 - 1e-12)
        )
        captured: list[Boid] = []
        captors = []
        for predator in free:
            if predator in captured:
                continue
            target = self._nearest(predator, [b for b in hunted if b not in captured], entry)
            if target is None:
                continue
            stream = f"{predator.flock}/population/{name}"
            luck = self._uniforms(stream, predator.own_index, 1, self.step)[0]
            if luck < chance or chance >= 1:
                captured.append(target)
                captors.append(predator)
        for predator in predators:
            left = max(predator.memory[key] - 1, 0.0)
            predator.memory = {**predator.memory, key: left}
        for predator in captors:
            predator.memory = {**predator.memory, key: float(handling)}
        for boid in captured:
            self._leave(name, boid)

    def _nearest(self, predator: Boid, hunted: list[Boid], entry: Capture) -> Boid | None:
        """Return the nearest prey within the radius, of equal ones that of the lowest number."""
        nearest, max_d2 = None, number_at(entry.radius, self.time) ** 2
        for boid in hunted:
            if boid is predator:
                continue
            away = nearest_image(boid.position - predator.position, self.model.space)
            d2 = float(away @ away)
            closer = nearest is not None and (d2, boid.number) < (max_d2, nearest.number)
            if closer or (nearest is None and d2 <= max_d2):
                nearest, max_d2 = boid, d2
        return nearest

    # --- limits

    def _check(self) -> None:
        """Raise PopulationError if a flock has too many boids."""
        for name, joins in self.change.joins.items():
            left = sum(boid.number in self.change.leaving for boid in self.flocks[name])
            count = len(self.flocks[name]) - left + len(joins)
            limit = self.model.max_boids(name)
            if joins and count > limit:
                raise PopulationError(
                    f"flocks.{name}.max_boids: got {count:,} boids at the end of step "
                    f"{self.step + 1}; expected at most {limit:,}. State a larger max_boids, or "
                    "let fewer boids join",
                    step=self.step + 1,
                    flock=name,
                )
            if joins and self.n_ever[name] + len(joins) > RESERVED_IDS:
                raise PopulationError(
                    f"flocks.{name}: got {self.n_ever[name] + len(joins):,} boids so far; expected "
                    f"at most {RESERVED_IDS:,}, the ids of a flock. Begin a new simulation",
                    step=self.step + 1,
                    flock=name,
                )
