"""Places in degrees: Movebank's tables and GPX, projected on the spot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from same_tracks import assert_same

import murmurate as mm


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


def birds(path: Path, times: dict[str, list[float]]) -> Path:
    """Fixes at these seconds of birds that fly north, a hundred-thousandth of a degree a second."""
    lines = ["timestamp,location-long,location-lat,individual-local-identifier"]
    for name, seconds in times.items():
        lines += [
            f"2026-05-01 10:{int(t) // 60:02}:{t % 60:06.3f},9,{47 + t / 1e5:.9f},{name}"
            for t in seconds
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


def gpx(path: Path, seconds: list[float]) -> Path:
    """One animal of those fixes."""
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
        with pytest.raises(mm.RecordingRefused, match=r"equally far apart.*--resample [\d.]+ "):
            mm.open_tracks(path)


def test_uneven_fixes_are_interpolated_when_asked_for(tmp_path: Path) -> None:
    """On straight lines, which here is where the birds were; not over long gaps, and not before
    the first fix or after the last."""
    other = [25, 34, 45, 53]
    table = birds(tmp_path / "t.csv", {"S1": UNEVEN, "S2": other})
    for path in (table, gpx(tmp_path / "t.gpx", UNEVEN)):
        found = mm.open_tracks(path, resample=10)
        assert found.rate == pytest.approx(0.1) and len(found.positions) == 19
        times = 10 * np.arange(19)
        for animal, fixes in enumerate((UNEVEN, other)[: found.positions.shape[1]]):
            north = found.positions[:, animal, 1]
            seen = (times >= fixes[0]) & (times <= fixes[-1])
            seen &= ~((times > 49) & (times < 160)) | (animal == 1)
            np.testing.assert_array_equal(np.isfinite(north), seen)
            flown = (north[seen] - north[seen][0]) / (times[seen] - times[seen][0]).clip(1)
            np.testing.assert_allclose(flown[1:], 1.1119, atol=1e-3)  # metres a second
        assert any("interpolated to" in note and "every 10 s" in note for note in found.notes)


def test_resampling_even_fixes_changes_nothing(tmp_path: Path) -> None:
    path = birds(tmp_path / "t.csv", {"S1": [0, 10, 20, 30], "S2": [10, 20]})
    np.testing.assert_allclose(
        mm.open_tracks(path, resample=10).positions, mm.open_tracks(path).positions, atol=1e-6
    )


def test_what_cannot_be_resampled(tmp_path: Path) -> None:
    table = birds(tmp_path / "t.csv", {"S1": UNEVEN})
    counted = tmp_path / "counted.csv"
    counted.write_text("frame,id,x,y\n0,1,2,3\n1,1,2,4\n")
    array = tmp_path / "a.npy"
    np.save(array, np.zeros((3, 2, 2)))
    for path, step, words in (
        (table, 0, "number of seconds above 0"),
        (table, float("nan"), "number of seconds above 0"),
        (table, 1e-9, "spans .* frames for 9 rows"),
        (counted, 1, "it has no times; name their column"),
        (array, 1, "resample is for .*GPX"),
    ):
        with pytest.raises(mm.RecordingRefused, match=words):
            mm.open_tracks(path, resample=step)
