"""Opacity of discs and balls with known shadows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import blob, space_of

from murmurate.errors import MeasureError
from murmurate.measures import of_arrays, opacity, outer_opacity

AGREE = pytest.approx


def test_one_disc():
    pair = of_arrays([[0, 0], [3, 4]])
    assert opacity(pair) == AGREE(math.asin(0.1) / math.pi)
    assert opacity(pair, size=6.0) == AGREE(math.asin(0.6) / math.pi)
    assert opacity(pair, size=10.0) == 1  # they overlap


def test_one_ball():
    """(1 - cos a) / 2, sin a = r / d."""
    pair = of_arrays([[0, 0, 0], [0, 3, 4.0]])
    for size, directions, off in ((6.0, 1000, 0.005), (6.0, 20_000, 0.0005), (1.0, 20_000, 0.0005)):
        exact = (1 - math.sqrt(1 - (size / 10) ** 2)) / 2
        assert opacity(pair, size=size, directions=directions) == AGREE(exact, abs=off)


def test_discs_behind_each_other_and_side_by_side():
    """A disc hides a farther one; three separate discs add up."""
    row = np.array([[0, 0], [2, 0], [4, 0]])
    first = 2 * math.asin(0.25)  # the disc at distance 2
    assert opacity(of_arrays(row)) == AGREE((first + 2 * first + first) / (3 * 2 * math.pi))
    angle = np.arange(3) * 2 * math.pi / 3 + 0.1  # one is across the end of the circle
    star = 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    everyone = np.concatenate([[[0, 0]], star])
    side = 2 * math.asin(0.5 / (2 * math.sqrt(3)))
    centre, each = 3 * first, first + 2 * side
    assert opacity(of_arrays(everyone)) == AGREE((centre + 3 * each) / (4 * 2 * math.pi))


def test_a_ring_without_a_gap():
    """The view from its centre is completely covered."""
    ring = 2 * np.stack([f(np.arange(24) * math.pi / 12) for f in (np.cos, np.sin)], axis=1)
    around = opacity(of_arrays(ring), size=0.54)
    centre = np.array([[0, 0], *(100 * ring)])  # far from each other, equally far from the centre
    assert opacity(of_arrays(centre), size=54) * 25 == AGREE(1 + 24 * around, rel=0.1)


def test_arcs_by_brute_force():
    """Against many directions, each tested."""
    flock = blob("torus", 2, 12)
    looks = np.arange(100_000) / 100_000 * 2 * math.pi
    shares = []
    for i in range(12):
        dark = np.zeros(len(looks), bool)
        away = flock.positions - flock.positions[i]
        away -= 10 * np.round(away / 10)
        for x, y in np.delete(away, i, axis=0):
            half = math.asin(0.02 / math.hypot(x, y))
            dark |= np.abs((looks - math.atan2(y, x) + math.pi) % (2 * math.pi) - math.pi) < half
        shares.append(dark.mean())
    assert opacity(flock, size=0.04) == AGREE(np.mean(shares), abs=1e-4)


def test_a_part_of_the_boids_observes():
    flock = blob("open", 2, 400)
    everyone = opacity(flock, size=0.02, observers=400)
    assert opacity(flock, size=0.02) == AGREE(everyone, rel=0.1)


def test_across_the_edge_of_a_torus():
    pair = of_arrays([[9.5, 0, 0], [0.5, 0, 0]], space=space_of("torus", 3))
    assert opacity(pair, directions=20_000) == AGREE((1 - math.sqrt(0.75)) / 2, abs=0.001)


class TestFromOutside:
    def test_one_boid_is_its_own_outline(self):
        for dims in (2, 3):
            assert outer_opacity(of_arrays(np.zeros((1, dims)))) == AGREE(1, abs=0.01)

    def test_two_discs(self):
        """Shadows of width 1 at 10 |cos a|: 2 of 1 + 10 |cos a| are dark, or all if they meet."""
        pair = of_arrays([[0, 0], [10, 0]])
        gaps = 10 * np.abs(np.cos((np.arange(16) + 0.5) * math.pi / 16))
        exact = np.minimum(2, 1 + gaps) / (1 + gaps)
        assert outer_opacity(pair) == AGREE(exact.mean())

    def test_two_balls(self):
        """Two discs of area pi r^2 in an outline of pi r^2 + 2 r gap."""
        pair = of_arrays([[0, 0, 0], [0, 0, 10.0]], np.ones((2, 3)))
        result = outer_opacity(pair, views=60)
        gaps = 10 * np.sqrt(1 - ((np.arange(20_000) + 0.5) / 20_000) ** 2)
        both = np.where(gaps < 1, np.nan, math.pi / 2) / (math.pi / 4 + gaps)
        assert result == AGREE(np.nanmean(both), abs=0.02)

    def test_no_gap(self):
        grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2)
        assert outer_opacity(of_arrays(grid), size=1.5) == AGREE(1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"size": 0}, "^size: got 0"),
        ({"observers": 0}, "observers"),
        ({"directions": 1.5}, "whole"),
    ],
)
def test_invalid_options(options, says):
    with pytest.raises(MeasureError, match=says):
        opacity(blob("open", 3), **options)


def test_flocks_without_a_value():
    assert math.isnan(opacity(of_arrays(np.zeros((1, 2)))))
