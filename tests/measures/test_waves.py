"""Turns and escapes that spread at known speeds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import run, space_of

from murmurate.errors import MeasureError
from murmurate.measures import escape_speed, escaped, of_arrays, turn_exponent, turn_speed, turned

AGREE = pytest.approx
PLACES = np.stack([np.arange(30.0), np.zeros(30)], axis=1)


def turning(law, positions=PLACES, space=None, frames=960):
    """Return frames in which boid k turns at law[k]."""
    flocks = []
    for time in np.arange(frames) / 8:
        angle = np.where((law < time + 1e-9) & (time > 0), 0.1, 0.0)
        flocks.append(of_arrays(positions, np.stack([np.cos(angle), np.sin(angle)], 1), space))
    return run(flocks, 1 / 8)


class TestTurning:
    def test_a_wave_and_diffusion_along_a_line(self):
        """The boid at k turns at k / 2, or k^2 / 8: speed 2, exponents 1 and 1/2."""
        frames = turning(np.arange(30) / 2)
        assert float(turn_speed(frames)) == AGREE(2, rel=0.01)
        assert float(turn_exponent(frames)) == AGREE(1, rel=0.05)
        assert float(turned(frames)) == 1
        result = turn_exponent(turning(np.arange(30) ** 2 / 8))
        assert result.value == AGREE(0.5, rel=0.05) and 0 < result.error < 0.01

    def test_across_the_edge_of_a_torus(self):
        """In both directions from the boid at 2, on a ring of 10."""
        away = np.minimum(np.arange(10), 10 - np.arange(10))
        positions = np.stack([(2.0 + np.arange(10)) % 10, np.ones(10)], axis=1)
        result = turn_speed(turning(away / 4, positions, space_of("torus", 2), 30))
        assert result.value == AGREE(4, rel=0.05)

    def test_an_angle(self):
        frames = turning(np.arange(30) / 2)
        assert float(turned(frames, angle=0.2)) == 0
        assert math.isnan(float(turn_speed(frames, angle=0.2)))
        for angle in (0, -1, math.pi, math.inf):
            with pytest.raises(MeasureError, match=r"^angle: got"):
                turn_speed(frames, angle=angle)

    def test_boids_that_are_unseen_for_a_while(self):
        """They are recognised by id; a boid that appears later has no first heading."""
        v = np.array([[1, 0], [1, 0], [1.0, 0]])
        first = of_arrays(PLACES[:3], v, ids=[0, 1, 2])
        later = of_arrays(PLACES[:2], [[0, 1], [1, 0]], ids=[2, 7])
        assert float(turned(run([first, later]))) == AGREE(1 / 3)

    def test_the_origin_is_the_boid_with_the_largest_response(self):
        law = np.arange(30) / 2
        law[29] = law[0]  # far away, and turns less
        frames = turning(law)
        flocks = []
        for frame in frames:
            flock = frame["boids"]
            v = flock.velocities.copy()
            v[29, 1] *= 0.7
            flocks.append(of_arrays(PLACES, v))
        assert float(turn_speed(run(flocks, 1 / 8))) == AGREE(2, rel=0.25)

    def test_turning_without_a_wave(self):
        """Boids turn at random times: later ones are not farther away, so there is no speed."""
        law = np.random.default_rng(2).uniform(1, 20, 30)
        law[0] = 0
        gaps, times = np.arange(2, 30), law[2:]
        assert np.polyfit(gaps, times, 1)[0] > 0  # by chance
        frames = turning(law)
        assert math.isnan(float(turn_speed(frames))) and float(turned(frames)) == 1


class TestEscapes:
    def test_a_wave(self):
        """The boid at k is twice as fast from time k / 3 on: speed 3."""
        flocks = [
            of_arrays(
                PLACES, np.where((np.arange(30)[:, None] / 3 < t) & (t > 0), 2.0, 1.0) * [1, 0]
            )
            for t in np.arange(100) / 8
        ]
        frames = run(flocks, 1 / 8)
        assert float(escape_speed(frames)) == AGREE(3, rel=0.02)
        assert float(escaped(frames)) == 1
        assert float(escaped(frames, gain=2.5)) == 0
        with pytest.raises(MeasureError, match=r"^gain: got 1; expected a number above 1"):
            escaped(frames, gain=1)
