"""What commands say of files of tracks, and what can be said to them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import track_files

from cases import cases

PLACES = track_files.tracks(frames=60, animals=6)


@pytest.fixture
def flock(murmurate, tmp_path: Path) -> Path:
    """An empty folder, in which commands run, with one flock as the files of many trackers."""
    for name, write in track_files.WRITERS.items():
        write(tmp_path / name, PLACES)
    return tmp_path


def test_every_file_is_measured_alike(murmurate, flock: Path) -> None:
    """But for Movebank's and GPX's, in metres and a frame a second, where the speed is less."""
    results = {}
    for name in track_files.WRITERS:
        likely = ("--min-likelihood", "0.6") if name == "deeplabcut.csv" else ()
        ran = murmurate("measure", name, "polarization,speed", "--fps", 25, "--json", *likely)
        assert ran.code == 0, ran.err
        assert ran.err.startswith("read as ") and "6 tracks, 60 frames, 25 frames a" in ran.err
        measures = json.loads(ran.out)["measures"]
        results[name] = (measures["polarization"]["value"], measures["speed"]["value"])
    for name, values in results.items():
        inexact = name in ("movebank.csv", "storks.gpx")
        assert values == pytest.approx(results["birds.csv"], rel=1e-3 if inexact else 1e-6), name


def test_measure_says_how_a_file_is_read(murmurate, flock: Path) -> None:
    ran = murmurate("measure", "spots.csv", "polarization")
    assert ran.out.startswith("read as TrackMate spots: 6 tracks, 60 frames, 25 frames a second, ")
    assert "lengths in micron" in ran.out and ran.err == ""
    ran = murmurate("measure", "spots.csv", "polarization", "--quiet")
    assert not ran.out.startswith("read as")
    ran = murmurate("measure", "deeplabcut.csv", "polarization", "--part", "head")
    assert "murmurate: note: points of every likelihood count as seen" in ran.err
    assert "time counts frames, since the frame rate is unknown (--fps)" in ran.out


def test_info_of_tracks(murmurate, flock: Path) -> None:
    ran = murmurate("info", "birds.csv")
    assert ran.code == 0 and "read as   a table of detections" in ran.out
    assert (
        "6: b0, b1, b2, b3, b4, b5" in ran.out and "60, 0 to 59; 25 per second, 2.36 s" in ran.out
    )
    assert "the longest is of b1, 9 frames from frame 20" in ran.out
    results = json.loads(murmurate("info", "trackpy.csv", "--json", "--unit", "cm").out)
    assert (results["tracks"], results["frames"], results["unit"]) == (6, 60, "cm")
    assert results["y_down"] and results["frames_per_second"] is None
    assert results["longest_gap"] == {"animal": "1", "first_frame": 20, "frames": 9}
    for folder in ("trex", "session"):
        assert murmurate("info", folder).code == 0
    np.save(flock / "t.npy", np.full((4, 2, 3), np.nan))
    ran = murmurate("info", "t.npy", "--axes", "t,id,xy")
    assert ran.code == 0 and "100 % of positions" in ran.out and "positions " not in ran.out


@pytest.mark.parametrize("style", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_a_picture_of_tracks(murmurate, flock: Path, style: str) -> None:
    ran = murmurate("info", "birds.csv", "--plot", "a.png", "--style", style)
    assert ran.code == 0 and ran.out.endswith("a.png\n")
    with Image.open(flock / "a.png") as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20)}
        assert picture.size == (1760, 896) and len(colours) > 200
    assert murmurate("info", "birds.csv", "--plot", "a.png").code == 2  # it is there already
    assert murmurate("info", "birds.csv", "--plot", "a.png", "--force").code == 0
    ran = murmurate("info", "birds.csv", "--plot", "birds.csv", "--force")
    assert ran.code == 2 and "which is never replaced" in ran.err


def test_a_picture_of_many(murmurate, tmp_path: Path) -> None:
    """In 3-D, with one that is never seen, and more frames than the picture has columns."""
    positions = np.cumsum(np.random.default_rng(1).normal(size=(2000, 50, 3)), axis=0)
    positions[:, 3] = np.nan
    np.save(tmp_path / "t.npy", positions)
    assert murmurate("info", "t.npy", "--plot", "a.svg").code == 0
    np.save(tmp_path / "t.npy", positions[:5] * np.nan)
    ran = murmurate("info", "t.npy", "--axes", "t,id,xy", "--plot", "b.svg")
    assert ran.code == 2 and "no animal is seen" in ran.err


@cases(
    "arguments, says",
    [
        (("info", "birds.csv", "--check"), "--check: for recordings"),
        (("info", "birds.csv", "--style", "dark"), "Add --plot"),
        (("info", "tiny.toml", "--plot", "a.png"), "--plot: for tracks of animals"),
        (("info", "birds.csv", "--plot", "a.gif"), "expected .png, .svg or .pdf"),
        (
            ("measure", "tiny.toml", "--columns", "x=1"),
            "--columns: got tiny.toml; expected tracks of",
        ),
        (
            ("measure", "tiny.toml", "--y-down", "--fps", "3"),
            "--fps, --y-down: got tiny.toml; expected tracks",
        ),
        (("measure", "birds.csv", "--columns", "x"), "expected ROLE=NAME"),
        (
            ("measure", "birds.csv", "--axes", "t,id,xy"),
            "axes: got a value for a table of detections",
        ),
        (
            ("fit", "tiny.toml", "birds.csv", "--measures", "speed", "--part", "a"),
            "part: got",
        ),
        (("info", "fish.xlsx"), "got the ending .xlsx; expected one of .csv"),
        (("measure", "fish.rds"), "Save its table as CSV or Parquet"),
        (("measure", "fish.mat", "--variable", "tracks"), "expected one of data.tracks"),
        (("measure", "empty"), "expected a murmurate recording"),
    ],
)
def test_what_is_refused(murmurate, flock: Path, arguments: tuple[str, ...], says: str) -> None:
    (flock / "empty").mkdir(exist_ok=True)
    ran = murmurate(*arguments)
    assert ran.code == 2 and says in ran.err, ran
    assert len(ran.errors) == 1


def test_a_model_is_fitted_to_a_file(murmurate, flock: Path) -> None:
    few = ["--runs", "8", "--seeds", "1", "--steps", "4", "--warm-up", "0", "--every", "1"]
    few += ["--engine", "reference", "--set", "dt=0.04"]
    vary = ("--vary", "rules.cohesion.weight=0:1")
    ran = murmurate(
        "fit", "tiny.toml", "trackpy.csv", "--fps", 25, "--measures", "polarization", *vary, *few
    )
    assert ran.code == 0 and ran.out.startswith("read as trackpy's table: 6 tracks, 60 frames, 25 ")
    assert "polarization" in ran.out and (flock / "tiny-fit" / "fit.toml").is_file()
    ran = murmurate("fit", "tiny-fit", "--fps", 25)
    assert ran.code == 2 and "--fps: got settings for tiny-fit, a fit" in ran.err


def test_names_from_elsewhere_stay_on_their_line(murmurate, tmp_path: Path) -> None:
    rows = "".join(f'{t},"a\nb\x1b[31m",{t},1\n' for t in (0, 1, 1))
    (tmp_path / "t.csv").write_text("frame,id,x,y\n" + rows)
    ran = murmurate("info", "t.csv")
    assert ran.code == 2 and len(ran.errors) == 1 and "got a b\\u001b[31m twice" in ran.err
    assert murmurate("info", "t.csv", "--skip-bad").code == 0
