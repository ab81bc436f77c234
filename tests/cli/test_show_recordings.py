"""film, still, page and watch of a recording."""

from __future__ import annotations

from pathlib import Path

from cases import cases

RECORD = ("run", "tiny.toml", "--steps", 12, "--every", 4, "-o", "flock.zarr", "--quiet")


def test_pictures_of_a_recording(murmurate, tmp_path: Path) -> None:
    assert murmurate(*RECORD).code == 0
    ran = murmurate("film", "flock.zarr", "--every", 2, "-o", "a.gif")
    assert ran.code == 0 and "a.gif: 6 pictures" in ran.out and "after step 12:" in ran.out
    ran = murmurate("still", "flock.zarr/", "--at", 7, "--set", "view.camera.zoom=2")
    assert ran.code == 0
    assert "flock.png: tiny after step 8, the recorded frame nearest to step 7" in ran.out
    ran = murmurate("page", "flock.zarr", "--style", "light", "--steps", 8)
    assert ran.code == 0 and "flock.html: 2 frames" in ran.out
    assert {"a.gif", "flock.png", "flock.html"} <= {path.name for path in tmp_path.iterdir()}


@cases(
    "words, message",
    [
        (("film", "flock.zarr", "--seed", 3), "--seed: for simulating a model; flock.zarr is a"),
        (("film", "flock.zarr", "--seed", 0), "--seed"),
        (("page", "flock.zarr", "--boids", 3), "--boids: for simulating a model"),
        (("watch", "flock.zarr", "--dtype", "float64"), "--dtype: for simulating a model"),
        (("still", "flock.zarr", "--set", "dt=2"), "--set dt=2: flock.zarr is a recording"),
        (("film", "flock.zarr", "--steps", 13), "--steps 13: got 13"),
        (("film", "flock.zarr", "--style", "pink"), "--style pink: got 'pink'; expected"),
        (("still", "flock.zarr", "--at", 13), "at=13: step 13: flock.zarr has steps 0 to 12"),
        (("film", "none.zarr"), "none.zarr: there is no such recording"),
        (("watch", "none.zarr"), "none.zarr: there is no such recording"),
        (("page", "other"), "other: got a folder; expected a murmurate recording"),
    ],
)
def test_bad_input(murmurate, tmp_path: Path, words, message) -> None:
    if not (tmp_path / "flock.zarr").exists():
        murmurate(*RECORD)
    (tmp_path / "other").mkdir(exist_ok=True)
    before = sorted(tmp_path.iterdir())
    ran = murmurate(*words)
    assert ran.code == 2 and message in ran.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_damaged_recording(murmurate, tmp_path: Path) -> None:
    murmurate(*RECORD)
    for file in (tmp_path / "flock.zarr" / "position" / "c").rglob("0"):
        if file.is_file():
            file.write_bytes(b"x" + file.read_bytes()[1:])
    ran = murmurate("film", "flock.zarr")
    assert ran.code == 1 and "cannot be read: a checksum is wrong" in ran.err
    assert not (tmp_path / "flock.mp4").exists()
