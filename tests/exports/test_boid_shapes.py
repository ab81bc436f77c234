"""Shapes of boids: how they lie, that they are closed and the same on both sides, and flap."""

from __future__ import annotations

import math

import numpy as np
import pytest

from murmurate.exports.boid_shapes import BIRD, DART, beat_frames, normals, phase_numbers

SHAPES = {"bird": BIRD, "dart": DART}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_it_flies_along_x_and_is_the_same_on_both_sides(shape) -> None:
    assert np.ptp(shape.points[:, 0]) == pytest.approx(1)
    nose = shape.points[np.argmax(shape.points[:, 0])]
    assert nose[1] == nose[2] == 0
    points = {tuple(point) for point in shape.points.tolist()}
    assert points == {(x, -y + 0.0, z) for x, y, z in points}
    flat = normals(shape.points[shape.faces])
    np.testing.assert_allclose(np.linalg.norm(flat, axis=2), 1, rtol=1e-6)


def edges(faces: np.ndarray) -> list[tuple[int, int]]:
    return [(face[i], face[(i + 1) % 3]) for face in faces.tolist() for i in range(3)]


def body(shape) -> np.ndarray:
    """The faces that are not wings or tail, which are thin."""
    corners = shape.points[shape.faces]
    thin = (np.abs(corners[..., 1]).max(axis=1) > 0.1 + 1e-9) | (
        corners[..., 0].min(axis=1) < -0.35
    )
    return shape.faces[~thin] if shape is BIRD else shape.faces


@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_the_body_is_closed_and_its_faces_turn_outwards(shape) -> None:
    faces = body(shape)
    found = edges(faces)
    assert sorted(found) == sorted((b, a) for a, b in found)
    corners = shape.points[faces]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume > 0


def test_wings_and_tail_are_seen_from_above() -> None:
    rest = np.array([face for face in BIRD.faces if face.tolist() not in body(BIRD).tolist()])
    assert len(rest) == 14
    assert (normals(BIRD.points[rest])[:, 0, 2] > 0.9).all()


def test_wings_beat_about_their_roots_and_the_body_keeps_still() -> None:
    wings = np.abs(BIRD.points[:, 1]) > 0.1 + 1e-9
    wings &= BIRD.points[:, 0] > -0.35
    tip = np.argmax(BIRD.points[:, 1])
    heights = [BIRD.at(2 * math.pi * k / 24)[:, 2] for k in range(25)]
    moved = np.ptp(heights, axis=0)
    assert (moved[~wings] < 1e-12).all() and moved[wings].min() > 0.05
    assert moved.argmax() in (tip, np.argmin(BIRD.points[:, 1])) and moved.max() > 0.5
    np.testing.assert_allclose(heights[0], heights[24], atol=1e-12)
    np.testing.assert_allclose(np.mean(heights[:24], axis=0), BIRD.points[:, 2], atol=1e-12)


def test_folded_wings_lie_on_the_back() -> None:
    folded = BIRD.folded
    body_part = np.abs(BIRD.points[:, 1]) <= 0.1
    np.testing.assert_array_equal(folded[body_part], BIRD.points[body_part])
    assert np.ptp(folded[:, 1]) < 0.25 and folded[:, 0].min() >= -0.6


def test_a_beat_is_a_whole_number_of_frames_and_groups_are_of_like_size() -> None:
    assert [beat_frames(fps) for fps in (1, 24, 30, 60)] == [4, 8, 10, 20]
    groups = phase_numbers(np.arange(1000), 8)
    assert groups.dtype == np.int32
    counts = np.bincount(groups, minlength=8)
    assert counts.min() > 115 and counts.max() < 135
