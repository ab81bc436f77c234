"""Smoothing of tracks: polynomials stay, gaps stay gaps, and noise decreases as is known."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.signal import savgol_coeffs

import murmurate as mm
from murmurate.tracks.smoothing import parse_smoothing

TORUS = mm.Space(size=(10.0, 10.0), boundary=("periodic", "periodic"))


@pytest.mark.parametrize("seed", range(12))
def test_polynomials_and_gaps_stay(seed: int) -> None:
    """Random windows, orders and gaps, far from the origin, in both dimensions."""
    random = np.random.default_rng(seed)
    order, frames, dims = int(random.integers(0, 5)), int(random.integers(1, 60)), 2 + seed % 2
    window = order + 1 + order % 2 + 2 * int(random.integers(0, 6))
    times = np.linspace(-1, 1, frames)[:, None, None]
    positions = sum(c * times**k for k, c in enumerate(random.normal(size=(order + 1, 1, 4, dims))))
    positions = positions + 1e5
    positions[random.random((frames, 4)) < random.choice([0, 0.1, 0.4])] = np.nan
    smooth = mm.Tracks(positions, 25).smooth(window, order)
    np.testing.assert_allclose(smooth.positions, positions, atol=1e-7)
    assert "smoothed" in smooth.attrs and np.array_equal(
        np.isnan(positions), np.isnan(smooth.positions)
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_value_is_that_of_the_polynomial_around_it(seed: int) -> None:
    """Against least squares in plain numpy, for each frame of each stretch."""
    random = np.random.default_rng(seed)
    positions = np.cumsum(random.normal(size=(40, 3, 2)), axis=0)
    positions[random.random((40, 3)) < 0.1] = np.nan
    smooth = mm.Tracks(positions, 10).smooth("0.7s", 2).positions
    for animal in range(3):
        is_seen = np.isfinite(positions[:, animal, 0])
        for stretch in np.split(np.arange(40), np.flatnonzero(np.diff(is_seen)) + 1):
            if not is_seen[stretch[0]]:
                continue
            window = min(7, len(stretch) - (len(stretch) + 1) % 2)
            for k, frame in enumerate(stretch):
                first = min(max(k - window // 2, 0), len(stretch) - window)
                near = stretch[first : first + window]
                expected = positions[frame, animal]
                if window > 2:
                    fits = np.polynomial.polynomial.polyfit(
                        near - frame, positions[near, animal], 2
                    )
                    expected = fits[0]
                np.testing.assert_allclose(smooth[frame, animal], expected, atol=1e-8)


def test_the_note_says_how_much_was_removed() -> None:
    """White noise about a line: 1 - c0 of its variance is removed, c0 the middle coefficient."""
    random = np.random.default_rng(1)
    noise = random.normal(0, 0.5, (20_000, 1, 2))
    line = np.arange(20_000)[:, None, None] * [1.0, 2.0]
    tracks = mm.Tracks(line + noise, 50, unit="cm")
    smooth = tracks.smooth(9)
    expected = 0.5 * np.sqrt(2 * (1 - savgol_coeffs(9, 3)[4]))
    (note,) = smooth.notes
    assert "order 3 over 9 frames (0.18 s)" in note and "cm (rms)" in note
    removed = float(re.search(r"move by ([\d.]+)", note)[1])  # type: ignore[index]
    assert removed == pytest.approx(expected, rel=0.02)
    kept = (smooth.positions - line).std() / 0.5
    assert kept == pytest.approx(np.sqrt(savgol_coeffs(9, 3)[4]), rel=0.03)
    spread = [np.std(t.velocities[1:-1] - [50, 100]) for t in (tracks, smooth)]
    assert spread[1] < 0.4 * spread[0]


def test_on_a_torus_the_path_is_smoothed() -> None:
    random = np.random.default_rng(2)
    path = np.cumsum(random.normal(0.4, 0.3, (80, 2, 2)), axis=0)
    path[30:33, 1] = np.nan
    expected = mm.Tracks(path, 1).smooth(7).positions
    wrapped = TORUS.wrap(path)
    images = np.nan_to_num(np.rint((path - wrapped) / 10)).astype(int)
    for counted in (None, images):
        smooth = mm.Tracks(wrapped, 1, space=TORUS, images=counted).smooth(7)
        np.testing.assert_allclose(
            TORUS.minimum_image(smooth.positions - expected), 0 * path, atol=1e-9
        )
        np.testing.assert_allclose(smooth.steps, np.diff(expected, axis=0), atol=1e-9)


def test_velocities_of_the_file_and_warnings() -> None:
    positions = np.cumsum(np.ones((30, 2, 2)), axis=0)
    positions[15:, 0] += 500  # two animals swapped
    tracks = mm.Tracks(positions, 5, recorded_velocities=np.zeros((30, 2, 2)))
    assert mm.Tracks(positions, 5).smooth(5).timed
    tracks = tracks.smooth(5)
    assert "those of the file are left out" in tracks.notes[-1]
    assert tracks.velocities[3] == pytest.approx(np.full((2, 2), 5.0))
    jumps = mm.Tracks(positions, 5)
    assert jumps.warnings and jumps.smooth(5).warnings == jumps.warnings


def test_wrong_windows() -> None:
    tracks = mm.Tracks(np.zeros((9, 2, 2)), 10)
    for window in (8, 3, 2.5, True, "x s", "0s", "nans", "9"):
        with pytest.raises(mm.TracksError, match="odd number of frames above the order, 3"):
            tracks.smooth(window)  # type: ignore[arg-type]
    with pytest.raises(mm.TracksError, match=r"got 0\.2s, 3 frames at 10 a second; expected"):
        tracks.smooth("0.2s")
    with pytest.raises(mm.TracksError, match="frame rate is unknown; expected frames"):
        mm.Tracks(np.zeros((9, 2, 2))).smooth("0.5s")
    for order in (-1, 1.5, True):
        with pytest.raises(mm.TracksError, match="order: got"):
            tracks.smooth(5, order)  # type: ignore[arg-type]
    assert [parse_smoothing(text) for text in ("9", "0.3s", "0.3s, 2", "9,4")] == [
        (9, 3), ("0.3s", 3), ("0.3s", 2), (9, 4),
    ]  # fmt: skip
    for text in ("", "nine", "9,", "0.3", "9,x"):
        with pytest.raises(mm.TracksError, match=r"^smooth: got "):
            parse_smoothing(text)
    with pytest.raises(mm.MeasureError, match="got smoothed positions"):
        mm.learn_interactions(tracks.smooth(5))


def test_select() -> None:
    positions = np.arange(48.0).reshape(4, 6, 2)
    names = ["s0", "s1", "s2", "m0", "m1", "dog"]
    flocks = {"s": np.arange(3), "m": np.array([3, 4]), "dog": np.array([5])}
    tracks = mm.Tracks(positions, 10, names, flocks=flocks, images=np.ones((4, 6, 2), int))
    some = tracks.select("m*", "s1", "s1")
    assert list(some.names) == ["s1", "m0", "m1"] and some.space == tracks.space
    assert np.array_equal(some.positions, positions[:, [1, 3, 4]]) and some.images.shape == (
        4,
        3,
        2,
    )
    assert {name: rows.tolist() for name, rows in some.flocks.items()} == {"s": [0], "m": [1, 2]}
    assert some.rate == 10 and "3 of 6 tracks" in some.notes[-1]
    assert list(mm.Tracks(positions).select(4).names) == ["4"]
    for wrong, says in ((("x",), "track named 'x'"), ((), "ids: got none")):
        with pytest.raises(mm.TracksError, match=says):
            tracks.select(*wrong)
