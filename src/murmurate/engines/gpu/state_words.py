"""The state of all boids as the buffers of a device hold it, see common.wgsl."""

from __future__ import annotations

import numpy as np

from murmurate.codegen.plan import Plan
from murmurate.engines.bounds import wrap_upper_face
from murmurate.engines.cpu.state_arrays import StateHistory
from murmurate.engines.state import FlightState, FlockState, past_depth, states_of_flocks


def boid_words(plan: Plan, state: FlightState) -> tuple[np.ndarray, np.ndarray]:
    """Return the buffers of boids, (2, N, 4), and of per-boid state, (M, N): float32, by id."""
    space, first = plan.model.space, 0
    n = sum(plan.counts.values())
    boids = np.zeros((2, n, 4), np.float32)
    words = boids.view(np.uint32)
    memory = np.zeros((plan.memory_rows, n), np.float32)
    for index, (name, flock) in enumerate(state.flocks.items()):
        rows = slice(first, first + len(flock.positions))
        boids[0, rows, : space.dims] = flock.positions
        boids[1, rows, : space.dims] = flock.velocities
        words[0, rows, 3] = np.arange(rows.start, rows.stop)
        words[1, rows, 3] = index + (flock.timers << 8)
        columns = len(plan.model.memory_of(name))
        if flock.memory.shape[1] >= columns:
            memory[:columns, rows] = flock.memory[:, :columns].T
        first = rows.stop
    positions = boids[0, :, : space.dims].T.copy()
    wrap_upper_face(space, positions)
    boids[0, :, : space.dims] = positions.T
    return boids, memory


def history_words(plan: Plan, state: FlightState) -> np.ndarray:
    """Return the past states that flocks sense, (depth, 2, N, 4) float32."""
    model = plan.model
    depth, dims, n = past_depth(model), model.space.dims, sum(plan.counts.values())
    past = np.zeros((depth, 2, n, 4), np.float32)
    if depth:
        memory = {name: flock.memory for name, flock in state.flocks.items()}
        columns = {name: len(model.memory_of(name)) for name in state.flocks}
        present = np.concatenate(
            [np.concatenate([f.positions, f.velocities], axis=1) for f in state.flocks.values()]
        )
        rows = np.zeros((depth, 2 * dims, n), np.float32)
        history = StateHistory(plan, rows, present.T)
        history.restore(state.step, memory, columns)
        past[..., :dims] = rows.reshape(depth, 2, dims, n).transpose(0, 1, 3, 2)
    return past


def past_states(plan: Plan, history: np.ndarray, step: int) -> np.ndarray:
    """Return past states, the most recent one first: (N, depth * 2 D) by id.

    history  all numbers of the buffer
    step     number of the present step
    """
    model = plan.model
    depth, dims, n = past_depth(model), model.space.dims, sum(plan.counts.values())
    rows = history.reshape(depth, 2, n, 4)[..., :dims].swapaxes(1, 2).reshape(depth, n, 2 * dims)
    order = [(step - 1 - k) % depth for k in range(depth)]
    return rows[order].transpose(1, 0, 2).reshape(n, depth * 2 * dims)


def flocks_of(
    plan: Plan, words: np.ndarray, memory: np.ndarray, past: np.ndarray
) -> dict[str, FlockState]:
    """Return the states of flocks.

    words   of a frame: positions and velocities of all boids, and timers if flocks perch
    memory  per-boid state, M numbers for each boid
    past    as `past_states` returns it
    """
    dims, n = plan.model.space.dims, sum(plan.counts.values())
    moving = words[: 2 * dims * n].view(np.float32).reshape(2, n, dims)
    timers = words[2 * dims * n :].astype(np.int64) if plan.perches else np.zeros(n, np.int64)
    vectors = np.concatenate(list(moving), axis=1)
    memory = memory.reshape(n, plan.memory_rows)
    return states_of_flocks(plan.model, plan.counts, vectors, timers, memory, past)
