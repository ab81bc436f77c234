"""What each rule does to one boid: its vector, and whom it senses.

The rules' own functions are run, by the reference engine's own steps; only the search for
neighbours is another one, over whole arrays, so that it is quick among 100,000 boids too.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from murmurate.engine import rng
from murmurate.engine.perception import herd_numbers
from murmurate.engine.reference import ReferenceEngine
from murmurate.engine.reference_math import nearest_image, shortened, three
from murmurate.engine.reference_sensing import Boid
from murmurate.engine.rule_arguments import Herd, Me, seen_at, takes_kept
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.model.schedule import number_at
from murmurate.neighbours.voronoi import voronoi_neighbours

MOST = 1000  # neighbours that are named
MANY = 64  # neighbours from which on an affine rule takes their mean
LATER = 256  # neighbours whose velocities after the earlier stages are worked out


def steering_of(model: Model, frame: Frame, flock: str, boid: int, seed: int = 0) -> dict[str, Any]:
    """The boid message of one boid: the steering vectors that the next step would begin with, if it
    were this boid's turn. A boid on the ground has none."""
    close = CloseUp(model, frame, seed)
    its = close.boid(flock, boid)
    pushes = close.steering(its) if its.timer == 0 else []
    total = np.sum([push for _, push in pushes], axis=0) if pushes else np.zeros(model.space.dims)
    near = sorted(close.met.items(), key=lambda item: (item[1], item[0]))
    sensing = {
        name: rule
        for name, rule in model.moved_by(flock).items()
        if isinstance(rule, NeighbourRule)
    }
    return {
        "type": "boid",
        "flock": flock,
        "id": boid,
        "position": list(three(frame[flock].positions[boid])),
        "velocity": list(three(frame[flock].velocities[boid])),
        "speed": float(np.linalg.norm(frame[flock].velocities[boid].astype(float))),
        "neighbours": [number for number, _ in near[:MOST]],
        "radius": [
            {
                "rule": name,
                "radius": None if math.isinf(r := number_at(rule.radius, frame.time)) else r,
                "field_of_view": number_at(rule.field_of_view, frame.time),
            }
            for name, rule in sensing.items()
        ],
        "steering": [{"rule": name, "vector": list(three(push))} for name, push in pushes],
        "total": list(three(total)),
    }


class CloseUp(ReferenceEngine):
    """The reference engine, looking at one boid of a frame.

    met  number of a boid, counted through all flocks -> squared distance, of those sensed by the
         boid whose steering was asked for
    """

    def __init__(self, model: Model, frame: Frame, seed: int) -> None:
        none = np.zeros((0, model.space.dims))
        super().__init__(model, {name: (none, none) for name in model.flocks}, seed)
        self.step_number = frame.step
        self.met: dict[int, float] = {}
        self._frame = frame
        self._first: dict[str, int] = {}
        first = 0
        for flock in frame:
            self._first[flock.name] = first
            first += len(flock)
        self._focus: Boid | None = None
        self._tessellated: dict[tuple[str, ...], tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        self._acting: dict[str, np.ndarray] = {}
        self._alone: dict[str, np.ndarray] = {}
        self._ways: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]] = {}
        self._later: dict[tuple[int, int], np.ndarray] = {}
        self._stages = sorted({rule.stage for rule in model.rules.values()}) or [1]
        self._stage = self._stages[0]

    def boid(self, flock: str, index: int) -> Boid:
        """A boid of the frame."""
        its = self._frame[flock]
        keeps = takes_kept(self.model.flocks[flock].motion) and its.memory.shape[1] >= 3
        return Boid(
            self._first[flock] + index,
            flock,
            index,
            its.positions[index].astype(float),
            its.velocities[index].astype(float),
            int(its.perch_timers[index]),
            tuple(map(float, its.memory[index, :3])) if keeps else (0.0, 0.0, 0.0),
        )

    def steering(self, boid: Boid) -> list[tuple[str, np.ndarray]]:
        """Each rule's steering vector on a boid, weighted, stage by stage."""
        rules, pushes = self.model.moved_by(boid.flock), []
        for stage in self._stages:
            now = {name: rule for name, rule in rules.items() if rule.stage == stage}
            before = boid.velocity
            if stage != self._stages[0]:
                boid.velocity = self._after(boid, stage)
            self._stage, self._focus, self._acting = stage, boid, {}
            if now:
                self._turned(boid, stage, False)
            pushes += list(self._acting.items())
            self._focus = None
            boid.velocity = before
        return pushes

    def _after(self, boid: Boid, stage: int) -> np.ndarray:
        """A boid's velocity after the stages before this one."""
        key = boid.number, stage
        if boid.timer > 0:
            return boid.velocity
        if key not in self._later:
            twin, focus, own = self.boid(boid.flock, boid.index), self._focus, self._stage
            self._focus = None
            for earlier in self._stages[: self._stages.index(stage)]:
                self._stage = earlier
                twin.velocity, twin.kept = self._turned(twin, earlier, False)
            self._later[key] = twin.velocity
            self._focus, self._stage = focus, own
        return self._later[key]

    # --- what the reference engine asks of itself

    def _me(self, boid: Boid) -> Me:
        return super()._me(boid)._replace(flock_size=float(len(self._frame[boid.flock])))

    def _steering(self, name: str, rule: Rule, boid: Boid, me: Me) -> np.ndarray:
        push = super()._steering(name, rule, boid, me)
        if self._focus is not None:
            self._alone[name] = number_at(rule.weight, self._time) * push
        return push

    def _combined(self, boid: Boid, rules: Mapping[str, Rule], me: Me) -> np.ndarray:
        """Notes what each rule's vector comes to when all are put together."""
        total = super()._combined(boid, rules, me)
        if self._focus is None:
            return total
        how, left = self.model.flocks[boid.flock].combine, me.max_force
        pushes = {name: self._alone[name] for name in rules}
        heard = (
            _heard(rules, pushes) if how == "levels" else {rule.level for rule in rules.values()}
        )
        for name, push in pushes.items():
            acting = push if rules[name].level in heard else 0.0 * push
            if how == "priority":
                acting = shortened(push, left)
                left = max(0.0, left - float(np.linalg.norm(push)))
            self._acting[name] = acting
        return total

    def _herd(self, rule: NeighbourRule, boid: Boid) -> Herd:
        """The sensed flocks as one, as they are in the frame."""
        flocks, _ = self.model.sensed(rule, boid.flock)
        places = np.concatenate([self._told(boid.flock, flock)[0] for flock in flocks])
        numbers = herd_numbers(places, self.model.space)
        dims = self.model.space.dims
        ways = [
            three(nearest_image(numbers[k : k + dims] - boid.place, self.model.space))
            for k in (0, 3)
        ]
        return Herd(float(numbers[7]), *ways[0], *ways[1], float(numbers[6]))

    def _touching_cells(self, flocks: tuple[str, ...], boid: Boid) -> set[int]:
        """The numbers of the boids whose Voronoi cells touch a boid's in the frame."""
        key = tuple(name for name in self.model.flocks if name in (*flocks, boid.flock))
        if key not in self._tessellated:
            places = np.concatenate([self._frame[name].positions for name in key])
            ids = np.concatenate(
                [self._first[name] + np.arange(len(self._frame[name])) for name in key]
            )
            self._tessellated[key] = (ids, *voronoi_neighbours(places, self.model.space))
        ids, offsets, links = self._tessellated[key]
        k = int(np.flatnonzero(ids == boid.number)[0])
        return set(ids[links[offsets[k] : offsets[k + 1]]].tolist())

    def _sensed(
        self, rule: NeighbourRule, boid: Boid, flocks: tuple[str, ...]
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        _, ways, velocities = self._found(rule, boid, flocks)
        return list(zip(ways, velocities, strict=True))

    def _sums(
        self, rule: NeighbourRule, its: SimpleNamespace, boid: Boid, me: Me
    ) -> tuple[float, ...]:
        """An affine rule's sum over many is their number times its value at their mean."""
        flocks, obstacles = self.model.sensed(rule, boid.flock)
        if not rule.affine or obstacles:
            return super()._sums(rule, its, boid, me)
        numbers, ways, velocities = self._found(rule, boid, flocks)
        count = len(numbers)
        if count < MANY:
            return super()._sums(rule, its, boid, me)
        way, velocity = ways.sum(axis=0), velocities.sum(axis=0)
        if rule.include_self and boid.flock in flocks:
            count, velocity = count + 1, velocity + boid.velocity
        cls: Any = type(rule)
        pair = cls.pair(its, me, seen_at(way / count, velocity / count))
        return tuple(count * value for value in pair)

    def _found(
        self, rule: NeighbourRule, boid: Boid, flocks: tuple[str, ...]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(k,) numbers of the boids that a rule senses, (k, D) ways to them, (k, D) velocities."""
        dims = self.model.space.dims
        radius = number_at(rule.radius, self._time)
        angle = number_at(rule.field_of_view, self._time)
        inner = number_at(rule.inner_radius, self._time)
        numbers, ways, velocities = [], [], []
        for flock in flocks:
            away, r2 = self._away(flock, boid)
            seen = r2 <= radius * radius
            if inner > 0.0:
                seen &= r2 > inner * inner
            speed2 = float(boid.velocity @ boid.velocity)
            if angle < 180.0:
                cosine = math.cos(math.radians(angle))
                ahead = away @ boid.velocity
                seen &= ahead * np.abs(ahead) >= cosine * abs(cosine) * r2 * speed2
            if flock == boid.flock:
                seen[boid.index] = False
            rows = np.flatnonzero(seen)
            numbers.append(rows + self._first[flock])
            ways.append(away[rows])
            late = self.model.flocks[boid.flock].sensing is not None
            velocities.append(
                self._told(boid.flock, flock)[1][rows] if late else self._velocities(flock, rows)
            )
        if rule.neighbours == "voronoi":
            cells = np.array(sorted(self._touching_cells(flocks, boid)), np.int64)
            for k, of in enumerate(numbers):
                near = np.isin(of, cells)
                numbers[k], ways[k], velocities[k] = of[near], ways[k][near], velocities[k][near]
        found = (
            np.concatenate(numbers) if numbers else np.zeros(0, np.int64),
            np.concatenate(ways) if ways else np.zeros((0, dims)),
            np.concatenate(velocities) if velocities else np.zeros((0, dims)),
        )
        if rule.nearest:
            r2 = (found[1] ** 2).sum(axis=1)
            chosen = np.lexsort((found[0], r2))[: rule.nearest]
            found = found[0][chosen], found[1][chosen], found[2][chosen]
        if boid is self._focus:
            r2 = (found[1] ** 2).sum(axis=1)
            nearest = np.argsort(r2, kind="stable")[:MOST]
            self.met.update(zip(found[0][nearest].tolist(), r2[nearest].tolist(), strict=True))
        return found

    def _told(self, looker: str, flock: str) -> tuple[np.ndarray, np.ndarray]:
        """(N, D) where one flock thinks that the boids of another are, and how fast."""
        its, sensing = self._frame[flock], self.model.flocks[looker].sensing
        places, velocities = its.positions.astype(float), its.velocities.astype(float)
        if sensing is None:
            return places, velocities
        then, dims = sensing.known(self.step_number, self.model.dt), self.model.space.dims
        first = 3 if takes_kept(self.model.flocks[flock].motion) else 0
        begin = first + (self.step_number - then - 1) * 2 * dims
        if then < self.step_number and its.memory.shape[1] >= begin + 2 * dims:
            past = its.memory[:, begin : begin + 2 * dims].astype(float)
            places, velocities = past[:, :dims], past[:, dims:]
        errors = []
        for word, error in (
            ("place", sensing.position_error),
            ("velocity", sensing.velocity_error),
        ):
            purpose = zlib.crc32(f"{looker}/sensing/{flock}/{word}".encode())
            draw = rng.normals(self.seed, then, purpose, len(its))[:, :dims]
            errors.append(number_at(error, self._time) * draw)
        return places + errors[0], velocities + errors[1]

    def _away(self, flock: str, boid: Boid) -> tuple[np.ndarray, np.ndarray]:
        """(N, D) ways from a boid to all of a flock, and their squared lengths."""
        key = flock, boid.number
        if key not in self._ways:
            if len(self._ways) > 16:
                self._ways.clear()
            places, _ = self._told(boid.flock, flock)
            away = nearest_image(places - boid.place.astype(float), self.model.space)
            self._ways[key] = away, np.einsum("ij,ij->i", away, away)
        return self._ways[key]

    def _velocities(self, flock: str, rows: np.ndarray) -> np.ndarray:
        """(k, D) velocities of some boids as the present stage sees them. Of a great many, those
        before the earlier stages stand in."""
        if self._stage == self._stages[0] or len(rows) > LATER:
            return self._frame[flock].velocities[rows].astype(float)
        stage = self._stage
        return np.array([self._after(self.boid(flock, int(row)), stage) for row in rows]).reshape(
            len(rows), -1 if len(rows) else self.model.space.dims
        )


def _heard(rules: Mapping[str, Rule], pushes: Mapping[str, np.ndarray]) -> set[int]:
    """Which levels act: 0, and the highest that gives something and is awake."""
    heard = {0}
    for level in {rule.level for rule in rules.values()} - {0}:
        its = [name for name, rule in rules.items() if rule.level == level]
        waking = [name for name in its if rules[name].wakes]
        asleep = waking and not any(pushes[name].any() for name in waking)
        if np.any(sum(pushes[name] for name in its)) and not asleep:
            heard = {0, max(*heard, level)}
    return heard
