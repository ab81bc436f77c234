"""A run that is sampled as tracks has the positions and velocities that its own tracks would."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import TracksError
from murmurate.tracks.sampling import TrackSampling

STEPS = 12


@pytest.fixture(scope="module")
def model():
    return mm.load("vicsek-1995").set({"flocks.boids.count": 6, "space.size": [2.0, 2.0]})


@pytest.fixture(scope="module")
def positions(model):
    """Of every step of a run."""
    run = mm.Simulation(model, seed=3, engine="reference")
    return np.array([run.step(min(k, 1)).frame["boids"].positions for k in range(STEPS + 1)])


def sampled(sampling, model, stride=1, first=0):
    run = mm.Simulation(model, seed=3, engine="reference")
    frames = sampling.sample(
        lambda step: run.step(step - run.step_number).frame, model.dt, first, STEPS, stride
    )
    return [frame["boids"] for frame in frames]


def assert_same(flocks, tracks, numbers):
    for flock, k in zip(flocks, numbers, strict=True):
        assert np.array_equal(flock.positions, tracks[k]["boids"].positions, equal_nan=True), k
        assert np.array_equal(flock.velocities, tracks[k]["boids"].velocities, equal_nan=True), k


def test_a_run_is_measured_as_its_own_tracks(model, positions):
    """Bit by bit: in every frame or every third, with gaps, and with a frame every second step."""
    seen = positions.astype(float)
    seen[np.random.default_rng(0).random(seen.shape[:2]) < 0.3] = np.nan
    for values in (positions, seen):
        tracks = mm.Tracks(values, 1.0, space=model.space)
        sampling = TrackSampling.of(tracks)
        assert (sampling.seen == "") == (values is positions) and sampling.animals == 6
        assert_same(sampled(sampling, model), tracks, range(STEPS + 1))
        assert_same(sampled(sampling, model, 3), tracks, range(0, STEPS + 1, 3))
    coarse = mm.Tracks(positions[2::2], 0.5, space=model.space)
    assert_same(sampled(TrackSampling.of(coarse), model, 1, 2), coarse, range(STEPS // 2))


def test_pieces_of_tracks_share_an_animal_and_velocities_end_with_a_piece(model, positions):
    """Each animal has two tracks in sequence; the last appears late."""
    pieces = np.full((STEPS + 1, 12, 2), np.nan)
    pieces[:5, :6], pieces[5:, 6:] = positions[:5], positions[5:]
    pieces[:2, 5] = np.nan
    tracks = mm.Tracks(pieces, 1.0, space=model.space)
    sampling = TrackSampling.of(tracks)
    assert sampling.animals == 6
    flocks = sampled(sampling, model)
    for k, flock in enumerate(flocks):
        data = tracks[k]["boids"]
        of_data, of_run = (np.isfinite(item.positions[:, 0]) for item in (data, flock))
        assert of_data.sum() == of_run.sum() == (5 if k < 2 else 6)
        if k >= 2:  # before, another animal is missing
            assert data.velocities[of_data] == pytest.approx(flock.velocities[of_run])
    end = positions[4] - positions[3]
    assert flocks[4].velocities == pytest.approx(model.space.minimum_image(end), abs=1e-9)


def test_frames_between_steps_lie_on_straight_paths(model):
    """Three frames in four steps: boids that fly straight keep their velocity."""
    straight = model.set({"flocks.boids.motion.noise": 0.0, "rules": {}})
    flocks = sampled(TrackSampling(0.75), straight)
    assert len(flocks) == 10
    for flock in flocks:
        assert flock.velocities == pytest.approx(flocks[0].velocities, abs=1e-5)
        assert np.linalg.norm(flock.velocities, axis=1) == pytest.approx(0.03, rel=1e-3)


def test_recorded_velocities_need_no_sampling_and_damaged_text_is_refused(positions):
    tracks = mm.Tracks(positions, 1.0, recorded_velocities=np.ones_like(positions))
    assert TrackSampling.of(tracks) is None
    for text in ("no", "eJw=", "!"):
        with pytest.raises(TracksError, match="seen: got damaged text"):
            TrackSampling(1.0, 6, text).detections  # noqa: B018
    with pytest.raises(TracksError, match="animals: got 0"):
        TrackSampling(1.0, 0, "eJw=")


def test_frames_within_a_time() -> None:
    """Both ends count, although 0.3 * 10 and 0.7 * 10 are not whole in floating point."""
    for duration, rate, frames in ((0.0, 10, 1), (0.3, 10, 4), (0.7, 10, 8), (0.35, 10, 4)):
        assert TrackSampling(rate).frames_within(duration) == frames
    assert 0.57 * 100 < 57 and TrackSampling(100).frames_within(0.57) == 58
