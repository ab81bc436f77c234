"""What is recorded of a session: numbers, commands and moved boids, repeated bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest_live import LocalPage
from test_clients import command, drones

import murmurate as mm
from murmurate.cli import main
from murmurate.runs.recorder import SeriesRecorder

LONG = 10**6  # steps between frames: recordings have their first frame and the log


def step(page: LocalPage, steps: int) -> None:
    """Simulate some steps and wait for them."""
    simulation = page.client.session.runner.simulation
    end = simulation.step_number + steps
    page.do("step", steps=steps)
    page.frame(lambda frame: frame.step == end)


def same(frame: mm.Frame, other: mm.Frame) -> None:
    """Check that two frames have the same bits."""
    assert frame.step == other.step and list(frame) == list(other)
    for name, flock in frame.items():
        assert (flock.positions == other[name].positions).all()
        assert (flock.velocities == other[name].velocities).all()
        assert (flock.memory == other[name].memory).all()


def test_inputs_of_pages_are_repeated_bit_for_bit(
    open_page: Callable[..., LocalPage], tmp_path: Path
) -> None:
    page = open_page(
        drones(), playing=False, recorder=SeriesRecorder(tmp_path / "show.zarr", every=LONG)
    )
    page.frame()
    session = page.client.session
    page.do("set", values={"rules.wind.vector": [0.0, 0.7]})  # before the first step
    step(page, 3)
    vectors = np.ones((6, 2), "<f4").tobytes()
    page.client.receive(command(b"drones", 6) + b"\0\0" + vectors)
    assert page.wait_for("reply")["step"] == 3
    step(page, 4)
    page.do("set", values={"rules.wind.vector": [0.3, 0.0]})
    page.do("move", flock="birds", boid=1, position=[3.0, 4.0])
    page.do("shoo", position=[3.0, 4.0], radius=9.0)
    step(page, 3)
    page.do("shoo", position=None, radius=1.0)
    step(page, 2)
    first_part = session.runner.simulation.frame
    page.do("place", position=[5.0, 5.0])
    page.wait_for("scene", lambda scene: len(scene["flocks"]) == 3)
    step(page, 2)
    page.do("set", values={"rules.wind.vector": [0.1, 0.1]})
    step(page, 2)
    second_part = session.runner.simulation.frame
    page.do("restart")
    step(page, 5)
    third_part = session.runner.simulation.frame
    session.close()

    paths = [tmp_path / name for name in ("show.zarr", "show-2.zarr", "show-3.zarr")]
    parts = (first_part, second_part, third_part)
    for path, frame in zip(paths, parts, strict=True):
        assert len(mm.open(path)) == 1
        same(mm.replay(path, frame.step).frame, frame)
    kinds = [entry.kind for entry in mm.open(paths[0]).inputs]
    assert kinds.count("controls") == 1 and kinds.count("changes") == 1 and "state" in kinds
    parents = [mm.open(path).header["parent"] for path in paths]
    assert not parents[0] and not parents[2]
    assert parents[1]["path"] == str(paths[0]) and parents[1]["step"] == 12
    for name in ("birds", "drones"):  # the flock moved on
        begin = mm.open(paths[1])[0]
        assert (begin[name].positions == first_part[name].positions).all()


def test_a_part_that_a_recording_cannot_have_begins_another(
    open_page: Callable[..., LocalPage], tmp_path: Path
) -> None:
    page = open_page(playing=False, recorder=SeriesRecorder(tmp_path / "show.zarr"))
    page.frame()
    step(page, 2)
    page.do("set", values={"dt": 0.5})
    step(page, 2)
    page.client.session.close()
    assert [[*mm.open(tmp_path / name).steps] for name in ("show.zarr", "show-2.zarr")] == [
        [0, 1, 2],
        [2, 3, 4],
    ]


@pytest.mark.slow
def test_a_recording_is_never_replaced(
    open_page: Callable[..., LocalPage], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mm.run(drones(), 1, output=tmp_path / "show.zarr", options=mm.RunOptions("reference"))
    arguments = ["watch", "p5", "--no-open", "--record", str(tmp_path / "show.zarr")]
    assert main(arguments) == 2 and "exists and is kept" in capsys.readouterr().err
    assert main(["watch", str(tmp_path / "show.zarr"), *arguments[2:]]) == 2
    assert "expected a model" in capsys.readouterr().err
    mm.run(drones(), 1, output=tmp_path / "next-2.zarr", options=mm.RunOptions("reference"))
    recorder = SeriesRecorder(tmp_path / "next.zarr")
    page = open_page(playing=False, recorder=recorder)
    page.frame()
    step(page, 1)
    page.do("restart")
    step(page, 1)
    page.client.session.close()
    assert [path.name for path in recorder.paths] == ["next.zarr", "next-3.zarr"]
