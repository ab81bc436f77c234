"""Rule: the base classes of rules. Fields are a rule's parameters, methods are plain functions over
scalars.

A rule may have

    pair(self, me, other)   what one neighbour adds: a tuple of numbers, written out in the return
    finish(self, sums, me)  the sums over all sensed neighbours -> a steering vector (x, y, z)
    alone(self, me)         a steering vector that needs no neighbours

finish(self, sums, me, random) and alone(self, me, random) also get four uniform random numbers in
[0, 1), random.a ... random.d: the same four in both. With `herd` as the last argument, finish
also gets a summary of the sensed flocks, as they were at the beginning of the step.

The same methods run uncompiled in the reference engine and fused into one kernel in the fast one,
so they must be plain: numbers, `math`, `if`, helper functions of the same kind; no arrays, no
attributes but those of `self`, `me`, `other` and `random`. In them `self` holds the rule's numbers
as they are at this step, and its words (a `form`, a `law`) as constants that compile away.

A rule may keep numbers of each boid that it moves from step to step. It names them,

    keeps = ("tiredness",)

and finish or alone takes `kept` as its last argument: kept.tiredness is the number as the boid's
last step left it, 0 at the start. The function returns, behind the vector, what is kept from now
on: `return x, y, z, tiredness`, a number for each name in their order. Where both finish and alone
take it, alone gets what finish returned. A boid that rests on the ground keeps what it has.

    me     x y z, u v w (velocity), speed, index (within its flock), flock_size, time, dt, dims
           (2 or 3), and its motion's max_speed and max_force
    other  dx dy dz (from me to it, nearest image on a torus), r2, distance, u v w
    herd   count, x y z (from me to the middle), far_x far_y far_z (from me to the boid farthest
           from the middle), spread (how far that is from the middle)

In 2-D every z and w is 0. `other.r2` is never below 1e-18, so that boids at the same point (whose
direction from each other is undefined) have finite pair sums: they do not push each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator

from murmurate.model.quantity import Part, Scalar, Whole, quantity
from murmurate.model.registry import MOTIONS, RULES, kind_of
from murmurate.model.rule_arguments import UNNAMED, checked_names, takes_kept

Names = tuple[str, ...]
MOST_NEAREST = 1024
"""The most neighbours that may be asked for as the nearest: each one found is put in its place
among those before it, so that a search costs as the square of their number beyond some hundreds."""
Nearest = Annotated[Whole, Field(ge=0, le=MOST_NEAREST)]
PERCHING = "perching"
"""The stream of random numbers that rests on the ground are drawn from. Those of motions and of
errors have a '/' in their names, as no rule has."""


class Rule(Part):
    """The part all rules share."""

    kind: str = ""
    """Which rule this is; the rule's name in the model unless given."""
    moves: str | Names = ""
    """The flock or flocks it moves; may be left out where a model has one flock."""
    weight: Scalar = quantity(1.0, slider=(-1, 1))
    """The steering vector is multiplied by it; negative turns the rule round."""
    normalise: bool = False
    """Whether the rule's vector is brought to length 1, so that it says a direction only (nothing
    stays nothing); before the limit and the weight."""
    limit: Scalar = quantity(math.inf, gt=0, infinite=True)
    """The longest vector the rule may give, before the weight."""
    stage: Annotated[Whole, Field(ge=1, le=9)] = 1
    """Rules of a later stage see the velocities that the earlier stages left."""
    level: Annotated[Whole, Field(ge=0, le=9)] = 0
    """Where a flock combines by levels: rules of the highest level that gives anything silence
    those of the levels below. Level 0 is never silenced."""
    wakes: bool = False
    """Where a flock combines by levels: the rules of a level of which some wake it are heard only
    while one of those that do gives anything, such as a flight from what is near."""

    formula: ClassVar[str] = ""
    """The rule in one line, with its parameters in braces."""
    source: ClassVar[str] = ""
    """Where the rule was published."""
    keeps: ClassVar[tuple[str, ...]] = ()
    """The names of the numbers that it keeps of each boid from step to step."""

    @property
    def formula_as_set(self) -> str:
        """The formula in the form that the rule's words give it; `formula` is their defaults'."""
        return self.formula

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        if any(hasattr(cls, name) for name in ("pair", "alone")):
            cls.keeps = checked_names(cls, cls.keeps)
            RULES.register(cls)

    @field_validator("moves", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    def model_post_init(self, _: Any) -> None:
        if not self.kind and type(self) is not Rule:
            object.__setattr__(self, "kind", kind_of(type(self)))


def rng_stream(name: str) -> str:
    """Return the name of a rule's stream of random numbers: the rule's, but for one that is called
    as the stream of rests on the ground is."""
    return f"rule/{name}" if name == PERCHING else name


def flocks_moved(rule: Rule, flocks: Iterable[str]) -> tuple[str, ...]:
    """The flocks that a rule moves: those it names, or all of the model's."""
    if not rule.moves:
        return tuple(flocks)
    return (rule.moves,) if isinstance(rule.moves, str) else rule.moves


class NeighbourRule(Rule):
    """A rule that senses other boids, or obstacles."""

    senses: str | Names = ""
    """What it senses: flocks by name, 'obstacles' for all of them, or one obstacle by name; its
    own flock unless given. An obstacle is sensed at its nearest surface point."""
    radius: Scalar = quantity(math.inf, gt=0, unit="length", infinite=True)
    """Sensing distance: a neighbour at this distance is still sensed. inf reaches everyone."""
    inner_radius: Scalar = quantity(0.0, ge=0, unit="length")
    """Where the zone begins: only what is farther than this is sensed; 0 senses from the boid on.
    Obstacles too."""
    neighbours: Literal["all", "voronoi"] = "all"
    """voronoi: of the boids, only those whose Voronoi cell touches one's own, in the tessellation
    of the flocks that it senses and its own, as it is at the beginning of the step."""
    nearest: Nearest = 0
    """Only so many nearest of the visible neighbours within the radius (topological); 0: all."""
    field_of_view: Scalar = quantity(180.0, gt=0, le=180, unit="degrees")
    """Half angle of the cone ahead in which neighbours are seen; 180 sees all around. A boid that
    does not move has no heading and sees all around."""
    include_self: bool = False
    """Whether a boid counts itself among its neighbours (beside the nearest, where these count)."""

    affine: ClassVar[tuple[Literal["position", "velocity"], ...]] = ()
    """What `pair` depends on, where it is an affine function of nothing else: then its sum over
    everyone is the number of neighbours times its value at their mean, and costs O(N)."""

    @field_validator("senses", mode="before")
    @classmethod
    def _sensed(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value


class Motion(Part):
    """The part all motions share. A motion has one plain function over scalars,

        turn(self, me, x, y, z)   the steering vector -> the next velocity (u, v, w)

    written like a rule's functions (see Rule) and compiled with them; turn(self, me, x, y, z,
    random) also gets four uniform random numbers in [0, 1).

    A motion may keep numbers of each boid from step to step, as a rule may (see Rule): it names
    them in `keeps`, turn has `kept` as its last argument, and returns the velocity and, in the
    order of their names, what is kept from now on. Without names they are three: a, b and c.
    """

    kind: str = ""
    """Which motion this is."""
    max_speed: Scalar = quantity(math.inf, gt=0, unit="speed", infinite=True)
    """Faster is cut to this."""
    min_speed: Scalar = quantity(0.0, ge=0, unit="speed")
    """Slower is raised to this. A velocity of zero is raised along the heading before; a boid that
    was at rest as well gets a heading from its index and the number of the step."""
    max_force: Scalar = quantity(math.inf, gt=0, unit="speed/time", infinite=True)
    """The longest steering vector; also the limit of rules in steering form, and the budget that
    rules share when a flock combines them by priority."""
    turn_rate: Scalar = quantity(math.inf, gt=0, unit="degrees/time", infinite=True)
    """The fastest the heading may turn."""
    advance: Literal["new", "old"] = "new"
    """The velocity a boid moves with in a step: the new one, or the one it had before (Vicsek et
    al. 1995). Moving with the old one, it is held out of obstacles but keeps its new heading."""

    formula: ClassVar[str] = ""
    source: ClassVar[str] = ""
    keeps: ClassVar[tuple[str, ...]] = ()
    """The names of the numbers that it keeps of each boid."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        if hasattr(cls, "turn"):
            cls.keeps = checked_names(cls, cls.keeps)
            if takes_kept(cls.turn) and not cls.keeps:
                cls.keeps = UNNAMED
            elif cls.keeps is UNNAMED and not takes_kept(cls.turn):  # inherited
                cls.keeps = ()
            MOTIONS.register(cls)

    def model_post_init(self, _: Any) -> None:
        if not self.kind and type(self) is not Motion:
            object.__setattr__(self, "kind", kind_of(type(self)))
