"""A few models that have between them all that a kernel can be made of. Their numbers can be drawn
at random; what they are made of stays, so that each is compiled once.

STRUCTURES: name -> (function that makes the model, the ranges of its numbers).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import murmurate as mm

Range = tuple[float, float]

COUNT = (0, 45)
WEIGHT = (-0.3, 0.5)


def _flock(count: float, motion: Any = None, speed: float = 1.0, **parts: Any) -> mm.Flock:
    return mm.Flock(
        count=int(count),
        start=mm.InBox(velocity=mm.Directions(speed=0.2 * speed, up_to=speed)),
        motion=motion or mm.Add(max_speed=1.5 * speed, max_force=4.0),
        **parts,
    )


def torus(
    count: float = 40,
    side: float = 10.0,
    radius: float = 2.6,
    cohesion: float = 0.3,
    alignment: float = 0.4,
    separation: float = 0.1,
    view: float = 110.0,
) -> mm.Model:
    """Three metric rules on a 3-D torus, one of them with a field of view."""
    return mm.Model(
        name="torus",
        dt=0.1,
        space=mm.Space(size=(side, side, side), origin=(-1.0, 0.0, 2.0), boundary="periodic"),
        flocks={"boids": _flock(count)},
        rules={
            "cohesion": mm.Cohesion(weight=cohesion, radius=radius, field_of_view=view),
            "alignment": mm.Alignment(weight=alignment, radius=0.9 * radius),
            "separation": mm.Separation(weight=separation, radius=0.5 * radius, law="unit"),
        },
    )


def two_flocks(
    count: float = 30,
    hunters: float = 6,
    side: float = 10.0,
    radius: float = 3.0,
    flee: float = 0.3,
    hunt: float = 0.7,
    spring: float = 0.05,
    view: float = 90.0,
) -> mm.Model:
    """Boids and hawks that sense each other, torus along x only, 2-D; a radius that changes."""
    changing = mm.Cycle(mean=0.8 * radius, amplitude=0.2 * radius, period=0.7)
    return mm.Model(
        name="two-flocks",
        dt=0.1,
        space=mm.Space(size=(side, 0.7 * side), boundary=("periodic", "reflecting")),
        flocks={
            "boids": _flock(count),
            "hawks": _flock(hunters, mm.ConstantSpeed(speed=1.3, turn_rate=200.0)),
        },
        rules={
            "spring": mm.Interaction(moves="boids", weight=spring, distance=1.0, radius=changing),
            "flee": mm.Flee(moves="boids", senses="hawks", weight=flee, radius=radius),
            "hunt": mm.Hunt(moves="hawks", senses="boids", weight=hunt, field_of_view=view),
            "everyone": mm.Alignment(
                moves=("boids", "hawks"),
                senses=("boids", "hawks"),
                include_self=True,
                radius=0.7 * radius,
                divide_by="flock",
            ),
        },
    )


def nearest_open(
    count: float = 40,
    side: float = 10.0,
    cohesion: float = 0.3,
    alignment: float = 0.4,
    separation: float = 0.1,
    push: float = 0.002,
    view: float = 100.0,
) -> mm.Model:
    """The 5 nearest and, with a field of view, the 2 nearest, in open 3-D space. Beside them sums
    over everyone, which must not hang on the cells that follow the flock's density: totals, and a
    sweep of all."""
    return mm.Model(
        name="nearest-open",
        dt=0.1,
        space=mm.Space(size=(side, side, side)),
        flocks={"boids": _flock(count), "hawks": _flock(5)},
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=cohesion, nearest=5),
            "alignment": mm.Alignment(moves="boids", weight=alignment, nearest=5),
            "separation": mm.Separation(
                moves="boids", weight=separation, nearest=2, law="linear", field_of_view=view
            ),
            "together": mm.Alignment(moves=("boids", "hawks"), senses="boids", weight=0.2),
            "push": mm.Separation(moves="hawks", senses="boids", law="linear", weight=push),
        },
    )


def nearest_torus(
    count: float = 40,
    side: float = 10.0,
    flat: float = 1.0,
    radius: float = 2.2,
    cohesion: float = 0.3,
) -> mm.Model:
    """The 6 nearest on a 2-D torus, which may be flat, among two flocks pooled; no radius."""
    return mm.Model(
        name="nearest-torus",
        dt=0.1,
        space=mm.Space(size=(side, flat * side), boundary="periodic"),
        flocks={"boids": _flock(count), "others": _flock(7)},
        rules={
            "cohesion": mm.Cohesion(
                moves=("boids", "others"),
                senses=("others", "boids"),
                weight=cohesion,
                nearest=6,
                limit=2.0,
            ),
            "alignment": mm.Alignment(
                moves="boids", senses="others", weight=0.3, nearest=1, radius=radius * flat / 2
            ),
        },
    )


def mixed(
    count: float = 40,
    side: float = 10.0,
    radius: float = 2.5,
    steering: float = 0.5,
    view: float = 130.0,
) -> mm.Model:
    """Nearest and metric rules together, by priority, in steering form, 3-D: torus, reflecting
    and held faces."""
    return mm.Model(
        name="mixed",
        dt=0.1,
        space=mm.Space(size=(side, side, 0.8 * side), boundary=("periodic", "reflecting", "held")),
        flocks={
            "boids": _flock(
                count, mm.Add(max_speed=1.2, max_force=0.9, min_speed=0.3), combine="priority"
            )
        },
        rules={
            "separation": mm.Separation(
                weight=0.4, radius=0.5 * radius, form="steering", law="linear"
            ),
            "alignment": mm.Alignment(
                weight=steering, nearest=4, radius=radius, form="steering", field_of_view=view
            ),
            "cohesion": mm.Cohesion(weight=steering, radius=radius, form="steering"),
            "borders": mm.Borders(weight=0.5, margin=0.5, push="linear", limit=0.3),
        },
    )


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
            "boids": _flock(count),
            "early": _flock(8),
            "free": _flock(rest, mm.Add(max_speed=0.5)),
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
        flocks={"boids": _flock(count), "hawks": _flock(3)},
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
        flocks={"boids": _flock(count, perching=mm.Perching(ground=2.0, shortest=2, longest=5))},
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
            "boids": _flock(count, perching=mm.Perching(ground=1.0, shortest=1, longest=4)),
            "hawks": _flock(3),
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
        flocks={"boids": _flock(count), "others": _flock(6, mm.Replace(max_speed=1.0))},
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
            "boids": _flock(count, boids),
            "others": _flock(7, mm.SelfPropelled(speed=0.5, noise=0.1, noise_law="gaussian")),
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
            "boids": _flock(count, motion, combine="levels"),
            "hawks": _flock(4, mm.SelfPropelled(speed=1.0, noise=noise), combine="levels"),
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
        flocks={"boids": _flock(count), "others": _flock(6)},
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
            "boids": _flock(count, mm.Add(mass=mass)),
            "robots": _flock(9, mm.Add(max_speed=3.0, mass=0.5)),
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
        flocks={"boids": _flock(count, motion, combine="levels")},
        rules={
            "apart": mm.Separation(radius=0.5 * radius, law="unit", level=1),
            "along": mm.HeadingAlignment(radius=radius, inner_radius=0.3, include_self=True),
            "chaos": mm.VectorialNoise(radius=radius, weight=chaos),
        },
    )


STRUCTURES: dict[str, tuple[Callable[..., mm.Model], dict[str, Range]]] = {
    "torus": (
        torus,
        {
            "count": COUNT,
            "side": (8.0, 14.0),
            "radius": (1.0, 4.0),
            "cohesion": WEIGHT,
            "alignment": WEIGHT,
            "separation": WEIGHT,
            "view": (20.0, 179.0),
        },
    ),
    "two-flocks": (
        two_flocks,
        {
            "count": (1, 40),
            "hunters": (1, 8),
            "side": (8.0, 12.0),
            "radius": (1.0, 4.0),
            "flee": WEIGHT,
            "hunt": WEIGHT,
            "view": (20.0, 179.0),
        },
    ),
    "nearest-open": (
        nearest_open,
        {
            "count": COUNT,
            "side": (1.0, 50.0),
            "cohesion": WEIGHT,
            "alignment": WEIGHT,
            "push": (-0.002, 0.002),
            "view": (20.0, 179.0),
        },
    ),
    "nearest-torus": (
        nearest_torus,
        {
            "count": (1, 40),
            "side": (4.0, 30.0),
            "flat": (0.05, 1.0),
            "radius": (0.5, 4.0),
            "cohesion": WEIGHT,
        },
    ),
    "mixed": (
        mixed,
        {
            "count": COUNT,
            "side": (8.0, 12.0),
            "radius": (1.0, 4.0),
            "steering": WEIGHT,
            "view": (20.0, 179.0),
        },
    ),
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

TOGETHER = [
    name for name in STRUCTURES if name not in ("in-turn", "shuffled", "totals", "directed-turns")
]
"""Those whose flocks can be sorted into cells."""
