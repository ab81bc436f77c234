"""The clients of examples/live and a server: header, frames, numbers, commands, refusals."""

from __future__ import annotations

import importlib.util
import json
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest_live import LocalPage, RemotePage
from websockets.exceptions import InvalidStatus

import murmurate as mm
from cases import cases
from murmurate.engines.options import RunOptions
from murmurate.live_view import LiveView
from murmurate.live_view.messages import COMMAND_FIELDS, MessageError, decode
from murmurate.live_view.server import start
from murmurate.show.palette import Palette, coloured_view
from processes import LIMIT

EXAMPLES = Path(__file__).parents[2] / "examples" / "live"
SPEC = importlib.util.spec_from_file_location("live_example", EXAMPLES / "client.py")
assert SPEC is not None and SPEC.loader is not None
example = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(example)


def drones(**changes: Any) -> mm.Model:
    """Return a flock that takes commands, beside one that does not."""
    start = mm.InBox(velocity=mm.Directions(speed=0.5))
    model = mm.Model(
        dt=0.05,
        space=mm.Space(size=(40.0, 40.0), boundary="periodic"),
        flocks={
            "birds": mm.Flock(count=5, start=start, motion=mm.Add(max_speed=1.0)),
            "drones": mm.Flock(count=6, start=start, motion=mm.Add(max_speed=4.0)),
        },
        rules={
            "wind": mm.Wind(moves="birds", vector=(0.1, 0.0)),
            "command": mm.Command(moves="drones", form="velocity"),
        },
        view=mm.View(colour_by="heading"),
    )
    return model.set(changes) if changes else model


@pytest.fixture
def served() -> Iterator[LiveView]:
    with start(
        drones(), RunOptions("reference", seed=1), port=0, origins=["http://localhost:5173/"]
    ) as live_view:
        yield live_view


@pytest.mark.slow
def test_the_header_and_frames_of_the_python_client(served: LiveView) -> None:
    flock = example.Flock(served.url, rgb=True)
    assert flock.scene["wire"]["version"] == "1.0"
    assert [each["name"] for each in flock.scene["flocks"]] == ["birds", "drones"]
    flock.request("pause")
    frame = flock.frame()
    while frame.step != served.session.frame.step:  # those that were sent before
        frame = flock.frame()
    true = served.session.frame
    for name, rows in frame.flocks.items():
        np.testing.assert_allclose(frame.positions[rows], true[name].positions, atol=40 / 65536)
        np.testing.assert_allclose(frame.velocities[rows], true[name].velocities, atol=0.05)
    looks = {name: each.look for name, each in drones().flocks.items()}
    assert (frame.rgb == Palette(coloured_view(drones()), looks).rgb(true)).all()
    assert len(np.unique(frame.rgb, axis=0)) > 2 and frame.indices is None
    flock.close()


def test_the_python_client_sets_commands_and_places(served: LiveView) -> None:
    flock = example.Flock(served.url)
    flock.set({"rules.wind.vector": [0.0, 0.2]})
    assert served.session.controller.running.rules["wind"].vector == (0.0, 0.2)
    before = served.session.frame["birds"].velocities
    step = flock.command("drones", np.tile([1.0, -2.0], (6, 1)))
    flock.command("drones", [[3.0, 0.0]], [2])
    simulation = served.session.runner.simulation
    flock.request("step", steps=2)
    while flock.frame().step < step + 2:
        pass
    expected = np.tile([1.0, -2.0], (6, 1))
    expected[2] = 3.0, 0.0
    np.testing.assert_allclose(simulation.frame["drones"].velocities, expected)
    assert not np.allclose(simulation.frame["birds"].velocities, before)
    flock.command("drones", None)
    assert not simulation.frame["drones"].state("rules.command.commanded").any()
    for wrong in (
        lambda: flock.command("birds", np.ones((5, 2))),
        lambda: flock.command("drones", np.ones((5, 2))),
        lambda: flock.command("drones", [[1.0, 1.0]], [6]),
        lambda: flock.command("drones", [[np.inf, 1.0]], [0]),
        lambda: flock.command("none", [[1.0, 1.0]], [0]),
        lambda: flock.set({"rules.none.weight": 1.0}),
        lambda: flock.set({"rules.wind.vector": np.inf}),
        lambda: flock.request("x" * 70_000),
    ):
        with pytest.raises(example.FlockError, match=r"got|no rule|no flock|\"inf\""):
            wrong()
    for boids in ([0.5], [-1]):
        with pytest.raises(struct.error):
            flock.command("drones", [[1.0, 1.0]], boids)
    flock.place_predator((3.0, 4.0))
    while len(flock.scene["flocks"]) < 3 or len(flock.frame().positions) < 12:
        flock.request("step")
    flock.close()


def test_boids_that_join_have_indices() -> None:
    model = drones(
        **{
            "flocks.birds.max_boids": 60,
            "population": {"in": {"kind": "source", "flock": "birds", "rate": 30.0}},
        }
    )
    with start(model, RunOptions("reference", seed=1), port=0, playing=False) as live_view:
        flock = example.Flock(live_view.url, rgb=True)
        flock.request("step", steps=30)
        frame = flock.frame()
        while frame.step < 30:
            frame = flock.frame()
        birds = len(live_view.session.frame["birds"])
        assert birds > 20 and len(frame.rgb) == birds + 6
        assert frame.flocks == {"birds": slice(0, birds), "drones": slice(birds, birds + 6)}
        assert frame.indices.tolist() == [*range(birds), *range(6)]
        step = flock.command("drones", [[1.0, 0.0]], [5])  # by index, not by id
        flock.request("step")
        while (frame := flock.frame()).step <= step:
            pass
        np.testing.assert_allclose(frame.velocities[-1], [1.0, 0.0], atol=0.02)
        flock.close()


def test_a_client_of_another_version_is_refused_by_name(
    served: LiveView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example, "WIRE", 2)
    with pytest.raises(example.FlockError, match=r"wire: got '2'; expected 1\.0"):
        example.Flock(served.url)
    page = RemotePage(served.url + "&wire=1.9")  # it reads more than it gets
    page.wait_for("scene")
    page.close()


def test_only_named_pages_may_connect(served: LiveView, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(InvalidStatus):
        RemotePage(served.url, origin="http://localhost:5174")
    page = RemotePage(served.url, origin="http://localhost:5173")
    page.wait_for("scene")
    page.close()
    with pytest.raises(InvalidStatus):
        RemotePage(served.url.replace("token=", "token=x"), origin="http://localhost:5173")
    assert not [record for record in caplog.records if record.name == "uvicorn.error"]


def command(name: bytes, count: int, flags: int = 0, version: int = 1, dims: int = 2) -> bytes:
    """Return the header of a command."""
    head = struct.pack("<IHHIIHH", 0x43524D46, version, dims, 7, count, flags, len(name))
    assert len(head) == COMMAND_FIELDS.itemsize
    return head + name


@cases(
    "data,words",
    [
        (b"", "FMRC"),
        (b"FMRM" + bytes(40), "FMRC"),
        (command(b"", 0)[:19], "FMRC"),
        (command(b"", 0, version=2), "version 2"),
        (command(b"drones", 0), "got 26 bytes; expected 28"),
        (command(b"bird", 2) + bytes(12), "got 36 bytes; expected 40"),
        (command(b"bird", 2, 1) + bytes(16), "expected 48"),
        (command(b"bird", 2**32 - 1), "expected"),
    ],
)
def test_a_wrong_binary_message_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(MessageError, match=words):
        decode(data)


def test_commands_to_an_unknown_flock_are_answered(open_page: Callable[..., LocalPage]) -> None:
    page = open_page(playing=False)
    page.client.receive(command(b"boid", 1) + bytes(8))
    reply = page.wait_for("reply")
    assert (reply["to"], reply["ok"]) == (7, False) and "boids" in reply["error"]


JAVASCRIPT = """
import { Flock } from "./client.js";
const flock = await Flock.open(process.argv[2], { rgb: true });
await flock.request("pause");
const { step } = await flock.command("drones", Array.from({ length: 12 }, (_, k) => k % 2 - 2));
await flock.command("drones", [0, 3], [2]);
await flock.set({ "rules.wind.vector": [0, 0.5] });
await flock.request("step", { steps: 2 });
let frame = await flock.frame();
while (frame.step < step + 2) frame = await flock.frame();
const refused = await flock.set({ "rules.none.weight": 1 }).catch((error) => error.message);
const seen = { ...frame, refused, version: flock.scene.wire.version };
console.log(JSON.stringify(seen, (_, x) => (ArrayBuffer.isView(x) ? [...x] : x)));
flock.close();
"""


def test_the_javascript_client(served: LiveView, tmp_path: Path) -> None:
    node = shutil.which("node")
    options = ["--experimental-websocket", "--no-warnings"]
    has_sockets = node and subprocess.run(
        [node, *options, "-e", "new WebSocket('ws://[')"], capture_output=True, text=True
    )
    if not node or "SyntaxError" not in has_sockets.stderr:  # type: ignore[union-attr]
        pytest.skip("needs Node with WebSocket")
    shutil.copy(EXAMPLES / "client.js", tmp_path / "client.js")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "test.js").write_text(JAVASCRIPT)
    done = subprocess.run(
        [node, *options, tmp_path / "test.js", served.url],
        capture_output=True, text=True, timeout=LIMIT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    true = served.session.frame
    assert seen["step"] == true.step and seen["version"] == "1.0"
    assert "none" in seen["refused"] and seen["flocks"] == {"birds": [0, 5], "drones": [5, 11]}
    positions = np.reshape(seen["positions"], (-1, 3))
    velocities = np.reshape(seen["velocities"], (-1, 3))
    drones = true["drones"]
    np.testing.assert_allclose(positions[5:, :2], drones.positions, atol=40 / 65536)
    np.testing.assert_allclose(velocities[5:, :2], drones.velocities, atol=0.05)
    np.testing.assert_allclose(drones.velocities[[0, 2]], [[-2.0, -1.0], [0.0, 3.0]])
    assert len(seen["rgb"]) == 33
    flock = example.Flock(served.url)
    np.testing.assert_allclose(flock.frame().positions, positions[:, :2], atol=1e-4)
    flock.close()


def test_colours_come_after_the_other_parts_of_frames(served: LiveView) -> None:
    page = RemotePage(served.url + "&rgb=1")
    page.wait_for("scene")
    plain = page.frame()
    page.do("extra", neighbours=True, number="rules.command.x")
    page.do("restart")
    frame = page.frame(lambda f: f.values is not None and f.step == plain.step)
    assert frame.values is not None and np.isnan(frame.values[:5]).all()
    assert frame.rgb is not None and (frame.rgb == plain.rgb).all()
    page.close()
