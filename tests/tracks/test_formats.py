"""Every format: files made by a script, or by the tracker's own library, are read to one table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import track_files
from same_tracks import PLACES, assert_same

import murmurate as mm
from murmurate.model.files import TRACKS
from murmurate.tracks.formats import ENDINGS, FORMATS

READ = {  # file -> what it is read as, its unit, and its frames a second
    "birds.csv": ("a table of sightings", "mm", 25),
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
}


def test_every_file_of_the_example_is_expected() -> None:
    assert set(READ) == set(track_files.WRITERS)
    assert set(ENDINGS) == set(TRACKS)  # which no model file has
    page = (Path(__file__).parents[2] / "docs" / "real-tracks.md").read_text(encoding="utf-8")
    assert not [one.name for one in FORMATS if one.name not in page]


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read_as_what_it_is(name: str, tmp_path: Path) -> None:
    track_files.WRITERS[name](tmp_path / name, PLACES)
    likely = {"min_likelihood": 0.6} if name == "deeplabcut.csv" else {}
    found = mm.open_tracks(tmp_path / name, **likely)  # type: ignore[arg-type]
    source, unit, rate = READ[name]
    assert (found.source, found.unit) == (source, unit)
    assert found.timed == (rate is not None) and found.rate == pytest.approx(rate or 1)
    assert not found.warnings and len(found.names or ()) == 5
    if unit == "m":  # on the spot, about its middle
        steps = np.diff(PLACES, axis=0)
        np.testing.assert_allclose(np.diff(found.positions, axis=0), steps, atol=1e-3)
        assert "equirectangular on WGS 84" in found.notes[0]
    else:
        assert_same(found)


def test_parquet_is_read_as_the_same_table_is(tmp_path: Path) -> None:
    track_files.long_csv(tmp_path / "t.csv", PLACES)
    table = pd.read_csv(tmp_path / "t.csv")
    table.to_parquet(tmp_path / "t.parquet")
    found = mm.open_tracks(tmp_path / "t.parquet")
    assert_same(found)
    assert found.names == ["b0", "b1", "b2", "b3", "b4"] and found.unit == "mm"
    table["bird"] = table["bird"].astype("category")
    table["x_mm"] = table["x_mm"].astype(str)
    table.to_parquet(tmp_path / "words.parquet")
    with pytest.raises(mm.RecordingRefused, match=r"column x_mm holds .*string; it must hold num"):
        mm.open_tracks(tmp_path / "words.parquet")


def test_what_murmurate_exports_is_read(tmp_path: Path) -> None:
    """And an archive of one array alone."""
    np.savez(tmp_path / "a.npz", position=PLACES, time=np.arange(40) * 0.5, boid=np.arange(3, 8))
    with pytest.raises(mm.RecordingRefused, match="or --periodic none"):
        mm.open_tracks(tmp_path / "a.npz")
    found = mm.open_tracks(tmp_path / "a.npz", periodic="none")
    assert_same(found)
    assert found.rate == 2 and found.names == ["3", "4", "5", "6", "7"]
    np.savez(tmp_path / "b.npz", PLACES)
    assert_same(mm.open_tracks(tmp_path / "b.npz"))


@pytest.mark.filterwarnings("ignore::Warning")  # trackpy is older than pandas
def test_by_pandas_and_trackpy(tmp_path: Path) -> None:
    """Linked by trackpy itself, and saved as its users do."""
    trackpy = pytest.importorskip("trackpy")
    trackpy.quiet()
    seen = np.argwhere(np.isfinite(PLACES[..., 0]))
    spots = pd.DataFrame({"y": PLACES[*seen.T, 1], "x": PLACES[*seen.T, 0], "frame": seen[:, 0]})
    linked = trackpy.link(spots, search_range=6, memory=2)
    linked.to_csv(tmp_path / "t.csv")
    found = mm.open_tracks(tmp_path / "t.csv")
    assert found.source == "trackpy's table"
    wanted = [linked.pivot(index="frame", columns="particle", values=axis) for axis in "xy"]
    assert_same(found, np.stack(wanted, axis=2))


@pytest.mark.parametrize("kind", ["table", "fixed"])
def test_by_pandas_as_deeplabcut_does(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("tables")
    keys: list[Any] = [
        ("DLC", f"f{k}", "nose", w) for k in range(5) for w in ("x", "y", "likelihood")
    ]
    values = np.concatenate([PLACES, np.isfinite(PLACES[..., :1]) * 0.99], axis=2).reshape(40, -1)
    names = ["scorer", "individuals", "bodyparts", "coords"]
    table = pd.DataFrame(values, columns=pd.MultiIndex.from_tuples(keys, names=names))
    table.to_hdf(tmp_path / "t.h5", key="df_with_missing", format=kind, mode="w")  # type: ignore[call-overload]
    assert_same(mm.open_tracks(tmp_path / "t.h5"))
    table.to_csv(tmp_path / "t.csv")
    assert_same(mm.open_tracks(tmp_path / "t.csv"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of its own libraries
def test_by_sleap_io(tmp_path: Path) -> None:
    """A project, its analysis file, and its poses in NWB; of numbers that float32 holds."""
    sio = pytest.importorskip("sleap_io")
    places = np.round(PLACES * 16) / 16
    skeleton = sio.Skeleton(nodes=["nose"], name="fish")
    tracks = [sio.Track(f"s{k}") for k in range(5)]
    video = sio.Video(filename="v.mp4", open_backend=False)
    frames = [
        sio.LabeledFrame(video=video, frame_idx=t, instances=[
            sio.PredictedInstance.from_numpy(places[t, k][None], skeleton=skeleton, score=0.9,
                                             point_scores=np.array([0.9]), track=tracks[k])
            for k in range(5) if np.isfinite(places[t, k, 0])
        ])
        for t in range(40)
    ]  # fmt: skip
    labels = sio.Labels(frames, videos=[video], skeletons=[skeleton], tracks=tracks)
    labels.save(str(tmp_path / "t.slp"), embed=False)
    sio.save_file(labels, str(tmp_path / "t.h5"), format="analysis_h5")
    sio.save_nwb(labels, str(tmp_path / "t.nwb"))
    for name in ("t.slp", "t.h5", "t.nwb"):
        found = mm.open_tracks(tmp_path / name)
        assert found.names == [f"s{k}" for k in range(5)]
        assert_same(found, places)


def test_by_gpxpy(tmp_path: Path) -> None:
    gpxpy = pytest.importorskip("gpxpy.gpx")
    from datetime import UTC, datetime, timedelta

    made = gpxpy.GPX()
    begin = datetime(2026, 5, 1, tzinfo=UTC)
    made.tracks.append(gpxpy.GPXTrack(name="heron"))
    made.tracks[0].segments.append(gpxpy.GPXTrackSegment())
    for t in range(5):
        point = gpxpy.GPXTrackPoint(47.7 + t / 1e4, 9.1, time=begin + timedelta(seconds=t / 2))
        made.tracks[0].segments[0].points.append(point)
    (tmp_path / "t.gpx").write_text(made.to_xml())
    found = mm.open_tracks(tmp_path / "t.gpx")
    assert found.names == ["heron"] and found.rate == pytest.approx(2)
    assert np.diff(found.positions[:, 0, 1]) == pytest.approx(11.12, abs=0.01)
