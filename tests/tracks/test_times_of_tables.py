"""Times, dates and clock times in tables: read exactly, or refused with their line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from written_tables import open_text

import murmurate as mm


@pytest.mark.parametrize(("stamp", "unit"), [
    (1_600_000_000, 1), (1_600_000_000_000, 1e-3), (1_600_000_000_000_000, 1e-6),
    (1_600_000_000_000_000_000, 1e-9),
])  # fmt: skip
def test_numbers_that_count_since_1970(tmp_path: Path, stamp: int, unit: float) -> None:
    step = round(10 / unit)
    text = "timestamp,id,x,y\n" + "".join(f"{stamp + step * t},a,{t},0\n" for t in range(5))
    result = open_text(tmp_path, text)
    assert len(result) == 5 and result.rate == pytest.approx(0.1, rel=1e-6)
    assert any("since 1970" in note for note in result.notes)


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
    result = open_text(tmp_path, "time;id;x;y\n" + rows)
    assert len(result) == 3 and result.rate == pytest.approx(1)
    if " " in dates[0]:  # date and clock time in separate columns
        rows = "".join(f"{';'.join(item.split(' ', 1))};a;{k};0\n" for k, item in enumerate(dates))
        result = open_text(tmp_path, "date;clock;id;x;y\n" + rows)
        assert len(result) == 3 and result.rate == pytest.approx(1)
        assert result.attrs["columns"]["date"] == "date"


def test_dates_with_and_without_a_zone(tmp_path: Path) -> None:
    """A zone counts; two loggers, one of which writes local times, would be hours apart."""
    rows = [f"2026-05-01T10:00:0{k}Z,a,{k},0\n2026-05-01T12:00:0{k}+02:00,b,{k},1\n"
            for k in range(4)]  # fmt: skip
    text = "time,id,x,y\n" + "".join(rows)
    assert np.isfinite(open_text(tmp_path, text).positions).all()
    with pytest.raises(mm.TracksError, match=r"got '\S+Z', with a zone, and '\S+'; expected one"):
        open_text(tmp_path, text.replace("+02:00", ""))


def test_ambiguous_dates_are_refused(tmp_path: Path) -> None:
    text = "time,id,x,y\n07/09/2019 22:00,a,0,0\n07/09/2019 22:30,a,1,0\n08/09/2019 23:00,a,2,0\n"
    with pytest.raises(mm.TracksError, match='--time-format "%d/%m/%Y %H:%M" or "%m/%d/%Y'):
        open_text(tmp_path, text)
    result = open_text(tmp_path, text, table=mm.TableFormat(time_format="%d/%m/%Y %H:%M"))
    assert len(result) == 2 * 24 + 3
    with pytest.raises(mm.TracksError, match="22:00' in line 2; expected a time"):
        open_text(tmp_path, text, table=mm.TableFormat(time_format="%H:%M"))


@pytest.mark.parametrize(("bad", "good"), [("n/a?", "0.08"), ("garbled", "0.08")])
def test_a_bad_time_is_named_by_its_line_or_skipped(tmp_path: Path, bad: str, good: str) -> None:
    text = "time,id,x,y\n" + "".join(f"{t / 25:.2f},a,{t},0\n" for t in range(6))
    text = text.replace(f"\n{good},", f"\n{bad},")
    with pytest.raises(mm.TracksError, match=f"'{bad.replace('?', '.')}' in line 4"):
        open_text(tmp_path, text)
    result = open_text(tmp_path, text, table=mm.TableFormat(skip_bad=True))
    assert len(result) == 6 and np.isnan(result.positions[2]).all()
    dated = "timestamp,id,x,y\n" + "".join(f"2020-01-01 00:00:0{t},a,{t},0\n" for t in range(6))
    dated = dated.replace("2020-01-01 00:00:03", bad)
    with pytest.raises(mm.TracksError, match="in line 5"):
        open_text(tmp_path, dated)
    assert np.isnan(
        open_text(tmp_path, dated, table=mm.TableFormat(skip_bad=True)).positions[3]
    ).all()


def test_impossible_clock_times_and_long_gaps(tmp_path: Path) -> None:
    rows = [f"18/09/2015,08:00:0{t},{t},0\n" for t in range(6)]
    rows[3] = rows[3].replace("08:00:03", "96:01:51")
    with pytest.raises(mm.TracksError, match=r"96:01:51' in line 5 \(a clock time"):
        open_text(tmp_path, "date,time,x,y\n" + "".join(rows))
    assert (
        len(
            open_text(
                tmp_path, "date,time,x,y\n" + "".join(rows), table=mm.TableFormat(skip_bad=True)
            )
        )
        == 6
    )
    late = "time_s,id,x,y\n" + "".join(f"{t},a,{t},0\n" for t in (0.5, 1.5, 2.5, 5000.5, 5001.5))
    result = open_text(tmp_path, late)
    assert any("from line 4 to line 5 is a gap of 4998 s" in note for note in result.notes)


def test_duplicate_times_are_named_as_written(tmp_path: Path) -> None:
    text = "time,id,x,y\n2019-10-27 02:00:00,a,0,0\n2019-10-27 02:00:01,a,0,0\n" * 2
    text = "time,id,x,y\n" + text.replace("time,id,x,y\n", "")
    with pytest.raises(mm.TracksError, match="time 2019-10-27 02:00:00: got a twice"):
        open_text(tmp_path, text)
    gpx = "".join(f'<trkpt lat="47.{k}" lon="9"><time>2026-05-01T10:00:00Z</time></trkpt>'
                  for k in range(2))  # fmt: skip
    with pytest.raises(mm.TracksError) as caught:
        open_text(tmp_path, f"<gpx><trk><trkseg>{gpx}</trkseg></trk></gpx>", "t.gpx")
    assert "--columns" not in str(caught.value)


def test_a_format_of_dates_with_separate_clock_times(tmp_path: Path) -> None:
    rows = "".join(f"09/07/2019,08:00:0{t},{t},0\n" for t in range(4))
    result = open_text(
        tmp_path, "date,time,x,y\n" + rows, table=mm.TableFormat(time_format="%m/%d/%Y")
    )
    assert len(result) == 4 and result.rate == pytest.approx(1)
