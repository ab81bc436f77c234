"""A bird: a mesh of length 1 with beating wings, for films and for files of other tools."""

from __future__ import annotations

import numpy as np

from murmurate.show.body import Array, Body, own_number, spindle

BEATS = 4.2  # wing beats a second of film: real ones are too fast for its pictures
VARIED = 0.12  # part by which boids beat faster or slower
BOUT = 2.6  # seconds of film from one bout of beats to the next, with a glide between
ARM, HAND = 0.72, 0.95  # radians by which the halves of a wing go up and down
BENT = 0.6  # radians by which the hand is drawn back in the upstroke
FOLDED = 0.16  # part of the span at rest

_BODY = [
    (0.5, 0.0, 0.0, 0.0), (0.38, 0.02, 0.06, 0.055), (0.1, 0.0, 0.1, 0.1),
    (-0.22, 0.0, 0.055, 0.055), (-0.34, 0.0, 0.0, 0.0),
]  # fmt: skip
_TAIL = [(-0.2, 0.0, 0.02), (-0.5, 0.1, 0.0), (-0.45, 0.0, 0.0), (-0.5, -0.1, 0.0)]
_TAIL_FACES = [(0, 1, 2), (0, 2, 3)]
SHOULDER, WRIST = 0.05, 0.32  # how far from the middle the joints of a wing are
_RISE = 0.03  # of the shoulder above the middle
# The left wing, stretched: shoulder and wrist, each in front and behind, tip, trailing edge.
_WING = np.array(
    [(0.2, 0.04), (-0.1, 0.04), (0.26, 0.32), (-0.06, 0.33), (-0.09, 0.82), (-0.1, 0.55)]
)
_WING_FACES = np.array([(0, 2, 1), (1, 2, 3), (3, 2, 5), (2, 4, 5)])


def _wing(arm: Array, hand: Array, back: Array, span: Array) -> Array:
    """(3, N, 6) corners of left wings.

    arm, hand  (N,) radians above the level, inside and outside of the wrist
    back       (N,) radians by which the hand is drawn back
    span       (N,) part of its span to which a wing is folded
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


_BODY_POINTS, _BODY_FACES = spindle(_BODY)
_STILL = np.concatenate([_BODY_POINTS, np.array(_TAIL)])
_LEFT = len(_STILL)
_RIGHT = _LEFT + len(_WING)
_FACES = np.concatenate(
    [
        _BODY_FACES,
        np.array(_TAIL_FACES) + len(_BODY_POINTS),
        _WING_FACES + _LEFT,
        _WING_FACES[:, ::-1] + _RIGHT,
    ]
)


def _posed(arm: Array, hand: Array, back: Array, span: Array) -> Array:
    corners = np.empty((3, len(arm), _RIGHT + len(_WING)), np.float32)
    corners[:, :, :_LEFT] = _STILL.T[:, None, :]
    corners[:, :, _LEFT:_RIGHT] = wing = _wing(arm, hand, back, span)
    corners[:, :, _RIGHT:] = wing * np.array([1, -1, 1])[:, None, None]
    return corners


def pose(ids: Array, seconds: float, resting: Array) -> Array:
    """(3, N, V): beats in bouts, and glides between, each boid at its own time; folded at rest."""
    rate = BEATS * (1.0 + VARIED * (2.0 * own_number(ids, 1) - 1.0))
    beat = 2.0 * np.pi * (rate * seconds + own_number(ids, 0))
    bout = np.sin(2.0 * np.pi * (seconds / BOUT + own_number(ids, 2)))
    part = np.clip(2.5 * bout + 1.75, 0.0, 1.0)
    effort = np.where(resting, 0.0, part * part * (3.0 - 2.0 * part))
    return _beating(beat, effort, np.where(resting, FOLDED, 1.0))


def _beating(beat: Array, effort: Array, span: Array) -> Array:
    """(3, N, V) corners at moments of a beat, radians; 0: gliding."""
    arm = 0.1 + effort * (0.06 + ARM * np.sin(beat))
    hand = 0.02 + effort * HAND * np.sin(beat - 0.75)
    back = 0.12 + effort * BENT * np.maximum(np.cos(beat), 0.0)
    return _posed(arm, hand, back, span)


_none = np.zeros(1)
BIRD = Body(
    _FACES,
    np.arange(len(_FACES)) >= len(_BODY_FACES),
    pose,
    banks=True,
    beat=lambda angles: _beating(angles, np.ones_like(angles), np.ones_like(angles)),
    rest=_beating(_none, _none, _none + FOLDED)[:, 0],
)
