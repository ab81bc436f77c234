"""A school of 100 real zebrafish: published values against ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fish import school

import murmurate as mm

NAMES = ["polarization", "milling", "speed"]


def test_published_values_of_the_school():
    """Polarization 0.681 ± 0.058 (the spread over frames), milling 0.365, speed 359 pixels a
    second: with central differences, of those fish that are seen in the frames before and after.
    (Milling is taken about the centre of these fish; about that of all it is 0.365.)"""
    tracks = mm.open_tracks(school(), 32)
    assert tracks.positions.shape == (300, 100, 2)
    assert np.isnan(tracks.positions).mean() == pytest.approx(0.058, abs=0.0005)
    velocities = np.gradient(tracks.positions, 1 / 32, axis=0)
    table = mm.measure(
        mm.measures.of_tracks(tracks.positions, 1 / 32, velocities=velocities), NAMES
    )
    order = table.results["polarization"].series
    assert order.mean() == pytest.approx(0.681, abs=0.0005)
    assert order.std() == pytest.approx(0.058, abs=0.0005)
    assert table["milling"].value == pytest.approx(0.365, abs=0.003)
    assert table["speed"].value == pytest.approx(359, abs=0.5)


def test_values_of_the_file():
    """Next to a gap the velocity is a one-sided difference, and the fish is not left out.

    The values stay within their error bars.
    """
    table = mm.measure(mm.open_tracks(school(), 32), [*NAMES, "nearest_neighbour_distance"])
    assert table.boids == 100 and table.frames == 300 and table.kind == "tracks"
    assert table["polarization"].value == pytest.approx(0.681, abs=0.004)
    assert table.results["polarization"].series.std() == pytest.approx(0.058, abs=0.001)
    assert table["milling"].value == pytest.approx(0.365, abs=0.002)
    assert table["speed"].agrees(359, 1)
    assert table["nearest_neighbour_distance"].value == pytest.approx(102.5, abs=0.1)
    # nine seconds are about nine independent samples: the textbook error would be 0.003
    assert 0.01 < table["polarization"].error < 0.04 and table["polarization"].short


@pytest.mark.slow
def test_the_rule_of_the_school():
    """Away from near neighbours, towards farther ones, to the headings of all; and it makes a
    school that is ordered and too dense, as docs/interactions.md says."""
    learned = mm.learn_interactions(
        mm.open_tracks(school(), 32), radius=300, form="distance", mean=True, motion="steps"
    )
    towards, heading = (learned.curves()[name] for name in ("towards", "alignment"))
    near, far = (towards.x > 20) & (towards.x < 90), (towards.x > 200) & (towards.x < 265)
    assert (towards.upper[near] < 0).all() and (towards.lower[far] > 0).all()
    assert (heading.lower[(heading.x > 20) & (heading.x < 270)] > 0).all()
    tank = {"kind": "home", "place": [1600, 1600], "radius": 1100, "weight": 3}
    model = learned.model("school").set(
        {"space.size": [3200, 3200], "flocks.boids.start.radius": 800, "rules.tank": tank}
    )
    measures = ["radius_of_gyration", "nearest_neighbour_distance"]
    spec = mm.RunSpec(steps=1100, warm_up=800, every=20)
    tables = [mm.measure(model, measures, replace(spec, seed=seed)) for seed in range(5)]
    radius, distance = (np.median([each[name].value for each in tables]) for name in measures)
    assert 350 < radius < 1000 and 45 < distance < 90
