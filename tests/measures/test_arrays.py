"""Flocks and frames from arrays and tracks."""

from __future__ import annotations

import numpy as np
import pytest
from flocks_for_measures import space_of

from murmurate.errors import MeasureError
from murmurate.measures import of_arrays, of_tracks, polarization


def test_of_arrays():
    flock = of_arrays([[1, 2], [3, 4]], [[1, 0], [1, 0]], ids=[9, 4])
    assert list(flock.ids) == [4, 9]
    assert list(flock.positions[0]) == [3, 4]
    assert flock.space.size == (2.0, 2.0) and flock.space.lower == (1.0, 2.0)
    assert polarization(flock) == 1
    assert len(of_arrays(np.full((3, 2), np.nan))) == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([1.0, 2.0],), "^positions: got shape"),
        (([[1.0]],), "D 2 or 3"),
        (([[1.0, 2.0]], [[1.0, 2.0, 3.0]]), "^velocities: got shape"),
        (([[1.0, 2.0]], None, space_of("open", 3)), "^space: got 3 dimensions; expected 2"),
        (("abc", [[1.0, 2.0]]), "^positions: got type <U3; expected real numbers"),
        (([[1.0, 2.0]], "abc"), "^velocities: got type"),
        (([[1.0, 2.0], [3.0]],), "^positions: got list that is not one array"),
        (([[1j, 2.0]],), "^positions: got type complex128"),
        (([[np.inf, 2.0]],), "^positions: got inf"),
        (([[1.0, 2.0]], [[1e200, 0.0]]), "^velocities: got 1e[+]200"),
    ],
)
def test_shapes_that_do_not_fit(arguments, says):
    with pytest.raises(MeasureError, match=says):
        of_arrays(*arguments)


def test_none_means_unseen():
    assert np.isnan(of_arrays([[None, 1.0]]).positions[0, 0])


@pytest.mark.parametrize("ids", [[0.5, 1], ["a", "b"], [1, 2, 3], 4])
def test_ids_that_are_not_whole_numbers(ids):
    with pytest.raises(MeasureError, match="2 distinct whole numbers"):
        of_arrays([[1, 2], [3, 4]], ids=ids)


@pytest.mark.filterwarnings("error")
def test_speeds_that_overflow():
    with pytest.raises(MeasureError, match=r"^velocities: got"):
        next(of_tracks(np.arange(12.0).reshape(3, 2, 2), dt=1e-300))


def test_ids_that_are_not_unique():
    with pytest.raises(MeasureError, match="distinct"):
        of_arrays([[1, 2], [3, 4]], ids=[1, 1])


def test_velocities_of_tracks():
    tracks = np.full((5, 2, 2), np.nan)
    tracks[:, 0] = [[9.0, 5], [9.8, 5], [0.6, 5], [1.4, 5], [2.2, 5]]  # across the edge
    tracks[1:3, 1] = [[5, 5], [5, 6]]
    frames = list(of_tracks(tracks, dt=0.5, space=space_of("torus", 2)))
    assert [frame.time for frame in frames] == [0, 0.5, 1, 1.5, 2]
    for frame in frames:
        assert frame["boids"].velocities[0] == pytest.approx([1.6, 0])
    assert frames[1]["boids"].velocities[1] == pytest.approx([0, 2])
    assert np.isnan(frames[3]["boids"].velocities[1]).all()
    with pytest.raises(MeasureError, match=r"^tracks: got shape"):
        next(of_tracks(tracks[0]))
    with pytest.raises(MeasureError, match="dt"):
        next(of_tracks(tracks, dt=0))
