"""A small bird: a mesh of length 1 that flies along +X, its back to +Z."""

from __future__ import annotations

import numpy as np

Array = np.ndarray

NOSE, BACK, BELLY, ROOT = (0.5, 0, 0), (0.08, 0, 0.1), (0.1, 0, -0.09), (-0.34, 0, 0)
FLANK, TAIL = (0.1, 0.08, 0), (-0.5, 0.13, 0)  # on the left; mirrored on the right
LEADING, TRAILING = (0.24, 0.05, 0.03), (-0.02, 0.05, 0.03)
WRIST, TIP = (0.16, 0.3, 0.08), (-0.2, 0.6, 0.05)

# The left half: body above and below, tail, wing. Seen from outside, or above, corners turn left.
LEFT = [
    (NOSE, FLANK, BACK), (BACK, FLANK, ROOT), (NOSE, BELLY, FLANK), (FLANK, BELLY, ROOT),
    (ROOT, TAIL, (-0.46, 0, 0)), (LEADING, WRIST, TRAILING), (WRIST, TIP, TRAILING),
]  # fmt: skip


def triangles() -> Array:
    """(triangles, 3 corners, 3 axes) float32. Wings and tail are thin: seen from both sides."""
    left = np.array(LEFT, float)
    right = left[:, ::-1] * [1, -1, 1]
    return np.concatenate([left, right]).astype(np.float32)


def normals(corners: Array) -> Array:
    """(triangles, 3, 3) float32 unit normals of flat faces, the same at each corner."""
    a, b, c = corners.astype(float).transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    return np.repeat(across[:, None, :], 3, axis=1).astype(np.float32)
