"""Statistics that field studies of flocks report: one number a frame, made of measures."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.correlation import Of, correlation_length
from murmurate.measures.neighbour_directions import anisotropy
from murmurate.measures.shape import extent, shape

BINS = 20  # few: neighbours that push each other apart must not be alone in the first


def correlation_length_by_extent(flock: FlockFrame, of: Of = "velocity") -> float:
    """xi / L (no unit), xi the `correlation_length` and L the `extent`; nan where xi is. The same
    in flocks of all sizes where correlations are scale-free (Cavagna et al. 2010,
    doi:10.1073/pnas.1005766107)."""
    whole = extent(flock)
    return correlation_length(flock, of=of, bins=BINS) / whole if whole > 0.0 else math.nan


def speed_correlation_length_by_extent(flock: FlockFrame) -> float:
    """The same, of speeds."""
    return correlation_length_by_extent(flock, "speed")


def middle_aspect_ratio(flock: FlockFrame) -> float:
    """The middle by the shortest axis of a flock in 3-D, sqrt(e_2 / e_3) of the gyration tensor (no
    unit), 1 up; in 2-D, and for an empty flock, nan."""
    ratios = shape(flock).ratios
    return float(ratios[1]) if len(ratios) == 2 else math.nan


def thin_along_z(flock: FlockFrame) -> float:
    """| a . z |, a the shortest axis of the flock and z the last axis of space (no unit), 0 to 1: 1
    for a flock that lies flat, as starlings do to gravity (Ballerini et al. 2008,
    doi:10.1016/j.anbehav.2008.02.004)."""
    return float(abs(shape(flock).axes[-1, -1]))


def steepness(flock: FlockFrame) -> float:
    """| V . z |, V the direction of the mean velocity and z the last axis of space (no unit), 0 to
    1: 0 for a flock that flies level; nan where the mean is zero."""
    mean = np.asarray(flock.velocities, dtype=np.float64).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return float(abs(mean[-1])) / length if length > 0.0 else math.nan


def nearest_anisotropy(flock: FlockFrame) -> float:
    """`anisotropy` of the nearest neighbour, of boids away from the border."""
    return anisotropy(flock, k=1, inner=True)


def seventh_anisotropy(flock: FlockFrame) -> float:
    """The same of the seventh."""
    return anisotropy(flock, k=7, inner=True)
