"""Models of metric and of nearest neighbours."""

from __future__ import annotations

import murmurate as mm
from structure_parts import COUNT, WEIGHT, Structures, flock_of


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
        flocks={"boids": flock_of(count)},
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
            "boids": flock_of(count),
            "hawks": flock_of(hunters, mm.ConstantSpeed(speed=1.3, turn_rate=200.0)),
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
        flocks={"boids": flock_of(count), "hawks": flock_of(5)},
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
        flocks={"boids": flock_of(count), "others": flock_of(7)},
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
            "boids": flock_of(
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


STRUCTURES: Structures = {
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
}
