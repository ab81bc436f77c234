"""Export a flock as a flight, on the command line and from Python, and check the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from shows import FLOCK

import murmurate as mm
from murmurate.cli import main
from murmurate.flights.formats import read
from murmurate.flights.limits import Limits
from murmurate.flights.take_off import Flock, plan


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recording of boids that keep their velocity."""
    out = tmp_path_factory.mktemp("flock")
    (out / "flock.toml").write_text(FLOCK)
    words = "run", out / "flock.toml", "--steps", 60, "--engine", "reference", "-o", out / "f.zarr"
    assert main([str(word) for word in [*words, "--quiet"]]) == 0
    return out


@pytest.fixture
def run(folder: Path, tmp_path: Path, monkeypatch, capsys) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return (code, *capsys.readouterr())

    return run


def test_a_flock_takes_off_and_lands(folder: Path, tmp_path: Path) -> None:
    """At rest on a grid at both ends, no nearer than the theorem says, and on the flock's paths."""
    report = mm.export(folder / "f.zarr", tmp_path / "a.skyc").flight
    assert report is not None and report.certificate.holds and len(report.notes) == 3
    flight = read(tmp_path / "a.skyc")
    for k in (0, -1):
        ground = np.stack([d.points[k, k, :3] for d in flight.drones])
        assert (ground[:, 2] == 0).all()
        steps = np.abs(ground[:, None, :2] - ground[None, :, :2]).round(4)
        assert set((steps / 4.5).ravel().tolist()) <= {0, 1, 2}
    nearest = report.certificate.findings[0]
    assert nearest.value >= 4.5 / np.sqrt(2) - 1e-6
    rec = mm.open(folder / "f.zarr")
    block = rec.read(0, len(rec)).positions
    for k, drone in enumerate(flight.drones):
        path = drone.at(np.arange(0, flight.end, 0.01))[:, :3]
        path[:, 2] -= 10 - block[:, :, 2].min()
        gap = np.linalg.norm(path[:, None] - block[::10, k], axis=2).min(axis=0)
        assert gap.max() < 0.07
    light = flight.drones[0].light_at(np.array([0.0, flight.end / 2, flight.end]))
    assert light[[0, 2]].max() < 1 and light[1].max() > 100  # its clock ticks every 20 ms


def test_a_mission_takes_off_and_lands(folder: Path, tmp_path: Path) -> None:
    """The first leg is a take-off to its height, the last a landing, and each has its speed."""
    flight = mm.FlightOptions(geo_origin=(47.0, 19.0))
    options = mm.ExportOptions(layout="waypoints", flight=flight)
    mm.export(folder / "f.zarr", tmp_path / "a.zip", options, ids="0-2")
    with ZipFile(tmp_path / "a.zip") as file:
        lines = file.read("drone_0001.waypoints").decode().splitlines()
    rows = [line.split() for line in lines[1:]]
    assert lines[0] == "QGC WPL 110" and [row[3] for row in rows[:4]] == ["16", "178", "22", "178"]
    assert rows[-1][3] == "21" and float(rows[2][10]) > 0 and float(rows[-1][10]) == 0
    assert len(read(tmp_path / "a.zip").drones[0].points) == len(rows) // 2


def test_a_plan_keeps_its_promises() -> None:
    """Assignment with the smallest sum of squares; at rest at both ends without take-off too."""
    times = np.linspace(0, 8, 41)
    positions = np.zeros((41, 4, 3))
    positions[:, :, 0] = 8.0 * np.arange(4) + times[:, None] * 0.5
    positions[:, :, 2] = 12.0
    flock = Flock(list("abcd"), times, positions, times[::2], np.full((21, 4, 3), 9.0))
    flight = plan(flock, Limits(), 0.02, False, None)
    clock = np.array([0.0, flight.end])
    for k, drone in enumerate(flight.drones):
        np.testing.assert_allclose(drone.at(clock)[:, :3], positions[[0, -1], k], atol=1e-9)
        near_end = drone.at(np.array([0.01, flight.end - 0.01]))[:, :3]
        assert np.abs(near_end - positions[[0, -1], k]).max() < 1e-6
    landing = plan(flock, Limits(), 0.02, True, 5.0)
    start = np.stack([d.points[0, 0, :3] for d in landing.drones])
    first = positions[0] * [1, 1, 0]
    others = [((start[list(order)] - first) ** 2).sum() for order in
              __import__("itertools").permutations(range(4))]  # fmt: skip
    assert ((start - first) ** 2).sum() == pytest.approx(min(others))


def test_a_flight_beyond_its_limits_is_refused(run, folder: Path) -> None:
    code, _, err = run("export", folder / "f.zarr", "a.skyc", "--metres-per-unit", 0.4)
    assert code == 2 and not Path("a.skyc").exists()
    assert "distance between drones of drone_" in err and "(limit 3) at" in err
    code, _, err = run(
        "export", folder / "f.zarr", "a.skyc", "--metres-per-unit", 0.4, "--time-scale", "auto"
    )
    assert code == 2 and "No time scale helps" in err
    code, _, err = run("export", folder / "f.zarr", "a.skyc", "--seconds-per-unit", 0.1)
    assert code == 2 and "speed" in err and "Give --time-scale auto" in err


def test_a_time_scale_makes_it_hold(run, folder: Path) -> None:
    words = "export", folder / "f.zarr", "a.skyc", "--seconds-per-unit", 0.1, "--time-scale", "auto"
    code, out, _ = run(*words, "--metres-per-unit", 1, "--altitude", 3)
    assert code == 0 and "assumed" not in out and "The file" not in out
    assert run("check-flight", "a.skyc")[0] == 0
    flight = mm.check_flight("a.skyc")
    parts = [f.value / f.limit for f in flight.findings
             if f.limit and ("speed" in f.quantity or "acceleration" in f.quantity)]  # fmt: skip
    assert 0.97 < max(parts) <= 1.0  # not slower than needed


def test_check_flight(run, folder: Path) -> None:
    assert run("export", folder / "f.zarr", "a.zip", "--rate", 5, "--quiet")[0] == 0
    code, out, _ = run("check-flight", "a.zip")
    assert code == 0 and "9 drones" in out and "The file keeps these limits." in out
    code, out, _ = run("check-flight", "a.zip", "--min-distance", 6, "--max-altitude", 11)
    assert code == 1 and "violations:" in out and "altitude of drone_" in out
    code, out, _ = run("check-flight", "a.zip", "--max-speed", 0.1, "--json")
    document = json.loads(out)
    assert code == 1 and not document["holds"] and document["drones"] == 9
    for words, message in {
        ("b.zip",): "No such file", ("a.zip", "--max-speed", -1): "max_speed: got -1",
        ("a.zip", "--max-speed", "fast"): "fast",
        ("a.zip", "--altitude", 5): "obstacles: got none; expected --obstacles",
        ("a.zip", "--obstacles", "couzin-2002"): "got a model without any",
        ("a.zip", "--obstacles", "couzin-2002", "--metres-per-unit", 0): "got 0.0; expected",
    }.items():  # fmt: skip
        code, _, err = run("check-flight", *words)
        assert code == 2 and message in err.replace("--max-speed", "max_speed"), err


@pytest.mark.slow
def test_obstacles_of_the_model_count(run, folder: Path) -> None:
    ball = '[obstacles.ball]\nkind = "sphere"\ncentre = [36, 33, 33]\nradius = 2\n'
    Path("ball.toml").write_text(FLOCK + ball)
    assert run("export", folder / "f.zarr", "a.skyc", "--altitude", 10)[0] == 0
    code, out, _ = run("check-flight", "a.skyc", "--obstacles", "ball.toml", "--altitude", 10)
    assert code == 1 and "distance to obstacles of drone_" in out


def test_what_a_flight_cannot_be(run, folder: Path) -> None:
    for words, message in {
        (
            "a.csv",
            "--metres-per-unit",
            2,
        ): "an option of flights is for .skyc, .zip, .vviz or .mcap",
        ("a.zip", "--layout", "plans"): "did you mean plan?",
        ("a.zip", "--layout", "plan"): "geo_origin: got none",
        ("a.skyc", "--rate", 5): "got 5.0; expected none for .skyc, but for skybrush, .vviz",
        ("a.vviz", "--geo-origin", "1,2"): "expected none for .vviz, but for waypoints, plan",
        ("a.skyc", "--no-take-off", "--grid-spacing", 5): "got 5 without take-off; expected none",
        ("a.skyc", "--altitude", 1e9): "flight: drone_0001: time: got ",
        ("a.skyc", "--tolerance", 1e-7): "tolerance: got 1e-07 m; expected at least",
        ("a.skyc", "--tolerance", 0): "tolerance: got 0",
        ("a.skyc", "--time-scale", "slow"): "got 'slow'; expected auto or a number",
        ("a.skyc", "--geo-origin", "91,3"): "expected latitude",
        ("a.skyc", "--from", 0, "--to", 3): "got 4 frames; expected at least 8",
    }.items():
        code, _, err = run("export", folder / "f.zarr", *words)
        assert code == 2 and message in err, (words, err)
        assert not Path(words[0]).exists()


def test_boids_that_are_there_all_the_time(run, folder: Path) -> None:
    """In their colours: by heading, which differs. The boid that joins has no path."""
    flock = FLOCK.replace('{ kind = "heading", velocity = [1, 0.5, 0.2] }',
                          '{ kind = "directions", speed = 4 }')  # fmt: skip
    flock = flock.replace("size = [60, 60, 60]", 'size = [20, 20, 20]\nboundary = "periodic"')
    gate = '[population.gate]\nkind = "source"\nflock = "birds"\nrate = 1\nstart.kind = "box"\n'
    Path("joins.toml").write_text(flock + gate)
    words = "joins.toml", "a.skyc", "--steps", 30, "--engine", "reference", "--unchecked"
    code, _, err = run("export", *words)
    assert code == 2 and "such as boid 9); expected all in every frame" in err
    code, _, err = run("export", *words, "--ids", "0-2", "--no-take-off")
    assert code == 0, err
    flight = read(Path("a.skyc"))
    assert len({tuple(d.light_at(np.array([flight.end / 2]))[0]) for d in flight.drones}) > 1
    assert max(np.ptp(drone.points[:, :, 0]) for drone in flight.drones) > 20  # beyond the space
