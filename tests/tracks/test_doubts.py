"""Which axis of an array is time; and what looks wrong in tracks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import track_files

import murmurate as mm
from murmurate.tracks.array_axes import time_axis

PLACES = np.nan_to_num(track_files.tracks(frames=120, animals=30), nan=400.0)
RANDOM = np.random.default_rng(2)


def loose() -> np.ndarray:
    """Animals far apart, that fly straight on."""
    angle = RANDOM.normal(0, 0.2, (60, 20)) + RANDOM.uniform(0, 6, 20)
    steps = np.stack([np.cos(angle), np.sin(angle)], axis=2)
    return np.asarray(RANDOM.uniform(0, 100, (20, 2)) + np.cumsum(steps, axis=0))


FLOCKS = {
    "loose": loose(),
    "tight": RANDOM.normal(0, 3, (20, 2)) + np.cumsum(np.full((60, 1, 2), 4.0), axis=0),
    "coarse": np.round(loose()),
    "Brownian": RANDOM.uniform(0, 200, (20, 2))
    + np.cumsum(RANDOM.normal(size=(60, 20, 2)), axis=0),
    "still": RANDOM.uniform(0, 200, (20, 2)) + RANDOM.normal(0, 0.01, (60, 20, 2)),
}
FLOCKS["tight"] = FLOCKS["tight"] + RANDOM.normal(0, 0.1, (60, 20, 2))


@pytest.mark.parametrize("kind", FLOCKS)
def test_time_is_found_in_either_order(kind: str) -> None:
    places = FLOCKS[kind]
    assert time_axis(places) == 0 and time_axis(places.transpose(1, 0, 2)) == 1


def test_time_is_not_guessed() -> None:
    """Of numbers in no order, and of a line of animals in their order."""
    assert time_axis(RANDOM.normal(size=(60, 20, 2))) is None
    line = np.arange(20.0)[:, None] * [1, 0] + np.arange(20.0)[:, None, None] * [0.9, 0]
    assert time_axis(line + RANDOM.normal(0, 0.01, line.shape)) is None
    assert time_axis(np.zeros((9, 4, 2))) is None


@pytest.mark.parametrize("order", ["t,id,xy", "id,t,xy", "xy,t,id", "t,xy,id", "id,xy,t"])
def test_a_bare_array_in_any_order(order: str, tmp_path: Path) -> None:
    places = FLOCKS["loose"]
    axes = ["t", "id", "xy"]
    np.save(tmp_path / "t.npy", places.transpose([axes.index(axis) for axis in order.split(",")]))
    found = mm.open_tracks(tmp_path / "t.npy")
    np.testing.assert_array_equal(found.positions, places)
    assert bool(found.notes) == (order != "t,id,xy")
    assert all(f"its axes are {order}: 20 animals in 60 frames" in note for note in found.notes)
    np.testing.assert_array_equal(mm.open_tracks(tmp_path / "t.npy", axes=order).positions, places)


def test_a_transposed_array_was_read_as_many_animals(tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", PLACES[:, :6].transpose(1, 0, 2))
    assert mm.open_tracks(tmp_path / "t.npy").positions.shape == (120, 6, 2)


def test_what_cannot_be_told_is_asked(tmp_path: Path) -> None:
    for places, words in (
        (PLACES[:, :2], "of which 2 axes could be those of x and y; say which is which: --axes"),
        (RANDOM.normal(size=(9, 8, 2)), "its numbers do not tell which axis is time; say which"),
        (PLACES[0], r"must be \(frames, animals, 2 or 3 axes\)"),
        (PLACES.reshape(120, 60), r"reshape it: array.reshape\(120, 30, 2\)"),
        (np.zeros((9, 9, 9)), "they must be"),
    ):
        np.save(tmp_path / "t.npy", places)
        with pytest.raises(mm.RecordingRefused, match=words):
            mm.open_tracks(tmp_path / "t.npy")
    np.save(tmp_path / "t.npy", PLACES[:, :2])
    assert mm.open_tracks(tmp_path / "t.npy", axes=("t", "id", "xy")).positions.shape == (120, 2, 2)
    with pytest.raises(mm.RecordingRefused, match="xy has 120 entries; it must have 2 or 3"):
        mm.open_tracks(tmp_path / "t.npy", axes="xy,id,t")


def test_animals_that_are_exchanged_are_noticed() -> None:
    assert mm.Tracks(FLOCKS["loose"]).warnings == ()
    places = FLOCKS["loose"].copy()
    places[30:, [0, 7]] = places[30:, [7, 0]]
    (said,) = mm.Tracks(places, names=[f"f{k}" for k in range(20)], start=100, every=5).warnings
    assert "2 steps look like exchanged animals: the first, of f0 after frame 245," in said


def test_units_that_do_not_fit_are_noticed() -> None:
    (said,) = mm.Tracks(FLOCKS["loose"] * [1, 50]).warnings
    assert "x and y may be in different units" in said
    places = FLOCKS["loose"].copy()
    places[:, 3] *= 1000
    assert "3 moves 1,0" in mm.Tracks(places).warnings[-1]
    assert mm.Tracks(np.full((30, 4, 2), np.nan)).warnings == ()


def test_tracks_say_how_they_were_read() -> None:
    with pytest.raises(mm.RecordingRefused, match="has 2 names for 20 animals"):
        mm.Tracks(FLOCKS["loose"], names=["a", "b"])
    found = mm.Tracks(FLOCKS["loose"], 25, unit="cm", source="a test")
    assert found.summary == "read as a test: 20 tracks, 60 frames, 25 frames a second, cm"
    gaps = FLOCKS["loose"].copy()
    gaps[3:9, 2] = np.nan
    found = mm.Tracks(gaps)
    assert "time counts frames, since nobody says" in found.summary
    assert found.summary.endswith("no unit of length (--unit), 0.5 % of places missing")
    assert found.times.tolist()[-1] == 59 and "an array" in repr(found)
