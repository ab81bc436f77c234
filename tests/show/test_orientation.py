"""Orientations of boids in films and scenes: along headings, banked, without flips of roll."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from murmurate.show.orientation import MAX_ROLL, Orientation

RATE = 24.0  # pictures per second
ALMOST = np.radians(0.05)  # of float32


def series(velocities, banks=True, upright=False, ids=None):
    """Return the rotations of boids, of each picture, for velocities (T, N, 3)."""
    orientation = Orientation(RATE, banks, upright)
    out = []
    for present in np.asarray(velocities):
        orientation.update(np.arange(len(present)) if ids is None else ids, np.float32(present))
        out.append(Rotation.from_quat(orientation.quaternions()))
    return out


def steps(rotations):
    """Return the angle (T - 1, N) by which each boid turns from picture to picture."""
    return np.array([(after * before.inv()).magnitude() for before, after in pairwise(rotations)])


def heading_changes(velocities):
    """Return the angle (T - 1, N) by which headings turn; 0 for a boid at rest."""
    speed = np.linalg.norm(velocities, axis=-1, keepdims=True)
    units = np.where(speed > 0, velocities, np.nan) / np.where(speed > 0, speed, 1)
    units[0] = np.where(np.isnan(units[0]), [1.0, 0, 0], units[0])
    for k in range(1, len(units)):
        units[k] = np.where(np.isnan(units[k]), units[k - 1], units[k])
    across = np.linalg.norm(np.cross(units[1:], units[:-1]), axis=-1)
    return np.arctan2(across, (units[1:] * units[:-1]).sum(axis=-1))


def loop(per_picture, pictures=60):
    """Return the velocities (T, 1, 3) of a vertical loop."""
    angle = np.radians(per_picture * np.arange(pictures))
    return np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)[:, None]


def curves(seed, boids=60, pictures=80):
    """Return velocities (T, N, 3) of smooth curves: loops, climbs, dives, spirals, reversals, rest.

    Headings turn about an axis that wanders; some boids pass the vertical exactly.
    """
    draw = np.random.default_rng(seed)
    heading = draw.normal(size=(boids, 3))
    heading[: boids // 4, 1] = 0  # in a vertical plane
    axis = draw.normal(size=(boids, 3))
    axis[: boids // 4] = [0, 1, 0]
    axis[boids // 4 : boids // 3] = [0, 0, 1]
    rate = np.radians(draw.choice([0, 2, 7.5, 15, 30, 90, 179], boids))
    wander = draw.choice([0, 0.02, 0.3], boids) * (np.arange(boids) >= boids // 3)
    out = np.empty((pictures, boids, 3))
    for k in range(pictures):
        out[k] = heading / np.linalg.norm(heading, axis=1, keepdims=True)
        axis = axis + wander[:, None] * draw.normal(size=(boids, 3))
        turn = rate[:, None] * axis / np.linalg.norm(axis, axis=1, keepdims=True)
        heading = Rotation.from_rotvec(turn).apply(heading)
    out *= draw.uniform(0.1, 30, (1, boids, 1))
    out[20:30, ::7] = 0  # they rest
    return out


@pytest.mark.parametrize("banks", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_a_boid_rotates_at_most_max_roll_more_than_its_path(seed, banks):
    velocities = curves(seed)
    rotations = series(velocities, banks)
    excess = steps(rotations) - heading_changes(velocities)
    assert excess.max() <= MAX_ROLL + ALMOST
    for present, rotation in zip(velocities, rotations, strict=True):
        moving = np.linalg.norm(present, axis=1) > 0
        noses = rotation.apply([1, 0, 0])[moving]
        units = present[moving] / np.linalg.norm(present[moving], axis=1, keepdims=True)
        np.testing.assert_allclose(noses, units, atol=1e-5)


@pytest.mark.parametrize("per_picture", [1, 3, 15, 22.5, 45, 90])
@pytest.mark.parametrize("banks", [True, False])
def test_no_flip_in_a_vertical_loop(per_picture, banks):
    velocities = loop(per_picture, round(400 / per_picture))
    assert steps(series(velocities, banks, upright=True)).max() > np.radians(170)  # the old fault
    assert steps(series(velocities, banks)).max() < np.radians(per_picture) + MAX_ROLL + ALMOST


def test_a_bird_hardly_rolls_in_a_loop():
    """Its lift points to the centre, so it is on its back at the top."""
    rotations = series(loop(15))
    left = np.array([rotation.apply([0, 1, 0])[0] for rotation in rotations])
    assert left[:, 1].min() > 0.98
    assert rotations[36].apply([0, 0, 1])[0, 2] < -0.98


@pytest.mark.parametrize("banks", [True, False])
def test_wings_are_level_soon_after_a_loop(banks):
    straight = np.tile([1.0, 0.1, 0.3], (50, 1, 1))
    up = series(np.concatenate([loop(15, 13), straight]), banks)
    assert up[12].apply([0, 0, 1])[0, 2] < -0.2 or not banks
    heading = straight[0, 0] / np.linalg.norm(straight[0, 0])
    level = np.array([0, 0, 1]) - heading[2] * heading
    np.testing.assert_allclose(up[-1].apply([0, 0, 1])[0], level / np.linalg.norm(level), atol=2e-3)


def test_ordinary_flight_is_as_upright_flight():
    """Level, climbing and descending curves of 5 degrees a picture have level wings throughout."""
    k = np.arange(200)
    for climb in (0, 30, -55):
        yaw, pitch = np.radians(5 * k), np.radians(climb) * np.minimum(k / 20, 1)
        flat = np.cos(pitch)
        velocities = np.stack([flat * np.cos(yaw), flat * np.sin(yaw), np.sin(pitch)], 1)[:, None]
        for carried, upright in zip(
            series(velocities, False), series(velocities, False, True), strict=True
        ):
            assert (carried * upright.inv()).magnitude().max() < ALMOST


def test_upright_boids_have_level_wings():
    velocities = np.random.default_rng(1).normal(size=(20, 50, 3))
    for rotation in series(velocities, True, upright=True):
        assert np.abs(rotation.apply([0, 1, 0])[:, 2]).max() < 1e-6  # wing tips
        assert rotation.apply([0, 0, 1])[:, 2].min() >= -1e-6  # never on its back


def test_a_boid_at_rest_keeps_its_orientation():
    velocities = np.zeros((12, 2, 3))
    velocities[:8, 0] = loop(15, 8)[:, 0]
    rotations = series(velocities, False)
    np.testing.assert_allclose(rotations[3][1].as_quat(), [0, 0, 0, 1])
    assert steps(rotations)[:, 1].max() < 1e-6
    noses = [rotation[0].apply([1, 0, 0]) for rotation in rotations[7:]]
    np.testing.assert_allclose(noses, np.tile(noses[0], (5, 1)), atol=1e-6)


@pytest.mark.parametrize("heading", [(1, 0, 0), (0, 3, -2), (0, 0, 1), (0, 0, -1), (1e-9, 0, 1)])
def test_boids_that_join_or_are_seen_again_begin_upright(heading):
    orientation = Orientation(RATE, True)
    turning = loop(15)[:, 0]
    for k in range(13):  # the first is on its back
        orientation.update(np.array([4]), np.float32(turning[k : k + 1]))
    velocities = np.float32([turning[13], heading])
    orientation.update(np.array([4, 9]), velocities)
    joined = Rotation.from_quat(orientation.quaternions())[1]
    (upright,) = series([[heading]], True, upright=True)
    assert (joined * upright[0].inv()).magnitude() < 1e-6
    orientation.update(np.array([4]), np.float32([[np.nan] * 3]))
    orientation.update(np.array([4]), np.float32([heading]))
    again = Rotation.from_quat(orientation.quaternions())[0]
    lifted = again.apply([0, 1, 0])
    assert again.apply([0, 0, 1])[2] >= -1e-6 and np.isfinite(lifted).all()


class TestBanking:
    def turning(self, rate, pictures=40):
        """Return the axes of a boid that turns left by `rate` radians per second."""
        orientation = Orientation(RATE, True)
        for number in range(pictures):
            turn = rate * number / RATE
            last = np.float32([[3 * np.cos(turn), 3 * np.sin(turn), 0]])
            orientation.update(np.arange(1), last)
        return orientation.axes(last, np.arange(1))[..., 0]

    def test_axes_are_square_and_forward_is_the_heading(self):
        orientation = Orientation(RATE, True)
        draw = np.random.default_rng(3)
        for _ in range(3):
            velocities = np.float32(draw.normal(size=(200, 3)))
            orientation.update(np.arange(200), velocities)
        earlier = np.float32(velocities + 0.3 * draw.normal(size=(200, 3)))
        for of_axes in (velocities, earlier):
            axes = orientation.axes(of_axes, np.arange(200))
            for k in range(3):
                for j in range(3):
                    assert np.allclose((axes[k] * axes[j]).sum(axis=0), k == j, atol=1e-5)
            assert np.linalg.det(axes.transpose(2, 0, 1)).min() > 0.99
            units = of_axes / np.linalg.norm(of_axes, axis=1, keepdims=True)
            np.testing.assert_allclose(axes[0].T, units, atol=1e-6)
        turned = Rotation.from_quat(orientation.quaternions()).as_matrix()
        axes = orientation.axes(velocities, np.arange(200))
        np.testing.assert_allclose(turned, axes.transpose(2, 1, 0), atol=1e-5)

    def test_straight_flight_is_level_and_curves_bank_inwards(self):
        _, left, up = self.turning(0.0)
        assert np.allclose(up, (0, 0, 1), atol=1e-6) and left[2] == 0
        _, left, up = self.turning(1.0)
        assert left[2] < -0.4  # the left wing points down
        bank_angle = np.degrees(np.arccos(up[2]))
        assert bank_angle == pytest.approx(45, abs=4)  # tan of it: speed times turn over gravity
        assert self.turning(-1.0)[1][2] > 0.4

    def test_bank_angles_are_limited(self):
        assert np.degrees(np.arccos(self.turning(9.0)[2][2])) < 67

    def test_orientations_follow_ids(self):
        orientation = Orientation(RATE, True)
        for number in range(30):
            turn = number / RATE
            curve = (np.cos(turn), np.sin(turn), 0)
            orientation.update(np.array([4, 7]), np.float32([curve, (1, 0, 0)]))
        later = np.float32([(1, 0, 0), curve])
        orientation.update(np.array([2, 4]), later)
        up = orientation.axes(later, np.arange(2))[2]
        assert up[2, 0] == pytest.approx(1.0) and up[2, 1] < 0.8

    def test_vertical_motion_and_rest(self):
        orientation = Orientation(RATE, True)
        odd = np.float32([(0, 0, 1), (0, 0, 0), (np.nan, 0, 0)])
        orientation.update(np.arange(3), odd)
        assert np.isfinite(orientation.axes(odd, np.arange(3))).all()
