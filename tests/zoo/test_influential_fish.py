"""Fish that turn by their most influential neighbours (Wang et al. 2025), in plain Python."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from published_fish import Chance, normals
from test_models import SEED, chance

import murmurate as mm

NOISE, RANGE, FRONT, DECAY = 0.2, 3.0, 0.8, 0.8


@dataclass
class Fish:
    """A fish: position, heading, speed; steps until its next kick, and the time that its kicks
    were too short."""

    x: float
    y: float
    phi: float
    speed: float
    steps: int = 0
    owed: float = 0.0


def influence(me: Fish, other: Fish, attraction: float, alignment: float) -> float:
    """Return the angle by which `other` turns `me`, radians."""
    d = math.hypot(other.x - me.x, other.y - me.y)
    psi = math.atan2(other.y - me.y, other.x - me.x) - me.phi
    pull = attraction * d * math.sin(psi) / (1 + (d / RANGE) ** 2)
    parallel = alignment * math.exp(-((d / RANGE) ** 2)) * math.sin(other.phi - me.phi)
    return pull + parallel * (1 + FRONT * math.cos(psi))


def kick(
    me: Fish, fish: list[Fish], numbers: tuple[int, float, float], chance: list[float]
) -> float:
    """Return the turn at a kick: the k largest influences, and noise."""
    k, attraction, alignment = numbers
    turns = [influence(me, other, attraction, alignment) for other in fish if other is not me]
    a, b, _, _ = normals(*chance)
    noise = NOISE * (b * math.cos(me.phi) - a * math.sin(me.phi))
    return noise + sum(sorted(turns, key=abs)[-k:])


def step(
    fish: list[Fish], dt: float, numbers: tuple[int, float, float], turning: Chance, kicking: Chance
) -> int:
    """Move all fish by one step; return the number of kicks."""
    before = [Fish(**vars(one)) for one in fish]
    fade, kicks = math.exp(-dt / DECAY), 0
    for i, me in enumerate(fish):
        if me.steps == 0:
            me.steps = 2 + math.floor(kicking(i)[3] / dt)
        me.steps -= 1
        if me.steps > 0:
            me.speed *= fade
        else:
            kicks += 1
            a, _, _, _ = kicking(i)
            # Rayleigh distribution of mean 1
            tau = math.sqrt(2 / math.pi) * math.sqrt(-2 * math.log(1 - a))
            me.owed += tau
            me.steps = max(1, math.floor(me.owed / dt + 0.5))
            me.owed = max(me.owed - me.steps * dt, -dt / 2)
            me.speed = tau / (sum(fade**n for n in range(me.steps)) * dt)
            me.phi += kick(before[i], before, numbers, turning(i))
        me.x += dt * me.speed * math.cos(me.phi)
        me.y += dt * me.speed * math.sin(me.phi)
    return kicks


@pytest.mark.parametrize("numbers", [(1, 0.37, 0.2), (2, 0.2, 0.3)])
def test_fish_turn_by_the_most_influential_ones(numbers: tuple[int, float, float]) -> None:
    """Several kicks of each of 12 fish, to 1e-9."""
    k, attraction, alignment = numbers
    model = mm.load("wang-2025").set(
        {
            "flocks.boids.count": 12, "rules.social.most_influential": k,
            "rules.social.attraction": attraction, "rules.social.alignment": alignment,
        }
    )  # fmt: skip
    simulation = mm.Simulation(model, SEED, engine="reference")
    start = simulation.frame["boids"]
    fish = [
        Fish(x, y, math.atan2(v, u), math.hypot(u, v))
        for (x, y), (u, v) in zip(start.positions, start.velocities, strict=True)
    ]
    kicks = 0
    for n in range(40):
        kicks += step(fish, model.dt, numbers, chance(n, "boids/noise"), chance(n))
        boids = simulation.step().frame["boids"]
        expected = [(one.x, one.y) for one in fish]
        np.testing.assert_allclose(boids.positions, expected, rtol=0, atol=1e-9)
        swum = [(one.speed * math.cos(one.phi), one.speed * math.sin(one.phi)) for one in fish]
        np.testing.assert_allclose(boids.velocities, swum, rtol=0, atol=1e-9)
    assert kicks > 36
