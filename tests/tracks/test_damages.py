"""Damaged and contradictory files get one clear line each; options make some of them readable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import track_files

import murmurate as mm

POSITIONS = track_files.tracks(frames=20, animals=3)
ROWS = "".join(f"{t},{k},{t + k},{k}\n" for t in range(8) for k in (0, 1))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("t.csv", "", "is empty"),
        ("t.csv", " \n\n", "is empty"),
        ("t.csv", "# only words\n", "got no rows"),
        ("t.csv", "frame,id,x,y\n", "got no rows in which an animal is seen"),
        ("t.csv", "frame,id,x\n0,1,2\n", "expected those of a known format. Name them: --columns"),
        ("t.csv", "when,who,x,y\n" + ROWS, "got the columns .*expected one of frames or times"),
        ("t.csv", "Zeit,Tier,X,Y\n" + ROWS, "that of the animals: --columns time=NAME,id=NAME"),
        ("t.csv", ROWS, "got no header: .*Give their positions, from 1: --columns"),
        ("t.csv", "frame,id,x,y\n" + ROWS + "8,1,zwei,1\n", "column x: got 'zwei' in line 18"),
        ("t.csv", "frame,id,x,y\n" + ROWS + "3,1,5,5\n3,0,1,1\n", "frame 3: got 1 twice, in line 9 "
         "and line 18, and 1 more"),
        ("t.csv", "frame,id,x,y\n" + ROWS + "9,,1,1\n", "got no id in line 18"),
        ("t.csv", "frame,id,x,y\n" + ROWS + "0,5,1,5,2,5\n", "decimal commas, separate the cells"),
        ("t.csv", "frame,id,x,y,x\n0,1,2,3,4\n", "got 2 columns x; expected one for x"),
        ("t.csv", "frame,id,x_mm,y_px\n0,1,2,3\n", "got column x_mm in mm, and y_px in px"),
        ("t.csv", "time_s,id,x,y\n0,1,1,1\n0.1,1,1,1\n0.2,1,1,1\n0.25,1,1,1\n",
         r"got 0.05 seconds from 0.2 to 0.25, and usually 0.1; expected equal intervals"),
        ("t.csv", "time,id,x,y\nmorning,1,1,1\n", "column time: got 'morning' in line 2"),
        ("t.csv", "time,id,x,y\n0.5,1,1,1\n,1,1,1\n", "got no time in line 3"),
        ("t.csv", "frame,x1,y1,x2,y2\n0,1,2,3,4\n0,1,2,3,4\n", "got a frame for the second"),
        ("t.csv", 'frame,id,x,y\n0,"1,2,3\n', "below the header: got 2 cells|cannot be read"),
        ("t.csv", "track,frame_idx,nose.x,nose.y,tail.x,tail.y\n,0,1,2,3,4\n",
         "instances without tracks"),
        ("t.xml", "<Tracks><particle>", "damaged XML"),
        ("t.xml", "<TrackMate/>", "got 0 spots and 0 tracks, of which none is visible"),
        ("t.xml", "<Tracks/>", "got no <detection>"),
        ("t.xml", '<Tracks><particle><detection t="0" x="a" y="1"/></particle></Tracks>',
         "x: got 'a' in a <detection>"),
        ("t.gpx", "<gpx><wpt/></gpx>", "got no tracks; expected <trk> of <trkpt>s in GPX"),
        ("t.gpx", '<!DOCTYPE gpx [<!ENTITY a "b">]><gpx/>', "got a document type .DOCTYPE."),
        ("t.xml", '<!DOCTYPE Tracks SYSTEM "a.dtd"><Tracks/>', "got a document type .DOCTYPE."),
        ("t.kml", "<kml><Placemark><LineString/></Placemark></kml>", "got no tracks; expected"),
        ("t.kml", "<kml><Placemark><Track><when>2026-05-01</when></Track></Placemark></kml>",
         "<Track>: got 1 times <when> and 0 positions <coord>"),
        ("t.kml", "<kml><Placemark><Track><when>now</when><coord>1 2</coord></Track></Placemark>"
         "</kml>", "time: got 'now' in point 1"),
        ("t.kml", "<kml><Placemark><Track><when>2026-05-01</when><coord>1;2</coord></Track>"
         "</Placemark></kml>", "<coord>: got '1;2'; expected longitude, latitude"),
        ("t.igc", "AXXX\nHFDTE010526\n", "got no tracks; expected"),
        ("t.igc", "HFDTE010526\nB1101355206343N00006198WA00587005\n", "line 2: got 'B110135520634"),
        ("t.igc", "HFDTE310299\nB1101355206343N00006198WA0058700558\n", "the date HFDTE310299"),
        ("t.csv", 'Step,AgentID,pos\n0,1,"(1, 2)"\n1,1,"(1, 2"\n', "pos: got '.1, 2' in line 3"),
        ("t.csv", "Step,AgentID,Wealth\n0,1,2\n1,1,2\n", "got the columns Step, AgentID, Wealth"),
        ("t.mat", "MATLAB 5.0 MAT-file", "cannot be read"),
        ("t.c3d", "no C3D", "cannot be read"),
        ("t.trc", "PathFileType\t4\n", "got headers without a rate, names, axes or frames"),
        ("t.gpx", '<gpx><trk><trkpt lat="1" lon="2"><time>then</time></trkpt></trk></gpx>',
         "time: got 'then' in point 1"),
        ("t.h5", "no HDF5", "got no known tracks; expected one of the known formats: SLEAP's"),
        ("t.npz", "no archive", "is not a NumPy .npz file"),
        ("t.npy", "no array", "cannot be read"),
        ("t.parquet", "no table", "cannot be read"),
    ],
)  # fmt: skip
def test_one_clear_message(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(mm.TracksError, match=words) as caught:
        mm.open_tracks(tmp_path / name)
    message = str(caught.value)
    assert "\n" not in message and message.startswith(str(tmp_path / name))


def test_bad_rows_are_left_out_and_counted(tmp_path: Path) -> None:
    bad = "8,1,zwei,1\n3,1,5,5\n9,,1,1\n1,2\n0,5,1,5,2,5\n,1,1,1\n"
    (tmp_path / "t.csv").write_text("frame,id,x,y\n" + ROWS + bad)
    result = mm.open_tracks(tmp_path / "t.csv", table=mm.TableFormat(skip_bad=True))
    assert result.positions.shape == (8, 2, 2) and result.positions[3, 1].tolist() == [4, 1]
    assert set(result.notes) == {
        "1 row of no animal left out", "1 row without a time left out",
        "4 unusable rows were left out",
    }  # fmt: skip


def test_times_that_were_rounded(tmp_path: Path) -> None:
    """30 frames a second with two decimals, and a gap: noted, and read at the true rate."""
    text = "time,id,x,y\n" + "".join(
        f"{t / 30:.2f},1,{t},1\n" for t in range(300) if not 90 < t < 99
    )
    (tmp_path / "t.csv").write_text(text)
    result = mm.open_tracks(tmp_path / "t.csv")
    assert len(result) == 300 and result.rate == pytest.approx(30, rel=1e-4)
    assert np.isnan(result.positions[91:99]).all() and result.positions[299, 0, 0] == 299
    assert "read as seconds" in result.notes[0]
    assert "s from equal steps of 0.0333" in result.notes[1]


def test_frames_with_unequal_times(tmp_path: Path) -> None:
    """Frame numbers are used; a note says that the times differ."""
    times = [0.0, 0.04, 0.08, 0.18, 0.22, 0.26]
    text = "frame,time_s,id,x,y\n" + "".join(f"{t},{s},1,{t},1\n" for t, s in enumerate(times))
    (tmp_path / "t.csv").write_text(text)
    result = mm.open_tracks(tmp_path / "t.csv")
    assert result.rate == pytest.approx(5 / 0.26)
    (note,) = result.notes
    assert "deviate by up to 0.024 s from 19.2308 equal frames a second" in note


def test_every_tenth_frame(tmp_path: Path) -> None:
    """Only those are frames, with the interval that they had in the film."""
    text = "frame,time,id,x,y\n" + "".join(f"{t},{t / 50},1,{t},1\n" for t in range(100, 200, 10))
    (tmp_path / "t.csv").write_text(text)
    result = mm.open_tracks(tmp_path / "t.csv")
    assert len(result) == 10 and result.rate == pytest.approx(5) and result.start == 100
    assert result.notes[1:] == ("only one frame in 10 is present",)
    again = mm.open_tracks(tmp_path / "t.csv", frames_per_second=100)
    assert again.rate == pytest.approx(10) and again.velocities[3, 0, 0] == pytest.approx(100)


def test_columns_that_are_named(tmp_path: Path) -> None:
    text = "Zeit;Wer;Ost;Nord\n" + "".join(
        f"{t / 4};{k};{t};{k}\n" for t in range(4) for k in (1, 2)
    )
    (tmp_path / "t.csv").write_text(text)
    for columns in ("time=Zeit,id=Wer,x=Ost,y=Nord", {"time": 1, "id": 2, "x": 3, "y": 4}):
        result = mm.open_tracks(tmp_path / "t.csv", table=mm.TableFormat(columns=columns))  # type: ignore[arg-type]
        assert result.rate == pytest.approx(4) and result.positions[3, 1].tolist() == [3, 2]
    (tmp_path / "bare.txt").write_text("0 7 1.5 2\n1 7 2.5 2\n")
    result = mm.open_tracks(
        tmp_path / "bare.txt", table=mm.TableFormat(columns="frame=1,id=2,x=3,y=4")
    )
    assert result.names == ["7"] and result.positions[:, 0, 0].tolist() == [1.5, 2.5]
    for columns, words in (
        ("time", "expected ROLE=NAME"),
        ("when=Zeit", "got the role 'when'; expected one of time, date, frame, id, x, y, z"),
        (
            "time=Zeit,id=Wer,x=Osten,y=Nord",
            "got x=Osten; expected one of its columns: Zeit, Wer",
        ),
    ):
        with pytest.raises(mm.TracksError, match=words):
            mm.open_tracks(tmp_path / "t.csv", table=mm.TableFormat(columns=columns))


def test_whole_numbers_are_seconds_on_request(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,t,x,y\n" + "".join(f"a,{t},{t},1\n" for t in (0, 60, 120)))
    counted = mm.open_tracks(tmp_path / "t.csv")
    assert not counted.timed and "read as frame numbers" in counted.notes[0]
    assert mm.open_tracks(
        tmp_path / "t.csv", table=mm.TableFormat(columns="time=t")
    ).rate == pytest.approx(1 / 60)


def test_options_for_other_formats(tmp_path: Path) -> None:
    track_files.WRITERS["trajectories.npy"](tmp_path / "t.npy", POSITIONS)
    cases: list[tuple[dict[str, Any], str]] = [
        (
            {"table": mm.TableFormat(axes="t,id,xy")},
            "axes: got a value for idtracker.ai's dictionary",
        ),
        (
            {"table": mm.TableFormat(columns="x=1")},
            "columns: .*for TrackMate spots, .*Leave --columns out",
        ),
        ({"part": "nose"}, "part: .*for DeepLabCut's table"),
        ({"table": mm.TableFormat(skip_bad=True)}, "Leave --skip-bad out"),
        ({"min_likelihood": 2.0}, "expected a number from 0 to 1"),
        ({"table": mm.TableFormat(axes="t,id")}, "expected t, id and xy"),
        ({"table": "t,id,xy"}, "table: got 't,id,xy'; expected a TableFormat"),
        ({"frames_per_second": 0}, "expected a number > 0"),
    ]
    for options, words in cases:
        with pytest.raises(mm.TracksError, match=words):
            mm.open_tracks(tmp_path / "t.npy", **options)


def test_y_is_flipped(tmp_path: Path) -> None:
    track_files.WRITERS["trackpy.csv"](tmp_path / "t.csv", POSITIONS)
    original = mm.open_tracks(tmp_path / "t.csv")
    flipped = mm.open_tracks(tmp_path / "t.csv", y_down=True, unit="cm")
    assert original.y_down and not flipped.y_down and flipped.unit == "cm"
    np.testing.assert_array_equal(flipped.positions, POSITIONS * [1, -1])


def test_a_missing_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    (tmp_path / "t.h5").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(mm.TracksError, match=r'pip install "murmurate\[export\]"'):
        mm.open_tracks(tmp_path / "t.h5")


def test_a_folder_with_two_videos(tmp_path: Path) -> None:
    track_files.WRITERS["trex"](tmp_path / "t", POSITIONS)
    (tmp_path / "t" / "video_id0.npz").rename(tmp_path / "t" / "other_id0.npz")
    with pytest.raises(mm.TracksError, match="animals of 2 videos"):
        mm.open_tracks(tmp_path / "t")
