"""Order, milling, speed and states against values by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import gas, run

from murmurate.measures import (
    absolute_milling,
    angular_momentum,
    aspect_ratio,
    binder_cumulant,
    group_speed,
    milling,
    nematic_order,
    of_arrays,
    polarization,
    signed_milling,
    speed_spread,
    state,
    state_of,
    susceptibility,
)

AGREE = pytest.approx


def ring(count=12, radius=2.0, turn=1.0, speed=1.0):
    angle = 2 * np.pi * np.arange(count) / count
    out = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    along = turn * speed * np.stack([-out[:, 1], out[:, 0]], axis=1)
    return 5 + radius * out, along, out


class TestMilling:
    @pytest.mark.parametrize("turn", [1, -1])
    def test_perfect_mill(self, turn):
        x, v, _ = ring(turn=turn)
        mill = of_arrays(x, v)
        assert milling(mill) == AGREE(1)
        assert signed_milling(mill) == AGREE(turn)
        assert absolute_milling(mill) == AGREE(1)
        assert angular_momentum(mill) == AGREE(1)
        assert polarization(mill) == AGREE(0, abs=1e-12)
        assert state(mill) == "milling"

    def test_explosion(self):
        x, _, out = ring()
        bang = of_arrays(x, out)
        for measure in (milling, signed_milling, absolute_milling, angular_momentum, polarization):
            assert measure(bang) == AGREE(0, abs=1e-12)
        assert state(bang) == "swarm"

    def test_double_mill(self):
        (x, v, _), (y, w, _) = ring(8, 1), ring(8, 3, turn=-1)
        both = of_arrays(np.concatenate([x, y]), np.concatenate([v, w]))
        assert milling(both) == AGREE(0, abs=1e-12)
        assert absolute_milling(both) == AGREE(1)
        # 8 at radius 1 one way, 8 at radius 3 the other: (3 - 1) / (3 + 1)
        assert angular_momentum(both) == AGREE(0.5)

    def test_upright_mill_has_no_sign(self):
        x, v, _ = ring()
        flat, still = np.full((12, 3), 5.0), np.zeros((12, 3))
        flat[:, [0, 2]], still[:, [0, 2]] = x, v
        upright = of_arrays(flat, still)
        assert milling(upright) == AGREE(1)
        assert absolute_milling(upright) == AGREE(1)
        assert signed_milling(upright) == AGREE(0, abs=1e-12)

    def test_seen_from_above(self):
        x, v, _ = ring(turn=-1)
        level = of_arrays(np.column_stack([x, x[:, 0] * 0]), np.column_stack([v, v[:, 0] * 0]))
        assert signed_milling(level) == AGREE(-1)

    @pytest.mark.parametrize(("dims", "mean"), [(2, 2 / math.pi), (3, math.pi / 4)])
    def test_random_headings(self, dims, mean):
        assert absolute_milling(gas(dims, 20_000, kind="open")) == AGREE(mean, abs=0.01)


class TestNematic:
    @pytest.mark.parametrize("dims", [2, 3])
    def test_opposite_directions_on_a_line(self, dims):
        v = np.zeros((4, dims))
        v[:, 0] = [1, 2, -1, -3]
        columns = of_arrays(np.zeros((4, dims)), v)
        assert nematic_order(columns) == AGREE(1)

    def test_two_lines(self):
        cross = of_arrays(np.zeros((4, 2)), [[1, 0], [-1, 0], [0, 1], [0, -1]])
        assert nematic_order(cross) == AGREE(0, abs=1e-12)

    def test_as_an_angle(self):
        theta = np.random.default_rng(1).uniform(0, 2, 50)
        v = np.stack([np.cos(theta), np.sin(theta)], axis=1)
        exact = abs(np.exp(2j * theta).mean())
        assert nematic_order(of_arrays(v, v)) == AGREE(exact)

    def test_flat_headings_in_3d(self):
        theta = np.arange(8) * np.pi / 4
        v = np.stack([np.cos(theta), np.sin(theta), 0 * theta], axis=1)
        assert nematic_order(of_arrays(v, v)) == AGREE(0.25)  # (3/2 * 1/2 - 1/2)

    def test_boids_at_rest_count(self):
        assert nematic_order(of_arrays(np.zeros((2, 2)), [[1, 0], [0, 0]])) == AGREE(0.5)


def test_speeds():
    flock = of_arrays(np.zeros((2, 2)), [[3, 4], [0, -1]])
    assert speed_spread(flock) == AGREE(2)
    assert group_speed(flock) == AGREE(math.hypot(1.5, 1.5))


@pytest.mark.parametrize(
    ("order", "rotation", "word"),
    [
        (0.9, 0.1, "polarized"),
        (0.1, 0.9, "milling"),
        (0.1, 0.1, "swarm"),
        (0.5, 0.1, "transition"),
        (0.9, 0.5, "transition"),
        (0.65, 0.1, "transition"),
        (math.nan, 0.1, "none"),
    ],
)
def test_state(order, rotation, word):
    assert state_of(order, rotation) == word


def test_order_over_frames():
    """Alternating frames of polarization 1 and 0: variance 1/4, and 1 - (1/2) / (3/4)."""
    pair = of_arrays(np.zeros((2, 2)), [[1, 0], [1, 0]])
    other = of_arrays(np.zeros((2, 2)), [[1, 0], [-1, 0]])
    frames = run([pair, other] * 40)
    assert susceptibility(frames).value == AGREE(2 / 4)
    assert binder_cumulant(frames).value == AGREE(1 / 3)


def test_frames_without_boids_do_not_count():
    """Neither in the variance nor in the mean number of boids."""
    pair = of_arrays(np.zeros((2, 2)), [[1, 0], [1, 0]])
    other = of_arrays(np.zeros((2, 2)), [[1, 0], [-1, 0]])
    unseen = of_arrays(np.full((2, 2), np.nan), np.full((2, 2), np.nan))
    frames = run([pair, unseen, other, unseen] * 40)
    assert susceptibility(frames).value == AGREE(2 / 4)


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("side", [10.0, 7.0, 3.1])
def test_boids_at_one_position_on_a_torus_are_their_own_centre(dims, side):
    """A single one has no order."""
    for seed in range(40):
        single = gas(dims, 1, side, seed=seed)
        assert all(math.isnan(of(single)) for of in (polarization, nematic_order, milling))
        assert math.isnan(signed_milling(single)) and math.isnan(absolute_milling(single))
        pair = of_arrays(
            single.positions.repeat(2, 0), single.velocities.repeat(2, 0), single.space
        )
        assert milling(pair) == 0
        assert math.isnan(angular_momentum(pair)) and math.isnan(aspect_ratio(pair))
        assert (state(single), state(pair)) == ("none", "polarized")


def test_susceptibility_of_random_headings():
    """1 - pi/4 in 2-D."""
    random = np.random.default_rng(5)
    flocks = [of_arrays(np.zeros((200, 2)), random.normal(size=(200, 2))) for _ in range(600)]
    result = susceptibility(flocks)
    assert result.agrees(1 - math.pi / 4)
    assert result.error < 0.03
    assert binder_cumulant(flocks).agrees(1 / 3)
