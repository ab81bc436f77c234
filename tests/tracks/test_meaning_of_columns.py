"""The meaning of columns follows from their names and units, or from the user's options.

A search writes known tracks in random layouts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from written_tables import open_text, speeds

import murmurate as mm

# --- headers


NUMBERED = "".join(f"{f},{a},{x + 5 * f},{y}\n" for f in range(3, 9) for a, x, y in
                   (("fish1", 100, 50), ("fish2", 100, 100)))  # fmt: skip
POSITIONS = "frame=1,id=2,x=3,y=4"


def test_a_first_row_like_the_others_is_data(tmp_path: Path) -> None:
    result = open_text(
        tmp_path, NUMBERED, table=mm.TableFormat(columns=POSITIONS), frames_per_second=10
    )
    assert result.positions.shape == (6, 2, 2)
    np.testing.assert_allclose(speeds(result), 50)
    assert result.names == ["fish1", "fish2"]


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
    result = open_text(tmp_path, text, table=mm.TableFormat(columns=columns))
    assert len(result) == 2 and result.positions[0, 0].tolist() == first


def test_a_header_is_found_or_given(tmp_path: Path) -> None:
    named = "3,id,115,50\n"  # names that are numbers, above numbers
    rows = "".join(f"{t},7,{t},2\n" for t in range(4))
    with pytest.raises(mm.TracksError, match=r"got no header.*frame=1.*--header"):
        open_text(tmp_path, rows)
    result = open_text(
        tmp_path,
        named + rows,
        table=mm.TableFormat(columns={"frame": "1", "id": "id", "x": 3, "y": '"50"'}),
    )
    assert result.positions[:, 0].tolist() == [[0, 2], [1, 2], [2, 2], [3, 2]]
    with pytest.raises(mm.TracksError, match=r'position 115; expected 1 to 4.*x="115"'):
        open_text(
            tmp_path,
            named + rows,
            table=mm.TableFormat(columns={"frame": 1, "id": "id", "x": "115", "y": 4}),
        )
    assert len(open_text(tmp_path, rows, table=mm.TableFormat(columns=POSITIONS, header=True))) == 3
    with pytest.raises(mm.TracksError, match="column 3: got 'x' in line 1"):
        open_text(
            tmp_path, "frame,id,x,y\n" + rows, table=mm.TableFormat(columns=POSITIONS, header=False)
        )


def test_units_below_the_header(tmp_path: Path) -> None:
    text = "time,id,x,y\ns,,cm,cm\n" + "".join(f"{t / 25},a,{t},0\n" for t in range(5))
    result = open_text(tmp_path, text)
    assert (result.unit, result.rate, len(result)) == ("cm", pytest.approx(25), 5)
    result = open_text(tmp_path, text.replace("s,,cm,cm", "(ms),,(mm),(mm)"))
    assert (result.unit, result.rate) == ("mm", pytest.approx(25e3))


def test_preambles(tmp_path: Path) -> None:
    rows = "".join(f"{t / 25:.3f};{t / 25:.3f};{0.1 * t:.4f};2.5\n" for t in range(6))
    etho = (
        '"Number of header lines:";"6"\n"Experiment";"x"\n"Arena name";"A"\n""\n'
        '"Trial time";"Recording time";"X center";"Y center"\n"s";"s";"cm";"cm"\n'
    )
    result = open_text(tmp_path, etho + rows.replace("0.2000;2.5", '"-";"-"'))
    assert (result.unit, result.rate, len(result)) == ("cm", pytest.approx(25), 6)
    assert np.isnan(result.positions[2]).all()
    collar = (
        "Telonics Data Report\nUnit,GEN4\n\nHeaders Row,5\nGMT_DATE,GMT_TIME,Latitude,Longitude\n"
    )
    fixes = "".join(f"2020.05.01,0{t}:00:00,46.{t:04},-113.0\n" for t in range(5))
    result = open_text(tmp_path, collar + fixes)
    assert (result.unit, len(result), result.rate) == ("m", 5, pytest.approx(1 / 3600))


def test_comments_that_say_rate_and_unit(tmp_path: Path) -> None:
    head = "# description: corridor\n# framerate: 16 fps\n# id frame x/m y/m z/m\n"
    rows = "".join(f"{k} {f} {f / 10 + k} {k} 1.7\n" for k in (1, 2) for f in range(4))
    result = open_text(tmp_path, head + rows, "t.txt")
    assert (result.unit, result.rate, result.positions.shape) == ("m", 16, (4, 2, 2))
    assert any("comment" in note for note in result.notes)
    assert open_text(tmp_path, head + rows, "t.txt", frames_per_second=8).rate == 8


# --- what is no position


def wide(*names: str, rows: int = 5) -> str:
    cells = ["time", *names]
    lines = [",".join([f"{t / 10}", *(str(t + k) for k in range(len(names)))]) for t in range(rows)]
    return ",".join(cells) + "\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("word", [
    "vel", "velocity", "speed", "acc", "error", "std", "score", "likelihood", "conf", "heading",
    "displacement",
])  # fmt: skip
def test_other_quantities_are_not_animals(tmp_path: Path, word: str) -> None:
    names = [f"fish{k}_{item}" for k in (1, 2) for item in ("x", "y", f"{word}_x", f"{word}_y")]
    result = open_text(tmp_path, wide(*names))
    assert result.names == ["fish1", "fish2"]
    assert f"fish1_{word}_x" in result.attrs["ignored"]
    assert result.attrs["columns"]["fish2_y"] == "y of fish2"


def test_body_parts_need_an_option(tmp_path: Path) -> None:
    text = wide("fish1_head_x", "fish1_head_y", "fish1_tail_x", "fish1_tail_y",
                "fish2_head_x", "fish2_head_y", "fish2_tail_x", "fish2_tail_y")  # fmt: skip
    with pytest.raises(mm.TracksError, match=r"body parts: head, tail.*--part head.*each"):
        open_text(tmp_path, text)
    head = open_text(tmp_path, text, part="head")
    assert head.names == ["fish1", "fish2"] and head.positions[0].tolist() == [[0, 1], [4, 5]]
    mean = open_text(tmp_path, text, part="mean")
    assert mean.positions[0].tolist() == [[1, 2], [5, 6]]
    assert len(open_text(tmp_path, text, part="each").names or ()) == 4
    with pytest.raises(mm.TracksError, match="expected one of head, tail"):
        open_text(tmp_path, text, part="nose")
    single = wide("nose_x", "nose_y", "left_ear_x", "left_ear_y")
    with pytest.raises(mm.TracksError, match="nose, left_ear"):
        open_text(tmp_path, single)
    assert open_text(tmp_path, single, part="left_ear").positions[0].tolist() == [[2, 3]]
    with pytest.raises(mm.TracksError, match="without body parts"):
        open_text(tmp_path, wide("a_x", "a_y", "b_x", "b_y"), part="head")


def test_pixels_and_lengths(tmp_path: Path) -> None:
    rows = "".join(f"{t / 10},a,{10 * t},5,{t},0.5\n" for t in range(5))
    result = open_text(tmp_path, "time,id,x_px,y_px,x_cm,y_cm\n" + rows)
    assert result.unit == "cm" and result.positions[4, 0].tolist() == [4, 0.5]
    assert {"x_px", "y_px"} <= set(result.attrs["ignored"])


# --- poses in three dimensions


POSE = "scorer,D,D,D,D,D,D\n{}bodyparts,head,head,head,tail,tail,tail\ncoords,x,y,z,x,y,z\n"


@pytest.mark.parametrize("animals", ["", "individuals,a,a,a,a,a,a\n"])
def test_deeplabcut_keeps_z(tmp_path: Path, animals: str) -> None:
    text = POSE.format(animals) + "".join(f"{f},{f},1,{f},{f},1,{f + 2}\n" for f in range(4))
    result = open_text(tmp_path, text)
    assert result.positions[:, 0].tolist() == [[f, 1, f + 1] for f in range(4)]
    assert open_text(tmp_path, text, part="head").positions[3, 0].tolist() == [3, 1, 3]


def test_labels_of_images(tmp_path: Path) -> None:
    head = "scorer,M,M,M,M\nbodyparts,head,head,tail,tail\ncoords,x,y,x,y\n"
    rows = "".join(f"labeled-data/v/img{7 * f:04}.png,{f},1,{f},3\n" for f in range(4))
    result = open_text(tmp_path, head + rows)
    assert result.every == 7 and result.positions[:, 0].tolist() == [[f, 2] for f in range(4)]
    head = "scorer,,,M,M,M,M\nbodyparts,,,head,head,tail,tail\ncoords,,,x,y,x,y\n"
    assert open_text(tmp_path, head + rows.replace("/", ",")).positions.tolist() == \
        result.positions.tolist()  # fmt: skip


def test_anipose(tmp_path: Path) -> None:
    names = [f"{p}_{w}" for p in ("nose", "tail")
             for w in ("x", "y", "z", "error", "ncams", "score")]  # fmt: skip
    rows = "".join(f"{f},1,{f},9,3,0.9,{f + 2},1,{f},9,3,0.1,1,{f}\n" for f in range(5))
    result = open_text(tmp_path, ",".join([*names, "M_00", "fnum"]) + "\n" + rows)
    assert (result.source, result.positions.shape) == ("Anipose's table", (5, 1, 3))
    assert result.positions[2, 0].tolist() == [3, 1, 2]
    sure = open_text(tmp_path, ",".join([*names, "M_00", "fnum"]) + "\n" + rows, min_likelihood=0.5)
    assert sure.positions[2, 0].tolist() == [2, 1, 2]


def test_sleaps_analysis_table(tmp_path: Path) -> None:
    head = (
        "track,frame_idx,instance.score,head.x,head.y,head.score,thorax.x,thorax.y,thorax.score\n"
    )
    rows = "".join(f"track_{k},{f},0.8,{f + 2},{50 * k},0.9,{f},{50 * k},0.2\n"
                   for f in range(4) for k in (0, 1))  # fmt: skip
    result = open_text(tmp_path, head + rows)
    assert result.names == ["track_0", "track_1"] and result.positions[0].tolist() == [
        [1, 0],
        [1, 50],
    ]
    assert any("every likelihood" in note for note in result.notes)
    assert open_text(tmp_path, head + rows, min_likelihood=0.5).positions[0, 1].tolist() == [2, 50]
    with pytest.raises(mm.TracksError, match="instances without tracks"):
        open_text(tmp_path, head + rows.replace("track_0", "").replace("track_1", ""))


# --- degrees


@pytest.mark.parametrize("names", [
    "lon,lat", "longitude,latitude", "Longitude [°],Latitude [°]", "lng,lat", "long_deg,lat_deg",
    "location-long,location-lat",
])  # fmt: skip
@pytest.mark.parametrize("at", [10.0, 179.999])
def test_degrees_are_projected(tmp_path: Path, names: str, at: float) -> None:
    east = [at + 0.001 * t for t in range(5)]
    rows = "".join(f"{t}.5,a,{(x + 180) % 360 - 180:.6f},60.0\n" for t, x in enumerate(east))
    result = open_text(tmp_path, f"time,id,{names}\n{rows}")
    assert result.unit == "m"
    np.testing.assert_allclose(speeds(result), 0.001 * 111320 * 0.5, rtol=5e-3)
    assert "projection" in result.attrs


@pytest.mark.parametrize(("names", "unit"), [
    ("lon_rad,lat_rad", None), ("lonRadians,latRadians", None), ("Lon [rad],Lat [rad]", None),
    ("longitude in radians,latitude in radians", None), ("lon,lat", "radians"), ("x,y", "rad"),
])  # fmt: skip
def test_radians_are_projected(tmp_path: Path, names: str, unit: str | None) -> None:
    degrees = [(46.4, 1.1 + 0.001 * t) for t in range(5)]
    rows = [f"{t}.5,a,{np.radians(x):.12f},{np.radians(y):.12f}\n"
            for t, (y, x) in enumerate(degrees)]  # fmt: skip
    result = open_text(tmp_path, f"time,id,{names}\n" + "".join(rows), unit=unit)
    np.testing.assert_allclose(speeds(result), 76.9, rtol=1e-3)
    assert result.unit == "m" and any("radians are projected" in note for note in result.notes)


def test_degrees_near_the_equator_by_name_or_option(tmp_path: Path) -> None:
    rows = "".join(f"{t}.5,a,{0.02 + 0.001 * t:.6f},0.81\n" for t in range(5))
    for names, unit in (("decimalLongitude,decimalLatitude", None), ("lon_deg,lat_deg", None),
                        ("lon,lat", "degrees")):  # fmt: skip
        result = open_text(tmp_path, f"time,id,{names}\n{rows}", unit=unit)
        np.testing.assert_allclose(speeds(result), 111.3, rtol=1e-3)


def test_degrees_by_the_option_unit(tmp_path: Path) -> None:
    rows = "".join(f"{t}.5,a,{-113 + 0.00123 * t:.6f},46.123456\n" for t in range(5))
    result = open_text(tmp_path, "time,id,x,y\n" + rows)
    assert result.unit == "" and any("--unit degrees" in item for item in result.warnings)
    result = open_text(tmp_path, "time,id,x,y\n" + rows, unit="degrees")
    assert result.unit == "m" and not result.warnings
    np.save(tmp_path / "a.npy", np.array([[[10 + 0.001 * t, 60.0]] for t in range(9)]))
    result = mm.open_tracks(
        tmp_path / "a.npy",
        unit="degrees",
        frames_per_second=1,
        table=mm.TableFormat(axes="t,id,xy"),
    )
    np.testing.assert_allclose(speeds(result), 0.001 * 111320 * 0.5, rtol=5e-3)
    arena = open_text(tmp_path, "time,id,x,y\n" + "".join(
        f"{t}.5,a,{20 * np.sin(t):.6f},{30 * np.cos(t):.6f}\n" for t in range(20)))  # fmt: skip
    assert not any("degrees" in item for item in arena.warnings)


# --- animals that were not seen


def test_zeros_that_come_and_go(tmp_path: Path) -> None:
    rows = "".join(f"{f},{k},{300 + 2 * f if f % 9 else 0},{200 + 40 * k if f % 9 else 0}\n"
                   for f in range(30) for k in (0, 1))  # fmt: skip
    result = open_text(tmp_path, "frame,id,x,y\n" + rows)
    assert np.isnan(result.positions[::9]).all()
    assert any("(0,0), read as not seen (--missing none" in item for item in result.notes)
    kept = open_text(tmp_path, "frame,id,x,y\n" + rows, table=mm.TableFormat(missing="none"))
    assert (kept.positions[::9] == 0).all()
    result = open_text(tmp_path, "frame,id,x,y\n" + rows, table=mm.TableFormat(missing="0,0"))
    assert np.isnan(result.positions[::9]).all() and not result.warnings
    centred = rows.replace(",200", ",-200")  # then (0, 0) is among the others
    assert any(
        "--missing 0,0" in item for item in open_text(tmp_path, "frame,id,x,y\n" + centred).warnings
    )
    around = "".join(f"{f},a,{round(9 * np.sin(f))},{f - 9}\n" for f in range(20))
    assert not open_text(tmp_path, "frame,id,x,y\n" + around).warnings
    with pytest.raises(mm.TracksError, match="missing: got 3 coordinates; expected 2"):
        open_text(tmp_path, "frame,id,x,y\n" + rows, table=mm.TableFormat(missing="0,0,0"))
    with pytest.raises(mm.TracksError, match="missing: got '0;0'"):
        open_text(tmp_path, "frame,id,x,y\n" + rows, table=mm.TableFormat(missing="0;0"))


def test_thousands(tmp_path: Path) -> None:
    german = "time;id;x;y\n" + "".join(f"0,{t};a;1.234,{t};2,5\n" for t in range(4))
    assert open_text(tmp_path, german).positions[2, 0].tolist() == [1234.2, 2.5]
    english = "time,id,x,y\n" + "".join(f'0.{t},a,"1,234.{t}",2.5\n' for t in range(4))
    assert open_text(tmp_path, english).positions[2, 0].tolist() == [1234.2, 2.5]


# --- what columns say about rows, times and versions

MOVES = np.array([[3, 4], [-6, 0], [0, 2]])  # of three animals per frame: 5, 6 and 2
STARTS = np.array([[10, 20], [100, 50], [50, 5]])


def flock(header: str, row: str, frames: int = 12) -> str:
    """Return a table of three animals; a row is a format with the names below."""
    lines = []
    for t in range(frames):
        for k, (x, y) in enumerate((STARTS + t * MOVES).tolist()):
            lost = int(k == 0 and t in (4, 5))
            lines.append(row.format(
                t=t, n=3 * t + k + 1, k=k + 1, x=x, y=y, lost=lost, status="AV"[lost],
                day=44197 + t / 86400, cs=4000 + 20 * t, us=1_600_000_000_000_000 + 20_000 * t,
            ))  # fmt: skip
    return header + "\n" + "\n".join(lines) + "\n"


MEANINGS: dict[str, tuple[str, str, Any, str]] = {
    # name -> header, row, expected (positions per second, or the missing ones), words of a note
    "row numbers": ("ID,Tracklet ID,Time,x,y", "{n},{k},{t},{x},{y}", 1, "frame numbers"),
    "CellProfiler": ("ImageNumber,ObjectNumber,TrackObjects_Label_50,Location_Center_X,"
                     "Location_Center_Y", "{t},{n},{k},{x},{y}", 1, "not used: ObjectNumber"),
    "lost": ("frame,id,x,y,lost,occluded", "{t},{k},{x},{y},{lost},{lost}", "lost", "lost = 1"),
    "doubtful": ("frame,id,x,y,occluded", "{t},{k},{x},{y},{lost}", 1, "2 rows have occluded = 1"),
    "unknown flag": ("frame,id,x,y,foo", "{t},{k},{x},{y},{lost}", 1, "foo has the values 0, 1"),
    "status A": ("frame,id,x,y,status", "{t},{k},{x},{y},{status}", "lost", "status = v"),
    "Excel": ("timestamp,id,x,y", "{day:.9f},{k},{x},{y}", 1, "days since 1900"),
    "centiseconds": ("#time(centisec)\tid\tx(m)\ty(m)", "{cs}\t{k}\t{x}\t{y}", 5, ""),
    "microseconds": ("time,id,x,y", "{us},{k},{x},{y}", 50, "microseconds since 1970"),
    "processing": ("# Source FPS: 25.\nFRAME;id;x;y;time", "{t};{k};{x};{y};{us}", 25,
                   "another clock"),
    "fps": ("frame,id,x,y,fps,time", "{t},{k},{x},{y},25,{us}", 25, "the column fps"),
    "corners": ("frame,id,x,y,width,height", "{t},{k},{x},{y},4,2", 1, "left=x,top=y"),
    "out of frame": ("frame,id,x,y,out_of_frame", "{t},{k},{x},{y},{lost}", "lost", "= 1"),
    "removed": ("frame,id,x,y,isRemoved", "{t},{k},{x},{y},{lost}", "lost", "isRemoved = 1"),
    "unlike any": ("frame,id,x,y,valid", "{t},{k},{x},{y},1{lost}", 1, "--drop valid=11"),
    "quality": ("frame,id,x,y,GPS Quality", "{t},{k},{x},{y},{lost}", 1, "--drop GPS Quality=1"),
    "TimeMs": ("TimeMs,id,x,y", "{cs},{k},{x},{y}", 50, ""),
    "time_in_ms": ("time_in_ms,id,x,y", "{cs},{k},{x},{y}", 50, ""),
    "days": ("days,id,x,y", "{day:.9f},{k},{x},{y}", 1, ""),
    "sampling rate": ("# Sampling rate: 25 Hz\nframe,id,x,y,time", "{t},{k},{x},{y},{cs}", 25, ""),
    "wall": ("frame,id,x,y,wall_time", "{t},{k},{x},{y},{cs}.5", 0.05, "--fps gives"),
    "tl, br": ("frame,id,x_tl,y_tl,x_br,y_br", "{t},{k},{x},{y},{x},{y}", 1, "centres of boxes"),
    "two corners": ("frame,id,x1,y1,x2,y2", "{t},{k},{x},{y},{x},{y}", 1, "centres of boxes"),
    "roi": ("frame,id,roi_x,roi_y,roi_w,roi_h", "{t},{k},{x},{y},4,2", 1, "centres of boxes"),
    "box centre": ("frame,id,bbox_cx,bbox_cy,bbox_w,bbox_h", "{t},{k},{x},{y},{cs},2", 1, ""),
    "slices": ("Track n°,Slice n°,X,Y", "{k},{t},{x},{y}", 1, ""),
    "smooth": ("frame,id,x,y,x_smooth,y_smooth", "{t},{k},{x},{y},9,9", 1,
               "not x_smooth, y_smooth"),
}  # fmt: skip


@pytest.mark.parametrize("name", MEANINGS)
def test_meanings(tmp_path: Path, name: str) -> None:
    header, row, expected, words = MEANINGS[name]
    text = flock(header, row)
    result = open_text(tmp_path, text, "t.txt")
    assert len(result.names or ()) == 3 and len(result) == 12
    assert any(words in note for note in result.notes) or not words
    if expected == "lost":
        assert np.isnan(result.positions[4:6, 0]).all() and np.isnan(result.positions).sum() == 4
        kept = open_text(tmp_path, text, "t.txt", table=mm.TableFormat(drop="none"))
        assert np.isfinite(kept.positions).all()
    else:
        assert result.rate == pytest.approx(expected, rel=1e-5 if "{day" in row else 1e-9)
        assert np.isfinite(result.positions).all()
    steps = np.linalg.norm(np.diff(result.positions, axis=0), axis=2)
    np.testing.assert_allclose(np.nanmean(steps, axis=0), [5, 6, 2])


@pytest.mark.parametrize(("header", "row", "words"), [
    ("frame,id,x,y", "{t},{n},{x},{y}", "another animal in nearly each row.*--columns id=NAME"),
    ("time (fortnights),id,x,y", "{t},{k},{x},{y}", "'fortnights'.*--time-format"),
    ("time,id,x,y", "44197.{t:02},{k},{x},{y}", "may be days.*--time-format days"),
    ("lat,lon,id,t_s", "0.81{t},0.02,{k},{t}", "46.* N 1.1 E.*--unit degrees or --unit radians"),
    ("lat [gon],lon [gon],id,t_s", "0.{t},1.{t},{k},{t}", "--unit degrees or --unit radians"),
    ("lat [m],lon [m],id,t_s", "0.{t},1.{t},{k},{t}", "got m; expected degrees or radians"),
    ("frame,a_x,a_y,a_w,a_h", "{n},{x},{y},{k},2", "--part centre or --part corner"),
    ("timestamp,id,x,y", "1325393280000{t:02}00000,{k},{x},{y}", "no known unit since 1970"),
    ("Time,id,x,y", "0.50000{t:02},{k},{x},{y}", "parts of a day, or seconds"),
    ("frame,id,x1,y1,x2,y2", "{t},{k},{x},{y},5{lost},{n}", "boxes of negative size"),
    ("dt,x0,x1,y0,y1", "1,{x},{y},{n},{k}", "pieces of paths"),
    ("timestamp,id,x,y", "202101010101{t:02},{k},{x},{y}", "may be dates.*%Y%m%d%H%M%S"),
])  # fmt: skip
def test_tables_that_are_refused(tmp_path: Path, header: str, row: str, words: str) -> None:
    with pytest.raises(mm.TracksError, match=words):
        open_text(tmp_path, flock(header, row))


def test_versions_and_coefficients(tmp_path: Path) -> None:
    two = wide("x_raw", "y_raw", "x_smooth", "y_smooth")
    with pytest.raises(mm.TracksError, match=r"versions of a position: raw, smooth.*--part raw"):
        open_text(tmp_path, two)
    assert open_text(tmp_path, two, part="smooth").positions[0].tolist() == [[2, 3]]
    both = wide(*(f"{axis}{k}_{v}" for k in (1, 2) for v in ("raw", "smooth") for axis in "xy"))
    with pytest.raises(mm.TracksError, match="versions of a position"):
        open_text(tmp_path, both)
    assert open_text(tmp_path, both, part="raw").names == ["1", "2"]
    with pytest.raises(mm.TracksError, match="expected those of a known format"):
        open_text(tmp_path, wide(*(f"{axis}^{k}" for axis in "xyz" for k in range(8))))
    rows = "".join(f"{t / 10},{5 * t},{t},{5 * t + 0.1},{t}\n" for t in range(9))
    copies = open_text(tmp_path, "t_s,foo_x,foo_y,bar_x,bar_y\n" + rows)
    assert any("versions of one animal" in note for note in copies.notes)


def test_hemispheres_and_sensors(tmp_path: Path) -> None:
    text = "Date;Time;id;Latitude;LatitudeDir;Longitude;LongitudeDir;kind\n" + "".join(
        f"24.11.2020;12:00:{t:02};a;33.00{t:02};S;70.5;W;GPS\n"
        f"24.11.2020;12:00:{t:02};a;0;S;0;W;ACC\n" for t in range(12)
    )  # fmt: skip
    unknown = open_text(tmp_path, text.replace(";W;", ";O;"))
    assert any("LongitudeDir has the values o" in note for note in unknown.notes)
    result = open_text(tmp_path, text)
    assert any("-33.0006 N -70.5000 E" in note for note in result.notes)
    assert (np.diff(result.positions[:, 0, 1]) < 0).all() and len(result) == 12


@pytest.mark.parametrize(("point", "is_gap"), [
    ("-1,-1", True), ("-999,-999", True), ("0,0", True), ("-16512,-16512", True),
    ("1e+30,1e+30", True), ("-5,-5", False), ("-16512,7", False),
])  # fmt: skip
def test_points_that_mean_not_seen(tmp_path: Path, point: str, is_gap: bool) -> None:
    text = flock("frame,id,x,y", "{t},{k},{x},{y}", 15)
    for t in (4, 5, 14):
        for k, (x, y) in enumerate((STARTS + t * MOVES).tolist(), 1):
            text = text.replace(f"\n{t},{k},{x},{y}\n", f"\n{t},{k},{point}\n")
    result = open_text(tmp_path, text)
    assert np.isnan(result.positions[[4, 5, 14]]).all() == is_gap
    assert any(f"({point})" in text for text in (*result.notes, *result.warnings))
    named = open_text(tmp_path, text, table=mm.TableFormat(missing=point.split(",")[0]))
    assert np.isnan(named.positions).sum() == 18


def test_missing_is_compared_with_the_numbers_of_the_file(tmp_path: Path) -> None:
    rows = "".join(f"{t}.5,a,{47.02 if 4 < t < 8 else 47 + t / 1e4:.6f},11.0\n" for t in range(20))
    for missing in ("11,47.02", "47.02,11"):
        result = open_text(
            tmp_path, "time,id,lat,lon\n" + rows, table=mm.TableFormat(missing=missing)
        )
        assert np.isnan(result.positions[5:8]).all() and np.isnan(result.positions).sum() == 6
    warned = open_text(tmp_path, "time,id,lat,lon\n" + rows)
    assert any("--missing 11,47.02" in text for text in warned.warnings)


def test_positions_that_are_all_the_same(tmp_path: Path) -> None:
    text = flock("frame,id,x,y", "{t},{k},-1,-1")
    result = open_text(tmp_path, text)
    assert any("every position is the same" in item for item in result.warnings)


@pytest.mark.parametrize("unknown", ["-1", "0", ""])
def test_boxes_beside_unknown_coordinates_of_mot(tmp_path: Path, unknown: str) -> None:
    rows = [f"{t},{k},{5 * t - 11},{3 * t - 7},{8 + t % 2},4,1" for t in range(6) for k in (0, 1)]
    rows[5] = "2,1,-1,-1,-1,-1,1"  # beside a box from -1, -1
    head = "frame,id,bb_left,bb_top,bb_width,bb_height,conf,x,y,z\n"
    result = open_text(tmp_path, head + "".join(f"{row}{3 * f',{unknown}'}\n" for row in rows))
    expected = [[5 * t - 11 + (8 + t % 2) / 2, 3 * t - 5] for t in range(6)]
    np.testing.assert_array_equal(result.positions[:, 0], expected)
    assert np.isnan(result.positions[2, 1]).all() and f"x, y are always {unknown}" in result.notes


@pytest.mark.parametrize(("names", "part", "expected"), [
    ("x,y,w,h", "corner", (14, 22)), ("x,y,width,height", "centre", (10, 20)),
    ("left,top,width,height", None, (14, 22)), ("bbox_x,bbox_y,bbox_w,bbox_h", None, (14, 22)),
    ("xmin,ymin,xmax,ymax", None, (14, 22)),
])  # fmt: skip
def test_boxes_of_each_animal_in_a_row(
    tmp_path: Path, names: str, part: str | None, expected: tuple[float, float]
) -> None:
    numbers = "10,20,18,24" if "xmin" in names else "10,20,8,4"
    for form in ("{who}_{name}", "{name}_{who}"):
        head = ",".join(
            form.format(who=who, name=name) for who in "ab" for name in names.split(",")
        )
        rows = "".join(f"{t},{numbers},{numbers}\n" for t in range(3))
        result = open_text(tmp_path, f"frame,{head}\n{rows}", part=part)
        assert result.positions.shape[1] == 2
        assert result.positions[0, 0].tolist() == list(expected), form


def test_corners_under_numbers_before_animals_are_said(tmp_path: Path) -> None:
    head = "frame,x1_a,y1_a,x2_a,y2_a,x1_b,y1_b,x2_b,y2_b\n"
    text = head + "".join(f"{t},{t},2,8,4,{t},20,99,44\n" for t in range(5))
    assert any("corners of a box" in note for note in open_text(tmp_path, text).notes)


def test_degrees_of_any_extent(tmp_path: Path) -> None:
    rows = "".join(f"2015-09-{d:02} {h:02}:00:00,{9 + d / 30:.6f},{48.123456 - d / 3:.6f}\n"
                   for d in range(1, 30) for h in (0, 12))  # fmt: skip
    assert any("--unit degrees" in text for text in
               open_text(tmp_path, "t,x,y\n" + rows).warnings)  # fmt: skip


def test_corners_by_the_option_columns(tmp_path: Path) -> None:
    text = flock("frame,id,x,y,width,height", "{t},{k},{x},{y},{cs},2")
    result = open_text(
        tmp_path, text, table=mm.TableFormat(columns="left=x,top=y,width=width,height=height")
    )
    assert result.positions[1, 2].tolist() == [50 + 4020 / 2, 7 + 1]
    assert any("centres of boxes" in note for note in result.notes)


def test_corners_of_boxes_that_mean_not_seen(tmp_path: Path) -> None:
    text = flock("frame,id,left,top,width,height", "{t},{k},{x},{y},{cs},2")
    for line in text.splitlines():
        if line.startswith("4,"):
            text = text.replace(line, ",".join([*line.split(",")[:2], "0,0", *line.split(",")[4:]]))
    for missing in (None, "0,0"):
        result = open_text(tmp_path, text, table=mm.TableFormat(missing=missing))
        assert np.isnan(result.positions[4]).all() and np.isnan(result.positions).sum() == 6
        assert sum("(0" in note for note in result.notes) == 1


def test_one_coordinate_that_means_not_seen(tmp_path: Path) -> None:
    text = flock("frame,id,x,y", "{t},{k},{x},{y}").replace("\n4,1,22,", "\n4,1,-9999,")
    assert any("--missing -9999" in text for text in open_text(tmp_path, text).warnings)


def test_flags_of_one_animal_and_corners(tmp_path: Path) -> None:
    rows = "".join(f"{t},{t},1,{int(t == 3)},{t + 2},5,0\n" for t in range(9))
    result = open_text(tmp_path, "frame,x1,y1,lost1,x2,y2,lost2\n" + rows)
    assert np.isnan(result.positions).any(axis=2).tolist() == [[t == 3, False] for t in range(9)]
    assert any("left=x1,top=y1,right=x2,bottom=y2" in note for note in result.notes)


@pytest.mark.parametrize("cell", ["1_0", "\u0661\u0660", "\uff11"])
def test_numbers_have_plain_digits(tmp_path: Path, cell: str) -> None:
    text = "frame,id,x,y\n" + "".join(f"{t},a,{cell},2\n" for t in range(4))
    with pytest.raises(mm.TracksError, match="column x: got"):
        open_text(tmp_path, text)


def test_a_table_of_qualisys_is_named(tmp_path: Path) -> None:
    with pytest.raises(mm.TracksError, match=r"Qualisys.*headers have several rows"):
        open_text(tmp_path, "NO_OF_FRAMES\t9\nNO_OF_CAMERAS\t8\n")


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
    """The animals, positions and unit are always those of the table."""
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
            cells = {"frame": start + f, "id": f"a{k}", "x": positions[f, k, 0],
                     "y": positions[f, k, 1]}  # fmt: skip
            rows.append([str(cells.get(item, round(random.normal(), 4))) for item in order])
    random.shuffle(rows)
    names = [header.get(item, item) for item in order]
    text = [sign.join(f'"{cell}"' if quoted else cell for cell in row) for row in [names, *rows]]
    path = tmp_path_factory.mktemp("table") / "t.csv"
    path.write_text("\n".join(text) + "\n")
    result = mm.open_tracks(path)
    assert result.names == [f"a{k}" for k in range(animals)]
    np.testing.assert_array_equal(result.positions, positions)
    assert (result.start, result.unit) == (start, "mm" if "mm" in header["x"] else "")
    assert set(result.attrs["columns"]) == set(header.values())
    assert set(result.attrs["ignored"]) == set(others)


# --- more classes


@pytest.mark.parametrize(("names", "animals"), [
    ("x1,y1,x2,y2,x_vel1,y_vel1", ["1", "2"]),
    ("robot 1.x,robot 1.y,robot 1.goal.x,robot 1.goal.y", ["robot_1"]),
    ("fish1_x,fish1_y,fish1_likelihood,fish2_x,fish2_y,fish2_likelihood", ["fish1", "fish2"]),
    ("anna_x,anna_y,ben_x,ben_y", ["anna", "ben"]),
])  # fmt: skip
def test_names_of_animals(tmp_path: Path, names: str, animals: list[str]) -> None:
    assert open_text(tmp_path, wide(*names.split(","))).names == animals


@pytest.mark.parametrize("names", [
    "p1_x,p1_y,p1_score,p2_x,p2_y,p2_score", "x_snout,y_snout,x_left_ear,y_left_ear",
    "alpha_x,alpha_y,alpha_likelihood,omega_x,omega_y,omega_likelihood",
])  # fmt: skip
def test_points_with_scores_are_body_parts(tmp_path: Path, names: str) -> None:
    with pytest.raises(mm.TracksError, match="body parts"):
        open_text(tmp_path, wide(*names.split(",")))


def test_a_track_that_begins_at_zero_is_no_gap(tmp_path: Path) -> None:
    rows = "".join(f"{f},a,{3 * f},{4 * f}\n" for f in range(9))
    assert not open_text(tmp_path, "frame,id,x,y\n" + rows).warnings


def test_images_of_two_videos(tmp_path: Path) -> None:
    head = "scorer,M,M\nbodyparts,head,head\ncoords,x,y\n"
    rows = "".join(f"labeled-data/{v}/img{f:04}.png,{f},1\n" for v in "ab" for f in range(3))
    with pytest.raises(mm.TracksError, match="images of 2 videos"):
        open_text(tmp_path, head + rows)


def test_names_with_commas_in_columns(tmp_path: Path) -> None:
    text = 'frame,"side, of",x,y\n' + "".join(f"{t},a,{t},1\n" for t in range(4))
    result = open_text(
        tmp_path, text, table=mm.TableFormat(columns='frame=frame,id="side, of",x=x,y=y')
    )
    assert result.names == ["a"]


@pytest.mark.parametrize("bad", [False, True])
def test_rows_of_empty_cells(tmp_path: Path, bad: bool) -> None:
    """They are frames in a wide table without frame numbers, and ignored in a long table."""
    rows = [f"{t},{t},{t},1" for t in range(6)]
    rows[2] = ",,,"
    if bad:  # the block is read cell by cell
        rows[5] = "here,5,5,1"
    table = mm.TableFormat(skip_bad=bad)
    result = open_text(tmp_path, "x1,y1,x2,y2\n" + "\n".join(rows) + "\n", table=table)
    assert len(result) == 5 + (not bad) and np.isnan(result.positions[2]).all()
    rows = [f"{t},a,{t},1" for t in range(6)]
    rows[2] = ",,,"
    result = open_text(tmp_path, "frame,id,x,y\n" + "\n".join(rows) + "\n")
    assert len(result) == 6 and np.isnan(result.positions[2]).all() and result.names == ["a"]


def test_two_pairs_of_positions_are_refused(tmp_path: Path) -> None:
    text = "frame,x_m,y_m,x_f,y_f\n" + "".join(f"{t},{t},1,{t},2\n" for t in range(4))
    with pytest.raises(mm.TracksError, match=r"x_m, y_m, and also x_f, y_f"):
        open_text(tmp_path, text)
    result = open_text(tmp_path, text, table=mm.TableFormat(columns="frame=frame,x=x_f,y=y_f"))
    assert result.positions[:, 0].tolist() == [[t, 2] for t in range(4)]
