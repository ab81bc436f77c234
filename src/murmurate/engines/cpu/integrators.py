"""Integrators as tables of numbers, which the kernels' loop over evaluations of the forces reads.

An evaluation is (part, bend, weight). With h = part * dt it looks at the forces at the places and
velocities

    x + h * (v' + bend' * h * a'),    v + h * a'

where x and v are the boid's at the begin of the step, and v', a' and bend' the velocity, the
acceleration and the bend of the evaluation before. The step then moves by the weighted means of all
v' and a'.
"""

from __future__ import annotations

EVALUATIONS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "euler": ((0.0, 0.0, 1.0),),
    # Second order, and it keeps the energy of forces that depend on positions alone. Forces that
    # depend on velocities are evaluated at v + dt a, which keeps the order: Swope, Andersen, Berens
    # and Wilson 1982, doi:10.1063/1.442716.
    "verlet": ((0.0, 0.5, 0.5), (1.0, 0.0, 0.5)),
    # Fourth order: Kutta 1901, Beitrag zur naherungsweisen Integration totaler
    # Differentialgleichungen.
    "rk4": ((0.0, 0.0, 1 / 6), (0.5, 0.0, 1 / 3), (0.5, 0.0, 1 / 3), (1.0, 0.0, 1 / 6)),
}
