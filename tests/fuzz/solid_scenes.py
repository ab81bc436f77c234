"""Cases: spheres, boxes, pillars, walls and a tank that overlap. After each step nobody is inside
of an obstacle or beyond a closed face."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from guard import Fault, Guard

import murmurate as mm

SIDE = 10.0
STEPS = 25
ROOM = 2e-3
"""A boid may be so far inside: rounding in float32, and no more."""


def prepare(folder: Path) -> None:
    """Nothing is shared."""


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """A scene in which boids begin where they may be, and fly fast, straight or attracted."""
    model = scene(dice)
    starts = free_places(model, dice, 40)
    if len(starts) < 5:
        guard.did("hardly any room")
        return
    ways = np.array([[dice.gauss(0.0, 1.0) for _ in range(model.space.dims)] for _ in starts])
    model = model.set({"flocks.boids.count": len(starts)})
    engine = dice.choice(["reference", "reference", "reference", "cpu"])
    dtype = dice.choice(["float32", "float64"]) if engine == "cpu" else "float64"
    guard.did(f"engine {engine}, {dtype}: {mm.to_toml(model)}")
    simulation = mm.Simulation(
        model, 1, engine=engine, dtype=dtype, threads=1, start={"boids": (starts, ways)}
    )
    for _ in range(STEPS):
        simulation.step(1)
        places = simulation.frame["boids"].positions.astype(float)
        depth, what = deepest(model, places)
        if depth.max() > ROOM:
            boid = int(depth.argmax())
            raise Fault(
                f"after step {simulation.frame.step} boid {boid} at {places[boid].tolist()} is "
                f"{depth[boid]:.4g} inside of {what[boid]}"
            )


def scene(dice: Random) -> mm.Model:
    """Up to six obstacles near each other, and some closed faces."""
    dims = dice.choice([2, 3])
    shapes: dict[str, Any] = {}
    for number in range(dice.randint(1, 6)):
        at = [dice.uniform(0.25 * SIDE, 0.75 * SIDE) for _ in range(dims)]
        solid = ["sphere", "sphere", "box", "box"] + ["cylinder"] * 2 * (dims == 3)
        kind = dice.choice([*solid, "wall", "tank"])
        if kind == "sphere":
            shapes[f"s{number}"] = {"kind": kind, "centre": at, "radius": dice.uniform(0.5, 2.5)}
        elif kind == "cylinder":
            sizes = {"radius": dice.uniform(0.3, 2.5), "height": dice.uniform(0.5, 5.0)}
            shapes[f"c{number}"] = {"kind": kind, "centre": at, **sizes}
        elif kind == "box":
            size = [dice.uniform(0.5, 5.0) for _ in range(dims)]
            shapes[f"b{number}"] = {"kind": kind, "centre": at, "size": size}
        elif kind == "wall":
            point = [dice.uniform(0.0, 0.3 * SIDE) for _ in range(dims)]
            normal = [dice.uniform(0.2, 1.0) for _ in range(dims)]
            shapes[f"w{number}"] = {"kind": kind, "point": point, "normal": normal}
        elif "tank" not in shapes:
            centre = [0.5 * SIDE] * dims
            radius = dice.uniform(0.3, 0.6) * SIDE
            shapes["tank"] = {"kind": kind, "centre": centre, "radius": radius}
    faces = [dice.choice(["open", "reflecting", "held"]) for _ in range(dims)]
    pull = dice.choice([0.0, 0.3])
    place = [dice.uniform(0.3 * SIDE, 0.7 * SIDE) for _ in range(dims)]
    return mm.Model.model_validate(
        {
            "dt": dice.choice([0.05, 0.2, 1.0]),
            "space": {"size": [SIDE] * dims, "boundary": faces},
            "flocks": {"boids": {"count": 1, "motion": {"kind": "add", "max_speed": 3.0}}},
            "rules": {"pull": {"kind": "tend-to-place", "place": place, "weight": pull}},
            "obstacles": shapes,
        }
    )


def free_places(model: mm.Model, dice: Random, count: int) -> np.ndarray:
    """Places in the space where boids may be, well clear of all surfaces."""
    tried = np.array(
        [[dice.uniform(0.01, SIDE - 0.01) for _ in model.space.size] for _ in range(20 * count)]
    )
    return tried[deepest(model, tried)[0] < -0.01][:count]


def deepest(model: mm.Model, places: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """How far each place is inside of what it is farthest inside of, below 0 outside of all; and
    the name of that."""
    depths, names = [], []
    for name, shape in model.obstacles.items():
        depths.append(inside_of(shape, places))
        names.append(name)
    for axis, word in enumerate(model.space.boundaries):
        if word in ("reflecting", "held"):
            low, high = model.space.lower[axis], model.space.upper[axis]
            depths.append(np.maximum(low - places[:, axis], places[:, axis] - high))
            names.append(f"the faces across axis {axis}")
    if not depths:
        return np.full(len(places), -np.inf), [""] * len(places)
    table = np.array(depths)
    return table.max(axis=0), [names[k] for k in table.argmax(axis=0)]


def inside_of(shape: Any, places: np.ndarray) -> np.ndarray:
    """How far places are inside of an obstacle, by its definition."""
    if shape.kind == "wall":
        normal = np.array(shape.normal) / np.linalg.norm(shape.normal)
        return (np.array(shape.point) - places) @ normal
    away = places - np.array(shape.centre)
    if shape.kind == "sphere":
        return shape.radius - np.linalg.norm(away, axis=1)
    beyond = np.linalg.norm(away[:, :2], axis=1) - getattr(shape, "radius", 0.0)
    if shape.kind == "tank":
        return beyond
    if shape.kind == "cylinder":
        return np.minimum(-beyond, 0.5 * shape.height - np.abs(away[:, 2]))
    return (np.array(shape.size) / 2 - np.abs(away)).min(axis=1)
