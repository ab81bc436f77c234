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
