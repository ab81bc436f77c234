"""murmurate run -o, resume, info, show --cite."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path

import murmurate as mm
from processes import until


def test_record_resume_branch(murmurate, tmp_path: Path) -> None:
    ran = murmurate("run", "tiny.toml", "--steps", 20, "--every", 5, "-o", "a.zarr", "--seed", 3)
    assert ran.code == 0 and "a.zarr: 5 frames, steps 0 to 20" in ran.out
    assert "bytes a boid and frame" in ran.out and "polarization" in ran.out
    assert mm.open("a.zarr").seed == 3
    ran = murmurate("resume", "a.zarr", "--steps", 40)
    assert ran.code == 0 and "resumes from step 20" in ran.err and "steps 0 to 40" in ran.out
    ran = murmurate(
        "resume", "a.zarr", "--at", 20, "--set", "rules.cohesion.weight=0", "-o", "b.zarr"
    )
    assert ran.code == 0 and "b.zarr: 5 frames, steps 20 to 40" in ran.out
    assert mm.open("b.zarr").model.rules["cohesion"].weight == 0
    other = ("resume", "a.zarr", "--at", 20, "--engine", "reference", "-o", "d.zarr")
    assert murmurate(*other).code == 0
    assert mm.open("d.zarr").header["engine"] == "reference"
    assert murmurate("resume", "a.zarr", "--quiet").out == ""
    ran = murmurate("run", "tiny.toml", "--steps", 2, "-o", "c.zarr", "--json")
    assert json.loads(ran.out)["frames"] == 3


def test_info_and_cite(murmurate) -> None:
    murmurate("run", "tiny.toml", "--steps", 4, "-o", "a.zarr", "--precision", 0.01, "--quiet")
    ran = murmurate("info", "a.zarr", "--check")
    assert ran.code == 0
    for words in (
        "tiny: Twelve boids",
        "12 boids",
        "positions within 0.01",
        "every checksum fits",
        "seed        0",
        "numpy",
        "at step 4",
    ):
        assert words in ran.out, words
    facts = json.loads(murmurate("info", "a.zarr", "--json").out)
    assert facts["frames"] == 5 and facts["flocks"] == {"boids": 12}
    assert "murmurate" in murmurate("show", "a.zarr", "--cite").out


def test_damage_is_said(murmurate) -> None:
    murmurate("run", "tiny.toml", "--steps", 4, "-o", "a.zarr", "--quiet")
    file = Path("a.zarr/position/c/0/0/0")
    data = bytearray(file.read_bytes())
    data[40] ^= 1
    file.write_bytes(data)
    ran = murmurate("info", "a.zarr", "--check")
    assert ran.code == 1 and "a checksum is wrong" in ran.err


def test_bad_input(murmurate) -> None:
    murmurate("run", "tiny.toml", "--steps", 4, "-o", "a.zarr", "--quiet")
    for words, message in {
        ("run", "tiny.toml", "-o", "a.zarr"): "exists and is kept",
        ("run", "tiny.toml", "-o", "a.csv"): "expected a folder NAME.zarr",
        ("run", "tiny.toml", "-o", "no/a.zarr"): "no folder no. Create it",
        ("run", "tiny.toml", "--every", "2"): "--every: got it without a recording. Give -o",
        ("run", "tiny.toml", "-o", "b.zarr", "--every", "0"): "--every: got 0; expected at least 1",
        ("run", "tiny.toml", "-o", "b.zarr", "--precision", "-1"): "precision: got -1.0",
        ("resume", "b.zarr"): "there is no such recording",
        ("resume", "tiny.toml"): "expected a murmurate recording",
        ("resume", "a.zarr", "--at", "9", "-o", "b.zarr"): "step 9 is not recorded",
        ("resume", "a.zarr", "-o", "a.zarr"): "a.zarr: is the input a.zarr",
        ("info", "."): "expected a murmurate recording",
    }.items():
        ran = murmurate(*words)
        assert ran.code == 2 and message in ran.err, (words, ran)
    assert not Path("b.zarr").exists()
    assert murmurate("run", "tiny.toml", "-o", "a.zarr", "--force", "--steps", 2).code == 0
    assert len(mm.open("a.zarr")) == 3


def test_ctrl_c_ends_a_recording_well(murmurate) -> None:
    def press() -> None:
        until(Path("a.zarr").exists)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    ran = murmurate("run", "tiny.toml", "--steps", 10**7, "-o", "a.zarr", "--quiet")
    assert ran.code == 130 and "To resume: murmurate resume a.zarr" in ran.err
    rec = mm.open("a.zarr")
    assert f"all {len(rec)} frames are kept" in ran.err
    assert murmurate("resume", "a.zarr", "--steps", rec.steps[-1] + 5).code == 0


def test_resume_has_the_same_largest_step_as_run(murmurate):
    assert murmurate("run", "tiny.toml", "-o", "a.zarr", "--engine", "reference").code == 0
    ran = murmurate("resume", "a.zarr", "--steps", "1e17")
    assert ran.code == 2 and "9,007,199,254,740,992" in ran.err


def test_a_precision_that_can_hold_no_position_is_bad_input(murmurate):
    for precision in ("1e-300", "5e-324", "1e-12"):
        ran = murmurate(
            "run", "tiny.toml", "-o", "a.zarr", "--engine", "reference", "--precision", precision
        )
        assert ran.code == 2 and "expected a coarser one" in ran.err
        assert not Path("a.zarr").exists()
