"""The arguments of rule functions: the boid that is moved, a neighbour, chance, a herd.

Rule functions are plain functions over these; see `Rule`. Both engines and the page pass them.
"""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

Vector3 = tuple[float, float, float]
"""A vector's three components; in 2-D the third is 0."""
Parameters = Any
"""What `self` is in a rule function: not the rule, but its parameters as they are at this step: a
number for each scalar, a tuple of numbers for each vector, and its words."""


class Me(NamedTuple):
    """What rules know of the boid they move."""

    x: float
    y: float
    z: float
    u: float
    v: float
    w: float
    speed: float
    index: int  # type: ignore[assignment]
    time: float
    dt: float
    max_speed: float
    max_force: float
    flock_size: float
    dims: int


class Other(NamedTuple):
    """What rules know of a neighbour."""

    dx: float
    dy: float
    dz: float
    r2: float
    distance: float
    u: float
    v: float
    w: float


class Random(NamedTuple):
    """Four uniform random numbers in [0, 1)."""

    a: float
    b: float
    c: float
    d: float


class Herd(NamedTuple):
    """What rules know of a herd: its middle and its farthest stray, from the boid."""

    count: float  # type: ignore[assignment]
    x: float
    y: float
    z: float
    far_x: float
    far_y: float
    far_z: float
    spread: float


class Kept(NamedTuple):
    """What a motion keeps of a boid from step to step."""

    a: float
    b: float
    c: float


def takes_kept(motion: Any) -> bool:
    """Whether a motion keeps numbers from step to step."""
    return "kept" in inspect.signature(type(motion).turn).parameters


def takes_herd(function: Any) -> bool:
    """Whether a rule's function takes a herd."""
    return "herd" in inspect.signature(function).parameters


def takes_chance(function: Any) -> bool:
    """Whether a rule's or a motion's function takes random numbers."""
    return "random" in inspect.signature(function).parameters
