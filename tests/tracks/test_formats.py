"""Every format: files made by a script, or by the tracker's own library, are read to one table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import track_files
import track_files_hdf5

import murmurate as mm
from murmurate.model.files import TRACKS
from murmurate.tracks import Tracks
from murmurate.tracks.formats import ENDINGS, FORMATS

PLACES = track_files.tracks(frames=40, animals=5)
READ = {  # file -> what it is read as, its unit, and its frames a second
    "birds.csv": ("a table of sightings", "mm", 25),
    "wide.csv": ("a wide table", "", 25),
    "trackpy.csv": ("trackpy's table", "px", None),
    "spots.csv": ("TrackMate spots", "micron", 25),
    "spots.xml": ("TrackMate's XML", "micron", 25),
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


def assert_same(found: Tracks, places: np.ndarray = PLACES) -> None:
    np.testing.assert_allclose(found.positions, places, rtol=0, atol=1e-9)


def test_every_file_of_the_example_is_expected() -> None:
    assert set(READ) == set(track_files.WRITERS)
    assert set(ENDINGS) == set(TRACKS)  # which no model file has
    page = (Path(__file__).parents[2] / "docs" / "real-tracks.md").read_text(encoding="utf-8")
    assert not [one.name for one in FORMATS if one.name not in page]


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read_as_what_it_is(name: str, tmp_path: Path) -> None:
    track_files.WRITERS[name](tmp_path / name, PLACES)
    found = mm.open_tracks(tmp_path / name)
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


@pytest.mark.parametrize("order", ["track,xy,node,frame", "frame,track,node,xy"])
@pytest.mark.parametrize("frames", [40, 5])
def test_sleap_in_either_order(order: str, frames: int, tmp_path: Path) -> None:
    """Also where there are as many frames as tracks: then the occupancy tells."""
    places = PLACES[15 : 15 + frames]
    aside = np.array([3.0, 0.0])
    points = np.stack([places + aside, places - aside], axis=2)
    points[2, 1, 1] = np.nan  # one of the two parts is lost
    track_files_hdf5.sleap(tmp_path / "t.h5", points, order)
    assert_same(mm.open_tracks(tmp_path / "t.h5", body_part="n0"), places + aside)
    middle = np.array(places)
    middle[2, 1] += aside
    found = mm.open_tracks(tmp_path / "t.h5")
    assert_same(found, middle)
    assert (
        found.names == [f"s{k}" for k in range(5)] and "mean of its 2 body parts" in found.notes[0]
    )
    with pytest.raises(mm.RecordingRefused, match="no body part 'nose'; there are n0, n1"):
        mm.open_tracks(tmp_path / "t.h5", body_part="nose")


def test_sleap_in_an_order_that_cannot_be(tmp_path: Path) -> None:
    track_files_hdf5.sleap(tmp_path / "t.h5", PLACES[:, :, None], "node,track,frame,xy")
    with pytest.raises(mm.RecordingRefused, match=r"'tracks' has the shape \(1, 5, 40, 2\)"):
        mm.open_tracks(tmp_path / "t.h5")


def test_nwb_with_times_and_rates(tmp_path: Path) -> None:
    aside = np.array([3.0, 0.0])
    track_files_hdf5.nwb(tmp_path / "t.nwb", np.stack([PLACES + aside, PLACES - aside], axis=2), 20)
    found = mm.open_tracks(tmp_path / "t.nwb")
    assert_same(found)
    assert found.rate == pytest.approx(20) and found.names[1] == "fish1"  # type: ignore[index]
    assert_same(mm.open_tracks(tmp_path / "t.nwb", body_part="n1"), PLACES - aside)
    assert np.isnan(mm.open_tracks(tmp_path / "t.nwb", likelihood=0.95).positions).all()


def test_idtracker_hdf5(tmp_path: Path) -> None:
    track_files_hdf5.idtracker(tmp_path / "t.h5", PLACES, 32)
    found = mm.open_tracks(tmp_path / "t.h5")
    assert_same(found)
    assert found.rate == 32 and found.source == "idtracker.ai's HDF5"


def test_deeplabcut_keeps_its_frame_numbers(tmp_path: Path) -> None:
    """Frames 10 and 17 are seven apart, and what is unlikely was not seen."""
    frames = np.arange(40)
    frames[20:] += 6
    track_files_hdf5.deeplabcut(tmp_path / "t.h5", PLACES, frames)
    found = mm.open_tracks(tmp_path / "t.h5", frames_per_second=30)
    assert len(found) == 46 and np.isnan(found.positions[20:26]).all()
    assert_same(found, np.insert(PLACES, [20] * 6, np.nan, axis=0))
    seen = mm.open_tracks(tmp_path / "t.h5", likelihood=0.0)
    assert np.isfinite(seen.positions).sum() > np.isfinite(found.positions).sum()


def test_deeplabcut_with_parts_of_nobody(tmp_path: Path) -> None:
    rows = ["scorer" + ",s" * 9, "individuals,a,a,a,b,b,b,single,single,single",
            "bodyparts,nose,nose,nose,nose,nose,nose,corner,corner,corner",
            "coords" + ",x,y,likelihood" * 3]  # fmt: skip
    rows += [f"{t},{t},1,1,{t},2,1,9,9,1" for t in range(6)]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    found = mm.open_tracks(tmp_path / "t.csv")
    assert found.names == ["a", "b"] and found.positions[3].tolist() == [[3, 1], [3, 2]]
    assert "'single'" in found.notes[0]


def test_trex_whose_animals_begin_at_different_frames(tmp_path: Path) -> None:
    track_files.trex_folder(tmp_path / "trex", PLACES)
    with np.load(tmp_path / "trex" / "video_id1.npz") as arrays:
        late = {name: values[12:] for name, values in arrays.items()}
    for k in (1, 10):  # of which 10 comes after 2
        np.savez(tmp_path / "trex" / f"video_id{k}.npz", **late)
    (tmp_path / "trex" / "video_posture_id0.npz").write_bytes(b"another thing")
    found = mm.open_tracks(tmp_path / "trex")
    assert found.names == ["0", "1", "2", "3", "4", "10"]
    assert np.isnan(found.positions[:12, 1]).all()
    assert_same(found, np.concatenate([
        PLACES[:, :1], np.where(np.arange(40)[:, None, None] < 12, np.nan, PLACES[:, 1:2]),
        PLACES[:, 2:], np.where(np.arange(40)[:, None, None] < 12, np.nan, PLACES[:, 1:2]),
    ], axis=1))  # fmt: skip
    one = mm.open_tracks(tmp_path / "trex" / "video_id2.npz")
    assert one.names == ["2"]
    assert_same(one, PLACES[:, 2:3])


def test_a_folder_of_tables_of_trex(tmp_path: Path) -> None:
    for k in range(5):
        rows = "".join(f"{t},{t / 25:.2f},{x},{y}\n" for t, (x, y) in enumerate(
            np.nan_to_num(PLACES[:, k], nan=np.inf).tolist()))  # fmt: skip
        text = "frame,time,X#wcentroid (cm),Y#wcentroid (cm)\n" + rows
        (tmp_path / f"v_fish{k}.csv").write_text(text)
    found = mm.open_tracks(tmp_path)
    assert_same(found)
    assert found.source == "TRex's folder" and found.rate == pytest.approx(25)


def test_a_table_of_trex_has_one_animal(tmp_path: Path) -> None:
    lines = ["frame,time,missing,X#wcentroid (cm),Y#wcentroid (cm)", "5,0.17,0,3.10,4.20",
             "6,0.20,1,inf,inf", "7,0.23,0,3.3,4.4"]  # fmt: skip
    (tmp_path / "video_id3.csv").write_text("\n".join(lines))
    found = mm.open_tracks(tmp_path / "video_id3.csv")
    assert found.source == "TRex's table" and found.unit == "cm" and found.start == 5
    assert found.positions[:, 0].tolist()[0] == [3.1, 4.2] and np.isnan(found.positions[1]).all()
    assert found.names == ["video_id3"] and found.rate == pytest.approx(2 / 0.06)


def test_trackmate_with_any_number_of_headers(tmp_path: Path) -> None:
    """Its first spots are not lost, and those of no track are left out."""
    first = "LABEL,ID,TRACK_ID,POSITION_X,POSITION_Y,FRAME"
    more = ["Label,Spot ID,Track ID,X,Y,Frame", "Label,Spot ID,Track ID,X,Y,Frame", ",,,(mm),(mm),"]
    rows = ["a,1,0,1,5,0", "b,2,0,2,5,1", "c,3,,9,9,1", "d,4,ø,9,9,1"]
    for count in range(4):
        lines = [first, *more[3 - count :], *rows]
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        found = mm.open_tracks(tmp_path / "t.csv")
        assert found.positions.tolist() == [[[1, 5]], [[2, 5]]]
        assert found.unit == ("mm" if count else "")
        assert found.notes == ("2 rows of no animal left out",)


def test_a_z_that_never_changes_is_left_out(tmp_path: Path) -> None:
    """TrackMate writes one of every film."""
    rows = "TRACK_ID,POSITION_X,POSITION_Y,POSITION_Z,FRAME\n"
    rows += "".join(f"0,{t},1,{{{t}}},{t}\n" for t in range(4))
    for z, dims in (("0 0 0 0", 2), (" 7 7 7", 2), ("0 1 2 3", 3)):
        (tmp_path / "t.csv").write_text(rows.format(*z.split(" ")))
        found = mm.open_tracks(tmp_path / "t.csv")
        assert found.positions.shape == (4, 1, dims)
        assert bool(found.notes) == (dims == 2) and all("z is" in note for note in found.notes)


def test_arenas_are_parts_of_a_name(tmp_path: Path) -> None:
    lines = ["Frame;Time;Arena;Ind;X;Y"]
    lines += [f"{t};{t};{a};0;{t + 9 * a};1,5" for t in range(5) for a in (0, 1)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    found = mm.open_tracks(tmp_path / "t.csv")
    assert found.names == ["0/0", "1/0"] and found.positions[4].tolist() == [[4, 1.5], [13, 1.5]]
    wide = "Frame;Time;X_Arena0_Ind0;Y_Arena0_Ind0;X_Arena0_Ind1;Y_Arena0_Ind1\n"
    (tmp_path / "w.csv").write_text(wide + "0;0.00;1.5;2;3;4\n1;0.04;NA;NA;3;5\n")
    found = mm.open_tracks(tmp_path / "w.csv")
    assert found.source == "AnimalTA's table" and found.names == ["arena0_ind0", "arena0_ind1"]
    assert np.isnan(found.positions[1, 0]).all() and found.positions[0, 0].tolist() == [1.5, 2]


def test_movebank_in_its_spellings(tmp_path: Path) -> None:
    """Fixes that are not visible, or have no place or animal, are left out."""
    for sign in "-_.":
        head = f"event-id,visible,timestamp,location{sign}long,location{sign}lat,"
        lines = [head + f"individual{sign}local{sign}identifier"]
        lines += [f"{t},true,2026-05-01 10:00:0{t}.000,9.1,47.7{t},S1" for t in range(4)]
        lines += ["5,false,2026-05-01 10:00:02.000,80,3,S1", "6,true,2026-05-01 10:00:03.000,,,S2",
                  "7,true,2026-05-01 10:00:03.000,9.1,47.7,"]  # fmt: skip
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
        found = mm.open_tracks(tmp_path / "t.csv")
        assert found.positions.shape == (4, 1, 2) and found.names == ["S1"]
        north = found.positions[:, 0, 1]
        assert np.diff(north) == pytest.approx(1111.9, abs=0.5)  # a hundredth of a degree
        assert found.notes[:3] == (
            "1 row with visible false left out", "1 row of no animal left out",
            "1 row without a place left out",
        )  # fmt: skip


def test_places_that_cannot_be_projected(tmp_path: Path) -> None:
    def write(first: str, second: str) -> None:
        lines = ["timestamp,location-long,location-lat,individual-local-identifier",
                 f"2026-05-01 10:00:00,{first},S1", f"2026-05-01 10:00:01,{second},S1"]  # fmt: skip
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")

    for first, second, words in (
        ("9,47", "9,48", "111 km apart; up to 50 km are taken for flat"),
        ("47,150", "47,150", "latitude of 150; it must be from -90 to 90"),
        ("47,95", "47,95", "the columns look exchanged"),
        ("400,47", "400,47", "longitude of 400"),
    ):
        write(first, second)
        with pytest.raises(mm.RecordingRefused, match=words):
            mm.open_tracks(tmp_path / "t.csv")
    write("179.9999,-17", "-179.9999,-17")  # across the 180th meridian
    found = mm.open_tracks(tmp_path / "t.csv")
    assert np.diff(found.positions[:, 0, 0]) == pytest.approx(21.3, abs=0.1)


def test_gpx_without_times_and_in_segments(tmp_path: Path) -> None:
    points = "".join(f'<trkpt lat="47.{t}" lon="9"/>' for t in (70, 71))
    text = f"<gpx><trk><trkseg>{points}</trkseg><trkseg>{points}</trkseg></trk><trk/></gpx>"
    (tmp_path / "t.gpx").write_text(text)
    found = mm.open_tracks(tmp_path / "t.gpx")
    assert found.positions.shape == (4, 1, 2) and not found.timed
    assert "points have no times" in found.notes[0]


def test_a_folder_of_gpx(tmp_path: Path) -> None:
    """A file an animal; points without a time among others with one are left out, and so, where it
    is asked for, is the second of two at one time."""
    for name, late in (("ana", 0), ("bo", 2)):
        points = "".join(
            f'<trkpt lat="47.{70 + t}" lon="9"><time>2026-05-01T10:00:0{t + late}Z</time></trkpt>'
            for t in range(4)
        )
        text = f'<gpx><trk><trkseg>{points}<trkpt lat="3" lon="9"/></trkseg></trk></gpx>'
        (tmp_path / f"{name}.gpx").write_text(text)
    found = mm.open_tracks(tmp_path)
    assert found.names == ["ana", "bo"] and found.positions.shape == (6, 2, 2) and found.rate == 1
    assert np.isnan(found.positions[:2, 1]).all() and np.isnan(found.positions[4:, 0]).all()
    assert found.notes[0] == "2 points without a time left out"
    (tmp_path / "bo.gpx").write_text(text.replace(points, points + points[: len(points) // 4]))
    with pytest.raises(mm.RecordingRefused, match="has bo twice"):
        mm.open_tracks(tmp_path)
    again = mm.open_tracks(tmp_path, skip_bad=True)
    assert_same(again, found.positions)
    assert "1 points of a moment" in again.notes[2]


def test_what_murmurate_exports_is_read(tmp_path: Path) -> None:
    """And an archive of one array alone."""
    np.savez(tmp_path / "a.npz", position=PLACES, time=np.arange(40) * 0.5, boid=np.arange(3, 8))
    found = mm.open_tracks(tmp_path / "a.npz")
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
