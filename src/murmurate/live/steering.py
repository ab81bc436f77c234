"""What each rule does to one boid: its vector, and whom it senses.

The rules' own functions are run, by the reference engine's own steps; only the search for
neighbours is another one, over whole arrays, so that it is quick among 100,000 boids too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from murmurate.engine.plain import nearest_image, three
from murmurate.engine.reference import Boid, Me, ReferenceEngine, seen_at
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.model.schedule import number_at

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
        self._acting: dict[str, np.ndarray] = {}
        self._ways: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]] = {}
        self._later: dict[tuple[int, int], np.ndarray] = {}
        self._stages = sorted({rule.stage for rule in model.rules.values()}) or [1]
        self._stage = self._stages[0]

    def boid(self, flock: str, index: int) -> Boid:
        """A boid of the frame."""
        its = self._frame[flock]
        return Boid(
            self._first[flock] + index,
            flock,
            index,
            its.positions[index].astype(float),
            its.velocities[index].astype(float),
            int(its.perch_timers[index]),
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
                twin.velocity = self._turned(twin, earlier, False)
            self._later[key] = twin.velocity
            self._focus, self._stage = focus, own
        return self._later[key]

    # --- what the reference engine asks of itself

    def _me(self, boid: Boid) -> Me:
        return super()._me(boid)._replace(flock_size=float(len(self._frame[boid.flock])))

    def _combined(
        self, how: str, rules: Mapping[str, Rule], pushes: Mapping[str, np.ndarray], left: float
    ) -> np.ndarray:
        """Notes what each rule's vector comes to when all are put together: each alone, after
        those that go before it."""
        total = super()._combined(how, rules, pushes, left)
        if self._focus is None:
            return total
        if how == "priority":
            so_far, rest = 0.0 * total, {name: 0.0 * push for name, push in pushes.items()}
            for name, push in pushes.items():
                rest[name] = push
                now = super()._combined(how, rules, rest, left)
                self._acting[name], so_far = now - so_far, now
            return total
        heard = {rule.level for rule in rules.values()}
        if how == "levels":
            sums = {k: sum(pushes[n] for n in pushes if rules[n].level == k) for k in heard}
            loud = [k for k in heard if k > 0 and np.any(sums[k])]
            heard = {0, *([max(loud)] if loud else [])}
        for name, push in pushes.items():
            self._acting[name] = push if rules[name].level in heard else 0.0 * push
        return total

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
            velocities.append(self._velocities(flock, rows))
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

    def _away(self, flock: str, boid: Boid) -> tuple[np.ndarray, np.ndarray]:
        """(N, D) ways from a boid to all of a flock, and their squared lengths."""
        key = flock, boid.number
        if key not in self._ways:
            if len(self._ways) > 16:
                self._ways.clear()
            away = nearest_image(
                self._frame[flock].positions - boid.place.astype(float), self.model.space
            )
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
