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


# --- KML and IGC

WHEN = [f"2026-05-01T10:00:0{k}Z" for k in range(6)]
KML = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
<Document><name>flights</name>{}</Document></kml>"""


def placemark(name: str, degrees: list[tuple[float, float] | None], track: str = "gx:") -> str:
    """A track of Google's extension, or of KML 2.3, with an empty position where None."""
    whens = "".join(f"<when>{time}</when>" for time, _ in zip(WHEN, degrees, strict=False))
    coord = "gx:coord" if track else "coord"
    coords = "".join(
        f"<{coord}/>" if x is None else f"<{coord}>{x[0]} {x[1]} 400.5</{coord}>" for x in degrees
    )
    return f"<Placemark><name>{name}</name><{track}Track>{whens}{coords}</{track}Track></Placemark>"


@pytest.mark.parametrize("track", ["gx:", ""])
def test_kml(track: str, tmp_path: Path) -> None:
    """A placemark is an animal; one without a track, and a time without a position, are none."""
    east: list[tuple[float, float] | None] = [(9.1 + k * 1e-4, 47.7) for k in range(6)]
    north: list[tuple[float, float] | None] = [(9.1, 47.7 + k * 1e-4) for k in range(6)]
    north[2] = None
    text = placemark("east", east, track) + placemark("north", north, track)
    text += "<Placemark><name>nest</name><Point/></Placemark>"
    (tmp_path / "a.kml").write_text(KML.format(text))
    tracks = mm.open_tracks(tmp_path / "a.kml")
    assert (tracks.source, tracks.names, tracks.rate) == ("KML", ["east", "north"], 1)
    assert np.isnan(tracks.positions[2, 1]).all() and np.isfinite(tracks.positions[:, 0]).all()
    steps = np.diff(tracks.positions[:, 0], axis=0)
    np.testing.assert_allclose(steps, [[7.5052, 0]] * 5, atol=1e-3)


def test_times_with_and_without_a_zone(tmp_path: Path) -> None:
    """A zone counts, and one is in all times or in none."""
    east: list[tuple[float, float] | None] = [(9.1 + k * 1e-4, 47.7) for k in range(6)]
    first, second = placemark("a", east), placemark("b", east)
    path = tmp_path / "a.kml"
    path.write_text(KML.format(first + second.replace("T10", "T12").replace("Z<", "+02:00<")))
    positions = mm.open_tracks(path).positions
    np.testing.assert_array_equal(positions[:, 0], positions[:, 1])
    for text, zone in ((first + second.replace("Z<", "<"), "zone"),
                       (first.replace("Z<", "<") + second, "no zone")):  # fmt: skip
        path.write_text(KML.format(text))
        with pytest.raises(mm.TracksError, match=f"in point 7, and {zone} before; expected one"):
            mm.open_tracks(path)


def test_fixes_without_a_date(tmp_path: Path) -> None:
    (tmp_path / "a.igc").write_text(igc([0, 1], head=""))
    with pytest.raises(mm.TracksError, match="line 4: got a fix without a date; expected one abo"):
        mm.open_tracks(tmp_path / "a.igc")


def igc(seconds: list[float], valid: str = "", head: str = "HFDTE160701") -> str:
    """Fixes that go north, 0.001 minutes a second from 23:59:57 on, with decimals (TDS, LAD)."""
    text = f"AXXX001\n{head}\nI033638FXA3941TDS4243LAD\n"
    for k, s in enumerate(seconds):
        second = int(s) + 86397
        h, m = second // 3600 % 24, second // 60 % 60
        north = f"{6.343 + s / 1000:08.5f}".replace(".", "")
        text += f"B{h:02}{m:02}{second % 60:02}52{north[:5]}N00006198W{valid[k : k + 1] or 'A'}"
        text += f"0058700558002{round(s % 1 * 1000):03}{north[5:]}\n"
    return text + "G12345\n"


@pytest.mark.parametrize("head", ["HFDTE160701", "HFDTEDATE:160701,01"])
def test_igc_past_midnight(head: str, tmp_path: Path) -> None:
    """Half seconds by the extension TDS, and a day that ends after three seconds."""
    seconds = [k / 2 for k in range(14)]
    (tmp_path / "a.igc").write_text(igc(seconds, "AAAV", head))
    tracks = mm.open_tracks(tmp_path / "a.igc")
    assert (tracks.source, tracks.names) == ("IGC", ["a"]) and tracks.rate == pytest.approx(2)
    assert len(tracks) == 14 and "1 fixes of a have validity V: no position" in tracks.notes
    y = tracks.positions[:, 0, 1]
    assert np.flatnonzero(np.isnan(y)).tolist() == [3]
    per_second = 1e-3 / 60 * np.radians(6_375_300)  # metres: radius of the meridian at 52 degrees
    expected = np.where(np.isnan(y), np.nan, per_second * np.array(seconds))
    np.testing.assert_allclose(y - y[0], expected, rtol=1e-3, atol=1e-6)


def test_a_folder_of_flights(tmp_path: Path) -> None:
    (tmp_path / "a.igc").write_text(igc([0, 1, 2]))
    (tmp_path / "b.igc").write_text(igc([0, 1, 2]).replace("198W", "198E"))
    (tmp_path / "c").mkdir()
    text = igc([0, 1, 2, 3, 4]).replace("N0000", "S0000")
    repeated = text.replace(
        "G12345", f"HFDTE160701\n{igc([5]).splitlines()[-2]}".replace("N0000", "S0000")
    )
    (tmp_path / "c" / "south.igc").write_text(repeated)
    tracks = mm.open_tracks(tmp_path / "c" / "south.igc")
    assert len(tracks) == 6  # a date that is repeated after midnight changes nothing
    assert (np.diff(tracks.positions[:, 0, 1]) < 0).all()
    tracks = mm.open_tracks(tmp_path)
    assert (tracks.source, tracks.names) == ("a folder of GPS files", ["a", "b"])
    assert tracks.positions.shape == (3, 2, 2)
    assert np.ptp(tracks.positions[0, :, 0]) == pytest.approx(14_180, rel=0.01)


@pytest.mark.parametrize("name", ["a.kml", "a.igc"])
def test_a_cut_file_gives_a_clear_error_or_true_positions(name: str, tmp_path: Path) -> None:
    text = igc([0, 1, 2, 3]) if name == "a.igc" else KML.format(placemark("a", [(9, 47), (9, 48)]))
    (tmp_path / name).write_text(text)
    if name == "a.igc":
        complete = np.diff(mm.open_tracks(tmp_path / name).positions[:, 0], axis=0)
    for length in range(0, len(text), 5):
        (tmp_path / name).write_text(text[:length])
        try:
            part = np.diff(mm.open_tracks(tmp_path / name).positions[:, 0], axis=0)
        except mm.TracksError:
            continue
        assert name == "a.igc"  # XML has an end
        np.testing.assert_allclose(part, complete[: len(part)], atol=1e-6)
