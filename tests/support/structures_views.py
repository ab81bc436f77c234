"""Models whose boids hide others: visible neighbours, and arcs of the view."""

from __future__ import annotations

import murmurate as mm
from structure_parts import Structures, flock_of
from structures_states import ReadClock, ReadReader


def sights(
    count: float = 30,
    side: float = 12.0,
    radius: float = 3.5,
    diameter: float = 0.5,
    pull: float = 0.5,
) -> mm.Model:
    """Two flocks of unequal discs, state of visible neighbours, two stages: 2-D."""
    both = {"moves": ("boids", "others"), "senses": ("boids", "others"), "radius": radius}
    sees = {**both, "neighbours": "visible"}
    return mm.Model(
        name="sights",
        dt=0.1,
        space=mm.Space(size=(side, 0.9 * side), boundary=("periodic", "open")),
        flocks={
            "boids": flock_of(count, diameter=diameter),
            "others": flock_of(9, diameter=2.5 * diameter),
        },
        rules={
            "clock": ReadClock(**sees, pull=pull, include_self=True),
            "reader": ReadReader(**sees, nearest=3, field_of_view=130.0, inner_radius=0.3, stage=2),
            "edges": mm.Projection(**both, weight=0.2),
            "sight": mm.VisualField(
                moves="boids", senses="others", radius=0.8 * radius, acceleration=0.4,
                acceleration_by_edges=0.3, turning=0.5, turning_by_edges=0.2, stage=2,
            ),
        },
    )  # fmt: skip


STRUCTURES: Structures = {
    "sights": (sights, {"side": (9.0, 20.0), "radius": (1.0, 4.0), "diameter": (0.2, 1.5)}),
}
