"""The axis of time of a bare array, and plausibility warnings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import track_files

import murmurate as mm
from murmurate.tracks.array_axes import time_axis
from murmurate.tracks.plausibility import find_missing

POSITIONS = np.nan_to_num(track_files.tracks(frames=120, animals=30), nan=400.0)
RANDOM = np.random.default_rng(2)


def spread() -> np.ndarray:
    """Return animals far apart in nearly straight motion."""
    angle = RANDOM.normal(0, 0.2, (60, 20)) + RANDOM.uniform(0, 6, 20)
    steps = np.stack([np.cos(angle), np.sin(angle)], axis=2)
    return np.asarray(RANDOM.uniform(0, 100, (20, 2)) + np.cumsum(steps, axis=0))


FLOCKS = {
    "spread": spread(),
    "tight": RANDOM.normal(0, 3, (20, 2)) + np.cumsum(np.full((60, 1, 2), 4.0), axis=0),
    "coarse": np.round(spread()),
    "Brownian": RANDOM.uniform(0, 200, (20, 2))
    + np.cumsum(RANDOM.normal(size=(60, 20, 2)), axis=0),
    "resting": RANDOM.uniform(0, 200, (20, 2)) + RANDOM.normal(0, 0.01, (60, 20, 2)),
}
FLOCKS["tight"] = FLOCKS["tight"] + RANDOM.normal(0, 0.1, (60, 20, 2))


@pytest.mark.parametrize("kind", FLOCKS)
def test_time_is_found_in_either_order(kind: str) -> None:
    positions = FLOCKS[kind]
    assert time_axis(positions) == 0 and time_axis(positions.transpose(1, 0, 2)) == 1


def test_an_unclear_axis_of_time_is_not_guessed() -> None:
    """Neither for random numbers, nor for animals sorted along a line."""
    assert time_axis(RANDOM.normal(size=(60, 20, 2))) is None
    line = np.arange(20.0)[:, None] * [1, 0] + np.arange(20.0)[:, None, None] * [0.9, 0]
    assert time_axis(line + RANDOM.normal(0, 0.01, line.shape)) is None
    assert time_axis(np.zeros((9, 4, 2))) is None


@pytest.mark.parametrize("order", ["t,id,xy", "id,t,xy", "xy,t,id", "t,xy,id", "id,xy,t"])
def test_a_bare_array_in_any_order(order: str, tmp_path: Path) -> None:
    positions = FLOCKS["spread"]
    axes = ["t", "id", "xy"]
    np.save(
        tmp_path / "t.npy", positions.transpose([axes.index(axis) for axis in order.split(",")])
    )
    result = mm.open_tracks(tmp_path / "t.npy")
    np.testing.assert_array_equal(result.positions, positions)
    assert bool(result.notes) == (order != "t,id,xy")
    assert all(
        f"axes are read as {order}, inferred from its numbers: 20 animals in 60 frames" in note
        for note in result.notes
    )
    np.testing.assert_array_equal(
        mm.open_tracks(tmp_path / "t.npy", table=mm.TableFormat(axes=order)).positions, positions
    )


def test_a_transposed_array_was_read_as_many_animals(tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", POSITIONS[:, :6].transpose(1, 0, 2))
    assert mm.open_tracks(tmp_path / "t.npy").positions.shape == (120, 6, 2)


def test_an_unclear_order_of_axes_is_refused(tmp_path: Path) -> None:
    for positions, words in (
        (
            POSITIONS[:, :2],
            "of which 2 axes could be x and y; .*--axes",
        ),
        (RANDOM.normal(size=(9, 8, 2)), "numbers do not show which axis is time; .*Name the axes"),
        (POSITIONS[0], r"expected \(frames, animals, 2 or 3 axes\)"),
        (POSITIONS.reshape(120, 60), r"reshape it: array.reshape\(120, 30, 2\)"),
        (np.zeros((9, 9, 9)), "expected .frames"),
    ):
        np.save(tmp_path / "t.npy", positions)
        with pytest.raises(mm.TracksError, match=words):
            mm.open_tracks(tmp_path / "t.npy")
    np.save(tmp_path / "t.npy", POSITIONS[:, :2])
    assert mm.open_tracks(
        tmp_path / "t.npy", table=mm.TableFormat(axes=("t", "id", "xy"))
    ).positions.shape == (120, 2, 2)
    with pytest.raises(mm.TracksError, match="xy has 120 entries; expected 2 or 3"):
        mm.open_tracks(tmp_path / "t.npy", table=mm.TableFormat(axes="xy,id,t"))


def test_exchanged_animals_are_reported() -> None:
    assert mm.Tracks(FLOCKS["spread"]).warnings == ()
    positions = FLOCKS["spread"].copy()
    positions[30:, [0, 7]] = positions[30:, [7, 0]]
    (warning,) = mm.Tracks(
        positions, names=[f"f{k}" for k in range(20)], start=100, every=5
    ).warnings
    assert "2 steps look like exchanged animals: the first, of f0 after frame 245," in warning


def test_different_units_are_reported() -> None:
    (warning,) = mm.Tracks(FLOCKS["spread"] * [1, 50]).warnings
    assert "x and y may be in different units" in warning
    positions = FLOCKS["spread"].copy()
    positions[:, 3] *= 1000
    assert "3 moves 1,0" in mm.Tracks(positions).warnings[-1]
    assert mm.Tracks(np.full((30, 4, 2), np.nan)).warnings == ()


def test_the_summary_says_how_tracks_were_read() -> None:
    with pytest.raises(mm.TracksError, match="got 2 names for 20 animals"):
        mm.Tracks(FLOCKS["spread"], names=["a", "b"])
    result = mm.Tracks(FLOCKS["spread"], 25, unit="cm", source="a test")
    assert result.summary == "read as a test: 20 tracks, 60 frames, 25 frames a second, cm"
    gaps = FLOCKS["spread"].copy()
    gaps[3:9, 2] = np.nan
    result = mm.Tracks(gaps)
    assert "time counts frames, since the frame rate is unknown" in result.summary
    assert result.summary.endswith("no unit of length (--unit), 0.5 % of positions missing")
    assert result.times.tolist()[-1] == 59 and "an array" in repr(result)


def test_an_animal_at_rest_outside_all_others_is_seen(tmp_path: Path) -> None:
    """Only an animal that is elsewhere too shows that a point means not seen."""
    rows = [f"{t},{name},{x},{x}" for t in range(30) for name, x in (("a", t / 10), ("b", 90))]
    (tmp_path / "t.csv").write_text("\n".join(["frame,id,x,y", *rows]), encoding="utf-8")
    tracks = mm.open_tracks(tmp_path / "t.csv", frames_per_second=1)
    assert np.isfinite(tracks.positions).all()


def test_points_far_away_mean_not_seen_without_jumps() -> None:
    """An animal goes to a point far from all others, in the only step that there is."""
    positions = np.ones((3, 2, 2))
    positions[:, 0] = [(0, 0), (90, 90), (90, 90)]
    read, gaps, warnings = find_missing(positions, (), "", "t.csv")
    assert np.isnan(read[1:, 0]).all() and np.isfinite(read).all(axis=2).sum() == 4
    assert gaps == ["2 positions are (90,90), read as not seen (--missing none keeps them)"]
    assert warnings == []


def test_coordinates_that_may_mean_not_seen() -> None:
    """They are outside all others."""
    positions = np.random.default_rng(3).uniform(0.0, 20_000.0, (30, 2, 2))
    positions[4, 1, 0] = 9999.0
    assert find_missing(positions, (), "", "t.csv")[2] == []
    positions[4, 1, 0] = 99999.0
    warning = find_missing(positions, (), "", "t.csv")[2][-1]
    assert "a coordinate is 99999, outside all others" in warning
