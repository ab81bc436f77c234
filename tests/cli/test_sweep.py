"""murmurate sweep and murmurate plot."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from murmurate.cli import main

QUICK = ("--steps", "20", "--every", "5", "--on", "threads", "--quiet")
VARY = ("--vary", "rules.alignment.weight=0:0.4:0.2", "--vary", "flocks.boids.count=8,9")


@pytest.mark.slow
def test_a_sweep_from_start_to_picture(murmurate, tmp_path):
    pytest.importorskip("matplotlib")
    folder = tmp_path / "it"
    first = murmurate("sweep", "ucl", *VARY, *QUICK, "--seeds", "2", "-o", folder)
    assert first.code == 0, first.err
    assert "polarization" in first.out
    again = murmurate("sweep", folder, "--json")
    assert again.code == 0
    points = json.loads(again.out)["points"]
    assert len(points) == 6
    assert {"rules.alignment.weight", "flocks.boids.count", "runs", "polarization_error"} <= set(
        points[0]
    )
    drawn = murmurate("plot", folder, "polarization")
    assert drawn.code == 0, drawn.err
    assert (folder / "polarization.png").read_bytes()[:4] == b"\x89PNG"
    drawn = murmurate("plot", folder, "speed", "-o", tmp_path / "s.svg", "--kind", "map")
    assert drawn.code == 0, drawn.err
    text = (tmp_path / "s.svg").read_text()
    assert "<svg" in text
    assert murmurate("plot", folder, "speed", "-o", tmp_path / "s.svg").code == 2
    assert (tmp_path / "s.svg").read_text() == text


def test_no_number_of_a_table_is_cut(murmurate, tmp_path, monkeypatch):
    measures = "polarization,milling,kth_neighbour_distance,speed,extent,density"
    words = ("sweep", "ucl", "--boids", "5", "--seeds", "2", *QUICK, "--engine", "reference",
             "--vary", "rules.alignment.weight=0.123456789,1", "--measures", measures,
             "-o", tmp_path / "it")  # fmt: skip
    uncut = murmurate(*words)
    assert uncut.code == 0, uncut.err
    assert max(map(len, uncut.out.splitlines())) > 80  # one line a setting: no terminal reads it
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    narrow = murmurate("sweep", tmp_path / "it", "--quiet")
    assert "\u2026" not in uncut.out + narrow.out
    table = narrow.out.splitlines()[:-1]  # the last says where it is
    assert max(len(re.sub(r"\x1b\[\d*m", "", line)) for line in table) <= 60


@pytest.fixture(scope="module")
def swept_once(tmp_path_factory):
    """A folder with a sweep, and with one of one shard."""
    home = tmp_path_factory.mktemp("swept")
    for words in (("-o", home / "it"), ("-o", home / "cut", "--shard", "1/1")):
        command = [
            "sweep",
            "ucl",
            "--boids",
            "5",
            "--engine",
            "reference",
            *QUICK,
            *map(str, words),
        ]
        assert main(command) == 0
    return home


@pytest.fixture
def swept(swept_once, tmp_path):
    shutil.copytree(swept_once, tmp_path, dirs_exist_ok=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sweep", "ucl", "--vary", "rules.alignment.weight"), "PATH="),
        (("sweep", "ucl", "--vary", "rules.alignmnt.weight=1,2"), "did you mean"),
        (("sweep", "ucl", "--measures", "polarisation"), "did you mean"),
        (("sweep", "ucl", "--vary", "rules.alignment.weight=0:1", "--method", "sobol"), "samples"),
        (("sweep", "ucl", "--steps", "5", "--warm-up", "9"), "expected at least 19"),
        (("sweep", "nothing-like-it"), "nothing-like-it"),
        (("plot", "no-such-folder", "speed"), "no-such-folder"),
    ],
)
def test_bad_input(murmurate, tmp_path, arguments, message):
    ran = murmurate(*arguments)
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]


def test_a_sweep_that_is_there(murmurate, tmp_path):
    folder = tmp_path / "it"
    assert murmurate("sweep", "ucl", "--boids", 8, *QUICK, "-o", folder).code == 0
    other = murmurate("sweep", "ucl", "--boids", 8, *QUICK, "--seeds", "2", "-o", folder)
    assert other.code == 2 and "another sweep" in other.err
    new = murmurate("sweep", folder, "--vary", "flocks.boids.count=8,9")
    assert new.code == 2 and "with its own settings" in new.err
    missing = murmurate("plot", folder, "centroid")
    assert missing.code == 2 and "polarization" in missing.err


@pytest.mark.parametrize(
    "options",
    [
        ("--steps", "999"), ("--seeds", "7"), ("--boids", "9"), ("--set", "dt=3"), ("--seed", "0"),
        ("--measures", "speed"), ("--method", "sobol"), ("--samples", "0"), ("--warm-up", "5"),
        ("--every", "5"), ("--dtype", "float64"), ("--engine", "reference"), ("--record",),
        ("--vary", "dt=1,2"), ("-o", "other"), ("--rules", "own.py"),
    ],
)  # fmt: skip
def test_a_sweep_is_resumed_with_no_other_settings(murmurate, swept, tmp_path, options):
    (tmp_path / "own.py").write_text("x = 1")
    for folder in ("it", "cut/shard-1-of-1"):
        ran = murmurate("sweep", folder, *options, "--quiet")
        assert ran.code == 2 and ran.out == ""
        option = options[0].replace("-o", "--output")
        assert f"{option}: got settings for {folder}, a sweep with its own settings" in ran.err


def test_a_failed_run_is_exit_1(murmurate, tmp_path):
    ran = murmurate(
        "sweep", "ucl", "--boids", 8, *QUICK, "--vary", "rules.alignment.weight=0.1,-1e9",
        "-o", tmp_path / "it",
    )  # fmt: skip
    assert ran.code == 1
    assert "1 of 2 runs failed" in ran.err


def test_ctrl_c_says_how_to_go_on(murmurate, monkeypatch):
    def pressed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("murmurate.sweeps.store.SweepFolder.store", pressed)
        ran = murmurate("sweep", "ucl", "--boids", 8, *QUICK, "-o", "cut")
    assert ran.code == 130 and ran.out == ""
    assert ran.err.endswith("Resume with: murmurate sweep cut\n")
    assert murmurate("sweep", "cut", "--on", "threads", "--quiet").code == 0


def test_a_plot_of_no_folder(murmurate, tmp_path):
    ran = murmurate("plot", tmp_path / "none")
    assert ran.code == 2 and "none: there is no such folder; expected the folder" in ran.err
