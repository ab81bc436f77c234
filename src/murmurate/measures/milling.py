"""Milling: how far a flock circles about its own centre."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.centroid import centroid, offsets
from murmurate.measures.headings import unit


def milling(flock: FlockFrame) -> float:
    """M = | 1/N sum_i r_i x u_i |, between 0 and 1 (no unit); nan for an empty flock.

    r_i is the unit vector from the flock's centre to boid i, u_i the boid's heading. In 2-D the
    cross product is a number and the bars its absolute value; in 3-D it is a vector and the bars
    its length. 1 is a perfect mill; boids that fly straight out or in give 0, and so do two
    rings that circle against each other. A boid that stands still, or exactly at the centre,
    contributes zero. Periodic axes are heeded, see `centroid`.

    Source: group angular momentum of Couzin et al. 2002, doi:10.1006/jtbi.2002.3065.
    """
    if len(flock) == 0:
        return float("nan")
    r, u = unit(offsets(flock, centroid(flock))), unit(flock.velocities)
    axes = range(len(r))
    planes = [(a, b) for a in axes for b in axes if a < b]  # one in 2-D, three in 3-D
    spins = [(r[a] * u[b] - r[b] * u[a]).mean() for a, b in planes]
    return float(np.linalg.norm(spins))
