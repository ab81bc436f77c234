"""Meshes of birds and fish of length 1 whose parts move, and the pose of each boid at a time.

Films draw them, and exported scenes contain them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

Array = np.ndarray


# --- body

# Multiples of these modulo 1 spread the ids of boids evenly over 0 to 1. They are powers of the
# inverse of the plastic ratio, see M. Roberts, "The unreasonable effectiveness of quasirandom
# sequences" (2018).
_SPREAD = (0.7548776662466927, 0.5698402909980532, 0.4301597090019468)


class Body(NamedTuple):
    """Mesh of a boid that points along +X, with its left at +Y and its back at +Z.

    The nose is near x = 0.5.

    Attributes
    ----------
    triangles : (T, 3) int
        Indices of corners, counterclockwise seen from outside or from above.
    thin : (T,) bool
        Whether a triangle is visible from both sides, as wings are.
    pose : callable
        Map ids (N,), seconds of film and resting (N,) bool to corners (3, N, V) float32.
    banks : bool
        Whether it rolls into curves.
    beat : callable
        Map phases (K,) in radians to corners (3, K, V) of a beat at full strength.
    rest : (3, V)
        Corners of a boid on the ground.
    """

    triangles: Array
    thin: Array
    pose: Callable[[Array, float, Array], Array]
    banks: bool
    beat: Callable[[Array], Array]
    rest: Array


def spread_ids(ids: Array, sequence: int) -> Array:
    """Return (N,) numbers from 0 to 1 that depend on the ids alone.

    `sequence` from 0 to 2 selects one of three sequences.
    """
    return np.asarray(ids * _SPREAD[sequence]) % 1.0


def spindle(stations: Sequence[tuple[float, float, float, float]]) -> tuple[Array, Array]:
    """Return corners (V, 3) and triangles (T, 3) of a closed body with square cross-sections.

    `stations` lists (x, height of the centre, half width, half height) from nose to tail. The first
    and the last are points.
    """
    points: list[tuple[float, float, float]] = []
    rings: list[list[int]] = []
    for x, z, wide, high in stations:
        ring = [(x, 0.0, z + high), (x, wide, z), (x, 0.0, z - high), (x, -wide, z)]
        ring = ring if wide else ring[:1]
        rings.append([len(points) + k for k in range(len(ring))])
        points += ring
    triangles = []
    for front, back in itertools.pairwise(rings):
        for k in range(4):
            a, b = front[k % len(front)], front[(k + 1) % len(front)]
            c, d = back[k % len(back)], back[(k + 1) % len(back)]
            if a != b:
                triangles.append((a, b, d))
            if c != d:
                triangles.append((a, d, c))
    return np.array(points), np.array(triangles)


# --- bird

BIRD_BEATS = 4.2  # wing beats per second of film; real ones are too fast for its frame rate
BIRD_VARIATION = 0.12  # largest relative deviation of the beat rate of a boid
BOUT = 2.6  # seconds of film between bouts of beats, with a glide in between
ARM, HAND = 0.72, 0.95  # amplitudes of the inner and the outer wing, radians
BEND = 0.6  # radians by which the outer wing sweeps back in the upstroke
FOLDED = 0.16  # span at rest relative to the full span

_BIRD_BODY = [
    (0.5, 0.0, 0.0, 0.0), (0.38, 0.02, 0.06, 0.055), (0.1, 0.0, 0.1, 0.1),
    (-0.22, 0.0, 0.055, 0.055), (-0.34, 0.0, 0.0, 0.0),
]  # fmt: skip
_TAIL = [(-0.2, 0.0, 0.02), (-0.5, 0.1, 0.0), (-0.45, 0.0, 0.0), (-0.5, -0.1, 0.0)]
_TAIL_FACES = [(0, 1, 2), (0, 2, 3)]
SHOULDER, WRIST = 0.05, 0.32  # distances of the joints of a wing from the centre
_RISE = 0.03  # height of the shoulder above the centre
# The stretched left wing: shoulder and wrist, each front and rear, tip, trailing edge.
_WING = np.array(
    [(0.2, 0.04), (-0.1, 0.04), (0.26, 0.32), (-0.06, 0.33), (-0.09, 0.82), (-0.1, 0.55)]
)
_WING_FACES = np.array([(0, 2, 1), (1, 2, 3), (3, 2, 5), (2, 4, 5)])


def _wing_corners(arm: Array, hand: Array, back: Array, span: Array) -> Array:
    """Return corners (3, N, 6) of left wings.

    Parameters
    ----------
    arm, hand : (N,)
        Elevation of the inner and the outer wing, radians.
    back : (N,)
        Backward sweep of the outer wing, radians.
    span : (N,)
        Span relative to the full span.
    """
    x, y = (np.repeat(row[None], len(arm), axis=0) for row in _WING.T)
    dx, dy = _WING[4:, 0] - _WING[2, 0], _WING[4:, 1] - WRIST
    cos, sin = np.cos(back)[:, None], np.sin(back)[:, None]
    x[:, 4:] = _WING[2, 0] + dx * cos - dy * sin
    y[:, 4:] = WRIST + dx * sin + dy * cos
    reach = y - SHOULDER
    x -= reach * (1.0 - span[:, None])
    reach *= span[:, None]
    wrist = (WRIST - SHOULDER) * span[:, None]
    inner, outer = np.minimum(reach, wrist), np.maximum(reach - wrist, 0.0)
    y = SHOULDER + inner * np.cos(arm)[:, None] + outer * np.cos(hand)[:, None]
    z = _RISE + inner * np.sin(arm)[:, None] + outer * np.sin(hand)[:, None]
    return np.stack([x, y, z])


_BIRD_BODY_POINTS, _BIRD_BODY_FACES = spindle(_BIRD_BODY)
_RIGID = np.concatenate([_BIRD_BODY_POINTS, np.array(_TAIL)])
_LEFT = len(_RIGID)
_RIGHT = _LEFT + len(_WING)
_BIRD_FACES = np.concatenate(
    [
        _BIRD_BODY_FACES,
        np.array(_TAIL_FACES) + len(_BIRD_BODY_POINTS),
        _WING_FACES + _LEFT,
        _WING_FACES[:, ::-1] + _RIGHT,
    ]
)


def _bird_corners(arm: Array, hand: Array, back: Array, span: Array) -> Array:
    corners = np.empty((3, len(arm), _RIGHT + len(_WING)), np.float32)
    corners[:, :, :_LEFT] = _RIGID.T[:, None, :]
    corners[:, :, _LEFT:_RIGHT] = wing = _wing_corners(arm, hand, back, span)
    corners[:, :, _RIGHT:] = wing * np.array([1, -1, 1])[:, None, None]
    return corners


def _pose_bird(ids: Array, seconds: float, resting: Array) -> Array:
    """Return corners (3, N, V): bouts of beats with glides between, at a phase per boid.

    Wings of resting boids are folded.
    """
    rate = BIRD_BEATS * (1.0 + BIRD_VARIATION * (2.0 * spread_ids(ids, 1) - 1.0))
    beat = 2.0 * np.pi * (rate * seconds + spread_ids(ids, 0))
    bout = np.sin(2.0 * np.pi * (seconds / BOUT + spread_ids(ids, 2)))
    part = np.clip(2.5 * bout + 1.75, 0.0, 1.0)
    effort = np.where(resting, 0.0, part * part * (3.0 - 2.0 * part))
    return _beat_bird(beat, effort, np.where(resting, FOLDED, 1.0))


def _beat_bird(beat: Array, effort: Array, span: Array) -> Array:
    """Return corners (3, N, V) at phases of a beat in radians. An effort of 0 glides."""
    arm = 0.1 + effort * (0.06 + ARM * np.sin(beat))
    hand = 0.02 + effort * HAND * np.sin(beat - 0.75)
    back = 0.12 + effort * BEND * np.maximum(np.cos(beat), 0.0)
    return _bird_corners(arm, hand, back, span)


_ZERO = np.zeros(1)
BIRD = Body(
    _BIRD_FACES,
    np.arange(len(_BIRD_FACES)) >= len(_BIRD_BODY_FACES),
    _pose_bird,
    banks=True,
    beat=lambda angles: _beat_bird(angles, np.ones_like(angles), np.ones_like(angles)),
    rest=_beat_bird(_ZERO, _ZERO, _ZERO + FOLDED)[:, 0],
)


# --- fish

FISH_BEATS = 2.2  # tail beats per second of film
FISH_VARIATION = 0.2  # largest relative deviation of the beat rate of a boid
SWING = 0.11  # amplitude of the tail, in lengths
WAVES = 0.85  # wavelengths of the bending along the body

_FISH_BODY = [
    (0.5, 0.0, 0.0, 0.0), (0.38, 0.0, 0.07, 0.08), (0.16, 0.0, 0.1, 0.14),
    (-0.08, 0.0, 0.075, 0.115), (-0.28, 0.0, 0.03, 0.05), (-0.38, 0.0, 0.016, 0.03),
    (-0.5, 0.0, 0.0, 0.0),
]  # fmt: skip
_FINS = [
    (-0.34, 0.0, 0.03), (-0.52, 0.0, 0.15), (-0.43, 0.0, 0.0), (-0.52, 0.0, -0.15),
    (-0.34, 0.0, -0.03), (0.12, 0.0, 0.12), (-0.14, 0.0, 0.2), (-0.12, 0.0, 0.08),
]  # fmt: skip
_FIN_FACES = [(0, 1, 2), (0, 2, 4), (2, 3, 4), (5, 6, 7)]

_FISH_BODY_POINTS, _FISH_BODY_FACES = spindle(_FISH_BODY)
_FISH_POINTS = np.concatenate([_FISH_BODY_POINTS, np.array(_FINS)])
_FISH_FACES = np.concatenate([_FISH_BODY_FACES, np.array(_FIN_FACES) + len(_FISH_BODY_POINTS)])


def _pose_fish(ids: Array, seconds: float, resting: Array) -> Array:
    """Return corners (3, N, V): a wave runs down the body and grows towards the tail."""
    rate = FISH_BEATS * (1.0 + FISH_VARIATION * (2.0 * spread_ids(ids, 1) - 1.0))
    beat = rate * seconds + spread_ids(ids, 0)
    return _beat_fish(2.0 * np.pi * beat, np.where(resting, 0.2, 1.0))


def _beat_fish(beat: Array, effort: Array) -> Array:
    """Return corners (3, N, V) at phases of a beat in radians."""
    x, y, z = _FISH_POINTS.T
    wide = SWING * effort[:, None] * (0.1 + 0.9 * (0.5 - x) ** 2)
    corners = np.empty((3, len(beat), len(x)), np.float32)
    corners[0], corners[2] = x, z
    corners[1] = y + wide * np.sin(beat[:, None] - 2.0 * np.pi * WAVES * (0.5 - x))
    return corners


FISH = Body(
    _FISH_FACES,
    np.arange(len(_FISH_FACES)) >= len(_FISH_BODY_FACES),
    _pose_fish,
    banks=False,
    beat=lambda angles: _beat_fish(angles, np.ones_like(angles)),
    rest=_FISH_POINTS.T.astype(np.float32),
)
