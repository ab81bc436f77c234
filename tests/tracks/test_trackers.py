"""Particulars of each tracker: orders of axes, headers, frame numbers, tracks that branch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import track_files
import track_files_hdf5
from written_tables import POSITIONS, assert_positions

import murmurate as mm


@pytest.mark.parametrize("order", ["track,xy,node,frame", "frame,track,node,xy"])
@pytest.mark.parametrize("frames", [40, 5])
def test_sleap_in_either_order(order: str, frames: int, tmp_path: Path) -> None:
    """Also with as many frames as tracks, where the occupancy decides."""
    positions = POSITIONS[15 : 15 + frames]
    aside = np.array([3.0, 0.0])
    points = np.stack([positions + aside, positions - aside], axis=2)
    points[2, 1, 1] = np.nan  # one of the two parts is lost
    track_files_hdf5.sleap(tmp_path / "t.h5", points, order)
    assert_positions(mm.open_tracks(tmp_path / "t.h5", part="n0"), positions + aside)
    middle = np.array(positions)
    middle[2, 1] += aside
    result = mm.open_tracks(tmp_path / "t.h5")
    assert_positions(result, middle)
    assert (
        result.names == [f"s{k}" for k in range(5)]
        and "mean of its 2 body parts" in result.notes[0]
    )
    with pytest.raises(mm.TracksError, match="part: got 'nose'; expected one of n0, n1"):
        mm.open_tracks(tmp_path / "t.h5", part="nose")


def test_sleap_in_an_impossible_order(tmp_path: Path) -> None:
    track_files_hdf5.sleap(tmp_path / "t.h5", POSITIONS[:, :, None], "node,track,frame,xy")
    with pytest.raises(mm.TracksError, match=r"tracks: got the shape \(1, 5, 40, 2\)"):
        mm.open_tracks(tmp_path / "t.h5")


def test_nwb_with_times_and_rates(tmp_path: Path) -> None:
    aside = np.array([3.0, 0.0])
    track_files_hdf5.nwb(
        tmp_path / "t.nwb", np.stack([POSITIONS + aside, POSITIONS - aside], axis=2), 20
    )
    result = mm.open_tracks(tmp_path / "t.nwb")
    assert_positions(result)
    assert result.rate == pytest.approx(20) and result.names[1] == "fish1"  # type: ignore[index]
    assert_positions(mm.open_tracks(tmp_path / "t.nwb", part="n1"), POSITIONS - aside)
    assert np.isnan(mm.open_tracks(tmp_path / "t.nwb", min_likelihood=0.95).positions).all()


def test_idtracker_hdf5(tmp_path: Path) -> None:
    track_files_hdf5.idtracker(tmp_path / "t.h5", POSITIONS, 32)
    result = mm.open_tracks(tmp_path / "t.h5")
    assert_positions(result)
    assert result.rate == 32 and result.source == "idtracker.ai's HDF5"


def test_deeplabcut_keeps_its_frame_numbers(tmp_path: Path) -> None:
    """A gap of six frames stays, and unlikely points count as not seen."""
    frames = np.arange(40)
    frames[20:] += 6
    track_files_hdf5.deeplabcut(tmp_path / "t.h5", POSITIONS, frames)
    result = mm.open_tracks(tmp_path / "t.h5", frames_per_second=30, min_likelihood=0.6)
    assert len(result) == 46 and np.isnan(result.positions[20:26]).all()
    assert_positions(result, np.insert(POSITIONS, [20] * 6, np.nan, axis=0))
    seen = mm.open_tracks(tmp_path / "t.h5", table=mm.TableFormat(missing="none"))
    assert np.isfinite(seen.positions).sum() > np.isfinite(result.positions).sum()


def test_deeplabcut_with_parts_of_no_animal(tmp_path: Path) -> None:
    rows = ["scorer" + ",s" * 9, "individuals,a,a,a,b,b,b,single,single,single",
            "bodyparts,nose,nose,nose,nose,nose,nose,corner,corner,corner",
            "coords" + ",x,y,likelihood" * 3]  # fmt: skip
    rows += [f"{t},{t},1,1,{t},2,1,9,9,1" for t in range(6)]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    result = mm.open_tracks(tmp_path / "t.csv")
    assert result.names == ["a", "b"] and result.positions[3].tolist() == [[3, 1], [3, 2]]
    assert "'single'" in result.notes[0]


def test_trex_whose_animals_begin_at_different_frames(tmp_path: Path) -> None:
    track_files.trex_folder(tmp_path / "trex", POSITIONS)
    with np.load(tmp_path / "trex" / "video_id1.npz") as arrays:
        late = {name: values[12:] for name, values in arrays.items()}
    for k in (1, 10):  # of which 10 comes after 2
        np.savez(tmp_path / "trex" / f"video_id{k}.npz", **late)
    (tmp_path / "trex" / "video_posture_id0.npz").write_bytes(b"another thing")
    result = mm.open_tracks(tmp_path / "trex")
    assert result.names == ["0", "1", "2", "3", "4", "10"]
    assert np.isnan(result.positions[:12, 1]).all()
    assert_positions(result, np.concatenate([
        POSITIONS[:, :1], np.where(np.arange(40)[:, None, None] < 12, np.nan, POSITIONS[:, 1:2]),
        POSITIONS[:, 2:], np.where(np.arange(40)[:, None, None] < 12, np.nan, POSITIONS[:, 1:2]),
    ], axis=1))  # fmt: skip
    item = mm.open_tracks(tmp_path / "trex" / "video_id2.npz")
    assert item.names == ["2"]
    assert_positions(item, POSITIONS[:, 2:3])


def test_a_folder_of_tables_of_trex(tmp_path: Path) -> None:
    for k in range(5):
        rows = "".join(f"{t},{t / 25:.2f},{x},{y}\n" for t, (x, y) in enumerate(
            np.nan_to_num(POSITIONS[:, k], nan=np.inf).tolist()))  # fmt: skip
        text = "frame,time,X#wcentroid (cm),Y#wcentroid (cm)\n" + rows
        (tmp_path / f"v_fish{k}.csv").write_text(text)
    result = mm.open_tracks(tmp_path)
    assert_positions(result)
    assert result.source == "TRex's folder" and result.rate == pytest.approx(25)


def test_a_table_of_trex_has_one_animal(tmp_path: Path) -> None:
    lines = ["frame,time,missing,X#wcentroid (cm),Y#wcentroid (cm)", "5,0.17,0,3.10,4.20",
             "6,0.20,1,inf,inf", "7,0.23,0,3.3,4.4"]  # fmt: skip
    (tmp_path / "video_id3.csv").write_text("\n".join(lines))
    result = mm.open_tracks(tmp_path / "video_id3.csv")
    assert result.source == "TRex's table" and result.unit == "cm" and result.start == 5
    assert result.positions[:, 0].tolist()[0] == [3.1, 4.2] and np.isnan(result.positions[1]).all()
    assert result.names == ["video_id3"] and result.rate == pytest.approx(2 / 0.06)


def test_trackmate_with_any_number_of_headers(tmp_path: Path) -> None:
    """Its first spots are kept, and spots of no track are left out."""
    first = "LABEL,ID,TRACK_ID,POSITION_X,POSITION_Y,FRAME"
    more = ["Label,Spot ID,Track ID,X,Y,Frame", "Label,Spot ID,Track ID,X,Y,Frame", ",,,(mm),(mm),"]
    rows = ["a,1,0,1,5,0", "b,2,0,2,5,1", "c,3,,9,9,1", "d,4,ø,9,9,1"]
    for count in range(4):
        lines = [first, *more[3 - count :], *rows]
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        result = mm.open_tracks(tmp_path / "t.csv")
        assert result.positions.tolist() == [[[1, 5]], [[2, 5]]]
        assert result.unit == ("mm" if count else "")
        assert result.notes == ("2 rows of no animal left out",)


def test_a_trackmate_project_with_a_track_that_splits(tmp_path: Path) -> None:
    """It is refused by name, or its first spots are kept; hidden tracks are left out."""
    path = tmp_path / "t.xml"
    track_files.trackmate_project(path, POSITIONS)
    notes = mm.open_tracks(path).notes
    assert "40 spots of no visible track left out" in notes
    text = path.read_text()
    path.write_text(
        text.replace("</Track>", '<Edge SPOT_SOURCE_ID="0" SPOT_TARGET_ID="199" /></Track>', 1)
    )
    message = "got two spots of Track_0 in frame 1, spot 100 and spot 199; expected one"
    with pytest.raises(mm.TracksError, match=message):
        mm.open_tracks(path)
    assert_positions(mm.open_tracks(path, table=mm.TableFormat(skip_bad=True)))
    path.write_text(
        text.replace("</Track>", '<Edge SPOT_SOURCE_ID="0" SPOT_TARGET_ID="7777" /></Track>', 1)
    )
    with pytest.raises(mm.TracksError, match="got an <Edge> of spot '7777'"):
        mm.open_tracks(path)


def test_a_z_that_never_changes_is_left_out(tmp_path: Path) -> None:
    """TrackMate writes such a z for every film."""
    rows = "TRACK_ID,POSITION_X,POSITION_Y,POSITION_Z,FRAME\n"
    rows += "".join(f"0,{t},1,{{{t}}},{t}\n" for t in range(4))
    for z, dims in (("0 0 0 0", 2), (" 7 7 7", 2), ("0 1 2 3", 3)):
        (tmp_path / "t.csv").write_text(rows.format(*z.split(" ")))
        result = mm.open_tracks(tmp_path / "t.csv")
        assert result.positions.shape == (4, 1, dims)
        assert bool(result.notes) == (dims == 2) and all("z is" in note for note in result.notes)


def test_arenas_are_parts_of_a_name(tmp_path: Path) -> None:
    lines = ["Frame;Time;Arena;Ind;X;Y"]
    lines += [f"{t};{t};{a};0;{t + 9 * a};1,5" for t in range(5) for a in (0, 1)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    result = mm.open_tracks(tmp_path / "t.csv")
    assert result.names == ["0/0", "1/0"] and result.positions[4].tolist() == [[4, 1.5], [13, 1.5]]
    wide = "Frame;Time;X_Arena0_Ind0;Y_Arena0_Ind0;X_Arena0_Ind1;Y_Arena0_Ind1\n"
    (tmp_path / "w.csv").write_text(wide + "0;0.00;1.5;2;3;4\n1;0.04;NA;NA;3;5\n")
    result = mm.open_tracks(tmp_path / "w.csv")
    assert result.source == "AnimalTA's table" and result.names == ["arena0_ind0", "arena0_ind1"]
    assert np.isnan(result.positions[1, 0]).all() and result.positions[0, 0].tolist() == [1.5, 2]
