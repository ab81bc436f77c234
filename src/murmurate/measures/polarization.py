"""Polarization: how well the headings of a flock agree."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.headings import unit


def polarization(flock: FlockFrame) -> float:
    """P = | 1/N sum_i u_i |, between 0 and 1 (no unit); nan for an empty flock.

    u_i is the heading (unit velocity) of boid i. 1: all fly one way; near 0: no common direction
    (independent random headings give about 1/sqrt(N)). A boid that stands still contributes zero.

    Source: the order parameter of Vicsek et al. 1995, doi:10.1103/PhysRevLett.75.1226, and the
    group polarization of Couzin et al. 2002, doi:10.1006/jtbi.2002.3065.
    """
    if len(flock) == 0:
        return float("nan")
    return float(np.linalg.norm(unit(flock.velocities).mean(axis=1)))
