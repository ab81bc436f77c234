"""A school of 100 real zebrafish: what is known of it, and what we measure."""

from __future__ import annotations

import numpy as np
import pytest
from fish import school

import murmurate as mm

NAMES = ["polarization", "milling", "speed"]


def test_what_is_known_of_the_school():
    """Polarization 0.681 ± 0.058 (the spread over frames), milling 0.365, speed 359 pixels a
    second: with central differences, of those fish that are seen in the frames before and after.
    (Milling is taken about the centre of these fish; about that of all it is 0.365.)"""
    tracks = mm.open_tracks(school(), 32)
    assert tracks.positions.shape == (300, 100, 2)
    assert np.isnan(tracks.positions).mean() == pytest.approx(0.058, abs=0.0005)
    velocities = np.gradient(tracks.positions, 1 / 32, axis=0)
    found = mm.measure(
        mm.measures.of_tracks(tracks.positions, 1 / 32, velocities=velocities), NAMES
    )
    order = found.results["polarization"].series
    assert order.mean() == pytest.approx(0.681, abs=0.0005)
    assert order.std() == pytest.approx(0.058, abs=0.0005)
    assert found["milling"].value == pytest.approx(0.365, abs=0.003)
    assert found["speed"].value == pytest.approx(359, abs=0.5)


def test_as_they_are_read():
    """Beside a gap we take the difference to the one frame that is there, rather than leave the
    fish out: the figures stay within their error bars."""
    found = mm.measure(school(), [*NAMES, "nearest_neighbour_distance"], frames_per_second=32)
    assert found.boids == 100 and found.frames == 300 and found.kind == "tracks"
    assert found["polarization"].value == pytest.approx(0.681, abs=0.004)
    assert found.results["polarization"].series.std() == pytest.approx(0.058, abs=0.001)
    assert found["milling"].value == pytest.approx(0.365, abs=0.002)
    assert found["speed"].agrees(359, 1)
    assert found["nearest_neighbour_distance"].value == pytest.approx(102.5, abs=0.1)
    # nine seconds are some nine independent moments: a bare spread / sqrt(300) would be 0.003
    assert 0.01 < found["polarization"].error < 0.04 and found["polarization"].short
