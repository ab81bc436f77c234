"""Shapes of boids: orientation, closed surfaces, symmetry and wing beats."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest

from murmurate.exports.boid_shapes import SHAPES, beat_frames, phase_numbers, shape_of
from murmurate.model.shapes.outline import flat
from murmurate.model.view import Shape
from murmurate.show.body import BODIES

BIRD = SHAPES["bird"]
THIN = {name: body.thin for name, body in BODIES.items()}


@pytest.mark.parametrize("name", SHAPES)
def test_it_points_along_x_and_is_symmetric(name: str) -> None:
    """A fish is straight in the middle of its swing."""
    shape = SHAPES[name]
    assert np.ptp(shape.points[:, 0]) == pytest.approx(0.72 if name == "disc" else 1, abs=0.021)
    nose = shape.points[np.argmax(shape.points[:, 0])]
    assert nose[1] == pytest.approx(0, abs=1e-6) and nose[2] == pytest.approx(0, abs=1e-6)
    points = {tuple(point) for point in (shape.points.round(5) + 0.0).tolist()}
    assert points == {(x, -y + 0.0, z) for x, y, z in points}
    normals = flat(shape.points[shape.faces]).normals
    np.testing.assert_allclose(np.linalg.norm(normals, axis=2), 1, rtol=1e-6)


@pytest.mark.parametrize("name", SHAPES)
def test_the_body_is_closed_and_its_faces_point_outwards(name: str) -> None:
    """Wings and fins are thin and not part of the closed surface."""
    shape = SHAPES[name]
    faces = shape.faces[~THIN[name]] if name in THIN else shape.faces
    edges = [(face[i], face[(i + 1) % 3]) for face in faces.tolist() for i in range(3)]
    assert sorted(edges) == sorted((b, a) for a, b in edges)
    corners = shape.points[faces]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume > 0


def test_wings_and_tail_are_visible_from_above() -> None:
    thin = BIRD.points[BIRD.faces[THIN["bird"]]]
    assert len(thin) == 10 and (flat(thin).normals[:, 0, 2] > 0.7).all()


def test_wings_beat_about_their_roots_and_the_body_is_rigid() -> None:
    poses = np.stack([BIRD.at(2 * math.pi * k / 24) for k in range(25)])
    moved = np.ptp(poses, axis=0).max(axis=1)
    tips = [int(np.argmax(BIRD.points[:, 1])), int(np.argmin(BIRD.points[:, 1]))]
    still = np.unique(BIRD.faces[~THIN["bird"]])
    assert (moved[still] == 0).all() and moved.argmax() in tips and moved.max() > 0.5
    np.testing.assert_allclose(poses[0], poses[24], atol=1e-12)
    np.testing.assert_allclose(poses[:24].mean(axis=0), BIRD.points, atol=1e-12)


@pytest.mark.parametrize("name", BODIES)
def test_the_beat_is_that_of_films(name: str) -> None:
    """The first harmonic omits at most a tenth of the swing."""
    shape, body = SHAPES[name], BODIES[name]
    angles = np.linspace(0, 2 * np.pi, 17)
    theirs = body.beat(angles).transpose(1, 2, 0)
    ours = np.stack([shape.at(angle) for angle in angles.tolist()])
    assert np.abs(ours - theirs).max() < 0.16 * np.ptp(theirs, axis=0).max()


def test_a_perching_bird_has_folded_wings_and_a_rigid_shape_none() -> None:
    assert np.ptp(BIRD.folded[:, 1]) < 0.5 < np.ptp(BIRD.points[:, 1])
    assert not SHAPES["arrow"].beats and BIRD.beats and SHAPES["fish"].beats


def test_every_look_has_a_shape() -> None:
    words = get_args(Shape)
    assert set(SHAPES) == set(words) and all(shape_of(word, 3).name == word for word in words)
    assert [shape_of("auto", dims).name for dims in (2, 3)] == ["dart", "bird"]


def test_a_beat_is_an_integer_number_of_frames_and_groups_have_similar_sizes() -> None:
    assert [beat_frames(fps) for fps in (1, 24, 30, 60)] == [4, 8, 10, 20]
    groups = phase_numbers(np.arange(1000), 8)
    assert groups.dtype == np.int32
    counts = np.bincount(groups, minlength=8)
    assert counts.min() > 115 and counts.max() < 135
