"""Every format: files from a script, or from the tracker's own library, give the same tracks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import track_files
from written_tables import POSITIONS, assert_positions

import murmurate as mm
from murmurate.model.files import TRACKS
from murmurate.tracks.formats import ENDINGS, FORMATS

READ = {  # file -> format, unit, frames per second
    "birds.csv": ("a table of detections", "mm", 25),
    "wide.csv": ("a wide table", "", 25),
    "trackpy.csv": ("trackpy's table", "px", None),
    "spots.csv": ("TrackMate spots", "micron", 25),
    "spots.xml": ("TrackMate's XML", "micron", 25),
    "project.xml": ("TrackMate's project", "micron", 25),
    "tracking.txt": ("FastTrack's table", "px", None),
    "toxtrac.txt": ("ToxTrac's table", "mm", 25),
    "animalta.csv": ("AnimalTA's table", "", 25),
    "deeplabcut.csv": ("DeepLabCut's table", "px", None),
    "trajectories.npy": ("idtracker.ai's dictionary", "px", 25),
    "session": ("idtracker.ai's session", "px", 25),
    "trex": ("TRex's folder", "cm", 25),
    "movebank.csv": ("Movebank's table", "m", 1),
    "storks.gpx": ("GPX", "m", 1),
    "nexus.csv": ("Vicon Nexus's table", "mm", 25),
    "fish.mat": ("MATLAB's file", "", 25),
}


def test_every_format_has_an_example_and_is_documented() -> None:
    assert set(READ) == set(track_files.WRITERS)
    wrong = set(ENDINGS) ^ set(TRACKS)
    assert not wrong, "TRACKS of model/files.py has the endings of FORMATS, which no model file has"
    page = (Path(__file__).parents[2] / "docs" / "real-tracks.md").read_text(encoding="utf-8")
    missing = [entry.name for entry in FORMATS if entry.name not in page]
    assert not missing, "docs/real-tracks.md: add rows of these formats to its table"


@pytest.mark.parametrize("name", READ)
def test_a_file_is_recognised(name: str, tmp_path: Path) -> None:
    track_files.WRITERS[name](tmp_path / name, POSITIONS)
    likely = {"min_likelihood": 0.6} if name == "deeplabcut.csv" else {}
    result = mm.open_tracks(tmp_path / name, **likely)  # type: ignore[arg-type]
    source, unit, rate = READ[name]
    assert (result.source, result.unit) == (source, unit)
    assert result.timed == (rate is not None) and result.rate == pytest.approx(rate or 1)
    assert not result.warnings and len(result.names or ()) == 5
    if unit == "m":  # projected about the middle
        steps = np.diff(POSITIONS, axis=0)
        np.testing.assert_allclose(np.diff(result.positions, axis=0), steps, atol=1e-3)
        assert "equirectangular on WGS 84" in result.notes[0]
    else:
        assert_positions(result)


def test_parquet_is_read_like_csv(tmp_path: Path) -> None:
    track_files.long_csv(tmp_path / "t.csv", POSITIONS)
    table = pd.read_csv(tmp_path / "t.csv")
    table.to_parquet(tmp_path / "t.parquet")
    result = mm.open_tracks(tmp_path / "t.parquet")
    assert_positions(result)
    assert result.names == ["b0", "b1", "b2", "b3", "b4"] and result.unit == "mm"
    table["bird"] = table["bird"].astype("category")
    table["x_mm"] = table["x_mm"].astype(str)
    table.to_parquet(tmp_path / "words.parquet")
    with pytest.raises(mm.TracksError, match=r"column x_mm: got .*string; expected numbers"):
        mm.open_tracks(tmp_path / "words.parquet")


def test_arrays_of_murmurate_are_read(tmp_path: Path) -> None:
    """And an archive with one array."""
    np.savez(tmp_path / "a.npz", position=POSITIONS, time=np.arange(40) * 0.5, boid=np.arange(3, 8))
    with pytest.raises(mm.TracksError, match="or --periodic none"):
        mm.open_tracks(tmp_path / "a.npz")
    result = mm.open_tracks(tmp_path / "a.npz", periodic="none")
    assert_positions(result)
    assert result.rate == 2 and result.names == ["3", "4", "5", "6", "7"]
    np.savez(tmp_path / "b.npz", POSITIONS)
    assert_positions(mm.open_tracks(tmp_path / "b.npz"))


@pytest.mark.filterwarnings("ignore::Warning")  # trackpy is older than pandas
def test_by_pandas_and_trackpy(tmp_path: Path) -> None:
    """trackpy links detections, and pandas saves them."""
    trackpy = pytest.importorskip("trackpy")
    trackpy.quiet()
    seen = np.argwhere(np.isfinite(POSITIONS[..., 0]))
    spots = pd.DataFrame(
        {"y": POSITIONS[*seen.T, 1], "x": POSITIONS[*seen.T, 0], "frame": seen[:, 0]}
    )
    linked = trackpy.link(spots, search_range=6, memory=2)
    linked.to_csv(tmp_path / "t.csv")
    result = mm.open_tracks(tmp_path / "t.csv")
    assert result.source == "trackpy's table"
    expected = [linked.pivot(index="frame", columns="particle", values=axis) for axis in "xy"]
    assert_positions(result, np.stack(expected, axis=2))


@pytest.mark.parametrize("kind", ["table", "fixed"])
def test_by_pandas_as_deeplabcut_does(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("tables")
    keys: list[Any] = [
        ("DLC", f"f{k}", "nose", w) for k in range(5) for w in ("x", "y", "likelihood")
    ]
    values = np.concatenate([POSITIONS, np.isfinite(POSITIONS[..., :1]) * 0.99], axis=2).reshape(
        40, -1
    )
    names = ["scorer", "individuals", "bodyparts", "coords"]
    table = pd.DataFrame(values, columns=pd.MultiIndex.from_tuples(keys, names=names))
    table.to_hdf(tmp_path / "t.h5", key="df_with_missing", format=kind, mode="w")  # type: ignore[call-overload]
    assert_positions(mm.open_tracks(tmp_path / "t.h5"))
    table.to_csv(tmp_path / "t.csv")
    assert_positions(mm.open_tracks(tmp_path / "t.csv"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of its own libraries
def test_by_sleap_io(tmp_path: Path) -> None:
    """A project, its analysis file, and its poses in NWB, with numbers that float32 represents."""
    sio = pytest.importorskip("sleap_io")
    positions = np.round(POSITIONS * 16) / 16
    skeleton = sio.Skeleton(nodes=["nose"], name="fish")
    tracks = [sio.Track(f"s{k}") for k in range(5)]
    video = sio.Video(filename="v.mp4", open_backend=False)
    frames = [
        sio.LabeledFrame(video=video, frame_idx=t, instances=[
            sio.PredictedInstance.from_numpy(positions[t, k][None], skeleton=skeleton, score=0.9,
                                             point_scores=np.array([0.9]), track=tracks[k])
            for k in range(5) if np.isfinite(positions[t, k, 0])
        ])
        for t in range(40)
    ]  # fmt: skip
    labels = sio.Labels(frames, videos=[video], skeletons=[skeleton], tracks=tracks)
    labels.save(str(tmp_path / "t.slp"), embed=False)
    sio.save_file(labels, str(tmp_path / "t.h5"), format="analysis_h5")
    sio.save_nwb(labels, str(tmp_path / "t.nwb"))
    for name in ("t.slp", "t.h5", "t.nwb"):
        result = mm.open_tracks(tmp_path / name)
        assert result.names == [f"s{k}" for k in range(5)]
        assert_positions(result, positions)


def test_by_gpxpy(tmp_path: Path) -> None:
    gpxpy = pytest.importorskip("gpxpy.gpx")
    from datetime import UTC, datetime, timedelta

    document = gpxpy.GPX()
    begin = datetime(2026, 5, 1, tzinfo=UTC)
    document.tracks.append(gpxpy.GPXTrack(name="heron"))
    document.tracks[0].segments.append(gpxpy.GPXTrackSegment())
    for t in range(5):
        point = gpxpy.GPXTrackPoint(47.7 + t / 1e4, 9.1, time=begin + timedelta(seconds=t / 2))
        document.tracks[0].segments[0].points.append(point)
    (tmp_path / "t.gpx").write_text(document.to_xml())
    result = mm.open_tracks(tmp_path / "t.gpx")
    assert result.names == ["heron"] and result.rate == pytest.approx(2)
    assert np.diff(result.positions[:, 0, 1]) == pytest.approx(11.12, abs=0.01)
