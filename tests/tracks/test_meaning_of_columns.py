"""Tables are understood by the names and units of their columns or by the user's word, and what was
understood is said; a search writes known tracks in random layouts."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import murmurate as mm
from murmurate.tracks import text_table


def opened(tmp_path: Path, text: str, name: str = "t.csv", **options: Any) -> mm.Tracks:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return mm.open_tracks(tmp_path / name, **options)


def speeds(tracks: mm.Tracks) -> np.ndarray:
    return np.linalg.norm(tracks.velocities, axis=2)


# --- headers


NUMBERED = "".join(f"{f},{a},{x + 5 * f},{y}\n" for f in range(3, 9) for a, x, y in
                   (("fish1", 100, 50), ("fish2", 100, 100)))  # fmt: skip
POSITIONS = "frame=1,id=2,x=3,y=4"


def test_a_first_row_like_the_others_is_data(tmp_path: Path) -> None:
    found = opened(tmp_path, NUMBERED, columns=POSITIONS, fps=10)
    assert found.positions.shape == (6, 2, 2)
    np.testing.assert_allclose(speeds(found), 50)
    assert found.names == ["fish1", "fish2"]


@pytest.mark.parametrize(
    ("text", "columns", "first"),
    [
        ("0 7 1.5 2\n1 7 2.5 2\n", "frame=1,id=2,x=3,y=4", [1.5, 2]),
        ("2020-01-01 00:00:00;a;1;2\n2020-01-01 00:00:01;a;2;2\n", "time=1,id=2,x=3,y=4", [1, 2]),
        ("a\t0.0\t1\t2\nb\t0.0\t3\t4\na\t0.1\t2\t2\nb\t0.1\t4\t4\n", "id=1,time=2,x=3,y=4", [1, 2]),
        ("18/09/2015,08:00:00,1,2\n18/09/2015,08:00:01,2,2\n", "date=1,time=2,x=3,y=4", [1, 2]),
    ],
)
def test_tables_without_a_header(tmp_path: Path, text: str, columns: str, first: Any) -> None:
    found = opened(tmp_path, text, columns=columns)
    assert len(found) == 2 and found.positions[0, 0].tolist() == first


def test_a_header_is_found_or_given(tmp_path: Path) -> None:
    named = "3,id,115,50\n"  # names that are numbers, above numbers
    rows = "".join(f"{t},7,{t},2\n" for t in range(4))
    with pytest.raises(mm.RecordingRefused, match=r"has no header.*frame=1.*--header"):
        opened(tmp_path, rows)
    found = opened(tmp_path, named + rows, columns={"frame": "1", "id": "id", "x": 3, "y": '"50"'})
    assert found.positions[:, 0].tolist() == [[0, 2], [1, 2], [2, 2], [3, 2]]
    with pytest.raises(mm.RecordingRefused, match=r'position 115; expected 1 to 4.*x="115"'):
        opened(tmp_path, named + rows, columns={"frame": 1, "id": "id", "x": "115", "y": 4})
    assert len(opened(tmp_path, rows, columns=POSITIONS, header=True)) == 3
    with pytest.raises(mm.RecordingRefused, match="column 3 has 'x' in line 1"):
        opened(tmp_path, "frame,id,x,y\n" + rows, columns=POSITIONS, header=False)


def test_units_below_the_header(tmp_path: Path) -> None:
    text = "time,id,x,y\ns,,cm,cm\n" + "".join(f"{t / 25},a,{t},0\n" for t in range(5))
    found = opened(tmp_path, text)
    assert (found.unit, found.rate, len(found)) == ("cm", pytest.approx(25), 5)
    found = opened(tmp_path, text.replace("s,,cm,cm", "(ms),,(mm),(mm)"))
    assert (found.unit, found.rate) == ("mm", pytest.approx(25e3))


def test_preambles(tmp_path: Path) -> None:
    rows = "".join(f"{t / 25:.3f};{t / 25:.3f};{0.1 * t:.4f};2.5\n" for t in range(6))
    etho = (
        '"Number of header lines:";"6"\n"Experiment";"x"\n"Arena name";"A"\n""\n'
        '"Trial time";"Recording time";"X center";"Y center"\n"s";"s";"cm";"cm"\n'
    )
    found = opened(tmp_path, etho + rows.replace("0.2000;2.5", '"-";"-"'))
    assert (found.unit, found.rate, len(found)) == ("cm", pytest.approx(25), 6)
    assert np.isnan(found.positions[2]).all()
    collar = (
        "Telonics Data Report\nUnit,GEN4\n\nHeaders Row,5\nGMT_DATE,GMT_TIME,Latitude,Longitude\n"
    )
    fixes = "".join(f"2020.05.01,0{t}:00:00,46.{t:04},-113.0\n" for t in range(5))
    found = opened(tmp_path, collar + fixes)
    assert (found.unit, len(found), found.rate) == ("m", 5, pytest.approx(1 / 3600))


def test_comments_that_say_rate_and_unit(tmp_path: Path) -> None:
    head = "# description: corridor\n# framerate: 16 fps\n# id frame x/m y/m z/m\n"
    rows = "".join(f"{k} {f} {f / 10 + k} {k} 1.7\n" for k in (1, 2) for f in range(4))
    found = opened(tmp_path, head + rows, "t.txt")
    assert (found.unit, found.rate, found.positions.shape) == ("m", 16, (4, 2, 2))
    assert any("comment" in note for note in found.notes)
    assert opened(tmp_path, head + rows, "t.txt", fps=8).rate == 8


# --- what is no position


def wide(*names: str, rows: int = 5) -> str:
    cells = ["time", *names]
    lines = [",".join([f"{t / 10}", *(str(t + k) for k in range(len(names)))]) for t in range(rows)]
    return ",".join(cells) + "\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("word", [
    "vel", "velocity", "speed", "acc", "error", "std", "score", "likelihood", "conf", "heading",
    "displacement",
])  # fmt: skip
def test_other_quantities_are_no_animals(tmp_path: Path, word: str) -> None:
    names = [f"fish{k}_{one}" for k in (1, 2) for one in ("x", "y", f"{word}_x", f"{word}_y")]
    found = opened(tmp_path, wide(*names))
    assert found.names == ["fish1", "fish2"]
    assert f"fish1_{word}_x" in found.attrs["ignored"]
    assert found.attrs["columns"]["fish2_y"] == "y of fish2"


def test_body_parts_are_asked_for(tmp_path: Path) -> None:
    text = wide("fish1_head_x", "fish1_head_y", "fish1_tail_x", "fish1_tail_y",
                "fish2_head_x", "fish2_head_y", "fish2_tail_x", "fish2_tail_y")  # fmt: skip
    with pytest.raises(mm.RecordingRefused, match=r"body parts: head, tail.*--part head.*each"):
        opened(tmp_path, text)
    head = opened(tmp_path, text, part="head")
    assert head.names == ["fish1", "fish2"] and head.positions[0].tolist() == [[0, 1], [4, 5]]
    mean = opened(tmp_path, text, part="mean")
    assert mean.positions[0].tolist() == [[1, 2], [5, 6]]
    assert len(opened(tmp_path, text, part="each").names or ()) == 4
    with pytest.raises(mm.RecordingRefused, match="expected one of head, tail"):
        opened(tmp_path, text, part="nose")
    single = wide("nose_x", "nose_y", "left_ear_x", "left_ear_y")
    with pytest.raises(mm.RecordingRefused, match="nose, left_ear"):
        opened(tmp_path, single)
    assert opened(tmp_path, single, part="left_ear").positions[0].tolist() == [[2, 3]]
    with pytest.raises(mm.RecordingRefused, match="no body parts"):
        opened(tmp_path, wide("a_x", "a_y", "b_x", "b_y"), part="head")


def test_old_names_of_options(tmp_path: Path) -> None:
    text = wide("nose_x", "nose_y", "tail_x", "tail_y")
    with pytest.warns(DeprecationWarning, match="body_part is now called part"):
        assert opened(tmp_path, text, body_part="tail").positions[0, 0].tolist() == [2, 3]


def test_pixels_beside_lengths(tmp_path: Path) -> None:
    rows = "".join(f"{t / 10},a,{10 * t},5,{t},0.5\n" for t in range(5))
    found = opened(tmp_path, "time,id,x_px,y_px,x_cm,y_cm\n" + rows)
    assert found.unit == "cm" and found.positions[4, 0].tolist() == [4, 0.5]
    assert {"x_px", "y_px"} <= set(found.attrs["ignored"])


# --- poses in three dimensions


POSE = "scorer,D,D,D,D,D,D\n{}bodyparts,head,head,head,tail,tail,tail\ncoords,x,y,z,x,y,z\n"


@pytest.mark.parametrize("animals", ["", "individuals,a,a,a,a,a,a\n"])
def test_deeplabcut_keeps_z(tmp_path: Path, animals: str) -> None:
    text = POSE.format(animals) + "".join(f"{f},{f},1,{f},{f},1,{f + 2}\n" for f in range(4))
    found = opened(tmp_path, text)
    assert found.positions[:, 0].tolist() == [[f, 1, f + 1] for f in range(4)]
    assert opened(tmp_path, text, part="head").positions[3, 0].tolist() == [3, 1, 3]


def test_labels_of_pictures(tmp_path: Path) -> None:
    head = "scorer,M,M,M,M\nbodyparts,head,head,tail,tail\ncoords,x,y,x,y\n"
    rows = "".join(f"labeled-data/v/img{7 * f:04}.png,{f},1,{f},3\n" for f in range(4))
    found = opened(tmp_path, head + rows)
    assert found.every == 7 and found.positions[:, 0].tolist() == [[f, 2] for f in range(4)]
    head = "scorer,,,M,M,M,M\nbodyparts,,,head,head,tail,tail\ncoords,,,x,y,x,y\n"
    assert opened(tmp_path, head + rows.replace("/", ",")).positions.tolist() == \
        found.positions.tolist()  # fmt: skip


def test_anipose(tmp_path: Path) -> None:
    names = [f"{p}_{w}" for p in ("nose", "tail")
             for w in ("x", "y", "z", "error", "ncams", "score")]  # fmt: skip
    rows = "".join(f"{f},1,{f},9,3,0.9,{f + 2},1,{f},9,3,0.1,1,{f}\n" for f in range(5))
    found = opened(tmp_path, ",".join([*names, "M_00", "fnum"]) + "\n" + rows)
    assert (found.source, found.positions.shape) == ("Anipose's table", (5, 1, 3))
    assert found.positions[2, 0].tolist() == [3, 1, 2]
    sure = opened(tmp_path, ",".join([*names, "M_00", "fnum"]) + "\n" + rows, min_likelihood=0.5)
    assert sure.positions[2, 0].tolist() == [2, 1, 2]


def test_sleaps_analysis_table(tmp_path: Path) -> None:
    head = (
        "track,frame_idx,instance.score,head.x,head.y,head.score,thorax.x,thorax.y,thorax.score\n"
    )
    rows = "".join(f"track_{k},{f},0.8,{f + 2},{50 * k},0.9,{f},{50 * k},0.2\n"
                   for f in range(4) for k in (0, 1))  # fmt: skip
    found = opened(tmp_path, head + rows)
    assert found.names == ["track_0", "track_1"] and found.positions[0].tolist() == [
        [1, 0],
        [1, 50],
    ]
    assert any("every likelihood" in note for note in found.notes)
    assert opened(tmp_path, head + rows, min_likelihood=0.5).positions[0, 1].tolist() == [2, 50]
    with pytest.raises(mm.RecordingRefused, match="instances have no tracks"):
        opened(tmp_path, head + rows.replace("track_0", "").replace("track_1", ""))


# --- degrees


@pytest.mark.parametrize("names", [
    "lon,lat", "longitude,latitude", "Longitude [°],Latitude [°]", "lng,lat", "long_deg,lat_deg",
    "location-long,location-lat",
])  # fmt: skip
@pytest.mark.parametrize("at", [10.0, 179.999])
def test_degrees_are_projected(tmp_path: Path, names: str, at: float) -> None:
    east = [at + 0.001 * t for t in range(5)]
    rows = "".join(f"{t}.5,a,{(x + 180) % 360 - 180:.6f},60.0\n" for t, x in enumerate(east))
    found = opened(tmp_path, f"time,id,{names}\n{rows}")
    assert found.unit == "m"
    np.testing.assert_allclose(speeds(found), 0.001 * 111320 * 0.5, rtol=5e-3)
    assert "projection" in found.attrs


def test_degrees_by_the_users_word(tmp_path: Path) -> None:
    rows = "".join(f"{t}.5,a,{-113 + 0.00123 * t:.6f},46.123456\n" for t in range(5))
    found = opened(tmp_path, "time,id,x,y\n" + rows)
    assert found.unit == "" and any("--unit degrees" in one for one in found.warnings)
    found = opened(tmp_path, "time,id,x,y\n" + rows, unit="degrees")
    assert found.unit == "m" and not found.warnings
    np.save(tmp_path / "a.npy", np.array([[[10 + 0.001 * t, 60.0]] for t in range(9)]))
    found = mm.open_tracks(tmp_path / "a.npy", unit="degrees", fps=1, axes="t,id,xy")
    np.testing.assert_allclose(speeds(found), 0.001 * 111320 * 0.5, rtol=5e-3)
    arena = opened(tmp_path, "time,id,x,y\n" + "".join(
        f"{t}.5,a,{20 * np.sin(t):.6f},{30 * np.cos(t):.6f}\n" for t in range(20)))  # fmt: skip
    assert not any("degrees" in one for one in arena.warnings)


# --- times


@pytest.mark.parametrize(("stamp", "unit"), [
    (1_600_000_000, 1), (1_600_000_000_000, 1e-3), (1_600_000_000_000_000, 1e-6),
    (1_600_000_000_000_000_000, 1e-9),
])  # fmt: skip
def test_numbers_that_count_since_1970(tmp_path: Path, stamp: int, unit: float) -> None:
    step = round(10 / unit)
    text = "timestamp,id,x,y\n" + "".join(f"{stamp + step * t},a,{t},0\n" for t in range(5))
    found = opened(tmp_path, text)
    assert len(found) == 5 and found.rate == pytest.approx(0.1, rel=1e-6)
    assert any("since 1970" in note for note in found.notes)


@pytest.mark.parametrize("dates", [
    ["18/09/2015 08:00:00", "18/09/2015 08:00:01", "18/09/2015 08:00:02"],
    ["01.05.2019 23:59:59", "02.05.2019 00:00:00", "02.05.2019 00:00:01"],
    ["5/30/2018 3:07:00 PM", "5/30/2018 3:07:01 PM", "5/30/2018 3:07:02 PM"],
    ["12/31/2018 11:59:59 PM", "1/1/2019 12:00:00 AM", "1/1/2019 12:00:01 AM"],
    ["2020/01/01 00:00:00", "2020/01/01 00:00:01", "2020/01/01 00:00:02"],
    ["2020-01-01T00:00:00Z", "2020-01-01T00:00:01Z", "2020-01-01T00:00:02Z"],
])  # fmt: skip
def test_dates(tmp_path: Path, dates: list[str]) -> None:
    rows = "".join(f"{date};a;{k};0\n" for k, date in enumerate(dates))
    found = opened(tmp_path, "time;id;x;y\n" + rows)
    assert len(found) == 3 and found.rate == pytest.approx(1)
    if " " in dates[0]:  # date and clock in columns of their own
        rows = "".join(f"{';'.join(one.split(' ', 1))};a;{k};0\n" for k, one in enumerate(dates))
        found = opened(tmp_path, "date;clock;id;x;y\n" + rows)
        assert len(found) == 3 and found.rate == pytest.approx(1)
        assert found.attrs["columns"]["date"] == "date"


def test_ambiguous_dates_are_asked_for(tmp_path: Path) -> None:
    text = "time,id,x,y\n07/09/2019 22:00,a,0,0\n07/09/2019 22:30,a,1,0\n08/09/2019 23:00,a,2,0\n"
    with pytest.raises(mm.RecordingRefused, match='--time-format "%d/%m/%Y %H:%M" or "%m/%d/%Y'):
        opened(tmp_path, text)
    found = opened(tmp_path, text, time_format="%d/%m/%Y %H:%M")
    assert len(found) == 2 * 24 + 3
    with pytest.raises(mm.RecordingRefused, match="22:00' in line 2; it must be a time"):
        opened(tmp_path, text, time_format="%H:%M")


@pytest.mark.parametrize(("bad", "good"), [("n/a?", "0.08"), ("garbled", "0.08")])
def test_a_bad_time_is_named_by_its_line_or_skipped(tmp_path: Path, bad: str, good: str) -> None:
    text = "time,id,x,y\n" + "".join(f"{t / 25:.2f},a,{t},0\n" for t in range(6))
    text = text.replace(f"\n{good},", f"\n{bad},")
    with pytest.raises(mm.RecordingRefused, match=f"'{bad.replace('?', '.')}' in line 4"):
        opened(tmp_path, text)
    found = opened(tmp_path, text, skip_bad=True)
    assert len(found) == 6 and np.isnan(found.positions[2]).all()
    dated = "timestamp,id,x,y\n" + "".join(f"2020-01-01 00:00:0{t},a,{t},0\n" for t in range(6))
    dated = dated.replace("2020-01-01 00:00:03", bad)
    with pytest.raises(mm.RecordingRefused, match="in line 5"):
        opened(tmp_path, dated)
    assert np.isnan(opened(tmp_path, dated, skip_bad=True).positions[3]).all()


def test_clocks_and_gaps_that_cannot_be(tmp_path: Path) -> None:
    rows = [f"18/09/2015,08:00:0{t},{t},0\n" for t in range(6)]
    rows[3] = rows[3].replace("08:00:03", "96:01:51")
    with pytest.raises(mm.RecordingRefused, match=r"96:01:51' in line 5 \(a clock beside a date"):
        opened(tmp_path, "date,time,x,y\n" + "".join(rows))
    assert len(opened(tmp_path, "date,time,x,y\n" + "".join(rows), skip_bad=True)) == 6
    late = "time_s,id,x,y\n" + "".join(f"{t},a,{t},0\n" for t in (0.5, 1.5, 2.5, 5000.5, 5001.5))
    found = opened(tmp_path, late)
    assert any("from line 4 to line 5 is a gap of 4998 s" in note for note in found.notes)


def test_times_that_are_there_twice_are_named_as_written(tmp_path: Path) -> None:
    text = "time,id,x,y\n2019-10-27 02:00:00,a,0,0\n2019-10-27 02:00:01,a,0,0\n" * 2
    text = "time,id,x,y\n" + text.replace("time,id,x,y\n", "")
    with pytest.raises(mm.RecordingRefused, match="time 2019-10-27 02:00:00 has a twice"):
        opened(tmp_path, text)
    gpx = "".join(f'<trkpt lat="47.{k}" lon="9"><time>2026-05-01T10:00:00Z</time></trkpt>'
                  for k in range(2))  # fmt: skip
    with pytest.raises(mm.RecordingRefused) as said:
        opened(tmp_path, f"<gpx><trk><trkseg>{gpx}</trkseg></trk></gpx>", "t.gpx")
    assert "--columns" not in str(said.value)


# --- animals that were not seen


def test_zeros_that_come_and_go(tmp_path: Path) -> None:
    rows = "".join(f"{f},{k},{300 + 2 * f if f % 9 else 0},{200 + 40 * k if f % 9 else 0}\n"
                   for f in range(30) for k in (0, 1))  # fmt: skip
    found = opened(tmp_path, "frame,id,x,y\n" + rows)
    assert any("--missing 0,0" in one for one in found.warnings)
    found = opened(tmp_path, "frame,id,x,y\n" + rows, missing="0,0")
    assert np.isnan(found.positions[::9]).all() and not found.warnings
    centred = rows.replace(",200", ",-200")
    assert not any(
        "--missing" in one for one in opened(tmp_path, "frame,id,x,y\n" + centred).warnings
    )
    with pytest.raises(mm.RecordingRefused, match="missing: got 3 coordinates; expected 2"):
        opened(tmp_path, "frame,id,x,y\n" + rows, missing="0,0,0")
    with pytest.raises(mm.RecordingRefused, match="missing: got '0;0'"):
        opened(tmp_path, "frame,id,x,y\n" + rows, missing="0;0")


# --- boxes, several files, compression


def test_boxes(tmp_path: Path) -> None:
    rows = "".join(f"{f},{k},{10 * f},{20 * k},4,6\n" for f in range(1, 5) for k in (1, 2))
    centres = [[[10 * f + 2, 20 * k + 3] for k in (1, 2)] for f in range(1, 5)]
    for head, columns in (
        ("frame,id,bb_left,bb_top,bb_width,bb_height\n", None),
        ("", "frame=1,id=2,left=3,top=4,width=5,height=6"),
    ):
        found = opened(tmp_path, head + rows, columns=columns)
        assert found.positions.tolist() == centres
        assert any("centres of boxes" in note for note in found.notes)
    corners = "frame,id,xmin,ymin,xmax,ymax\n" + "".join(
        f"{f},{k},{10 * f},{20 * k},{10 * f + 4},{20 * k + 6}\n"
        for f in range(1, 5)
        for k in (1, 2)
    )
    assert opened(tmp_path, corners).positions.tolist() == centres


def test_boxes_of_via(tmp_path: Path) -> None:
    def cell(value: Any) -> str:
        return '"' + json.dumps(value).replace('"', '""') + '"'

    head = "filename,file_size,region_shape_attributes,region_attributes\n"
    rect = [
        cell({"name": "rect", "x": 10 * f, "y": 4, "width": 20, "height": 10}) for f in range(4)
    ]
    rows = [f"frame_{5 * f:05}.png,1000,{rect[f]},{cell({'track': '1'})}\n" for f in range(4)]
    found = opened(tmp_path, head + "".join(rows))
    assert found.every == 5 and found.positions[:, 0].tolist() == [
        [10 * f + 10, 9] for f in range(4)
    ]
    rows[2] = f"frame_00010.png,1000,{cell({'name': 'polyline'})},{cell({'track': '1'})}\n"
    with pytest.raises(mm.RecordingRefused, match="region_shape_attributes in line 4 does not say"):
        opened(tmp_path, head + "".join(rows))
    assert np.isnan(opened(tmp_path, head + "".join(rows), skip_bad=True).positions[2]).all()


def test_a_folder_and_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "fish"
    folder.mkdir()
    for k, name in enumerate(("anna", "ben")):
        rows = "".join(f"{t / 10},{t},{k}\n" for t in range(k, 6))
        (folder / f"{name}.csv").write_text("time,x,y\n" + rows)
    for path in (folder, folder / "*.csv"):
        found = mm.open_tracks(path)
        assert found.names == ["anna", "ben"] and found.positions.shape == (6, 2, 2)
        assert np.isnan(found.positions[0, 1]).all() and found.rate == pytest.approx(10)
    (folder / "ben.csv").write_text("time,x,y\n0.0,1,here\n")
    with pytest.raises(mm.RecordingRefused, match="'here' in line 2"):
        mm.open_tracks(folder)
    (folder / "ben.csv").write_text("time,x_mm,y_mm\n0.0,1,1\n")
    with pytest.raises(mm.RecordingRefused, match="different columns or units"):
        mm.open_tracks(folder)
    with pytest.raises(mm.RecordingRefused, match=r"no such file|its ending"):
        mm.open_tracks(tmp_path / "none*.csv")


def test_compressed_tables(tmp_path: Path) -> None:
    text = "frame,id,x,y\n" + "".join(f"{f},a,{f},0\n" for f in range(5))
    with gzip.open(tmp_path / "t.csv.gz", "wt") as file:
        file.write(text)
    with zipfile.ZipFile(tmp_path / "t.csv.zip", "w") as archive:
        archive.writestr("t.csv", text)
    with zipfile.ZipFile(tmp_path / "u.zip", "w") as archive:
        archive.writestr("inner.csv", text)
    for name in ("t.csv.gz", "t.csv.zip", "u.zip"):
        assert mm.open_tracks(tmp_path / name).positions[:, 0, 0].tolist() == list(range(5))
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.csv", text)
        archive.writestr("b.csv", text)
    with pytest.raises(mm.RecordingRefused, match="zip of 2 files"):
        mm.open_tracks(tmp_path / "two.zip")
    (tmp_path / "bad.csv.gz").write_bytes((tmp_path / "t.csv.gz").read_bytes()[:30])
    with pytest.raises(mm.RecordingRefused, match="cannot be"):
        mm.open_tracks(tmp_path / "bad.csv.gz")
    with gzip.open(tmp_path / "bomb.csv.gz", "wb") as file:
        for _ in range(200):
            file.write(b"0" * (1 << 20))
    with pytest.raises(mm.RecordingRefused):
        mm.open_tracks(tmp_path / "bomb.csv.gz")


def test_thousands(tmp_path: Path) -> None:
    german = "time;id;x;y\n" + "".join(f"0,{t};a;1.234,{t};2,5\n" for t in range(4))
    assert opened(tmp_path, german).positions[2, 0].tolist() == [1234.2, 2.5]
    english = "time,id,x,y\n" + "".join(f'0.{t},a,"1,234.{t}",2.5\n' for t in range(4))
    assert opened(tmp_path, english).positions[2, 0].tolist() == [1234.2, 2.5]


# --- a search


NAMES = {
    "frame": ["frame", "Frame", "frame_idx", "imageNumber", "fnum"],
    "id": ["id", "track_id", "TrackID", "animal", "Fish ID", "individual"],
    "x": ["x", "X", "pos_x", "x (mm)", "Position X", "x_mm", "X center [mm]"],
    "y": ["y", "Y", "pos_y", "y (mm)", "Position Y", "y_mm", "Y center [mm]"],
}
OTHERS = ["vx", "x_error", "score", "likelihood", "heading", "area", "x_std", "notes", "speed",
          "vel_x", "acc_y", "confidence"]  # fmt: skip


@settings(max_examples=60, deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(data=st.data())
def test_known_tracks_in_random_layouts(tmp_path_factory: Any, data: Any) -> None:
    """Never other animals, other positions or another unit than the table has."""
    animals, frames = data.draw(st.integers(1, 4)), data.draw(st.integers(2, 6))
    pick = data.draw(st.integers(0, 6))
    header = {role: data.draw(st.sampled_from(names)) for role, names in NAMES.items()
              if role in ("frame", "id")}  # fmt: skip
    header |= {axis: NAMES[axis][pick] for axis in "xy"}
    others = data.draw(st.lists(st.sampled_from(OTHERS), unique=True, max_size=4))
    order = data.draw(st.permutations([*header, *others]))
    sign = data.draw(st.sampled_from([",", ";", "\t"]))
    quoted = data.draw(st.booleans())
    start = data.draw(st.integers(0, 1000))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    positions = np.round(random.uniform(-500, 500, (frames, animals, 2)), 3)
    rows = []
    for f in range(frames):
        for k in range(animals):
            known = {"frame": start + f, "id": f"a{k}", "x": positions[f, k, 0],
                     "y": positions[f, k, 1]}  # fmt: skip
            rows.append([str(known.get(one, round(random.normal(), 4))) for one in order])
    random.shuffle(rows)
    names = [header.get(one, one) for one in order]
    text = [sign.join(f'"{cell}"' if quoted else cell for cell in row) for row in [names, *rows]]
    path = tmp_path_factory.mktemp("table") / "t.csv"
    path.write_text("\n".join(text) + "\n")
    found = mm.open_tracks(path)
    assert found.names == [f"a{k}" for k in range(animals)]
    np.testing.assert_array_equal(found.positions, positions)
    assert (found.start, found.unit) == (start, "mm" if "mm" in header["x"] else "")
    assert set(found.attrs["columns"]) == set(header.values())
    assert set(found.attrs["ignored"]) == set(others)


# --- more classes


@pytest.mark.parametrize(("names", "animals"), [
    ("x1,y1,x2,y2,x_vel1,y_vel1", ["1", "2"]),
    ("robot 1.x,robot 1.y,robot 1.goal.x,robot 1.goal.y", ["robot_1"]),
    ("fish1_x,fish1_y,fish1_likelihood,fish2_x,fish2_y,fish2_likelihood", ["fish1", "fish2"]),
    ("anna_x,anna_y,ben_x,ben_y", ["anna", "ben"]),
])  # fmt: skip
def test_names_of_animals(tmp_path: Path, names: str, animals: list[str]) -> None:
    assert opened(tmp_path, wide(*names.split(","))).names == animals


@pytest.mark.parametrize("names", [
    "p1_x,p1_y,p1_score,p2_x,p2_y,p2_score", "x_snout,y_snout,x_left_ear,y_left_ear",
    "alpha_x,alpha_y,alpha_likelihood,omega_x,omega_y,omega_likelihood",
])  # fmt: skip
def test_points_with_scores_are_body_parts(tmp_path: Path, names: str) -> None:
    with pytest.raises(mm.RecordingRefused, match="body parts"):
        opened(tmp_path, wide(*names.split(",")))


def test_a_format_of_dates_beside_clocks(tmp_path: Path) -> None:
    rows = "".join(f"09/07/2019,08:00:0{t},{t},0\n" for t in range(4))
    found = opened(tmp_path, "date,time,x,y\n" + rows, time_format="%m/%d/%Y")
    assert len(found) == 4 and found.rate == pytest.approx(1)


def test_a_track_that_begins_at_zero_is_no_gap(tmp_path: Path) -> None:
    rows = "".join(f"{f},a,{3 * f},{4 * f}\n" for f in range(9))
    assert not opened(tmp_path, "frame,id,x,y\n" + rows).warnings


def test_pictures_of_two_videos(tmp_path: Path) -> None:
    head = "scorer,M,M\nbodyparts,head,head\ncoords,x,y\n"
    rows = "".join(f"labeled-data/{v}/img{f:04}.png,{f},1\n" for v in "ab" for f in range(3))
    with pytest.raises(mm.RecordingRefused, match="pictures of 2 videos"):
        opened(tmp_path, head + rows)


def test_names_with_commas_in_columns(tmp_path: Path) -> None:
    text = 'frame,"side, of",x,y\n' + "".join(f"{t},a,{t},1\n" for t in range(4))
    found = opened(tmp_path, text, columns='frame=frame,id="side, of",x=x,y=y')
    assert found.names == ["a"]


@pytest.mark.parametrize("bad", [False, True])
def test_rows_of_empty_cells(tmp_path: Path, bad: bool) -> None:
    """They are frames of a wide table without frames, and nothing in a table of sightings."""
    rows = [f"{t},{t},{t},1" for t in range(6)]
    rows[2] = ",,,"
    options: dict[str, Any] = {}
    if bad:  # the block is read cell by cell
        rows[5], options = "here,5,5,1", {"skip_bad": True}
    found = opened(tmp_path, "x1,y1,x2,y2\n" + "\n".join(rows) + "\n", **options)
    assert len(found) == 5 + (not bad) and np.isnan(found.positions[2]).all()
    rows = [f"{t},a,{t},1" for t in range(6)]
    rows[2] = ",,,"
    found = opened(tmp_path, "frame,id,x,y\n" + "\n".join(rows) + "\n")
    assert len(found) == 6 and np.isnan(found.positions[2]).all() and found.names == ["a"]


def test_positions_beside_positions_are_asked_for(tmp_path: Path) -> None:
    text = "frame,x_m,y_m,x_f,y_f\n" + "".join(f"{t},{t},1,{t},2\n" for t in range(4))
    with pytest.raises(mm.RecordingRefused, match=r"x_m, y_m, and also x_f, y_f"):
        opened(tmp_path, text)
    found = opened(tmp_path, text, columns="frame=frame,x=x_f,y=y_f")
    assert found.positions[:, 0].tolist() == [[t, 2] for t in range(4)]


def test_a_folder_of_tables_without_headers_and_one_of_fish(tmp_path: Path) -> None:
    folder = tmp_path / "collars"
    folder.mkdir()
    for k in (1, 2):
        rows = "".join(f"{t},18/09/2015,08:00:0{t},{t},{k}\n" for t in range(4))
        (folder / f"Collar {k}.txt").write_text(rows)
    found = mm.open_tracks(folder, columns="date=2,time=3,x=4,y=5")
    assert found.names == ["Collar 1", "Collar 2"] and found.positions[3, 1].tolist() == [3, 2]
    fish = tmp_path / "fish"
    fish.mkdir()
    for k in (1, 2, 10):
        (fish / f"fish{k}.csv").write_text(f"frame,x,y\n0,1,{k}\n1,2,{k}\n")
    found = mm.open_tracks(fish)
    assert found.names == ["fish1", "fish2", "fish10"] and found.positions[0, 2].tolist() == [1, 10]


# --- options that do nothing are refused; files are what their names say


@pytest.mark.parametrize("options", [{"min_likelihood": 0.0}, {"header": False}, {"part": "head"}])
def test_an_option_that_a_format_does_not_take_is_refused(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    np.save(tmp_path / "a.npy", np.zeros((5, 3, 2)))
    with pytest.raises(mm.RecordingRefused, match=f"{next(iter(options))} is for .* leave --"):
        mm.open_tracks(tmp_path / "a.npy", axes="t,id,xy", **options)


def test_a_file_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    for name, x in (("a1.csv", 1), ("a[1].csv", 2)):
        (tmp_path / name).write_text(f"frame,id,x,y\n0,a,{x},0\n1,a,{x},0\n")
    assert mm.open_tracks(tmp_path / "a[1].csv").positions[0, 0, 0] == 2


def test_only_tables_may_be_compressed(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((5, 3, 2)))
    with gzip.open(tmp_path / "a.npy.gz", "wb") as file:
        file.write((tmp_path / "a.npy").read_bytes())
    with pytest.raises(mm.RecordingRefused, match=r"got a compressed \.npy file; .* Decompress it"):
        mm.open_tracks(tmp_path / "a.npy.gz")


def test_lines_are_looked_up_only_for_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To find the line of a row takes a pass over the file: none for rows that are skipped."""
    looked: list[int] = []
    real = text_table.TextTable.line
    monkeypatch.setattr(
        text_table.TextTable, "line", lambda self, row: looked.append(row) or real(self, row)
    )
    text = "frame,id,x,y\n" + "".join(f"{t},a,{'here' if t % 2 else t},0\n" for t in range(200))
    found = opened(tmp_path, text, skip_bad=True)
    assert len(found) == 100 and not looked
    with pytest.raises(mm.RecordingRefused, match="'here' in line 3"):
        opened(tmp_path, text)
    assert looked == [2]
