"""The standard flocks of benchmarks. Names and numbers never change, so results are comparable.

Most are uniform flocks on a torus with Reynolds' three rules. Low weights and speeds keep a flock
uniform while it is timed. Lengths are in radii.
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
class StandardFlock:
    """A standard flock.

    name  its name on the command line and in results
    description  what it is, in a few words
    model  returns the model
    start  model -> flock name -> (positions, velocities), or None for the start of the model
    """

    name: str
    description: str
    model: Callable[[], Model]
    start: Callable[[Model], Arrays | None] = field(default=lambda model: None)


def uniform(boids: int, neighbours: float, dims: int = 3) -> Model:
    """Return a uniform flock on a torus with `neighbours` boids within the radius on average."""
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
    """Return the model of the clumped flock, with 8 neighbours on average; see `clumped_start`."""
    return uniform(200_000, 8)


def clumped_start(model: Model) -> Arrays:
    """Return positions and velocities with 9 of 10 boids in 1% of the space."""
    random = np.random.default_rng(1)
    count, dims = model.flocks["boids"].count, model.space.dims
    side = np.array(model.space.size)
    positions = random.random((count, dims)) * side
    n_clumped = 9 * count // 10
    offsets = positions[:n_clumped] / side - 0.5
    positions[:n_clumped] = side * (0.5 + offsets * 0.01 ** (1.0 / dims))
    return {"boids": (positions, SPEED / 2 * random.standard_normal((count, dims)))}


def all_pairs(boids: int = 100_000) -> Model:
    """Return a flock with cohesion and alignment to all boids, and separation from about 20.

    Space is open. Boids are slow, so that the flock does not contract while it is timed.
    """
    side = (boids * 4.0 / 3.0 * math.pi / 20) ** (1.0 / 3.0)
    return _reynolds(boids, (side,) * 3, "open", math.inf, RADIUS / CLOSE, SPEED / 100)


def separation_alone(boids: int = 100_000) -> Model:
    """Return `all_pairs` without cohesion and alignment."""
    model = all_pairs(boids)
    return Model(**{**dict(model), "rules": {"separation": model.rules["separation"]}})


def abm(birds: int, side: float, sight: float) -> Model:
    """Return the flocking model with which frameworks of agents compare themselves.

    Birds move at speed 1 in random order, and each senses the moves of those before it. In these
    frameworks a bird moves along v + mean of v_j + ..., and here along v + (mean of v_j - v) + ...
    Weights divided by 1.05 make these directions equal. Their separation is divided by the number
    of neighbours; here it is not. Source: JuliaDynamics, ABM Framework Comparison.
    """
    scale = 1.05
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
            "cohesion": mm.Cohesion(radius=sight, weight=0.03 / scale),
            "separation": mm.Separation(radius=1.0, law="linear", weight=0.015 / scale),
            "alignment": mm.Alignment(radius=sight, weight=0.05 / scale),
        },
    )


def starlings(boids: int) -> Model:
    """Return the model 'starlings' with `boids` birds, at the density of the published model."""
    model = mm.load("starlings")
    start = model.flocks["boids"].start
    if start.kind != "ball":
        return model.set({"flocks.boids.count": boids})
    radius = start.radius * (boids / model.flocks["boids"].count) ** (1.0 / model.space.dims)
    return model.set({"flocks.boids.count": boids, "flocks.boids.start.radius": radius})


FLOCKS = (
    StandardFlock(
        "standard", "1,000,000 boids, 3-D, 20 neighbours", lambda: uniform(1_000_000, 20)
    ),
    StandardFlock("sparse", "1,000,000 boids, 3-D, 8 neighbours", lambda: uniform(1_000_000, 8)),
    StandardFlock("dense", "1,000,000 boids, 3-D, 75 neighbours", lambda: uniform(1_000_000, 75)),
    StandardFlock(
        "flat",
        "1,000,000 boids, 2-D, 20 neighbours",
        lambda: uniform(1_000_000, 20, 2),
    ),
    StandardFlock("clumped", "200,000 boids, 9 of 10 in 1% of the space", clumped, clumped_start),
    StandardFlock(
        "hundred-thousand", "100,000 boids, 3-D, 20 neighbours", lambda: uniform(100_000, 20)
    ),
    StandardFlock("ten-thousand", "10,000 boids, 3-D, 20 neighbours", lambda: uniform(10_000, 20)),
    StandardFlock("everyone", "100,000 boids, cohesion and alignment to everyone", all_pairs),
    StandardFlock("separation-alone", "the same, separation only", separation_alone),
    StandardFlock(
        "abm-200", "200 birds in a shuffled order, sight 5", lambda: abm(200, 100.0, 5.0)
    ),
    StandardFlock(
        "abm-400", "400 birds in a shuffled order, sight 15", lambda: abm(400, 150.0, 15.0)
    ),
    StandardFlock("starlings", "the zoo's murmuration, 2,000 birds", lambda: starlings(2_000)),
    StandardFlock("starlings-200k", "the same, 200,000 birds", lambda: starlings(200_000)),
)


def select_flocks(names: tuple[str, ...]) -> tuple[StandardFlock, ...]:
    """Return the standard flocks of these names, or all for no name.

    Raises ModelError for an unknown name.
    """
    from murmurate.model.messages import format_unknown

    flocks = {flock.name: flock for flock in FLOCKS}
    for name in names:
        if name not in flocks:
            raise ModelError(format_unknown("standard flock", name, flocks))
    return tuple(flocks[name] for name in names) or FLOCKS
