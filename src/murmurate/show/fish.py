"""A fish: a mesh of length 1 that bends with the beat of its tail."""

from __future__ import annotations

import numpy as np

from murmurate.show.body import Array, Body, own_number, spindle

BEATS = 2.2  # tail beats a second of film
VARIED = 0.2  # part by which boids beat faster or slower
SWING = 0.11  # how far the tail goes to each side, in lengths
WAVES = 0.85  # of the bending, along the body

_BODY = [
    (0.5, 0.0, 0.0, 0.0), (0.38, 0.0, 0.07, 0.08), (0.16, 0.0, 0.1, 0.14),
    (-0.08, 0.0, 0.075, 0.115), (-0.28, 0.0, 0.03, 0.05), (-0.38, 0.0, 0.016, 0.03),
    (-0.5, 0.0, 0.0, 0.0),
]  # fmt: skip
_FINS = [
    (-0.34, 0.0, 0.03), (-0.52, 0.0, 0.15), (-0.43, 0.0, 0.0), (-0.52, 0.0, -0.15),
    (-0.34, 0.0, -0.03), (0.12, 0.0, 0.12), (-0.14, 0.0, 0.2), (-0.12, 0.0, 0.08),
]  # fmt: skip
_FIN_FACES = [(0, 1, 2), (0, 2, 4), (2, 3, 4), (5, 6, 7)]

_BODY_POINTS, _BODY_FACES = spindle(_BODY)
_POINTS = np.concatenate([_BODY_POINTS, np.array(_FINS)])
_FACES = np.concatenate([_BODY_FACES, np.array(_FIN_FACES) + len(_BODY_POINTS)])


def pose(ids: Array, seconds: float, resting: Array) -> Array:
    """(3, N, V): a wave runs down the body and grows to the tail."""
    rate = BEATS * (1.0 + VARIED * (2.0 * own_number(ids, 1) - 1.0))
    beat = rate * seconds + own_number(ids, 0)
    return _beating(2.0 * np.pi * beat, np.where(resting, 0.2, 1.0))


def _beating(beat: Array, effort: Array) -> Array:
    """(3, N, V) corners at moments of a beat, radians."""
    x, y, z = _POINTS.T
    wide = SWING * effort[:, None] * (0.1 + 0.9 * (0.5 - x) ** 2)
    corners = np.empty((3, len(beat), len(x)), np.float32)
    corners[0], corners[2] = x, z
    corners[1] = y + wide * np.sin(beat[:, None] - 2.0 * np.pi * WAVES * (0.5 - x))
    return corners


FISH = Body(
    _FACES,
    np.arange(len(_FACES)) >= len(_BODY_FACES),
    pose,
    banks=False,
    beat=lambda angles: _beating(angles, np.ones_like(angles)),
    rest=_POINTS.T.astype(np.float32),
)
