"""Shooing and calling: boids turn away from a point, or towards it, while a pointer is held there.
No part of the model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from murmurate.engines.reference.mathematics import nearest_image
from murmurate.runs.simulation import Simulation

STRENGTH = 6.0  # mean speeds that a boid near the point gains in a second of film


@dataclass(frozen=True)
class Push:
    """What a held pointer does to boids.

    position  of the pointer, in as many numbers as the space has dimensions; length units
    radius    how far it reaches, length units
    sign      1 drives them away (shoo), -1 draws them near (call)
    """

    position: tuple[float, ...]
    radius: float
    sign: int


def shoo(simulation: Simulation, pushes: Iterable[Push], dt: float) -> None:
    """Turns velocities away from points, or towards them; less so towards the edge of each radius.

    dt  time until the next call
    """
    model, frame = simulation.model, simulation.frame
    view = model.view
    second = model.dt * view.every * view.frames_per_second
    for flock in frame.values():
        if not len(flock):
            continue
        velocities = np.array(flock.velocities)
        speeds = np.linalg.norm(velocities, axis=1)
        if not np.isfinite(speeds).all():
            continue
        most = STRENGTH * min(1.0, dt / second) * float(speeds.mean())
        touched = False
        for push in pushes:
            away = nearest_image(flock.positions - np.array(push.position), model.space)
            distance = np.linalg.norm(away, axis=1)
            near = np.flatnonzero((distance < push.radius) & (distance > 0) & ~flock.perching)
            if len(near):
                strength = push.sign * most * (1.0 - distance[near] / push.radius) / distance[near]
                velocities[near] += strength[:, None] * away[near]
                touched = True
        if touched:
            simulation.set_state(flock.name, velocities=velocities)
