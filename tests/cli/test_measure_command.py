"""murmurate measure."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from cases import cases

FEW = ("--steps", "12", "--every", "2", "--quiet")
INERTIAL = ("inertial-spin", "--boids", "20", "--engine", "reference", *FEW)


def test_a_model(murmurate, tmp_path):
    ran = murmurate("measure", "tiny.toml", "polarization,milling", "speed", *FEW,
                    "--plot", "p.png", "-o", "m.json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "tiny: 12 boids, 6 frames, steps 2 to 12" in ran.out and "±" in ran.out
    assert "p.png" in ran.out and "m.json" in ran.out
    assert (tmp_path / "p.png").read_bytes()[:4] == b"\x89PNG"
    report = json.loads((tmp_path / "m.json").read_text())
    assert list(report["measures"]) == ["polarization", "milling", "speed"]


def test_json_and_csv(murmurate):
    ran = murmurate("measure", "tiny.toml", "speed", *FEW, "--set",
                    "flocks.boids.motion.max_speed=0.25", "--json")  # fmt: skip
    assert json.loads(ran.out)["measures"]["speed"]["value"] <= 0.25
    ran = murmurate("measure", "tiny.toml", "speed", *FEW, "--boids", "5", "--csv")
    assert ran.out.startswith("measure,kind,part") and ran.code == 0


def test_all_measures_with_options(murmurate):
    ran = murmurate("measure", "tiny.toml", *FEW, "--option", "collisions.radius=0.5", "--json")
    measures = json.loads(ran.out)["measures"]
    assert "collisions" in measures and len(measures) > 40


def test_slow_measures_are_left_out_until_asked_for(murmurate):
    ran = murmurate("measure", "tiny.toml", *FEW)
    assert " slow measures (algebraic_connectivity, ...)" in ran.out and "--all for all" in ran.out
    assert "\nvoronoi_density " not in ran.out and "\npolarization " in ran.out
    ran = murmurate("measure", "tiny.toml", *FEW, "--all")
    assert "\nvoronoi_density " in ran.out and "left out" not in ran.out
    ran = murmurate("measure", "tiny.toml", *FEW, "voronoi_density")
    assert "\nvoronoi_density " in ran.out and "left out" not in ran.out


def test_tracks(murmurate, tmp_path):
    np.save(tmp_path / "t.npy", np.cumsum(np.ones((9, 4, 2)), axis=0))
    ran = murmurate("measure", "t.npy", "speed", "--fps", "10", "--warm-up", "2", "--to", "7")
    assert ran.code == 0, ran.err
    assert "6 frames, frames 2 to 7, 10 a second" in ran.out and "14.1421" in ran.out


@cases(
    "arguments, says",
    [
        (("tiny.toml", "polarisation"), "did you mean 'polarization'"),
        (("tiny.toml", "collisions"), "got no value for 'radius'"),
        (("tiny.toml", "speed", "--steps", "0"), "steps: got 0"),
        (("tiny.toml", "speed", "--flock", "birds"), "flock: got 'birds'"),
        (("tiny.toml", "--option", "radius=1"), "MEASURE.OPTION=VALUE"),
        (("tiny.toml", "--json", "--csv"), "got both; expected one of them"),
        (("tiny.toml", "speed", "--all"), "--all and speed: give --all, or names"),
        (("tiny.toml", "--plot", "p.bmp"), "expected .png, .svg or .pdf"),
        (("tiny.toml", "-o", "nowhere/m.json"), "no folder nowhere. Create it"),
        (("there-is-none.npy",), "no such file"),
        (("tiny.toml", "speed", "--style", "dark"), "Add --plot"),
        (("tiny.toml", "speed", "--size", "talk"), "Add --plot"),
        (("tiny.toml", "collisions", "--option", "collisions.radius=abc"), "radius: got 'abc'"),
        (("tiny.toml", "speed", "--option", "collisions.radius=1"), "got options of collisions"),
        (("tiny.toml", "speed", "--predators", "hawks"), "expected a measure of a hunt"),
        (("ucll",), "did you mean 'ucl'"),
    ],
)
def test_bad_input(murmurate, tmp_path, arguments, says):
    ran = murmurate("measure", *arguments)
    assert ran.code == 2 and says in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--seed", "0"), "seed: got 0 for tracks"),
        (("--seed", "3"), "seed: got 3 for tracks"),
        (("--threads", "2"), "threads: got 2 for tracks"),
        (("--dtype", "float64"), "dtype: got float64 for tracks"),
        (("--fps", "0"), "got 0.0 frames a second; expected a number > 0"),
    ],
)
def test_what_tracks_have_not(murmurate, tmp_path, arguments, says):
    np.save(tmp_path / "t.npy", np.cumsum(np.ones((9, 4, 2)), axis=0))
    ran = murmurate("measure", "t.npy", "speed", *arguments)
    assert ran.code == 2 and len(ran.errors) == 1 and says in ran.err


def test_a_complaint_is_one_line(murmurate, tmp_path):
    (tmp_path / "ragged.csv").write_text("frame,particle,x,y\n0,1,1,1\n0,2,1,1,5\n")
    (tmp_path / "binary.csv").write_bytes(bytes(range(128, 256)))
    for name in ("ragged.csv", "binary.csv"):
        ran = murmurate("measure", name)
        assert ran.code == 2 and len(ran.errors) == 1
        assert ("got 5 cells" if name == "ragged.csv" else "cannot be read") in ran.err


def test_a_table_that_is_not_on_a_terminal_is_whole(murmurate, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    np.save(tmp_path / "t.npy", np.cumsum(np.ones((9, 4, 2)), axis=0))
    ran = murmurate("measure", "t.npy", "speed", "state", "elongation_along_motion")
    assert "share of frames" in ran.out and "…" not in ran.out and "samples" in ran.out
    assert "speed                    1.41421 ± 0*" in ran.out


def test_what_is_not_seen_gets_no_star(murmurate, tmp_path):
    positions = np.cumsum(np.ones((9, 4, 2)), axis=0)
    positions[::2] = np.nan
    np.save(tmp_path / "t.npy", positions)
    order = ("--axes", "t,id,xy")
    ran = murmurate("measure", "t.npy", "speed", "extent", *order)
    assert ran.code == 0 and "so there are no velocities" in ran.out and "-*" not in ran.out
    ran = murmurate("measure", "t.npy", "speed", *order)
    assert ran.code == 2 and "no animal is seen in two frames in a row" in ran.err


def test_nothing_is_overwritten(murmurate, tmp_path):
    for name in ("m.csv", "p.svg"):
        (tmp_path / name).write_text("mine")
    assert murmurate("measure", "tiny.toml", "speed", *FEW, "-o", "m.csv").code == 2
    assert murmurate("measure", "tiny.toml", "speed", *FEW, "--plot", "p.svg").code == 2
    assert (tmp_path / "m.csv").read_text() == (tmp_path / "p.svg").read_text() == "mine"
    assert murmurate("measure", "tiny.toml", "speed", *FEW, "-o", "m.csv", "--force").code == 0
    assert (tmp_path / "m.csv").read_text() != "mine"


def test_values_per_animal(murmurate, tmp_path):
    (tmp_path / "t.csv").write_text("frame,id,x,y\n0,a,0,0\n1,a,3,4\n0,b,9,9\n1,b,9,9\n")
    (tmp_path / "zone.txt").write_text("x y\n0 0\n1.5 0\n1.5 9\n0 9\n")
    zone = ("--option", "time_in_zone.zone=zone.txt")
    ran = murmurate("measure", "t.csv", "path_length,time_in_zone", *zone, "--fps", "1")
    assert ran.code == 0, ran.err
    rows = {line.split()[0]: line.split()[1:] for line in ran.out.splitlines() if line.strip()}
    assert rows["animal"] == ["path_length", "time_in_zone"]
    assert rows["a"] == ["5", "0.5"] and rows["b"] == ["0", "0"]
    ran = murmurate("measure", "t.csv", "path_length", "--csv", "--quiet")
    assert "path_length,animal,a,,,5.0," in ran.out


def test_of_many_animals_the_values_are_in_the_files(murmurate):
    ran = murmurate("measure", "tiny.toml", "path_length", *FEW, "--boids", "50")
    assert "50 animals: --csv and --json have the value of each" in ran.out


def test_a_zone_that_is_none(murmurate):
    ran = murmurate(
        "measure", "tiny.toml", "time_in_zone", *FEW, "--option", "time_in_zone.zone=ring 1 2 3"
    )
    assert ran.code == 2 and "zone: got 'ring 1 2 3'; expected 'circle X Y RADIUS'" in ran.err


def test_trait(murmurate):
    """Per-boid state is a trait too: the spin of the inertial spin model."""
    measures = "speed_trait_correlation,repeatability"
    ran = murmurate("measure", *INERTIAL, measures, "--trait", "spin_z")
    assert ran.code == 0, ran.err
    assert "speed_trait_correlation" in ran.out
    ran = murmurate("measure", *INERTIAL, "trait_mean", "--trait", "weight")
    assert ran.code != 0
    assert "trait: got 'weight'; expected one name of flock" in ran.err


def test_a_terminal_of_80_columns_wraps_labels_and_no_number(murmurate, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")
    ran = murmurate("measure", "tiny.toml", *FEW)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", ran.out).splitlines()
    (head,) = (line for line in lines if line.startswith("measure "))
    assert head.split() == ["measure", "mean", "unit", "frames", "samples"]
    assert all(len(line) <= 80 for line in lines)


def test_groups_of_tracks(murmurate, tmp_path):
    """A table each, of some animals, smoothed; in JSON by group, in CSV with a column."""
    rows = [f"{frame},{k},{'dog' if k == 4 else 'sheep'},{(2 - 3 * (k == 4)) * frame},{k}"
            for frame in range(9) for k in range(5)]  # fmt: skip
    (tmp_path / "field.csv").write_text("\n".join(["frame,id,species,x,y", *rows]) + "\n")
    some = ("field.csv", "speed", "--fps", "1", "--groups", "species")
    ran = murmurate(
        "measure", *some, "--smooth", "5,2", "--ids", "0,1,4", "--plot", "p.png", "-o", "m.csv"
    )
    assert ran.code == 0, ran.err
    assert "field.csv: 2 sheep, 9 frames" in ran.out and "field.csv: 1 dog, 9 frames" in ran.out
    assert "order 2 over 5 frames (5 s): they move by" in ran.err and "3 of 5 tracks" in ran.err
    assert {path.name for path in tmp_path.glob("p*.png")} == {"p-sheep.png", "p-dog.png"}
    lines = (tmp_path / "m.csv").read_text().splitlines()
    assert lines[0].startswith("flock,measure,") and lines[1].startswith("sheep,speed,value")
    assert murmurate("measure", *some, "--plot", "p.png").code == 2
    report = json.loads(murmurate("measure", *some, "--json").out)
    assert {name: table["measures"]["speed"]["value"] for name, table in report.items()} == (
        pytest.approx({"sheep": 2, "dog": 1})
    )
    ran = murmurate("measure", *some, "--flock", "dog", "--json")
    assert json.loads(ran.out)["flock"] == "dog"
    for wrong, says in ((("--ids", "7"), "no track named '7'"), (("--smooth", "4"), "odd number")):
        ran = murmurate("measure", *some, *wrong)
        assert ran.code == 2 and says in ran.err


def test_zone(murmurate, tmp_path):
    np.save(
        tmp_path / "t.npy", np.array([[[float(x), 0.0], [float(x), 9.0]] for x in (0, 2, 4, 2, 0)])
    )
    measures = "time_in_zone,zone_visits,zone_entries,zone_exits,zone_first_entry"
    ran = murmurate(
        "measure",
        "t.npy",
        measures,
        "--fps",
        "1",
        "--zone",
        "circle 2 0 1",
        "--csv",
        "--axes",
        "t,id,xy",
    )
    assert ran.code == 0, ran.err
    values = re.findall(r"^(\w+),animal,(\d),,,([\d.]*),", ran.out, re.MULTILINE)
    assert values == [
        ("time_in_zone", "0", "2.0"), ("time_in_zone", "1", "0.0"),
        ("zone_visits", "0", "2.0"), ("zone_visits", "1", "0.0"),
        ("zone_entries", "0", "2.0"), ("zone_entries", "1", "0.0"),
        ("zone_exits", "0", "2.0"), ("zone_exits", "1", "0.0"),
        ("zone_first_entry", "0", "0.5"), ("zone_first_entry", "1", ""),
    ]  # fmt: skip
    ran = murmurate("measure", "t.npy", "speed", "--zone", "circle 2 0 1", "--axes", "t,id,xy")
    assert (
        ran.code == 2 and "zone: got 'circle 2 0 1'; expected a measure of one as well" in ran.err
    )
