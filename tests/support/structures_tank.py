"""A model of fish in a tank, which burst and coast."""

from __future__ import annotations

import murmurate as mm
from structure_parts import Structures, flock_of


def tank(
    count: float = 30,
    side: float = 10.0,
    radius: float = 2.5,
    wall: float = 0.4,
    noise: float = 0.3,
    attraction: float = 0.3,
    alignment: float = 0.3,
    length: float = 0.8,
) -> mm.Model:
    """A round tank that grows, with a rock in it, 2-D; who bursts and coasts beside who does not,
    and two stages."""
    motion = mm.BurstAndCoast(
        length=length, duration=0.25, decay=0.4, max_speed=6.0, turn_rate=1500.0
    )
    grown = mm.Ramp(start=0.45 * side, stop=0.5 * side, end=0.7)
    return mm.Model(
        name="tank",
        dt=0.1,
        space=mm.Space(size=(side, side)),
        flocks={"boids": flock_of(count, motion), "others": flock_of(6)},
        rules={
            "wall": mm.WallTurn(moves="boids", range=1.0, weight=wall),
            "noise": mm.RandomTurn(moves="boids", senses="tank", range=1.0, weight=noise),
            "attraction": mm.AttractionTurn(
                moves=("boids", "others"), distance=0.5, range=2.0, radius=radius, weight=attraction
            ),
            "alignment": mm.AlignmentTurn(
                moves="boids", senses=("boids", "others"), distance=0.8, range=2.0, nearest=3,
                weight=alignment,
            ),
            "home": mm.Home(moves="others", place=(5.0, 5.0), radius=1.0, stage=2),
        },
        obstacles={
            "tank": mm.Tank(centre=(0.5 * side, 0.5 * side), radius=grown),
            "rock": mm.Sphere(centre=(0.4 * side, 0.5 * side), radius=1.0),
        },
    )  # fmt: skip


STRUCTURES: Structures = {
    "tank": (
        tank,
        {
            "count": (1, 30),
            "side": (6.0, 14.0),
            "radius": (0.5, 4.0),
            "wall": (-0.5, 1.0),
            "noise": (0.0, 2.0),
            "attraction": (-1.0, 1.0),
            "alignment": (-1.0, 1.0),
            "length": (0.1, 3.0),
        },
    ),
}
