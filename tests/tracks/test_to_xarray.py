"""Tracks as a Dataset in the layout of movement, and back."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import murmurate as mm


def random_positions(frames: int = 7, animals: int = 3, dims: int = 2, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    positions = random.normal(size=(frames, animals, dims))
    positions[random.random((frames, animals)) < 0.2] = np.nan
    return positions


@pytest.mark.parametrize("dims", [2, 3])
def test_the_layout_of_movement(dims: int) -> None:
    """It equals that of ValidPosesInputs(...).to_dataset() of movement 0.15."""
    positions = random_positions(dims=dims)
    data = mm.Tracks(positions, 25.0, ["a", "b", "c"], source="a tracker", unit="cm").to_xarray()
    assert data.position.dims == ("time", "space", "keypoints", "individuals")
    assert data.confidence.dims == ("time", "keypoints", "individuals")
    assert data.position.dtype == np.float64 and np.isnan(data.confidence).all()
    assert list(data.space.values) == ["x", "y", "z"][:dims]
    assert list(data.keypoints.values) == ["centroid"]
    assert list(data.individuals.values) == ["a", "b", "c"]
    assert np.array_equal(data.time, np.arange(7) / 25) and data.time.dtype == np.float64
    movement = {"fps": 25.0, "time_unit": "seconds", "ds_type": "poses",
                "source_software": "a tracker"}  # fmt: skip
    assert movement.items() <= data.attrs.items() and data.attrs["length_unit"] == "cm"
    for k, name in enumerate("abc"):
        item = data.position.sel(individuals=name, keypoints="centroid")
        np.testing.assert_array_equal(item, positions[:, k])


def test_time_counts_frames_without_a_rate() -> None:
    data = mm.Tracks(random_positions()).to_xarray()
    assert data.attrs["time_unit"] == "frames" and "fps" not in data.attrs
    assert np.array_equal(data.time, np.arange(7)) and data.time.dtype == np.int64


def test_movement_makes_the_same_dataset() -> None:
    """Needs the package `movement`, which murmurate does not depend on."""
    datasets = pytest.importorskip("movement.validators.datasets")
    positions = random_positions()
    for fps in (25.0, None):
        data = mm.Tracks(positions, fps, ["a", "b", "c"]).to_xarray()
        datasets.ValidPosesInputs.validate(data)
        dataset = datasets.ValidPosesInputs(
            position_array=np.swapaxes(positions, 1, 2)[:, :, None, :],
            individual_names=["a", "b", "c"], keypoint_names=["centroid"], fps=fps,
            source_software="an array",
        ).to_dataset()  # fmt: skip
        xr.testing.assert_equal(data, dataset)
        assert dataset.attrs.items() <= data.attrs.items()


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 99),
    dims=st.sampled_from([2, 3]),
    rate=st.one_of(st.none(), st.floats(1e-3, 1e4)),
    unit=st.sampled_from(["", "cm", "body lengths"]),
    start=st.integers(0, 10**6),
    every=st.sampled_from([1, 2, 3, 10]),
    y_down=st.booleans(),
)
def test_there_and_back(
    tmp_path: Path, seed: int, dims: int, rate: float | None, unit: str, start: int, every: int,
    y_down: bool,
) -> None:  # fmt: skip
    names = ["a", "b c", "ü"]
    tracks = mm.Tracks(
        random_positions(dims=dims, seed=seed),
        rate,
        names,
        unit=unit,
        start=start,
        every=every,
        y_down=y_down,
    )
    tracks.to_xarray().to_netcdf(tmp_path / "t.nc")
    result = mm.open_tracks(tmp_path / "t.nc")
    np.testing.assert_array_equal(result.positions, tracks.positions)
    assert result.timed == tracks.timed and result.rate == pytest.approx(tracks.rate, rel=1e-15)
    for name in ("names", "unit", "start", "every", "y_down"):
        assert getattr(result, name) == getattr(tracks, name), name
    assert not result.notes


def test_foreign_attributes(tmp_path: Path) -> None:
    data = mm.Tracks(random_positions(), 25.0).to_xarray()
    data.attrs |= {"length_unit": 3, "every": -2, "first_frame": np.nan}
    data.to_netcdf(tmp_path / "a.nc")
    result = mm.open_tracks(tmp_path / "a.nc")
    assert (result.unit, result.every, result.start, result.rate) == ("", 1, 0, 25.0)
    data.attrs["every"] = "often"
    data.to_netcdf(tmp_path / "b.nc")
    with pytest.raises(mm.TracksError, match="every: got 'often'; expected a number"):
        mm.open_tracks(tmp_path / "b.nc")


def test_an_unknown_confidence_hides_nothing(tmp_path: Path) -> None:
    mm.Tracks(random_positions(), 25.0).to_xarray().to_netcdf(tmp_path / "t.nc")
    with pytest.raises(mm.TracksError, match=r"min_likelihood 0\.5 .* Leave --min-like"):
        mm.open_tracks(tmp_path / "t.nc", min_likelihood=0.5)


def test_without_xarray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(mm.TracksError, match=r'pip install "murmurate\[record\]"'):
        mm.Tracks(random_positions()).to_xarray()
