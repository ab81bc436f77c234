"""Burst-and-coast swimming between walls (Calovi et al. 2018), written plainly in angles, with
nothing of murmurate in it.

Lengths are centimetres, times seconds, angles radians, headings from the x axis. A fish kicks, its
heading turned by dphi = noise + wall + attraction + alignment, and glides straight on while its
speed falls as exp(-t / 0.8).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

TANK, DECAY = 25.0, 0.8
NOISE, WALL, ATTRACTION, ALIGNMENT = 0.35, 0.25, 0.12, 0.09
CALM = 2 / 3
WALL_RANGE, BALANCE, ATTRACTION_RANGE, NEAR, ALIGNMENT_RANGE = 6.0, 3.0, 20.0, 6.0, 20.0
LENGTH, LENGTH_SPREAD, DURATION, DURATION_SPREAD = 1.5, 0.4, 0.3, 0.3

Chance = Callable[[int], list[float]]


@dataclass
class Fish:
    """A fish: its place, heading and speed; how many steps until it kicks (0: it has not yet), and
    by how much its kicks until now were too short."""

    x: float
    y: float
    phi: float
    speed: float
    steps: int = 0
    owed: float = 0.0


def mean_square(f: Callable[[float], float]) -> float:
    """The mean of f squared over all angles; exact for sums of a few sines and cosines."""
    return sum(f(2 * math.pi * k / 64) ** 2 for k in range(64)) / 64


def scaled(f: Callable[[float], float]) -> Callable[[float], float]:
    """f with a mean square of 1."""
    scale = math.sqrt(mean_square(f))
    return lambda angle: f(angle) / scale


wall_odd = scaled(lambda a: math.sin(a) * (1 + 0.7 * math.cos(2 * a)))
attraction_odd = scaled(lambda a: math.sin(a) * (1 - 0.33 * math.cos(a)))
attraction_even = scaled(lambda a: 1 - 0.48 * math.cos(a) - 0.31 * math.cos(2 * a))
alignment_odd = scaled(lambda a: math.sin(a) * (1 + 0.3 * math.cos(2 * a)))
alignment_even = scaled(lambda a: 1 + 0.6 * math.cos(a) - 0.32 * math.cos(2 * a))


def normals(a: float, b: float, c: float, d: float) -> tuple[float, float, float, float]:
    r, s = math.sqrt(-2 * math.log(1 - a)), math.sqrt(-2 * math.log(1 - c))
    p, q = 2 * math.pi * b, 2 * math.pi * d
    return r * math.cos(p), r * math.sin(p), s * math.cos(q), s * math.sin(q)


def turn(me: Fish, other: Fish, chance: list[float]) -> float:
    """By what angle a kick of `me` turns; the tank's middle is the origin."""
    r_w = TANK - math.hypot(me.x, me.y)
    theta_w = me.phi - math.atan2(me.y, me.x)
    near = math.exp(-((r_w / WALL_RANGE) ** 2))
    # of two normal numbers, along x and y, the part to the left of the heading
    a, b, _, _ = normals(*chance)
    g = b * math.cos(me.phi) - a * math.sin(me.phi)
    d = math.hypot(other.x - me.x, other.y - me.y)
    psi = math.atan2(other.y - me.y, other.x - me.x) - me.phi
    delta = other.phi - me.phi
    f_att = ATTRACTION * (d / BALANCE - 1) / (1 + (d / ATTRACTION_RANGE) ** 2)
    f_ali = ALIGNMENT * (d / NEAR + 1) * math.exp(-((d / ALIGNMENT_RANGE) ** 2))
    return (
        NOISE * (1 - CALM * near) * g
        + WALL * near * wall_odd(theta_w)
        + f_att * attraction_odd(psi) * attraction_even(delta)
        + f_ali * alignment_odd(delta) * alignment_even(psi)
    )


def bell(mean: float, spread: float, normal: float) -> float:
    """Log-normal, of that mean and relative standard deviation."""
    sigma = math.sqrt(math.log(1 + spread**2))
    return mean * math.exp(sigma * normal - sigma**2 / 2)


def step(fish: list[Fish], dt: float, turning: Chance, kicking: Chance) -> None:
    """All fish by one step; `turning` and `kicking` give a fish's four random numbers for the angle
    and for the kick."""
    seen = [Fish(**vars(one)) for one in fish]
    fade = math.exp(-dt / DECAY)
    for i, me in enumerate(fish):
        if me.steps == 0:
            me.steps = 2 + math.floor(kicking(i)[3] * DURATION / dt)
        me.steps -= 1
        if me.steps > 0:
            me.speed *= fade
        else:
            length, time, _, _ = normals(*kicking(i))
            me.owed += bell(DURATION, DURATION_SPREAD, time)
            me.steps = max(1, math.floor(me.owed / dt + 0.5))
            me.owed = max(me.owed - me.steps * dt, -dt / 2)
            glide = sum(fade**k for k in range(me.steps)) * dt
            me.speed = bell(LENGTH, LENGTH_SPREAD, length) / glide
            me.phi += turn(seen[i], seen[1 - i], turning(i))
        me.x += dt * me.speed * math.cos(me.phi)
        me.y += dt * me.speed * math.sin(me.phi)
