"""The reference engine: slow, obvious, float64, uncompiled. The fast one is checked against it.

It runs the same rule functions, as plain Python, and shares nothing else with the fast engine but
the model and the counter-based random numbers: no kernels, no slots, no cells. Every boid is
compared with every other. Whatever it does can be stepped through in a debugger, rules of one's own
included.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.engines import rng
from murmurate.engines.base import EngineBase
from murmurate.engines.bounds import MAX_DISTANCE_FACTOR, LostBoidError
from murmurate.engines.memory import START_ITEM_BYTES
from murmurate.engines.options import RunOptions
from murmurate.engines.protocol import FlightState, FlockState
from murmurate.engines.reference.mathematics import (
    folded,
    shortened,
    three,
    wrapped,
)
from murmurate.engines.reference.obstacles import move_past
from murmurate.engines.reference.sensing import (
    Boid,
    Perception,
    State,
    depth_of,
    kept_of,
    past_of,
)
from murmurate.engines.reference.steering import Kept, Steering, stages
from murmurate.engines.state import adapt_state
from murmurate.model.model import Model
from murmurate.model.quantity import number_at

BOID_BYTES = 600  # of a boid at least: an object with two arrays
Next = tuple[np.ndarray, np.ndarray, int, Kept]
"""What a step makes of a boid: place, velocity, perch timer, what is kept of it."""


class ReferenceEngine(EngineBase):
    """Owns the boids of one flight. Raises RunError for boids that are lost."""

    dtype = "float64"
    family = "reference"

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
        self._boids: list[Boid] = []
        self._flocks: dict[str, list[Boid]] = {name: [] for name in state.flocks}
        for name, flock in state.flocks.items():
            for index in range(len(flock.positions)):
                place = np.array(flock.positions[index], dtype=float)
                velocity = np.array(flock.velocities[index], dtype=float)
                timer = int(flock.timers[index])
                kept = kept_of(model, name, flock.memory, index)
                boid = Boid(len(self._boids), name, index, place, velocity, timer, kept)
                self._boids.append(boid)
                self._flocks[name].append(boid)
        memory = {name: flock.memory for name, flock in state.flocks.items()}
        self._past = past_of(model, self._state(), memory)

    # --- what others ask of it, see engines/protocol.py

    def step(self, steps: int) -> None:
        """Flies so many steps."""
        for _ in range(steps):
            self._one_step()
            self.step_number += 1
            self._find_lost()

    def state(self) -> FlightState:
        dims, flocks = self.model.space.dims, {}
        for name, boids in self._flocks.items():
            positions = np.array([b.place for b in boids], dtype=float).reshape(-1, dims)
            velocities = np.array([b.velocity for b in boids], dtype=float).reshape(-1, dims)
            timers = np.array([b.timer for b in boids], dtype=np.int64)
            flocks[name] = FlockState(positions, velocities, timers, self._memory(name))
        return FlightState(self.step_number, flocks)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        for boid in self._flocks[flock]:
            if positions is not None:
                boid.place = np.array(positions[boid.index], dtype=float)
            if velocities is not None:
                boid.velocity = np.array(velocities[boid.index], dtype=float)

    def replace_model(self, model: Model) -> None:
        state = adapt_state(self.model, model, self.state())
        self.model = model
        memory = {name: flock.memory for name, flock in state.flocks.items()}
        for name, boids in self._flocks.items():
            for boid in boids:
                boid.kept = kept_of(model, name, memory[name], boid.index)
        if len(self._past) != depth_of(model):
            self._past = past_of(model, self._state(), memory)

    # --- what boids carry

    def _memory(self, name: str) -> np.ndarray:
        """(boids, numbers): what is kept of a flock's boids, then their past, where it is
        needed."""
        boids, names = self._flocks[name], self.model.memory_of(name)
        rows = [[boid.kept[key] for key in names] for boid in boids]
        kept = np.array(rows, float).reshape(len(boids), len(names))
        return np.concatenate(
            [kept, *(array for then in self._past for array in then[name])], axis=1
        )

    # --- one step

    def steering(self) -> Steering:
        """The rules' steering, in the step that would come next."""
        past = self._past
        return Steering(
            Perception(self.model, self.seed, self.step_number, self._state(), past=past)
        )

    def _state(self) -> State:
        dims = self.model.space.dims
        return {
            name: (
                np.array([boid.place for boid in boids], float).reshape(-1, dims),
                np.array([boid.velocity for boid in boids], float).reshape(-1, dims),
            )
            for name, boids in self._flocks.items()
        }

    def _set(self, steering: Steering, boid: Boid, place: np.ndarray, velocity: np.ndarray) -> None:
        """Moves a boid, for the others to perceive it there."""
        boid.place, boid.velocity = place, velocity
        positions, velocities = steering.perception.state[boid.flock]
        positions[boid.index], velocities[boid.index] = place, velocity

    def _one_step(self) -> None:
        steering = self.steering()
        if self.model.integrator == "euler":
            order = stages(self.model)
            for stage in order:
                self._one_stage(steering, stage, stage == order[-1])
        else:
            self._integrate(steering)
        self._past = [steering.perception.before, *self._past][: depth_of(self.model)]

    def _one_stage(self, steering: Steering, stage: int, last: bool) -> None:
        if self.model.order == "synchronous":
            nexts = [self._next(steering, boid, stage, last) for boid in self._boids]
            for boid, (place, velocity, timer, kept) in zip(self._boids, nexts, strict=True):
                boid.timer, boid.kept = timer, kept
                self._set(steering, boid, place, velocity)
            return
        places = {}
        for number in self._turns():
            boid = self._boids[number]
            place, velocity, boid.timer, boid.kept = self._next(steering, boid, stage, last)
            places[number] = place
            in_turn = self.model.positions == "in-turn"
            self._set(steering, boid, place if in_turn else boid.place, velocity)
        for number, place in places.items():
            self._set(steering, self._boids[number], place, self._boids[number].velocity)

    def _integrate(self, steering: Steering) -> None:
        """A step in which forces are evaluated more than once. What rests stays as it is."""
        dt, flying = self.model.dt, [boid for boid in self._boids if boid.timer == 0]
        shape = (len(flying), self.model.space.dims)  # also where no boid flies
        x = np.array([boid.place for boid in flying], float).reshape(shape)
        v = np.array([boid.velocity for boid in flying], float).reshape(shape)

        def forces(part: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
            """Accelerations at some places and velocities, so far into the step."""
            steering.perception.ahead = part * dt
            for boid, place, velocity in zip(flying, x, v, strict=True):
                self._set(steering, boid, self._inside(place), velocity)
            found = [self._accelerated(steering, boid) for boid in flying]
            return np.array(found, float).reshape(x.shape)

        if self.model.integrator == "verlet":
            a = forces(0.0, x, v)
            way = v + a * dt / 2
            push = (a + forces(1.0, x + way * dt, v + a * dt)) / 2
        else:
            a = forces(0.0, x, v)
            b = forces(0.5, x + v * dt / 2, v + a * dt / 2)
            c = forces(0.5, x + (v + a * dt / 2) * dt / 2, v + b * dt / 2)
            d = forces(1.0, x + (v + b * dt / 2) * dt, v + c * dt)
            push = (a + 2 * b + 2 * c + d) / 6
            way = v + (a + b + c) * dt / 6
        steering.perception.ahead = 0.0
        for boid, place, velocity in zip(flying, x, v, strict=True):
            self._set(steering, boid, place, velocity)
        for boid in self._boids:
            if boid.timer > 0:
                boid.timer -= 1
                boid.place = self._pushed(steering.perception, boid.place)
        for k, boid in enumerate(flying):
            motion: Any = self.model.flocks[boid.flock].motion
            its, me = steering.numbers(motion), steering.me(boid)
            turned = type(motion).turn(its, me, *three(push[k] * its.mass))
            velocity = np.array(turned[: self.model.space.dims])
            boid.place, boid.velocity, boid.timer = self._moved(
                steering.perception, boid, velocity, way[k]
            )

    def _inside(self, place: np.ndarray) -> np.ndarray:
        """A place brought into the space on its periodic axes."""
        space = self.model.space
        ends = zip(place, space.periodic, space.lower, space.upper, strict=True)
        return np.array([wrapped(x, low, high) if round_ else x for x, round_, low, high in ends])

    def _accelerated(self, steering: Steering, boid: Boid) -> np.ndarray:
        """The steering of a boid by its mass."""
        rules, me = self.model.moved_by(boid.flock), steering.me(boid)
        motion: Any = self.model.flocks[boid.flock].motion
        total = steering.combined(boid, rules, me).total
        return shortened(total, me.max_force) / number_at(motion.mass, steering.perception.time)

    def _turns(self) -> list[int]:
        count = len(self._boids)
        if self.model.order == "shuffled":
            return [
                int(number) for number in rng.shuffled_orders(self.seed, self.step_number, count)[0]
            ]
        return list(range(count))

    def _next(self, steering: Steering, boid: Boid, stage: int, last: bool) -> Next:
        """A boid after a stage; it moves in the last one."""
        if boid.timer > 0:
            if not last:
                return boid.place, boid.velocity, boid.timer, boid.kept
            place = self._pushed(steering.perception, boid.place)
            return place, boid.velocity, boid.timer - 1, boid.kept
        velocity, kept = steering.turned(boid, stage, last)
        if not last:
            return boid.place, velocity, 0, kept
        return (*self._moved(steering.perception, boid, velocity), kept)

    def _pushed(self, now: Perception, place: np.ndarray) -> np.ndarray:
        """Where a boid that does not move is then: obstacles that moved over it push it out."""
        shapes, still = now.shapes(self.model.dt), np.zeros(len(place))
        if not shapes:
            return place
        place, _, lost = move_past(shapes, now.shapes(), place, still, still, self.model.space)
        return np.full(len(place), lost) if lost else place

    def _moved(
        self,
        now: Perception,
        boid: Boid,
        velocity: np.ndarray,
        way: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """A boid follows its velocity (or another, its way, to have the velocity then), past
        obstacles and faces, and perhaps to the ground."""
        model, space = self.model, self.model.space
        if way is None:
            old = model.flocks[boid.flock].motion.advance == "old"
            way = boid.velocity if old else velocity
        place = boid.place + way * model.dt
        shapes, lost = now.shapes(model.dt), 0.0
        if shapes:
            place, velocity, lost = move_past(
                shapes, now.shapes(), boid.place, way * model.dt, velocity, space
            )
        for axis, boundary in enumerate(space.boundaries):
            lower, upper = space.lower[axis], space.upper[axis]
            if not lower <= place[axis] <= upper and boundary == "reflecting":
                place[axis], flips = folded(place[axis], lower, upper)
                velocity = np.where((np.arange(space.dims) == axis) & flips, -velocity, velocity)
            elif boundary == "periodic":
                place[axis] = wrapped(place[axis], lower, upper)
            elif boundary == "held":
                place[axis] = min(max(place[axis], lower), upper)
        if lost:
            return np.full(space.dims, lost), velocity, 0
        perching = model.flocks[boid.flock].perching
        if perching and place[-1] < number_at(perching.ground, now.time):
            place[-1] = number_at(perching.ground, now.time)
            place = self._pushed(now, place)
            choices = perching.longest - perching.shortest + 1
            chance = now.random(boid, "perching").a
            return place, velocity, perching.shortest + int(chance * choices)
        return place, velocity, 0

    # --- what can go wrong

    def _find_lost(self) -> None:
        lower, side = np.array(self.model.space.lower), np.array(self.model.space.size)
        for boid in self._boids:
            if not (
                np.abs(boid.place - lower - side / 2) <= MAX_DISTANCE_FACTOR * side.max()
            ).all():
                raise LostBoidError(
                    self.step_number, boid.flock, boid.index, boid.place
                ).run_error()
