"""Polarization and nematic order: how well the headings of a flock agree."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.headings import unit
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="| 1/N sum_i u_i |, u_i the unit heading",
    source="10.1103/PhysRevLett.75.1226 10.1006/jtbi.2002.3065",
)
def polarization(flock: FlockFrame) -> float:
    """P = | 1/N sum_i u_i |, between 0 and 1 (no unit); nan for an empty flock.

    u_i is the heading (unit velocity) of boid i. 1: all fly one way; near 0: no common direction
    (independent random headings give about 1/sqrt(N)). A boid that stands still contributes zero.

    Source: the order parameter of Vicsek et al. 1995, doi:10.1103/PhysRevLett.75.1226, and the
    group polarization of Couzin et al. 2002, doi:10.1006/jtbi.2002.3065.
    """
    flock = valid_rows(flock, "velocities")
    if len(flock) == 0:
        return float("nan")
    return float(np.linalg.norm(unit(flock.velocities).mean(axis=1)))


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="largest eigenvalue of 1/N sum_i (D u_i u_i - 1) / (D - 1)",
    source="10.1103/PhysRevLett.104.184502",
)
def nematic_order(flock: FlockFrame) -> float:
    """S = largest eigenvalue of Q = 1/N sum_i (D u_i u_i^T - 1) / (D - 1), between 0 and 1.

    u_i is the heading of boid i, D the dimension. In 2-D that is |1/N sum_i exp(2 i theta_i)|. It
    asks for a common line, not a common way: two columns that pass each other have S = 1 and
    polarization 0. Independent random headings give about 1/sqrt(N). A boid that stands still
    contributes zero. nan for an empty flock.

    Source: the order parameter of liquid crystals, used for self-driven rods by Ginelli et al.
    2010, doi:10.1103/PhysRevLett.104.184502.
    """
    flock = valid_rows(flock, "velocities")
    if len(flock) == 0:
        return float("nan")
    u = unit(flock.velocities)
    dims = len(u)
    moving = np.einsum("ij,ij->", u, u)  # how many have a heading
    order = (dims * (u @ u.T) - moving * np.eye(dims)) / ((dims - 1) * len(flock))
    return float(np.linalg.eigvalsh(order)[-1])
