"""The update rules of models of vision, written plainly, with nothing of murmurate in them.

Views are sampled by no angles: arcs of discs are sorted and merged.
"""

from __future__ import annotations

import math

import numpy as np
from published_models import Array, Chance, State, at_angle, units

CIRCLE = 2 * math.pi


def merged_arcs(x: Array, i: int, diameter: float) -> list[tuple[float, float]]:
    """Angles of the right and left edges of the arcs that the other discs cover around disc i."""
    d = np.delete(x - x[i], i, axis=0)
    r = np.hypot(*d.T)
    if r.min() <= diameter / 2:
        return []  # dark all around: no edges
    middle, half = np.arctan2(d[:, 1], d[:, 0]), np.arcsin(diameter / 2 / r)
    begins = (middle - half) % CIRCLE
    arcs = sorted(
        (a + turn * CIRCLE, w) for a, w in zip(begins, 2 * half, strict=True) for turn in (-1, 0, 1)
    )
    union: list[list[float]] = []
    for first, width in arcs:
        if union and first <= union[-1][1]:
            union[-1][1] = max(union[-1][1], first + width)
        else:
            union.append([first, first + width])
    return [(a, b) for a, b in union if 0 <= a < CIRCLE]


def is_visible(x: Array, i: int, j: int, diameter: float) -> bool:
    """Whether closer discs leave something of disc j, by the ends of all arcs over it."""
    d = x - x[i]
    r = np.hypot(*d.T)
    turned = d @ np.array([[d[j, 0], -d[j, 1]], [d[j, 1], d[j, 0]]]) / r[j]  # j is at angle 0
    own = math.asin(diameter / 2 / r[j]) if r[j] > diameter / 2 else math.pi
    covers = []
    for k in range(len(x)):
        if k in (i, j) or r[k] >= r[j]:
            continue
        if r[k] <= diameter / 2:
            return False
        middle = math.atan2(turned[k, 1], turned[k, 0])
        half = math.asin(diameter / 2 / r[k])
        covers.append((middle - half, middle + half))
    reached = -own
    for first, last in sorted(covers):
        if first <= reached:
            reached = max(reached, last)
    return reached < own


def bastien(
    x: Array, v: Array, dt: float, diameter: float, alpha: tuple[float, float],
    beta: tuple[float, float], gamma: float, v0: float,
) -> State:  # fmt: skip
    """Bastien and Romanczuk 2020, in polar coordinates as in their program; integrals are exact."""
    speed, psi = np.hypot(*v.T), np.arctan2(v[:, 1], v[:, 0])
    later, turned = speed.copy(), psi.copy()
    for i in range(len(x)):
        dv = gamma * (v0 - speed[i])
        dpsi = 0.0
        for right, left in merged_arcs(x, i, diameter):
            a, b = right - psi[i], left - psi[i]
            dv += alpha[0] * (math.sin(a) - math.sin(b) + alpha[1] * (math.cos(a) + math.cos(b)))
            dpsi += beta[0] * (math.cos(b) - math.cos(a) + beta[1] * (math.sin(a) + math.sin(b)))
        later[i] += dt * dv
        turned[i] += dt * dpsi
    v = later[:, None] * at_angle(turned)
    return x + dt * v, v


def pearce(
    x: Array, v: Array, diameter: float, phi: tuple[float, float, float], k: int, chance: Chance
) -> State:
    """Pearce et al. 2014: edges of the view, the k nearest visible, and noise."""
    later = np.zeros_like(v)
    heading = units(v)
    for i in range(len(x)):
        edges = [edge for arc in merged_arcs(x, i, diameter) for edge in arc]
        delta = at_angle(np.array(edges)).mean(axis=0) if edges else np.zeros(2)
        order = [j for j in np.argsort(np.hypot(*(x - x[i]).T)) if j != i]
        near = [j for j in order if is_visible(x, i, j, diameter)][:k]
        angle = 2 * math.pi * chance(i)[0]
        noise = np.array([math.cos(angle), math.sin(angle)])
        later[i] = phi[0] * delta + phi[1] * heading[near].mean(axis=0) + phi[2] * noise
    later = np.hypot(*v[0]) * units(later)
    return x + later, later
