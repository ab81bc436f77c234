"""The standard flocks of benchmarks. Their names and numbers never change, so that results stay
comparable.

Most are uniform flocks on a torus with Reynolds' three rules, weights so small and speeds so low
that the flock stays uniform while it is timed; lengths are in radii.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.errors import ModelError
from murmurate.model.model import Model

RADIUS, CLOSE, SPEED = 1.0, 0.5, 0.1
Arrays = Mapping[str, tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Standard:
    """One standard flock.

    start  arrays instead of the model's own start
    """

    name: str
    what: str
    model: Callable[[], Model]
    start: Callable[[Model], Arrays | None] = field(default=lambda model: None)


def uniform(boids: int, neighbours: float, dims: int = 3) -> Model:
    """A uniform flock on a torus, so dense that so many neighbours are within the radius."""
    volume = 4.0 / 3.0 * math.pi if dims == 3 else math.pi
    side = (boids * volume / neighbours) ** (1.0 / dims)
    return _reynolds(boids, (side,) * dims, "periodic", RADIUS, RADIUS)


def _reynolds(
    boids: int,
    size: tuple[float, ...],
    boundary: Any,
    cohesion: float,
    separation: float,
    speed: float = SPEED,
) -> Model:
    rules: dict[str, Any] = {
        "cohesion": mm.Cohesion(radius=cohesion, weight=0.005),
        "alignment": mm.Alignment(radius=cohesion, weight=0.05),
        "separation": mm.Separation(radius=CLOSE * separation, weight=0.0025),
    }
    still = mm.Heading(velocity=(0.0,) * len(size), spread=speed / 2)
    flock = mm.Flock(count=boids, start=mm.InBox(velocity=still), motion=mm.Add(max_speed=speed))
    space = mm.Space(size=size, boundary=boundary)
    return mm.Model(name="standard", space=space, flocks={"boids": flock}, rules=rules)


def clumped() -> Model:
    """The standard torus at a density of 8 neighbours on the average; see `in_a_clump`."""
    return uniform(200_000, 8)


def in_a_clump(model: Model) -> Arrays:
    """9 of 10 boids in 1 part of 100 of the space."""
    random = np.random.default_rng(1)
    count, dims = model.flocks["boids"].count, model.space.dims
    side = np.array(model.space.size)
    places = random.random((count, dims)) * side
    many = 9 * count // 10
    places[:many] = side * (0.5 + (places[:many] / side - 0.5) * 0.01 ** (1.0 / dims))
    return {"boids": (places, SPEED / 2 * random.standard_normal((count, dims)))}


def everyone(boids: int = 100_000) -> Model:
    """Cohesion and alignment to everyone, separation from about 20, in open space; slower than the
    others, for nothing but its speed keeps it from drawing together and growing dense."""
    side = (boids * 4.0 / 3.0 * math.pi / 20) ** (1.0 / 3.0)
    return _reynolds(boids, (side,) * 3, "open", math.inf, RADIUS / CLOSE, SPEED / 100)


def separation_alone(boids: int = 100_000) -> Model:
    """The same without cohesion and alignment."""
    whole = everyone(boids)
    return Model(**{**dict(whole), "rules": {"separation": whole.rules["separation"]}})


def abm(birds: int, side: float, sight: float) -> Model:
    """The flocking model by which frameworks of agents compare themselves (JuliaDynamics, ABM
    Framework Comparison): birds at speed 1 that move in a random order, each seeing what those
    before it did.

    There, a bird flies along v + mean of matches + ..., here along v + (mean of v_j - v) + ...:
    weights divided by 1.05 make them the same direction. Its separation is divided by the number of
    neighbours; here it is not.
    """
    same = 1.05
    return Model(
        name=f"abm-{birds}",
        space=mm.Space(size=(side, side), boundary="periodic"),
        order="shuffled",
        flocks={
            "boids": mm.Flock(
                count=birds,
                start=mm.InBox(velocity=mm.Directions(speed=1.0)),
                motion=mm.ConstantSpeed(speed=1.0),
            )
        },
        rules={
            "cohesion": mm.Cohesion(radius=sight, weight=0.03 / same),
            "separation": mm.Separation(radius=1.0, law="linear", weight=0.015 / same),
            "alignment": mm.Alignment(radius=sight, weight=0.05 / same),
        },
    )


def starlings(boids: int) -> Model:
    """The zoo's murmuration with so many birds, in a ball as dense as the zoo's."""
    model = mm.load("starlings")
    start = model.flocks["boids"].start
    if start.kind != "ball":
        return model.set({"flocks.boids.count": boids})
    radius = start.radius * (boids / model.flocks["boids"].count) ** (1.0 / model.space.dims)
    return model.set({"flocks.boids.count": boids, "flocks.boids.start.radius": radius})


FLOCKS = (
    Standard("standard", "1,000,000 boids, 3-D, 20 neighbours", lambda: uniform(1_000_000, 20)),
    Standard("sparse", "1,000,000 boids, 3-D, 8 neighbours", lambda: uniform(1_000_000, 8)),
    Standard("dense", "1,000,000 boids, 3-D, 75 neighbours", lambda: uniform(1_000_000, 75)),
    Standard("flat", "1,000,000 boids, 2-D, 20 neighbours", lambda: uniform(1_000_000, 20, 2)),
    Standard("clumped", "200,000 boids, 9 of 10 in 1% of the space", clumped, in_a_clump),
    Standard("hundred-thousand", "100,000 boids, 3-D, 20 neighbours", lambda: uniform(100_000, 20)),
    Standard("ten-thousand", "10,000 boids, 3-D, 20 neighbours", lambda: uniform(10_000, 20)),
    Standard("everyone", "100,000 boids, cohesion and alignment to everyone", everyone),
    Standard("separation-alone", "the same, separation only", separation_alone),
    Standard("abm-200", "200 birds in a shuffled order, sight 5", lambda: abm(200, 100.0, 5.0)),
    Standard("abm-400", "400 birds in a shuffled order, sight 15", lambda: abm(400, 150.0, 15.0)),
    Standard("starlings", "the zoo's murmuration, 2,000 birds", lambda: starlings(2_000)),
    Standard("starlings-200k", "the same, 200,000 birds", lambda: starlings(200_000)),
)


def find(names: tuple[str, ...]) -> tuple[Standard, ...]:
    """The standard flocks of these names; all when none is named. Raises ModelError."""
    from murmurate.model.messages import format_unknown

    known = {flock.name: flock for flock in FLOCKS}
    for name in names:
        if name not in known:
            raise ModelError(format_unknown("standard flock", name, known))
    return tuple(known[name] for name in names) or FLOCKS
