"""film, still, page and export of tracks of animals."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import av
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "show"))
from tracked_video import FRAMES, RATE, seen, write_tracks, write_video

from cases import cases

FPS = ("--fps", RATE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tracked")
    write_video(folder / "fish.mkv")
    write_tracks(folder / "fish.csv")
    return folder


@pytest.fixture
def fish(murmurate, folder: Path, tmp_path: Path) -> Path:
    for file in folder.iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_film(murmurate, fish: Path) -> None:
    ran = murmurate("film", "fish.csv", *FPS, "--size", "160x120", "--names")
    assert ran.code == 0, ran.err
    assert "fish.mp4: 24 pictures, 2.4 s" in ran.out and "after step 23:" in ran.out
    assert "read as a table of detections: 4 tracks, 24 frames" in ran.err
    assert "10 pictures a second, in real time" in ran.err
    ran = murmurate("film", "fish.csv", *FPS, "--speed", 3, "--steps", 10, "-o", "b.mp4",
                    "--size", "160x120", "--set", "flocks.boids.look.shape=fish")  # fmt: skip
    assert ran.code == 0 and "30 pictures a second, 3 times real time" in ran.err
    with av.open(str(fish / "b.mp4")) as film:
        assert film.streams.video[0].average_rate == 30
        assert sum(1 for _ in film.decode(video=0)) == 10
        assert "tracks fish.csv" in film.metadata["comment"]


def test_options_of_reading(murmurate, fish: Path) -> None:
    text = (fish / "fish.csv").read_text().replace("frame,id,x,y", "n;who;a;b").replace(",", ";")
    (fish / "other.csv").write_text(text)
    ran = murmurate("film", "other.csv", "-o", "a.gif", "--columns", "frame=n,id=who,x=a,y=b",
                    "--unit", "px", "--y-down", "--size", "160x120")  # fmt: skip
    assert ran.code == 0 and "px" in ran.err and "frame rate is unknown" in ran.err, ran.err
    assert murmurate("film", "other.csv", "-o", "b.gif").code == 2


def test_over_a_video(murmurate, fish: Path) -> None:
    ran = murmurate("film", "fish.csv", "--over", "fish.mkv")
    assert ran.code == 0, ran.err
    with av.open(str(fish / "fish-over-video.mp4")) as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height, stream.average_rate) == (240, 180, RATE)
        assert sum(1 for _ in film.decode(video=0)) == FRAMES
    ran = murmurate("film", "fish.csv", "--over", "fish.mkv", "--every", 2, "-o", "b.mp4")
    assert ran.code == 0 and f"{RATE / 2:.4g} pictures a second, " in ran.err, ran.err
    ran = murmurate("still", "fish.csv", "--over", "fish.mkv", "--at", 8, "--names")
    assert ran.code == 0 and "fish-over-video.png: frame 8, 3 of 4 animals are seen" in ran.out
    ran = murmurate("still", "fish.csv", "--over", "fish.mkv", "--px-per-unit", 9, "-o", "c.png")
    assert ran.code == 0 and "% of positions lie outside of the video's picture" in ran.err


def test_a_page(murmurate, fish: Path) -> None:
    ran = murmurate("page", "fish.csv", *FPS)
    assert ran.code == 0 and "fish.html: 24 frames, 2.4 s" in ran.out, ran.err
    text = (fish / "fish.html").read_text(encoding="utf-8")
    head = json.loads(re.search(r'id="murmurate-head">(.*?)</script>', text, re.DOTALL)[1])
    assert head["unseen"] == [[2, 6, 11]] and head["frames"] == 24 and head["toml"] == ""


def test_an_export(murmurate, fish: Path) -> None:
    ran = murmurate("export", "fish.csv", "fish.nc", *FPS, "--unit", "px")
    assert ran.code == 0 and "24 frames of 4 boids" in ran.out, ran.err
    ran = murmurate("measure", "fish.nc", "speed", "--json")
    assert json.loads(ran.out)["measures"]["speed"]["unit"] == "px/s"
    ran = murmurate("export", "fish.csv", "out.csv", "--from", 6, "--every", 2)
    assert ran.code == 0 and "9 frames of 4 boids" in ran.out
    lines = (fish / "out.csv").read_text().splitlines()
    assert lines[3].startswith("6,6,boids,fish2,nan,nan")


@cases(
    "words, says",
    [
        (("film", "tiny.toml", "--names"), "--names: got tiny.toml; expected tracks"),
        (("film", "tiny.toml", "--speed", 2), "--speed: got tiny.toml; expected tracks"),
        (("film", "tiny.toml", "--over", "fish.mkv"), "--over: got tiny.toml; expected tracks"),
        (("still", "tiny.toml", "--columns", "x=1"), "--columns: got tiny.toml; expected tracks"),
        (("page", "tiny.toml", "--y-down"), "--y-down: got tiny.toml; expected tracks"),
        (("page", "tiny.toml", "--live", "--unit", "cm"), "--unit: got tiny.toml"),
        (("export", "tiny.toml", "a.csv", "--unit", "cm"), "--unit: got tiny.toml"),
        (("film", "fish.csv", "--seed", 3), "--seed: for simulating a model; fish.csv has tracks"),
        (("film", "fish.csv", "--boids", 3), "--boids: for simulating a model"),
        (("film", "fish.csv", "--set", "dt=2"), "--set dt=2: got a change of the simulation"),
        (("film", "fish.csv", "--steps", 25), "--steps 25: got 25 from frame 0 on; expected"),
        (("film", "fish.csv", "--offset", 2), "offset: got 2 without a video"),
        (("film", "fish.csv", "--speed", -1), "speed: got -1; expected a number above 0"),
        (("film", "fish.csv", "--over", "none.mp4"), "none.mp4: got No such file"),
        (("film", "fish.csv", "--over", "fish.csv"), "expected a video that can be decoded"),
        (("film", "fish.csv", "--over", "fish.mkv", "--offset", 1), "expected frames 1 to 24"),
        (("film", "fish.csv", "--over", "fish.mkv", "--y-down"), "--y-down: got it with --over"),
        (("film", "fish.csv", "--over", "fish.mkv", "--unit", "cm"), "Give --px-per-unit"),
        (("film", "fish.csv", "--over", "fish.mkv", "--size", "720p"), "got it with a video"),
        (("still", "fish.csv", "--at", 24), "at: got 24; expected a frame"),
        (("watch", "fish.csv"), "use murmurate measure fish.csv"),
    ],
)
def test_bad_input(murmurate, fish: Path, words, says: str) -> None:
    before = sorted(fish.iterdir())
    ran = murmurate(*words)
    assert ran.code == 2 and says in ran.err, ran
    assert sorted(fish.iterdir()) == before


def test_the_video_is_never_replaced(murmurate, fish: Path) -> None:
    shutil.copy(fish / "fish.mkv", fish / "video.mp4")
    before = (fish / "video.mp4").read_bytes()
    ran = murmurate("film", "fish.csv", "--over", "video.mp4", "-o", "video.mp4", "--force")
    assert ran.code == 2 and "which is never replaced" in ran.err
    assert (fish / "video.mp4").read_bytes() == before


def test_a_folder_of_tracks(murmurate, tmp_path: Path) -> None:
    """TRex's folder holds tracks."""
    folder = tmp_path / "trex"
    folder.mkdir()
    for animal in range(2):
        x, y = seen()[:, animal].T
        np.savez(folder / f"a_id{animal}.npz", frame=np.arange(FRAMES), time=np.arange(FRAMES) / 10,
                 **{"X#wcentroid": x, "Y#wcentroid": y})  # fmt: skip
    ran = murmurate("still", "trex", "--size", "160x120")
    assert ran.code == 0 and "trex.png: frame 0, 2 of 2 animals" in ran.out, ran.err
