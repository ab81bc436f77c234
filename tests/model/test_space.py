"""Periodic axes of a Space, by numbers worked out by hand: nearest images and wrapped positions."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.model.space import Boundary

CHANNEL = mm.Space(size=(10.0, 4.0), origin=(-2.0, 1.0), boundary=("periodic", "open"))


@pytest.mark.parametrize(
    ("vector", "image"),
    [
        ((3.0, 9.0), (3.0, 9.0)),
        ((6.0, 9.0), (-4.0, 9.0)),
        ((-6.0, 0.0), (4.0, 0.0)),
        ((26.0, -9.0), (-4.0, -9.0)),
        ((5.0, 0.0), (5.0, 0.0)),  # half a side: both images are equally near
    ],
)
def test_nearest_images(vector: tuple[float, float], image: tuple[float, float]) -> None:
    assert CHANNEL.minimum_image(vector).tolist() == list(image)


def test_the_image_nearest_to_a_prediction() -> None:
    """A boid that the velocity carries 18 to the right has crossed a side of 10 once or twice."""
    assert CHANNEL.minimum_image([[1.0, 0.0], [-1.0, 0.0]], near=[18.0, 0.0]).tolist() == [
        [21.0, 0.0],
        [19.0, 0.0],
    ]


@pytest.mark.parametrize(
    ("position", "inside"),
    [
        ((-2.0, 7.0), (-2.0, 7.0)),
        ((8.0, 0.0), (-2.0, 0.0)),  # the upper face is the lower one
        ((-3.0, 0.0), (7.0, 0.0)),
        ((38.5, -9.0), (-1.5, -9.0)),
        ((-2.0 - 1e-17, 0.0), (-2.0, 0.0)),
    ],
)
def test_wrapped_positions(position: tuple[float, float], inside: tuple[float, float]) -> None:
    assert CHANNEL.wrap(position).tolist() == list(inside)
    relative = [inside[0] + 2.0, inside[1]]
    assert CHANNEL.wrap_from_corner(position).tolist() == relative


def test_a_tiny_step_over_the_lower_face_stays_inside() -> None:
    """-1e-20 modulo 10 is rounded to 10, which is outside."""
    space = mm.Space(size=(10.0, 10.0), boundary="periodic")
    assert space.wrap([-1e-20, 9.0]).tolist() == [0.0, 9.0]


@pytest.mark.parametrize("boundary", ["open", "reflecting", "held"])
def test_other_axes_are_left_alone(boundary: Boundary) -> None:
    space = mm.Space(size=(1.0, 1.0, 1.0), boundary=boundary)
    points = np.array([[-7.0, 0.5, 9.0]])
    assert np.array_equal(space.wrap(points), points)
    assert np.array_equal(space.minimum_image(points), points)


@pytest.mark.parametrize("shape", [(2,), (5, 2), (3, 4, 2), (0, 2)])
def test_any_shape_whose_last_axis_has_coordinates(shape: tuple[int, ...]) -> None:
    points = np.random.default_rng(1).uniform(-50.0, 50.0, shape)
    before = points.copy()
    images, inside = CHANNEL.minimum_image(points), CHANNEL.wrap(points)
    assert images.shape == inside.shape == shape
    assert np.array_equal(points, before)
    sides = (points - images)[..., 0] / 10.0
    assert np.allclose(sides, np.round(sides)) and (np.abs(images[..., 0]) <= 5.0).all()
    assert ((inside[..., 0] >= -2.0) & (inside[..., 0] < 8.0)).all()


def test_missing_positions_stay_missing() -> None:
    points = np.array([[np.nan, np.nan], [9.0, 1.0]], np.float32)
    expected = [[np.nan, np.nan], [-1.0, 1.0]]
    assert np.array_equal(CHANNEL.wrap(points), expected, equal_nan=True)
    assert CHANNEL.wrap(points).dtype == CHANNEL.minimum_image(points).dtype == np.float64
    assert np.isnan(CHANNEL.minimum_image(points)[0]).all()
