"""Names of models on the command line: words for published flocks, and folders of the same name."""

from __future__ import annotations

from pathlib import Path

import pytest

from murmurate.cli import main


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


FEW = ("--engine", "reference", "--boids", "9")
NOTE = "murmurate: note: vicsek is vicsek-1995: "


def test_a_word_is_explained_unless_quiet(capsys):
    still = ["still", "vicsek", "--size", "64x64", "--force", *FEW]
    assert main(still) == 0
    assert capsys.readouterr().err.startswith(NOTE)
    assert main([*still, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_folder_of_other_things_hides_no_flock(capsys):
    for name in ("p5", "vicsek"):
        Path(name).mkdir()
        (Path(name) / "notes.txt").write_text("ideas\n")
        assert main(["still", name, "--size", "64x64", *FEW]) == 0
        assert main(["measure", name, "polarization", "--steps", "2", "--quiet", *FEW]) == 0


def test_a_folder_that_is_read_comes_first(capsys):
    assert main(["run", "p5", "--steps", "4", "-o", "run.zarr", "--quiet", *FEW]) == 0
    for name in ("p5", "vicsek"):
        Path("run.zarr").rename(name)
        assert main(["film", name, "--seed", "1"]) == 2
        assert f"--seed: for simulating a model; {name} is a recording" in capsys.readouterr().err
        Path(name).rename("run.zarr")
