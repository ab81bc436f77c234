"""Integrators that evaluate the forces more than once a step: velocity Verlet and Runge-Kutta.

A function gives the accelerations at any places and velocities; what comes out is what holds for
the whole step: a mean acceleration, and the mean velocity to move with.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Array = np.ndarray
Accelerations = Callable[[Array, Array, float], Array]
"""(places, velocities, time) -> accelerations; (dims, boids) each."""


def verlet(x: Array, v: Array, time: float, dt: float, ask: Accelerations) -> tuple[Array, Array]:
    """Velocity Verlet: second order, and it keeps the energy of forces that depend on positions
    alone. Forces that depend on velocities are evaluated at v + dt a, which keeps the order.

    Swope, Andersen, Berens and Wilson 1982, doi:10.1063/1.442716.
    """
    first = ask(x, v, time)
    way = v + 0.5 * dt * first
    second = ask(x + dt * way, v + dt * first, time + dt)
    return 0.5 * (first + second), way


def rk4(x: Array, v: Array, time: float, dt: float, ask: Accelerations) -> tuple[Array, Array]:
    """The classical Runge-Kutta method: fourth order.

    Kutta 1901, Beitrag zur naherungsweisen Integration totaler Differentialgleichungen.
    """
    half = 0.5 * dt
    a1 = ask(x, v, time)
    v2 = v + half * a1
    a2 = ask(x + half * v, v2, time + half)
    v3 = v + half * a2
    a3 = ask(x + half * v2, v3, time + half)
    v4 = v + dt * a3
    a4 = ask(x + dt * v3, v4, time + dt)
    return (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0, (v + 2.0 * v2 + 2.0 * v3 + v4) / 6.0


METHODS = {"verlet": verlet, "rk4": rk4}
