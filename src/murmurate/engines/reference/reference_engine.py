"""The reference engine: slow, obvious, float64, uncompiled. Tests compare other engines with it.

It runs the same rule functions as plain Python. It shares the model and the counter-based random
numbers with other engines, and as plain Python the functions of obstacles, but no kernels, slots or
cells: it tests all pairs of boids. A debugger can step through all of it, including rules of users.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.engines import rng
from murmurate.engines.base import Diagnostics, EngineBase
from murmurate.engines.bounds import MAX_DISTANCE_FACTOR, LostBoidError
from murmurate.engines.initial_memory import initial_memory
from murmurate.engines.memory import START_ITEM_BYTES
from murmurate.engines.options import RunOptions
from murmurate.engines.reference.mathematics import (
    limit_length,
    pad_to_3d,
    reflect,
    wrap,
)
from murmurate.engines.reference.obstacles import move_past
from murmurate.engines.reference.population import ReferencePopulation
from murmurate.engines.reference.sensing import (
    Boid,
    Perception,
    State,
    Values,
    boid_memory,
    past_states,
)
from murmurate.engines.reference.steering import (
    Steering,
    call_rule,
    model_stages,
    require_finite,
)
from murmurate.engines.state import FlightState, FlockState, adapt_state, past_depth
from murmurate.errors import NotFiniteError, PopulationError, RunError
from murmurate.language.reader import Readings
from murmurate.model.model import Model
from murmurate.model.quantity import number_at

BOID_BYTES = 600  # of a boid at least: an object with two arrays
Next = tuple[np.ndarray, np.ndarray, int, Values]
"""State of a boid after a step: position, velocity, perch timer, per-boid state."""


class ReferenceEngine(EngineBase):
    """One simulation in plain Python: see murmurate.engines.base.EngineBase."""

    dtype = "float64"
    family = "reference"
    refuses = ()

    @classmethod
    def min_memory(cls, model: Model, options: RunOptions) -> int:
        """Return the bytes of the start and of the boids."""
        total = 0
        for name, flock in model.flocks.items():
            numbers = 2 * model.space.dims + len(model.memory_of(name))
            total += flock.count * (START_ITEM_BYTES * numbers + BOID_BYTES)
        return total

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        self.model = model
        self.options = replace(options, dtype="float64", threads=1)
        self.seed = options.seed
        self.step_number = state.step
        self._steps_done = 0
        self._boids: list[Boid] = []
        self._flocks: dict[str, list[Boid]] = {name: [] for name in state.flocks}
        for name, flock in state.flocks.items():
            for index in range(len(flock.positions)):
                position = np.array(flock.positions[index], dtype=float)
                velocity = np.array(flock.velocities[index], dtype=float)
                timer = int(flock.timers[index])
                own = boid_memory(model, name, flock.memory, index)
                boid = Boid(
                    len(self._boids), name, index, position, velocity, timer, own,
                    int(flock.indices[index]), int(flock.births[index]),
                )  # fmt: skip
                self._boids.append(boid)
                self._flocks[name].append(boid)
        self._n_ever = {name: flock.n_ever for name, flock in state.flocks.items()}
        self._readings = Readings()
        self._totals: dict[tuple[str, str], int] = {}
        memory = {name: flock.memory for name, flock in state.flocks.items()}
        self._past = past_states(model, self._state(), memory)

    # --- see engines/base.py

    def step(self, steps: int) -> None:
        """Advance by `steps` steps. Raise RunError if a boid is lost."""
        for _ in range(steps):
            before = self.state() if self.model.changes_numbers else None
            self._step()
            self.step_number += 1
            self._steps_done += 1
            self._check_lost()
            if before is not None:
                self._change_numbers(before)

    def state(self) -> FlightState:
        """Return the present state: copies, in id order."""
        dims, flocks = self.model.space.dims, {}
        for name, boids in self._flocks.items():
            positions = np.array([b.position for b in boids], dtype=float).reshape(-1, dims)
            velocities = np.array([b.velocity for b in boids], dtype=float).reshape(-1, dims)
            timers = np.array([b.timer for b in boids], dtype=np.int64)
            flocks[name] = FlockState(positions, velocities, timers, self._memory(name))
            if self.model.changes_numbers:
                flocks[name] = replace(
                    flocks[name], indices=np.array([b.own_index for b in boids], np.int64),
                    births=np.array([b.birth for b in boids], np.int64), n_ever=self._n_ever[name],
                )  # fmt: skip
        return FlightState(self.step_number, flocks)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Replace positions and velocities of a flock, (N, D) each; None keeps the present ones."""
        for boid in self._flocks[flock]:
            if positions is not None:
                boid.position = np.array(positions[boid.index], dtype=float)
            if velocities is not None:
                boid.velocity = np.array(velocities[boid.index], dtype=float)

    def set_memory(self, flock: str, first: int, values: np.ndarray) -> None:
        """Replace numbers of the per-boid state of a flock, (M, N) from `first` on, by id."""
        names = self.model.memory_of(flock)[first : first + len(values)]
        for boid, own in zip(self._flocks[flock], values.T.tolist(), strict=True):
            boid.memory = {**boid.memory, **dict(zip(names, own, strict=True))}

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks."""
        state = adapt_state(self.model, model, self.state(), seed=self.seed)
        self.model = model
        memory = {name: flock.memory for name, flock in state.flocks.items()}
        for name, boids in self._flocks.items():
            for boid in boids:
                boid.memory = boid_memory(model, name, memory[name], boid.index)
        if len(self._past) != past_depth(model):
            self._past = past_states(model, self._state(), memory)

    def diagnostics(self) -> Diagnostics:
        """Return the number of steps done."""
        return Diagnostics(steps_done=self._steps_done)

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock."""
        return {name: len(boids) for name, boids in self._flocks.items()}

    def population_counts(self) -> dict[tuple[str, str], int]:
        """Return how many boids joined and left, by name of the entry and of the flock."""
        return dict(self._totals)

    def copy(self, threads: int | None = None) -> ReferenceEngine:
        """Return another engine that continues from the same state."""
        other = ReferenceEngine(self.model, self.state(), self.options)
        other._totals = dict(self._totals)
        return other

    # --- boids that join and leave

    def _change_numbers(self, before: FlightState) -> None:
        """Let boids leave and join at the end of a step. Raise PopulationError for too many."""
        step = self.step_number - 1
        population = ReferencePopulation(self.model, self.seed, step, self._flocks, self._n_ever)
        try:
            change = population.apply()
        except PopulationError:
            totals = self._totals
            self.__init__(self.model, before, self.options)  # type: ignore[misc]
            self._totals = totals
            raise
        for key, number in change.counts.items():
            self._totals[key] = self._totals.get(key, 0) + number
        past: list[dict[str, tuple[np.ndarray, np.ndarray]]] = [{} for _ in self._past]
        for name, boids in self._flocks.items():
            rows = [k for k, boid in enumerate(boids) if boid.number not in change.leaving]
            self._flocks[name] = [boids[k] for k in rows]
            for join in change.joins[name]:
                index = self._n_ever[name]
                self._n_ever[name] = index + 1
                own = initial_memory(self.model, self.seed, name, np.array([index]))
                memory = boid_memory(self.model, name, own, 0)
                self._flocks[name].append(
                    Boid(0, name, 0, join.position, join.velocity, 0, memory, index, step + 1)
                )
            joined = change.joins[name]
            for then, state in zip(past, self._past, strict=True):
                x, v = state[name]
                then[name] = (
                    _stack(x[rows], [join.position for join in joined]),
                    _stack(v[rows], [join.velocity for join in joined]),
                )
        self._past = list(past)
        self._boids = [boid for boids in self._flocks.values() for boid in boids]
        for number, boid in enumerate(self._boids):
            boid.number = number
        for boids in self._flocks.values():
            for row, boid in enumerate(boids):
                boid.index = row

    # --- memory

    def _memory(self, name: str) -> np.ndarray:
        """Return the (N, M) memory of a flock: per-boid state, then past states if needed."""
        boids, names = self._flocks[name], self.model.memory_of(name)
        rows = [[boid.memory[key] for key in names] for boid in boids]
        own = np.array(rows, float).reshape(len(boids), len(names))
        return np.concatenate(
            [own, *(array for past in self._past for array in past[name])], axis=1
        )

    # --- one step

    def steering(self) -> Steering:
        """Return the steering of the rules in the next step."""
        past = self._past
        return Steering(
            Perception(
                self.model,
                self.seed,
                self.step_number,
                self._state(),
                past=past,
                indices={
                    name: np.array([boid.own_index for boid in boids], np.int64)
                    for name, boids in self._flocks.items()
                },
                kept_of=lambda flock, row: self._flocks[flock][row].memory,
            ),
            readings=self._readings,
        )

    def _state(self) -> State:
        """Return positions and velocities of all flocks."""
        dims = self.model.space.dims
        return {
            name: (
                np.array([boid.position for boid in boids], float).reshape(-1, dims),
                np.array([boid.velocity for boid in boids], float).reshape(-1, dims),
            )
            for name, boids in self._flocks.items()
        }

    def _set(
        self, steering: Steering, boid: Boid, position: np.ndarray, velocity: np.ndarray
    ) -> None:
        """Set position and velocity of a boid, as others perceive it from now on."""
        boid.position, boid.velocity = position, velocity
        positions, velocities = steering.perception.state[boid.flock]
        positions[boid.index], velocities[boid.index] = position, velocity

    def _step(self) -> None:
        """Advance by one step."""
        steering = self.steering()
        if self.model.integrator == "euler":
            order = model_stages(self.model)
            for stage in order:
                self._update_stage(steering, stage, stage == order[-1])
        else:
            self._integrate(steering)
        self._past = [steering.perception.initial, *self._past][: past_depth(self.model)]

    def _update_stage(self, steering: Steering, stage: int, last: bool) -> None:
        """Update all boids by the rules of one stage."""
        if self.model.order == "synchronous":
            nexts = [self._next_state(steering, boid, stage, last) for boid in self._boids]
            for boid, (position, velocity, timer, memory) in zip(self._boids, nexts, strict=True):
                boid.timer, boid.memory = timer, memory
                self._set(steering, boid, position, velocity)
            return
        positions = {}
        for number in self._update_order():
            boid = self._boids[number]
            position, velocity, boid.timer, boid.memory = self._next_state(
                steering, boid, stage, last
            )
            positions[number] = position
            moves_now = self.model.positions == "in-turn"
            self._set(steering, boid, position if moves_now else boid.position, velocity)
        for number, position in positions.items():
            self._set(steering, self._boids[number], position, self._boids[number].velocity)

    def _integrate(self, steering: Steering) -> None:
        """Advance by a step that evaluates forces more than once. Perching boids do not move."""
        dt, moving = self.model.dt, [boid for boid in self._boids if boid.timer == 0]
        shape = (len(moving), self.model.space.dims)  # with no boid too
        x = np.array([boid.position for boid in moving], float).reshape(shape)
        v = np.array([boid.velocity for boid in moving], float).reshape(shape)

        def forces(part: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
            """Return accelerations at positions x and velocities v, at a part of the step."""
            steering.perception.offset = part * dt
            for boid, position, velocity in zip(moving, x, v, strict=True):
                self._set(steering, boid, self._wrap(position), velocity)
            accelerations = [self._acceleration(steering, boid) for boid in moving]
            return np.array(accelerations, float).reshape(x.shape)

        if self.model.integrator == "verlet":
            a = forces(0.0, x, v)
            mean_v = v + a * dt / 2
            mean_a = (a + forces(1.0, x + mean_v * dt, v + a * dt)) / 2
        else:
            a = forces(0.0, x, v)
            b = forces(0.5, x + v * dt / 2, v + a * dt / 2)
            c = forces(0.5, x + (v + a * dt / 2) * dt / 2, v + b * dt / 2)
            d = forces(1.0, x + (v + b * dt / 2) * dt, v + c * dt)
            mean_a = (a + 2 * b + 2 * c + d) / 6
            mean_v = v + (a + b + c) * dt / 6
        steering.perception.offset = 0.0
        for boid, position, velocity in zip(moving, x, v, strict=True):
            self._set(steering, boid, position, velocity)
        for boid in self._boids:
            if boid.timer > 0:
                boid.timer -= 1
                boid.position = self._push_out(steering.perception, boid.position)
        for k, boid in enumerate(moving):
            mass = steering.numbers(steering.motion(boid)).mass
            with self._named(boid):
                velocity = steering.settled(boid, mean_a[k] * mass)
            boid.position, boid.velocity, boid.timer = self._move(
                steering.perception, boid, velocity, mean_v[k]
            )

    @contextmanager
    def _named(self, boid: Boid) -> Iterator[None]:
        """Name the boid and the step in errors of its rules."""
        try:
            yield
        except NotFiniteError as error:
            raise RunError(
                f"boid {boid.own_index} of flock {boid.flock!r} in step {self.step_number + 1}: "
                f"{error}\nIts numbers must be finite: test them before such an operation",
                step=self.step_number + 1,
                flock=boid.flock,
                boid=boid.own_index,
            ) from error

    def find_cause(self, flock: str, index: int, max_boids: int) -> None:
        """Raise RunError if a rule or motion gives a number that is not finite in the next step.

        The error names a boid: of a flock of up to `max_boids`, the first one that fails in a whole
        step; of a larger one, only the given boid is tested, with the state before the step.
        """
        if len(self._boids) <= max_boids:
            self.step(1)
            return
        steering = self.steering()
        boid = next(b for b in self._flocks[flock] if b.own_index == index)
        with self._named(boid):
            for stage in model_stages(self.model):
                steering.turned(boid, stage, last=True)

    def _wrap(self, position: np.ndarray) -> np.ndarray:
        """Return a position wrapped into the space on its periodic axes."""
        space = self.model.space
        axes = zip(position, space.periodic, space.lower, space.upper, strict=True)
        return np.array([wrap(x, low, high) if periodic else x for x, periodic, low, high in axes])

    def _acceleration(self, steering: Steering, boid: Boid) -> np.ndarray:
        """Return the steering of a boid, divided by its mass."""
        rules, me = self.model.moved_by(boid.flock), steering.me(boid)
        motion = steering.motion(boid)
        with self._named(boid):
            total = steering.combined(boid, rules, me).total
        return limit_length(total, me.max_force) / number_at(motion.mass, steering.perception.time)

    def _update_order(self) -> list[int]:
        """Return boid numbers in the order of a sequential update."""
        count = len(self._boids)
        if self.model.order == "shuffled":
            return [
                int(number) for number in rng.shuffled_orders(self.seed, self.step_number, count)[0]
            ]
        return list(range(count))

    def _next_state(self, steering: Steering, boid: Boid, stage: int, last: bool) -> Next:
        """Return the state of a boid after a stage; it moves in the last one."""
        if boid.timer > 0:
            if not last:
                return boid.position, boid.velocity, boid.timer, boid.memory
            position = self._push_out(steering.perception, boid.position)
            return position, boid.velocity, boid.timer - 1, boid.memory
        with self._named(boid):
            velocity, memory = steering.turned(boid, stage, last)
        if not last:
            return boid.position, velocity, 0, memory
        return (*self._move(steering.perception, boid, velocity), memory)

    def _push_out(self, perception: Perception, position: np.ndarray) -> np.ndarray:
        """Return the position of a boid at rest, after obstacles that move over it push it out."""
        obstacles, zero = perception.obstacles(self.model.dt), np.zeros(len(position))
        if not obstacles:
            return position
        position, _, lost = move_past(
            obstacles, perception.obstacles(), position, zero, zero, self.model.space
        )
        return np.full(len(position), lost) if lost else position

    def _move(
        self,
        perception: Perception,
        boid: Boid,
        velocity: np.ndarray,
        mean_velocity: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """Return position, velocity and perch timer of a boid after its movement.

        It moves by `mean_velocity`, or else by its velocity, past obstacles and faces; below the
        ground it lands.
        """
        model, space = self.model, self.model.space
        if mean_velocity is None:
            old = model.flocks[boid.flock].motion.advance == "old"
            mean_velocity = boid.velocity if old else velocity
        step = mean_velocity * model.dt
        position = boid.position + step
        obstacles, lost = perception.obstacles(model.dt), 0.0
        if obstacles:
            position, velocity, lost = move_past(
                obstacles, perception.obstacles(), boid.position, step, velocity, space
            )
        faces = zip(space.boundaries, space.lower, space.upper, strict=True)
        for axis, (boundary, lower, upper) in enumerate(faces):
            if not lower <= position[axis] <= upper and boundary == "reflecting":
                position[axis], flips = reflect(position[axis], lower, upper)
                velocity = np.where((np.arange(space.dims) == axis) & flips, -velocity, velocity)
            elif boundary == "periodic":
                position[axis] = wrap(position[axis], lower, upper)
            elif boundary == "held":
                position[axis] = min(max(position[axis], lower), upper)
        if lost:
            return np.full(space.dims, lost), velocity, 0
        perching = model.flocks[boid.flock].perching
        landed = False
        if perching and position[-1] < number_at(perching.ground, perception.time):
            position[-1] = number_at(perching.ground, perception.time)
            landed = True
        elif perching:
            position, velocity, landed = self._perch(perception, boid, position, velocity)
        if perching and landed:
            position = self._push_out(perception, position)
            choices = perching.longest - perching.shortest + 1
            chance = perception.random(boid, "perching").a
            return position, velocity, perching.shortest + int(chance * choices)
        return position, velocity, 0

    def _perch(
        self, perception: Perception, boid: Boid, position: np.ndarray, velocity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, bool]:
        """Return position, velocity and whether a rule puts the boid on a perch."""
        steering, dims = Steering(perception), self.model.space.dims
        for name, rule in self.model.moved_by(boid.flock).items():
            cls: Any = type(rule)
            if hasattr(cls, "perch"):
                arguments = steering.numbers(rule), steering.me(boid), *pad_to_3d(position)
                with self._named(boid):
                    values = call_rule(f"rule {name}", cls.perch, *arguments)
                    *values, lands = require_finite(f"rule {name}", cls.perch, values)
                if lands:
                    return np.array(values[:dims]), np.array(values[3 : 3 + dims]), True
        return position, velocity, False

    # --- lost boids

    def _check_lost(self) -> None:
        """Raise RunError for a boid that is too far away or not finite."""
        lower, side = np.array(self.model.space.lower), np.array(self.model.space.size)
        positions = np.array([boid.position for boid in self._boids], float).reshape(-1, len(side))
        near = np.abs(positions - lower - side / 2) <= MAX_DISTANCE_FACTOR * side.max()
        if not near.all():
            boid = self._boids[int(np.argmin(near.all(axis=1)))]
            raise LostBoidError(self.step_number, boid.flock, boid.index, boid.position).run_error()


def _stack(rows: np.ndarray, more: list[np.ndarray]) -> np.ndarray:
    """Return (N, D) rows, followed by further ones."""
    return np.concatenate([rows, np.array(more, float).reshape(len(more), rows.shape[1])])
