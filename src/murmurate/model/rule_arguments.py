"""The arguments of rule functions: the boid that is moved, a neighbour, random numbers, a herd.

Rule functions are plain functions over these; see `murmurate.model.rule`. All engines pass them.
"""

from __future__ import annotations

import inspect
import keyword
import re
from collections import namedtuple
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from murmurate.errors import RuleError

Vector3 = tuple[float, float, float]
"""The three components of a vector; in 2-D the third is 0."""
Parameters = Any
"""The type of `self` in a rule function. It has the parameters of the rule at this step: a number
for each scalar, a tuple of numbers for each vector, and the words."""
State = Any
"""The type of `me.state` and `other.state`: a number for each name that the model stores."""


class Me(NamedTuple):
    """The boid that a rule moves."""

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

    @property
    def state(self) -> State:
        """The per-boid state of its motion and rules, by name, before the step."""
        return SimpleNamespace()


class Other(NamedTuple):
    """A neighbour, relative to the boid that a rule moves."""

    dx: float
    dy: float
    dz: float
    r2: float
    distance: float
    u: float
    v: float
    w: float

    @property
    def state(self) -> State:
        """The per-boid state of its motion and rules, by name, before the step."""
        return SimpleNamespace()

    @property
    def rank(self) -> int:
        """For rules of the k nearest: how many of these are nearer."""
        return 0

    @property
    def flock(self) -> int:
        """For rules of the k nearest: the index of its flock among those that the rule senses."""
        return 0


def _with(cls: Any, name: str, *fields: str) -> Any:
    """Return the class of named tuples of an argument with further fields."""
    return namedtuple(name, (*cls._fields, *fields))


MeWithState = _with(Me, "MeWithState", "state")
OtherWithState = _with(Other, "OtherWithState", "state")
"""The classes of `me` and `other` where rules read per-boid state. `state` is a tuple of numbers in
kernels, and has attributes in the reference engine."""


NearOther = _with(OtherWithState, "NearOther", "rank", "flock")
"""The class of `other` for rules of the k nearest, in the reference engine."""


class Arc(NamedTuple):
    """An arc of a boid's view that others cover, in 2-D.

    It runs anticlockwise from its right edge to its left one. Edges are unit vectors; both are zero
    where others cover the whole view.
    """

    right_x: float
    right_y: float
    left_x: float
    left_y: float


class Random(NamedTuple):
    """Four uniform random numbers in [0, 1)."""

    a: float
    b: float
    c: float
    d: float


class Herd(NamedTuple):
    """A herd: its centre and the boid farthest from it, relative to the boid that a rule moves."""

    count: float  # type: ignore[assignment]
    x: float
    y: float
    z: float
    far_x: float
    far_y: float
    far_z: float
    spread: float


UNNAMED = ("a", "b", "c")
"""The names of the per-boid state of a motion without names, whose `turn` has `state`."""
STATE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@cache
def state_tuple(names: tuple[str, ...]) -> Any:
    """Return the class of named tuples for `state`."""
    return namedtuple("State", names)


def check_names(cls: type, names: Any) -> tuple[str, ...]:
    """Return the `states` of a class. Raises RuleError unless it is a tuple of distinct names."""
    if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
        raise RuleError(
            f"{cls.__name__}.states: got {names!r}; expected a tuple of names, such as "
            "states = ('tiredness',)"
        )
    for name in names:
        if not STATE_NAME.fullmatch(name) or keyword.iskeyword(name):
            raise RuleError(
                f"{cls.__name__}.states: got {name!r}; expected a letter followed by at most 63 "
                "letters, digits or '_', and not a keyword of Python"
            )
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise RuleError(
            f"{cls.__name__}.states: got {', '.join(sorted(repeated))} twice; expected each "
            "name once"
        )
    return names


@cache
def takes_state(function: Any) -> bool:
    """Return whether a function of a rule or motion has the argument `state`."""
    return "state" in inspect.signature(function).parameters


@cache
def takes_herd(function: Any) -> bool:
    """Return whether a function of a rule has the argument `herd`."""
    return "herd" in inspect.signature(function).parameters


@cache
def takes_arc(function: Any) -> bool:
    """Return whether the pair function of a rule takes arcs of the view in place of neighbours."""
    return function is not None and "arc" in inspect.signature(function).parameters


@cache
def takes_random(function: Any) -> bool:
    """Return whether a function of a rule or motion has the argument `random`."""
    return "random" in inspect.signature(function).parameters
