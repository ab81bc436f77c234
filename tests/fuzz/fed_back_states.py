"""Cases: states of a simulation given back to it, or to another: every state that a simulation
reaches is one that it accepts, and nothing changes by it. Faces are of many sizes, whose float32
values may lie above or below them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
from guard import Fault, Guard

import murmurate as mm

SIZES = (10.1, 0.1, 0.3, 1.1, 3.3, 7.7, 100.1, 1000.3, 12.0, 1e-3, 16777.217)


def prepare(folder: Path) -> None:
    """Nothing is shared: the fast engine compiles a kernel for each boundary."""


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """Boids that all fly against the faces, in one precision."""
    size = dice.choice([*SIZES, dice.uniform(0.01, 1000.0)])
    origin = dice.choice([0.0, 0.0, -0.1 * size, 0.7 * size])
    boundary = dice.choice(["held", "reflecting", "periodic", "open"])
    dtype = dice.choice(["float32", "float32", "float64"])
    model = mm.Model(
        space=mm.Space(size=(size, size), origin=(origin, origin), boundary=boundary),
        flocks={"boids": mm.Flock(count=30, motion=mm.Add(max_speed=size))},
        rules={},
        dt=0.3,
    )
    guard.did(f"size {size!r}, origin {origin!r}, {boundary}, {dtype}")
    ways = np.array([[dice.gauss(0.0, size) for _ in range(2)] for _ in range(30)])
    places = origin + size * np.array([[dice.random() for _ in range(2)] for _ in range(30)])
    one = mm.Simulation(model, 1, dtype=dtype, threads=1, start={"boids": (places, ways)})
    for _ in range(6):
        one.step(1)
        frame = one.frame["boids"]
        x = frame.positions.astype(float)
        rounding = np.spacing(np.float32(abs(origin) + size)) if dtype == "float32" else 0.0
        low, high = origin - rounding, origin + size + rounding
        if boundary in ("held", "reflecting") and not ((x >= low) & (x <= high)).all():
            raise Fault(f"beyond a closed face: {x.min()!r} to {x.max()!r}")
        pair = frame.positions, frame.velocities
        try:
            one.set_state("boids", *pair)
            other = mm.Simulation(model, 1, dtype=dtype, threads=1, start={"boids": pair})
        except mm.ModelError as error:
            raise Fault(f"its own state is refused: {error}") from None
        for again in (one, other):
            got = again.frame["boids"]
            if not (got.positions == pair[0]).all() or not (got.velocities == pair[1]).all():
                raise Fault("its own state is not the same when it is given back")
