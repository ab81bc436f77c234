"""Models whose numbers differ between boids: radii, views, weights, limits, motions, vectors."""

from __future__ import annotations

import murmurate as mm
from structure_parts import COUNT, WEIGHT, Structures, flock_of


def differing(
    count: float = 40,
    side: float = 10.0,
    radius: float = 2.6,
    cohesion: float = 0.3,
    spread: float = 0.1,
    view: float = 60.0,
    inner: float = 0.3,
) -> mm.Model:
    """Metric rules on a 3-D torus, of which nearly every number differs between boids."""
    return mm.Model(
        name="differing",
        dt=0.1,
        space=mm.Space(size=(side, side, side), origin=(-1.0, 0.0, 2.0), boundary="periodic"),
        flocks={
            "boids": flock_of(
                count,
                mm.Add(
                    max_speed=mm.Uniform(min=0.8, max=1.6),
                    min_speed=mm.Choice(values=(0.0, 0.2)),
                    max_force=mm.Lognormal(mean=2.0, sd=1.0, min=0.5),
                    turn_rate=mm.Uniform(min=90.0, max=400.0),
                ),
            ),
        },
        rules={
            "cohesion": mm.Cohesion(
                weight=mm.Normal(mean=cohesion, sd=spread),
                radius=mm.Uniform(min=0.5 * radius, max=radius),
                field_of_view=mm.Choice(values=(view, 180.0)),
            ),
            "alignment": mm.Alignment(
                weight=0.4,
                radius=0.9 * radius,
                field_of_view=mm.Uniform(min=view, max=170.0),
                limit=mm.Uniform(min=0.1, max=1.0),
            ),
            "separation": mm.Separation(
                weight=mm.Choice(values=(0.0, 0.1), probabilities=(0.4, 0.6)),
                radius=mm.Normal(mean=0.5 * radius, sd=0.2, min=0.1, max=radius),
                inner_radius=mm.Choice(values=(0.0, inner)),
                law="unit",
            ),
            "home": mm.TendToPlace(
                place=(4.0, mm.Uniform(min=0.0, max=side), 5.0),
                weight=mm.Normal(mean=0.05, sd=spread / 10, draw="homing"),
            ),
        },
    )


def differing_nearest(
    count: float = 40,
    side: float = 10.0,
    radius: float = 3.0,
    cohesion: float = 0.3,
    push: float = 0.002,
    view: float = 60.0,
) -> mm.Model:
    """The nearest, in open 3-D space, for two flocks moved by one rule; searches that rules share
    and do not share; sums over everyone; two stages; rules by priority."""
    reach = mm.Uniform(min=0.5 * radius, max=radius, draw="reach")
    speed = mm.Uniform(min=0.5, max=1.2)
    return mm.Model(
        name="differing-nearest",
        dt=0.1,
        space=mm.Space(size=(side, side, side)),
        flocks={
            "boids": flock_of(
                count,
                mm.Add(max_speed=2.0, max_force=mm.Lognormal(mean=2.0, sd=0.5)),
                combine="priority",
            ),
            "hawks": flock_of(
                5, mm.ConstantSpeed(speed=speed, turn_rate=mm.Uniform(min=9, max=99))
            ),
        },
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=cohesion, nearest=5, radius=reach),
            "alignment": mm.Alignment(
                moves="boids", weight=mm.Normal(mean=0.4, sd=0.1), nearest=5, radius=reach
            ),
            "separation": mm.Separation(
                moves="boids",
                weight=0.1,
                nearest=2,
                law="linear",
                field_of_view=mm.Uniform(min=view, max=180.0),
                inner_radius=mm.Choice(values=(0.0, 0.2)),
            ),
            "together": mm.Alignment(
                moves=("boids", "hawks"),
                senses="boids",
                weight=mm.Normal(mean=0.2, sd=0.1),
                normalise=True,
            ),
            "push": mm.Separation(
                moves="hawks", senses="boids", law="linear", weight=mm.Uniform(min=0.0, max=push)
            ),
            "later": mm.Wind(
                moves="boids", stage=2, vector=(0.1, mm.Normal(mean=0, sd=0.1), 0.0), weight=0.3
            ),
        },
    )


def differing_in_turn(
    count: float = 40,
    side: float = 10.0,
    radius: float = 2.5,
    cohesion: float = 0.3,
    noise: float = 0.2,
) -> mm.Model:
    """Sequential update: perching, obstacles that are sensed at distances that differ, chance."""
    return mm.Model(
        name="differing-in-turn",
        dt=0.1,
        order="shuffled",
        space=mm.Space(size=(side, side), boundary=("periodic", "open")),
        flocks={
            "boids": flock_of(
                count,
                mm.ConstantSpeed(speed=mm.Uniform(min=0.5, max=1.2)),
                perching=mm.Perching(ground=1.0, shortest=1, longest=4),
            ),
            "others": flock_of(6, mm.Add(max_speed=mm.Uniform(min=0.2, max=1.0))),
        },
        rules={
            "cohesion": mm.Cohesion(
                moves=("boids", "others"),
                senses=("boids", "others"),
                weight=mm.Normal(mean=cohesion, sd=0.1),
                radius=mm.Uniform(min=1.0, max=radius),
            ),
            "avoid": mm.AvoidObstacles(
                moves="boids",
                radius=mm.Uniform(min=1.0, max=3.0),
                look_ahead=mm.Uniform(min=0.5, max=3.0),
            ),
            "noise": mm.RandomSteering(moves="boids", weight=mm.Uniform(min=0.0, max=noise)),
        },
        obstacles={"rock": mm.Sphere(centre=(4.0, 6.0), radius=1.0)},
    )


def differing_forces(
    count: float = 30,
    side: float = 8.0,
    mass: float = 1.5,
    repulsion: float = 1.0,
    radius: float = 2.0,
) -> mm.Model:
    """Forces that are evaluated several times a step, on boids of different mass."""
    return mm.Model(
        name="differing-forces",
        dt=0.1,
        integrator="rk4",
        space=mm.Space(size=(side, side, side), boundary=("periodic", "reflecting", "open")),
        flocks={
            "boids": flock_of(
                count,
                mm.Add(
                    mass=mm.Uniform(min=0.5 * mass, max=mass),
                    max_speed=mm.Uniform(min=1.0, max=2.0),
                    max_force=mm.Uniform(min=1.0, max=3.0),
                ),
            )
        },
        rules={
            "drive": mm.SelfPropulsion(
                propulsion=mm.Normal(mean=1.0, sd=0.2, min=0.0), friction=0.5
            ),
            "morse": mm.Morse(
                radius=mm.Uniform(min=0.5 * radius, max=radius),
                repulsion=repulsion,
                repulsion_range=mm.Lognormal(mean=0.5, sd=0.1),
                attraction=0.5,
                attraction_range=2.0,
            ),
        },
    )


STRUCTURES: Structures = {
    "differing": (
        differing,
        {
            "count": COUNT,
            "side": (8.0, 14.0),
            "radius": (1.0, 4.0),
            "cohesion": WEIGHT,
            "spread": (0.0, 0.3),
            "view": (20.0, 160.0),
            "inner": (0.1, 1.0),
        },
    ),
    "differing-nearest": (
        differing_nearest,
        {
            "count": COUNT,
            "side": (1.0, 50.0),
            "radius": (1.0, 5.0),
            "cohesion": WEIGHT,
            "push": (0.0, 0.002),
            "view": (20.0, 160.0),
        },
    ),
    "differing-in-turn": (
        differing_in_turn,
        {
            "count": COUNT,
            "side": (8.0, 12.0),
            "radius": (1.5, 3.0),
            "cohesion": WEIGHT,
            "noise": (0.0, 0.3),
        },
    ),
    "differing-forces": (
        differing_forces,
        {
            "count": (1, 30),
            "side": (7.0, 12.0),
            "mass": (0.5, 3.0),
            "repulsion": (0.0, 2.0),
            "radius": (0.5, 2.3),
        },
    ),
}
