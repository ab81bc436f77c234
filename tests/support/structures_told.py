"""Models in which boids carry more than their velocity, or perceive others late, or as a herd."""

from __future__ import annotations

import murmurate as mm
from structure_parts import Structures, flock_of


def spinning(
    count: float = 40,
    side: float = 8.0,
    radius: float = 2.0,
    alignment: float = 0.5,
    inertia: float = 0.7,
    friction: float = 0.4,
    temperature: float = 0.2,
    hawks: float = 4,
) -> mm.Model:
    """Headings with a spin that is kept, 3-D, beside hawks that keep nothing; two stages, wind, an
    obstacle, faces of three kinds, perching."""
    motion = mm.InertialSpin(
        speed=0.8, inertia=inertia, friction=friction, temperature=temperature, max_force=5.0
    )
    return mm.Model(
        name="spinning",
        dt=0.1,
        space=mm.Space(size=(side, side, side), boundary=("periodic", "reflecting", "open")),
        flocks={
            "boids": flock_of(
                count, motion, perching=mm.Perching(ground=0.5, shortest=1, longest=3)
            ),
            "hawks": flock_of(hawks),
        },
        rules={
            "alignment": mm.HeadingAlignment(moves="boids", radius=radius, weight=alignment),
            "flee": mm.Flee(moves="boids", senses="hawks", radius=radius, law="inverse"),
            "hunt": mm.Hunt(moves="hawks", senses="boids", weight=0.5),
            "wind": mm.Wind(moves="boids", vector=(0.3, -0.2, -0.5), weight=0.4, stage=2),
        },
        obstacles={"rock": mm.Sphere(centre=(4.0, 4.0, 4.0), radius=1.0)},
    )


def spinning_turns(
    count: float = 25, side: float = 8.0, inertia: float = 0.7, friction: float = 0.4
) -> mm.Model:
    """Spins in shuffled turns, 2-D."""
    motion = mm.InertialSpin(
        speed=0.8, inertia=inertia, friction=friction, temperature=0.1, turn_rate=200.0
    )
    return mm.Model(
        name="spinning-turns",
        dt=0.1,
        order="shuffled",
        space=mm.Space(size=(side, side), boundary="periodic"),
        flocks={"boids": flock_of(count, motion)},
        rules={
            "alignment": mm.HeadingAlignment(nearest=4, weight=0.5),
            "apart": mm.Separation(radius=1.0, law="unit", weight=0.3),
        },
    )


def herded(
    count: float = 30,
    side: float = 12.0,
    spacing: float = 0.8,
    stop: float = 1.0,
    noise: float = 0.3,
    chance: float = 0.3,
    sight: float = 4.0,
) -> mm.Model:
    """Sheep that graze until the dog wakes them, a dog that herds two flocks as one: levels, a
    torus along x, an obstacle, wind on the dog."""
    sheep = mm.SelfPropelled(speed=0.8, idle="stand")
    return mm.Model(
        name="herded",
        dt=0.1,
        space=mm.Space(size=(side, side), boundary=("periodic", "reflecting")),
        flocks={
            "boids": flock_of(count, sheep, combine="levels"),
            "goats": flock_of(5, combine="levels"),
            "dog": flock_of(2, mm.Replace(max_speed=1.4)),
        },
        rules={
            "apart": mm.Separation(moves="boids", law="unit", radius=0.8, normalise=True),
            "graze": mm.Graze(moves=("boids", "goats"), chance=chance, level=1),
            "flee": mm.Flee(
                moves=("boids", "goats"),
                senses="dog",
                law="unit",
                radius=sight,
                level=2,
                wakes=True,
            ),
            "cohesion": mm.Cohesion(moves="boids", nearest=5, normalise=True, level=2),
            "keep": mm.KeepHeading(moves=("boids", "goats"), level=2, weight=0.5),
            "noise": mm.RandomSteering(moves="boids", law="direction", level=2, weight=0.3),
            "herd": mm.Herd(
                moves="dog",
                senses=("goats", "boids"),
                target=(1.0, 2.0),
                spacing=spacing,
                stop=stop,
                noise=noise,
            ),
            "wind": mm.Wind(moves="dog", vector=(0.1, 0.2), weight=0.5),
        },
        obstacles={"rock": mm.Sphere(centre=(6.0, 6.0), radius=1.0)},
    )


def herded_turns(
    count: float = 20, side: float = 9.0, spacing: float = 0.8, noise: float = 0.3
) -> mm.Model:
    """Herding one by one, 3-D: the flock is known as it was at the beginning of the step."""
    return mm.Model(
        name="herded-turns",
        dt=0.1,
        order="one-by-one",
        space=mm.Space(size=(side, side, side)),
        flocks={
            "boids": flock_of(count, mm.SelfPropelled(idle="stand")),
            "dog": flock_of(2, mm.Replace()),
        },
        rules={
            "flee": mm.Flee(moves="boids", senses="dog", law="unit", radius=3.0),
            "graze": mm.Graze(moves="boids", chance=0.5, weight=0.4),
            "noise": mm.RandomSteering(moves="boids", law="direction", weight=0.1),
            "herd": mm.Herd(
                moves="dog", senses="boids", target=(1.0, 2.0, 3.0), spacing=spacing, noise=noise
            ),
        },
    )


def drones(
    count: float = 30,
    side: float = 10.0,
    radius: float = 2.0,
    tolerance: float = 0.1,
    gain: float = 0.8,
    acceleration: float = 0.6,
    lag: float = 0.4,
    error: float = 0.1,
    delay: float = 0.3,
) -> mm.Model:
    """Drones that know of each other late and with errors, beside hawks that are late otherwise and
    a herder; 3-D, a torus along z; braking curves, imagined agents at walls and at obstacles."""
    motion = mm.Responding(lag=lag, max_acceleration=1.5, max_speed=1.5, noise=0.05)
    late = mm.Sensing(delay=delay, refresh=0.2, position_error=error, velocity_error=0.5 * error)
    return mm.Model(
        name="drones",
        dt=0.1,
        space=mm.Space(size=(side, side, side), boundary=("open", "held", "periodic")),
        flocks={
            "boids": flock_of(count, motion, sensing=late),
            "hawks": flock_of(4, sensing=mm.Sensing(delay=0.15)),
            "others": flock_of(3, mm.Replace(max_speed=1.0)),
        },
        rules={
            "drive": mm.KeepHeading(moves="boids"),
            "apart": mm.Interaction(moves="boids", distance=radius, radius=radius, weight=0.8),
            "friction": mm.BrakingAlignment(
                moves="boids",
                senses=("boids", "hawks"),
                distance=0.5 * radius,
                tolerance=tolerance,
                gain=gain,
                acceleration=acceleration,
                weight=0.2,
            ),
            "walls": mm.ShillWalls(
                moves="boids", speed=1.2, distance=0.3, gain=gain, acceleration=acceleration
            ),
            "rocks": mm.ShillObstacles(
                moves=("boids", "hawks"), speed=1.2, gain=gain, acceleration=acceleration
            ),
            "hunt": mm.Hunt(moves="hawks", senses="boids", weight=0.5, nearest=2),
            "together": mm.Cohesion(moves="hawks", senses=("boids", "others"), weight=0.1),
            "herd": mm.Herd(moves="hawks", senses="boids", target=(1.0, 1.0, 1.0), spacing=0.5),
            "watch": mm.Herd(moves="others", senses="boids", target=(1.0, 1.0, 1.0), spacing=0.5),
        },
        obstacles={
            "rock": mm.Box(centre=(5.0, 5.0, 5.0), size=(1.0, 2.0, 1.5)),
            "mast": mm.Cylinder(centre=(3.0, 6.0, 4.0), radius=0.4, height=3.0),
        },
    )


STRUCTURES: Structures = {
    "spinning": (
        spinning,
        {
            "count": (1, 40),
            "side": (7.0, 12.0),
            "radius": (0.5, 2.3),
            "alignment": (-1.0, 1.0),
            "inertia": (0.2, 2.0),
            "friction": (0.0, 2.0),
            "temperature": (0.0, 0.5),
            "hawks": (1, 4),
        },
    ),
    "spinning-turns": (
        spinning_turns,
        {
            "count": (1, 25),
            "side": (4.0, 12.0),
            "inertia": (0.2, 2.0),
            "friction": (0.0, 2.0),
        },
    ),
    "herded": (
        herded,
        {
            "count": (1, 40),
            "side": (9.0, 16.0),
            "spacing": (0.1, 2.0),
            "stop": (0.0, 2.0),
            "noise": (0.0, 1.0),
            "chance": (0.0, 1.0),
            "sight": (0.5, 4.4),
        },
    ),
    "herded-turns": (
        herded_turns,
        {
            "count": (0, 20),
            "side": (4.0, 12.0),
            "spacing": (0.1, 2.0),
            "noise": (0.0, 1.0),
        },
    ),
    "drones": (
        drones,
        {
            "count": (1, 30),
            "side": (8.0, 12.0),
            "radius": (0.5, 4.0),
            "tolerance": (0.0, 0.5),
            "gain": (0.2, 3.0),
            "acceleration": (0.2, 3.0),
            "lag": (0.05, 2.0),
            "error": (0.0, 0.3),
            "delay": (0.0, 0.7),
        },
    ),
}
