"""Outlines of shapes, which films, exported scenes and pages draw."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from murmurate.model.shapes.turned import Turned

Array = np.ndarray

FEW = 8  # sides of a prism, whose edges are sharp
CREASE = math.cos(math.radians(45.0))  # of the angle between faces that meet in an edge


class Outline(NamedTuple):
    """Triangles and lines.

    corners, normals  (F, 3, 3) triangles, counterclockwise seen from the visible side, and unit
        normals at their corners
    lines  (L, 2, 3) the ends of lines
    """

    corners: Array
    normals: Array
    lines: Array

    def placed(self, position: Array, scale: Array) -> Outline:
        """Return it scaled along the axes, then moved to a position."""
        normals = self.normals / scale
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        return Outline(self.corners * scale + position, normals, self.lines * scale + position)


class Placement(NamedTuple):
    """Where the outline of an obstacle is.

    position, scale  (3,) length units
    rotation  (4,) unit quaternion x, y, z, w
    """

    position: Array
    scale: Array
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)


def polygon(shape: Turned, error: float) -> Array:
    """Return the cross section (K, 2), counterclockwise; `error` is the largest of a round one."""
    sides = shape.sides
    if sides > FEW:
        sides = max(sides, math.ceil(math.pi / math.sqrt(2.0 * error)))
    angles = _angles(sides)[:-1]
    circle: Array = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return circle * max(radius for radius, _ in shape.profile)


def _angles(sides: int) -> Array:
    """Return the directions of the corners of a cross section, the first one again at the end."""
    return np.pi / 4 + 2 * np.pi * (np.arange(sides + 1) % sides) / sides


@lru_cache
def turned(shape: Turned) -> Outline:
    """Return the outline of a surface of revolution or a prism."""
    profile = np.array(shape.profile, float)
    way = np.diff(profile, axis=0)
    faces = np.stack([way[:, 1], -way[:, 0]], axis=-1) / np.linalg.norm(way, axis=1)[:, None]
    # normals at the ends of each part of the profile; at an edge the parts have their own
    mirror = np.where(profile[[0, -1], :1] == 0.0, faces[[0, -1]] * (-1.0, 1.0), faces[[0, -1]])
    around = np.stack([np.concatenate([mirror[:1], faces]), np.concatenate([faces, mirror[1:]])], 1)
    mean = around.sum(axis=1)
    mean /= np.maximum(np.linalg.norm(mean, axis=1), 1e-9)[:, None]
    smooth = (around[:, :1] * around[:, 1:]).sum(axis=2) > CREASE
    begin = np.where(smooth, mean, around[:, 1])[:-1]
    end = np.where(smooth, mean, around[:, 0])[1:]

    angles = _angles(shape.sides)
    first, second = angles[:-1], angles[1:]
    points = [(profile[:-1], first), (profile[:-1], second), (profile[1:], second),
              (profile[1:], first)]  # fmt: skip
    if shape.sides <= FEW:
        first = second = first + np.pi / shape.sides
    normals = [(begin, first), (begin, second), (end, second), (end, first)]
    a, b, c, d = (_revolved(*each) for each in points)
    p, q, r, s = (_revolved(*each) for each in normals)
    below, above = profile[:-1, 0] > 0.0, profile[1:, 0] > 0.0
    corners = np.concatenate([np.stack([a, b, c], 2)[below].reshape(-1, 3, 3),
                              np.stack([a, c, d], 2)[above].reshape(-1, 3, 3)])  # fmt: skip
    lit = np.concatenate([np.stack([p, q, r], 2)[below].reshape(-1, 3, 3),
                          np.stack([p, r, s], 2)[above].reshape(-1, 3, 3)])  # fmt: skip
    lines = np.zeros((0, 2, 3))
    if shape.lines:
        rings = _revolved(profile[profile[:, 0] > 0.0], angles)
        uprights = rings[:, : shape.sides : shape.sides // shape.lines]
        lines = np.concatenate([
            np.stack([rings[:, :-1], rings[:, 1:]], axis=2).reshape(-1, 2, 3),
            np.stack([uprights[:-1], uprights[1:]], axis=2).reshape(-1, 2, 3),
        ])  # fmt: skip
    return Outline(corners, lit, lines)


def _revolved(profile: Array, angles: Array) -> Array:
    """Return points (P, A, 3) of a profile (P, 2) at angles (A,)."""
    radius, height = profile[:, :1], profile[:, 1:]
    along = np.broadcast_to(height, (len(profile), len(angles)))
    return np.stack([radius * np.cos(angles), radius * np.sin(angles), along], axis=-1)


def flat(corners: Array) -> Outline:
    """Return the outline of triangles (F, 3, 3) with flat faces."""
    a, b, c = np.asarray(corners, float).transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return Outline(corners, np.repeat(normal[:, None, :], 3, axis=1), np.zeros((0, 2, 3)))


def sheet(polygon: Array) -> Outline:
    """Return the outline of a convex polygon (K, 3), which may be empty."""
    fan = np.stack([np.repeat(polygon[:1], max(0, len(polygon) - 2), axis=0), polygon[1:-1],
                    polygon[2:]], axis=1)  # fmt: skip
    return flat(fan)._replace(lines=np.stack([polygon, np.roll(polygon, -1, axis=0)], axis=1))
