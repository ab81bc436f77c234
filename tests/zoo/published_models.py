"""The papers' update rules, written plainly with arrays, with nothing of murmurate in them.

Each takes positions and velocities (N, D) and returns the next ones. `chance(i)` gives boid i's
four uniform random numbers where a rule needs them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Array = np.ndarray
State = tuple[Array, Array]
Chance = Callable[[int], list[float]]


def units(rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def gaps(x: Array, side: float = math.inf) -> Array:
    """gaps[i, j] = x_j - x_i, by the nearest image on a torus of that side."""
    d = x[None, :, :] - x[:, None, :]
    return d - side * np.round(d / side) if math.isfinite(side) else d


def at_angle(angles: Array) -> Array:
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def vicsek(x: Array, v: Array, eta: float, chance: Chance, side: float, *, new: bool) -> State:
    """Vicsek et al. 1995; with `new`, positions follow the new velocities (Chate et al. 2008)."""
    speed = np.linalg.norm(v, axis=1)[0]
    near = (np.linalg.norm(gaps(x, side), axis=2) <= 1.0).astype(float)
    theta = np.arctan2(v[:, 1], v[:, 0])
    mean = np.arctan2(near @ np.sin(theta), near @ np.cos(theta))
    noise = np.array([chance(i)[0] - 0.5 for i in range(len(x))])
    later = speed * at_angle(mean + eta * noise)
    return (x + (later if new else v)) % side, later


def vectorial(x: Array, v: Array, eta: float, chance: Chance, side: float) -> State:
    """Gregoire and Chate 2004, without cohesion."""
    speed = np.linalg.norm(v, axis=1)[0]
    near = (np.linalg.norm(gaps(x, side), axis=2) <= 1.0).astype(float)
    xi = at_angle(np.array([2 * math.pi * chance(i)[0] for i in range(len(x))]))
    later = speed * units(near @ units(v) + eta * near.sum(axis=1, keepdims=True) * xi)
    return (x + later) % side, later


def k_nearest(x: Array, v: Array, k: int, eta: float, chance: Chance, side: float) -> State:
    """The mean heading of the k nearest and oneself; angular noise."""
    speed = np.linalg.norm(v, axis=1)[0]
    r = np.linalg.norm(gaps(x, side), axis=2)
    np.fill_diagonal(r, -1.0)  # oneself comes first
    sums = np.array([units(v)[np.argsort(row)[: k + 1]].sum(axis=0) for row in r])
    noise = np.array([chance(i)[0] - 0.5 for i in range(len(x))])
    later = speed * at_angle(np.arctan2(sums[:, 1], sums[:, 0]) + eta * noise)
    return (x + later) % side, later


def rotated(heading: Array, wanted: Array, most: float) -> Array:
    """A unit vector turned towards another by at most an angle."""
    angle = math.acos(min(1.0, max(-1.0, float(heading @ wanted))))
    if angle <= most:
        return wanted
    across = units(wanted - (wanted @ heading) * heading)
    return math.cos(most) * heading + math.sin(most) * across


def couzin_2002(
    x: Array, v: Array, orientation: float, attraction: float, *, normalised: bool, dt: float = 0.1
) -> State:
    """Couzin et al. 2002 without error: zones of 1, up to 1 + orientation, up to that +
    attraction; speed 3, 40 degrees a second, blind for 90 degrees behind."""
    d, u = gaps(x), units(v)
    later = np.empty_like(v)
    for i in range(len(x)):
        r = np.linalg.norm(d[i], axis=1)
        other = np.arange(len(x)) != i
        ways = units(d[i])
        seen = ways @ u[i] >= math.cos(math.radians(135))
        repelling = other & (r <= 1.0)
        if repelling.any():
            wanted = -ways[repelling].sum(axis=0)
        else:
            o = other & seen & (r > 1.0) & (r <= 1.0 + orientation)
            a = other & seen & (r > 1.0 + orientation) & (r <= 1.0 + orientation + attraction)
            d_o, d_a = u[o].sum(axis=0), ways[a].sum(axis=0)
            wanted = units(d_o) + units(d_a) if normalised else d_o + d_a
        if not wanted.any():
            wanted = u[i]
        later[i] = 3.0 * rotated(u[i], units(wanted), math.radians(40) * dt)
    return x + dt * later, later


def couzin_2005(x: Array, v: Array, informed: Array, omega: float, dt: float = 0.2) -> State:
    """Couzin et al. 2005 without error: zones of 1 and 6, 114.59 degrees a second; the informed
    (booleans) want to go along x."""
    d, u = gaps(x), units(v)
    later = np.empty_like(v)
    for i in range(len(x)):
        r = np.linalg.norm(d[i], axis=1)
        other = np.arange(len(x)) != i
        ways = units(d[i])
        if (other & (r <= 1.0)).any():
            social = -ways[other & (r <= 1.0)].sum(axis=0)
        else:
            near = r <= 6.0
            social = ways[near & other].sum(axis=0) + u[near].sum(axis=0)
        wanted = units(social) + (omega * np.array([1.0, 0.0]) if informed[i] else 0.0)
        later[i] = rotated(u[i], units(wanted), math.radians(114.59) * dt)
    return x + dt * later, later


def jolles_2017(
    x: Array, v: Array, speeds: Array, straight: Array, noise: Array, dt: float = 0.1
) -> State:
    """Jolles et al. 2017, after the authors' program: zones of 1, 6 and 15, 60 degrees a second,
    blind for 90 degrees behind; each fish has its speed, its weight of the own heading and its
    error in radians."""
    d, u = gaps(x), units(v)
    later = np.empty_like(v)
    for i in range(len(x)):
        r = np.linalg.norm(d[i], axis=1)
        other = np.arange(len(x)) != i
        ways = units(d[i])
        seen = ways @ u[i] >= math.cos(math.radians(135))
        if (other & (r <= 1.0)).any():
            social = units(-ways[other & (r <= 1.0)].sum(axis=0))
        else:
            o, a = other & seen & (r <= 6.0), other & seen & (r > 6.0) & (r <= 15.0)
            social = units(u[o].sum(axis=0)) + units(ways[a].sum(axis=0))
        x_wanted, y_wanted = social + straight[i] * u[i]
        wanted = at_angle(np.array([math.atan2(y_wanted, x_wanted) + noise[i]]))[0]
        later[i] = speeds[i] * rotated(u[i], wanted, math.radians(60) * dt)
    return x + dt * later, later


def cucker_smale(x: Array, v: Array, strength: float, beta: float, dt: float) -> State:
    """Cucker and Smale 2007."""
    psi = (1 + (gaps(x) ** 2).sum(axis=2)) ** -beta
    pulls = (psi[:, :, None] * (v[None, :, :] - v[:, None, :])).sum(axis=1)
    later = v + dt * strength / len(x) * pulls
    return x + dt * later, later


def dorsogna(x: Array, v: Array, dt: float) -> State:
    """D'Orsogna et al. 2006: alpha 1.6, beta 0.5, C_r 1, l_r 0.5, C_a 0.5, l_a 2."""
    d = gaps(x)
    r = np.linalg.norm(d, axis=2)
    np.fill_diagonal(r, 1.0)
    # minus the slope of the potential: positive pushes apart
    push = 1.0 / 0.5 * np.exp(-r / 0.5) - 0.5 / 2.0 * np.exp(-r / 2.0)
    np.fill_diagonal(push, 0.0)
    force = (1.6 - 0.5 * (v**2).sum(axis=1, keepdims=True)) * v
    force = force - ((push / r)[:, :, None] * d).sum(axis=1)
    later = v + dt * force
    return x + dt * later, later


def olfati_saber(
    x: Array, v: Array, goal: Array, c1: float, c2: float, dt: float, d: float = 7.0
) -> State:
    """Olfati-Saber 2006, algorithm 2, no obstacles: r = 1.2 d, epsilon 0.1, a = b = 5, h 0.2."""

    def sigma(z: Array | float) -> Array:
        return (np.sqrt(1 + 0.1 * np.asarray(z) ** 2) - 1) / 0.1

    def rho(z: Array) -> Array:
        falling = 0.5 * (1 + np.cos(np.pi * (z - 0.2) / 0.8))
        return np.where(z < 0.2, 1.0, np.where(z < 1.0, falling, 0.0))

    q = gaps(x)
    r = np.linalg.norm(q, axis=2)
    near = rho(sigma(r) / sigma(1.2 * d))
    np.fill_diagonal(near, 0.0)
    z = sigma(r) - sigma(d)
    phi = near * 0.5 * 10 * z / np.sqrt(1 + z**2)
    n = q / np.sqrt(1 + 0.1 * r**2)[:, :, None]
    force = (phi[:, :, None] * n).sum(axis=1)
    force = force + (near[:, :, None] * (v[None, :, :] - v[:, None, :])).sum(axis=1)
    later = v + dt * (force - c1 * (x - goal) - c2 * v)
    return x + dt * later, later


def swarmalators(
    x: Array, phase: Array, j: float, k: float, dt: float, linear: bool = False
) -> tuple[Array, Array, Array]:
    """O'Keeffe, Hong and Strogatz 2017, equations 3 and 4 with A = B = 1: positions, velocities and
    phases after a step of Euler's method."""
    q, n = gaps(x), len(x)
    r = np.linalg.norm(q, axis=2)
    np.fill_diagonal(r, np.inf)
    difference = phase[None, :] - phase[:, None]
    pull = 1.0 + j * np.cos(difference)
    pull = np.where(np.isinf(r), 0.0, pull if linear else pull / r)
    v = ((pull - 1.0 / r**2)[:, :, None] * q).sum(axis=1) / n
    rate = k / n * (np.sin(difference) / r).sum(axis=1)
    return x + dt * v, v, phase + dt * rate
