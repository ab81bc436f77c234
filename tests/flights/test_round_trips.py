"""A flight is the same when it is read from its file, in every format."""

from __future__ import annotations

import contextlib
import json
from base64 import b64encode
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from shows import show

from cases import cases
from murmurate.errors import FlightError
from murmurate.flights.certificate import certify
from murmurate.flights.formats import LAYOUTS, RATES, SUFFIXES, read, write
from murmurate.flights.trajectory import Flight, path_through

ORIGIN = (47.4733, 19.0621, 120.0)
FORMATS = [(s, "") for s in SUFFIXES if s != ".zip"] + [(".zip", layout) for layout in LAYOUTS]


@cases("suffix, layout", FORMATS)
def test_a_flight_is_as_it_was_written(suffix: str, layout: str, tmp_path: Path) -> None:
    """Positions to 1 mm at every time, the times of pieces to 1 ms, colours to rounding."""
    flight, path = show(), tmp_path / f"show{suffix}"
    write(path, flight, suffix=suffix, layout=layout, title="A show", origin=ORIGIN)
    rate = RATES.get(layout or suffix)
    expected = flight if rate is None else flight.sampled(rate)
    back = read(path)
    assert [drone.name for drone in back.drones] == [d.name for d in flight.drones]
    assert abs(back.end - flight.end) <= 1e-3 and back.begin == 0.0
    clock = np.linspace(-1, 17, 2001)
    for drone, original in zip(back.drones, expected.drones, strict=True):
        assert np.abs(drone.at(clock) - original.at(clock)).max() <= 1e-3
        near = np.abs(drone.times[:, None] - original.times).min(axis=1)
        assert near.max() <= 1e-3
        if layout not in ("crazyswarm", "waypoints", "plan"):
            lit = np.arange(0, 16.01, 0.2)
            shift = np.abs(drone.light_at(lit) - original.light_at(lit))
            assert shift.max() <= (1.0 if rate is None or rate >= 4 else 2.0)


@cases("suffix, layout", [(".skyc", ""), (".zip", "crazyswarm")])
def test_curves_are_kept(suffix: str, layout: str, tmp_path: Path) -> None:
    """Velocities and accelerations too."""
    flight, path = show(), tmp_path / f"show{suffix}"
    write(path, flight, suffix=suffix, layout=layout)
    for drone, original in zip(read(path).drones, flight.drones, strict=True):
        assert drone.points.shape == original.points.shape
        np.testing.assert_allclose(drone.points, original.points, atol=2e-5)


def test_files_by_hand(tmp_path: Path) -> None:
    """What others write, from the descriptions of the formats."""
    texts = {
        "a.csv": "Time [msec],x [m],y [m],z [m],Red,Green,Blue\n0,1,2,3,255,0,9\n500,2,2,3,0,0,9\n",
        "b.csv": "Time [msec],x [m],y [m],z [m]\n0,0,0,0\n1000,0,0,8\n",
    }
    (tmp_path / "show").mkdir()
    for name, text in texts.items():
        (tmp_path / "show" / name).write_text(text)
    first, second = read(tmp_path / "show").drones
    assert first.at(np.array([0.25]))[0].tolist() == [1.5, 2, 3, 0] and not len(second.colours)
    assert first.light_at(np.array([0.25]))[0].tolist() == [127.5, 0, 9]
    assert read(tmp_path / "show" / "b.csv").drones[0].at(np.array([0.5]))[0, 2] == 4

    vviz = {
        "version": "1.0", "defaultPositionRate": 2.0, "defaultColorRate": 10.0,
        "timeOffsetSecs": 120.0,
        "performances": [{
            "id": 0,
            "agentDescription": {
                "homeX": -7.5, "homeY": 0.5, "homeZ": 2.5, "homeH": 0.0,
                "agentTraversal": [
                    {"dx": 0.0, "dy": 0.0, "dz": 0.0},
                    {"dt": 1.5, "dx": 1.0, "dy": 2.0, "dz": 3.0, "dh": 90.0},
                    {"dx": 1.0, "dy": 0.0, "dz": 0.0},
                ],
            },
            "payloadDescription": [{"id": 0, "type": "Light", "payloadActions": [
                {"r": 255, "g": 0, "b": 0}, {"r": 0, "g": 0, "b": 0, "frames": 20}]}],
        }],
    }  # fmt: skip
    (tmp_path / "a.vviz").write_text(json.dumps(vviz))
    drone = read(tmp_path / "a.vviz").drones[0]
    assert drone.times.tolist() == [120, 121.5, 122]
    assert drone.at(np.array([121.5]))[0].tolist() == [-6.5, 5.5, 2.5, 90]  # x, z and y of the file
    assert drone.light_at(np.array([121.0]))[0].tolist() == [127.5, 0, 0]

    # red for 0.1 s; twice: grey, then black, for 0.2 s each; fade to white in 0.4 s
    program = bytes([4, 255, 0, 0, 5, 12, 2, 5, 64, 10, 6, 10, 13, 11, 20, 0])
    show = {"version": 1, "swarm": {"drones": [{"type": "generic", "settings": {
        "trajectory": {"version": 1, "points": [
            [0, [0, 0, 0], []], [10, [1, 2, 3], []], [12, [1, 2, 6], [[1, 2, 3], [1, 2, 6]]]]},
        "lights": {"version": 1, "data": b64encode(program).decode()}}}]}}  # fmt: skip
    with ZipFile(tmp_path / "a.skyc", "w") as file:
        file.writestr("show.json", json.dumps(show))
    drone = read(tmp_path / "a.skyc").drones[0]
    at = drone.at(np.array([5.0, 11.0]))[:, :3]
    np.testing.assert_allclose(at, [[0.5, 1, 1.5], [1, 2, 4.5]])
    assert drone.straight.tolist() == [True, False]
    lit = drone.light_at(np.array([0.05, 0.15, 0.35, 0.55, 0.75, 1.1]))[:, 1]
    np.testing.assert_allclose(lit, [0, 64, 0, 64, 0, 127.5])


@cases(
    "name, content, message",
    [
        ("a.csv", "Time [msec],x,y,z\n0,0,0,0\n", "got 1 time; expected at least 2"),
        ("b.csv", "Time [msec],x,y,z\n0,0,0,0\n0,1,0,0\n", "got 0 s after 0 s; expected rising"),
        ("c.csv", "Time [msec],x,y,z\n0,0,0,nan\n1,0,0,0\n", "position: got nan; expected a num"),
        ("d.csv", "Time [msec],x,y,z\n0,0,0\n1,0,0\n", "got 3 columns; expected 4"),
        ("da.csv", "Time [msec],x [ft],y [ft],z [ft]\n0,0,0,0\n9,0,0,0\n", "got the header"),
        ("db.csv", "Time [msec],y,x,z\n0,0,0,0\n9,0,0,0\n", "got the header 'Time [msec],y,x,z'"),
        ("dc.csv", "Time [s],x,y,z\n0,0,0,0\n9,0,0,0\n", "got the header 'Time [s]"),
        ("dd.csv", "0,0,0,0\n9,0,0,0\n12,0,0,0\n", "got the header '0,0,0,0'"),
        ("de.csv", "Time [msec],x,y,z,Red\n0,,0,0,0\n9,,0,0,0\n", "damaged file"),
        ("e.csv", "duration,x^0\n1,2\n", "got 2 columns; expected 33"),
        ("ea.csv", "duration\n" + 2 * ("1" + ",0,1" * 16 + "\n"), "got a jump of 4 m at 1 s"),
        ("f.skyc", "no zip", "damaged file"),
        ("g.vviz", "{}", "damaged file"),
        ("ga.vviz", "[" * 100_000, "damaged file"),
        ("gb.vviz", '{"coordinateFrame": "ned"}', "coordinateFrame: got 'ned'; expected ogl"),
        ("h.txt", "", "got .txt; expected .skyc, .zip"),
        ("i.waypoints", "QGC WPL 110\n0 1 0 16 0 0 0 0 47 19 0 1\n1 0 3 22 0 0 0 0 47 19 5 1\n"
         "2 0 3 16 0 0 0 0 47.1 19 5 1\n", "got a leg before any speed"),
        ("ia.waypoints", "0 1 0 16 0 0 0 0 47 19 0 1\n", "expected QGC WPL 110 in the first line"),
        ("ib.waypoints", "QGC WPL 110\n0 1 0 16 0 0 0 0 47 19 0 1\n1 0 10 16 0 0 0 0 47 19 5 1\n",
         "got the frame 10"),
        ("j.plan", '{"mission": {"plannedHomePosition": [47, 19, 0], "items": [{"frame": 3, '
         '"command": 20, "params": [0,0,0,0,0,0,0]}]}}', "got the command 20"),
        ("k.mcap", "no bag", "k.mcap"),
        ("l.csv", None, "No such file"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_read(
    name: str, content: str | None, message: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(FlightError, match=name) as error:
        read(tmp_path / name)
    assert message in str(error.value)


def test_bags_with_dates_begin_at_zero(tmp_path: Path) -> None:
    from murmurate.flights import ros_bag

    times = np.array([0.0, 1, 3])
    colours = np.array([[0.0, 0, 0], [255, 0, 0], [0, 0, 255]])
    drone = path_through("a", times + 1.7e9, np.eye(3), times + 1.7e9, colours)
    ros_bag.write(tmp_path / "a.mcap", Flight((drone,)))
    back = read(tmp_path / "a.mcap").drones[0]
    np.testing.assert_allclose(back.times, times, atol=1e-3)
    np.testing.assert_allclose(back.light_at(times), colours, atol=1)


@pytest.mark.slow
@cases("suffix, layout", FORMATS)
def test_damaged_files_are_read_or_refused(suffix: str, layout: str, tmp_path: Path) -> None:
    flight, path = show(), tmp_path / f"damaged{layout}{suffix}"
    write(path, flight, suffix=suffix, layout=layout, origin=ORIGIN)
    content, rng = path.read_bytes(), np.random.default_rng(1)
    for _ in range(15):
        damaged = np.frombuffer(content, np.uint8).copy()
        damaged[rng.integers(len(content), size=8)] = rng.integers(256, size=8)
        path.write_bytes(damaged[: rng.integers(len(content) // 2, 2 * len(content))])
        with contextlib.suppress(FlightError):
            certify(read(path))


def test_no_file_of_a_drone_is_left_out(tmp_path: Path) -> None:
    """Letters of suffixes, one name in two folders, what macOS adds."""
    text = "Time [msec],x,y,z\n0,0,0,0\n9,0,0,0\n"
    with ZipFile(tmp_path / "a.zip", "w") as file:
        for name in ("a.csv", "b.CSV", "more/a.csv"):
            file.writestr(name, text)
        file.writestr("__MACOSX/._a.csv", b"\x00\x05")
    assert [drone.name for drone in read(tmp_path / "a.zip").drones] == ["a", "b", "more/a"]


@cases("suffix", [".waypoints", ".plan"])
def test_altitudes_of_missions_are_above_the_origin(suffix: str, tmp_path: Path) -> None:
    """Frame 0 is above the sea and frame 3 above the home of the drone, whatever the first home."""
    folder = tmp_path / suffix[1:]
    folder.mkdir()
    for name, home, frame, altitude in (("a", 100, 0, 160), ("b", 130, 3, 30)):
        goals = [(frame, 16, 47.1, altitude), (2, 178, 0, 0), (frame, 16, 47.2, altitude)]
        rows = [(f, c, *((1, 3, 0) if c == 178 else (0, 0, 0)), 0, x, 19, z)
                for f, c, x, z in goals]  # fmt: skip
        lines = ["QGC WPL 110", f"0 1 0 16 0 0 0 0 47 19 {home} 1"]
        lines += [f"{k} 0 {' '.join(map(str, row))} 1" for k, row in enumerate(rows, 1)]
        items = [{"frame": f, "command": c, "params": numbers} for f, c, *numbers in rows]
        plan = {"mission": {"plannedHomePosition": [47, 19, home], "items": items}}
        content = json.dumps(plan) if suffix == ".plan" else "\n".join(lines)
        (folder / f"{name}{suffix}").write_text(content)
    for drone in read(folder).drones:
        np.testing.assert_allclose(drone.points[:, :, 2], 60)


def test_what_a_format_cannot_hold(tmp_path: Path) -> None:
    flight = show().stretched(4.0)
    long = type(flight)(tuple(
        type(d)(d.name, np.linspace(0, 60, 33), np.repeat(d.points[:1], 32, axis=0),
                np.zeros(32, bool)) for d in flight.drones[:1]))  # fmt: skip
    with pytest.raises(FlightError, match="got 32 pieces; expected at most 31"):
        write(tmp_path / "a.zip", long, suffix=".zip", layout="crazyswarm")
