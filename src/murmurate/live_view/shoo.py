"""Shooing: boids turn away from a point while a pointer is held there. No part of the model."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from murmurate.engine.reference_math import nearest_image
from murmurate.runs.simulation import Simulation

STRENGTH = 6.0  # mean speeds that a boid near the point gains in a second of film


def shoo(
    simulation: Simulation, points: Iterable[tuple[tuple[float, ...], float]], dt: float
) -> None:
    """Turns velocities away from points, less so towards the edge of each radius.

    points  (position, radius) each, length units
    dt      time until the next call
    """
    model, frame = simulation.model, simulation.frame
    view = model.view
    second = model.dt * view.every * view.frames_per_second
    for flock in frame:
        if not len(flock):
            continue
        velocities = np.array(flock.velocities)
        speeds = np.linalg.norm(velocities, axis=1)
        if not np.isfinite(speeds).all():
            continue
        most = STRENGTH * min(1.0, dt / second) * float(speeds.mean())
        touched = False
        for point, radius in points:
            away = nearest_image(flock.positions - np.array(point), model.space)
            distance = np.linalg.norm(away, axis=1)
            near = np.flatnonzero((distance < radius) & (distance > 0) & ~flock.perching)
            if len(near):
                push = most * (1.0 - distance[near] / radius) / distance[near]
                velocities[near] += push[:, None] * away[near]
                touched = True
        if touched:
            simulation.set_state(flock.name, velocities=velocities)
