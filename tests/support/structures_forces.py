"""Models of Voronoi neighbours, and of forces that are evaluated several times a step."""

from __future__ import annotations

import murmurate as mm
from structure_parts import WEIGHT, Range, Structures, flock_of


def tessellated(
    count: float = 40,
    side: float = 10.0,
    radius: float = 2.0,
    cohesion: float = 0.3,
    alignment: float = 0.4,
    view: float = 120.0,
    reach: float = 4.0,
) -> mm.Model:
    """Voronoi neighbours on a 2-D torus, with a field of view, with a reach, across flocks; beside
    them rules of other neighbours, in two stages."""
    return mm.Model(
        name="tessellated",
        dt=0.1,
        space=mm.Space(size=(side, 0.8 * side), boundary="periodic"),
        flocks={"boids": flock_of(count), "hawks": flock_of(5)},
        rules={
            "alignment": mm.HeadingAlignment(
                moves="boids", neighbours="voronoi", include_self=True, weight=alignment
            ),
            "cohesion": mm.Cohesion(
                moves="boids",
                senses=("boids", "hawks"),
                neighbours="voronoi",
                field_of_view=view,
                radius=reach,
                weight=cohesion,
            ),
            "apart": mm.Separation(moves="boids", radius=radius, weight=0.1),
            "hunt": mm.Hunt(moves="hawks", senses="boids", nearest=0, neighbours="voronoi"),
            "later": mm.Alignment(moves="boids", neighbours="voronoi", stage=2, weight=0.2),
        },
    )


def tessellated_open(
    count: float = 25, side: float = 8.0, weight: float = 0.3, spring: float = 0.2
) -> mm.Model:
    """Voronoi neighbours in 3-D, one by one: a torus along x; an obstacle."""
    return mm.Model(
        name="tessellated-open",
        dt=0.1,
        order="one-by-one",
        space=mm.Space(size=(side, side, side), boundary=("periodic", "open", "held")),
        flocks={"boids": flock_of(count)},
        rules={
            "alignment": mm.Alignment(neighbours="voronoi", weight=weight),
            "spring": mm.Interaction(
                neighbours="voronoi", senses=("boids", "rock"), distance=1.0, weight=spring
            ),
        },
        obstacles={"rock": mm.Sphere(centre=(4.0, 4.0, 4.0), radius=1.0)},
    )


def integrated(
    count: float = 30,
    side: float = 8.0,
    mass: float = 1.5,
    repulsion: float = 1.0,
    friction: float = 0.5,
    radius: float = 2.0,
    method: str = "rk4",
) -> mm.Model:
    """Forces looked at several times a step, 3-D: perching, an obstacle that moves, chance, the
    nearest, everyone, a force that changes in time, hawks with limits."""
    moving = (mm.Ramp(start=3.0, stop=4.0, end=1.0), 5.0, 4.0)
    return mm.Model(
        name=f"integrated-{method}",
        dt=0.1,
        integrator=method,  # type: ignore[arg-type]
        space=mm.Space(size=(side, side, side), boundary=("periodic", "reflecting", "open")),
        flocks={
            "boids": flock_of(
                count, mm.Add(mass=mass), perching=mm.Perching(ground=1.0, shortest=1, longest=4)
            ),
            "hawks": flock_of(
                4, mm.Add(max_speed=1.5, max_force=2.0, turn_rate=200.0), combine="priority"
            ),
        },
        rules={
            "drive": mm.SelfPropulsion(moves="boids", propulsion=1.0, friction=friction),
            "morse": mm.Morse(
                moves="boids", radius=radius, repulsion=repulsion, repulsion_range=0.5,
                attraction=0.5, attraction_range=2.0,
            ),
            "flee": mm.Flee(moves="boids", senses="hawks", nearest=2, law="inverse", weight=0.2),
            "mean": mm.Alignment(moves="boids", senses="hawks", weight=0.1),
            "wind": mm.Wind(moves="boids", vector=(mm.Cycle(amplitude=0.3, period=0.9), 0.0, -0.4)),
            "kicks": mm.RandomSteering(moves="boids", weight=0.1),
            "hunt": mm.Hunt(moves="hawks", senses="boids"),
            "home": mm.TendToPlace(moves="hawks", place=(4.0, 4.0, 4.0), weight=0.2),
        },
        obstacles={"rock": mm.Sphere(centre=moving, radius=0.8)},
    )  # fmt: skip


def verlet(**numbers: float) -> mm.Model:
    """The same, looked at twice."""
    return integrated(**numbers, method="verlet")  # type: ignore[arg-type]


def diffusing(
    count: float = 30, side: float = 9.0, noise: float = 0.1, radius: float = 1.2
) -> mm.Model:
    """Noise that scales with sqrt(dt), 3-D: velocities, headings that turn, headings that are
    state; round particles; speeds that are controlled marginally."""
    every = ("boids", "turners", "particles")
    return mm.Model(
        name="diffusing",
        dt=0.05,
        space=mm.Space(size=(side, side, side), boundary="periodic"),
        flocks={
            "boids": flock_of(count),
            "turners": flock_of(12, mm.Turning(speed=0.8, rotational_diffusion=noise)),
            "particles": flock_of(
                count, mm.ActiveBrownian(speed=0.7, mobility=0.5, rotational_diffusion=noise)
            ),
        },
        rules={
            "noise": mm.WhiteNoise(moves=("boids", "particles"), diffusion=noise),
            "align": mm.HeadingAlignment(moves="turners", senses=every, radius=1.5 * radius),
            "core": mm.LennardJones(
                moves="particles", senses=every, radius=1.1225 * radius, diameter=radius, limit=9.0
            ),
            "bond": mm.LennardJones(
                moves="boids", radius=2.0 * radius, diameter=0.5 * radius, part="whole", limit=5.0
            ),
            "speed": mm.SpeedRegulation(moves="boids", speed=0.9, law="marginal"),
        },
    )


INTEGRATED: dict[str, Range] = {
    "count": (1, 30),
    "side": (7.0, 12.0),
    "mass": (0.5, 3.0),
    "repulsion": (0.0, 2.0),
    "friction": (0.0, 1.0),
    "radius": (0.5, 2.3),
}


STRUCTURES: Structures = {
    "tessellated": (
        tessellated,
        {
            "count": (1, 40),
            "side": (8.0, 14.0),
            "radius": (0.5, 2.1),
            "cohesion": WEIGHT,
            "alignment": WEIGHT,
            "view": (30.0, 179.0),
            "reach": (0.5, 3.2),
        },
    ),
    "tessellated-open": (
        tessellated_open,
        {"count": (0, 25), "side": (4.0, 10.0), "weight": WEIGHT, "spring": WEIGHT},
    ),
    "integrated": (integrated, INTEGRATED),
    "integrated-verlet": (verlet, INTEGRATED),
    "diffusing": (
        diffusing,
        {"count": (1, 40), "side": (5.0, 10.0), "noise": (0.0, 0.3), "radius": (0.4, 1.2)},
    ),
}
