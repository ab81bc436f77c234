"""Perception: neighbours, delayed and noisy states, herd summaries and Voronoi neighbours, in
the reference engine. Plain and slow: every boid is compared with every other."""

from __future__ import annotations

import copy
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from murmurate.engines.reference.mathematics import nearest_image, philox, three
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import check_normals, shape_at
from murmurate.model.quantity import number_at
from murmurate.model.rule import NeighbourRule
from murmurate.model.rule_arguments import Herd, Random
from murmurate.neighbours.voronoi import voronoi_neighbours
from murmurate.rules.vectors import gaussians

State = Mapping[str, tuple[np.ndarray, np.ndarray]]
"""Flock name -> (N, D) positions, length units, and (N, D) velocities, all float64."""


@dataclass
class Boid:
    """One boid: `number` counts through all flocks, `index` within its own."""

    number: int
    flock: str
    index: int
    place: np.ndarray
    velocity: np.ndarray
    timer: int
    kept: Mapping[str, float]
    """What its motion and its rules keep of it, by the names of Model.memory_of."""


class Sensed(NamedTuple):
    """The boids that a rule senses: (K,) their numbers, (K, D) the ways to them, (K, D) their
    velocities."""

    numbers: np.ndarray
    ways: np.ndarray
    velocities: np.ndarray


class Perception:
    """What boids perceive of each other in one step.

    model, seed, step
    state   the boids as they are now. Its arrays may be written to, as boids take their turns
    before  as they were when the step began: `state` as it is given, unless it is another one
    past    one step ago, two steps ago, ...: as far back as any flock senses (`depth_of`)
    ahead   how far into the step forces are evaluated; may be changed
    """

    def __init__(
        self,
        model: Model,
        seed: int,
        step: int,
        state: State,
        *,
        before: State | None = None,
        past: Sequence[State] = (),
    ) -> None:
        self.model, self.seed, self.step = model, seed, step
        self.state = state
        self.ahead = 0.0
        self.before = copied(state) if before is None else before
        self._past = past
        self._first: dict[str, int] = {}
        first = 0
        for name, (positions, _) in state.items():
            self._first[name] = first
            first += len(positions)
        self._herds: dict[Any, tuple[np.ndarray, np.ndarray, np.ndarray, float, int]] = {}
        self._cells: dict[tuple[str, ...], tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        self._known: dict[tuple[str, str, float], tuple[np.ndarray, np.ndarray]] = {}

    @classmethod
    def of_frame(cls, model: Model, frame: Frame, seed: int) -> Perception:
        """The step that follows a frame, with the past that its boids carry."""
        state = {
            name: (flock.positions.astype(float), flock.velocities.astype(float))
            for name, flock in frame.items()
        }
        past = past_of(model, state, {name: flock.memory for name, flock in frame.items()})
        return cls(model, seed, frame.step, state, before=state, past=past)

    def with_state(self, state: State) -> Perception:
        """The same step with another present state, of the same boids."""
        other = copy.copy(self)
        other.state = state
        return other

    @property
    def time(self) -> float:
        return self.step * self.model.dt + self.ahead

    def number(self, flock: str, index: int) -> int:
        """The number of a boid, counted through all flocks."""
        return self._first[flock] + index

    def size(self, flock: str) -> int:
        """How many boids a flock has."""
        return len(self.state[flock][0])

    def shapes(self, later: float = 0.0) -> list[Any]:
        """The obstacles as they are now, or later. Raises RunError where a normal is zero."""
        check_normals(self.model.obstacles, self.time + later, self.step + 1)
        return [shape_at(shape, self.time + later) for shape in self.model.obstacles.values()]

    def random(self, boid: Boid, purpose: str) -> Random:
        """Four random numbers of a boid in this step."""
        return self._drawn(boid.index, self.step, zlib.crc32(f"{boid.flock}/{purpose}".encode()))

    def _drawn(self, index: int, step: int, purpose: int) -> Random:
        key = self.seed & 0xFFFFFFFF, (self.seed >> 32) & 0xFFFFFFFF
        bits = philox((index, step & 0xFFFFFFFF, step >> 32, purpose), key)
        return Random(*((b >> 8) * 2.0**-24 for b in bits))

    # --- others

    def known(self, looker: str, flock: str) -> tuple[np.ndarray, np.ndarray]:
        """(N, D) each, positions and velocities of one flock as another knows them: late and with
        errors, if it senses so."""
        sensing = self.model.flocks[looker].sensing
        if sensing is None:
            return self.state[flock]
        key = looker, flock, self.ahead
        if key not in self._known:
            then = sensing.sensed_step(self.step, self.model.dt)
            ago = self.step - then
            values = (self._past[ago - 1] if ago else self.before)[flock]
            errors = (sensing.position_error, sensing.velocity_error)
            found = []
            for word, error, value in zip(("place", "velocity"), errors, values, strict=True):
                purpose = zlib.crc32(f"{looker}/sensing/{flock}/{word}".encode())
                spread, noise = number_at(error, self.time), np.zeros(value.shape)
                for index in range(len(value) if spread > 0.0 else 0):
                    draw = gaussians(*self._drawn(index, then, purpose))
                    noise[index] = draw[: self.model.space.dims]
                found.append(value + spread * noise)
            self._known[key] = found[0], found[1]
        return self._known[key]

    def sensed(self, rule: NeighbourRule, boid: Boid, flocks: Sequence[str]) -> Sensed:
        """The boids of some flocks that a rule senses: in the order of their numbers within each
        flock, or the nearest first, where it counts the nearest."""
        numbers, ways, velocities = [], [], []
        for flock in flocks:
            positions, moving = self.known(boid.flock, flock)
            away = nearest_image(positions - boid.place, self.model.space)
            seen = self.sees(rule, boid, away)
            if flock == boid.flock:
                seen[boid.index] = False
            if rule.neighbours == "voronoi":
                first, cells = self._first[flock], self._touching(flocks, boid)
                seen &= np.isin(np.arange(first, first + len(away)), cells)
            rows = np.flatnonzero(seen)
            numbers.append(rows + self._first[flock])
            ways.append(away[rows])
            velocities.append(moving[rows])
        if not numbers:
            none = np.zeros((0, self.model.space.dims))
            return Sensed(np.zeros(0, np.int64), none, none)
        found = Sensed(*map(np.concatenate, (numbers, ways, velocities)))
        if not rule.nearest:
            return found
        order = np.lexsort((found.numbers, dots(found.ways, found.ways)))[: rule.nearest]
        return Sensed(*(array[order] for array in found))

    def sees(self, rule: NeighbourRule, boid: Boid, ways: np.ndarray) -> np.ndarray:
        """(K,) bool: whether what is so far away, (K, D), is within a rule's zone and field of
        view. The cosine of its direction is compared squared, with its sign, so that a boid at rest
        sees all around."""
        r2, radius = dots(ways, ways), number_at(rule.radius, self.time)
        angle = number_at(rule.field_of_view, self.time)
        inner = number_at(rule.inner_radius, self.time)
        seen = r2 <= radius * radius
        if inner > 0.0:
            seen &= r2 > inner * inner
        if angle < 180.0:
            ahead = dots(ways, np.broadcast_to(boid.velocity, ways.shape))
            cosine = math.cos(math.radians(angle))
            speed2 = float(boid.velocity @ boid.velocity)
            seen &= ahead * np.abs(ahead) >= cosine * abs(cosine) * r2 * speed2
        return seen

    def _touching(self, flocks: Sequence[str], boid: Boid) -> np.ndarray:
        """The numbers of the boids whose Voronoi cells touched a boid's when the step began, in the
        tessellation of its own flock and some others."""
        key = tuple(name for name in self.model.flocks if name in (*flocks, boid.flock))
        if key not in self._cells:
            positions = np.concatenate([self.before[name][0] for name in key])
            numbers = [self._first[name] + np.arange(len(self.before[name][0])) for name in key]
            offsets, links = voronoi_neighbours(positions, self.model.space)
            self._cells[key] = np.concatenate(numbers), offsets, links
        numbers_, offsets, links = self._cells[key]
        k = int(np.flatnonzero(numbers_ == boid.number)[0])
        found: np.ndarray = numbers_[links[offsets[k] : offsets[k + 1]]]
        return found

    def herd(self, rule: NeighbourRule, boid: Boid) -> Herd:
        """The sensed flocks as one, as they were when the step began."""
        flocks, _ = self.model.sensed(rule, boid.flock)
        key = boid.flock, flocks, self.ahead
        if key not in self._herds:
            late = self.model.flocks[boid.flock].sensing
            places = np.concatenate(
                [(self.known(boid.flock, f) if late else self.before[f])[0] for f in flocks]
            )
            if not len(places):
                return Herd(*[0.0] * 8)
            ways = nearest_image(places - places[0], self.model.space)
            middle = ways.sum(axis=0) / len(ways)
            gaps = np.sqrt(dots(ways - middle, ways - middle))
            stray = int(np.argmax(gaps))
            self._herds[key] = places[0], middle, ways[stray], float(gaps[stray]), len(ways)
        start, middle, stray_way, spread, count = self._herds[key]
        here, space = start - boid.place, self.model.space
        return Herd(
            float(count),
            *three(nearest_image(here + middle, space)),
            *three(nearest_image(here + stray_way, space)),
            spread,
        )


def dots(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(K,) the dot products of the rows of two (K, D) arrays, each as `row @ row` rounds it."""
    found: np.ndarray = np.matmul(one[:, None, :], other[:, :, None])[:, 0, 0]
    return found


def copied(state: State) -> State:
    """A state of its own."""
    return {name: (p.copy(), v.copy()) for name, (p, v) in state.items()}


def depth_of(model: Model) -> int:
    """How many past steps the flocks of a model perceive."""
    flocks = model.flocks.values()
    return max((flock.sensing.depth(model.dt) for flock in flocks if flock.sensing), default=0)


def kept_of(model: Model, flock: str, memory: np.ndarray, index: int) -> dict[str, float]:
    """What is kept of a boid, by name, from what the boids of its flock carry, (N, M)."""
    names = model.memory_of(flock)
    row = memory[index] if memory.shape[1] >= len(names) else np.zeros(len(names))
    return dict(zip(names, map(float, row), strict=False))


def past_of(model: Model, state: State, memory: Mapping[str, np.ndarray]) -> list[State]:
    """One step ago, two steps ago, ..., from what boids carry (see FlockFrame.memory): after the
    numbers that are kept of them, their states. Where they carry no past, it is as now."""
    dims, depth = model.space.dims, depth_of(model)
    past: list[dict[str, tuple[np.ndarray, np.ndarray]]] = [dict(state) for _ in range(depth)]
    for name, (positions, _) in state.items():
        own = memory.get(name)
        first = len(model.memory_of(name))
        if own is None or own.shape[1] < first + depth * 2 * dims:
            continue
        rows = own[:, first : first + depth * 2 * dims].astype(float)
        for k, then in enumerate(rows.reshape(len(positions), depth, 2, dims).swapaxes(0, 1)):
            past[k][name] = then[:, 0], then[:, 1]
    return list(past)
