"""The arguments of rule functions: the boid that is moved, a neighbour, chance, a herd.

Rule functions are plain functions over these; see `Rule`. Both engines and the page pass them.
"""

from __future__ import annotations

import inspect
import keyword
import re
from collections import namedtuple
from functools import cache
from typing import Any, NamedTuple

from murmurate.errors import RuleError

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


Kept = Any
"""What a rule or a motion keeps of a boid from step to step: a number for each name in `keeps`."""
UNNAMED = ("a", "b", "c")
"""What a motion keeps whose turn takes `kept`, but which gives no names."""
KEPT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@cache
def kept_tuple(names: tuple[str, ...]) -> Any:
    """The named tuple that `kept` is."""
    return namedtuple("Kept", names)


def checked_names(cls: type, names: Any) -> tuple[str, ...]:
    """The names that a class gives to the numbers it keeps. Raises RuleError for what is no tuple
    of words that can stand behind 'kept.', each once."""
    if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
        raise RuleError(
            f"{cls.__name__}.keeps is {names!r}: it must be a tuple of names, such as "
            "keeps = ('tiredness',)"
        )
    for name in names:
        if not KEPT_NAME.fullmatch(name) or keyword.iskeyword(name):
            raise RuleError(
                f"{cls.__name__}.keeps: {name!r} is no name: it must be a letter followed by at "
                "most 63 letters, digits or '_', and no word of Python's own"
            )
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise RuleError(f"{cls.__name__}.keeps: {', '.join(sorted(twice))} is there twice")
    return names


def takes_kept(function: Any) -> bool:
    """Whether a rule's or a motion's function takes what is kept from step to step."""
    return "kept" in inspect.signature(function).parameters


def takes_herd(function: Any) -> bool:
    """Whether a rule's function takes a herd."""
    return "herd" in inspect.signature(function).parameters


def takes_chance(function: Any) -> bool:
    """Whether a rule's or a motion's function takes random numbers."""
    return "random" in inspect.signature(function).parameters
