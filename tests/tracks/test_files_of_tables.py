"""Boxes, folders, patterns of names, compressed files, and options for other formats."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from written_tables import open_text

import murmurate as mm
from murmurate.tracks import text_table


def test_boxes(tmp_path: Path) -> None:
    rows = "".join(f"{f},{k},{10 * f},{20 * k},4,6\n" for f in range(1, 5) for k in (1, 2))
    centres = [[[10 * f + 2, 20 * k + 3] for k in (1, 2)] for f in range(1, 5)]
    for head, columns in (
        ("frame,id,bb_left,bb_top,bb_width,bb_height\n", None),
        ("", "frame=1,id=2,left=3,top=4,width=5,height=6"),
    ):
        result = open_text(tmp_path, head + rows, table=mm.TableFormat(columns=columns))
        assert result.positions.tolist() == centres
        assert any("centres of boxes" in note for note in result.notes)
    corners = "frame,id,xmin,ymin,xmax,ymax\n" + "".join(
        f"{f},{k},{10 * f},{20 * k},{10 * f + 4},{20 * k + 6}\n"
        for f in range(1, 5)
        for k in (1, 2)
    )
    assert open_text(tmp_path, corners).positions.tolist() == centres


def test_boxes_of_via(tmp_path: Path) -> None:
    def cell(value: Any) -> str:
        return '"' + json.dumps(value).replace('"', '""') + '"'

    head = "filename,file_size,region_shape_attributes,region_attributes\n"
    rect = [
        cell({"name": "rect", "x": 10 * f, "y": 4, "width": 20, "height": 10}) for f in range(4)
    ]
    rows = [f"frame_{5 * f:05}.png,1000,{rect[f]},{cell({'track': '1'})}\n" for f in range(4)]
    result = open_text(tmp_path, head + "".join(rows))
    assert result.every == 5 and result.positions[:, 0].tolist() == [
        [10 * f + 10, 9] for f in range(4)
    ]
    rows[2] = f"frame_00010.png,1000,{cell({'name': 'polyline'})},{cell({'track': '1'})}\n"
    with pytest.raises(
        mm.TracksError, match=r"shape_attributes: got .* in line 4; expected a shape"
    ):
        open_text(tmp_path, head + "".join(rows))
    skipping = mm.TableFormat(skip_bad=True)
    result = open_text(tmp_path, head + "".join([*rows, rows[3]]), table=skipping)
    assert np.isnan(result.positions[2]).all()
    assert "2 unusable rows were left out" in result.notes  # one has no centre, one is a copy


def test_a_folder_and_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "fish"
    folder.mkdir()
    for k, name in enumerate(("anna", "ben")):
        rows = "".join(f"{t / 10},{t},{k}\n" for t in range(k, 6))
        (folder / f"{name}.csv").write_text("time,x,y\n" + rows)
    for path in (folder, folder / "*.csv"):
        result = mm.open_tracks(path)
        assert result.names == ["anna", "ben"] and result.positions.shape == (6, 2, 2)
        assert np.isnan(result.positions[0, 1]).all() and result.rate == pytest.approx(10)
    (folder / "ben.csv").write_text("time,x,y\n0.0,1,here\n")
    with pytest.raises(mm.TracksError, match="'here' in line 2"):
        mm.open_tracks(folder)
    (folder / "ben.csv").write_text("time,x_mm,y_mm\n0.0,1,1\n")
    with pytest.raises(mm.TracksError, match="different columns or units"):
        mm.open_tracks(folder)
    with pytest.raises(mm.TracksError, match=r"no such file|got the ending"):
        mm.open_tracks(tmp_path / "none*.csv")


@pytest.mark.slow
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
    with pytest.raises(mm.TracksError, match="zip of 2 files"):
        mm.open_tracks(tmp_path / "two.zip")
    (tmp_path / "bad.csv.gz").write_bytes((tmp_path / "t.csv.gz").read_bytes()[:30])
    with pytest.raises(mm.TracksError, match="cannot be"):
        mm.open_tracks(tmp_path / "bad.csv.gz")
    with gzip.open(tmp_path / "bomb.csv.gz", "wb") as file:
        for _ in range(200):
            file.write(b"0" * (1 << 20))
    with pytest.raises(mm.TracksError):
        mm.open_tracks(tmp_path / "bomb.csv.gz")


def test_a_folder_of_tables_without_headers_and_one_of_fish(tmp_path: Path) -> None:
    folder = tmp_path / "collars"
    folder.mkdir()
    for k in (1, 2):
        rows = "".join(f"{t},18/09/2015,08:00:0{t},{t},{k}\n" for t in range(4))
        (folder / f"Collar {k}.txt").write_text(rows)
    result = mm.open_tracks(folder, table=mm.TableFormat(columns="date=2,time=3,x=4,y=5"))
    assert result.names == ["Collar 1", "Collar 2"] and result.positions[3, 1].tolist() == [3, 2]
    fish = tmp_path / "fish"
    fish.mkdir()
    for k in (1, 2, 10):
        (fish / f"fish{k}.csv").write_text(f"frame,x,y\n0,1,{k}\n1,2,{k}\n")
    result = mm.open_tracks(fish)
    assert result.names == ["fish1", "fish2", "fish10"] and result.positions[0, 2].tolist() == [
        1,
        10,
    ]


@pytest.mark.parametrize("options", [{"min_likelihood": 0.0}, {"header": False}, {"part": "head"}])
def test_an_option_for_other_formats_is_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    np.save(tmp_path / "a.npy", np.zeros((5, 3, 2)))
    (name,) = options
    table = mm.TableFormat(axes="t,id,xy", header=options.pop("header", None))
    with pytest.raises(mm.TracksError, match=f"{name}: .*Leave --"):
        mm.open_tracks(tmp_path / "a.npy", table=table, **options)


def test_a_file_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    for name, x in (("a1.csv", 1), ("a[1].csv", 2)):
        (tmp_path / name).write_text(f"frame,id,x,y\n0,a,{x},0\n1,a,{x},0\n")
    assert mm.open_tracks(tmp_path / "a[1].csv").positions[0, 0, 0] == 2


def test_only_tables_may_be_compressed(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((5, 3, 2)))
    with gzip.open(tmp_path / "a.npy.gz", "wb") as file:
        file.write((tmp_path / "a.npy").read_bytes())
    with pytest.raises(mm.TracksError, match=r"got a compressed \.npy file; .* Decompress it"):
        mm.open_tracks(tmp_path / "a.npy.gz")


def test_line_numbers_are_counted_only_for_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting lines takes a pass over the file, which skipped rows do not need."""
    rows: list[int] = []
    real = text_table.TextTable.line_name
    monkeypatch.setattr(
        text_table.TextTable, "line_name", lambda self, row: rows.append(row) or real(self, row)
    )
    text = "frame,id,x,y\n" + "".join(f"{t},a,{'here' if t % 2 else t},0\n" for t in range(200))
    result = open_text(tmp_path, text, table=mm.TableFormat(skip_bad=True))
    assert len(result) == 100 and not rows
    with pytest.raises(mm.TracksError, match="'here' in line 3"):
        open_text(tmp_path, text)
    assert rows == [2]
