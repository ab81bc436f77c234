"""The reference engine: slow, obvious, float64, uncompiled. The fast one is checked against it.

It runs the same rule functions, as plain Python, and shares nothing else with the fast engine but
the model and the law of random numbers: no kernels, no slots, no cells. Every boid looks at every
other. Whatever it does can be stepped through in a debugger, rules of one's own included.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.engine import rng
from murmurate.engine.reference_math import (
    folded,
    shortened,
    three,
    wrapped,
)
from murmurate.engine.reference_obstacles import slid
from murmurate.engine.reference_sensing import Boid, Senses
from murmurate.engine.rule_arguments import (
    Kept,
    Me,
    takes_chance,
    takes_kept,
)
from murmurate.errors import RunError
from murmurate.model.model import Model
from murmurate.model.rule import Rule
from murmurate.model.schedule import number_at

AWAY = 1e6  # a boid so many times the space's largest side from its middle has run away


Next = tuple[np.ndarray, np.ndarray, int, tuple[float, ...]]
"""What a step makes of a boid: place, velocity, perch timer, what its motion keeps."""


class ReferenceEngine(Senses):
    """Owns the boids of one flight. Raises RunError for boids that are lost."""

    def __init__(
        self,
        model: Model,
        arrays: Mapping[str, tuple[np.ndarray, np.ndarray]],
        seed: int,
        *,
        timers: Mapping[str, np.ndarray] | None = None,
        memory: Mapping[str, np.ndarray] | None = None,
        step: int = 0,
    ) -> None:
        self.model = model
        self.seed = seed
        self.step_number = step
        self._ahead = 0.0  # how far into the step forces are looked at
        self._boids = []
        self._flocks = {name: [] for name in arrays}
        for name, (positions, velocities) in arrays.items():
            resting = (timers or {}).get(name, np.zeros(len(positions), int))
            kept = np.zeros((len(positions), 3))
            if memory and takes_kept(model.flocks[name].motion):
                kept = memory[name][:, :3]
            for index in range(len(positions)):
                place = np.array(positions[index], dtype=float)
                velocity = np.array(velocities[index], dtype=float)
                timer = int(resting[index])
                carried = tuple(map(float, kept[index]))
                boid = Boid(len(self._boids), name, index, place, velocity, timer, carried)
                self._boids.append(boid)
                self._flocks[name].append(boid)
        self._recall(memory or {})
        self._before = [(boid.place, boid.velocity) for boid in self._boids]
        self._touching = {}

    def step(self, steps: int) -> None:
        """Flies so many steps."""
        for _ in range(steps):
            self._one_step()
            self.step_number += 1
            self._before = [(boid.place, boid.velocity) for boid in self._boids]
            self._touching = {}
            self._find_lost()

    def arrays(self) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Flock name -> (positions, velocities, perch timers), copies, in id order."""
        dims, out = self.model.space.dims, {}
        for name, boids in self._flocks.items():
            positions = np.array([b.place for b in boids], dtype=float).reshape(-1, dims)
            velocities = np.array([b.velocity for b in boids], dtype=float).reshape(-1, dims)
            out[name] = positions, velocities, np.array([b.timer for b in boids], dtype=np.int64)
        return out

    def _recall(self, memory: Mapping[str, np.ndarray]) -> None:
        """The past that boids remember: one step ago, two steps ago, ..."""
        dims, depth = self.model.space.dims, self._depth
        now = [(boid.place, boid.velocity) for boid in self._boids]
        self._past = [list(now) for _ in range(depth)]
        for boid in self._boids:
            own = memory.get(boid.flock)
            first = 3 if takes_kept(self.model.flocks[boid.flock].motion) else 0
            if own is not None and own.shape[1] >= first + depth * 2 * dims:
                rows = own[boid.index, first : first + depth * 2 * dims].reshape(depth, 2, dims)
                for k, (place, velocity) in enumerate(rows.astype(float)):
                    self._past[k][boid.number] = place, velocity

    @property
    def _depth(self) -> int:
        flocks, dt = self.model.flocks.values(), self.model.dt
        return max((flock.sensing.depth(dt) for flock in flocks if flock.sensing), default=0)

    def memory(self) -> dict[str, np.ndarray]:
        """Flock name -> (boids, numbers) what they carry besides: the three numbers that their
        motion keeps, then their past, where it is looked at."""
        out = {}
        for name, boids in self._flocks.items():
            columns = 3 if takes_kept(self.model.flocks[name].motion) else 0
            rows = [
                [
                    *b.kept[:columns],
                    *(x for then in self._past for x in np.concatenate(then[b.number])),
                ]
                for b in boids
            ]
            width = columns + self._depth * 2 * self.model.space.dims
            out[name] = np.array(rows, dtype=float).reshape(len(boids), width)
        return out

    def change(self, model: Model) -> None:
        """Goes on with another model of the same flocks."""
        memory = self.memory()
        self.model = model
        if len(self._past) != self._depth:
            self._recall(memory)

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
        return ReferenceEngine(
            self.model, state, self.seed,
            timers=timers, memory=self.memory(), step=self.step_number,
        )  # fmt: skip

    def flies(self, model: Model) -> bool:
        """Whether another model of the same flocks needs no compiling."""
        return True

    # --- one step

    def _one_step(self) -> None:
        self._before = [(boid.place, boid.velocity) for boid in self._boids]
        self._touching = {}
        if self.model.integrator != "euler":
            self._integrate()
            self._past = [self._before, *self._past][: self._depth]
            return
        stages = sorted({rule.stage for rule in self.model.rules.values()}) or [1]
        for stage in stages:
            if self.model.order == "synchronous":
                nexts = [self._next(boid, stage, stage == stages[-1]) for boid in self._boids]
                for boid, new in zip(self._boids, nexts, strict=True):
                    boid.place, boid.velocity, boid.timer, boid.kept = new
                continue
            places = {}
            for number in self._turns():
                boid = self._boids[number]
                new = self._next(boid, stage, stage == stages[-1])
                place, boid.velocity, boid.timer, boid.kept = new
                if self.model.positions == "in-turn":
                    boid.place = place
                places[number] = place
            for number, place in places.items():
                self._boids[number].place = place
        self._past = [self._before, *self._past][: self._depth]

    def _integrate(self) -> None:
        """A step in which forces are looked at more than once. What rests stays as it is."""
        dt, flying = self.model.dt, [boid for boid in self._boids if boid.timer == 0]
        x = np.array([boid.place for boid in flying]).reshape(len(flying), -1)
        v = np.array([boid.velocity for boid in flying]).reshape(len(flying), -1)

        def forces(part: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
            """Accelerations at some places and velocities, so far into the step."""
            self._ahead = part * dt
            for boid, place, velocity in zip(flying, x, v, strict=True):
                boid.place, boid.velocity = self._inside(place), velocity
            return np.array([self._accelerated(boid) for boid in flying]).reshape(x.shape)

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
        self._ahead = 0.0
        for boid, place, velocity in zip(flying, x, v, strict=True):
            boid.place, boid.velocity = place, velocity
        for boid in self._boids:
            if boid.timer > 0:
                boid.timer -= 1
        for k, boid in enumerate(flying):
            motion: Any = self.model.flocks[boid.flock].motion
            its, me = self._numbers(motion), self._me(boid)
            turned = type(motion).turn(its, me, *three(push[k] * its.mass))
            velocity = np.array(turned[: self.model.space.dims])
            boid.place, boid.velocity, boid.timer = self._moved(boid, velocity, way[k])

    def _inside(self, place: np.ndarray) -> np.ndarray:
        """A place brought into the space on its periodic axes."""
        space = self.model.space
        ends = zip(place, space.periodic, space.lower, space.upper, strict=True)
        return np.array([wrapped(x, low, high) if round_ else x for x, round_, low, high in ends])

    def _accelerated(self, boid: Boid) -> np.ndarray:
        """The steering of a boid by its mass."""
        rules, me = self.model.moved_by(boid.flock), self._me(boid)
        motion: Any = self.model.flocks[boid.flock].motion
        total = self._combined(boid, rules, me)
        return shortened(total, me.max_force) / number_at(motion.mass, self._time)

    def _turns(self) -> list[int]:
        count = len(self._boids)
        if self.model.order == "shuffled":
            return [int(number) for number in rng.turns(self.seed, self.step_number, count)]
        return list(range(count))

    def _next(self, boid: Boid, stage: int, last: bool) -> Next:
        """A boid after a stage; it moves in the last one."""
        if boid.timer > 0:
            return boid.place, boid.velocity, boid.timer - 1 if last else boid.timer, boid.kept
        velocity, kept = self._turned(boid, stage, last)
        return (*self._moved(boid, velocity), kept) if last else (boid.place, velocity, 0, kept)

    def _turned(self, boid: Boid, stage: int, last: bool) -> tuple[np.ndarray, tuple[float, ...]]:
        """The velocity that the rules of a stage give, and what is kept from now on."""
        rules = self.model.moved_by(boid.flock)
        now = {name: rule for name, rule in rules.items() if rule.stage == stage}
        if not now and (rules or not last):
            return boid.velocity, boid.kept
        me, motion = self._me(boid), self.model.flocks[boid.flock].motion
        total = self._combined(boid, now, me)
        turn: Any = type(motion).turn  # type: ignore[attr-defined]
        position = sorted({rule.stage for rule in self.model.rules.values()} or {1}).index(stage)
        more: list[Any] = []
        if takes_chance(turn):
            more.append(self._random(boid, f"motion/{position}"))
        if takes_kept(motion):
            more.append(Kept(*boid.kept))
        turned = turn(self._numbers(motion), me, *three(total), *more)
        kept = turned[3:] if takes_kept(motion) else boid.kept
        return np.array(turned[: self.model.space.dims], dtype=float), kept

    def _combined(self, boid: Boid, rules: Mapping[str, Rule], me: Me) -> np.ndarray:
        """The rules' weighted vectors put together."""
        how, left = self.model.flocks[boid.flock].combine, me.max_force
        pushes = {
            name: number_at(rule.weight, self._time) * self._steering(name, rule, boid, me)
            for name, rule in rules.items()
        }
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
        waking = {rule.level for rule in rules.values() if rule.wakes}
        awake = {rule.level for name, rule in rules.items() if rule.wakes and pushes[name].any()}
        heard = [
            level
            for level in sums
            if level > 0 and sums[level].any() and (level in awake or level not in waking)
        ]
        return sums.get(0, none) + (sums[max(heard)] if heard else none)

    def _moved(
        self, boid: Boid, velocity: np.ndarray, way: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """A boid follows its velocity (or another, its way, to have the velocity then), past
        obstacles and faces, and perhaps to the ground."""
        model, space = self.model, self.model.space
        if model.flocks[boid.flock].motion.advance == "old":
            way = boid.velocity
        if way is not None:
            place, _ = slid(self._shapes(), boid.place, way, model.dt, space)
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
