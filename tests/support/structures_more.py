"""Models of stages, sums over everyone, obstacles and perching, and boids that take turns."""

from __future__ import annotations

import murmurate as mm
from structure_parts import COUNT, WEIGHT, Structures, flock_of


def stages(
    count: float = 30,
    side: float = 10.0,
    radius: float = 2.5,
    noise: float = 0.3,
    alignment: float = 0.5,
    rest: float = 5,
) -> mm.Model:
    """Two stages, chance in both; one flock has rules in the first only, another none at all."""
    return mm.Model(
        name="stages",
        dt=0.1,
        space=mm.Space(size=(side, side)),
        flocks={
            "boids": flock_of(count),
            "early": flock_of(8),
            "free": flock_of(rest, mm.Add(max_speed=0.5)),
        },
        rules={
            "noise": mm.RandomSteering(moves=("boids", "early"), weight=noise),
            "cohesion": mm.Cohesion(moves="boids", weight=0.3, radius=radius),
            "alignment": mm.Alignment(
                moves="boids",
                senses=("boids", "early", "free"),
                weight=alignment,
                radius=radius,
                stage=2,
            ),
            "kicks": mm.PoissonKicks(moves="boids", rate=3.0, size=0.2, stage=2),
        },
    )


def totals(
    count: float = 40,
    side: float = 10.0,
    cohesion: float = 0.3,
    alignment: float = 0.3,
    home: float = 0.2,
) -> mm.Model:
    """Everyone senses everyone, once with themselves; weights that change in time."""
    ramp = mm.Ramp(start=0.0, stop=cohesion, end=0.55)
    steps = mm.Steps(times=(0.25, 0.5), values=(0.0, alignment, -0.1))
    return mm.Model(
        name="totals",
        dt=0.1,
        space=mm.Space(size=(side, side, side)),
        flocks={"boids": flock_of(count), "hawks": flock_of(3)},
        rules={
            "cohesion": mm.Cohesion(moves=("boids", "hawks"), senses="boids", weight=ramp),
            "alignment": mm.Alignment(moves="boids", include_self=True, weight=steps),
            "away": mm.Cohesion(moves="boids", senses="hawks", include_self=True, weight=-0.1),
            "home": mm.Home(moves="hawks", place=(5.0, 5.0, 5.0), radius=1.0, weight=home),
            "speed": mm.SpeedRegulation(moves="boids", speed=0.8, weight=0.5),
            "push": mm.Separation(moves="boids", law="linear", weight=0.002),
        },
    )


def landing(
    count: float = 40,
    side: float = 10.0,
    radius: float = 2.0,
    wind: float = 0.4,
    noise: float = 0.4,
    rock: float = 1.5,
) -> mm.Model:
    """Obstacles, one of which moves, and perching, on a 2-D torus along x."""
    moving = (mm.Ramp(start=3.0, stop=4.0, end=1.0), 5.0)
    return mm.Model(
        name="landing",
        dt=0.1,
        space=mm.Space(size=(side, side), boundary=("periodic", "open")),
        flocks={"boids": flock_of(count, perching=mm.Perching(ground=2.0, shortest=2, longest=5))},
        rules={
            "separation": mm.Separation(weight=0.1, radius=radius, law="linear"),
            "avoid": mm.AvoidObstacles(look_ahead=1.5, clearance=0.3, weight=0.5),
            "near-box": mm.Cohesion(senses=("boids", "box"), radius=radius, weight=0.2),
            "wind": mm.Wind(vector=(0.0, -1.0), weight=wind),
            "noise": mm.RandomSteering(weight=noise, law="gaussian"),
        },
        obstacles={
            "rock": mm.Sphere(centre=moving, radius=rock),
            "box": mm.Box(centre=(9.5, 7.0), size=(2.0, 1.5)),
            "hill": mm.Wall(point=(5.0, 0.0), normal=(0.0, 1.0)),
        },
    )


def in_turn(
    count: float = 30,
    side: float = 10.0,
    radius: float = 2.5,
    cohesion: float = 0.3,
    noise: float = 0.2,
) -> mm.Model:
    """One by one, positions in turn; perching and chance; 3-D."""
    return mm.Model(
        name="in-turn",
        dt=0.1,
        order="one-by-one",
        space=mm.Space(size=(side, side, side), boundary=("periodic", "held", "open")),
        flocks={
            "boids": flock_of(count, perching=mm.Perching(ground=1.0, shortest=1, longest=4)),
            "hawks": flock_of(3),
        },
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=cohesion, radius=radius),
            "alignment": mm.Alignment(moves="boids", weight=0.4, nearest=3),
            "hunt": mm.Hunt(moves="hawks", senses="boids", weight=0.5, nearest=2),
            "noise": mm.RandomSteering(moves=("boids", "hawks"), weight=noise),
        },
    )


def shuffled(
    count: float = 30,
    side: float = 10.0,
    radius: float = 2.5,
    cohesion: float = 0.3,
    alignment: float = 0.4,
) -> mm.Model:
    """Shuffled turns, positions at the end, two stages, 2-D; cohesion with everyone."""
    return mm.Model(
        name="shuffled",
        dt=0.1,
        order="shuffled",
        positions="at-end",
        space=mm.Space(size=(side, side), boundary=("reflecting", "open")),
        flocks={"boids": flock_of(count), "others": flock_of(6, mm.Replace(max_speed=1.0))},
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=cohesion),
            "circle": mm.FollowPath(moves="others", path="circle", period=3.0, offset=0.1),
            "alignment": mm.Alignment(
                moves="boids",
                senses=("boids", "others"),
                weight=alignment,
                radius=radius,
                stage=2,
            ),
        },
    )


STRUCTURES: Structures = {
    "stages": (
        stages,
        {
            "count": (1, 30),
            "side": (5.0, 15.0),
            "radius": (1.0, 9.0),
            "noise": (0.0, 0.5),
            "alignment": WEIGHT,
            "rest": (1, 5),
        },
    ),
    "totals": (
        totals,
        {
            "count": COUNT,
            "side": (5.0, 15.0),
            "cohesion": WEIGHT,
            "alignment": WEIGHT,
            "home": WEIGHT,
        },
    ),
    "landing": (
        landing,
        {
            "count": COUNT,
            "side": (9.0, 12.0),
            "radius": (0.5, 3.0),
            "wind": (0.0, 1.0),
            "noise": (0.0, 0.5),
            "rock": (0.5, 2.0),
        },
    ),
    "in-turn": (
        in_turn,
        {
            "count": (0, 25),
            "side": (5.0, 15.0),
            "radius": (0.5, 2.5),
            "cohesion": WEIGHT,
            "noise": (0.0, 0.5),
        },
    ),
    "shuffled": (
        shuffled,
        {
            "count": (0, 30),
            "side": (5.0, 15.0),
            "radius": (0.5, 9.0),
            "cohesion": WEIGHT,
            "alignment": WEIGHT,
        },
    ),
}
