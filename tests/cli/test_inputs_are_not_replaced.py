"""No command replaces what it reads, whatever the force and however the two are spelled."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import murmurate as mm
from cases import cases


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != "lock")
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.fixture
def folder(murmurate, tmp_path: Path) -> Path:
    """With a.zarr, tracks.csv, and other ways to them."""
    murmurate("run", "tiny.toml", "--steps", 4, "-o", "a.zarr", "--quiet", "--engine", "reference")
    murmurate("export", "a.zarr", "tracks.csv", "--quiet")
    (tmp_path / "link.zarr").symlink_to("a.zarr")
    (tmp_path / "here").symlink_to(".")
    os.link(tmp_path / "tracks.csv", tmp_path / "other.csv")
    (tmp_path / "bare").mkdir()
    for ending in ("html", "png", "gif", "mp4"):  # a model may have any name
        shutil.copy("tiny.toml", f"tiny.{ending}")
    shutil.copy("tiny.toml", "bare/00007.png")
    (tmp_path / "drawn.png").write_text(mm.zoo()["topological"], encoding="utf-8")
    return tmp_path


@cases(
    "words",
    [
        *[
            f"resume {parent} -o {new} --force"
            for parent, new in [
                ("a.zarr", "a.zarr"),
                ("a.zarr", "./bare/../a.zarr"),
                ("link.zarr", "a.zarr"),
                ("a.zarr", "link.zarr"),
                ("a.zarr", "here/a.zarr"),
                ("a.zarr", "a.zarr/b.zarr"),
            ]
        ],
        "export a.zarr a.zarr/position/a.csv --force",
        "film a.zarr -o a.zarr/%05d.png --force",
        "still a.zarr -o here/a.zarr/a.png --force",
        "page a.zarr -o a.zarr/a.html --force",
        "measure a.zarr polarization -o a.zarr/zarr.json --force",
        "measure a.zarr polarization --plot link.zarr/a.svg --force",
        "measure tracks.csv polarization -o tracks.csv --force",
        "measure tracks.csv polarization -o other.csv --force",
        "new tiny.toml here/tiny.toml --force",
        "page tiny.html -o tiny.html --steps 3 --force",
        "page tiny.html -o here/tiny.html --steps 3 --force",
        "still tiny.png -o tiny.png --force",
        "film tiny.gif -o tiny.gif --force",
        "film tiny.mp4 --force -o ./tiny.mp4",
        "film bare/00007.png -o bare/ --steps 9 --force",
        "verify drawn.png --plot here/drawn.png --force",
    ],
)
def test_it_is_refused(words: str, murmurate, folder: Path) -> None:
    before = contents(folder)
    ran = murmurate(*words.split())
    assert ran.code == 2 and "which is never replaced" in ran.err
    assert contents(folder) == before


def test_a_branch_does_not_replace_a_recording_that_holds_its_parent(murmurate, folder) -> None:
    (folder / "a.zarr").rename(folder / "parent.zarr")
    murmurate("run", "tiny.toml", "--steps", 1, "-o", "b.zarr", "--quiet", "--engine", "reference")
    (folder / "parent.zarr").rename(folder / "b.zarr" / "parent.zarr")
    before = contents(folder)
    ran = murmurate("resume", "b.zarr/parent.zarr", "-o", "b.zarr", "--force")
    assert ran.code == 2 and "b.zarr: contains the input b.zarr/parent.zarr" in ran.err
    assert contents(folder) == before
