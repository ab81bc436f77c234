"""Models whose steering is a direction, of zones, and of forces with mass."""

from __future__ import annotations

import murmurate as mm
from structure_parts import Structures, flock_of


def headings(
    count: float = 40,
    side: float = 10.0,
    radius: float = 1.5,
    noise: float = 1.0,
    chaos: float = 0.2,
    rate: float = 200.0,
) -> mm.Model:
    """Directions wanted, with both kinds of noise, moving with the old velocity: 2-D, two flocks, a
    torus along x only, an obstacle."""
    boids = mm.SelfPropelled(speed=0.8, noise=noise, turn_rate=rate, advance="old")
    return mm.Model(
        name="headings",
        dt=0.1,
        space=mm.Space(size=(side, 0.8 * side), boundary=("periodic", "reflecting")),
        flocks={
            "boids": flock_of(count, boids),
            "others": flock_of(7, mm.SelfPropelled(speed=0.5, noise=0.1, noise_law="gaussian")),
        },
        rules={
            "headings": mm.HeadingAlignment(
                moves="boids", senses=("boids", "others"), radius=radius, include_self=True
            ),
            "chaos": mm.VectorialNoise(moves="boids", radius=radius, weight=chaos),
            "mean": mm.HeadingAlignment(
                moves="others", senses="boids", radius=2 * radius, divide_by="neighbours"
            ),
            "one": mm.VectorialNoise(moves="others", senses="boids", times="one", weight=0.3),
            "drift": mm.Alignment(moves="boids", radius=radius, weight=0.2, stage=2),
        },
        obstacles={"rock": mm.Sphere(centre=(5.0, 4.0), radius=1.2)},
    )


def zones(
    count: float = 40,
    side: float = 10.0,
    inner: float = 0.8,
    width: float = 1.0,
    attraction: float = 1.0,
    view: float = 135.0,
    noise: float = 0.1,
) -> mm.Model:
    """Zones by levels, 3-D, open: an annulus that changes in time, directions brought to length 1,
    noise on the sphere of either law."""
    edge = mm.Ramp(start=inner, stop=inner + width, end=0.8)
    motion = mm.SelfPropelled(speed=1.2, noise=noise, noise_law="gaussian", turn_rate=90.0)
    return mm.Model(
        name="zones",
        dt=0.1,
        space=mm.Space(size=(side, side, side), boundary=("open", "open", "periodic")),
        flocks={
            "boids": flock_of(count, motion, combine="levels"),
            "hawks": flock_of(4, mm.SelfPropelled(speed=1.0, noise=noise), combine="levels"),
        },
        rules={
            "wind": mm.Wind(moves="boids", vector=(0.1, 0.0, 0.2)),
            "repulsion": mm.Separation(moves="boids", radius=inner, law="unit", level=2),
            "orientation": mm.HeadingAlignment(
                moves="boids",
                inner_radius=inner,
                radius=edge,
                field_of_view=view,
                include_self=True,
                normalise=True,
                level=1,
            ),
            "attraction": mm.Attraction(
                moves="boids",
                inner_radius=edge,
                radius=inner + width + 1.0,
                field_of_view=view,
                normalise=True,
                level=1,
                weight=attraction,
            ),
            "flee": mm.Flee(moves="boids", senses="hawks", radius=0.7, level=3, law="inverse"),
            "follow": mm.Follow(moves="hawks", senses="boids", along=0.5, level=1, radius=2.0),
            "hawks": mm.Attraction(moves="hawks", law="linear", weight=0.1, normalise=True),
        },
    )


def beyond(
    count: float = 40,
    side: float = 10.0,
    inner: float = 1.0,
    second: float = 0.5,
    view: float = 120.0,
) -> mm.Model:
    """The nearest beyond an inner radius, and obstacles in an annulus: 2-D torus."""
    return mm.Model(
        name="beyond",
        dt=0.1,
        space=mm.Space(size=(side, side), boundary="periodic"),
        flocks={"boids": flock_of(count), "others": flock_of(6)},
        rules={
            "cohesion": mm.Cohesion(
                moves="boids", senses=("boids", "others"), nearest=4, inner_radius=inner, weight=0.4
            ),
            "alignment": mm.Alignment(
                moves=("boids", "others"), senses="boids", nearest=2, radius=3.0,
                inner_radius=second, field_of_view=view, weight=0.3, normalise=True,
                include_self=True,
            ),
            "rock": mm.Attraction(
                moves="boids", senses="rock", inner_radius=1.0, radius=3.0, law="inverse"
            ),
        },
        obstacles={"rock": mm.Sphere(centre=(5.0, 5.0), radius=1.0)},
    )  # fmt: skip


def forces(
    count: float = 40,
    side: float = 8.0,
    mass: float = 1.5,
    repulsion: float = 1.0,
    exponent: float = 0.4,
    distance: float = 1.0,
    alignment: float = 0.5,
) -> mm.Model:
    """Forces and mass: open, 3-D."""
    return mm.Model(
        name="forces",
        dt=0.05,
        space=mm.Space(size=(side, side, side)),
        flocks={
            "boids": flock_of(count, mm.Add(mass=mass)),
            "robots": flock_of(9, mm.Add(max_speed=3.0, mass=0.5)),
        },
        rules={
            "drive": mm.SelfPropulsion(moves="boids", propulsion=1.6, friction=0.5),
            "morse": mm.Morse(
                moves="boids",
                senses=("boids", "robots"),
                repulsion=repulsion,
                repulsion_range=0.5,
                attraction=0.5,
                attraction_range=2.0,
                radius=4.0,
            ),
            "cucker-smale": mm.WeightedAlignment(moves="boids", exponent=exponent),
            "motsch-tadmor": mm.WeightedAlignment(
                moves="robots", senses="boids", exponent=1.0, range=2.0, divide_by="weights"
            ),
            "lattice": mm.AlphaLattice(
                moves="robots",
                senses=("robots", "boids"),
                distance=distance,
                radius=1.5 * distance,
                a=2.0,
                alignment=alignment,
            ),
            "stop": mm.TendToVelocity(moves="robots", velocity=(0.1, 0.0, 0.2), weight=0.3),
        },
    )


def directed_turns(
    count: float = 25,
    side: float = 10.0,
    radius: float = 1.5,
    noise: float = 0.5,
    chaos: float = 0.3,
) -> mm.Model:
    """Directions wanted, one by one, 3-D, with levels and the old velocity."""
    motion = mm.SelfPropelled(speed=0.8, noise=noise, turn_rate=300.0, advance="old")
    return mm.Model(
        name="directed-turns",
        dt=0.1,
        order="one-by-one",
        space=mm.Space(size=(side, side, side), boundary=("periodic", "reflecting", "open")),
        flocks={"boids": flock_of(count, motion, combine="levels")},
        rules={
            "apart": mm.Separation(radius=0.5 * radius, law="unit", level=1),
            "along": mm.HeadingAlignment(radius=radius, inner_radius=0.3, include_self=True),
            "chaos": mm.VectorialNoise(radius=radius, weight=chaos),
        },
    )


STRUCTURES: Structures = {
    "headings": (
        headings,
        {
            "count": (1, 40),
            "side": (8.0, 12.0),
            "radius": (0.5, 2.0),
            "noise": (0.0, 6.0),
            "chaos": (0.0, 1.0),
            "rate": (20.0, 900.0),
        },
    ),
    "zones": (
        zones,
        {
            "count": (1, 40),
            "side": (8.0, 14.0),
            "inner": (0.3, 1.5),
            "width": (0.1, 1.5),
            "attraction": (-1.0, 1.0),
            "view": (30.0, 179.0),
            "noise": (0.0, 3.0),
        },
    ),
    "beyond": (
        beyond,
        {
            "count": (1, 40),
            "side": (6.5, 15.0),
            "inner": (0.1, 4.0),
            "second": (0.1, 3.5),
            "view": (30.0, 179.0),
        },
    ),
    "forces": (
        forces,
        {
            "count": (1, 40),
            "side": (3.0, 12.0),
            "mass": (0.3, 3.0),
            "repulsion": (0.0, 2.0),
            "exponent": (0.0, 2.0),
            "distance": (0.5, 2.0),
            "alignment": (0.0, 1.0),
        },
    ),
    "directed-turns": (
        directed_turns,
        {
            "count": (1, 25),
            "side": (8.0, 12.0),
            "radius": (0.5, 2.5),
            "noise": (0.0, 6.0),
            "chaos": (0.0, 1.0),
        },
    ),
}
