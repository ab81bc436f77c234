"""Close-up: the steering vector of each rule on one boid of a frame, and the boid's neighbours.

The rules' own functions run, with the reference engine's sensing and steering.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from murmurate.engines.reference.mathematics import pad_to_3d
from murmurate.engines.reference.sensing import (
    Boid,
    Perception,
    State,
    Values,
    boid_memory,
    copy_state,
)
from murmurate.engines.reference.steering import Steering, model_stages
from murmurate.frame import Frame
from murmurate.live_view.server_messages import BoidMessage
from murmurate.model.distribution import is_individual
from murmurate.model.model import Model
from murmurate.model.quantity import number_at
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.show import scene

MAX_NEIGHBOURS = 1000  # neighbours in a message
MIN_MEAN_NEIGHBOURS = 64  # from here on, an affine rule is evaluated at its neighbours' mean
MAX_LATER_NEIGHBOURS = 256  # of more neighbours, later stages sense the frame's velocities


def steering_of(
    model: Model,
    frame: Frame,
    flock: str,
    boid: int,
    seed: int = 0,
    mean_from: int = MIN_MEAN_NEIGHBOURS,
) -> BoidMessage:
    """Return the boid message of one boid.

    It has the steering vectors of the next step, if the boid were the first to be updated. A
    perching boid has none. `boid` is its row in the frame.

    mean_from  number of neighbours from which an affine rule is evaluated at their mean
    """
    close_up = CloseUp(model, frame, seed, mean_from)
    subject = close_up.boid(flock, boid)
    vectors = close_up.steering(subject) if subject.timer == 0 else []
    total = np.sum([v for _, v in vectors], axis=0) if vectors else np.zeros(model.space.dims)
    nearest = sorted(close_up.neighbours.items(), key=lambda item: (item[1], item[0]))
    traits = frame[flock].traits

    def own(path: str, value: object) -> float:
        return float(traits[path][boid]) if is_individual(value) else number_at(value, frame.time)

    sensing = {
        name: rule
        for name, rule in model.moved_by(flock).items()
        if isinstance(rule, NeighbourRule)
    }
    numbers = [number for number, _ in nearest[:MAX_NEIGHBOURS]]
    message: BoidMessage = {
        "type": "boid",
        "flock": flock,
        "id": boid,
        "position": list(pad_to_3d(frame[flock].positions[boid])),
        "velocity": list(pad_to_3d(frame[flock].velocities[boid])),
        "speed": float(np.linalg.norm(frame[flock].velocities[boid].astype(float))),
        "neighbours": numbers,
        "radius": [
            {
                "rule": name,
                "radius": None if math.isinf(r := own(f"rules.{name}.radius", rule.radius)) else r,
                "field_of_view": own(f"rules.{name}.field_of_view", rule.field_of_view),
            }
            for name, rule in sensing.items()
        ],
        "numbers": {
            path: float(values[boid])
            for path, values in (
                *frame[flock].traits.items(),
                *((path, frame[flock].state(path)) for path in frame[flock].state_names),
            )
        },
        "steering": [{"rule": name, "vector": list(pad_to_3d(vector))} for name, vector in vectors],
        "total": list(pad_to_3d(total)),
    }
    indices = scene.indices(model, frame)
    if indices is not None:  # numbers of boids change from frame to frame
        message["id"] = int(indices[list(frame).index(flock)][boid])
        message["neighbour_ids"] = _identities(indices, numbers)
    return message


def _identities(indices: list[np.ndarray], numbers: list[int]) -> list[tuple[int, int]]:
    """Return the flock and the index of boids that are numbered through all flocks."""
    first = np.cumsum([0, *map(len, indices)])
    flocks = np.searchsorted(first, numbers, side="right") - 1
    return [
        (int(flock), int(indices[flock][number - first[flock]]))
        for flock, number in zip(flocks, numbers, strict=True)
    ]


class CloseUp:
    """The step after a frame, for one boid.

    neighbours  sensed boid, numbered through all flocks -> squared distance from the boid whose
                steering was requested
    """

    def __init__(
        self, model: Model, frame: Frame, seed: int, mean_from: int = MIN_MEAN_NEIGHBOURS
    ) -> None:
        self._model, self._frame, self._mean_from = model, frame, mean_from
        self._perception = Perception.of_frame(model, frame, seed)
        self._stages = model_stages(model)
        # Later stages sense the velocities after earlier ones, computed for sensed boids only.
        self._states: dict[int, State] = {self._stages[0]: self._perception.state}
        self._updated: dict[int, dict[str, np.ndarray]] = {}
        for stage in self._stages[1:]:
            self._states[stage] = copy_state(self._perception.state)
            self._updated[stage] = {
                name: np.zeros(len(flock), bool) for name, flock in frame.items()
            }
        self._boid_states: dict[tuple[int, str, int], Values] = {}
        self.neighbours: dict[int, float] = {}

    def boid(self, flock: str, index: int, stage: int | None = None) -> Boid:
        """Return a boid of the frame as a stage senses it; the first stage by default."""
        stage, frame_flock = stage or self._stages[0], self._frame[flock]
        positions, velocities = self._states[stage][flock]
        boid_state = boid_memory(self._model, flock, frame_flock.memory, index)
        return Boid(
            self._perception.number(flock, index),
            flock,
            index,
            positions[index],
            velocities[index],
            int(frame_flock.perch_timers[index]),
            self._boid_states.get((stage, flock, index), boid_state),
        )

    def steering(self, boid: Boid) -> list[tuple[str, np.ndarray]]:
        """Return each rule's weighted steering vector on a boid, in order of stages."""
        vectors: list[tuple[str, np.ndarray]] = []
        for stage in self._stages:
            rules = self._rules(boid.flock, stage)
            if not rules:
                continue
            self._update(stage, boid.flock, np.array([boid.index]))
            subject = self.boid(boid.flock, boid.index, stage)
            steering = self._steering(stage, subject, rules)
            self._note_neighbours(subject, rules)
            vectors += steering.combined(subject, rules, steering.me(subject)).pushes.items()
        return vectors

    def _rules(self, flock: str, stage: int) -> dict[str, Rule]:
        rules = self._model.moved_by(flock).items()
        return {name: rule for name, rule in rules if rule.stage == stage}

    def _steering(self, stage: int, boid: Boid, rules: Mapping[str, Rule]) -> Steering:
        """Return the steering of a stage, after updating the velocities that the boid senses."""
        for name, rule in rules.items():
            if stage == self._stages[0] or not isinstance(rule, NeighbourRule):
                continue
            flocks, _ = self._model.sensed(rule, boid.flock)
            own = self._perception.own(f"rules.{name}", rule, boid)
            numbers = self._perception.sensed(own, boid, flocks).numbers
            for flock in flocks:
                rows = numbers - self._perception.number(flock, 0)
                rows = rows[(rows >= 0) & (rows < self._perception.size(flock))]
                if len(rows) <= MAX_LATER_NEIGHBOURS:
                    self._update(stage, flock, rows)

        def kept_of(flock: str, row: int) -> Values:
            return self.boid(flock, row, stage).memory

        state = self._perception.with_state(self._states[stage], kept_of)
        return Steering(state, mean_from=self._mean_from)

    def _update(self, stage: int, flock: str, rows: np.ndarray) -> None:
        """Compute the velocities of some boids after the stages before this one."""
        if stage == self._stages[0]:
            return
        previous = self._stages[self._stages.index(stage) - 1]
        for index in map(int, rows[~self._updated[stage][flock][rows]]):
            self._updated[stage][flock][index] = True
            self._update(previous, flock, np.array([index]))
            boid = self.boid(flock, index, previous)
            velocity, boid_state = boid.velocity, boid.memory
            if boid.timer == 0:
                steering = self._steering(previous, boid, self._rules(flock, previous))
                velocity, boid_state = steering.turned(boid, previous)
            self._states[stage][flock][1][index] = velocity
            self._boid_states[stage, flock, index] = boid_state

    def _note_neighbours(self, boid: Boid, rules: Mapping[str, Rule]) -> None:
        for name, rule in rules.items():
            if isinstance(rule, NeighbourRule):
                flocks, _ = self._model.sensed(rule, boid.flock)
                own = self._perception.own(f"rules.{name}", rule, boid)
                sensed = self._perception.sensed(own, boid, flocks)
                r2 = (sensed.displacements**2).sum(axis=1)
                nearest = np.argsort(r2, kind="stable")[:MAX_NEIGHBOURS]
                pairs = zip(sensed.numbers[nearest].tolist(), r2[nearest].tolist(), strict=True)
                self.neighbours.update(pairs)
