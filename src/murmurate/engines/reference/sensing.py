"""Perception of the reference engine: neighbours, delayed and noisy states, herds, by all pairs."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from murmurate.codegen.plan import mesh_addresses, mesh_words_of, obstacle_table
from murmurate.engines.individual_numbers import individual_numbers
from murmurate.engines.reference.mathematics import dot_rows, nearest_image, pad_to_3d, philox
from murmurate.engines.reference.obstacles import Row
from murmurate.engines.reference.view import look_around
from murmurate.engines.state import frame_indices, past_depth
from murmurate.frame import Frame
from murmurate.model.flock import Sensing
from murmurate.model.model import Model
from murmurate.model.obstacles import check_normals
from murmurate.model.quantity import Part, individual_fields, number_at
from murmurate.model.rng_streams import rng_stream_id
from murmurate.model.rule import NeighbourRule
from murmurate.model.rule_arguments import Arc, Herd, Random
from murmurate.neighbours.voronoi import voronoi_neighbours
from murmurate.rules.vectors import gaussians

AnyPart = TypeVar("AnyPart", bound=Part)
State = Mapping[str, tuple[np.ndarray, np.ndarray]]
"""Flock name -> (N, D) positions, length units, and (N, D) velocities, all float64."""
Values = Mapping[str, float]
"""Per-boid state of one boid, by the names of Model.memory_of."""
KeptOf = Callable[[str, int], Values]
"""Returns the present per-boid state of a boid: (flock, row in its flock) -> state."""


@dataclass
class Boid:
    """One boid: `number` counts through all flocks, `index` within its own.

    `own_index` is the index that it keeps when others leave, and that of its random numbers.
    `birth` is the step at which it joined. `memory` is the per-boid state of its motion and rules,
    by the names of Model.memory_of.
    """

    number: int
    flock: str
    index: int
    position: np.ndarray
    velocity: np.ndarray
    timer: int
    memory: Values
    own_index: int = -1
    birth: int = 0

    def __post_init__(self) -> None:
        if self.own_index < 0:
            self.own_index = self.index


class Sensed(NamedTuple):
    """Boids that a rule senses: (K,) numbers, (K, D) displacements to them, (K, D) velocities."""

    numbers: np.ndarray
    displacements: np.ndarray
    velocities: np.ndarray


class Perception:
    """Perception of boids in one step.

    state  present state. A sequential update writes into its arrays.
    initial  state at the begin of the step. The default is a copy of `state`.
    past  states one step ago, two steps ago, and so on, to the depth that flocks sense
    indices  (N,) indices of the boids of each flock, by which they have numbers of their own. The
        default is 0 to N - 1.
    kept_of  per-boid state that rules read of neighbours
    offset  time since the begin of the step at which forces are evaluated; 0 at first
    """

    def __init__(
        self,
        model: Model,
        seed: int,
        step: int,
        state: State,
        *,
        initial: State | None = None,
        past: Sequence[State] = (),
        indices: Mapping[str, np.ndarray] | None = None,
        kept_of: KeptOf = lambda flock, row: {},
    ) -> None:
        self.model, self.seed, self.step = model, seed, step
        self.kept_of = kept_of
        self.state = state
        self.offset = 0.0
        self.initial = copy_state(state) if initial is None else initial
        self._past = past
        self._first: dict[str, int] = {}
        first = 0
        for name, (positions, _) in state.items():
            self._first[name] = first
            first += len(positions)
        self._indices = indices or {name: np.arange(len(x)) for name, (x, _) in state.items()}
        self._own_fields: dict[tuple[str, str], tuple[str, ...]] = {}
        self._own_numbers: dict[str, Mapping[str, np.ndarray]] = {}
        self._own_parts: dict[tuple[str, str, int], Part] = {}
        self._herds: dict[Any, tuple[np.ndarray, np.ndarray, np.ndarray, float, int]] = {}
        self._cells: dict[tuple[str, ...], tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        self._mesh_words = mesh_words_of(model)
        self._obstacles: dict[float, dict[str, Row]] = {}
        self._perceived: dict[tuple[str, str, int, float], tuple[np.ndarray, np.ndarray]] = {}

    @classmethod
    def of_frame(cls, model: Model, frame: Frame, seed: int) -> Perception:
        """Return the perception in the step after a frame, with the past states in its memory."""
        state = {
            name: (flock.positions.astype(float), flock.velocities.astype(float))
            for name, flock in frame.items()
        }
        past = past_states(model, state, {name: flock.memory for name, flock in frame.items()})
        indices = frame_indices(model, frame)

        def kept_of(flock: str, row: int) -> Values:
            return boid_memory(model, flock, frame[flock].memory, row)

        return cls(
            model, seed, frame.step, state, initial=state, past=past, indices=indices,
            kept_of=kept_of,
        )  # fmt: skip

    def with_state(self, state: State, kept_of: KeptOf | None = None) -> Perception:
        """Return the perception in the same step with another present state."""
        other = copy.copy(self)
        other.state, other.kept_of = state, kept_of or self.kept_of
        return other

    @property
    def time(self) -> float:
        """Return the time at which forces are evaluated."""
        return self.step * self.model.dt + self.offset

    def number(self, flock: str, index: int) -> int:
        """Return the number of a boid, counted through all flocks."""
        return self._first[flock] + index

    def index_of(self, flock: str, row: int) -> int:
        """Return the index of a boid, by its row in the arrays of its flock."""
        return int(self._indices[flock][row])

    def readable_state(self, number: int) -> SimpleNamespace:
        """Return the per-boid state of a boid as rules read it: by the last part of its names."""
        flock = self.flock_of(number)
        return readable(self.kept_of(flock, number - self._first[flock]))

    def flock_of(self, number: int) -> str:
        """Return the flock of a boid."""
        owners = [name for name, first in self._first.items() if first <= number]
        return next(name for name in reversed(owners) if self.size(name))

    def size(self, flock: str) -> int:
        """Return the number of boids of a flock."""
        return len(self.state[flock][0])

    def obstacles(self, later: float = 0.0) -> dict[str, Row]:
        """Return the obstacles now or `later`. Raise RunError if the normal of a wall is zero."""
        time = self.time + later
        if time not in self._obstacles:
            check_normals(self.model.obstacles, time, self.step + 1)
            table = obstacle_table(self.model, time, mesh_addresses(self._mesh_words))
            rows = dict(zip(self.model.obstacles, map(tuple, table.tolist()), strict=True))
            self._obstacles[time] = rows
        return self._obstacles[time]

    def own(self, owner: str, part: AnyPart, boid: Boid) -> AnyPart:
        """Return a rule ('rules.NAME') or the motion with the numbers that a boid has."""
        fields_key = owner, boid.flock
        if fields_key not in self._own_fields:
            self._own_fields[fields_key] = tuple(individual_fields(part))
        if not self._own_fields[fields_key]:
            return part
        key = *fields_key, boid.index
        if key not in self._own_parts:
            self._own_parts[key] = self._with_own_numbers(owner, part, boid)
        return self._own_parts[key]  # type: ignore[return-value]

    def _with_own_numbers(self, owner: str, part: AnyPart, boid: Boid) -> AnyPart:
        update: dict[str, Any] = {}
        for field in self._own_fields[owner, boid.flock]:
            if boid.flock not in self._own_numbers:
                self._own_numbers[boid.flock] = individual_numbers(
                    self.model, self.seed, boid.flock, self._indices[boid.flock]
                )
            name, _, axis = field.partition(".")
            number: Any = float(self._own_numbers[boid.flock][f"{owner}.{field}"][boid.index])
            if axis:
                vector = list(update.get(name, getattr(part, name)))
                vector["xyz".index(axis)] = number
                number = tuple(vector)
            update[name] = number
        return part.model_copy(update=update)

    def random(self, boid: Boid, rng_stream: str) -> Random:
        """Return four random numbers of a boid in this step."""
        index = self.index_of(boid.flock, boid.index)
        return self._draw(index, self.step, rng_stream_id(boid.flock, rng_stream))

    def _draw(self, index: int, step: int, rng_stream: int) -> Random:
        """Return four random numbers of a counter."""
        key = self.seed & 0xFFFFFFFF, (self.seed >> 32) & 0xFFFFFFFF
        bits = philox((index, step & 0xFFFFFFFF, step >> 32, rng_stream), key)
        return Random(*((b >> 8) * 2.0**-24 for b in bits))

    # --- others

    def perceived(self, observer: str, flock: str, age: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Return (N, D) positions and velocities of a flock, with the delay and errors of an
        observer: as the last message of each boid describes them, or an older one.
        """
        sensing = self.model.flocks[observer].sensing
        if sensing is None:
            return self.state[flock]
        key = observer, flock, age, self.offset
        if key not in self._perceived:
            errors = (sensing.position_error, sensing.velocity_error)
            noisy = []
            for k, (word, error) in enumerate(zip(("place", "velocity"), errors, strict=True)):
                stream = rng_stream_id(observer, "sensing", flock, word)
                spread, value = number_at(error, self.time), self.state[flock][k].copy()
                for row in range(len(value)):
                    then = max(self.sent_step(observer, flock, row, age), 0)
                    value[row] = self._at(then)[flock][k][row]
                    if spread > 0.0:
                        draw = gaussians(*self._draw(self.index_of(flock, row), then, stream))
                        value[row] += spread * np.array(draw[: self.model.space.dims])
                noisy.append(value)
            self._perceived[key] = noisy[0], noisy[1]
        return self._perceived[key]

    def _at(self, step: int) -> State:
        """Return the state at the begin of this or a past step."""
        return self._past[self.step - step - 1] if step < self.step else self.initial

    def sent_step(self, observer: str, flock: str, row: int, age: int = 0) -> int:
        """Return when a boid sent its last message to an observer, or an older one."""
        sensing, dt = self.model.flocks[observer].sensing, self.model.dt
        assert sensing is not None
        (delay, refresh), clocks = sensing.steps(dt), sensing.clock_steps(dt)
        clock = 0
        if clocks > 1:
            stream = rng_stream_id(observer, "sensing", flock, "clock")
            clock = math.floor(self._draw(self.index_of(flock, row), 0, stream).a * clocks)
        return (self.step - delay - clock) // refresh * refresh + clock - age * refresh

    def received(self, boid: Boid, flock: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the flock as a boid perceives it, see `perceived`: with nan for boids without a
        received message."""
        sensing = self.model.flocks[boid.flock].sensing
        if sensing is None or not sensing.loses:
            return self.perceived(boid.flock, flock)
        positions, velocities = np.full((2, self.size(flock), self.model.space.dims), np.nan)
        for row in range(len(positions)):
            age = self._age(sensing, boid, flock, row)
            if age is not None:
                x, v = self.perceived(boid.flock, flock, age)
                positions[row], velocities[row] = x[row], v[row]
        return positions, velocities

    def _age(self, sensing: Sensing, boid: Boid, flock: str, row: int) -> int | None:
        """Return the age of the last message that reached a boid: 0 for the newest; None for no
        message."""
        receiver, sender = self.index_of(boid.flock, boid.index), self.index_of(flock, row)
        stream = rng_stream_id(boid.flock, "sensing", flock, "link")
        interval = sensing.steps(self.model.dt)[1]

        def draw(message: int) -> Random:
            return self._draw(receiver, message + (sender << 32), stream)

        def is_bad(message: int) -> bool:
            """Return the state of the link, which is that of the message before or a new one."""
            while message > 0 and draw(message).a < sensing.keep:
                message -= 1
            return draw(message).b < sensing.bad_share

        for age in range(sensing.ages):
            sent = self.sent_step(boid.flock, flock, row, age)
            message = sent // interval
            if message < 0:  # everyone knows the start
                return age
            state = self._at(sent)
            gap = state[flock][0][row] - state[boid.flock][0][boid.index]
            gap = nearest_image(gap, self.model.space)
            is_near = sensing.range is None or math.sqrt(gap @ gap) <= sensing.range
            loss = sensing.bad_loss if is_bad(message) else sensing.loss
            if is_near and draw(message).c >= loss:
                return age
        return None

    def sensed(self, rule: NeighbourRule, boid: Boid, flocks: Sequence[str]) -> Sensed:
        """Return the boids of some flocks that a rule with the boid's own numbers senses.

        They are in the order of their numbers within each flock; for a rule that counts the
        nearest, in the order of distance.
        """
        numbers, displacements, velocities = [], [], []
        for flock in flocks:
            positions, moving = self.received(boid, flock)
            away = nearest_image(positions - boid.position, self.model.space)
            seen = self.sees(rule, boid, away)
            if flock == boid.flock:
                seen[boid.index] = False
            if rule.neighbours == "voronoi":
                first, cells = self._first[flock], self._touching(flocks, boid)
                seen &= np.isin(np.arange(first, first + len(away)), cells)
            if rule.neighbours == "visible":
                first, visible = self._first[flock], self._view(rule, boid, flocks)[0]
                seen &= np.isin(np.arange(first, first + len(away)), visible)
            (rows,) = seen.nonzero()
            numbers.append(rows + self._first[flock])
            displacements.append(away[rows])
            velocities.append(moving[rows])
        if not numbers:
            none = np.zeros((0, self.model.space.dims))
            return Sensed(np.zeros(0, np.int64), none, none)
        sensed = Sensed(*map(np.concatenate, (numbers, displacements, velocities)))
        if not rule.nearest:
            return sensed
        r2 = dot_rows(sensed.displacements, sensed.displacements)
        order = np.lexsort((sensed.numbers, r2))[: rule.nearest]
        return Sensed(*(array[order] for array in sensed))

    def arcs(self, rule: NeighbourRule, boid: Boid, flocks: Sequence[str]) -> list[Arc]:
        """Return the arcs of a boid's view that the boids of some flocks cover."""
        return self._view(rule, boid, flocks)[1]

    def _view(
        self, rule: NeighbourRule, boid: Boid, flocks: Sequence[str]
    ) -> tuple[np.ndarray, list[Arc]]:
        """Return the numbers of visible boids of some flocks, and the arcs that they cover."""
        zone = rule.model_copy(update={"inner_radius": 0.0, "field_of_view": 180.0})
        vectors, numbers, diameters = [], [], []
        for flock in flocks:
            away = nearest_image(self.received(boid, flock)[0] - boid.position, self.model.space)
            near = self.sees(zone, boid, away)
            if flock == boid.flock:
                near[boid.index] = False
            vectors.append(away[near])
            numbers.append(np.flatnonzero(near) + self._first[flock])
            diameters.append(np.full(int(near.sum()), self.model.flocks[flock].diameter))
        away, ids = np.concatenate(vectors), np.concatenate(numbers)
        order = np.lexsort((ids, dot_rows(away, away)))
        visible, arcs = look_around(away[order], np.concatenate(diameters)[order])
        return ids[order][visible], arcs

    def sees(self, rule: NeighbourRule, boid: Boid, displacements: np.ndarray) -> np.ndarray:
        """Return (K,) bool: each of (K, D) displacements is within a rule's zone and field of view.

        The cosine of its direction is compared squared, with its sign, so that a boid at rest sees
        in all directions.
        """
        r2, radius = dot_rows(displacements, displacements), number_at(rule.radius, self.time)
        angle = number_at(rule.field_of_view, self.time)
        inner = number_at(rule.inner_radius, self.time)
        seen = r2 <= radius * radius
        if inner > 0.0:
            seen &= r2 > inner * inner
        if angle < 180.0:
            forward = dot_rows(displacements, np.broadcast_to(boid.velocity, displacements.shape))
            cosine = math.cos(math.radians(angle))
            speed2 = float(boid.velocity @ boid.velocity)
            seen &= forward * np.abs(forward) >= cosine * abs(cosine) * r2 * speed2
        return seen

    def _touching(self, flocks: Sequence[str], boid: Boid) -> np.ndarray:
        """Return the numbers of a boid's Voronoi neighbours at the begin of the step."""
        key = tuple(name for name in self.model.flocks if name in (*flocks, boid.flock))
        if key not in self._cells:
            positions = np.concatenate([self.initial[name][0] for name in key])
            numbers = [self._first[name] + np.arange(len(self.initial[name][0])) for name in key]
            offsets, links = voronoi_neighbours(positions, self.model.space)
            self._cells[key] = np.concatenate(numbers), offsets, links
        numbers_, offsets, links = self._cells[key]
        k = int(np.flatnonzero(numbers_ == boid.number)[0])
        neighbours: np.ndarray = numbers_[links[offsets[k] : offsets[k + 1]]]
        return neighbours

    def herd(self, rule: NeighbourRule, boid: Boid) -> Herd:
        """Return a summary of the flocks that a rule senses, at the begin of the step."""
        flocks, _ = self.model.sensed(rule, boid.flock)
        key = boid.flock, flocks, self.offset
        if key not in self._herds:
            has_sensing = self.model.flocks[boid.flock].sensing
            states = [
                self.perceived(boid.flock, f) if has_sensing else self.initial[f] for f in flocks
            ]
            x = np.concatenate([positions for positions, _ in states])
            if not len(x):
                return Herd(*[0.0] * 8)
            offsets = nearest_image(x - x[0], self.model.space)
            centre = offsets.sum(axis=0) / len(offsets)
            distances = np.sqrt(dot_rows(offsets - centre, offsets - centre))
            farthest = int(np.argmax(distances))
            self._herds[key] = (
                x[0], centre, offsets[farthest], float(distances[farthest]), len(offsets),
            )  # fmt: skip
        origin, centre, farthest_offset, spread, count = self._herds[key]
        to_origin, space = origin - boid.position, self.model.space
        return Herd(
            float(count),
            *pad_to_3d(nearest_image(to_origin + centre, space)),
            *pad_to_3d(nearest_image(to_origin + farthest_offset, space)),
            spread,
        )


def readable(kept: Values) -> SimpleNamespace:
    """Return per-boid state by the last part of its names: 'rules.flee.tiredness' as tiredness."""
    return SimpleNamespace(**{name.rpartition(".")[2]: value for name, value in kept.items()})


def copy_state(state: State) -> State:
    """Return a copy of a state."""
    return {name: (p.copy(), v.copy()) for name, (p, v) in state.items()}


def boid_memory(model: Model, flock: str, memory: np.ndarray, index: int) -> dict[str, float]:
    """Return the per-boid state of a boid by name, from the (N, M) memory of its flock."""
    names = model.memory_of(flock)
    row = memory[index] if memory.shape[1] >= len(names) else np.zeros(len(names))
    return dict(zip(names, map(float, row), strict=False))


def past_states(model: Model, state: State, memory: Mapping[str, np.ndarray]) -> list[State]:
    """Return the states one step ago, two steps ago, and so on, from the memory of boids.

    They equal the present state if the memory has none, see FlockState.
    """
    dims, depth = model.space.dims, past_depth(model)
    past: list[dict[str, tuple[np.ndarray, np.ndarray]]] = [dict(state) for _ in range(depth)]
    for name, (positions, _) in state.items():
        own = memory.get(name)
        first = len(model.memory_of(name))
        if own is None or own.shape[1] < first + depth * 2 * dims:
            continue
        rows = own[:, first : first + depth * 2 * dims].astype(float)
        for k, rows_then in enumerate(rows.reshape(len(positions), depth, 2, dims).swapaxes(0, 1)):
            past[k][name] = rows_then[:, 0], rows_then[:, 1]
    return list(past)
