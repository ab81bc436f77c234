"""Damaged files, and files that say what cannot be: one clear line each; and what can be said to
have them read all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import track_files

import murmurate as mm

PLACES = track_files.tracks(frames=20, animals=3)
ROWS = "".join(f"{t},{k},{t + k},{k}\n" for t in range(8) for k in (0, 1))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("t.csv", "", "is empty"),
        ("t.csv", " \n\n", "is empty"),
        ("t.csv", "# only words\n", "has no rows"),
        ("t.csv", "frame,id,x,y\n", "has no rows in which an animal is seen"),
        ("t.csv", "frame,id,x\n0,1,2\n", "those of no format that is known; name them: --columns"),
        ("t.csv", "when,who,x,y\n" + ROWS, "has no column of frames or times that is known; th"),
        ("t.csv", "Zeit,Tier,X,Y\n" + ROWS, "and that of the animals: --columns time=NAME,id=NAME"),
        ("t.csv", ROWS, "has no header: .*give the positions of the columns, from 1: --columns"),
        ("t.csv", "frame,id,x,y\n" + ROWS + "8,1,zwei,1\n", "column x has 'zwei' in line 18"),
        ("t.csv", "frame,id,x,y\n" + ROWS + "3,1,5,5\n3,0,1,1\n", "frame 3 has 1 twice, in line 9 "
         "and line 18, and 1 more"),
        ("t.csv", "frame,id,x,y\n" + ROWS + "9,,1,1\n", "line 18 has no id"),
        ("t.csv", "frame,id,x,y\n" + ROWS + "0,5,1,5,2,5\n", "decimal commas, cells must be divid"),
        ("t.csv", "frame,id,x,y,x\n0,1,2,3,4\n", "has 2 columns x; say which one is the x"),
        ("t.csv", "frame,id,x_mm,y_px\n0,1,2,3\n", "column x_mm is in mm, and y_px in px"),
        ("t.csv", "time_s,id,x,y\n0,1,1,1\n0.1,1,1,1\n0.2,1,1,1\n0.25,1,1,1\n",
         r"equally far apart; from 0.2 to 0.25 are 0.05 seconds, and 0.1 from most"),
        ("t.csv", "time,id,x,y\nmorning,1,1,1\n", "column time has 'morning' in line 2"),
        ("t.csv", "time,id,x,y\n0.5,1,1,1\n,1,1,1\n", "line 3 has no time"),
        ("t.csv", "frame,x1,y1,x2,y2\n0,1,2,3,4\n0,1,2,3,4\n", "line 3 is of a f"),
        ("t.csv", 'frame,id,x,y\n0,"1,2,3\n', "below the header has 2 cells|cannot be read"),
        ("t.csv", "track,frame_idx,nose.x,nose.y,tail.x,tail.y\n,0,1,2,3,4\n",
         "its instances have no tracks"),
        ("t.xml", "<Tracks><particle>", "damaged XML"),
        ("t.xml", "<TrackMate/>", "has 0 spots and 0 tracks, and none of its tracks is shown"),
        ("t.xml", "<Tracks/>", "has no <detection> in it"),
        ("t.xml", '<Tracks><particle><detection t="0" x="a" y="1"/></particle></Tracks>',
         "a <detection> has 'a' for x"),
        ("t.gpx", "<gpx><wpt/></gpx>", "has no <trkpt> in it"),
        ("t.gpx", '<gpx><trk><trkpt lat="1" lon="2"><time>then</time></trkpt></trk></gpx>',
         "point 1 has the time 'then'"),
        ("t.h5", "no HDF5", "has no tracks that are known; what is known: SLEAP's"),
        ("t.npz", "no archive", "is no .npz of NumPy's"),
        ("t.npy", "no array", "cannot be read"),
        ("t.parquet", "no table", "cannot be read"),
    ],
)  # fmt: skip
def test_one_clear_message(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(mm.RecordingRefused, match=words) as said:
        mm.open_tracks(tmp_path / name)
    assert "\n" not in str(said.value) and str(said.value).startswith(str(tmp_path / name))


def test_bad_rows_are_left_out_and_counted(tmp_path: Path) -> None:
    bad = "8,1,zwei,1\n3,1,5,5\n9,,1,1\n1,2\n0,5,1,5,2,5\n,1,1,1\n"
    (tmp_path / "t.csv").write_text("frame,id,x,y\n" + ROWS + bad)
    found = mm.open_tracks(tmp_path / "t.csv", skip_bad=True)
    assert found.positions.shape == (8, 2, 2) and found.positions[3, 1].tolist() == [4, 1]
    assert set(found.notes) == {
        "1 row of no animal left out", "1 row without a time left out",
        "4 rows that cannot be used were left out",
    }  # fmt: skip


def test_times_that_were_rounded(tmp_path: Path) -> None:
    """30 frames a second with two decimals, and a gap: said, and read at the true rate."""
    text = "time,id,x,y\n" + "".join(
        f"{t / 30:.2f},1,{t},1\n" for t in range(300) if not 90 < t < 99
    )
    (tmp_path / "t.csv").write_text(text)
    found = mm.open_tracks(tmp_path / "t.csv")
    assert len(found) == 300 and found.rate == pytest.approx(30, rel=1e-4)
    assert np.isnan(found.positions[91:99]).all() and found.positions[299, 0, 0] == 299
    assert "s off equal steps of 0.0333" in found.notes[0]


def test_frames_that_are_not_equally_far_apart(tmp_path: Path) -> None:
    """Their numbers count; that their times differ is said."""
    times = [0.0, 0.04, 0.08, 0.18, 0.22, 0.26]
    text = "frame,time_s,id,x,y\n" + "".join(f"{t},{s},1,{t},1\n" for t, s in enumerate(times))
    (tmp_path / "t.csv").write_text(text)
    found = mm.open_tracks(tmp_path / "t.csv")
    assert found.rate == pytest.approx(5 / 0.26)
    (note,) = found.notes
    assert note == "times are up to 0.024 s off 19.2308 equal frames a second, and taken as equal"


def test_every_tenth_frame(tmp_path: Path) -> None:
    """Only those are frames, and they are as far apart as they were in the film."""
    text = "frame,time,id,x,y\n" + "".join(f"{t},{t / 50},1,{t},1\n" for t in range(100, 200, 10))
    (tmp_path / "t.csv").write_text(text)
    found = mm.open_tracks(tmp_path / "t.csv")
    assert len(found) == 10 and found.rate == pytest.approx(5) and found.start == 100
    assert found.notes == ("only one frame in 10 is there",)
    again = mm.open_tracks(tmp_path / "t.csv", frames_per_second=100)
    assert again.rate == pytest.approx(10) and again.velocities[3, 0, 0] == pytest.approx(100)


def test_columns_that_are_named(tmp_path: Path) -> None:
    text = "Zeit;Wer;Ost;Nord\n" + "".join(
        f"{t / 4};{k};{t};{k}\n" for t in range(4) for k in (1, 2)
    )
    (tmp_path / "t.csv").write_text(text)
    for columns in ("time=Zeit,id=Wer,x=Ost,y=Nord", {"time": 1, "id": 2, "x": 3, "y": 4}):
        found = mm.open_tracks(tmp_path / "t.csv", columns=columns)  # type: ignore[arg-type]
        assert found.rate == pytest.approx(4) and found.positions[3, 1].tolist() == [3, 2]
    (tmp_path / "bare.txt").write_text("0 7 1.5 2\n1 7 2.5 2\n")
    found = mm.open_tracks(tmp_path / "bare.txt", columns="frame=1,id=2,x=3,y=4")
    assert found.names == ["7"] and found.positions[:, 0, 0].tolist() == [1.5, 2.5]
    for columns, words in (
        ("time", "each part must be ROLE=NAME"),
        ("when=Zeit", "there is no role 'when'; roles are time, date, frame, id, x, y, z"),
        (
            "time=Zeit,id=Wer,x=Osten,y=Nord",
            "x=Osten: there is no such column; there are Zeit, Wer",
        ),
    ):
        with pytest.raises(mm.RecordingRefused, match=words):
            mm.open_tracks(tmp_path / "t.csv", columns=columns)


def test_whole_numbers_are_seconds_where_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,t,x,y\n" + "".join(f"a,{t},{t},1\n" for t in (0, 60, 120)))
    counted = mm.open_tracks(tmp_path / "t.csv")
    assert not counted.timed and "taken for frame numbers" in counted.notes[0]
    assert mm.open_tracks(tmp_path / "t.csv", columns="time=t").rate == pytest.approx(1 / 60)


def test_options_that_say_nothing_here(tmp_path: Path) -> None:
    track_files.WRITERS["trajectories.npy"](tmp_path / "t.npy", PLACES)
    asked: list[tuple[dict[str, Any], str]] = [
        ({"axes": "t,id,xy"}, "axes is for a bare array, and this is idtracker.ai's dictionary"),
        ({"columns": "x=1"}, "columns is for TrackMate spots, .*: leave --columns out"),
        ({"part": "nose"}, "part is for DeepLabCut's table"),
        ({"skip_bad": True}, "leave --skip-bad out"),
        ({"min_likelihood": 2.0}, "it must be a number from 0 to 1"),
        ({"axes": "t,id"}, "they must be t, id and xy"),
        ({"frames_per_second": 0}, "must be a number > 0"),
    ]
    for options, words in asked:
        with pytest.raises(mm.RecordingRefused, match=words):
            mm.open_tracks(tmp_path / "t.npy", **options)


def test_y_is_turned_round(tmp_path: Path) -> None:
    track_files.WRITERS["trackpy.csv"](tmp_path / "t.csv", PLACES)
    as_it_is = mm.open_tracks(tmp_path / "t.csv")
    turned = mm.open_tracks(tmp_path / "t.csv", y_down=True, unit="cm")
    assert as_it_is.y_down and not turned.y_down and turned.unit == "cm"
    np.testing.assert_array_equal(turned.positions, PLACES * [1, -1])


def test_a_library_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    (tmp_path / "t.h5").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(mm.RecordingRefused, match=r'pip install "murmurate\[export\]"'):
        mm.open_tracks(tmp_path / "t.h5")


def test_a_folder_with_two_videos(tmp_path: Path) -> None:
    track_files.WRITERS["trex"](tmp_path / "t", PLACES)
    (tmp_path / "t" / "video_id0.npz").rename(tmp_path / "t" / "other_id0.npz")
    with pytest.raises(mm.RecordingRefused, match="animals of 2 videos"):
        mm.open_tracks(tmp_path / "t")
