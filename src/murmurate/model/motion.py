"""Motion: how a boid turns the combined steering vector into its next velocity."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

from murmurate.model.quantity import Part, Scalar, quantity
from murmurate.model.registry import Registry, kind_of
from murmurate.model.rule_arguments import UNNAMED, checked_names, takes_kept

MOTIONS = Registry("motion")


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
