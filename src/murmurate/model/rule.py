"""Base classes of rules and motions.

Their fields are parameters, and their methods are plain functions over scalars. A rule may have

    pair(self, me, other)   what one neighbour contributes: a tuple of numbers, written out in the
                            return statement
    finish(self, sums, me)  the sums over all sensed neighbours -> a steering vector (x, y, z)
    alone(self, me)         a steering vector that needs no neighbours

finish(self, sums, me, random) and alone(self, me, random) also receive four uniform random numbers
in [0, 1), random.a ... random.d; both functions receive the same four, and each may be read once.
With `herd` as the last argument, finish also receives a summary of the sensed flocks at the
beginning of the step.

The same methods run uncompiled in the reference engine and compiled into one kernel in the others.
So they use numbers, `math`, `if` and helper functions of the same kind, but no arrays, and no
attributes but those of their arguments. In them `self` holds the numbers of the rule at this step.
Its string options, such as a `form` or a `law`, are constants of the compiled code.

A rule may keep numbers of each boid that it moves from step to step, its per-boid state. It names
them,

    states = ("tiredness",)

and finish or alone has `state` as its last argument: state.tiredness is the number after the last
step of the boid, or 0 at the start. The function returns the new numbers behind the vector, in the
order of their names: `return x, y, z, tiredness`. If both functions have the argument, alone
receives what finish returned. The state of a perching boid does not change.

The state begins with 0, or with the value of a parameter at time 0:

    starts = {"phase": "initial_phase"}

All functions may read the state of the boid itself, me.state.phase, and `pair` that of a
neighbour, other.state.phase: the number before the step, or, in a sequential update, the present
one. One rule or motion of each sensed flock must store a number of that name, whichever rule reads
it. Rules of a later stage read the state after the earlier stages.

    me     x y z, u v w (velocity), speed, index (within its flock), flock_size, time, dt, dims
           (2 or 3), max_speed and max_force of its motion, and state
    other  dx dy dz (from me to it, nearest image on periodic axes), r2, distance, u v w, state
    arc    right_x right_y, left_x left_y: unit vectors to its edges
    herd   count, x y z (from me to the centre), far_x far_y far_z (from me to the boid farthest
           from the centre), spread (distance of that boid from the centre)

In 2-D, pair(self, me, arc) takes an arc of the boid's view in place of a neighbour, and finish gets
the sums over all arcs. The boids of the sensed flocks within the radius are discs with the diameter
of their flock; arcs are what they cover together, without overlaps. An arc goes anticlockwise from
its right edge to its left one. Where boids cover the whole view there is one arc, whose edges are
zero vectors.

A rule with a method perch(self, me, x, y, z) may put boids of a flock with perching on a perch. The
arguments x, y and z are the position after the step. It returns seven numbers: position, velocity,
and 1 for a boid that lands, else 0.

In 2-D all z and w are 0. `other.r2` is at least 1e-18, so that pair sums of boids at the same
position are finite: they do not push each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, get_origin

from pydantic import Field, field_validator

from murmurate.errors import RuleError
from murmurate.model.number import Whole
from murmurate.model.quantity import FlockNames, Part, Scalar, quantities, quantity
from murmurate.model.registry import MOTIONS, RULES, kind_of
from murmurate.model.rule_arguments import UNNAMED, check_names, takes_arc, takes_state
from murmurate.model.rule_functions import compiled_functions, edited_class, is_edited

MAX_NEAREST = 1024
"""The largest number of nearest neighbours. They are sorted by insertion, so that the cost of a
search grows with the square of their number beyond some hundreds."""
Nearest = Annotated[Whole, Field(ge=0, le=MAX_NEAREST)]
MAX_INFLUENTIAL = 16
"""The largest number of most influential neighbours: kernels keep each in variables of its own."""


class Rule(Part):
    """The base class of rules: the fields that all of them have."""

    _may_differ: ClassVar[bool] = True
    _path: ClassVar[str] = "rules.NAME."
    kind: str = ""
    """The kind of rule; the name of the rule in the model unless given."""
    moves: FlockNames = ""
    """The flock or flocks that it moves; not needed in a model with one flock."""
    weight: Scalar = quantity(1.0, slider=(-1, 1))
    """Factor of the steering vector; a negative one reverses the rule."""
    normalise: bool = False
    """Whether the vector is scaled to length 1, before the limit and the weight. A zero vector
    stays zero."""
    limit: Scalar = quantity(math.inf, gt=0, infinite=True)
    """The largest length of the vector, before the weight."""
    stage: Annotated[Whole, Field(ge=1, le=9)] = 1
    """Rules of a later stage perceive the velocities after the earlier stages."""
    level: Annotated[Whole, Field(ge=0, le=9)] = 0
    """For flocks that combine by levels: only the rules of the highest level with a non-zero
    vector act, and those of level 0, which always act."""
    wakes: bool = False
    """For flocks that combine by levels. If some rules of a level have this flag, the level acts
    only while one of them has a non-zero vector, such as an escape from a predator."""

    functions: str = ""
    """Its functions pair, finish and alone as text, in place of those of its kind: a small language
    of formulas, without loops."""

    formula: ClassVar[str] = ""
    """The rule in one line, with its parameters in braces."""
    source: ClassVar[str] = ""
    """The publication of the rule."""
    states: ClassVar[tuple[str, ...]] = ()
    """The names of its per-boid state."""
    starts: ClassVar[Mapping[str, str]] = {}
    """Name of per-boid state -> the parameter whose value at time 0 it begins with; else 0."""
    goal: ClassVar[str] = ""
    """The parameter that is the position of a goal, which pictures show; '' for none."""

    @property
    def formula_as_set(self) -> str:
        """The formula for the words of this rule; `formula` is that for the default words."""
        return self.formula

    @property
    def replaces(self) -> str:
        """The name of its per-boid state that is not 0 where its vector replaces those of all other
        rules; '' for none."""
        return ""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        if not is_edited(cls) and any(hasattr(cls, name) for name in ("pair", "alone")):
            cls.states = check_names(cls, cls.states)
            _check_starts(cls)
            RULES.register(cls)

    @field_validator("functions")
    @classmethod
    def _check_functions(cls, text: str) -> str:
        if text.strip():
            compiled_functions(text)
        return text if text.strip() else ""

    def model_post_init(self, _: Any) -> None:
        if not self.kind and type(self) is not Rule:
            object.__setattr__(self, "kind", kind_of(type(self)))
        if self.functions and not is_edited(type(self)):
            object.__setattr__(self, "__class__", edited_class(type(self), self.functions))


def _check_starts(cls: type[Part]) -> None:
    """Raise RuleError unless `starts` gives names in `states` the names of scalar parameters."""
    starts: Any = cls.starts  # type: ignore[attr-defined]
    if not isinstance(starts, Mapping):
        raise RuleError(
            f"{cls.__name__}.starts: got {starts!r}; expected a dict of names, such as "
            'starts = {"phase": "initial_phase"}'
        )
    scalars = quantities(cls)
    for name, parameter in starts.items():
        if name not in cls.states:  # type: ignore[attr-defined]
            raise RuleError(
                f"{cls.__name__}.starts: got {name!r}; expected a name in states = "
                f"{cls.states!r}. Add it there"  # type: ignore[attr-defined]
            )
        if parameter not in scalars or get_origin(cls.model_fields[parameter].annotation) is tuple:
            raise RuleError(
                f"{cls.__name__}.starts[{name!r}]: got {parameter!r}; expected a parameter that is "
                f"a number. Add one, such as {name}_at_start: mm.Scalar = mm.quantity(0.0)"
            )


def flocks_moved(rule: Rule, flocks: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the flocks that a rule moves: those it names, or all of the model."""
    if not rule.moves:
        return tuple(flocks)
    return (rule.moves,) if isinstance(rule.moves, str) else rule.moves


class NeighbourRule(Rule):
    """The base class of rules that sense other boids, or obstacles."""

    senses: FlockNames = ""
    """What it senses: flocks by name, 'obstacles' for all of them, or obstacles by name; its own
    flock unless given. An obstacle is sensed at its nearest surface point."""
    radius: Scalar = quantity(math.inf, gt=0, unit="length", infinite=True)
    """Sensing radius. A neighbour at exactly this distance is sensed. inf: no limit."""
    inner_radius: Scalar = quantity(0.0, ge=0, unit="length")
    """Inner radius of the sensing zone, for neighbours and obstacles: only what is farther away is
    sensed. 0: no limit."""
    neighbours: Literal["all", "voronoi", "visible"] = "all"
    """all: no selection. voronoi: only the boids in adjacent Voronoi cells, in the tessellation of
    the sensed flocks and its own at the beginning of the step. visible, in 2-D: only boids of which
    closer ones leave something to see. All boids of the sensed flocks within the radius hide what
    is behind them, as discs with the diameter of their flock. It does not apply to obstacles."""
    nearest: Nearest = 0
    """The number of nearest neighbours that are sensed, of those within the radius and in the field
    of view (topological interaction); 0: all."""
    most_influential: Annotated[Whole, Field(ge=0, le=MAX_INFLUENTIAL)] = 0
    """The number of sensed boids or obstacles with the largest influence, which alone act; 0: all.
    A neighbour's influence is the length of the vector that `pair` returns; `pair` must return
    three numbers."""
    field_of_view: Scalar = quantity(180.0, gt=0, le=180, unit="degrees")
    """Half angle of the cone ahead in which neighbours are visible; 180: all around. A boid at
    rest has no heading and sees all around."""
    include_self: bool = False
    """Whether a boid is one of its own neighbours, in addition to the nearest ones."""

    obstacles_at: ClassVar[Literal["surface", "edge"]] = "surface"
    """Where it senses obstacles. surface: at their nearest surface point. edge: only those that the
    boid's straight path ahead meets, at the point beside the impact, across the path, from which
    the path straight on would touch the obstacle's outline. Walls and tanks have no edge: the point
    is then as far aside as ahead. Meshes are refused."""
    affine: ClassVar[tuple[Literal["position", "velocity"], ...]] = ()
    """What `pair` depends on, if it is an affine function of nothing else. Its sum over all boids
    is then their number times its value at their mean, at a cost of O(N)."""


def senses_arcs(rule: Rule) -> bool:
    """Return whether a rule senses arcs of the view in place of neighbours."""
    return takes_arc(getattr(type(rule), "pair", None))


def adds_up_all(rule: Rule) -> bool:
    """Return whether a rule adds up its results for all neighbours."""
    return not senses_arcs(rule) and not getattr(rule, "most_influential", 0)


def has_view(rule: Rule) -> bool:
    """Return whether boids hide others from a rule: it senses visible boids or arcs of the view."""
    return senses_arcs(rule) or (isinstance(rule, NeighbourRule) and rule.neighbours == "visible")


def check_influence(name: str, rule: NeighbourRule, sums: int) -> None:
    """Raise RuleError for a rule that ranks neighbours by influence, unless `pair` is a vector."""
    if rule.most_influential and sums != 3:
        raise RuleError(
            f"rules.{name}.most_influential: got {rule.most_influential} for kind {rule.kind!r}, "
            f"whose pair function returns {sums} numbers; expected 0, or a rule whose pair "
            "function returns three, a vector whose length is the influence. Use `nearest` instead"
        )


class Motion(Part):
    """The base class of motions. A motion has one plain function over scalars,

        turn(self, me, x, y, z)   the steering vector -> the next velocity (u, v, w)

    which is written like the functions of rules (see Rule) and compiled with them. With the
    argument `random`, turn(self, me, x, y, z, random), it also receives four uniform random numbers
    in [0, 1).

    A motion may have per-boid state, as rules may: `states` has its names, turn has `state` as its
    last argument, and returns the new numbers behind the velocity. Without names there are three:
    a, b and c.
    """

    _may_differ: ClassVar[bool] = True
    _path: ClassVar[str] = "flocks.NAME.motion."
    kind: str = ""
    """The kind of motion."""
    max_speed: Scalar = quantity(math.inf, gt=0, unit="speed", infinite=True)
    """The largest speed; faster boids are slowed down to it."""
    min_speed: Scalar = quantity(0.0, ge=0, unit="speed")
    """The smallest speed; slower boids are sped up to it. If the new velocity is zero, the boid
    keeps its heading; one at rest gets a heading from its index and the number of the step."""
    max_force: Scalar = quantity(math.inf, gt=0, unit="speed/time", infinite=True)
    """The largest length of the steering vector. It also limits each rule in steering form, and is
    the sum that rules share if the flock combines them by priority."""
    turn_rate: Scalar = quantity(math.inf, gt=0, unit="degrees/time", infinite=True)
    """The largest rate at which the heading turns."""
    advance: Literal["new", "old"] = "new"
    """The velocity that moves a boid in a step. new: the one after the step; old: the one before it
    (Vicsek et al. 1995). Obstacles stop boids that move with the old one, but do not change their
    new heading."""

    formula: ClassVar[str] = ""
    """The motion in one line, with its parameters in braces."""
    source: ClassVar[str] = ""
    """The publication of the motion."""
    states: ClassVar[tuple[str, ...]] = ()
    """The names of its per-boid state."""
    starts: ClassVar[Mapping[str, str]] = {}
    """Name of per-boid state -> the parameter whose value at time 0 it begins with; else 0."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        if hasattr(cls, "turn"):
            cls.states = check_names(cls, cls.states)
            if takes_state(cls.turn) and not cls.states:
                cls.states = UNNAMED
            elif cls.states is UNNAMED and not takes_state(cls.turn):  # inherited
                cls.states = ()
            _check_starts(cls)
            MOTIONS.register(cls)

    def model_post_init(self, _: Any) -> None:
        if not self.kind and type(self) is not Motion:
            object.__setattr__(self, "kind", kind_of(type(self)))
