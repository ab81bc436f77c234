"""Order of phases: how far boids oscillate together, and how phases go with positions.

They read a number of each boid, in radians: the per-boid state `phase`, or another one.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.geometry import unwrapped_offsets
from murmurate.measures.limits import format_value
from murmurate.measures.registry import measure
from murmurate.measures.traits import trait_of

SENSES = {"either": (1.0, -1.0), "falling": (1.0,), "rising": (-1.0,)}


@measure(
    bounds="0 to 1",
    definition="| 1/N sum_i exp(i phase_i) |",
    source="Kuramoto 1984",
    population=True,
)
def phase_order(flock: FlockFrame, *, trait: str = "phase") -> float:
    """Return the order of phases, the length of the mean of their unit vectors.

    trait: Name of the phase of each boid, in radians, as for `FlockFrame.per_boid`.
    value: 1: all phases are equal. Independent random phases give about 1/sqrt(N).
    source: There: the order parameter.
    """
    return _length(trait_of(flock, trait)[1])


@measure(
    bounds="0 to 1",
    definition="max of | 1/N sum_i exp(i (azimuth_i + phase_i)) | and the same with - phase_i",
    source="O'Keeffe, Hong & Strogatz 2017",
    population=True,
)
def phase_wave(
    flock: FlockFrame,
    *,
    trait: str = "phase",
    sense: Literal["either", "falling", "rising"] = "either",
) -> float:
    """Return the order of a phase wave, in which phases go with directions from the centre.

    azimuth_i is the direction of boid i from the centre of the flock, in 3-D around the z axis. The
    mean with + phase_i is S+, that with - phase_i is S-.

    trait: Name of the phase of each boid, in radians, as for `FlockFrame.per_boid`.
    sense: falling: S+, of phases that fall anticlockwise around the centre; rising: S-, of phases
        that rise; either: the larger of the two.
    value: 1: the phase equals the direction from the centre, or its negative, but for a constant.
        About 1/sqrt(N) without any such relation.
    """
    if not isinstance(sense, str) or sense not in SENSES:
        names = ", ".join(map(repr, SENSES))
        raise MeasureError(f"sense: got {format_value(sense)}; expected one of {names}")
    flock, phases = trait_of(flock, trait)
    if len(flock) == 0:
        return float("nan")
    x, y = unwrapped_offsets(flock).T[:2]
    return max(_length(np.arctan2(y, x) + sign * phases) for sign in SENSES[sense])


def _length(angles: np.ndarray) -> float:
    """Return the length of the mean of unit vectors; nan without angles."""
    if len(angles) == 0:
        return float("nan")
    return float(np.hypot(np.cos(angles).mean(), np.sin(angles).mean()))
