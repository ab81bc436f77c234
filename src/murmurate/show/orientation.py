"""Orient boids over time: along their headings, banked into curves, through loops without flips.

Films, and scenes for other programs, show boids in these orientations.
"""

from __future__ import annotations

import math

import numpy as np

from murmurate.show.projection import Array
from murmurate.show.shutter import find_ids

SMOOTH = 0.2  # seconds of film over which curves are averaged, because headings jitter
AGILITY = 1.0  # seconds: speed divided by gravity, that of a starling at 10 m/s
MAX_LIFT = 2.2  # largest sideways acceleration, in units of gravity: a bank angle of 65 degrees
MAX_ROLL = math.radians(10.0)  # between two pictures, more than the path turns
_TINY = np.float32(1e-6)


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
        self._banks = np.float32(0.0 if upright else banks)
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
        before, present = self._rows(self._headings, ids, (1.0, 0.0, 0.0))
        lift, _ = self._rows(self._lift, ids, (0.0, 0.0, 0.0))
        up, _ = self._rows(self._up, ids, (0.0, 0.0, 1.0))
        if not self._seen.all():
            present &= self._rows(self._seen[:, None], ids, (0.0,))[0][:, 0] > 0
        headings = _unit_vectors(velocities, before)
        factor = np.float32(self._rate * AGILITY)
        change = (headings - before) * factor
        change[~present] = 0
        size = np.sqrt(_dot(change, change))[:, None]
        change *= np.float32(MAX_LIFT) / np.maximum(size, np.float32(MAX_LIFT))
        self._lift = lift + (change - lift) * np.float32(self._part)
        level, weight = self._level(headings)
        if not self._upright:
            rolled = _roll(headings, _carry(up, before, headings), level, weight, before)
            level = np.where(present[:, None], rolled, level)
        self._ids, self._headings, self._up = ids, headings, level
        self._seen = np.isfinite(velocities).all(axis=1)

    def axes(self, velocities: Array, rows: Array) -> Array:
        """Return forward, left and up of some boids as (3, 3, K).

        velocities  (K, D), which may be those of a time before the picture
        rows  (K,) rows of the boids in the latest `update`
        """
        headings = self._headings[rows]
        forward = _unit_vectors(velocities, headings)
        up = _carry(self._up[rows], headings, forward)
        return np.stack([forward.T, _cross(up, forward).T, up.T])

    @property
    def forward_and_up(self) -> tuple[Array, Array]:
        """Return the headings and the up vectors, (N, 3) each."""
        return self._headings, self._up

    def quaternions(self) -> Array:
        """Return rotations (N, 4), x, y, z, w, from +X to the headings and from +Z to the up
        vectors."""
        forward, up = self._headings.astype(float), self._up.astype(float)
        (xx, yx, zx), (xy, yy, zy), (xz, yz, zz) = forward.T, _cross(up, forward).T, up.T
        trace = xx + yy + zz
        products = np.array([
            [1 + 2 * xx - trace, xy + yx, xz + zx, zy - yz],
            [xy + yx, 1 + 2 * yy - trace, yz + zy, xz - zx],
            [xz + zx, yz + zy, 1 + 2 * zz - trace, yx - xy],
            [zy - yz, xz - zx, yx - xy, 1 + trace],
        ])  # fmt: skip  # four times the product of each two components of a quaternion
        largest = np.argmax(products[range(4), range(4)], axis=0)
        out = products[largest, :, np.arange(len(forward))]
        return _normalise(out)

    def _level(self, headings: Array) -> tuple[Array, Array]:
        """Return unit vectors (N, 3) of the lift normal to the headings, and their weights (N,).

        The weight is 0 for a heading in the line of the lift, whose vector is then arbitrary.
        """
        lift = self._lift * self._banks
        lift[:, 2] += 1.0
        across = lift - _dot(lift, headings)[:, None] * headings
        weight = np.sqrt(_dot(across, across))
        vertical = weight < 1e-4
        across[vertical] = _cross(headings[vertical], np.array([[0, 1, 0]], np.float32))
        across = _normalise(across)
        steep = np.flatnonzero(weight < 0.1)  # where rounding may tilt a small vector
        part = headings[steep]
        across[steep] = _normalise(across[steep] - _dot(across[steep], part)[:, None] * part)
        return across, np.where(vertical, 0, np.minimum(weight, 1)).astype(np.float32)

    def _rows(self, rows: Array, ids: Array, new: tuple[float, ...]) -> tuple[Array, Array]:
        """Return rows for these ids, `new` for unknown ids; and (N,) whether each id was known."""
        if np.array_equal(ids, self._ids):
            return rows, np.ones(len(ids), bool)
        out = np.tile(np.array(new, np.float32), (len(ids), 1))
        present, index = find_ids(self._ids, ids)
        out[present] = rows[index]
        return out, present


def _carry(up: Array, before: Array, after: Array) -> Array:
    """Return up vectors (N, 3) turned with headings, by the smallest rotations between these.

    A boid that reverses turns about its up vector.
    """
    part = 1 + _dot(before, after)
    share = np.where(part > 1e-5, _dot(up, after) / np.maximum(part, 1e-5), 0)
    moved = up - share.astype(np.float32)[:, None] * (before + after)
    moved -= _dot(moved, after)[:, None] * after
    return _normalise(moved)


def _roll(headings: Array, up: Array, level: Array, weight: Array, before: Array) -> Array:
    """Return up vectors (N, 3) rolled about the headings towards `level`.

    A turn by angle a and a roll by angle b, whose axes are at right angles, are a rotation by the
    angle c with cos(c / 2) = cos(a / 2) cos(b / 2). So b is at most the angle for c = a + MAX_ROLL.
    """
    out = level.copy()
    free = (MAX_ROLL * weight) ** 2  # that angle is allowed for any turn; cos(x) < 1 - 0.49 x^2
    far = np.flatnonzero(_dot(up, level) < 1 - np.float32(0.49) * free)
    headings, up, level = headings[far], up[far], level[far]
    cosine, aside = _dot(before[far], headings), _cross(headings, up)
    tangent = np.sqrt(np.maximum(1 - cosine, 0) / np.maximum(1 + cosine, _TINY))  # of a / 2
    limit = math.cos(MAX_ROLL / 2) - math.sin(MAX_ROLL / 2) * tangent
    limit = 2 * np.arccos(np.clip(limit, -1, 1)) * weight[far]
    angle = np.arctan2(_dot(aside, level), _dot(up, level))
    roll = np.clip(angle, -limit, limit).astype(np.float32)[:, None]
    out[far] = np.cos(roll) * up + np.sin(roll) * aside
    return out


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("ij,ij->i", a, b)


def _cross(a: Array, b: Array) -> Array:
    (ax, ay, az), (bx, by, bz) = a.T, b.T
    out = np.empty_like(a)
    out[:, 0], out[:, 1], out[:, 2] = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    return out


def _normalise(vectors: Array) -> Array:
    size = np.sqrt(_dot(vectors, vectors))
    return np.asarray(vectors / np.maximum(size, _TINY)[:, None])


def _unit_vectors(velocities: Array, default: Array) -> Array:
    """Return (N, 3) float32 directions; those of `default` for boids at rest."""
    units = np.zeros((len(velocities), 3), np.float32)
    units[:, : velocities.shape[1]] = velocities
    size = np.sqrt(_dot(units, units))
    moving = np.isfinite(size) & (size > 0)
    if moving.all():
        return np.asarray(units / size[:, None])
    units[moving] /= size[moving, None]
    units[~moving] = default[~moving]
    return units
