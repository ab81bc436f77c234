"""A few models that have between them all that a kernel can be made of. Their numbers can be drawn
at random; what they are made of stays, so that each is compiled once.

STRUCTURES: name -> (function that makes the model, the ranges of its numbers).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import structures_differing
import structures_directed
import structures_first
import structures_forces
import structures_more
import structures_states
import structures_tank
import structures_told
import structures_views
from structure_parts import Structures
from structures_first import mixed, nearest_open, nearest_torus, torus, two_flocks

__all__ = [
    "IN_CELLS", "STRUCTURES", "as_params", "mixed", "nearest_open", "nearest_torus", "torus",
    "two_flocks",
]  # fmt: skip

STRUCTURES: Structures = {
    **structures_first.STRUCTURES,
    **structures_more.STRUCTURES,
    **structures_directed.STRUCTURES,
    **structures_told.STRUCTURES,
    **structures_tank.STRUCTURES,
    **structures_forces.STRUCTURES,
    **structures_states.STRUCTURES,
    **structures_differing.STRUCTURES,
    **structures_views.STRUCTURES,
}

NOT_IN_CELLS = ("totals", "drones", "tessellated-open", "clocks-tessellated")
IN_CELLS = [name for name in STRUCTURES if name not in NOT_IN_CELLS]
"""Those whose flocks can be sorted into cells."""
SLOW = (
    "zones", "tessellated-open", "integrated-verlet", "tank", "herded", "shuffled", "drones",
    "spinning", "landing", "in-turn", "clocks-nearest", "clocks-turns", "clocks-one-by-one",
    "clocks-tessellated",
    "differing-forces", "differing-in-turn", "diffusing", "sights", "nearest-torus", "clocks",
    "differing-nearest",
)  # fmt: skip
"""Those that slow tests simulate: the others have much of what is in them."""
LONG = (
    "headings", "beyond", "forces", "directed-turns", "spinning-turns", "herded-turns",
    "integrated", "tessellated",
)  # fmt: skip
"""Those that long tests simulate."""


def as_params(names: Iterable[str], long: Iterable[str] = ()) -> list[Any]:
    """Names of structures as parameters of a test; those of `long` are long ones too."""
    marks = dict.fromkeys(SLOW, pytest.mark.slow) | dict.fromkeys((*LONG, *long), pytest.mark.long)
    return [pytest.param(name, marks=marks.get(name, ())) for name in names]
