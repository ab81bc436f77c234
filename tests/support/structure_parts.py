"""What the models of structures_*.py are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import murmurate as mm

Range = tuple[float, float]
Structures = dict[str, tuple[Callable[..., mm.Model], dict[str, Range]]]

COUNT = (0, 45)
WEIGHT = (-0.3, 0.5)


def flock_of(count: float, motion: Any = None, speed: float = 1.0, **parts: Any) -> mm.Flock:
    return mm.Flock(
        count=int(count),
        start=mm.InBox(velocity=mm.Directions(speed=0.2 * speed, up_to=speed)),
        motion=motion or mm.Add(max_speed=1.5 * speed, max_force=4.0),
        **parts,
    )
