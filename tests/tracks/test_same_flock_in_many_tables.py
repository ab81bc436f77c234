"""Ten ways to write the same flock as a table give the same tracks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import track_files

import murmurate as mm
from murmurate.tracks import text_table
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.text_table import TextTable, preview_text

POSITIONS = track_files.tracks(frames=30, animals=4)
SEEN = [(t, k) for t in range(30) for k in range(4) if np.isfinite(POSITIONS[t, k, 0])]


def lines(row: Callable[[int, int, float, float], str], order: list[tuple[int, int]] = SEEN) -> str:
    return "".join(row(t, k, *POSITIONS[t, k].tolist()) + "\n" for t, k in order)


def german() -> str:
    """Excel in Germany: semicolons, decimal commas, a byte order mark, the line ends of
    Windows."""
    rows = lines(lambda t, k, x, y: f"{t / 25:.2f};Tier {k};{x};{y}".replace(".", ","))
    return "\ufeff" + ("Time [s];Animal;X [mm];Y [mm]\n" + rows).replace("\n", "\r\n")


def r_table() -> str:
    """R's write.table: names in quotes, and numbered rows without a column name."""
    rows = [f'"{n + 1}" {t} "bird {k}" {POSITIONS[t, k, 0]!r} {POSITIONS[t, k, 1]!r}'
            for n, (t, k) in enumerate(SEEN)]  # fmt: skip
    text = '"frame" "id" "x" "y"\n' + "\n".join(rows) + "\n"
    return text.replace("np.float64(", "").replace(")", "")


def numpy_text() -> str:
    """numpy.savetxt with a header, which is a comment."""
    rows = lines(lambda t, k, x, y: f"{float(t):.18e} {float(k):.18e} {x:.18e} {y:.18e}")
    return "# made with numpy\n# frame id x y\n" + rows


def wide_with_words() -> str:
    names = ",".join(f"ant{k}_X,ant{k}_Y" for k in range(4))
    rows = [
        ",".join(["", str(t), *("NA" if np.isnan(x) else repr(x) for x in frame.ravel().tolist())])
        for t, frame in enumerate(POSITIONS)
    ]
    return f",Frame,{names}\n" + "\n".join(rows)


def all_rows() -> str:
    """With rows where no animal was seen, NaN as pandas writes it, and further columns."""
    frame = pd.DataFrame(
        [(t, k, *POSITIONS[t, k], "left", t / 25) for t in range(30) for k in range(4)],
        columns=[
            "Frame",
            "Track ID",
            "Position X",
            "Position Y",
            "side, of the tank",
            "Time (sec)",
        ],
    )
    text: str = frame.to_csv(na_rep="NaN")
    return text


MIDNIGHT, SECOND = datetime(2026, 4, 30, 23, 59, 59), timedelta(seconds=1)
SHUFFLED = [SEEN[k] for k in np.random.default_rng(3).permutation(len(SEEN)).tolist()]
TEXTS = {
    "plain.csv": "frame,id,x,y\n" + lines(lambda t, k, x, y: f"{t},{k},{x},{y}"),
    "german.csv": german(),
    "seconds.tsv": "TIME\tFISH\tX\tY\n" + lines(lambda t, k, x, y: f"{t / 25}\tf{k}\t{x}\t{y}"),
    "milliseconds.csv": "t_ms,animal,x,y\n" + lines(lambda t, k, x, y: f"{t * 40},{k},{x},{y}"),
    "clock.csv": "timestamp,bird,x,y\n"
    + lines(lambda t, k, x, y: f"{(MIDNIGHT + t / 25 * SECOND).isoformat()}Z,{k},{x},{y}"),
    "shuffled.csv": "y,x,individual,frame\n"
    + lines(lambda t, k, x, y: f'{y},{x},"ind, {k}",{t + 1000}', SHUFFLED),
    "r.txt": r_table(),
    "numpy.txt": numpy_text(),
    "wide.csv": wide_with_words(),
    "pandas.csv": all_rows(),
}


@pytest.mark.parametrize("name", TEXTS)
def test_all_give_the_same_tracks(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(TEXTS[name], encoding="utf-8", newline="")
    result = mm.open_tracks(tmp_path / name)
    np.testing.assert_allclose(result.positions, POSITIONS, rtol=0, atol=1e-9)
    timed = name in ("german.csv", "seconds.tsv", "milliseconds.csv", "clock.csv", "pandas.csv")
    assert result.timed == timed and result.rate == pytest.approx(25 if timed else 1)
    assert not result.warnings


def test_other_encodings(tmp_path: Path) -> None:
    for encoding in ("utf-16", "utf-8-sig"):
        (tmp_path / "t.csv").write_text(TEXTS["plain.csv"], encoding=encoding)
        result = mm.open_tracks(tmp_path / "t.csv")
        np.testing.assert_allclose(result.positions, POSITIONS, rtol=0, atol=1e-9)
    text = TEXTS["plain.csv"].replace("x,y", "x (µm),y (µm)", 1)
    (tmp_path / "t.csv").write_text("sep=,\n" + text, encoding="cp1252")
    assert mm.open_tracks(tmp_path / "t.csv").unit == "µm"


def test_blocks_are_read_like_one(tmp_path: Path) -> None:
    """pandas reads some blocks, and others are read cell by cell.

    Whole numbers are one name, however they are written.
    """
    rows = TEXTS["plain.csv"].splitlines()
    rows[40] = rows[40].replace(",", ', "', 1).replace(",", '",', 2).replace('",', ",", 1)
    rows.insert(60, ",,,")
    rows[80:80] = ["29,7.0,,"]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    frame, animal, x, y = FilePreview(tmp_path / "t.csv").columns
    columns = {"frame": frame, "x": x, "y": y}
    preview = preview_text(tmp_path / "t.csv")
    table = TextTable(tmp_path / "t.csv", preview, block=500)
    data = table.read(columns, {"id": animal}, skip_bad=False)
    expected = TextTable(tmp_path / "t.csv", preview).read(columns, {"id": animal}, skip_bad=False)
    assert data.words["id"].names == expected.words["id"].names
    np.testing.assert_array_equal(data.words["id"].codes, expected.words["id"].codes)
    for name in columns:
        np.testing.assert_array_equal(data.number(name), expected.number(name))
    result = mm.open_tracks(tmp_path / "t.csv")
    assert result.names == ["0", "1", "2", "3", "7"]
    np.testing.assert_allclose(result.positions[:, :4], POSITIONS, rtol=0, atol=1e-9)
    assert np.isnan(result.positions[:, 4]).all()
    for wrong, row in (("5,zwei,x,1", 90), ("5,1,2", 91), ("1,0,5,5", 92)):
        bad = [*rows[:row], wrong, *rows[row:]]
        (tmp_path / "t.csv").write_text("\n".join(bad) + "\n")
        with pytest.raises(mm.TracksError, match=rf"line {row + 1}\b"):
            mm.open_tracks(tmp_path / "t.csv")
        if wrong != "1,0,5,5":  # which is only a duplicate
            with pytest.raises(mm.TracksError, match=rf"line {row + 1}\b"):
                table.read(columns, {"id": animal}, skip_bad=False)


def test_empty_cells_are_read_by_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells at the end and side by side, and NA, are not read cell by cell."""
    rows = [["0", "a", "1", "2", "NA"], ["0", "b", "", "", ""], ["1", "a", "NA", "NA", "left"]]
    rows += [["1", "b", "3", "4", "left"]]
    text = "frame,id,x,y,side\n" + "".join(",".join(row) + "\n" for row in rows)
    (tmp_path / "t.csv").write_text(text)
    preview = FilePreview(tmp_path / "t.csv")
    _, animal, x, y, _ = preview.columns
    with monkeypatch.context() as patch:
        patch.setattr(text_table, "split_cells", None)
        data = preview.table().read({"x": x, "y": y}, {"id": animal}, skip_bad=False)
    np.testing.assert_array_equal(data.number("x"), [1, np.nan, np.nan, 3])
    result = mm.open_tracks(tmp_path / "t.csv")
    nan = [np.nan, np.nan]
    np.testing.assert_array_equal(result.positions, [[[1, 2], nan], [nan, [3, 4]]])


def test_names_keep_their_commas(tmp_path: Path) -> None:
    text = "frame;id;x;y\n" + "".join(f"{t};cage 1,2;{t},5;1,5\n" for t in range(3))
    (tmp_path / "t.csv").write_text(text)
    result = mm.open_tracks(tmp_path / "t.csv")
    assert result.names == ["cage 1,2"] and result.positions[2, 0].tolist() == [2.5, 1.5]


def test_long_names_are_whole(tmp_path: Path) -> None:
    names = ["a" * 90 + end for end in "bc"]
    text = "frame,id,x,y\n" + "".join(f"{t},{n},{t},1\n" for t in range(3) for n in names)
    (tmp_path / "t.csv").write_text(text)
    assert mm.open_tracks(tmp_path / "t.csv").names == names
    text = text.replace(names[0], "12345678901234567890").replace(names[1], "12345678901234567891")
    (tmp_path / "t.csv").write_text(text)
    assert mm.open_tracks(tmp_path / "t.csv").names == [
        "12345678901234567890",
        "12345678901234567891",
    ]
