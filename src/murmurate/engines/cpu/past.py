"""The past of a flight, of which flocks that sense late know: what a flight that goes on needs
beside the state."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from murmurate.codegen.plan import Plan
from murmurate.engines.cpu.state import StateArrays
from murmurate.engines.protocol import FlightState


def depth_of(plan: Plan) -> int:
    """How many past steps are remembered of every boid."""
    model = plan.model
    depths = [f.sensing.depth(model.dt) for f in model.flocks.values() if f.sensing]
    return max(depths, default=0)


def remembered(plan: Plan, arrays: StateArrays, state: FlightState) -> Past | None:
    """The past of a flight that goes on from a state, in its table; None where nobody senses late.

    arrays  those of the same state
    """
    if depth_of(plan) == 0:
        return None
    sides = {"depth": depth_of(plan), "2 axes": 2 * arrays.dims, "by id": arrays.count}
    (array,) = arrays.table.allocate(["past"], sides)
    past = Past(plan, array, arrays.by_id())
    carried = {name: flock.memory for name, flock in state.flocks.items()}
    past.restore(state.step, carried, {name: arrays.keeps(name) for name in plan.counts})
    return past


class Past:
    """The past of one flight.

    past  (depth, 2 dims, boids): the state at step t stands in row t modulo depth
    """

    def __init__(self, plan: Plan, past: np.ndarray, state: np.ndarray) -> None:
        """state  (2 dims, boids), in id order: what the past is at first"""
        self.plan, self.past = plan, past
        past[:] = state

    def restore(
        self, step: int, memory: Mapping[str, np.ndarray], columns: Mapping[str, int]
    ) -> None:
        """Restores the past from what boids carry: after `columns` other numbers, their states one
        step ago, two steps ago, ..."""
        first, (depth, rows, _) = 0, self.past.shape
        for name, size in self.plan.counts.items():
            own = memory.get(name)
            if own is not None and own.shape[1] >= columns[name] + depth * rows:
                for k in range(depth):
                    begin = columns[name] + k * rows
                    row = (step - 1 - k) % depth
                    self.past[row, :, first : first + size] = own[:, begin : begin + rows].T
            first += size

    def by_boid(self, step: int) -> np.ndarray:
        """(boids, depth * 2 dims): the past as boids carry it, one step ago first."""
        depth, width, boids = self.past.shape
        rows = [(step - 1 - k) % depth for k in range(depth)]
        return self.past[rows].transpose(2, 0, 1).reshape(boids, depth * width)
