"""Close-up: what each rule does to one boid of a frame: its vector, and whom the boid senses.

The rules' own functions are run, by the reference engine's perception and steering.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.engines.reference.mathematics import three
from murmurate.engines.reference.sensing import Boid, Perception, State, copied, kept_of
from murmurate.engines.reference.steering import Kept, Steering, stages
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.quantity import number_at
from murmurate.model.rule import NeighbourRule, Rule

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
    near = sorted(close.neighbours.items(), key=lambda item: (item[1], item[0]))
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


class CloseUp:
    """The step after a frame, for one boid.

    neighbours  number of a boid, counted through all flocks -> squared distance, of those sensed by
                the boid whose steering was asked for
    """

    def __init__(self, model: Model, frame: Frame, seed: int) -> None:
        self._model, self._frame = model, frame
        self._perception = Perception.of_frame(model, frame, seed)
        self._stages = stages(model)
        # Later stages see the velocities that earlier ones left: worked out for those who are seen.
        self._states: dict[int, State] = {self._stages[0]: self._perception.state}
        self._done: dict[int, dict[str, np.ndarray]] = {}
        for stage in self._stages[1:]:
            self._states[stage] = copied(self._perception.state)
            self._done[stage] = {name: np.zeros(len(flock), bool) for name, flock in frame.items()}
        self._kept: dict[tuple[int, str, int], Kept] = {}
        self.neighbours: dict[int, float] = {}

    def boid(self, flock: str, index: int, stage: int | None = None) -> Boid:
        """A boid of the frame, as a stage sees it; the first one unless given."""
        stage, its = stage or self._stages[0], self._frame[flock]
        positions, velocities = self._states[stage][flock]
        kept = kept_of(self._model, flock, its.memory, index)
        return Boid(
            self._perception.number(flock, index),
            flock,
            index,
            positions[index],
            velocities[index],
            int(its.perch_timers[index]),
            self._kept.get((stage, flock, index), kept),
        )

    def steering(self, boid: Boid) -> list[tuple[str, np.ndarray]]:
        """Each rule's steering vector on a boid, weighted, stage by stage."""
        pushes: list[tuple[str, np.ndarray]] = []
        for stage in self._stages:
            rules = self._rules(boid.flock, stage)
            if not rules:
                continue
            self._work_out(stage, boid.flock, np.array([boid.index]))
            its = self.boid(boid.flock, boid.index, stage)
            steering = self._steering(stage, its, rules)
            self._note_neighbours(its, rules)
            pushes += steering.combined(its, rules, steering.me(its)).pushes.items()
        return pushes

    def _rules(self, flock: str, stage: int) -> dict[str, Rule]:
        rules = self._model.moved_by(flock).items()
        return {name: rule for name, rule in rules if rule.stage == stage}

    def _steering(self, stage: int, boid: Boid, rules: Mapping[str, Rule]) -> Steering:
        """The steering of a stage, when the velocities that a boid senses there are worked out."""
        for rule in rules.values():
            if stage == self._stages[0] or not isinstance(rule, NeighbourRule):
                continue
            flocks, _ = self._model.sensed(rule, boid.flock)
            numbers = self._perception.sensed(rule, boid, flocks).numbers
            for flock in flocks:
                rows = numbers - self._perception.number(flock, 0)
                rows = rows[(rows >= 0) & (rows < self._perception.size(flock))]
                if len(rows) <= LATER:  # of more, velocities of the frame stand in
                    self._work_out(stage, flock, rows)
        return Steering(self._perception.with_state(self._states[stage]), mean_from=MANY)

    def _work_out(self, stage: int, flock: str, rows: np.ndarray) -> None:
        """Brings velocities to what the stages before this one left."""
        if stage == self._stages[0]:
            return
        before = self._stages[self._stages.index(stage) - 1]
        for index in map(int, rows[~self._done[stage][flock][rows]]):
            self._done[stage][flock][index] = True
            self._work_out(before, flock, np.array([index]))
            boid = self.boid(flock, index, before)
            velocity, kept = boid.velocity, boid.kept
            if boid.timer == 0:
                steering = self._steering(before, boid, self._rules(flock, before))
                velocity, kept = steering.turned(boid, before)
            self._states[stage][flock][1][index] = velocity
            self._kept[stage, flock, index] = kept

    def _note_neighbours(self, boid: Boid, rules: Mapping[str, Rule]) -> None:
        for rule in rules.values():
            if isinstance(rule, NeighbourRule):
                flocks, _ = self._model.sensed(rule, boid.flock)
                found = self._perception.sensed(rule, boid, flocks)
                r2 = (found.ways**2).sum(axis=1)
                nearest = np.argsort(r2, kind="stable")[:MOST]
                pairs = zip(found.numbers[nearest].tolist(), r2[nearest].tolist(), strict=True)
                self.neighbours.update(pairs)
