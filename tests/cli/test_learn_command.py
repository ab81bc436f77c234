"""murmurate learn: what it prints and writes, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm


@pytest.fixture
def walk(tmp_path):
    """Smooth tracks of four animals."""
    rng = np.random.default_rng(1)
    steps = np.cumsum(rng.standard_normal((500, 4, 2)), axis=0)
    smooth = np.apply_along_axis(np.convolve, 0, steps, np.ones(21) / 21, "valid")
    np.save(tmp_path / "fish.npy", smooth)
    return tmp_path / "fish.npy"


@pytest.mark.slow
def test_a_model_and_a_plot(walk, tmp_path, murmurate):
    model, plot = tmp_path / "fish.toml", tmp_path / "fish.png"
    result = murmurate(
        "learn",
        str(walk),
        "--fps",
        "20",
        "--motion",
        "smooth",
        "--radius",
        "20",
        "-o",
        str(model),
        "--plot",
        str(plot),
    )
    assert result.code == 0, result.err
    for text in ("read as", "taken as smooth over 17 frames", "(chosen)", "turning towards"):
        assert text in result.out
    assert mm.load(model).rules["learned"].radius == 20
    assert plot.stat().st_size > 10_000
    again = murmurate("learn", str(walk), "--fps", "20", "-o", str(model))
    assert again.code == 2
    assert "--force" in again.err


def test_what_is_no_track(murmurate):
    assert murmurate("learn").code == 2
    result = murmurate("learn", "vicsek-1995")
    assert result.code == 2
    assert "vicsek-1995" in result.err
