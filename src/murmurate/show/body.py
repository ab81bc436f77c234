"""Meshes of animals of length 1 whose parts move, and the pose of each boid at a time.

Films draw them, and exported scenes contain them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from murmurate.jit import stored

Array = np.ndarray


# --- body

# Multiples of these modulo 1 spread the ids of boids evenly over 0 to 1. They are powers of the
# inverse of the plastic ratio, see M. Roberts, "The unreasonable effectiveness of quasirandom
# sequences" (2018).
_SPREAD = (0.7548776662466927, 0.5698402909980532, 0.4301597090019468)


class Body(NamedTuple):
    """Mesh of a boid that points along +X, with its left at +Y and its back at +Z.

    The nose is near x = 0.5.

    triangles  (T, 3) indices of corners, counterclockwise seen from outside or from above
    thin  (T,) whether a triangle is visible from both sides, as wings are
    pose  map ids (N,), seconds of film and resting (N,) bool to corners (3, N, V) float32
    banks  whether it rolls into curves
    beat  map phases (K,) in radians to corners (3, K, V) of a beat at full strength
    rest  return the corners (3, V) of a boid on the ground
    tones  (T,) strength of triangles, from 0 to 1: a sheep has a dark face
    far  triangles, thin and tones of distant boids, if they are simpler
    """

    triangles: Array
    thin: Array
    pose: Callable[[Array, float, Array], Array]
    banks: bool
    beat: Callable[[Array], Array]
    rest: Callable[[], Array]
    tones: Array
    far: tuple[Array, Array, Array] | None = None


def spread_ids(ids: Array, sequence: int) -> Array:
    """Return (N,) numbers from 0 to 1 that depend on the ids alone, of one of three sequences."""
    return _phases(np.asarray(ids * _SPREAD[sequence]))


def _phases(beats: Array) -> Array:
    """Return the fractions of beats, which are not negative."""
    return beats - np.floor(beats)


def spindle(
    stations: Sequence[tuple[float, float, float, float]], sides: int = 4
) -> tuple[Array, Array]:
    """Return corners (V, 3) and triangles (T, 3) of a closed body with polygons across.

    `stations` lists (x, height of the centre, half width, half height) from nose to tail. The first
    and the last are points.
    """
    angles = 2.0 * np.pi * np.arange(sides) / sides
    circle = np.stack([np.sin(angles), np.cos(angles)], axis=1).round(12).tolist()
    points: list[tuple[float, float, float]] = []
    rings: list[list[int]] = []
    for x, z, wide, high in stations:
        ring = [(x, wide * a, z + high * b) for a, b in circle]
        ring = ring if wide else ring[:1]
        rings.append([len(points) + k for k in range(len(ring))])
        points += ring
    triangles = []
    for front, back in itertools.pairwise(rings):
        for k in range(sides):
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
TUCK = -0.3  # of a folded wing, the position of the tip along the body
FOLDED = 0.16  # span at rest relative to the full span

_BIRD_BODY = [
    (0.5, 0.0, 0.0, 0.0), (0.38, 0.02, 0.06, 0.055), (0.1, 0.0, 0.1, 0.1),
    (-0.22, 0.0, 0.055, 0.055), (-0.34, 0.0, 0.0, 0.0),
]  # fmt: skip
# On the ground it is plump, with its tail up and its beak level.
_RESTING_BODY = [
    (0.46, -0.03, 0.0, 0.0), (0.33, 0.04, 0.085, 0.085), (0.06, -0.03, 0.15, 0.17),
    (-0.2, 0.0, 0.09, 0.1), (-0.36, 0.03, 0.0, 0.0),
]  # fmt: skip
_RESTING_TAIL = [(-0.16, 0.0, 0.06), (-0.56, 0.06, 0.06), (-0.55, 0.0, 0.06), (-0.56, -0.06, 0.06)]
_TAIL = [(-0.2, 0.0, 0.02), (-0.5, 0.1, 0.0), (-0.45, 0.0, 0.0), (-0.5, -0.1, 0.0)]
_TAIL_FACES = [(0, 1, 2), (0, 2, 3)]
SHOULDER, WRIST = 0.05, 0.32  # distances of the joints of a wing from the centre
_RISE = 0.03  # height of the shoulder above the centre
# The stretched left wing: shoulder and wrist, each front and rear, tip, trailing edge.
_WING = np.array(
    [(0.2, 0.04), (-0.1, 0.04), (0.26, 0.32), (-0.06, 0.33), (-0.09, 0.82), (-0.1, 0.55)],
    np.float32,
)
_WING_FACES = np.array([(0, 2, 1), (1, 2, 3), (3, 2, 5), (2, 4, 5)])


_BIRD_BODY_POINTS, _BIRD_BODY_FACES = spindle(_BIRD_BODY)
_RIGID = np.concatenate([_BIRD_BODY_POINTS, np.array(_TAIL)])
_RIGID_AT_REST = np.concatenate([spindle(_RESTING_BODY)[0], np.array(_RESTING_TAIL)])
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
# Distant birds have a body with one ring, and a tail without a notch.
_FAR_FACES = np.concatenate(
    [
        [(0, 5 + (k + 1) % 4, 5 + k) for k in range(4)],
        [(5 + k, 5 + (k + 1) % 4, len(_BIRD_BODY_POINTS) - 1) for k in range(4)],
        [np.array([0, 1, 3]) + len(_BIRD_BODY_POINTS)],
        _WING_FACES + _LEFT,
        _WING_FACES[:, ::-1] + _RIGHT,
    ]
)


def _bird_corners(arm: Array, hand: Array, back: Array, span: Array) -> Array:
    """Return corners (3, N, V) of birds.

    arm, hand  (N,) elevation of the inner and the outer wing, radians
    back  (N,) backward sweep of the outer wing, radians
    span  (N,) span relative to the full span
    """
    numbers = [function(angle) for angle in (arm, hand, back) for function in (np.cos, np.sin)]
    corners = np.empty((3, len(arm), _RIGHT + len(_WING)), np.float32)
    _fill_birds(np.array([*numbers, span], np.float32), corners)
    return corners


@stored()
def _fill_birds(numbers, corners):  # type: ignore[no-untyped-def]
    """Fill corners (3, N, V) of birds from the cosines and sines of their angles and their span."""
    for i in range(corners.shape[1]):
        cos_arm, sin_arm, cos_hand, sin_hand, cos_back, sin_back, span = numbers[:, i]
        rest = (1.0 - span) / (1.0 - FOLDED)
        for v in range(_LEFT):
            for k in range(3):
                corners[k, i, v] = _RIGID[v, k] + rest * (_RIGID_AT_REST[v, k] - _RIGID[v, k])
        for v in range(len(_WING)):
            x, reach = _WING[v, 0], _WING[v, 1] - SHOULDER
            if v > 3:
                dx, dy = x - _WING[2, 0], _WING[v, 1] - WRIST
                x = _WING[2, 0] + dx * cos_back - dy * sin_back
                reach = WRIST + dx * sin_back + dy * cos_back - SHOULDER
            x = max(x - reach * (1.0 - span), TUCK)
            inner = min(reach, WRIST - SHOULDER) * span
            outer = max(reach - (WRIST - SHOULDER), 0.0) * span
            y = SHOULDER + inner * cos_arm + outer * cos_hand
            corners[0, i, _LEFT + v] = corners[0, i, _RIGHT + v] = x
            corners[1, i, _LEFT + v], corners[1, i, _RIGHT + v] = y, -y
            z = _RISE + inner * sin_arm + outer * sin_hand
            corners[2, i, _LEFT + v] = corners[2, i, _RIGHT + v] = z


def _pose_bird(ids: Array, seconds: float, resting: Array) -> Array:
    """Return corners (3, N, V): bouts of beats with glides between, at a phase per boid.

    Wings of resting boids are folded.
    """
    rate = BIRD_BEATS * (1.0 + BIRD_VARIATION * (2.0 * spread_ids(ids, 1) - 1.0))
    beat = 2.0 * np.pi * _phases(rate * seconds + spread_ids(ids, 0))
    bout = np.sin(2.0 * np.pi * (seconds / BOUT + spread_ids(ids, 2)))
    part = np.clip(2.5 * bout + 1.75, 0.0, 1.0)
    effort = np.where(resting, 0.0, part * part * (3.0 - 2.0 * part))
    return _beat_bird(beat, effort, np.where(resting, FOLDED, 1.0))


def _beat_bird(beat: Array, effort: Array, span: Array) -> Array:
    """Return corners (3, N, V) at phases of a beat in radians. An effort of 0 glides."""
    beat, effort, span = (np.asarray(values, np.float32) for values in (beat, effort, span))
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
    rest=lambda: _beat_bird(_ZERO, _ZERO, _ZERO + FOLDED)[:, 0],
    tones=np.ones(len(_BIRD_FACES), np.float32),
    far=(_FAR_FACES, np.arange(len(_FAR_FACES)) >= 8, np.ones(len(_FAR_FACES), np.float32)),
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
    rest=lambda: _FISH_POINTS.T.astype(np.float32),
    tones=np.ones(len(_FISH_FACES), np.float32),
)


# --- sheep and dog

STRIDES = 1.6  # strides per second of film
STRIDE_VARIATION = 0.15  # largest relative deviation of the stride rate of a boid
STEP, NOD, WAG = 0.11, 0.03, 0.06  # amplitudes of feet, head and tail, in lengths
SIDES = 8  # of a cross-section
FACE, LEG = 0.45, 0.4  # tones

_SHEEP_BODY = [
    (0.5, 0.0, 0.0, 0.0), (0.45, 0.0, 0.05, 0.05), (0.35, 0.02, 0.065, 0.075),
    (0.28, 0.03, 0.1, 0.11), (0.2, 0.02, 0.19, 0.19), (0.0, 0.02, 0.235, 0.23),
    (-0.27, 0.02, 0.22, 0.21), (-0.43, 0.03, 0.12, 0.13), (-0.5, 0.04, 0.0, 0.0),
]  # fmt: skip
_DOG_BODY = [
    (0.5, 0.0, 0.0, 0.0), (0.44, 0.0, 0.035, 0.035), (0.34, 0.03, 0.075, 0.075),
    (0.24, 0.02, 0.065, 0.075), (0.12, 0.0, 0.105, 0.125), (-0.08, 0.01, 0.08, 0.095),
    (-0.2, 0.01, 0.095, 0.11), (-0.28, 0.03, 0.035, 0.04), (-0.42, 0.05, 0.035, 0.035),
    (-0.5, 0.06, 0.0, 0.0),
]  # fmt: skip


def _walker(
    stations: list[tuple[float, float, float, float]], neck: float, ear: float, aside: float
) -> Body:
    """Return an animal with four legs.

    stations  its body; see `spindle`
    neck  where its head begins
    ear, aside  length of an ear, and distance of the legs from the middle
    """
    points, faces = spindle(stations, SIDES)
    legs = np.array(
        [
            (x + dx, side * aside, z)
            for x in (0.16, -0.26)
            for side in (1, -1)
            for dx, z in ((0.035, 0.0), (-0.035, 0.0), (0.02, -0.4), (-0.02, -0.4))
        ]
    )
    ears = np.array(
        [
            (x, side * y, z)
            for side in (1, -1)
            for x, y, z in ((0.37, 0.05, 0.06), (0.32, 0.05, 0.06), (0.32, 0.05 + ear, 0.04))
        ]
    )
    first, second = len(points), len(points) + len(legs)
    leg_faces = [(k + a, k + b, k + c) for k in range(first, second, 4) for a, b, c in _LEG]
    ear_faces = [(second, second + 2, second + 1), (second + 3, second + 4, second + 5)]
    corners = np.concatenate([points, legs, ears])
    triangles = np.concatenate([faces, leg_faces, ear_faces])
    tones = np.where(points[faces][..., 0].mean(axis=1) > neck, FACE, 1.0)
    tones = np.concatenate([tones, np.full(len(leg_faces), LEG), np.full(2, FACE)])
    feet = (corners[:, 2] < -0.35).astype(float)
    phase = np.where(corners[:, 0] * corners[:, 1] > 0, 0.0, np.pi)  # opposite legs move together
    head, tail = np.maximum(corners[:, 0] - neck, 0.0) / 0.2, np.maximum(-corners[:, 0] - 0.26, 0.0)

    def beat(angles: Array, effort: Array | float = 1.0) -> Array:
        angle, force = angles[:, None], np.reshape(effort, (-1, 1))
        posed = np.empty((3, len(angles), len(corners)), np.float32)
        posed[0] = corners[:, 0] + STEP * force * feet * np.sin(angle + phase)
        posed[1] = corners[:, 1] + force * (NOD * head + WAG * tail / 0.24) * np.sin(angle)
        posed[2] = corners[:, 2]
        return posed

    def pose(ids: Array, seconds: float, resting: Array) -> Array:
        rate = STRIDES * (1.0 + STRIDE_VARIATION * (2.0 * spread_ids(ids, 1) - 1.0))
        angles = 2.0 * np.pi * (rate * seconds + spread_ids(ids, 0))
        return beat(angles, np.where(resting, 0.0, 1.0))

    return Body(
        triangles, np.arange(len(triangles)) >= len(faces), pose, banks=False, beat=beat,
        rest=lambda: corners.T.astype(np.float32), tones=tones.astype(np.float32),
    )  # fmt: skip


_LEG = ((0, 1, 2), (1, 3, 2))
SHEEP = _walker(_SHEEP_BODY, neck=0.28, ear=0.1, aside=0.1)
DOG = _walker(_DOG_BODY, neck=0.27, ear=0.03, aside=0.06)
BODIES: dict[str, Body] = {"bird": BIRD, "fish": FISH, "sheep": SHEEP, "dog": DOG}
"""Bodies by shape."""
