"""Small models, each with one feature, for the table of engines and features (make_engines.py)."""

from __future__ import annotations

import itertools
import math
from typing import Any

import murmurate as mm
from murmurate.dtypes import Dtype

BASE = """\
dt = 0.1
[space]
size = {size}
boundary = "periodic"
[flocks.boids]
count = {count}
start = {{ kind = "box", velocity = {{ kind = "directions", speed = 1 }} }}
motion = {{ kind = "add", max_speed = 1.5, max_force = 4 }}
[rules.alignment]
moves = "boids"
radius = 3
weight = 0.3
[rules.separation]
moves = "boids"
radius = 2
law = "linear"
weight = 0.2
"""
SIDES = {2: [40, 40], 3: [20, 20, 20]}
BOIDS, FEW_BOIDS = 3000, 9
"""Boids of the largest flock: for the table, so that flocks are sorted into cells; for a run."""
Changes = dict[str, Any]


def obstacle(kind: str, **fields: Any) -> Changes:
    """Return an obstacle that the boids avoid."""
    avoid = {"kind": "avoid-obstacles", "moves": "boids", "look_ahead": 3.0}
    return {"rules.avoid": avoid, "obstacles.rock": {"kind": kind, **fields}}


def flock(count: int = 5) -> Changes:
    """Return a further flock."""
    return {"count": count, "motion": {"kind": "add", "max_speed": 1.0}}


def cube() -> Changes:
    """Return an obstacle that is a mesh."""
    faces = [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6),
        (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]  # fmt: skip
    points = list(itertools.product((-1.0, 1.0), repeat=3))
    mesh = mm.Mesh.from_arrays(points, faces, (10.0, 10.0, 10.0))
    return {**obstacle("sphere"), "obstacles.rock": mesh}


TEXT = """
def pair(self, me, other):
    return 1, other.dx, other.dy, other.dz

def finish(self, sums, me):
    n, x, y, z = sums
    return (x / n, y / n, z / n) if n else (0, 0, 0)
"""
CONTAGION = {"rules.alarm": {"kind": "contagion", "moves": "boids", "radius": 2.0}}
COMMANDS = "commands from a program of yours"
EDITED = "rules that readers edit in a page, or in the live view"
ADOPTED = {"flocks": "boids", "state": "rules.alarm.adopted", "above": 0.5}
PREY = {"flocks.hawks": flock()}
FEATURES: dict[str, dict[str, list[tuple[int, Changes]]]] = {
    "Who is sensed": {
        "all within a radius": [(2, {}), (3, {})],
        "everyone": [(2, {"rules.alignment.radius": math.inf})],
        "everyone, pair by pair": [
            (2, {"rules.more": {"kind": "weighted-alignment", "moves": "boids", "exponent": 1.0}})
        ],
        "the nearest": [(2, {"rules.alignment.radius": math.inf, "rules.alignment.nearest": 7})],
        "more than 64 nearest": [(2, {"rules.alignment.nearest": 65})],
        "the most influential": [(2, {"rules.separation.most_influential": 2})],
        "Voronoi neighbours": [(2, {"rules.alignment.neighbours": "voronoi"})],
        "those not hidden by others": [
            (2, {"rules.alignment.neighbours": "visible", "flocks.boids.diameter": 0.5})
        ],
        "the view that others cover": [
            (2, {"rules.view": {"kind": "projection", "moves": "boids", "radius": 3.0},
                 "flocks.boids.diameter": 0.5})
        ],
        "within a field of view, beyond an inner radius": [
            (2, {"rules.alignment.field_of_view": 120.0, "rules.alignment.inner_radius": 0.5})
        ],
        "a whole herd": [
            (2, PREY | {"rules.herd": {"kind": "herd", "moves": "hawks", "senses": "boids",
                                       "target": [5.0, 5.0], "spacing": 1.0}})
        ],
        "with a delay, or with errors": [
            (2, {"flocks.boids.sensing": {"delay": 0.2}}),
            (2, {"flocks.boids.sensing": {"position_error": 0.1}}),
        ],
        "through links that lose messages": [
            (2, {"flocks.boids.sensing": {"loss": 0.2, "bad_share": 0.2, "max_lost": 1}}),
            (2, {"flocks.boids.sensing": {"range": 4.0}}),
        ],
        "what others store": [
            (2, CONTAGION)
        ],
        "other flocks": [
            (2, PREY | {"rules.flee": {"kind": "flee", "moves": "boids", "senses": "hawks",
                                       "radius": 3.0}})
        ],
    },
    "Rules and motions": {
        "rules of your own, as text": [(2, {"rules.alignment.functions": TEXT})],
        EDITED: [(2, {"rules.alignment.functions": TEXT})],
        "random steering": [
            (2, {"rules.random": {"kind": "random-steering", "moves": "boids", "weight": 0.2}})
        ],
        "rules by priority or by levels, in two stages": [
            (2, {"flocks.boids.combine": "priority"}),
            (2, {"flocks.boids.combine": "levels"}),
            (2, {"rules.separation.stage": 2}),
        ],
        "all motions": [
            (2, {"flocks.boids.motion": {"kind": kind, **fields}})
            for kind, fields in (
                ("add", {"max_speed": 1.5}), ("replace", {"max_speed": 1.5}),
                ("constant-speed", {"speed": 1.0}), ("self-propelled", {"speed": 1.0}),
                ("inertial-spin", {"speed": 1.0}), ("polar", {"max_speed": 1.5}),
                ("turning", {"speed": 1.0}), ("active-brownian", {"speed": 1.0}),
                ("responding", {"max_speed": 1.5, "lag": 0.5}),
                ("burst-and-coast", {"length": 1.0, "duration": 0.5, "decay": 0.5}),
            )
        ],
        "perching on the ground": [
            (2, {"flocks.boids.perching": {"ground": 1.0, "shortest": 1, "longest": 4},
                 "space.boundary": ["periodic", "open"]})
        ],
        COMMANDS: [(2, {"rules.command": {"kind": "command", "moves": "boids"}})],
        "schedules": [
            (2, {"rules.alignment.weight": {"kind": "ramp", "start": 0, "stop": 1, "end": 2}})
        ],
        "numbers that differ between boids": [
            (2, {"rules.alignment.weight": {"kind": "normal", "mean": 0.3, "sd": 0.1}})
        ],
    },
    "Steps": {
        "synchronous updates": [(2, {})],
        "sequential and shuffled updates": [
            (2, {"order": "one-by-one"}), (2, {"order": "shuffled"}),
            (2, {"order": "one-by-one", "positions": "at-end"}),
        ],
        "integrators verlet and rk4": [(2, {"integrator": "verlet"}), (2, {"integrator": "rk4"})],
        "float32": [(2, {})],
        "float64": [(2, {})],
    },
    "Space": {
        "periodic, open, reflecting and held faces": [
            (3, {"space.boundary": ["periodic", "open", "reflecting"]}),
            (3, {"space.boundary": ["held", "periodic", "periodic"]}),
        ],
        "spheres, boxes, walls": [
            (3, obstacle("sphere", centre=[5.0, 5.0, 5.0], radius=1.0)),
            (3, obstacle("box", centre=[5.0, 5.0, 5.0], size=[1.0, 2.0, 1.0])),
            (3, obstacle("wall", point=[1.0, 0.0, 0.0], normal=[1.0, 0.0, 0.0])
             | {"space.boundary": ["held", "periodic", "periodic"]}),
        ],
        "tanks, cylinders": [
            (3, obstacle("tank", centre=[10.0, 10.0, 10.0], radius=9.0)),
            (3, obstacle("cylinder", centre=[5.0, 5.0, 5.0], radius=1.0, height=4.0)),
        ],
        "moving obstacles": [
            (3, obstacle("sphere", radius=1.0, centre=[
                {"kind": "ramp", "start": 3, "stop": 4, "end": 2}, 5.0, 5.0]))
        ],
        "meshes": [(3, cube())],
        "wires to perch on": [
            (3, {"rules.perch": {"kind": "perch", "moves": "boids", "start": [2.0, 5.0, 5.0],
                                 "end": [8.0, 5.0, 5.0], "reach": 0.5},
                 "flocks.boids.perching": {"ground": 1.0, "shortest": 1, "longest": 4}})
        ],
    },
    "Flocks": {
        "flocks of a hundred boids": [(2, {"flocks.boids.count": 100})],
        "64 flocks": [(2, {f"flocks.more{k}": flock() for k in range(63)})],
        "more than 256 flocks": [(2, {f"flocks.more{k}": flock() for k in range(256)})],
        "lifetimes that differ between boids": [
            (2, {"population.age": {"kind": "lifetime", "flocks": "boids",
                                    "duration": {"kind": "uniform", "min": 3, "max": 9}}})
        ],
        "boids that fail": [
            (2, {"population.faults": {"kind": "failure", "rate": 0.2, "then": then,
                                       "flocks": "boids"}})
            for then in ("stop", "drift", "leave")
        ],
        "boids that join and leave": [
            (2, changes | {"population.entry": {"kind": kind, **fields}})
            for kind, fields, changes in (
                ("source", {"flock": "boids", "rate": 2.0}, {}),
                ("births", {"flock": "boids", "rate": 0.1, "distance": 0.2}, {}),
                ("deaths", {"flocks": "boids", "rate": 0.1}, {}),
                ("lifetime", {"flocks": "boids", "duration": 5.0}, {}),
                ("exit", {"region": {"kind": "ball", "centre": [5.0, 5.0], "radius": 1.0}}, {}),
                ("removal", ADOPTED, CONTAGION),
                ("capture", {"predators": "hawks", "prey": "boids", "radius": 1.0}, PREY),
            )
        ],
    },
}  # fmt: skip
"""Heading -> feature -> models that have it: dimensions, and what is changed of BASE."""


def dtype_of(feature: str) -> Dtype | None:
    """Return the precision that a feature names; None for other features."""
    return feature if feature in ("float32", "float64") else None


def models(feature: str, boids: int = BOIDS) -> list[mm.Model]:
    """Return the models of a feature, with this number of boids in the largest flock."""
    rows = next(rows[feature] for rows in FEATURES.values() if feature in rows)
    result = []
    for dims, changes in rows:
        text = BASE.format(size=SIDES[dims], count=boids)
        result.append(mm.parse(text).set(changes))
    return result
