"""Arcs of a boid's view that discs cover, in 2-D, by angles: plain and slow."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from murmurate.model.rule_arguments import Arc

CIRCLE = 2.0 * math.pi
Pieces = list[tuple[float, float]]
"""Angles from 0 to 2 pi that are covered, in order and apart."""


def look_around(displacements: np.ndarray, diameters: np.ndarray) -> tuple[list[bool], list[Arc]]:
    """Return which discs are visible, and the arcs that all cover together.

    displacements  (K, 2) vectors to the centres of the discs, the nearest first: they hide those
        behind them
    diameters  (K,)
    """
    covered: Pieces = []
    visible = []
    for (dx, dy), diameter in zip(displacements, diameters, strict=True):
        pieces = _pieces(float(dx), float(dy), 0.5 * float(diameter))
        visible.append(not all(_is_covered(piece, covered) for piece in pieces))
        if visible[-1]:
            covered = _union([*covered, *pieces])
    return visible, _arcs(covered)


def _pieces(dx: float, dy: float, radius: float) -> Pieces:
    """Return the angles that a disc covers; all of them from within."""
    distance = math.hypot(dx, dy)
    if distance <= radius:
        return [(0.0, CIRCLE)]
    middle, half = math.atan2(dy, dx), math.asin(radius / distance)
    first, last = (middle - half) % CIRCLE, (middle + half) % CIRCLE
    return [(first, last)] if first <= last else [(first, CIRCLE), (0.0, last)]


def _is_covered(piece: tuple[float, float], covered: Pieces) -> bool:
    return any(first <= piece[0] and piece[1] <= last for first, last in covered)


def _union(pieces: Iterable[tuple[float, float]]) -> Pieces:
    union: Pieces = []
    for first, last in sorted(pieces):
        if union and first <= union[-1][1]:
            union[-1] = union[-1][0], max(last, union[-1][1])
        else:
            union.append((first, last))
    return union


def _arcs(covered: Pieces) -> list[Arc]:
    """Return the arcs of a view, with unit vectors to their edges."""
    if covered == [(0.0, CIRCLE)]:
        return [Arc(0.0, 0.0, 0.0, 0.0)]
    if covered and covered[0][0] == 0.0 and covered[-1][1] == CIRCLE:
        covered = [(covered[-1][0], covered[0][1]), *covered[1:-1]]
    return [Arc(math.cos(a), math.sin(a), math.cos(b), math.sin(b)) for a, b in covered]
