"""Orient boids over time: along their headings, banked into curves, through loops without flips.

Films, and scenes for other programs, show boids in these orientations.
"""

from __future__ import annotations

import math

import numpy as np

from murmurate.jit import njit, stored
from murmurate.show.projection import Array
from murmurate.show.shutter import find_ids

SMOOTH = 0.2  # seconds of film over which curves are averaged, because headings jitter
AGILITY = 1.0  # seconds: speed divided by gravity, that of a starling at 10 m/s
MAX_LIFT = 2.2  # largest sideways acceleration, in units of gravity: a bank angle of 65 degrees
MAX_ROLL = math.radians(10.0)  # between two pictures, more than the path turns
_TINY = 1e-6


class Orientation:
    """Headings and up vectors of one flock over time. Boids are identified by id.

    The up vector of a boid is carried along its path: it turns with the heading by the smallest
    rotation (parallel transport). It then rolls towards the lift, by so much that a boid turns by
    at most MAX_ROLL more than its heading from one picture to the next, and the less the closer the
    heading is to the line of the lift. Where nothing limits it, it is normal to the wings:

    In a coordinated turn, the lift of a bird is normal to its wings. It balances gravity and
    provides the centripetal acceleration, speed times the rate of change of the heading. Boids that
    do not bank have a lift against gravity only: their wings are level.

    frames_per_second  of the film
    banks  whether boids roll into curves; bool, or (N, 1) for N boids that are always there
    upright  roll without a limit and do not bank: wings are level, and a boid that flies through
        the vertical turns over there
    """

    def __init__(
        self, frames_per_second: float, banks: bool | Array, upright: bool = False
    ) -> None:
        self._rate, self._upright = frames_per_second, upright
        self._banks = np.asarray(0.0 if upright else banks, np.float32)
        self._part = 1.0 - math.exp(-1.0 / (SMOOTH * frames_per_second))
        self._ids = np.zeros(0, np.int64)
        self._headings = np.zeros((0, 3), np.float32)
        self._up, self._lift = self._headings, self._headings
        self._seen = np.zeros(0, bool)

    def update(self, ids: Array, velocities: Array) -> None:
        """Update the orientations for the next picture, from velocities (N, D).

        Boids that join, and animals that were not seen before, begin with their wings level. A
        boid at rest keeps its heading, at first +X.
        """
        before, lift, up, present = self._of(ids)
        banks = np.ascontiguousarray(np.broadcast_to(self._banks.ravel(), len(ids)))
        self._ids, self._seen = ids, np.empty(len(ids), bool)
        self._headings, self._lift, self._up = (np.empty_like(before) for _ in range(3))
        _turn_boids(
            np.ascontiguousarray(velocities, np.float32), present, before, lift, up, banks,
            self._rate * AGILITY, self._part, self._upright, self._headings, self._lift, self._up,
            self._seen,
        )  # fmt: skip

    def axes(self, velocities: Array, rows: Array) -> Array:
        """Return forward, left and up of some boids as (3, 3, K).

        velocities  (K, D), which may be those of a time before the picture
        rows  (K,) rows of the boids in the latest `update`
        """
        axes = np.empty((3, 3, len(rows)), np.float32)
        velocities = np.ascontiguousarray(velocities, np.float32)
        _fill_axes(velocities, rows, self._headings, self._up, axes)
        return axes

    @property
    def forward_and_up(self) -> tuple[Array, Array]:
        """Return the headings and the up vectors, (N, 3) each."""
        return self._headings, self._up

    def quaternions(self) -> Array:
        """Return rotations (N, 4), x, y, z, w, from +X to the headings and from +Z to the up
        vectors."""
        forward, up = self._headings.astype(float), self._up.astype(float)
        (xx, yx, zx), (xy, yy, zy), (xz, yz, zz) = forward.T, np.cross(up, forward).T, up.T
        trace = xx + yy + zz
        products = np.array([
            [1 + 2 * xx - trace, xy + yx, xz + zx, zy - yz],
            [xy + yx, 1 + 2 * yy - trace, yz + zy, xz - zx],
            [xz + zx, yz + zy, 1 + 2 * zz - trace, yx - xy],
            [zy - yz, xz - zx, yx - xy, 1 + trace],
        ])  # fmt: skip  # four times the product of each two components of a quaternion
        largest = np.argmax(products[range(4), range(4)], axis=0)
        out = products[largest, :, np.arange(len(forward))]
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))

    def _of(self, ids: Array) -> tuple[Array, Array, Array, Array]:
        """Return headings, lifts, up vectors and whether they were seen, of these boids before."""
        latest = self._headings, self._lift, self._up, self._seen
        if np.array_equal(ids, self._ids):
            return latest
        present, index = find_ids(self._ids, ids)
        headings, lifts, ups = np.zeros((3, len(ids), 3), np.float32)
        seen = np.zeros(len(ids), bool)
        headings[:, 0], ups[:, 2] = 1.0, 1.0
        out = headings, lifts, ups, seen
        for rows, old in zip(out, latest, strict=True):
            rows[present] = old[index]
        return out


# --- compiled loops, whose vectors are tuples


@njit()
def _along(a, b):  # type: ignore[no-untyped-def]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit()
def _plus(a, share, b):  # type: ignore[no-untyped-def]
    return a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]


@njit()
def _across(a, b):  # type: ignore[no-untyped-def]
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit()
def _unit(a):  # type: ignore[no-untyped-def]
    return _plus((0.0, 0.0, 0.0), 1.0 / max(math.sqrt(_along(a, a)), _TINY), a)


@njit()
def _heading(velocities, i, default):  # type: ignore[no-untyped-def]
    """Return the direction of a velocity; the default of a boid at rest."""
    x, y = float(velocities[i, 0]), float(velocities[i, 1])
    z = float(velocities[i, 2]) if velocities.shape[1] > 2 else 0.0
    size = math.sqrt(x * x + y * y + z * z)
    return (x / size, y / size, z / size) if 0.0 < size < math.inf else default


@njit()
def _carry(up, before, after):  # type: ignore[no-untyped-def]
    """Return an up vector turned with a heading, by the smallest rotation.

    A boid that reverses turns about its up vector.
    """
    part = 1.0 + _along(before, after)
    share = _along(up, after) / part if part > 1e-5 else 0.0
    moved = _plus(up, -share, _plus(before, 1.0, after))
    return _unit(_plus(moved, -_along(moved, after), after))


@njit()
def _level(lift, heading):  # type: ignore[no-untyped-def]
    """Return the unit vector of the lift normal to the heading, and its weight.

    The weight is 0 for a heading in the line of the lift, whose vector is then arbitrary.
    """
    level = _plus(lift, -_along(lift, heading), heading)
    weight = math.sqrt(_along(level, level))
    if weight < 1e-4:
        level, weight = _across(heading, (0.0, 1.0, 0.0)), 0.0
    level = _unit(level)  # and again, because rounding may tilt a small vector
    return _unit(_plus(level, -_along(level, heading), heading)), min(weight, 1.0)


@njit()
def _roll(heading, up, level, weight, before):  # type: ignore[no-untyped-def]
    """Return an up vector rolled about the heading towards `level`.

    A turn by angle a and a roll by angle b, whose axes are at right angles, are a rotation by the
    angle c with cos(c / 2) = cos(a / 2) cos(b / 2). So b is at most the angle for c = a + MAX_ROLL.
    """
    free = (MAX_ROLL * weight) ** 2  # that angle is allowed for any turn; cos(x) < 1 - 0.49 x^2
    if _along(up, level) >= 1.0 - 0.49 * free:
        return level
    cosine, aside = _along(before, heading), _across(heading, up)
    tangent = math.sqrt(max(1.0 - cosine, 0.0) / max(1.0 + cosine, _TINY))  # of a / 2
    limit = math.cos(MAX_ROLL / 2) - math.sin(MAX_ROLL / 2) * tangent
    limit = 2.0 * math.acos(min(max(limit, -1.0), 1.0)) * weight
    angle = math.atan2(_along(aside, level), _along(up, level))
    roll = min(max(angle, -limit), limit)
    return _plus(_plus((0.0, 0.0, 0.0), math.cos(roll), up), math.sin(roll), aside)


@njit()
def _vector(rows, i):  # type: ignore[no-untyped-def]
    return float(rows[i, 0]), float(rows[i, 1]), float(rows[i, 2])


@stored(error_model="numpy")
def _turn_boids(  # type: ignore[no-untyped-def]
    velocities, present, before, lift, up, banks, rate, part, upright, headings, lifts, ups,
    seen,
):  # fmt: skip
    """Fill headings, lifts and ups (N, 3) of the next picture; seen: velocities are finite."""
    for i in range(len(before)):
        old, pull = _vector(before, i), _vector(lift, i)
        heading, seen[i] = _heading(velocities, i, old), True
        for k in range(velocities.shape[1]):
            seen[i] &= math.isfinite(velocities[i, k])
        change = (0.0, 0.0, 0.0)
        if present[i]:
            change = _plus(_plus(change, rate, heading), -rate, old)
        size = math.sqrt(_along(change, change))
        pull = _plus(_plus(pull, -part, pull), part * min(MAX_LIFT / size, 1.0), change)
        level, weight = _level(_plus((0.0, 0.0, 1.0), banks[i], pull), heading)
        if present[i] and not upright:
            level = _roll(heading, _carry(_vector(up, i), old, heading), level, weight, old)
        for k in range(3):
            headings[i, k], lifts[i, k], ups[i, k] = heading[k], pull[k], level[k]


@stored(error_model="numpy")
def _fill_axes(velocities, rows, headings, ups, axes):  # type: ignore[no-untyped-def]
    """Fill forward, left and up (3, 3, K) of the boids of some rows."""
    for i in range(len(rows)):
        heading = _vector(headings, rows[i])
        forward = _heading(velocities, i, heading)
        up = _carry(_vector(ups, rows[i]), heading, forward)
        left = _across(up, forward)
        for k in range(3):
            axes[0, k, i], axes[1, k, i], axes[2, k, i] = forward[k], left[k], up[k]
