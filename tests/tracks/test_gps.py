"""Positions in degrees: Movebank's tables and GPX are projected to metres."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from written_tables import assert_positions

import murmurate as mm


def test_movebank_in_its_spellings(tmp_path: Path) -> None:
    """Fixes that are not visible, or have no position or animal, are left out."""
    for sign in "-_.":
        head = f"event-id,visible,timestamp,location{sign}long,location{sign}lat,"
        lines = [head + f"individual{sign}local{sign}identifier"]
        lines += [f"{t},true,2026-05-01 10:00:0{t}.000,9.1,47.7{t},S1" for t in range(4)]
        lines += ["5,false,2026-05-01 10:00:02.000,80,3,S1", "6,true,2026-05-01 10:00:03.000,,,S2",
                  "7,true,2026-05-01 10:00:03.000,9.1,47.7,"]  # fmt: skip
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
        result = mm.open_tracks(tmp_path / "t.csv")
        assert result.positions.shape == (4, 1, 2) and result.names == ["S1"]
        north = result.positions[:, 0, 1]
        assert np.diff(north) == pytest.approx(1111.9, abs=0.5)  # a hundredth of a degree
        assert result.notes[:3] == (
            "1 row with visible = false: no position (--drop none keeps them)",
            "1 row of no animal left out", "1 row without a position left out",
        )  # fmt: skip


def test_positions_that_cannot_be_projected(tmp_path: Path) -> None:
    def write(first: str, second: str) -> None:
        lines = ["timestamp,location-long,location-lat,individual-local-identifier",
                 f"2026-05-01 10:00:00,{first},S1", f"2026-05-01 10:00:01,{second},S1"]  # fmt: skip
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")

    for first, second, words in (
        ("9,47", "9,48", "111 km apart; expected up to 50 km"),
        ("47,150", "47,150", "latitude of 150; expected -90 to 90"),
        ("47,95", "47,95", "The columns look exchanged"),
        ("400,47", "400,47", "longitude of 400"),
    ):
        write(first, second)
        with pytest.raises(mm.TracksError, match=words):
            mm.open_tracks(tmp_path / "t.csv")
    write("179.9999,-17", "-179.9999,-17")  # across the 180th meridian
    result = mm.open_tracks(tmp_path / "t.csv")
    assert np.diff(result.positions[:, 0, 0]) == pytest.approx(21.3, abs=0.1)


def test_gpx_without_times_and_in_segments(tmp_path: Path) -> None:
    points = "".join(f'<trkpt lat="47.{t}" lon="9"/>' for t in (70, 71))
    text = f"<gpx><trk><trkseg>{points}</trkseg><trkseg>{points}</trkseg></trk><trk/></gpx>"
    (tmp_path / "t.gpx").write_text(text)
    result = mm.open_tracks(tmp_path / "t.gpx")
    assert result.positions.shape == (4, 1, 2) and not result.timed
    assert "points have no times" in result.notes[0]


def test_a_folder_of_gpx(tmp_path: Path) -> None:
    """Each file is an animal. Points without a time are left out, and with skip_bad also the second
    of two points at one time."""
    for name, late in (("ana", 0), ("bo", 2)):
        points = "".join(
            f'<trkpt lat="47.{70 + t}" lon="9"><time>2026-05-01T10:00:0{t + late}Z</time></trkpt>'
            for t in range(4)
        )
        text = f'<gpx><trk><trkseg>{points}<trkpt lat="3" lon="9"/></trkseg></trk></gpx>'
        (tmp_path / f"{name}.gpx").write_text(text)
    result = mm.open_tracks(tmp_path)
    assert (
        result.names == ["ana", "bo"] and result.positions.shape == (6, 2, 2) and result.rate == 1
    )
    assert np.isnan(result.positions[:2, 1]).all() and np.isnan(result.positions[4:, 0]).all()
    assert result.notes[0] == "2 points without a time left out"
    (tmp_path / "bo.gpx").write_text(text.replace(points, points + points[: len(points) // 4]))
    with pytest.raises(mm.TracksError, match="got bo twice"):
        mm.open_tracks(tmp_path)
    again = mm.open_tracks(tmp_path, table=mm.TableFormat(skip_bad=True))
    assert_positions(again, result.positions)
    assert "1 unusable rows were left out" in again.notes


def birds(path: Path, times: dict[str, list[float]]) -> Path:
    """Write fixes at these seconds of birds that move north by 1e-5 degrees per second."""
    lines = ["timestamp,location-long,location-lat,individual-local-identifier"]
    for name, seconds in times.items():
        lines += [
            f"2026-05-01 10:{int(t) // 60:02}:{t % 60:06.3f},9,{47 + t / 1e5:.9f},{name}"
            for t in seconds
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


def gpx(path: Path, seconds: list[float]) -> Path:
    """Write one animal with those fixes."""
    points = "".join(
        f'<trkpt lat="{47 + t / 1e5:.9f}" lon="9"><time>2026-05-01T10:{int(t) // 60:02}:'
        f"{t % 60:06.3f}Z</time></trkpt>"
        for t in seconds
    )
    path.write_text(f"<gpx><trk><name>S1</name><trkseg>{points}</trkseg></trk></gpx>")
    return path


UNEVEN = [0, 14, 19, 34, 40, 49, 160, 174, 180]  # with a long gap


def test_uneven_fixes_are_refused_with_the_option_that_reads_them(tmp_path: Path) -> None:
    for path in (birds(tmp_path / "t.csv", {"S1": UNEVEN}), gpx(tmp_path / "t.gpx", UNEVEN)):
        with pytest.raises(mm.TracksError, match=r"equal intervals.*--resample [\d.]+ "):
            mm.open_tracks(path)


def test_uneven_fixes_are_interpolated_on_request(tmp_path: Path) -> None:
    """Linearly, as the birds moved; not over long gaps, before the first fix or after the last."""
    other = [25, 34, 45, 53]
    table = birds(tmp_path / "t.csv", {"S1": UNEVEN, "S2": other})
    for path in (table, gpx(tmp_path / "t.gpx", UNEVEN)):
        result = mm.open_tracks(path, table=mm.TableFormat(resample=10))
        assert result.rate == pytest.approx(0.1) and len(result.positions) == 19
        times = 10 * np.arange(19)
        for animal, fixes in enumerate((UNEVEN, other)[: result.positions.shape[1]]):
            north = result.positions[:, animal, 1]
            seen = (times >= fixes[0]) & (times <= fixes[-1])
            seen &= ~((times > 49) & (times < 160)) | (animal == 1)
            np.testing.assert_array_equal(np.isfinite(north), seen)
            speed = (north[seen] - north[seen][0]) / (times[seen] - times[seen][0]).clip(1)
            np.testing.assert_allclose(speed[1:], 1.1119, atol=1e-3)  # metres a second
        assert any("interpolated to" in note and "every 10 s" in note for note in result.notes)


def test_resampling_even_fixes_changes_nothing(tmp_path: Path) -> None:
    path = birds(tmp_path / "t.csv", {"S1": [0, 10, 20, 30], "S2": [10, 20]})
    np.testing.assert_allclose(
        mm.open_tracks(path, table=mm.TableFormat(resample=10)).positions,
        mm.open_tracks(path).positions,
        atol=1e-6,
    )


def test_impossible_resampling_is_refused(tmp_path: Path) -> None:
    table = birds(tmp_path / "t.csv", {"S1": UNEVEN})
    counted = tmp_path / "counted.csv"
    counted.write_text("frame,id,x,y\n0,1,2,3\n1,1,2,4\n")
    array = tmp_path / "a.npy"
    np.save(array, np.zeros((3, 2, 2)))
    for path, step, words in (
        (table, 0, "number of seconds above 0"),
        (table, float("nan"), "number of seconds above 0"),
        (table, 1e-9, "spans .* frames for 9 rows"),
        (counted, 1, "got a table without times"),
        (array, 1, "resample: .*GPX"),
    ):
        with pytest.raises(mm.TracksError, match=words):
            mm.open_tracks(path, table=mm.TableFormat(resample=step))
