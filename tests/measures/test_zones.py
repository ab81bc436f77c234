"""Visits to zones: known paths, and a plain count of random ones; gaps, and periodic axes."""

from __future__ import annotations

import numpy as np
import pytest

from murmurate.measures import (
    of_tracks,
    time_in_zone,
    zone_entries,
    zone_exits,
    zone_first_entry,
    zone_visits,
)
from murmurate.measures.zones import parse_zone
from murmurate.model.space import Space

NAN = float("nan")
TORUS = Space(size=(10.0, 10.0), boundary=("periodic", "periodic"))
MEASURES = (zone_visits, zone_entries, zone_exits, zone_first_entry)


def values(path, zone="box 2 -1 4 1", dt=1.0, space=None):
    """Return visits, entries, exits and the time of the first entry of one animal."""
    points = [p if isinstance(p, tuple) else (p, 0.0) for p in path]
    frames = list(of_tracks(np.array(points)[:, None], dt, space=space))
    return [measure(frames, zone=zone)[0] for measure in MEASURES]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ([0, 1, 3, 3.5], [1, 1, 0, 1.5]),
        ([0, 6, 0], [2, 2, 2, 1 / 3]),  # crossed between frames
        ([3, 3.5, 6, 3], [2, 1, 1, 2 + 2 / 3]),  # inside at first
        ([3, 3.5, 3], [1, 0, 0, NAN]),
        ([0, 1, 0], [0, 0, 0, NAN]),
        ([0, NAN, 3, 3], [1, 1, 0, 2]),  # comes in a gap
        ([3, NAN, 3.5, NAN, 6], [1, 0, 1, NAN]),
        ([0, 1, NAN, 0, 1], [0, 0, 0, NAN]),
        ([3, 2, 2, 3], [1, 0, 0, NAN]),  # touches the outline from inside, and rests there
        ([0, 2, 2, 0], [0, 0, 0, NAN]),  # and from outside
        ([0, 2, 3], [1, 1, 0, 1]),
        ([NAN, 0, 3], [1, 1, 0, 1 + 2 / 3]),
    ],
)
def test_known_paths(path, expected):
    np.testing.assert_allclose(values(path), expected)
    np.testing.assert_allclose(values(path, dt=0.2), [*expected[:3], 0.2 * expected[3]])


def test_around_a_torus():
    """A stripe that is as long as the side is left and entered at its sides only."""
    around = [(x % 10, 5.0) for x in np.arange(0, 35, 3.0)]
    assert values(around, "box 0 4 10 6", space=TORUS)[:3] == [1, 0, 0]
    assert values(around, "circle 0 5 1", space=TORUS)[:3] == [4, 3, 4]
    assert values(around, "circle 10 5 1", space=TORUS)[:3] == [4, 3, 4]


def crossings(zone, path, points=6001):
    """Return visits, entries, exits and first entry of a path, at many points of each step."""
    corners = getattr(zone, "corners", None)

    def is_inside(x, y):
        if corners is None:
            return (x - zone.centre[0]) ** 2 + (y - zone.centre[1]) ** 2 < zone.radius**2
        odd = np.zeros(np.shape(x), bool)
        for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            if y0 != y1:
                odd ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        return odd

    visits = entries = exits = 0
    first, state = NAN, None
    for k, end in enumerate(path):
        if np.isnan(end[0]):
            continue
        start = path[k - 1] if k and not np.isnan(path[k - 1][0]) else end
        along = np.linspace(0, 1, points)
        inside = is_inside(*(start + along[:, None] * (end - start)).T)
        before = np.append(inside[0] if state is None else state, inside[:-1])
        came = np.flatnonzero(inside & ~before)
        visits += len(came) + bool(state is None and inside[0])
        first = k - 1 + along[came[0]] if len(came) and not entries else first
        entries += len(came)
        exits += np.count_nonzero(before & ~inside)
        state = bool(inside[-1])
    return visits, entries, exits, first


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(k, marks=pytest.mark.slow) for k in range(4, 8))]
)
def test_random_paths_against_a_plain_count(seed):
    random = np.random.default_rng(seed)
    path = (
        random.normal(0, 1.5, (30, 2))
        if seed % 2
        else random.normal(0, 0.7, (30, 2)).cumsum(axis=0)
    )
    path[random.random(30) < [0, 0.1, 0.3][seed % 3]] = np.nan
    corners = random.normal(size=(random.integers(3, 8), 2))
    for zone in ("circle 0.2 0.1 1", "box -1 -0.5 1 0.5", corners):
        expected = crossings(parse_zone(zone, "zone"), path)
        counts = values(list(map(tuple, path)), zone)
        assert counts[:3] == list(expected[:3])
        np.testing.assert_allclose(counts[3], expected[3], atol=1e-3)


def test_several_animals_at_once():
    """Also those that come later; a zone that is visited is a zone in which there is time."""
    random = np.random.default_rng(1)
    paths = random.normal(0, 1, (40, 25, 2)).cumsum(axis=0)
    paths[random.random((40, 25)) < 0.1] = np.nan
    paths[:20, 7] = paths[:, 9] = np.nan
    frames = list(of_tracks(paths))
    visits = zone_visits(frames, zone="circle 0 0 2")
    first = zone_first_entry(frames, zone="circle 0 0 2")
    assert 9 not in list(visits) and len(visits) == 24
    for animal in visits:
        alone = list(of_tracks(paths[:, [animal]]))
        assert visits[animal] == zone_visits(alone, zone="circle 0 0 2")[0]
        entry = zone_first_entry(alone, zone="circle 0 0 2")[0]
        assert first[animal] == pytest.approx(entry, nan_ok=True)
    is_visited = visits.values > 0
    assert (time_in_zone(frames, zone="circle 0 0 2").values[~is_visited] == 0).all()
    assert np.array_equal(first.counts, zone_entries(frames, zone="circle 0 0 2").values)
